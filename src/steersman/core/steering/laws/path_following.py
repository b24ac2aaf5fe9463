"""Path following: along a spine with a radius, or from waypoint to waypoint.

Reynolds 1999, "Path following"; Unity lecture, "Path Following Behavior"; game AI lecture, "Path Following"; project notes,
"Patrol". A path is anything with the methods of `steersman.Path`.
"""

from typing import Any, Protocol

import numpy as np

from steersman.core.maths.vectors import NOISE
from steersman.core.steering.laws.predicting import predict
from steersman.core.steering.laws.reaching import cruise_speed, seek
from steersman.core.steering.laws.vectors import (
    Number,
    direction_or,
    dot,
    lateral,
    length,
    normalize,
    ratio,
    truncate,
    with_length,
)  # fmt: skip
from steersman.core.typing import Array

BACK = 0.02
"""One plus the cosine of two directions, below which they count as opposite."""


class Spine(Protocol):
    """The methods of a path that the laws call; see `steersman.Path`."""

    @property
    def closed(self) -> bool:
        """Whether the end leads back to the start."""

    @property
    def length(self) -> float:
        """Length of the spine [m]."""

    @property
    def radius(self) -> Any:
        """Half the width of the tube around every segment [m], shape (m,)."""

    def project(self, points: Any) -> tuple[Array, Array, Array]:
        """Arc lengths [m], distances [m] and segments of the nearest points of the spine."""

    def point_at(self, s: Any) -> Array:
        """Points of the spine at arc lengths [m]."""

    def tangent_at(self, s: Any) -> Array:
        """Unit vectors along the spine at arc lengths [m]."""

    def radius_at(self, s: Any) -> Array:
        """Radii of the tube at arc lengths [m]."""

    @property
    def segments(self) -> Any:
        """The pieces of the spine, with their unit vectors `tangent`, shape (m, d)."""


def project_on_segment(point: Array, start: Array, stop: Array) -> tuple[Array, Array]:
    """The nearest point of a segment.

    Args:
        point: Points [m], shape (d,) or (n, d).
        start: Where the segment begins [m], shape (d,) or (n, d).
        stop: Where it ends [m], shape (d,) or (n, d). It may be where it begins.

    Returns:
        The fraction of the segment at which the nearest point lies, in [0, 1], and its distance [m], shape () or (n,).
    """
    along, offset = np.subtract(stop, start), np.subtract(point, start)
    fraction = np.clip(ratio(dot(offset, along), dot(along, along)), 0, 1)
    return fraction, length(offset - fraction[..., None] * along)


def stay_on_path(
    position: Array, velocity: Array, path: Spine, max_speed: Number, *, lookahead: Number = 1.0, speed: Any = "max"
) -> Array:
    """Seek the point of the spine nearest to the predicted position, if that is outside of the tube; else zero.

    Source: Reynolds 1999, "Path following", without regard to direction.

    Args:
        position: Positions [m], shape (d,) or (n, d).
        velocity: Velocities [m/s], shape (d,) or (n, d).
        path: The path.
        max_speed: Maximum speeds [m/s], a number or shape (n,).
        lookahead: How far to predict [s], a number or shape (n,).
        speed: "max", "current", "offset" or a number [m/s]: see `cruise_speed`.

    Returns:
        Steering vectors [m/s], shape (d,) or (n, d).
    """
    s, distance, segment = path.project(predict(position, velocity, lookahead))
    target = path.point_at(s).astype(np.result_type(position, np.float16))
    outside = np.asarray(distance > np.asarray(path.radius)[segment])
    return np.where(outside[..., None], seek(position, velocity, target, max_speed, speed=speed), 0)


