"""How a population moves: speed, order, spread."""

from typing import Any

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.parameters.guiding import explained
from steersman.core.typing import Array
from steersman.runs.metrics.frames import Each, Frames, lengths, mean, over, units
from steersman.runs.metrics.metric import metric

__all__ = ["center", "cohesion_radius", "directions", "dispersion", "mean_speed", "milling", "polarization"]

ROUNDING = 1e-13
"""A vehicle whose distance from the middle is at most this fraction of the coordinates has no direction from it."""


@metric()
def mean_speed(velocity: Any) -> Each:
    """Mean speed [m/s]; NaN without vehicles.

    Formula: mean of |v_i|.

    Args:
        velocity: Vehicles, or velocities [m/s], shape (n, d) or (frames, n, d).

    Returns:
        The speed [m/s]; for several frames shape (frames,).
    """
    frames = Frames("velocity", velocity)
    return frames.answer(mean(lengths(frames.values)))


@metric()
def polarization(velocity: Any) -> Each:
    """Length of the mean unit velocity: 1 if all go one way, about 1/sqrt(n) for random directions; NaN without vehicles.

    Formula: |mean of v_i / |v_i||. A vehicle at rest counts with a zero vector. Source: the order parameter of Vicsek et
    al. 1995, and the group polarization of Couzin et al. 2002. Arguments are those of `mean_speed`.

    Returns:
        The polarization, from 0 to 1; for several frames shape (frames,).
    """
    frames = Frames("velocity", velocity)
    return frames.answer(_length_of_mean(units(frames.values)))


def _length_of_mean(vectors: Array) -> Array:
    """Length of the mean of vectors (frames, n, d), shape (frames,); NaN without vehicles."""
    if not vectors.shape[1]:
        return np.full(len(vectors), np.nan)
    return lengths(vectors.mean(axis=1))


@explained
def directions(velocity: Any) -> Array:
    """Unit velocities; zero for a vehicle at rest.

    Formula: v_i / |v_i|. Arguments are those of `mean_speed`.

    Returns:
        Unit vectors, of the same shape, float64.
    """
    frames = Frames("velocity", velocity)
    return np.asarray(frames.answer(units(frames.values)))


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
    """
    frames = Frames("position", position)
    centers = _centers(frames, domain)
    inside = np.empty((frames.dimensions, len(frames)))
    call = frames.space(domain).image_call(tuple(np.ascontiguousarray(centers.T)), tuple(inside))
    call.kernel(0, len(frames), *call.arguments)
    return np.asarray(frames.answer(inside.T))


def _centers(frames: Frames, domain: Domain | None) -> Array:
    """The middles [m], shape (frames, d); on a torus some image of each."""
    period = frames.space(domain).wrap(frames.dimensions, np.float64)[0]
    if not frames.n:
        return np.full((len(frames), frames.dimensions), np.nan)
    straight = frames.values.mean(axis=1)
    if not period.any():
        return np.asarray(straight)
    turn = 2 * np.pi / np.where(period > 0, period, np.inf)
    angle = frames.values * turn
    around = np.arctan2(np.sin(angle).mean(axis=1), np.cos(angle).mean(axis=1)) * period / (2 * np.pi)
    return np.asarray(np.where(period > 0, around, straight))


def _offsets(frames: Frames, domain: Domain | None) -> Array:
    """The ways from the middle [m], shape (frames, n, d)."""
    ways = frames.space(domain).difference(frames.values, _centers(frames, domain)[:, None, :])
    period = frames.space(domain).wrap(frames.dimensions, np.float64)[0].max()
    rounding = ROUNDING * np.max(np.abs(frames.values), axis=(1, 2), initial=period)
    return np.where(lengths(ways)[..., None] > rounding[:, None, None], ways, 0.0)


@metric()
def dispersion(position: Any, domain: Domain | None = None) -> Each:
    """Root mean square distance from the middle of the population [m]; NaN without vehicles.

    Formula: sqrt(mean of |x_i - c|^2), c as `center` says: the radius of gyration. Arguments are those of
    `center`.

    Returns:
        The distance [m]; for several frames shape (frames,).
    """
    frames = Frames("position", position)
    return frames.answer(np.sqrt(mean(np.sum(_offsets(frames, domain) ** 2, axis=-1))))


@metric()
def cohesion_radius(position: Any, domain: Domain | None = None) -> Each:
    """Distance of the farthest vehicle from the middle of the population [m]; NaN without vehicles.

    Formula: max of |x_i - c|, c as `center` says. Source: Olfati-Saber 2006, as a measure of flocks. Arguments
    are those of `center`.

    Returns:
        The radius [m]; for several frames shape (frames,).
    """
    frames = Frames("position", position)
    return frames.answer(over(np.max, lengths(_offsets(frames, domain))))


@metric()
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
    """
    frames = Frames("position", position)
    ahead, outward = units(frames.vectors("velocity", velocity)), units(_offsets(frames, domain))
    if frames.dimensions == 2:
        turning = (outward[..., 0] * ahead[..., 1] - outward[..., 1] * ahead[..., 0])[..., None]
    else:
        turning = np.cross(outward, ahead)
    return frames.answer(_length_of_mean(turning))
