"""Compiled kernels are kept by content: never stale, shared by all who have the same, and never in the way."""

import os
import sys
from enum import IntEnum
from pathlib import Path
from weakref import WeakKeyDictionary

import numpy as np
import pytest

import steersman.core.kernels.kernel as kernel_module
import steersman.core.public  # noqa: F401 (every kernel is defined)
from steersman.core.kernels import cache as kernel_cache
from steersman.core.kernels.cache import LIFETIME, KernelCache, _Content, cache_folder, content_of
from steersman.core.kernels.compiler import EntryLibrary
from steersman.core.kernels.kernel import KERNELS, is_compiling, kernel

compiled_only = pytest.mark.skipif(not is_compiling(), reason="kernels are not compiled")

HELPER = """
from tiny.ground.kernel import kernel

BASE = {base}

@kernel
def factor(x):
    return x * {factor} + BASE
"""
LAW = """
from tiny.ground.kernel import kernel
from tiny.ground.helper import factor

@kernel
def law(x):
    "A law."
    return factor(x) + 1.0
"""
RUN = """
from tiny.laws.law import law
print(law(10.0), sum(law.stats.cache_hits.values()), sum(law.stats.cache_misses.values()))
"""


class TinyPackage:
    """A package with a kernel in one file and its helper in another, run in processes of its own."""

    def __init__(self, root, processes):
        self.root, self.processes = root, processes
        self.cache = root / "cache"
        for folder in ("tiny", "tiny/ground", "tiny/laws"):
            (root / folder).mkdir(parents=True)
            (root / folder / "__init__.py").touch()
        ground = Path(kernel_module.__file__).parent
        for name in (
            "kernel.py",
            "compiler.py",
            "internals.py",
            "interpreter.py",
            "signals.py",
            "cache.py",
            "compile_lock.py",
            "tasks.py",
            "absent.py",
        ):
            text = (ground / name).read_text().replace("steersman.core.kernels.", "tiny.ground.")
            (root / "tiny/ground" / name).write_text(text)
        self.edit_law(LAW)
        self.edit_helper("2.0")

    def edit_helper(self, factor, base="0.0"):
        (self.root / "tiny/ground/helper.py").write_text(HELPER.format(factor=factor, base=base))

    def edit_law(self, text):
        (self.root / "tiny/laws/law.py").write_text(text)

    def run(self, code=RUN, **environment):
        """What the code prints: the result, cache hits and cache misses."""
        surroundings = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
        surroundings |= {"PYTHONPATH": str(self.root), "PYTHONDONTWRITEBYTECODE": "1"}
        surroundings |= {"STEERSMAN_CACHE": str(self.cache)} | environment
        done = self.processes.run(["-c", code], env=surroundings, warnings="error")
        assert done.returncode == 0, done.stderr
        result, hits, misses = done.stdout.split()
        return float(result), int(hits), int(misses)

    def files(self, name="law"):
        return sorted(self.cache.glob(f"??/{name}-*.kernel"))


@pytest.fixture
def tiny(tmp_path, compiling):
    return TinyPackage(tmp_path, compiling)


@compiled_only
def test_the_next_process_loads_from_the_cache(tiny):
    assert tiny.run() == (21, 0, 1)
    assert tiny.run() == (21, 1, 0)


@compiled_only
def test_a_second_clone_compiles_nothing(tiny, tmp_path):
    tiny.run()
    second = TinyPackage(tmp_path / "elsewhere", tiny.processes)
    second.cache = tiny.cache
    assert second.run() == (21, 1, 0)


@compiled_only
def test_an_edited_helper_or_constant_leaves_no_stale_kernel(tiny):
    assert tiny.run() == (21, 0, 1)
    tiny.edit_helper("3.0")
    assert tiny.run() == (31, 0, 1)
    tiny.edit_helper("3.0", base="5.0")
    assert tiny.run() == (36, 0, 1)
    tiny.edit_helper("2.0")
    assert tiny.run() == (21, 1, 0)  # What was compiled once is known again.


AROUND = """
from tiny.ground.kernel import kernel
from tiny.ground.helper import factor

def made_around(inner):
    @kernel
    def law(x):
        return inner(x) + 1.0
    return law

law = made_around(factor)
"""


@compiled_only
def test_a_kernel_made_around_another_is_kept_and_never_stale(tiny):
    tiny.edit_law(AROUND)
    assert tiny.run() == (21, 0, 1)
    assert tiny.run() == (21, 1, 0)
    tiny.edit_helper("3.0")
    assert tiny.run() == (31, 0, 1)


@compiled_only
def test_comments_docstrings_and_lines_compile_nothing(tiny):
    tiny.run()
    words = LAW.replace('"A law."', '"Said twice."  # And once more.').replace("@kernel", "\n\n@kernel")
    assert words != LAW
    tiny.edit_law(words)
    assert tiny.run() == (21, 1, 0)
    tiny.edit_law(words.replace("+ 1.0", "+ 2.0"))
    assert tiny.run() == (22, 0, 1)


