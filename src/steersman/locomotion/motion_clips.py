"""MotionClips: a body that can only move as its recorded motions do.

A clip has a name, a speed, a turn rate and a duration: walk, run, stop, turn left. When one ends, the next is the clip that
comes nearest to the velocity that the steering force asks for:

    asked for = velocity + force / mass * response_time,      truncated to max_speed  (the force is not)
    a clip's  = its speed along the heading that it has half-way

What is asked for aside or behind is asked for half-way there, at 45 degrees at most, or a walker would stand still before a
goal behind it; and of clips that miss it alike, the one is better whose last heading is nearer to it. The force counts as it
was asked for: max_force is no limit of a body that has no force of its own, or a walk that is faster than max_force could
make it within the response time would never begin. Who has turned to one side by a full circle in vain goes straight on for
two turning radii, and comes back. A goal is reached when it is nearer than half a stride or so.

Reynolds 1999, "Locomotion": legged characters are often driven by pre-recorded segments of motion, from which the nearest is
picked, or neighbors are blended (`blend=True`: the two nearest, in the ratio that comes nearest).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from steersman.geometry.call import Call
from steersman.geometry.frames import side_of, up_at
from steersman.geometry.kernel import kernel
from steersman.geometry.kinds import FLAG, TEXT, Several
from steersman.geometry.parameters import Parameters, parameter
from steersman.geometry.vectors import (
    HALF,
    ONE,
    TWO,
    ZERO,
    Array,
    Columns,
    Vector,
    add,
    dot,
    length,
    load,
    scale,
    store,
    subtract,
    truncate,
    with_length,
)
from steersman.locomotion.chassis import Chassis, Motion
from steersman.locomotion.locomotion import Locomotion
from steersman.locomotion.registry import locomotion
from steersman.locomotion.wheeled import FULL_CIRCLE, roll
from steersman.vehicles.vehicle_columns import VehicleColumns
from steersman.vehicles.vehicles import Vehicles

HALF_RIGHT = np.float32(math.sqrt(0.5))
"""Cosine of 45 degrees."""

CUT = np.float32(0.95)
"""A force nearer to max_force than by this factor may have been cut to it."""

LOOK = np.float32(0.1)
"""How much the last heading counts."""


@dataclass(frozen=True, eq=False)
class Clip(Parameters):
    """One recorded motion.

    Args:
        name: What it is called.
        speed: Speed along the heading [m/s].
        turn_rate: Turning to the left [rad/s].
        duration: How long it takes [s]; no other begins before it ends.

    Raises:
        TypeError: An argument is of another kind.
        ValueError: A number is NaN, infinite or out of range.
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
    """

    speed: Array
    turn_rate: Array
    duration: Array


@kernel
def play(
    start: int, stop: int, vehicles: VehicleColumns, asked: Columns, force: Columns, clips: Clips, blend: bool, dt: Array,
    now: Columns, following: Columns, proposed: Columns,
) -> None:  # fmt: skip
    """Go on with the clip, or pick the next. Memory: clip, time left, speed, turn rate, turn of the step, turn in vain."""
    for i in range(start, stop):
        clip, left, speed, rate, vain = now[0][i], now[1][i], now[2][i], now[3][i], now[5][i]
        forward = load(vehicles.forward, i)
        aside = scale(side_of(forward, up_at(vehicles.up, i)), -ONE)
        if not left > HALF * dt[0]:
            wanted = wanted_velocity(vehicles, i, load(asked, i), load(force, i), clips, dt[0])
            chosen = pick(wanted, forward, aside, clips, blend)
            if vain < ZERO and chosen[2] > ZERO:
                chosen = straightest(clips)
            clip, left, speed, rate = chosen
            if not rate * now[3][i] > ZERO:
                vain = min(vain, ZERO * vain)
        angle = rate * dt[0]
        vain = turned_in_vain(vain, speed, rate, dt[0])
        following[0][i], following[1][i], following[2][i], following[3][i] = clip, left - dt[0], speed, rate
        following[4][i], following[5][i] = angle, vain
        heading = add(scale(forward, math.cos(angle)), scale(aside, math.sin(angle)))
        store(proposed, i, scale(heading, speed))


@kernel
def wanted_velocity(vehicles: VehicleColumns, i: int, asked: Vector, force: Vector, clips: Clips, dt: Any) -> Vector:
    """What a force asks for: in the direction that limits leave it, as much as before; by a clip more if it was cut off."""
    most, size = vehicles.max_force[i], length(asked)
    change = size * max(vehicles.response_time[i], dt) / vehicles.mass[i]
    if CUT * most <= size and CUT * size <= most:
        change = max(change, slowest(clips))
    return truncate(add(load(vehicles.velocity, i), with_length(force, change)), vehicles.max_speed[i])


@kernel
def slowest(clips: Clips) -> Any:
    """The speed of the slowest clip that moves; zero if none does."""
    least = clips.speed[0]
    for k in range(clips.speed.size):
        if clips.speed[k] > ZERO and (clips.speed[k] < least or not least > ZERO):
            least = clips.speed[k]
    return least


@kernel
def straightest(clips: Clips) -> Any:
    """The clip that moves and turns least: its number, duration, speed and turn rate."""
    best = -1
    for k in range(clips.speed.size):
        if clips.speed[k] > ZERO and (best < 0 or abs(clips.turn_rate[k]) < abs(clips.turn_rate[best])):
            best = k
    return clips.speed.dtype.type(best), clips.duration[best], clips.speed[best], clips.turn_rate[best]


@kernel
def turned_in_vain(vain: Any, speed: Any, rate: Any, dt: Any) -> Any:
    """The turn to one side so far [rad] after a step; below zero, the way that is still to be gone straight on [m]."""
    if vain < ZERO:
        return min(vain + speed * dt, ZERO * vain)
    vain += abs(rate) * dt
    if vain > FULL_CIRCLE and speed > ZERO:
        vain = -TWO * speed / abs(rate)
    return vain


@kernel
def pick(wanted: Vector, forward: Vector, aside: Vector, clips: Clips, blend: bool) -> Any:
    """The clip that comes nearest to a velocity: its number, duration, speed and turn rate; or a blend of two."""
    first, second = 0, 0
    fair = in_front(wanted, forward, aside)
    least = error_of(fair, wanted, forward, aside, clips, 0)
    next_least = least
    for k in range(1, clips.speed.size):
        error = error_of(fair, wanted, forward, aside, clips, k)
        if error < least:
            second, next_least = first, least
            first, least = k, error
        elif error < next_least or second == first:
            second, next_least = k, error
    share = ZERO * least
    small = HALF * slowest(clips)
    if blend and second != first and dot(wanted, wanted) > small * small:
        here = mean_velocity(forward, aside, clips, first)
        way = subtract(mean_velocity(forward, aside, clips, second), here)
        size2 = dot(way, way)
        if size2 > ZERO:
            share = min(max(dot(subtract(fair, here), way) / size2, ZERO), ONE)
    keep = ONE - share
    return (
        clips.speed.dtype.type(first),
        clips.duration[first] * keep + clips.duration[second] * share,
        clips.speed[first] * keep + clips.speed[second] * share,
        clips.turn_rate[first] * keep + clips.turn_rate[second] * share,
    )


@kernel
def mean_velocity(forward: Vector, aside: Vector, clips: Clips, k: int) -> Vector:
    """A clip's speed along the heading that it has half-way."""
    angle = HALF * clips.turn_rate[k] * clips.duration[k]
    return scale(add(scale(forward, math.cos(angle)), scale(aside, math.sin(angle))), clips.speed[k])


