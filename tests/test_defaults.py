"""Every default of the public classes, in words of its own: a default that changes by accident changes runs of users.

A change on purpose is written to defaults.txt by `python -m tests.test_defaults`, and described in CHANGELOG.md.
"""

import inspect
from dataclasses import MISSING
from pathlib import Path

import steersman as sm
from steersman.core.parameters.parameters import Parameters, describe
from tests.at_once import at_once

FILE = Path(__file__).with_name("defaults.txt")
"""One class a line: what must be given, then the defaults, each in the order of the alphabet."""


def written(cls: type) -> str:
    """The line of a class."""
    if issubclass(cls, Parameters):
        given = {each.name: each.default for each in describe(cls) if each.name != "name"}
        defaults = {name: default for name, default in given.items() if default is not MISSING}
    else:
        given = {name: each.default for name, each in inspect.signature(cls).parameters.items()}
        defaults = {name: default for name, default in given.items() if default is not inspect.Parameter.empty}
    words = [*sorted(given.keys() - defaults.keys()), *(f"{name}={defaults[name]!r}" for name in sorted(defaults))]
    return f"{cls.__name__}({', '.join(words)})"


def pinned() -> dict[str, type]:
    """The public classes whose defaults are promised."""
    public = {name: getattr(sm, name) for name in sm.__all__}
    described = {name for name, each in public.items() if isinstance(each, type) and issubclass(each, Parameters)}
    return {name: public[name] for name in sorted(described | {"Controller", "Vehicles", "World"})}


LINES = {line.partition("(")[0]: line for line in FILE.read_text("utf-8").strip().splitlines()}


@at_once("name", pinned())
def test_its_defaults_are_what_they_were(name: str) -> None:
    assert written(pinned()[name]) == LINES.get(name)


def test_nothing_is_pinned_that_is_gone() -> None:
    assert set(LINES) <= set(pinned())


if __name__ == "__main__":
    FILE.write_text("".join(f"{written(cls)}\n" for cls in pinned().values()), "utf-8")
