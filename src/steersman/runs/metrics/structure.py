"""Structure: how places and velocities of a group hang together over distance, and how much numbers fluctuate."""

import math
from typing import Any, NamedTuple

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.domains.box import Box
from steersman.core.parameters.brief import brief
from steersman.core.parameters.guiding import explained
from steersman.core.parameters.kinds import INTEGER, Description, as_number
from steersman.core.typing import Array
from steersman.runs.metrics.frames import Frames
from steersman.runs.metrics.nearby import Nearby

__all__ = ["correlation_length", "number_fluctuations", "pair_correlation", "velocity_correlation"]


class Curve(NamedTuple):
    """Values over distance or time.

    Attributes:
        at: Distances [m], the middles of their classes, or times [s], shape (k,).
        values: The values, shape (k,); of several frames together.
    """

    at: Array
    values: Array


@explained
def pair_correlation(
    position: Any, reach: float, domain: Domain | None = None, *, bins: int = 50, within: Box | None = None
) -> Curve:
    """The pair correlation function g(r): how many others there are at a distance, as a part of those by chance alone.

    Formula: g(r) = V / (n (n - 1)) * sum over i != j of [|x_j - x_i| in class r] / |shell r|, |shell| its area or
    volume. It is 1 for an ideal gas, and has peaks where neighbors keep a distance. Beside walls shells are cut off:
    pairs are weighted by V / |V and V moved by x_j - x_i|, which makes an ideal gas in a box 1, too. Source: Ripley
    1977, with the translation correction of Ohser 1983; for starlings Cavagna et al. 2008.

    Args:
        position: Vehicles, or positions [m], shape (n, d) or (frames, n, d). Frames are taken together.
        reach: The greatest distance [m], at most half of a period, and less than an edge with walls.
        domain: The space: a Torus or a Box.
        bins: The number of classes of distance.
        within: In space without end, or instead of a Box: the Box in which the vehicles are.

    Returns:
        Distances [m] and g there, shape (bins,) each; NaN for fewer than two vehicles.

    Raises:
        ValueError: No size is known, or `within` is given on a torus, or does not hold all vehicles.
    """
    frames = Frames("position", position)
    space, d = frames.space(domain), frames.dimensions
    period = space.wrap(d, np.float64)[0]
    edges, walls = _extent(space, period, within, frames)
    most = float(np.where(walls, edges, edges / 2).min())
    reach, count = as_number("reach", reach, above=0, unit="m"), _as_bins(bins)
    if reach > most:
        raise ValueError(f"reach must be <= {most:g} m, which the space allows, got {reach:g}")
    rims = np.linspace(0, reach, count + 1)
    histogram, near = np.zeros(count), Nearby(space)
    for where in frames.values:
        first, second, distance = near.pairs(where, reach)
        way = np.abs(space.difference(where[second], where[first]))
        shared = np.prod(np.where(walls, edges / np.maximum(edges - way, 1e-12 * edges), 1.0), axis=1)
        histogram += np.histogram(distance, rims, weights=2 * shared)[0]
    shells = np.diff(math.pi * rims**2 if d == 2 else 4 / 3 * math.pi * rims**3)
    pairs = len(frames) * frames.n * (frames.n - 1)
    g = histogram * float(np.prod(edges)) / (shells * pairs) if pairs else np.full(count, np.nan)
    return Curve((rims[1:] + rims[:-1]) / 2, g)


@explained
def velocity_correlation(
    position: Any, reach: float, domain: Domain | None = None, *, bins: int = 50, velocity: Any = None
) -> Curve:
    """The correlation of velocity fluctuations over distance: whether two so far apart turn and speed up together.

    Formula: C(r) = mean over pairs at distance r of u_i . u_j / (mean over i of u_i^2), u_i = v_i - mean of v. It is 1
    where two deviate alike from the group, 0 where independently; as the u_i sum up to zero it is negative far away.
    Source: Cavagna et al. 2010, who found its length to grow with the flock.

    Args:
        position: Vehicles, or positions [m], shape (n, d) or (frames, n, d). Frames are taken together.
        reach: The greatest distance [m].
        domain: The space. Default: space without end.
        bins: The number of classes of distance.
        velocity: Velocities [m/s], shaped like the positions. Default: those of the vehicles.

    Returns:
        Distances [m] and C there, shape (bins,) each; NaN where there are no pairs, or no fluctuations.
    """
    frames = Frames("position", position)
    moving, near = frames.vectors("velocity", velocity), Nearby(frames.space(domain))
    reach, count = as_number("reach", reach, above=0, unit="m"), _as_bins(bins)
    rims = np.linspace(0, reach, count + 1)
    total, pairs, size = np.zeros(count), np.zeros(count), 0.0
    for where, v in zip(frames.values, moving, strict=True):
        u = v - v.mean(axis=0) if len(v) else v
        size += float(np.sum(u**2))
        first, second, distance = near.pairs(where, reach)
        total += np.histogram(distance, rims, weights=np.sum(u[first] * u[second], axis=1))[0]
        pairs += np.histogram(distance, rims)[0]
    mean = size / max(len(frames) * frames.n, 1)
    known = (pairs > 0) & (mean > 0)
    values = np.divide(total, pairs * mean, out=np.full(count, np.nan), where=known)
    return Curve((rims[1:] + rims[:-1]) / 2, values)


