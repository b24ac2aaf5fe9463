"""Compiled kernels, kept by content in the user's cache folder.

A kernel is compiled from its own code, the kernels that it calls (and theirs), and the constants that they name. A digest
of all of this (`content_of`), with the types of the arguments, the processor and the compiler, gives the name of the file.
So a second clone, another environment and another version of the library share the kernels that they have in common, an
edit recompiles only the kernels that it changes, and there is no index that could be wrong. Of several processes that miss
a kernel at the same time, one compiles it (`compile_lock.py`).

The folder is `$STEERSMAN_CACHE`, or `steersman` where the platform keeps caches. A file that can't be read is a miss, and a
file that can't be written is skipped; files that have not been used for `LIFETIME` days are removed.
"""

import contextlib
import hashlib
import inspect
import math
import os
import pickle
import sys
import tempfile
import time
from collections.abc import Callable
from enum import EnumType
from functools import cached_property
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from steersman.core.kernels.compile_lock import SUFFIX, CompileLock
from steersman.core.kernels.internals import COMPILER, EXTENDING, NUMBA, SERIALIZE, TYPES

DAY = 86_400.0
LIFETIME = 60
"""Days for which an unused kernel is kept."""

FOLDER = "STEERSMAN_CACHE"
"""The environment variable that names the folder."""


def cache_folder() -> Path:
    """Where compiled kernels are kept."""
    from platformdirs import user_cache_path  # Its import takes as long as ten modules of this library.

    named = os.environ.get(FOLDER)
    return Path(named).expanduser() if named else user_cache_path("steersman", appauthor=False)


# ------------------------------------------------------------------------------------------------ content


def content_of(function: Callable[..., Any]) -> bytes:
    """The digest of everything that a function is compiled from, except the types of its arguments.

    Comments, docstrings and the place in the file do not count; name and module do, because compiled code contains them.
    """
    return _Content().of(function)


CONTENTS: WeakKeyDictionary[Any, bytes] = WeakKeyDictionary()
"""Function -> its digest: many kernels call the same helpers."""


class _Content:
    """Computes the digest of a function, and those of functions that it calls, which may call each other.

    Attributes:
        open: The functions that are being digested, each called by the one before it.
        circles: How often a function was met that is being digested.
    """

    def __init__(self) -> None:
        self.open: list[Any] = []
        self.circles = 0

    def of(self, function: Any) -> bytes:
        """The digest of a function and of everything that it names."""
        if function in self.open:
            self.circles += 1
            return f"again {self.open.index(function)}".encode()
        if function in CONTENTS:
            return CONTENTS[function]
        circles = self.circles
        self.open.append(function)
        words = [
            f"{function.__module__}.{function.__qualname__} {function.__defaults__!r} {function.__kwdefaults__!r}",
            *_code(function.__code__),
        ]
        words += [f"{name} = {self.described(value)}" for name, value in sorted(reached(function).items())]
        self.open.pop()
        digest = hashlib.blake2b("\n".join(words).encode(), digest_size=16).digest()
        if self.circles == circles:  # In a circle of calls, the digest depends on where the walk began.
            CONTENTS[function] = digest
        return digest

    def described(self, value: Any) -> str:
        """A text for a constant, a helper or a type: equal texts mean equal compiled code."""
        if hasattr(value, "py_func"):
            return f"kernel {self.of(value.py_func).hex()} {_options(value.targetoptions)}"
        if isinstance(value, FunctionType):
            return f"function {self.of(value).hex()}"
        if isinstance(value, EXTENDING._Intrinsic):
            return f"intrinsic {self.of(value._defn).hex()}"
        if isinstance(value, ModuleType):
            return f"module {value.__name__} {getattr(value, '__version__', '')}"
        if isinstance(value, type):
            fields = getattr(value, "_fields", ())
            return f"class {value.__module__}.{value.__qualname__} {fields}"
        if isinstance(value, np.ndarray):
            return f"array {value.dtype} {value.shape} {hashlib.blake2b(value.tobytes()).hexdigest()}"
        if isinstance(value, (tuple, list)):
            return f"{type(value).__qualname__} ({', '.join(self.described(each) for each in value)})"
        if isinstance(value, (BuiltinFunctionType, np.ufunc)):
            return f"function {value.__name__}"
        if isinstance(value, (set, frozenset)):  # Their order differs in every process.
            return f"{type(value).__qualname__} {sorted(map(self.described, value))}"
        kind: Any = type(value)
        if kind.__repr__ is object.__repr__:  # It names a place in memory, which differs in every process.
            return self.state(value)
        return f"{type(value).__qualname__} {value!r}"

    def state(self, value: Any) -> str:
        """Class and attributes of an object without words of its own."""
        for k, each in enumerate(self.open):
            if each is value:
                self.circles += 1
                return f"again {k}"
        kind = type(value)
        slots = [name for each in kind.__mro__ for name in getattr(each, "__slots__", ()) if hasattr(value, name)]
        held = {name: getattr(value, name) for name in slots} | getattr(value, "__dict__", {})
        self.open.append(value)
        text = f"{kind.__module__}.{kind.__qualname__} {[(name, self.described(held[name])) for name in sorted(held)]}"
        self.open.pop()
        return text


