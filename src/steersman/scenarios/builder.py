"""Building: a document is read part by part, in the order in which the parts need each other."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from steersman.environment.domains.open import Open
from steersman.environment.paths.path import PATH
from steersman.environment.regions.region import REGION
from steersman.geometry.guiding import suggestion
from steersman.geometry.kinds import Description
from steersman.geometry.parameters import describe
from steersman.geometry.random import generator, key_of
from steersman.metrics.meters import METRICS, TOWARD, Meter, Subject
from steersman.scenarios import kinds, modes, trees
from steersman.scenarios.dimensions import dimensions_of
from steersman.scenarios.kinds import thing
from steersman.scenarios.problems import Place
from steersman.scenarios.reader import FAILED, Failed, Reader, Table, Value, as_plain
from steersman.scenarios.scenery import SECTIONS, Section
from steersman.scenarios.schema import Named, PopulationSettings, Settings
from steersman.scenarios.spread import Spread
from steersman.steering.targets import TARGET
from steersman.vehicles.columns import SCALARS
from steersman.vehicles.vehicles import Vehicles

READERS = (kinds, modes, trees)
"""The modules that say how parameters are read; to import them is enough."""


MEASURED = {kind.name: kind for kind in (TARGET, PATH, REGION)}
"""What metrics measure toward."""

LATER = ("locomotion", "steering")
"""What is read of populations when all of them are there."""


@dataclass
class Cast:
    """A population on its way into the world."""

    table: Table
    place: Place
    settings: dict[str, Any]
    plain: dict[str, Any]
    vehicles: Any = FAILED
    meters: list[Meter] = field(default_factory=list)


class Builder:
    """Reads a document in the order in which its parts need each other."""

    def __init__(self, folder: Path) -> None:
        self.reader = Reader(folder)
        self.cast: list[Cast] = []

    def read(self, document: Table) -> tuple[dict[str, Any], dict[str, Any]]:
        """Everything; what was read of the settings, and the document with all defaults."""
        reader = self.reader
        real, plain = reader.fields(Settings, document, (), later=(*SECTIONS, "populations"))
        reader.domain = real["domain"] if real["domain"] is not None else Open()
        said = None if real["domain"] is FAILED else reader.domain.dimensions
        reader.dimensions = said or dimensions_of(document)
        self.read_cast(document)
        self.read_scenery(document, plain)
        for cast in self.cast:
            cast.vehicles = self.vehicles(cast, real["seed"], real["dtype"])
            if isinstance(cast.settings["name"], str):
                reader.populations[cast.settings["name"]] = cast.vehicles
        for cast in self.cast:
            self.read_steering(cast)
            self.read_metrics(cast)
        plain["populations"] = [cast.plain for cast in self.cast]
        return real, plain

    # ------------------------------------------------------------------------------------------- scenery

    def read_scenery(self, document: Table, plain: dict[str, Any]) -> None:
        """Everything that stands in the world."""
        for section, about in SECTIONS.items():
            read = [self.read_thing(section, about, *item) for item in self.items_of(document, section)]
            if read:
                plain[section] = read

    def items_of(self, document: Table, section: str) -> list[tuple[Table, Place]]:
        """The tables of a section, with their places."""
        return self.reader.tables(document.get(section, []), (section,), section)

    def read_thing(self, section: str, about: Section, table: Table, place: Place) -> dict[str, Any]:
        """One obstacle set, path, ...; its plain form."""
        reader = self.reader
        names, named = reader.fields(Named, table, place, besides=tuple(table))
        made = thing(reader, about, {key: value for key, value in table.items() if key != "name"}, place)
        if self.is_new(names["name"], reader.scenery, (*place, "name"), "things"):
            reader.scenery[names["name"]], reader.sections[names["name"]] = made.real, section
        return {**named, **made.plain}

    def is_new(self, name: Any, others: Mapping[str, Any], place: Place, what: str) -> bool:
        """Whether a name is a name, and not taken yet."""
        if isinstance(name, str) and name in others:
            self.reader.problems.add(place, f"name must be different for all {what}, got {name!r} twice")
        return isinstance(name, str) and name not in others

    # ------------------------------------------------------------------------------------------- populations

    def read_cast(self, document: Table) -> None:
        """All populations, without steering and metrics."""
        reader = self.reader
        if not document.get("populations"):
            reader.problems.add(("populations",), "there must be at least one population: a table [[populations]]")
            return
        names: dict[str, Any] = {}
        for table, place in reader.tables(document["populations"], ("populations",), "populations"):
            settings, plain = reader.fields(PopulationSettings, table, place, later=(*LATER, "metrics"))
            if self.is_new(settings["name"], names, (*place, "name"), "populations"):
                names[settings["name"]] = None
            self.cast.append(Cast(table, place, settings, plain))
        for cast in self.cast:
            shape = cast.settings["spawn"]
            given = None if isinstance(shape, Failed) else shape.dimensions
            if given not in (None, reader.dimensions):
                message = f"the spawn shape must be {reader.dimensions}D like the world, got {given}D"
                reader.problems.add((*cast.place, "spawn"), message)
                cast.settings["spawn"] = FAILED

    def vehicles(self, cast: Cast, seed: Any, dtype: Any) -> Vehicles | Failed:
        """The vehicles of a population; FAILED if anything about them is wrong."""
        reader, settings, place = self.reader, cast.settings, cast.place
        shape, n = settings["spawn"], settings["n"]
        obstacles = list(reader.of_section("obstacles").values())
        if any(value is FAILED for value in [*settings.values(), *obstacles, seed, dtype, reader.domain]):
            return FAILED
        if reader.dimensions is None:
            reader.problems.add(
                (*place, "spawn"), "nothing says whether the world is 2D or 3D; give a center or a size"
            )
            return FAILED
        if n is not None and shape.count not in (None, n):
            reader.problems.add((*place, "n"), f"n must be the number of points ({shape.count}), got {n}")
            return FAILED
        n = shape.count if n is None else n
        if n is None:
            reader.problems.add(place, "n must be given: how many vehicles")
            return FAILED
        cast.plain["n"] = n
        rng = generator(key_of(seed, "spawn", settings["name"]))
        try:
            return _vehicles(settings, n, reader, obstacles, rng, dtype)
        except (TypeError, ValueError) as error:
            word = str(error).split(" ", 1)[0]
            where = (*place, word) if word in cast.table else (*place, "spawn")
            where = (*place, "velocity") if word == "direction" else where
            reader.problems.add(where, str(error))
            return FAILED

    # ------------------------------------------------------------------------------------------- steering, metrics

    def read_steering(self, cast: Cast) -> None:
        """The body and the steering tree of a population: both may refer to all that stands in the world."""
        for name in LATER:
            description = next(each for each in describe(PopulationSettings) if each.name == name)
            value = self.reader.value(description, cast.table.get(name), (*cast.place, name))
            cast.settings[name] = value.real
            if value.plain is not None:
                cast.plain[name] = value.plain

    def read_metrics(self, cast: Cast) -> None:
        """The meters of a population."""
        given, place = cast.table.get("metrics", []), (*cast.place, "metrics")
        if not isinstance(given, (list, tuple)):
            self.reader.problems.add(place, f"metrics must be a list, got {given!r}")
            return
        plain = []
        for index, item in enumerate(given):
            value = self.meter(cast, item, (*place, index))
            plain.append(value.plain)
            if value.real is not FAILED:
                cast.meters.append(value.real)
        if plain:
            # A tree is a section of its own in TOML, so it comes last.
            steering = cast.plain.pop("steering", None)
            cast.plain["metrics"] = plain
            cast.plain.update({} if steering is None else {"steering": steering})

    def meter(self, cast: Cast, item: Any, place: Place) -> Value:
        """One metric: `"polarization"`, or `{metric = "distance_to", to = [0, 0]}`."""
        reader = self.reader
        table = {"metric": item} if isinstance(item, str) else reader.table(item, place, "a metric")
        if table is None:
            return Value(FAILED, None)
        reader.check_keys(table, ("metric", "to"), place)
        name = table.get("metric")
        if not isinstance(name, str) or name not in METRICS:
            reader.problems.add(place, f"there is no metric {name!r}{suggestion(str(name), METRICS)}")
            return Value(FAILED, None)
        to = Value(None, None)
        kind = METRICS[name].to
        if bool(kind) != ("to" in table):
            message = f"needs {TOWARD[kind]}" if kind else "has no target `to`"
            reader.problems.add(place, f"metric {name!r} {message}")
            return Value(FAILED, None)
        if "to" in table:
            to = reader.value(Description(name="to", kind=MEASURED[kind]), table["to"], (*place, "to"))
        if to.real is FAILED or cast.vehicles is FAILED:
            return Value(FAILED, None)
        assert reader.domain is not None
        obstacles = tuple(each for each in reader.of_section("obstacles").values() if each is not FAILED)
        subject = Subject(cast.vehicles, reader.domain, obstacles, to.real)
        plain = as_plain(item) if isinstance(item, str) else {"metric": name, "to": to.plain}
        label = f"{cast.settings['name']}.{name}"
        if sum(other.get("metric") == name for other in cast.table["metrics"] if isinstance(other, Mapping)) > 1:
            label += f" {table['to']}"
        if any(meter.label == label for meter in cast.meters):
            reader.problems.add(place, f"metric {name!r} must be asked for once, got it twice")
            return Value(FAILED, None)
        return Value(Meter(label, METRICS[name], subject), plain)


def _vehicles(
    settings: Mapping[str, Any], n: int, reader: Reader, obstacles: list[Any], rng: np.random.Generator, dtype: str
) -> Vehicles:
    """Draw the vehicles of a population, column by column, always in the same order."""
    assert reader.domain is not None
    assert reader.dimensions is not None

    def drawn(name: str) -> Any:
        return settings[name].draw(n, rng) if isinstance(settings[name], Spread) else settings[name]

    columns = {name: drawn(name) for name in SCALARS}
    clear = settings["clearance"] + float(np.max(columns["radius"]))
    position = settings["spawn"].positions(n, reader.dimensions, reader.domain, obstacles, clear, rng)
    velocity = settings["velocity"].velocities(position, rng) if settings["velocity"] is not None else None
    return Vehicles(position, velocity, heading=drawn("heading"), dtype=np.dtype(dtype), **columns)
