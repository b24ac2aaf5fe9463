"""The registry: every built-in behavior and combinator by its public name.

Scenario files, tables in the documentation and the contract tests find behaviors here, and their parameters by
`geometry.parameters.describe`.
"""

from typing import TypeVar

from steersman.geometry.parameters import Parameters
from steersman.geometry.registry import enter

P = TypeVar("P", bound=type[Parameters])

BEHAVIORS: dict[str, type[Parameters]] = {}
"""Public name -> class."""


def registered(cls: P) -> P:
    """Class decorator: make a behavior known by its name.

    Raises:
        ValueError: The name is taken.
    """
    return enter(BEHAVIORS, cls, "behavior")
