"""The desired velocity behind the force of a node (Reynolds 1999, "Seek": steering = desired - velocity).

    desired = velocity + force * response_time / mass

The force is the one before the nodes above cut it to limits: where one part alone makes the force of a node, the desired
velocity is that of the part. A force by thrust="full" says only the direction (see `steering/driving/drive.py`):

    desired = speed * unit(force)
"""

from collections.abc import Mapping

import numpy as np

from steersman.core.kernels.per_row import Rows
from steersman.core.steering.driving.drive import Driven
from steersman.core.steering.laws.vectors import dot, length, with_length
from steersman.core.steering.scene.sketch_context import rows_of
from steersman.core.steering.tree.trace import Record
from steersman.core.steering.tree.tree import Node
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles

PARALLEL = 1 - 1e-5
"""The least cosine between two forces of one direction, in float32."""

SAME = 1e-4
"""Forces are the same that differ by this part at most."""


class DesiredVelocities:
    """The velocities that the nodes of a tree desire.

    Args:
        vehicles: The vehicles that it steers.
        dt: The time step [s], in which a vehicle responds whose response time is zero.
        records: The recorded forces, by the `id` of their nodes.
    """

    def __init__(self, vehicles: Vehicles, dt: float, records: Mapping[int, Record]) -> None:
        self._vehicles, self._dt, self._records = vehicles, dt, records

    def of(self, node: Node, rows: Array) -> Array:
        """The velocities that a node desires for the vehicles in some rows [m/s], shape (k, d)."""
        vehicles, force = self._vehicles, rows_of(self._records[id(node)].raw, rows)
        velocity, mass, tau = (
            rows_of(each, rows) for each in (vehicles.velocity, vehicles.mass, vehicles.response_time)
        )
        desired = velocity + force * (np.where(tau > 0, tau, self._dt) / mass)[:, None]
        if isinstance(node.behavior, Driven) and node.behavior.thrust == "full":
            pushed = (length(force) > 0)[:, None]
            desired = np.where(pushed, with_length(force, self._speed(node.behavior.speed, rows)), desired)
        for part in node.children:
            record = self._records[id(part)]
            weight = record.edge[0]
            weights = weight.array[rows] if isinstance(weight, Rows) else np.full(len(rows), float(weight))
            alone = self._alone(force, rows_of(record.raw, rows), rows_of(record.contribution, rows))
            if alone.any():
                change = weights[:, None] * (self.of(part, rows) - velocity)
                desired = np.where(alone[:, None], velocity + change, desired)
        return np.asarray(desired)

    @staticmethod
    def _alone(force: Array, raw: Array, contribution: Array) -> Array:
        """Whether a part makes the force of a node alone, and is not changed but for a cut, shape (k,)."""
        makes = length(contribution - force) <= SAME * length(force)
        straight = dot(raw, contribution) >= PARALLEL * length(raw) * length(contribution)
        return np.asarray(makes & straight)

    def _speed(self, speed: float | str, rows: Array) -> Array:
        """The speed of a law that pushes with its full force [m/s], shape (k,)."""
        if speed == "current":
            return rows_of(self._vehicles.speed, rows)
        return rows_of(self._vehicles.max_speed, rows) if isinstance(speed, str) else np.full(len(rows), speed)
