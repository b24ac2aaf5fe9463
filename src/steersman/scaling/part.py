"""The part of a population that a process holds: the vehicles that it owns, and those around them.

Vehicles keep the order of their births, which is their order in one process. So sums over neighbors add in the same order.
"""

from collections.abc import Sequence

import numpy as np

from steersman.core.typing import Array
from steersman.core.vehicles.share import Share
from steersman.core.world.population import Population
from steersman.scaling.blocks import Blocks

SPARE = 256
"""Room for more vehicles than a process holds at first, besides a quarter of them."""


class Rows:
    """Vehicles on their way: columns, ids, births and memory.

    Args:
        block: Their columns, shape (columns, n).
        names: Their ids and births, shape (2, n), int64.
        memories: For each key of memory the blocks of values, each of shape (rows, n).
    """

    def __init__(self, block: Array, names: Array, memories: dict[int, list[Array]]) -> None:
        self.block, self.names, self.memories = block, names, memories

    def __len__(self) -> int:
        return int(self.names.shape[1])

    @classmethod
    def of(cls, population: Population, rows: Array | slice) -> "Rows":
        """Copies of some rows of a population."""
        vehicles = population.vehicles
        n = len(vehicles)
        names = np.stack([vehicles.id[rows], vehicles.births[rows]])
        memories = {
            key: [now[:, :n][:, rows] for now, _ in memory.blocks]
            for key, memory in sorted(population.memories.items())
        }
        return cls(vehicles.block[:, rows], names, memories)

    @property
    def arrays(self) -> list[Array]:
        """All arrays, in one order."""
        return [self.block, self.names, *(each for blocks in self.memories.values() for each in blocks)]

    def like(self, arrays: Sequence[Array]) -> "Rows":
        """Rows of the same kinds, from other arrays."""
        rest = iter(arrays[2:])
        return Rows(arrays[0], arrays[1], {key: [next(rest) for _ in each] for key, each in self.memories.items()})

    def take(self, rows: Array) -> "Rows":
        """Some of them."""
        return self.like([each[:, rows] for each in self.arrays])

    def packed(self) -> Array:
        """All of them as bytes, uint8, beginning with their number."""
        whole = [np.array([len(self)], np.int64), *self.arrays]
        return np.concatenate([np.ascontiguousarray(each).reshape(-1).view(np.uint8) for each in whole])

    def unpacked(self, message: Array, at: int) -> tuple["Rows", int]:
        """Rows of the same kinds from bytes, and where the bytes after them begin."""
        n = int(message[at : at + 8].copy().view(np.int64)[0])
        at += 8
        arrays = []
        for each in self.arrays:
            size = each.shape[0] * n * each.itemsize
            arrays.append(message[at : at + size].copy().view(each.dtype).reshape(each.shape[0], n))
            at += size
        return self.like(arrays), at


def joined(several: Sequence[Rows]) -> Rows:
    """Rows of the same kinds, one behind the other, in the order of their births."""
    whole = [np.concatenate(each, axis=1) for each in zip(*(rows.arrays for rows in several), strict=True)]
    return several[0].like(whole).take(np.argsort(whole[1][1], kind="stable"))


class Part:
    """The part of a population that a process holds.

    Args:
        population: The population, in the world that this process steps.
        rank: The number of this process.

    Attributes:
        population: The population.
        owned: The rows of the vehicles that this process owns, ascending, shape (k,).
        sent: For each process the rows that it holds and this one owns, ascending.
        taken: For each process the rows that this one holds and that one owns, ascending.
        places: Where the owned vehicles were when rows were dealt out [m], shape (d, k).
    """

    def __init__(self, population: Population, rank: int) -> None:
        self.population, self._rank = population, rank
        self.owned = np.arange(len(population.vehicles))
        self.sent: list[Array] = []
        self.taken: list[Array] = []
        self.places = self.positions()

    def positions(self) -> Array:
        """Where the owned vehicles are [m], shape (d, k)."""
        vehicles = self.population.vehicles
        return np.asarray(vehicles.block[: vehicles.dimensions, self.owned])

    def leaving(self, blocks: Blocks, reach: Array) -> list[Rows]:
        """For each process the owned vehicles that it is to hold from now on."""
        points = self.positions().T
        return [
            Rows.of(self.population, self.owned[blocks.near(other, points, reach)]) for other in range(blocks.count)
        ]

    def settle(self, coming: Sequence[Rows], blocks: Blocks, reach: Array, whole: int, born: int, next_id: int) -> None:
        """Hold the vehicles that all processes have sent.

        Args:
            coming: The vehicles.
            blocks: The blocks.
            reach: How far around a block vehicles are held [m], shape (d,).
            whole: The number of vehicles of the whole population.
            born: The number of its vehicles that were ever added.
            next_id: Its first id that was never given.
        """
        rows, population = joined(coming), self.population
        vehicles = population.vehicles
        share: Share | None = vehicles.share
        vehicles.share = Share(whole, max(whole, 0 if share is None else share.room))
        room = len(rows) + len(rows) // 4 + SPARE if share is None else None
        population.hold(rows.block, rows.names[0], rows.names[1], born, next_id, rows.memories, room)
        owner = blocks.owners(rows.block[: vehicles.dimensions].T)
        self.owned = np.flatnonzero(owner == self._rank)
        self.places = self.positions()
        points = self.places.T
        self.taken = [np.flatnonzero(owner == other) for other in range(blocks.count)]
        self.sent = [self.owned[blocks.near(other, points, reach)] for other in range(blocks.count)]

    def update(self, coming: Sequence[Rows | None]) -> None:
        """Write the vehicles of other processes as they are now."""
        population = self.population
        block, n = population.vehicles.block, len(population.vehicles)
        for rows, new in zip(self.taken, coming, strict=True):
            if new is None or not len(rows):
                continue
            block[:, rows] = new.block
            for key, values in new.memories.items():
                for (now, following), given in zip(population.memories[key].blocks, values, strict=True):
                    now[:, :n][:, rows] = given
                    following[:, :n][:, rows] = given
