"""A number for each vehicle of a population: the same for all, or drawn from a range."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from steersman.geometry.parameters import Description
from steersman.geometry.vectors import Array


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
        """The numbers at these fractions of the range."""
        return np.asarray(self.low + (self.high - self.low) * fraction)


def as_spread(description: Description, value: Any) -> Spread | str:
    """A number, `{low, high}`, or one of the words that the description allows.

    Raises:
        TypeError: It is none of these.
        ValueError: A number is out of range, or low is above high.
    """
    if isinstance(value, str) and value in description.choices:
        return value
    if isinstance(value, dict):
        if set(value) != {"low", "high"}:
            raise TypeError(f"{description.name} must be {words(description)}, got a table with {sorted(value)}")
        low, high = (_number(description, value[key]) for key in ("low", "high"))
        if low > high:
            raise ValueError(f"{description.name} must have low <= high, got {low!r} and {high!r}")
        return Spread(low, high)
    number = _number(description, value)
    return Spread(number, number)


def words(description: Description) -> str:
    """The allowed values in words."""
    return f"{numeric(description, choices=True).allowed} or {{low, high}}"


def numeric(description: Description, *, choices: bool = False) -> Description:
    """The description of one number of a spread."""
    return Description(
        name=description.name,
        kind="number",
        doc=description.doc,
        unit=description.unit,
        low=description.low,
        above=description.above,
        high=description.high,
        choices=description.choices if choices else (),
    )


def _number(description: Description, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{description.name} must be {words(description)}, got {value!r}")
    numeric(description).check(value)
    return float(value)
