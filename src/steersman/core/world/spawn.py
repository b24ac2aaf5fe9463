"""Places and velocities of vehicles at the start: arrays for `Vehicles(position, velocity)`.

    rng = np.random.default_rng(7)
    position = sm.spawn.disc(60, radius=15, obstacles=rocks, clearance=1.0, apart=0.8, rng=rng)
    boids = sm.Vehicles(position, sm.spawn.any_direction(60, speed=(4, 9), rng=rng))

Places are drawn again until they lie clear of obstacles by `clearance` and of each other by `apart`, both from the middle of
a vehicle. The same `rng` gives the same places. `rng` is a seed or a generator of NumPy; several calls share one generator.
"""

import numbers
from collections.abc import Callable
from typing import Any

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.domains.bounds import bounds
from steersman.core.environment.obstacles.obstacle import OBSTACLES, Obstacles
from steersman.core.environment.open import Open
from steersman.core.environment.regions.kind import as_region
from steersman.core.parameters.arrays import as_floats, as_points
from steersman.core.parameters.brief import brief
from steersman.core.parameters.guiding import explained
from steersman.core.parameters.kinds import Description
from steersman.core.parameters.sizes import check_bytes
from steersman.core.typing import Array
from steersman.core.world.flows.places import buried, inside_of

ROUNDS = 500
"""The most times that points too near to an obstacle or to each other are drawn again."""

PLACE = 250
"""Memory that it takes to find one place [bytes], about."""

Draw = Callable[[int], Array]
"""Draws n points [m], shape (n, d)."""

Rng = np.random.Generator | int
"""The source of random numbers: a generator of NumPy, or a seed."""


@explained
def box(
    n: int, size: Any, *, center: Any = None, obstacles: Any = (), clearance: float = 0.0, apart: float = 0.0, rng: Rng
) -> Array:
    """Random places in a rectangle or box: `sm.spawn.box(20, [40, 10], rng=rng)`.

    Args:
        n: The number of places.
        size: Lengths of the edges [m], shape (d,).
        center: The middle [m], shape (d,). Default: the origin.
        obstacles: Obstacles to keep clear of: one set, or a list.
        clearance: Least distance from obstacles [m]; raising it keeps farther away.
        apart: Least distance from each other [m].
        rng: A generator of NumPy, or a seed.

    Returns:
        Places [m], shape (n, d).

    Raises:
        ValueError: There is no room for n places.
    """
    size = as_floats("size", size, np.float64)
    if size.ndim != 1 or len(size) not in (2, 3) or not (size >= 0).all():
        raise ValueError(f"size must be 2 or 3 lengths >= 0 m, got {brief(size.tolist())}")
    rng, middle = _generator(rng), _center(center, len(size))
    return settled(lambda k: middle + (rng.random((k, len(size))) - 0.5) * size, n, obstacles, clearance, apart)


@explained
def disc(
    n: int,
    radius: float,
    *,
    center: Any = None,
    obstacles: Any = (),
    clearance: float = 0.0,
    apart: float = 0.0,
    rng: Rng,
) -> Array:
    """Random places in a disc; with a center of three numbers in a ball.

    Args:
        n: The number of places.
        radius: Its radius [m].
        center: The middle [m], shape (d,). Default: the origin of the plane.
        obstacles, clearance, apart, rng: As for `box`.

    Returns:
        Places [m], shape (n, d).

    Raises:
        ValueError: There is no room for n places.
    """
    rng, middle, radius = _generator(rng), _center(center), _length("radius", radius)
    d = len(middle)

    def draw(k: int) -> Array:
        return np.asarray(middle + directions(k, d, rng) * (radius * rng.random((k, 1)) ** (1 / d)))

    return settled(draw, n, obstacles, clearance, apart)


@explained
def ball(
    n: int,
    radius: float,
    *,
    center: Any = (0.0, 0.0, 0.0),
    obstacles: Any = (),
    clearance: float = 0.0,
    apart: float = 0.0,
    rng: Rng,
) -> Array:
    """Random places in a ball: `disc` with its center in 3D. Arguments and errors are the same."""
    return disc(n, radius, center=center, obstacles=obstacles, clearance=clearance, apart=apart, rng=rng)


@explained
def ring(
    n: int,
    radius: float,
    *,
    center: Any = None,
    obstacles: Any = (),
    clearance: float = 0.0,
    apart: float = 0.0,
    rng: Rng,
) -> Array:
    """Random places on a circle; with a center of three numbers on a sphere. Arguments and errors are those of `disc`."""
    rng, middle, radius = _generator(rng), _center(center), _length("radius", radius)
    return settled(lambda k: middle + directions(k, len(middle), rng) * radius, n, obstacles, clearance, apart)


