"""Slots: requests in the form that kernels take, a row of numbers for each."""

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from steersman.core.maths.angles import cosine_edge
from steersman.core.neighborhood.request import NeighborList, NeighborSum, Request
from steersman.core.parameters.per_vehicle import LiveColumn, PerVehicle, largest, rows_among, smallest
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles


class Slot(NamedTuple):
    """The numbers of a request, by name. Tables hold them as rows, in this order; kernels read a row by `sums.slot_of`.

    Attributes:
        radius2, inner2: The squared radii [m^2].
        edge: The edge of the field of view (see `cosine_edge`).
        fade: The inverse of the squared distance at which repulsion has faded to zero [1/m^2]; 0 if it does not fade.
        limit: The largest repulsion.
        tiny2: The squared distance up to which two vehicles coincide [m^2].
        close: The repulsion between two of these.
        power: Half the exponent of repulsion.
        c0, c1, c2, c3, c4: Repulsion as a polynomial in 1/r.
    """

    radius2: Any
    inner2: Any
    edge: Any
    fade: Any
    limit: Any
    tiny2: Any
    close: Any
    power: Any
    c0: Any
    c1: Any
    c2: Any
    c3: Any
    c4: Any


NUMBERS: Final = len(Slot._fields)
"""How many numbers a request has."""


def places_of(*names: str) -> list[int]:
    """The places of some numbers in a row."""
    return [Slot._fields.index(name) for name in names]


OWN: Final = places_of("radius2", "inner2", "edge", "limit")
"""Places of the numbers in which watchers may differ."""

RARE: Final = places_of("tiny2", "close")
"""Places of the numbers that follow from these and are read only for vehicles in one place."""

TINY: Final = 1e-6
"""Vehicles coincide within this part of the radius, at most of a meter: a large radius does not merge near vehicles."""

STEEPEST: Final = 1e12
"""The largest repulsion of two vehicles that do not coincide, unless a small radius needs a larger one."""

SMALLEST_TINY: Final = 1e-15
"""The smallest distance up to which vehicles coincide [m]: the inverse of its square is still finite in float32."""

LARGEST_REPULSION: Final = 1e30
"""The largest repulsion: sums of many are still finite in float32."""

LARGEST_WEIGHT: Final = 1e38
"""The largest repulsion divided by distance that is finite in float32."""

LARGEST_RADIUS: Final = 1e14
"""The radius that replaces an infinite one [m]."""

INVERSE, SERIES, ANY = 1, 2, 3
"""Forms of repulsion: 1/r without a limit; a whole power up to 4, with a limit; any power, with a limit."""


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
    limit = min(request.limit, LARGEST_REPULSION, LARGEST_WEIGHT * tiny)
    slot = Slot(
        radius2=radius * radius,
        inner2=inner * inner,
        edge=edge - 4 * np.finfo(dtype).eps * abs(edge),
        fade=1 / (radius * radius) if request.fades and math.isfinite(request.radius) else 0,
        limit=limit,
        tiny2=tiny * tiny,
        close=limit if tiny**request.falloff * limit < 1 else tiny**-request.falloff,
        power=-0.5 * request.falloff,
        **{f"c{power}": request.falloff == power for power in range(5)},
    )
    return np.array(slot, dtype)


def several_of(request: Request) -> dict[str, PerVehicle]:
    """The fields of a request that have one number per vehicle."""
    return {name: each for name, each in vars(request).items() if isinstance(each, PerVehicle)}


def with_largest(request: NeighborSum) -> NeighborSum:
    """The request with the largest of the numbers of all watchers in place of one per vehicle."""
    most: dict[str, Any] = {name: largest(each) for name, each in several_of(request).items()}
    return dataclasses.replace(request, **most)


