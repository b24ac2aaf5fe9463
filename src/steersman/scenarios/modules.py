"""Scenarios in Python files: a module with a function `make`, and maybe a `check`.

`make(*, n=50, seed=0)` returns a World, or a Stage with a time to run, scenery and metrics. `check(world)` says what is wrong
after the run, in sentences.
"""

import importlib.util
import inspect
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

from steersman.scenarios.problems import Problem, ScenarioError
from steersman.scenarios.scenario import Scenario
from steersman.scenarios.stage import Stage
from steersman.world.world import World


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
        raise ScenarioError(
            [Problem("", "must have a function make(n, seed) that returns a Stage or a World")], str(path)
        )
    parameters = inspect.signature(make).parameters
    usual = parameters["n"].default if "n" in parameters else 1
    return Scenario(
        name=path.stem,
        shows=inspect.getdoc(module) or path.stem,
        tags=(),
        dimensions=2,
        n=usual if isinstance(usual, int) else 1,
        check=check if callable(check) else None,
        make=_Maker(make, path),
    )


class _Maker:
    """Calls a `make` with what it takes, and makes a Stage of whatever world it returns."""

    def __init__(self, make: Any, path: Path) -> None:
        self.make, self.path = make, path
        self.takes = inspect.signature(make).parameters
        self.__signature__ = inspect.signature(make)

    def __call__(self, *, n: int, seed: int, **params: Any) -> Stage:
        given = {name: value for name, value in (("n", n), ("seed", seed)) if name in self.takes}
        made = self.make(**given, **params)
        if isinstance(made, World):
            made = Stage(made)
        if not isinstance(made, Stage):
            raise ScenarioError([Problem("", f"make must return a Stage or a World, got {made!r}")], str(self.path))
        return made


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
