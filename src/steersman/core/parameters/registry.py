"""Registries: classes by their public names, for scenario files, tables in the documentation and tests."""

from dataclasses import dataclass
from typing import Any, TypeVar

from steersman.core.parameters.expression import LIBRARY

C = TypeVar("C", bound=type[Any])


class Registry(dict[str, Any]):
    """Classes by name. A class of the library that is not imported yet is imported when its name is asked for.

    To have all of them, import `steersman.core.public`. The decorators that enter a class raise ValueError where its name is
    taken.
    """

    def __missing__(self, name: str) -> Any:
        if getattr(__import__(LIBRARY), name, None) is None or name not in self:
            raise KeyError(name)
        return self[name]


def enter(table: Registry, cls: C, label: str) -> C:
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
    if "__dataclass_params__" not in vars(cls):
        dataclass(frozen=True, eq=False, repr=False)(cls)  # This changes the class itself. `Expressed` has the repr.
    table[cls.__name__] = cls
    return cls
