"""Two populations in the order of one grid's cells, ready to be gone through."""

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from steersman.geometry.kernel import entry_point
from steersman.geometry.vectors import Array, Columns
from steersman.neighborhood.coincident import Names
from steersman.neighborhood.gather import LANES, SHARE, Herd, Tube
from steersman.neighborhood.grid import MARGIN, Grid, Order, build
from steersman.neighborhood.source import Source
from steersman.neighborhood.sums import WIDTH, Watchers
from steersman.vehicles.body import Body

STRIP: Final = 256
"""Numbers over which the search for the lowest and highest coordinate is spread."""

LINE: Final = 64
"""Bytes of a cache line."""


class Arrangement:
    """Those who look and those who are looked at, sorted by the cells of one grid.

    Args:
        body: Those who look.
        source: Those who are looked at.
        same: Whether they are one population.
        wrap: The domain, see `Domain.wrap`.
        radius: The largest radius [m]; infinite for cells that are made to hold a few vehicles each.
        most: How many cells there may be; 1 for a single cell.
        cargo: What else of those who are looked at is wanted: names of vector columns.
        turned: Whether somebody's field of view is limited.
        tie: Sign of the direction between coincident vehicles of two populations with equal ids.
    """

    def __init__(
        self,
        body: Body,
        source: Source,
        *,
        same: bool,
        wrap: Array,
        radius: float,
        most: int,
        cargo: Sequence[str],
        turned: bool,
        tie: int,
    ) -> None:
        n, m, d, dtype = len(body.id), len(source), len(body.position), body.position[0].dtype
        self._room = max(most, 27) + 3
        self.grid = Grid(
            np.zeros((4, 3)),
            np.ones(3, np.int64),
            np.zeros(3, np.int64),
            *(np.zeros(size, dtype) for size in (3, STRIP, STRIP)),
        )
        order = self._order(m)
        line = order if same else self._order(n)
        near = columns(d, m, dtype)
        here = near if same else columns(d, n, dtype)
        sources = tuple(source.columns(name) for name in cargo)
        loads = columns(d, m * len(cargo), dtype) if cargo else ()
        self.cargo = {name: tuple(load[w * m : (w + 1) * m] for load in loads) for w, name in enumerate(cargo)}
        ahead: Columns = ()
        forward: Columns = ()
        if turned and same and "forward" in cargo:
            ahead = self.cargo["forward"]
        elif turned:
            ahead, forward = columns(d, n, dtype), body.forward
        self.ahead = ahead
        self.herd = Herd(order.start, order.row, near, loads, len(cargo))
        self.watchers = Watchers(line.start, line.row, here, np.zeros(n, dtype))
        self.names = Names(body.id, source.id, same, tie)
        self._arguments = (
            *(self.grid, wrap, float(radius), int(most), source.position, order, near),
            *(tuple(column for vector in vectors for column in vector) for vectors in (sources, self.cargo.values())),
            *(((), line, ()) if same else (body.position, line, here)),
            *((forward, ahead) if forward else ((), ())),
        )
        self._build = entry_point(build, self._arguments)

    def _order(self, n: int) -> Order:
        return Order(*(np.zeros(size, np.int32) for size in (n, self._room, n, n)))

    def build(self) -> None:
        """Lay out the cells and sort both populations."""
        self._build(*self._arguments)

    def tube(self, sets: int) -> Tube:
        """Scratch for one worker and so many slot sets, as large as it can ever have to be.

        Memory that is never written is never taken from the system.
        """
        m, d, dtype = len(self.herd.row), len(self.herd.position), self.herd.position[0].dtype
        size = 2 * m + 4 * LANES
        cargo = columns(d, size * self.herd.loads, dtype) if self.herd.loads else ()
        first, last = np.zeros((2, self._room), np.int64)
        return Tube(
            columns(d, size, dtype),
            cargo,
            first,
            last,
            np.zeros((9, 2), np.int64),
            np.zeros((9, 2), dtype),
            aligned((sets, SHARE, WIDTH), dtype),
            np.zeros(SHARE, np.int32),
        )


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
    """Whether the minimum image is to be taken pair by pair: a torus has too few cells on an axis to move cells instead."""
    return any(period > 0 and math.floor(float(period) / (radius * MARGIN)) < 3 for period in wrap[0])
