"""The one decorator through which every compiled function of steersman goes.

A kernel is a plain function. `kernel` states all of Numba's flags, because a helper compiled without
flags inherits those of whichever caller compiled it first, and the disk cache keeps that accident:

- `forceinline`: a helper becomes part of its caller. As a call it would count references to every array that it is passed.
- `nogil`: rows are dealt out to threads.
- `_nrt=False`: nothing is allocated in a step, so no references are counted.
- `error_model="numpy"`: dividing by zero gives inf or nan (caught by the step's check), never an exception.
- `fastmath={"reassoc", "contract"}`: sums may be vectorized and multiply-adds fused. Full fastmath would let the
  compiler assume that NaN cannot happen, which breaks both the checks and the reproducibility of the bits.
- the cache: compiled code is kept on disk by the content of all that it was made from (see `cache.py`). Numba's own
  cache looks at the file of the kernel alone, so an edited helper in another file would leave a stale kernel behind.
"""

import functools
import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar, overload

from steersman.core.kernels.internals import DISPATCHER, NUMBA, PLAIN
from steersman.core.kernels.interpreter import check_interpreter
from steersman.core.kernels.signals import deferred_signals
from steersman.core.kernels.tasks import TASKS, task_name

if not PLAIN:
    from steersman.core.kernels.compiler import Kernel

check_interpreter()

Function = TypeVar("Function", bound=Callable[..., Any])

FLAGS = {"nopython": True, "forceinline": True, "nogil": True, "error_model": "numpy", "_nrt": False}
_PLAIN_FLAGS = {"nogil": True, "error_model": "numpy", "forceinline": True}
FAST = frozenset({"reassoc", "contract"})

COLORS = re.compile(r"\x1b\[[0-9;]*m")
"""The colors in Numba's messages, which it writes where the package colorama is installed."""


@overload
def kernel(function: Function) -> Function: ...
@overload
def kernel(*, exact: bool = ..., row: bool = ...) -> Callable[[Function], Function]: ...
def kernel(function: Function | None = None, *, exact: bool = False, row: bool = False) -> Any:
    """Compile a function on first use, with all flags stated and a cache that is never stale.

    Args:
        function: The function to compile. It may call other kernels; it must not allocate arrays (`array.max()` does, too).
            A function that is defined in another function may close over kernels: make it once for each of them
            (`functools.cache`).
        exact: Compile without any fast-math flag. Needed where NaN or infinity is tested for.
        row: The function is the law of one row of another kernel, and its lines become lines of that one (see `row_kernel`).

    Returns:
        The compiled function (its plain Python form is its attribute `py_func`).
    """
    if function is None:
        return functools.partial(kernel, exact=exact, row=row)
    compiled: Any = function
    options: dict[str, Any] = {"fastmath": False if exact else set(FAST)}
    if not is_compiling():
        pass
    elif PLAIN:
        compiled = NUMBA.njit(**_PLAIN_FLAGS, **options)(function)
    else:
        compiled = Kernel(function, FLAGS | options | ({"inline": "always"} if row else {}))
    KERNELS.append(compiled)
    return compiled


KERNELS: list[Any] = []
"""Every compiled function, in order of definition; the tests walk it."""


def entry_point(compiled: Any, arguments: tuple[Any, ...]) -> Callable[..., Any]:
    """The compiled code of `compiled` for the types of `arguments`, without Numba's dispatch (0.5 us instead of 2).

    The returned function does not check types: it must only ever be called with arguments of the same types. Types that
    were seen before are recognized by their fingerprint: asking Numba for them takes fifty times as long.
    """
    if PLAIN or not isinstance(compiled, Kernel):
        result: Callable[..., Any] = compiled  # Numba's own, or plain Python under NUMBA_DISABLE_JIT=1.
        return result
    known = ENTRY_POINTS.setdefault(compiled, {})
    key = fingerprint(arguments)
    entry = known.get(key)
    if entry is None:
        with deferred_signals():  # An interrupt while LLVM's objects are freed would free them twice.
            entry = _entry_point(compiled, arguments)
            if not isinstance(entry, Missing):
                known[key] = entry
    return entry


