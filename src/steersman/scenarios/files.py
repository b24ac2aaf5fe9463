"""Scenario files: TOML documents that users write, or worlds; with a file beside them for what is long."""

import re
import tomllib
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from steersman.geometry.guiding import suggestion
from steersman.geometry.vectors import Array
from steersman.recording.folder import put_in_place, set_aside, write_whole
from steersman.scenarios.problems import Place, Problem, ScenarioError
from steersman.scenarios.toml_lines import lines_of
from steersman.scenarios.toml_text import to_toml


def read_file(path: Path) -> tuple[dict[str, Any], dict[Place, int]]:
    """A scenario file's document, and the line of everything in it.

    Raises:
        ScenarioError: There is no such file, it cannot be read, or it is not TOML.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise ScenarioError([Problem("", f"cannot be read: {error.strerror or error}")], str(path)) from None
    except UnicodeDecodeError as error:
        raise ScenarioError([Problem("", f"is not UTF-8 text: {error.reason}")], str(path)) from None
    try:
        return tomllib.loads(text), lines_of(text)
    except tomllib.TOMLDecodeError as error:
        raise ScenarioError([_syntax_problem(str(error))], str(path)) from None


def save_document(document: Mapping[str, Any], path: Path, *, head: str = "") -> list[Path]:
    """Write a document as TOML. Its arrays go to a file of the same name that ends with .npz, and are named where they stood.

    Args:
        document: The document.
        path: The file to write.
        head: Comments for its first lines.

    Returns:
        The files that were written.

    Raises:
        TypeError: It holds something that neither TOML nor NumPy's files have a form for.
        OSError: A file cannot be written.
    """
    arrays: dict[str, Array] = {}
    beside = path.with_suffix(".npz")
    text = to_toml(_without_arrays(document, (), arrays, beside.name))
    if arrays:
        with set_aside(beside).open("wb") as file:
            np.savez(file, allow_pickle=False, **arrays)
        put_in_place(beside)
    write_whole(path, head + text)
    return [path, beside] if arrays else [path]


def _without_arrays(value: Any, place: Place, arrays: dict[str, Array], file: str) -> Any:
    """A value with all arrays moved out, by their place."""
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


def load_array(folder: Path, where: Mapping[str, Any]) -> Array:
    """The array that a document names: `{file = "flock.npz", array = "populations.boids.position"}`.

    Raises:
        OSError, TypeError, ValueError: There is no such file or array, or something else than numbers in it.
    """
    for key in ("file", "array"):
        if not isinstance(where[key], str):
            raise TypeError(f"{key} must be a text, got {where[key]!r}")
    path = folder / where["file"]
    try:
        if path.exists() and not zipfile.is_zipfile(path):
            raise zipfile.BadZipFile("it is no archive")
        with np.load(path, allow_pickle=False) as arrays:
            if where["array"] not in arrays:
                raise ValueError(
                    f"there is no array {where['array']!r} in {where['file']}{suggestion(where['array'], arrays)}"
                )
            found: Array = arrays[where["array"]]
    except (zipfile.BadZipFile, EOFError, TypeError) as error:
        raise ValueError(f"{where['file']} must be a file of arrays as np.savez writes it: {error}") from None
    return found


def _syntax_problem(message: str) -> Problem:
    """What the parser says, with the line in front."""
    match = re.fullmatch(r"(.*) \(at line (\d+), column (\d+)\)", message, re.DOTALL)
    if match is None:
        return Problem("", f"is not valid TOML: {message}")
    return Problem("", f"is not valid TOML: {match[1]} (column {match[3]})", int(match[2]))
