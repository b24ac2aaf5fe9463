"""What a kernel was compiled from: the digest of every source file that its own file imports, directly or not.

A kernel reaches a helper only by a name of its module, and such a name comes from an import at the top of the file. So
the files to look at are those that imports lead to; what else changes leaves the cached code as it is.

Files are read when a kernel is first compiled, not when it is imported. One that was edited in between is not what was
imported: then the stamp is one that never comes again, and the next process compiles anew.
"""

import functools
import hashlib
import os
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba

PACKAGE = Path(__file__).resolve().parents[1]

NUMBA: Any = numba
"""Numba, of which only parts are annotated."""

STARTED = time.time_ns()
"""When this process began to import the package."""

IMPORT = re.compile(
    rf"^(?:from\s+({PACKAGE.name}(?:\.\w+)*)\s+import\s+(\([^)]*\)|[^\n#]*)|import\s+({PACKAGE.name}(?:\.\w+)*))", re.M
)
"""An import of something of the package at the top of a file (what is indented is for functions and type checkers)."""


def stamp_of(function: Callable[..., Any]) -> bytes:
    """Digest of everything that a function may be compiled from, and of the settings of the compiler."""
    file = Path(function.__code__.co_filename).resolve()
    if file.is_relative_to(PACKAGE):
        return files_stamp(file)
    depth = function.__module__.count(".") + (file.name == "__init__.py")
    return roots_stamp(PACKAGE, file.parents[depth - 1] if depth else file)


@functools.cache
def files_stamp(file: Path) -> bytes:
    """Digest of a file of the package and of all that it imports of the package."""
    digest = settings()
    for path in sorted(imports_of(file)):
        digest.update(f"{path.relative_to(PACKAGE).as_posix()} ".encode() + content_digest(path))
    return bytes(digest.digest())


@functools.cache
def roots_stamp(*roots: Path) -> bytes:
    """Digest of every source file under the roots (folders or single files)."""
    digest = settings()
    for root in roots:
        for path in [root] if root.is_file() else sorted(root.rglob("*.py")):
            digest.update(f"{path.relative_to(root).as_posix()} ".encode() + content_digest(path))
    return bytes(digest.digest())


def settings() -> Any:
    """A digest that has seen what the compiler was told."""
    config = NUMBA.config
    words = repr((config.OPT, config.BOUNDSCHECK, config.LOOP_VECTORIZE, config.SLP_VECTORIZE))
    return hashlib.blake2b(words.encode(), digest_size=16)


@functools.cache
def content_digest(path: Path) -> bytes:
    """Digest of one file; something else each time for one that was edited since this process imported it."""
    if STARTED < path.stat().st_mtime_ns <= time.time_ns():
        return os.urandom(16)
    return hashlib.blake2b(path.read_bytes(), digest_size=16).digest()


def imports_of(file: Path) -> set[Path]:
    """The file itself and every file of the package that its imports lead to."""
    found, waiting = {file}, [file]
    while waiting:
        for path in direct_imports(waiting.pop()):
            if path not in found:
                found.add(path)
                waiting.append(path)
    return found


@functools.cache
def direct_imports(file: Path) -> tuple[Path, ...]:
    """The files of the package that a file imports at its top."""
    return tuple(path for names in modules_in(file.read_text("utf-8")) if (path := source_of(names)) is not None)


def modules_in(text: str) -> Iterator[list[str]]:
    """The dotted names that a source imports, below the package; of `from a import b` both a and a.b, which may be one."""
    for source, names, plain in IMPORT.findall(text):
        yield (source or plain).split(".")[1:]
        for name in re.findall(r"(\w+)(?:\s+as\s+\w+)?", re.sub(r"#[^\n]*", "", names)):
            yield [*source.split(".")[1:], name]


def source_of(names: list[str]) -> Path | None:
    """The file of a module of the package, None where there is no such module."""
    path = PACKAGE.joinpath(*names)
    if path.is_dir():
        return path / "__init__.py" if (path / "__init__.py").is_file() else None
    return path.with_suffix(".py") if names and path.with_suffix(".py").is_file() else None
