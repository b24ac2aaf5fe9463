"""Vehicles: the population, stored as a struct of arrays.

Reynolds 1999, "A Simple Vehicle Model": mass, position, velocity, maximum force, maximum speed, orientation. Every column
is kept component by component in one block (see `columns`), so that kernels read contiguous numbers, and shown as an
`(n, d)` view.
"""

from operator import setitem
from typing import Any, NoReturn, Protocol, Union, overload
from weakref import WeakSet

import numpy as np

from steersman.core.kernels.signals import Action, at_once
from steersman.core.maths.angles import wrap_angles
from steersman.core.parameters.arrays import as_array, as_floats, as_points, frozen
from steersman.core.parameters.brief import brief
from steersman.core.parameters.guiding import explained, suggestion
from steersman.core.parameters.showing import Shown
from steersman.core.typing import Array
from steersman.core.vehicles.choosing import rows_of
from steersman.core.vehicles.columns import SCALARS, Change, Store, as_column, as_dtype, as_turning, as_vectors, by_name
from steersman.core.vehicles.filling import fill
from steersman.core.vehicles.orientation import axes_of, frames, matrices_of, quaternions_of
from steersman.core.vehicles.turns import CHANGING, Turn, each_of, takes_turn
from steersman.core.vehicles.vehicle_columns import Spin, VehicleColumns


class VectorColumn:
    """A column of vectors: read as a live view of shape (n, d), written as a whole."""

    def __init__(self, doc: str) -> None:
        self.__doc__ = doc

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, vehicles: None, owner: type) -> "VectorColumn": ...
    @overload
    def __get__(self, vehicles: "Vehicles", owner: type) -> Array: ...
    def __get__(self, vehicles: "Vehicles | None", owner: type) -> Union["VectorColumn", Array]:
        return self if vehicles is None else vehicles._store.column[self.name].T

    def __set__(self, vehicles: "Vehicles", value: Any) -> None:
        vectors = as_vectors(self.name, value, len(vehicles), vehicles.dimensions, vehicles.dtype)
        vehicles._store.column[self.name][...] = vectors.T


class ScalarColumn:
    """A column of numbers: read as a live view of shape (n,), written as a whole."""

    def __init__(self, doc: str) -> None:
        self.__doc__ = doc

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, vehicles: None, owner: type) -> "ScalarColumn": ...
    @overload
    def __get__(self, vehicles: "Vehicles", owner: type) -> Array: ...
    def __get__(self, vehicles: "Vehicles | None", owner: type) -> Union["ScalarColumn", Array]:
        return self if vehicles is None else vehicles._store.column[self.name][:]

    def __set__(self, vehicles: "Vehicles", value: Any) -> None:
        vehicles._store.column[self.name][...] = as_column(self.name, value, len(vehicles), vehicles.dtype)
        vehicles._store.settle(self.name, value)


