"""The one decorator: every kernel goes through it, with all flags stated."""

import ast
from pathlib import Path

import numpy as np
import pytest
from numba.core.errors import TypingError

import steersman.core.kernels.kernel as kernel_module
from steersman.core.kernels.kernel import COLLECTED, FAST, KERNELS, collecting, entry_point, is_compiling, kernel
from steersman.core.maths import angles, frames, random, vectors
from steersman.core.maths.vectors import add_scaled, difference

PACKAGE = Path(kernel_module.__file__).parents[3]

compiled_only = pytest.mark.skipif(not is_compiling(), reason="kernels are not compiled")


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
    assert {vectors.dot, frames.realign, angles.wrap_angle, random.draw} <= set(KERNELS)
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


COMPILERS = {"njit", "jit", "vectorize", "guvectorize", "cfunc", "jitclass", "prange"}


def compilers_named_in(source):
    """Names of Numba's compilers in a source text."""
    found = set()
    if not any(name in source for name in COMPILERS):  # To parse all sources takes seconds.
        return found
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
        found |= COMPILERS & set(names)
    return found


def test_no_source_but_the_decorators_compiles():
    sources = sorted(PACKAGE.rglob("*.py"))
    assert len(sources) > 5
    named = {path.relative_to(PACKAGE).as_posix(): compilers_named_in(path.read_text("utf-8")) for path in sources}
    plain = {
        "steersman/core/kernels/kernel.py": {"njit"},  # The decorator's own way past it, for a Numba that does not fit.
        "steersman/gpu/compiling.py": {"jit"},  # The decorators of a graphics processor.
    }
    assert {path: names for path, names in named.items() if names} == plain


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


@pytest.mark.skipif(not is_compiling(), reason="kernels are not compiled")
@pytest.mark.parametrize("color", ["", "\x1b[1m", "\x1b[0m\x1b[31m"])
def test_what_numba_says_of_a_function_of_a_user_is_told_in_few_lines_whatever_its_color(color):
    said = [
        f"{color}Failed in nopython mode pipeline (step: frontend)",
        f"{color}No such thing.\x1b[0m",
        "",
        f"{color}During: a",
    ]

    class Faulty:
        py_func = staticmethod(test_what_numba_says_of_a_function_of_a_user_is_told_in_few_lines_whatever_its_color)

        def compile(self, signature):
            raise TypingError("\n".join(said))

    with pytest.raises(TypeError, match=r"cannot be compiled by Numba:\n  No such thing\.$"):
        kernel_module.compile_or_explain(Faulty(), ())


def test_kernels_are_compiled_at_once_again_after_an_error_while_they_were_collected():
    with pytest.raises(ZeroDivisionError), collecting():
        raise ZeroDivisionError
    assert COLLECTED.missing is None
