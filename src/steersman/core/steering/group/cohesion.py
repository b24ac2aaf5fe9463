"""Cohesion: gather with others nearby.

    "offset"  force = strength * (centroid - position)
    "seek"    force = seek(centroid of the neighbors)

Reynolds 1999, "Cohesion": the way to the centroid as the force, as in the original boids, or the centroid as the target
of seek. In a sum with separation the first is the better one: seek also brakes any speed that does not lead to the
centroid, and a flock that is together stops.
"""

from typing import Any

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import ONE, ZERO, load, scale
from steersman.core.neighborhood.request import NeighborSum, Sum
from steersman.core.parameters.kinds import TEXT
from steersman.core.parameters.parameters import parameter
from steersman.core.parameters.per_vehicle import finite_or
from steersman.core.steering.driving.drive import DriveNumbers, drive_numbers, drive_to
from steersman.core.steering.group.neighborly import Neighborly
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext
from steersman.core.steering.tree.forces import Out, deposit
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns

LAWS = ("offset", "seek")


@row_kernel
def seek_centroid(i: int, vehicles: VehicleColumns, offsets: Sum, go: DriveNumbers, clock: Clock, out: Out) -> None:
    """Drive to the mean of the neighbors' positions."""
    if offsets.count[i] > ZERO:
        way = scale(load(offsets.total, i), ONE / offsets.count[i])
        deposit(out, i, drive_to(way, False, i, vehicles, go, clock.dt[0]), vehicles.max_force[i], False)


@row_kernel
def pull_to_centroid(i: int, vehicles: VehicleColumns, offsets: Sum, numbers: Any, out: Out) -> None:
    """Strength times the way to the centroid."""
    if offsets.count[i] > ZERO:
        strength = numbers.strength
        if strength < ZERO:
            strength = vehicles.max_force[i] / numbers.radius
        deposit(out, i, scale(load(offsets.total, i), strength / offsets.count[i]), vehicles.max_force[i], False)


@registered
class Cohesion(Neighborly):
    """Go where the neighbors are.

    Args:
        radius: Distance up to which others are neighbors [m]. Raising it makes larger groups.
        law: Be pulled to the centroid ("offset"), or seek it ("seek"): see above.
        strength: Of "offset": force per meter to the centroid [N/m]. Raising it gathers faster. Default: max_force /
            radius, so that a centroid at the edge of the neighborhood pulls with max_force.
        speed: Of "seek": how fast to go [m/s]: a number, "max", "current" or "offset" (slow near the centroid). Raising
            it goes faster.
    """

    law: str = parameter("offset", kind=TEXT, choices=LAWS)
    strength: float | None = parameter(None, low=0.0, unit="N/m", optional=True)
    speed: float | str = parameter("max", choices=("max", "current", "offset"), low=0.0, unit="m/s")

    def needs(self) -> tuple[NeighborSum, ...]:
        """The sum of the ways to the neighbors."""
        return (self.sum_of("offset"),)

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """One call of the law's kernel."""
        offsets = scene.sum(self.needs()[0])
        if self.law == "seek":
            go = drive_numbers(self.speed, scene.vehicles.dtype)
            return [Call(seek_centroid, (scene.columns, offsets, go, scene.clock, out))]
        reach = finite_or(self.radius, 1.0)
        numbers = scene.own("strength", radius=reach)
        return [Call(pull_to_centroid, (scene.columns, offsets, numbers, out))]

    def sketch(self, context: SketchContext) -> Shapes:
        """The neighborhood, and its centroid."""
        yield from super().sketch(context)
        near = self._near(context)
        inside = [near.position[near.of == k] for k in range(len(context.rows))]
        yield from context.goal(
            np.array(
                [each.mean(axis=0) if len(each) else np.full_like(context.position[0], np.nan) for each in inside]
            ),
            "middle of its neighbors",
        )
