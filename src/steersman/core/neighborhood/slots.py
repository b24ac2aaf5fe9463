"""Requests in the form that kernels take: kinds of sums, and rows of numbers."""

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from steersman.core.maths.angles import cosine_edge
from steersman.core.neighborhood.request import NeighborList, NeighborSum, Request
from steersman.core.parameters.per_vehicle import LiveColumn, PerVehicle, largest, rows_among, smallest
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles

RADIUS2, INNER2, EDGE, FADE, LIMIT, TINY2, CLOSE, POWER, C0, C1, C2, C3, C4, NUMBERS = range(14)
"""Columns of the numbers of a request: squared radii [m^2]; the edge of the view (see `cosine_edge`); inverse of the squared
distance at which repulsion has faded away [1/m^2]; largest repulsion; squared distance up to which two coincide [m^2];
repulsion of a coincident vehicle; half the exponent of repulsion; repulsion as a polynomial in 1/r; and the number of
columns."""

OWN: Final = ((RADIUS2,), (RADIUS2, INNER2, EDGE), (RADIUS2, INNER2, EDGE, LIMIT))
"""The columns in which watchers may differ, from few to all: by their radius; by their view, too; and by their limit."""

RARE: Final = (TINY2, CLOSE)
"""The columns that follow from these and are read only for vehicles in one place."""

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


def sees_all_around(request: NeighborSum | NeighborList) -> bool:
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


def several_of(request: Request) -> dict[str, PerVehicle]:
    """The fields of a request that have one number per vehicle."""
    return {name: each for name, each in vars(request).items() if isinstance(each, PerVehicle)}


def with_largest(request: NeighborSum) -> NeighborSum:
    """A request with the largest of the numbers that watchers have of their own: it leaves out none of theirs."""
    most: dict[str, Any] = {name: largest(each) for name, each in several_of(request).items()}
    return dataclasses.replace(request, **most)


class OwnNumbers:
    """The numbers in which the watchers of some requests differ.

    Only what differs is laid out by row.

    Args:
        places: The requests, each with its place.
        vehicles: The watchers.
        addressed: Ids of the vehicles that the requests have numbers for, in order.
        room: The number of places; at others than those of requests no candidate is seen.

    Attributes:
        near: For each place its columns of OWN, shape (room, places * columns).
        rare: For each place its columns of RARE, shape (room, places * 2).
        columns: The number of columns of OWN.
    """

    def __init__(self, places: Mapping[int, NeighborSum], vehicles: Vehicles, addressed: Array, room: int) -> None:
        self._vehicles, self._addressed, dtype = vehicles, addressed, vehicles.dtype
        names = {name for request in places.values() for name in several_of(request)}
        self._indices = OWN[2 if "limit" in names else 1 if names & {"angle", "inner_radius"} else 0]
        self.columns = len(self._indices)
        self.near = np.full((vehicles.room, room * self.columns), -1, dtype)
        self.rare = np.zeros((vehicles.room, room * len(RARE)), dtype)
        several = [each for request in places.values() for each in several_of(request).values()]
        self._live, self._places, self._read = [each for each in several if isinstance(each, LiveColumn)], places, b""
        self._each: dict[int, Array] = {}
        if not self._live:
            own = {place: _numbers_of_each(each, addressed, addressed, dtype) for place, each in places.items()}
            self._each = own
        self.fit()

    @property
    def reads_columns(self) -> bool:
        """Whether some of the numbers are read from columns, and `refresh` is to be called before each search."""
        return bool(self._live)

    def refresh(self) -> None:
        """Lay out the numbers anew where a column has changed."""
        if self._state() != self._read:
            self.fit()

    def _state(self) -> bytes:
        return b"".join(each.values.tobytes() for each in self._live)

    def fit(self) -> None:
        """Adapt to vehicles that have come or gone; those without numbers have the last."""
        ids = self._vehicles.id
        if self._live:
            self._read, dtype = self._state(), self.near.dtype
            for place, request in self._places.items():
                self._lay_out(place, _numbers_of_each(request, ids, self._addressed, dtype))
        elif len(self._addressed):
            whose = rows_among(ids, self._addressed)
            for place, each in self._each.items():
                self._lay_out(place, each[whose])

    def _lay_out(self, place: int, numbers: Array) -> None:
        """Put the numbers of the present vehicles at a place, shape (n, NUMBERS)."""
        for indices, rows in ((self._indices, self.near), (RARE, self.rare)):
            begin = place * len(indices)
            rows[: len(numbers), begin : begin + len(indices)] = numbers[:, list(indices)]


def _numbers_of_each(request: NeighborSum, ids: Array, addressed: Array, dtype: Any) -> Array:
    """The numbers of a request for some vehicles, where it has numbers for those that are addressed, shape (n, NUMBERS)."""
    several = several_of(request)
    if not several:
        return np.broadcast_to(numbers_of(request, dtype), (len(ids), NUMBERS))
    values = np.stack([each.by_row(ids, addressed) for each in several.values()], axis=1)
    alike, whose = np.unique(values, axis=0, return_inverse=True)
    numbers = [
        numbers_of(dataclasses.replace(request, **dict(zip(several, each, strict=True))), dtype)
        for each in alike.tolist()
    ]
    return np.array(numbers, dtype).reshape(-1, NUMBERS)[whose.reshape(-1)]


def is_each_own(request: Request) -> bool:
    """Whether watchers have numbers of their own in a request."""
    return bool(several_of(request))


def table(requests: Sequence[NeighborSum], rows: int, dtype: Any) -> Array:
    """The numbers of requests of one kind, shape (rows, NUMBERS). Rows beyond the requests see no candidate."""
    numbers = np.zeros((rows, NUMBERS), dtype)
    numbers[:, [RADIUS2, INNER2]] = -1
    for k, request in enumerate(requests):
        numbers[k] = numbers_of(with_largest(request), dtype)
    return numbers


def form_of(requests: Iterable[NeighborSum]) -> int:
    """The simplest form of repulsion that covers all requests."""
    form = INVERSE
    for request in requests:
        if request.falloff not in (0, 1, 2, 3, 4):
            return ANY
        if request.falloff != 1 or math.isfinite(smallest(request.limit)):
            form = SERIES
    return form
