"""Holding: a choice is made once a period and kept in between, so that it does not depend on the time step.

Reynolds 1999 chooses once a frame; his frame is the default period, 1/30 s. Where a step is longer than the period, there
is one choice a step, and none is left out: two parts that take turns would otherwise meet the same steps for ever.
"""

import math
from typing import Any

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.scene.scene import Clock

FRAME = 1 / 30
"""The paper's frame [s]."""

ROUNDING = 1e-6
"""Part of a period by which a sum of steps may fall short of it."""


@kernel
def choice(clock: Clock, period: float) -> Any:
    """Number of the choice that holds now; the period [s] is a float64."""
    if clock.dt[0] >= period:
        return np.int64(clock.step[0])
    return np.int64(math.floor(clock.time[0] / period + ROUNDING))


def period_parameter() -> float:
    """The parameter `period` of a combinator that chooses."""
    held: float = parameter(FRAME, above=0.0, unit="s")
    return held
