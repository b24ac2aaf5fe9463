"""Frames: the orientation of vehicles that are moved outside the library.

A game's own physics writes positions and velocities, but not the direction that a vehicle faces. So before it steers, a
Controller lets every frame follow the velocity, as PointMass does:

    forward = unit(velocity), kept while nearly still;   up = the old up, made perpendicular

unless other code has written the frame since the last call. Then it stays as it is: an assignment (`vehicles.heading = ...`)
counts for all vehicles, writing in place (`vehicles.forward[3] = ...`) for its row. Vehicles that a body of the library
(`PointMass().advance`) or a World moves have frames that are up to date. The angular velocity follows a written frame, unless
other code has written it, too:

    angular velocity = rotation since the last call / dt
"""

import math
from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.numbers import number
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.facing import heading_after
from steersman.core.maths.frames import realign_row, up_at
from steersman.core.maths.vectors import HALF, ONE, TINY, ZERO, add, cross, dot, load, normalize, scale, store, subtract
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.turnover import turnover
from steersman.core.vehicles.vehicle_columns import Spin, VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.section import RowSection

FRAMES = ("follow", "own")

SAME = 8
"""Directions that differ by fewer rounding errors count as equal, so that frames that fit are not changed."""

NEARLY_HALF = np.float32(1e-3)
"""Within this angle [rad] of half a turn, the axis is computed from the mean of both frames, not from the small sine."""


class Left(NamedTuple):
    """The frames that the last call has left.

    Attributes:
        forward: The forward vectors, d arrays of shape (n,); NaN for new vehicles.
        up: The up vectors, 3 arrays in 3D, empty in 2D.
        rate: The angular velocities [rad/s], 1 or 3 arrays of shape (n,).
        turned: Whether the angular velocity follows the frame, shape (n,), uint8.
    """

    forward: Columns
    up: Columns
    rate: Columns
    turned: Array


@kernel
def rotation(before: Vector, before_up: Vector, after: Vector, after_up: Vector) -> Vector:
    """The rotation from one frame to another: an angle [rad] in 2D, a rotation vector [rad] in 3D, the short way round."""
    if len(before) == 2:
        return (math.atan2(before[0] * after[1] - before[1] * after[0], dot(before, after)),)
    side, after_side = cross(before, before_up), cross(after, after_up)
    sine = scale(add(add(cross(before, after), cross(before_up, after_up)), cross(side, after_side)), HALF)
    cosine = HALF * (dot(before, after) + dot(before_up, after_up) + dot(side, after_side) - ONE)
    size = math.sqrt(dot(sine, sine))
    if cosine > ZERO and size * size <= TINY:
        return sine
    if cosine > ZERO or size > NEARLY_HALF:
        return scale(sine, math.atan2(size, cosine) / size)
    axis = add(before, after)  # The mean of the two is the axis.
    if not dot(axis, axis) > ONE:
        axis = add(before_up, after_up)
        if not dot(axis, axis) > ONE:
            axis = add(side, after_side)
    angle = math.atan2(size, cosine)
    return scale(normalize(axis), -angle if dot(axis, sine) < ZERO else angle)


@kernel
def lifted(up: Columns, before: Columns, i: int) -> Any:
    """Whether row i of the up columns has changed; in 2D there are no up columns."""
    if len(up) == 3:
        return up[0][i] != before[0][i] or up[1][i] != before[1][i] or up[2][i] != before[2][i]
    return False


@kernel
def take_up(up: Columns, to: Columns, i: int) -> None:
    """Copy row i of the up columns; in 2D there are no up columns."""
    if len(up) == 3:
        to[0][i], to[1][i], to[2][i] = up[0][i], up[1][i], up[2][i]