@explained
def circle(n: int, radius: float, *, center: Any = None, start: float = 0.0) -> Array:
    """Places on a circle, evenly spaced, counter-clockwise.

    Args:
        n: The number of places.
        radius: Its radius [m].
        center: The middle [m], shape (2,) or (3,); in 3D the circle lies level. Default: the origin of the plane.
        start: Where the first one is [rad], from the x axis.

    Returns:
        Places [m], shape (n, d).
    """
    begin = as_floats("start", start, np.float64)
    if begin.ndim:
        raise ValueError(f"start must be an angle [rad], got {brief(start)}")
    middle, angle = _center(center), begin + 2 * np.pi * np.arange(_count(n)) / max(n, 1)
    places = np.tile(middle, (n, 1))
    places[:, 0] += _length("radius", radius) * np.cos(angle)
    places[:, 1] += radius * np.sin(angle)
    return places


@explained
def grid(n: int, spacing: float, *, center: Any = None) -> Array:
    """Places on a square or cubic grid around a center, row by row, as compact as it gets.

    Args:
        n: The number of places.
        spacing: Distance of neighbors [m].
        center: The middle [m], shape (d,). Default: the origin of the plane.

    Returns:
        Places [m], shape (n, d).
    """
    middle, spacing = _center(center), _length("spacing", spacing)
    if not _count(n):
        return np.zeros((0, len(middle)))
    side = round(n ** (1 / len(middle)))
    side += side ** len(middle) < n
    place = np.stack(np.unravel_index(np.arange(n), (side,) * len(middle)), axis=1)
    return np.asarray(middle + (place - place.mean(axis=0)) * spacing)


@explained
def inside(n: int, place: Any, *, obstacles: Any = (), clearance: float = 0.0, apart: float = 0.0, rng: Rng) -> Array:
    """Random places anywhere in a domain or a region: `sm.spawn.inside(900, world.domain, rng=rng)`.

    Args:
        n: The number of places.
        place: A domain of limited size (a Torus, a Box), a region, or obstacles (their inside).
        obstacles, clearance, apart, rng: As for `box`.

    Returns:
        Places [m], shape (n, d).

    Raises:
        ValueError: The place is unbounded, or there is no room for n places.
    """
    rng = _generator(rng)
    if not isinstance(place, Domain):
        region = as_region("place", place)
        if not np.isfinite(np.concatenate(region.bounds)).all():
            raise ValueError(f"place must be of limited size, got {brief(place)}")
        return settled(lambda k: inside_of(region, k, rng), n, obstacles, clearance, apart)
    d = place.dimensions
    origin, size = bounds(place, d or 2)
    if d is None or not np.isfinite(size).all():
        raise ValueError(f"place must be of limited size, got {brief(place)}")
    return settled(lambda k: origin + rng.random((k, d)) * size, n, obstacles, clearance, apart, place)


@explained
def any_direction(n: int, speed: Any, *, dimensions: int = 2, rng: Rng) -> Array:
    """Velocities in random directions.

    Args:
        n: The number of velocities.
        speed: Speed of all [m/s]; or (low, high), between which each draws its own.
        dimensions: 2 or 3.
        rng: A generator of NumPy, or a seed.

    Returns:
        Velocities [m/s], shape (n, d).
    """
    rng = _generator(rng)
    if dimensions not in (2, 3):
        raise ValueError(f"dimensions must be 2 or 3, got {brief(dimensions)}")
    way = directions(_count(n), dimensions, rng)
    return np.asarray(way * _speeds(n, speed, rng)[:, None])


@explained
def around(position: Any, speed: float, *, center: Any = None) -> Array:
    """Velocities counter-clockwise around a middle, in 3D around the vertical (z) axis.

    Args:
        position: Where the vehicles are [m], shape (n, d).
        speed: Speed of all [m/s].
        center: The middle [m], shape (d,). Default: the mean of the positions.

    Returns:
        Velocities [m/s], shape (n, d).
    """
    position = as_points("position", position, np.float64)
    mean = center is None and len(position) > 0
    middle = position.mean(axis=0) if mean else _center(center, position.shape[1])
    across = np.zeros_like(position)
    across[:, 0], across[:, 1] = -(position - middle)[:, 1], (position - middle)[:, 0]
    return np.asarray(unit(across) * _length("speed", speed, "m/s"))