DOCSTRING = getattr(inspect, "CO_HAS_DOCSTRING", -1)
"""The flag that the first constant of a function is its docstring.

Before Python 3.14 there is no such flag, and a first constant that is a text counts as the docstring.
"""


def _code(code: CodeType) -> list[str]:
    """The code of a function, without its place in the file, its comments and its docstring."""
    words = [
        code.co_code.hex(),
        repr((code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars, code.co_flags)),
    ]
    for k, constant in enumerate(code.co_consts):
        if isinstance(constant, CodeType):
            words += _code(constant)
        elif k > 0 or not isinstance(constant, str) or not code.co_flags & DOCSTRING:
            words.append(repr(sorted(constant, key=repr) if isinstance(constant, frozenset) else constant))
    return words


def reached(function: Any) -> dict[str, Any]:
    """The globals and closed-over values that a function names."""
    names, codes = set(), [function.__code__]
    while codes:
        code = codes.pop()
        names.update(code.co_names)
        codes += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    own = function.__globals__
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    values = {name: own[name] for name in names if name in own} | {name: cell.cell_contents for name, cell in cells}
    for name, value in list(values.items()):
        if isinstance(value, EnumType) or (isinstance(value, ModuleType) and value not in (math, np)):
            values |= {f"{name}.{each}": held for each, held in vars(value).items() if each in names}
    return values


def _options(options: dict[str, Any]) -> str:
    """The options of a compiled function as a text that does not depend on their order."""
    return repr(sorted((name, sorted(value) if isinstance(value, set) else value) for name, value in options.items()))


def type_name(kind: Any) -> str:
    """The name of a type of an argument. Named tuples of one name differ by their modules and fields."""
    if isinstance(kind, TYPES.BaseNamedTuple):
        made = kind.instance_class
        return f"{made.__module__}.{made.__qualname__}{made._fields}({', '.join(map(type_name, kind.types))})"
    if isinstance(kind, TYPES.BaseTuple):
        return f"({', '.join(map(type_name, kind.types))})"
    if isinstance(kind, TYPES.Dispatcher):
        return f"kernel {content_of(kind.dispatcher.py_func).hex()}"
    return f"{type(kind).__qualname__} {kind}"


def compiler_settings() -> str:
    """The versions and the settings of the compiler."""
    config = NUMBA.config
    settings = (
        config.OPT,
        config.BOUNDSCHECK,
        config.LOOP_VECTORIZE,
        config.SLP_VECTORIZE,
        config.USING_SVML,
        config.CPU_NAME,
        config.CPU_FEATURES,
    )
    import llvmlite  # Not at the top: without Numba it is not installed, and this function is never called.

    versions = (sys.version, sys.platform, NUMBA.__version__, llvmlite.__version__, np.__version__)
    return repr((versions, settings))


# ------------------------------------------------------------------------------------------------ the folder


