"""MotionClips: a body that can only move as its recorded motions do.

A clip has a name, a speed, a turn rate and a duration: walk, run, stop, turn left. When one ends, the next is the clip that
comes nearest to the velocity that the steering force asks for:

    asked for = velocity + force / mass * response_time,      truncated to max_speed  (the force is not)
    a clip's  = its speed along the heading that it has half-way

A velocity asked for aside or behind is replaced by one half-way there, at 45 degrees at most, or a walker would stand
still before a goal behind it; on the other side, where no clip turns to this one, and only straight on, where none
turns. Of clips that miss it alike, the one is better whose last heading is nearer to it, and where the goal is not
ahead that counts more. A goal farther aside than one clip turns is turned to: clips that lead on without a turn to that
side do not count, as a walker that turns slowly, or on the spot, would walk past the goal. The force counts as it was asked
for: max_force is no limit of a body that has no force of its own, or a walk that is faster than max_force could make it
within the response time would never begin. A walker that has turned to one side by a full circle in vain goes straight on
for two turning radii, and comes back.

Steering that slows down to a goal asks for less than the speed of the slowest clip that goes straight on. Another stride
brings the walker nearer to the goal as long as

    speed asked for > slope * stride / 2,      slope = decrease of the speed asked for / way

so the walker goes on at that clip until it is nearer than half a stride, and stops. The slope is that of the last quarter
of a stride or of the last stride.

A clip that leads farther than the way that steering says is free (`braking.py`) is not played, or slower if it turns: nearly
on the spot. One that has begun already ends before its time.

Reynolds 1999, "Locomotion": legged characters are often driven by pre-recorded segments of motion, from which the nearest is
picked, or neighbors are blended (`blend=True`: the two nearest, in the ratio that comes nearest).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.locomotion.chassis import Chassis, Motion
from steersman.core.locomotion.locomotion import Locomotion
from steersman.core.locomotion.registry import locomotion
from steersman.core.locomotion.wheeled import FULL_CIRCLE, roll
from steersman.core.maths import vectors as v
from steersman.core.maths.frames import side_of, up_at
from steersman.core.parameters.kinds import FLAG, TEXT, Several
from steersman.core.parameters.parameters import Parameters, parameter
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles

HALF_RIGHT = np.float32(math.sqrt(0.5))
"""Cosine of 45 degrees."""

CUT = np.float32(0.95)
"""A force nearer to max_force than by this factor may have been cut to it."""

HEADING_WEIGHT, TURN_WEIGHT = np.float32(0.1), np.float32(2)
"""How much the last heading counts, where the goal is ahead, and where it is not."""

LEAST = np.float32(0.05)
"""Part of the speed of the slowest straight clip below which nothing is asked for."""


@dataclass(frozen=True, eq=False)
class Clip(Parameters):
    """One recorded motion.

    Args:
        name: Its name.
        speed: Speed along the heading [m/s].
        turn_rate: Turning to the left [rad/s].
        duration: How long it takes [s]; no other begins before it ends.
    """

    name: str = parameter(kind=TEXT, positional=True)
    speed: float = parameter(low=0.0, unit="m/s")
    turn_rate: float = parameter(0.0, unit="rad/s")
    duration: float = parameter(0.5, above=0.0, unit="s")


class Clips(NamedTuple):
    """All clips, one array a number, shape (k,).

    Attributes:
        speed: Speed along the heading [m/s].
        turn_rate: Turning to the left [rad/s].
        duration: How long it takes [s].
        sides: Whether one turns to the right, and to the left, shape (2,).
        ahead: Cosine of the angle up to which a goal to the right, and to the left, is ahead, shape (2,).
    """

    speed: Array
    turn_rate: Array
    duration: Array
    sides: Array
    ahead: Array


class Memory(NamedTuple):
    """The memory of each vehicle, arrays of shape (capacity,).

    Attributes:
        clip: Which clip it plays.
        left: How long that still takes [s].
        speed: Its speed [m/s].
        turn_rate: Its turn rate [rad/s].
        turned: The turn of the step [rad].
        vain: The turn to one side so far [rad]; below zero, the way that is still to be gone straight on [m].
        asked: The speed asked for when the slope was measured last [m/s]; zero where the goal was not ahead.
        way: The way since then [m].
        slope: By how much less is asked for along a way [1/s].
        told: 1 where the force told the speed asked for then, 0 where it may have been cut.
    """

    clip: Array
    left: Array
    speed: Array
    turn_rate: Array
    turned: Array
    vain: Array
    asked: Array
    way: Array
    slope: Array
    told: Array


@row_kernel
def play(
    i: int, vehicles: VehicleColumns, requested_force: Columns, force: Columns, free_way: Array, clips: Clips, blend: bool,
    late: bool, dt: Array, now: Memory, following: Memory, proposed: Columns,
) -> None:  # fmt: skip
    """Go on with the clip, or pick the next. `late`: limits may let the force point to where it did before."""
    clip, left, speed, rate, vain = now.clip[i], now.left[i], now.speed[i], now.turn_rate[i], now.vain[i]
    pace, slope, way, free = now.asked[i], now.slope[i], now.way[i], free_way[i]
    forward = v.load(vehicles.forward, i)
    aside = v.scale(side_of(forward, up_at(vehicles.up, i)), -v.ONE)
    requested, limited = v.load(requested_force, i), v.load(force, i)
    desired = desired_velocity(vehicles, i, requested, limited, clips, dt[0])
    size, picks = v.length(desired), not left > v.HALF * dt[0] or speed * dt[0] > free
    ahead = size if v.dot(desired, forward) > HALF_RIGHT * size else v.ZERO * size
    is_uncut = v.length(requested) < CUT * vehicles.max_force[i]
    pace, way, slope, following.told[i] = measured(
        pace, way, slope, ahead, picks, now.told[i] > v.ZERO, is_uncut, half_stride(clips)
    )
    if picks:
        if not late or (ahead > v.ZERO and v.dot(requested, limited) > CUT * v.length(requested) * v.length(limited)):
            desired = in_strides(desired, size, slope, clips)
        chosen = pick(desired, forward, aside, free, clips, blend)
        if vain < v.ZERO and chosen[2] > v.ZERO and not free < v.INFINITE:
            k = slowest(clips)
            chosen = clips.speed.dtype.type(k), clips.duration[k], clips.speed[k], clips.turn_rate[k]
        clip, left, speed, rate = chosen
        speed = min(speed, free / max(left, dt[0]))
        if not rate * now.turn_rate[i] > v.ZERO:
            vain = min(vain, v.ZERO * vain)
    angle = rate * dt[0]
    vain = turned_in_vain(vain, speed, rate, dt[0])
    following.clip[i], following.left[i], following.speed[i] = clip, left - dt[0], speed
    following.turn_rate[i], following.turned[i], following.vain[i] = rate, angle, vain
    following.asked[i], following.way[i], following.slope[i] = pace, way + speed * dt[0], slope
    heading = v.add(v.scale(forward, math.cos(angle)), v.scale(aside, math.sin(angle)))
    v.store(proposed, i, v.scale(heading, speed))


@kernel
def desired_velocity(
    vehicles: VehicleColumns, i: int, requested: Vector, force: Vector, clips: Clips, dt: Any
) -> Vector:
    """The velocity that a force asks for: its direction as limits leave it, its length as before; longer if cut off."""
    most, size = vehicles.max_force[i], v.length(requested)
    change = size * max(vehicles.response_time[i], dt) / vehicles.mass[i]
    slow = slowest(clips)
    if CUT * most <= size and CUT * size <= most and slow >= 0:
        change = max(change, clips.speed[slow])
    return v.truncate(v.add(v.load(vehicles.velocity, i), v.with_length(force, change)), vehicles.max_speed[i])


@kernel
def slowest(clips: Clips) -> int:
    """Of the clips that move and turn least the slowest; -1 if none moves."""
    best = -1
    for k in range(clips.speed.size):
        if clips.speed[k] > v.ZERO:
            rate, least = abs(clips.turn_rate[k]), abs(clips.turn_rate[best])
            if best < 0 or rate < least or (rate == least and clips.speed[k] < clips.speed[best]):
                best = k
    return best


@kernel
def half_stride(clips: Clips) -> Any:
    """Half of the shortest way that a clip leads straight on [m]: a shorter one, of a turn, tells nothing of the slope."""
    k = max(slowest(clips), 0)
    return v.HALF * clips.speed[k] * clips.duration[k]


@kernel
def measured(
    pace: Any, way: Any, slope: Any, ahead: Any, picks: bool, was_uncut: bool, is_uncut: bool, half: Any
) -> tuple[Any, Any, Any, Any]:
    """The speed and way from which the slope is measured next, the slope so far [1/s], and whether the force told that speed.

    It is measured at the end of a clip (`picks`), and each quarter of a stride where less is asked for and the forces then
    and now tell how much: over a stride that began at full speed, or led past the goal, it is too small, or unknown.
    """
    known = ahead > v.ZERO and pace > v.ZERO and way > (half if picks else v.HALF * half)
    falls = known and is_uncut and was_uncut and pace > ahead
    if known and (picks or falls):
        slope = max(pace - ahead, v.ZERO) / way
    if picks or falls or (is_uncut and not was_uncut):
        return ahead, v.ZERO * way, slope, v.ONE + v.ZERO * way if is_uncut else v.ZERO * way
    return pace, way, slope, v.ONE + v.ZERO * way if was_uncut else v.ZERO * way


@kernel
def in_strides(desired: Vector, size: Any, slope: Any, clips: Clips) -> Vector:
    """A velocity of this size; where no clip is so slow, the slowest that is, or zero if its stride led past the goal."""
    k = slowest(clips)
    if k < 0 or size >= clips.speed[k]:
        return desired
    speed = clips.speed[k]
    if size > max(LEAST * speed, v.HALF * slope * speed * clips.duration[k]):
        return v.scale(desired, speed / size)
    return v.scale(desired, v.ZERO)


@kernel
def turned_in_vain(vain: Any, speed: Any, rate: Any, dt: Any) -> Any:
    """The turn to one side so far [rad] after a step; below zero, the way that is still to be gone straight on [m]."""
    if vain < v.ZERO:
        return min(vain + speed * dt, v.ZERO * vain)
    vain += abs(rate) * dt
    if vain > FULL_CIRCLE and speed > v.ZERO:
        vain = -v.TWO * speed / abs(rate)
    return vain


@kernel
def pick(desired: Vector, forward: Vector, aside: Vector, free: Any, clips: Clips, blend: bool) -> Any:
    """The clip that comes nearest to a velocity: its number, duration, speed and turn rate; or a blend of two."""
    first, second = -1, -1
    fair, heading_weight, side = in_front(desired, forward, aside, clips)
    least, next_least = v.INFINITE + v.ZERO * free, v.INFINITE + v.ZERO * free
    for k in range(clips.speed.size):
        error = error_of(fair, desired, heading_weight, side, forward, aside, free, clips, k)
        alike = error == least and abs(clips.turn_rate[k]) < abs(clips.turn_rate[first])
        if error < least or first < 0 or alike:
            second, next_least = first, least
            first, least = k, error
        elif error < next_least or second < 0:
            second, next_least = k, error
    share, small = v.ZERO * clips.speed[first], v.HALF * clips.speed[max(slowest(clips), 0)]
    if blend and second >= 0 and v.dot(desired, desired) > small * small:
        here = mean_velocity(forward, aside, free, clips, first)
        way = v.subtract(mean_velocity(forward, aside, free, clips, second), here)
        size2 = v.dot(way, way)
        if size2 > v.ZERO:
            share = min(max(v.dot(v.subtract(fair, here), way) / size2, v.ZERO), v.ONE)
    keep = v.ONE - share
    return (
        clips.speed.dtype.type(first),
        clips.duration[first] * keep + clips.duration[second] * share,
        clips.speed[first] * keep + clips.speed[second] * share,
        clips.turn_rate[first] * keep + clips.turn_rate[second] * share,
    )


@kernel
def mean_velocity(forward: Vector, aside: Vector, free: Any, clips: Clips, k: int) -> Vector:
    """A clip's speed, at most that which stays within the free way, along the heading that it has half-way."""
    angle, speed = v.HALF * clips.turn_rate[k] * clips.duration[k], min(clips.speed[k], free / clips.duration[k])
    return v.scale(v.add(v.scale(forward, math.cos(angle)), v.scale(aside, math.sin(angle))), speed)


