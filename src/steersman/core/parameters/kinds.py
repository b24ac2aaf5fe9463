"""Kinds: the values that a parameter may have, in words for messages, and the conversion of a value to its normal form.

A kind is defined beside its subject: `TARGET` with targets, `PATH` with paths. This module has the kinds of numbers, texts
and vectors, and `Description`, which describes one parameter.
"""

import math
import numbers
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import MISSING, dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from steersman.core.parameters.arrays import as_floats, as_points, frozen
from steersman.core.parameters.brief import LONGEST, brief
from steersman.core.parameters.docstrings import text_of
from steersman.core.parameters.guiding import Explained, explained
from steersman.core.parameters.per_vehicle import COLUMN, NumberColumn, PerVehicle, as_each, is_column, is_several


@dataclass(frozen=True, eq=False)
class Kind(metaclass=Explained):
    """The values that a parameter may have. Kinds are compared by identity, not by name.

    Attributes:
        name: Its name: "target", "obstacles", "parts".
        words: The allowed values: "a point (d,), points (n, d) or a function that returns points".
        convert: `convert(name, value)` returns the normal form of a value, and leaves a normal form as it is. Where the
            parameter is about another one (`Description.of`), it is called as `convert(name, value, other)`. It raises
            TypeError or ValueError. Default: values stay as they are.
        base: The class of the values, or of the elements where a value is a list. Default: any class.
        like: A wider kind that documents write in the same way, and by which they read this one.
    """

    name: str
    words: str
    convert: Callable[..., Any] | None = None
    base: Any = None
    like: "Kind | None" = None

    def normal(self, about: "Description", value: Any, *other: Any) -> Any:
        """The normal form of a value.

        Args:
            about: The parameter.
            value: The given value.
            *other: The value of the parameter that this one is about, in its normal form.

        Raises:
            TypeError: The value is of another kind.
            ValueError: The value is not allowed.
        """
        if self.convert is not None:
            return self.convert(about.name, value, *other)
        if self.base is not None and not isinstance(value, self.base):
            raise TypeError(f"{about.name} must be {self.words}, got {brief(value)}")
        return value

    @explained
    def allowed(self, about: "Description", *, named: bool) -> str:
        """The allowed values besides the choices of the parameter, in words.

        Args:
            about: The parameter.
            named: Whether the words of numbers begin with "a number".
        """
        return self.words

    def is_like(self, *kinds: "Kind") -> bool:
        """Whether this kind is one of some kinds, or like one of them."""
        return self in kinds or (self.like is not None and self.like.is_like(*kinds))


LARGEST = 2**63 - 1
"""The largest whole number that is accepted: int64."""