def settled(draw: Draw, n: int, obstacles: Any, clearance: Any, apart: float, domain: Domain | None = None) -> Array:
    """Places that are drawn until all are clear of obstacles and of each other.

    Args:
        draw: Draws places.
        n: The number of places.
        obstacles: Obstacles, one set or several.
        clearance: Least distance from obstacles [m].
        apart: Least distance from each other [m].
        domain: The space, where it is not open.
    """
    sets = _sets(obstacles)
    clearance, apart, space = _length("clearance", clearance), _length("apart", apart), domain or Open()
    places = draw(_count(n))
    wrong = np.arange(n)
    for _ in range(ROUNDS):
        bad = buried(places[wrong], sets, clearance, space) if sets else np.zeros(len(wrong), bool)
        bad |= _too_near(places, wrong, apart, space)
        wrong = wrong[bad]
        if not len(wrong):
            return np.asarray(places)
        places[wrong] = draw(len(wrong))
    raise no_room(n, len(wrong))


def no_room(n: int, wrong: int) -> ValueError:
    """The error when some of n places lie in obstacles, or too near to each other."""
    return ValueError(
        f"there must be room beside the obstacles and each other for {n} places; {wrong} of them found none"
    )


def directions(n: int, d: int, rng: np.random.Generator) -> Array:
    """Random unit vectors, shape (n, d)."""
    return unit(rng.standard_normal((n, d)))


def unit(vectors: Array) -> Array:
    """Vectors of shape (n, d) stretched to length 1; zero stays zero."""
    size = np.sqrt(np.sum(vectors**2, axis=1, keepdims=True))
    return np.asarray(np.divide(vectors, size, out=np.zeros_like(vectors), where=size > 0))


def _too_near(places: Array, rows: Array, apart: float, domain: Domain) -> Array:
    """Whether each new row lies nearer than `apart` to another place; of two new ones, the later. Shape (k,), bool."""
    wrong, new = np.zeros(len(places), bool), np.zeros(len(places), bool)
    new[rows] = True
    order = np.argsort(places[:, 0], kind="stable")
    along = places[order]
    for k in range(1, len(places) if apart > 0 else 0):  # Pairs whose places by x are k apart, until they are too far.
        way = domain.difference(np.roll(along, -k, axis=0), along)
        if not (np.abs(way[:, 0]) < apart).any():
            break
        near = np.flatnonzero(np.sum(way**2, axis=1) < apart**2)
        one, other = order[near], order[(near + k) % len(order)]
        wrong[np.where(new[one] & new[other], np.maximum(one, other), np.where(new[one], one, other))] = True
    return wrong[rows]


def _sets(obstacles: Any) -> tuple[Obstacles, ...]:
    """Obstacles as sets; an empty list is none."""
    if isinstance(obstacles, (tuple, list)) and not obstacles:
        return ()
    together: Obstacles = Description(name="obstacles", kind=OBSTACLES).normal(obstacles)
    return together.sets


def _count(n: Any) -> int:
    if isinstance(n, bool) or not isinstance(n, numbers.Integral) or n < 0:
        raise ValueError(f"n must be a whole number >= 0, got {brief(n)}")
    check_bytes("n must be smaller", f"{brief(n)} places", int(n) * PLACE)
    return int(n)


def _generator(rng: Any) -> np.random.Generator:
    """The given generator of random numbers, or one from a seed."""
    if isinstance(rng, np.random.Generator):
        return rng
    if isinstance(rng, bool) or not isinstance(rng, numbers.Integral) or rng < 0:
        raise TypeError(f"rng must be a generator of NumPy, or a whole number >= 0 as a seed, got {brief(rng)}")
    return np.random.default_rng(int(rng))


def _length(name: str, value: Any, per: str = "m") -> float:
    number = as_floats(name, value, np.float64)
    if number.ndim or not number >= 0:
        raise ValueError(f"{name} must be a number >= 0 {per}, got {brief(value)}")
    return float(number)


def _center(center: Any, d: int | None = None) -> Array:
    """The given middle; the origin where none is given."""
    if center is None:
        return np.zeros(d or 2)
    middle = as_floats("center", center, np.float64)
    if middle.ndim != 1 or len(middle) not in ((d,) if d else (2, 3)):
        raise ValueError(f"center must have {d or '2 or 3'} numbers, got {brief(center)}")
    return middle


def _speeds(n: int, speed: Any, rng: np.random.Generator) -> Array:
    """A speed for each vehicle, shape (n,)."""
    values = as_floats("speed", speed, np.float64)
    if values.shape not in ((), (2,)) or not (values >= 0).all() or (values.ndim and values[0] > values[1]):
        raise ValueError(f"speed must be a number >= 0 m/s, or (low, high), got {brief(speed)}")
    return np.full(n, values) if not values.ndim else values[0] + (values[1] - values[0]) * rng.random(n)
