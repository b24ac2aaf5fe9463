"""Every default of public classes and functions, in words of its own: one that changes by accident changes runs of users.

So are the tasks to be learned: what was trained for a task is of no use in another one.

A change on purpose is written to defaults.txt by `python -m tests.test_defaults`, and described in CHANGELOG.md.
"""

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import steersman as sm
from steersman.core.parameters.parameters import Parameters, describe
from steersman.learning.task import Task
from steersman.learning.tasks import TASKS
from tests.at_once import at_once

FILE = Path(__file__).with_name("defaults.txt")
"""One class or function a line: what must be given, then the defaults, each in the order of the alphabet."""


def written(cls: type) -> str:
    """The line of a class."""
    if issubclass(cls, Parameters):
        given = {each.name: each.default for each in describe(cls) if each.name != "name"}
        defaults = {name: default for name, default in given.items() if default is not MISSING}
    else:
        given = {name: each.default for name, each in inspect.signature(cls).parameters.items()}
        defaults = {name: default for name, default in given.items() if default is not inspect.Parameter.empty}
    return line_of(cls.__name__, [*given], defaults)


def line_of(called: str, given: Iterable[str], defaults: Mapping[str, object]) -> str:
    """A line: what must be given, then the defaults."""
    words = [*sorted(set(given) - defaults.keys()), *(f"{name}={defaults[name]!r}" for name in sorted(defaults))]
    return re.sub(" at 0x[0-9a-f]+", "", f"{called}({', '.join(words)})")


def written_function(called: str) -> str:
    """The line of a function."""
    given = {name: each.default for name, each in inspect.signature(functions()[called]).parameters.items()}
    return line_of(called, given, {name: each for name, each in given.items() if each is not inspect.Parameter.empty})


@cache
def functions() -> dict[str, Callable[..., Any]]:
    """The public functions with defaults: "laws.wander_lateral"."""
    places = {"": sm.__all__, "laws": sm.laws.__all__, "metrics": sm.metrics.__all__, "spawn": vars(sm.spawn)}
    found = {}
    for place, names in places.items():
        for name in names:
            each = getattr(getattr(sm, place) if place else sm, name)
            own = (
                inspect.isfunction(each)
                and name[0] != "_"
                and place in ("", each.__module__.rpartition(".")[2], "laws", "metrics")
            )
            if own and any(has.default is not has.empty for has in inspect.signature(each).parameters.values()):
                found[f"{place}.{name}".lstrip(".")] = each
    return found


def written_task(cls: type[Task]) -> str:
    """The line of a task: its numbers, its vehicles and their trees, and the trees that are to choose from."""
    task = cls()
    world = task.make(0, task.hand_made)
    numbers = {name: getattr(task, name) for name in ("agents", "dt", "every", "most", "observed", "torus")}
    words = [f"{name}={value!r}" for name, value in numbers.items()]
    for name, population in world.populations.items():
        own = {
            each: np.unique(getattr(population.vehicles, each)).tolist()
            for each in ("max_force", "max_speed", "radius")
        }
        words.append(
            f"{name}: {', '.join(f'{each}={value[0]:g}' for each, value in own.items())}, {population.steering}"
        )
        assert all(len(each) == 1 for each in own.values())
    trees = task.parts() | task.modes(world)
    words += [f"{name}: {tree}" for name, tree in trees.items()]
    return f"{cls.__name__} task({'; '.join(words)})"


def pinned() -> dict[str, type]:
    """The public classes whose defaults are promised."""
    public = {name: getattr(sm, name) for name in sm.__all__}
    described = {name for name, each in public.items() if isinstance(each, type) and issubclass(each, Parameters)}
    return {name: public[name] for name in sorted(described | {"Controller", "Vehicles", "World"})}


LINES = {line.partition("(")[0]: line for line in FILE.read_text("utf-8").strip().splitlines()}


@at_once("name", pinned())
def test_its_defaults_are_what_they_were(name: str) -> None:
    assert written(pinned()[name]) == LINES.get(name)


@at_once("called", functions())
def test_defaults_of_functions_are_what_they_were(called: str) -> None:
    assert written_function(called) == LINES.get(called)


@at_once("name", TASKS)
def test_a_task_is_what_it_was(name: str) -> None:
    task = TASKS[name]
    assert written_task(task) == LINES.get(f"{task.__name__} task")


def test_nothing_is_pinned_that_is_gone() -> None:
    assert set(LINES) <= {*pinned(), *functions(), *(f"{each.__name__} task" for each in TASKS.values())}


if __name__ == "__main__":
    LINES_NOW = [written(cls) for cls in pinned().values()] + [*map(written_function, functions())]
    LINES_NOW += [written_task(cls) for cls in TASKS.values()]
    FILE.write_text("".join(f"{line}\n" for line in LINES_NOW), "utf-8")
