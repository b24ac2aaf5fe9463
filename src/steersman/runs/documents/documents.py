"""Documents: write a world, a behavior or another object as a table, and make it from the table."""

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from steersman.core import extensions
from steersman.core.environment.open import Open
from steersman.core.locomotion.registry import LOCOMOTIONS
from steersman.core.typing import Array
from steersman.core.vehicles.columns import SCALARS
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.observers import EverySeconds, EverySteps, Onlooker
from steersman.core.world.population import LOCOMOTION_KEY, Population
from steersman.core.world.world import World
from steersman.core.world.writing import NoDocumentError
from steersman.drawing.moments import Moments
from steersman.drawing.style import Picture
from steersman.drawing.trails import Trails
from steersman.runs.documents.builder import set_stage
from steersman.runs.documents.columns import vehicles_from
from steersman.runs.documents.files import read_file
from steersman.runs.documents.kinds import DOMAINS, by_name, scenery_item
from steersman.runs.documents.limits import check_document
from steersman.runs.documents.problems import Place, reading
from steersman.runs.documents.reader import Reader
from steersman.runs.documents.scenery import SECTIONS
from steersman.runs.documents.schema import EVERY
from steersman.runs.documents.stage import Stage
from steersman.runs.documents.trees import COMPOSED, condition, node
from steersman.runs.documents.writer import Writer, called, in_python, kind_of, number_of, numbers_of
from steersman.runs.metrics.meters import Meter
from steersman.runs.metrics.metric import METRICS
from steersman.runs.metrics.reading import Reading
from steersman.runs.recording.recording import NotRecorded, Recording

BYSTANDERS = (Trails, Moments, Recording, NotRecorded, Onlooker)
"""Observers that documents leave out, because they do not change the world."""


def to_document(
    item: Any, *, names: Mapping[str, Any] | None = None, left_out: list[str] | None = None
) -> dict[str, Any]:
    """The document of a Stage, a World, or of an object in a world; see `world.writing`."""
    if isinstance(item, (World, Stage)):
        stage = item if isinstance(item, Stage) else None
        return WorldWriter(item if isinstance(item, World) else item.world, stage, names or {}, left_out).document()
    table = Writer(names or {}, None).value(item, ())
    return table if isinstance(table, dict) else {"body": table}


def resolved(stage: Stage) -> tuple[dict[str, Any], list[str]]:
    """A stage as a document; where no document can hold it, the call for its built-in scenario.

    Returns:
        The document, and the labels of the metrics that it leaves out.

    Raises:
        NoDocumentError: No document can hold the stage, and it is no built-in scenario.
    """
    left_out: list[str] = []
    try:
        return to_document(stage, left_out=left_out), left_out
    except NoDocumentError:
        if not stage.recall:
            raise
        return {**stage.recall, "seconds": stage.seconds, "dt": stage.world.dt}, []


def from_document(
    document: Mapping[str, Any] | str | PathLike[str],
    *,
    names: Mapping[str, Any] | None = None,
    folder: str | PathLike[str] | None = None,
    threads: int | None = None,
    trust: bool = False,
) -> Any:
    """The World, behavior, ... of a document; see `world.writing`."""
    lines: dict[Place, int] = {}
    source = "document"
    if not isinstance(document, Mapping):
        source, beside = str(document), Path(document).parent
        document, lines = read_file(Path(document))
        folder = beside if folder is None else folder
    where = Path() if folder is None else Path(folder)
    if "scenario" in document:
        return extensions.OPEN_STAGE.function(document, lines=lines, source=source, threads=threads).world
    if "populations" in document:
        return set_stage(document, lines=lines, source=source, threads=threads, folder=where, trust=trust).world
    check_document(document, source, lines)
    reader = Reader(where, trust)
    for name, each in (names or {}).items():
        if isinstance(each, Vehicles):
            reader.populations[name] = each
        else:
            reader.scenery[name], reader.sections[name] = each, kind_of(each, (name,))[0]
    with reading(source, lines):
        made = _made(reader, document)
        reader.problems.raise_all(source, lines)
    return made


def _made(reader: Reader, table: Mapping[str, Any]) -> Any:
    """The object that one table describes."""
    if "behavior" in table:
        return node(reader, table, ())
    if "condition" in table or any(key in table for key in COMPOSED):
        return condition(reader, table, ())
    if "body" in table:
        return by_name(reader, "body", dict(sorted(LOCOMOTIONS.items())), table, (), "a body")
    about = next((about for about in SECTIONS.values() if str(table.get("kind", about.usual)) in about.kinds), None)
    if about is None:
        reader.problems.add((), "must have populations, or be a behavior, a condition, a body or something of a kind")
        return None
    return scenery_item(reader, about, table, ())


