"""The functions that read parameters from a document, one for each kind (see `reader.reads`)."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.domains.box import Box
from steersman.core.environment.domains.torus import Torus
from steersman.core.environment.fields.flow_field import FLOW_FIELD
from steersman.core.environment.fields.flow_image import IMAGE
from steersman.core.environment.obstacles.obstacle import OBSTACLES, Obstacles
from steersman.core.environment.open import Open
from steersman.core.environment.paths.path import PATH, Path
from steersman.core.environment.regions.kind import REGION
from steersman.core.environment.resources import RESOURCES
from steersman.core.environment.routes.doors import DOORS, DOORS_IN_SPACE
from steersman.core.environment.routes.goals import GOALS
from steersman.core.environment.routes.nav_mesh import POLYGONS
from steersman.core.environment.routes.route_grid import COST, GROUND
from steersman.core.environment.routes.route_map import ROUTE_MAP, RouteMap
from steersman.core.environment.surface import Surface
from steersman.core.environment.surfaces.heightfield import HEIGHTS
from steersman.core.environment.surfaces.kind import SURFACE
from steersman.core.locomotion.limit import LIMITS
from steersman.core.locomotion.motion_clips import CLIPS
from steersman.core.locomotion.registry import LOCOMOTIONS
from steersman.core.parameters.arrays import as_floats
from steersman.core.parameters.guiding import suggestion
from steersman.core.parameters.kinds import NUMBERS, POINTS, VECTOR, Description
from steersman.core.parameters.per_vehicle import is_column
from steersman.core.steering.combining.stages import (
    ACTUATOR,
    CONSTRAINTS,
    DECOMPOSERS,
    TARGETERS,
)
from steersman.core.steering.group.neighborly import NEIGHBORS
from steersman.core.steering.obstacles.follow_wall import FOLLOWED
from steersman.core.steering.sensing.remembering import GROUPS
from steersman.core.steering.targets.goal import GOAL
from steersman.core.steering.targets.prediction import PREDICTOR
from steersman.core.steering.targets.selection import WHICH, Among
from steersman.core.steering.targets.target import QUARRY, TARGET
from steersman.core.steering.tree.knowledge import KNOWLEDGE, KNOWN
from steersman.core.steering.turning.reach_orientation import ORIENTATION
from steersman.core.vehicles.holding import ALL, POPULATION, POPULATIONS
from steersman.core.world.constraint import WORLD_CONSTRAINTS
from steersman.core.world.flows.flow import FLOWS
from steersman.core.world.flows.places import WHERE
from steersman.core.world.flows.replayed import TRACKS, Tracks
from steersman.core.world.flows.spawner import START
from steersman.drawing.style import IDS, LOOKING, MOMENTS, Picture
from steersman.runs.documents.problems import Place
from steersman.runs.documents.reader import FAILED, Reader, Table, is_plain, reads, whole
from steersman.runs.documents.scenery import FILE, SECTIONS, Recipe, Section, classes_of
from steersman.runs.documents.schema import (
    DOMAIN,
    LOCOMOTION,
    MEMORY,
    PICTURE,
    REMEMBERED,
    ROWS,
    SPAWN,
    TABLE,
    TALLIES,
    VELOCITY,
    Remembered,
)
from steersman.runs.documents.spawning import SHAPES
from steersman.runs.documents.spread import SPREAD
from steersman.runs.documents.starting import STARTS
from steersman.runs.metrics.watching import TRIGGER
from steersman.runs.recording.folder import META
from steersman.runs.recording.run import read_run

DOMAINS: dict[str, type[Domain]] = {"open": Open, "torus": Torus, "box": Box}
"""Name in documents -> domain."""


@reads(SPREAD, TRIGGER)
def spread(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """A number or a range; a time or steps."""
    return description.normal(value)


@reads(VECTOR, POINTS, NUMBERS)
def numbers(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """Vectors, lists of vectors, lists of numbers. The class of the parameter checks their shapes."""
    if not description.kind.is_like(NUMBERS) and has_odd_point(reader, description.name, value, place):
        return FAILED
    numbers = as_floats(description.name, value, np.float64)
    if not description.kind.is_like(NUMBERS) and numbers.ndim:
        check_dimensions(reader, description.name, numbers.shape[-1])
    return value


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
    """Raise ValueError if points have other dimensions than the world. In a 3D world, maps may have points in the plane."""
    if reader.dimensions is not None and got != reader.dimensions and not (reader.on_map and got == 2):
        raise ValueError(
            f"{name} must have {reader.dimensions} numbers per point, for the world is {reader.dimensions}D; got {got}"
        )


@reads(DOMAIN)
def domain(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """The space: `{kind = "torus", size = [200, 200]}`."""
    return by_name(reader, "kind", DOMAINS, value, place, "the domain")


@reads(SPAWN)
def spawn(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """A spawn shape: `{shape = "disc", radius = 20}`."""
    return by_name(reader, "shape", SHAPES, value, place, "spawn")


@reads(VELOCITY)
def velocity(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """A starting velocity: `{kind = "random", speed = 5}`; or a velocity for each."""
    if isinstance(value, list):
        return value
    return by_name(reader, "kind", STARTS, value, place, "velocity")


@reads(START)
def start(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """A vector, or a starting velocity."""
    if isinstance(value, Mapping):
        return velocity(reader, description, value, place)
    return numbers(reader, description, value, place)


@reads(WHERE)
def where(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """The name of a region or a path, a table with a region or a spawn shape, or points."""
    if isinstance(value, Mapping) and "shape" in value:
        filled = {name: cls for name, cls in SHAPES.items() if name not in ("grid", "points")}
        return by_name(reader, "shape", filled, value, place, description.name)
    if isinstance(value, Mapping):
        return scenery_item(reader, SECTIONS["regions"], value, place)
    if not isinstance(value, str):
        return numbers(reader, description, value, place)
    known = reader.of_section("regions") | reader.of_section("paths")
    if value not in known:
        requirement = f"{description.name} must be the name of a region or a path"
        raise ValueError(f"{requirement}; there is no {value!r}{suggestion(value, known, label='regions and paths')}")
    return known[value]


@reads(LOCOMOTION)
def locomotion(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """The body: `"PointMass"` or `{body = "Flying", bank = 0.5}`."""
    table = {"body": value} if isinstance(value, str) else value
    return by_name(reader, "body", dict(sorted(LOCOMOTIONS.items())), table, place, description.name)


@reads(LIMITS, CLIPS, TARGETERS, DECOMPOSERS, CONSTRAINTS, WORLD_CONSTRAINTS, FLOWS)
def members(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """A list of objects of one base class: `["LowSpeedTurn", {kind = "Drag", rate = 2.0}]`."""
    if not isinstance(value, list):
        raise TypeError(f"{description.name} must be a list, got {value!r}")
    return whole([member(reader, description, item, (*place, index)) for index, item in enumerate(value)])


@reads(ROUTE_MAP)
def route_map(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """A map of routes; also a surface that is a map, by its name or as its table."""
    surfaces = SECTIONS["surfaces"]
    known = {name: each for name, each in reader.of_section("surfaces").items() if isinstance(each, RouteMap)}
    if isinstance(value, str) and value in known:
        return known[value]
    if isinstance(value, Mapping) and value.get("kind") in surfaces.kinds:
        return scenery_item(reader, surfaces, value, place)
    return member(reader, description, value, place)


@reads(ACTUATOR, PREDICTOR)
def member(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """One object: `"Approach"` or `{kind = "Capped", limit = 2.0}`; the kind may be missing if the base has one class."""
    if not is_plain(value):
        return value
    classes: dict[str, Any] = classes_of(description.kind.base)
    usual = {"kind": next(iter(classes))} if len(classes) == 1 else {}
    table = {"kind": value} if isinstance(value, str) else value
    if isinstance(table, Mapping):
        table = {**usual, **table}
    return by_name(reader, "kind", classes, table, place, description.name)


@reads(IMAGE, HEIGHTS, FILE)
def file(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """The name of a file in the folder of the document; or the content of such a file in numbers."""
    if not isinstance(value, str):
        return value
    return str(reader.file(value))


@reads(MOMENTS, IDS, COST, DOORS, DOORS_IN_SPACE, POLYGONS)
def plain(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """Numbers or a table, unchanged. The class of the parameter checks them."""
    return value


@reads(ROWS)
def rows(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """Columns of vehicles, unchanged. `Vehicles` checks their shapes."""
    return value


@reads(REMEMBERED)
def remembered(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """The memory of a population."""
    table = None if value is None else reader.table(value, place, description.name)
    values = {} if table is None else reader.fields(Remembered, table, place)
    return FAILED if whole(list(values.values())) is FAILED else values


@reads(MEMORY)
def memory(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """Columns by key, from tables of a key and columns."""
    values = {}
    for table, where in reader.tables(value, place, description.name):
        reader.check_keys(table, ("key", "columns"), where)
        columns = reader.table(table.get("columns"), (*where, "columns"), "columns")
        key = table.get("key")
        if isinstance(key, int) and columns is not None:
            values[key] = {name: reader.loaded(column) for name, column in columns.items()}
        else:
            reader.problems.add(where, f"key must be a whole number, got {key!r}")
    return values


@reads(TALLIES)
def tallies(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """The state of flows, by their names: the number of vehicles that have passed, and columns."""
    values = {}
    for table, where in reader.tables(value, place, description.name):
        reader.check_keys(table, ("name", "passed", "columns"), where)
        columns = reader.table(table.get("columns"), (*where, "columns"), "columns")
        name, passed = table.get("name"), table.get("passed")
        if isinstance(name, str) and isinstance(passed, int) and columns is not None:
            values[name] = (passed, {key: reader.loaded(column) for key, column in columns.items()})
        else:
            reader.problems.add(where, f"name must be a text, and passed a whole number, got {name!r} and {passed!r}")
    return values


@reads(TABLE)
def table(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """A table that another reader reads later."""
    values = reader.table(value, place, description.name)
    return FAILED if values is None else dict(values)


def by_name(reader: Reader, tag: str, classes: Mapping[str, Any], value: Any, place: Place, label: str) -> Any:
    """An object of the class that a table names."""
    table = reader.table(value, place, label)
    cls = reader.chosen(table, tag, classes, place) if table is not None else None
    if table is None or cls is None:
        return FAILED
    return reader.construct(cls, table, place, besides=(tag,))


@reads(PICTURE)
def picture(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """How the picture looks."""
    table = reader.table(value, place, "picture")
    return FAILED if table is None else reader.construct(Picture, table, place)


@reads(LOOKING)
def looks(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """Looks by name, each with a place of its own."""
    table = reader.table(value, place, description.name) or {}
    read = [reader.attempt((*place, name), partial(description.normal, {name: look})) for name, look in table.items()]
    return FAILED if FAILED in read else {name: each[name] for name, each in zip(table, read, strict=True)}


# ---------------------------------------------------------------------------------------------------- references


@reads(TARGET)
def target(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """A point, a point per vehicle, the name of a column or a population, or a table of knowledge about a population."""
    if is_column(value):
        return value
    if isinstance(value, str):
        return population(reader, description, value, place)
    if isinstance(value, Mapping):
        return known(reader, description, value, place)
    if has_odd_point(reader, description.name, value, place):
        return FAILED
    try:
        points = as_floats(description.name, value, np.float64)
    except TypeError:
        raise TypeError(f"{description.name} must be a point or the name of a population, got {value!r}") from None
    if points.ndim not in (1, 2):
        raise ValueError(f"{description.name} must be a point or a list of points, got {value!r}")
    check_dimensions(reader, description.name, points.shape[-1])
    return points


@reads(GOALS, GOAL)
def goals(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """A point, several points, the name of a population or of a region, or a table with a region."""
    if isinstance(value, Mapping) and value.get("kind") not in KNOWLEDGE:
        return scenery_item(reader, SECTIONS["regions"], value, place)
    if isinstance(value, str) and value in (regions := reader.of_section("regions")):
        return regions[value]
    return target(reader, description, value, place)


@reads(KNOWN)
def known(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """Knowledge of a target: `{kind = "LastSeen", population = "thieves", forget = 8}`."""
    return by_name(reader, "kind", KNOWLEDGE, value, place, description.name)


@reads(QUARRY)
def quarry(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """The name of a population, or a table of knowledge about one."""
    return (known if isinstance(value, Mapping) else population)(reader, description, value, place)


@reads(GROUPS)
def groups(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """A word, or a number per vehicle, unchanged. The class of the parameter checks it."""
    return value


@reads(POPULATION)
def population(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """The name of a population."""
    if not isinstance(value, str):
        raise TypeError(f"{description.name} must be the name of a population, got {value!r}")
    if value not in reader.populations:
        known = suggestion(value, reader.populations, label="populations")
        raise ValueError(f"{description.name} must be the name of a population; there is no {value!r}{known}")
    return reader.populations[value]


@reads(POPULATIONS)
def populations(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """The name of a population, a list of such names, or the word for all."""
    if value == ALL:
        return value
    if not isinstance(value, list):
        return population(reader, description, value, place)
    named = [
        reader.attempt((*place, k), partial(population, reader, description, each, place))
        for k, each in enumerate(value)
    ]
    return FAILED if whole(named) is FAILED else description.normal(named)


@reads(ORIENTATION)
def orientation(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """Numbers, or the name of a population that gives the orientation."""
    if isinstance(value, str):
        return population(reader, description, value, place)
    return value


@reads(OBSTACLES)
def obstacles(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """The name of a set of obstacles, or a list of such names."""
    if isinstance(value, (str, dict)):
        return one_set(reader, description, value, place)
    names = value if isinstance(value, list) else []
    if not names or not all(isinstance(each, (str, dict)) or not is_plain(each) for each in names):
        raise TypeError(f"{description.name} must be the name of a set of obstacles, or a list of names, got {value!r}")
    return whole([one_set(reader, description, each, (*place, index)) for index, each in enumerate(value)])


def one_set(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """The name of a set of obstacles, or its table."""
    if isinstance(value, dict):
        return scenery_item(reader, SECTIONS["obstacles"], value, place)
    if not is_plain(value):
        return value
    known = reader.of_section("obstacles")
    if value not in known:
        reader.problems.add(place, f"there are no obstacles {value!r}{suggestion(value, known, label='obstacles')}")
    return known.get(value, FAILED)


@reads(FOLLOWED)
def followed(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """The name or the table of a surface or a path, or obstacles."""
    if isinstance(value, str) and isinstance(reader.scenery.get(value), (Path, Surface)):
        return reader.scenery[value]
    if isinstance(value, dict):
        return scenery_item(reader, about_kind(value, "paths"), value, place)
    return obstacles(reader, description, value, place)


def about_kind(table: Table, usual: str) -> Section:
    """The section of the kind that a table names; the usual section where the kind is missing or unknown."""
    kind = str(table.get("kind"))
    return next((about for about in SECTIONS.values() if kind in about.kinds), SECTIONS[usual])


@reads(PATH, FLOW_FIELD, REGION, SURFACE, RESOURCES)
def scenery(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """The name of a path, a field, ...; or its table, without a name."""
    section = next(name for name, about in SECTIONS.items() if description.kind.is_like(about.kind))
    if isinstance(value, dict):
        return scenery_item(reader, SECTIONS[section], value, place)
    if not isinstance(value, str):
        return value
    known = reader.of_section(section)
    if section in ("surfaces", "regions"):  # The skin of obstacles is a surface, and their inside a region.
        bases = (Obstacles, SECTIONS[section].base)
        known |= {name: each for name, each in reader.scenery.items() if isinstance(each, bases)}
        known |= reader.of_section("obstacles")
    if value not in known:
        expected = f"the name of {SECTIONS[section].one}"
        raise ValueError(
            f"{description.name} must be {expected}; there is no {value!r}{suggestion(value, known, label=section)}"
        )
    return known[value]


@reads(GROUND)
def ground(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """A surface."""
    return scenery(reader, replace(description, kind=SURFACE), value, place)


MAPS = [SECTIONS[name] for name in ("paths", "fields", "regions")]
"""Sections with items that may have 2 dimensions in a 3D world (see `core/steering/scene/on_plan.py`)."""


def scenery_item(reader: Reader, about: Section, table: Table, place: Place) -> Any:
    """One item of a section, of the usual kind if its table names none."""
    usual = {"kind": about.usual} if about.usual else {}
    reader.on_map = about in MAPS
    made = by_name(reader, "kind", about.kinds, {**usual, **table}, place, about.one)
    reader.on_map = False
    return reader.attempt(place, made.make, table) if isinstance(made, Recipe) else made


@reads(NEIGHBORS)
def neighbors(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """The neighbors: a population, several or all, a set of obstacles, resources, or points."""
    if isinstance(value, str) and reader.sections.get(value) in ("obstacles", "resources"):
        return reader.scenery[value]
    if isinstance(value, dict):
        return scenery_item(reader, about_kind(value, "obstacles"), value, place)
    if isinstance(value, list) and not (value and isinstance(value[0], str)):
        return numbers(reader, description, value, place)
    return populations(reader, description, value, place)


@reads(TRACKS)
def tracks(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """The folder of a run, or a table of tracks."""
    if isinstance(value, str):
        return read_run(reader.file(f"{value}/{META}").parent)
    table = reader.table(value, place, description.name)
    return FAILED if table is None else reader.construct(Tracks, table, place, besides=("kind",))


@reads(WHICH)
def which(reader: Reader, description: Description, value: Any, place: Place) -> Any:
    """A choice among vehicles: "nearest", "first", an id, ids, `{own, whom}`, or `{among}`; the class checks it."""
    if isinstance(value, Mapping) and set(value) == {"own", "whom"}:
        return dict(zip(value["own"], value["whom"], strict=True))
    if isinstance(value, Mapping) and set(value) == {"among"}:
        return Among(value["among"])
    return value
