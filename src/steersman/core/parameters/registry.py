"""Registries: classes by their public names, for scenario files, tables in the documentation and tests."""

from dataclasses import dataclass
from typing import Any, TypeVar

C = TypeVar("C", bound=type[Any])


def enter(table: dict[str, Any], cls: C, label: str) -> C:
    """Enter a class into a table by its name, as a frozen dataclass; return the class.

    Args:
        table: Name -> class.
        cls: The class.
        label: The noun for such a class in messages.

    Raises:
        ValueError: The name is taken.
    """
    if cls.__name__ in table:
        raise ValueError(f"there is a {label} called {cls.__name__} already")
    table[cls.__name__] = cls if "__dataclass_params__" in vars(cls) else dataclass(frozen=True, eq=False)(cls)
    return cls
