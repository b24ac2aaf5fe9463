"""ORCA: vehicles avoid each other without collisions, each doing half of the avoiding.

The relative velocity w of two vehicles decides whether they collide in the next `time_horizon` seconds: the velocities
that lead to a collision form a truncated cone, the velocity obstacle. With u the shortest way out of it and n its
direction, both keep to their half:

    n . v >= n . velocity + u / 2

The vehicle takes the velocity nearest to the wanted one that satisfies all of these planes (`half_spaces.py`), and

    force = mass * (v - velocity) / response_time

Halves would leave four vehicles that meet in exact symmetry standing for ever; so one of two does a little more, the
other as much less. Where all stand there is no avoiding to be shared: in a ring of many, or before a door, all may bar
each other's way for ever. So a vehicle that is held up steps back from the vehicles in its way that come before it in
the present turn, which leaves them room:

    n . v >= n . velocity + u / 2 + uneven * rank * max_speed,   0 <= rank <= 1

Turns are made from the ids, and change every five seconds. It steps back from all of these where that violates no plane of
the first kind more than the velocity without it; else from those alone whose way crosses its own: the wanted directions
bring the two nearer to each other. To step into others for those ahead that want the same way gives them no room, and
holds up those behind, until the whole crowd walks backward. What another vehicle wants is what it wanted one step before;
of other populations it is not known.

Round obstacles are avoided likewise, but do not share the work. Of every other set of obstacles, all parts that can be
reached within the obstacle horizon count: see `environment/obstacles/barring.py`. Van den Berg, Guy, Lin and Manocha
2011, "Reciprocal n-body collision avoidance", sections 4 and 5. The promise holds for vehicles that reach v at once, with
`response_time="step"` and force enough; slower ones need a `margin`, and have one by default.

A body with a turning circle (Wheeled) cannot step aside. Where its way is barred, the velocities that it can have soon are
those within some angle of its heading, as large as it can turn in half a second; another velocity would be a turn that
it finishes too late. And of two that go one behind the other, the one behind does all of the avoiding, as on a road:
the one ahead could not give way but forward. A body that wants to go back drives on and turns around: it does so where it
has room to stop and to turn, ahead and to both sides, and else stands. This bound comes before those of neighbors, and
after those of obstacles. Alonso-Mora et al. 2013, "Optimal reciprocal collision avoidance for multiple non-holonomic
robots", restrict the velocities likewise.
Bodies of length are taken for the two discs along them that meet first, or come nearest (see `neighborhood/bodies.py`).
"""

import math
from typing import Any, ClassVar, NamedTuple

import numpy as np

from steersman.core.environment.obstacles.answers import BARS, Balls, Bars, new_bars
from steersman.core.environment.obstacles.obstacle import OBSTACLES, as_obstacles, check_dimensions
from steersman.core.environment.obstacles.obstacle_set import ObstacleSet
from steersman.core.environment.obstacles.spheres import SphereColumns, Spheres
from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.frames import up_at
from steersman.core.maths.ground import beside, level, level_direction
from steersman.core.maths.shapes import Arrow, Circle, Line
from steersman.core.maths.vectors import (
    HALF,
    ONE,
    TINY,
    TWO,
    ZERO,
    across,
    add_scaled,
    cross,
    difference,
    direction_or,
    dot,
    length,
    load,
    normalize,
    perpendicular,
    scale,
    store,
    subtract,
    truncate,
)
from steersman.core.neighborhood.bodies import Bodies, threatening_offset
from steersman.core.neighborhood.coincident import direction, tie_of
from steersman.core.neighborhood.request import Listing
from steersman.core.parameters.parameters import parameter
from steersman.core.parameters.per_vehicle import applied
from steersman.core.steering.behavior import STEERING, Behavior
from steersman.core.steering.driving.neighbor_watching import Watchful
from steersman.core.steering.driving.pace import PACE, pace_calls
from steersman.core.steering.driving.resting import MOVES, lets_near, own_row, state_in
from steersman.core.steering.group.half_spaces import lack, nearest_velocity, normal_of, set_plane
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext
from steersman.core.steering.scene.sums import hand_up_turning
from steersman.core.steering.sensing.looking_ahead import new_columns
from steersman.core.steering.source import Source
from steersman.core.steering.tree.forces import RAW, Out, deposit, match, response
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles

