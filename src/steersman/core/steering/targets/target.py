"""Targets: the points and vehicles that a behavior heads for, in the one form that kernels take.

A target is a point (d,), one point per vehicle (n, d), a callable that returns either, or another population. A kernel
sees columns of points and, for every vehicle, the row to look at (-1 where there is nothing to look at).
"""

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import load
from steersman.core.neighborhood.deferred import Deferred
from steersman.core.neighborhood.neighbor_pass import NeighborPass
from steersman.core.neighborhood.request import NeighborList
from steersman.core.parameters.arrays import as_floats, columns_of, frozen
from steersman.core.parameters.brief import brief
from steersman.core.parameters.expression import user_value
from steersman.core.parameters.kinds import Kind
from steersman.core.parameters.per_vehicle import COLUMN, is_column, rows_among
from steersman.core.steering.targets.selection import Among, Chosen, anybody, find_nearest, picked
from steersman.core.steering.tree.knowledge import Knowledge
from steersman.core.typing import Array, Columns
from steersman.core.vehicles.holding import as_vehicles, by_name, without_holder
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles

if TYPE_CHECKING:
    from steersman.core.steering.scene.scene import Scene

PAIRS = 2_000_000
"""With more pairs of vehicles and others the nearest are looked for in a grid."""


class Mark(NamedTuple):
    """Where to go.

    Attributes:
        position: Points [m], d arrays of shape (m,).
        pick: For every vehicle the row of its point, -1 for none; shape (capacity,), int64.
    """

    position: Columns
    pick: Array


class Quarry(NamedTuple):
    """The vehicles to watch.

    Attributes:
        columns: The columns of the watched population.
        pick: For every vehicle the row of the one it watches, -1 for none; shape (capacity,), int64.
    """

    columns: VehicleColumns
    pick: Array


class PointColumn:
    """Points that are read from a column at every step, one per vehicle; none where the row holds NaN.

    Like other functions that return points it is callable, but kernels read the column itself.

    Attributes:
        column: The name of the column.
    """

    __slots__ = ("column",)

    def __init__(self, column: str) -> None:
        self.column = column

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PointColumn) and other.column == self.column

    def __hash__(self) -> int:
        return hash(self.column)

    def __repr__(self) -> str:
        return repr(user_value(self))

    def __call__(self) -> NoReturn:
        """Refuse: only a node of a steering tree knows the column.

        Raises:
            TypeError: Always.
        """
        raise TypeError(f"the column {self.column!r} can be read by the behaviors below Orders only")


@user_value.register
def _(points: PointColumn) -> str:
    return f"{COLUMN}{points.column}"


@row_kernel(every=True)
def find_own_points(i: int, points: Columns, pick: Array) -> None:
    """Each vehicle has its own point, unless this is NaN."""
    here = load(points, i)
    has_point = here[0] == here[0] and here[1] == here[1] and here[len(here) - 1] == here[len(here) - 1]
    pick[i] = i if has_point else -1


def as_target(name: str, value: Any) -> Any:
    """A target in its normal form: points become a frozen float64 array, populations their vehicles; the rest stays."""
    value = without_holder(value)
    if isinstance(value, (Vehicles, Knowledge)) or callable(value):
        return value
    if is_column(value) and value.removeprefix(COLUMN).isidentifier():
        return PointColumn(value.removeprefix(COLUMN))
    if value is None or isinstance(value, (str, Mapping)):
        raise TypeError(f"{name} must be {TARGET.words}, got {brief(value)}{by_name(value)}")
    points = as_floats(name, value, np.float64)
    if points.ndim not in (1, 2) or points.shape[-1] not in (2, 3):
        raise ValueError(f"{name} must be {TARGET.words}, got shape {points.shape}")
    return frozen(points)


TARGET = Kind(
    "target",
    "a point (d,), points (n, d), Vehicles, a population, a LastSeen or a function that returns points",
    as_target,
)


def as_quarry(name: str, value: Any) -> Vehicles | Knowledge:
    """The vehicles that a value is or holds, or the knowledge of some."""
    return value if isinstance(value, Knowledge) else as_vehicles(name, value)


QUARRY = Kind("quarry", "a population or a LastSeen", as_quarry)


