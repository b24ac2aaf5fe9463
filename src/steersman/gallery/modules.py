"""Scenarios in Python files: a module with a function `make`, and maybe a `check`.

`make(*, n=50, seed=0)` returns a World, or a Stage with a time to run, scenery and metrics. `check(stage)` names the
faults after the run, in sentences. It is the form that the scenarios of the library have.
"""

import importlib.util
import inspect
import sys
import traceback
from pathlib import Path
from types import ModuleType

from steersman.gallery.making.scenario import Scenario
from steersman.runs.documents.problems import Problem, ScenarioError


def read_module(path: Path) -> Scenario:
    """The scenario in a Python file. The file is executed.

    Args:
        path: The file. Its `make` is called with n and seed, as far as it takes them, and with parameters of its own; it
            returns a Stage, or a World, which is run for 10 s.

    Raises:
        ScenarioError: The file cannot be read, ends in an exception, or has no such function.
    """
    module = _executed(path)
    make, check = getattr(module, "make", None), getattr(module, "check", None)
    if not callable(make):
        problem = Problem("", "must have a function make(n, seed) that returns a Stage or a World")
        raise ScenarioError([problem], str(path))
    shows = inspect.getdoc(module) or path.stem
    return Scenario(make, check if callable(check) else None, name=path.stem, shows=shows)


def _executed(path: Path) -> ModuleType:
    """The module of a file; modules beside it can be imported from it."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise ScenarioError([Problem("", "there is no such file")], str(path))
    module = importlib.util.module_from_spec(spec)
    folder = str(path.resolve().parent)
    sys.path.insert(0, folder)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        lines = [frame.lineno for frame in frames if Path(frame.filename) in (path, path.resolve())]
        line = lines[-1] if lines else getattr(error, "lineno", None)
        problem = Problem("", f"cannot be executed: {type(error).__name__}: {error}", line)
        raise ScenarioError([problem], str(path)) from error
    finally:
        sys.path.remove(folder)
    return module
