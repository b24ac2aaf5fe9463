"""Taking frames: copies of a world's state between two steps. The world does not change by it."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from steersman.core.action_selection.change import code_of
from steersman.core.action_selection.modes import Modes as ModesBehavior
from steersman.core.typing import Array
from steersman.core.vehicles.columns import by_name
from steersman.core.world.clock import time_shown
from steersman.core.world.population import Population
from steersman.core.world.world import World
from steersman.runs.recording.frame import Frame, Modes, Rows
from steersman.runs.recording.query import ColumnRequest, aligned, is_force
from steersman.runs.recording.unwrapping import WORD, Unwrapping

VECTORS = ("position", "velocity", "forward", "up")
"""The columns of vectors that are recorded, where there are such, in this order."""


class FrameCapture:
    """Takes frames of a world. Its `unwrapping`, if there is one, is to be called after every step, too.

    Args:
        names: The populations that are recorded; None for all.
        dimensions: Those of the table, 2 or 3.
        asked: Requests for additional columns.
        modes: Whether modes are recorded.
    """

    def __init__(
        self, names: Sequence[str] | None, dimensions: int, queries: tuple[ColumnRequest, ...], modes: bool
    ) -> None:
        self.names, self.dimensions, self.queries, self.modes = names, dimensions, queries, modes
        self.unwrapping = Unwrapping() if any(each.word == WORD for each in queries) else None
        self._forces = any(is_force(each.word) for each in queries)

    def take(self, world: World, number: int) -> Frame:
        """Copy a frame.

        Raises:
            ValueError: Vehicles in space have been added to a recording in the plane.
        """
        chosen = chosen_of(world, self.names)
        if self.unwrapping is not None:
            self.unwrapping(world)
        time = time_shown(world.time, world.steps, world.dt)
        return Frame(number, world.steps, time, [self._rows(world, each) for each in chosen])

    def _rows(self, world: World, population: Population) -> Rows:
        vehicles, d = population.vehicles, population.vehicles.dimensions
        if d > self.dimensions:
            raise ValueError(
                f"population {population.name!r} has 3 dimensions, and the recording was begun with 2: add it before"
            )
        explanation = None
        if self._forces and population.tree is not None and len(vehicles):
            explanation = world.explain(population)
        extra: dict[str, Array] = {}
        for each in self.queries:
            if each.word == WORD and self.unwrapping is not None:
                values: Array | None = self.unwrapping.of(world, population)
            else:
                values = each.of(population, explanation)
            if values is not None:
                extra |= dict(zip(each.names, values.T, strict=False))
        columns = by_name(vehicles.block, d)
        vectors = np.concatenate([columns[name] for name in VECTORS if name in columns])
        modes = modes_in(population) if self.modes else None
        return Rows(population.name, d, vehicles.id, vectors, vehicles.radius.copy(), modes, extra)


def chosen_of(world: World, names: Sequence[str] | None) -> list[Population]:
    """The populations that are recorded and there now."""
    return [each for name, each in world.populations.items() if names is None or name in names]


def modes_in(population: Population) -> Modes | None:
    """The mode of each vehicle; None where the tree has no modes, or several nodes with modes side by side."""
    try:
        node = population.node(None, ModesBehavior)
    except KeyError:
        return None
    behavior: Any = node.behavior
    ids, columns = population.recalled(node.key)
    names = {code_of(name): name for name in dict.fromkeys([behavior.start, *behavior.modes])}
    return Modes(aligned(ids, columns["mode"], population.vehicles.id), names) if columns else None