def path_target(
    position: Array,
    velocity: Array,
    path: Spine,
    *,
    law: str = "tube",
    direction: int = 1,
    lookahead: Number = 1.0,
    reach: Number = 1.0,
) -> tuple[Array, Array, Array]:
    """The point of the spine to seek, `reach` ahead of where the vehicle is or will be.

    Sources: Reynolds 1999, "Path following" ("tube"); Unity lecture, "Path Following Behavior" ("parameter", and its
    alternative "predicted"). Of the present and the predicted position the one further along counts.

    Args:
        position: Positions [m], shape (d,) or (n, d).
        velocity: Velocities [m/s], shape (d,) or (n, d).
        path: The path.
        law: "tube", "parameter" (the present position only) or "predicted".
        direction: 1 from the first point to the last, -1 back.
        lookahead: How far to predict [s], a number or shape (n,).
        reach: How far ahead the target lies [m], a number or shape (n,).

    Returns:
        Targets [m], shape (d,) or (n, d); the rest of an open path beyond them [m] (infinite on a closed one), and
        whether the vehicle advances inside the tube, where the law "tube" corrects nothing: both of shape () or (n,).
    """
    s, _, _ = path.project(position)
    right = np.zeros(np.shape(s), bool)
    if law != "parameter":
        then, distance, segment = path.project(predict(position, velocity, lookahead))
        won = direction * (then - s)
        if path.closed and path.length > 0:
            won = won - path.length * np.rint(won / path.length)
        right = (won > 0) & (distance <= np.asarray(path.radius)[segment]) & (law == "tube")
        s = np.where(won > 0, then, s)
    goal = s + direction * np.asarray(reach)
    beyond = path.length - goal if direction > 0 else goal
    remaining = np.full(np.shape(goal), np.inf) if path.closed and path.length > 0 else np.maximum(beyond, 0)
    return path.point_at(goal), np.asarray(remaining), np.asarray(right)


def follow_path(
    position: Array,
    velocity: Array,
    path: Spine,
    max_speed: Number,
    *,
    law: str = "tube",
    direction: int = 1,
    lookahead: Number = 1.0,
    reach: Number = 1.0,
    slowing_distance: Number | None = None,
    speed: Any = "max",
) -> Array:
    """Go along a path: see `path_target`. Zero where the law "tube" has nothing to correct.

    Args:
        position: Positions [m], shape (d,) or (n, d).
        velocity: Velocities [m/s], shape (d,) or (n, d).
        path: The path. One of one point is sought.
        max_speed: Maximum speeds [m/s], a number or shape (n,).
        law: "tube", "parameter" or "predicted".
        direction: 1 from the first point to the last, -1 back.
        lookahead: How far to predict [s], a number or shape (n,).
        reach: How far ahead the target lies [m], a number or shape (n,).
        slowing_distance: Length of the way that remains at which slowing begins before an open end [m], a number or
            shape (n,); None: the end is sought at full speed, as in the sources.
        speed: "max", "current", "offset" or a number [m/s]: see `cruise_speed`.

    Returns:
        Steering vectors [m/s], shape (d,) or (n, d).
    """
    target, beyond, right = path_target(
        position, velocity, path, law=law, direction=direction, lookahead=lookahead, reach=reach
    )
    dtype = np.result_type(position, np.float16)
    offset = target.astype(dtype) - position
    cruise = cruise_speed(offset, velocity, max_speed, speed)
    if slowing_distance is not None:
        remaining = ratio(length(offset) + beyond, slowing_distance, otherwise=1.0)
        right = right & (remaining >= 1)
        cruise = (cruise * np.minimum(remaining, 1)).astype(dtype)
    idle = right & (path.length > 0)
    return np.asarray(np.where(idle[..., None], 0, with_length(offset, cruise) - velocity), dtype=dtype)


def lane_target(
    position: Array, path: Spine, *, direction: int = 1, reach: Number = 1.0, share: Number = 1.0, radius: Number = 0.0
) -> tuple[Array, Array]:
    """The point to seek ahead on the spine, aside by the vehicle's own distance from it, limited to its room.

    The offset from the spine is turned as the spine turns; toward the ends of an open path it shrinks to nothing.

    Args:
        position: Positions [m], shape (d,) or (n, d).
        path: The path.
        direction: 1 from the first point to the last, -1 back.
        reach: How far ahead the target lies [m], a number or shape (n,). With 0 a vehicle within its room has no way.
        share: The part of the tube, less the vehicle's radius, that is its room: a number or shape (n,).
        radius: Radii of the vehicles [m], a number or shape (n,).

    Returns:
        Targets [m], shape (d,) or (n, d); the rest of an open path beyond them [m] (infinite on a closed one), shape ()
        or (n,).
    """
    s, _, segment = path.project(position)
    goal, spine = s + direction * np.asarray(reach), path.point_at(s)
    offset, after = position - spine, path.tangent_at(goal)
    before = _tangent_near(path, segment, offset)
    rest = np.inf if path.closed and path.length > 0 else (path.length - s if direction > 0 else s)
    at_end = np.asarray(not path.closed) & ((s <= 0) | (s >= path.length))
    offset = np.where(at_end[..., None], lateral(offset, before), offset)
    room = np.multiply(share, np.maximum(path.radius_at(goal) - radius, 0))
    lane = truncate(_carried(offset, before, after), room) * np.minimum(ratio(rest, reach, otherwise=1.0), 1)[..., None]
    beyond = path.length - goal if direction > 0 else goal
    remaining = np.full(np.shape(goal), np.inf) if path.closed and path.length > 0 else np.maximum(beyond, 0)
    return path.point_at(goal) + lane, np.asarray(remaining)