@compiled_only
@pytest.mark.parametrize("damage", ["empty", "cut", "one bit", "foreign", "folder", "not readable"])
def test_what_is_damaged_is_a_miss_and_is_mended(tiny, damage):
    tiny.run()
    (file,) = tiny.files()
    content = file.read_bytes()
    if damage == "folder":
        file.unlink()
        file.mkdir()
    elif damage == "not readable":
        file.chmod(0)
        if os.access(file, os.R_OK):
            pytest.skip("this user can read everything")
    else:
        middle = len(content) // 2
        flipped = content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]
        file.write_bytes({"empty": b"", "cut": content[:middle], "one bit": flipped, "foreign": b"x" * 99}[damage])
    assert tiny.run() == (21, 0, 1)
    if damage != "folder":  # It stays in the way, and is done without.
        assert tiny.run() == (21, 1, 0)


@compiled_only
def test_where_nothing_can_be_written_kernels_still_compile(tiny):
    tiny.cache.write_text("a file where a folder should be")
    assert tiny.run() == (21, 0, 1)
    assert tiny.run() == (21, 0, 1)


@compiled_only
@pytest.mark.skipif(sys.platform == "win32", reason="no such limit")
def test_a_full_disk_is_done_without(tiny):
    """No file of this process may grow: what writing to a full disk feels like."""
    limit = "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    limit += "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))"
    assert tiny.run(limit + RUN) == (21, 0, 1)
    assert tiny.files() == []
    assert not list(tiny.cache.glob("??/*.part"))


SCRIPT = """
from typing import Any, NamedTuple
from tiny.ground.kernel import entry_point, kernel

class Numbers(NamedTuple):
    factor: Any

@kernel
def law(numbers, x):
    return numbers.factor * x

arguments = (Numbers(3.0), 7.0)
print(entry_point(law, arguments)(*arguments), 0, 0)
"""


@compiled_only
def test_a_kernel_of_a_script_that_takes_a_class_of_the_script_runs_twice(tiny):
    """The class that comes back from the cache is another one than that of the process."""
    assert tiny.run(SCRIPT) == (21, 0, 0)
    assert tiny.run(SCRIPT) == (21, 0, 0)


@compiled_only
def test_another_compiler_setting_is_another_kernel(tiny):
    assert tiny.run() == (21, 0, 1)
    assert tiny.run(NUMBA_BOUNDSCHECK="1") == (21, 0, 1)


@compiled_only
def test_unused_kernels_are_removed_in_time(tiny):
    tiny.run()
    (file,), swept = tiny.files(), tiny.cache / "swept"
    old = file.stat().st_mtime - (LIFETIME + 1) * kernel_cache.DAY
    os.utime(file, (old, old))
    tiny.edit_helper("3.0")
    tiny.run()
    assert file in tiny.files()  # Somebody has looked today.
    os.utime(swept, (old, old))
    tiny.edit_helper("4.0")
    tiny.run()
    assert file not in tiny.files()
    assert len(tiny.files()) == 2


@compiled_only
def test_a_helper_that_was_compiled_for_one_kernel_is_read_for_another(tiny):
    tiny.run()
    (helper,) = tiny.files("factor")
    before = helper.read_bytes()
    tiny.edit_law(LAW.replace("+ 1.0", "- 1.0"))
    code = "from tiny.laws.law import law\nfrom tiny.ground.helper import factor\nlaw(10.0)\n"
    code += "print(law(10.0), *(sum(each.values()) for each in factor.helper.stats[1:]))"
    assert tiny.run(code) == (19, 1, 0)
    assert tiny.files("factor") == [helper]
    assert helper.read_bytes() == before


@compiled_only
def test_a_kernel_in_use_stays_young(tiny):
    tiny.run()
    (file,) = tiny.files()
    old = file.stat().st_mtime - 5 * kernel_cache.DAY
    os.utime(file, (old, old))
    tiny.run()
    assert file.stat().st_mtime > old + kernel_cache.DAY


def test_without_compilation_kernels_are_plain_python(tiny):
    plain = "from tiny.laws.law import law\nprint(law(10.0), 0, 0)"
    assert tiny.run(plain, NUMBA_DISABLE_JIT="1") == (21, 0, 0)


