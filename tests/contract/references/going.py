"""References of the behaviors about others on the move."""

import math
from typing import Any

import numpy as np
from contract.places import Array
from contract.references.individual import prediction_time
from contract.references.vehicle import Answer, At, Reference, slowing
from contract.running import DT

import steersman as sm
from steersman import laws


def moving(at: At, target: Any, which: Any) -> tuple[Array, Array]:
    """Where a target is, and its velocity."""
    if isinstance(target, sm.Vehicles):
        row = at.row(target, which)
        return at.near(target.position[row]), target.velocity[row]
    return at.target(target, which), np.zeros_like(at.position)


def come(b: Any, at: At, point: Array, moved: Any = 0.0) -> Array:
    """Arrive at a point that moves so, or seek it."""
    if b.approach == "seek" or b.thrust == "full":
        return at.drive_to(b, point, moved)
    options: dict[str, Any] = {"deceleration_time": b.deceleration_time}
    if b.deceleration_time is None:
        full = laws.cruise_speed(point - at.position, at.velocity, at.max_speed, b.speed)
        options = {"slowing_distance": slowing(b, at, full)}
    return at.match(laws.arrive(at.position, at.velocity, point, at.max_speed, speed=b.speed, **options))


def constant_bearing(b: Any, at: At) -> Answer:
    there, velocity = moving(at, b.target, b.which)
    speed = laws.cruise_speed(there - at.position, at.velocity, at.max_speed, b.speed)
    if b.law == "parallel":
        return at.match(laws.parallel_navigation(at.position, at.velocity, there, velocity, speed)), True
    if (there - at.position) @ at.velocity <= 0:
        return at.match(laws.seek(at.position, at.velocity, there, at.max_speed, speed=b.speed)), True
    turn = at.mass * laws.proportional_navigation(at.position, at.velocity, there, velocity, b.gain)
    needed = laws.length(turn)
    if needed > at.max_force:
        speed = min(speed, laws.length(at.velocity) * np.sqrt(at.max_force / needed))
    along = at.match(laws.with_length(at.velocity, speed) - at.velocity)
    if along @ at.velocity > 0:
        along = laws.truncate(along, np.sqrt(max(at.max_force**2 - needed**2, 0)))
    return along + turn, True


def offset_pursuit(b: Any, at: At) -> Answer:
    j = at.row(b.quarry, b.which)
    there, velocity, forward = at.near(b.quarry.position[j]), b.quarry.velocity[j], b.quarry.forward[j]
    if b.law == "tangent":
        return at.drive(b, strafing(b, at, there, velocity)), True
    if b.radius is not None:
        predicted = laws.predict(there, velocity, prediction_time(b.prediction, at, there, velocity, forward))
        return come(b, at, laws.fly_by_point(at.position, at.forward, predicted, b.radius), velocity), True
    axes = None
    if b.frame == "leader":
        side = [[forward[1], -forward[0]]] if len(forward) == 2 else [b.quarry.up[j], np.cross(forward, b.quarry.up[j])]
        axes = np.array([forward, *side])
    offset = b.offset if b.offset.ndim == 1 else b.offset[at.i]
    slot = at.near(laws.offset_slot(there, offset, axes))
    if b.law == "match":
        return keep(b, at, slot - at.position, velocity), True
    time = prediction_time(b.prediction, at, slot, velocity, forward)
    return come(b, at, laws.predict(slot, velocity, time), velocity), True


def strafing(b: Any, at: At, there: Array, velocity: Array) -> Array:
    """A fly-by, at the start of memory."""
    fast = laws.cruise_speed(at.position - there, at.velocity, at.max_speed, b.speed)
    turn = max(4 * fast * at.tau, at.mass * fast**2 / at.max_force)
    way = 1 + 4 * laws.length(velocity) / fast if fast > 0 else 1
    return laws.strafe(
        at.position, at.velocity, at.forward, there, velocity, at.max_speed, b.radius, speed=b.speed,
        come_around=b.come_around or 2 * b.radius + turn * way,
    )[0]  # fmt: skip


