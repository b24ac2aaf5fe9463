"""The one decorator: its cache is never stale, is used by the next process, and every kernel goes through it."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import steersman.geometry.kernel as kernel_module
from steersman.geometry import angles, frames, random, vectors
from steersman.geometry.kernel import FAST, KERNELS, entry_point, is_compiling, kernel
from steersman.geometry.sources import PACKAGE
from steersman.geometry.vectors import add_scaled, difference

compiled_only = pytest.mark.skipif(not is_compiling(), reason="kernels are not compiled")

HELPER = """
from tiny.ground.kernel import kernel

@kernel
def factor(x):
    return x * {factor}
"""
LAW = """
from tiny.ground.kernel import kernel
from tiny.ground.helper import factor

@kernel
def law(x):
    return factor(x) + 1.0
"""
RUN = """
from tiny.laws.law import law
print(law(10.0), sum(law.stats.cache_hits.values()), sum(law.stats.cache_misses.values()))
"""
RUN_UNSTAMPED = "import tiny.ground.kernel as k; k.stamp_cache = lambda compiled, stamp: None" + RUN


class TinyPackage:
    """A package with a kernel in one file and its helper in another, run in processes of its own."""

    def __init__(self, root):
        self.root = root
        for folder in ("tiny", "tiny/ground", "tiny/laws"):
            (root / folder).mkdir()
            (root / folder / "__init__.py").touch()
        ground = Path(kernel_module.__file__).parent
        for name in ("kernel.py", "sources.py"):
            text = (ground / name).read_text().replace("steersman.geometry.", "tiny.ground.")
            (root / "tiny/ground" / name).write_text(text)
        (root / "tiny/laws/law.py").write_text(LAW)
        self.edit_helper("2.0")

    def edit_helper(self, factor):
        (self.root / "tiny/ground/helper.py").write_text(HELPER.format(factor=factor))

    def run(self, code=RUN, **environment):
        """What the code prints: the result, cache hits and cache misses."""
        surroundings = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
        surroundings |= {"PYTHONPATH": str(self.root), "PYTHONDONTWRITEBYTECODE": "1", **environment}
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", code], env=surroundings, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        result, hits, misses = done.stdout.split()
        return float(result), int(hits), int(misses)

    def data_files(self):
        return sorted((self.root / "tiny/laws/__pycache__").glob("*.nbc"))


@pytest.fixture
def tiny(tmp_path):
    return TinyPackage(tmp_path)


@compiled_only
def test_the_next_process_loads_from_the_cache(tiny):
    assert tiny.run() == (21, 0, 1)
    assert tiny.run() == (21, 1, 0)


@compiled_only
def test_an_edited_helper_leaves_no_stale_kernel(tiny):
    assert tiny.run() == (21, 0, 1)
    tiny.edit_helper("3.0")
    assert tiny.run() == (31, 0, 1)
    assert tiny.run() == (31, 1, 0)


@compiled_only
def test_what_a_kernel_does_not_import_leaves_its_cache_alone(tiny):
    (tiny.root / "tiny/ground/other.py").write_text("x = 1\n")
    assert tiny.run() == (21, 0, 1)
    (tiny.root / "tiny/ground/other.py").write_text("x = 2\n")
    assert tiny.run() == (21, 1, 0)


@compiled_only
def test_without_the_stamp_an_edited_helper_would_leave_a_stale_kernel(tiny):
    assert tiny.run(RUN_UNSTAMPED) == (21, 0, 1)
    tiny.edit_helper("3.0")
    assert tiny.run(RUN_UNSTAMPED) == (21, 1, 0)


@compiled_only
def test_old_code_under_a_new_index_is_not_taken(tiny):
    tiny.run()
    (data,) = tiny.data_files()
    old = data.read_bytes()
    tiny.edit_helper("3.0")
    tiny.run()
    assert tiny.data_files() == [data]
    data.write_bytes(old)  # As by a process that still runs the old sources, or died between index and data.
    assert tiny.run() == (31, 0, 1)


@compiled_only
def test_another_compiler_setting_is_another_cache(tiny):
    assert tiny.run() == (21, 0, 1)
    assert tiny.run(NUMBA_BOUNDSCHECK="1") == (21, 0, 1)


@compiled_only
def test_without_a_folder_to_write_to_kernels_still_compile(tiny):
    nowhere = "from numba.core.caching import CacheImpl; CacheImpl._locator_classes = []"
    assert tiny.run(nowhere + RUN) == (21, 0, 1)
    assert tiny.data_files() == []


def test_without_compilation_kernels_are_plain_python(tiny):
    plain = "from tiny.laws.law import law\nprint(law(10.0), 0, 0)"
    assert tiny.run(plain, NUMBA_DISABLE_JIT="1") == (21, 0, 0)


@compiled_only
def test_a_numba_that_caches_elsewhere_is_refused(monkeypatch):
    monkeypatch.setattr(add_scaled._cache, "_cache_file", object())
    with pytest.raises(RuntimeError, match="has no cache stamp to set"):
        kernel_module.stamp_cache(add_scaled, b"")


@pytest.mark.parametrize(
    ("compiled", "arguments"),
    [
        (add_scaled, ((1.0, 2.0), (3.0, 4.0), 0.5)),
        (difference, ((9.0, 1.0), (1.0, 1.0), np.array([[10.0, 10.0], [0.1, 0.1]]))),
    ],
)
def test_the_entry_point_is_the_kernel_without_dispatch(compiled, arguments):
    direct = entry_point(compiled, arguments)
    assert direct(*arguments) == compiled(*arguments)
    moved = tuple(tuple(x + 1 for x in a) if isinstance(a, tuple) else a for a in arguments)
    assert direct(*moved) == compiled(*moved)
    assert entry_point(compiled, arguments) is direct


def test_the_entry_point_of_plain_python_is_itself():
    def plain(x):
        return x

    assert entry_point(plain, (1,)) is plain


@compiled_only
def test_every_kernel_states_its_flags():
    assert {vectors.dot, frames.realign, angles.rotate, random.draw} <= set(KERNELS)
    for compiled in KERNELS:
        options = compiled.targetoptions
        assert options["nogil"] is True
        assert options["error_model"] == "numpy"
        assert options["fastmath"] in (False, set(FAST))


@compiled_only
def test_an_exact_kernel_has_no_fast_math():
    @kernel(exact=True)
    def finite(x):
        return x - x == 0

    assert finite.targetoptions["fastmath"] is False
    assert not finite(np.inf)
    assert finite(1.0)


def compilers_named_in(source):
    """Names of Numba's compilers in a source text."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        names = (
            [node.attr]
            if isinstance(node, ast.Attribute)
            else [node.id]
            if isinstance(node, ast.Name)
            else [alias.name for alias in node.names]
            if isinstance(node, (ast.Import, ast.ImportFrom))
            else []
        )
        found |= {"njit", "jit", "vectorize", "guvectorize", "cfunc", "jitclass", "prange"} & set(names)
    return found