def bind_point(name: str, target: Any, scene: "Scene", which: Any) -> tuple[Mark, list[Call]]:
    """A target as columns and rows, with the calls that keep it up to date; arguments as for `bind_quarry`."""
    if isinstance(target, (Vehicles, Knowledge)):
        quarry, calls = bind_quarry(name, target, scene, which)
        return Mark(quarry.columns.position, quarry.pick), calls
    vehicles = scene.vehicles
    d, capacity, dtype = vehicles.dimensions, vehicles.capacity, vehicles.dtype
    if isinstance(target, PointColumn):
        columns, pick = scene.column(name, target.column, d), np.full(capacity, -1, np.int64)
        return Mark(columns, pick), [Call(find_own_points, (columns, pick))]
    if callable(target):
        points = np.zeros((d, capacity), dtype)
        return Mark(tuple(points), np.arange(capacity)), [
            Call(_Refresh(name, target, points, vehicles), whole=True, fits=True)
        ]
    addressed = scene.shared.addressed
    check_points(name, target, len(addressed), d)
    if target.ndim == 1:
        return Mark(columns_of(target[None, :], dtype), np.zeros(capacity, np.int64)), []
    pick = np.full(capacity, -1, np.int64)

    def find() -> None:
        pick[: len(vehicles)] = rows_among(vehicles.id, addressed)

    find()
    scene.recount(find)
    return Mark(columns_of(target, dtype), pick), []


def bind_quarry(name: str, quarry: Vehicles | Knowledge, scene: "Scene", which: Any) -> tuple[Quarry, list[Call]]:
    """A watched population and the member that each vehicle watches, with the calls that keep this up to date.

    Args:
        name: The name of the population in messages.
        quarry: The population, or what the vehicles know of one.
        scene: The scene of the vehicles that watch.
        which: The choice of the member: see `as_which`.

    Raises:
        ValueError: The population does not fit the vehicles, or `which` does not fit the population.
    """
    if isinstance(quarry, Knowledge):
        if not anybody(which):
            raise ValueError(f"which must be left out where {name} is a {quarry.title}, got {brief(which)}")
        belief = scene.belief(quarry)
        return Quarry(belief.columns, belief.pick), []
    vehicles, columns = scene.vehicles, quarry.columns
    if quarry.dimensions != vehicles.dimensions:
        raise ValueError(
            f"{name} must have {vehicles.dimensions} dimensions like the vehicles, got {quarry.dimensions}"
        )
    pick = np.full(vehicles.capacity, -1, np.int64)
    if anybody(which):
        return Quarry(columns, pick), nearest_calls(quarry, scene, pick)
    if isinstance(which, Among):
        chosen = Chosen(which, quarry)
        scene.recount(chosen.find)
        return Quarry(columns, pick), [nearest_call(quarry, scene, (chosen.rows,), chosen.count, pick)]

    def find() -> None:
        pick[: len(vehicles)] = picked(which, quarry, vehicles, scene.shared.addressed, name)

    find()
    scene.recount(find)
    return Quarry(columns, pick), []


def nearest_calls(others: Vehicles, scene: "Scene", pick: Array) -> list[Call]:
    """The calls that write which of the others each vehicle is nearest to, as `find_nearest` does; of many, with a grid."""
    vehicles, domain, same = scene.vehicles, scene.domain, others is scene.vehicles
    if len(vehicles) * len(others) > PAIRS:
        request = NeighborList(math.inf, 1, of=None if same else others)
        neighbor_pass = NeighborPass(vehicles, (request,), domain, request.of, late=(request,))
        scene.recount(neighbor_pass.fit)
        evaluated = np.ones(vehicles.capacity, np.uint8) if scene.evaluated is None else scene.evaluated
        calls = scene.search_calls({Deferred(neighbor_pass, neighbor_pass.late[0][0]): [evaluated]})
        return [*calls, Call(take_first, (neighbor_pass.lists[request].row, pick))]
    return [nearest_call(others, scene, (), others.count, pick)]


def nearest_call(others: Vehicles, scene: "Scene", chosen: tuple[Array, ...], count: Array, pick: Array) -> Call:
    """The call of `find_nearest`."""
    vehicles = scene.vehicles
    wrap = scene.domain.wrap(vehicles.dimensions, vehicles.dtype)
    places = (vehicles.columns.position, others.columns.position)
    return Call(find_nearest, (*places, chosen, count, others is vehicles, wrap, pick))


@row_kernel
def take_first(i: int, listed: Array, pick: Array) -> None:
    """The first of a list."""
    pick[i] = listed[i, 0]


def check_points(name: str, points: Array, n: int, d: int) -> None:
    """Raise ValueError when points are neither one of d dimensions nor n of them."""
    if points.shape not in ((d,), (n, d)):
        raise ValueError(f"{name} must have shape ({d},) or ({n}, {d}), got {points.shape}")


class _Refresh:
    """Asks a target function where the target is now."""

    def __init__(self, name: str, function: Callable[[], Any], points: Array, vehicles: Vehicles) -> None:
        self.name, self.function, self.points, self.vehicles = name, function, points, vehicles

    def __call__(self) -> None:
        n, d = len(self.vehicles), self.vehicles.dimensions
        value = as_floats(f"{self.name}()", self.function(), self.points.dtype)
        check_points(f"{self.name}()", value, n, d)
        self.points[:, :n] = value.T if value.ndim == 2 else value[:, None]
