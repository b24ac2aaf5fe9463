"""Parts: tables in files. A part is written under another name, row group by row group, and renamed when it is complete.

Parquet has a checksum for every page, and each part the number of rows of every frame, so a frame is found without a search.
CSV is the simple form: a part has at most a million rows, as a spreadsheet does.
"""

import base64
import contextlib
import json
import zlib
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any, Protocol

import numpy as np

from steersman.core.parameters.brief import brief
from steersman.core.typing import Array
from steersman.runs.recording.columns import WORDS, Coded, Column
from steersman.runs.recording.folder import part_name, put_in_place, set_aside

FORMATS = ("parquet", "csv")

KEY = b"steersman"
"""The key of a part's own metadata."""

Table = dict[str, Array | Coded]


class Part(Protocol):
    """A part that is being written."""

    def add(self, table: Table) -> None:
        """Write some rows."""

    def finish(self, about: dict[str, Any]) -> dict[str, Any]:
        """Complete the part, with its own metadata; return the metadata that the file cannot hold, for meta.json."""

    def abandon(self) -> None:
        """Delete the unfinished file."""


def require(form: str) -> None:
    """Check that the packages for a format are installed, before any work is done.

    Raises:
        ImportError: pyarrow is not installed.
    """
    if not isinstance(form, str) or form not in FORMATS:
        raise ValueError(f'format must be "parquet" or "csv", got {brief(form)}')
    if form == "parquet" and find_spec("pyarrow") is None:
        raise ImportError(
            'recording needs pyarrow; please run: pip install "steersman[record]", or record as format="csv" without it'
        )


def get_ready(form: str) -> None:
    """Load the packages for a format, which would take a long time in a thread beside a busy program.

    When pyarrow converts the first array, it loads pandas, too, if that is installed.
    """
    if form == "parquet":
        _as_arrow(np.zeros(1), None)


def new_part(folder: Path, number: int, form: str, columns: Sequence[Column]) -> Part:
    """A part that is written to a folder.

    Raises:
        OSError: It cannot be written.
    """
    path = folder / part_name(number, form)
    return ParquetPart(path, columns) if form == "parquet" else CsvPart(path, columns)


class ParquetPart:
    """A part in Parquet: compressed, floats byte by byte, with a checksum for every page."""

    def __init__(self, path: Path, columns: Sequence[Column]) -> None:
        import pyarrow as pa
        from pyarrow import parquet

        self.path, self.rows = path, 0
        words = pa.dictionary(pa.int32(), pa.string())
        self._schema = pa.schema(
            [(each.name, words if each.kind == WORDS else pa.from_numpy_dtype(each.kind)) for each in columns]
        )
        words_in = [each.name for each in columns if each.kind == WORDS]
        moving = [each.name for each in columns if each.kind == np.float32 and each.name != "radius"]
        self._writer = parquet.ParquetWriter(
            str(set_aside(path)),
            self._schema,
            compression={each.name: "lz4" if each.name in moving else "zstd" for each in columns},
            use_dictionary=words_in,
            column_encoding=_encodings(moving, [each.name for each in columns]),
            write_page_checksum=True,
            write_statistics=["id"] if "id" in self._schema.names else False,
        )

    def add(self, table: Table) -> None:
        """Write a row group."""
        import pyarrow as pa

        arrays = [_as_arrow(table[field.name], field.type) for field in self._schema]
        group = pa.Table.from_arrays(arrays, schema=self._schema)
        self.rows += len(group)
        self._writer.write_table(group, row_group_size=max(1, len(group)))

    def finish(self, about: dict[str, Any]) -> dict[str, Any]:
        """Make it whole."""
        self._writer.add_key_value_metadata({KEY: json.dumps(about).encode()})
        self._writer.close()
        put_in_place(self.path)
        return {}

    def abandon(self) -> None:
        """Delete the unfinished file."""
        with contextlib.suppress(Exception):  # The disk is full, or gone: that was said already.
            self._writer.close()
        _take_away(self.path)


