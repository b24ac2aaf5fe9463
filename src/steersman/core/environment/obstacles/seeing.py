"""Kernels that begin and end a look around: nothing is seen yet; the first contact is seen."""

import numpy as np

from steersman.core.environment.obstacles.answers import Hits, Sight
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import INFINITE, ZERO, load, scale, store
from steersman.core.typing import Array, Columns

STEADY = np.float32(4)
"""`Sight.room` of a surface, in lengths of `Sight.away`: a vehicle that runs against it at less than 53 degrees from
its normal (the angle whose sine is a fifth of this) keeps to the side once taken. Both walls of a corner count, those
of a corridor do not."""


@row_kernel
def no_sight(i: int, active: Array, sight: Sight) -> None:
    """Nothing is in the way."""
    sight.order[i], sight.free[i] = INFINITE, INFINITE
    sight.which[i] = -1


@row_kernel
def clear_nearest(i: int, active: Array, distance: Array, normal: Columns, which: Array) -> None:
    """Nothing is hit, nothing is near."""
    distance[i] = INFINITE
    which[i] = -1
    store(normal, i, scale(load(normal, i), ZERO))


@row_kernel
def nothing_barred(i: int, active: Array, count: Array) -> None:
    """Nothing bars the way."""
    count[i] = 0


@row_kernel
def reach_around(i: int, active: Array, reach: Array, radius: Array, around: Array) -> None:
    """How far from the centers of balls obstacles matter, given how far from their surfaces [m]."""
    around[i] = reach[i] + radius[i]


@row_kernel
def see_contact(
    i: int, active: Array, radius: Array, hits: Hits, size: Array, group: Array, first: int, sight: Sight
) -> None:
    """Make sight of the first contacts with surfaces, where they are nearer than the sight so far.

    Args:
        active: The rows to compute.
        radius: Radii of the moving balls [m], shape (n,).
        hits: Their first contacts.
        size: How large the bodies of parts are [m], shape (m,).
        group: Number of the group that a part belongs to, shape (m,).
        first: Number of the first part.
        sight: The nearest that is known.
    """
    if hits.which[i] < 0 or not hits.distance[i] < sight.order[i]:
        return
    j = hits.which[i] - first
    sight.order[i] = hits.distance[i]
    sight.touch[i] = hits.distance[i]
    sight.free[i] = min(sight.free[i], hits.distance[i])
    store(sight.away, i, scale(load(hits.normal, i), size[j]))
    sight.room[i] = STEADY * size[j]
    sight.bend[i] = size[j] + radius[i]
    sight.which[i] = first + group[j]