def keep(b: Any, at: At, way: Array, velocity: Array) -> Array:
    """Be in a slot, at the start of memory: nothing is known of the leader's turn."""
    if b.thrust == "full":
        return laws.thrust(way, at.max_force)
    full = laws.cruise_speed(way, at.velocity, at.max_speed, b.speed)
    slow = full * b.deceleration_time if b.deceleration_time else slowing(b, at, full)
    return at.match(laws.hold_slot(way, at.velocity, velocity, at.max_speed, slow, speed=full))


def interpose(b: Any, at: At) -> Answer:
    (one, one_velocity), (other, other_velocity) = moving(at, b.a, b.which_a), moving(at, b.b, b.which_b)
    other = one + at.place.domain.difference(other, one)
    # The same point, in the image nearest to the vehicle.
    shift = at.near(one + b.ratio * (other - one)) - (one + b.ratio * (other - one))
    point = laws.between(at.position, one + shift, one_velocity, other + shift, other_velocity, at.max_speed, b.ratio)
    moved = one_velocity + b.ratio * (other_velocity - one_velocity)
    return come(b, at, point, moved), True


def shadow(b: Any, at: At) -> Answer:
    there, velocity = moving(at, b.quarry, b.which)
    speed = at.max_speed if b.speed == "max" else b.speed
    steering = laws.shadow(
        at.position, at.velocity, there, velocity, at.max_speed, distance=b.distance,
        slowing_distance=slowing(b, at, speed), speed=speed,
    )  # fmt: skip
    return at.match(steering), True


def match_velocity(b: Any, at: At) -> Answer:
    if isinstance(b.of, sm.Vehicles):
        wanted = b.of.velocity[at.row(b.of, b.which)]
    else:
        wanted = np.asarray(b.of() if callable(b.of) else b.of)
    return laws.match(wanted, at.velocity, at.mass, at.tau), True


def target_speed(b: Any, at: At) -> Answer:
    speed = at.max_speed if b.speed == "max" else b.speed
    return at.match(laws.target_speed(at.velocity, at.forward, speed)), True


def dock(b: Any, at: At) -> Answer:
    there, moves = moving(at, b.target, b.which)
    way, velocity = there - at.position, at.velocity - moves
    speed = at.max_speed if b.speed == "max" else b.speed
    given = np.zeros(()) if b.velocity is None else b.velocity
    given = given if given.ndim < 2 else given[at.i]
    arrival = float(laws.length(given)) if given.ndim else float(given)
    axis = b.forward if b.forward is None or b.forward.ndim == 1 else b.forward[at.i]
    if axis is None and given.ndim:
        axis = laws.normalize(given)
    elif axis is None and isinstance(b.target, sm.Vehicles):
        axis = b.target.forward[at.row(b.target, b.which)]
    elif axis is None:
        axis = np.zeros_like(way)
    usual = max(4 * speed * at.tau, at.mass * speed**2 / at.max_force)
    options: dict[str, Any] = {"slowing_distance": b.slowing_distance or 3 * usual, "standoff": b.standoff or 2 * usual}
    along = way @ axis if axis.any() else laws.length(way)
    aside = laws.length(way - along * axis) if axis.any() else 0.0
    inside = laws.docking_approach(way, axis if axis.any() else laws.normalize(way), options["standoff"])[0]
    if arrival > 0:  # At the start of memory: the approach begins from a distance.
        inside = along >= options["standoff"] / 2 and aside <= along / math.sqrt(3)
    elif abs(along) <= b.tolerance and aside <= b.tolerance:
        turned = axis.any() and at.forward @ axis < 0.95
        if along <= 0 and not turned:
            return at.match(-velocity), True
        inside = inside and not turned
    left = 0.0 if b.at_time is None else b.at_time - at.step * DT
    acceleration = laws.dock(
        way, velocity, axis, arrival, speed, response_time=at.tau, time_left=left, dt=DT, approaching=inside, **options
    )
    return at.mass * acceleration, True


REFERENCES: dict[str, Reference] = {
    "ConstantBearing": constant_bearing, "OffsetPursuit": offset_pursuit, "Interpose": interpose, "Shadow": shadow,
    "MatchVelocity": match_velocity, "Dock": dock, "TargetSpeed": target_speed,
}  # fmt: skip
