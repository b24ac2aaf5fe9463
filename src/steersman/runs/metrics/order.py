"""Order among near vehicles: a large flock may head several ways, each part of it in order."""

from typing import Any

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.domains.partly import flat_space
from steersman.core.parameters.guiding import explained
from steersman.core.parameters.kinds import INTEGER, Description, as_direction, as_number
from steersman.core.typing import Array
from steersman.runs.metrics.frames import Each, Frames, lengths, mean, units
from steersman.runs.metrics.metric import metric
from steersman.runs.metrics.nearby import Nearby

__all__ = ["lane_order", "local_polarization"]

NEAREST = 7
"""The number of neighbors that starlings seem to interact with (Ballerini et al. 2008)."""


@metric()
def local_polarization(position: Any, domain: Domain | None = None, k: int = NEAREST, *, velocity: Any = None) -> Each:
    """Mean over all vehicles of the polarization of each with its k nearest neighbors; NaN without vehicles.

    Formula: mean over i of |mean of unit(v_j)| over j = i and its k nearest. It is 1 if every vehicle heads as its neighbors
    do, even if distant vehicles head elsewhere, and about 1 / sqrt(k + 1) for random directions. Source of k = 7: Ballerini
    et al. 2008.

    Args:
        position: Vehicles, or positions [m], shape (n, d) or (frames, n, d).
        domain: The space. Default: space without end.
        k: The number of neighbors, >= 1; all, where there are fewer. Of two equally near, the lower row is the nearer one.
        velocity: Velocities [m/s], shaped like the positions. Default: those of the vehicles.

    Returns:
        The polarization, from 0 to 1; for several frames shape (frames,).
    """
    frames = Frames("position", position)
    ahead, near = units(frames.vectors("velocity", velocity)), Nearby(frames.space(domain))
    count = min(int(Description("k", INTEGER, low=1).normal(k)), frames.n - 1)
    order = lengths(ahead)
    if count > 0:
        for frame, (where, heading) in enumerate(zip(frames.values, ahead, strict=True)):
            rows, _ = near.nearest(where, count)
            order[frame] = lengths((heading + heading[rows].sum(axis=1)) / (count + 1))
    return frames.answer(mean(order))


@explained
def lane_order(position: Any, axis: Any, width: float, domain: Domain | None = None, *, velocity: Any = None) -> Each:
    """How well vehicles that go one way along an axis are separated, in lanes, from those that go the other way.

    Formula: mean over i of ((n_s - n_o) / (n_s + n_o))^2, where n_s of the vehicles within `width` beside i go its way,
    itself included, and n_o go the other way. It is 1 in lanes wider than that, and near 0 where all are mixed. Source: the
    order parameter of Rex and Loewen 2007, which Nowak and Schadschneider 2012 use for pedestrians.

    Args:
        position: Vehicles, or positions [m], shape (n, d) or (frames, n, d).
        axis: The direction of the lanes, shape (d,); on a torus one of its axes. Only its line matters, not its sign.
        width: Largest distance beside a vehicle [m], > 0, inclusive. Rex and Loewen take 3/4 of one over the root of the
            density.
        domain: The space. Default: space without end.
        velocity: Velocities [m/s], shaped like the positions. Default: those of the vehicles.

    Returns:
        The order, from 0 to 1; NaN where no vehicle moves along the axis; for several frames shape (frames,).

    Raises:
        ValueError: The axis is zero, or runs askew on a torus.
    """
    frames = Frames("position", position)
    ahead, space = as_direction("axis", axis), frames.space(domain)
    if len(ahead) != frames.dimensions:
        raise ValueError(f"axis must have {frames.dimensions} dimensions like position, got {len(ahead)}")
    width, moving = as_number("width", width, above=0, unit="m"), frames.vectors("velocity", velocity)
    across, period = _across(ahead, space.wrap(frames.dimensions, np.float64)[0])
    balance = _in_plane if frames.dimensions == 2 else _in_space
    order = np.full(len(frames), np.nan)
    for k, (where, speed) in enumerate(zip(frames.values, moving, strict=True)):
        side = np.sign(speed @ ahead)
        there = np.flatnonzero(side)
        if len(there):
            order[k] = np.mean(balance(side[there], where[there] @ across, width, period) ** 2)
    return frames.answer(order)


def _across(ahead: Array, period: Array) -> tuple[Array, Array]:
    """The projection to a line or plane across an axis, shape (d, d - 1), and the periods there [m], shape (d - 1,)."""
    d = len(ahead)
    if not period.any():
        return np.linalg.svd(ahead[None])[2][1:].T, np.zeros(d - 1)
    if np.count_nonzero(ahead) != 1:
        raise ValueError(f"axis must be along one of the axes of the torus, got {ahead.tolist()}")
    others = np.flatnonzero(ahead == 0)
    return np.eye(d)[:, others], period[others]


def _in_plane(side: Array, beside: Array, width: float, period: Array) -> Array:
    """(n_s - n_o) / (n_s + n_o) of each vehicle, itself included, shape (n,), by sorting; `beside` has shape (n, 1)."""
    n, span, place = len(side), float(period[0]), beside[:, 0]
    if 0 < span <= 2 * width:
        return np.asarray(side * side.sum() / n)
    if span:
        place = place % span
        place = np.concatenate([place - span, place, place + span])
        side = np.tile(side, 3)
    order = np.argsort(place, kind="stable")
    line, total = place[order], np.concatenate([[0.0], np.cumsum(side[order])])
    own = slice(n, 2 * n) if span else slice(None)
    low = np.searchsorted(line, place[own] - width, side="left")
    high = np.searchsorted(line, place[own] + width, side="right")
    return np.asarray(side[own] * (total[high] - total[low]) / (high - low))


def _in_space(side: Array, beside: Array, width: float, period: Array) -> Array:
    """The same in a plane across the lanes, from all pairs that are near each other there; `beside` has shape (n, 2)."""
    first, second, _ = Nearby(flat_space(period)).pairs(beside, width)
    alike, both = side[first] * side[second], np.concatenate([first, second])
    surplus = 1 + np.bincount(both, np.concatenate([alike, alike]), len(side))
    return np.asarray(surplus / (1 + np.bincount(both, minlength=len(side))))
