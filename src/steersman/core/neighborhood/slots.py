"""Requests in the form that kernels take: kinds of sums, and rows of numbers."""

import dataclasses
import math
from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np

from steersman.core.maths.angles import cosine_edge
from steersman.core.neighborhood.request import NeighborSum, Request
from steersman.core.parameters.per_vehicle import PerVehicle, largest, rows_among, smallest
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles

RADIUS2, INNER2, EDGE, TINY2, LIMIT, C0, C1, C2, C3, C4, POWER, CLOSE, FADE, NUMBERS = range(14)
"""Columns of the numbers of a request: squared radii [m^2]; the edge of the view (see `cosine_edge`); squared distance up
to which two coincide [m^2]; largest repulsion; repulsion as a polynomial in 1/r; half its exponent; repulsion of a coincident
vehicle; inverse of the squared distance at which it has faded away [1/m^2]; and the number of columns."""

TINY: Final = 1e-6
"""Vehicles coincide within this part of the radius, at most of a meter: a large radius does not merge near vehicles."""

STEEPEST: Final = 1e12
"""The largest repulsion of two vehicles that nearly coincide, where the radius leaves the choice."""

SMALLEST_TINY: Final = 1e-15
"""No such distance is smaller [m], so that the inverse of its square is still finite in float32."""

LARGEST_REPULSION: Final = 1e15
"""No repulsion is larger, so that its square is still finite in float32."""

LARGEST_RADIUS: Final = 1e14
"""The radius that replaces an infinite one [m]."""

INVERSE, SERIES, ANY = 1, 2, 3
"""Forms of repulsion: 1/r without a limit; a whole power up to 4, with one; any power, with one."""


def tiny_distance(request: Request) -> float:
    """The distance up to which two vehicles coincide [m]; larger for a steep repulsion, so that it never exceeds STEEPEST."""
    tiny = TINY * min(float(request.radius), 1.0)
    if isinstance(request, NeighborSum) and request.falloff > 0 and math.isfinite(request.radius):
        tiny = max(tiny, min(STEEPEST ** (-1 / request.falloff), TINY * float(request.radius)))
    return max(tiny, SMALLEST_TINY)


def sees_all_around(request: Request) -> bool:
    """Whether the field of view excludes no direction."""
    return smallest(request.angle) >= 2 * math.pi or smallest(request.inner_radius) >= largest(request.radius)


def numbers_of(request: NeighborSum, dtype: Any) -> Array:
    """The numbers of a request, shape (NUMBERS,)."""
    dtype = np.dtype(dtype)
    radius = dtype.type(min(request.radius, LARGEST_RADIUS))
    inner = dtype.type(min(request.inner_radius, request.radius, LARGEST_RADIUS))
    edge = cosine_edge(request.angle)
    tiny = tiny_distance(request)
    limit = min(request.limit, LARGEST_REPULSION)
    numbers = np.zeros(NUMBERS, dtype)
    numbers[RADIUS2] = radius * radius
    numbers[INNER2] = inner * inner
    numbers[EDGE] = edge - 4 * np.finfo(dtype).eps * abs(edge)
    numbers[TINY2] = tiny * tiny
    numbers[LIMIT] = limit
    numbers[POWER] = -0.5 * request.falloff
    if request.falloff in (0, 1, 2, 3, 4):
        numbers[C0 + int(request.falloff)] = 1
    numbers[FADE] = 1 / numbers[RADIUS2] if request.fades and math.isfinite(request.radius) else 0
    numbers[CLOSE] = limit if -request.falloff * math.log10(tiny) > 15 else min(tiny**-request.falloff, limit)
    return numbers


class SlotRows:
    """The numbers of a request in which each watcher has its own radius or field of view.

    Args:
        request: The request.
        vehicles: The watchers.
        addressed: Ids of the vehicles that the request has numbers for, in order.

    Attributes:
        rows: The numbers, shape (room, NUMBERS).
    """

    def __init__(self, request: NeighborSum, vehicles: Vehicles, addressed: Array) -> None:
        several = {name: each for name, each in vars(request).items() if isinstance(each, PerVehicle)}
        lists = {name: each.by_row(addressed, addressed).tolist() for name, each in several.items()}
        alone = [
            dataclasses.replace(request, **dict(zip(lists, each, strict=True)))
            for each in zip(*lists.values(), strict=True)
        ]
        self._vehicles, self._addressed, dtype = vehicles, addressed, vehicles.dtype
        self._each = np.array([numbers_of(each, dtype) for each in alone], dtype).reshape(-1, NUMBERS)
        self.rows = np.zeros((vehicles.room, NUMBERS), dtype)
        self.fit()

    def fit(self) -> None:
        """Adapt to vehicles that have come or gone; those without numbers have the last."""
        if len(self._each):
            self.rows[: len(self._vehicles)] = self._each[rows_among(self._vehicles.id, self._addressed)]


def is_each_own(request: Request) -> bool:
    """Whether a request has numbers of their own for the watchers."""
    return any(isinstance(each, PerVehicle) for each in (request.radius, request.angle, request.inner_radius))


def table(requests: Sequence[NeighborSum], rows: int, dtype: Any) -> Array:
    """The numbers of requests of one kind, shape (rows, NUMBERS). Rows beyond the requests see no candidate."""
    numbers = np.zeros((rows, NUMBERS), dtype)
    numbers[:, [RADIUS2, INNER2]] = -1
    for k, request in enumerate(requests):
        numbers[k] = numbers_of(request, dtype)
    return numbers


def form_of(requests: Iterable[NeighborSum]) -> int:
    """The simplest form of repulsion that covers all requests."""
    form = INVERSE
    for request in requests:
        if request.falloff not in (0, 1, 2, 3, 4):
            return ANY
        if request.falloff != 1 or math.isfinite(request.limit):
            form = SERIES
    return form
