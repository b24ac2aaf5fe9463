"""Headings: a note of which way vehicles go together, and how many of them do."""

from collections.abc import Callable, Iterator

import numpy as np

from steersman.core.maths.shapes import Arrow, Shape
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles
from steersman.runs.metrics.motion import polarization


def mean_heading(vehicles: Vehicles, middle: Array, longest: float) -> Callable[[], Iterator[Shape]]:
    """A note: the mean of the headings as an arrow, and the polarization in words.

    Args:
        vehicles: The vehicles.
        middle: Where the arrow stands [m], shape (2,).
        longest: How long it is where all head one way [m].
    """

    def note() -> Iterator[Shape]:
        if len(vehicles):
            mean = np.mean(vehicles.forward.astype(float), axis=0)
            half = longest / 2 * mean
            words = f"polarization {float(polarization(vehicles)):.0%}"
            yield Arrow((middle - half)[None], (middle + half)[None], label=words)

    return note