def _entry_point(compiled: "Kernel", arguments: tuple[Any, ...]) -> Callable[..., Any]:
    """The compiled code from Numba; or, while missing kernels are collected, the missing kernel."""
    signature = tuple(NUMBA.typeof(argument) for argument in arguments)
    missing = COLLECTED.missing
    if missing is not None and not compiled.is_at_hand(signature):
        job = Missing(compiled, signature)
        if job not in missing:
            missing.append(job)
        return job
    compile_or_explain(compiled, signature)
    overloads: Any = compiled.overloads
    made = overloads[signature]
    entry: Callable[..., Any] = made.entry_point
    TASKS[entry] = made.library.get_pointer_to_function(task_name(made.fndesc))
    return entry


def compile_or_explain(compiled: Any, signature: tuple[Any, ...]) -> Any:
    """Compile a kernel for types of arguments; shorten the message of an error in a function of the user.

    Raises:
        TypeError: The kernel calls a function of the user that Numba cannot compile.
    """
    try:
        return compiled.compile(signature)
    except NUMBA.core.errors.NumbaError as error:
        theirs = sorted(_user_functions(compiled.py_func, set()))
        if not theirs:
            raise
        words = COLORS.sub("", str(error))
        lines = [line for line in words.splitlines() if line.strip() and not line.startswith("Failed in nopython")]
        end = next((k for k, line in enumerate(lines) if line.startswith("During:")), len(lines))
        details = "\n  ".join(lines[: min(end, 12)])
        raise TypeError(f"{' or '.join(theirs)} cannot be compiled by Numba:\n  {details}") from error


def _user_functions(function: Any, visited: set[Any]) -> set[str]:
    """The functions among those that a kernel calls, and itself, that are not of this library, with file and line."""
    from steersman.core.kernels.cache import reached  # Not at the top: it needs internals that the plain path lacks.

    visited.add(function)
    functions = set() if function.__module__.startswith(PACKAGE) else {
        f"{function.__qualname__} ({function.__code__.co_filename}, line {function.__code__.co_firstlineno})"
    }  # fmt: skip
    inner = (getattr(each, "py_func", None) for each in reached(function).values())
    return functions.union(
        *(_user_functions(each, visited) for each in inner if each is not None and each not in visited)
    )


@dataclass(frozen=True)
class Missing:
    """A kernel that has to be compiled for types of arguments."""

    kernel: Any
    signature: tuple[Any, ...]

    @property
    def name(self) -> str:
        """The name of the kernel."""
        name: str = self.kernel.py_func.__name__
        return name

    @property
    def named(self) -> tuple[str, str, tuple[Any, ...]]:
        """The module and the name of the kernel, and the types."""
        return self.kernel.py_func.__module__, self.name, self.signature

    @property
    def is_ours(self) -> bool:
        """Whether the kernel is a global of this library, so that another process finds it by its name."""
        module, name, _ = self.named
        return module.startswith(PACKAGE) and getattr(sys.modules.get(module), name, None) is self.kernel

    def compile(self) -> Callable[..., Any]:
        """Compile the kernel; return its machine code."""
        code: Callable[..., Any] = compile_or_explain(self.kernel, self.signature)
        return code

    def __call__(self, *arguments: Any) -> Any:
        """Compile and call the kernel: slow, but possible while kernels are collected."""
        return self.compile()(*arguments)


PACKAGE = __name__.partition(".")[0] + "."


class _Collected(threading.local):
    """The missing kernels that this thread is collecting; None if it collects none."""

    missing: list[Missing] | None = None


COLLECTED = _Collected()


@contextmanager
def collecting() -> Iterator[list[Missing]]:
    """While inside, `entry_point` compiles nothing: kernels neither compiled nor in the cache are collected in the list.

    `entry_point` then returns a `Missing`, which compiles when it is called.
    """
    before, COLLECTED.missing = COLLECTED.missing, []
    try:
        yield COLLECTED.missing
    finally:
        COLLECTED.missing = before


ENTRY_POINTS: dict[Any, dict[bytes, Callable[..., Any]]] = {}
"""Kernel -> fingerprint of the arguments -> machine code."""

fingerprint: Callable[[tuple[Any, ...]], bytes] = DISPATCHER.compute_fingerprint
"""The marks by which Numba knows argument types: dtypes, dimensions, layouts, whether arrays may be written, tuples."""


def is_compiling() -> bool:
    """Whether kernels are compiled at all (they are not under NUMBA_DISABLE_JIT=1)."""
    return not NUMBA.config.DISABLE_JIT


def has_programs() -> bool:
    """Whether calls can become programs: not under NUMBA_DISABLE_JIT=1, and not on the plain path (see `internals.py`)."""
    return is_compiling() and not PLAIN
