"""Making a new world from a snapshot."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from steersman.core.world.observers import Observers
from steersman.core.world.snapshot_error import SnapshotError
from steersman.core.world.state_hash import state_hash
from steersman.core.world.world import World
from steersman.runs.documents.builder import set_stage
from steersman.runs.metrics.reading import Meters, Reading
from steersman.runs.snapshots.content import Content, read, trigger, with_python


def load(path: Path, functions: Mapping[str, Any] | None, threads: int | None) -> World:
    """The world of a file; see `World.load`."""
    content, objects = read(path), dict(functions or {})
    if missing := content.missing(objects):
        raise SnapshotError(
            f"{path}: Python functions of this world are in no file; give them by name, "
            "World.load(path, functions={...}), or make the world by your program and call world.restore(path):\n"
            + "\n".join(missing)
        )
    try:
        world = _made(content, objects, threads)
        content.resume(objects, world.meters)
    except Exception as error:  # A forged file may raise any error.
        raise SnapshotError(f"{path}: this makes no world: {_reason(error)}") from error
    return world


def _reason(error: Exception) -> str:
    return str(error) if isinstance(error, ValueError) and str(error) else f"{type(error).__name__}: {error}"


def _made(content: Content, objects: Mapping[str, Any], threads: int | None) -> World:
    """The world, with its observers and meters."""
    document = with_python(content.document, objects)
    world = set_stage(document, source=content.path.name, threads=threads, resumed=True).world
    observe(world, with_python(content.observers, objects))
    content.set_doors(world)
    if state_hash(world) != content.hash:
        raise ValueError("it is not the world that was saved; this steersman understands it in another way")
    return world


def observe(world: World, observers: list[dict[str, Any]]) -> None:
    """Replace the observers of a world by these, in this order."""
    meters = Meters() if world.meters is None else world.meters
    world._observers = Observers()
    for entry in observers:
        observer = Reading(meters, tuple(entry["reads"])) if "reads" in entry else entry["calls"]
        world.on_step(observer, trigger(entry["every"]))
