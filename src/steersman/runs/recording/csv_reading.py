"""Parts in CSV, read back: text becomes the same Arrow tables as Parquet, with the types that meta.json holds."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from steersman.core.typing import Array
from steersman.runs.recording.columns import Column
from steersman.runs.recording.folder import RunError
from steersman.runs.recording.parts import file_entry

TYPES = ("int32", "int64", "float32", "float64", "text")
"""The names of column types in meta.json."""


class CsvText:
    """A part in CSV, which is read and checked on first use.

    Args:
        path: The file.
        known: The entry of the file in meta.json: its size and checksum.
        columns: The columns in meta.json: their names and types.
        frames: The number of its first frame, and the number of rows of each of its frames; None without frames.
        kept: A cache of the table that was read last, shared by all parts of a run.
    """

    def __init__(
        self,
        path: Path,
        known: Mapping[str, Any],
        columns: Sequence[Mapping[str, Any]],
        frames: tuple[int, Array] | None,
        cache: dict[Path, Any],
    ) -> None:
        self._path, self._known, self._columns, self._frames, self._cache = path, known, columns, frames, cache

    def table(self) -> Any:
        """The whole part as an Arrow table.

        Raises:
            RunError: It is missing, damaged, or not the file that was written.
        """
        if self._path not in self._cache:
            table = self._read()
            self._cache.clear()
            self._cache[self._path] = table
        return self._cache[self._path]

    def _read(self) -> Any:
        import pyarrow as pa
        from pyarrow import csv

        check_entry(self._path, self._known)
        try:
            kinds = {each["name"]: _arrow_type(each["type"]) for each in self._columns}
            table = csv.read_csv(
                self._path,
                parse_options=csv.ParseOptions(newlines_in_values=True),
                convert_options=csv.ConvertOptions(
                    column_types=kinds, null_values=[""], strings_can_be_null=True, quoted_strings_can_be_null=False
                ),
            )
            if table.column_names != list(kinds):
                raise ValueError(f"its columns are {', '.join(table.column_names)}")
            if self._frames is not None:
                first, rows = self._frames
                if not np.array_equal(table["frame"].to_numpy(), np.repeat(first + np.arange(len(rows)), rows)):
                    raise ValueError("its rows are not of the frames that meta.json tells of")
        except (OSError, pa.ArrowException, KeyError, TypeError, ValueError) as error:
            raise RunError(f"{self._path}: is damaged: {str(error).splitlines()[0]}") from None
        return table


def _arrow_type(name: str) -> Any:
    """The type of a column."""
    import pyarrow as pa

    if name not in TYPES:
        raise ValueError(f"there is no type {name!r}")
    return pa.dictionary(pa.int32(), pa.string()) if name == "text" else pa.from_numpy_dtype(np.dtype(name))


def column_entries(columns: Sequence[Column]) -> list[dict[str, str]]:
    """Columns in the form of meta.json: names and types."""
    return [{"name": each.name, "type": each.type} for each in columns]


def check_entry(path: Path, known: Mapping[str, Any]) -> None:
    """Raise RunError where a file is not the one that was written."""
    try:
        entry = file_entry(path)
    except OSError as error:
        raise RunError(f"{path}: cannot be read: {error.strerror or error}") from None
    if any(entry[key] != known[key] for key in entry):
        raise RunError(f"{path}: is not the file that was written: it was changed, or is damaged")
