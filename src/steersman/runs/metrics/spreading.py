"""Spreading: how far vehicles have come from where they were, and how much the order of a group fluctuates."""

from typing import Any

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.parameters.arrays import as_floats
from steersman.core.parameters.brief import brief
from steersman.core.parameters.guiding import explained
from steersman.core.parameters.kinds import as_number
from steersman.core.typing import Array
from steersman.runs.metrics.frames import Frames, as_dt
from steersman.runs.metrics.structure import Curve

__all__ = ["binder_cumulant", "mean_square_displacement", "susceptibility", "unwrapped"]


@explained
def unwrapped(position: Any, domain: Domain | None = None) -> Array:
    """Positions that go on where space wraps: the way that each vehicle has come, from frame to frame the shortest.

    Formula: y(0) = x(0), y(k) = y(k - 1) + the shortest way from x(k - 1) to x(k). A vehicle must move less than half
    of a period between two frames; `World.record(columns=["unwrapped"])` counts at every step instead.

    Args:
        position: Positions [m], shape (frames, n, d).
        domain: The space. Default: space without end.

    Returns:
        Positions [m], shape (frames, n, d).
    """
    frames = Frames("position", position).least(1)
    values = frames.values.copy()
    ways = frames.space(domain).difference(frames.values[1:], frames.values[:-1])
    values[1:] = values[0] + np.cumsum(ways, axis=0)
    return values


@explained
def mean_square_displacement(position: Any, dt: float, domain: Domain | None = None, *, lags: Any = None) -> Curve:
    """The mean square displacement over the time between two frames.

    Formula: MSD(t) = mean over vehicles i and times s of |x_i(s + t) - x_i(s)|^2, unwrapped. It is (v t)^2 for straight
    ways, and 2 d D t for random walks with the diffusion coefficient D. Source: Einstein 1905; for animals Codling,
    Plank and Benhamou 2008.

    Args:
        position: Positions [m], shape (frames, n, d).
        dt: Time between two frames [s].
        domain: The space. Default: space without end.
        lags: Numbers of frames between the two, whole numbers from 1 to frames - 1. Default: up to 30 of them, evenly
            in their logarithm.

    Returns:
        Times [s] and mean square displacements [m^2], shape (lags,) each; NaN without vehicles.
    """
    frames = Frames("position", position).least(2)
    places, step, most = unwrapped(frames.values, domain), as_dt(dt), len(frames) - 1
    if lags is None:
        lags = np.unique(np.rint(np.geomspace(1, most, min(most, 30))).astype(np.int64))
    chosen = np.asarray(lags)
    if chosen.ndim != 1 or chosen.dtype.kind not in "iu" or not len(chosen) or chosen.min() < 1 or chosen.max() > most:
        raise ValueError(f"lags must be whole numbers between 1 and {most}, got {brief(lags)}")
    values = np.full(len(chosen), np.nan)
    if frames.n:
        values = np.array([np.mean(np.sum((places[k:] - places[:-k]) ** 2, axis=-1)) for k in chosen.tolist()])
    return Curve(step * chosen, values)


@explained
def susceptibility(order: Any, n: int) -> float:
    """How strongly an order parameter fluctuates: largest where a group goes over from disorder to order.

    Formula: chi = n (<m^2> - <m>^2). Source: Vicsek and Zafeiris 2012; Baglietto and Albano 2008 for Vicsek's model.

    Args:
        order: Readings of an order parameter m such as `polarization`, in a steady state, shape (k,).
        n: The number of vehicles.

    Returns:
        The susceptibility.
    """
    values = _readings(order)
    return as_number("n", n, above=0) * float(values.var())


@explained
def binder_cumulant(order: Any) -> float:
    """The fourth-order cumulant of an order parameter; curves of it for groups of several sizes cross at the transition.

    Formula: U = 1 - <m^4> / (3 <m^2>^2). It is 2/3 where m does not fluctuate, 0 for a normal distribution around zero,
    1/3 for the length of a vector in the plane with two such components, 4/9 in space, and negative where two phases
    alternate. Source: Binder 1981; Chate et al. 2008 for Vicsek's model.

    Args:
        order: Readings of an order parameter m such as `polarization`, in a steady state, shape (k,).

    Returns:
        The cumulant; NaN where all readings are zero.
    """
    squares = _readings(order) ** 2
    mean = float(squares.mean())
    return 1 - float(np.mean(squares**2)) / (3 * mean**2) if mean > 0 else float("nan")


def _readings(order: Any) -> Array:
    values = as_floats("order", getattr(order, "values", order), np.float64)
    if values.ndim != 1 or not len(values):
        raise ValueError(f"order must have shape (k,) with k >= 1, got {values.shape}")
    return values
