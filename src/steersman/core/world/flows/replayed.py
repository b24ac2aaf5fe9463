"""Replayed: vehicles that move as they were recorded, with any time step, in a world with steered vehicles.

Between the frames f and f + 1, at times t_f and t_f + h, with s = (t - t_f) / h, a vehicle that is in both frames is on the
cubic curve through both places with both velocities,

    position = p_f + (3 s^2 - 2 s^3) (p_f+1 - p_f) + h ((s - 2 s^2 + s^3) v_f + (s^3 - s^2) v_f+1)

and has the velocity v_f + s (v_f+1 - v_f). A vehicle that is missing from the later frame goes straight on until the time of
that frame. A vehicle that is missing from the earlier frame appears with the later one. After the last frame all vehicles
stand still.

As any flow, this one runs after a step, so behaviors see the vehicles where they were recorded at that time. During the step,
the body moves the vehicles along their velocities; the flow then overwrites these positions.
"""

from dataclasses import dataclass
from os import PathLike
from typing import Any, final

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.open import Open
from steersman.core.parameters.arrays import as_array, as_floats, as_points, frozen
from steersman.core.parameters.brief import brief
from steersman.core.parameters.kinds import TEXT, Kind
from steersman.core.parameters.parameters import Parameters, parameter
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.flows.flow import Flow, Moment

ROUNDING = 1e-9
"""The part of a time by which a sum of steps may miss it."""


def as_whole(name: str, value: Any) -> Array:
    """Whole numbers >= 0, shape (m,)."""
    numbers = as_array(name, value)
    if numbers.size and numbers.dtype.kind not in "iu":
        raise TypeError(f"{name} must be whole numbers, got {brief(value)}")
    if numbers.ndim != 1 or (numbers < 0).any():
        raise ValueError(f"{name} must be whole numbers >= 0, shape (m,), got {brief(value)}")
    return frozen(numbers.astype(np.int64))


def as_numbers(name: str, value: Any) -> Array:
    """Finite numbers, shape (m,)."""
    numbers = as_floats(name, value, np.float64)
    if numbers.ndim != 1:
        raise ValueError(f"{name} must have shape (m,), got {numbers.shape}")
    return frozen(numbers)


def as_vectors(name: str, value: Any) -> Array:
    """Vectors, shape (m, 2) or (m, 3)."""
    return frozen(as_points(name, value, np.float64))


WHOLE = Kind("whole numbers", "whole numbers >= 0, shape (m,)", as_whole)
ROW_NUMBERS = Kind("numbers", "finite numbers, shape (m,)", as_numbers)
ROW_VECTORS = Kind("vectors", "vectors, shape (m, 2) or (m, 3)", as_vectors)


@final
@dataclass(frozen=True, eq=False)
class Tracks(Parameters):
    """The recorded motion of one population: a row for each vehicle and frame, in the order of the frames.

    Args:
        times: Times of the frames [s], shape (f,), ascending.
        frame: The number of the frame of each row, from 0, shape (m,).
        id: The vehicle of each row, shape (m,).
        position: Positions [m], shape (m, d).
        velocity: Velocities [m/s], shape (m, d).
        radius: Bounding radii [m], shape (m,).

    Raises:
        ValueError: There is no frame, times or frames do not ascend, or a vehicle is in a frame twice.
    """

    times: Any = parameter(kind=ROW_NUMBERS, unit="s")
    frame: Any = parameter(kind=WHOLE)
    id: Any = parameter(kind=WHOLE)
    position: Any = parameter(kind=ROW_VECTORS, unit="m")
    velocity: Any = parameter(kind=ROW_VECTORS, unit="m/s")
    radius: Any = parameter(kind=ROW_NUMBERS, unit="m")

    def validate(self) -> None:
        """Check that the columns fit each other."""
        m = len(self.frame)
        for name in ("id", "position", "velocity", "radius"):
            if len(getattr(self, name)) != m:
                raise ValueError(f"{name} must have {m} rows like frame, got {len(getattr(self, name))}")
        if self.velocity.shape != self.position.shape:
            raise ValueError(f"velocity must have shape {self.position.shape}, got {self.velocity.shape}")
        if not len(self.times) or (np.diff(self.times) <= 0).any():
            raise ValueError("times must ascend, and be one at least")
        if (np.diff(self.frame) < 0).any() or (m and self.frame[-1] >= len(self.times)):
            raise ValueError(f"frame must ascend, and be less than {len(self.times)}, the number of times")
        rows = np.stack([self.frame, self.id], axis=1)
        if len(np.unique(rows, axis=0)) < m:
            raise ValueError("id must be there once in every frame")
        self._put(_starts=np.searchsorted(self.frame, np.arange(len(self.times) + 1)))

    @property
    def dimensions(self) -> int:
        """2 or 3."""
        return int(self.position.shape[1])

    def at(self, time: float, domain: Domain) -> tuple[Array, Array, Array, Array]:
        """The vehicles at a time.

        Args:
            time: The time [s].
            domain: The space: ways across the edge of a torus are the shorter ones.

        Returns:
            Ids (n,), positions [m] (n, d), velocities [m/s] (n, d) and radii [m] (n,).
        """
        last = len(self.times) - 1
        close = ROUNDING * (1.0 + abs(time))
        k = int(np.clip(np.searchsorted(self.times, time + close, side="right") - 1, 0, last))
        now = self._rows(k)
        ids, position, velocity = self.id[now], self.position[now].copy(), self.velocity[now].copy()
        if time < self.times[0] or k == last:
            moves = self.times[0] - close <= time <= self.times[last] + close
            return ids, position, velocity if moves else np.zeros_like(velocity), self.radius[now]
        step = float(self.times[k + 1] - self.times[k])
        s = min(max((time - self.times[k]) / step, 0.0), 1.0)
        following = self._rows(k + 1)
        _, here, there = np.intersect1d(ids, self.id[following], assume_unique=True, return_indices=True)
        way = domain.difference(self.position[following][there], position[here])
        ahead = self.velocity[following][there]
        bend = step * ((s - 2 * s**2 + s**3) * velocity[here] + (s**3 - s**2) * ahead)
        curve = (3 * s**2 - 2 * s**3) * way + bend
        position += s * step * velocity
        position[here] = self.position[now][here] + curve
        velocity[here] += s * (ahead - velocity[here])
        return ids, position, velocity, self.radius[now]

    def _rows(self, frame: int) -> slice:
        return slice(*self._starts[frame : frame + 2].tolist())  # type: ignore[attr-defined]


