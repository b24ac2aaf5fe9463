"""Expressions: a value as Python source that makes it again, without parameters that have their defaults.

    sm.Priority([sm.AvoidObstacles(spheres), 1.6 * sm.Separation(radius=4.0) + sm.Wander()])

Objects with an identity (functions, vehicles, resources) and long values are written as names. `names_in` returns these
objects by name, so `eval(repr(tree), {"sm": sm} | names_in(tree))` is the same tree.
"""

import dataclasses
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

import numpy as np

from steersman.core.parameters.showing import Shown

LONG = 24
"""Arrays of more numbers are written as names."""

LIBRARY = __name__.partition(".")[0]


@dataclass(frozen=True, eq=False, repr=False)
class Expressed:
    """Base of objects that are printed as the Python that makes them: dataclasses whose parameters are their fields."""

    def __init_subclass__(cls, **about: Any) -> None:
        """Give a derived class this `__repr__` as its own, so that `dataclass` does not replace it."""
        super().__init_subclass__(**about)
        if "__repr__" not in vars(cls):
            type.__setattr__(cls, "__repr__", cls.__repr__)

    def __repr__(self) -> str:
        """Python source that makes the object."""
        return expression(self)

    def chosen(self) -> dict[str, Any]:
        """The values that differ from the defaults, by name, as a user would give them."""
        raise NotImplementedError(f"{type(self).__name__} must define chosen()")


@singledispatch
def user_value(value: Any) -> Any:
    """A value as a user gives it: a function that was wrapped as a behavior is unwrapped; others stay as they are."""
    return value


class Names:
    """Names for values that cannot be written out. An object keeps its name."""

    def __init__(self) -> None:
        self.known: dict[str, Any] = {}

    def of(self, value: Any, proposed: str) -> str:
        """The name of a value: the proposed one, with a number behind it if another value has that name."""
        for name, known in self.known.items():
            if known is value:
                return name
        name = proposed if proposed.isidentifier() else "function"
        number = 2
        while name in self.known:
            name, number = f"{proposed}_{number}", number + 1
        self.known[name] = value
        return name


def expression(value: Any, names: Names | None = None) -> str:
    """A value as Python source that makes it.

    Args:
        value: The value.
        names: The names of values so far; new ones are added.
    """
    return _Expressing(Names() if names is None else names).outermost(value)


def names_in(value: Any) -> dict[str, Any]:
    """The objects that the names in the expression of a value stand for."""
    names = Names()
    expression(value, names)
    return names.known


class _Expressing:
    """Writes one expression."""

    def __init__(self, names: Names) -> None:
        self.names = names

    def outermost(self, value: Any) -> str:
        """The expression of the outermost value, which is written out even if it is long."""
        return self.call(value) if isinstance(value, Expressed) else self.write(value)

    def write(self, value: Any, proposed: str = "array") -> str:
        """The expression of a value.

        Args:
            value: The value.
            proposed: The name for an array that is too long to be written out.
        """
        value = user_value(value)
        if isinstance(value, np.generic):
            value = value.item()
        if value is None or isinstance(value, (str, bool, int)):
            return repr(value)
        if isinstance(value, float):
            return repr(value) if math.isfinite(value) else f"float({str(value)!r})"
        if isinstance(value, np.ndarray):
            return self.write(value.tolist()) if 0 < value.size <= LONG else self.names.of(value, proposed)
        if isinstance(value, Expressed) and not (isinstance(value, Shown) and is_long(value)):
            return self.call(value)
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return f"{path_of(type(value))}({', '.join(map(self.write, value))})"
        if isinstance(value, (tuple, list)):
            return self.sequence(value)
        if isinstance(value, Mapping):
            return "{" + ", ".join(f"{key!r}: {self.write(item)}" for key, item in value.items()) + "}"
        return self.names.of(value, getattr(value, "__name__", None) or _snake(type(value).__name__))

    def call(self, value: Expressed) -> str:
        """The expression of an object that is described by parameters."""
        own = getattr(value, "expressed", None)
        return (own(self.write) if own else None) or self.constructed(value)

    def constructed(self, value: Expressed) -> str:
        """The call of its class."""
        arguments, in_place = [], True
        chosen = value.chosen()
        for field in sorted(dataclasses.fields(value), key=lambda field: bool(field.kw_only)):
            if field.name not in chosen:
                in_place = False
                continue
            in_place = in_place and not field.kw_only
            written = self.write(chosen[field.name], field.name)
            arguments.append(written if in_place else f"{field.name}={written}")
        return f"{path_of(type(value))}({', '.join(arguments)})"

    def sequence(self, items: Any) -> str:
        """The expression of a list or tuple; a tuple of nodes is written as a list, as users give it."""
        inner = ", ".join(self.write(item) for item in items)
        return (
            f"[{inner}]" if isinstance(items, list) or any(_is_node(item) for item in items) else _tuple(inner, items)
        )


def _tuple(inner: str, items: Any) -> str:
    return f"({inner},)" if len(items) == 1 else f"({inner})"


def _is_node(item: Any) -> bool:
    return isinstance(item, Expressed)


def is_long(value: Expressed) -> bool:
    """Whether an object has a parameter with more than LONG numbers."""
    held = (getattr(value, field.name) for field in dataclasses.fields(value))
    return any(isinstance(each, np.ndarray) and each.size > LONG for each in held)


def path_of(cls: type) -> str:
    """The name of a class in a program that says `import steersman as sm`; for classes of users the bare name."""
    root, _, below = cls.__module__.partition(".")
    if root != LIBRARY:
        return cls.__name__
    library = __import__(LIBRARY)
    return f"sm.{cls.__name__}" if getattr(library, cls.__name__, None) is cls else f"sm.{below}.{cls.__name__}"


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