class WorldWriter:
    """Writes a world, or a stage with its scenery, picture and meters."""

    def __init__(self, world: World, stage: Stage | None, names: Mapping[str, Any], left_out: list[str] | None) -> None:
        self.world, self.stage, self.left_out = world, stage, left_out
        self.sections: dict[str, list[Any]] = {section: [] for section in SECTIONS}
        self.objects = {**(stage.scenery if stage is not None else {}), **names}
        vehicles = {name: each.vehicles for name, each in world.populations.items()}
        for name in vehicles.keys() & self.objects.keys():
            if self.objects[name] is not vehicles[name]:
                raise NoDocumentError(f"{name!r} must not be the name of a population and of something else")
        self.writer = self.new_writer({**self.objects, **vehicles})

    def new_writer(self, names: Mapping[str, Any]) -> Writer:
        """The writer of values."""
        return Writer(names, self.sections)

    def document(self) -> dict[str, Any]:
        """The document."""
        self.check_observers()
        if not self.world.populations:
            raise NoDocumentError("a world without populations has no document")
        for name, each in self.objects.items():
            if not isinstance(each, Vehicles):
                self.writer.value(each, (name,))
        populations = [self.population(each) for each in self.world.populations.values()]
        constraints = self.writer.value(self.world.constraints, ("constraints",))
        return {
            **self.settings(),
            **({"constraints": constraints} if constraints else {}),
            **self.picture(),
            **{section: tables for section, tables in self.sections.items() if tables},
            "populations": populations,
        }

    def settings(self) -> dict[str, Any]:
        """The top of the document."""
        world, stage = self.world, self.stage
        head: dict[str, Any] = {} if stage is None else {"name": stage.name}
        if stage is not None and stage.description:
            head["description"] = stage.description
        head |= {"seed": world.seed, "dt": world.dt}
        head |= {} if stage is None else {"seconds": stage.seconds}
        if self.dtype != np.float32:
            head["dtype"] = self.dtype.name
        if isinstance(world.domain, Open):
            head |= {"dimensions": self.dimensions()}
        progress = {"steps": world.steps, "time": world.time, "rest": world.rest}
        head |= {name: value for name, value in progress.items() if value}
        return {**head, "domain": self.domain()}

    def domain(self) -> dict[str, Any]:
        """The table of the space."""
        space = self.world.domain
        kind = next((kind for kind, cls in DOMAINS.items() if cls is type(space)), None)
        if kind is None:
            raise NoDocumentError(f"domain: a class of your own has no document, got {type(space).__name__}")
        return {"kind": kind, **self.writer.parameters(space, ("domain",))}

    @property
    def dtype(self) -> "np.dtype[Any]":
        """Precision of the first population: the default for all others."""
        return next(iter(self.world.populations.values())).vehicles.dtype

    def dimensions(self) -> int:
        """Those of all populations."""
        dimensions = {each.vehicles.dimensions for each in self.world.populations.values()}
        if len(dimensions) != 1:
            raise NoDocumentError(f"all populations must have the same dimensions, got {sorted(dimensions)}")
        return dimensions.pop()

    def picture(self) -> dict[str, Any]:
        """How the picture looks, but for things that stand at labels, which documents do not have."""
        if self.stage is None:
            return {}
        picture, labels = self.stage.picture, self.stage.labels.keys() - self.stage.scenery.keys()
        if labels & (picture.looks or {}).keys():
            looks = {name: look for name, look in picture.looks.items() if name not in labels}
            picture = picture.replace(looks=looks or None)
        return {} if picture == Picture() else {"picture": self.writer.parameters(picture, ("picture",))}

    def check_observers(self) -> None:
        """Refuse functions that are called after steps: they may change the world, unless they declare `only_watches`."""
        for observer, _ in self.world.observers:
            if not isinstance(observer, (Reading, *BYSTANDERS)):
                name = called(observer)
                if self.left_out is not None and getattr(observer, "only_watches", False):
                    self.left_out.append(name)
                    continue
                raise NoDocumentError(f"on_step: {in_python(observer)} has no document, got {name}")

    # ---------------------------------------------------------------------------------------------- populations

    def population(self, population: Population) -> dict[str, Any]:
        """The table of one population."""
        name, vehicles, place = population.name, population.vehicles, ("populations", population.name)
        population.keep_up()
        color = None if self.stage is None else self.stage.colors.get(name)
        table: dict[str, Any] = {"name": name} | ({} if color is None else {"color": color})
        if vehicles.dtype != self.dtype:
            table["dtype"] = vehicles.dtype.name
        table |= columns_of(vehicles, name)
        body = self.writer.value(population.locomotion, (*place, "locomotion"))
        table |= {} if body == "PointMass" else {"locomotion": body}
        flows = self.writer.value(population.flows, (*place, "flows"))
        table |= {"flows": flows} if flows else {}
        table |= {} if population.yields is None else {"yields": population.yields}
        metrics = [self.metric(meter, name) for meter in self.meters_of(vehicles) if not self.leave_out(meter)]
        table |= {"metrics": metrics} if metrics else {}
        remembered = self.remembered(population)
        table |= {"remembered": remembered} if remembered else {}
        if population.steering is not None:  # A tree is a section of its own in TOML, so it comes last.
            table["steering"] = self.writer.value(population.steering, (*place, "steering"))
        return table

    def remembered(self, population: Population) -> dict[str, Any]:
        """The memory of a population, where it differs from the initial memory."""
        return _remembered(population)

    def meters_of(self, vehicles: Vehicles) -> list[Meter]:
        """The meters of a population."""
        meters = self.world.meters
        return [] if meters is None else [each for each in meters.values() if each.subject.vehicles is vehicles]

    def leave_out(self, meter: Meter) -> bool:
        """Whether a meter is left out; if so, its label is noted."""
        own = self.left_out is not None and all(each is not meter.metric for each in METRICS.values())
        if own and self.left_out is not None:
            self.left_out.append(meter.label)
        return own

    def metric(self, meter: Meter, population: str) -> Any:
        """The metric of a meter, and the time between its readings."""
        place = ("populations", population, "metrics", meter.label.removeprefix(f"{population}."))
        metric = next((name for name, each in METRICS.items() if each is meter.metric), None)
        if metric is None:
            own = getattr(meter.metric.measure, "function", meter.metric.measure)
            raise NoDocumentError(f"{'.'.join(map(str, place))}: {in_python(own)} has no document, got {called(own)}")
        table: dict[str, Any] = {"metric": metric}
        if place[-1] != metric:
            table["name"] = place[-1]
        if meter.subject.to is not None:
            table["to"] = self.writer.value(meter.subject.to, (*place, "to"))
        triggers = [
            when for each, when in self.world.observers if isinstance(each, Reading) and meter.label in each.labels
        ]
        for when in triggers:
            if isinstance(when, EverySteps):
                table["every"] = f"{when.steps} steps"
            elif not isinstance(when, EverySeconds):
                raise NoDocumentError(
                    f"{'.'.join(map(str, place))}: read every so many seconds or steps has a document, got {when!r}"
                )
            elif when.seconds != EVERY:
                table["every"] = when.seconds
        return metric if len(table) == 1 else table


