"""Vehicles: the population, stored as a struct of arrays.

Reynolds 1999, "A Simple Vehicle Model": mass, position, velocity, maximum force, maximum speed, orientation. Every column
is kept component by component in one block, so that kernels read contiguous numbers, and shown as an `(n, d)` view.
"""

from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from steersman.geometry.angles import wrap_angles
from steersman.geometry.arrays import as_floats, as_points, as_scalars
from steersman.geometry.frames import frame_of
from steersman.geometry.vectors import Array
from steersman.vehicles.body import Body

SCALARS: Final = {
    # name: (default, low, above, unit)
    "mass": (1.0, None, 0.0, "kg"),
    "radius": (0.5, 0.0, None, "m"),
    "max_speed": (1.0, 0.0, None, "m/s"),
    "max_force": (1.0, 0.0, None, "N"),
    "response_time": (0.1, 0.0, None, "s"),
}
VECTORS: Final = ("position", "velocity", "forward", "up")
IDS: Final = 2**32
"""How many ids there are: random numbers take an id as 32 bits."""


class Vehicles:
    """A population of n vehicles in two or three dimensions.

    Row i is the same vehicle until `spawn` or `remove`; its `id` is the same for ever. Columns are live views: they may
    be read and written between steps, and stay valid across steps (not across `spawn` and `remove`).

    Args:
        position: Positions [m], shape (n, 2) or (n, 3); one point (d,) makes one vehicle.
        velocity: Velocities [m/s], shape (n, d) or (d,) for all. Default: at rest.
        forward: Directions the vehicles face, shape (n, d) or (d,); normalized. Default: along the velocity, and along
            the x axis for a vehicle at rest.
        up: Up directions (3D only), shape (n, 3) or (3,); made perpendicular to `forward`. Default: the z axis.
        heading: Heading angles [rad] (2D only), counter-clockwise from the x axis, instead of `forward`.
        mass: Masses [kg], > 0.
        radius: Bounding radii [m].
        max_speed: Top speeds [m/s].
        max_force: Largest steering forces [N].
        response_time: Time in which a behavior that wants a velocity tries to reach it [s]. Small is snappy, large is
            soft; motion is monotone while dt <= response_time and stable while dt < 2 response_time. "step" means the
            current time step. `response_time=mass` (in numbers) gives Reynolds' literal `desired - velocity`.
        id: Names of the vehicles, whole numbers >= 0, all different. Default: 0, 1, 2, ...
        dtype: np.float32 or np.float64, of every column.

    Raises:
        TypeError: An argument does not consist of numbers.
        ValueError: A shape does not fit, a number is NaN, infinite or out of range, or an id is there twice.
    """

    def __init__(
        self,
        position: Any,
        velocity: Any = None,
        *,
        forward: Any = None,
        up: Any = None,
        heading: Any = None,
        mass: Any = 1.0,
        radius: Any = 0.5,
        max_speed: Any = 1.0,
        max_force: Any = 1.0,
        response_time: Any = 0.1,
        id: Any = None,
        dtype: Any = np.float32,
    ) -> None:
        self.dtype: np.dtype[Any] = np.dtype(dtype)
        if self.dtype not in (np.dtype(np.float32), np.dtype(np.float64)):
            raise ValueError(f"dtype must be float32 or float64, got {self.dtype}")
        self.revision = 0
        points = as_points("position", position, self.dtype)
        self.dimensions: int = points.shape[1]
        self._allocate(len(points))
        self._next_id = 0
        self._fill(
            slice(None),
            points,
            velocity=velocity,
            forward=forward,
            up=up,
            heading=heading,
            id=id,
            mass=mass,
            radius=radius,
            max_speed=max_speed,
            max_force=max_force,
            response_time=response_time,
        )

    # ------------------------------------------------------------------------------------------------ storage

    def _allocate(self, n: int) -> None:
        """Make the block of columns: vectors component by component, then scalars."""
        d = self.dimensions
        vectors = VECTORS if d == 3 else VECTORS[:3]
        self._block: Array = np.zeros((d * len(vectors) + len(SCALARS), n), self.dtype)
        self._column: dict[str, Array] = {name: self._block[d * k : d * (k + 1)] for k, name in enumerate(vectors)}
        for k, name in enumerate(SCALARS):
            self._column[name] = self._block[d * len(vectors) + k]
        self._ids: Array = np.zeros(n, np.int64)

    def _fill(
        self, rows: Any, position: Array, *, velocity: Any, forward: Any, up: Any, heading: Any, id: Any, **scalars: Any
    ) -> None:
        """Validate everything, then write it to the rows."""
        n = len(position)
        velocities = self._vectors("velocity", np.zeros(self.dimensions) if velocity is None else velocity, n)
        ids = self._new_ids(id, n, rows)
        forwards, ups = self._frames(velocities, forward, up, heading, n)
        columns = {name: self._scalar(name, value, n) for name, value in scalars.items()}
        self._column["position"][:, rows] = position.T
        self._column["velocity"][:, rows] = velocities.T
        self._column["forward"][:, rows] = forwards.T
        if ups is not None:
            self._column["up"][:, rows] = ups.T
        for name, column in columns.items():
            self._column[name][rows] = column
        self._ids[rows] = ids
        self._next_id = max(self._next_id, int(ids.max(initial=-1)) + 1)

    def _vectors(self, name: str, value: Any, n: int) -> Array:
        values = as_floats(name, value, self.dtype)
        d = self.dimensions
        if values.shape not in ((d,), (n, d)):
            raise ValueError(f"{name} must have shape ({n}, {d}) or ({d},), like position, got {values.shape}")
        return np.array(np.broadcast_to(values, (n, d)))

    def _scalar(self, name: str, value: Any, n: int) -> Array:
        if name == "response_time" and isinstance(value, str):
            if value != "step":
                raise ValueError(f'response_time must be "step" or a number >= 0 s, got {value!r}')
            value = 0.0
        _, low, above, unit = SCALARS[name]
        return as_scalars(name, value, n, self.dtype, low=low, above=above, unit=unit)

    def _frames(self, velocity: Array, forward: Any, up: Any, heading: Any, n: int) -> tuple[Array, Array | None]:
        if heading is not None:
            if self.dimensions != 2 or forward is not None:
                raise ValueError("heading is for 2D vehicles, and instead of forward: give one of the two")
            angle = as_scalars("heading", heading, n, self.dtype, low=None, above=None, unit="rad")
            forward = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        if up is not None and self.dimensions != 3:
            raise ValueError(f"up is for 3D vehicles; these have {self.dimensions} dimensions")
        given = None if forward is None else self._vectors("forward", forward, n)
        if given is not None and not np.all(np.any(given != 0, axis=1)):
            raise ValueError("forward must not be the zero vector")
        direction = velocity if given is None else given
        wanted_up = None if self.dimensions == 2 else self._vectors("up", (0.0, 0.0, 1.0) if up is None else up, n)
        return frame_of(direction, wanted_up)

    def _new_ids(self, id: Any, n: int, rows: Any) -> Array:
        if id is None:
            if self._next_id + n > IDS:
                raise ValueError(f"id must be given: the next free one is {self._next_id}, and 2**32 - 1 is the last")
            return np.arange(self._next_id, self._next_id + n, dtype=np.int64)
        given = np.atleast_1d(np.asarray(id))
        if given.dtype.kind not in "iu" or given.shape != (n,):
            raise ValueError(f"id must be whole numbers of shape ({n},), got {given.dtype} of shape {given.shape}")
        if given.min(initial=0) < 0 or given.max(initial=0) >= IDS:
            raise ValueError(f"id must be between 0 and 2**32 - 1, got {given.min()} to {given.max()}")
        ids = given.astype(np.int64)
        before = self._ids[: self._ids.size - n] if isinstance(rows, slice) and rows.start else self._ids[:0]
        together = np.concatenate([before, ids])
        names, counts = np.unique(together, return_counts=True)
        if np.any(counts > 1):
            raise ValueError(f"id must be different for every vehicle, got {names[counts > 1][0]} more than once")
        return ids

    def __getstate__(self) -> dict[str, Any]:
        return {
            "dtype": self.dtype, "dimensions": self.dimensions, "block": self._block.copy(), "ids": self._ids.copy(),
            "next_id": self._next_id, "revision": self.revision,
        }  # fmt: skip

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.dtype, self.dimensions = state["dtype"], state["dimensions"]
        self._next_id, self.revision = state["next_id"], state["revision"]
        self._allocate(state["block"].shape[1])
        self._block[...] = state["block"]
        self._ids[...] = state["ids"]

    # ------------------------------------------------------------------------------------------------ columns

    def __len__(self) -> int:
        return int(self._block.shape[1])

    def __repr__(self) -> str:
        return f"Vehicles(n={len(self)}, dimensions={self.dimensions}, dtype={self.dtype})"

    def _set_vectors(self, name: str, value: Any) -> None:
        self._column[name][...] = self._vectors(name, value, len(self)).T

    @property
    def position(self) -> Array:
        """Positions [m], shape (n, d), a live view."""
        return self._column["position"].T

    @position.setter
    def position(self, value: Any) -> None:
        self._set_vectors("position", value)

    @property
    def velocity(self) -> Array:
        """Velocities [m/s], shape (n, d), a live view."""
        return self._column["velocity"].T

    @velocity.setter
    def velocity(self, value: Any) -> None:
        self._set_vectors("velocity", value)

    @property
    def forward(self) -> Array:
        """Unit vectors the vehicles face, shape (n, d), a live view. Assigning normalizes, and squares `up` in 3D."""
        return self._column["forward"].T

    @forward.setter
    def forward(self, value: Any) -> None:
        up = self._column["up"].T.copy() if self.dimensions == 3 else None
        forwards, ups = self._frames(self.velocity, value, up, None, len(self))
        self._column["forward"][...] = forwards.T
        if ups is not None:
            self._column["up"][...] = ups.T

    @property
    def up(self) -> Array:
        """Up directions, shape (n, 3), a live view (3D only).

        Raises:
            AttributeError: The vehicles are in 2D.
        """
        if self.dimensions != 3:
            raise AttributeError("2D vehicles have no up: it is the constant normal of the plane")
        return self._column["up"].T

    @up.setter
    def up(self, value: Any) -> None:
        if self.dimensions != 3:
            raise AttributeError("2D vehicles have no up: it is the constant normal of the plane")
        _, ups = self._frames(self.velocity, self.forward.copy(), value, None, len(self))
        assert ups is not None
        self._column["up"][...] = ups.T

    @property
    def side(self) -> Array:
        """Side directions forward x up, to the right of the vehicle, shape (n, d), a copy."""
        forward = self.forward
        if self.dimensions == 2:
            return np.stack([forward[:, 1], -forward[:, 0]], axis=1)
        return np.cross(forward, self.up)

    @property
    def heading(self) -> Array:
        """Heading angles [rad] in (-pi, pi], counter-clockwise from the x axis, shape (n,), a copy (2D only).

        Raises:
            AttributeError: The vehicles are in 3D.
        """
        if self.dimensions != 2:
            raise AttributeError("3D vehicles have no heading angle: use forward and up")
        return wrap_angles(np.arctan2(self.forward[:, 1], self.forward[:, 0]))

    @heading.setter
    def heading(self, value: Any) -> None:
        forwards, _ = self._frames(self.velocity, None, None, value, len(self))
        self._column["forward"][...] = forwards.T

    @property
    def speed(self) -> Array:
        """Speeds |velocity| [m/s], shape (n,), a copy."""
        return np.asarray(np.sqrt(np.sum(self._column["velocity"] ** 2, axis=0)))

    @property
    def mass(self) -> Array:
        """Masses [kg], shape (n,), a live view."""
        return self._column["mass"]

    @mass.setter
    def mass(self, value: Any) -> None:
        self._column["mass"][...] = self._scalar("mass", value, len(self))

    @property
    def radius(self) -> Array:
        """Bounding radii [m], shape (n,), a live view."""
        return self._column["radius"]

    @radius.setter
    def radius(self, value: Any) -> None:
        self._column["radius"][...] = self._scalar("radius", value, len(self))

    @property
    def max_speed(self) -> Array:
        """Top speeds [m/s], shape (n,), a live view."""
        return self._column["max_speed"]

    @max_speed.setter
    def max_speed(self, value: Any) -> None:
        self._column["max_speed"][...] = self._scalar("max_speed", value, len(self))

    @property
    def max_force(self) -> Array:
        """Largest steering forces [N], shape (n,), a live view."""
        return self._column["max_force"]

    @max_force.setter
    def max_force(self, value: Any) -> None:
        self._column["max_force"][...] = self._scalar("max_force", value, len(self))

    @property
    def response_time(self) -> Array:
        """Response times [s], shape (n,), a live view; 0 stands for the current time step."""
        return self._column["response_time"]

    @response_time.setter
    def response_time(self, value: Any) -> None:
        self._column["response_time"][...] = self._scalar("response_time", value, len(self))

    @property
    def id(self) -> Array:
        """Names of the vehicles, shape (n,), int64, a read-only view: they stay with a vehicle for ever."""
        ids = self._ids.view()
        ids.flags.writeable = False
        return ids

    @property
    def body(self) -> Body:
        """The columns as kernels take them (live)."""
        column = self._column
        split = {name: tuple(column[name]) for name in VECTORS if name in column}
        return Body(
            position=split["position"],
            velocity=split["velocity"],
            forward=split["forward"],
            up=split.get("up", ()),
            mass=column["mass"],
            radius=column["radius"],
            max_speed=column["max_speed"],
            max_force=column["max_force"],
            response_time=column["response_time"],
            id=self._ids,
        )

    @property
    def block(self) -> Array:
        """All number columns in one array, shape (columns, n): what is checked, hashed and copied as a whole."""
        return self._block

    # ------------------------------------------------------------------------------------------------ frames

    def localize(self, points: Any) -> Array:
        """Points in the vehicles' own frames: how far ahead, (in 3D: how far up,) and how far to the side.

        Args:
            points: World points [m], shape (n, d), one per vehicle, or (d,) for all.

        Returns:
            Local coordinates [m], shape (n, d): (forward, side) in 2D, (forward, up, side) in 3D.
        """
        offset = self._vectors("points", points, len(self)) - self.position
        return np.stack([np.sum(offset * axis, axis=1) for axis in self._axes()], axis=1)

    def globalize(self, local: Any) -> Array:
        """World points from local coordinates: the inverse of `localize`.

        Args:
            local: Local coordinates [m], shape (n, d) or (d,) for all: (forward, side) or (forward, up, side).

        Returns:
            World points [m], shape (n, d).
        """
        values = self._vectors("local", local, len(self))
        world = sum(values[:, k : k + 1] * axis for k, axis in enumerate(self._axes()))
        return np.asarray(self.position + world)

    def _axes(self) -> tuple[Array, ...]:
        return (self.forward, self.side) if self.dimensions == 2 else (self.forward, self.up, self.side)

    # ------------------------------------------------------------------------------------------------ population

    def rows(self, ids: int | Iterable[int]) -> Array:
        """The rows at which vehicles stand now, shape (k,).

        Raises:
            TypeError: An id is no whole number.
            KeyError: There is no vehicle of that id.
        """
        wanted = np.atleast_1d(np.asarray(ids))
        if wanted.dtype.kind not in "iu" and wanted.size:
            raise TypeError(f"ids must be whole numbers, got {wanted.dtype}")
        wanted = wanted.astype(np.int64)
        order = np.argsort(self._ids, kind="stable")
        at = np.searchsorted(self._ids, wanted, sorter=order)
        found = at < len(self)
        found[found] = self._ids[order[at[found]]] == wanted[found]
        if not found.all():
            raise KeyError(f"no vehicle has id {wanted[~found][0]}")
        return np.asarray(order[at])

    def spawn(self, position: Any, velocity: Any = None, **columns: Any) -> Array:
        """Add vehicles at the end.

        Args:
            position: Their positions [m], shape (k, d) or (d,).
            velocity: Their velocities [m/s], shape (k, d) or (d,). Default: at rest.
            **columns: Any other column, as for `Vehicles`. A column left out repeats the last vehicle's value, or the
                default where there is none.

        Returns:
            The new ids, shape (k,). Ids of removed vehicles are never given again.

        Raises:
            TypeError: A column is not known.
            ValueError: As for `Vehicles`; then nothing was added.
        """
        known = {"forward", "up", "heading", "id", *SCALARS}
        if unknown := set(columns) - known:
            raise TypeError(f"spawn got unknown column {sorted(unknown)[0]!r}; known: {', '.join(sorted(known))}")
        points = as_points("position", position, self.dtype, self.dimensions)
        n, k = len(self), len(points)
        for name, (default, *_) in SCALARS.items():
            columns.setdefault(name, self._column[name][-1] if n else default)
        grown = object.__new__(Vehicles)
        grown.dtype, grown.dimensions, grown._next_id = self.dtype, self.dimensions, self._next_id
        grown._allocate(n + k)
        grown._block[:, :n] = self._block
        grown._ids[:n] = self._ids
        vectors = {name: columns.pop(name, None) for name in ("forward", "up", "heading", "id")}
        grown._fill(slice(n, n + k) if n else slice(None), points, velocity=velocity, **vectors, **columns)
        self._adopt(grown)
        return self._ids[n:].copy()

    def remove(self, which: Any) -> None:
        """Take vehicles away; the others keep their order and their ids.

        Args:
            which: A mask of shape (n,), True for those to remove, or a list of ids.

        Raises:
            TypeError: An id is no whole number.
            ValueError: A mask has another shape.
            KeyError: There is no vehicle of an id.
        """
        chosen = np.asarray(which)
        if chosen.dtype == bool:
            if chosen.shape != (len(self),):
                raise ValueError(f"the mask must have shape ({len(self)},), got {chosen.shape}")
            keep = ~chosen
        else:
            keep = np.ones(len(self), bool)
            keep[self.rows(chosen)] = False
        kept = object.__new__(Vehicles)
        kept.dtype, kept.dimensions, kept._next_id = self.dtype, self.dimensions, self._next_id
        kept._allocate(int(keep.sum()))
        kept._block[...] = self._block[:, keep]
        kept._ids[...] = self._ids[keep]
        self._adopt(kept)

    def _adopt(self, other: "Vehicles") -> None:
        self._block, self._column, self._ids = other._block, other._column, other._ids
        self._next_id = other._next_id
        self.revision += 1
