"""The registry: every built-in behavior and combinator by its public name.

Scenario files, tables in the documentation and the contract tests find behaviors here, and their parameters by
`parameters.describe`.
"""

from typing import TypeVar, dataclass_transform

from steersman.core.parameters.parameters import Parameters
from steersman.core.parameters.registry import Registry, enter

P = TypeVar("P", bound=type[Parameters])

BEHAVIORS = Registry()
"""Public name -> class."""


@dataclass_transform(frozen_default=True, eq_default=False)
def registered(cls: P) -> P:
    """Class decorator: make a behavior a frozen dataclass, known by its name."""
    return enter(BEHAVIORS, cls, "behavior")
