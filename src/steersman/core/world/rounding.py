"""Warn of vehicles so far from the origin that rounding their positions cancels their steps.

At 1,000,000 m, adjacent numbers of float32 are 0.06 m apart: at 1 m/s and 60 steps a second, a vehicle there does not move.
"""

import warnings
from collections.abc import Iterable

import numpy as np

from steersman.core.parameters.guiding import outside
from steersman.core.world.plan import SteeringPlan

STEPS = 1000
"""The number of steps between checks: vehicles need many steps to get far away."""


def warn_of_rounding(plans: Iterable[SteeringPlan], dt: float) -> bool:
    """Warn when the step of a vehicle at full speed is shorter than the gap between adjacent numbers at its position.

    Args:
        plans: The plans of the populations.
        dt: The time step [s].

    Returns:
        Whether there was such a vehicle.
    """
    for plan in plans:
        vehicles = plan.vehicles
        if plan.population.tree is None and not vehicles.velocity.any():
            continue  # All top speeds are zero.
        gap = np.spacing(np.abs(vehicles.position)).max(axis=1, initial=0)
        step = vehicles.max_speed * vehicles.dtype.type(dt)
        lost = np.flatnonzero((step < gap) & (vehicles.max_speed > 0))
        if len(lost):
            first, remedy = int(lost[0]), "put the origin nearer to them"
            if vehicles.dtype == np.float32:
                remedy = f"make them with dtype=np.float64, or {remedy}"
            warnings.warn(
                f"vehicle {vehicles.id[first]} of {plan.population.name!r} is at {vehicles.position[first].tolist()} m, "
                f"where numbers of {vehicles.dtype} are {gap[first]:.3g} m apart, and {step[first]:.3g} m is all that it "
                f"moves in a step: rounding swallows that (so it does of {len(lost)} of {len(vehicles)} vehicles). "
                f"Please {remedy}.",
                RuntimeWarning,
                stacklevel=outside(),
            )
            return True
    return False
