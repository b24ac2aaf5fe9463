"""The registered conditions, by class name: the list for scenario files, tables and the contract tests."""

from typing import TypeVar

from steersman.action_selection.condition import Condition
from steersman.geometry.registry import enter

CONDITIONS: dict[str, type[Condition]] = {}
"""Class name -> class."""

C = TypeVar("C", bound=Condition)


def condition(cls: type[C]) -> type[C]:
    """Class decorator: make a condition known by name.

    Raises:
        ValueError: The name is taken.
    """
    return enter(CONDITIONS, cls, "condition")
