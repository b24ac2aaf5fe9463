"""The k nearest on the device: a thread for each watcher, in the order of the cells, with the search of the core.

The result does not depend on the cells, so they are laid out once and kept while vehicles move. Every axis is treated as one
that wraps: where space does not, cells that agree modulo the number of cells are one cell, and the gap between two cells is
the smallest gap between the places that they stand for. So a search never ends too early.
"""

import functools
from typing import Any, Final

import numpy as np
from numba import float32, int64

from steersman.core.neighborhood import density, nearest, sums
from steersman.core.neighborhood.arrangement import Arrangement
from steersman.core.neighborhood.grid import COUNT, INVERSE, LOW, PERIOD, Grid, new_grid
from steersman.core.neighborhood.nearest import Best, Searched
from steersman.core.neighborhood.neighbor_pass import Runner
from steersman.core.typing import Array
from steersman.gpu.cells import Axes, Cells
from steersman.gpu.compiling import device_function, entry
from steersman.gpu.device import Launch, cuda
from steersman.gpu.mirror import Mirror

BLOCK: Final = 128

search, write_list = device_function(nearest.search), device_function(nearest.write_list)
sum_nearest, put = device_function(nearest.sum_nearest), device_function(sums.put)
slot_of = device_function(sums.slot_of)


def lay_out_by_density(position: Array, wrap: Array) -> Grid:
    """The cells for searches among vehicles at these positions, shape (d, n), such that each holds a few of them.

    Args:
        position: Positions [m].
        wrap: The space, see `Domain.wrap`.
    """
    d, n = position.shape
    grid, most = new_grid(position.dtype), 2 * n + 64
    density.lay_out_by_density(grid, (), tuple(position), wrap, most, np.zeros(most + 3, np.int32))
    grid.wraps[:d] = 1
    grid.axes[PERIOD, :d] = wrap[0]
    return grid


def axes_of(grid: Grid, d: int) -> Axes:
    """The cells of a grid for the sort on the device."""
    low, inverse, period = (grid.axes[k, :d] for k in (LOW, INVERSE, PERIOD))
    count = [int(each) for each in grid.axes[COUNT, :d]]
    none = (np.int32(0),) * d
    return Axes(
        tuple(map(float, low)),
        tuple(map(float, inverse)),
        tuple(map(float, period)),
        tuple(1 / float(each) if each > 0 else 0.0 for each in period),
        tuple(map(np.int32, count)),
        tuple(map(np.int32, [1, count[0], count[0] * count[1]][:d])),
        none,
        (np.float32(0),) * d,
        np.int32(0),
    )


@functools.cache
def search_kernel(k: int) -> Any:
    """The kernel that searches for the k nearest: it lists them, or adds them up (see `nearest.search_all`)."""

    def search_rows(
        n: int, cell: Array, where: Any, ahead: Any, terms: Any, block: Any, listing: tuple[Any, ...]
    ) -> None:
        i = cuda.grid(1)
        if i < n:
            best = Best(cuda.local.array(k, float32), cuda.local.array(k, int64), cuda.local.array(k, int64))
            numbers = slot_of(where.slot, 0)
            hits = search(i, cell[i], where, ahead, numbers, best)
            row = where.cells.watchers.row[i]
            if len(listing) > 0:
                write_list(listing[0], row, hits, best)
            else:
                total, number = sum_nearest(i, hits, where, numbers, best, terms)
                put(block, 0, row, 0, total, number)

    return entry(search_rows)


class Searches:
    """The searches for the k nearest in one grid.

    Args:
        arrangement: The grid of the plan for the processor, and what is sorted into it.
        runners: The searches of the plan in that grid.
        columns: Columns of the vehicles on the device.
        position: Positions on the host [m], shape (d, n).
        wrap: The space, see `Domain.wrap`.
        mirror: The copies of arrays.
    """

    def __init__(
        self, arrangement: Arrangement, runners: list[Runner], columns: Any, position: Array, wrap: Array, mirror: Mirror
    ) -> None:  # fmt: skip
        d, n = position.shape
        self._wrap, grid = wrap, lay_out_by_density(position, wrap)
        self._width = grid.axes[INVERSE, :d].copy()
        loads = columns.velocity if "velocity" in arrangement.payload else ()
        turned = arrangement.turned or "forward" in arrangement.payload
        cells = Cells(axes_of(grid, d), columns.position, columns.forward if turned else (), loads, n)
        carried = {"velocity": _columns(cells.loads, d), "forward": _columns(cells.heads, d)}
        spots = _columns(cells.spots, d)
        self.launches = list(cells.launches)
        for runner in runners:
            where, ahead, best, _, terms, block, listing, _, _ = runner.arguments
            there = where.cells._replace(
                grid=mirror.of(grid),
                candidates=where.cells.candidates._replace(
                    start=cells.start, row=cells.row, position=spots, payload=()
                ),
                watchers=where.cells.watchers._replace(start=cells.start, row=cells.row, position=spots, hidden=()),
                names=mirror.of(where.cells.names),
            )
            if terms:
                payload = next(
                    (carried[name] for name, each in arrangement.payload.items() if each is terms.payload), ()
                )
                terms = terms._replace(form=mirror.of(terms.form), payload=payload, axes=mirror.of(terms.axes))
            about = Searched(there, mirror.of(where.wrap), mirror.of(where.slot))
            ahead = carried["forward"] if ahead else ()
            arguments = (n, cells.cell, about, ahead, terms, mirror.of(block), mirror.of(listing))
            self.launches.append(Launch("sum", search_kernel(best.d2.size), n, BLOCK, arguments))

    def fits(self, position: Array) -> bool:
        """Whether the cells are still about as wide as they should be for vehicles at these positions [m], shape (d, n)."""
        width = lay_out_by_density(position, self._wrap).axes[INVERSE, : len(position)]
        return bool(np.all((width <= 1.5 * self._width) & (self._width <= 1.5 * width)))


def _columns(fours: Any, d: int) -> Any:
    """The first d numbers of each row of an array of shape (n, 4), as columns."""
    return tuple(fours[:, k] for k in range(d))