@kernel
def in_front(desired: Vector, forward: Vector, aside: Vector, clips: Clips) -> Any:
    """A velocity, turned to at most 45 degrees from forward, to a side to which a clip turns; how much headings count.

    The last number is the side to turn to: 1 to the left, -1 to the right, 0 for either, or straight on.
    """
    ahead, across = v.dot(desired, forward), v.dot(desired, aside)
    size: Any = math.sqrt(v.dot(desired, desired))
    none = v.ZERO * across
    if ahead >= abs(across):
        turns = ahead < clips.ahead[1 if across >= v.ZERO else 0] * size
        side = none if not turns else v.ONE + none if across >= v.ZERO else none - v.ONE
        return desired, HEADING_WEIGHT * v.ONE, side
    if not (clips.sides[0] or clips.sides[1]):
        return v.scale(forward, max(ahead, v.ZERO)), HEADING_WEIGHT * v.ONE, none
    part = size * HALF_RIGHT
    to_left = across >= v.ZERO
    if not clips.sides[1 if to_left else 0]:
        to_left = clips.sides[1]
    side = v.ONE + none if to_left else none - v.ONE
    return v.add(v.scale(forward, part), v.scale(aside, part * side)), TURN_WEIGHT * v.ONE, side


@kernel
def error_of(
    fair: Vector, desired: Vector, heading_weight: Any, side: Any, forward: Vector, aside: Vector, free: Any, clips: Clips,
    k: int,
) -> Any:  # fmt: skip
    """How far a clip misses a velocity, squared, and how far its last heading misses the direction.

    A clip that leads farther than the free way is not for going straight on, and none that moves is where a turn is due.
    """
    if clips.speed[k] * clips.duration[k] > free and clips.turn_rate[k] == v.ZERO:
        return v.INFINITE + v.ZERO * free
    if side != v.ZERO and clips.speed[k] > v.ZERO and not side * clips.turn_rate[k] > v.ZERO:
        return v.INFINITE + v.ZERO * heading_weight
    miss = v.subtract(mean_velocity(forward, aside, free, clips, k), fair)
    angle = clips.turn_rate[k] * clips.duration[k]
    end = v.add(v.scale(forward, math.cos(angle)), v.scale(aside, math.sin(angle)))
    size = math.sqrt(v.dot(desired, desired))
    return v.dot(miss, miss) + heading_weight * size * (size - v.dot(fair, end))


