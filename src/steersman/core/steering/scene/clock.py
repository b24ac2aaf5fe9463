"""The clock of a world, as kernels read it."""

from typing import Any, NamedTuple

import numpy as np

from steersman.core.typing import Array


class Clock(NamedTuple):
    """The time as kernels see it.

    Attributes:
        dt: The time step [s], shape (1,), in the vehicles' dtype.
        step: The number of the step, shape (1,), uint64.
        time: Time since the start [s], shape (1,), float64.
    """

    dt: Array
    step: Array
    time: Array

    @classmethod
    def new(cls, dtype: Any) -> "Clock":
        """A clock at zero."""
        return cls(np.zeros(1, dtype), np.zeros(1, np.uint64), np.zeros(1))

    def set(self, dt: float, step: int, time: float) -> None:
        """Tell kernels the time."""
        self.dt[0], self.step[0], self.time[0] = dt, step, time
