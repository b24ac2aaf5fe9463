"""Obstacles as vehicles on a surface see them: their sections with the tangent plane of the surface.

A ball that keeps to a plane meets an obstacle where it would meet it in space; but only the part of the normal that
lies in the plane keeps the ball off, and a sphere is no wider than the circle that the plane cuts out of it:

    n' = unit(n - (n . up) up),   radius' = sqrt(radius^2 - h^2),   h the height of the center

A surface that is met from straight above or below is no obstacle: it is ground, or a roof.
"""

import math

import numpy as np

from steersman.core.environment.obstacles.answers import Bars, Sight
from steersman.core.environment.obstacles.barring import add_bar
from steersman.core.environment.obstacles.obstacle import Obstacles
from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import ONE, ZERO, direction_or, dot, lateral, length, load, scale, store
from steersman.core.typing import Array, Columns, Vector

STEEP = np.float32(1e-3)
"""A surface is ground, or a roof, if the part of its normal along the ground is shorter than this."""

THIN = np.float32(0.1)
"""A circle cut out of a sphere counts as no smaller than this part of it."""


@kernel
def laid(normal: Vector, up: Vector) -> Vector:
    """The direction of the part of a unit normal across `up`; zero where there is none."""
    return direction_or(lateral(normal, up), ONE, scale(normal, ZERO))


@row_kernel
def lay_sight(i: int, active: Array, ground: Columns, first: int, last: int, cut: bool, sight: Sight) -> None:
    """Project the sight of one set onto the ground.

    Args:
        active: The vehicles with a sight to project.
        ground: Unit normals of the ground.
        first: The number of its first part.
        last: The number of its last part.
        cut: Whether its parts are known by their centers (spheres), or by their normals.
        sight: The sight; changed in place.
    """
    if sight.which[i] < first or sight.which[i] > last:
        return
    away, up = load(sight.away, i), load(ground, i)
    if cut:
        height, bend = dot(away, up), sight.bend[i]
        size = math.sqrt(max(bend * bend - height * height, (THIN * bend) * (THIN * bend)))
        store(sight.away, i, lateral(away, up))
        sight.room[i], sight.bend[i] = size, size
        return
    size = length(away)
    flat = laid(scale(away, ONE / size), up)
    store(sight.away, i, scale(flat, size))
    if not dot(flat, flat) > ZERO:
        sight.which[i] = -1


@row_kernel
def lay_bars(i: int, active: Array, ground: Columns, bars: Bars) -> None:
    """Project half-spaces of ways onto the ground; drop the half-spaces along it."""
    count, up = bars.number[i], load(ground, i)
    bars.number[i] = 0
    for k in range(count):
        flat, bound = lateral(load(bars.normal, (i, k)), up), bars.bound[i, k]
        share = length(flat)
        if share > STEEP:
            add_bar(bars, i, scale(flat, ONE / share), bound / share)


def lay_sight_calls(obstacles: Obstacles, active: Array, ground: Columns, sight: Sight) -> list[Call]:
    """The calls that project a sight onto the ground, given by its unit normals, d arrays of shape (n,)."""
    return [
        Call(lay_sight, (active, ground, first, first + len(each) - 1, each.is_round, sight))
        for first, each in obstacles.numbered()
    ]
