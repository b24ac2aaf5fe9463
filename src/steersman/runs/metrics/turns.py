"""Turns: how a turn goes through a group: which vehicle heads as another one did before."""

from typing import Any, NamedTuple

import numpy as np

from steersman.core.parameters.guiding import explained
from steersman.core.parameters.kinds import as_number
from steersman.core.typing import Array
from steersman.runs.metrics.frames import Frames, as_dt, units

__all__ = ["turn_delays"]


class Delays(NamedTuple):
    """Who turns after whom.

    Attributes:
        delay: How long after vehicle i vehicle j heads as i did [s], shape (n, n), antisymmetric but for ties; 0 on the
            diagonal.
        correlation: The mean cosine between the two headings at that delay, shape (n, n).
        lead: The mean delay of the others after each vehicle [s], shape (n,); the first to turn have the largest.
    """

    delay: Array
    correlation: Array
    lead: Array


@explained
def turn_delays(velocity: Any, dt: float, *, longest: float | None = None) -> Delays:
    """How a turn is handed on: the delays after which vehicles head as others did.

    Formula: delay_ij is the time t at which mean over s of e_i(s) . e_j(s + t) is greatest, e = unit(v), |t| <=
    longest. Of several the shortest counts, then the positive one. Source: Nagy, Akos, Biro and Vicsek 2010,
    "directional correlation delay".

    Args:
        velocity: Velocities [m/s], shape (frames, n, d).
        dt: Time between two frames [s].
        longest: The longest delay that is looked for [s]. Default: a quarter of the time.

    Returns:
        Delays [s] and correlations, shape (n, n) each, and the lead of each vehicle [s], shape (n,).

    Raises:
        ValueError: The longest delay leaves no frames.
    """
    frames, step = Frames("velocity", velocity).least(2), as_dt(dt)
    most = (
        (len(frames) - 1) // 4 if longest is None else int(as_number("longest", longest, low=0, unit="s") / step + 1e-9)
    )
    if most > len(frames) - 1:
        raise ValueError(f"longest must be <= {(len(frames) - 1) * step:g} s, the time of the frames, got {longest:g}")
    heading, n = units(frames.values), frames.n
    flat = np.moveaxis(heading, 1, 0)  # (n, frames, d)
    best, lag = np.full((n, n), -np.inf), np.zeros((n, n), np.int64)
    for k in sorted(range(-most, most + 1), key=lambda k: (abs(k), -k)):
        before, after = (flat[:, : len(frames) - k], flat[:, k:]) if k >= 0 else (flat[:, -k:], flat[:, :k])
        left = len(frames) - abs(k)
        width = left * frames.dimensions
        mean = before.reshape(n, width) @ after.reshape(n, width).T / left
        better = mean > best + 1e-12
        best, lag = np.where(better, mean, best), np.where(better, k, lag)
    np.fill_diagonal(lag, 0)
    delay = step * lag
    lead = delay.sum(axis=1) / (n - 1) if n > 1 else np.zeros(n)
    return Delays(delay, best, lead)
