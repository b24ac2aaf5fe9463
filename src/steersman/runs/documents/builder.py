"""Building: a document becomes a stage. Its parts are read in the order in which they need each other."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from steersman.core.environment.open import Open
from steersman.core.maths.random import generator, key_of
from steersman.core.parameters.guiding import suggestion
from steersman.core.parameters.kinds import Description, Kind
from steersman.core.parameters.parameters import describe
from steersman.core.steering.targets.target import TARGET
from steersman.core.vehicles.columns import SCALARS
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.flows.flow import FLOWS
from steersman.core.world.flows.flows import Flows
from steersman.core.world.observers import Trigger
from steersman.core.world.world import World
from steersman.drawing.style import Picture, unknown_looks
from steersman.runs.documents import kinds, trees
from steersman.runs.documents.columns import vehicles_from
from steersman.runs.documents.dimensions import dimensions_of
from steersman.runs.documents.kinds import scenery_item
from steersman.runs.documents.limits import check_count, check_document
from steersman.runs.documents.problems import Place, reading
from steersman.runs.documents.reader import FAILED, Failed, Reader, Table, whole
from steersman.runs.documents.scenery import SECTIONS, Section
from steersman.runs.documents.schema import MetricSettings, Named, PopulationSettings, Settings
from steersman.runs.documents.spread import Each, Spread
from steersman.runs.documents.stage import Stage
from steersman.runs.documents.starting import Start
from steersman.runs.metrics.meters import MEASURED, TOWARD, Meter
from steersman.runs.metrics.metric import Subject
from steersman.runs.metrics.watching import as_metric

READERS = (kinds, trees)
"""The modules that register functions for reading parameters; they only need to be imported."""


LATER = ("locomotion", "flows", "steering", "remembered")
"""The sections of populations that are read after all populations are made."""


@dataclass
class PopulationEntry:
    """A population of the document, as far as it is read."""

    table: Table
    place: Place
    settings: dict[str, Any]
    vehicles: Any = FAILED
    meters: list[Meter] = field(default_factory=list)
    every: dict[str, Trigger] = field(default_factory=dict)  # label -> when it is read


class Builder:
    """Reads a document in the order in which its parts need each other."""

    def __init__(self, folder: Path, *, trust: bool = False, files: bool = True) -> None:
        self.reader = Reader(folder, trust, files)
        self.entries: list[PopulationEntry] = []

    def read(self, document: Table) -> dict[str, Any]:
        """Read the whole document; returns the settings."""
        reader = self.reader
        settings = reader.fields(Settings, document, (), later=(*SECTIONS, "populations", "constraints"))
        reader.domain = settings["domain"] if settings["domain"] is not None else Open()
        dimensions = None if settings["domain"] is FAILED else reader.domain.dimensions
        reader.dimensions = dimensions or settings["dimensions"] or dimensions_of(document)
        self.read_cast(document)
        self.read_scenery(document)
        about = next(each for each in describe(Settings) if each.name == "constraints")
        settings["constraints"] = reader.value(about, document.get("constraints", []), ("constraints",))
        for entry in self.entries:
            entry.vehicles = self.vehicles(entry, settings["seed"], settings["dtype"])
            if isinstance(entry.settings["name"], str):
                reader.populations[entry.settings["name"]] = entry.vehicles
        for entry in self.entries:
            self.read_steering(entry)
            self.read_metrics(entry)
        self.check_picture(settings["picture"])
        return settings

    def check_picture(self, picture: Any) -> None:
        """Note the populations and things that a picture names and the document lacks."""
        for name, problem in (
            unknown_looks(picture.looks, self.reader.scenery).items() if isinstance(picture, Picture) else ()
        ):
            self.reader.problems.add(("picture", "looks", name), problem)
        known = [entry.settings["name"] for entry in self.entries]
        for setting in ("sketch", "glyphs") if isinstance(picture, Picture) else ():
            by_population = getattr(picture, setting)
            for name in by_population if isinstance(by_population, dict) else ():
                if name not in known:
                    message = f"{setting} must name populations; there is no {name!r}{suggestion(name, known)}"
                    self.reader.problems.add(("picture", setting), message)

    # ------------------------------------------------------------------------------------------- scenery

    def read_scenery(self, document: Table) -> None:
        """Read all sections of the scenery."""
        for section, about in SECTIONS.items():
            for table, place in self.reader.tables(document.get(section, []), (section,), section):
                self.read_scenery_item(section, about, table, place)

    def read_scenery_item(self, section: str, about: Section, table: Table, place: Place) -> None:
        """Read one item of the scenery: a set of obstacles, a path, ..."""
        reader = self.reader
        name = reader.fields(Named, table, place, besides=tuple(table))["name"]
        made = scenery_item(reader, about, {key: value for key, value in table.items() if key != "name"}, place)
        if self.is_new(name, reader.scenery, (*place, "name"), "things"):
            reader.scenery[name], reader.sections[name] = made, section

    def is_new(self, name: Any, others: Mapping[str, Any], place: Place, plural: str) -> bool:
        """Whether a name is valid, and not used yet."""
        if isinstance(name, str) and name in others:
            self.reader.problems.add(place, f"name must be different for all {plural}, got {name!r} twice")
        return isinstance(name, str) and name not in others

    # ------------------------------------------------------------------------------------------- populations

    def read_cast(self, document: Table) -> None:
        """Read the settings of all populations, without the sections LATER and metrics."""
        reader = self.reader
        if not document.get("populations"):
            reader.problems.add(("populations",), "there must be at least one population: a table [[populations]]")
            return
        names: dict[str, Any] = {}
        for table, place in reader.tables(document["populations"], ("populations",), "populations"):
            settings = reader.fields(PopulationSettings, table, place, later=(*LATER, "metrics"))
            if self.is_new(settings["name"], names, (*place, "name"), "populations"):
                names[settings["name"]] = None
            self.entries.append(PopulationEntry(table, place, settings))
        for entry in self.entries:
            shape = entry.settings["spawn"]
            dimensions = None if shape is None or isinstance(shape, Failed) else shape.dimensions
            if (shape is None) == (entry.settings["position"] is None):
                reader.problems.add(entry.place, "either spawn or position must be given: where its vehicles are")
                entry.settings["spawn"] = FAILED
            if dimensions not in (None, reader.dimensions):
                message = f"the spawn shape must be {reader.dimensions}D like the world, got {dimensions}D"
                reader.problems.add((*entry.place, "spawn"), message)
                entry.settings["spawn"] = FAILED

    def vehicles(self, entry: PopulationEntry, seed: Any, dtype: Any) -> Vehicles | Failed:
        """Make the vehicles of a population; FAILED if one of their settings is wrong."""
        reader, settings, place = self.reader, entry.settings, entry.place
        shape, n = settings["spawn"], settings["n"]
        obstacles = list(reader.of_section("obstacles").values())
        if any(value is FAILED for value in [*settings.values(), *obstacles, seed, dtype, reader.domain]):
            return FAILED
        if reader.dimensions is None:
            reader.problems.add(
                (*place, "spawn"), "nothing says whether the world is 2D or 3D; give a center or a size"
            )
            return FAILED
        count = len(settings["position"]) if shape is None else shape.count
        if n is not None and count not in (None, n):
            reader.problems.add((*place, "n"), f"n must be the number of points ({count}), got {n}")
            return FAILED
        n = count if n is None else n
        if n is None:
            reader.problems.add(place, "n must be given: how many vehicles")
            return FAILED
        rng = generator(key_of(seed, "spawn", settings["name"]))
        try:
            check_count(n + sum(len(each.vehicles) for each in self.entries if each.vehicles is not FAILED))
            return _vehicles(settings, n, reader, obstacles, rng, dtype)
        except Exception as error:
            word = str(error).split(" ", 1)[0]
            where = (*place, word if word in entry.table else "position" if shape is None else "spawn")
            where = (*place, "velocity") if word == "direction" else where
            reader.problems.failed(where, error)
            return FAILED

    # ------------------------------------------------------------------------------------------- steering, metrics

    def read_steering(self, entry: PopulationEntry) -> None:
        """Read the sections LATER of a population, which may refer to all scenery and populations."""
        for name in LATER:
            description = next(each for each in describe(PopulationSettings) if each.name == name)
            value = entry.table.get(name, [] if description.kind is FLOWS else None)
            entry.settings[name] = self.reader.value(description, value, (*entry.place, name))
        self.check_flows(entry)

    def check_flows(self, entry: PopulationEntry) -> None:
        """Check that the flows fit the population and each other."""
        flows, vehicles = entry.settings["flows"], entry.vehicles
        if flows is not FAILED and vehicles is not FAILED:
            self.reader.attempt((*entry.place, "flows"), lambda: Flows().replace(flows, vehicles))

    def read_metrics(self, entry: PopulationEntry) -> None:
        """Read the meters of a population."""
        items, place = entry.table.get("metrics", []), (*entry.place, "metrics")
        if not isinstance(items, (list, tuple)):
            self.reader.problems.add(place, f"metrics must be a list, got {items!r}")
            return
        for index, item in enumerate(items):
            meter = self.meter(entry, item, (*place, index))
            if isinstance(meter, Meter):
                entry.meters.append(meter)

    def meter(self, entry: PopulationEntry, item: Any, place: Place) -> Any:
        """Read one metric: `"polarization"`, or `{metric = "distance_to", to = [0, 0]}`."""
        reader = self.reader
        table = {"metric": item} if isinstance(item, str) else reader.table(item, place, "a metric")
        if table is None:
            return FAILED
        try:
            metric = as_metric("metric", table.get("metric"))
        except (TypeError, ValueError) as error:
            reader.problems.add(place, str(error))
            return FAILED
        settings = reader.fields(MetricSettings, table, place, later=("metric", "to"))
        name, kind = _word(table), metric.to
        if bool(kind) != ("to" in table):
            message = f"needs {TOWARD[kind]}" if kind else "has no target `to`"
            reader.problems.add(place, f"metric {name!r} {message}")
            return FAILED
        to = None
        if "to" in table:
            to = self.toward(MEASURED[kind], table["to"], (*place, "to"))
        if whole([to, entry.vehicles, *settings.values()]) is FAILED:
            return FAILED
        assert reader.domain is not None
        obstacles = tuple(each for each in reader.of_section("obstacles").values() if each is not FAILED)
        subject = Subject(entry.vehicles, reader.domain, obstacles, to)
        word = settings["name"] or name
        if settings["name"] is None and sum(_word(other) == name for other in entry.table["metrics"]) > 1:
            word += f" {table['to']}" if "to" in table else ""
        label = f"{entry.settings['name']}.{word}"
        if any(meter.label == label for meter in entry.meters):
            reader.problems.add(place, f"metric {word!r} must be asked for once, got it twice")
            return FAILED
        entry.every[label] = settings["every"]
        return Meter(label, metric, subject)

    def toward(self, kind: Kind, target: Any, place: Place) -> Any:
        """Read the target of a metric. Points stay as they are; other targets are brought to their normal form."""
        about = Description(name="to", kind=kind)
        values = self.reader.value(about, target, place)
        return (
            values if values is FAILED or kind is TARGET else self.reader.attempt(place, lambda: about.normal(values))
        )


def _word(item: Any) -> Any:
    """The name of the metric that an item asks for; the Python name of a metric that no document can hold."""
    metric = item.get("metric") if isinstance(item, Mapping) else item
    return metric if isinstance(metric, str) else getattr(metric, "__name__", "metric")


def _vehicles(
    settings: Mapping[str, Any], n: int, reader: Reader, obstacles: list[Any], rng: np.random.Generator, dtype: str
) -> Vehicles:
    """Draw the vehicles of a population, column by column, always in the same order."""
    assert reader.domain is not None
    assert reader.dimensions is not None

    def drawn(name: str) -> Any:
        return settings[name].draw(n, rng) if isinstance(settings[name], (Spread, Each)) else settings[name]

    columns = {name: drawn(name) for name in SCALARS}
    columns |= {name: settings[name] for name in ("forward", "up", "angular_velocity", "id", "next_id", "newcomers")}
    position, velocity = settings["position"], settings["velocity"]
    if position is None:
        clear = settings["clearance"] + float(np.max(columns["radius"], initial=0.0))
        position = settings["spawn"].positions(n, reader.dimensions, reader.domain, obstacles, clear, rng)
    if isinstance(velocity, Start):
        velocity = velocity.velocities(np.asarray(position, np.float64), rng)
    dtype = settings["dtype"] or dtype
    return vehicles_from(position, velocity=velocity, heading=drawn("heading"), dtype=np.dtype(dtype), **columns)


def set_stage(
    document: Table,
    *,
    lines: dict[Place, int] | None = None,
    source: str = "scenario",
    threads: int | None = None,
    folder: Path | None = None,
    trust: bool = False,
    resumed: bool = False,
) -> Stage:
    """Build the world that a document describes.

    Args:
        document: Texts, numbers, truth values, lists and tables, as a TOML file holds them. A document that is written in
            Python may also hold objects (a behavior, a function, an obstacle set) in place of their tables.
        lines: The line of each place in the file, for messages.
        source: The name of the file, for messages.
        threads: The number of threads that the world uses.
        folder: The folder of the files that the document names; by default the current folder.
        trust: Whether the document may name files outside of the folder.
        resumed: Whether the world continues another one: no meter is read at once, and no files are read, because the
            document holds everything.

    Raises:
        ScenarioError: The document is wrong; the message lists every error with its place.
    """
    places = lines or {}
    check_document(document, source, places)
    with reading(source, places):
        builder = Builder(folder or Path(), trust=trust, files=not resumed)
        values = builder.read(document)
        builder.reader.problems.raise_all(source, places)
        return _built(builder, values, source, places, threads, now=not resumed)


def _built(
    builder: Builder, values: dict[str, Any], source: str, lines: dict[Place, int], threads: int | None, *, now: bool
) -> Stage:
    """The stage of a document that was read without problems; `now`: whether meters are read at once."""
    settings = {name: values[name] for name in ("domain", "seed", "dt", "constraints")}
    world = World(threads=threads, **settings)
    world.steps, world.time, world.rest = values["steps"], values["time"], values["rest"]
    for entry in builder.entries:
        arguments = {name: entry.settings[name] for name in ("name", "locomotion", "flows", "steering", "yields")}
        with reading(source, lines, entry.place):
            population = world.add(entry.vehicles, **arguments)
        if entry.settings["remembered"] is not None:
            with reading(source, lines, (*entry.place, "remembered")):
                population.resume(**entry.settings["remembered"])
    stage = Stage(
        world,
        seconds=float(values["seconds"]),
        scenery={name: each for name, each in builder.reader.scenery.items() if each is not FAILED},
        picture=values["picture"] or Picture(),
        colors={entry.settings["name"]: entry.settings["color"] for entry in builder.entries},
        name=values["name"],
        description=values["description"],
    )
    meters_due = [(entry.every[meter.label], meter) for entry in builder.entries for meter in entry.meters]
    for every in dict.fromkeys(when for when, _ in meters_due):
        stage.meters.add([meter for when, meter in meters_due if when == every], world, every, now=now)
    return stage