class OfPopulation:
    """An attribute of a population that its vehicles lack: reading or assigning it raises an error that says so."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, vehicles: "Vehicles | None", owner: type) -> "OfPopulation":
        if vehicles is None:
            return self
        return self.__set__(vehicles, None)

    def __set__(self, vehicles: "Vehicles", value: Any) -> NoReturn:
        raise AttributeError(
            f"vehicles have no {self.name}, their population has: world.populations[name].{self.name}, or that of the "
            "population that world.add returned"
        )


class Away(Protocol):
    """An object that holds the present values of vehicles elsewhere, as on a GPU, while their columns are out of date."""

    def bring_home(self) -> None:
        """Write the present values to the columns, which are up to date from then on."""


class Vehicles(Shown):
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
        TypeError: An argument does not consist of numbers.
        ValueError: A shape does not fit, a number is NaN, infinite or out of range, or an id is given twice.
    """

    __slots__ = (
        "__weakref__",
        "_away",
        "_held_store",
        "_turns",
        "_undo",
        "dimensions",
        "dtype",
        "moved",
        "rank",
        "revision",
        "share",
        "written",
    )  # A misspelled column is an error.

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
        self.dtype: np.dtype[Any] = as_dtype(dtype)
        self.revision = 0
        self.rank = 0  # The place of their population among those of its world: see `coincident.tie_of`.
        self.moved = 0  # The number of moves by bodies, which keep frames up to date themselves.
        self.written = int(any(frame is not None for frame in (forward, up, heading)))  # The number of assigned frames.
        points = as_points("position", position, self.dtype)
        self.dimensions: int = points.shape[1]
        self._away: Away | None = None
        self.share: Any = None  # See share.py.
        self._held_store = Store(self.dimensions, len(points), self.dtype)
        columns = {
            "velocity": velocity, "forward": forward, "up": up, "heading": heading,
            "angular_velocity": angular_velocity, "id": id,
        }  # fmt: skip
        scalars = {
            "mass": mass, "radius": radius, "max_speed": max_speed, "max_force": max_force,
            "response_time": response_time, "max_angular_speed": max_angular_speed,
            "max_angular_acceleration": max_angular_acceleration, "length": length,
        }  # fmt: skip
        self._turns: WeakSet[Turn] = WeakSet()
        self._undo: list[Action] | None = None
        at_once(fill(self._store, points, columns, scalars).actions)
        for name, value in scalars.items():
            self._store.settle(name, value)

    def __getstate__(self) -> dict[str, Any]:
        return {
            "dtype": self.dtype, "dimensions": self.dimensions, "block": self.block.copy(), "ids": self.id.copy(),
            "next_id": self._store.next_id, "revision": self.revision, "written": self.written,
            "usual": dict(self._store.usual), "births": self._store.births, "born": self._store.born,
        }  # fmt: skip

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.dtype, self.dimensions, self.revision = state["dtype"], state["dimensions"], state["revision"]
        self.moved, self.written, self.rank = 0, state["written"], 0
        self._turns, self._undo, self._away, self.share = WeakSet(), None, None, None
        self._held_store = _stored(state)

    @takes_turn
    def replace(self, state: dict[str, Any]) -> None:
        """Replace all vehicles by those of a state, in one instruction."""
        new = {name: state[name] for name in ("dtype", "dimensions", "written")}
        new |= {
            "_held_store": _stored(state),
            "_away": None,
            "moved": 0,
            "revision": max(self.revision, state["revision"]) + 1,
        }
        at_once([(setattr, self, name, value) for name, value in new.items()])

    @explained
    @takes_turn
    def hold(self, block: Array, ids: Array, births: Array, born: int, next_id: int, room: int | None = None) -> None:
        """Replace all vehicles by others, in the same arrays if there is room.

        Args:
            block: Their columns, as in `block`, shape (columns, n).
            ids, births: Their ids, and the numbers of their births, shape (n,).
            born: The number of vehicles that were ever added.
            next_id: The first id that was never given.
            room: The number of vehicles to make room for, in other arrays.
        """
        self._check_open()
        store = self._store.with_room(len(ids))
        if room is not None:
            usual, store = store.usual, Store(self.dimensions, room, self.dtype)
            store.usual = dict(usual)
        store.next_id = next_id
        store.hold(block, ids, births, born)
        at_once([(setattr, self, "_held_store", store), (setattr, self, "revision", self.revision + 1)])

    @takes_turn
    def append(self, block: Array, ids: Array) -> None:
        """Add vehicles as they are at the end.

        Args:
            block: Their columns, as in `block`, shape (columns, k).
            ids: Their ids, shape (k,).
        """
        self._check_open()
        store = self._store.with_room(len(self) + len(ids))
        columns = {name: values.T for name, values in by_name(block, self.dimensions).items()}
        self._change(store.extending(columns, ids), store)

    @property
    def born(self) -> int:
        """The number of vehicles that were ever added."""
        return self._held_store.born

    @property
    def turns(self) -> list[Turn]:
        """The turns of all worlds and Controllers that step or read these vehicles."""
        return each_of(self._turns)

    def stepped_in(self, turn: Turn) -> None:
        """Let changes of the number of vehicles wait for this turn, from now on."""
        with CHANGING.lock:
            self._turns.add(turn)

    @property
    def _store(self) -> Store:
        """The columns, brought up to date first (see `Away`)."""
        if self._away is not None:
            self._away.bring_home()
        return self._held_store

    def bring_home(self) -> None:
        """Bring the columns, and the memory of behaviors, up to date if their values are elsewhere (see `Away`)."""
        if self._away is not None:
            self._away.bring_home()

    def leave(self, away: "Away | None") -> None:
        """Note that another object holds the present values, until they are asked for; None: the columns are up to date."""
        self._away = away

    def undoing(self, undo: list[Action] | None) -> None:
        """Record the actions that undo each change from now on, those of the last change first; None ends recording.

        Args:
            undo: The list that takes the actions.
        """
        self._undo = undo

    def undone(self) -> Action:
        """`undoing(None)` as an action (see `signals.at_once`)."""
        return (setattr, self, "_undo", None)

    def shut(self) -> None:
        """Make the columns read-only while behaviors read them."""
        self._store.shut()

    def open(self) -> None:
        """Make the columns writable again."""
        self._store.open()

    # ------------------------------------------------------------------------------------------------ columns

    def __len__(self) -> int:
        return len(self._held_store)

    def __repr__(self) -> str:
        return f"Vehicles(n={len(self)}, dimensions={self.dimensions}, dtype={self.dtype})"

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

        Raises:
            ValueError: There is no such column, or an array has another shape.
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

    @property
    def id(self) -> Array:
        """Names of the vehicles, shape (n,), int64, read-only: they stay with a vehicle for ever."""
        return self._held_store.ids[:]

    @property
    def births(self) -> Array:
        """Numbers in order of creation, shape (n,), int64, read-only. Ids may be given again, these numbers never."""
        return self._held_store.births

    @property
    def columns(self) -> VehicleColumns:
        """The columns as kernels take them (live): arrays of shape (room,), of which the first n rows are the vehicles."""
        return self._store.columns

    @property
    def spin(self) -> Spin:
        """The columns about turning as kernels take them (live), of shape (room,)."""
        return self._store.spin

    @property
    def body_lengths(self) -> Array:
        """The lengths of the bodies as kernels take them (live) [m], shape (room,)."""
        return self._store.lengths

    @property
    def room(self) -> int:
        """The number of vehicles that `columns` and `spin` have room for; with more, these become other arrays."""
        return self._held_store.room

    @property
    def storage(self) -> object:
        """An object that stands for the arrays of all columns: after they became other arrays, it is another object."""
        return self._held_store

    @property
    def block(self) -> Array:
        """All number columns in one array, shape (columns, n), which is checked, hashed and copied as a whole."""
        return self._store.block[:]

    @property
    def count(self) -> Array:
        """The number of vehicles, for kernels (live), shape (1,), int64."""
        return self._held_store.count

    @property
    def whole(self) -> Array:
        """All number columns in one array with all its room, shape (columns, room), for kernels (live)."""
        return self._store.whole

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

        Raises:
            TypeError: An id is no whole number.
            ValueError: A mask has another shape.
            KeyError: No vehicle has a given id.
        """
        return rows_of(self.id, which)

    def alive(self, ids: Any) -> Array:
        """Whether vehicles with some ids exist, shape (k,), bool: `vehicles.rows(ids[vehicles.alive(ids)])`.

        Args:
            ids: An id, or ids in any order.

        Raises:
            TypeError: An id is no whole number.
        """
        queried = np.atleast_1d(as_array("ids", ids))
        if queried.dtype.kind not in "iu" and queried.size:
            raise TypeError(f"ids must be whole numbers, got {queried.dtype}")
        return np.asarray(np.isin(queried, self.id))

    def usual(self, column: str) -> float:
        """The value that new vehicles get in a column of numbers that is not given to `spawn`.

        Raises:
            ValueError: There is no such column of numbers.
        """
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
            TypeError: An id is no whole number.
            ValueError: A mask has another shape.
            KeyError: No vehicle has a given id.
            RuntimeError: As for `spawn`.
        """
        self._check_open()
        gone = np.unique(self.rows(which))
        if len(gone):  # Users remove by a mask in every step, mostly no vehicle: then no plan needs to be bound anew.
            self._change(self._store.dropping(gone, may_return=self._undo is not None), self._store)

    def _change(self, change: Change, store: Store) -> None:
        """Change the number of vehicles, in one instruction."""
        revision = self.revision + 1
        undo: list[Action] = []
        if self._undo is not None:
            back = [
                *change.back(),
                (setattr, self, "_held_store", self._store),
                (setattr, self, "revision", revision + 1),
            ]
            undo = [(setitem, self._undo, slice(0, 0), back)]
        at_once([*undo, *change.actions, (setattr, self, "_held_store", store), (setattr, self, "revision", revision)])

    def _check_open(self) -> None:
        """Raise RuntimeError while behaviors read the columns."""
        if self._store.is_shut:
            raise RuntimeError(
                "vehicles must not be spawned or removed in the middle of a step; do that between steps: in a loop of your "
                "own, in a function given to on_step, or in on_enter of Modes"
            )


def _stored(state: dict[str, Any]) -> Store:
    """A store with the columns of the vehicles of a state (see `Vehicles.__getstate__`)."""
    store = Store(state["dimensions"], len(state["ids"]), state["dtype"], state["next_id"])
    store.hold(state["block"], state["ids"], state["births"], state["born"])
    store.usual = state["usual"]
    return store