ROCKS = 8
"""How many of the nearest obstacles count at once."""


AWAY = 1e30
"""A rock that is switched off has a radius of minus this [m]: it is never in reach."""

QUARTER = np.float32(0.25)

STEEP = np.float32(1e-3)
"""On ground, a wall is ground, or a roof, if the part of its normal along the ground is shorter than this."""

AHEAD = np.float32(0.5)
"""A body with a turning circle may wish for headings that it can have after this time [s]."""

LEAST_TURN, MOST_TURN = np.float32(0.3), np.float32(1.5)
"""However slow or fast it is, for those so far to each side at least and at most [rad]."""

SLOW = np.float32(1e-3)
"""A body is taken to be at least so fast [m/s]."""

IN_LINE = np.float32(0.7)
"""A car follows another if it lies ahead by both headings: the cosine of the angle to it is larger than this."""

TURN = 5.0
"""Time [s] after which another vehicle is the first, so that none is the last for ever."""

HELD_UP = np.float32(0.1)
"""A vehicle that moves, and will move, at less than this part of the wanted speed is held up."""

SPREAD = 40503
"""The golden section of 65536: multiples of it, of ids in a row, lie far apart."""


CROSSES = np.float32(0.2)
"""Two ways cross if the unit vectors along them bring two vehicles nearer by more than this: the sine of 12 degrees."""

NEVER = -2
"""In `asked`: nothing wanted yet. The step before the first one is -1."""


class DesiredWay(NamedTuple):
    """Memory of where the vehicles of the own population want to go.

    Attributes:
        way: The unit direction of the wanted velocity, d arrays of shape (room,).
        asked: The step in which it was wanted, shape (room,), int64.
    """

    way: Columns
    asked: Array


class WayMemory(NamedTuple):
    """What kernels need of the desired ways.

    Attributes:
        now, following: The memory as it is and as it will be.
        segment: Where the own population is among the neighbors; empty if they are no others.
    """

    now: DesiredWay
    following: DesiredWay
    segment: tuple[Array, ...]


def smaller_share(share: float) -> float:
    """The smaller of two shares."""
    return min(share, 1 - share)


@kernel
def way_out_of_obstacle(
    offset: Vector, w: Vector, reach: Any, horizon: Any, now: Any, apart: Vector, ground: Columns, i: int
) -> tuple[Vector, Any]:
    """The shortest way out of a velocity obstacle: its unit direction, and how far it is [m/s], negative from outside.

    Args:
        offset: From here to the other [m].
        w: Own velocity less the other's [m/s].
        reach: Distance at which the two touch [m].
        horizon: How far ahead they must not touch [s].
        now: Time in which they are to come apart when they overlap [s].
        apart: Unit vector that is used when they coincide.
        ground, i: The ground in which everything lies, and the row there.
    """
    d2 = dot(offset, offset)
    if d2 > reach * reach:
        beyond = add_scaled(w, offset, -ONE / horizon)
        ahead, b2 = dot(beyond, offset), dot(beyond, beyond)
        if ahead < ZERO and ahead * ahead > reach * reach * b2:
            return normalize(beyond), reach / horizon - math.sqrt(b2)
        d = math.sqrt(d2)
        axis = scale(offset, ONE / d)
        side = across(w, axis, beside(axis, ground, i))
        # The side of the cone goes through the origin, at an angle to the axis whose sine is reach / d.
        normal = add_scaled(scale(side, math.sqrt((d - reach) * (d + reach)) / d), axis, -reach / d)
        return normal, -dot(normal, w)
    beyond = add_scaled(w, offset, -ONE / now)
    if d2 < TINY:
        straight = apart
    else:
        straight = scale(offset, -ONE / math.sqrt(d2))
    normal = direction_or(beyond, length(w) + math.sqrt(d2) / now, straight)
    return normal, reach / now - math.sqrt(dot(beyond, beyond))


