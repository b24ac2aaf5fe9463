"""Parameters that describe themselves: one declaration serves validation, scenario files, sliders and tables.

A behavior, condition, obstacle set or locomotion model is a frozen dataclass with fields that are made with
`parameter`. Deriving from `Parameters` checks every field once, at construction, with one form of message:
`ValueError: radius must be >= 0 m, got -1.0`.
"""

import dataclasses
import functools
from dataclasses import MISSING, dataclass
from typing import Any, Self

import numpy as np

from steersman.core.parameters.brief import brief
from steersman.core.parameters.expression import Expressed, user_value
from steersman.core.parameters.guiding import Guided
from steersman.core.parameters.kinds import NUMBER, Description, Kind


def parameter(default: Any = MISSING, *, kind: Kind = NUMBER, positional: bool = False, **about: Any) -> Any:
    """Declare a field of a `Parameters` class. Its meaning is in the docstring of the class, below `Args:`.

    Args:
        default: The default value. Without it the parameter must be given.
        kind: The values that the parameter may have. Default: numbers.
        positional: Whether the parameter may be given by position. All others are given by name.
        **about: The remaining fields of `Description`: unit, low, above, high, choices, infinite, optional, of.

    Returns:
        A dataclass field.
    """
    if not isinstance(kind, Kind):
        raise TypeError(f"kind must be a Kind such as INTEGER, got {brief(kind)}")
    metadata = {"description": Description(name="", kind=kind, default=default, **about)}
    return dataclasses.field(default=default, kw_only=not positional, metadata=metadata)


@dataclass(frozen=True, eq=False)
class Parameters(Expressed, metaclass=Guided):
    """Base of classes that are described by parameters. Objects are immutable, checked when made, and compared by value.

    Raises:
        TypeError: A value is of another kind than its parameter.
        ValueError: A value is of this kind, but not allowed: NaN or infinity, a number out of range, an array of another
            shape, an unknown word, an empty list, a direction of length zero, or other dimensions than those of another
            argument. The docstring of a class lists further errors alone.
    """

    def __post_init__(self) -> None:
        for each in describe(type(self)):
            other = (getattr(self, each.of),) if each.of else ()
            self._put(**{each.name: each.normal(getattr(self, each.name), *other)})
        self.validate()

    def validate(self) -> None:
        """A hook for checks that concern several parameters. It is called when all of them have their normal form."""

    def _put(self, **values: Any) -> None:
        """Set fields of this frozen object: in `validate`, where a normal form depends on several parameters."""
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def chosen(self) -> dict[str, Any]:
        """The values that differ from the defaults, by name, as a user gives them: `type(self)(**self.chosen()) == self`."""
        fields = [each for each in dataclasses.fields(self) if each.init]
        values = {
            each.name: user_value(getattr(self, each.name))
            for each in fields
            if not same_value(getattr(self, each.name), each.default)
        }
        for each in fields:  # A value may differ from the default because it is its normal form.
            if each.name in values and each.default is not MISSING:
                others = {name: value for name, value in values.items() if name != each.name}
                try:
                    values = others if type(self)(**others) == self else values
                except (TypeError, ValueError):
                    continue
        return values

    def replace(self, **changes: Any) -> Self:
        """A copy with some parameters changed: `seek.replace(target=(3, 4))`.

        Args:
            **changes: New values by name.

        Raises:
            TypeError: There is no such parameter.
        """
        return dataclasses.replace(self, **changes)

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        for name in names_of(type(self)):
            own, others = getattr(self, name), getattr(other, name)
            if own is not others and not same_value(own, others):
                return False
        return True

    def __hash__(self) -> int:
        return hash(type(self))


PLAIN = frozenset({str, int, float, bool, type(None)})
"""Types of values that contain no other values."""


@functools.cache
def names_of(cls: type[Any]) -> tuple[str, ...]:
    """The names of the fields by which dataclasses of a class are compared, in order of declaration."""
    return tuple(field.name for field in dataclasses.fields(cls) if field.compare)


def describe(cls: type) -> tuple[Description, ...]:
    """The parameters of a dataclass, in order of declaration."""
    described: tuple[Description, ...] | None = cls.__dict__.get("_described")
    if described is None:
        described = tuple(
            dataclasses.replace(field.metadata["description"], name=field.name, owner=cls)
            for field in dataclasses.fields(cls)
            if "description" in field.metadata
        )
        cls._described = described  # type: ignore[attr-defined]  # Kept, because every construction asks for it.
    return described


def same_value(a: Any, b: Any) -> bool:
    """Whether two parameter values are the same: arrays by content, everything else by `==` or identity."""
    if a is b:
        return True
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return (
            isinstance(a, np.ndarray)
            and isinstance(b, np.ndarray)
            and a.shape == b.shape
            and bool(np.array_equal(a, b, equal_nan=True))
        )
    if isinstance(a, (tuple, list)) and isinstance(b, (tuple, list)):
        return len(a) == len(b) and all(same_value(x, y) for x, y in zip(a, b, strict=True))
    return bool(a == b)