def _tangent_near(path: Spine, segment: Array, offset: Array) -> Array:
    """Direction of the spine where a segment is nearest; beside a corner, where the offset leans, the sum of both."""
    tangent = path.segments.tangent
    along = dot(offset, tangent[segment])
    step = np.where(np.abs(along) <= NOISE * length(offset), 0, np.sign(along)).astype(int)
    other = (segment + step) % len(tangent)
    step = np.where(path.closed | (np.abs(other - segment) == 1), step, 0)
    return np.asarray(tangent[segment] + np.where((step != 0)[..., None], tangent[other], 0))


def _carried(offset: Array, before: Array, after: Array) -> Array:
    """An offset turned as the spine turns between two of its unit tangents; zero where they are opposite."""
    out = direction_or(offset, length(offset), np.zeros_like(offset))
    along = direction_or(lateral(before, out), 1.0, before)
    both = 1 + dot(along, after)
    with np.errstate(divide="ignore", invalid="ignore"):
        turned = offset - (dot(offset, after) / both)[..., None] * (along + after)
    return np.where((both < BACK)[..., None], 0, turned)


def follow_lane(
    position: Array,
    velocity: Array,
    path: Spine,
    max_speed: Number,
    *,
    direction: int = 1,
    reach: Number = 1.0,
    share: Number = 1.0,
    radius: Number = 0.0,
    response_time: Number = 1.0,
    dt: Number = 0.0,
    slowing_distance: Number | None = None,
    speed: Any = "max",
) -> Array:
    """Go along a path at the vehicle's own distance from its spine: see `lane_target`.

        desired = speed * unit(u + gain (c - u)),   u = unit(velocity), c = unit(way)
        gain    = 1 - (1 - 2 speed response_time / (|way| + speed dt)) * clip(2 velocity . c / speed, 0, 1)

    With this gain a vehicle at full speed turns along the arc through the target, for any response time. Nearer than 2
    speed response_time the gain is 1.

    Args:
        position: Positions [m], shape (d,) or (n, d).
        velocity: Velocities [m/s], shape (d,) or (n, d).
        path: The path. One of one point is sought.
        max_speed: Maximum speeds [m/s], a number or shape (n,).
        direction: 1 from the first point to the last, -1 back.
        reach: How far ahead the target lies [m], a number or shape (n,). With 0 a vehicle within its room has no way.
        share: The part of the tube that is the vehicle's room, a number or shape (n,).
        radius: Radii of the vehicles [m], a number or shape (n,).
        response_time: Response times [s], a number or shape (n,).
        dt: Time step [s]; on an arc the velocity of the last step lags by half of it.
        slowing_distance: Length of the way that remains at which slowing begins before an open end [m], a number or
            shape (n,); None: the end is sought at full speed.
        speed: "max", "current", "offset" or a number [m/s]: see `cruise_speed`.

    Returns:
        Steering vectors [m/s], shape (d,) or (n, d).
    """
    target, beyond = lane_target(position, path, direction=direction, reach=reach, share=share, radius=radius)
    dtype = np.result_type(position, np.float16)
    offset = target.astype(dtype) - position
    full = np.asarray(cruise_speed(offset, velocity, max_speed, speed))
    toward, ahead = normalize(offset), normalize(velocity)
    arc, way = 2 * full * response_time, length(offset)
    least = np.where(arc < way, ratio(arc, way + full * dt), 1)
    gain = 1 - (1 - least) * np.clip(ratio(2 * dot(velocity, toward), full), 0, 1)
    cruise = full
    if slowing_distance is not None:
        cruise = full * np.minimum(ratio(length(offset) + beyond, slowing_distance, otherwise=1.0), 1)
    desired = with_length(ahead + gain[..., None] * (toward - ahead), cruise)
    return np.asarray(desired - velocity, dtype=dtype)


