"""Recording a world: an observer that copies frames, and passes them to a thread that writes them.

The copy is taken between two steps, and does not change the world. If the disk is too slow, the world waits; no frame is left
out. If writing fails, the run gets an error, and the parts that were written before stay.
"""

import contextlib
import math
import os
import platform
import secrets
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from steersman.core import extensions
from steersman.core.kernels.signals import deferred_signals
from steersman.core.parameters.brief import brief
from steersman.core.parameters.guiding import Explained
from steersman.core.world.observers import EverySeconds, EverySteps, Trigger
from steersman.core.world.population import Population
from steersman.core.world.state_hash import state_hash
from steersman.core.world.world import World
from steersman.core.world.writing import NoDocumentError, to_document
from steersman.runs.metrics.meters import Meter
from steersman.runs.metrics.watching import as_trigger
from steersman.runs.recording.buffer import Buffer
from steersman.runs.recording.capture import FrameCapture, chosen_of, modes_in
from steersman.runs.recording.columns import columns_of
from steersman.runs.recording.folder import KIND, SCENARIO, SNAPSHOTS, Lock, RunError, clear, open_folder, reopen_folder
from steersman.runs.recording.meta import read_meta, write_meta
from steersman.runs.recording.moment import Moment
from steersman.runs.recording.parts import get_ready, require
from steersman.runs.recording.provenance import as_notes, provenance
from steersman.runs.recording.query import as_column_requests
from steersman.runs.recording.run import read_run
from steersman.runs.recording.truncation import end_at, rewound
from steersman.runs.recording.writer import Cut, Writer

LENGTH = "length"
"""The column that is recorded unasked where bodies are longer than wide."""

EVERY = 0.1
"""Default time between two frames [s]."""

PART_ROWS, PART_FRAMES, PART_SECONDS = 1_000_000, 50_000, 30.0
"""Limits of a part: it ends at this number of rows or frames, or after this time [s]."""

HASHES = 1000
"""Largest number of state hashes; beyond it every other one is dropped, and later ones are taken half as often."""

Keep = Callable[[World], object]
"""Called with the world when all frames up to now are in whole parts."""


class RecordingError(RuntimeError):
    """A recording has failed; the message gives the reason and the number of whole frames. The world itself may go on."""


class _Known(NamedTuple):
    """A meter, and how many of its readings are recorded."""

    meter: Meter
    done: int


class NotRecorded:
    """The placeholder for a recording in the copy of a world: two worlds never write into one folder."""

    def __call__(self, world: World) -> None:
        """Nothing."""


