"""Vehicles: the population, stored as a struct of arrays.

Reynolds 1999, "A Simple Vehicle Model": mass, position, velocity, maximum force, maximum speed, orientation. Every column
is kept component by component in one block (see `columns`), so that kernels read contiguous numbers, and shown as an
`(n, d)` view.
"""

from typing import Any

import numpy as np

from steersman.core.kernels.signals import at_once
from steersman.core.maths.angles import wrap_angles
from steersman.core.parameters.arrays import as_array, as_floats, as_points, frozen
from steersman.core.parameters.brief import brief
from steersman.core.parameters.guiding import explained, suggestion
from steersman.core.typing import Array
from steersman.core.vehicles.attributes import OfPopulation, ScalarColumn, VectorColumn
from steersman.core.vehicles.choosing import rows_of
from steersman.core.vehicles.columns import SCALARS, as_dtype, as_turning, as_vectors
from steersman.core.vehicles.filling import fill
from steersman.core.vehicles.orientation import axes_of, frames, matrices_of, quaternions_of
from steersman.core.vehicles.stored import StoredVehicles
from steersman.core.vehicles.turns import takes_turn


class Vehicles(StoredVehicles):
    """A population of n vehicles in two or three dimensions.

    Row i is the same vehicle until `spawn` or `remove`; its `id` never changes. Columns are live views: they may be read and
    written between steps, and stay valid across steps. Read them anew after `spawn` and `remove`: rows have moved, and an
    older view shows other vehicles, or stale values of removed ones. (`id` is no such view: an older array keeps the older
    ids.)

    Args:
        position: Positions [m], shape (n, 2) or (n, 3); one point (d,) makes one vehicle.
        velocity: Velocities [m/s], shape (n, d) or (d,) for all. Default: at rest.
        forward: Directions the vehicles face, shape (n, d) or (d,); normalized. Default: along the velocity, and along
            the x axis for a vehicle at rest.
        up: Up directions (3D only), shape (n, 3) or (3,); made perpendicular to `forward`. Default: the z axis.
        heading: Heading angles [rad] (2D only), counter-clockwise from the x axis, instead of `forward`.
        angular_velocity: Angular velocities [rad/s], shape (n,) in 2D, counter-clockwise, and (n, 3) in 3D; one for all.
            Default: not turning. Only bodies that turn by themselves, such as FreeBody, use it.
        mass: Masses [kg], > 0.
        radius: Bounding radii [m].
        max_speed: Top speeds [m/s].
        max_force: Largest steering forces [N].
        response_time: Time in which a behavior that wants a velocity tries to reach it [s]. Small is snappy, large is
            soft; motion is monotone while dt <= response_time and stable while dt < 2 response_time. "step" means the
            current time step. `response_time=mass` (in numbers) gives Reynolds' literal `desired - velocity`.
        max_angular_speed: Fastest turning [rad/s] of bodies that turn by themselves.
        max_angular_acceleration: Largest angular steering [rad/s^2].
        length: Lengths of the bodies along `forward`, with the round ends [m]: a body that is longer than wide is a capsule
            about its position, for ZeroOverlap, AvoidNeighbors, ORCA, Separation and Queue; for others it is a ball.
        id: Names of the vehicles, whole numbers >= 0, all different. Default: 0, 1, 2, ...
        dtype: np.float32 or np.float64, of every column.

    Raises:
        ValueError: An id is given twice.
    """

    __slots__ = ()  # A misspelled column is an error.

    def __init__(
        self,
        position: Any,
        velocity: Any = None,
        *,
        forward: Any = None,
        up: Any = None,
        heading: Any = None,
        angular_velocity: Any = None,
        mass: Any = 1.0,
        radius: Any = 0.5,
        max_speed: Any = 1.0,
        max_force: Any = 1.0,
        response_time: Any = 0.1,
        max_angular_speed: Any = 3.0,
        max_angular_acceleration: Any = 10.0,
        length: Any = 0.0,
        id: Any = None,
        dtype: Any = np.float32,
    ) -> None:
        points = as_points("position", position, as_dtype(dtype))
        super().__init__(points.shape[1], len(points), dtype)
        self.written = int(any(frame is not None for frame in (forward, up, heading)))
        columns = {
            "velocity": velocity, "forward": forward, "up": up, "heading": heading,
            "angular_velocity": angular_velocity, "id": id,
        }  # fmt: skip
        scalars = {
            "mass": mass, "radius": radius, "max_speed": max_speed, "max_force": max_force,
            "response_time": response_time, "max_angular_speed": max_angular_speed,
            "max_angular_acceleration": max_angular_acceleration, "length": length,
        }  # fmt: skip
        at_once(fill(self._store, points, columns, scalars).actions)
        for name, value in scalars.items():
            self._store.settle(name, value)

    def __repr__(self) -> str:
        return f"Vehicles(n={len(self)}, dimensions={self.dimensions}, dtype={self.dtype})"

    def __dir__(self) -> list[str]:
        """The names for users, without most of those of the base, which plans and recorders use."""
        return sorted({*vars(Vehicles), *dir(object), "columns", "dimensions", "dtype", "id"})

    # ------------------------------------------------------------------------------------------------ columns

    steering = OfPopulation()
    locomotion = OfPopulation()
    yields = OfPopulation()
    position = VectorColumn("Positions [m], shape (n, d), a live view.")
    velocity = VectorColumn("Velocities [m/s], shape (n, d), a live view.")
    mass = ScalarColumn("Masses [kg], shape (n,), a live view.")
    radius = ScalarColumn("Bounding radii [m], shape (n,), a live view.")
    max_speed = ScalarColumn("Top speeds [m/s], shape (n,), a live view.")
    max_force = ScalarColumn("Largest steering forces [N], shape (n,), a live view.")
    response_time = ScalarColumn("Response times [s], shape (n,), a live view; 0 stands for the current time step.")
    max_angular_speed = ScalarColumn("Fastest turning [rad/s], shape (n,), a live view.")
    max_angular_acceleration = ScalarColumn("Largest angular steering [rad/s^2], shape (n,), a live view.")
    length = ScalarColumn("Lengths of the bodies along forward [m], shape (n,), a live view; up to 2 radius: balls.")

    @explained
    def points(self, column: Any = "position", *, whole: bool = False) -> list[Any]:
        """Numbers as plain Python numbers, for libraries that refuse NumPy's: pygame, arcade, Panda3D, tkinter, JSON.

            for center, angle in zip(vehicles.points(), vehicles.points("heading")):
                screen.blit(pygame.transform.rotate(image, math.degrees(angle)), center)

        Args:
            column: A column: "position", "velocity", "forward", "up", or one with a number each, such as "heading", "speed",
                "radius" or "id"; or an array of your own, shape (n, d) or (n,), such as points in pixels.
            whole: Whether to round to whole numbers, as pixels are counted.

        Returns:
            n tuples of d floats (or ints); of numbers, n floats (or ints).
        """
        if isinstance(column, str):
            if column in ("heading", "speed", "id") and (column != "heading" or self.dimensions == 2):
                rows: Any = getattr(self, column)
            elif column not in self._store.column:
                vectors = [
                    f'"{name}"' for name in ("position", "velocity", "forward", "up") if name in self._store.column
                ]
                numbers = '"heading" or "speed"' if self.dimensions == 2 else '"speed"'
                raise ValueError(f"column must be {', '.join(vectors)}, {numbers}, got {brief(column)}")
            else:
                rows = self._store.column[column]
        else:
            rows = np.asarray(column).T
            if rows.ndim not in (1, 2):
                raise ValueError(f"column must have shape (n, d) or (n,), got {rows.T.shape}")
        if whole:
            rows = np.rint(rows).astype(np.int64)
        return rows.tolist() if rows.ndim == 1 else list(zip(*rows.tolist(), strict=True))

    @property
    def speed(self) -> Array:
        """Speeds |velocity| [m/s], shape (n,), a read-only copy: write to `velocity`."""
        return frozen(np.sqrt(np.sum(self._store.column["velocity"] ** 2, axis=0)))

    # ------------------------------------------------------------------------------------------------ orientation

    @property
    def forward(self) -> Array:
        """Unit vectors the vehicles face, shape (n, d), a live view. Assigning normalizes, and squares `up` in 3D."""
        return self._store.column["forward"].T

    @forward.setter
    def forward(self, value: Any) -> None:
        self._turn(value, self.up.copy() if self.dimensions == 3 else None)

    @property
    def up(self) -> Array:
        """Up directions, shape (n, 3), a live view (3D only).

        Raises:
            AttributeError: The vehicles are in 2D.
        """
        if self.dimensions != 3:
            raise AttributeError("2D vehicles have no up: it is the constant normal of the plane")
        return self._store.column["up"].T

    @up.setter
    def up(self, value: Any) -> None:
        if self.dimensions != 3:
            raise AttributeError("2D vehicles have no up: it is the constant normal of the plane")
        _, ups = frames(self.velocity, self.forward.copy(), value, None)
        self.written += 1
        self._store.column["up"][...] = np.asarray(ups).T

    @property
    def side(self) -> Array:
        """Side directions forward x up, to the right of the vehicle, shape (n, d), a read-only copy."""
        forward = self.forward
        if self.dimensions == 2:
            return frozen(np.stack([forward[:, 1], -forward[:, 0]], axis=1))
        return frozen(np.cross(forward, self.up))

    @property
    def heading(self) -> Array:
        """Heading angles [rad] in (-pi, pi], counter-clockwise from the x axis, shape (n,), a read-only copy (2D only).

        Assign to it, or write to `forward`, to turn vehicles.

        Raises:
            AttributeError: The vehicles are in 3D.
        """
        if self.dimensions != 2:
            raise AttributeError("3D vehicles have no heading angle: use forward and up")
        return frozen(wrap_angles(np.arctan2(self.forward[:, 1], self.forward[:, 0])))

    @heading.setter
    def heading(self, value: Any) -> None:
        forwards, _ = frames(self.velocity, None, None, value)
        self.written += 1
        self._store.column["forward"][...] = forwards.T

    @property
    def matrix(self) -> Array:
        """Orientations as rotation matrices, shape (n, d, d), a read-only copy. Columns are forward, left and, in 3D, up."""
        return frozen(matrices_of(self.forward, self.up if self.dimensions == 3 else None))

    @property
    def quaternion(self) -> Array:
        """Orientations as unit quaternions (w, x, y, z) with w >= 0, shape (n, 4), a read-only copy (3D only).

        Assign to it to turn vehicles.

        Raises:
            AttributeError: The vehicles are in 2D.
        """
        if self.dimensions != 3:
            raise AttributeError("2D vehicles have no quaternion: use heading")
        return frozen(quaternions_of(self.matrix))

    @quaternion.setter
    def quaternion(self, value: Any) -> None:
        if self.dimensions != 3:
            raise AttributeError("2D vehicles have no quaternion: use heading")
        quaternions = as_floats("quaternion", value, self.dtype)
        if quaternions.shape not in ((4,), (len(self), 4)) or not quaternions.any(axis=-1).all():
            raise ValueError(f"quaternion must have shape ({len(self)}, 4) or (4,), and none be zero")
        self._turn(*axes_of(np.broadcast_to(quaternions, (len(self), 4))))

    def _turn(self, forward: Any, up: Any) -> None:
        forwards, ups = frames(self.velocity, forward, up, None)
        self.written += 1
        self._store.column["forward"][...] = forwards.T
        if ups is not None:
            self._store.column["up"][...] = ups.T

    @property
    def angular_velocity(self) -> Array:
        """Angular velocities [rad/s], shape (n,) in 2D, counter-clockwise, and (n, 3) in 3D; a live view."""
        column = self._store.column["angular_velocity"]
        return column.T if self.dimensions == 3 else column[0]

    @angular_velocity.setter
    def angular_velocity(self, value: Any) -> None:
        turning = as_turning("angular_velocity", value, len(self), self.dimensions, self.dtype)
        self._store.column["angular_velocity"][...] = turning.T

    def localize(self, points: Any) -> Array:
        """Points in the vehicles' own frames: how far ahead, (in 3D: how far up,) and how far to the side.

        Args:
            points: World points [m], shape (n, d), one per vehicle, or (d,) for all.

        Returns:
            Local coordinates [m], shape (n, d): (forward, side) in 2D, (forward, up, side) in 3D.
        """
        offset = as_vectors("points", points, len(self), self.dimensions, self.dtype) - self.position
        return np.stack([np.sum(offset * axis, axis=1) for axis in self._axes()], axis=1)

    def globalize(self, local: Any) -> Array:
        """World points from local coordinates: the inverse of `localize`.

        Args:
            local: Local coordinates [m], shape (n, d) or (d,) for all: (forward, side) or (forward, up, side).

        Returns:
            World points [m], shape (n, d).
        """
        values = as_vectors("local", local, len(self), self.dimensions, self.dtype)
        world = sum(values[:, k : k + 1] * axis for k, axis in enumerate(self._axes()))
        return np.asarray(self.position + world)

    def _axes(self) -> tuple[Array, ...]:
        return (self.forward, self.side) if self.dimensions == 2 else (self.forward, self.up, self.side)

    # ------------------------------------------------------------------------------------------------ population

    @property
    def next_id(self) -> int:
        """The id that the next vehicle gets by default: neither this id nor a larger one was ever used."""
        return self._store.next_id

    def rows(self, which: Any) -> Array:
        """The rows at which vehicles stand now, shape (k,).

        Args:
            which: An id, ids in any order, or a mask of shape (n,), True for the chosen vehicles.
        """
        return rows_of(self.id, which)

    def alive(self, ids: Any) -> Array:
        """Whether vehicles with some ids exist, shape (k,), bool: `vehicles.rows(ids[vehicles.alive(ids)])`.

        Args:
            ids: An id, or ids in any order.
        """
        queried = np.atleast_1d(as_array("ids", ids))
        if queried.dtype.kind not in "iu" and queried.size:
            raise TypeError(f"ids must be whole numbers, got {queried.dtype}")
        return np.asarray(np.isin(queried, self.id))

    def usual(self, column: str) -> float:
        """The value that new vehicles get in a column of numbers that is not given to `spawn`."""
        if not isinstance(column, str) or column not in SCALARS:
            raise ValueError(f"column must be one of {', '.join(SCALARS)}, got {brief(column)}")
        return self._store.usual_of(column)

    @explained
    @takes_turn
    def spawn(self, position: Any, velocity: Any = None, **columns: Any) -> Array:
        """Add vehicles at the end.

        Args:
            position: Their positions [m], shape (k, d) or (d,).
            velocity: Their velocities [m/s], shape (k, d) or (d,). Default: at rest.
            **columns: Any other column, as for `Vehicles`. A column of numbers that is left out has the value that all
                vehicles were made with, or that was last assigned to all (`vehicles.max_speed = 6`; writing into the
                view changes single vehicles). Where vehicles were made with different values it repeats the last one.
                New vehicles do not turn by default.

        Returns:
            The new ids, shape (k,). Ids of removed vehicles are never given again.

        Raises:
            TypeError: A column is not known.
            ValueError: As for `Vehicles`; then nothing was added.
            RuntimeError: This thread is in the middle of a step. (If another thread is, this one waits for the end of it.)
        """
        self._check_open()
        known = {"forward", "up", "heading", "angular_velocity", "id", *SCALARS}
        if unknown := set(columns) - known:
            wrong = sorted(unknown)[0]
            raise TypeError(f"spawn got unknown column {wrong!r}{suggestion(wrong, sorted(known), label='columns')}")
        points = as_points("position", position, self.dtype, self.dimensions)
        n = len(self)
        scalars: dict[str, Any] = {}
        usual: dict[str, float] = {}
        for name in SCALARS:
            if name in columns:
                scalars[name] = columns.pop(name)
            elif name in self._store.usual:
                usual[name] = self._store.usual[name]
            else:
                scalars[name] = self._store.usual_of(name)
        store = self._store.with_room(n + len(points))
        self._change(fill(store, points, {"velocity": velocity, **columns}, scalars, usual), store)
        return store.ids[n:].copy()

    @takes_turn
    def remove(self, which: Any) -> None:
        """Remove vehicles; the others keep their order and their ids.

            vehicles.remove(vehicles.position[:, 0] > 100)      # a mask
            vehicles.remove([3, 7])                             # ids, never rows

        Args:
            which: A mask of shape (n,), True for vehicles to remove; an id; or ids. Numbers always are ids:
                `np.flatnonzero` returns rows, and `vehicles.id[rows]` are their ids.

        Raises:
            ValueError: The mask is of the numbers 0 and 1.
            RuntimeError: As for `spawn`.
        """
        self._check_open()
        n, numbers = len(self), np.asarray(which)
        if n > 2 and numbers.shape == (n,) and numbers.dtype.kind in "iu" and np.isin(numbers, (0, 1)).all():
            raise ValueError(
                f"numbers are ids, and {brief(which)} looks like a mask: make it one of booleans (`mask == 1`)"
            )
        gone = np.unique(self.rows(which))
        if len(gone):  # Users remove by a mask in every step, mostly no vehicle: then no plan needs to be bound anew.
            self._change(self._store.dropping(gone, may_return=self._undo is not None), self._store)
