"""A replay: a run as one HTML file with the page and the trajectory in it, to be mailed or put on a web page.

Positions are whole numbers of a fine mesh, stored as second differences from frame to frame: a vehicle in even motion takes
nearly no space after compression. The page is the one that `view` shows; no other files are loaded.
"""

import base64
import bisect
import dataclasses
import json
import struct
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from steersman.core.typing import Array
from steersman.core.world.world import World
from steersman.drawing.contents import Contents, contents_of
from steersman.drawing.description import drawable, lengths_in
from steersman.runs.documents.stage import Stage
from steersman.runs.recording.run import Run, read_run
from steersman.studio.viewer.packing import scene_of
from steersman.studio.viewer.page_files import page_html

FRAMES = 20.0
"""Frames a second of a replay; the page interpolates between them."""

STEPS = 65536
"""Number of meshes along an edge of the run's extent."""


class Moment(NamedTuple):
    """A population at one time.

    Attributes:
        id: Ids, shape (n,).
        position, forward, up: Rows of the columns, shape (n, d); up is None in 2D.
    """

    id: Array
    position: Array
    forward: Array
    up: Array | None


class Film:
    """The frames of a run for a replay.

    Args:
        contents: The contents of the picture.
        shows: A sentence about the run.
        dt: The time step [s].

    Attributes:
        every: Steps between two frames.
        numbers: The number of values that are stored.
    """

    def __init__(self, contents: Contents, shows: str, dt: float) -> None:
        self.shows, self.dt = shows, dt
        self.times: list[float] = []
        self.vehicles = {
            name: each for name, each in contents.vehicles.items() if each.dimensions == contents.dimensions
        }
        self.contents = dataclasses.replace(contents, vehicles=self.vehicles)
        self.moments: dict[str, list[Moment]] = {name: [] for name in self.vehicles}
        self.every = max(1, round(1 / (FRAMES * dt)))
        self.numbers = 0

    @classmethod
    def of_world(cls, subject: World | Stage) -> Self:
        """An empty film of a world or a stage, to be called with the world after steps."""
        world = subject if isinstance(subject, World) else subject.world
        return cls(contents_of(subject), "" if isinstance(subject, World) else subject.description, world.dt)

    @classmethod
    def of_run(cls, run: Run) -> Self:
        """The film of a whole recorded run.

        Raises:
            RunError: A file is damaged, or there are no frames yet.
        """
        film = cls(contents_of(run.positions(0.0)), "", float(run.meta["dt"]))
        for number in range(run.frames):
            moment = run.frame(number)
            film.times.append(moment.time)
            for name in film.vehicles:
                columns = moment[name]
                film.vehicles[name] = columns.as_vehicles() if len(columns) else film.vehicles[name]
                film.moments[name].append(Moment(columns.id, columns.position, columns.forward, columns.up))
        return film

    def __call__(self, world: World) -> None:
        """Add a frame with the present state of all vehicles."""
        self.times.append(world.time)
        for name, vehicles in self.vehicles.items():
            rows = drawable(vehicles, len(vehicles))
            up = None if vehicles.dimensions == 2 else vehicles.up[rows].astype(np.float32)
            position, forward = (each[rows].astype(np.float32) for each in (vehicles.position, vehicles.forward))
            self.moments[name].append(Moment(vehicles.id[rows].copy(), position, forward, up))
            self.numbers += position.size

    def cut(self, time: float) -> None:
        """Forget the frames after a time [s], where the run has gone back to it."""
        count = bisect.bisect_right(self.times, time)
        del self.times[count:]
        for moments in self.moments.values():
            del moments[count:]
        self.numbers = sum(moment.position.size for moments in self.moments.values() for moment in moments)

    def html(self) -> str:
        """The page with the recording in it."""
        about = {
            "name": self.contents.title.replace(" ", "_"),
            "shows": self.shows,
            "seconds": self.times[-1] - self.times[0],
            "dt": self.dt,
        }
        contents = dataclasses.replace(self.contents, frame=self._frame())
        scene = scene_of(contents, about)
        low, mesh = self._mesh(scene)
        parts: list[bytes] = []
        populations = [
            {
                "name": name,
                "groups": [self._group(name, *each, low, mesh, 2 * scene["reach"], parts) for each in runs(moments)],
            }
            for name, moments in self.moments.items()
        ]
        head = {
            "times": [round(time, 4) for time in self.times],
            "low": low.tolist(),
            "mesh": mesh.tolist(),
            "scene": scene,
            "populations": populations,
        }
        text = json.dumps(head, separators=(",", ":"), allow_nan=False).encode()
        packed = zlib.compress(struct.pack("<I", len(text)) + text + b"".join(parts), 9)
        return page_html(self.contents.title or "world", {"recording": base64.b64encode(packed).decode()})

    def _points(self) -> Array:
        """The positions of all vehicles in all frames [m], shape (k, d)."""
        d = self.contents.dimensions
        positions = [moment.position for moments in self.moments.values() for moment in moments]
        return np.concatenate([np.zeros((0, d)), *positions])

    def _frame(self) -> Any:
        """The view: in an open space, the extent of all positions; None where the picture has a view of its own."""
        points, d = self._points(), self.contents.dimensions
        period = self.contents.domain.wrap(d, np.float64)[0]
        limited = self.contents.domain.dimensions is not None or any(period)
        if limited or self.contents.scenery or not len(points):
            return None
        low, high = points.min(axis=0), points.max(axis=0)
        margin = 0.06 * float((high - low).max()) + 1.0
        return low - margin, high + margin

    def _mesh(self, scene: dict[str, Any]) -> tuple[Array, Array]:
        """The origin and the size of the mesh of positions [m]; along a periodic axis the mesh spans the period."""
        points, period = self._points(), np.asarray(scene["period"])
        low = points.min(axis=0) if len(points) else np.zeros(len(period))
        size = (points.max(axis=0) - low if len(points) else np.ones(len(period))) * (STEPS + 1) / STEPS + 1e-6
        around = period > 0
        return np.where(around, np.asarray(scene["low"]), low), np.where(around, period, size) / STEPS

    def _group(
        self, name: str, first: int, count: int, low: Array, mesh: Array, span: float, parts: list[bytes]
    ) -> dict[str, Any]:
        """Consecutive frames with the same vehicles; their numbers are appended to the parts."""
        moments = self.moments[name][first : first + count]
        places = np.array([(np.asarray(moment.position, np.float64) - low) / mesh for moment in moments])
        whole = np.round(places).astype(np.int64).astype(np.uint16).astype(np.int64)
        for component in np.moveaxis(whole, -1, 0):
            pace = np.diff(component, axis=0, prepend=component[:1])
            turned = np.diff(pace, axis=0, prepend=np.zeros_like(pace[:1]))
            turned[0] = component[0]
            bits = turned.astype(np.uint16)
            parts += [(bits & 255).astype(np.uint8).tobytes(), (bits >> 8).astype(np.uint8).tobytes()]
        for facing in np.moveaxis(np.array([_facing(moment) for moment in moments]), -1, 0):
            parts.append(np.diff(facing, axis=0, prepend=np.zeros_like(facing[:1])).astype(np.uint8).tobytes())
        sizes = lengths_in(self.contents, name, span)
        alike = len(sizes) > 0 and np.ptp(sizes) < 1e-9
        known = dict(zip(self.vehicles[name].id.tolist(), sizes.tolist(), strict=True))
        usual = float(sizes.mean()) if len(sizes) else 0.01 * span
        ids = moments[0].id.tolist()
        size = [usual] if alike else [round(known.get(each, usual), 6) for each in ids]
        return {"first": first, "count": count, "ids": ids, "size": size or [usual]}


