"""Targets: what a behavior heads for, in the one form that kernels take.

A target is a point (d,), one point per vehicle (n, d), a callable that returns either, or another population. A kernel
sees columns of points and, for every vehicle, the row to look at (-1 where there is nothing to look at).
"""

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from steersman.environment.domains.domain import Domain
from steersman.geometry.arrays import as_floats, columns_of, frozen
from steersman.geometry.call import Call
from steersman.geometry.kernel import kernel
from steersman.geometry.kinds import Kind
from steersman.geometry.vectors import Array, Columns, difference, dot, load
from steersman.neighborhood.neighbor_pass import NeighborPass
from steersman.neighborhood.request import NeighborList
from steersman.steering.targets.whom import Among, anybody, find_nearest_of, picked, rows_among
from steersman.vehicles.body import Body
from steersman.vehicles.holding import by_name, without_holder
from steersman.vehicles.vehicles import Vehicles

PAIRS = 2_000_000
"""With more pairs of vehicles and others the nearest are looked for in a grid."""


class Mark(NamedTuple):
    """Where to go.

    Attributes:
        position: Points [m], d arrays of shape (m,).
        pick: For every vehicle the row of its point, -1 for none; shape (n,), int64.
    """

    position: Columns
    pick: Array


class Quarry(NamedTuple):
    """Whom to watch.

    Attributes:
        body: The columns of the watched population.
        pick: For every vehicle the row of the one it watches, -1 for none; shape (n,), int64.
    """

    body: Body
    pick: Array


def as_target(name: str, value: Any) -> Any:
    """A target in its normal form: points become a frozen float64 array; populations are their vehicles, and callables stay.

    Raises:
        TypeError: It is no target at all.
        ValueError: Points of a wrong shape, NaN or infinity.
    """
    value = without_holder(value)
    if isinstance(value, Vehicles) or callable(value):
        return value
    if value is None or isinstance(value, (str, Mapping)):
        raise TypeError(f"{name} must be {TARGET.words}, got {value!r}{by_name(value)}")
    points = as_floats(name, value, np.float64)
    if points.ndim not in (1, 2) or points.shape[-1] not in (2, 3):
        raise ValueError(f"{name} must be {TARGET.words}, got shape {points.shape}")
    return frozen(points)


TARGET = Kind(
    "target", "a point (d,), points (n, d), Vehicles, a population or a function that returns points", as_target
)


@kernel
def find_nearest(
    start: int, stop: int, position: Columns, others: Columns, same: bool, wrap: Array, pick: Array
) -> None:
    """For every vehicle the row of the nearest of the others (the first of those that tie), -1 if there are none."""
    for i in range(start, stop):
        here = load(position, i)
        best = -1
        best_d2 = here[0]
        for j in range(others[0].size):
            if same and i == j:
                continue
            offset = difference(load(others, j), here, wrap)
            d2 = dot(offset, offset)
            if best < 0 or d2 < best_d2:
                best, best_d2 = j, d2
        pick[i] = best


def bind_point(
    name: str, target: Any, vehicles: Vehicles, domain: Domain, which: Any, addressed: Array
) -> tuple[Mark, list[Call]]:
    """A target as columns and rows, with the calls that keep it up to date; arguments as for `bind_quarry`.

    Raises:
        ValueError: The target does not fit the vehicles.
    """
    n, d = len(vehicles), vehicles.dimensions
    if isinstance(target, Vehicles):
        quarry, calls = bind_quarry(name, target, vehicles, domain, which, addressed)
        return Mark(quarry.body.position, quarry.pick), calls
    if callable(target):
        points = np.zeros((d, n), vehicles.dtype)
        return Mark(tuple(points), np.arange(n)), [Call(_Refresh(name, target, points), whole=True)]
    check_points(name, target, n, d)
    if target.ndim == 1:
        return Mark(columns_of(target[None, :], vehicles.dtype), np.zeros(n, np.int64)), []
    return Mark(columns_of(target, vehicles.dtype), np.arange(n)), []


def bind_quarry(
    name: str, quarry: Vehicles, vehicles: Vehicles, domain: Domain, which: Any, addressed: Array
) -> tuple[Quarry, list[Call]]:
    """A watched population and whom of it each vehicle watches, with the calls that keep that up to date.

    Args:
        name: What messages call the population.
        quarry: The population.
        vehicles: Those who watch.
        domain: The space.
        which: Whom of it: see `as_which`.
        addressed: Ids of the vehicles that an array of ids is for (see `picked`).

    Raises:
        ValueError: The population does not fit the vehicles, or `which` does not fit the population.
    """
    n, body = len(vehicles), quarry.body
    if quarry.dimensions != vehicles.dimensions:
        raise ValueError(
            f"{name} must have {vehicles.dimensions} dimensions like the vehicles, got {quarry.dimensions}"
        )
    pick = np.full(n, -1, np.int64)
    if anybody(which):
        return Quarry(body, pick), [nearest_call(vehicles, quarry, domain, pick)]
    if isinstance(which, Among):
        wrap, places = domain.wrap(vehicles.dimensions, vehicles.dtype), (vehicles.body.position, body.position)
        chosen = rows_among(which, quarry)
        return Quarry(body, pick), [Call(find_nearest_of, (*places, chosen, quarry is vehicles, wrap, pick))]
    return Quarry(body, picked(which, quarry, vehicles, addressed, name)), []


def nearest_call(vehicles: Vehicles, others: Vehicles, domain: Domain, pick: Array) -> Call:
    """The call that writes whom of the others each vehicle is nearest to, as `find_nearest` does; of many, with a grid."""
    if len(vehicles) * len(others) > PAIRS:
        return Call(_Search(vehicles, others, domain, pick), whole=True)
    wrap = domain.wrap(vehicles.dimensions, vehicles.dtype)
    same = others is vehicles
    return Call(find_nearest, (vehicles.body.position, others.body.position, same, wrap, pick))


class _Search:
    """Looks for the nearest of many."""

    def __init__(self, vehicles: Vehicles, others: Vehicles, domain: Domain, pick: Array) -> None:
        request = NeighborList(math.inf, 1, of=None if others is vehicles else others)
        self.look, self.pick = NeighborPass(vehicles.body, (request,), domain, request.of), pick
        self.found = self.look.lists[request].row

    def __call__(self) -> None:
        self.look.build()
        self.look.run(0, 1)
        self.pick[...] = self.found[:, 0]


def check_points(name: str, points: Array, n: int, d: int) -> None:
    """Raise ValueError when points are neither one of d dimensions nor n of them."""
    if points.shape not in ((d,), (n, d)):
        raise ValueError(f"{name} must have shape ({d},) or ({n}, {d}), got {points.shape}")


class _Refresh:
    """Asks a target function where the target is now."""

    def __init__(self, name: str, function: Callable[[], Any], points: Array) -> None:
        self.name, self.function, self.points = name, function, points

    def __call__(self) -> None:
        d, n = self.points.shape
        value = as_floats(f"{self.name}()", self.function(), self.points.dtype)
        check_points(f"{self.name}()", value, n, d)
        self.points[...] = value.T if value.ndim == 2 else value[:, None]
