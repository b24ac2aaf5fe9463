"""A replay: a run as one HTML file with the page and the trajectory in it, to be mailed or put on a web page.

Positions are whole numbers of a fine mesh, stored as second differences from frame to frame: a vehicle in even motion takes
nearly no space after compression. The page is the one that `view` shows; no other files are loaded.
"""

import base64
import bisect
import copy
import dataclasses
import json
import math
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from steersman.core.environment.domains.bounds import bounds
from steersman.core.maths.shapes import Shape
from steersman.core.typing import Array
from steersman.core.world.world import World
from steersman.drawing.contents import Contents, contents_of
from steersman.drawing.description import UNIT, describe, drawable, lengths_in, widths
from steersman.drawing.extent import frame_of
from steersman.runs.documents.stage import Stage
from steersman.runs.recording.run import Run, read_run
from steersman.studio.viewer.element_messages import note_messages
from steersman.studio.viewer.events import Events
from steersman.studio.viewer.explanations import sketch_of, whys_of
from steersman.studio.viewer.notes import moving, resting
from steersman.studio.viewer.packing import scene_of
from steersman.studio.viewer.page_files import page_html

FRAMES = 20.0
"""Frames a second of a replay; the page interpolates between them."""

STEPS = 65536
"""Number of meshes along an edge of the run's extent."""

INTERVAL = 0.4
"""Time between two explanations in a replay [s]."""

EXPLAINED = 100
"""Largest number of vehicles that are explained; of more, an even sample."""

EXPLANATIONS = 6000
"""Largest number of explanations; with more, every other instant is left out."""

SKETCHES, VEHICLES = 200_000, 8
"""Size of all sketches, about, after compression [bytes], and the largest number of vehicles with sketches."""


NOTED, NOTES = 0.1, 200_000
"""Time between the notes of two moments in a replay [s], and the size of all of them after compression [bytes]; of more,
every other moment is left out."""


