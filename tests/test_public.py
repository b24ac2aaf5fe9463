"""The public face: what `import steersman` brings, and what it does not."""

import compileall
import dataclasses
import inspect
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from at_once import at_once

import steersman as sm
from steersman.core.kernels.cache import KernelCache
from steersman.core.kernels.kernel import KERNELS, is_compiling
from steersman.core.parameters.docstrings import text_of
from steersman.core.steering.registry import BEHAVIORS

PUBLIC = {name: getattr(sm, name) for name in sm.__all__}
CLASSES = {name: value for name, value in PUBLIC.items() if inspect.isclass(value)}
FUNCTIONS = {name: value for name, value in PUBLIC.items() if inspect.isfunction(value)}
LAWS = {name: getattr(sm.laws, name) for name in sm.laws.__all__}


def loaded_by(statement):
    """The top-level modules that a statement loads in a fresh interpreter."""
    program = f"import sys, json; {statement}; print(json.dumps(sorted({{n.partition('.')[0] for n in sys.modules}})))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout))


def test_nothing_heavy_is_imported():
    heavy = {"matplotlib", "typer", "pydantic", "rich", "click", "scipy", "pandas", "viser", "pyarrow", "pygame", "PIL"}
    assert loaded_by("import steersman") - {*sys.stdlib_module_names, "__main__"} == {"steersman"}
    loaded = loaded_by("import steersman; steersman.World")
    assert "steersman" in loaded
    assert "numba" in loaded
    more = loaded - loaded_by("import numba, numpy")  # Numba loads SciPy, where that is installed.
    assert not heavy & more
    assert {name for name in more if name not in sys.stdlib_module_names} == {"steersman"}


def told(program):
    """What a program prints in a fresh interpreter."""
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip()


def test_a_name_imports_its_own_module_and_no_behavior_beside_it():
    behaviors = told(
        "import steersman as sm; sm.World; from steersman.core.steering.registry import BEHAVIORS; before = set(BEHAVIORS)\n"
        "sm.Wander; print(len(before) < 5, set(BEHAVIORS) - before)"
    )
    assert behaviors == "True {'Wander'}"


@pytest.mark.parametrize(
    ("expression", "made"),
    [
        ("sm.Wander() + sm.Seek([1, 2])", "WeightedSum"),
        ("~(sm.Arrived([1, 2]) & sm.After(3.0))", "Not"),
        ("sm.FlowField.function(lambda points, time: points)", "FlowFunction"),
        ("sm.laws.seek", "function"),
    ],
)
def test_what_an_expression_makes_is_imported_with_it(expression, made):
    assert told(f"import steersman as sm; print(type({expression}).__name__)") == made


def test_every_name_says_its_module():
    core = sm._modules_of_the_core()
    assert core.keys() | sm._LATER.keys() == set(sm.__all__)
    assert not core.keys() & sm._LATER.keys()


def test_a_registry_knows_no_name_beside_those_of_its_classes():
    for name in ("Nothing", "World"):
        with pytest.raises(KeyError, match=name):
            BEHAVIORS[name]


def test_a_name_of_before_still_works():
    with pytest.warns(DeprecationWarning, match="steersman.Sketched is called SketchContext now") as told:
        assert sm.Sketched is sm.SketchContext
    assert {each.filename for each in told} == {__file__}


def test_all_is_complete():
    assert len(set(sm.__all__)) == len(sm.__all__)
    own = {
        name
        for name, value in vars(sm).items()
        if not name.startswith("_")
        and not (inspect.ismodule(value) and name not in ("laws", "metrics", "shapes", "spawn"))
    }
    assert own == set(sm.__all__)
    assert {behavior.__name__ for behavior in BEHAVIORS.values()} <= own


def test_one_name_for_one_thing():
    things = list(PUBLIC.values())
    assert len({id(thing) for thing in things}) == len(things)
    for name, value in (CLASSES | FUNCTIONS).items():
        assert value.__name__ == name


@at_once("name", sorted(name for name, cls in CLASSES.items() if dataclasses.is_dataclass(cls)))
def test_type_checkers_see_what_is_given_by_position(name):
    """Checkers know nothing of `parameter(positional=...)`: what bases add stands behind a KW_ONLY."""
    for base in CLASSES[name].__mro__[1:]:
        own = inspect.get_annotations(base)
        named = [each.name for each in dataclasses.fields(base) if each.name in own and each.kw_only] if own else []
        assert not named or dataclasses.KW_ONLY in own.values()


@at_once("name", sorted(CLASSES))
def test_every_class_is_described(name):
    cls = CLASSES[name]
    text = cls.__doc__ or ""
    assert text.strip(), f"{name} has no docstring"
    assert not text.startswith(f"{name}("), f"{name} has only the docstring that dataclass makes"
    if issubclass(cls, Exception) or inspect.isabstract(cls):
        return
    arguments = [p for p in inspect.signature(cls).parameters.values() if p.name not in ("self", "flattens", "name")]
    if len(arguments) > 1:
        listed = "Args:" if "Args:" in text else "Attributes:"  # Of what is a result, and not made by users.
        described = text.partition(listed)[2].partition("Raises:")[0]
        missing = [p.name for p in arguments if f"{p.name}:" not in described and not text_of(cls, p.name)]
        assert not missing, f"{name} does not describe {missing}"


@at_once("name", sorted(CLASSES))
def test_every_public_method_is_described(name):
    for method, value in vars(CLASSES[name]).items():
        if not method.startswith("_") and (inspect.isfunction(value) or isinstance(value, property)):
            assert inspect.getdoc(value), f"{name}.{method} has no docstring"


@at_once("name", sorted(FUNCTIONS | LAWS))
def test_every_function_is_described_and_annotated(name):
    function = (FUNCTIONS | LAWS)[name]
    if not inspect.isroutine(function):
        return
    assert inspect.getdoc(function)
    signature = inspect.signature(function)
    assert signature.return_annotation is not inspect.Signature.empty
    assert all(p.annotation is not inspect.Parameter.empty for p in signature.parameters.values())


@pytest.mark.skipif(not is_compiling(), reason="kernels are not compiled")
def test_every_kernel_is_kept_by_content():
    own = [kernel for kernel in KERNELS if kernel.py_func.__module__.startswith("steersman.")]
    assert len(own) > 50
    for kernel in own:
        assert isinstance(kernel._cache, KernelCache), kernel


def test_the_version():
    assert sm.__version__.count(".") == 2


def test_a_program_that_is_packed_without_sources_has_all_names(tmp_path):
    """PyInstaller's programs have compiled modules alone; then the first name imports all."""
    shutil.copytree(
        Path(sm.__file__).parent, tmp_path / "steersman", ignore=shutil.ignore_patterns("__pycache__", "page")
    )
    (tmp_path / "steersman" / "core" / "public.py").rename(tmp_path / "public.py")
    compileall.compile_file(tmp_path / "public.py", legacy=True, quiet=1)
    (tmp_path / "public.pyc").rename(tmp_path / "steersman" / "core" / "public.pyc")
    program = "import steersman as sm; print(sm.Seek.__name__, len([getattr(sm, name) for name in sm.__all__]))"
    about = {"env": {**os.environ, "PYTHONPATH": str(tmp_path)}, "cwd": tmp_path, "capture_output": True, "text": True}
    done = subprocess.run([sys.executable, "-c", program], **about)
    assert done.stdout.split() == ["Seek", str(len(sm.__all__))], done.stderr
