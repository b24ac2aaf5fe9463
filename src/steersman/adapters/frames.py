"""Frames of a run for other programs: of a recorded one, or of a world while it runs; and the same as whole motions.

Every format of `export` is written from `frames_of` (row by row) or from `motions_of` (vehicle by vehicle). All of it is in
space, x and y on the ground and z up: vehicles in 2D move at a height of 0.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from steersman.core.parameters.kinds import as_number
from steersman.core.typing import Array
from steersman.core.vehicles.orientation import matrices_of, quaternions_of
from steersman.core.world.clock import time_shown
from steersman.core.world.world import World
from steersman.drawing.palette import RGB, colors_of
from steersman.runs.recording.run import Run


class Rows(NamedTuple):
    """The vehicles of a population in a frame.

    Attributes:
        dimensions: 2 or 3: those of the world.
        id: Ids, shape (n,), int64.
        position: Positions [m], shape (n, 3).
        velocity: Velocities [m/s], shape (n, 3).
        matrix: Orientations, shape (n, 3, 3): the columns are forward, left and up.
        radius: Bounding radii [m], shape (n,).
    """

    dimensions: int
    id: Array
    position: Array
    velocity: Array
    matrix: Array
    radius: Array


class Frame(NamedTuple):
    """A moment.

    Attributes:
        time: Time since the start [s].
        populations: The vehicles, by the name of their population.
    """

    time: float
    populations: dict[str, Rows]


class Motion(NamedTuple):
    """A population in all frames, f of them. The n vehicles that are ever there are in all of them, by one order.

    Attributes:
        times: Times [s], shape (f,).
        id: Ids, shape (n,), ascending.
        there: Whether the vehicle is in the frame, shape (f, n).
        position: Positions [m], shape (f, n, 3); where it is not there, its last one before, or its first.
        velocity: Velocities [m/s], shape (f, n, 3); 0 where it is not there.
        quaternion: Orientations (w, x, y, z), shape (f, n, 4), which never change their sign from frame to frame.
        radius: Bounding radii [m], shape (n,).
    """

    times: Array
    id: Array
    there: Array
    position: Array
    velocity: Array
    quaternion: Array
    radius: Array

    @property
    def jumped(self) -> Array:
        """Whether a vehicle is elsewhere than its velocities lead, as across the seam of a torus, shape (f - 1, n)."""
        way = np.linalg.norm(np.diff(self.position, axis=0), axis=-1)
        speed = np.linalg.norm(self.velocity, axis=-1)
        reach = 2 * np.maximum(speed[:-1], speed[1:]) * np.diff(self.times)[:, None] + 2 * self.radius
        result: Array = self.there[:-1] & self.there[1:] & (way > reach)
        return result


def rows_of(vehicles: Any) -> Rows:
    """The rows of a population: Vehicles, a Pose (with velocities of 0 and radii of 0.5 m), or a recorded population."""
    position, forward = np.asarray(vehicles.position), np.asarray(vehicles.forward)
    n, d = position.shape
    up = np.asarray(vehicles.up) if d == 3 else np.tile(np.array([0, 0, 1], forward.dtype), (n, 1))
    velocity = np.asarray(getattr(vehicles, "velocity", np.zeros_like(position)))
    radius = np.asarray(getattr(vehicles, "radius", np.full(n, 0.5, position.dtype)))
    matrix = matrices_of(in_space(forward), up)
    return Rows(d, np.array(vehicles.id), in_space(position), in_space(velocity), matrix, radius.copy())


def in_space(vectors: Array) -> Array:
    """Vectors of shape (n, 2) or (n, 3) as a copy of shape (n, 3)."""
    return np.concatenate([vectors, np.zeros((len(vectors), 3 - vectors.shape[1]), vectors.dtype)], axis=1)


def frames_of(
    source: Any, *, seconds: float | None = None, every: float | None = None, on_step: Callable[[int], object] = int
) -> Iterator[Frame]:
    """The frames of a recorded run, or of a world that is run meanwhile.

    Args:
        source: A `Run`, or a World, which is run on from where it is.
        seconds: How long [s]. Default: the whole run; a world needs it.
        every: Time between two frames [s], at least. Default: all frames of a run; of a world 30 a second.
        on_step: Called after each step of a world with the number of steps made.

    Raises:
        ValueError: A number is missing or out of range.
    """
    span = None if seconds is None else as_number("seconds", seconds, above=0)
    apart = None if every is None else as_number("every", every, above=0)
    if isinstance(source, Run):
        return _recorded(source, np.inf if span is None else span, apart or 0.0)
    if not isinstance(source, World):
        raise TypeError(f"source must be a recorded Run or a World, got {type(source).__name__}")
    if span is None:
        raise ValueError("seconds must be given: how long to run the world")
    return _running(source, max(1, round(span / source.dt)), max(1, round((apart or 1 / 30) / source.dt)), on_step)


def _recorded(run: Run, seconds: float, every: float) -> Iterator[Frame]:
    due = -np.inf
    for number, time in enumerate(run.times.tolist()):
        if time > run.times[0] + seconds + 1e-9:
            return
        if time >= due - 1e-9:
            due = time + every
            yield Frame(time, {name: rows_of(each) for name, each in run.frame(number).items()})


def _running(world: World, steps: int, every: int, on_step: Callable[[int], object]) -> Iterator[Frame]:
    yield frame_of(world)
    for done in range(1, steps + 1):
        world.step()
        on_step(done)
        if done % every == 0:
            yield frame_of(world)


def frame_of(world: World) -> Frame:
    """The frame of a world as it is now."""
    time = time_shown(world.time, world.steps, world.dt)
    return Frame(time, {name: rows_of(each.vehicles) for name, each in world.populations.items()})


def motions_of(frames: Iterable[Frame]) -> dict[str, Motion]:
    """The motions of all populations that have vehicles, by name. All frames are in memory at once.

    Raises:
        ValueError: There are no vehicles in any frame.
    """
    every = list(frames)
    names = dict.fromkeys(name for frame in every for name, rows in frame.populations.items() if len(rows.id))
    if not names:
        raise ValueError("there must be vehicles in some frame; there are none")
    times = np.array([frame.time for frame in every])
    return {name: _motion(times, [frame.populations.get(name) for frame in every]) for name in names}


def _motion(times: Array, rows: list[Rows | None]) -> Motion:
    ids = np.unique(np.concatenate([each.id for each in rows if each is not None]))
    f, n = len(times), len(ids)
    there = np.zeros((f, n), np.bool_)
    position, velocity = np.zeros((f, n, 3), np.float32), np.zeros((f, n, 3), np.float32)
    quaternion, radius = np.zeros((f, n, 4), np.float32), np.zeros(n, np.float32)
    for k, each in enumerate(rows):
        if each is not None and len(each.id):
            column = np.searchsorted(ids, each.id)
            there[k, column] = True
            position[k, column], velocity[k, column] = each.position, each.velocity
            quaternion[k, column], radius[column] = quaternions_of(each.matrix), each.radius
    last = np.maximum.accumulate(np.where(there, np.arange(f)[:, None], -1))
    known = np.where(last < 0, there.argmax(axis=0), last), np.arange(n)
    position, quaternion = position[known], quaternion[known]
    for one, other in pairwise(quaternion):
        other *= np.where((one * other).sum(axis=1, keepdims=True) < 0, -1, 1)
    return Motion(times, ids, there, position, velocity, quaternion, radius)


def shape_lengths(motion: Motion, size: float | None) -> Array:
    """How long the shapes of vehicles are [m], shape (n,): a size for all, or twice their radii."""
    length = 2 * motion.radius if size is None else np.full(len(motion.id), size)
    return np.asarray(np.where(length > 0, length, 1.0), np.float32)


def linear_colors(names: Iterable[str], chosen: Mapping[str, str | None] | None) -> dict[str, RGB]:
    """A color for every population: the chosen one, or the next of the palette; in linear light, as materials have it."""
    return {name: linear(color) for name, color in colors_of(names, chosen or {}).items()}


def linear(color: RGB) -> RGB:
    """A color in linear light."""
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color)
    return (red, green, blue)