class Number(Kind):
    """A number, in the range of its parameter."""

    def normal(self, about: "Description", value: Any, *other: Any) -> Any:
        """The number itself; or, where the parameter's class allows these, one per vehicle, or a column of numbers."""
        if self.base is numbers.Real and getattr(about.owner, "per_vehicle", False):
            if isinstance(value, (str, NumberColumn)):
                return self.column(about, value)
            if is_several(value):
                return self.each(about, value)
        if not isinstance(value, self.base) or isinstance(value, (bool, np.timedelta64)):
            raise TypeError(f"{about.name} must be {about.words(named=True)}, got {brief(value)}")
        number = as_float(value)
        if not about.holds(number):
            raise ValueError(f"{about.name} must be {about.allowed}, got {brief(value)}")
        if number == value and abs(number) == math.inf and not about.infinite:
            raise ValueError(f"{about.name} must be finite, got {brief(value)}")
        if self.base is numbers.Integral and not -LARGEST <= value <= LARGEST:
            raise ValueError(f"{about.name} must be at most {LARGEST}, got {brief(value)}")
        if number != value and abs(number) == math.inf:
            raise ValueError(f"{about.name} must be at most {sys.float_info.max:.3g}, got {brief(value)}")
        return value

    def column(self, about: "Description", value: str | NumberColumn) -> NumberColumn:
        """One number per vehicle that is read from a column. Its numbers are checked when the column is known."""
        name = value.column if isinstance(value, NumberColumn) else value.removeprefix(COLUMN)
        if not name.isidentifier():
            raise TypeError(f"{about.name} must be {about.words(named=True)}, got {brief(value)}")
        return NumberColumn(about.name, name, about.holds_finite, about.allowed)

    def each(self, about: "Description", value: Any) -> PerVehicle:
        """One number per vehicle, each checked."""
        several = as_each(about.name, value)
        good = [about.holds_finite(number) for number in several.values.tolist()]
        if not all(good):
            row = good.index(False)
            raise ValueError(f"{about.name} must be {about.allowed}, got {several.values[row]} for row {row}")
        return several

    def allowed(self, about: "Description", *, named: bool) -> str:
        """The range in words: `>= 0 m`, or with `named` `a number >= 0 m`."""
        noun = self.words.removeprefix("a ")
        unit = f" {about.unit}" if about.unit else ""
        bounds = [
            f"{sign} {bound:g}{unit}"
            for sign, bound in ((">=", about.low), (">", about.above), ("<=", about.high))
            if bound is not None
        ]
        if not bounds:
            return f"a {'' if about.infinite else 'finite '}{noun}{' in' + unit if unit else ''}"
        named = named or self.base is numbers.Integral
        return (f"a {noun} " if named else "") + " and ".join(bounds)


class Text(Kind):
    """A text; if the parameter has choices, one of these."""

    def normal(self, about: "Description", value: Any, *other: Any) -> Any:
        """The text itself."""
        if not isinstance(value, str):
            raise TypeError(f"{about.name} must be {about.allowed}, got {brief(value)}")
        return value

    def allowed(self, about: "Description", *, named: bool) -> str:
        """The words of the kind; none if the parameter has choices."""
        return "" if about.choices else self.words


class Several(Kind):
    """A list of objects of one class."""

    def normal(self, about: "Description", value: Any, *other: Any) -> Any:
        """The objects, as a tuple."""
        return self.several(about.name, value)

    def several(self, name: str, value: Any) -> tuple[Any, ...]:
        """The objects of a list, as a tuple."""
        if isinstance(value, self.base) or not isinstance(value, Sequence):
            raise TypeError(f"{name} must be a list of {self.words}, got {brief(value)}")
        for each in value:
            if not isinstance(each, self.base):
                raise TypeError(f"{name} must be {self.words}, got {brief(each)}")
        return tuple(value)


