"""The registry: every built-in behavior and combinator by its public name.

Scenario files, tables in the documentation and the contract tests find behaviors here, and their parameters by
`geometry.parameters.describe`.
"""

from typing import TypeVar

from steersman.geometry.parameters import Parameters

P = TypeVar("P", bound=type[Parameters])

BEHAVIORS: dict[str, type[Parameters]] = {}
"""Public name -> class."""


def registered(cls: P) -> P:
    """Class decorator: make a behavior known by its name.

    Raises:
        ValueError: The name is taken.
    """
    if cls.__name__ in BEHAVIORS:
        raise ValueError(f"there is a behavior called {cls.__name__} already")
    BEHAVIORS[cls.__name__] = cls
    return cls
