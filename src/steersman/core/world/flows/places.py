"""Places: random points at which vehicles may come into the world, and the check that there is room."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.obstacles.obstacle import Obstacles
from steersman.core.environment.paths.path import Path
from steersman.core.environment.regions.kind import as_region
from steersman.core.environment.regions.region import Region
from steersman.core.parameters.arrays import as_points, frozen
from steersman.core.parameters.brief import brief
from steersman.core.parameters.kinds import Kind
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles

ROUNDS = 1000
"""The most times that points are drawn from the box around a region until enough of them lie inside."""

PAIRS = 1_000_000
"""The number of distances that are computed at once."""


def as_where(name: str, value: Any) -> Any:
    """A place in its normal form: a region, a path, points, a function, or a spawn shape.

    Raises:
        ValueError: There are none, or the region is unbounded.
    """
    if isinstance(value, Obstacles):
        value = as_region(name, value)
    if isinstance(value, Region):
        if not np.isfinite(np.concatenate(value.bounds)).all():
            raise ValueError(f"{name} must be a region of limited size, got {brief(value)}")
        return value
    if isinstance(value, Path) or hasattr(value, "positions"):
        return value
    if callable(value) and not isinstance(value, type):
        return value
    if isinstance(value, (str, type)) or value is None:
        raise TypeError(f"{name} must be {WHERE.words}, got {brief(value)}")
    points = as_points(name, value, np.float64)
    if not len(points):
        raise ValueError(f"{name} must hold at least one point, got none")
    return frozen(points)


WHERE = Kind("where", "a region, a path, points (m, d) or a function (count, rng) -> points (count, d)", as_where)


def dimensions_of(where: Any) -> int | None:
    """The number of dimensions of a place; None where it is not known."""
    dimensions: int | None = where.shape[1] if isinstance(where, np.ndarray) else getattr(where, "dimensions", None)
    return dimensions


def points_of(where: Any, count: int, dimensions: int, domain: Domain, rng: np.random.Generator) -> Array:
    """Random points of a place [m], shape (count, d).

    Raises:
        ValueError: A function, or a spawn shape, did not return points of this shape.
    """
    if isinstance(where, Region):
        return inside_of(where, count, rng)
    if isinstance(where, Path):
        return where.point_at(rng.random(count) * where.length)
    if isinstance(where, np.ndarray):
        return np.asarray(where[rng.integers(len(where), size=count)])
    if hasattr(where, "positions"):
        call, points = "where.positions(count, ...)", where.positions(count, dimensions, domain, (), 0.0, rng)
    else:
        call, points = "where(count, rng)", where(count, rng)
    points = as_points(f"what {call} returns", points, np.float64, dimensions)
    if len(points) != count:
        raise ValueError(f"{call} must return {count} points, got {len(points)}")
    return points


def inside_of(region: Region, count: int, rng: np.random.Generator) -> Array:
    """Random points inside a region of limited size [m], shape (count, d).

    Raises:
        ValueError: Its interior is too small.
    """
    low, high = region.bounds
    inside = np.zeros((0, len(low)))
    for _ in range(ROUNDS):
        points = low + rng.random((max(2 * count, 16), len(low))) * (high - low)
        inside = np.concatenate([inside, points[region.inside(points)]])
        if len(inside) >= count:
            return inside[:count]
    raise ValueError(f"a region to draw places from must have an inside that can be found, got {brief(region)}")


def buried(points: Array, obstacles: Sequence[Obstacles], clear: Any, domain: Domain) -> Array:
    """Whether each point lies in an obstacle or within `clear` [m] of it, a number or shape (n,); shape (n,), bool."""
    covered = np.zeros(len(points), bool)
    for each in (one for some in obstacles for one in some.sets):
        if len(each) and len(points):
            distance = np.asarray(each.nearest(points, domain).distance)
            sides = {"outside": distance, "inside": -distance}
            covered |= sides.get(str(each.seen_from), np.abs(distance)) < clear
    return covered


def crowded(points: Array, reach: Array, others: Vehicles, domain: Domain) -> Array:
    """Whether each point lies within `reach` [m], shape (k,), of the disc or ball of another vehicle; shape (k,), bool."""
    overlapping = np.zeros(len(points), bool)
    if not len(points) or not len(others):
        return overlapping
    position, radius = others.position.astype(np.float64), others.radius.astype(np.float64)
    low, high = points.min(axis=0), points.max(axis=0)
    half = (high - low) / 2 + reach.max() + radius.max()
    near = (np.abs(domain.difference(position, (low + high) / 2)) <= half).all(axis=1)
    position, radius = position[near], radius[near]
    size = max(1, PAIRS // max(len(position), 1))
    for start in range(0, len(points), size):
        some = slice(start, start + size)
        way = domain.difference(position[None], points[some, None])
        overlapping[some] = (np.sqrt((way**2).sum(axis=-1)) - radius < reach[some, None]).any(axis=1)
    return overlapping
