"""The registered conditions, by class name: the list for scenario files, tables and the contract tests."""

from typing import TypeVar

from steersman.core.parameters.parameters import Parameters
from steersman.core.parameters.registry import enter

P = TypeVar("P", bound=type[Parameters])

CONDITIONS: dict[str, type[Parameters]] = {}
"""Class name -> class."""


def condition(cls: P) -> P:
    """Class decorator: make a condition known by name.

    Raises:
        ValueError: The name is taken.
    """
    return enter(CONDITIONS, cls, "condition")
