"""How the kinds of parameters that behaviors and scenarios have are read from a document."""

import copy
from typing import Any

import numpy as np

from steersman.environment.domains.box import Box
from steersman.environment.domains.domain import Domain
from steersman.environment.domains.open import Open
from steersman.environment.domains.torus import Torus
from steersman.geometry.arrays import as_floats
from steersman.geometry.parameters import Description
from steersman.scenarios.problems import Place, suggestion
from steersman.scenarios.reader import FAILED, Reader, Value, as_plain, reads
from steersman.scenarios.schema import Picture
from steersman.scenarios.spawning import SHAPES
from steersman.scenarios.spread import as_spread
from steersman.scenarios.starting import STARTS
from steersman.steering.prediction import Predictor
from steersman.steering.targets import as_which

DOMAINS: dict[str, type[Domain]] = {"open": Open, "torus": Torus, "box": Box}
"""Name in documents -> domain."""


@reads("spread")
def spread(reader: Reader, description: Description, value: Any, place: Place) -> Value:
    """A number or a range."""
    return Value(as_spread(description, value), copy.deepcopy(value))


@reads("vector", "points", "numbers")
def numbers(reader: Reader, description: Description, value: Any, place: Place) -> Value:
    """Vectors, lists of vectors, lists of numbers; the class says which shapes are right."""
    if value is None and description.optional:
        return Value(None, None)
    given = as_floats(description.name, value, np.float64)
    if description.kind != "numbers" and given.ndim:
        check_dimensions(reader, description.name, given.shape[-1])
    return Value(value, copy.deepcopy(value))


def check_dimensions(reader: Reader, name: str, got: int) -> None:
    """Raise ValueError when points have other dimensions than the world."""
    if reader.dimensions is not None and got != reader.dimensions:
        raise ValueError(
            f"{name} must have {reader.dimensions} numbers per point, for the world is {reader.dimensions}D; got {got}"
        )


@reads("domain")
def domain(reader: Reader, description: Description, value: Any, place: Place) -> Value:
    """The space: `{kind = "torus", size = [200, 200]}`."""
    return by_name(reader, "kind", DOMAINS, value, place, "the domain")


@reads("spawn")
def spawn(reader: Reader, description: Description, value: Any, place: Place) -> Value:
    """A spawn shape: `{shape = "disc", radius = 20}`."""
    return by_name(reader, "shape", SHAPES, value, place, "spawn")


@reads("velocity")
def velocity(reader: Reader, description: Description, value: Any, place: Place) -> Value:
    """A starting velocity: `{kind = "random", speed = 5}`."""
    return by_name(reader, "kind", STARTS, value, place, "velocity")


@reads("predictor")
def predictor(reader: Reader, description: Description, value: Any, place: Place) -> Value:
    """How far ahead to look: `"Approach"` or `{kind = "Capped", limit = 2.0}`."""
    classes = {cls.__name__: cls for cls in Predictor.__subclasses__()}
    table = {"kind": value} if isinstance(value, str) else value
    return by_name(reader, "kind", classes, table, place, description.name)


def by_name(reader: Reader, tag: str, classes: dict[str, Any], value: Any, place: Place, what: str) -> Value:
    """An object of the class that a table names."""
    table = reader.table(value, place, what)
    cls = reader.chosen(table, tag, classes, place) if table is not None else None
    if table is None or cls is None:
        return Value(FAILED, None)
    made = reader.construct(cls, table, place, besides=(tag,))
    return Value(made.real, {tag: table[tag], **made.plain})


@reads("picture")
def picture(reader: Reader, description: Description, value: Any, place: Place) -> Value:
    """How the picture looks."""
    table = reader.table(value, place, "picture")
    return Value(FAILED, None) if table is None else reader.construct(Picture, table, place)


# ---------------------------------------------------------------------------------------------------- references


@reads("target")
def target(reader: Reader, description: Description, value: Any, place: Place) -> Value:
    """A point, a point per vehicle, or the name of a population."""
    if isinstance(value, str):
        return population(reader, description, value, place)
    try:
        points = as_floats(description.name, value, np.float64)
    except TypeError:
        raise TypeError(f"{description.name} must be a point or the name of a population, got {value!r}") from None
    if points.ndim not in (1, 2):
        raise ValueError(f"{description.name} must be a point or a list of points, got {value!r}")
    check_dimensions(reader, description.name, points.shape[-1])
    return Value(points, points.tolist())


@reads("population")
def population(reader: Reader, description: Description, value: Any, place: Place) -> Value:
    """The name of a population."""
    if value is None and description.optional:
        return Value(None, None)
    if not isinstance(value, str):
        raise TypeError(f"{description.name} must be the name of a population, got {value!r}")
    if value not in reader.populations:
        known = suggestion(value, reader.populations, what="populations")
        raise ValueError(f"{description.name} must be the name of a population; there is no {value!r}{known}")
    return Value(reader.populations[value], value)


@reads("obstacles")
def obstacles(reader: Reader, description: Description, value: Any, place: Place) -> Value:
    """The name of a set of obstacles, or a list of such names."""
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        raise TypeError(f"{description.name} must be the name of a set of obstacles, or a list of names, got {value!r}")
    found = []
    for index, name in enumerate(names):
        if name not in reader.obstacles:
            known = suggestion(name, reader.obstacles, what="obstacles")
            where = place if isinstance(value, str) else (*place, index)
            reader.problems.add(where, f"there are no obstacles {name!r}{known}")
        found.append(reader.obstacles.get(name, FAILED))
    if any(each is FAILED for each in found):
        return Value(FAILED, None)
    return Value(found[0] if isinstance(value, str) else found, copy.deepcopy(value))


@reads("neighbors", "sites", "of")
def neighbors(reader: Reader, description: Description, value: Any, place: Place) -> Value:
    """Who counts as a neighbor: a population, a set of obstacles, or points."""
    if isinstance(value, str) and value in reader.obstacles:
        return Value(reader.obstacles[value], value)
    if isinstance(value, list):
        return numbers(reader, description, value, place)
    return population(reader, description, value, place)


@reads("which")
def which(reader: Reader, description: Description, value: Any, place: Place) -> Value:
    """Whom of a population: "nearest", a row, or ids."""
    if value is None and description.optional:
        return Value(None, None)
    return Value(as_which(value), as_plain(value))


@reads("ramp")
def ramp(reader: Reader, description: Description, value: Any, place: Place) -> Value:
    """A ramp's name, or its samples."""
    if isinstance(value, str) and description.choices and value not in description.choices:
        raise ValueError(f"{description.name} must be {description.allowed} or samples, got {value!r}")
    return Value(value, copy.deepcopy(value))
