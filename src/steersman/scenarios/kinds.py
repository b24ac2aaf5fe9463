"""How the kinds of parameters that behaviors and scenarios have are read from a document."""

import copy
from collections.abc import Mapping
from typing import Any

import numpy as np

from steersman.drawing.style import Picture
from steersman.environment.domains.box import Box
from steersman.environment.domains.domain import Domain
from steersman.environment.domains.open import Open
from steersman.environment.domains.torus import Torus
from steersman.environment.fields.flow_field import FLOW_FIELD
from steersman.environment.fields.flow_image import IMAGE
from steersman.environment.obstacles.obstacle import OBSTACLES
from steersman.environment.paths.path import PATH
from steersman.environment.regions.region import REGION
from steersman.environment.resources import RESOURCES
from steersman.environment.surfaces.heightfield import HEIGHTS
from steersman.environment.surfaces.surface import SURFACE
from steersman.geometry.arrays import as_floats
from steersman.geometry.guiding import suggestion
from steersman.geometry.kinds import NUMBERS, POINTS, VECTOR, Description
from steersman.locomotion.limits.limit import LIMITS
from steersman.locomotion.motion_clips import CLIPS
from steersman.locomotion.registry import BODIES
from steersman.scenarios.problems import Place
from steersman.scenarios.reader import FAILED, Reader, Table, Value, is_plain, reads
from steersman.scenarios.scenery import FILE, SECTIONS, Recipe, Section, classes_of
from steersman.scenarios.schema import DOMAIN, LOCOMOTION, PICTURE, SPAWN, TABLE, VELOCITY
from steersman.scenarios.spawning import SHAPES
from steersman.scenarios.spread import SPREAD
from steersman.scenarios.starting import STARTS
from steersman.steering.combining.stages import (
    ACTUATOR,
    CONSTRAINTS,
    DECOMPOSERS,
    TARGETERS,
)
from steersman.steering.group.neighborly import NEIGHBORS
from steersman.steering.individual.follow_wall import FOLLOWED
from steersman.steering.individual.reach_orientation import ORIENTATION
from steersman.steering.prediction import PREDICTOR
from steersman.steering.targets import TARGET
from steersman.vehicles.holding import POPULATION
from steersman.world.constraints.constraint import WORLD_CONSTRAINTS

DOMAINS: dict[str, type[Domain]] = {"open": Open, "torus": Torus, "box": Box}
"""Name in documents -> domain."""


@reads(SPREAD)
def spread(reader: Reader, description: Description, value: Any, place: Place) -> Value:
    """A number or a range."""
    return Value(description.normal(value), copy.deepcopy(value))


@reads(VECTOR, POINTS, NUMBERS)
def numbers(reader: Reader, description: Description, value: Any, place: Place) -> Value:
    """Vectors, lists of vectors, lists of numbers; the class says which shapes are right."""
    if value is None and description.optional:
        return Value(None, None)
    if not description.kind.is_like(NUMBERS) and has_odd_point(reader, description.name, value, place):
        return Value(FAILED, None)
    given = as_floats(description.name, value, np.float64)
    if not description.kind.is_like(NUMBERS) and given.ndim:
        check_dimensions(reader, description.name, given.shape[-1])
    return Value(value, copy.deepcopy(value))


def has_odd_point(reader: Reader, name: str, value: Any, place: Place) -> bool:
    """Whether some of the points of a list have other dimensions than the world; each of them is a problem."""
    rows = value if isinstance(value, (list, tuple)) else []
    points = [isinstance(row, (list, tuple)) and all(isinstance(item, (int, float)) for item in row) for row in rows]
    odd = [k for k, row in enumerate(rows) if all(points) and len(row) != reader.dimensions]
    if reader.dimensions is None or len(odd) == len(rows):
        return False
    for k in odd:
        message = f"{name} must have {reader.dimensions} numbers per point, for the world is {reader.dimensions}D; got"
        reader.problems.add((*place, k), f"{message} {rows[k]!r}")
    return bool(odd)


