"""ReachOrientation: turn to an orientation and stay there.

    2D: turn = wanted heading - heading, wrapped to (-pi, pi]
    3D: turn = the rotation vector from the present frame to the wanted one, by pi at most

The Unity lecture's angular steering, which its Face and Look Where You're Going share: reach a given orientation; the
lecture adds up absolute angles where the rest of the turn is meant.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.frames import side_of, up_at
from steersman.core.maths.shapes import Pose
from steersman.core.maths.vectors import HALF, ONE, ZERO, add, add_scaled, cross, dot, load, normalize, scale
from steersman.core.parameters.arrays import as_floats, frozen
from steersman.core.parameters.kinds import Kind
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.driving.turning import Turning, TurningNumbers, turn_by, turn_toward
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext, rows_of
from steersman.core.steering.targets.selection import WHICH
from steersman.core.steering.tree.forces import Out
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.holding import vehicles_of
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.orientation import axes_of
from steersman.core.vehicles.vehicle_columns import Spin, VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles

NEARLY_BACK = np.float32(2e-3)
"""Twice the sine of the angle to a half turn below which the axis is better read from the symmetric part."""


class TargetOrientations(NamedTuple):
    """Orientations to reach.

    Attributes:
        forward: Unit vectors, d arrays of shape (m,).
        up: Unit vectors, 3 arrays of shape (m,) in 3D, an empty tuple in 2D.
        pick: For every vehicle the row of its orientation, -1 for none; shape (n,), int64.
    """

    forward: Columns
    up: Columns
    pick: Array


@kernel
def turn_between(forward: Vector, up: Vector, desired: Vector, desired_up: Vector) -> Vector:
    """The rotation vector from one 3D frame to another."""
    side, desired_side = side_of(forward, up), side_of(desired, desired_up)
    vee = add(add(cross(forward, desired), cross(up, desired_up)), cross(side, desired_side))
    cosine = HALF * (dot(forward, desired) + dot(up, desired_up) + dot(side, desired_side) - ONE)
    size = math.sqrt(dot(vee, vee))
    angle = math.atan2(HALF * size, cosine)
    if size >= NEARLY_BACK or cosine >= ZERO:
        return scale(normalize(vee), angle)
    # Nearly a half turn: every column of the rotation plus the identity lies along the axis. Take the longest.
    x = half_turn_column(forward, up, side, desired, desired_up, desired_side, 0)
    y = half_turn_column(forward, up, side, desired, desired_up, desired_side, 1)
    z = half_turn_column(forward, up, side, desired, desired_up, desired_side, 2)
    axis = x
    if y[1] > axis[0] and y[1] >= z[2]:
        axis = y
    elif z[2] > axis[0]:
        axis = z
    axis = normalize(axis)
    if dot(axis, vee) < ZERO:
        axis = scale(axis, -ONE)
    return scale(axis, angle)


@kernel
def half_turn_column(a: Vector, b: Vector, c: Vector, to_a: Vector, to_b: Vector, to_c: Vector, k: int) -> Vector:
    """Column k of R + R' + 2, where R rotates the frame (a, b, c) to (to_a, to_b, to_c)."""
    column = add_scaled(add_scaled(scale(to_a, a[k]), to_b, b[k]), to_c, c[k])
    column = add_scaled(add_scaled(add_scaled(column, a, to_a[k]), b, to_b[k]), c, to_c[k])
    two = ONE + ONE
    return (
        column[0] + (two if k == 0 else ZERO),
        column[1] + (two if k == 1 else ZERO),
        column[2] + (two if k == 2 else ZERO),
    )


@row_kernel
def reach_orientation(
    i: int,
    vehicles: VehicleColumns,
    spin: Spin,
    desired: TargetOrientations,
    how: TurningNumbers,
    clock: Clock,
    out: Out,
) -> None:
    """Turn to the wanted orientation; claim as long as there is one."""
    j = desired.pick[i]
    if j >= 0:
        turn = turn_to_frame(
            load(vehicles.forward, i), up_at(vehicles.up, i), load(desired.forward, j), up_at(desired.up, j)
        )
        turn_by(i, turn, spin, vehicles.response_time, how, clock.dt[0], out)


