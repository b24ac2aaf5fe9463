"""How a population moves: speed, order, spread."""

from typing import Any

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.parameters.guiding import explained
from steersman.core.typing import Array
from steersman.runs.metrics.frames import Each, Frames, lengths, mean, units

ROUNDING = 1e-13
"""A vehicle whose distance from the middle is at most this fraction of the coordinates has no direction from it."""


@explained
def mean_speed(velocity: Any) -> Each:
    """Mean speed [m/s]; NaN without vehicles.

    Formula: mean of |v_i|.

    Args:
        velocity: Vehicles, or velocities [m/s], shape (n, d) or (frames, n, d).

    Returns:
        The speed [m/s]; for several frames shape (frames,).

    Raises:
        TypeError: There are no numbers.
        ValueError: A wrong shape, NaN or infinity.
    """
    seen = Frames("velocity", velocity)
    return seen.answer(mean(lengths(seen.values)))


@explained
def polarization(velocity: Any) -> Each:
    """Length of the mean unit velocity: 1 if all go one way, about 1/sqrt(n) for random directions; NaN without vehicles.

    Formula: |mean of v_i / |v_i||. A vehicle at rest counts with a zero vector. Source: the order parameter of Vicsek et al.
    1995, and the group polarization of Couzin et al. 2002.

    Args:
        velocity: Vehicles, or velocities [m/s], shape (n, d) or (frames, n, d).

    Returns:
        The polarization, from 0 to 1; for several frames shape (frames,).

    Raises:
        TypeError: There are no numbers.
        ValueError: A wrong shape, NaN or infinity.
    """
    seen = Frames("velocity", velocity)
    return seen.answer(_length_of_mean(units(seen.values)))


def _length_of_mean(vectors: Array) -> Array:
    """Length of the mean of vectors (frames, n, d), shape (frames,); NaN without vehicles."""
    if not vectors.shape[1]:
        return np.full(len(vectors), np.nan)
    return lengths(vectors.mean(axis=1))


@explained
def directions(velocity: Any) -> Array:
    """Unit velocities; zero for a vehicle at rest.

    Formula: v_i / |v_i|.

    Args:
        velocity: Vehicles, or velocities [m/s], shape (n, d) or (frames, n, d).

    Returns:
        Unit vectors, of the same shape, float64.

    Raises:
        TypeError: There are no numbers.
        ValueError: A wrong shape, NaN or infinity.
    """
    seen = Frames("velocity", velocity)
    return np.asarray(seen.answer(units(seen.values)))


@explained
def center(position: Any, domain: Domain | None = None) -> Array:
    """The center of a population: the mean position; on a torus the circular mean.

    Formula: mean of x_i; along an axis of period L it is L / (2 pi) times the argument of the mean of exp(2 pi i x / L),
    shifted by whole periods into the domain. Source of the circular mean: Mardia and Jupp 2000, Directional Statistics.

    Args:
        position: Vehicles, or positions [m], shape (n, d) or (frames, n, d).
        domain: The space. Default: space without end.

    Returns:
        The middle [m], shape (d,) or (frames, d). NaN without vehicles, and arbitrary where a population is spread evenly
        around a torus.

    Raises:
        TypeError: There are no numbers.
        ValueError: A wrong shape, NaN or infinity.
    """
    seen = Frames("position", position)
    found = _centers(seen, domain)
    inside = np.empty((seen.dimensions, len(seen)))
    call = seen.space(domain).image_call(tuple(np.ascontiguousarray(found.T)), tuple(inside))
    call.kernel(0, len(seen), *call.arguments)
    return np.asarray(seen.answer(inside.T))


def _centers(seen: Frames, domain: Domain | None) -> Array:
    """The middles [m], shape (frames, d); on a torus some image of each."""
    period = seen.space(domain).wrap(seen.dimensions, np.float64)[0]
    if not seen.n:
        return np.full((len(seen), seen.dimensions), np.nan)
    straight = seen.values.mean(axis=1)
    if not period.any():
        return np.asarray(straight)
    turn = 2 * np.pi / np.where(period > 0, period, np.inf)
    angle = seen.values * turn
    around = np.arctan2(np.sin(angle).mean(axis=1), np.cos(angle).mean(axis=1)) * period / (2 * np.pi)
    return np.asarray(np.where(period > 0, around, straight))


def _offsets(seen: Frames, domain: Domain | None) -> Array:
    """The ways from the middle [m], shape (frames, n, d)."""
    ways = seen.space(domain).difference(seen.values, _centers(seen, domain)[:, None, :])
    period = seen.space(domain).wrap(seen.dimensions, np.float64)[0].max()
    rounding = ROUNDING * np.max(np.abs(seen.values), axis=(1, 2), initial=period)
    return np.where(lengths(ways)[..., None] > rounding[:, None, None], ways, 0.0)


@explained
def dispersion(position: Any, domain: Domain | None = None) -> Each:
    """Root mean square distance from the middle of the population [m]; NaN without vehicles.

    Formula: sqrt(mean of |x_i - c|^2), c as `center` says: the radius of gyration.

    Args:
        position: Vehicles, or positions [m], shape (n, d) or (frames, n, d).
        domain: The space. Default: space without end.

    Returns:
        The distance [m]; for several frames shape (frames,).

    Raises:
        TypeError: There are no numbers.
        ValueError: A wrong shape, NaN or infinity.
    """
    seen = Frames("position", position)
    return seen.answer(np.sqrt(mean(np.sum(_offsets(seen, domain) ** 2, axis=-1))))


@explained
def cohesion_radius(position: Any, domain: Domain | None = None) -> Each:
    """Distance of the farthest vehicle from the middle of the population [m]; NaN without vehicles.

    Formula: max of |x_i - c|, c as `center` says. Source: Olfati-Saber 2006, as a measure of flocks.

    Args:
        position: Vehicles, or positions [m], shape (n, d) or (frames, n, d).
        domain: The space. Default: space without end.

    Returns:
        The radius [m]; for several frames shape (frames,).

    Raises:
        TypeError: There are no numbers.
        ValueError: A wrong shape, NaN or infinity.
    """
    seen = Frames("position", position)
    far = lengths(_offsets(seen, domain))
    return seen.answer(far.max(axis=1) if seen.n else np.full(len(seen), np.nan))


@explained
def milling(position: Any, domain: Domain | None = None, *, velocity: Any = None) -> Each:
    """How strongly vehicles circle one way around their middle: 1 in a mill, about 0 in a swarm; NaN without vehicles.

    Formula: |mean of unit(x_i - c) x unit(v_i)|, c as `center` says. Source: the group angular momentum of Couzin et al.
    2002. A vehicle in the middle or at rest counts with zero.

    Args:
        position: Vehicles, or positions [m], shape (n, d) or (frames, n, d).
        domain: The space. Default: space without end.
        velocity: Velocities [m/s], shaped like the positions. Default: those of the vehicles.

    Returns:
        The milling, from 0 to 1; for several frames shape (frames,).

    Raises:
        TypeError: There are no numbers, or no velocities.
        ValueError: A wrong shape, NaN or infinity.
    """
    seen = Frames("position", position)
    ahead, outward = units(seen.vectors("velocity", velocity)), units(_offsets(seen, domain))
    if seen.dimensions == 2:
        turning = (outward[..., 0] * ahead[..., 1] - outward[..., 1] * ahead[..., 0])[..., None]
    else:
        turning = np.cross(outward, ahead)
    return seen.answer(_length_of_mean(turning))
