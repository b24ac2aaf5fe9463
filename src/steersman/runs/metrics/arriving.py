"""Arriving: which vehicles have reached a goal, when, and by how long a way."""

from typing import Any

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.parameters.guiding import explained
from steersman.core.parameters.kinds import FLAG, Description
from steersman.core.typing import Array
from steersman.runs.metrics.frames import Each, Frames, as_dt, lengths, mean
from steersman.runs.metrics.metric import metric
from steersman.runs.metrics.proximity import nearest_of, places_of

__all__ = ["arrival_times", "arrived", "detour", "path_lengths"]

ROUNDING = 1e-12
"""A vehicle is back at its start if it ends no farther from it than this fraction of its way, or of the coordinates."""


@metric(to="target")
def arrived(position: Any, goal: Any, domain: Domain | None = None, *, within: Any = None, own: bool = False) -> Each:
    """Fraction of the vehicles that are at their goal, from 0 to 1; NaN without vehicles.

    Formula: mean of [|g - x_i| <= within].

    Args:
        position: Vehicles, or positions [m], shape (n, d) or (frames, n, d).
        goal: A point [m], shape (d,), points (m, d), of which the nearest counts, or vehicles.
        domain: The space. Default: space without end.
        within: Distance at which a vehicle has arrived [m]: one number, or shape (n,). Default: the radius of each vehicle.
        own: Whether the goals (n, d) are one for each vehicle, in order.

    Returns:
        The fraction; for several frames shape (frames,).
    """
    frames = Frames("position", position)
    return frames.answer(mean(_there(frames, goal, domain, within, own).astype(float)))


def _there(frames: Frames, goal: Any, domain: Domain | None, within: Any, own: bool) -> Array:
    """Which vehicles are at the goal, shape (frames, n), bool."""
    near = frames.numbers("radius" if within is None and frames.has("radius") else "within", within)
    if not Description("own", FLAG).normal(own):
        return np.asarray(nearest_of(frames, "goal", goal, domain) <= near)
    goals = places_of("goal", goal, frames.dimensions, len(frames))
    if goals.shape[1] != frames.n:
        raise ValueError(
            f"goal must be one for each of {frames.n} vehicles, since they are their own, got {goals.shape[1]}"
        )
    return lengths(frames.space(domain).difference(goals, frames.values)) <= near


@explained
def arrival_times(
    position: Any, goal: Any, dt: float, domain: Domain | None = None, *, within: Any = None, own: bool = False
) -> Array:
    """When each vehicle comes to its goal for the first time.

    Formula: dt times the number of the first frame with |g - x_i| <= within. Source: SteerBench (Singh et al.
    2009), which scores time efficiency by it.

    Args:
        position: Positions at equal times [m], shape (frames, n, d).
        goal: A point [m], shape (d,), points (m, d), of which the nearest counts, or vehicles.
        dt: The time between frames [s], > 0.
        domain: The space. Default: space without end.
        within: Distance at which a vehicle has arrived [m]: one number, or shape (n,).
        own: Whether the goals (n, d) are one for each vehicle, in order.

    Returns:
        Times since the first frame [s], shape (n,); infinite for vehicles that never arrive.
    """
    frames = Frames("position", position).least(1)
    there = _there(frames, goal, domain, within, own)
    return np.where(there.any(axis=0), as_dt(dt) * np.argmax(there, axis=0), np.inf)


@explained
def path_lengths(position: Any, domain: Domain | None = None) -> Array:
    """The length of the way of each vehicle, from frame to frame.

    Formula: sum over k of |x_k+1 - x_k|, each the shortest way on a torus.

    Args:
        position: Positions [m], shape (frames, n, d).
        domain: The space. Default: space without end.

    Returns:
        Lengths [m], shape (n,).
    """
    return np.asarray(lengths(_steps(position, domain)).sum(axis=0))


@explained
def detour(position: Any, domain: Domain | None = None) -> float:
    """Mean ratio of the length of a way to its straight distance, >= 1; NaN where no vehicle moves away from its start.

    Formula: mean over i of (sum of |x_k+1 - x_k|) / |sum of (x_k+1 - x_k)|; vehicles that end where they began do not
    count. On a torus, one turn around counts as a distance of one period. Arguments are those of
    `path_lengths`.

    Returns:
        The ratio.
    """
    steps, size = _steps(position, domain), np.abs(Frames("position", position).values).max(initial=0.0)
    way, straight = lengths(steps).sum(axis=0), lengths(steps.sum(axis=0))
    came = straight > ROUNDING * (way + size)
    return float(np.mean(way[came] / straight[came])) if came.any() else np.nan


def _steps(position: Any, domain: Domain | None) -> Array:
    """The ways between frames [m], shape (frames - 1, n, d)."""
    frames = Frames("position", position).least(1)
    return frames.space(domain).difference(frames.values[1:], frames.values[:-1])