class Moment(NamedTuple):
    """A population at one time.

    Attributes:
        id: Ids, shape (n,).
        position, forward, up: Rows of the columns, shape (n, d); up is None in 2D.
        radius: Radii [m], shape (n,).
    """

    id: Array
    position: Array
    forward: Array
    up: Array | None
    radius: Array


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
        self.events = Events(whole=True)
        self.whys: list[tuple[float, bytes, int]] = []
        self.notes: list[tuple[float, bytes]] = []
        self._moving_notes: Callable[[], Sequence[Shape]] = tuple
        self._interval, self._noted, self._seconds = INTERVAL, NOTED, 20.0
        self._sketched: set[tuple[str, int]] | None = None
        self._width: float | None = None
        self._known: Mapping[str, Any] = {}
        self._seen: dict[str, Any] = {}

    @classmethod
    def of_world(cls, subject: World | Stage) -> Self:
        """An empty film of a world or a stage, to be called with the world after steps."""
        if isinstance(subject, World):
            return cls(contents_of(subject), "", subject.dt)
        film = cls(contents_of(resting(subject)), subject.description, subject.world.dt)
        film._moving_notes, film._known = (lambda: moving(subject)[0]), subject.named
        return film

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
                film.moments[name].append(
                    Moment(columns.id, columns.position, columns.forward, columns.up, columns.radius)
                )
        return film

    def expect(self, seconds: float) -> None:
        """Note how long the run will be [s]: of a longer one fewer vehicles have sketches."""
        self._seconds = seconds

    def __call__(self, world: World) -> None:
        """Add a frame with the present state of all vehicles."""
        self.times.append(world.time)
        for name, vehicles in self.vehicles.items():
            rows = drawable(vehicles, len(vehicles))
            up = None if vehicles.dimensions == 2 else vehicles.up[rows].astype(np.float32)
            position, forward = (each[rows].astype(np.float32) for each in (vehicles.position, vehicles.forward))
            radius = vehicles.radius[rows].astype(np.float32)
            self.moments[name].append(Moment(vehicles.id[rows].copy(), position, forward, up, radius))
            self.numbers += position.size
            if len(vehicles) and name not in self._seen:
                self._seen[name] = copy.deepcopy(vehicles)
        self.events.look(world)
        self._note(world.time)

    def _note(self, time: float) -> None:
        """Add the notes of the moment, where they are due and others than before."""
        if self.notes and time < self.notes[-1][0] + self._noted * (1 - 1e-9):
            return
        shapes = tuple(self._moving_notes())
        if not shapes and not self.notes:
            return
        elements = [_readable(each, self._span) for each in note_messages(shapes, UNIT * self._span)]
        text = zlib.compress(_json(elements), 6)
        if self.notes and text == self.notes[-1][1]:
            return
        self.notes.append((time, text))
        if sum(len(each) for _, each in self.notes) > NOTES:
            self.notes, self._noted = self.notes[::2], 2 * self._noted

    def explain(self, world: World) -> None:
        """Add explanations, where they are due: of up to 100 vehicles, and the sketches of a few; between steps."""
        if self.whys and world.time < self.whys[-1][0] + self._interval * (1 - 1e-9):
            return
        steered = [name for name in self.vehicles if world.populations[name].tree is not None and len(world[name])]
        part = min(1.0, EXPLAINED / max(sum(len(world[name]) for name in steered), 1))
        whys: list[dict[str, Any]] = []
        for name in steered:
            rows = drawable(world[name], max(1, int(part * len(world[name]))))
            try:
                glyph = self.contents.style.glyph(name)
                whys += whys_of(world, name, world[name].id[rows].tolist(), self._span, self._known, glyph)
            except Exception:  # A behavior of a user's own cannot say.
                continue
        for why in [each for each in whys if (each["population"], each["id"]) in self._chosen(whys, world)]:
            why.update(sketch_of(world, why["population"], why["id"], self._span, self._known))
        whys = [_rounded(why) for why in whys]
        for why in whys:
            vehicles = world[why["population"]]
            why["at"] = _short(vehicles.position[vehicles.rows(why["id"])].reshape(-1), 6, self._span)
        self.whys.append((world.time, zlib.compress(_json(whys), 6), len(whys)))
        if sum(count for *_, count in self.whys) > EXPLANATIONS:
            self.whys, self._interval = self.whys[::2], 2 * self._interval

    @property
    def _span(self) -> float:
        """Width of the picture [m]."""
        if self._width is None:
            self._width = 2.0 * describe(self.contents).reach
        return self._width

    def _chosen(self, whys: list[dict[str, Any]], world: World) -> set[tuple[str, int]]:
        """The vehicles with sketches, chosen once: the first ones of each population in turn, as many as find room."""
        if self._sketched is None:
            self._sketched = set()
            of: dict[str, list[int]] = {}
            for why in whys:
                of.setdefault(why["population"], []).append(why["id"])
            turns = [(name, ids[k]) for k in range(VEHICLES) for name, ids in of.items() if k < len(ids)][:VEHICLES]
            room = SKETCHES * self._interval / max(self._seconds, INTERVAL)
            for name, vehicle in turns:
                try:
                    sketch = sketch_of(world, name, vehicle, self._span, self._known)
                except Exception:  # A behavior of a user's own cannot say.
                    continue
                room -= len(zlib.compress(_json(sketch), 9))
                if room < 0 and self._sketched:
                    break
                self._sketched.add((name, vehicle))
        return self._sketched

    def cut(self, time: float) -> None:
        """Forget the frames after a time [s], where the run has gone back to it."""
        count = bisect.bisect_right(self.times, time)
        del self.times[count:]
        for moments in self.moments.values():
            del moments[count:]
        self.whys = [each for each in self.whys if each[0] <= time]
        self.notes = [each for each in self.notes if each[0] <= time]
        self.events.cut_after(time)
        self.numbers = sum(moment.position.size for moments in self.moments.values() for moment in moments)

    def html(self) -> str:
        """The page with the recording in it."""
        about = {
            "name": self.contents.title.replace(" ", "_"),
            "shows": self.shows,
            "seconds": self.times[-1] - self.times[0],
            "dt": self.dt,
        }
        # Of a population that has left, the picture is as large as it was.
        vehicles = {name: each if len(each) else self._seen.get(name, each) for name, each in self.vehicles.items()}
        contents = dataclasses.replace(self.contents, vehicles=vehicles, frame=self._frame())
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
            "events": self.events.events,
            "notes": [[round(time, 4), json.loads(zlib.decompress(data))] for time, data in self.notes],
            "whys": [
                {"time": round(time, 4), "told": json.loads(zlib.decompress(data))} for time, data, _ in self.whys
            ],
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
        """The view: the picture's own; in a space without end, all places of the run; None where the space has an end."""
        points, d = self._points(), self.contents.dimensions
        limited = np.isfinite(bounds(self.contents.domain, d)[1]).all()
        if self.contents.frame is not None or limited or not len(points):
            return self.contents.frame
        return frame_of(self.contents, [points])

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
        radius = moments[0].radius
        size = _column(lengths_in(self.contents, name, span, radius)) or [0.01 * span]
        wide = widths(radius, self.contents.dimensions, span, to_scale=self.contents.style.to_scale)
        group = {"first": first, "count": count, "ids": moments[0].id.tolist(), "size": size}
        return group if wide is None else {**group, "width": _column(wide)}


def _column(values: Array) -> list[float]:
    """Values of a group, or the one that all of them have."""
    alike = len(values) > 0 and np.ptp(values) <= 1e-6 * np.abs(values).max()
    return _short(values[:1] if alike else values, 6)


def _rounded(value: Any) -> Any:
    """An explanation with three digits of each number: more are not read, and take space."""
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_rounded(each) for each in value]
    return float(f"{value:.3g}") if isinstance(value, float) and math.isfinite(value) else value


def _short(values: Array, digits: int, span: float = np.inf) -> list[float]:
    """Numbers with some digits, which are smaller after compression; of places beyond a span [m], those within the span."""
    far = np.where(np.isfinite(values), np.abs(values, dtype=np.float64) / span, 1.0)
    more = np.ceil(np.log10(np.maximum(far, 1.0))).astype(int)
    return [float(f"{each:.{digits + k}g}") for each, k in zip(values.tolist(), more.tolist(), strict=True)]


def _readable(element: dict[str, Any], span: float) -> dict[str, Any]:
    """An element with its arrays as lists of numbers of four digits."""
    return {
        key: {"f32": _short(np.frombuffer(base64.b64decode(each["f32"]), np.float32), 4, span)}
        if isinstance(each, dict) and "f32" in each
        else each
        for key, each in element.items()
    }


def _json(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), default=lambda each: each.tolist()).encode()


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
    film.expect(seconds)
    film(world)
    film.explain(world)
    for done in range(1, count + 1):
        world.step()
        film.explain(world)
        if done % film.every == 0 or done == count:
            film(world)
        if on_step is not None:
            on_step(done)
    path.write_text(film.html(), encoding="utf-8")
    return path
