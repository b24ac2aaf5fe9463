"""The registry: every built-in body by its public name, for scenario files, tables in the documentation and tests."""

from typing import TypeVar

from steersman.geometry.parameters import Parameters

P = TypeVar("P", bound=type[Parameters])

BODIES: dict[str, type[Parameters]] = {}
"""Public name -> class."""


def body(cls: P) -> P:
    """Class decorator: make a body known by its name.

    Raises:
        ValueError: The name is taken.
    """
    if cls.__name__ in BODIES:
        raise ValueError(f"there is a body called {cls.__name__} already")
    BODIES[cls.__name__] = cls
    return cls