@row_kernel
def follow(i: int, vehicles: VehicleColumns, spin: Spin, assigned: Array, same: Any, dt: Array, left: Left) -> None:
    """Let unwritten frames follow the velocity, and angular velocities follow written frames.

    Args:
        assigned: Whether all frames were written, shape (1,), uint8.
        same: Squared length of a difference that counts as none.
        dt: Time since the last call [s], shape (1,); 0 where time does not pass: then written frames still count as
            written in the next call.
    """
    forward, before = load(vehicles.forward, i), load(left.forward, i)
    there = before[0] == before[0]
    moved = subtract(forward, before)
    written = assigned[0] != 0 or dot(moved, moved) != ZERO
    written = written or lifted(vehicles.up, left.up, i)
    if not written:
        ahead = heading_after(load(vehicles.velocity, i), forward, vehicles.max_speed[i])
        off = subtract(ahead, forward)
        if dot(off, off) > same:
            store(vehicles.forward, i, ahead)
            realign_row(vehicles.up, i, ahead)
            if dt[0] == ZERO:
                store(left.forward, i, ahead)
                take_up(vehicles.up, left.up, i)
    if dt[0] > ZERO:
        if there and (written or left.turned[i]):
            faster = subtract(load(spin.velocity, i), load(left.rate, i))
            left.turned[i] = dot(faster, faster) == ZERO
            if left.turned[i]:
                turn = rotation(before, up_at(left.up, i), load(vehicles.forward, i), up_at(vehicles.up, i))
                store(spin.velocity, i, scale(turn, ONE / dt[0]))
        store(left.forward, i, load(vehicles.forward, i))
        take_up(vehicles.up, left.up, i)
        store(left.rate, i, load(spin.velocity, i))


class Frames:
    """Keeps the frames of vehicles that are moved outside the library.

    Args:
        vehicles: The vehicles.
        threads: The number of threads.
    """

    def __init__(self, vehicles: Vehicles, threads: int) -> None:
        self._vehicles, self._threads = vehicles, threads
        self._written, self._moved, self._revision, self._behind = 0, vehicles.moved, -1, False
        self._births: Array = np.zeros(0, np.int64)
        self._left: Any = None
        self._turned: Array = np.zeros(0, np.uint8)

    def follow(self, dt: float) -> None:
        """Bring frames and angular velocities up to date.

        Args:
            dt: Time since the last call [s]; 0 to look ahead, as an explanation does, without effect on the next call.
        """
        vehicles = self._vehicles
        self.make_ready()
        if self._moved != vehicles.moved:
            if dt > 0:
                self._moved, self._written, self._behind = vehicles.moved, vehicles.written, True
            return
        if self._behind:  # A body kept the frames until now, so the present frames are those after the last call.
            self._left[...], self._turned[...] = vehicles.block[self._rows], 0
            self._behind = False
        self._assigned[0] = self._written != vehicles.written
        self._dt[0] = dt
        self._section.run()
        if dt > 0:
            self._written = vehicles.written

    def take_as_they_are(self) -> None:
        """Take the present frames as those after the last call: no frame counts as written since."""
        self._written, self._moved = self._vehicles.written, self._vehicles.moved
        self.make_ready()

    def make_ready(self) -> None:
        """Bind the kernel anew, if vehicles have come or gone."""
        if self._revision != self._vehicles.revision:
            self._bind()

    def _bind(self) -> None:
        """Make room for all vehicles; copy the frames after the last call for those that stayed."""
        vehicles, older, births = self._vehicles, self._left, self._births
        n, d, dtype = len(vehicles), vehicles.dimensions, vehicles.dtype
        self._rows = slice(2 * d, 3 * d + 1 if d == 2 else 3 * d + 6)  # forward, up, angular velocity
        now = vehicles.block[self._rows]
        left, turned = now.copy(), np.zeros(n, np.uint8)
        if older is not None:
            turn = turnover(births, vehicles.births)
            rows = turn.from_rows(len(births))
            left[:, : turn.stayed], left[:, turn.stayed :] = older[:, rows], np.nan
            turned[: turn.stayed] = self._turned[rows]
        self._assigned, self._dt = np.zeros(1, np.uint8), np.zeros(1, dtype)
        same = number(dtype, (SAME * np.finfo(dtype).eps) ** 2)
        forward, up, rate = np.split(left, [d, d if d == 2 else 2 * d])
        as_left = Left(tuple(forward), tuple(up), tuple(rate), turned)
        arguments = (vehicles.columns, vehicles.spin, self._assigned, same, self._dt, as_left)
        self._section = RowSection([(vehicles, [Call(follow, arguments)])], self._threads)
        self._left, self._turned, self._births, self._revision = left, turned, vehicles.births, vehicles.revision
