"""The writer: a thread that turns frames into parts, and keeps meta.json up to date with those that are whole."""

import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from steersman.runs.recording.buffer import Buffer
from steersman.runs.recording.columns import METRIC_COLUMNS, Coded, Column, as_columns
from steersman.runs.recording.folder import METRICS, TRAJECTORY, part_name
from steersman.runs.recording.frame import Frame
from steersman.runs.recording.meta import write_meta
from steersman.runs.recording.parts import Part, file_entry, new_part, packed

GROUP_ROWS, GROUP_FRAMES = 131_072, 4096
"""Limits of a row group: it is written at this number of rows or frames."""


class Cut(NamedTuple):
    """The end of a part.

    Attributes:
        readings: The readings since the last cut: times, values and labels, in order.
        about: The new content of meta.json.
        last: Whether it is the last cut.
    """

    readings: dict[str, tuple[Any, Any]]
    about: dict[str, Any]
    last: bool = False


class Writer:
    """Writes the frames and cuts of a buffer.

    Args:
        folder: The folder of the run.
        meta: The content of meta.json.
        columns: The columns of the table.
        buffer: The source of frames and cuts.
        frames: The number of frames that are in parts already.

    Attributes:
        frames: Frames in whole parts.
        bytes: Size of all whole parts.
    """

    def __init__(
        self, folder: Path, meta: dict[str, Any], columns: Sequence[Column], buffer: Buffer, frames: int = 0
    ) -> None:
        self.folder, self.meta, self.columns, self.buffer = folder, meta, columns, buffer
        self.frames = frames
        self.bytes: int = sum(part["bytes"] for part in (*meta["parts"], *meta["metric_parts"]))
        self._number, self._reading = len(meta["parts"]), len(meta["metric_parts"])
        self._part: Part | None = None
        self._frames: list[Frame] = []
        self._waiting = self._size = 0
        self._steps: list[int] = []
        self._times: list[float] = []
        self._rows: list[int] = []
        self._names: dict[str, None] = {}
        self.thread = threading.Thread(target=self._work, name="steersman recording", daemon=True)

    def _work(self) -> None:
        try:
            last = False
            while not last:
                item = self.buffer.take()
                if isinstance(item, Frame):
                    self._add(item)
                else:
                    self._write_group()
                    self._finish(item)
                    self.buffer.done(1, 0)
                    last = item.last
        except BaseException as error:  # Whatever it is, the run must hear of it.
            if self._part is not None:
                self._part.abandon()
            self.buffer.fail(error)

    def _add(self, frame: Frame) -> None:
        self._frames.append(frame)
        self._waiting += frame.rows
        self._size += frame.size
        many = self._waiting >= GROUP_ROWS or len(self._frames) >= GROUP_FRAMES
        if many or self._size > self.buffer.limit // 4:
            self._write_group()

    def _write_group(self) -> None:
        """Write the waiting frames as a row group."""
        if not self._frames:
            return
        if self._part is None:
            self._part = new_part(self.folder / TRAJECTORY, self._number, self.meta["format"], self.columns)
        if self._waiting:
            self._part.add(as_columns(self._frames, self.columns, self.meta["dimensions"]))
        for frame in self._frames:
            self._steps.append(frame.step)
            self._times.append(frame.time)
            self._rows.append(frame.rows)
            self._names |= dict.fromkeys(rows.population for rows in frame.populations)
        dealt, size = len(self._frames), self._size
        self._frames, self._waiting, self._size = [], 0, 0
        self.buffer.done(dealt, size)

    def _finish(self, cut: Cut) -> None:
        """Make the part whole, then list it in meta.json."""
        self._write_readings(cut.readings)
        if self._part is not None:
            about = {"run": self.meta["run"], "part": self._number, "first": self.frames, "frames": len(self._steps)}
            about["populations"] = list(self._names)
            whole = {"steps": packed(np.array(self._steps, np.int64)), "times": packed(np.array(self._times))}
            footer = self._part.finish({**about, **whole, "rows": packed(np.array(self._rows, np.int64))})
            self._list({**about, **footer})
            self._part, self._names = None, {}
            self.frames += len(self._steps)
            self._number += 1
            self._steps, self._times, self._rows = [], [], []
        self.meta |= {**cut.about, "frames": self.frames, "written": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}
        write_meta(self.folder, self.meta)

    def _list(self, about: dict[str, Any]) -> None:
        """Note a whole part, with the metadata that its file cannot hold."""
        path = self.folder / TRAJECTORY / part_name(self._number, self.meta["format"])
        rows, steps = sum(self._rows), self._steps
        entry = {"first": about["first"], "frames": about["frames"], "rows": rows, **file_entry(path)}
        entry["readings"] = self._reading
        if "said" in about:
            entry["said"] = about["said"]
        self.meta["parts"].append(
            entry | {"first_step": steps[0], "last_step": steps[-1], "last_time": self._times[-1]}
        )
        self.bytes += entry["bytes"]

    def _write_readings(self, readings: dict[str, tuple[Any, Any]]) -> None:
        """Write readings as a part of their own, before the part of the frames gets its final name."""
        if not readings:
            return
        folder = self.folder / METRICS
        folder.mkdir(exist_ok=True)
        part = new_part(folder, self._reading, self.meta["format"], METRIC_COLUMNS)
        try:
            counts = [len(times) for times, _ in readings.values()]
            times, values = (np.concatenate([each[k] for each in readings.values()]) for k in (0, 1))
            codes = np.repeat(np.arange(len(readings), dtype=np.int32), counts)
            part.add({"time": times, "label": Coded(codes, list(readings)), "value": values})
            part.finish({"run": self.meta["run"], "part": self._reading})
        except BaseException:
            part.abandon()
            raise
        path = folder / part_name(self._reading, self.meta["format"])
        entry = file_entry(path)
        self.meta["metric_parts"].append(entry)
        self.bytes += entry["bytes"]
        self._reading += 1
