"""The part of a population that a process holds: the vehicles that it owns, and those around them.

Vehicles keep the order of their births, which is their order in one process. So sums over neighbors add in the same order.
"""

from collections.abc import Sequence

import numpy as np

from steersman.core.typing import Array
from steersman.core.vehicles.columns import by_name
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
    def of(cls, population: Population, rows: Array) -> "Rows":
        """Copies of some rows of a population."""
        vehicles = population.vehicles
        names = np.stack([vehicles.id[rows], vehicles.births[rows]])
        memories = {
            key: [now.take(rows, axis=1) for now, _ in memory.blocks]
            for key, memory in sorted(population.memories.items())
        }
        return cls(vehicles.whole.take(rows, axis=1), names, memories)

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
        return self.like([each.take(rows, axis=1) for each in self.arrays])

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
        return np.asarray(by_name(vehicles.block, vehicles.dimensions)["position"][:, self.owned])

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
        vehicles.share = Share(whole, max(whole, 0 if share is None else share.capacity))
        capacity = len(rows) + len(rows) // 4 + SPARE if share is None else None
        population.hold(rows.block, rows.names[0], rows.names[1], born, next_id, rows.memories, capacity)
        owner = blocks.owners(by_name(rows.block, vehicles.dimensions)["position"].T)
        self.owned = np.flatnonzero(owner == self._rank)
        self.places = self.positions()
        points = self.places.T
        none = self.owned[:0]
        others = [other != self._rank for other in range(blocks.count)]
        self.taken = [np.flatnonzero(owner == other) if each else none for other, each in enumerate(others)]
        self.sent = [
            self.owned[blocks.near(other, points, reach)] if each else none for other, each in enumerate(others)
        ]

    def _live(self) -> list[tuple[Array, ...]]:
        """The arrays of columns and memory, shape (k, capacity), each with those that hold the same."""
        memories = [blocks for _, memory in sorted(self.population.memories.items()) for blocks in memory.blocks]
        return [(self.population.vehicles.whole,), *memories]

    @property
    def width(self) -> int:
        """The bytes of a vehicle in `shown`."""
        return sum(each[0].shape[0] * each[0].itemsize for each in self._live())

    def shown(self, other: int) -> Array:
        """The columns and memory of the vehicles that another process holds and this one owns, as bytes, uint8."""
        rows = self.sent[other]
        if other == self._rank or not len(rows):
            return np.zeros(0, np.uint8)
        return np.concatenate([each[0].take(rows, axis=1).reshape(-1).view(np.uint8) for each in self._live()])

    def update(self, other: int, message: Array, at: int) -> int:
        """Write the vehicles of another process as that one shows them; return where the bytes after them begin."""
        rows = self.taken[other]
        if other == self._rank or not len(rows):
            return at
        for same in self._live():
            size = same[0].shape[0] * len(rows) * same[0].itemsize
            values = message[at : at + size].view(same[0].dtype).reshape(-1, len(rows))
            for each in same:
                each[:, rows] = values
            at += size
        return at
