"""The map of a ContextMap: interest and danger of the directions, and the choice of one."""

from typing import Any, NamedTuple

from steersman.core.environment.obstacles.answers import Rays, Sight
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths import vectors as v
from steersman.core.maths.facing import heading_after
from steersman.core.maths.frames import to_global, to_local, up_at
from steersman.core.steering.combining.directions import Directions
from steersman.core.steering.driving.in_the_way import MARGIN
from steersman.core.steering.driving.stopping import way_to_stop
from steersman.core.steering.scene.scene import Clock
from steersman.core.steering.tree.forces import Out, match, response
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.vehicle_columns import VehicleColumns


class Map(NamedTuple):
    """The interest and the danger of the directions.

    Attributes:
        interest: Speed at which a direction is worth going [m/s], shape (n, k).
        danger: From 0 to 1, shape (n, k).
        by: Number of the part that is interested most, shape (n, k), int64.
        winner: Number of the part that is interested most in the direction taken, shape (n,), int64; -1 for none.
    """

    interest: Array
    danger: Array
    by: Array
    winner: Array


@kernel
def begin_map(start: int, stop: int, map: Map) -> None:
    """Start without interest and danger."""
    map.interest[start:stop] = v.ZERO
    map.danger[start:stop] = v.ZERO
    map.winner[start:stop] = -1


@kernel
def desired_velocity(force: Vector, i: int, vehicles: VehicleColumns, dt: Any) -> Vector:
    """The desired velocity of a part [m/s], at most max_speed."""
    tau = response(vehicles.response_time[i], dt)
    return v.truncate(v.add_scaled(v.load(vehicles.velocity, i), force, tau / vehicles.mass[i]), vehicles.max_speed[i])


@kernel
def exceeds(value: Any, held: Any) -> bool:
    """Whether a value replaces the one held: NaN does, and is never replaced, so that the step's check sees it."""
    return held == held and not value <= held


@row_kernel
def note_interest(
    i: int, vehicles: VehicleColumns, clock: Clock, directions: Directions, weight: Any, index: int, part: Out, map: Map
) -> None:
    """Note the interest of a part in the directions."""
    unit = directions.unit
    if not part.active[i] or not part.acts[i]:
        return
    desired = desired_velocity(v.load(part.linear, i), i, vehicles, clock.dt[0])
    local = to_local(desired, v.load(vehicles.forward, i), up_at(vehicles.up, i))
    worth = weight * v.HALF
    speed = v.length(desired)
    map.winner[i] = index
    for k in range(unit.shape[0]):
        value = worth * (speed + v.dot(local, row(unit, k, local)))
        if exceeds(value, map.interest[i, k]):
            map.interest[i, k] = value
            map.by[i, k] = index


@row_kernel
def note_danger(
    i: int, vehicles: VehicleColumns, clock: Clock, directions: Directions, weight: Any, part: Out, map: Map
) -> None:
    """Note the danger that a part sees in the directions."""
    unit = directions.unit
    if not part.active[i] or not part.acts[i]:
        return
    force = v.load(part.linear, i)
    desired = desired_velocity(force, i, vehicles, clock.dt[0])
    forward, up = v.load(vehicles.forward, i), up_at(vehicles.up, i)
    pushed = to_local(v.truncate(force, vehicles.max_force[i]), forward, up)
    if vehicles.max_force[i] > v.ZERO:
        pushed = v.scale(pushed, weight / vehicles.max_force[i])
    away = to_local(desired, forward, up)
    # Whoever flees wants a velocity that its force leads to. Of another force, one against the present motion would
    # seem to say that danger lies where it comes from.
    means_velocity = v.dot(desired, force) >= v.ZERO
    if not means_velocity:
        away = v.scale(away, v.ZERO)
    elif vehicles.max_speed[i] > v.ZERO:
        away = v.scale(away, weight / vehicles.max_speed[i])
    for k in range(unit.shape[0]):
        along = row(unit, k, away)
        value = max(-v.dot(pushed, along), -v.dot(away, along))
        if exceeds(value, map.danger[i, k]):
            map.danger[i, k] = value


@kernel
def row(table: Array, k: int, like: Vector) -> Vector:
    """Row k of a table, as a vector of as many components as another."""
    if len(like) == 2:
        return (table[k, 0], table[k, 1])
    return (table[k, 0], table[k, 1], table[k, 2])