@explained
def correlation_length(correlation: Curve) -> float:
    """The distance at which a correlation has fallen to zero [m].

    Formula: the least r with C(r) = 0, on straight lines between the classes. Source: Cavagna et al. 2010.

    Args:
        correlation: As `velocity_correlation` returns it: distances and values.

    Returns:
        The length [m]; infinite where the correlation is positive up to the reach, 0 where it is nowhere.
    """
    if not isinstance(correlation, tuple) or len(correlation) != 2:
        raise TypeError(f"correlation must be distances and values, got {brief(correlation)}")
    at, values = (np.asarray(each, np.float64) for each in correlation)
    known = np.isfinite(values)
    at, values = at[known], values[known]
    below = np.flatnonzero(values <= 0)
    if not len(below):
        return math.inf
    k = int(below[0])
    if k == 0:
        return 0.0
    part = values[k - 1] / (values[k - 1] - values[k])
    return float(at[k - 1] + part * (at[k] - at[k - 1]))


class Fluctuations(NamedTuple):
    """Numbers of vehicles in parts of the space.

    Attributes:
        mean: The mean number in a part, for each size of parts, shape (k,).
        deviation: Its standard deviation, shape (k,).
        exponent: The slope of log deviation over log mean: 1/2 for an ideal gas, larger for "giant" fluctuations.
    """

    mean: Array
    deviation: Array
    exponent: float


@explained
def number_fluctuations(position: Any, domain: Domain, *, divisions: Any = (2, 3, 4, 6, 8, 12, 16)) -> Fluctuations:
    """How much the number of vehicles in a part of the space fluctuates, for parts of several sizes.

    Formula: the standard deviation of N over parts and frames, space divided k times along each axis; the exponent is
    the slope of log deviation over log mean. Source: Narayan, Ramaswamy and Menon 2007; Chate et al. 2008 found 0.8 for
    Vicsek's model.

    Args:
        position: Vehicles, or positions [m], shape (n, d) or (frames, n, d). Frames are taken together.
        domain: The space: a Torus or a Box.
        divisions: The numbers k of parts along each axis, whole numbers >= 2.

    Returns:
        Means, deviations and the exponent; NaN where fewer than two deviations are > 0.

    Raises:
        TypeError: Space has no end.
    """
    frames = Frames("position", position)
    space: Any = frames.space(domain)
    if not hasattr(space, "size"):
        raise TypeError(f"domain must be a Torus or a Box, which have an end, got {brief(domain)}")
    counts = np.asarray(divisions)
    if counts.ndim != 1 or counts.dtype.kind not in "iu" or not len(counts) or counts.min() < 2:
        raise ValueError(f"divisions must be whole numbers >= 2, got {brief(divisions)}")
    d, n = frames.dimensions, frames.n
    inside = (frames.values - space.origin) / space.size % 1.0
    mean, deviation = np.zeros(len(counts)), np.zeros(len(counts))
    for row, k in enumerate(counts.tolist()):
        cell = np.minimum((inside * k).astype(np.int64), k - 1)
        flat = np.ravel_multi_index(tuple(np.moveaxis(cell, -1, 0)), (k,) * d) + k**d * np.arange(len(frames))[:, None]
        numbers = np.bincount(flat.ravel(), minlength=len(frames) * k**d)
        mean[row], deviation[row] = n / k**d, numbers.std() if len(frames) else math.nan
    used = (deviation > 0) & (mean > 0)
    slope = math.nan
    if used.sum() > 1:
        x, y = np.log(mean[used]), np.log(deviation[used])
        slope = float(np.sum((x - x.mean()) * (y - y.mean())) / np.sum((x - x.mean()) ** 2))
    return Fluctuations(mean, deviation, slope)


def _as_bins(bins: Any) -> int:
    return int(Description("bins", INTEGER, low=1).normal(bins))


def _extent(space: Domain, period: Array, within: Any, frames: Frames) -> tuple[Array, Array]:
    """The edges of the space [m], and along which axes there are walls, shape (d,) each."""
    if within is not None and not isinstance(within, Box):
        raise TypeError(f"within must be a Box, got {brief(within)}")
    if within is not None and period.any():
        raise ValueError("within must be None on a Torus or in a periodic Box: such a domain is the whole space itself")
    whole: Any = space if within is None else within
    if not hasattr(whole, "size"):
        raise ValueError("within must be given where space has no end: the Box in which the vehicles are")
    whole.check_dimensions(frames.dimensions)
    if within is not None:
        outside = np.any((frames.values < whole.origin) | (frames.values > whole.origin + whole.size), axis=-1).sum()
        if outside:
            raise ValueError(f"within must hold all vehicles, got {brief(within)}: {outside} positions are outside")
    return np.asarray(whole.size, np.float64), period == 0