def columns_of(vehicles: Vehicles, name: str) -> dict[str, Any]:
    """The columns of vehicles that differ from the defaults.

    Raises:
        NoDocumentError: Columns are not finite, or frames that were written into the views are no unit vectors.
    """
    columns: dict[str, Any] = {"position": vehicles.position}
    still = np.zeros_like(vehicles.angular_velocity)
    for column, usual in (("velocity", np.zeros_like(vehicles.velocity)), ("angular_velocity", still)):
        columns |= _unlike(column, getattr(vehicles, column), usual)
    for column in ("forward", "up")[: vehicles.dimensions - 1]:
        plain = vehicles_from(**columns, dtype=vehicles.dtype)  # The usual up depends on a forward that is given.
        columns |= _unlike(column, getattr(vehicles, column), getattr(plain, column))
    for column, (default, *_) in SCALARS.items():
        columns |= _unlike(column, getattr(vehicles, column), np.full(len(vehicles), default, vehicles.dtype))
    columns |= _unlike("id", vehicles.id, np.arange(len(vehicles)))
    columns = {key: value[0] if key in SCALARS and _all_alike(value) else value for key, value in columns.items()}
    rebuilt = vehicles_from(**columns, dtype=vehicles.dtype)
    if rebuilt.block.tobytes() != vehicles.block.tobytes():
        raise NoDocumentError(f"populations.{name}: forward and up must be unit vectors at right angles, these are not")
    state, made = vehicles.__getstate__(), rebuilt.__getstate__()
    table = {key: number_of(value) if np.ndim(value) == 0 else numbers_of(value) for key, value in columns.items()}
    for key, column in (("next_id", "next_id"), ("newcomers", "usual")):
        table |= {} if state[column] == made[column] else {key: state[column]}
    return table


def _unlike(name: str, column: Array, usual: Array) -> dict[str, Array]:
    """The column, if any of its bits is not as usual."""
    return {} if _bits(column) == _bits(usual) else {name: column}


def _bits(column: Array) -> bytes:
    return np.ascontiguousarray(column).tobytes()


def _all_alike(column: Array) -> bool:
    return len(column) > 0 and _bits(column) == _bits(np.full_like(column, column[0]))


def _remembered(population: Population) -> dict[str, Any]:
    """The memory of the nodes and the body of a population with its keys, where it differs from the initial memory."""
    fresh = Population(population.name, population.vehicles, population.steering, population.locomotion)
    table: dict[str, Any] = {}
    if population.keys != fresh.keys or population.next_key != fresh.next_key:
        table |= {"keys": list(population.keys), "next_key": population.next_key}
    if not np.array_equal(population.addressed, fresh.addressed):
        table["addressed"] = numbers_of(population.addressed)
    begun = dict(zip((*population.keys, LOCOMOTION_KEY), (*fresh.keys, LOCOMOTION_KEY), strict=True))
    memory = []
    for key, own in population.memories.items():
        columns, first = own.snapshot(), fresh.memories[begun[key]].snapshot()
        changed = {name: numbers_of(each) for name, each in columns.items() if _bits(each) != _bits(first[name])}
        if changed:
            memory.append({"key": key, "columns": changed})
    flows = [
        {"name": name, "passed": tally.passed, "columns": {key: numbers_of(each) for key, each in tally.state.items()}}
        for name, tally in population.flowing.tallies.items()
        if not tally.is_fresh
    ]
    return table | ({"memory": memory} if memory else {}) | ({"flows": flows} if flows else {})
