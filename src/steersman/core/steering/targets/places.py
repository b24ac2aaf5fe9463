"""Places that stay where they are until they are gone, in the cells of a grid, to be searched outwards from a point.

Cells are made to hold about two places each. They are searched ring by ring, until none further out can hold a nearer one.
"""

from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.neighborhood.density import lay_out_by_density
from steersman.core.neighborhood.grid import COUNT, INVERSE, LOW, Grid, arrange_columns, new_grid, new_order, sort
from steersman.core.typing import Array, Columns, Vector

CAUTION = 0.01
"""Part of a cell by which rounding may have moved a vehicle, so that it cannot end a search too early."""

RINGS = 12
"""How many rings are searched; after that it is faster to look at all places that are left."""


class Places(NamedTuple):
    """Places, m of them, by their cells.

    Attributes:
        grid: The cells.
        start: Where each cell begins, shape (at least cells + 2,), int32. A last cell holds the places that are gone.
        row: Rows of the places in the order of the cells, shape (m,), int32.
        position: Positions in this order [m], d arrays of shape (m,).
    """

    grid: Grid
    start: Array
    row: Array
    position: Columns


class PlaceGrid:
    """Sorts places into cells, anew when some are gone.

    Args:
        position: Where they are [m], d arrays of shape (m,).
        wrap: The space (see `Domain.wrap`).

    Attributes:
        places: The places for kernels; always the same arrays.
    """

    def __init__(self, position: Columns, wrap: Array) -> None:
        m, dtype = len(position[0]), position[0].dtype
        grid = new_grid(dtype)
        self.position, self.wrap, self.most = position, wrap, m // 2 + 1
        self.order = new_order(m, self.most)
        self.some, near = (tuple(np.zeros((len(position), m), dtype)) for _ in range(2))
        self.places = Places(grid, self.order.start, self.order.row, near)
        self.present: Array | None = None
        self.keep(np.ones(m, bool))

    def keep(self, present: Array) -> None:
        """Sort the places that are `present`, flags of shape (m,), bool."""
        if self.present is not None and np.array_equal(present, self.present):
            return
        self.present = present
        for some, column in zip(self.some, self.position, strict=True):
            some[:] = np.where(present, column, np.inf)
        lay_out_by_density(self.places.grid, (), self.some, self.wrap, self.most, self.order.counts[0])
        sort(self.places.grid, self.some, self.order)
        arrange_columns(0, 1, self.some, self.order.row, self.places.position)


@kernel
def cell_of(axes: Array, wraps: Array, k: int, x: Any) -> Any:
    """The coordinate on axis k of the cell at x [m], or of the cell nearest to it."""
    along, count = np.floor((x - axes[LOW, k]) * axes[INVERSE, k]), axes[COUNT, k]
    if wraps[k] != 0:
        along -= count * np.floor(along / count)
    along = along if along > 0.0 else 0.0
    return int(along if along < count else count - 1.0)


@kernel
def center_of(axes: Array, wraps: Array, here: Vector) -> tuple[int, int, int]:
    """The cell at a point, or nearest to it."""
    x, y = cell_of(axes, wraps, 0, here[0]), cell_of(axes, wraps, 1, here[1])
    if len(here) == 2:
        return x, y, 0
    return x, y, cell_of(axes, wraps, 2, here[2])


@kernel
def ring_distance(axes: Array, ring: int, d: int) -> float:
    """The distance [m] beyond which the cells of a ring begin, for any point in the middle cell."""
    inverse = 0.0
    for k in range(d):
        inverse = max(inverse, axes[INVERSE, k])
    return max(ring - 1.0 - CAUTION, 0.0) / inverse if inverse > 0.0 else 0.0