class Recording(metaclass=Explained):
    """The recording of a world. `World.record` starts it.

    As a context manager it ends with the block, also at an exception or Ctrl-C. Otherwise it ends with `close`, with the
    world, or with the program.

    Args:
        world: The world. It is observed from now on.
        folder: The folder of the run.
        meta: The content of meta.json.
        capture: Takes the frames.
        when: The trigger of the frames.
        lock: The lock of the folder.
        keep: A function that is called with the world regularly, when all frames up to now are in whole parts.
        keep_every: Frames between two calls of `keep`.

    Attributes:
        folder: The folder of the run.
        frames: Frames taken so far.
    """

    def __init__(
        self,
        world: World,
        folder: Path,
        meta: dict[str, Any],
        capture: FrameCapture,
        when: Trigger,
        lock: Lock,
        *,
        keep: Keep | None = None,
        keep_every: int = 1000,
    ) -> None:
        self.folder, self.frames = folder, meta["frames"]
        self._capture, self._lock, self._keep, self._keep_every = capture, lock, keep, keep_every
        self._hashes: dict[int, str] = {int(step): each for step, each in meta["state_hashes"].items()}
        self._hash_every = meta["hash_every"]
        self._buffer = Buffer()
        columns = columns_of(meta["dimensions"], capture.queries, capture.modes)
        self._writer = Writer(folder, meta, columns, self._buffer, self.frames)
        self._meters: dict[int, _Known] = {}
        self._rows = self._open_frames = 0
        self._began, self._process = time.monotonic(), os.getpid()
        self._cut_last = self._closed = self._warned = False
        self._world = weakref.ref(world)
        get_ready(meta["format"])
        self._writer.thread.start()
        counting = capture.unwrapping
        self._uncount = None if counting is None else world.on_step(counting, EverySteps(1))
        self._unobserve = world.on_step(self, when)
        self._finalizer = weakref.finalize(world, Recording.close, self)

    def __repr__(self) -> str:
        state = "closed" if self._closed else "open"
        return f"Recording({str(self.folder)!r}, {self.frames:,} frames, {self.bytes:,} bytes, {state})"

    def __reduce__(self) -> tuple[Any, ...]:
        return NotRecorded, ()

    def __enter__(self) -> "Recording":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    @property
    def bytes(self) -> int:
        """Size of all whole parts on the disk [bytes]."""
        return self._writer.bytes

    @property
    def error(self) -> BaseException | None:
        """The error that stopped the writing; None without an error."""
        return self._buffer.error

    @property
    def closed(self) -> bool:
        """Whether the recording has ended."""
        return self._closed

    def __call__(self, world: World) -> None:
        """Take a frame now.

        Raises:
            RecordingError: Writing has failed. The recording has ended.
        """
        if self._cut_last or os.getpid() != self._process:
            return
        try:
            with deferred_signals():  # A frame is taken whole or not at all.
                keep_due = self._take(world)
        except Exception:
            self._end()
            raise
        self._buffer.wait()
        self._check()
        if keep_due and self._keep is not None:
            self.flush()
            self._keep(world)

    def flush(self) -> None:
        """Wait until all frames up to now are in whole parts.

        Raises:
            RecordingError: Writing has failed.
        """
        world = self._world()
        if self._cut_last or world is None or os.getpid() != self._process:
            return
        if self._open_frames:
            self._cut(world)
        self._buffer.wait(empty=True)
        self._check()

    def close(self) -> None:
        """End the recording: all frames are written, and the folder is unlocked. Further calls have no effect.

        Raises:
            RecordingError: Writing has failed, and the error has not been raised yet.
        """
        if self._closed or os.getpid() != self._process:
            return
        self._end()
        self._check()

    # ------------------------------------------------------------------------------------------------ inside

    def _take(self, world: World) -> bool:
        """Take a frame, and end the part where it is time to; returns whether `keep` is due."""
        frame = self._capture.take(world, self.frames)
        keeps = self._keep is not None and self.frames > 0 and self.frames % self._keep_every == 0
        if self.frames % self._hash_every == 0:
            self._note_hash(world)
        self._notice_meters(world)
        self.frames += 1
        self._rows += frame.rows
        self._open_frames += 1
        self._buffer.put(frame, frame.size)
        late = time.monotonic() - self._began > PART_SECONDS
        if keeps or late or self._rows >= PART_ROWS or self._open_frames >= PART_FRAMES:
            self._cut(world)
        return keeps

    def _cut(self, world: World | None, *, last: bool = False) -> None:
        """End the part."""
        about: dict[str, Any] = {"state_hashes": dict(self._hashes), "hash_every": self._hash_every}
        if world is not None:
            self._notice_meters(world)
        about["metrics"] = {each.meter.label: each.meter.unit for each in self._meters.values()}
        if last:
            about["closed"] = True
            if world is not None:
                about["end"] = {"step": world.steps, "time": world.time, "state_hash": state_hash(world)}
        self._buffer.put(Cut(self._readings(), about, last))
        self._rows = self._open_frames = 0
        self._began = time.monotonic()

    def _note_hash(self, world: World) -> None:
        self._hashes[world.steps] = state_hash(world)
        if len(self._hashes) > HASHES:
            self._hash_every *= 2
            self._hashes = dict(list(self._hashes.items())[::2])

    def _notice_meters(self, world: World) -> None:
        """Register all present meters; a meter that is stopped later is still recorded to its end."""
        for meter in () if world.meters is None else world.meters.values():
            if id(meter) not in self._meters:
                self._meters[id(meter)] = _Known(meter, 0)

    def skip_readings(self, world: World) -> None:
        """Treat all readings up to now as recorded."""
        self._notice_meters(world)
        self._meters = {key: _Known(each.meter, each.meter.count) for key, each in self._meters.items()}

    def _readings(self) -> dict[str, tuple[Any, Any]]:
        """The readings since the last call, by label."""
        series: dict[str, tuple[Any, Any]] = {}
        for key, (meter, done) in self._meters.items():
            if meter.count > done:
                times, values = meter.since(done)
                if meter.label in series:  # Of a meter of this label that was stopped.
                    before = series[meter.label]
                    times, values = np.concatenate([before[0], times]), np.concatenate([before[1], values])
                series[meter.label] = times, values
                self._meters[key] = _Known(meter, meter.count)
        return series

    def _end(self) -> None:
        self._unobserve()
        if self._uncount is not None:
            self._uncount()
        self._finalizer.detach()
        if not self._cut_last:
            with deferred_signals():
                self._cut_last = True
                self._cut(self._world(), last=True)
        self._writer.thread.join()
        self._closed = True
        self._lock.release()

    def _check(self) -> None:
        """Raise the error of the writer, once."""
        error = self._buffer.error
        if error is None or self._warned:
            return
        self._warned = True
        self._end()
        number = getattr(error, "errno", None)
        reason = os.strerror(number) if number else str(error) or type(error).__name__
        raise RecordingError(
            f"recording into {self.folder} has failed: {reason}; "
            f"{self._writer.frames:,} of {self.frames:,} frames are whole there, and can be read"
        ) from error