def test_the_folder_is_the_users_or_the_named_one(monkeypatch, tmp_path):
    monkeypatch.setenv("STEERSMAN_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path
    monkeypatch.delenv("STEERSMAN_CACHE")
    assert cache_folder().is_relative_to(Path.home()) or os.environ.get("XDG_CACHE_HOME")
    assert "steersman" in str(cache_folder())


# ------------------------------------------------------------------------------------------------ the content


def made(factor, table=(1.0, 2.0), array=None):
    def law(x):
        return factor(x) + table[0] + (array is None)

    return law


def double(x):
    return 2 * x


def triple(x):
    return 3 * x


def test_the_content_tells_helpers_and_constants():
    contents = [
        content_of(made(double)),
        content_of(made(triple)),
        content_of(made(double, (1.0, 3.0))),
        content_of(made(double, (1, 2))),
        content_of(made(double, array=np.zeros(3))),
        content_of(made(double, array=np.ones(3))),
        content_of(made(double, array=np.ones(3, np.float32))),
    ]
    assert len(set(contents)) == len(contents)
    assert content_of(made(double)) == contents[0]


def test_the_content_tells_the_defaults_of_a_helper():
    def with_defaults(positional, keyword):
        def helper(x, factor=positional, *, more=keyword):
            return x * factor + more

        return content_of(made(helper))

    contents = [with_defaults(*defaults) for defaults in ((2.0, 0.0), (3.0, 0.0), (2.0, 1.0), (2, 0.0))]
    assert len(set(contents)) == 4
    assert with_defaults(2.0, 0.0) == contents[0]


def test_the_content_tells_the_flags_of_a_helper():
    assert content_of(made(kernel(double))) != content_of(made(kernel(exact=True)(double)))


class Phase(IntEnum):
    LAST = 1


def test_the_content_tells_what_is_named_by_a_module_or_an_enumeration(monkeypatch):
    def law(x):
        return x * kernel_cache.LIFETIME

    def phase(x):
        return x == Phase.LAST

    before = content_of(law), content_of(phase)
    kernel_cache.CONTENTS.clear()
    assert (content_of(law), content_of(phase)) == before
    kernel_cache.CONTENTS.clear()
    monkeypatch.setattr(kernel_cache, "LIFETIME", 61)
    other = IntEnum("Phase", {"LAST": 2}, module=Phase.__module__, qualname="Phase")
    monkeypatch.setitem(globals(), "Phase", other)
    assert content_of(law) != before[0]
    assert content_of(phase) != before[1]


def test_the_content_tells_what_each_inner_function_names(monkeypatch):
    def law(x):
        def first(y):
            return double(y)

        def second(y):
            return triple(y)

        return first(x) + second(x)

    before = content_of(law)
    for name, other in (("double", triple), ("triple", double)):
        kernel_cache.CONTENTS.clear()
        with monkeypatch.context() as changed:
            changed.setitem(globals(), name, other)
            assert content_of(law) != before


def test_the_content_tells_what_stands_around_an_inner_function():
    def law(x):
        return (lambda y: -y)(x) + x

    before = content_of(law)
    law.__code__ = (lambda x: (lambda y: -y)(x) - x).__code__
    kernel_cache.CONTENTS.clear()
    assert content_of(law) != before


def even(n):
    return n == 0 or odd(n - 1)


def odd(n):
    return n != 0 and even(n - 1)


def test_functions_that_call_each_other_have_a_content():
    assert content_of(even) != content_of(odd)
    assert content_of(even) == content_of(even)


@compiled_only
def test_named_tuples_of_one_name_are_told_apart():
    from collections import namedtuple

    first, second = namedtuple("Numbers", "a b"), namedtuple("Numbers", "b a")

    @kernel
    def difference(numbers):
        return numbers.a - numbers.b

    codegen = difference.targetctx.codegen()
    cache = KernelCache(difference.py_func, {}, EntryLibrary)
    types = [(kernel_module.NUMBA.typeof(kind(3.0, 1.0)),) for kind in (first, second)]
    assert cache.file(types[0], codegen) != cache.file(types[1], codegen)
    assert cache.file(types[0], codegen) == cache.file(types[0], codegen)
    assert difference(first(3.0, 1.0)) == 2
    assert difference(second(3.0, 1.0)) == -2


@compiled_only
def test_no_digest_depends_on_addresses_or_on_the_order_of_sets(monkeypatch):
    """Else every process compiles the kernel again: `list_around`, and every law of a PairBehavior, once did."""
    described, told = _Content.described, []
    monkeypatch.setattr(kernel_cache, "CONTENTS", WeakKeyDictionary())
    monkeypatch.setattr(_Content, "described", lambda self, value: told.append(described(self, value)) or told[-1])
    for each in KERNELS:
        content_of(each.py_func)
    assert len(told) > 1000
    assert [text for text in told if " at 0x" in text or text.startswith("frozenset frozenset")] == []


class Plain:
    __slots__ = ("near",)
    far = 1

    def __init__(self, near):
        self.near = near


def test_objects_without_words_of_their_own_are_known_by_their_class_and_state():
    own = Plain(3)
    assert _Content().described(own) == _Content().described(Plain(3)) != _Content().described(Plain(4))
    assert _Content().described(frozenset("hgfedcba")) == f"frozenset {[f'str {each!r}' for each in 'abcdefgh']}"
    own.near = own
    assert "again" in _Content().described(own)