def _facing(moment: Moment) -> Array:
    """Orientations in whole numbers: an angle in 2D, else two unit vectors, shape (n, 1) or (n, 6)."""
    if moment.up is None:
        angle = np.arctan2(moment.forward[:, 1], moment.forward[:, 0])
        return np.round(angle[:, None] * (128 / np.pi)).astype(np.int64)
    return np.round(127 * np.concatenate([moment.forward, moment.up], axis=1)).astype(np.int64)


def runs(moments: list[Moment]) -> Iterator[tuple[int, int]]:
    """The first frame and the number of frames of each group of consecutive frames with the same vehicles."""
    first = 0
    for k in range(1, len(moments) + 1):
        if k == len(moments) or not np.array_equal(moments[k].id, moments[first].id):
            yield first, k - first
            first = k


def checked(file: Any) -> Path:
    """The path of a file that can be written.

    Raises:
        ValueError: It does not end in .html.
    """
    path = Path(file)
    if path.suffix.lower() not in (".html", ".htm"):
        raise ValueError(f"file must end in .html, got {str(path)!r}")
    return path


def replay_run(folder: Any, file: Any) -> Path:
    """Write a recorded run as one HTML file.

    Args:
        folder: The folder of the run.
        file: The file to write, which ends in .html.

    Returns:
        The file.

    Raises:
        RunError: There is no run, or a file of it is damaged.
        ValueError: The file has another ending.
        OSError: The file cannot be written.
    """
    path = checked(file)
    path.write_text(Film.of_run(read_run(folder)).html(), encoding="utf-8")
    return path


def replay(
    subject: World | Stage, file: Any, *, seconds: float, on_step: Callable[[int], object] | None = None
) -> Path:
    """Run a world on from its present state, and write a replay of it as one HTML file.

    Args:
        subject: The World or the Stage.
        file: The file to write, which ends in .html.
        seconds: How long to run [s].
        on_step: Called after each step, with the number of steps made.

    Returns:
        The file.

    Raises:
        ValueError: The file has another ending, or seconds is no time.
        OSError: The file cannot be written.
    """
    path = checked(file)
    film = Film.of_world(subject)
    world = subject if isinstance(subject, World) else subject.world
    count = round(seconds / world.dt)
    if count < 1:
        raise ValueError(f"seconds must be at least one step of {world.dt:g} s, got {seconds!r}")
    film(world)
    for done in range(1, count + 1):
        world.step()
        if done % film.every == 0 or done == count:
            film(world)
        if on_step is not None:
            on_step(done)
    path.write_text(film.html(), encoding="utf-8")
    return path
