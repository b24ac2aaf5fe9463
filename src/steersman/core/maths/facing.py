"""Facing: a vehicle faces along its velocity; a vehicle that is nearly still keeps its direction."""

import math
from typing import Any

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.maths.vectors import ONE, TINY, dot, scale
from steersman.core.typing import Vector

STILL = np.float32(1e-6)
"""Below this part of its top speed a vehicle keeps its direction, because such a speed may be a rounding error."""

USUAL = np.float32(100)
"""The largest top speed [m/s] that STILL is a part of; a larger top speed may stand for no limit."""


@kernel
def moves(velocity: Vector, max_speed: Any) -> Any:
    """Whether a velocity is large enough to have a direction."""
    v2, still = dot(velocity, velocity), STILL * min(max_speed, USUAL)
    return v2 > still * still and v2 > TINY


@kernel
def heading_after(velocity: Vector, forward: Vector, max_speed: Any) -> Vector:
    """The unit vector along a velocity; `forward` where the vehicle is nearly still."""
    if moves(velocity, max_speed):
        return scale(velocity, ONE / math.sqrt(dot(velocity, velocity)))
    return forward
