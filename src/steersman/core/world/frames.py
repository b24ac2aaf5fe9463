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
from steersman.core.vehicles.columns import by_name
from steersman.core.vehicles.turnover import turnover
from steersman.core.vehicles.vehicle_columns import Spin, VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.section import RowSection

FRAMES = ("follow", "own")

SAME = 8
"""Directions that differ by fewer rounding errors count as equal, so that frames that fit are not changed."""

NEARLY_HALF = np.float32(1e-3)
"""Within this angle [rad] of half a turn, the axis is computed from the mean of both frames, not from the small sine."""


class LastFrames(NamedTuple):
    """The frames after the last call, for the kernel.

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
def follow(
    i: int, vehicles: VehicleColumns, spin: Spin, assigned: Array, same: Any, dt: Array, last: LastFrames
) -> None:
    """Let unwritten frames follow the velocity, and angular velocities follow written frames.

    Args:
        assigned: Whether all frames were written, shape (1,), uint8.
        same: Squared length of a difference that counts as none.
        dt: Time since the last call [s], shape (1,); 0 where time does not pass: then written frames still count as
            written in the next call.
    """
    forward, before = load(vehicles.forward, i), load(last.forward, i)
    there = before[0] == before[0]
    moved = subtract(forward, before)
    written = assigned[0] != 0 or dot(moved, moved) != ZERO
    written = written or lifted(vehicles.up, last.up, i)
    if not written:
        ahead = heading_after(load(vehicles.velocity, i), forward, vehicles.max_speed[i])
        off = subtract(ahead, forward)
        if dot(off, off) > same:
            store(vehicles.forward, i, ahead)
            realign_row(vehicles.up, i, ahead)
            if dt[0] == ZERO:
                store(last.forward, i, ahead)
                take_up(vehicles.up, last.up, i)
    if dt[0] > ZERO:
        if there and (written or last.turned[i]):
            faster = subtract(load(spin.velocity, i), load(last.rate, i))
            last.turned[i] = dot(faster, faster) == ZERO
            if last.turned[i]:
                turn = rotation(before, up_at(last.up, i), load(vehicles.forward, i), up_at(vehicles.up, i))
                store(spin.velocity, i, scale(turn, ONE / dt[0]))
        store(last.forward, i, load(vehicles.forward, i))
        take_up(vehicles.up, last.up, i)
        store(last.rate, i, load(spin.velocity, i))


class Kept:
    """The columns of vehicles after the last call, of which only those about frames are up to date.

    Args:
        vehicles: The vehicles, which count as they are now.

    Attributes:
        block: The columns, shape (columns, n).
        turned: Whether the angular velocity follows the frame, shape (n,), uint8.
        frames: The columns that the kernel takes.
    """

    def __init__(self, vehicles: Vehicles) -> None:
        self.block, self.turned = vehicles.block.copy(), np.zeros(len(vehicles), np.uint8)
        columns = by_name(self.block, vehicles.dimensions)
        forward, up, rate = (tuple(columns.get(name, ())) for name in ("forward", "up", "angular_velocity"))
        self.frames = LastFrames(forward, up, rate, self.turned)


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
        self._kept: Kept | None = None

    def __getstate__(self) -> dict[str, Any]:
        """All but the section, which the next call binds anew. The moves of copied vehicles count from 0."""
        own = {name: each for name, each in self.__dict__.items() if name != "_section"}
        return own | {"_revision": -1, "_moved": self._moved - self._vehicles.moved}

    def follow(self, dt: float) -> None:
        """Bring frames and angular velocities up to date.

        Args:
            dt: Time since the last call [s]; 0 to look ahead, as an explanation does, without effect on the next call.
        """
        vehicles = self._vehicles
        last = self.make_ready()
        if self._moved != vehicles.moved:
            if dt > 0:
                self._moved, self._written, self._behind = vehicles.moved, vehicles.written, True
            return
        if self._behind:  # A body kept the frames until now, so the present frames are those after the last call.
            last.block[...], last.turned[...] = vehicles.block, 0
            self._behind = False
        self._assigned[0] = self._written != vehicles.written
        self._dt[0] = dt
        self._section.run()
        if dt > 0:
            self._written = vehicles.written

    @property
    def turned(self) -> Array:
        """Whether the angular velocity follows the frame, shape (n,), uint8, a copy; of none that a body keeps."""
        turned = self.make_ready().turned.copy()
        return turned * np.uint8(not self._behind and self._moved == self._vehicles.moved)

    def take_as_they_are(self, turned: Any) -> None:
        """Take the present frames as those after the last call: no frame counts as written since.

        Args:
            turned: As it was then; anything else than one flag per vehicle counts for none.
        """
        self._written, self._moved = self._vehicles.written, self._vehicles.moved
        last = self.make_ready()
        if isinstance(turned, np.ndarray) and turned.shape == last.turned.shape:
            last.turned[...] = turned != 0

    def make_ready(self) -> Kept:
        """Bind the kernel anew, if vehicles have come or gone."""
        if self._kept is None or self._revision != self._vehicles.revision:
            self._kept = self._bind()
        return self._kept

    def _bind(self) -> Kept:
        """Make room for all vehicles; copy the frames after the last call for those that stayed."""
        vehicles, older, dtype = self._vehicles, self._kept, self._vehicles.dtype
        last = Kept(vehicles)
        if older is not None:
            turn = turnover(self._births, vehicles.births)
            rows = turn.from_rows(len(self._births))
            last.block[:, : turn.stayed], last.block[:, turn.stayed :] = older.block[:, rows], np.nan
            last.turned[: turn.stayed] = older.turned[rows]
        self._assigned, self._dt = np.zeros(1, np.uint8), np.zeros(1, dtype)
        same = number(dtype, (SAME * np.finfo(dtype).eps) ** 2)
        arguments = (vehicles.columns, vehicles.spin, self._assigned, same, self._dt, last.frames)
        self._section = RowSection([(vehicles, [Call(follow, arguments)])], self._threads)
        self._births, self._revision = vehicles.births, vehicles.revision
        return last
