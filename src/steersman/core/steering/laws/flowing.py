"""Flow following: match the flow where the vehicle is about to be. Reynolds 1999, "Flow field following"."""

from typing import Any

import numpy as np

from steersman.core.steering.laws.vectors import Number, truncate, with_length
from steersman.core.typing import Array


def follow_flow(velocity: Array, flow: Array, max_speed: Number, *, speed: Any = "field") -> Array:
    """Steer into a flow: flow - velocity, where the flow was sampled at the predicted position (see `predict`).

    Source: Reynolds 1999, "Flow field following". Where nothing flows the vehicle is to stand still.

    Args:
        velocity: Velocities [m/s], shape (d,) or (n, d).
        flow: The flow at the predicted positions [m/s], shape (d,) or (n, d).
        max_speed: Maximum speeds [m/s], a number or shape (n,).
        speed: "field": the speed of the flow, as far as the vehicle can go it; "max" or a number [m/s]: that speed, in the
            direction of the flow.

    Returns:
        Steering vectors [m/s], shape (d,) or (n, d).
    """
    if not isinstance(speed, str):
        return np.asarray(with_length(flow, speed) - velocity)
    if speed == "max":
        return np.asarray(with_length(flow, max_speed) - velocity)
    if speed == "field":
        return np.asarray(truncate(flow, max_speed) - velocity)
    raise ValueError(f'speed must be "field", "max" or a number in m/s, got {speed!r}')