def record(
    world: World,
    folder: "str | os.PathLike[str]",
    *,
    every: Any = EVERY,
    columns: Sequence[str] = (),
    populations: Sequence[str | Population] | None = None,
    format: str = "parquet",
    force: bool = False,
    notes: Any = "",
    document: Callable[[], tuple[Mapping[str, Any], Sequence[str]]] | None = None,
    keep: Keep | None = None,
    keep_every: int = 1000,
) -> Recording:
    """Record a world from now on; see `World.record`.

    Args:
        world: The world.
        folder: The folder of the run.
        every: Time between frames [s], or a trigger.
        columns: Additional columns.
        populations: The populations to record. Default: all, later ones included.
        format: "parquet" or "csv".
        force: Whether to replace the run that is in the folder.
        notes: A text, or names with texts and numbers, that is kept with the run.
        document: Returns the document of the world, and the labels of metrics that are not in it. Default: its own.
        keep: Called with the world after every `keep_every` frames, when all of them are in whole parts: to save a snapshot,
            from which `resume` goes on.
        keep_every: Frames between two calls.
    """
    require(format)
    when, notes = as_trigger(every), as_notes(notes)
    names = None if populations is None else _names(world, populations)
    chosen = chosen_of(world, names)
    dimensions = max((each.vehicles.dimensions for each in chosen), default=world.domain.dimensions or 2)
    requests = as_column_requests(chosen, columns)
    if LENGTH not in columns and any((each.vehicles.length > 2 * each.vehicles.radius).any() for each in chosen):
        columns = [*columns, LENGTH]  # Pictures of capsules need it.
        requests = as_column_requests(chosen, columns)
    capture = FrameCapture(names, dimensions, requests, any(modes_in(each) is not None for each in chosen))
    written, left_out, why = _document(world, document)
    path = Path(folder)
    lock = open_folder(path, force=force)
    try:
        meta = {
            **_about(world, when, capture),
            "format": format,
            "asked": {"columns": list(columns), "populations": names},
            "scenario": None if written is None else SCENARIO,
            "no_scenario": why or None,
            "left_out": list(left_out),
            "notes": notes,
            "provenance": provenance(world),
        }
        write_meta(path, meta)
        if written is not None:
            extensions.SAVE_DOCUMENT.function(written, path / SCENARIO, head=_head(meta))
        if keep is not None:
            (path / SNAPSHOTS).mkdir()
        recording = Recording(world, path, meta, capture, when, lock, keep=keep, keep_every=keep_every)
    except BaseException as error:  # Also Ctrl-C: importing pyarrow takes a while.
        with contextlib.suppress(OSError):
            clear(path)  # A folder with a part of a run would be refused the next time.
        lock.release()
        if isinstance(error, OSError):
            raise RunError(f"folder {path}: cannot be written to: {error.strerror or error}") from None
        raise
    recording(world)
    return recording


def resume(
    world: World,
    folder: "str | os.PathLike[str]",
    *,
    every: Any = None,
    keep: Keep | None = None,
    keep_every: int = 1000,
) -> Recording:
    """Continue the recording of a run in its folder from the present step of the world; later parts are dropped.

    Args:
        world: The world, as it was after the last frame of some part.
        folder: The folder of the run.
        every: Time between frames [s], or a trigger. Default: as before.
        keep: As for `record`.
        keep_every: As for `record`.

    Raises:
        RunError: There is no such run, it is being recorded, no part ends at this step, or the last frame of that part is of
            another world. The folder is as it was.
    """
    path = Path(folder)
    lock = reopen_folder(path)
    try:
        meta = read_meta(path)
        require(meta["format"])
        names, columns = meta["asked"]["populations"], meta["asked"]["columns"]
        requests = as_column_requests(chosen_of(world, names), columns)
        capture = FrameCapture(
            names, meta["dimensions"], requests, any(each["name"] == "mode" for each in meta["columns"])
        )
        when = _as_before(meta["every"]) if every is None else as_trigger(every)
        part = meta["parts"][end_at(path, meta, world.steps)]
        last = read_run(path).frame(part["first"] + part["frames"] - 1)
        _check_same(world, names, last, path)
        if capture.unwrapping is not None:
            capture.unwrapping.restore(world, last)
        began = {"step": world.steps, "provenance": provenance(world)}
        meta = rewound(path, world.steps)
        meta.setdefault("resumed", []).append(began)
        recording = Recording(world, path, meta, capture, when, lock, keep=keep, keep_every=keep_every)
    except BaseException:
        lock.release()
        raise
    recording.skip_readings(world)
    return recording


