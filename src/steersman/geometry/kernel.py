"""The one decorator through which every compiled function of steersman goes.

A kernel is a plain module-level function. `kernel` states all of Numba's flags, because a helper compiled without
flags inherits those of whichever caller compiled it first, and the disk cache keeps that accident:

- `forceinline`: a helper becomes part of its caller. As a call it would count references to every array that it is passed.
- `nogil`: rows are dealt out to threads.
- `error_model="numpy"`: dividing by zero gives inf or nan (caught by the step's check), never an exception.
- `fastmath={"reassoc", "contract"}`: sums may be vectorized and multiply-adds fused. Full fastmath would let the
  compiler assume that NaN cannot happen, which breaks both the checks and the reproducibility of the bits.
- `cache`: compiled code is kept on disk, stamped with all sources that it can come from (see `sources`). Numba's own
  stamp covers only the file of the kernel itself, so an edited helper in another file would leave a stale kernel behind.

Where nothing can be written (a read-only installation and no home folder) kernels are compiled in every process.
"""

import functools
from collections.abc import Callable
from typing import Any, TypeVar, overload

import numba
from numba import _dispatcher
from numba.core.caching import FunctionCache, IndexDataCacheFile, NullCache
from numba.core.dispatcher import Dispatcher

from steersman.geometry.sources import NUMBA, PACKAGE, stamp_of

Function = TypeVar("Function", bound=Callable[..., Any])

FAST = frozenset({"reassoc", "contract"})

NEW_CACHE: Any = FunctionCache
"""Numba's cache of one function on disk; it is not annotated."""


@overload
def kernel(function: Function) -> Function: ...
@overload
def kernel(*, exact: bool) -> Callable[[Function], Function]: ...
def kernel(function: Function | None = None, *, exact: bool = False) -> Any:
    """Compile a module-level function on first use, with all flags stated and a cache that is never stale.

    Args:
        function: The function to compile. It may call other kernels; it must not close over functions.
        exact: Compile without any fast-math flag. Needed where NaN or infinity is tested for.

    Returns:
        The compiled function (its plain Python form is its attribute `py_func`).
    """
    if function is None:
        return functools.partial(kernel, exact=exact)
    flags = {"forceinline": True, "nogil": True, "error_model": "numpy", "fastmath": False if exact else set(FAST)}
    compiled = NUMBA.njit(function, **flags)
    if is_compiling():
        compiled._cache = LateCache(function)
    KERNELS.append(compiled)
    return compiled


KERNELS: list[Any] = []
"""Every compiled function, in order of definition; the tests walk it."""


class StampedCacheFile(IndexDataCacheFile):
    """Numba's cache of one function, with the stamp in every data file and not in the index alone.

    Numba replaces the index before the data: a process that dies in between, or one that still runs the old sources
    and saves again, would leave old code behind under a new stamp.
    """

    def _save_data(self, name: str, data: Any) -> None:
        save: Any = super()._save_data
        save(name, (self._source_stamp, data))

    def _load_data(self, name: str) -> Any:
        load: Any = super()._load_data
        content = load(name)
        if not isinstance(content, tuple) or content[0] != self._source_stamp:
            raise FileNotFoundError(f"{name} was compiled from other sources")  # Numba then compiles anew.
        return content[1]


class LateCache:
    """The disk cache of one function, made when it is first asked for: most functions are never compiled in a process."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def __getattr__(self, name: str) -> Any:
        return getattr(self.cache, name)

    @functools.cached_property
    def cache(self) -> Any:
        """Numba's own cache, with a stamp of all sources; one that keeps nothing where no folder can be written to."""
        try:
            made = NEW_CACHE(self.function)
        except RuntimeError:
            return NullCache()
        if PACKAGE.is_dir():  # Out of a zip file, Numba's own stamp is that of the whole archive.
            stamp_cache(made, stamp_of(self.function))
        return made


def stamp_cache(cache: Any, stamp: bytes) -> None:
    """Make the disk cache of one compiled function valid for exactly this stamp.

    Raises:
        RuntimeError: Numba keeps its cache somewhere else than this module expects.
    """
    if not isinstance(getattr(cache, "_cache_file", None), IndexDataCacheFile):
        raise RuntimeError(f"Numba {numba.__version__} has no cache stamp to set; steersman needs another version")
    file: Any = StampedCacheFile
    cache._cache_file = file(cache.cache_path, cache._impl.filename_base, stamp)


def entry_point(compiled: Any, arguments: tuple[Any, ...]) -> Callable[..., Any]:
    """The compiled code of `compiled` for the types of `arguments`, without Numba's dispatch (0.5 us instead of 2).

    The returned function trusts its caller: it must only ever be called with arguments of the same types. Types that
    were seen before are known again by their fingerprint: asking Numba for them takes fifty times as long.
    """
    if not isinstance(compiled, Dispatcher):
        result: Callable[..., Any] = compiled  # Plain Python, under NUMBA_DISABLE_JIT=1.
        return result
    known = ENTRY_POINTS.setdefault(compiled, {})
    key = fingerprint(arguments)
    found = known.get(key)
    if found is None:
        signature = tuple(NUMBA.typeof(argument) for argument in arguments)
        compiled.compile(signature)
        overloads: Any = compiled.overloads
        found = known[key] = overloads[signature].entry_point
    return found


ENTRY_POINTS: dict[Any, dict[bytes, Callable[..., Any]]] = {}
"""Kernel -> fingerprint of the arguments -> machine code."""

fingerprint: Callable[[tuple[Any, ...]], bytes] = _dispatcher.compute_fingerprint
"""What Numba itself knows argument types by: dtypes, dimensions, layouts, whether arrays may be written, tuples."""


def is_compiling() -> bool:
    """Whether kernels are compiled at all (they are not under NUMBA_DISABLE_JIT=1)."""
    return not NUMBA.config.DISABLE_JIT
