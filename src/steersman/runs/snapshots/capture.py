"""Taking a snapshot: a world's document with everything that its next step depends on, and names for its Python objects.

The document is the one of `documents`, with all memory in it. The snapshot also holds the observers in their order, the
readings so far, and the state hash, by which a reader of the file can check that the state is complete.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from steersman.core.typing import Array
from steersman.core.world.population import Population
from steersman.core.world.snapshot_error import SnapshotError
from steersman.core.world.state_hash import all_maps_with_doors, state_hash, switched
from steersman.core.world.world import World
from steersman.core.world.writing import NoDocumentError
from steersman.runs.documents.documents import BYSTANDERS, WorldWriter
from steersman.runs.documents.writer import Writer
from steersman.runs.metrics.meters import Meter
from steersman.runs.metrics.metric import METRICS
from steersman.runs.metrics.reading import Reading
from steersman.runs.metrics.watching import OfVehicles
from steersman.runs.snapshots.container import write_container
from steersman.runs.snapshots.python import Book, NamingWriter

FORMAT = "steersman snapshot"


def save(world: World, path: Path, functions: Mapping[str, Any] | None, turned: Array | None = None) -> dict[str, Any]:
    """Write a world into a file; see `World.save`. Of a Controller, also `turned` (see `Content`)."""
    import steersman  # For its version. A module of the package cannot import the package at the top.

    content, book = taken(world, functions)
    content |= {} if turned is None else {"turned": turned}
    write_container(path, {"format": FORMAT, "steersman": steersman.__version__, **content})
    return {name: item.value for name, item in book.used.items()}


def taken(world: World, functions: Mapping[str, Any] | None) -> tuple[dict[str, Any], Book]:
    """The content of a snapshot of a world, and the list of its Python objects.

    Raises:
        SnapshotError: The world holds an object that can neither be written nor named.
    """
    book = Book(functions)
    chosen = list(book.objects)
    try:
        writer = SnapshotWriter(world, book)
        document = writer.document()
        observers = writer.observers()
    except NoDocumentError as error:
        raise SnapshotError(f"this world cannot be saved: {error}") from None
    if unknown := [name for name in chosen if name not in book.used]:
        raise SnapshotError(f"functions: there is no such thing in this world: {', '.join(map(repr, unknown))}")
    meters = {} if world.meters is None else world.meters.saved()
    content = {"hash": state_hash(world), "document": document, "observers": observers, "meters": meters}
    if tolls := [each.current_tolls for each in all_maps_with_doors(world)]:
        content["tolls"] = tolls
    if enabled := switched(world):
        content["enabled"] = enabled
    return content | {"python": book.document()}, book


class SnapshotWriter(WorldWriter):
    """Writes a world with all its memory, and with names for Python objects that no document can hold.

    Args:
        world: The world.
        book: The list of Python objects.
    """

    def __init__(self, world: World, book: Book) -> None:
        self.book = book
        super().__init__(world, None, {}, None)

    def new_writer(self, names: Mapping[str, Any]) -> Writer:
        """A writer that names Python objects."""
        return NamingWriter(names, self.sections, self.book)

    def check_observers(self) -> None:
        """Allow all observers: they get names."""

    def domain(self) -> dict[str, Any]:
        """The table of the space."""
        try:
            return super().domain()
        except NoDocumentError:
            return self.book.mark(self.world.domain, ("domain",))

    def remembered(self, population: Population) -> dict[str, Any]:
        """The whole memory of a population, also where it equals the initial memory."""
        memory = [{"key": key, "columns": node_memory.snapshot()} for key, node_memory in population.memories.items()]
        flows = [
            {
                "name": name,
                "passed": tally.passed,
                "columns": {key: np.array(each) for key, each in tally.state.items()},
            }
            for name, tally in population.flowing.tallies.items()
        ]
        fields = {"keys": list(population.keys), "next_key": population.next_key, "addressed": population.addressed}
        return fields | ({"memory": memory} if memory else {}) | ({"flows": flows} if flows else {})

    def metric(self, meter: Meter, population: str) -> Any:
        """The metric of a meter; `observers` holds the time between its readings."""
        name = meter.label.removeprefix(f"{population}.")
        place = ("populations", population, "metrics", name)
        table: dict[str, Any] = {"name": name}
        known = next((word for word, each in METRICS.items() if each is meter.metric), None)
        if known is None:
            own = meter.metric.measure.function if isinstance(meter.metric.measure, OfVehicles) else meter.metric
            table["metric"] = self.book.mark(own, place, meter.label)
        else:
            table["metric"] = known
        to = {} if meter.subject.to is None else {"to": self.writer.value(meter.subject.to, (*place, "to"))}
        return table | to

    def observers(self) -> list[dict[str, Any]]:
        """The observers that are called after steps, with their triggers, in order. Trails and recordings start anew."""
        entries = []
        for k, (observer, when) in enumerate(self.world.observers):
            if isinstance(observer, BYSTANDERS):
                continue
            every = {"every": self.writer.value(when, ("on_step", k, "when"))}
            if isinstance(observer, Reading):
                entries.append({"reads": list(observer.labels), **every})
            else:
                entries.append({"calls": self.book.mark(observer, ("on_step", k)), **every})
        return entries