@kernel
def add_rocks(
    planes: Array, place: Vector, velocity: Vector, radius: Any, speed: Any, rocks: SphereColumns, wrap: Array,
    horizon: Any, now: Any, ground: Columns, i: int,
) -> int:  # fmt: skip
    """Write the planes of the nearest obstacles in reach; returns how many."""
    count, last, row = 0, -ONE, -1
    last = speed * ZERO - np.float32(1e30)
    for _ in range(ROCKS):
        nearest, best = -1, speed * horizon
        for j in range(rocks.radius.size):
            offset = difference(load(rocks.center, j), place, wrap)
            gap = math.sqrt(dot(offset, offset)) - rocks.radius[j] - radius
            if gap < best and (gap > last or (gap == last and j > row)):
                nearest, best = j, gap
        if nearest < 0:
            break
        offset, reach = difference(load(rocks.center, nearest), place, wrap), rocks.radius[nearest] + radius
        last, row = best, nearest
        if len(ground) == 3:
            height = dot(offset, load(ground, i))
            if not abs(height) < reach:
                continue
            reach, offset = math.sqrt(reach * reach - height * height), level(offset, ground, i)
        apart = beside(normalize(velocity), ground, i)
        normal, size = way_out_of_obstacle(offset, velocity, reach, horizon, now, apart, ground, i)
        set_plane(planes, count, normal, dot(normal, velocity) + size)
        count += 1
    return count


@row_kernel
def look_for_walls(i: int, vehicles: VehicleColumns, active: Array, horizon: Any, balls: Balls) -> None:
    """How vehicles would move within the obstacle horizon [s], and how far they could."""
    store(balls.place, i, load(vehicles.position, i))
    store(balls.way, i, scale(load(vehicles.velocity, i), horizon))
    balls.reach[i] = vehicles.max_speed[i] * horizon
    balls.radius[i] = vehicles.radius[i]


@kernel
def add_walls(planes: Array, count: int, i: int, bars: Bars, horizon: Any, ground: Columns) -> int:
    """Write the planes of the walls behind the first `count`; returns how many there are now."""
    for j in range(bars.number[i]):
        normal, bound = load(bars.normal, (i, j)), bars.bound[i, j] / horizon
        if len(ground) == 3:
            flat = level(normal, ground, i)
            share = length(flat)
            if not share > STEEP:
                continue
            normal, bound = scale(flat, ONE / share), bound / share
        set_plane(planes, count, normal, bound)
        count += 1
    return count


@kernel
def more_than(own: int, other: int) -> Any:
    """The part of the avoiding that a vehicle takes over from another, -1 to 1; the other's has the opposite sign."""
    return (np.float32((own * SPREAD) & 65535) - np.float32((other * SPREAD) & 65535)) / np.float32(65536)


@kernel
def order_in_line(offset: Vector, own: Vector, other: Vector) -> Any:
    """Of two cars of one way: 1 for the one behind, -1 for the one ahead, 0 where none is behind the other.

    Args:
        offset: From here to the other [m].
        own, other: Where they head [unit vectors].
    """
    far = IN_LINE * length(offset)
    along, its = dot(offset, own), dot(offset, other)
    if along > far and its > far:
        return ONE + ZERO * far
    if along < -far and its < -far:
        return -ONE + ZERO * far
    return ZERO * far


@kernel
def add_others(
    planes: Array, count: int, i: int, vehicles: VehicleColumns, others: VehicleColumns, listing: Listing, wrap: Array,
    numbers: Any, shares: tuple[Array, ...], bodies: Bodies, now: Any, ground: Columns, clock: Clock,
    rests: tuple[Any, ...],
) -> int:  # fmt: skip
    """Write the planes of the neighbors behind the first `count`; returns how many there are now."""
    place, velocity = load(vehicles.position, i), load(vehicles.velocity, i)
    for k in range(listing.number[i]):
        j = listing.row[i, k]
        w = level(subtract(velocity, load(others.velocity, j)), ground, i)
        reach = vehicles.radius[i] + others.radius[j]
        margin = numbers.margin
        if margin < ZERO:
            margin = min(vehicles.max_speed[i] * now, QUARTER * reach)
        reach += margin
        offset, horizon = difference(load(others.position, j), place, wrap), numbers.time_horizon
        offset = threatening_offset(offset, scale(w, -ONE), reach, horizon, i, j, vehicles, others, bodies)
        offset = level(offset, ground, i)
        apart = velocity
        if dot(offset, offset) < TINY:
            apart = level_direction(direction(vehicles.id[i], others.id[j], numbers.tie, others.position), ground, i)
        normal, size = way_out_of_obstacle(offset, w, reach, horizon, now, apart, ground, i)
        share, uneven = numbers.share, numbers.uneven
        if len(shares) > 0:
            share = shares[0][j]
            uneven *= min(share, ONE - share)
        share += uneven * more_than(vehicles.id[i], others.id[j])
        behind = ZERO * share
        if numbers.tightest > ZERO and len(shares) == 0:
            behind = order_in_line(offset, load(vehicles.forward, i), load(others.forward, j))
            if behind > ZERO:
                share = ONE + ZERO * share
        bound = dot(normal, velocity) + size * share
        if behind < ZERO or lets_near(i, j, vehicles, others, numbers.margin, wrap, clock, rests):
            bound = -TWO * vehicles.max_speed[i]  # No velocity violates it.
        set_plane(planes, count, normal, bound)
        count += 1
    return count