def as_tracks(name: str, value: Any, population: str | None) -> Tracks:
    """The tracks of one population of a run, or tracks as they are."""
    if isinstance(value, Tracks):
        return value
    if not hasattr(value, "tracks") or isinstance(value, type):
        hint = (
            f"; to read a file or a folder: sm.read_run({brief(str(value))})"
            if isinstance(value, (str, PathLike))
            else ""
        )
        raise TypeError(f"{name} must be {TRACKS.words}, got {brief(value)}{hint}")
    try:
        tracks: Tracks = value.tracks(population)
    except KeyError as error:
        raise ValueError(error.args[0]) from error
    return tracks


TRACKS = Kind("tracks", "a run, as read_run returns it, or Tracks", as_tracks)


@final
@dataclass(frozen=True, eq=False)
class Replayed(Flow):
    """Lets vehicles move, come and go as they were recorded in a run, with any time step.

        world.add(sm.Replayed(sm.read_run("runs/square"), "walkers"), name="walkers")

    The vehicles are a population like any other: behaviors see and avoid them. They themselves avoid nothing.

    Args:
        tracks: The run, as `read_run` returns it, or Tracks.
        population: The population of the run. Default: the only one.
        start: The time in the world at which the run begins [s]. Raising it lets them move later.

    Raises:
        ValueError: The run has no such population; or it has several, and none is named.
    """

    tracks: Any = parameter(kind=TRACKS, of="population", positional=True)
    population: str | None = parameter(None, kind=TEXT, optional=True, positional=True)
    start: float = parameter(0.0, unit="s")

    def vehicles(self, time: float = 0.0, domain: Domain | None = None, **columns: Any) -> Vehicles:
        """The vehicles at a time, for `World.add(vehicles, flows=[self])` with further arguments.

        Args:
            time: The time in the world [s].
            domain: The domain of the world: between two frames, vehicles go the short way across its seams. Default: open.
            **columns: Other columns of `Vehicles`: mass, dtype, ... Default of max_speed: the greatest recorded speed.
        """
        space = Open() if domain is None else domain
        ids, position, velocity, radius = self._at(time, space)
        fastest = float(np.sqrt((self.tracks.velocity**2).sum(axis=1)).max(initial=0.0))
        vehicles = Vehicles(position, velocity, radius=radius, id=ids, **{"max_speed": max(fastest, 1e-3), **columns})
        _bring_in(vehicles, space)
        return vehicles

    def check(self, vehicles: Vehicles) -> None:
        """Raise ValueError when dimensions differ."""
        if self.tracks.dimensions != vehicles.dimensions:
            raise ValueError(
                f"tracks must have {vehicles.dimensions} dimensions like the vehicles, got {self.tracks.dimensions}"
            )

    def rehearse(self, domain: Domain) -> None:
        """Call the kernel that brings points into the domain, in both precisions."""
        for dtype in (np.float32, np.float64):
            point = tuple(np.zeros((self.tracks.dimensions, 1), dtype))
            domain.image_call(point, point).run(1)

    def _at(self, time: float, domain: Domain) -> tuple[Array, Array, Array, Array]:
        """The vehicles at a time in the world (see `Tracks.at`)."""
        tracks: Tracks = self.tracks
        return tracks.at(float(tracks.times[0]) + time - self.start, domain)

    def run(self, state: dict[str, Array], moment: Moment) -> int:
        """Let vehicles come and go as recorded, and put all at their recorded places."""
        vehicles = moment.vehicles
        ids, position, velocity, radius = self._at(moment.time, moment.domain)
        stays, comes = np.isin(vehicles.id, ids), ~np.isin(ids, vehicles.id)
        if not stays.all():
            vehicles.remove(~stays)
        if comes.any():
            vehicles.spawn(position[comes], velocity[comes], radius=radius[comes], id=ids[comes])
        order = np.argsort(ids)
        rows = order[np.searchsorted(ids[order], vehicles.id)]
        vehicles.position, vehicles.velocity, vehicles.radius = position[rows], velocity[rows], radius[rows]
        turned = vehicles.forward.copy()
        moves = (vehicles.velocity != 0).any(axis=1)
        turned[moves] = vehicles.velocity[moves]
        vehicles.forward = turned
        _bring_in(vehicles, moment.domain)
        return int(comes.sum() + (~stays).sum())


def _bring_in(vehicles: Vehicles, domain: Domain) -> None:
    """Move vehicles to their images in the domain."""
    columns = vehicles.columns.position
    domain.image_call(columns, columns).run(len(vehicles))
