"""Unwrapped positions: where vehicles would be if space did not wrap, counted at every step between two frames.

    unwrapped = position + turns * period

`turns` says how often a vehicle has gone over each seam: it changes where a step is longer than half of a period.
"""

from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.signals import deferred_signals
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.population import Population
from steersman.core.world.world import World
from steersman.runs.recording.moment import Moment

WORD = "unwrapped"
"""The request for these columns."""


class _Turns(NamedTuple):
    """A population at the last step: its vehicles, ids, shape (n,), positions [m] and turns, shape (n, d) each."""

    vehicles: Vehicles
    id: Array
    position: Array
    turns: Array


class NotCounted:
    """The placeholder in the copy of a world, which is not recorded."""

    def __call__(self, world: World) -> None:
        """Nothing."""


class Unwrapping:
    """Counts the turns of the vehicles of a world from now on; to be called after every step."""

    def __init__(self) -> None:
        self._known: dict[str, _Turns] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return NotCounted, ()

    def __call__(self, world: World) -> None:
        """Count the turns since the last call. Vehicles that are new have none, as have others of the same name."""
        with deferred_signals():
            self._known = {name: self._counted(world, name, each) for name, each in world.populations.items()}

    def _counted(self, world: World, name: str, population: Population) -> _Turns:
        vehicles = population.vehicles
        ids, position = vehicles.id.copy(), vehicles.position.astype(np.float64)
        turns = np.zeros(position.shape)
        period = world.domain.wrap(position.shape[1], np.float64)[0]
        known = self._known.get(name)
        if known is None or known.vehicles is not vehicles or not period.any():
            return _Turns(vehicles, ids, position, turns)
        if np.array_equal(known.id, ids):
            before = stayed = np.arange(len(ids))
        else:
            _, before, stayed = np.intersect1d(known.id, ids, assume_unique=True, return_indices=True)
        gone = position[stayed] - known.position[before]
        over = np.divide(gone, period, out=np.zeros_like(gone), where=period > 0)
        turns[stayed] = known.turns[before] - np.rint(over)
        return _Turns(vehicles, ids, position, turns)

    def of(self, world: World, population: Population) -> Array:
        """Unwrapped positions of a population [m], shape (n, d), float64."""
        known = self._known[population.name]
        return np.asarray(known.position + known.turns * world.domain.wrap(known.turns.shape[1], np.float64)[0])

    def restore(self, world: World, moment: Moment) -> None:
        """Go on from the last frame of a run, with which the world agrees."""
        self(world)
        for name, known in list(self._known.items()):
            if name not in moment:
                continue
            rows: Any = moment[name]
            d = known.turns.shape[1]
            period = world.domain.wrap(d, np.float64)[0]
            unwrapped = np.stack([rows.columns[f"{WORD}_{axis}"] for axis in "xyz"[:d]], axis=1)
            _, here, there = np.intersect1d(known.id, rows.id, assume_unique=True, return_indices=True)
            gone = unwrapped[there] - known.position[here]
            known.turns[here] = np.rint(np.divide(gone, period, out=np.zeros_like(gone), where=period > 0))
