"""Exploring and foraging: the next place to go to. Reynolds 1999, "Wander", names both and leaves the laws open."""

import numpy as np

from steersman.core.steering.laws.vectors import dot, length
from steersman.core.typing import Array


def sweep_order(count: tuple[int, ...]) -> Array:
    """The cells of a grid in the order of a plow: every line after the other, there and back.

    Each cell is next to the one before, so a vehicle that visits them in order has short ways.

    Args:
        count: Number of cells along each axis, 2 or 3.

    Returns:
        Indices of cells, shape (cells, d).
    """
    *outer, last = count
    order = np.zeros((1, 0), int)
    for cells in (*outer, last):
        there = np.arange(cells)
        rows = [
            np.column_stack([np.repeat(row[None, :], cells, axis=0), there if k % 2 == 0 else there[::-1]])
            for k, row in enumerate(order)
        ]
        order = np.concatenate(rows)
    return order


def sensed(position: Array, forward: Array, places: Array, *, reach: float = np.inf, angle: float = 2 * np.pi) -> Array:
    """Which places a vehicle senses: the places within reach and within its field of view.

    Args:
        position: Where it is [m], shape (d,).
        forward: The unit vector it faces along, shape (d,).
        places: Places [m], shape (m, d).
        reach: How far it senses [m].
        angle: The full field of view [rad].

    Returns:
        Truth values, shape (m,). The place where it stands is sensed in any case.
    """
    offset = np.subtract(places, position)
    distance = length(offset)
    wide = angle >= 2 * np.pi
    ahead = dot(offset, forward) >= np.cos(min(angle, 2 * np.pi) / 2) * distance
    return np.asarray((distance <= reach) & (wide | ahead))
