"""The registered conditions, by class name: the list for scenario files, tables and the contract tests."""

from typing import TypeVar, dataclass_transform

from steersman.core.parameters.parameters import Parameters
from steersman.core.parameters.registry import Registry, enter

P = TypeVar("P", bound=type[Parameters])

CONDITIONS = Registry()
"""Class name -> class."""


@dataclass_transform(frozen_default=True, eq_default=False)
def condition(cls: P) -> P:
    """Class decorator: make a condition a frozen dataclass, known by its name."""
    return enter(CONDITIONS, cls, "condition")