@kernel
def is_held_up(v: Vector, velocity: Vector, target: Vector, speed: Any) -> Any:
    """Whether a vehicle that ought to move hardly does, and will not."""
    desired = dot(target, target)
    least = HELD_UP * desired
    return desired > QUARTER * speed * speed and dot(v, target) < least and dot(velocity, target) < least


@kernel
def note_way(ways: tuple[Any, ...], i: int, target: Vector, clock: Clock) -> None:
    """Note where a vehicle wants to go."""
    if len(ways) > 0:
        following = ways[0].following
        store(following.way, i, direction_or(target, ONE, scale(target, ZERO)))
        following.asked[i] = np.int64(clock.step[0])


@kernel
def crosses(planes: Array, k: int, way: Vector, j: int, clock: Clock, ways: tuple[Any, ...]) -> bool:
    """Whether a desired direction and that of neighbor j, if it is known, bring the two nearer, across plane k."""
    if len(ways) == 0:
        return False
    row, now = own_row(j, ways[0].segment), ways[0].now
    if row < 0 or now.asked[row] != np.int64(clock.step[0]) - 1:
        return False
    return bool(dot(normal_of(planes, k, way), subtract(load(now.way, row), way)) > CROSSES)


@kernel
def give_way(
    planes: Array, hard: int, i: int, vehicles: VehicleColumns, others: VehicleColumns, listing: Listing, target: Vector,
    shares: tuple[Array, ...], retreat: Any, clock: Clock, ways: tuple[Any, ...], every: bool,
) -> bool:  # fmt: skip
    """Step back from the vehicles in the way that come before this one in the present turn, at up to a speed [m/s].

    From all of them, or from those that cross the way; returns whether they all do.
    """
    turn, way, cross = np.int64(clock.time[0] / TURN), normalize(target), True
    for k in range(listing.number[i]):
        j = listing.row[i, k]
        after = more_than(vehicles.id[i] + turn, others.id[j] + turn)
        if len(shares) > 0:
            after *= min(shares[0][j], ONE - shares[0][j])
        if after > ZERO and lack(planes, hard + k, target) > ZERO:
            one = crosses(planes, hard + k, way, j, clock, ways)
            cross &= one
            if every or one:
                planes[hard + k, len(target)] += retreat * after
    return cross


@kernel
def is_barred(planes: Array, count: int, v: Vector, slack: Any) -> bool:
    """Whether a velocity violates one of the planes."""
    barred = False
    for k in range(count):
        barred |= lack(planes, k, v) > slack
    return barred


@kernel
def worst_lack(planes: Array, count: int, v: Vector) -> Any:
    """How far a velocity is from the plane that it violates most [m/s]; negative where it violates none."""
    worst = lack(planes, 0, v)
    for k in range(1, count):
        worst = max(worst, lack(planes, k, v))
    return worst


@kernel
def left_of(v: Vector, up: Vector) -> Vector:
    """A velocity turned to the left by a right angle; in 3D around `up`, or to any side if it goes along `up`."""
    if len(v) == 2:
        return perpendicular(v)
    speed = length(v)
    return scale(direction_or(cross(up, v), speed, perpendicular(normalize(v))), speed)


@kernel
def let_turn(planes: Array, count: int, like: Vector) -> int:
    """Write two planes behind the first `count` that hold for every velocity; returns how many there are now."""
    for k in range(2):
        set_plane(planes, count + k, scale(like, ZERO), -ONE)
    return count + 2