class KernelCache:
    """The compiled code of one function on disk, one file for each combination of types. Numba calls its methods.

    A file begins with a checksum of the rest. It is written under another name and renamed, so that it is complete or absent.

    Args:
        function: The function that is compiled.
        options: The options of the compiler.
        form: The class of libraries that is kept (see `compiler.py`): `serialized()` returns its code, and `rebuilt` makes a
            library and an entry of that; `recipe` is a number that changes with the way of compiling, which makes older
            files misses; `is_locked` says whether one process at a time compiles a missing kernel.
    """

    def __init__(self, function: Callable[..., Any], options: dict[str, Any], form: Any) -> None:
        self.function = function
        self.options = options
        self.form = form
        self._lock: CompileLock | None = None

    @cached_property
    def folder(self) -> Path:
        """The cache folder, found at the first use: most caches are never used."""
        return cache_folder()

    @cached_property
    def content(self) -> str:
        """Everything that the compiled code depends on, except the types of the arguments."""
        options, form = _options(self.options), f"{self.form.__qualname__} {self.form.recipe}"
        return f"{content_of(self.function).hex()} {options} {form} {compiler_settings()}"

    @property
    def cache_path(self) -> str:
        """The folder, for `stats`."""
        return str(self.folder)

    def enable(self) -> None:
        """Do nothing: the cache is always enabled."""

    def disable(self) -> None:
        """Do nothing: the cache is never disabled."""

    def flush(self) -> None:
        """Do nothing: no file of the cache is ever out of date."""

    def file(self, signature: Any, codegen: Any) -> Path:
        """The file of the function compiled for types and processor."""
        words = f"{self.content} {codegen.magic_tuple()} {', '.join(map(type_name, _arguments(signature)))}"
        digest = hashlib.blake2b(words.encode(), digest_size=20).hexdigest()
        return self.folder / digest[:2] / f"{self.function.__name__}-{digest[2:]}.kernel"

    def holds(self, signature: Any, codegen: Any) -> bool:
        """Whether there is a file for these types; it may be damaged."""
        return self.file(signature, codegen).is_file()

    def load_overload(self, signature: Any, target: Any) -> Any:
        """The compiled function; None if its file is missing, damaged or of no use here.

        If it is None, the caller may hold a lock until `unlock`.
        """
        target.refresh()
        file = self.file(signature, target.codegen())
        overload = self._read(file, signature, target)
        if overload is None and self.form.is_locked:
            self.unlock()
            self._lock = CompileLock(file)
            overload = self._read(file, signature, target)  # Another process may have compiled it meanwhile.
        return overload

    def unlock(self) -> None:
        """Let other processes compile what this one has tried to compile."""
        lock, self._lock = self._lock, None
        if lock is not None:
            lock.release()

    def _read(self, file: Path, signature: Any, target: Any) -> Any:
        try:
            content = file.read_bytes()
        except OSError:
            return None
        checksum, data = content[:CHECKSUM], content[CHECKSUM:]
        if _checksum(data) != checksum:
            return None
        with contextlib.suppress(OSError):
            if time.time() - file.stat().st_mtime > DAY:
                os.utime(file)
        try:
            name, code, described, own, called, saved_signature = pickle.loads(data)
        except Exception:  # The file is complete, but names an object that does not exist any more.
            return None
        if tuple(saved_signature.args) != _arguments(signature):  # A class of `__main__` differs in each process.
            return None
        library, entry = self.form.rebuilt(target, name, code, described, own, called)
        return COMPILER.compile_result(
            typing_context=target.typing_context,
            target_context=target,
            library=library,
            environment=own,
            entry_point=entry,
            fndesc=described,
            signature=saved_signature,
            objectmode=False,
            lifted=(),
            reload_init=(),
            referenced_envs=called,
        )

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep a compiled function, if there is room for it."""
        library, described = compiled.library, compiled.fndesc
        if compiled.lifted or library.has_dynamic_globals:
            return
        file = self.file(signature, compiled.codegen)
        described.typemap = described.calltypes = None  # They are large, and only the compiler reads them.
        called = compiled._find_referenced_environments()
        record = (library.name, library.serialized(), described, compiled.environment, called, compiled.signature)
        data = SERIALIZE.dumps(record)
        with contextlib.suppress(OSError):
            _write_whole(file, _checksum(data) + data)
            _sweep(self.folder)


CHECKSUM = 16
"""Bytes at the start of a file that tell whether the rest is whole."""


def _arguments(signature: Any) -> tuple[Any, ...]:
    """The types of the arguments: Numba passes a tuple of these, or a signature."""
    return signature if isinstance(signature, tuple) else tuple(signature.args)


def _checksum(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=CHECKSUM).digest()


def _write_whole(file: Path, data: bytes) -> None:
    """Write a file under another name and rename it, so that no other process reads a part of it.

    Raises:
        OSError: The file can't be written. The incomplete file is removed.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, aside = tempfile.mkstemp(dir=file.parent, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        os.replace(aside, file)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(aside)
        raise


def _sweep(folder: Path) -> None:
    """Remove files that have not been used for `LIFETIME` days; at most once a day."""
    swept, now = folder / "swept", time.time()
    if swept.exists() and now - swept.stat().st_mtime < DAY:
        return
    swept.touch()
    for file in [*folder.glob("??/*.kernel"), *folder.glob("??/*.part"), *folder.glob(f"??/*{SUFFIX}")]:
        with contextlib.suppress(OSError):
            if now - file.stat().st_mtime > LIFETIME * DAY:
                file.unlink()