@kernel
def in_front(wanted: Vector, forward: Vector, aside: Vector) -> Vector:
    """A velocity, turned to at most 45 degrees from forward."""
    ahead, across = dot(wanted, forward), dot(wanted, aside)
    if ahead >= abs(across):
        return wanted
    size = math.sqrt(dot(wanted, wanted)) * HALF_RIGHT
    if across < ZERO:
        return add(scale(forward, size), scale(aside, -size))
    return add(scale(forward, size), scale(aside, size))


@kernel
def error_of(fair: Vector, wanted: Vector, forward: Vector, aside: Vector, clips: Clips, k: int) -> Any:
    """How far a clip misses a velocity, squared, and a little of how far its last heading misses the direction."""
    miss = subtract(mean_velocity(forward, aside, clips, k), fair)
    angle = clips.turn_rate[k] * clips.duration[k]
    end = add(scale(forward, math.cos(angle)), scale(aside, math.sin(angle)))
    size = math.sqrt(dot(wanted, wanted))
    return dot(miss, miss) + LOOK * size * (size - dot(wanted, end))


CLIPS = Several("clips", "Clip(name, speed=...)", base=Clip)


@locomotion
@dataclass(frozen=True, eq=False)
class MotionClips(Locomotion):
    """A body that moves as one of its clips does, each to its end.

    Speeds are those of the clips: max_speed limits only what is asked for. In 3D clips turn about `up`.

    Args:
        clips: What it can do.
        blend: Whether two clips may be blended.

    Raises:
        TypeError: A clip is none.
        ValueError: There is no clip, or two have the same name.
    """

    clips: Sequence[Clip] = parameter(kind=CLIPS, positional=True)
    blend: bool = parameter(False, kind=FLAG)

    def validate(self) -> None:
        """Check that there are clips, and that they can be told apart."""
        if not self.clips:
            raise ValueError("clips must be at least one, got none")
        names = [clip.name for clip in self.clips]
        if len(set(names)) < len(names):
            raise ValueError(f"clips must have different names, got {names}")

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """Which clip, the time left [s], its speed [m/s] and turn rate [rad/s], the turn of the step [rad], that in vain.

        The last is the turn to one side so far [rad]; below zero, the way that is still to be gone straight on [m].
        """
        return {"clip": np.zeros((len(vehicles), 6), vehicles.dtype)}

    def bind(self, chassis: Chassis) -> Motion:
        """The calls that move a population."""
        rows = [(clip.speed, clip.turn_rate, clip.duration) for clip in self.clips]
        clips = Clips(*np.array(rows, chassis.vehicles.dtype).T.copy())
        memory, dt, own = chassis.memory, chassis.dt, chassis.columns
        arguments = (
            own, chassis.asked or chassis.force, chassis.force, clips, bool(self.blend), dt,
            memory.now("clip"), memory.next("clip"), chassis.proposed,
        )  # fmt: skip
        return Motion([Call(play, arguments)], [Call(roll, (own, chassis.proposed, memory.now("clip")[4], dt))])

    def names(self, memory: Any) -> list[str]:
        """The names of the clips that vehicles play, from the memory of the body."""
        return [self.clips[int(k)].name for k in memory["clip"][:, 0]]