def _check_same(world: World, names: Sequence[str] | None, last: Moment, folder: Path) -> None:
    """Raise RunError where a world is not as it was at the last frame of a run."""
    here = {each.name: each.vehicles for each in chosen_of(world, names) if len(each.vehicles)}
    there = {name: each for name, each in last.items() if len(each)}
    for name in dict.fromkeys([*there, *here]):
        now, was = here.get(name), there.get(name)
        if (
            now is None
            or was is None
            or not np.array_equal(was.id, now.id)
            or not np.array_equal(was.position[:, : now.dimensions], now.position.astype(np.float32))
        ):
            raise RunError(
                f"folder {folder}: the recording is of another world: at step {last.step} the vehicles of {name!r} are "
                "other ones there, or in other places; a recording goes on with the world as it was after that step"
            )


def _as_before(every: Mapping[str, Any]) -> Trigger:
    """The trigger that a run had."""
    if "steps" in every:
        return EverySteps(every["steps"])
    if "seconds" in every:
        return EverySeconds(every["seconds"])
    raise RunError("every must be given: the run was recorded by a trigger of its own")


def _names(world: World, populations: Sequence[str | Population]) -> list[str]:
    if not isinstance(populations, (list, tuple)):
        raise TypeError(f"populations must be a list of names, got {brief(populations)}")
    names = [each.name if isinstance(each, Population) else each for each in populations]
    for name in names:
        _ = world[name]  # Says which populations there are.
    return names


def _document(world: World, write: Any) -> tuple[Mapping[str, Any] | None, Sequence[str], str]:
    """The document of a world or None, the metrics that are not in it, and the reason why there is no document."""
    left_out: list[str] = []
    try:
        if write is not None:
            return *write(), ""
        return to_document(world, left_out=left_out), left_out, ""
    except NoDocumentError as error:
        return None, [], str(error)


def _about(world: World, when: Trigger, capture: FrameCapture) -> dict[str, Any]:
    """The content of meta.json at the start."""
    every: dict[str, Any] = {}
    period = math.nan
    if isinstance(when, EverySteps):
        every, period = {"steps": when.steps}, when.steps * world.dt
    elif isinstance(when, EverySeconds):
        every, period = {"seconds": when.seconds}, max(when.seconds, world.dt)
    columns = columns_of(capture.dimensions, capture.queries, capture.modes)
    packages = ("numpy", "numba", "pyarrow")
    versions = {name: _version(name) for name in ("steersman", *packages)}
    return {
        "kind": KIND,
        "version": 1,
        "run": secrets.token_hex(8),
        "versions": {**versions, "python": platform.python_version()},
        "begun": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "seed": world.seed,
        "dt": world.dt,
        "first_step": world.steps,
        "first_time": world.time,
        "every": every,
        "frame_rate": None if math.isnan(period) else 1 / period,
        "dimensions": capture.dimensions,
        "populations": {each.name: len(each.vehicles) for each in chosen_of(world, capture.names)},
        "columns": [
            {"name": each.name, "unit": each.unit, "doc": each.doc, "type": each.type}
            for each in columns
        ],
        "units": {each.name: each.unit for each in columns if each.unit},
        "frames": 0,
        "parts": [],
        "metric_parts": [],
        "metrics": {},
        "hash_every": 100,
        "state_hashes": {},
        "closed": False,
        "end": None,
    }  # fmt: skip


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _head(meta: Mapping[str, Any]) -> str:
    lines = [f"Recorded by steersman {meta['versions']['steersman']} from step {meta['first_step']} on."]
    if meta["left_out"]:
        lines.append(f"Not in it are metrics that are Python functions: {', '.join(meta['left_out'])}")
    return "".join(f"# {line}\n" for line in lines) + "\n"