@kernel
def slope_of(fit: Array, k: int, m: int, like: Vector) -> Vector:
    """The contribution of a value to the slope of the fitted function."""
    if len(like) == 2:
        return (fit[k, m, 0], fit[k, m, 1])
    return (fit[k, m, 0], fit[k, m, 1], fit[k, m, 2])


@row_kernel
def aim(
    i: int, active: Array, vehicles: VehicleColumns, directions: Directions, k: int, lookahead: Any, rays: Rays
) -> None:
    """Look along direction k, as far as a vehicle gets within `lookahead` [s]."""
    forward = v.load(vehicles.forward, i)
    v.store(rays.direction, i, to_global(row(directions.unit, k, forward), forward, up_at(vehicles.up, i)))
    rays.reach[i] = lookahead * vehicles.max_speed[i]


@row_kernel
def note_obstacles(i: int, active: Array, k: int, rays: Rays, sight: Sight, map: Map) -> None:
    """Note how near the obstacles are along direction k."""
    if sight.which[i] >= 0:
        near = v.ONE
        if rays.reach[i] > v.ZERO:
            near = v.ONE - sight.touch[i] / rays.reach[i]
        map.danger[i, k] = max(map.danger[i, k], near)


@row_kernel
def aim_ahead(
    i: int, active: Array, vehicles: VehicleColumns, lookahead: Any, brakes: Any, dt: Array, rays: Rays
) -> None:  # fmt: skip
    """Look along the velocity, as far as `aim` or as stopping takes. `brakes` is the part of max_force for that."""
    velocity, full = v.load(vehicles.velocity, i), vehicles.max_speed[i]
    v.store(rays.direction, i, heading_after(velocity, v.load(vehicles.forward, i), full))
    stop = way_to_stop(v.length(velocity), brakes * (vehicles.max_force[i] / vehicles.mass[i]), dt[0])
    rays.reach[i] = max(lookahead * full, stop)


@row_kernel
def stop_short(i: int, active: Array, rays: Rays, sight: Sight, free_way: Array) -> None:
    """How far a body that does not follow every force may go on until it is right before an obstacle."""
    free_way[i] = min(free_way[i], max(sight.free[i] - v.TWO * MARGIN * rays.radius[i], v.ZERO * rays.radius[i]))


@kernel
def score(map: Map, i: int, k: int, last: Vector, directions: Directions, commitment: Any) -> Any:
    """The worth of a direction [m/s]."""
    safe = v.ONE - map.danger[i, k]
    if safe < v.ZERO:
        safe = v.ZERO
    agreement = v.dot(last, row(directions.unit, k, last))
    if agreement < v.ZERO:
        agreement = v.ZERO
    return map.interest[i, k] * safe * (v.ONE + commitment * agreement)


@kernel
def way_held(map: Map, i: int, last: Vector, directions: Directions, commitment: Any) -> tuple[int, Any]:
    """The row of the direction taken last, or of the maximum that it is now beside, and its worth [m/s]."""
    held = 0
    for k in range(1, directions.unit.shape[0]):
        if v.dot(last, row(directions.unit, k, last)) > v.dot(last, row(directions.unit, held, last)):
            held = k
    worth = score(map, i, held, last, directions, commitment)
    for _ in range(directions.unit.shape[0]):
        start = held
        for m in range(directions.near.shape[1]):
            beside = score(map, i, directions.near[start, m], last, directions, commitment)
            if beside > worth:
                held, worth = directions.near[start, m], beside
        if held == start:
            break
    return held, worth


@kernel
def best_way(
    map: Map, i: int, last: Vector, directions: Directions, commitment: Any, hysteresis: Any
) -> tuple[Vector, Any, int]:
    """The best direction in the local frame, interpolated, its worth [m/s], and the row of the nearest one."""
    best, most = 0, score(map, i, 0, last, directions, commitment)
    for k in range(1, directions.unit.shape[0]):
        worth = score(map, i, k, last, directions, commitment)
        if worth > most:
            best, most = k, worth
    if hysteresis > v.ZERO and v.dot(last, last) > v.ZERO:
        held, worth = way_held(map, i, last, directions, commitment)
        if held != best and worth > v.ZERO and most <= worth * (v.ONE + hysteresis):
            best, most = held, worth
    slope = v.scale(last, v.ZERO)
    for m in range(directions.near.shape[1]):
        worth = score(map, i, directions.near[best, m], last, directions, commitment)
        slope = v.add_scaled(slope, slope_of(directions.fit, best, m, last), worth)
    middle = row(directions.unit, best, last)
    way = v.normalize(slope)
    if v.dot(way, middle) >= directions.spacing[0]:
        most += v.dot(slope, v.subtract(way, middle))
    else:  # Beside a danger: lean away from it, but stay in the gap.
        aside = v.add_scaled(slope, middle, -v.dot(slope, middle))
        way = v.normalize(v.add_scaled(middle, v.normalize(aside), v.HALF * directions.spacing[1]))
    return way, most, best


