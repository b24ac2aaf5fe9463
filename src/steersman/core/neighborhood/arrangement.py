"""Arrangement: watchers and candidates in the order of one grid's cells, ready for a search."""

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from steersman.core.kernels.bound import Share, Stage, bind
from steersman.core.kernels.kernel import entry_point
from steersman.core.kernels.lanes import LANES
from steersman.core.neighborhood.coincident import Arranged, Names
from steersman.core.neighborhood.density import lay_out_by_density
from steersman.core.neighborhood.gather import SHARE, Buffer, Candidates
from steersman.core.neighborhood.grid import (
    MARGIN,
    Grid,
    Order,
    arrange_columns,
    arrange_position,
    arrange_rows,
    begin_cells,
    count_cells,
    lay_out,
    new_grid,
    new_order,
    place_rows,
)
from steersman.core.neighborhood.source import Source
from steersman.core.neighborhood.sums import WIDTH, Watchers
from steersman.core.parameters.arrays import first_rows
from steersman.core.typing import Array, Columns
from steersman.core.vehicles.vehicles import Vehicles

LINE: Final = 64
"""Bytes of a cache line."""

Kernel = tuple[Any, tuple[Any, ...]]
"""A kernel and its arguments."""


class Arrangement:
    """Watchers (the vehicles that look for neighbors) and candidates, sorted by the cells of one grid.

    Args:
        vehicles: The watchers.
        source: The candidates.
        same: Whether they are one population.
        ids: Ids of the watchers, shape (capacity,), int64.
        wrap: The domain, see `Domain.wrap`.
        radius: The largest radius [m].
        by_density: Whether the width of cells is chosen so that they hold a few vehicles each, for searches that work with
            any width; otherwise they are as wide as the radius.
        cells: A function of the number of candidates: the largest number of cells, 1 for a single cell. It must not decrease.
        payload: Other data of the candidates that sums need: names of vector columns.
        turned: Whether any field of view is limited.
        tie: Sign of the direction between coincident vehicles of two populations with equal ids.

    Attributes:
        candidates, watchers: Both populations, in the order of the cells.
        ahead: The forward vectors of the watchers; empty when every field of view is full.
        payload: Name -> vector column of the candidates, in the order of the cells.
        names: The ids of both populations.
        stale: Whether the cells are those of an earlier step, shape (1,), uint8; for deferred searches (`deferred.py`).
    """

    def __init__(
        self,
        vehicles: Vehicles,
        source: Source,
        *,
        same: bool,
        ids: Array,
        wrap: Array,
        radius: float,
        by_density: bool,
        cells: Callable[[int], int],
        payload: Sequence[str],
        turned: bool,
        tie: int,
    ) -> None:
        self._vehicles, self._source, self._most_cells = vehicles, source, cells
        self._same, self._wrap, self._radius, self._payload_names = same, wrap, float(radius), payload
        self._by_density = by_density
        n, m, d, dtype = vehicles.capacity, source.capacity, vehicles.dimensions, vehicles.dtype
        self.grid = new_grid(dtype)
        self.stale = np.ones(1, np.uint8)
        self._entries: dict[tuple[Any, int], Callable[..., Any]] = {}
        most = cells(source.whole_capacity)
        self._candidate_order = with_a_vector(new_order(m, most))
        self._watcher_order = self._candidate_order if same else new_order(n, most)
        self._candidate_position = columns(d, m + LANES, dtype)
        self._watcher_position = self._candidate_position if same else columns(d, n, dtype)
        self._payload_columns = columns(d, m * len(payload), dtype) if payload else ()
        self._copies_forward = turned and not (same and "forward" in payload)
        self._watcher_forward = columns(d, n, dtype) if self._copies_forward else ()
        self._is_turned = turned
        self._hidden = np.zeros(n, dtype)
        self._number_rows: list[tuple[Array, Array]] = []
        self._ids, self._tie = ids, tie
        self.fit()

    def fit(self) -> None:
        """Adapt to the present numbers of watchers and candidates."""
        n, m, same, payload = len(self._vehicles), len(self._source), self._same, self._payload_names
        first = self._source.first
        self.names = Names(self._ids, self._source.id, first >= 0, self._tie, max(first, 0))
        order, near = first_of(self._candidate_order, m), first_rows(self._candidate_position, m)
        line, here = (
            (order, near) if same else (first_of(self._watcher_order, n), first_rows(self._watcher_position, n))
        )
        loads = first_rows(self._payload_columns, m * len(payload))
        self.payload = {name: tuple(load[w * m : (w + 1) * m] for load in loads) for w, name in enumerate(payload)}
        own = first_rows(self._watcher_forward, n)
        self.ahead: Columns = own if self._copies_forward or not self._is_turned else self.payload["forward"]
        self.candidates = Candidates(order.start, order.row, near, loads, len(payload))
        self.watchers = Watchers(line.start, line.row, here, self._hidden[:n])
        self._orders = [(self._source.columns("position"), order, near)]
        if not same:
            self._orders.append((first_rows(self._vehicles.columns.position, n), line, here))
        sources = tuple(self._source.columns(name) for name in payload)
        copies = [[column for vector in vectors for column in vector] for vectors in (sources, self.payload.values())]
        self._copies = [(tuple(copies[0]), order.row, tuple(copies[1]))] if payload else []
        if self._copies_forward:
            self._copies.append((first_rows(self._vehicles.columns.forward, n), line.row, own))
        self._rows = [((numbers,) * numbers.shape[1], line.row, ordered) for numbers, ordered in self._number_rows]

    def in_order(self, rows: Array) -> Array:
        """The array into which every build sorts rows of numbers of the watchers by cell; both of shape (capacity, k)."""
        self._number_rows.append((rows, np.zeros_like(rows)))
        self.fit()
        return self._number_rows[-1][1]

    @property
    def arranged(self) -> Arranged:
        """The cells, and both populations in their order, for kernels."""
        return Arranged(self.grid, self.candidates, self.watchers, self.names)

    @property
    def whole(self) -> tuple[Array, Array, Array, Columns]:
        """Cell of each watcher, start of each cell, rows and positions of the candidates: arrays with all their room."""
        order = self._candidate_order
        return self._watcher_order.cell, order.start, order.row, self._candidate_position

    @property
    def grows_with_density(self) -> bool:
        """Whether cells hold a few vehicles each; otherwise they are as wide as the radius."""
        return self._by_density

    @property
    def radius(self) -> float:
        """The largest radius [m]."""
        return self._radius

    @property
    def parties(self) -> tuple[Vehicles, Source]:
        """The watchers and the candidates."""
        return self._vehicles, self._source

    def laid_out(self, bounds: Array) -> Grid:
        """A grid with the cells of a step in which the vehicles of all processes lie within some bounds.

        Args:
            bounds: Lowest and highest coordinates [m], shape (2, 3).
        """
        grid = new_grid(self._vehicles.dtype)
        grid.bounds[:] = bounds
        nothing = columns(self._vehicles.dimensions, 0, self._vehicles.dtype)
        lay_out(grid, (), nothing, self._wrap, self._radius, int(self._most_cells(self._source.whole)))
        return grid

    @property
    def turned(self) -> bool:
        """Whether any field of view is limited."""
        return self._is_turned

    def stages(self, parts: int) -> list[Stage]:
        """The stages that lay out the cells and sort both populations; the stages that threads share have `parts` shares."""
        capacity = self._candidate_order.start.size
        if parts != len(self._candidate_order.counts):
            self._candidate_order = self._candidate_order._replace(counts=np.zeros((parts, capacity), np.int32))
            own_order = self._watcher_order._replace(counts=np.zeros((parts, capacity), np.int32))
            self._watcher_order = self._candidate_order if self._same else own_order
            self.fit()
        watching = () if self._same else self._orders[1][0]
        most = int(self._most_cells(self._source.whole))
        count: list[Kernel] = []
        begin: list[Kernel] = []
        put: list[Kernel] = []
        copy: list[Kernel] = []
        for position, order, near in self._orders:
            count.append((count_cells, (self.grid, position, order)))
            begin.append((begin_cells, (self.grid, order)))
            put.append((place_rows, (order,)))
            copy.append((arrange_position, (self.grid, position, order.row, near)))
        copy += [(arrange_columns, each) for each in self._copies]
        copy += [(arrange_rows, each) for each in self._rows]
        about = (self.grid, watching, self._orders[0][0], self._wrap)
        cells: Kernel = (lay_out, (*about, self._radius, most))
        if self._by_density:
            cells = (lay_out_by_density, (*about, most, self._candidate_order.counts[0]))
        return [
            [self._calls([cells])],
            self._shares(count, parts),
            [self._calls(begin)],
            self._shares(put, parts),
            self._shares(copy, parts),
        ]

    def _calls(self, kernels: Sequence[Kernel]) -> Share:
        """Kernels with their arguments as machine code."""
        return [bind(self._entry(k, *each), each[1]) for k, each in enumerate(kernels)]

    def _shares(self, kernels: Sequence[Kernel], parts: int) -> Stage:
        """Kernels with `part` and `parts` before their other arguments, with a share for each part."""
        return [
            self._calls([(each, (part, parts, *arguments)) for each, arguments in kernels]) for part in range(parts)
        ]

    def _entry(self, k: int, kernel: Any, arguments: tuple[Any, ...]) -> Callable[..., Any]:
        """The machine code of a kernel, looked up only once: the types of the k-th arguments of a stage stay the same."""
        if (kernel, k) not in self._entries:
            self._entries[kernel, k] = entry_point(kernel, arguments)
        return self._entries[kernel, k]

    def buffer(self, sets: int) -> Buffer:
        """Scratch for one worker and a number of slot sets, of the largest size that can be needed.

        That is cheap, because the system provides memory only when it is first written to.
        """
        m, d, dtype = self._source.capacity, self._vehicles.dimensions, self._vehicles.dtype
        size = 2 * m + 4 * LANES
        payload = columns(d, size * self.candidates.loads, dtype) if self.candidates.loads else ()
        first, last = np.zeros((2, self._candidate_order.start.size), np.int64)
        return Buffer(
            columns(d, size, dtype),
            payload,
            first,
            last,
            np.zeros((9, 2), np.int64),
            np.zeros((9, 2), dtype),
            aligned((sets, SHARE, WIDTH), dtype),
            np.zeros(SHARE, np.int32),
        )


def first_of(order: Order, n: int) -> Order:
    """The part of an order for the first n rows."""
    return order._replace(cell=order.cell[:n], row=order.row[:n], rank=order.rank[:n])


def with_a_vector(order: Order) -> Order:
    """An order with room behind the last row, for a vector instruction that begins at that row."""
    return order._replace(row=np.zeros(order.row.size + LANES, np.int32))


def columns(d: int, n: int, dtype: Any) -> Columns:
    """Columns of zeros, d arrays of shape (n,)."""
    return tuple(np.zeros(n, dtype) for _ in range(d))


def aligned(shape: tuple[int, ...], dtype: Any) -> Array:
    """An array of zeros that begins with a cache line."""
    dtype = np.dtype(dtype)
    size = math.prod(shape) * dtype.itemsize
    memory = np.zeros(size + LINE, np.uint8)
    begin = -memory.ctypes.data % LINE
    block: Array = memory[begin : begin + size].view(dtype).reshape(shape)
    return block


def needs_images(wrap: Array, radius: float) -> bool:
    """Whether the minimum image must be taken for each pair, as a torus has too few cells on an axis to move whole cells."""
    return any(period > 0 and math.floor(float(period) / (radius * MARGIN)) < 3 for period in wrap[0])