@kernel
def turn_to_frame(forward: Vector, up: Vector, desired: Vector, desired_up: Vector) -> Vector:
    """The shortest turn from one frame to another, in 2D or 3D."""
    if len(forward) == 2:
        return turn_toward(forward, desired, up)
    return turn_between(forward, up, desired, desired_up)


def as_orientation(name: str, value: Any) -> Any:
    """Headings or quaternions, read-only; or vehicles."""
    vehicles = vehicles_of(value)
    if vehicles is not None:
        return vehicles
    numbers = frozen(as_floats(name, value, np.float64))
    if numbers.ndim > 2 or (numbers.ndim == 2 and (numbers.shape[1] != 4 or not numbers.any(axis=1).all())):
        raise ValueError(
            f"{name} must be headings of shape () or (n,), or quaternions of shape (4,) or (n, 4) that are not zero, "
            f"got shape {numbers.shape}"
        )
    return numbers


ORIENTATION = Kind("orientation", "an angle, a quaternion or a population", as_orientation)


@registered
class ReachOrientation(Turning):
    """Turn to an orientation, the short way round, and stay there.

    It steers the orientation alone: add it to a behavior that steers the velocity, and use a body that turns by itself
    (FreeBody).

    Args:
        orientation: The orientation to reach. In 2D a heading [rad], one for all or one per vehicle, shape (n,). In 3D a
            quaternion (w, x, y, z) of any length, shape (4,) or (n, 4) (see `Vehicles.quaternion`). Or another Vehicles, to
            be turned like it.
        which: The member of a population to be turned like: "nearest", "first", an id, ids (one per vehicle) or a mask.
    """

    orientation: Any = parameter(kind=ORIENTATION, positional=True)
    which: Any = parameter("nearest", kind=WHICH, of="orientation")

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """One call, after those that update the watched members."""
        desired, calls = self._target_orientations(scene)
        arguments = (scene.columns, scene.spin, desired, self.how(scene), scene.clock, out)
        return [*calls, Call(reach_orientation, arguments)]

    def _target_orientations(self, scene: Scene) -> tuple[TargetOrientations, list[Call]]:
        if isinstance(self.orientation, Vehicles):
            quarry, calls = scene.quarry(self.orientation, self.which, "orientation")
            return TargetOrientations(quarry.columns.forward, quarry.columns.up, quarry.pick), calls
        n, dtype, orientation = scene.own_count, scene.vehicles.dtype, self.orientation
        shapes = ((), (n,)) if scene.vehicles.dimensions == 2 else ((4,), (n, 4))
        if orientation.shape not in shapes or (
            orientation.shape == (4,) and scene.vehicles.dimensions == 3 and not orientation.any()
        ):
            allowed = "a heading or shape (n,)" if scene.vehicles.dimensions == 2 else "a quaternion (4,) or (n, 4)"
            raise ValueError(
                f"orientation must be {allowed} for these vehicles, n = {n}, got shape {orientation.shape}"
            )
        one = orientation.ndim < len(shapes[1])
        pick = np.zeros(scene.capacity, np.int64) if one else scene.own_rows()
        if scene.vehicles.dimensions == 2:
            angle = np.atleast_1d(orientation)
            return TargetOrientations(tuple(np.stack([np.cos(angle), np.sin(angle)]).astype(dtype)), (), pick), []
        forward, up = axes_of(np.atleast_2d(orientation))
        return TargetOrientations(_columns(forward, dtype), _columns(up, dtype), pick), []

    def sketch(self, context: SketchContext) -> Shapes:
        """The orientation that it turns to."""
        desired, calls = self._target_orientations(context.scene)
        for call in calls:
            call.run(len(context.scene.vehicles))
        row = desired.pick[context.rows]
        there = (row >= 0)[:, None]
        if len(desired.forward[0]):
            forward = np.where(there, rows_of(desired.forward, np.maximum(row, 0)), np.nan)
            yield Pose(context.position, forward, context.radius, role="target")


def _columns(rows: Array, dtype: Any) -> Columns:
    return tuple(np.ascontiguousarray(rows.T, dtype))
