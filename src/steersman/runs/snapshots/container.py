"""The file of a snapshot: a ZIP of one JSON text and of arrays as NumPy writes them, nothing compressed, with a checksum.

`unzip` and `numpy.load` open it. It contains no pickle, and its content is never executed. The file may come from an
untrusted source: the checksum of the whole file is compared before any of its content is read, and all sizes in the file
are compared with the size of the file before memory is allocated.

The last line of the file, which is the comment of the ZIP, is `steersman snapshot 1 sha256 ...`: the version of the form, and
the checksum of all bytes before it.
"""

import hashlib
import io
import json
import math
import re
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from steersman.core.parameters.whole_files import write_whole
from steersman.core.typing import Array
from steersman.core.world.snapshot_error import SnapshotError

VERSION = 1
"""The version of the form; files of newer ones are refused."""

TEXT = "snapshot.json"
LONGEST_TEXT = 16 * 2**20
"""Largest size of the text [bytes]. Worlds need some thousands, because their columns are arrays."""

EMPTIEST = 2**16
"""The largest product of the nonzero axes of an array without numbers."""

LAST_LINE = re.compile(rb"\nsteersman snapshot (\d{1,9}) sha256 ([0-9a-f]{64})\n\Z")
DIGITS = 64 + 1  # The checksum, and the end of its line.

DTYPES = {np.dtype(each).str: np.dtype(each) for each in ("<f4", "<f8", "|b1", *(f"<i{k}" for k in (1, 2, 4, 8)))}
DTYPES |= {np.dtype(each).str: np.dtype(each) for each in (f"<u{k}" for k in (1, 2, 4, 8))}
"""The types of numbers: little-endian on every machine."""

HEAD = re.compile(r"\{'descr': '([<|][bfiu]\d)', 'fortran_order': False, 'shape': \(((?:\d{1,19},? ?)*)\), \} *\n")
"""The exact header of an array as NumPy writes it. It is matched by this pattern alone, and never evaluated."""

MAGIC = b"\x93NUMPY\x01\x00"

OTHERS = {b"\x89PNG": "a PNG picture", b"\xff\xd8\xff": "a JPEG picture", b"\x80\x04": "a pickle", b"\x80\x05": "a pickle",
          b"\x93NUMPY": "a NumPy array", b"PAR1": "a Parquet file", b"\x1f\x8b": "a gzip file", b"%PDF": "a PDF"}  # fmt: skip


def write_container(path: Path, content: dict[str, Any]) -> None:
    """Write a file.

    Args:
        path: The file; an existing one is replaced.
        content: Texts, numbers, truth values, None, lists, tables and arrays.

    Raises:
        SnapshotError: The content has values of other types, or is far too large.
        OSError: The file cannot be written. A file that was there before is unchanged.
    """
    arrays: list[Array] = []
    text = json.dumps(_plain(content, arrays, ""), separators=(",", ":")).encode()
    if len(text) > LONGEST_TEXT:
        raise SnapshotError(
            f"{path}: there is more text in this world ({len(text):,} bytes) than {LONGEST_TEXT:,} bytes"
        )
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(zipfile.ZipInfo(TEXT), text)
        for k, array in enumerate(arrays):
            archive.writestr(zipfile.ZipInfo(_member(k)), _bytes_of(array))
        archive.comment = f"\nsteersman snapshot {VERSION} sha256 {'0' * 64}\n".encode()
    data = buffer.getbuffer()
    data[-DIGITS:-1] = hashlib.sha256(data[:-DIGITS]).hexdigest().encode()
    write_whole(path, data)


def detached(content: dict[str, Any]) -> tuple[dict[str, Any], int]:
    """A copy of a content as a reader of its file gets it, and the size of its arrays [bytes]: later steps do not change it.

    Raises:
        SnapshotError: The content has values of other types.
    """
    arrays: list[Array] = []
    text = _plain(content, arrays, "")
    copies = {k: np.array(each, order="C") for k, each in enumerate(arrays)}
    return _with_arrays(text, copies), sum(each.nbytes for each in copies.values())


