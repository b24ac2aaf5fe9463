"""SurfaceBound: a body that moves upon a surface.

    velocity = truncate(velocity + tangential(force) / mass * dt, max_speed)
    position = put on the surface (position + velocity * dt)
    up       = normal there;  the velocity is turned into the new tangential plane, and keeps its speed

Reynolds 1999, "Locomotion": motion constrained to a surface is a matter of the body; the steering behaviors do not know
which surface it is. Only the tangential part of a force has an effect, as on a bead on a wire: going uphill costs nothing.
So behaviors that choose a side, to avoid, to evade, to flee or to make way, choose one across `up` (`maths/ground.py`);
and flow fields, paths and regions may be of two dimensions: they steer by x and y (`steering/scene/on_plan.py`).
"""

import math
from typing import Any, ClassVar, final

import numpy as np

from steersman.core.environment.shape import check_fit
from steersman.core.environment.surface import Ground
from steersman.core.environment.surfaces.kind import SURFACE
from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.locomotion.chassis import Chassis, Motion
from steersman.core.locomotion.locomotion import Locomotion
from steersman.core.locomotion.registry import locomotion
from steersman.core.maths import vectors as v
from steersman.core.maths.facing import moves
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.vehicle_columns import VehicleColumns

LOST = np.float32(1e-6)
"""Below this part of its squared length nothing is left of a vector that has been laid into a plane but rounding."""


@kernel
def laid_down(a: Vector, normal: Vector) -> Vector:
    """The vector turned into the plane of this normal, with its length; zero if it stands on that plane."""
    flat = v.lateral(a, normal)
    flat2, a2 = v.dot(flat, flat), v.dot(a, a)
    if flat2 <= LOST * a2:
        return v.scale(a, v.ZERO)
    return v.scale(flat, math.sqrt(a2 / flat2))


@kernel
def facing_along(forward: Vector, normal: Vector) -> Vector:
    """The unit vector along the surface that is nearest to the old forward."""
    return v.across(forward, normal, v.perpendicular(normal))


@kernel
def stand_up(up: Columns, i: int, normal: Vector) -> None:
    """Turn row i upright; in 2D there is nothing to turn."""
    if len(up) == 3:
        v.store(up, i, normal)


@row_kernel
def lay_force(i: int, up: Columns, force: Columns) -> None:
    """Take away the part of a force along up."""
    if len(up) == 3:
        v.store(force, i, v.lateral(v.load(force, i), v.load(up, i)))


@row_kernel
def propose_on_surface(
    i: int, vehicles: VehicleColumns, ground: Ground, force: Columns, dt: Array, proposed: Columns
) -> None:
    """The tangential velocity after the step: force and speed truncated, as in the paper."""
    normal = v.load(ground.normal, i)
    steering = v.lateral(v.truncate(v.load(force, i), vehicles.max_force[i]), normal)
    velocity = v.add_scaled(laid_down(v.load(vehicles.velocity, i), normal), steering, dt[0] / vehicles.mass[i])
    v.store(proposed, i, v.truncate(velocity, vehicles.max_speed[i]))


@row_kernel
def go_ahead(i: int, ground: Ground, proposed: Columns, dt: Array, ahead: Columns) -> None:
    """Where the proposed velocity leads from the surface."""
    v.store(ahead, i, v.add_scaled(v.load(ground.position, i), v.load(proposed, i), dt[0]))


@row_kernel
def settle_on_surface(i: int, vehicles: VehicleColumns, ground: Ground, proposed: Columns) -> None:
    """Stand on the surface, upright, with the velocity turned along it."""
    normal = v.load(ground.normal, i)
    next_velocity = v.load(proposed, i)
    flat, forward = v.lateral(next_velocity, normal), v.load(vehicles.forward, i)
    flat2, v2 = v.dot(flat, flat), v.dot(next_velocity, next_velocity)
    if flat2 > LOST * v2 and moves(next_velocity, vehicles.max_speed[i]):
        forward = v.scale(flat, v.ONE / math.sqrt(flat2))
        velocity = v.scale(forward, math.sqrt(v2))
    else:
        velocity = laid_down(next_velocity, normal)
        forward = facing_along(forward, normal)
    v.store(vehicles.position, i, v.load(ground.position, i))
    v.store(vehicles.velocity, i, velocity)
    v.store(vehicles.forward, i, forward)
    stand_up(vehicles.up, i, normal)


@locomotion
@final
class SurfaceBound(Locomotion):
    """A point with a mass that moves upon a surface, upright, and faces where it goes.

    Vehicles that are somewhere else are put on the surface in their first step. Speed is not lost or won on slopes. Steer
    by targets on the surface, or above and below it: the part of a force that points away from the surface has no
    effect. FollowFlow, FollowPath, StayOnPath and Contain take a map of two dimensions, seen along z.

    Args:
        surface: The surface to move upon: a Plane, Sphere, Heightfield or TriangleMesh.
    """

    on_ground: ClassVar[bool] = True

    surface: Any = parameter(kind=SURFACE, positional=True)

    def before_limits(self, chassis: Chassis) -> list[Call]:
        """Lay the force into the surface, or limits would take the part that presses a vehicle down for a turn."""
        return [Call(lay_force, (chassis.columns.up, chassis.force))]

    def bind(self, chassis: Chassis) -> Motion:
        """Ask the surface where the vehicles are, propose; then ask where they get to, and settle there."""
        n, d, dtype = chassis.vehicles.capacity, chassis.vehicles.dimensions, chassis.vehicles.dtype
        check_fit("surface", self.surface, d)
        own = chassis.columns
        columns = np.zeros((5, d, n), dtype)
        here, there = (Ground(tuple(columns[k]), tuple(columns[k + 1])) for k in (0, 2))
        ahead = tuple(columns[4])
        return Motion(
            [
                *self.surface.project_calls(own.position, here),
                Call(propose_on_surface, (own, here, chassis.force, chassis.dt, chassis.proposed)),
            ],
            [Call(settle_on_surface, (own, there, chassis.proposed))],
            [Call(go_ahead, (here, chassis.proposed, chassis.dt, ahead)), *self.surface.project_calls(ahead, there)],
            columns[2],
        )
