"""The registry: every built-in body by its public name, for scenario files, tables in the documentation and tests."""

from typing import TypeVar

from steersman.core.parameters.parameters import Parameters
from steersman.core.parameters.registry import enter

P = TypeVar("P", bound=type[Parameters])

LOCOMOTIONS: dict[str, type[Parameters]] = {}
"""Public name -> class."""


def locomotion(cls: P) -> P:
    """Class decorator: make a body known by its name.

    Raises:
        ValueError: The name is taken.
    """
    return enter(LOCOMOTIONS, cls, "locomotion")
