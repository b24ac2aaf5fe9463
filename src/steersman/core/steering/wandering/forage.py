"""Forage: search until a resource is found, go there, and eat it up.

    no resource sensed: the force of `search` (Wander)
    sensed: arrive at the nearest one (or seek it), and stay with it until nothing is left
    within `bite` of it: eat `rate` per second

Reynolds 1999 names it (in "Wander": "combining wandering with resource seeking") and leaves the law open.

Amounts change when a step has been accepted, by the demands of all vehicles in it: so a step that is refused has eaten
nothing, the last bite does not depend on the rows or threads of the vehicles, and those of a population that share a
resource that runs out get equal parts; populations eat in the order in which they were added.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from steersman.core.environment.resources import RESOURCES, Resources
from steersman.core.environment.shape import check_fit
from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import INFINITE, ZERO, difference, dot, load
from steersman.core.neighborhood.grid import cell_beside
from steersman.core.parameters.arrays import columns_of
from steersman.core.parameters.kinds import TEXT
from steersman.core.parameters.parameters import parameter
from steersman.core.parameters.per_vehicle import applied
from steersman.core.steering.behavior import STEERING, Behavior
from steersman.core.steering.driving.drive import drive_numbers
from steersman.core.steering.goals.arrive import LINEAR, arrive
from steersman.core.steering.goals.seek import seek
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.moving_targets import at_rest
from steersman.core.steering.scene.scene import Scene
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext
from steersman.core.steering.targets.places import RINGS, PlaceGrid, Places, center_of, ring_distance
from steersman.core.steering.targets.target import Mark
from steersman.core.steering.tree.forces import Out
from steersman.core.steering.wandering.wander import Wander
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles

NOTHING = -1

EVERYWHERE = np.float32(-1.5)
"""A cosine below this stands for a field of view that is all around."""


@kernel
def is_sensed(way: Any, forward: Any, reach: Any, cosine: Any) -> Any:
    """Whether a place at an offset [m] is within reach and the field of view (cosine of half of it; < -1: all)."""
    d2 = dot(way, way)
    if not d2 <= reach * reach:
        return False
    return cosine < EVERYWHERE or dot(way, forward) >= cosine * math.sqrt(d2)


@row_kernel(every=True)
def sense(
    i: int, vehicles: VehicleColumns, resources: Columns, places: Places, amount: Array, wrap: Array,
    numbers: Any, now: Array, following: Array, pick: Array, eats: Array, search: Array, active: Array,
) -> None:  # fmt: skip
    """Find resources to eat."""
    count = resources[0].size
    pick[i], eats[i], search[i] = NOTHING, NOTHING, 0
    if not active[i]:
        return
    here, forward = load(vehicles.position, i), load(vehicles.forward, i)
    best, best_d2 = NOTHING, here[0] * ZERO + INFINITE
    known = now[i]
    # What has once been found is kept in mind, seen or not, while it is within reach and not eaten up.
    if 0 <= known < count and amount[known] > ZERO:
        way = difference(load(resources, known), here, wrap)
        if dot(way, way) <= numbers.reach * numbers.reach:
            best, best_d2 = known, dot(way, way)
    if best == NOTHING:
        best, best_d2 = look_around(here, forward, places, wrap, numbers)
    following[i] = best
    pick[i] = best
    if best == NOTHING:
        search[i] = 1
    elif best_d2 <= numbers.bite * numbers.bite:
        eats[i] = best


@kernel
def look_around(here: Vector, forward: Vector, places: Places, wrap: Array, numbers: Any) -> tuple[int, Any]:
    """The nearest of the sensed resources (of equals the first), and its distance, squared [m^2]."""
    axes, shape, wraps = places.grid.axes, places.grid.shape, places.grid.wraps
    first, row, position = places.start, places.row, places.position
    reach, cosine = numbers.reach, numbers.cosine
    center = center_of(axes, wraps, here)
    best, best_d2 = NOTHING, here[0] * ZERO + INFINITE
    left = first[shape[0] * shape[1] * shape[2]]
    for ring in range(max(shape[0], shape[1], shape[2]) + 1):
        away = ring_distance(axes, ring, len(here))
        if left == 0 or away > reach or (best != NOTHING and best_d2 < away * away):
            break
        if ring > RINGS:
            return nearest_of(0, left, here, forward, row, position, wrap, reach, cosine, best, best_d2)
        for dz in range(-ring, ring + 1):
            z = cell_beside(center[2], dz, shape[2], wraps[2])
            for dy in range(-ring, ring + 1):
                y = cell_beside(center[1], dy, shape[1], wraps[1])
                if y < 0 or z < 0:
                    continue
                inside = max(abs(dy), abs(dz)) < ring
                for dx in range(-ring, ring + 1, 2 * ring if inside else 1):
                    x = cell_beside(center[0], dx, shape[0], wraps[0])
                    if x >= 0:
                        c = (z * shape[1] + y) * shape[0] + x
                        best, best_d2 = nearest_of(
                            first[c], first[c + 1], here, forward, row, position, wrap, reach, cosine, best, best_d2
                        )
    return best, best_d2


@kernel
def nearest_of(
    begin: Any, end: Any, here: Vector, forward: Vector, row: Array, position: Columns, wrap: Array, reach: Any,
    cosine: Any, best: Any, best_d2: Any,
) -> tuple[Any, Any]:  # fmt: skip
    """The nearer of the nearest so far and the nearest of the places begin <= k < end."""
    for k in range(np.uint64(begin), np.uint64(end)):
        j = np.int64(row[k])
        way = difference(load(position, k), here, wrap)
        d2 = dot(way, way)
        if (d2 < best_d2 or (d2 == best_d2 and j < best)) and is_sensed(way, forward, reach, cosine):
            best, best_d2 = j, d2
    return best, best_d2


@registered
class Forage(Behavior):
    """Search for resources, go to the one that is found, and eat it up.

    It claims a vehicle that has found a resource; one that searches is claimed if the search claims it. Memory: the
    resource found (`found`, a row of the resources or -1), and the amount eaten (`eaten`).

    Args:
        resources: The resources and their places: Resources(position, amount). Their amounts sink as they are eaten.
        search: The behavior of vehicles that have found none. Default: Wander().
        reach: How far resources are sensed [m], infinity allowed. Raising it finds more.
        angle: The full field of view [rad]. A resource that was found is not forgotten when it gets out of view.
            Raising it sees more of those behind.
        approach: How to come there: "arrive" (stop) or "seek" (rush through).
        bite: How near one must be to eat [m]. Raising it eats from farther away.
        rate: How fast one eats [1/s], in the unit of the amounts; 0: they are never eaten up. Raising it eats faster.
    """

    resources: Any = parameter(kind=RESOURCES, positional=True)
    search: Any = parameter(None, kind=STEERING, optional=True)
    reach: float = parameter(math.inf, low=0.0, unit="m", infinite=True)
    angle: float = parameter(2 * math.pi, low=0.0, high=2 * math.pi, unit="rad")
    approach: str = parameter("arrive", kind=TEXT, choices=("arrive", "seek"))
    bite: float = parameter(1.0, low=0.0, unit="m")
    rate: float = parameter(1.0, low=0.0, unit="1/s")

    def validate(self) -> None:
        """Put the default search in place."""
        self._put(search=self.search or Wander())

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """Start with no resource found and none eaten."""
        return {"found": np.full(len(vehicles), NOTHING, np.int64), "eaten": np.zeros(len(vehicles))}

    def parts(self) -> tuple[Behavior, ...]:
        """The search."""
        return (self.search,)

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """Look around; go there, or search."""
        check_fit("resources", self.resources, scene.vehicles.dimensions)
        n, dtype = scene.capacity, scene.vehicles.dtype
        places = columns_of(self.resources.position, dtype)
        grid = PlaceGrid(places, scene.wrap)
        pick, eats, search = np.full(n, NOTHING, np.int64), np.full(n, NOTHING, np.int64), np.zeros(n, np.uint8)
        cosine = applied(lambda angle: -2.0 if angle >= 2 * math.pi else math.cos(angle / 2), self.angle)
        most = float(np.sqrt(np.finfo(dtype).max)) / 2
        numbers = scene.own("bite", reach=applied(lambda reach: min(reach, most), self.reach), cosine=cosine)
        looking = (
            scene.columns, places, grid.places, self.resources.amount, scene.wrap, numbers,
            memory.now("found"), memory.next("found"), pick, eats, search, out.active,
        )  # fmt: skip
        mark = Mark(places, pick)
        if self.approach == "seek":
            go = drive_numbers("max", dtype)
            approach_call = Call(seek, (scene.columns, at_rest(mark), scene.wrap, go, scene.clock, out))
        else:
            left_out = dict.fromkeys(("slowing_distance", "deceleration_time", "speed"))
            usual = scene.own(stop_distance=0.0, hard_stop=False, steps_aside=True, brakes=scene.stopping, **left_out)
            options = (LINEAR, usual, np.array([0, 1, 1], dtype), ())
            approach_call = Call(arrive, (scene.columns, mark, scene.wrap, *options, scene.clock, out))
        scene.afterwards(_Meal(self, scene, memory, eats))
        return [
            Call(_Larder(self.resources, grid), whole=True, fits=True),
            Call(sense, looking),
            *scene.part(0, out._replace(active=search)),
            approach_call,
        ]

    def sketch(self, context: SketchContext) -> Shapes:
        """How far it senses, and the resource that it has found."""
        rows = context.memory["found"][:, None]
        yield context.view(self.reach, self.angle)
        if len(self.resources.position):
            places = self.resources.position[np.maximum(rows[:, 0], 0)]
            yield from context.goal(np.where(rows >= 0, context.image(places), np.nan))


class _Larder:
    """Removes exhausted resources from the grid."""

    def __init__(self, resources: Resources, grid: PlaceGrid) -> None:
        self.resources, self.grid = resources, grid

    def __call__(self) -> None:
        self.grid.keep(self.resources.amount > 0)


class _Meal:
    """Lets vehicles eat that were within reach of a resource, once the step has been accepted."""

    def __init__(self, behavior: Forage, scene: Scene, memory: Memory, eats: Array) -> None:
        self.behavior, self.scene, self.memory, self.eats = behavior, scene, memory, eats

    def __call__(self) -> list[Callable[[], object]]:
        """The functions to call: none, where no vehicle eats."""
        rows = np.flatnonzero(self.eats[: len(self.scene.vehicles)] >= 0)
        if len(rows) == 0 or self.behavior.rate == 0:
            return []
        resources: Resources = self.behavior.resources
        at, portion = self.eats[rows], self.behavior.rate * self.scene.dt

        def eat() -> None:
            share = resources.take(at, portion)
            self.memory.now("eaten")[rows] += share
            self.memory.next("eaten")[rows] += share

        return [eat]
