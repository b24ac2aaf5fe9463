"""Queries of obstacles and their answers: for all rows at once, written by kernels."""

from typing import Any, NamedTuple

import numpy as np

from steersman.core.typing import Array, Columns

BARS = 8
"""The most parts of a set that bar a way: the nearest ones that do not lie behind others."""


class Rays(NamedTuple):
    """Where vehicles look, or move.

    Attributes:
        origin: Where rays begin [m], d arrays of shape (n,).
        direction: Unit vectors, d arrays of shape (n,).
        reach: Lengths [m], shape (n,); infinite ones are allowed. On a torus no ray is longer than the longest period.
        radius: Their thickness [m], shape (n,): the radius of a ball that moves along. Zero of a thin ray.
    """

    origin: Columns
    direction: Columns
    reach: Array
    radius: Array


class Sight(NamedTuple):
    """The obstacle in the way of a moving ball.

    Attributes:
        order: The distance to where the obstacle crosses the way [m], shape (n,); the smallest comes first. Infinite
            for none.
        touch: How far it is to the first contact with that obstacle [m], shape (n,).
        free: How far it is to the first contact with any obstacle [m], shape (n,); infinite for none.
        away: A way away from the obstacle [m], d arrays of shape (n,): from the center of a sphere, along the normal of
            a surface. Its lateral part is the direction to go.
        room: The length to compare that with [m], shape (n,): an obstacle with a lateral way of less than a fifth of it
            is nearly dead ahead, and passed on the side that was chosen once.
        bend: Radius of the ball that the obstacle is taken for, where a ball's center meets it [m], shape (n,): that of
            the sphere, or of one as large as the group, and the ball's own.
        which: Numbers of the bodies, shape (n,), int64; -1 for none.
    """

    order: Array
    touch: Array
    free: Array
    away: Columns
    room: Array
    bend: Array
    which: Array


class Hits(NamedTuple):
    """The first hits of rays.

    Attributes:
        distance: How far it is [m], shape (n,); infinite where nothing is hit.
        normal: Unit normals there, toward the side that the ray comes from, d arrays of shape (n,).
        which: Numbers of the parts, shape (n,), int64; -1 for none.
    """

    distance: Array
    normal: Columns
    which: Array


class Nearest(NamedTuple):
    """The nearest parts of obstacles to points.

    Attributes:
        distance: Distance from the surface [m], shape (n,), negative inside; infinite where nothing is within reach.
        normal: Unit vectors, d arrays of shape (n,): the direction in which the distance grows. The nearest point
            is `point - distance * normal`.
        which: Numbers of the parts, shape (n,), int64; -1 for none.
    """

    distance: Array
    normal: Columns
    which: Array


class Balls(NamedTuple):
    """Balls that are to move straight on.

    Attributes:
        place: Where their centers are [m], d arrays of shape (n,).
        way: How they would move [m], likewise; of balls that brake their velocities over the root of twice their
            deceleration [m^0.5].
        reach: Up to which gap parts of obstacles matter [m], shape (n,).
        radius: Their radii [m], shape (n,).
    """

    place: Columns
    way: Columns
    reach: Array
    radius: Array


class Bars(NamedTuple):
    """Half-spaces of ways [m] that keep balls clear of all that is near: normal . way >= bound.

    Attributes:
        number: How many there are for each ball, shape (n,), int64.
        normal: Unit normals, d arrays of shape (n, room).
        bound: Bounds [m], shape (n, room); positive where a ball overlaps something.
    """

    number: Array
    normal: Columns
    bound: Array


class QueryResult(NamedTuple):
    """The results of a query for points or rays.

    Attributes:
        distance: Distances [m], shape (n,), or () for one: from a point, negative inside; or along a ray. Infinite where
            there is nothing.
        point: The points of the surface [m], shape (n, d), or (d,); NaN where there is nothing.
        normal: Unit normals, of the same shape: the direction in which the distance of a point grows, or that of the
            side which a ray comes from. Zero where there is nothing.
        which: Numbers of the parts, shape (n,), or (); -1 where there is nothing.
    """

    distance: Any
    point: Array
    normal: Array
    which: Any


def new_bars(n: int, dimensions: int, sets: int, dtype: Any) -> Bars:
    """Room for the half-spaces that bar the ways of n balls among some sets."""
    room = max(1, BARS * sets)
    return Bars(np.zeros(n, np.int64), tuple(np.zeros((dimensions, n, room), dtype)), np.zeros((n, room), dtype))


def new_sight(n: int, dimensions: int, dtype: Any) -> Sight:
    """Room for the sight of n vehicles."""
    order, touch, free = np.full((3, n), np.inf, dtype)
    away, (room, bend) = tuple(np.zeros((dimensions, n), dtype)), np.zeros((2, n), dtype)
    return Sight(order, touch, free, away, room, bend, np.full(n, -1, np.int64))


def new_rays(n: int, dimensions: int, dtype: Any) -> Rays:
    """Room for n thin rays."""
    origin, direction = np.zeros((2, dimensions, n), dtype)
    return Rays(tuple(origin), tuple(direction), np.zeros(n, dtype), np.zeros(n, dtype))


def new_hits(n: int, dimensions: int, dtype: Any) -> Hits:
    """Room for the hits of n rays."""
    return Hits(np.full(n, np.inf, dtype), tuple(np.zeros((dimensions, n), dtype)), np.full(n, -1, np.int64))


def new_nearest(n: int, dimensions: int, dtype: Any) -> Nearest:
    """Room for the nearest parts to n points."""
    return Nearest(*new_hits(n, dimensions, dtype))