def _encodings(moving: Sequence[str], names: Sequence[str]) -> dict[str, str]:
    """The encodings of columns: split into streams of bytes for numbers that differ in their last digits; deltas for ids."""
    return dict.fromkeys(moving, "BYTE_STREAM_SPLIT") | ({"id": "DELTA_BINARY_PACKED"} if "id" in names else {})


def _as_arrow(values: Array | Coded, kind: Any) -> Any:
    import pyarrow as pa

    if isinstance(values, Coded):
        codes = pa.array(values.codes, mask=values.codes < 0)
        return pa.DictionaryArray.from_arrays(codes, pa.array(values.texts, pa.string()))
    return pa.array(values, kind)


class CsvPart:
    """A part as lines of text with a head, in UTF-8."""

    def __init__(self, path: Path, columns: Sequence[Column]) -> None:
        self.path, self.rows = path, 0
        self._columns = list(columns)
        self._file: IO[str] = set_aside(path).open("w", encoding="utf-8", newline="")
        self._file.write(",".join(_quoted(each.name) for each in columns) + "\n")
        self._line = ",".join(_FORMS.get(each.kind.str[1:], "%d") for each in columns) + "\n"

    def add(self, table: Table) -> None:
        """Write some lines."""
        values = [table[each.name] for each in self._columns]
        rows = zip(*[_as_words(each) if isinstance(each, Coded) else each.tolist() for each in values], strict=True)
        lines = [self._line % row for row in rows]
        self.rows += len(lines)
        self._file.writelines(lines)

    def finish(self, about: dict[str, Any]) -> dict[str, Any]:
        """Make it whole."""
        self._file.close()
        put_in_place(self.path)
        return {"said": about}

    def abandon(self) -> None:
        """Delete the unfinished file."""
        with contextlib.suppress(OSError):  # The disk is full, or gone: that was said already.
            self._file.close()
        _take_away(self.path)


_FORMS = {"f4": "%.9g", "f8": "%r", "U0": "%s"}
"""Formats of values, by the kind of their type, that keep all bits: single precision needs nine digits."""


def _as_words(coded: Coded) -> list[str]:
    return Coded(coded.codes, [_quoted(text) for text in coded.texts]).as_texts()


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if any(sign in text for sign in ',"\r\n') else text


def _take_away(path: Path) -> None:
    with contextlib.suppress(OSError):
        set_aside(path).unlink()


def file_entry(path: Path) -> dict[str, Any]:
    """The entry of a whole part in meta.json, by which another file, or a damaged one, is recognized.

    Returns:
        Its size [bytes], and a checksum: of a CSV file, or of the end of a Parquet file, which holds the offsets of its
        pages; pages have checksums of their own.

    Raises:
        OSError: It cannot be read.
    """
    with path.open("rb") as file:
        size = file.seek(0, 2)
        if path.suffix == ".csv":
            file.seek(0)
            check = 0
            while block := file.read(2**20):
                check = zlib.crc32(block, check)
            return {"bytes": size, "footer": f"{check:08x}"}
        file.seek(max(0, size - 8))
        length = int.from_bytes(file.read(8)[:4], "little")
        file.seek(max(0, size - 8 - length))
        return {"bytes": size, "footer": f"{zlib.crc32(file.read()):08x}"}


def packed(numbers: Array) -> str:
    """Numbers as text, for the metadata of a part."""
    return base64.b64encode(zlib.compress(np.ascontiguousarray(numbers).tobytes(), 6)).decode()


def unpacked(text: str, kind: Any, count: int) -> Array:
    """So many numbers of a type from text.

    Raises:
        ValueError: The text holds another number of them.
    """
    size = count * np.dtype(kind).itemsize
    try:
        raw = zlib.decompressobj().decompress(base64.b64decode(text, validate=True), size + 1)
    except zlib.error as error:
        raise ValueError(f"numbers are damaged: {error}") from None
    if len(raw) != size:
        raise ValueError(f"there must be {size} bytes of numbers, got {len(raw)}")
    return np.frombuffer(raw, kind)
