"""Columns of the table of a run, and the conversion of frames to them. Floats are float32, also for float64 worlds."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from steersman.core.typing import Array
from steersman.runs.recording.frame import Frame, Rows
from steersman.runs.recording.query import ColumnRequest

SINGLE = np.dtype(np.float32)
WORDS = np.dtype(np.str_)


class Column(NamedTuple):
    """A column of the table.

    Attributes:
        name: Its name.
        kind: The NumPy type of its values; str for texts.
        unit: Its unit, "" for none.
        doc: A description.
    """

    name: str
    kind: "np.dtype[Any]"
    unit: str = ""
    doc: str = ""

    @property
    def type(self) -> str:
        """The name of its type in meta.json."""
        return "text" if self.kind == WORDS else self.kind.name


METRIC_COLUMNS = (
    Column("time", np.dtype(np.float64), "s", "time since the start"),
    Column("label", WORDS, "", "name of the meter"),
    Column("value", np.dtype(np.float64), "", "what was read; its unit is that of the meter"),
)
"""The columns of the table of readings."""


class Coded(NamedTuple):
    """A column of a few different texts: each row has the number of its text, -1 for none."""

    codes: Array
    texts: list[str]

    def as_texts(self) -> list[str]:
        """One text a row, "" for none."""
        texts = [*self.texts, ""]
        return [texts[code] for code in self.codes.tolist()]


def columns_of(dimensions: int, queries: Sequence[ColumnRequest], modes: bool) -> list[Column]:
    """The columns of a table."""
    axes = "xyz"[:dimensions]
    table = [
        Column("frame", np.dtype(np.int32), "", "number of the frame, from 0"),
        Column("time", np.dtype(np.float64), "s", "time since the start"),
        Column("id", np.dtype(np.int64), "", "name of the vehicle, within its population"),
        Column("population", WORDS, "", "name of the population"),
        *(Column(axis, SINGLE, "m", "position") for axis in axes),
        *(Column(f"v{axis}", SINGLE, "m/s", "velocity") for axis in axes),
    ]
    table += [Column(f"forward_{axis}", SINGLE, "", "unit vector the vehicle faces") for axis in axes]
    table += [Column(f"up_{axis}", SINGLE, "", "unit vector upwards") for axis in axes if dimensions == 3]
    table.append(Column("radius", SINGLE, "m", "bounding radius"))
    if modes:
        table.append(Column("mode", WORDS, "", "mode of the outermost Modes"))
    return table + [Column(name, each.kind, each.unit, each.word) for each in queries for name in each.names]


def as_columns(frames: Sequence[Frame], table: Sequence[Column], dimensions: int) -> dict[str, Array | Coded]:
    """Frames as columns of a table.

    Args:
        frames: The frames.
        table: The columns to make.
        dimensions: Those of the table, 2 or 3; vehicles in the plane have z = 0 in a table of 3.
    """
    every_rows = [rows for frame in frames for rows in frame.populations]
    counts = [len(rows.id) for rows in every_rows]
    each = [frame.rows for frame in frames]
    names = list(dict.fromkeys(rows.population for rows in every_rows))
    place = {name: k for k, name in enumerate(names)}
    columns: dict[str, Array | Coded] = {
        "frame": np.repeat(np.array([frame.number for frame in frames], np.int32), each),
        "time": np.repeat(np.array([frame.time for frame in frames], np.float64), each),
        "id": _joined([rows.id for rows in every_rows], np.dtype(np.int64)),
        "population": Coded(
            np.repeat(np.array([place[rows.population] for rows in every_rows], np.int32), counts), names
        ),
        "radius": _joined([rows.radius for rows in every_rows], SINGLE),
        **_vectors(every_rows, dimensions),
    }
    for column in table:
        if column.name == "mode":
            columns["mode"] = _modes(every_rows, counts)
        elif column.name not in columns:
            parts = [_or_nan(rows.extra.get(column.name), len(rows.id), column.kind) for rows in every_rows]
            columns[column.name] = _joined(parts, column.kind)
    return {column.name: columns[column.name] for column in table}


def _joined(parts: Sequence[Array], kind: "np.dtype[Any]") -> Array:
    return np.concatenate([np.zeros(0, kind), *parts], dtype=kind)


def _or_nan(values: Array | None, n: int, kind: "np.dtype[Any]") -> Array:
    return np.full(n, np.nan, kind) if values is None else values


def _vectors(every_rows: Sequence[Rows], dimensions: int) -> dict[str, Array]:
    """Position, velocity and orientation."""
    blocks = [rows.vectors if rows.dimensions == dimensions else _in_space(rows.vectors) for rows in every_rows]
    height = 6 if dimensions == 2 else 12
    whole = np.concatenate([np.zeros((height, 0), SINGLE), *blocks], axis=1, dtype=SINGLE)
    axes = "xyz"[:dimensions]
    names = [lead + axis for lead in ("", "v", "forward_", "up_")[: dimensions + 1] for axis in axes]
    return dict(zip(names, whole, strict=True))


def _in_space(plane: Array) -> Array:
    """Positions, velocities and forward vectors in the plane, as vectors in space with z = 0, and up along z."""
    space = np.zeros((12, plane.shape[1]), plane.dtype)
    for k in range(3):
        space[3 * k : 3 * k + 2] = plane[2 * k : 2 * k + 2]
    space[11] = 1
    return space


def _modes(every_rows: Sequence[Rows], counts: Sequence[int]) -> Coded:
    """Modes by name. Vehicles before their first step are in the initial mode."""
    known = dict.fromkeys(name for rows in every_rows if rows.modes for name in rows.modes.names.values())
    place = {name: k for k, name in enumerate(known)}
    parts = []
    for rows, n in zip(every_rows, counts, strict=True):
        codes = np.full(n, -1, np.int32)
        if rows.modes is not None:
            start = next(iter(rows.modes.names.values()))
            codes[:] = place[start]
            for number, name in rows.modes.names.items():
                codes[rows.modes.mode == number] = place[name]
        parts.append(codes)
    return Coded(_joined(parts, np.dtype(np.int32)), list(place))