class OwnNumbers:
    """The numbers in which watchers differ, for requests that have some per vehicle. All others are in a `table`.

    Args:
        places: Place -> request: the place of its numbers in a row.
        vehicles: The watchers.
        addressed: Ids of the vehicles that the requests have numbers for, in order.
        capacity: The number of places. At a place without a request, no candidate is seen.

    Attributes:
        near: For each place the numbers that OWN names, shape (rows, places * 4).
        rare: For each place the numbers that RARE names, shape (rows, places * 2).
    """

    def __init__(self, places: Mapping[int, NeighborSum], vehicles: Vehicles, addressed: Array, capacity: int) -> None:
        self._vehicles, self._addressed, dtype = vehicles, addressed, vehicles.dtype
        self.near = np.full((vehicles.capacity, capacity * len(OWN)), -1, dtype)
        self.rare = np.zeros((vehicles.capacity, capacity * len(RARE)), dtype)
        several = [each for request in places.values() for each in several_of(request).values()]
        self._live, self._places, self._read = [each for each in several if isinstance(each, LiveColumn)], places, b""
        self._each: dict[int, Array] = {}
        if not self._live:
            own = {place: _numbers_of_each(each, addressed, addressed, dtype) for place, each in places.items()}
            self._each = own
        self.fit()

    @property
    def reads_columns(self) -> bool:
        """Whether some of the numbers are read from columns. Then `refresh` must be called before each search."""
        return bool(self._live)

    def refresh(self) -> None:
        """Lay out the numbers anew where a column has changed."""
        if self._state() != self._read:
            self.fit()

    def _state(self) -> bytes:
        return b"".join(each.values.tobytes() for each in self._live)

    def fit(self) -> None:
        """Adapt to vehicles that have come or gone. Vehicles that are not addressed get the last numbers."""
        ids = self._vehicles.id
        if self._live:
            self._read, dtype = self._state(), self.near.dtype
            for place, request in self._places.items():
                self._lay_out(place, _numbers_of_each(request, ids, self._addressed, dtype))
        elif len(self._addressed):
            rows = rows_among(ids, self._addressed)  # -1, the last, for those that are not there.
            for place, each in self._each.items():
                self._lay_out(place, each[rows])

    def _lay_out(self, place: int, numbers: Array) -> None:
        """Put the numbers of the present vehicles at a place, shape (n, NUMBERS)."""
        for indices, rows in ((OWN, self.near), (RARE, self.rare)):
            begin = place * len(indices)
            rows[: len(numbers), begin : begin + len(indices)] = numbers[:, indices]


def _numbers_of_each(request: NeighborSum, ids: Array, addressed: Array, dtype: Any) -> Array:
    """The numbers of a request for the vehicles with some ids, shape (n, NUMBERS); `addressed` as for `OwnNumbers`."""
    several = several_of(request)
    if not several:
        return np.broadcast_to(numbers_of(request, dtype), (len(ids), NUMBERS))
    values = np.stack([each.by_row(ids, addressed) for each in several.values()], axis=1)
    distinct, place = np.unique(values, axis=0, return_inverse=True)
    numbers = [
        numbers_of(dataclasses.replace(request, **dict(zip(several, each, strict=True))), dtype)
        for each in distinct.tolist()
    ]
    return np.array(numbers, dtype).reshape(-1, NUMBERS)[place.reshape(-1)]


def is_each_own(request: Request) -> bool:
    """Whether a request has numbers per vehicle."""
    return bool(several_of(request))


def table(requests: Sequence[NeighborSum], rows: int, dtype: Any) -> Array:
    """The numbers of requests of one kind, shape (rows, NUMBERS). Rows beyond the requests see no candidate."""
    numbers = np.zeros((rows, NUMBERS), dtype)
    numbers[:, places_of("radius2", "inner2")] = -1
    for k, request in enumerate(requests):
        numbers[k] = numbers_of(with_largest(request), dtype)
        if request.fades and "radius" in several_of(request):
            numbers[k, places_of("fade")] = 1  # It does, for each watcher by its own radius.
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
