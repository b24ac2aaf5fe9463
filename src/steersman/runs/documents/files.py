"""Scenario files: documents as TOML, with a second file of the same name for large arrays."""

import io
import math
import re
import tomllib
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from steersman.core.parameters.guiding import suggestion
from steersman.core.parameters.sizes import check_bytes
from steersman.core.parameters.whole_files import write_whole
from steersman.core.typing import Array
from steersman.runs.documents.limits import check_document, excess_of, read_whole
from steersman.runs.documents.problems import Place, Problem, ScenarioError, reading
from steersman.runs.documents.toml_lines import lines_of
from steersman.runs.documents.toml_text import to_toml


def read_file(path: Path) -> tuple[dict[str, Any], dict[Place, int]]:
    """A scenario file's document, and the line of everything in it.

    Raises:
        ScenarioError: There is no such file, it cannot be read, or it is not TOML.
    """
    source = str(path)
    with reading(source):
        try:
            text = read_whole(path).decode("utf-8-sig")
        except OSError as error:
            raise ValueError(f"cannot be read: {error.strerror or error}") from error
        except UnicodeDecodeError as error:
            raise ValueError(f"is not UTF-8 text: {error.reason} (byte {error.start + 1:,})") from error
        excess = excess_of(text)
        if excess is not None:
            raise ScenarioError([Problem("", *excess)], source)
        try:
            document = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise ScenarioError([_syntax_problem(str(error))], source) from None
        lines = lines_of(text)
        check_document(document, source, lines)
        return document, lines


def save_document(document: Mapping[str, Any], path: Path, *, head: str = "") -> list[Path]:
    """Write a document as TOML. Its arrays go to an .npz file of the same name, and the document refers to them by name.

    Args:
        document: The document.
        path: The file to write.
        head: Comments for its first lines.

    Returns:
        The files that were written.

    Raises:
        TypeError, ValueError: The document holds a value that neither TOML nor files of NumPy can hold.
        OSError: A file cannot be written.
    """
    arrays: dict[str, Array] = {}
    beside = path.with_suffix(".npz")
    text = to_toml(_without_arrays(document, (), arrays, beside.name))
    if arrays:
        buffer = io.BytesIO()
        np.savez(buffer, allow_pickle=False, **arrays)
        write_whole(beside, buffer.getbuffer())
    write_whole(path, head + text)
    return [path, beside] if arrays else [path]


def _without_arrays(value: Any, place: Place, arrays: dict[str, Array], file: str) -> Any:
    """A value with references in place of its arrays, which are added to `arrays` under the names of their places."""
    if isinstance(value, np.ndarray):
        name = ".".join(map(str, place))
        arrays[name] = value
        return {"file": file, "array": name}
    if isinstance(value, Mapping):
        return {key: _without_arrays(item, (*place, key), arrays, file) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        names = [item.get("name", k) if isinstance(item, Mapping) else k for k, item in enumerate(value)]
        return [_without_arrays(item, (*place, name), arrays, file) for name, item in zip(names, value, strict=True)]
    return value


def load_array(path: Path, where: Mapping[str, Any], used: int = 0) -> Array:
    """The array that a document names: `{file = "flock.npz", array = "populations.boids.position"}`.

    Nothing in the file is executed, and the size of the array is checked before it is read.

    Args:
        path: The file.
        where: The table of the document.
        used: Memory that the other arrays of the document take [bytes].

    Raises:
        OSError, TypeError, ValueError: There is no such file or array, or the array holds other things than numbers, or
            too many of them.
    """
    name, file = where["array"], where["file"]
    if not path.exists():
        raise FileNotFoundError(f"{file} must be a file of arrays; there is no such file")
    with _archive(path, file) as archive:
        names = [each.removesuffix(".npy") for each in archive.namelist() if each.endswith(".npy")]
        shape, dtype = _header(archive, name) if name in names else ((), np.dtype(float))
    if name not in names:
        raise ValueError(f"there is no array {name!r} in {file}{suggestion(name, names)}")
    label, count = f"array {name!r} of {file}", math.prod(shape)
    if dtype.kind not in "biuf":
        raise ValueError(f"{label} must be an array of numbers, got {dtype}")
    beside = ", with the arrays before," if used else ""
    check_bytes(f"{label} must be smaller", f"{count:,} numbers{beside}", used + count * (dtype.itemsize + 8))
    with _archive(path, file) as archive, archive.open(f"{name}.npy") as member:
        array: Array = np.lib.format.read_array(member, allow_pickle=False)
    return array


@contextmanager
def _archive(path: Path, file: str) -> Iterator[zipfile.ZipFile]:
    """An archive of arrays; every error while it is read is raised as one that says that the file is no archive."""
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except Exception as error:  # A damaged file may raise any error.
        raise ValueError(f"{file} must be a file of arrays as np.savez writes it: {error}") from error


def _header(archive: zipfile.ZipFile, name: str) -> tuple[tuple[int, ...], Any]:
    """The shape and the type in the header of an array."""
    with archive.open(f"{name}.npy") as member:
        version = np.lib.format.read_magic(member)
        if version != (1, 0):  # Other versions are for longer headers than arrays of numbers have.
            raise ValueError(f"array {name!r} has a header of version {version}")
        shape, _, dtype = np.lib.format.read_array_header_1_0(member)
    return shape, dtype


def _syntax_problem(message: str) -> Problem:
    """The problem that the TOML parser has found, with its line."""
    match = re.fullmatch(r"(.*) \(at line (\d+), column (\d+)\)", message, re.DOTALL)
    if match is None:
        return Problem("", f"is not valid TOML: {message}")
    return Problem("", f"is not valid TOML: {match[1]} (column {match[3]})", int(match[2]))