@dataclass(frozen=True)
class Description:
    """The description of one parameter.

    Attributes:
        name: Its name, as given to the constructor.
        kind: The values that it may have.
        unit: Its unit, "" for a pure number.
        default: Its default, or `dataclasses.MISSING` when it must be given.
        low, above, high: Allowed range: value >= low, value > above, value <= high; None where unbounded.
        choices: Names allowed instead of a number (all that is allowed where `kind` is TEXT).
        infinite: Whether infinity is allowed.
        optional: Whether None is allowed.
        of: The name of the parameter that this one is about, as `which` chooses from a `target`; "" for none. Conversion gets
            its value, too.
        owner: The class that the parameter belongs to; None for a description without a class.
    """

    name: str
    kind: Kind
    unit: str = ""
    default: Any = field(default_factory=lambda: MISSING)
    low: float | None = None
    above: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    infinite: bool = False
    optional: bool = False
    of: str = ""
    owner: type | None = None

    @cached_property
    def doc(self) -> str:
        """The meaning of the parameter: the text below `Args:` in the docstring of its class, without the unit."""
        text = "" if self.owner is None else text_of(self.owner, self.name)
        return text.replace(f" [{self.unit}]", "") if self.unit else text

    @property
    def allowed(self) -> str:
        """The allowed values in words, for messages: `>= 0 m`, or `"max", "current" or a number > 0 m/s`."""
        return self.words(named=False)

    def words(self, *, named: bool) -> str:
        """The allowed values in words; `named` as for `Kind.allowed`."""
        choices = [f'"{choice}"' for choice in self.choices]
        rest = self.kind.allowed(self, named=named or bool(choices))
        words = [*choices, *([rest] if rest else []), *(["None"] if self.optional else [])]
        return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]

    def holds(self, number: Any) -> bool:
        """Whether a number is in the range."""
        if number != number or (self.low is not None and number < self.low):
            return False
        if self.above is not None and number <= self.above:
            return False
        return bool(self.high is None or number <= self.high)

    def holds_finite(self, number: Any) -> bool:
        """Whether a number is in the range, and finite unless infinity is allowed."""
        return self.holds(number) and (self.infinite or abs(number) < math.inf)

    def normal(self, value: Any, *other: Any) -> Any:
        """The normal form of a value, which is checked; `other` is the normal form of the parameter `of`.

        Raises:
            TypeError: The value is of another kind.
            ValueError: The value is out of range, or not one of the choices.
        """
        if value is None and self.optional:
            return None
        if isinstance(value, str) and self.choices and not (is_column(value) and isinstance(self.kind, Number)):
            if value not in self.choices:
                raise ValueError(f"{self.name} must be {self.allowed}, got {brief(value)}")
            return value
        try:
            return self.kind.normal(self, value, *other)
        except Exception as error:
            if helps(error, self.name):
                raise
            raise self.refusal(value, error) from error

    def refusal(self, value: Any, error: Exception) -> Exception:
        """The exception to raise in place of an unhelpful one: a value of a user's class may raise any error."""
        kind = ValueError if isinstance(error, (ValueError, OverflowError, MemoryError)) else TypeError
        why = f": {error}" if isinstance(error, (TypeError, ValueError)) and len(str(error)) <= LONGEST else ""
        return kind(f"{self.name} must be {self.allowed}, got {brief(value)}{why}")


def helps(error: Exception, name: str) -> bool:
    """Whether the message of an exception names the argument, and is not too long."""
    if isinstance(error, Warning):
        return True
    text = str(error)
    known = isinstance(error, (TypeError, ValueError, LookupError, OSError, ImportError))
    return known and len(text) <= 4 * LONGEST and re.search(rf"\b{re.escape(name)}\b", text) is not None


def as_float(value: Any) -> float:
    """A real number as a float; infinity if it is too large for a float."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def as_number(name: str, value: Any, **about: Any) -> float:
    """The argument as a number in a range; `about` are fields of `Description`: unit, low, above, high, infinite."""
    return float(Description(name, NUMBER, **about).normal(value))


def as_vector(name: str, value: Any, dimensions: tuple[int, ...] = (2, 3)) -> Any:
    """One point or vector, shape (d,), read-only."""
    vector = as_floats(name, value, np.float64)
    if vector.ndim != 1 or len(vector) not in dimensions:
        allowed = " or ".join(f"({d},)" for d in dimensions)
        raise ValueError(f"{name} must have shape {allowed}, got {vector.shape}")
    return frozen(vector)


def as_direction(name: str, value: Any) -> Any:
    """A vector that is not zero, shape (d,), read-only."""
    vector = as_floats(name, value, np.float64)
    if vector.shape not in ((2,), (3,)) or not vector.any():
        raise ValueError(f"{name} must be a direction, shape (2,) or (3,) and not zero, got {vector.tolist()}")
    return frozen(vector)


NUMBER = Number("number", "a number", base=numbers.Real)
INTEGER = Number("integer", "a whole number", base=numbers.Integral)
FLAG = Kind("flag", "true or false", base=(bool, np.bool_))
TEXT = Text("text", "a text")
VECTOR = Kind("vector", "a vector (d,)", as_vector)
DIRECTION = Kind("direction", "a vector (d,) that is not zero", as_direction, like=VECTOR)
POINTS = Kind("points", "points (k, d)", lambda name, value: frozen(as_points(name, value, np.float64)))
NUMBERS = Kind("numbers", "a number, or several")
FUNCTION = Kind("function", "a function", base=Callable)