def check_dimensions(reader: Reader, name: str, got: int) -> None:
    """Raise ValueError when points have other dimensions than the world, and are no part of a map of x and y either."""
    if reader.dimensions is not None and got != reader.dimensions and not (reader.on_map and got == 2):
        raise ValueError(
            f"{name} must have {reader.dimensions} numbers per point, for the world is {reader.dimensions}D; got {got}"
        )


@reads(DOMAIN)
def domain(reader: Reader, description: Description, value: Any, place: Place) -> Value:
    """The space: `{kind = "torus", size = [200, 200]}`."""
    return by_name(reader, "kind", DOMAINS, value, place, "the domain")


@reads(SPAWN)
def spawn(reader: Reader, description: Description, value: Any, place: Place) -> Value:
    """A spawn shape: `{shape = "disc", radius = 20}`."""
    return by_name(reader, "shape", SHAPES, value, place, "spawn")


@reads(VELOCITY)
def velocity(reader: Reader, description: Description, value: Any, place: Place) -> Value:
    """A starting velocity: `{kind = "random", speed = 5}`."""
    return by_name(reader, "kind", STARTS, value, place, "velocity")


@reads(LOCOMOTION)
def locomotion(reader: Reader, description: Description, value: Any, place: Place) -> Value:
    """The body: `"PointMass"` or `{body = "Flying", bank = 0.5}`."""
    if value is None and description.optional:
        return Value(None, None)
    given = {"body": value} if isinstance(value, str) else value
    return by_name(reader, "body", dict(sorted(BODIES.items())), given, place, description.name)


@reads(LIMITS, CLIPS, TARGETERS, DECOMPOSERS, CONSTRAINTS, WORLD_CONSTRAINTS)
def members(reader: Reader, description: Description, value: Any, place: Place) -> Value:
    """A list of things of one kind: `["LowSpeedTurn", {kind = "Drag", rate = 2.0}]`."""
    if not isinstance(value, list):
        raise TypeError(f"{description.name} must be a list, got {value!r}")
    found = [member(reader, description, item, (*place, index)) for index, item in enumerate(value)]
    failed = any(each.real is FAILED for each in found)
    return Value(FAILED if failed else [each.real for each in found], [each.plain for each in found])


@reads(ACTUATOR, PREDICTOR)
def member(reader: Reader, description: Description, value: Any, place: Place) -> Value:
    """One thing: `"Approach"` or `{kind = "Capped", limit = 2.0}`; the kind may be left out where there is only one."""
    if not is_plain(value):
        return Value(value, value)
    classes: dict[str, Any] = classes_of(description.kind.base)
    usual = {"kind": next(iter(classes))} if len(classes) == 1 else {}
    given = {"kind": value} if isinstance(value, str) else value
    if isinstance(given, Mapping):
        given = {**usual, **given}
    return by_name(reader, "kind", classes, given, place, description.name)


@reads(IMAGE, HEIGHTS, FILE)
def file(reader: Reader, description: Description, value: Any, place: Place) -> Value:
    """A file, beside the document; or its content in numbers."""
    if not isinstance(value, str):
        return Value(value, copy.deepcopy(value))
    found = str((reader.folder / value).resolve())
    return Value(found, found)


@reads(TABLE)
def table(reader: Reader, description: Description, value: Any, place: Place) -> Value:
    """A table that somebody else reads."""
    found = reader.table(value, place, description.name)
    return Value(FAILED if found is None else dict(found), copy.deepcopy(value))


def by_name(reader: Reader, tag: str, classes: Mapping[str, Any], value: Any, place: Place, what: str) -> Value:
    """An object of the class that a table names."""
    given = reader.table(value, place, what)
    cls = reader.chosen(given, tag, classes, place) if given is not None else None
    if given is None or cls is None:
        return Value(FAILED, {})
    made = reader.construct(cls, given, place, besides=(tag,))
    return Value(made.real, {tag: given[tag], **made.plain})


@reads(PICTURE)
def picture(reader: Reader, description: Description, value: Any, place: Place) -> Value:
    """How the picture looks."""
    given = reader.table(value, place, "picture")
    return Value(FAILED, None) if given is None else reader.construct(Picture, given, place)


# ---------------------------------------------------------------------------------------------------- references


