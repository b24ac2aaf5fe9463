"""A number for each vehicle of a population: the same for all, or drawn from a range."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from steersman.core.parameters.kinds import NUMBER, Description, Kind
from steersman.core.typing import Array


@dataclass(frozen=True)
class Spread:
    """A number, or a range in which every vehicle draws its own, uniformly.

    Attributes:
        low, high: The range; equal for one number.
    """

    low: float
    high: float

    def draw(self, n: int, rng: np.random.Generator) -> Any:
        """One number for all, or n numbers of shape (n,)."""
        if self.low == self.high:
            return self.low
        return self.between(rng.random(n))

    def between(self, fraction: Array) -> Array:
        """The numbers at some fractions of the range."""
        return np.asarray(self.low + (self.high - self.low) * fraction)


@dataclass(frozen=True)
class Each:
    """A number of its own for each vehicle.

    Attributes:
        name: The name of the numbers.
        values: The numbers, shape (n,).
    """

    name: str
    values: Array

    def draw(self, n: int, rng: np.random.Generator) -> Array:
        """The numbers.

        Raises:
            ValueError: The number of values differs from the number of vehicles.
        """
        if len(self.values) != n:
            raise ValueError(f"{self.name} must be one number or one for each of {n} vehicles, got {len(self.values)}")
        return self.values


def as_spread(description: Description, value: Any) -> Any:
    """A number, `{low, high}`, or a number for each (a list or an array).

    Raises:
        ValueError: Low is above high.
    """
    if isinstance(value, np.ndarray):
        return Each(description.name, value)
    if isinstance(value, list):
        return Each(description.name, np.array([_number(description, each) for each in value]))
    if isinstance(value, dict):
        if set(value) != {"low", "high"}:
            raise TypeError(f"{description.name} must be {description.allowed}, got a table with {sorted(value)}")
        low, high = (_number(description, value[key]) for key in ("low", "high"))
        if low > high:
            raise ValueError(f"{description.name} must have low <= high, got {low!r} and {high!r}")
        return Spread(low, high)
    number = _number(description, value)
    return Spread(number, number)


def numeric(description: Description) -> Description:
    """The description of one number of a spread."""
    return replace(description, kind=NUMBER, choices=(), optional=False)


def _number(description: Description, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{description.name} must be {description.allowed}, got {value!r}")
    return float(numeric(description).normal(value))


class SpreadKind(Kind):
    """A number, or a range of numbers; both within the range that the parameter allows."""

    def normal(self, about: Description, value: Any, *other: Any) -> Any:
        """The spread."""
        return value if isinstance(value, (Spread, Each)) else as_spread(about, value)

    def allowed(self, about: Description, *, named: bool) -> str:
        """The range of the numbers, or a table."""
        return f"{NUMBER.allowed(about, named=named)} or {self.words}"


SPREAD = SpreadKind("spread", "{low, high} or a list of numbers")
