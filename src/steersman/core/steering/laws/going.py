"""Going: along a route that a planner has found, to its end. Reynolds 1999, "Path following" and "Arrival"."""

from typing import Any

import numpy as np

from steersman.core.steering.laws.reaching import cruise_speed
from steersman.core.steering.laws.vectors import Number, ratio, with_length
from steersman.core.typing import Array


def go_to(
    position: Array,
    velocity: Array,
    ahead: Array,
    remaining: Number,
    max_speed: Number,
    *,
    slowing_distance: Number | None = None,
    speed: Any = "max",
) -> Array:
    """Go to a place ahead on a route, slower where the route is nearly at its end.

        desired  = speed * min(1, remaining / slowing_distance) * unit(ahead - position)
        steering = desired - velocity

    Source: Reynolds 1999, "Path following" (seek a point ahead on a path that a planner gave) with "Arrival" (the linear
    ramp) over the length of the route that remains.

    Args:
        position: Positions [m], shape (d,) or (n, d).
        velocity: Velocities [m/s], shape (d,) or (n, d).
        ahead: Places ahead on the routes [m], of the same shape.
        remaining: How long the routes are [m], shape () or (n,); infinite where there is none.
        max_speed: Maximum speeds [m/s], a number or shape (n,).
        slowing_distance: Length of the rest at which slowing begins [m]. Default: no slowing.
        speed: "max", "current", a number [m/s], or "offset": as many m/s as meters remain, at most the maximum.

    Returns:
        Steering vectors [m/s], shape (d,) or (n, d).
    """
    way = np.subtract(ahead, position)
    full = np.minimum(remaining, max_speed) if speed == "offset" else cruise_speed(way, velocity, max_speed, speed)
    if slowing_distance is not None:
        full = full * np.minimum(1, ratio(remaining, np.asarray(slowing_distance), otherwise=1.0))
    return np.asarray(with_length(way, full) - velocity)
