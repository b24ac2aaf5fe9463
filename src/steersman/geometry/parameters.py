"""Parameters that describe themselves: one declaration serves validation, scenario files, sliders and tables.

A behavior, condition, obstacle set or locomotion model is a frozen dataclass whose fields are made with `parameter`.
Deriving from `Parameters` checks every field once, at construction, with one form of message:
`ValueError: radius must be >= 0 m, got -1.0`.
"""

import dataclasses
import math
import numbers
from dataclasses import MISSING, dataclass, field
from typing import Any, Self

import numpy as np

from steersman.geometry.guiding import Guided


@dataclass(frozen=True)
class Description:
    """What is known about one parameter.

    Attributes:
        name: Its name, as given to the constructor.
        kind: "number", "integer", "flag", "text", or what a class makes of it: "target", "obstacles", "parts", ...
        doc: What it means and what raising it does.
        unit: Its unit, "" for a pure number.
        default: Its default, or `dataclasses.MISSING` when it must be given.
        low, above, high: Allowed range: value >= low, value > above, value <= high; None where unbounded.
        choices: Names allowed instead of a number (all that is allowed where `kind` is "text").
        infinite: Whether infinity is allowed.
        optional: Whether None is allowed.
    """

    name: str
    kind: str
    doc: str
    unit: str = ""
    default: Any = field(default_factory=lambda: MISSING)
    low: float | None = None
    above: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    infinite: bool = False
    optional: bool = False

    @property
    def allowed(self) -> str:
        """The allowed values in words, for messages: `>= 0 m`, or `"max", "current" or a number > 0 m/s`."""
        return self._allowed(named=self.kind == "integer")

    def _allowed(self, *, named: bool) -> str:
        words = [f'"{choice}"' for choice in self.choices]
        if self.kind in ("number", "integer"):
            words.append(self._range(named=named or bool(words)))
        elif self.kind == "flag":
            words.append("true or false")
        elif not words:
            words.append(f"a {self.kind}")
        if self.optional:
            words.append("None")
        return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]

    def _range(self, *, named: bool) -> str:
        unit = f" {self.unit}" if self.unit else ""
        bounds = [
            f"{sign} {bound:g}{unit}"
            for sign, bound in ((">=", self.low), (">", self.above), ("<=", self.high))
            if bound is not None
        ]
        if not bounds:
            return f"a {'' if self.infinite else 'finite '}{self.noun}{' in' + unit if unit else ''}"
        return (f"a {self.noun} " if named else "") + " and ".join(bounds)

    @property
    def noun(self) -> str:
        """What a number of this kind is called in messages."""
        return "whole number" if self.kind == "integer" else "number"

    def check(self, value: Any) -> None:
        """Raise what is wrong with a value.

        Raises:
            TypeError: The value is of another kind.
            ValueError: The value is out of range or not one of the choices.
        """
        if self.kind not in ("number", "integer", "flag", "text") or (value is None and self.optional):
            return
        if isinstance(value, str) and (self.choices or self.kind == "text"):
            if self.choices and value not in self.choices:
                raise ValueError(f"{self.name} must be {self.allowed}, got {value!r}")
            return
        if self.kind == "flag":
            good = isinstance(value, (bool, np.bool_))
        elif self.kind == "integer":
            good = isinstance(value, numbers.Integral) and not isinstance(value, bool)
        elif self.kind == "number":
            good = isinstance(value, numbers.Real) and not isinstance(value, bool)
        else:
            good = False
        if not good:
            raise TypeError(f"{self.name} must be {self._allowed(named=True)}, got {value!r}")
        if self.kind != "flag" and not self._within(value):
            raise ValueError(f"{self.name} must be {self.allowed}, got {value!r}")
        if self.kind != "flag" and not self.infinite and abs(value) == math.inf:
            raise ValueError(f"{self.name} must be finite, got {value!r}")

    def _within(self, value: Any) -> bool:
        if value != value or (self.low is not None and value < self.low):
            return False
        if self.above is not None and value <= self.above:
            return False
        return bool(self.high is None or value <= self.high)


def parameter(default: Any = MISSING, *, doc: str, kind: str = "number", positional: bool = False, **about: Any) -> Any:
    """Declare a field of a `Parameters` class.

    Args:
        default: The default value; without one the parameter must be given.
        doc: What it means, in a sentence; what raising it does.
        kind: See `Description.kind`.
        positional: Whether it may be given by position. All others are given by name.
        **about: The remaining fields of `Description`: unit, low, above, high, choices, infinite, optional.

    Returns:
        A dataclass field.
    """
    metadata = {"description": Description(name="", kind=kind, doc=doc, default=default, **about)}
    return dataclasses.field(default=default, kw_only=not positional, metadata=metadata)


@dataclass(frozen=True, eq=False)
class Parameters(metaclass=Guided):
    """Base of everything that is described by parameters: immutable, checked at construction, compared by value."""

    def __post_init__(self) -> None:
        for description in describe(type(self)):
            description.check(getattr(self, description.name))
        self.validate()

    def validate(self) -> None:
        """A hook for checks that concern several parameters; `object.__setattr__` may put a normal form in place."""

    def replace(self, **changes: Any) -> Self:
        """Another one of the same kind, with some parameters changed: `seek.replace(target=(3, 4))`.

        Args:
            **changes: New values by name.

        Raises:
            TypeError: There is no such parameter, or a value is of another kind.
            ValueError: A value is not allowed.
        """
        return dataclasses.replace(self, **changes)

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return all(
            same_value(getattr(self, field.name), getattr(other, field.name)) for field in dataclasses.fields(self)
        )

    def __hash__(self) -> int:
        return hash(type(self))


def describe(cls: type) -> tuple[Description, ...]:
    """The parameters of a dataclass, in order of declaration."""
    return tuple(
        dataclasses.replace(field.metadata["description"], name=field.name)
        for field in dataclasses.fields(cls)
        if "description" in field.metadata
    )


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