@kernel
def keep_ahead(planes: Array, k: int, i: int, vehicles: VehicleColumns, tightest: Any, ground: Columns) -> None:
    """Write planes k and k + 1: the velocities that a body with wheels can have soon, ahead and some way to both sides."""
    velocity = load(vehicles.velocity, i)
    forward = level_direction(load(vehicles.forward, i), ground, i)
    speed = length(velocity)
    strength = vehicles.max_force[i] / vehicles.mass[i]
    turn = max(min(AHEAD * speed / tightest, AHEAD * strength / max(speed, SLOW)), LEAST_TURN)
    turn = min(turn, MOST_TURN)
    left = left_of(forward, up_at(vehicles.up, i))
    set_plane(planes, k, add_scaled(scale(forward, math.sin(turn)), left, math.cos(turn)), ZERO * speed)
    set_plane(planes, k + 1, add_scaled(scale(forward, math.sin(turn)), left, -math.cos(turn)), ZERO * speed)


@kernel
def may_turn_round(
    planes: Array, count: int, i: int, vehicles: VehicleColumns, numbers: Any, ground: Columns, slack: Any
) -> bool:  # fmt: skip
    """Whether a car has room to stop and to turn around, ahead and to both sides, within the time horizon."""
    velocity, strength = load(vehicles.velocity, i), vehicles.max_force[i] / vehicles.mass[i]
    forward = level_direction(load(vehicles.forward, i), ground, i)
    left = left_of(forward, up_at(vehicles.up, i))
    rate = ONE / numbers.time_horizon
    ahead = (HALF * dot(velocity, velocity) / strength + TWO * numbers.tightest) * rate
    aside = TWO * numbers.tightest * rate
    barred = is_barred(planes, count, velocity, slack) or is_barred(planes, count, scale(forward, ahead), slack)
    for side in (-aside, aside):
        barred |= is_barred(planes, count, scale(left, side), slack)
    return not barred


@row_kernel
def orca(
    i: int, vehicles: VehicleColumns, others: VehicleColumns, listing: Listing, rocks: SphereColumns, bars: Bars,
    wrap: Array, numbers: Any, shares: tuple[Array, ...], bodies: Bodies, desired: Out, planes: Array, spare: Array,
    clock: Clock, ground: Columns, rests: tuple[Any, ...], ways: tuple[Any, ...], out: Out,
) -> None:  # fmt: skip
    """Take the velocity nearest to the desired one that keeps clear of all others."""
    velocity, mass, speed = load(vehicles.velocity, i), vehicles.mass[i], vehicles.max_speed[i]
    tau = response(vehicles.response_time[i], clock.dt[0])
    count = add_rocks(
        planes[i], load(vehicles.position, i), velocity, vehicles.radius[i], speed, rocks, wrap,
        numbers.obstacle_horizon, tau,
        ground, i,
    )  # fmt: skip
    count = add_walls(planes[i], count, i, bars, numbers.obstacle_horizon, ground)
    wheels = count
    if numbers.tightest > ZERO:
        count = let_turn(planes[i], count, velocity)
    hard = count
    count = add_others(
        planes[i], count, i, vehicles, others, listing, wrap, numbers, shares, bodies, tau, ground, clock, rests
    )  # fmt: skip
    target = level(add_scaled(velocity, load(desired.linear, i), tau / mass), ground, i)
    note_way(ways, i, target, clock)
    slack = numbers.slack * speed
    barred = is_barred(planes[i], count, truncate(target, speed), slack)
    if numbers.tightest > ZERO and dot(target, load(vehicles.forward, i)) < ZERO:
        barred |= not may_turn_round(planes[i], count, i, vehicles, numbers, ground, slack)
    if barred:
        if numbers.tightest > ZERO:
            keep_ahead(planes[i], wheels, i, vehicles, numbers.tightest, ground)
        else:
            target = add_scaled(target, left_of(target, up_at(vehicles.up, i)), numbers.bias)
    v = nearest_velocity(planes[i], hard, count, speed, target, spare[i], slack)
    if state_in(rests, i) == MOVES and is_held_up(v, velocity, target, speed):
        retreat = TWO * numbers.uneven * speed
        lawful = give_way(planes[i], hard, i, vehicles, others, listing, target, shares, retreat, clock, ways, True)
        back = nearest_velocity(planes[i], hard, count, speed, target, spare[i], slack)
        if not lawful:
            add_others(
                planes[i], hard, i, vehicles, others, listing, wrap, numbers, shares, bodies, tau, ground, clock, rests
            )  # fmt: skip
            if worst_lack(planes[i], count, back) > max(worst_lack(planes[i], count, v), slack):
                give_way(planes[i], hard, i, vehicles, others, listing, target, shares, retreat, clock, ways, False)
                back = nearest_velocity(planes[i], hard, count, speed, target, spare[i], slack)
        v = back
    deposit(out, i, match(v, velocity, mass, tau, tau), vehicles.max_force[i], desired.acts[i] != 0)


