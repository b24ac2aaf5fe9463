"""Restoring: the state of a snapshot is put into a world that the same program has made again.

So functions, observers and other Python objects exist already, and refer to the vehicles of this world. The structure of
the world must be the same as before; the snapshot restores only the state that changes during a run: columns, ids, memory,
flows, amounts of resources, tolls of doors, switches of obstacles, the clock, and readings.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from steersman.core.environment.resources import Resources
from steersman.core.parameters.parameters import describe
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.snapshot_error import SnapshotError
from steersman.core.world.state_hash import all_maps_with_doors, all_obstacles, state_hash
from steersman.core.world.world import World
from steersman.runs.documents.builder import set_stage
from steersman.runs.documents.reader import FAILED, Reader
from steersman.runs.documents.schema import PopulationSettings
from steersman.runs.snapshots.capture import SnapshotWriter
from steersman.runs.snapshots.content import STATE, Content, read
from steersman.runs.snapshots.python import Book

CLOCK = ("dt", "steps", "time", "rest")


def restore(world: World, path: Path, functions: Mapping[str, Any] | None) -> Any:
    """Put the state of a file into a world; see `World.restore`. Returns what it has as `turned`."""
    content = read(path)
    put(world, content, functions)
    return content.turned


def put(world: World, content: Content, functions: Mapping[str, Any] | None = None) -> None:
    """Put the content of a snapshot into a world.

    Raises:
        SnapshotError: It is a snapshot of another world. This world stays unchanged.
    """
    path, book = content.path, Book(functions)
    writer = SnapshotWriter(world, book)
    here = structure(writer.document(), writer.observers())
    if unlike := difference(structure(content.document, content.observers), here, ""):
        raise SnapshotError(f"{path}: this is a snapshot of another world: {unlike}")
    with _or_as_before(world, writer, path):
        _put(world, content, writer)
        content.set_doors(world)
        if state_hash(world) != content.hash:
            raise ValueError("it is not the world that was saved; this steersman understands it in another way")
        content.resume({name: item.value for name, item in book.used.items()}, world.meters)
    world._drawn = None  # The state before the last step is not that of the snapshot.


def structure(document: Mapping[str, Any], observers: list[dict[str, Any]]) -> dict[str, Any]:
    """The part of a world's document that does not change during a run."""
    steady = {key: value for key, value in document.items() if key not in CLOCK}
    steady["populations"] = [_without(each, STATE) for each in document["populations"]]
    steady["resources"] = [_without(each, ("amount",)) for each in document.get("resources", [])]
    return {**steady, "on_step": observers}


def _without(table: Mapping[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    return {key: value for key, value in table.items() if key not in keys}


def difference(there: Any, here: Any, place: str) -> str:
    """The first difference of two documents, in words; empty without any."""
    if isinstance(there, Mapping) and isinstance(here, Mapping):
        for key in [*there, *(key for key in here if key not in there)]:
            below = f"{place}.{key}" if place else str(key)
            if key not in here or key not in there:
                return f"{below} is only {'there' if key in there else 'here'}"
            if value := difference(there[key], here[key], below):
                return value
        return ""
    if isinstance(there, (list, tuple)) and isinstance(here, (list, tuple)):
        if len(there) != len(here):
            return f"{place} are {len(there)} there, and {len(here)} here"
        pairs = enumerate(zip(there, here, strict=True))
        return next(filter(None, (difference(a, b, f"{place}[{k}]") for k, (a, b) in pairs)), "")
    same = (
        np.array_equal(there, here) if isinstance(there, np.ndarray) or isinstance(here, np.ndarray) else there == here
    )
    return "" if same or (there != there and here != here) else f"{place} is {there!r} there, and {here!r} here"


def _put(world: World, content: Content, writer: SnapshotWriter) -> None:
    """Put the state into the world."""
    document = content.document
    for table, population in zip(document["populations"], world.populations.values(), strict=True):
        population.restart(_vehicles(table, document), **_remembered(table))
    for table in document.get("resources", []):
        resources = writer.writer.names[table["name"]]
        resources.amount = np.asarray(table.get("amount", 1.0))
    world.dt, world.rest = document["dt"], document.get("rest", 0.0)
    world.steps, world.time = int(document.get("steps", 0)), float(document.get("time", 0.0))
    world.seed = document["seed"]  # The plan is made anew.


def _vehicles(table: Mapping[str, Any], document: Mapping[str, Any]) -> Vehicles:
    """The vehicles of a population, checked like those of any document."""
    columns = {key: value for key, value in table.items() if key in (*STATE, "name", "dtype") and key != "remembered"}
    alone = {key: document[key] for key in ("seed", "dtype", "dimensions") if key in document}
    alone |= {"dimensions": np.shape(table["position"])[1], "populations": [columns]}
    return set_stage(alone, resumed=True).world[table["name"]]


def _remembered(table: Mapping[str, Any]) -> dict[str, Any]:
    """The memory of a population, checked like that of any document."""
    reader = Reader(files=False)
    about = next(each for each in describe(PopulationSettings) if each.name == "remembered")
    value = reader.value(about, table["remembered"], ("remembered",))
    reader.problems.raise_all("remembered", {})
    return {} if value is FAILED else dict(value)


@contextmanager
def _or_as_before(world: World, writer: SnapshotWriter, path: Path) -> Iterator[None]:
    """A context in which any exception becomes an error about the snapshot, and the world gets its old state back."""
    clock = {name: getattr(world, name) for name in CLOCK}
    populations = [(each, each.vehicles.__getstate__(), each.replaceable()) for each in world.populations.values()]
    resources = {each: each.amount.copy() for each in writer.writer.names.values() if isinstance(each, Resources)}
    tolls = [(each, each.current_tolls) for each in all_maps_with_doors(world)]
    obstacles = [(each, each.enabled) for each in all_obstacles(world)]
    try:
        yield
    except Exception as error:
        for name, value in clock.items():
            setattr(world, name, value)
        for population, vehicles, columns in populations:
            population.vehicles.replace(vehicles)
            population.take_back(columns)
        for each, amount in resources.items():
            each.amount = amount
        for routes, before in tolls:
            routes.set_tolls(before)
        for parts, enabled in obstacles:
            parts.switches.set(enabled)
        world.seed = world.seed
        raise SnapshotError(f"{path}: cannot be put into this world, which is as it was: {error}") from error
