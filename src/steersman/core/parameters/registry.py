"""Registries: classes by their public names, for scenario files, tables in the documentation and tests."""

from dataclasses import dataclass
from typing import Any, TypeVar

C = TypeVar("C", bound=type[Any])


def enter(table: dict[str, Any], cls: C, label: str) -> C:
    """Make a class a frozen dataclass, if it is none, and known by its name in a table; give it back.

    Args:
        table: Name -> class.
        cls: The class.
        label: The name of such a class in messages.

    Raises:
        ValueError: The name is taken.
    """
    if cls.__name__ in table:
        raise ValueError(f"there is a {label} called {cls.__name__} already")
    table[cls.__name__] = cls if "__dataclass_params__" in vars(cls) else dataclass(frozen=True, eq=False)(cls)
    return cls