@reads(TARGET)
def target(reader: Reader, description: Description, value: Any, place: Place) -> Value:
    """A point, a point per vehicle, or the name of a population."""
    if isinstance(value, str):
        return population(reader, description, value, place)
    if has_odd_point(reader, description.name, value, place):
        return Value(FAILED, None)
    try:
        points = as_floats(description.name, value, np.float64)
    except TypeError:
        raise TypeError(f"{description.name} must be a point or the name of a population, got {value!r}") from None
    if points.ndim not in (1, 2):
        raise ValueError(f"{description.name} must be a point or a list of points, got {value!r}")
    check_dimensions(reader, description.name, points.shape[-1])
    return Value(points, points.tolist())


@reads(POPULATION)
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


@reads(ORIENTATION)
def orientation(reader: Reader, description: Description, value: Any, place: Place) -> Value:
    """Numbers, or the name of a population to be turned like."""
    if isinstance(value, str):
        return population(reader, description, value, place)
    return Value(value, copy.deepcopy(value))


@reads(OBSTACLES)
def obstacles(reader: Reader, description: Description, value: Any, place: Place) -> Value:
    """The name of a set of obstacles, or a list of such names."""
    if value is None and description.optional:
        return Value(None, None)
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        raise TypeError(f"{description.name} must be the name of a set of obstacles, or a list of names, got {value!r}")
    known = reader.of_section("obstacles")
    found = []
    for index, name in enumerate(names):
        if name not in known:
            where = place if isinstance(value, str) else (*place, index)
            reader.problems.add(where, f"there are no obstacles {name!r}{suggestion(name, known, what='obstacles')}")
        found.append(known.get(name, FAILED))
    if any(each is FAILED for each in found):
        return Value(FAILED, None)
    return Value(found[0] if isinstance(value, str) else found, copy.deepcopy(value))


@reads(FOLLOWED)
def followed(reader: Reader, description: Description, value: Any, place: Place) -> Value:
    """The name of a surface or a path, or obstacles."""
    for section in ("paths", "surfaces"):
        if isinstance(value, str) and value in reader.of_section(section):
            return Value(reader.of_section(section)[value], value)
    return obstacles(reader, description, value, place)


@reads(PATH, FLOW_FIELD, REGION, SURFACE, RESOURCES)
def scenery(reader: Reader, description: Description, value: Any, place: Place) -> Value:
    """The name of a path, a field, ...; or what its table holds, without a name."""
    if value is None and description.optional:
        return Value(None, None)
    section = next(name for name, about in SECTIONS.items() if description.kind.is_like(about.kind))
    if isinstance(value, dict):
        return thing(reader, SECTIONS[section], value, place)
    if not isinstance(value, str):
        return Value(value, copy.deepcopy(value))
    known = reader.of_section(section)
    if section in ("surfaces", "regions"):  # The skin of obstacles is a surface, and their inside a region.
        known |= reader.of_section("obstacles")
    if value not in known:
        what = f"the name of {SECTIONS[section].one}"
        known_names = suggestion(value, known, what=section)
        raise ValueError(f"{description.name} must be {what}; there is no {value!r}{known_names}")
    return Value(known[value], value)


MAPS = [SECTIONS[name] for name in ("paths", "fields", "regions")]
"""What may have two dimensions in a world of three (see `steering/on_plan.py`)."""


def thing(reader: Reader, about: Section, table: Table, place: Place) -> Value:
    """One thing of a section, of the usual kind where its table names none."""
    usual = {"kind": about.usual} if about.usual else {}
    reader.on_map = about in MAPS
    made = by_name(reader, "kind", about.kinds, {**usual, **table}, place, about.one)
    reader.on_map = False
    if not isinstance(made.real, Recipe):
        return made
    try:
        return Value(made.real.make(), made.plain)
    except (TypeError, ValueError, OSError) as error:
        reader.problems.add(place, str(error))
        return Value(FAILED, made.plain)


@reads(NEIGHBORS)
def neighbors(reader: Reader, description: Description, value: Any, place: Place) -> Value:
    """Who counts as a neighbor: a population, a set of obstacles, or points."""
    if isinstance(value, str) and reader.sections.get(value) == "obstacles":
        return Value(reader.scenery[value], value)
    if isinstance(value, list):
        return numbers(reader, description, value, place)
    return population(reader, description, value, place)
