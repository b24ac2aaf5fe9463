"""The survey after a step: how far the owned vehicles of a process have moved, and where they are."""

from typing import Any

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.neighborhood.grid import REACH
from steersman.core.typing import Array, Columns


@kernel
def survey(position: Columns, owned: Array, places: Array, period: Array, extremes: Array) -> None:
    """Note the extremes of the owned vehicles.

    Args:
        position: Positions [m], d arrays of shape (capacity,).
        owned: The rows of the owned vehicles, shape (k,), int64.
        places: Where they were when vehicles were dealt out [m], shape (d, k).
        period: The period of each axis [m], shape (d,), float64; 0 where it does not wrap.
        extremes: For each axis the farthest way [m], the largest coordinate with its sign changed, and the largest coordinate
            [m]; shape (3, 3), float64. Larger values stay.
    """
    for axis in range(len(position)):
        x, before, length = position[axis], places[axis], period[axis]
        far: Any = extremes[0, axis]
        low: Any = -extremes[1, axis]
        high: Any = extremes[2, axis]
        for k in range(owned.size):
            here = x[owned[k]]
            way = np.float64(here) - np.float64(before[k])
            if length > 0.0:
                way -= length * np.rint(way / length)
            far = max(far, abs(way))
            if abs(here) <= REACH:
                low = min(low, np.float64(here))
                high = max(high, np.float64(here))
        extremes[0, axis], extremes[1, axis], extremes[2, axis] = far, -low, high
