"""Frames: the input of a metric, at one moment or at many.

A metric takes vehicles, or an object that holds them or has their columns (a population, a frame of a recorded run), or bare
arrays: of one frame, shape (n, d), or of several, (frames, n, d). Its result is a number for one frame (or an array with a
value for each vehicle), and an array with one more axis, the first, for several frames. It computes in float64 for input of
any precision.
"""

from collections.abc import Callable
from typing import Any, final

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.open import Open
from steersman.core.parameters.arrays import as_floats
from steersman.core.parameters.brief import brief
from steersman.core.parameters.kinds import as_number
from steersman.core.typing import Array
from steersman.core.vehicles.holding import by_name, without_holder

Each = Any
"""The result of a metric: a number for one frame, an array of shape (frames,) for several."""


@final
class Frames:
    """One column of some vehicles at one moment or at many, with access to their other columns.

    Args:
        name: The name of the argument: "position", "velocity".
        value: Vehicles, something with columns such as theirs, or an array of shape (n, d) or (frames, n, d).

    Attributes:
        values: The column, shape (frames, n, d), float64.
        several: Whether an array with an axis of frames was given, even if it has only one frame.
    """

    def __init__(self, name: str, value: Any) -> None:
        value = without_holder(value)
        self._owner = value if hasattr(value, name) else None
        if self._owner is None and isinstance(value, str):
            raise TypeError(f"{name} must be vehicles, a population, or an array, got {brief(value)}{by_name(value)}")
        self.values = _vectors(name, value if self._owner is None else getattr(value, name))
        self.several = self.values.ndim == 3
        self._name, self._shape = name, self.values.shape
        if not self.several:
            self.values = self.values[None]

    def __len__(self) -> int:
        return len(self.values)

    @property
    def n(self) -> int:
        """The number of vehicles."""
        return int(self.values.shape[1])

    @property
    def dimensions(self) -> int:
        """2 or 3."""
        return int(self.values.shape[2])

    def has(self, name: str) -> bool:
        """Whether vehicles were given that have another column."""
        return hasattr(self._owner, name)

    def vectors(self, name: str, value: Any = None) -> Array:
        """Another column of vectors, shape (frames, n, d), float64.

        Args:
            name: Its name.
            value: The argument of this name. None: the column of the vehicles.

        Raises:
            TypeError: The argument is None, and no vehicles with this column were given.
        """
        array = _vectors(name, self._argument(name, value))
        if array.shape != self._shape:
            raise ValueError(f"{name} must have shape {self._shape}, like {self._name}, got {array.shape}")
        return array.reshape(self.values.shape)

    def numbers(self, name: str, value: Any = None, *, default: float | None = None, unit: str = "m") -> Array:
        """A column of numbers >= 0, shape (frames, n), float64.

        Args:
            name: Its name.
            value: One number, or shape (n,) or (frames, n). None: those of the vehicles.
            default: The value where there are no numbers.
            unit: Their unit.

        Raises:
            TypeError: The column is missing.
        """
        if value is None and default is not None and not self.has(name):
            value = default
        array = as_floats(name, self._argument(name, value), np.float64)
        shape = self.values.shape[:2]
        allowed = ((), shape[1:], *((shape,) if self.several else ()))
        if array.shape not in allowed:
            words = " or ".join(str(each) for each in allowed[1:])
            raise ValueError(f"{name} must be one number or have shape {words}, got shape {array.shape}")
        if np.any(array < 0):
            raise ValueError(f"{name} must be >= 0 {unit}, got {array.min()}")
        return np.broadcast_to(array, shape)

    def _argument(self, name: str, value: Any) -> Any:
        if value is None and self.has(name):
            return getattr(self._owner, name)
        if value is None:
            raise TypeError(f"{name} must be given beside {self._name}: only vehicles have it with them")
        return value

    def space(self, domain: Domain | None) -> Domain:
        """The space of the vehicles."""
        return as_space(domain, self.dimensions)

    def least(self, frames: int) -> "Frames":
        """The object itself, if it has at least so many frames.

        Raises:
            ValueError: It has fewer.
        """
        if not self.several or len(self) < frames:
            raise ValueError(
                f"{self._name} must have shape (frames, n, d) with at least {frames} frames, got {self._shape}"
            )
        return self

    def answer(self, values: Any) -> Each:
        """The result for each frame; without the axis of frames if a single frame was given."""
        values = np.asarray(values)
        if self.several:
            return values
        return values[0] if values.ndim > 1 else values[0].item()


def _vectors(name: str, value: Any) -> Array:
    """An array of shape (n, d) or (frames, n, d), float64."""
    array = as_floats(name, value, np.float64)
    if array.ndim not in (2, 3) or array.shape[-1] not in (2, 3):
        raise ValueError(f"{name} must have shape (n, d) or (frames, n, d) with d = 2 or 3, got {array.shape}")
    return np.ascontiguousarray(array)  # So that sums are the same to the bit, however it lay.


def as_space(domain: Domain | None, dimensions: int) -> Domain:
    """The space of a metric; None is space without end."""
    if domain is None:
        return Open()
    if not isinstance(domain, Domain):
        raise TypeError(f"domain must be a Torus, Box or Open, got {brief(domain)}")
    domain.check_dimensions(dimensions)
    return domain


def as_dt(dt: Any) -> float:
    """The time between two frames [s]."""
    return as_number("dt", dt, above=0, unit="s")


def mean(values: Array) -> Array:
    """The mean along the last axis; NaN where it is empty."""
    return over(np.mean, values)


def over(reduce: Callable[..., Any], values: Array) -> Array:
    """A reduction (np.max, np.median) along the last axis; NaN where it is empty."""
    return np.asarray(reduce(values, axis=-1)) if values.shape[-1] else np.full(values.shape[:-1], np.nan)


def lengths(vectors: Array) -> Array:
    """The lengths of vectors, shape (..., d)."""
    return np.asarray(np.sqrt(np.sum(vectors**2, axis=-1)))


def units(vectors: Array) -> Array:
    """Unit vectors, shape (..., d); zero where there is no direction."""
    size = lengths(vectors)[..., None]
    return np.asarray(np.divide(vectors, size, out=np.zeros_like(vectors), where=size > 0))
