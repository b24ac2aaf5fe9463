"""Lanes: to go along a path, each vehicle at its own distance from the spine. The default law of FollowPath.

    s       = arc length at which the spine is nearest;  offset = position - spine(s)
    lane    = offset, carried along the spine to s + reach and shortened to the vehicle's own room
    desired = speed * unit(u + gain (c - u)),   u = unit(velocity), c = unit(spine(s + reach) + lane - position)

Reynolds 1999, "Path following", asks for paths that "remain near, and often parallel to, the centerline". By his test
of the predicted position, vehicles that enter the tube stop turning as soon as the prediction lies on its rim, and
bends drive them to the outer rim: a crowd files along it. Here a vehicle within its room keeps its distance, and goes
parallel to the spine; one outside comes in until it is within. Rooms differ by the vehicle's id, so that a crowd
spreads over the tube:

    room = sqrt(share) (radius of the tube - radius of the vehicle), shares uniform in [0, 1)

The gain, 2 speed tau / (|way| + speed dt) for vehicles that go that way, makes them turn along the arc that leads to
the target. Heading for the target itself, they would cut every bend, and end at its inner rim.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from steersman.core.environment.paths.projecting import (
    PathColumns,
    locate,
    point_at,
    point_in,
    project_near,
    radius_of,
    tangent_of,
)
from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths import vectors as v
from steersman.core.maths.random import draw, uniform
from steersman.core.steering.driving.approach import approach, full_speed, slowing_distance
from steersman.core.steering.driving.bends import BendColumns, look_at_bends
from steersman.core.steering.driving.drive import DriveNumbers, landing_time
from steersman.core.steering.driving.leading import NO_LEAD, Lead, note_turn
from steersman.core.steering.driving.resting import MOVES, OCCUPIES, Resting, note_goal, way_among
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.sensing.looking_ahead import new_columns
from steersman.core.steering.tree.forces import Out, deposit, response
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.vehicle_columns import VehicleColumns

BACK = np.float32(0.02)
"""One plus the cosine of two directions, below which they count as opposite, and an offset is not turned along."""


STRAIGHT = np.float32(1.001)
"""Length of the rest of a path, as a part of the straight way to its end, up to which that end is straight ahead."""

TURNS = 4.0
"""How far a body with a turning circle strays from its branch of a path as it turns round, in radii of that circle."""


@kernel
def carried(offset: Vector, before: Vector, after: Vector) -> Vector:
    """An offset from the spine, turned as the spine turns between two of its unit tangents.

    Beside a corner an offset is not at right angles to the spine; there it is turned from the actual direction there.
    `before` may be of any length, `after` is a unit vector.
    """
    size2 = v.dot(offset, offset)
    along = v.direction_or(v.add_scaled(v.scale(before, size2), offset, -v.dot(before, offset)), size2, before)
    both = v.ONE + v.dot(along, after)
    if both < BACK:
        return v.scale(offset, v.ZERO)
    return v.add_scaled(offset, v.add(along, after), -v.dot(offset, after) / both)


@kernel
def tangent_near(path: PathColumns, j: int, offset: Vector) -> Vector:
    """The direction of the spine where segment j is nearest; beside a corner the sum of both segments' directions.

    There the offset [m] is not at right angles to the segment.
    """
    tangent, last = tangent_of(path, j, offset), path.segments.shape[0] - 1
    along, noise = v.dot(offset, tangent), v.NOISE * math.sqrt(v.dot(offset, offset))
    if along < -noise and (j > 0 or path.closed == 1):
        return v.add(tangent, tangent_of(path, j - 1 if j > 0 else last, offset))
    if along > noise and (j < last or path.closed == 1):
        return v.add(tangent, tangent_of(path, j + 1 if j < last else 0, offset))
    return tangent


@kernel
def lane_ahead(
    path: PathColumns, place: Vector, s: Any, j: int, k: int, rest: Any, share: Any, radius: Any, wrap: Array
) -> Vector:
    """The offset of a vehicle's lane from the spine at its target [m].

    Args:
        path: The path.
        place: Where the vehicle is [m].
        s, j: Arc length [m] and segment at which the spine is nearest.
        k: Segment of the target.
        rest: The rest of the spine beyond s, as a part of the reach: toward an end lanes run together.
        share: Part of the tube that is the vehicle's room.
        radius: Radius of the vehicle [m].
        wrap: See `difference`.
    """
    offset = v.difference(place, point_at(path, s, j, place), wrap)
    before = tangent_near(path, j, offset)
    if path.closed == 0 and (s <= v.ZERO or s >= path.total[0]):
        offset = v.lateral(offset, before)
    room = share * max(radius_of(path, k) - radius, v.ZERO)
    lane = v.truncate(carried(offset, before, tangent_of(path, k, place)), room)
    if not rest < v.ONE:
        return lane
    return v.scale(lane, rest)


@kernel
def heading(way: Vector, velocity: Vector, full: Any, tau: Any, dt: Any) -> Vector:
    """The direction of the desired velocity, such that an arc leads to the end of a way [m]; of any length.

    The velocity is that of the last step, which on an arc lags by half a step.
    """
    size = math.sqrt(v.dot(way, way))
    toward, ahead = v.normalize(way), v.normalize(velocity)
    arc = v.TWO * full * tau
    if not (full > v.ZERO and arc < size):
        return toward
    gain = v.ONE - (v.ONE - arc / (size + full * dt)) * min(max(v.TWO * v.dot(velocity, toward) / full, v.ZERO), v.ONE)
    return v.add_scaled(ahead, v.subtract(toward, ahead), gain)


@row_kernel
def find_shares(i: int, vehicles: VehicleColumns, key: Array, shares: Array) -> None:
    """The part of the tube that is the room of each vehicle, drawn once."""
    shares[i] = math.sqrt(uniform(draw(key, vehicles.id[i], 0, 0)[0], vehicles.mass))


def shares_of(scene: Scene) -> Array:
    """The parts of the tube that are the room of the vehicles of a scene, shape (n,); kept up to date as they come and go."""
    shares = np.zeros(scene.capacity, scene.vehicles.dtype)

    def find() -> None:
        Call(find_shares, (scene.columns, scene.key, shares)).run(len(scene.vehicles))

    find()
    scene.recount(find)
    return shares


class Spot(NamedTuple):
    """Where vehicles are on a path, and how they go on.

    Attributes:
        s: Arc length at which the spine is nearest [m], shape (n,).
        way: The way to the target, d arrays of shape (n,) [m].
        limit: Largest speed that the bends ahead allow [m/s], shape (n,).
        around: How far ahead the target may lie at most, for the next bend [m], shape (n,).
    """

    s: Array
    way: Columns
    limit: Array
    around: Array


class AtEnd(NamedTuple):
    """What lets vehicles come to rest at the end of an open path, see `resting.py`.

    Attributes:
        resting: The memory as it will be.
        wrap: See `difference`.
    """

    resting: Resting
    wrap: Array


def lane_calls(
    scene: Scene, path: PathColumns, numbers: Any, now: Array, following: Array, go: DriveNumbers, out: Out,
    bends: BendColumns | None = None, lead: Lead = NO_LEAD, at_end: tuple[AtEnd, ...] = (),
) -> list[Call]:  # fmt: skip
    """The calls that take vehicles along their lanes: they find the places, the targets and the forces.

    With `bends` they slow down for them, and note in `lead` where the path turns. With `at_end` they rest behind others at
    the end.

    Each is a kernel of its own: a processor works on the next rows while it waits for the roots and divisions of this
    row only if the row is short; one kernel would take twice as long.
    """
    n, dtype = scene.capacity, scene.vehicles.dtype
    limit, around = np.full((2, n), np.inf, dtype)
    strays = scene.number(TURNS * scene.tightest)
    spot = Spot(np.zeros(n, dtype), new_columns(scene), limit, around)
    scene.show(way=spot.way)
    look: list[Call] = []
    if bends is not None:
        about = (scene.columns, path, bends, numbers, spot.s, following, scene.clock, out.active, limit, around)
        look = [Call(look_at_bends, about)]
    return [
        Call(find_spot, (scene.columns, path, scene.wrap, numbers, strays, now, following, out.active, spot)),
        *look,
        Call(
            look_along,
            (scene.columns, path, scene.wrap, numbers, following, shares_of(scene), scene.clock, out.active, spot),
        ),
        Call(follow_lane, (scene.columns, path, numbers, go, scene.clock, spot, *lead, at_end, out)),
    ]


@row_kernel
def find_spot(
    i: int, vehicles: VehicleColumns, path: PathColumns, wrap: Array, numbers: Any, strays: Any, now: Array, following: Array,
    active: Array, spot: Spot,
) -> None:  # fmt: skip
    """Where the spine is nearest; its segment is remembered."""
    spot.s[i], following[i] = project_near(path, v.load(vehicles.position, i), wrap, now[i], numbers.direction, strays)


@kernel
def reach_of(vehicles: VehicleColumns, i: int, numbers: Any, spot: Spot, tau: Any) -> Any:
    """How far ahead on the spine the target of vehicle i lies [m]. Zero, which would lead nowhere, counts as not given."""
    if not numbers.reach > v.ZERO:
        speed = min(vehicles.max_speed[i], spot.limit[i])
        return max(min(speed * numbers.lookahead, spot.around[i]), v.TWO * speed * tau)
    return numbers.reach


@kernel
def is_open(path: PathColumns) -> bool:
    """Whether a path has an end: it is not closed, or is a single point."""
    return path.closed == 0 or not path.total[0] > v.ZERO


@row_kernel
def look_along(
    i: int, vehicles: VehicleColumns, path: PathColumns, wrap: Array, numbers: Any, segment: Array,
    shares: Array, clock: Clock, active: Array, spot: Spot,
) -> None:  # fmt: skip
    """The way to the target, in the room of each vehicle."""
    total = path.total[0]
    place, s, j = v.load(vehicles.position, i), spot.s[i], segment[i]
    reach = reach_of(vehicles, i, numbers, spot, response(vehicles.response_time[i], clock.dt[0]))
    rest = v.ONE * reach
    if is_open(path):
        rest = total - s if numbers.direction > v.ZERO else s
    rest = rest / reach if reach > v.ZERO else v.ONE * reach + v.ONE
    k, along = locate(path, s + numbers.direction * reach, j)
    lane = lane_ahead(path, place, s, j, k, rest, shares[i], vehicles.radius[i], wrap)
    v.store(spot.way, i, v.add(v.difference(point_in(path, k, along, place), place, wrap), lane))


@kernel
def left_beyond(path: PathColumns, goal: Any, direction: Any) -> Any:
    """The rest of an open path [m] beyond an arc length [m]; zero when that is past the end."""
    return max(path.total[0] - goal if direction > v.ZERO else goal, v.ZERO)


@kernel
def end_zone(
    stops: Any, full: Any, i: int, vehicles: VehicleColumns, brakes: Any, chosen: Any, tau: Any, dt: Any
) -> Any:  # fmt: skip
    """The distance from the end of a path within which a vehicle slows down [m].

    A vehicle that is to swing about the end slows down within its landing time (see `drive_to`).
    """
    if stops == v.ONE:
        return slowing_distance(full, i, vehicles, brakes, tau, chosen)
    return full * landing_time(full, i, vehicles, dt)


@kernel
def way_at_end(
    way: Vector, remaining: Any, s: Any, reach: Any, direction: Any, i: int, vehicles: VehicleColumns, path: PathColumns,
    at_end: AtEnd, clock: Clock,
) -> tuple[Vector, Any]:  # fmt: skip
    """The way to its target, and the rest of its way, of a vehicle that heads straight for the end among others [m].

    Args:
        way, remaining: Both where nobody rests [m].
        s, reach: Where it is on the path, and how far ahead on that its target lies [m].
        direction: 1 to the last point, -1 to the first.
        i, vehicles, path, at_end, clock: See there.
    """
    place, last = v.load(vehicles.position, i), direction > v.ZERO
    rest = path.total[0] - s if last else s
    goal = point_at(path, path.total[0] if last else v.ZERO * s, path.segments.shape[0] - 1 if last else 0, place)
    straight = v.difference(goal, place, at_end.wrap)
    if rest > reach and rest > STRAIGHT * v.length(straight):
        return way, remaining
    state = note_goal(at_end.resting, i, v.add(place, straight), clock.step, at_end.wrap)
    if rest > reach and state in (MOVES, OCCUPIES):
        return way, remaining
    way = way_among(at_end.resting, i, state, straight)
    return way, v.length(way)


@row_kernel
def follow_lane(
    i: int, vehicles: VehicleColumns, path: PathColumns, numbers: Any, go: DriveNumbers, clock: Clock,
    spot: Spot, turn: Columns, until: Array, at_end: tuple[AtEnd, ...], out: Out,
) -> None:  # fmt: skip
    """Go along the lane."""
    ends, dt = is_open(path), clock.dt[0]
    way, velocity = v.load(spot.way, i), v.load(vehicles.velocity, i)
    tau = response(vehicles.response_time[i], dt)
    full = min(full_speed(way, velocity, vehicles.max_speed[i], go), spot.limit[i])
    if spot.around[i] < v.INFINITE:
        full = min(full, v.length(velocity) + tau * vehicles.max_force[i] / vehicles.mass[i])
    if go.full == v.ONE:
        deposit(out, i, v.with_length(way, vehicles.max_force[i]), vehicles.max_force[i], True)
        return
    remaining, slowing = v.ONE * full, v.ZERO * full
    if ends:
        reach = reach_of(vehicles, i, numbers, spot, tau)
        goal = spot.s[i] + numbers.direction * reach
        remaining = math.sqrt(v.dot(way, way)) + left_beyond(path, goal, numbers.direction)
        slowing = end_zone(numbers.stops, full, i, vehicles, numbers.brakes, numbers.slowing_distance, tau, dt)
        if len(at_end) != 0:
            way, remaining = way_at_end(
                way, remaining, spot.s[i], reach, numbers.direction, i, vehicles, path, at_end[0], clock
            )
    note_turn(way, spot.around[i] < v.INFINITE or remaining < slowing, i, vehicles, turn, until, clock)
    toward = heading(way, velocity, full, tau, dt)
    if len(at_end) != 0:  # noqa: SIM102 (only a length that stands alone is known when compiling)
        if remaining <= v.length(way):
            toward = way  # An arc would lead a car around the end again and again.
    force = approach(toward, remaining, slowing, full, velocity, vehicles.mass[i], tau)
    deposit(out, i, force, vehicles.max_force[i], True)
