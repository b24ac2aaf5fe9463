"""Refusals: in which words public classes, metrics and methods refuse wrong values, for each of their arguments."""

import math
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from faults.calls import CONTROLLER, FUNCTIONS, POPULATION, VEHICLES, WORLD, Valid, call_with, measures_of, world
from faults.constructors import classes, needed, signature, values

import steersman as sm
from steersman.core.parameters.brief import brief

from .table import Rows, Section

WRONG = (-1.5, math.nan, "nonsense", [], object)
"""Each is given to every argument; some arguments allow some of them."""

Ask = Callable[[dict[str, Any]], object]


def said(ask: Ask, given: dict[str, Any], name: str) -> str:
    """The different refusals of one argument; `*` stands for its name, `~` for the value that was given."""
    found: dict[str, dict[str, None]] = {}
    for wrong in WRONG:
        try:
            ask(given | {name: wrong})
        except Exception as error:
            message, got = str(error), f" got {brief(wrong)}"
            if message.startswith(f"{name} "):
                message = f"*{message.removeprefix(name)}"
            if message.endswith(got):
                message = f"{message.removesuffix(got)} ~"
            found.setdefault(message, {})[type(error).__name__] = None
    return " | ".join(f"{' '.join(sorted(kinds))} {message}" for message, kinds in found.items())


def rows_of(arguments: Callable[[], Iterator[tuple[str, Ask, dict[str, Any], Mapping[str, object]]]]) -> Rows:
    """A row for all arguments that are refused in the same words."""
    same: dict[str, list[str]] = {}
    for owner, ask, given, names in arguments():
        for name in names:
            same.setdefault(said(ask, given, name), []).append(f"{owner}.{name}")
    section = Section()
    for words, names in sorted(same.items()):
        section.add(words or "everything is allowed", " ".join(names))
    return section.rows


def of_constructors() -> Iterator[tuple[str, Ask, dict[str, Any], Mapping[str, object]]]:
    """The arguments of public classes."""
    for owner, cls in classes().items():
        given = {each: values(cls, each)[0] for each in needed(cls)}
        yield owner, lambda given, cls=cls: cls(**given), given, signature(cls)


def of_metrics() -> Iterator[tuple[str, Ask, dict[str, Any], Mapping[str, object]]]:
    """The arguments of metrics."""
    for owner in FUNCTIONS:
        known = measures_of(owner)
        yield owner, partial(call_with, getattr(sm.metrics, owner)), {each: known[each][0] for each in known}, known


def of_methods() -> Iterator[tuple[str, Ask, dict[str, Any], Mapping[str, object]]]:
    """The arguments of the methods of a world and of what is in it."""
    tables: dict[str, tuple[dict[str, Valid], Callable[[], object]]] = {
        "World": (WORLD, world),
        "Population": (POPULATION, lambda: world().populations["boids"]),
        "Vehicles": (VEHICLES, lambda: world()["boids"]),
        "Controller": (CONTROLLER, lambda: sm.Controller(world()["boids"], sm.Wander())),
    }
    for kind, (table, make) in tables.items():
        for method, known in table.items():
            given = {each: known[each][0] for each in known}
            yield f"{kind}.{method}", partial(call_with, getattr(make(), method)), given, known


SECTIONS: dict[str, Callable[[], Rows]] = {
    "classes": partial(rows_of, of_constructors),
    "metrics": partial(rows_of, of_metrics),
    "methods": partial(rows_of, of_methods),
}