@registered
class ORCA(Watchful):
    """Avoid other vehicles that do the same, without collisions: optimal reciprocal collision avoidance.

    Args:
        time_horizon: How far ahead collisions are ruled out [s]. Raising it evades earlier, and makes crowds timid.
        toward: The behavior that says where to go; its force is turned into the desired velocity. Default: the present
            velocity is the desired one.
        obstacles: The obstacles to keep clear of: a set, or a list of sets. Of a set that is not Spheres, the 8 nearest
            parts count that do not lie behind nearer ones.
        obstacle_horizon: How far ahead collisions with obstacles are ruled out [s]. Raising it turns off obstacles
            earlier.
        margin: Added to the sum of the radii [m]. Raising it keeps more room. Default: min(max_speed * response_time, a
            quarter of the sum).
        share: Part of the avoiding that the vehicle does: 0.5 among vehicles that all avoid, 1 among neighbors
            that do not. Raising it gives way more. Default: 0.5 in the own population; beside others by their
            `yields` (see `Population.yields`).
        bias: How far the wanted velocity is turned to the left where it cannot be had [rad], which breaks ties. Raising
            it swerves more.
        uneven: How unevenly two share the avoiding, as part of the smaller share; which of them does more is decided by
            their ids, and together they do as much. A vehicle that is held up steps back from some of the others, at up
            to this part of max_speed. With 0, four vehicles that meet in exact symmetry stop for ever; raising
            it frees them sooner.
        speed: How the wanted speed falls with the density ahead, which the k neighbors show: "weidmann", as people walk; or a
            function of densities [1/m^2] that returns parts of it, 0 to 1. Default: it does not.
        of: The populations that are avoided: another Vehicles, a list of several, or "all" that are in the world. Default:
            the own population.

    Raises:
        TypeError: An argument is of another kind.
        ValueError: A number is NaN or out of range, or the obstacles' dimensions are not the vehicles' (when planned).
    """

    sources: ClassVar[tuple[Source, ...]] = (
        Source(("van den Berg", "Guy", "Lin", "Manocha"), 2011, "Reciprocal n-body collision avoidance"),
    )

    time_horizon: float = parameter(4.0, above=0.0, unit="s", positional=True)
    toward: Any = parameter(None, kind=STEERING, optional=True)
    obstacles: Any = parameter(None, kind=OBSTACLES, optional=True)
    obstacle_horizon: float = parameter(1.0, above=0.0, unit="s")
    margin: float | None = parameter(None, low=0.0, unit="m", optional=True)
    share: float | None = parameter(None, low=0.0, high=1.0, optional=True)
    bias: float = parameter(0.05, low=0.0, high=1.0, unit="rad")
    uneven: float = parameter(0.2, low=0.0, high=1.0)
    speed: Any = parameter(None, kind=PACE, choices=("weidmann",), optional=True)

    def parts(self) -> tuple[Behavior, ...]:
        """The behavior that says where to go."""
        return () if self.toward is None else (self.toward,)

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """Nothing wanted yet."""
        n = len(vehicles)
        return {"way": np.zeros((n, vehicles.dimensions), vehicles.dtype), "asked": np.full(n, NEVER, np.int64)}

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """The desired force first, then the velocity that avoids the others."""
        n, d, dtype = scene.room, scene.vehicles.dimensions, scene.vehicles.dtype
        rocks, walls = self._obstacles(d, dtype)
        desired = scene.scratch(out.active, 1.0, RAW)
        rests, calls = self._resting(scene, out.active)
        calls.append(scene.clear_call(desired))
        if self.toward is not None:
            calls += scene.part(0, desired)
        listing = scene.neighbors(self.needs()[0])
        calls += pace_calls(scene, self.speed, self.of, listing, desired)
        wheels = 2 if scene.tightest > 0 else 0
        room = listing.row.shape[1] + (ROCKS if rocks.radius.size else 0) + BARS * len(walls) + wheels
        planes, spare = np.zeros((2, n, room, d + 1), dtype)
        scene.show(planes=planes)
        vehicles, others, shares, segment, bodies = scene.encounter(self.of)
        ways = (WayMemory(*way_sides(memory), segment),) if segment or others is vehicles else ()
        share, shares = (0.5, shares) if self.share is None else (self.share, ())
        numbers = scene.own(
            "time_horizon",
            "obstacle_horizon",
            "margin",
            "bias",
            share=share,
            slack=1e-5 if dtype == np.float32 else 1e-12,
            uneven=self.uneven * (1.0 if shares else applied(smaller_share, share)),
            tie=tie_of(scene.vehicles, self.of),
            tightest=scene.tightest,
        )
        bars, look = wall_calls(scene, walls, out.active, numbers.obstacle_horizon)
        arguments = (
            vehicles, others, listing, rocks, bars, scene.wrap, numbers, shares, bodies, desired, planes,
            spare, scene.clock, scene.ground, rests, ways, out,
        )  # fmt: skip
        turning = (desired.angular, out.active, desired.acts, scene.limits.turning, out)
        return [*calls, *look, Call(orca, arguments), *([Call(hand_up_turning, turning)] if scene.turns else [])]

    def _obstacles(self, dimensions: int, dtype: Any) -> tuple[SphereColumns, list[ObstacleSet]]:
        """All rocks, and the other sets."""
        none = Spheres(np.zeros((0, dimensions))).columns(dtype)
        if self.obstacles is None:
            return none, []
        check_dimensions(self.obstacles, dimensions)
        rocks = [each for each in self.obstacles.sets if each.is_round]
        walls = [each for each in self.obstacles.sets if not each.is_round]
        if not rocks:
            return none, walls
        several = as_obstacles(rocks)
        balls = Spheres(*several.bounding_spheres()).columns(dtype)
        for first, each in several.numbered():
            rows = slice(first, first + len(each))
            each.switches.hold(balls.radius, np.arange(len(each)), -AWAY, rows)
        return balls, walls

    def sketch(self, context: SketchContext) -> Shapes:
        """The velocities that are left, as the places that they lead to in a second: half-planes bound them."""
        planes = context.shown["planes"]
        normal, bound = planes[..., :-1], planes[..., -1:]
        there = normal.any(axis=2) & (np.abs(bound[..., 0]) < 2 * context.max_speed[:, None])
        edge = (context.position[:, None] + normal * bound)[there]
        inward = normal[there]
        size = np.broadcast_to(context.max_speed[:, None], there.shape)[there][:, None]
        yield Circle(context.position, context.max_speed)
        axis = context.axes_of_bodies()
        if axis.any():
            yield from context.bodies(context.position, axis, context.radius)
        yield Arrow(edge, edge + 0.2 * size * inward, role="danger")
        if context.position.shape[1] == 2:
            along = np.stack([inward[:, 1], -inward[:, 0]], axis=1) * size
            yield Line(np.stack([edge - along, edge + along], axis=1), role="danger")


def way_sides(memory: Memory) -> tuple[DesiredWay, DesiredWay]:
    """The columns as they are and as they will be."""
    now, following = (DesiredWay(*map(side, DesiredWay._fields)) for side in (memory.now, memory.next))
    return now, following


def wall_calls(scene: Scene, walls: list[ObstacleSet], active: Array, horizon: float) -> tuple[Bars, list[Call]]:
    """The bars that sets of obstacles form within a horizon [s], and the calls that keep them up to date."""
    n, d, dtype = scene.room, scene.vehicles.dimensions, scene.vehicles.dtype
    bars = new_bars(n, d, len(walls), dtype)
    if not walls:
        return bars, []
    balls = Balls(new_columns(scene), new_columns(scene), np.zeros(n, dtype), np.zeros(n, dtype))
    look = Call(look_for_walls, (scene.columns, active, horizon, balls))
    return bars, [look, *as_obstacles(walls).bar_calls(balls, active, scene.wrap, bars)]
