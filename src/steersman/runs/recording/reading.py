"""Reading parts: each is checked as it is read, against its entry in meta.json and the checksums of its pages."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from steersman.core.typing import Array
from steersman.runs.recording.columns import METRIC_COLUMNS
from steersman.runs.recording.csv_reading import CsvText, check_entry, column_entries
from steersman.runs.recording.folder import META, METRICS, TRAJECTORY, RunError, part_name, parts_in
from steersman.runs.recording.parts import KEY, unpacked


class WholePart(NamedTuple):
    """A part that is whole.

    Attributes:
        path: The file.
        first: The number of its first frame.
        steps: Steps since the start, of each frame, shape (frames,).
        times: Time since the start [s], shape (frames,).
        ends: Rows up to and with each frame, shape (frames,).
        groups: Rows up to and with each row group, shape (groups,).
        populations: Names of the populations in it.
        about: The metadata of a Parquet file; the text of a CSV file.
    """

    path: Path
    first: int
    steps: Array
    times: Array
    ends: Array
    groups: Array
    populations: list[str]
    about: Any

    @property
    def frames(self) -> int:
        """The number of frames."""
        return len(self.times)

    def rows_of(self, number: int) -> tuple[int, int]:
        """The first row of a frame of the run, and the first one after it."""
        k = number - self.first
        return (int(self.ends[k - 1]) if k else 0), int(self.ends[k])


def _numbers(listed: Sequence[Any], files: Iterable[int]) -> range:
    """The numbers of the parts that there must be: all that are listed, and all up to the last file."""
    return range(max(len(listed), max(files, default=-1) + 1))


def trajectory_parts(folder: Path, meta: Mapping[str, Any]) -> list[WholePart]:
    """The whole parts of a run, in order.

    Raises:
        RunError: One is missing, damaged, or of another run.
    """
    listed, files = meta["parts"], parts_in(folder / TRAJECTORY)
    if meta["format"] == "csv":
        return _csv_parts(folder, meta)
    for number in _numbers(listed, files):
        if number not in files:
            raise RunError(f"{folder / TRAJECTORY / part_name(number, 'parquet')}: is missing")
    parts: list[WholePart] = []
    first = 0
    for number, path in files.items():
        part = whole_part(path, number, meta["run"], first)
        if number < len(listed):  # One that was just finished when the run was killed is not listed yet.
            known = listed[number]
            rows = int(part.ends[-1]) if part.frames else 0
            check_entry(path, known)
            if (known["first"], known["frames"], known["rows"]) != (first, part.frames, rows):
                raise RunError(f"{path}: is not the part that {META} tells of")
        parts.append(part)
        first += part.frames
    return parts


def _csv_parts(folder: Path, meta: Mapping[str, Any]) -> list[WholePart]:
    """The parts of a run in CSV that meta.json lists: other files may be incomplete."""
    parts: list[WholePart] = []
    cache: dict[Path, Any] = {}
    first = 0
    for number, known in enumerate(meta["parts"]):
        path, header = folder / TRAJECTORY / part_name(number, "csv"), known.get("said")
        if not path.is_file():
            raise RunError(f"{path}: is missing")
        if path.stat().st_size != known["bytes"]:
            raise RunError(f"{path}: is not the file that was written: it was changed, or is damaged")
        if not isinstance(header, dict) or (header.get("run"), header.get("part")) != (meta["run"], number):
            raise RunError(f"{folder / META}: is damaged: the entry of part {number} is wrong")
        part = _part(path, first, header, np.array([known["rows"]], np.int64))
        rows = np.diff(part.ends, prepend=0)
        parts.append(part._replace(about=CsvText(path, known, meta["columns"], (first, rows), cache)))
        first += part.frames
    return parts


def whole_part(path: Path, number: int, run: str, first: int) -> WholePart:
    """One part.

    Raises:
        RunError: It is damaged, or of another run.
    """
    file = opened(path)
    try:
        header = part_header(file, path, number, run)
        groups = np.cumsum([file.metadata.row_group(k).num_rows for k in range(file.num_row_groups)], dtype=np.int64)
        if file.metadata.num_rows != max(groups, default=0):
            raise RunError(f"{path}: is damaged: its row groups are not all of it")
        return _part(path, first, header, groups)._replace(about=file.metadata)
    finally:
        file.close()


def _part(path: Path, first: int, header: Mapping[str, Any], groups: Array) -> WholePart:
    """A part made of its metadata.

    Raises:
        RunError: The metadata contradict each other.
    """
    try:
        frames = header["frames"]
        if not isinstance(frames, int) or not 0 <= frames <= 10**8:
            raise ValueError(f"frames must be a whole number, got {frames!r}")
        steps, times = unpacked(header["steps"], np.int64, frames), unpacked(header["times"], np.float64, frames)
        ends = np.cumsum(unpacked(header["rows"], np.int64, frames))
        total = int(groups[-1]) if len(groups) else 0
        names = [str(name) for name in header["populations"]]
        if header["first"] != first or (ends[-1] if frames else 0) != total or np.any(np.diff(ends, prepend=0) < 0):
            raise ValueError("its frames are not those that come next")
    except (KeyError, TypeError, ValueError) as error:
        raise RunError(f"{path}: is damaged: {error}") from None
    return WholePart(path, first, steps, times, ends, groups, names, None)


def opened(path: Path, about: Any = None) -> Any:
    """A Parquet file, with pages that are checked as they are read.

    Raises:
        RunError: It is no Parquet file.
    """
    from pyarrow import ArrowException, parquet

    try:
        return parquet.ParquetFile(path, metadata=about, page_checksum_verification=True)
    except (OSError, ArrowException) as error:
        raise damaged(path, error) from None


def damaged(path: Path, error: Exception) -> RunError:
    """The error for a file that Parquet cannot read."""
    return RunError(f"{path}: cannot be read, it is damaged or no part of a run: {str(error).splitlines()[0]}")


def part_header(file: Any, path: Path, number: int, run: str) -> dict[str, Any]:
    """The metadata of a part.

    Raises:
        RunError: It is no part of this run.
    """
    try:
        header = json.loads((file.metadata.metadata or {})[KEY])
        of, place = header["run"], header["part"]
    except (KeyError, TypeError, ValueError, RecursionError):
        raise RunError(f"{path}: is no part of a recorded run") from None
    if of != run or place != number:
        whose = "another run" if of != run else f"this run, but its part {place}"
        raise RunError(f"{path}: is of {whose}; put the right file in its place")
    return dict(header)


def read_groups(part: WholePart, groups: Sequence[int], columns: Sequence[str]) -> Any:
    """Some columns of some row groups, as an Arrow table.

    Raises:
        RunError: The file is damaged.
    """
    from pyarrow import ArrowException

    if isinstance(part.about, CsvText):
        table = part.about.table().select(list(columns))
        return table if groups else table.slice(0, 0)
    with opened(part.path, part.about) as file:
        try:
            if not groups:  # Which pyarrow cannot read before its version 20.
                return file.schema_arrow.empty_table().select(list(columns)).replace_schema_metadata()
            return file.read_row_groups(list(groups), columns=list(columns)).replace_schema_metadata()
        except (OSError, ArrowException, KeyError, ValueError) as error:
            raise damaged(part.path, error) from None


def read_rows(part: WholePart, start: int, stop: int, columns: Sequence[str]) -> Any:
    """Some rows of a part, as an Arrow table; only the row groups with these rows are read."""
    first = int(np.searchsorted(part.groups, start, side="right"))
    last = int(np.searchsorted(part.groups, stop, side="left"))
    groups = range(first, min(last + 1, len(part.groups))) if stop > start else range(0)
    before = int(part.groups[first - 1]) if first else 0
    return read_groups(part, groups, columns).slice(start - before, stop - start)


def groups_with(part: WholePart, id: int) -> list[int]:
    """The row groups in which a vehicle may be, by their statistics."""
    if isinstance(part.about, CsvText):
        return list(range(len(part.groups)))
    place = part.about.schema.names.index("id")
    files = []
    for k in range(part.about.num_row_groups):
        known = part.about.row_group(k).column(place).statistics
        if known is None or not known.has_min_max or known.min <= id <= known.max:
            files.append(k)
    return files


def read_metrics(folder: Path, meta: Mapping[str, Any]) -> Iterator[Any]:
    """The readings of all meters, as Arrow tables: one per part.

    Raises:
        RunError: A part is missing, damaged, or of another run.
    """
    from pyarrow import ArrowException

    listed, files = meta["metric_parts"], parts_in(folder / METRICS)
    if meta["format"] == "csv":
        for number, known in enumerate(listed):
            yield CsvText(
                folder / METRICS / part_name(number, "csv"), known, column_entries(METRIC_COLUMNS), None, {}
            ).table()
        return
    for number in _numbers(listed, files):
        path = folder / METRICS / part_name(number, "parquet")
        if number not in files:
            raise RunError(f"{path}: is missing")
        if number < len(listed):
            check_entry(path, listed[number])
        with opened(path) as file:
            part_header(file, path, number, meta["run"])
            try:
                yield file.read().replace_schema_metadata()
            except (OSError, ArrowException) as error:
                raise damaged(path, error) from None


def as_codes(column: Any) -> tuple[Array, list[str]]:
    """A column of few texts, an Arrow array of a dictionary: its codes, -1 for none, and the texts."""
    import pyarrow as pa

    whole = pa.chunked_array(column.chunks, column.type).unify_dictionaries().combine_chunks()
    if isinstance(whole, pa.ChunkedArray):
        whole = pa.concat_arrays(whole.chunks) if whole.num_chunks else pa.array([], column.type)
    codes = whole.indices.fill_null(-1).to_numpy()
    return codes, whole.dictionary.to_pylist()