def bend_speed(distance: Array, radius: Array, turning: Number, braking: Number) -> Array:
    """The highest speed from which a vehicle can slow down for all bends ahead.

        speed^2 = min over bends of  turning radius + 2 braking distance

    No source gives path following a speed law; this is that of a point mass on arcs of a circle, with constant braking.

    Args:
        distance: Ways to the bends [m], >= 0, shape (..., k).
        radius: Their radii [m], shape (..., k).
        turning: Accelerations to the side that bends may take [m/s^2], a number or shape (...).
        braking: Decelerations before them [m/s^2], a number or shape (...).

    Returns:
        Speeds [m/s], shape (...).
    """
    square = np.asarray(turning)[..., None] * radius + 2 * np.asarray(braking)[..., None] * distance
    return np.asarray(np.sqrt(np.min(square, axis=-1)))


def follow_waypoints(
    position: Array,
    velocity: Array,
    waypoints: Array,
    index: Any,
    max_speed: Number,
    *,
    seek_distance: Number,
    direction: int = 1,
    closed: bool = False,
    slowing_distance: Number | None = None,
    speed: Any = "max",
) -> tuple[Array, Array]:
    """Seek waypoints in turn; closer to one than the seek distance, the next one is due.

    Source: game AI lecture, "Path Following". To arrive at every one of them, see `patrol`.

    Args:
        position: Positions [m], shape (d,) or (n, d).
        velocity: Velocities [m/s], shape (d,) or (n, d).
        waypoints: Waypoints [m], shape (k, d).
        index: The waypoint that is due, a whole number or shape (n,).
        max_speed: Maximum speeds [m/s], a number or shape (n,).
        seek_distance: Distance at which a waypoint counts as reached [m], a number or shape (n,).
        direction: 1 from the first to the last, -1 back.
        closed: Whether the first comes after the last.
        slowing_distance: Distance from the end of an open path at which slowing begins [m], a number or shape (n,); None:
            it is sought.
        speed: "max", "current", "offset" or a number [m/s]: see `cruise_speed`.

    Returns:
        Steering vectors [m/s], shape (d,) or (n, d), and the waypoint that is due now, shape () or (n,).
    """
    points = np.asarray(waypoints)
    due = _next_due(position, points, index, seek_distance, direction, closed)
    offset = points[due].astype(np.result_type(position, np.float16)) - position
    cruise = cruise_speed(offset, velocity, max_speed, speed)
    if slowing_distance is not None and not closed:
        last = len(points) - 1 if direction > 0 else 0
        ramp = np.minimum(ratio(length(offset), slowing_distance, otherwise=1.0), 1)
        cruise = (cruise * np.where(due == last, ramp, 1)).astype(offset.dtype)
    return np.asarray(with_length(offset, cruise) - velocity), due


def patrol(
    position: Array,
    velocity: Array,
    checkpoints: Array,
    index: Any,
    max_speed: Number,
    *,
    margin: Number,
    slowing_distance: Number,
    loop: bool = True,
    speed: Any = "max",
) -> tuple[Array, Array]:
    """Arrive at checkpoints in turn; closer to one than the margin, the next one is due.

    Source: project notes, "Patrol".

    Args:
        position: Positions [m], shape (d,) or (n, d).
        velocity: Velocities [m/s], shape (d,) or (n, d).
        checkpoints: Checkpoints [m], shape (k, d).
        index: The checkpoint that is due, a whole number or shape (n,).
        max_speed: Maximum speeds [m/s], a number or shape (n,).
        margin: Distance at which a checkpoint counts as visited [m], a number or shape (n,).
        slowing_distance: Distance at which slowing begins [m], a number or shape (n,).
        loop: Whether the first comes after the last.
        speed: "max", "current", "offset" or a number [m/s]: see `cruise_speed`.

    Returns:
        Steering vectors [m/s], shape (d,) or (n, d), and the checkpoint that is due now, shape () or (n,).
    """
    points = np.asarray(checkpoints)
    due = _next_due(position, points, index, margin, 1, loop)
    offset = points[due].astype(np.result_type(position, np.float16)) - position
    ramp = np.minimum(ratio(length(offset), slowing_distance, otherwise=1.0), 1)
    cruise = (cruise_speed(offset, velocity, max_speed, speed) * ramp).astype(offset.dtype)
    return np.asarray(with_length(offset, cruise) - velocity), due


def _next_due(position: Array, points: Array, index: Any, near: Number, direction: int, loop: bool) -> Array:
    """The stop that is due after the stops nearby have been crossed off."""
    index = np.asarray(index)
    reached = length(points[index] - position) < near
    following = index + direction
    following = following % len(points) if loop else np.clip(following, 0, len(points) - 1)
    return np.asarray(np.where(reached, following, index))
