"""HeadingSmoother: a vehicle faces along the average of its last headings.

    samples:        forward = unit(mean of the last k headings)
    time_constant:  average += (heading - average) (1 - exp(-dt / time_constant)),  forward = unit(average)

The game AI lecture (after R. Green): where behaviors take turns, orientation judders; decouple it from the velocity and
average it over several ticks. The number of samples counts steps; the time constant does not depend on them.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.locomotion.chassis import Chassis
from steersman.core.locomotion.limit import Limit
from steersman.core.locomotion.limits.turning import face_heading
from steersman.core.maths.facing import heading_after
from steersman.core.maths.vectors import add, add_scaled, load, store, subtract
from steersman.core.parameters.kinds import INTEGER
from steersman.core.parameters.parameters import parameter
from steersman.core.parameters.sizes import check_bytes
from steersman.core.typing import Array, Columns
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles


@kernel
def gain_of(
    vehicles: VehicleColumns, proposed: Columns, now: Columns, following: Columns, time_constant: Any, dt: Array
) -> Any:
    """The part of the difference that is made up in a step."""
    return -math.expm1(-dt[0] / time_constant)


@row_kernel(once=gain_of)
def average_over_time(
    i: int, vehicles: VehicleColumns, proposed: Columns, now: Columns, following: Columns, time_constant: Any,
    dt: Array, gain: Any,
) -> None:  # fmt: skip
    """Let the average follow the heading, within a time constant [s]."""
    average = load(now, i)
    heading = heading_after(load(proposed, i), average, vehicles.max_speed[i])
    store(following, i, add_scaled(average, subtract(heading, average), gain))


@row_kernel
def average_over_samples(
    i: int, vehicles: VehicleColumns, proposed: Columns, now: Columns, following: Columns,
    average: Columns,
) -> None:  # fmt: skip
    """Put the heading in front of the samples, d arrays of shape (k, n), and average them."""
    k = now[0].shape[0]
    heading = heading_after(load(proposed, i), load(now, (0, i)), vehicles.max_speed[i])
    store(following, (0, i), heading)
    total = heading
    for j in range(1, k):
        sample = load(now, (j - 1, i))
        store(following, (j, i), sample)
        total = add(total, sample)
    store(average, i, total)


@dataclass(frozen=True, eq=False)
class HeadingSmoother(Limit):
    """Let a vehicle face along the average of its last headings, apart from its velocity.

    Args:
        samples: How many steps to average over. Raising it is smoother, and lags more.
        time_constant: Instead of samples: the time to average over [s], for any time step. Raising it is smoother.

    Raises:
        ValueError: Both or none is given.
    """

    smooths: ClassVar[bool] = True

    samples: int | None = parameter(None, kind=INTEGER, low=1, optional=True, positional=True)
    time_constant: float | None = parameter(None, above=0.0, unit="s", optional=True)

    def validate(self) -> None:
        """Either samples or a time."""
        if (self.samples is None) == (self.time_constant is None):
            raise ValueError(
                f"HeadingSmoother needs either samples or time_constant, got samples={self.samples} and "
                f"time_constant={self.time_constant}"
            )

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """The average, not normalized; and the samples, the latest first, all alike at the start."""
        forward = vehicles.forward.copy()
        if self.samples is None:
            return {"average": forward}
        check_bytes("samples must be smaller", f"{self.samples:,} of them", 2.0 * forward.nbytes * self.samples)
        return {"average": forward, "samples": np.repeat(forward[:, None, :], self.samples, axis=1)}

    def on_velocity(self, chassis: Chassis) -> list[Call]:
        """One call."""
        memory, vehicles = chassis.memory, chassis.columns
        average = memory.next("average")
        if self.samples is None:
            time_constant = chassis.number(self.time_constant)
            arguments: tuple[object, ...] = (
                vehicles, chassis.proposed, memory.now("average"), average, time_constant, chassis.dt,
            )  # fmt: skip
            return [Call(average_over_time, arguments)]
        arguments = (vehicles, chassis.proposed, memory.now("samples"), memory.next("samples"), average)
        return [Call(average_over_samples, arguments)]

    def on_facing(self, chassis: Chassis) -> list[Call]:
        """Face along the average; where headings cancel, as before."""
        return [Call(face_heading, (chassis.columns, chassis.memory.now("average"), chassis.ground))]
