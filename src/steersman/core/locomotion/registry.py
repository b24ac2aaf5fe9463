"""The registry: every built-in body by its public name, for scenario files, tables in the documentation and tests."""

from typing import TypeVar, dataclass_transform

from steersman.core.parameters.parameters import Parameters
from steersman.core.parameters.registry import Registry, enter

P = TypeVar("P", bound=type[Parameters])

LOCOMOTIONS = Registry()
"""Public name -> class."""


@dataclass_transform(frozen_default=True, eq_default=False)
def locomotion(cls: P) -> P:
    """Class decorator: make a body a frozen dataclass, known by its name."""
    return enter(LOCOMOTIONS, cls, "locomotion")