@kernel
def want_on(map: Map, i: int, vehicles: VehicleColumns, directions: Directions) -> None:
    """Note interest in the present velocity."""
    unit = directions.unit
    local = to_local(v.load(vehicles.velocity, i), v.load(vehicles.forward, i), up_at(vehicles.up, i))
    speed = v.length(local)
    for k in range(unit.shape[0]):
        map.interest[i, k] = v.HALF * (speed + v.dot(local, row(unit, k, local)))


@kernel
def wants_on(map: Map, i: int, vehicles: VehicleColumns, directions: Directions) -> bool:
    """Whether there is danger for a vehicle without interest; the present velocity then becomes its interest."""
    most = map.danger[i, 0]
    for k in range(directions.unit.shape[0]):
        if exceeds(map.danger[i, k], most):
            most = map.danger[i, k]
    if most == v.ZERO:
        return False
    want_on(map, i, vehicles, directions)
    return True


@row_kernel
def choose(
    i: int, vehicles: VehicleColumns, clock: Clock, directions: Directions, numbers: Any, map: Map,
    now: Columns, following: Columns, result: Out,
) -> None:  # fmt: skip
    """Go in the best direction."""
    if not result.active[i] or (map.winner[i] < 0 and not wants_on(map, i, vehicles, directions)):
        return
    forward, up = v.load(vehicles.forward, i), up_at(vehicles.up, i)
    last = to_local(v.load(now, i), forward, up)
    way, worth, best = best_way(map, i, last, directions, numbers.commitment, numbers.hysteresis)
    if map.winner[i] >= 0:
        map.winner[i] = map.by[i, best]
    # The bonus of the way taken last is part of the worth, but no reason to go faster.
    bonus = v.ONE + numbers.commitment * max(v.dot(last, row(directions.unit, best, last)), v.ZERO)
    speed = min(max(worth / bonus, v.ZERO), vehicles.max_speed[i])
    way = to_global(way, forward, up)
    v.store(following, i, way)
    velocity, mass, tau = v.load(vehicles.velocity, i), vehicles.mass[i], vehicles.response_time[i]
    v.store(result.linear, i, match(v.scale(way, speed), velocity, mass, tau, clock.dt[0]))
    result.acts[i] = 1


@row_kernel
def go_over(
    i: int, vehicles: VehicleColumns, clock: Clock, smoothing: Any, now: Columns, following: Columns, result: Out
) -> None:
    """Turn the direction taken gradually to the best one; below full speed as long as the two differ."""
    dt = clock.dt[0]
    if not result.active[i] or not result.acts[i]:
        return
    last, velocity, mass = v.load(now, i), v.load(vehicles.velocity, i), vehicles.mass[i]
    tau = response(vehicles.response_time[i], dt)
    desired = v.add_scaled(velocity, v.load(result.linear, i), tau / mass)
    best = v.direction_or(desired, v.length(velocity), last)
    way = best
    if v.dot(last, last) != v.ZERO:
        way = v.direction_or(v.add_scaled(last, v.subtract(best, last), dt / (dt + smoothing)), v.ONE, best)
    v.store(following, i, way)
    speed = v.length(desired) * max(v.dot(way, best), v.ZERO)
    v.store(result.linear, i, match(v.scale(way, speed), velocity, mass, tau, dt))


@row_kernel
def credit(i: int, result: Out, map: Map, index: int, scratch: Out) -> None:
    """The whole force, where the part is interested most in the way taken; else zero."""
    force = v.load(result.linear, i)
    v.store(scratch.linear, i, force if map.winner[i] == index else v.scale(force, v.ZERO))


@row_kernel
def add_turning(i: int, active: Array, part: Columns, result: Columns) -> None:
    """Add the angular acceleration of a part: there is no map of turning."""
    v.accumulate(result, i, v.load(part, i))