def copied(value: Any) -> Any:
    """A detached content with copies of its arrays."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    return [copied(item) for item in value] if isinstance(value, list) else value


def _member(k: int) -> str:
    return f"arrays/{k}.npy"


def _plain(value: Any, arrays: list[Array], place: str) -> Any:
    """A value in the form of JSON, with its arrays moved out: `{"$array": 3}` stands for the fourth."""
    if isinstance(value, np.ndarray):
        if value.dtype.newbyteorder("<").str not in DTYPES:
            raise SnapshotError(f"{place}: a snapshot has no form for an array of {value.dtype}")
        arrays.append(value)
        return {"$array": len(arrays) - 1}
    if isinstance(value, dict):
        for key in value:
            if not isinstance(key, str) or (key.startswith("$") and type(value) is dict):
                raise SnapshotError(f"{place}: keys must be texts that do not begin with $, got {key!r}")
        return {key: _plain(item, arrays, f"{place}.{key}" if place else key) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item, arrays, f"{place}[{k}]") for k, item in enumerate(value)]
    if isinstance(value, np.generic):
        return value.item()
    if value is None or type(value) in (bool, int, float, str):
        return value
    raise SnapshotError(f"{place}: a snapshot has no form for {value!r}")


def _bytes_of(array: Array) -> bytes:
    """An array as NumPy writes it into a file."""
    buffer = io.BytesIO()
    plain = np.ascontiguousarray(array, array.dtype.newbyteorder("<")).reshape(array.shape)
    np.lib.format.write_array(buffer, plain, version=(1, 0), allow_pickle=False)
    return buffer.getvalue()


# ---------------------------------------------------------------------------------------------------------- reading


def read_container(path: Path) -> dict[str, Any]:
    """Read a file: the mirror of `write_container`.

    Raises:
        SnapshotError: It cannot be read, is no snapshot, is not whole, or is of a newer version.
    """
    try:
        if path.exists() and not path.is_file():
            raise SnapshotError(f"{path}: is no file")
        data = path.read_bytes()
    except OSError as error:
        raise SnapshotError(f"{path}: cannot be read: {error.strerror or error}") from None
    _check_whole(path, data)
    try:
        members = _members(data)
        text = json.loads(members.pop(TEXT))
        arrays = {int(name.split("/")[1][:-4]): _array(each) for name, each in members.items()}
        content = _with_arrays(text, arrays)
    except Exception as error:  # A forged file may raise any error.
        raise SnapshotError(f"{path}: is no snapshot that steersman wrote: {error or type(error).__name__}") from None
    if not isinstance(content, dict):
        raise SnapshotError(f"{path}: is no snapshot that steersman wrote: its text is no table")
    return content


def _check_whole(path: Path, data: bytes) -> None:
    """Raise SnapshotError unless a file is a complete, undamaged snapshot of a known version."""
    line = LAST_LINE.search(data[-128:])
    if not data:
        raise SnapshotError(f"{path}: is empty")
    if line is None:
        kind = next((words for start, words in OTHERS.items() if data.startswith(start)), "")
        if kind or not data.startswith(b"PK"):
            raise SnapshotError(f"{path}: is no snapshot" + (f", but {kind}" if kind else ""))
        raise SnapshotError(f"{path}: is no snapshot, or its end is missing")
    if hashlib.sha256(memoryview(data)[:-DIGITS]).hexdigest().encode() != line[2]:
        raise SnapshotError(f"{path}: is damaged: its checksum is not that of its contents")
    if int(line[1]) > VERSION:
        raise SnapshotError(
            f"{path}: was written by a newer steersman, in form {int(line[1])}; this one reads forms up to {VERSION}"
        )


def _members(data: bytes) -> dict[str, bytes]:
    """The files of the archive, by name.

    Raises:
        ValueError: There are other files than those that `write_container` writes.
        Exception: It is no archive.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = archive.infolist()
        if sum(entry.file_size for entry in entries) > len(data):
            raise ValueError("there is more in it than there is room for")
        for entry in entries:
            if entry.compress_type != zipfile.ZIP_STORED or entry.file_size != entry.compress_size:
                raise ValueError(f"{entry.filename!r} is compressed")
        names = [entry.filename for entry in entries]
        if names != [TEXT, *(_member(k) for k in range(len(names) - 1))]:
            raise ValueError(f"there must be {TEXT} and numbered arrays in it, got {names[:5]}")
        if entries[0].file_size > LONGEST_TEXT:
            raise ValueError(f"its text is longer than {LONGEST_TEXT:,} bytes")
        return {entry.filename: archive.read(entry) for entry in entries}


def _array(data: bytes) -> Array:
    """The array in a file of NumPy, if it has plain numbers, and the size that its header states.

    Raises:
        ValueError: The file holds anything else.
    """
    size = int.from_bytes(data[8:10], "little")
    head = HEAD.fullmatch(data[10 : 10 + size].decode("latin-1")) if data.startswith(MAGIC) else None
    if head is None or head[1] not in DTYPES:
        raise ValueError("an array must be of plain numbers")
    shape = tuple(int(axis) for axis in re.findall(r"\d+", head[2]))
    dtype, count = DTYPES[head[1]], math.prod(shape)
    if count * dtype.itemsize != len(data) - 10 - size or math.prod(axis for axis in shape if axis) > max(
        count, EMPTIEST
    ):
        raise ValueError(f"an array of shape {shape} must have as many numbers")
    return np.frombuffer(data, dtype, offset=10 + size).reshape(shape).astype(dtype.newbyteorder("="))


def _with_arrays(value: Any, arrays: dict[int, Array]) -> Any:
    """A value with arrays in place of the references to them."""
    if isinstance(value, list):
        return [_with_arrays(item, arrays) for item in value]
    if not isinstance(value, dict):
        return value
    if set(value) == {"$array"}:
        return arrays[value["$array"]]
    return {key: _with_arrays(item, arrays) for key, item in value.items()}
