"""Internals of Numba and llvmlite: every part that is used beyond their documented interfaces, and what it is used for.

They may change with any version of Numba. Versions up to `NEWEST` are tested. With a newer one, or where one of these parts
is missing, kernels go through `numba.njit` alone (`PLAIN`): the same bits, without the cache of compiled kernels, without
programs and threads, and slower; one warning says so. `STEERSMAN_PLAIN=1` chooses this path, `STEERSMAN_PLAIN=0` refuses it.

In a browser (Pyodide) there is no Numba: then kernels stay the Python functions that they are, with results that are equal
but for rounding. Elsewhere a missing Numba is an error, unless `STEERSMAN_PLAIN=1` allows that path.
"""

import os
import sys
import warnings
from typing import Any

from steersman.core.kernels.absent import Absent

SWITCH = "STEERSMAN_PLAIN"
"""The environment variable that chooses the path."""

IN_BROWSER = sys.platform in ("emscripten", "wasi")
"""Whether Python runs as WebAssembly, without threads and perhaps without Numba."""

try:
    import numba
    from llvmlite import binding, ir
    from numba.core import dispatcher, event, extending, types
except ImportError:
    if not IN_BROWSER and os.environ.get(SWITCH, "") in ("", "0"):
        raise
    numba = binding = ir = dispatcher = event = extending = types = Absent  # type: ignore[assignment]

NUMBA: Any = numba
"""Numba itself, of which only parts are annotated."""

NEWEST = (0, 68)
"""The newest version of Numba that the tests have seen."""


def _reason() -> str:
    """The reason why kernels go through `numba.njit` alone; empty if they do not."""
    setting = os.environ.get(SWITCH, "")
    if NUMBA is Absent:
        return "There is no Numba"
    if IN_BROWSER:
        return "There are no threads in a browser"
    if setting not in ("", "0"):
        return f"{SWITCH} is set"
    if setting == "" and tuple(int(each) for each in NUMBA.__version__.split(".")[:2]) > NEWEST:
        return f"Numba {NUMBA.__version__} is newer than {'.'.join(map(str, NEWEST))}, the newest that was tested"
    return ""


REASON = _reason()

if not REASON:
    try:
        from numba import _dispatcher
        from numba.core import (
            codegen,
            compiler,
            compiler_machinery,
            lowering,
            registry,
            serialize,
            typed_passes,
            untyped_passes,
        )
    except ImportError as error:  # pragma: no cover
        REASON = f"Numba {NUMBA.__version__} has no {error.name} any more"

PLAIN = bool(REASON)
"""Whether kernels go through `numba.njit` alone."""

if PLAIN:
    if NUMBA is Absent:  # Compiled code gives no such warnings.
        warnings.filterwarnings("ignore", ".* encountered in scalar", RuntimeWarning, r"steersman\.")
    warnings.warn(
        f"{REASON}: kernels are not compiled at all, and a step takes a hundred times as long."
        if NUMBA is Absent
        else f"{REASON}: kernels are compiled without steersman's own cache and threads. Results are the same; compiling "
        f"takes longer in each process, and steps take longer.",
        RuntimeWarning,
        stacklevel=2,
    )
    codegen = compiler = compiler_machinery = lowering = registry = serialize = Absent  # type: ignore[assignment]
    _dispatcher = typed_passes = untyped_passes = Absent  # type: ignore[assignment]


def arrays() -> Any:
    """`make_array`, `populate_array`: a task makes the array structure of an argument from words in memory (`tasks.py`).

    They are imported late, as they take as long as thirty modules of this library.
    """
    from numba.np import arrayobj

    return arrayobj


BINDING: Any = binding
"""Linkage, `parse_bitcode`: helpers are kept as intermediate code (`compiler.py`)."""
CODEGEN: Any = codegen
"""`JITCodeLibrary`: libraries of helpers, without machine code, and libraries rebuilt from the cache (`compiler.py`)."""
COMPILER: Any = compiler
"""`Compiler`, `compile_result`: symbols named by content; results rebuilt from the cache (`compiler.py`, `cache.py`)."""
DISPATCHER: Any = _dispatcher
"""`compute_fingerprint`: recognizes types of arguments that were seen before, fifty times as fast (`kernel.py`)."""
DISPATCHERS: Any = dispatcher
"""`Dispatcher`: kernels as arguments and as constants of other kernels (`cache.py`, `tasks.py`)."""
EVENT: Any = event
"""`Listener`: the program announces which kernel is compiled (`announcing.py`)."""
EXTENDING: Any = extending
"""`intrinsic`: atomic reads and writes of words (`atomics.py`), comparisons by vectors (`lanes.py`), and their digest
(`cache.py`)."""
IR: Any = ir
"""Intermediate code of tasks and intrinsics (`tasks.py`, `atomics.py`, `lanes.py`)."""
LOWERING: Any = lowering
"""`Lower`: adds the task to the code of a kernel (`tasks.py`)."""
MACHINERY: Any = compiler_machinery
"""`register_pass`: puts the pass that adds the task into Numba's pipeline (`compiler.py`)."""
PASSES: Any = typed_passes
"""`NativeLowering`: the pass that this one replaces (`compiler.py`)."""
REGISTRY: Any = registry
"""`CPUDispatcher`: base of kernels, for their cache and for calls among them (`compiler.py`)."""
SERIALIZE: Any = serialize
"""`dumps`: pickles described functions into the cache (`cache.py`)."""
TYPES: Any = types
"""Numba's types (`tasks.py`, `atomics.py`, `cache.py`)."""
UNTYPED: Any = untyped_passes
"""`InlineInlinables`, `RewriteSemanticConstants`: laws of rows become lines of their loops (`compiler.py`)."""
