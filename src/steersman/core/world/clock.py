"""The clock: fixed steps at any frame rate."""

import math
import numbers
from typing import Any

import numpy as np

from steersman.core.parameters.brief import brief
from steersman.core.parameters.kinds import as_float

SHORTEST, LONGEST = 1e-12, 1e9
"""The range of time steps [s]: within it, neither a velocity times dt nor one divided by dt leaves the range of float32."""


def check_dt(dt: Any, name: str = "dt") -> float:
    """The time step as a float.

    Raises:
        ValueError: It is not a finite number > 0, or beyond 1e-12 to 1e9.
    """
    if type(dt) is float and SHORTEST <= dt <= LONGEST:
        return dt  # The usual case first, because every step calls this.
    if isinstance(dt, (bool, np.timedelta64)) or not isinstance(dt, numbers.Real):
        raise TypeError(f"{name} must be a number > 0 s, got {brief(dt)}")
    step = as_float(dt)
    if not (math.isfinite(step) and step > 0):
        raise ValueError(f"{name} must be a finite number > 0 s, got {brief(dt)}")
    if not SHORTEST <= step <= LONGEST:
        raise ValueError(f"{name} must be between {SHORTEST:g} and {LONGEST:g} s, got {brief(dt)}")
    return step


def check_seed(seed: Any) -> int:
    """The seed as an int."""
    if isinstance(seed, (bool, np.timedelta64)) or not isinstance(seed, numbers.Integral):
        raise TypeError(f"seed must be a whole number >= 0, got {brief(seed)}")
    if seed < 0:
        raise ValueError(f"seed must be a whole number >= 0, got {brief(seed)}")
    return int(seed)


def check_steps(steps: Any, name: str = "steps", least: int = 0) -> int:
    """A number of steps as an int."""
    if isinstance(steps, (bool, np.timedelta64)) or not isinstance(steps, numbers.Integral):
        raise TypeError(f"{name} must be a whole number >= {least}, got {brief(steps)}")
    if steps < least:
        raise ValueError(f"{name} must be a whole number >= {least}, got {brief(steps)}")
    return int(steps)


def check_time(time: Any, name: str) -> float:
    """A span of time as a float [s]."""
    if isinstance(time, (bool, np.timedelta64)) or not isinstance(time, numbers.Real):
        raise TypeError(f"{name} must be a number >= 0 s, got {brief(time)}")
    seconds = as_float(time)
    if not (math.isfinite(seconds) and seconds >= 0):
        raise ValueError(f"{name} must be a finite number >= 0 s, got {brief(time)}")
    return seconds


def steps_to_run(seconds: Any, steps: Any, dt: float) -> int:
    """The number of steps of a run, of which either the seconds or the steps are given.

    Raises:
        ValueError: Not exactly one of the two is given.
    """
    if (seconds is None) == (steps is None):
        raise ValueError(f"run needs either seconds or steps, got seconds={brief(seconds)} and steps={brief(steps)}")
    return check_steps(steps) if seconds is None else round(check_time(seconds, "seconds") / dt)


def time_shown(time: float, steps: int, dt: float) -> float:
    """The time of a world for documents: after 125 steps of 0.1 s it is 12.5 s, and not 12.499999999999966.

    A clock is a sum of time steps, which is rounded at every step. If all steps had one length, the time is their number
    times that length, in the fewest digits that are equal to rounding.

    Args:
        time: Time since the start [s].
        steps: Steps since the start.
        dt: Length of a step now [s].
    """
    exact = steps * dt
    if abs(exact - time) > ROUNDING * exact:
        return time  # The steps so far had several lengths, so there is no number of steps to count by.
    short = float(f"{exact:.12g}")
    return short if abs(short - exact) <= 4 * math.ulp(exact) else exact


ROUNDING = 1e-9
"""The relative difference allowed between a sum of steps and their number times their length."""


class Accumulator:
    """Turns frame times of any length into whole steps.

    Attributes:
        rest: Time that has passed, but is not stepped yet [s].
    """

    def __init__(self) -> None:
        self.rest = 0.0

    def steps(self, frame_time: float, dt: float, most: int) -> int:
        """The number of whole steps to make now; at most `most`, and then the time beyond is dropped."""
        rest = self.rest + frame_time
        # A rest that misses a whole step by rounding alone is a whole step.
        fit = rest / dt + 1e-9
        self.rest = rest if fit < most + 1 else most * dt + math.fmod(rest, dt)
        return min(math.floor(fit), most) if fit < math.inf else most

    def after(self, dt: float) -> float:
        """The rest after a step. Callers store it when the step has been made: a refused step uses no time."""
        return max(0.0, self.rest - dt)

    def fraction(self, dt: float) -> float:
        """The fraction of the next step that has passed, in [0, 1)."""
        return min(self.rest / dt, math.nextafter(1.0, 0.0))
