"""Diagnosis: after a refused step, the population is steered once more with the trace on, to name behavior and vehicles."""

from collections.abc import Callable

import numpy as np

from steersman.core.steering.tree.trace import Record
from steersman.core.typing import Array
from steersman.core.world.guard import LARGEST, NonFiniteError, bad_rows, vehicle_ids
from steersman.core.world.plan import SteeringPlan


def force_error(plan: SteeringPlan, block: Array, reached: Array | None = None) -> NonFiniteError:
    """The error that names the behavior with a force that is not finite, and the vehicles.

    Args:
        plan: The plan of the population.
        block: The refused values, shape (k, n): all steered and proposed values.
        reached: The positions that vehicles would have reached [m], shape (k, n), if they were checked.
    """
    if reached is not None and not bad_rows(block).any():
        return position_error(plan, bad_rows(reached), reached)
    bad, name = bad_rows(block), plan.population.name
    forceful, turned = not_finite(plan.force), not_finite(plan.angular)
    with np.errstate(all="ignore"):
        culprits = _culprits(plan, not_finite)
        if forceful.any() or turned.any():  # A finite force may be so large that a weight makes it infinite.
            culprits += _culprits(plan, bad_rows)
    for record, wrong in culprits:
        if wrong.any():
            return NonFiniteError(
                f"{record.node.label} made the {_bad_value(record, wrong)} for {vehicle_ids(plan.vehicles, wrong)} of "
                f"{name!r}, which is not finite or too large; the world is unchanged"
            )
    if forceful.any():
        subject = f"the force on {vehicle_ids(plan.vehicles, forceful)}"
    elif turned.any():
        subject = f"the angular acceleration of {vehicle_ids(plan.vehicles, turned)}"
    elif (plan.vehicles.mass[bad] == 0).any():
        bad &= plan.vehicles.mass == 0
        return NonFiniteError(
            f"mass of {name!r} must be > 0 kg, got 0.0 for {vehicle_ids(plan.vehicles, bad)}; the world is unchanged"
        )
    else:
        subject = f"the new velocity of {vehicle_ids(plan.vehicles, bad)}"
    return NonFiniteError(f"{subject} of {name!r} is not finite or too large; the world is unchanged")


def position_error(plan: SteeringPlan, bad: Array, reached: Array) -> NonFiniteError:
    """The error that names the vehicles that the step would move too far away.

    Args:
        plan: The plan of the population.
        bad: Whether each vehicle is one of these, shape (n,), bool.
        reached: The positions that vehicles would have reached [m], shape (k, n).
    """
    return NonFiniteError(
        f"position of {plan.population.name!r} must stay below {LARGEST[reached.dtype]:g} m, but the step would lead to "
        f"{reached[:, bad][:, 0].tolist()} for {vehicle_ids(plan.vehicles, bad)}; make dt or the speed smaller, or put "
        "what they move upon nearer; the world is unchanged"
    )


def not_finite(values: Array) -> Array:
    """Whether each vehicle has a number that is not finite, in an array of shape (columns, n); shape (n,), bool."""
    return np.asarray(~np.isfinite(values).all(axis=0))


def _bad_value(record: Record, wrong: Array) -> str:
    """The force or angular acceleration of a node for the first of some vehicles, in words."""
    force = np.stack(record.raw)[:, wrong][:, :1]
    if bad_rows(force).any():
        return f"force {force[:, 0].tolist()} N"
    return f"angular acceleration {np.stack(record.raw_angular)[:, wrong][:, 0].tolist()} rad/s^2"


def _culprits(plan: SteeringPlan, wrong_rows: Callable[[Array], Array]) -> list[tuple[Record, Array]]:
    """The nodes, each with the rows for which its force is bad though the forces of its parts are not."""
    records = plan.trace().records
    bad = {id(each.node): wrong_rows(np.concatenate([each.raw, each.raw_angular])) for each in records}
    culprits = []
    for record in records:
        wrong = bad[id(record.node)].copy()
        for part in record.node.children:
            wrong &= ~bad[id(part)]
        culprits.append((record, wrong))
    return culprits