def test_no_source_but_the_decorators_compiles():
    sources = sorted(PACKAGE.rglob("*.py"))
    assert len(sources) > 5
    named = {path.relative_to(PACKAGE).as_posix(): compilers_named_in(path.read_text("utf-8")) for path in sources}
    assert {path: names for path, names in named.items() if names} == {"geometry/kernel.py": {"njit"}}


def test_a_bare_compiler_would_be_seen():
    assert compilers_named_in("import numba\n@numba.njit\ndef f(): pass") == {"njit"}
    assert compilers_named_in("from numba import jit as fast") == {"jit"}


def test_every_function_of_the_ground_floor_that_kernels_call_is_a_kernel():
    """A plain function called from a kernel would be refused by the compiler only when that kernel is first used."""
    for module in (vectors, frames, angles, random):
        tree = ast.parse(Path(module.__file__).read_text("utf-8"))
        functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
        kernels = {name for name, node in functions.items() if node.decorator_list}
        for name in kernels:
            called = {n.func.id for n in ast.walk(functions[name]) if isinstance(n, ast.Call) and hasattr(n.func, "id")}
            assert called & set(functions) <= kernels, name


@kernel
def twice(start, stop, numbers, out):
    for i in range(start, stop):
        out[i] = 2 * numbers[0][i]


@compiled_only
def test_types_that_were_seen_before_are_not_asked_for_again(monkeypatch):
    asked = []
    monkeypatch.setattr(
        kernel_module.NUMBA,
        "typeof",
        lambda value, ask=kernel_module.NUMBA.typeof: (asked.append(value), ask(value))[1],
    )
    first = entry_point(twice, (0, 1, (np.zeros(3),), np.zeros(3)))
    count = len(asked)
    assert count > 0
    out = np.zeros(5)
    again = entry_point(twice, (0, 1, (np.ones(5),), out))
    assert again is first
    assert len(asked) == count
    again(0, 5, (np.ones(5),), out)
    assert out.tolist() == [2] * 5
    frozen = np.ones(9)
    frozen.flags.writeable = False
    for other in (np.ones((5, 2))[:, 0], np.ones(5, np.float32), frozen):
        entry = entry_point(twice, (0, 1, (other,), out))
        assert entry is not first
        entry(0, 5, (other,), out)
        assert out.tolist() == [2] * 5
