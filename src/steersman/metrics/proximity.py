"""How near vehicles come to each other, to obstacles, and to a target."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from steersman.environment.domains.domain import Domain
from steersman.environment.domains.open import Open
from steersman.environment.obstacles.obstacle import Obstacles
from steersman.geometry.vectors import Array
from steersman.vehicles.holding import of_vehicles, without_holder
from steersman.vehicles.vehicles import Vehicles

PAIRS = 400_000
"""Distances that one measurement computes at most. In larger populations an even sample of the vehicles is measured,
each still against all others, so that the cost stays at some ten milliseconds."""

CHUNK = 100_000

DEEP = 10
"""What the search for the nearest part of obstacles counts for, in such distances."""


def sample(vehicles: Vehicles, others: int) -> Array:
    """The rows that are measured: all, or an even sample when n times `others` is more than PAIRS."""
    n = len(vehicles)
    count = min(n, max(PAIRS // max(others, 1), 8))
    return np.unique(np.linspace(0, n - 1, count).round().astype(np.int64)) if n else np.zeros(0, np.int64)


def distances(points: Array, others: Array, domain: Domain) -> Iterator[tuple[slice, Array]]:
    """Distances of points (k, d) to others (m, d), some rows at a time: (rows, distances (rows, m))."""
    step = max(1, CHUNK // max(len(others), 1))
    for start in range(0, len(points), step):
        rows = slice(start, start + step)
        offset = domain.difference(others[None, :, :], points[rows, None, :])
        yield rows, np.sqrt(np.sum(offset**2, axis=2))


@of_vehicles
def nearest_distances(vehicles: Vehicles, domain: Domain | None = None) -> Array:
    """Distance of each measured vehicle to its nearest neighbor [m], shape (k,); infinite for a single one."""
    rows = sample(vehicles, len(vehicles))
    position = vehicles.position.astype(np.float64)
    nearest = np.full(len(rows), np.inf)
    for part, distance in distances(position[rows], position, domain or Open()):
        distance[np.arange(len(distance)), rows[part]] = np.inf
        nearest[part] = distance.min(axis=1, initial=np.inf)
    return nearest


@of_vehicles
def nearest_distance(vehicles: Vehicles, domain: Domain | None = None) -> float:
    """Median distance to the nearest neighbor [m]; NaN for nobody, infinite for a single vehicle."""
    nearest = nearest_distances(vehicles, domain)
    return float(np.median(nearest)) if len(nearest) else np.nan


@of_vehicles
def overlapping(vehicles: Vehicles, domain: Domain | None = None) -> float:
    """Fraction of the vehicles whose bounding circle or sphere overlaps another's; NaN for nobody."""
    rows = sample(vehicles, len(vehicles))
    if not len(rows):
        return np.nan
    position, radius = vehicles.position.astype(np.float64), vehicles.radius.astype(np.float64)
    hits = 0
    for part, distance in distances(position[rows], position, domain or Open()):
        distance[np.arange(len(distance)), rows[part]] = np.inf
        hits += int(np.any(distance < radius[rows[part], None] + radius[None, :], axis=1).sum())
    return hits / len(rows)


@of_vehicles
def penetrations(vehicles: Vehicles, obstacles: Iterable[Obstacles], domain: Domain | None = None) -> Array:
    """How deep each measured vehicle is inside of obstacles [m], shape (k,): its radius counts; 0 where it is clear.

    From whichever side a surface is seen, to be behind it counts; of one that is seen from both, to touch it.
    """
    rows = sample(vehicles, DEEP)
    points, radius = vehicles.position[rows].astype(np.float64), vehicles.radius[rows].astype(np.float64)
    deepest = np.zeros(len(rows))
    for each in (one for some in obstacles for one in some.sets):
        distance = each.nearest(points, domain).distance if len(rows) else deepest
        if each.seen_from != "outside":
            distance = -distance if each.seen_from == "inside" else np.abs(distance)
        deepest = np.maximum(deepest, radius - distance)
    return deepest


@of_vehicles
def penetration(vehicles: Vehicles, obstacles: Iterable[Obstacles], domain: Domain | None = None) -> float:
    """How deep the deepest vehicle is inside an obstacle [m]: its radius counts; 0 when all are clear."""
    return float(penetrations(vehicles, obstacles, domain).max(initial=0.0))


@of_vehicles
def distances_to(vehicles: Vehicles, target: Any, domain: Domain | None = None) -> Array:
    """Distance of each measured vehicle to a point (d,), or to the nearest of points (m, d) or of Vehicles [m]."""
    rows = sample(vehicles, len(_places_of(target)))
    return distances_from(vehicles.position[rows].astype(np.float64), target, domain)


def distances_from(points: Array, target: Any, domain: Domain | None = None) -> Array:
    """Distance of points (n, d) to a point (d,), or to the nearest of points (m, d) or of Vehicles [m], shape (n,)."""
    nearest = np.full(len(points), np.inf)
    for part, distance in distances(points, _places_of(target), domain or Open()):
        nearest[part] = distance.min(axis=1, initial=np.inf)
    return nearest


def _places_of(target: Any) -> Array:
    target = without_holder(target)
    points = target.position if isinstance(target, Vehicles) else target
    return np.atleast_2d(np.asarray(points, np.float64))


@of_vehicles
def distance_to(vehicles: Vehicles, target: Any, domain: Domain | None = None) -> float:
    """Mean distance to a point, or to the nearest of points or of Vehicles [m]; NaN for nobody."""
    distances = distances_to(vehicles, target, domain)
    return float(distances.mean()) if len(distances) else np.nan


@of_vehicles
def farthest_from(vehicles: Vehicles, target: Any, domain: Domain | None = None) -> float:
    """Largest distance to a point, or to the nearest of points or of Vehicles [m]; NaN for nobody."""
    distances = distances_to(vehicles, target, domain)
    return float(distances.max()) if len(distances) else np.nan


@of_vehicles
def closest_to(vehicles: Vehicles, target: Any, domain: Domain | None = None) -> float:
    """Smallest distance to a point, or to the nearest of points or of Vehicles [m]; NaN for nobody."""
    distances = distances_to(vehicles, target, domain)
    return float(distances.min()) if len(distances) else np.nan


@of_vehicles
def retreat(vehicles: Vehicles, point: Any, domain: Domain | None = None) -> float:
    """Speed of the vehicle that goes away from a point fastest [m/s]; 0 when none does, NaN for nobody.

    Those that head for a point and never retreat do not overshoot it.
    """
    if not len(vehicles):
        return np.nan
    offset = (domain or Open()).difference(vehicles.position.astype(np.float64), np.asarray(point, np.float64))
    distance = np.sqrt(np.sum(offset**2, axis=1))
    along = np.sum(offset * vehicles.velocity, axis=1)
    away = np.divide(along, distance, out=np.zeros_like(along), where=distance > 0)
    return float(max(away.max(), 0.0))
