"""A recorded run, read back: tables, the track of one vehicle, all vehicles at one time. Only the data in use are read."""

from collections.abc import Sequence
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from steersman.core import extensions
from steersman.core.parameters.guiding import Explained, explained, suggestion
from steersman.core.typing import Array
from steersman.core.world.flows.replayed import Tracks
from steersman.runs.metrics.tabular import SeriesTable, as_pandas, as_polars, as_xarray
from steersman.runs.optional import require_package
from steersman.runs.recording.citing import cite
from steersman.runs.recording.folder import SCENARIO, RunError
from steersman.runs.recording.meta import read_meta
from steersman.runs.recording.moment import Moment, RecordedPopulation
from steersman.runs.recording.reading import (
    WholePart,
    as_codes,
    groups_with,
    read_groups,
    read_metrics,
    read_rows,
    trajectory_parts,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Track(NamedTuple):
    """The track of one vehicle.

    Attributes:
        frame: Numbers of the frames in which it is present, shape (k,).
        time: Their times [s since the start], shape (k,).
        position: Positions [m], shape (k, d).
        velocity: Velocities [m/s], shape (k, d).
    """

    frame: Array
    time: Array
    position: Array
    velocity: Array


class Series(NamedTuple):
    """The readings of a meter.

    Attributes:
        times: Their times [s since the start], shape (k,).
        values: Their values, shape (k,).
        unit: Its unit, "" for a pure number.
    """

    times: Array
    values: Array
    unit: str

    def pandas(self) -> Any:
        """The readings as a Series of pandas, over the time [s]; ImportError where pandas is not installed."""
        return as_pandas({"value": self})["value"]

    def polars(self) -> Any:
        """The readings as a DataFrame of polars, time and value; ImportError where polars is not installed."""
        return as_polars({"value": self})

    def xarray(self) -> Any:
        """The readings as a DataArray of xarray over time; ImportError where xarray is not installed."""
        return as_xarray({"value": self})["value"]


class SeriesByLabel(dict[str, Series], SeriesTable):
    """The readings of all meters, by label."""


@explained
def read_run(folder: str | PathLike[str]) -> "Run":
    """A recorded run: a finished one, one that was killed, or the finished parts of one that goes on.

    Args:
        folder: The folder of the run.

    Raises:
        RunError: There is no run, or a file is missing, damaged or of another run.
        ImportError: pyarrow is not installed.
    """
    return Run(folder)


class Run(metaclass=Explained):
    """A recorded run.

    Args:
        folder: The folder of the run.

    Attributes:
        folder: The folder.
        meta: The content of meta.json: versions, seed, dt, frame_rate, units, populations, columns, state hashes.

    Raises:
        RunError: There is no run, or a file is missing, damaged or of another run.
        ImportError: pyarrow is not installed.
    """

    def __init__(self, folder: str | PathLike[str]) -> None:
        self.folder = Path(folder)
        self.meta = read_meta(self.folder)
        require_package("pyarrow", "steersman[record]")
        self._parts: list[WholePart] = trajectory_parts(self.folder, self.meta)
        self._starts = np.array([part.first for part in self._parts], np.int64)
        self._stage: Any = None

    def __repr__(self) -> str:
        span = f", {self.times[0]:g} to {self.times[-1]:g} s" if self.frames else ""
        return (
            f"Run({str(self.folder)!r}, {self.frames:,} frames{span}, {', '.join(self.populations) or 'no vehicles'})"
        )

    # ----------------------------------------------------------------------------------------------------- contents

    @property
    def frames(self) -> int:
        """The number of frames."""
        return sum(part.frames for part in self._parts)

    @cached_property
    def times(self) -> Array:
        """The times of all frames [s since the start], shape (frames,)."""
        return np.concatenate([np.zeros(0), *(part.times for part in self._parts)])

    @cached_property
    def steps(self) -> Array:
        """Steps since the start at all frames, shape (frames,)."""
        return np.concatenate([np.zeros(0, np.int64), *(part.steps for part in self._parts)])

    @property
    def dimensions(self) -> int:
        """2 or 3."""
        return int(self.meta["dimensions"])

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The columns of the table."""
        return tuple(each["name"] for each in self.meta["columns"])

    @cached_property
    def populations(self) -> tuple[str, ...]:
        """Names of all populations: those at the start, and those that were added later."""
        later = [name for part in self._parts for name in part.populations]
        return tuple(dict.fromkeys([*self.meta["populations"], *later]))

    @property
    def notes(self) -> Any:
        """The notes that were given to `World.record`: a text, or a mapping; "" for none."""
        return self.meta.get("notes", "")

    @property
    def provenance(self) -> dict[str, Any]:
        """Where and by what the run was made; empty for runs of older versions.

        `platform`, `machine`, `processor`, `cores`; `threads` of the world; the `command`; `project`, the `commit` of the
        user's repository and whether it was `dirty`, or None; `own`, the name, module, parameters and source of every
        behavior, body, metric, observer and function that is not of the library; `sources`, the publications of its
        behaviors.
        """
        return dict(self.meta.get("provenance", {}))

    @explained
    def cite(self, style: str = "text") -> str:
        """How to cite the library with this run: its version, Reynolds' paper and those of its behaviors, and the run itself.

        Args:
            style: "text", or "bibtex".
        """
        return cite(self.meta, style)

    # ------------------------------------------------------------------------------------------------ tables

    @explained
    def table(self, columns: Sequence[str] | None = None, *, population: str | None = None) -> Any:
        """The states of all vehicles, one row per vehicle and frame, as an Arrow table.

        Args:
            columns: The columns to read. Default: all; `run.columns` names them.
            population: The population to read. Default: all.

        Raises:
            RunError: A file is damaged.
        """
        import pyarrow as pa
        from pyarrow import compute

        selected = self._chosen_columns(columns)
        needed = selected if population is None else [*selected, "population"]
        parts = [read_groups(each, range(len(each.groups)), list(dict.fromkeys(needed))) for each in self._parts]
        if not parts:
            raise RunError(f"folder {self.folder}: no part of the run is whole yet, so there is nothing to read")
        whole = pa.concat_tables(parts).unify_dictionaries().replace_schema_metadata()
        if population is not None:
            self._check_population(population)
            whole = whole.filter(compute.equal(whole["population"].cast(pa.string()), population))
        return whole.select(selected)

    @explained
    def pandas(self, columns: Sequence[str] | None = None, *, population: str | None = None) -> Any:
        """The same as a DataFrame of pandas; arguments and errors as for `table`."""
        require_package("pandas")
        return self.table(columns, population=population).to_pandas()

    @explained
    def polars(self, columns: Sequence[str] | None = None, *, population: str | None = None) -> Any:
        """The same as a DataFrame of polars; arguments and errors as for `table`."""
        polars = require_package("polars")
        return polars.from_arrow(self.table(columns, population=population))

    @explained
    def xarray(self, population: str | None = None) -> Any:
        """The tracks of a population as a Dataset of xarray.

        It has position and velocity over time, id and axis, and the radius over time and id; NaN where a vehicle is absent.

        Args:
            population: The population. Default: the only one.

        Raises:
            ImportError: xarray is not installed.
            RunError: A file is damaged.
            ValueError: There are several populations, and none is given.
        """
        xarray = require_package("xarray", "steersman[measure]")
        tracks, axes = self.tracks(population), list("xyz"[: self.dimensions])
        ids, column = np.unique(tracks.id, return_inverse=True)
        place = (tracks.frame, column.ravel())
        variables = {}
        for name, unit in (("position", "m"), ("velocity", "m/s"), ("radius", "m")):
            row_values = getattr(tracks, name)
            values = np.full((len(tracks.times), len(ids), *row_values.shape[1:]), np.nan, np.float32)
            values[place] = row_values
            variables[name] = (("time", "id", "axis")[: values.ndim], values, {"units": unit})
        coordinates = {"time": ("time", np.array(tracks.times), {"units": "s"}), "id": ids, "axis": axes}
        return xarray.Dataset(variables, coordinates, {"seed": self.meta["seed"], "run": self.meta["run"]})

    def metrics(self) -> SeriesByLabel:
        """The readings of all meters, by label: `run.metrics()["boids.polarization"].values`, or `run.metrics().pandas()`.

        Raises:
            RunError: A file is damaged.
        """
        result: dict[str, list[tuple[Array, Array]]] = {label: [] for label in self.meta["metrics"]}
        for table in read_metrics(self.folder, self.meta):
            codes, labels = as_codes(table["label"])
            times, values = table["time"].to_numpy(), table["value"].to_numpy()
            for code, label in enumerate(labels):
                result.setdefault(label, []).append((times[codes == code], values[codes == code]))
        units = self.meta["metrics"]
        return SeriesByLabel({label: _series(parts, units.get(label, "")) for label, parts in result.items()})

    def metrics_table(self) -> Any:
        """The readings of all meters as an Arrow table: one row per reading, with time, label and value.

        Raises:
            RunError: A file is damaged.
        """
        import pyarrow as pa

        words = pa.dictionary(pa.int32(), pa.string())
        nothing = pa.schema([("time", pa.float64()), ("label", words), ("value", pa.float64())]).empty_table()
        return pa.concat_tables([nothing, *read_metrics(self.folder, self.meta)]).unify_dictionaries()

    # ------------------------------------------------------------------------------------------------ ways and moments

    @explained
    def path(self, id: int, population: str | None = None) -> Track:
        """The track of one vehicle.

        Args:
            id: Its id.
            population: Its population. Default: the only one.

        Raises:
            ValueError: There are several populations, and none is given.
        """
        name = self._population(population)
        axes = "xyz"[: self.dimensions]
        columns = [*axes, *(f"v{axis}" for axis in axes)]
        frames, times, vectors = [], [], []
        for part in self._parts:
            groups = groups_with(part, id)
            rows, values = self._rows_with(part, groups, id, name, columns)
            k = np.searchsorted(part.ends, rows, side="right")
            frames.append(part.first + k)
            times.append(part.times[k])
            vectors.append(values)
        result = np.concatenate([np.zeros((0, 2 * self.dimensions), np.float32), *vectors])
        if not len(result):
            raise KeyError(f"no vehicle of {name!r} has id {id!r} in this run")
        position, velocity = np.split(result, 2, axis=1)
        return Track(np.concatenate(frames), np.concatenate(times), position, velocity)

    @explained
    def tracks(self, population: str | None = None) -> Tracks:
        """The tracks of all vehicles of a population, for `sm.Replayed`.

        Args:
            population: The population. Default: the only one.

        Raises:
            RunError: A file is damaged.
            ValueError: There are several populations, and none is given.
        """
        name, axes = self._population(population), "xyz"[: self.dimensions]
        columns = ["frame", "id", "radius", *axes, *(f"v{axis}" for axis in axes)]
        table = self.table(columns, population=name)
        frame, ids, radius, *vectors = (table[column].to_numpy() for column in columns)
        order = np.argsort(frame, kind="stable")
        position, velocity = np.split(np.stack(vectors, axis=1)[order], 2, axis=1)
        return Tracks(
            times=self.times,
            frame=frame[order],
            id=ids[order],
            position=position,
            velocity=velocity,
            radius=radius[order],
        )

    def _rows_with(
        self, part: WholePart, groups: Sequence[int], id: int, population: str, columns: Sequence[str]
    ) -> tuple[Array, Array]:
        """The rows of a vehicle in a part, and some columns of them, shape (k, columns)."""
        if not groups:
            return np.zeros(0, np.int64), np.zeros((0, len(columns)), np.float32)
        several = len(self.populations) > 1
        heads = read_groups(part, groups, ["id", "population"] if several else ["id"])
        result = heads["id"].to_numpy() == id
        if several:
            codes, names = as_codes(heads["population"])
            result &= codes == (names.index(population) if population in names else -2)
        rows = np.flatnonzero(result)
        if not len(rows):
            return rows, np.zeros((0, len(columns)), np.float32)
        rows_read = read_groups(part, groups, columns).take(rows)
        sizes = np.diff(part.groups, prepend=0)[list(groups)]
        begins = np.concatenate([[0], part.groups[:-1]])[list(groups)]
        inside = np.searchsorted(np.cumsum(sizes), rows, side="right")
        whole = rows - (np.cumsum(sizes) - sizes)[inside] + begins[inside]
        return whole, np.stack([rows_read[name].to_numpy() for name in columns], axis=1)

    @explained
    def frame(self, number: int) -> Moment:
        """All vehicles at one frame, by population. Only the row groups of the frame are read.

        Args:
            number: The number of the frame, from 0; -1 is the last one.

        Raises:
            IndexError: There is no such frame.
            RunError: A file is damaged.
        """
        k = number + self.frames if number < 0 else number
        if not 0 <= k < self.frames:
            raise IndexError(f"frame must be between 0 and {self.frames - 1}, got {number!r}")
        part = self._parts[int(np.searchsorted(self._starts, k, side="right")) - 1]
        rows = read_rows(part, *part.rows_of(k), self.columns)
        codes, names = as_codes(rows["population"])
        code = {name: code for code, name in enumerate(names)}
        populations = {
            name: self._recorded_population(rows, np.flatnonzero(codes == code.get(name, -2)))
            for name in self.populations
        }
        return Moment(self, k, float(part.times[k - part.first]), int(part.steps[k - part.first]), populations)

    def positions(self, time: float) -> Moment:
        """All vehicles at the frame that is nearest to a time (of two as near, the earlier one).

        Args:
            time: Time since the start [s].

        Raises:
            RunError: There are no frames yet, or a file is damaged.
        """
        if not self.frames:
            raise RunError(f"folder {self.folder}: no part of the run is whole yet, so there are no frames")
        return self.frame(int(np.argmin(np.abs(self.times - time))))

    def _recorded_population(self, rows: Any, which: Array) -> RecordedPopulation:
        """Some of the rows of a frame."""
        column = {name: rows[name] for name in self.columns}
        d = self.dimensions

        def together(*names: str) -> Array:
            return np.stack([column.pop(name).to_numpy()[which] for name in names], axis=1)

        axes = "xyz"[:d]
        position, velocity = together(*axes), together(*(f"v{axis}" for axis in axes))
        forward = together(*(f"forward_{axis}" for axis in axes))
        up = together(*(f"up_{axis}" for axis in axes)) if d == 3 else None
        for name in ("frame", "time", "population"):
            del column[name]
        mode = None
        if "mode" in column:
            codes, names = as_codes(column.pop("mode"))
            mode = np.array([*names, ""], np.str_)[codes[which]]
        own = {name: column.pop(name).to_numpy()[which] for name in ("id", "radius")}
        more = {name: values.to_numpy()[which] for name, values in column.items()}
        return RecordedPopulation(own["id"], position, velocity, forward, up, own["radius"], mode, more)

    # ------------------------------------------------------------------------------------------------ pictures

    def stage(self) -> Any:
        """The scenario of the run at its start: its world, scenery, colors. None where no document could hold it.

        Raises:
            ScenarioError: The document is damaged.
        """
        if self._stage is None and self.meta.get("scenario") == SCENARIO:
            document, lines = extensions.READ_DOCUMENT.function(self.folder / SCENARIO)
            source = str(self.folder / SCENARIO)
            self._stage = extensions.OPEN_STAGE.function(
                document, lines=lines, source=source, folder=self.folder, threads=1
            )
        return self._stage

    def draw(self, time: float, file: str | PathLike[str] | None = None, **about: Any) -> "Axes":
        """Draw the frame nearest to a time, with the scenery of the run.

        Args:
            time: Time since the start [s].
            file: A file to write: PNG, SVG or PDF, as its name ends.
            **about: Other arguments of `sm.draw`.

        Returns:
            The axes.
        """
        return self.positions(time).draw(file, **about)

    @explained
    def video(self, file: str | PathLike[str], *, seconds: float | None = None, **about: Any) -> Path:
        """Write the run as a video, with its scenery; between two frames positions are interpolated (see docs/video.md).

        Args:
            file: The file to write; it ends in .mp4, .webm, .gif or .webp.
            seconds: Length of the run to show, from its beginning [s]. Default: all.
            **about: Other arguments of `World.video`, except sketch.

        Returns:
            The file.

        Raises:
            ImportError: imageio-ffmpeg is not installed.
            ValueError: The file has another ending.
            RunError: A file is damaged.
            OSError: The file cannot be written; a file that was there before is unchanged.
        """
        path: Path = extensions.VIDEO.function(self, file, seconds=seconds, **about)
        return path

    # ------------------------------------------------------------------------------------------------ checks

    def _chosen_columns(self, columns: Sequence[str] | None) -> list[str]:
        for name in columns or ():
            if name not in self.columns:
                raise ValueError(f"columns must be some of the run's, got {name!r}{suggestion(name, self.columns)}")
        return list(self.columns if columns is None else columns)

    def _check_population(self, name: str) -> None:
        if name not in self.populations:
            raise KeyError(f"no population is called {name!r}; there are: {', '.join(self.populations) or 'none'}")

    def _population(self, population: str | None) -> str:
        """The given population, or the only one."""
        if population is not None:
            self._check_population(population)
            return population
        if len(self.populations) != 1:
            raise ValueError(
                f"which population is meant must be said: {', '.join(self.populations) or 'there is none'}"
            )
        return self.populations[0]


def _series(parts: Sequence[tuple[Array, Array]], unit: str) -> Series:
    times, values = (np.concatenate([np.zeros(0), *(part[k] for part in parts)]) for k in (0, 1))
    return Series(times, values, unit)
