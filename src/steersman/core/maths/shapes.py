"""Shapes: the few kinds of drawings in which a behavior shows its construction, as in the figures of Reynolds 1999.

    ScaledArrow(at, value)           an arrow for a velocity or a force, drawn to a scale of its own
    Arrow(tail, tip)                 an arrow from a place to a place
    Line(points)                     a line from point to point
    Circle(center, radius)           a circle; a sphere in 3D
    Sector(center, forward, ...)     a field of view: a pie; a cone in 3D
    Tube(start, end, radius)         a rectangle; a cylinder in 3D
    Cross(center)                    a point
    Pose(position, forward, radius)  a vehicle that could be there

Each object is a batch of k shapes of one kind: plain float64 arrays in meters, in 2D or 3D, without any drawing library. The
role of a shape gives its meaning, from which pictures choose the color. Rows that are not finite are not drawn, so a vehicle
without a target needs no special case.
"""

import math
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from steersman.core.parameters.guiding import suggestion
from steersman.core.typing import Array

ROLES = {
    "velocity": "present velocity",
    "desired": "desired velocity",
    "steering": "steering",
    "part": "part of the steering",
    "target": "where to go",
    "predicted": "predicted position",
    "chosen": "neighbors and obstacles that count",
    "danger": "where not to be",
    "interest": "ways that are good to go",
    "range": "how far it looks",
    "guide": "construction",
}
"""Role -> its meaning, in the words of a legend."""


@dataclass(frozen=True, eq=False)
class Shape:
    """Base of the shapes.

    Attributes:
        role: Its meaning: one of ROLES.
        label: A word beside it.
        means: What it is, in a key to what is drawn. Default: its label, or what its role is called there.
        detail: Whether it belongs to the whole construction alone: the window leaves it out of a reason.
    """

    places: ClassVar[tuple[str, ...]] = ()
    """Names of the fields that hold points or vectors, shape (k, d); the first one says how many there are."""

    numbers: ClassVar[tuple[str, ...]] = ()
    """Names of the fields that hold a number each, shape (k,)."""

    _: KW_ONLY
    role: str = "guide"
    label: str = ""
    means: str = ""
    detail: bool = False

    def __post_init__(self) -> None:
        if self.role not in ROLES:
            near = suggestion(str(self.role), ROLES, label="roles")
            raise ValueError(f"role must be one of the known ones, got {self.role!r}{near}")
        for name, array in self._broadcast().items():
            object.__setattr__(self, name, array)

    def _broadcast(self) -> dict[str, Array]:
        """Name -> array of all fields, with an equal number of rows."""
        places = [np.atleast_2d(np.asarray(self.__dict__[name], np.float64)) for name in self.places]
        numbers = [np.atleast_1d(np.asarray(self.__dict__[name], np.float64)) for name in self.numbers]
        counts = {len(each) for each in (*places, *numbers)} - {1}
        k = counts.pop() if counts else 1
        if any(each.shape[1] != places[0].shape[1] or each.shape[1] not in (2, 3) for each in places):
            got = ", ".join(f"{name} {each.shape}" for name, each in zip(self.places, places, strict=True))
            raise ValueError(f"{type(self).__name__} must have points of shape (k, 2) or (k, 3), all alike, got {got}")
        for name, each in zip((*self.places, *self.numbers), (*places, *numbers), strict=True):
            if len(each) not in (1, k):
                raise ValueError(f"{name} must have one row or {k}, like the other arguments, got {len(each)}")
        wide = {name: np.broadcast_to(each, (k, each.shape[1])) for name, each in zip(self.places, places, strict=True)}
        return wide | {name: np.broadcast_to(each, (k,)) for name, each in zip(self.numbers, numbers, strict=True)}

    def __len__(self) -> int:
        return len(self.__dict__[self.places[0]])

    @property
    def dimensions(self) -> int:
        """2 or 3."""
        return int(self.__dict__[self.places[0]].shape[-1])

    def rows(self, which: Array) -> Self:
        """Some of the batch: rows, or a mask."""
        return replace(self, **{name: self.__dict__[name][which] for name in (*self.places, *self.numbers)})

    def finite(self) -> Self:
        """The shapes that can be seen: those with finite numbers only."""
        if not len(self):
            return self
        visible = np.ones(len(self), bool)
        for name in (*self.places, *self.numbers):
            numbers = self.__dict__[name].reshape(len(self), -1)
            visible &= np.isfinite(numbers).all(axis=1)
        return self if visible.all() else self.rows(visible)

    def distinct(self) -> Self:
        """The distinct shapes of the batch: several vehicles may have equal ones."""
        fields = [self.__dict__[name].reshape(len(self), -1) for name in (*self.places, *self.numbers)]
        _, first = np.unique(np.concatenate(fields, axis=1), axis=0, return_index=True)
        return self if len(first) == len(self) else self.rows(np.sort(first))

    def lifted(self, height: Array) -> Self:
        """The shapes in 3D, at heights z [m], shape (n,): one for each shape, or, for another number, their mean for all."""
        z = height if len(height) == len(self) else np.full(len(self), height.mean())
        places = {name: self.__dict__[name] for name in self.places}
        first, *_ = self.places
        raised = {
            name: np.concatenate([array, _column(z if name in (first, *LIFTED) else 0 * z, array)], axis=-1)
            for name, array in places.items()
        }
        changed: Self = replace(self, **raised)  # type: ignore[arg-type]
        return changed


