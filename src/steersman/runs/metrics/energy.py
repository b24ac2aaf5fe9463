"""Energy: the cost of moving."""

from typing import Any

import numpy as np

from steersman.core.parameters.guiding import explained
from steersman.core.parameters.kinds import as_number
from steersman.core.typing import Array
from steersman.runs.metrics.frames import Each, Frames, as_dt, lengths, mean
from steersman.runs.metrics.metric import metric

__all__ = ["effort", "kinetic_energy", "walking_energy", "walking_power", "work"]

STANDING = 2.23
"""The power of a pedestrian at rest per kilogram [J/(kg s)] (Whittle, Gait Analysis, as quoted by Guy et al. 2010)."""

WALKING = 1.26
"""The additional power of walking, per kilogram and squared speed [J s/(kg m^2)]; same source."""


@metric()
def kinetic_energy(velocity: Any, *, mass: Any = None) -> Each:
    """Energy of motion of all vehicles together [J].

    Formula: sum of m_i |v_i|^2 / 2. Source: SteerBench (Singh et al. 2009), which judges effort by its sum over a run.

    Args:
        velocity: Vehicles, or velocities [m/s], shape (n, d) or (frames, n, d).
        mass: Masses [kg], one number, or shape (n,) or (frames, n). Default: those of the vehicles, 1 kg for arrays.

    Returns:
        The energy [J]; for several frames shape (frames,).
    """
    frames = Frames("velocity", velocity)
    masses = frames.numbers("mass", mass, default=1.0, unit="kg")
    return frames.answer(np.sum(masses * np.sum(frames.values**2, axis=-1), axis=-1) / 2)


@metric()
def walking_power(velocity: Any, *, standing: float = STANDING, walking: float = WALKING) -> Each:
    """The mean power that pedestrians use at their speeds, per kilogram [W/kg]; NaN without vehicles.

    Formula: mean of e_s + e_w |v_i|^2. Source: Guy et al. 2010, PLEdestrians, after Whittle. A way costs least at the speed
    sqrt(e_s / e_w) = 1.33 m/s.

    Args:
        velocity: Vehicles, or velocities [m/s], shape (n, d) or (frames, n, d).
        standing: e_s, the power at rest [J/(kg s)], >= 0.
        walking: e_w, the additional power of walking [J s/(kg m^2)], >= 0.

    Returns:
        The power [W/kg]; for several frames shape (frames,).
    """
    frames = Frames("velocity", velocity)
    return frames.answer(mean(_power(frames, standing, walking)))


def _power(frames: Frames, standing: float, walking: float) -> Array:
    """Power of each [W/kg], shape (frames, n)."""
    rest = as_number("standing", standing, low=0, unit="J/(kg s)")
    going = as_number("walking", walking, low=0, unit="J s/(kg m^2)")
    return np.asarray(rest + going * np.sum(frames.values**2, axis=-1))


@explained
def walking_energy(velocity: Any, dt: float, *, standing: float = STANDING, walking: float = WALKING) -> Array:
    """The energy that each pedestrian uses in a run, per kilogram.

    Formula: sum over frames of (e_s + e_w |v_k|^2) dt. Source: Guy et al. 2010, PLEdestrians. The way of length s costs at
    least 2 s sqrt(e_s e_w).

    Args:
        velocity: Velocities at equal times [m/s], shape (frames, n, d); each lasts for dt.
        dt: The time between frames [s], > 0.
        standing: e_s, the power at rest [J/(kg s)], >= 0.
        walking: e_w, the additional power of walking [J s/(kg m^2)], >= 0.

    Returns:
        Energies [J/kg], shape (n,).
    """
    frames = Frames("velocity", velocity).least(1)
    return np.asarray(_power(frames, standing, walking).sum(axis=0) * as_dt(dt))


@explained
def work(velocity: Any) -> Array:
    """The work that accelerates and brakes each vehicle, per kilogram.

    Formula: sum over k of | |v_k+1|^2 - |v_k|^2 | / 2, which is the integral of |F . v| / m, if the speed changes one way
    between two frames. Turning costs nothing.

    Args:
        velocity: Velocities [m/s], shape (frames, n, d).

    Returns:
        Work [J/kg], shape (n,).
    """
    frames = Frames("velocity", velocity).least(1)
    return np.asarray(np.abs(np.diff(np.sum(frames.values**2, axis=-1), axis=0)).sum(axis=0) / 2)


@explained
def effort(velocity: Any) -> Array:
    """The total change of the velocity of each vehicle, turning included.

    Formula: sum over k of |v_k+1 - v_k|, the integral of |F| / m. Source: SteerBench (Singh et al. 2009), which sums
    accelerations; space flight calls it delta-v. Arguments are those of `work`.

    Returns:
        Efforts [m/s], shape (n,).
    """
    frames = Frames("velocity", velocity).least(1)
    return np.asarray(lengths(np.diff(frames.values, axis=0)).sum(axis=0))
