"""Diagnosis: after a refused step, steer once more with the trace on and name the behavior and the vehicles."""

import numpy as np

from steersman.geometry.vectors import Array
from steersman.steering.trace import Record
from steersman.world.guard import NonFiniteError, bad_rows, vehicle_ids
from steersman.world.plan import SteeringPlan


def force_error(plan: SteeringPlan, block: Array) -> NonFiniteError:
    """Which behavior made a force that is not finite, and for whom.

    Args:
        plan: How the population was steered.
        block: What was refused: its forces [N], and below them, in a world, the proposed velocities [m/s]; shape (d, n)
            or (2 d, n).
    """
    bad, name = bad_rows(block), plan.population.name
    forceful = bad_rows(block[: plan.vehicles.dimensions])
    with np.errstate(all="ignore"):
        culprits = _culprits(plan)
    for record, wrong in culprits:
        if not wrong.any():
            continue
        force = np.stack(record.raw)[:, wrong][:, 0].tolist()
        return NonFiniteError(
            f"{record.node.label} made the force {force} N for {vehicle_ids(plan.vehicles, wrong)} of {name!r}, "
            f"which is not finite or too large; the world is unchanged"
        )
    if forceful.any():
        what = f"the force on {vehicle_ids(plan.vehicles, forceful)}"
    elif (plan.vehicles.mass[bad] == 0).any():
        bad &= plan.vehicles.mass == 0
        return NonFiniteError(
            f"mass of {name!r} must be > 0 kg, got 0.0 for {vehicle_ids(plan.vehicles, bad)}; the world is unchanged"
        )
    else:
        what = f"the new velocity of {vehicle_ids(plan.vehicles, bad)}"
    return NonFiniteError(f"{what} of {name!r} is not finite or too large; the world is unchanged")


def _culprits(plan: SteeringPlan) -> list[tuple[Record, Array]]:
    """The nodes with the rows where they made a bad force that none of their parts made."""
    records = plan.trace().records
    bad = {id(record.node): bad_rows(np.stack(record.raw)) for record in records}
    culprits = []
    for record in records:
        wrong = bad[id(record.node)].copy()
        for part in record.node.children:
            wrong &= ~bad[id(part)]
        culprits.append((record, wrong))
    return culprits