LIFTED = ("tip", "end")
"""Fields besides the first that hold places, and not directions."""


def _column(numbers: Array, like: Array) -> Array:
    """Numbers (k,) as one more component of vectors (k, ..., d)."""
    return np.broadcast_to(numbers.reshape(-1, *[1] * (like.ndim - 1)), (*like.shape[:-1], 1))


@dataclass(frozen=True, eq=False)
class ScaledArrow(Shape):
    """A velocity or a force. Its length in a picture is the picture's choice; the same for all vectors.

    Attributes:
        at: Where it begins [m], shape (k, d).
        value: The vector, shape (k, d), in its unit.
        unit: "m/s" or "N".
        as_speed: How many m/s one unit stands for, shape (k,), so that velocities and forces are drawn at one scale: of a
            force, the change of velocity within the response time.
    """

    places = ("at", "value")
    numbers = ("as_speed",)

    at: Array
    value: Array
    unit: str = "m/s"
    as_speed: Any = 1.0
    _: KW_ONLY
    role: str = "part"


@dataclass(frozen=True, eq=False)
class Arrow(Shape):
    """An arrow from a place to a place.

    Attributes:
        tail, tip: Where it begins and ends [m], shape (k, d).
    """

    places = ("tail", "tip")

    tail: Array
    tip: Array


@dataclass(frozen=True, eq=False)
class Line(Shape):
    """A line from point to point.

    Attributes:
        points: Its points [m]: of one line (m, d), of k lines (k, m, d).
        closed: Whether the last point is joined to the first.
        filled: Whether a closed one in 2D is drawn as a surface, and not only as an edge.
    """

    places = ("points",)

    points: Array
    closed: bool = False
    filled: bool = False

    def _broadcast(self) -> dict[str, Array]:
        points = np.asarray(self.points, np.float64)
        points = points[None] if points.ndim == 2 else points
        if points.ndim != 3 or points.shape[-1] not in (2, 3):
            raise ValueError(f"points must have shape (m, d) or (k, m, d), got {np.shape(self.points)}")
        return {"points": points}


def segment(
    start: Array, end: Array, role: str = "guide", label: str = "", means: str = "", *, detail: bool = False
) -> Line:
    """Straight lines from points to points [m], shape (k, d) each."""
    both = np.broadcast_arrays(np.atleast_2d(start), np.atleast_2d(end))
    return Line(np.stack(both, axis=1), role=role, label=label, means=means, detail=detail)


@dataclass(frozen=True, eq=False)
class Circle(Shape):
    """A circle; a sphere in 3D.

    Attributes:
        center: Its middle [m], shape (k, d).
        radius: Its radius [m], shape (k,).
        filled: Whether it is drawn as a surface, and not only as an edge.
    """

    places = ("center",)
    numbers = ("radius",)

    center: Array
    radius: Any
    filled: bool = False
    _: KW_ONLY
    role: str = "range"


@dataclass(frozen=True, eq=False)
class Sector(Shape):
    """The places within a distance and a field of view: a pie; a cone with a round end in 3D.

    Attributes:
        center: The places of the eyes [m], shape (k, d).
        forward: Where to, unit vectors, shape (k, d).
        radius: How far [m], shape (k,).
        angle: The full field of view [rad], shape (k,).
        inner_radius: Within which distance all around is seen [m], shape (k,).
    """

    places = ("center", "forward")
    numbers = ("radius", "angle", "inner_radius")

    center: Array
    forward: Array
    radius: Any
    angle: Any = 2 * math.pi
    inner_radius: Any = 0.0
    _: KW_ONLY
    role: str = "range"


@dataclass(frozen=True, eq=False)
class Tube(Shape):
    """The places within a distance of a straight line: a rectangle; a cylinder in 3D.

    Attributes:
        start, end: The ends of its axis [m], shape (k, d).
        radius: Half its width [m], shape (k,).
    """

    places = ("start", "end")
    numbers = ("radius",)

    start: Array
    end: Array
    radius: Any
    _: KW_ONLY
    role: str = "range"


@dataclass(frozen=True, eq=False)
class Cross(Shape):
    """A point.

    Attributes:
        center: Where it is [m], shape (k, d).
    """

    places = ("center",)

    center: Array
    _: KW_ONLY
    role: str = "target"


@dataclass(frozen=True, eq=False)
class Pose(Shape):
    """A vehicle that is not there, but could be: where it will be, or should be.

    Attributes:
        position: Where it is [m], shape (k, d).
        forward: Where it faces, unit vectors, shape (k, d); zero where that is open.
        radius: Its radius [m], shape (k,).
    """

    places = ("position", "forward")
    numbers = ("radius",)

    position: Array
    forward: Array
    radius: Any
    _: KW_ONLY
    role: str = "predicted"


__all__ = ["ROLES", "Arrow", "Circle", "Cross", "Line", "Pose", "ScaledArrow", "Sector", "Shape", "Tube", "segment"]