CLIPS = Several("clips", "Clip(name, speed=...)", base=Clip)


@locomotion
class MotionClips(Locomotion):
    """A body that moves as one of its clips does, each to its end.

    Speeds are those of the clips: max_speed limits only the velocity that is asked for. In 3D clips turn about `up`.

    Args:
        clips: The motions that it can play.
        blend: Whether two clips may be blended.

    Raises:
        ValueError: Two clips have the same name.
    """

    clips: Sequence[Clip] = parameter(kind=CLIPS, positional=True)
    blend: bool = parameter(False, kind=FLAG)

    keeps_safe: ClassVar[bool] = True

    def validate(self) -> None:
        """Check that there are clips, and that they can be told apart."""
        if not self.clips:
            raise ValueError("clips must be at least one, got none")
        names = [clip.name for clip in self.clips]
        if len(set(names)) < len(names):
            raise ValueError(f"clips must have different names, got {names}")

    @property
    def steps_aside(self) -> bool:
        """It cannot: clips lead ahead."""
        return False

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """The columns of `Memory`."""
        return {"clip": np.zeros((len(vehicles), len(Memory._fields)), vehicles.dtype)}

    def bind(self, chassis: Chassis) -> Motion:
        """The calls that move a population."""
        rows = [(clip.speed, clip.turn_rate, clip.duration) for clip in self.clips]
        columns = np.array(rows, chassis.vehicles.dtype).T.copy()
        speed, turn_rate, duration = columns
        sides = np.array([(turn_rate < 0).any(), (turn_rate > 0).any()])
        angles = [np.abs(turn_rate * duration)[turn_rate * side > 0].min(initial=math.pi) for side in (-1, 1)]
        ahead = np.maximum(np.cos(np.minimum(angles, math.pi)), HALF_RIGHT).astype(chassis.vehicles.dtype)
        clips = Clips(speed, turn_rate, duration, sides, ahead)
        memory, dt, own = chassis.memory, chassis.dt, chassis.columns
        now = Memory(*memory.now("clip"))
        arguments = (
            own, chassis.requested_force or chassis.force, chassis.force, chassis.free_ways(), clips, bool(self.blend),
            chassis.requested_force is not None, dt, now, Memory(*memory.next("clip")), chassis.proposed,
        )  # fmt: skip
        return Motion([Call(play, arguments)], [Call(roll, (own, chassis.proposed, now.turned, dt))])

    def names(self, memory: Any) -> list[str]:
        """The names of the clips that vehicles play, from the memory of the body."""
        return [self.clips[int(k)].name for k in memory["clip"][:, 0]]
