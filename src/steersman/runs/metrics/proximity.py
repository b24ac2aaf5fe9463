"""How near vehicles come to each other, to obstacles, and to a target."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.obstacles.obstacle import Obstacles, as_obstacles
from steersman.core.environment.shape import check_fit
from steersman.core.parameters.arrays import as_floats
from steersman.core.parameters.guiding import explained
from steersman.core.parameters.kinds import as_number
from steersman.core.typing import Array
from steersman.core.vehicles.holding import without_holder
from steersman.runs.metrics.frames import Each, Frames, as_space, lengths, mean, over
from steersman.runs.metrics.metric import metric
from steersman.runs.metrics.nearby import Nearby

__all__ = [
    "closest_approach",
    "closest_to",
    "distance_to",
    "distances_to",
    "farthest_from",
    "nearest_distance",
    "nearest_distances",
    "obstacle_collisions",
    "penetration",
    "penetrations",
    "retreat",
]


@explained
def nearest_distances(position: Any, domain: Domain | None = None) -> Array:
    """Distance of each vehicle to its nearest neighbor.

    Formula: min over j != i of |x_j - x_i|, the shortest way on a torus. Source: Clark and
    Evans 1954, who judge by their mean how evenly a population is spread.

    Args:
        position: Vehicles, or positions [m], shape (n, d) or (frames, n, d).
        domain: The space. Default: space without end.

    Returns:
        Distances [m], shape (n,) or (frames, n); infinite for a single vehicle.
    """
    frames = Frames("position", position)
    near = Nearby(frames.space(domain))
    distances = np.full((len(frames), frames.n), np.inf)
    if frames.n > 1:
        for k, where in enumerate(frames.values):
            distances[k] = near.nearest(where, 1)[1][:, 0]
    return np.asarray(frames.answer(distances))


@metric()
def nearest_distance(position: Any, domain: Domain | None = None) -> Each:
    """Median distance to the nearest neighbor [m]; NaN without vehicles, infinite for a single vehicle.

    Formula: median over i of min over j != i of |x_j - x_i|. Arguments are those of `nearest_distances`.

    Returns:
        The distance [m]; for several frames shape (frames,).
    """
    frames = Frames("position", position)
    nearest = nearest_distances(frames.values, domain)
    return frames.answer(over(np.median, nearest))


@metric()
def closest_approach(position: Any, domain: Domain | None = None) -> Each:
    """Distance of the two vehicles that are nearest to each other [m], from center to center; infinite for less than two.

    Formula: min over i < j of |x_j - x_i|. Arguments are those of `nearest_distances`.

    Returns:
        The distance [m]; for several frames shape (frames,).
    """
    frames = Frames("position", position)
    return frames.answer(nearest_distances(frames.values, domain).min(axis=1, initial=np.inf))


@explained
def penetrations(
    position: Any, obstacles: Obstacles | Iterable[Obstacles], domain: Domain | None = None, *, radius: Any = None
) -> Array:
    """Depth of each vehicle inside of obstacles: its radius counts; 0 where it is clear.

    Formula: max(0, r_i - d(x_i)), where d is the distance from the surface, negative inside. For a surface that is seen from
    one side, places behind it count as inside; for one that is seen from both sides, contact counts.

    Args:
        position: Vehicles, or positions [m], shape (n, d) or (frames, n, d).
        obstacles: Obstacles, or several.
        domain: The space. Default: space without end.
        radius: Bounding radii [m], one number, or shape (n,) or (frames, n). Default: those of the vehicles, 0 for points.

    Returns:
        Depths [m], shape (n,) or (frames, n).
    """
    frames = Frames("position", position)
    return np.asarray(frames.answer(_deep(frames, obstacles, domain, radius)))


@metric()
def penetration(
    position: Any, obstacles: Obstacles | Iterable[Obstacles], domain: Domain | None = None, *, radius: Any = None
) -> Each:
    """Depth of the deepest vehicle inside an obstacle [m]: its radius counts; 0 when all are clear.

    Formula: max over i of max(0, r_i - d(x_i)), see `penetrations`, which has the arguments, too.

    Returns:
        The depth [m]; for several frames shape (frames,).
    """
    frames = Frames("position", position)
    return frames.answer(_deep(frames, obstacles, domain, radius).max(axis=1, initial=0.0))


@metric()
def obstacle_collisions(
    position: Any,
    obstacles: Obstacles | Iterable[Obstacles],
    domain: Domain | None = None,
    *,
    radius: Any = None,
    slack: float = 0.0,
) -> Each:
    """The number of vehicles that are deeper than `slack` inside of an obstacle.

    Formula: number of i with r_i - d(x_i) > slack, see `penetrations`, which has the other arguments.

    Returns:
        The number; for several frames shape (frames,).
    """
    frames, slack = Frames("position", position), as_number("slack", slack, low=0, unit="m")
    return frames.answer(np.sum(_deep(frames, obstacles, domain, radius) > slack, axis=1))


def _deep(frames: Frames, obstacles: Any, domain: Domain | None, radius: Any) -> Array:
    """Depths of all vehicles [m], shape (frames, n)."""
    radii, space = frames.numbers("radius", radius, default=0.0).ravel(), frames.space(domain)
    points, deepest = frames.values.reshape(-1, frames.dimensions), np.zeros(radii.shape)
    several = obstacles if isinstance(obstacles, (list, tuple)) else (obstacles,)
    sets = as_obstacles(several).sets if several else ()
    for each in sets:
        check_fit("obstacles", each, frames.dimensions)
        distance = each.nearest(points, space).distance
        if each.seen_from != "outside":
            distance = -distance if each.seen_from == "inside" else np.abs(distance)
        deepest = np.maximum(deepest, radii - distance)
    return deepest.reshape(len(frames), frames.n)


@explained
def distances_to(position: Any, target: Any, domain: Domain | None = None) -> Array:
    """Distance of each vehicle to a target, or to the nearest of several.

    Formula: min over k of |t_k - x_i|, the shortest way on a torus.

    Args:
        position: Vehicles, or positions [m], shape (n, d) or (frames, n, d).
        target: A point [m], shape (d,), points (m, d), or vehicles; for several frames also points (frames, m, d).
        domain: The space. Default: space without end.

    Returns:
        Distances [m], shape (n,) or (frames, n); infinite where there is no target.
    """
    frames = Frames("position", position)
    return np.asarray(frames.answer(nearest_of(frames, "target", target, domain)))


def nearest_of(frames: Frames, name: str, target: Any, domain: Domain | None) -> Array:
    """Distances to the nearest point of the target `name` [m], shape (frames, n)."""
    near, targets = Nearby(frames.space(domain)), places_of(name, target, frames.dimensions, len(frames))
    distances = np.full((len(frames), frames.n), np.inf)
    if targets.shape[1] and frames.n:
        for k, where in enumerate(frames.values):
            distances[k] = near.nearest(where, 1, targets[k])[1][:, 0]
    return distances


def distances_from(points: Array, target: Any, domain: Domain | None = None) -> Array:
    """Distance of points (n, d) to a point (d,), or to the nearest of points (m, d) or of Vehicles [m], shape (n,)."""
    distances: Array = distances_to(points, target, domain)
    return distances


def places_of(name: str, target: Any, dimensions: int, frames: int) -> Array:
    """Positions of targets [m], shape (frames, m, d)."""
    target = without_holder(target)
    values = as_floats(name, getattr(target, "position", target), np.float64)
    points = values[None] if values.ndim == 1 else values
    if points.ndim not in (2, 3) or points.shape[-1] != dimensions or (points.ndim == 3 and len(points) != frames):
        more = f" or ({frames}, m, {dimensions})" if frames > 1 else ""
        raise ValueError(f"{name} must have shape ({dimensions},) or (m, {dimensions}){more}, got {values.shape}")
    return np.broadcast_to(points, (frames, *points.shape[-2:]))


@metric(to="target")
def distance_to(position: Any, target: Any, domain: Domain | None = None) -> Each:
    """Mean distance to a point, or to the nearest of points or of vehicles [m]; NaN without vehicles.

    Formula: mean over i of min over k of |t_k - x_i|, see `distances_to`, which has the arguments, too.

    Returns:
        The distance [m]; for several frames shape (frames,).
    """
    frames, distances = _toward(position, target, domain)
    return frames.answer(mean(distances))


@metric(to="target")
def farthest_from(position: Any, target: Any, domain: Domain | None = None) -> Each:
    """Largest distance to a point, or to the nearest of points or of vehicles [m]; NaN without vehicles.

    Formula: max over i of min over k of |t_k - x_i|, see `distances_to`, which has the arguments, too.

    Returns:
        The distance [m]; for several frames shape (frames,).
    """
    frames, distances = _toward(position, target, domain)
    return frames.answer(over(np.max, distances))


@metric(to="target")
def closest_to(position: Any, target: Any, domain: Domain | None = None) -> Each:
    """Smallest distance to a point, or to the nearest of points or of vehicles [m]; NaN without vehicles.

    Formula: min over i and k of |t_k - x_i|, see `distances_to`, which has the arguments, too.

    Returns:
        The distance [m]; for several frames shape (frames,).
    """
    frames, distances = _toward(position, target, domain)
    return frames.answer(over(np.min, distances))


def _toward(position: Any, target: Any, domain: Domain | None) -> tuple[Frames, Array]:
    """The frames, and all distances to a target [m], shape (frames, n)."""
    frames = Frames("position", position)
    return frames, nearest_of(frames, "target", target, domain)


@metric(to="target")
def retreat(position: Any, point: Any, domain: Domain | None = None, *, velocity: Any = None) -> Each:
    """Speed of the vehicle that goes away from a point fastest [m/s]; 0 when none does, NaN without vehicles.

    Formula: max(0, max over i of v_i . unit(x_i - p)). Vehicles that head for a point and never retreat do not overshoot it.

    Args:
        position: Vehicles, or positions [m], shape (n, d) or (frames, n, d).
        point: The point [m], shape (d,), or one for each vehicle.
        domain: The space. Default: space without end.
        velocity: Velocities [m/s], shaped like the positions. Default: those of the vehicles.

    Returns:
        The speed [m/s]; for several frames shape (frames,).
    """
    frames = Frames("position", position)
    moving, space = frames.vectors("velocity", velocity), as_space(domain, frames.dimensions)
    center = places_of("point", point, frames.dimensions, len(frames))
    if center.shape[1] not in (1, frames.n):
        raise ValueError(f"point must be one point, or one for each of {frames.n} vehicles, got {center.shape[1]}")
    offset = space.difference(frames.values, center)
    distance = lengths(offset)
    along = np.sum(offset * moving, axis=-1)
    away = np.divide(along, distance, out=np.zeros_like(along), where=distance > 0)
    return frames.answer(np.maximum(over(np.max, away), 0.0))
