"""Tracks as tables and as text: CSV, Parquet, OGC Moving Features JSON, and the floating car data of SUMO.

A row of a table is a vehicle in a frame, with the names that recordings have (docs/recording.md): frame, time, population,
id, x, y, vx, vy, forward_x, forward_y, radius; in space z, too. pandas, polars, PedPy and MovingPandas take these names.
"""

import json
import math
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import chain, islice
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np

from steersman.adapters.frames import Frame, motions_of
from steersman.core.typing import Array
from steersman.runs.optional import require_package

Table = dict[str, Any]


def tables_of(frames: Iterable[Frame]) -> Iterator[Table]:
    """The columns of each frame, by name; the frames are numbered from 0. Those without vehicles are left out."""
    for number, (time, populations) in enumerate(frames):
        some = {name: rows for name, rows in populations.items() if len(rows.id)}
        if not some:
            continue
        d = max(rows.dimensions for rows in populations.values())  # The same in all frames, whoever is there.
        id, position, velocity, matrix, radius = (
            np.concatenate(column) for column in zip(*(rows[1:] for rows in some.values()), strict=True)
        )
        names = np.repeat(np.array([*some], np.str_), [len(rows.id) for rows in some.values()])
        n, axes = len(id), "xyz"[:d]
        table: Table = {"frame": np.full(n, number), "time": np.full(n, time), "population": names, "id": id}
        table |= {axis: position[:, k] for k, axis in enumerate(axes)}
        table |= {f"v{axis}": velocity[:, k] for k, axis in enumerate(axes)}
        table |= {f"forward_{axis}": matrix[:, k, 0] for k, axis in enumerate(axes)}
        yield table | {"radius": radius}


def _first(frames: Iterable[Frame]) -> tuple[Table, Iterator[Table]]:
    """The first table, and all."""
    tables = tables_of(frames)
    first = next(tables, None)
    if first is None:
        raise ValueError("there must be vehicles in some frame; there are none")
    return first, chain([first], tables)


def write_csv(frames: Iterable[Frame], file: Path) -> None:
    """Write a table as text, with all digits: nine for float32, and as many as it takes for float64."""
    first, tables = _first(frames)
    line = ",".join("%.9g" if values.dtype == np.float32 else "%s" for values in first.values()) + "\n"
    with file.open("w", encoding="utf-8", newline="") as out:
        out.write(",".join(first) + "\n")
        for table in tables:
            columns = [*table.values()]
            columns[2] = np.array([_quoted(name) for name in columns[2].tolist()])
            out.writelines(line % row for row in zip(*(each.tolist() for each in columns), strict=True))


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if set(text) & set(',"\r\n') else text


def write_parquet(frames: Iterable[Frame], file: Path) -> None:
    """Write a table in one file of Parquet.

    Raises:
        ImportError: pyarrow is not installed.
    """
    require_package("pyarrow", "steersman[record]")
    import pyarrow as pa
    from pyarrow import parquet

    first, tables = _first(frames)
    with parquet.ParquetWriter(str(file), pa.table(first).schema, compression="zstd") as out:
        while group := list(islice(tables, 1 + 200_000 // len(first["id"]))):
            out.write_table(pa.concat_tables(map(pa.table, group)))


def write_fcd(frames: Iterable[Frame], file: Path) -> None:
    """Write floating car data of SUMO: x and y [m] are the front, angles [degrees] clockwise from north, speeds in m/s.

    A population is the type of its vehicles, and part of their ids (`cars.7`). The front is one radius ahead of the middle.
    """
    vehicle = '        <vehicle id=%s x="%.3f" y="%.3f"%s angle="%.2f" type=%s speed="%.3f"/>\n'
    with file.open("w", encoding="utf-8") as out:
        out.write('<?xml version="1.0" encoding="UTF-8"?>\n<fcd-export>\n')
        for time, populations in frames:
            shown = np.format_float_positional(time, trim="k", min_digits=3)  # A short step takes more.
            out.write(f'    <timestep time="{shown}">\n')
            for name, rows in populations.items():
                forward = rows.matrix[:, :, 0]
                front = rows.position + rows.radius[:, None] * forward
                angle = np.degrees(np.arctan2(forward[:, 0], forward[:, 1])) % 360
                speed, kind = np.linalg.norm(rows.velocity, axis=1), quoteattr(name)
                heights = [f' z="{z:.3f}"' if rows.dimensions == 3 else "" for z in front[:, 2].tolist()]
                columns = (rows.id.tolist(), front.tolist(), heights, angle.tolist(), speed.tolist())
                out.writelines(
                    vehicle % (quoteattr(f"{name}.{id}"), x, y, z, turn, kind, fast)
                    for id, (x, y, _), z, turn, fast in zip(*columns, strict=True)
                )
            out.write("    </timestep>\n")
        out.write("</fcd-export>\n")


def write_moving_features(
    frames: Iterable[Frame], file: Path, *, begins: str = "2000-01-01T00:00:00+00:00", crs: str = "local, in meters"
) -> None:
    """Write OGC Moving Features JSON (19-045r3): a MovingPoint for each vehicle, with its speed [m/s].

    Interpolation is linear, and "Discrete" for a vehicle that jumps, as one does that crosses the seam of a torus. Vehicles
    of a single frame are left out: MovingPandas refuses the whole file for a trajectory of one point.

    Args:
        frames: The frames.
        file: The file.
        begins: The moment of time 0, as ISO 8601 says it; without a zone UTC is meant.
        crs: The name of the coordinate reference system, such as "urn:ogc:def:crs:EPSG::25832".

    Raises:
        ValueError: `begins` is no moment.
    """
    every = list(frames)
    flat = all(rows.dimensions == 2 for frame in every for rows in frame.populations.values())
    start = datetime.fromisoformat(begins)
    if start.tzinfo is None:
        start = start.replace(tzinfo=UTC)
    features = []
    for name, motion in motions_of(every).items():
        moments: Array = np.array([_moment(start, time) for time in motion.times.tolist()])
        speed = np.linalg.norm(motion.velocity, axis=-1)
        jumped: Array = np.asarray(motion.jumped.any(axis=0))
        for column, id in enumerate(motion.id.tolist()):
            there = motion.there[:, column]
            if there.sum() < 2:
                continue
            when = moments[there].tolist()
            point = {
                "type": "MovingPoint",
                "datetimes": when,
                "coordinates": rounded(motion.position[there, column, : 2 if flat else 3]),
                "interpolation": "Discrete" if jumped[column] else "Linear",
            }
            fast = {
                "type": "Measure",
                "form": "MTS",
                "values": rounded(speed[there, column]),
                "interpolation": "Linear",
            }
            about = {"population": name, "id": id, "vehicle": f"{name}.{id}", "radius": rounded(motion.radius[column])}
            features.append(
                {
                    "type": "Feature", "properties": about, "temporalGeometry": point,
                    "temporalProperties": [{"datetimes": when, "speed": fast}],
                }
            )  # fmt: skip
    system = {"type": "Name", "properties": {"name": crs}}
    clock = {"type": "Name", "properties": {"name": "urn:ogc:data:time:iso8601"}}
    whole = {"type": "FeatureCollection", "crs": system, "trs": clock, "features": features}
    file.write_text(json.dumps(whole), encoding="utf-8")


def _moment(start: datetime, seconds: float) -> str:
    moment = start + timedelta(microseconds=math.floor(seconds * 1e6 + 0.5))
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")


def rounded(values: Array) -> Any:
    """Numbers for texts, to a tenth of a millimeter."""
    return np.asarray(values, np.float64).round(4).tolist()
