"""Sketch context: some vehicles as a node of the steering tree sees them; the node makes its sketch from this.

    def sketch(self, context):
        yield Circle(context.position, self.radius)
        yield segment(context.position, context.watched(self.target).position, role="target")

All arrays have a row for each of the k vehicles that are sketched, in float64; places are the images nearest to them,
so that shapes hang together on a torus. The methods change nothing in the world.
"""

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

import numpy as np

from steersman.core.environment.paths.path import Path, Projection
from steersman.core.kernels.call import run_all
from steersman.core.maths.shapes import Circle, Cross, Line, Pose, ScaledArrow, Sector, Shape, segment
from steersman.core.neighborhood.joined import Joined
from steersman.core.parameters.guiding import explained
from steersman.core.parameters.renaming import RenamedAttribute
from steersman.core.steering.laws.grouping import neighborhood
from steersman.core.steering.laws.predicting import nearest_parts
from steersman.core.steering.laws.vectors import length, to_global
from steersman.core.steering.scene.candidates import candidates
from steersman.core.steering.scene.moving_targets import bind_moving
from steersman.core.steering.scene.on_plan import domain_on_plan
from steersman.core.steering.scene.scene import Plan, Scene
from steersman.core.steering.targets.prediction import Predictor, times_call
from steersman.core.steering.tree.knowledge import Knowledge
from steersman.core.typing import Array, Columns
from steersman.core.vehicles.holding import without_holder
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles

RING = 2.6
"""Radius of the ring around a watched vehicle, in radii of that vehicle."""

NARROW_RING = 1.5
"""The same where several neighbors count, which may stand close together."""


class Watched(NamedTuple):
    """The vehicle, or the point, that each of the sketched vehicles watches; NaN where there is none.

    Attributes:
        row: Its row, -1 for none, shape (k,).
        position: Where it is [m], the nearest image, shape (k, d).
        velocity: How it moves [m/s], shape (k, d); zero for points.
        forward: Where it faces, shape (k, d); zero for points.
        up: Where up is for it, shape (k, 3); zero for points, and in 2D.
        radius: Its radius [m], shape (k,); zero for points.
    """

    row: Array
    position: Array
    velocity: Array
    forward: Array
    up: Array
    radius: Array


class Near(NamedTuple):
    """The neighbors of the sketched vehicles, one after the other.

    Attributes:
        of: Which of the sketched vehicles each is a neighbor of, shape (m,).
        row: Their rows, shape (m,).
        position: Where they are [m], the nearest images, shape (m, d).
    """

    of: Array
    row: Array
    position: Array

    def few(self, most: int) -> "Near":
        """The neighbors of vehicles that have at most `most` of them."""
        some = np.bincount(self.of, minlength=1)[self.of] <= most
        return Near(self.of[some], self.row[some], self.position[some])


Shapes = Iterator[Shape]
"""The pictures of a node."""


@dataclass(frozen=True, eq=False)
class SketchContext:
    """Some vehicles, as a node sees them.

    Attributes:
        scene: The scene of the node.
        rows: Rows of the vehicles, shape (k,).
        memory: The node's memory of them after the step that comes next, name -> array with k rows.
        shown: The values that its kernels showed (see `Scene.show`), name -> array with k rows.
        force: The force that it asks for [N], shape (k, d).
        position: Where they are [m], shape (k, d).
        velocity: How they move [m/s], shape (k, d).
        forward: Where they face, unit vectors, shape (k, d).
        mass: Their masses [kg], shape (k,).
        radius: Their radii [m], shape (k,).
        max_speed: How fast they can go [m/s], shape (k,).
        max_force: How hard they can push [N], shape (k,).
        response_time: Their response times [s], shape (k,); the time step, where that is meant.
    """

    scene: Scene
    rows: Array
    memory: Mapping[str, Array]
    shown: Mapping[str, Any]
    force: Array
    position: Array
    velocity: Array
    forward: Array
    mass: Array
    radius: Array
    max_speed: Array
    max_force: Array
    response_time: Array

    @property
    def brake_force(self) -> Array:
        """How hard their body can brake [N], shape (k,)."""
        return self.scene.stopping * self.max_force

    @classmethod
    def of(cls, scene: Scene, rows: Array, memory: Mapping[str, Array], shown: Mapping[str, Any], force: Array) -> Self:
        """The vehicles of some rows.

        Args:
            scene: The scene of the node.
            rows: Rows, shape (k,).
            memory: The node's memory of all vehicles.
            shown: The values that its kernels showed, for all vehicles.
            force: The forces that it asks for in these rows [N], shape (k, d).
        """
        names = ("position", "velocity", "forward", "mass", "radius", "max_speed", "max_force")
        own = {name: getattr(scene.vehicles, name)[rows].astype(np.float64) for name in names}
        tau = scene.vehicles.response_time[rows].astype(np.float64)
        return cls(
            scene=scene,
            rows=rows,
            memory={name: column[rows].copy() for name, column in memory.items()},
            shown={name: rows_of(value, rows) for name, value in shown.items()},
            force=np.asarray(force, np.float64),
            response_time=np.where(tau > 0, tau, scene.dt),
            **own,
        )

    # ------------------------------------------------------------------------------------------------ looking around

    def ahead(self, seconds: Any) -> Array:
        """Where they will be after a time [s], a number or shape (k,), if they go straight on [m], shape (k, d)."""
        return np.asarray(self.position + self.velocity * np.reshape(seconds, (-1, 1)))

    def image(self, points: Array) -> Array:
        """The images of points [m], shape (d,) or (k, d), that are nearest to them, shape (k, d)."""
        return np.asarray(self.position + self.scene.domain.difference(np.asarray(points, np.float64), self.position))

    whom = RenamedAttribute("watched")

    @explained
    def watched(self, target: Any, which: Any = "nearest") -> Watched:
        """The vehicle or point that each of them watches.

        Args:
            target: A point [m], points, a function that returns either, or another Vehicles: as behaviors take it.
            which: The choice among a population: "nearest", "first", an id, ids or a mask.
        """
        target = without_holder(target)
        mark, calls = bind_moving(self.scene, target, which)
        run_all(calls, len(self.scene.vehicles), self.rows)
        row = mark.pick[self.rows]
        there = np.where(row >= 0, row, 0)

        def read(values: Any) -> Array:
            if not len(np.atleast_2d(values)[0]):
                return np.full((len(row), len(values)), np.nan)
            taken = rows_of(values, there)
            return np.where(_beside(row >= 0, taken), taken, np.nan)

        place, none = read(mark.position), np.zeros((len(row), 3))
        columns = columns_of(self.scene, target)
        if columns is None:
            return Watched(row, self.image(place), read(mark.velocity), np.zeros_like(place), none, none[:, 0])
        up, radius = read(columns.up) if columns.up else none, read((columns.radius,))[:, 0]
        return Watched(row, self.image(place), read(mark.velocity), read(columns.forward), up, radius)

    def predicted(self, watched: Watched, of: Vehicles | Knowledge, how: Predictor) -> Array:
        """Where the watched vehicles will be, according to a predictor [m], shape (k, d).

        Args:
            watched: The watched vehicles.
            of: Their population.
            how: The predictor.
        """
        return np.asarray(watched.position + watched.velocity * self.time(watched, of, how)[:, None])

    @explained
    def time(self, watched: Watched, of: Vehicles | Knowledge, how: Predictor, place: Array | None = None) -> Array:
        """How far ahead they look [s], shape (k,); NaN where there is no vehicle to look at.

        Args:
            watched: The watched vehicles.
            of: Their population.
            how: The predictor.
            place: The assumed positions of the watched vehicles [m], shape (k, d). Default: where they are.
        """
        vehicles = self.scene.vehicles
        n, d, dtype = len(vehicles), vehicles.dimensions, vehicles.dtype
        pick, way = np.full(n, -1, np.int64), np.zeros((d, n), dtype)
        pick[self.rows] = watched.row
        way[:, self.rows] = ((watched.position if place is None else place) - self.position).T
        others = columns_of(self.scene, of)
        assert others is not None
        times, call = times_call(self.scene.columns, others, pick, tuple(way), how)
        run_all([call], n, self.rows)
        return np.asarray(np.where(watched.row >= 0, times[self.rows].astype(np.float64), np.nan))

    def globalized(self, local: Array) -> Array:
        """Vectors along their own axes, (forward, side) or (forward, up, side), as vectors of the world, shape (k, d)."""
        return to_global(np.broadcast_to(local, self.position.shape), self.axes)

    @property
    def axes(self) -> Array:
        """Their axes: forward and side in 2D; forward, up and side in 3D; shape (k, d, d)."""
        if self.position.shape[1] == 2:
            return axes_of(self.forward, None)
        return axes_of(self.forward, self.scene.vehicles.up[self.rows].astype(np.float64))

    def along(self, path: Path) -> "PathPerVehicle":
        """A path as they see it: on a torus with the images of its points that are nearest to them."""
        return PathPerVehicle(path, self)

    def on_plan(self, dimensions: int | None) -> "SketchContext":
        """The view of an object with two dimensions (see `steering/scene/on_plan.py`); unchanged for vehicles in 2D.

        Shapes drawn in two dimensions lie at the height of the vehicles.
        """
        if dimensions in (None, self.position.shape[1]):
            return self
        flat = {name: getattr(self, name)[:, :2] for name in ("position", "velocity", "forward", "force")}
        columns = self.scene.columns
        plan = Plan(columns._replace(position=columns.position[:2]), domain_on_plan(self.scene.domain))
        return replace(self, scene=replace(self.scene, plan=plan), **flat)

    def others(self, of: Any) -> Any:
        """The neighbors that `of` names: their own population, another Vehicles, several as Joined, or points."""
        others = self.scene.shared.company.among(without_holder(of), self.scene.vehicles)
        return self.scene.vehicles if others is None else others

    @explained
    def neighbors(
        self,
        radius: float,
        *,
        angle: float = 2 * math.pi,
        inner_radius: float = 0.0,
        k: int | None = None,
        of: Any = None,
    ) -> Near:
        """Their neighbors, the nearest first; arguments as for `Scene.neighbors`."""
        others = self.others(of)
        first = self._first_among(others)
        places = np.asarray(getattr(others, "position", others), np.float64)
        period = self.scene.domain.wrap(places.shape[1], np.float64)[0]
        whose, rows, positions = [], [], []
        for index, maybe in enumerate(candidates(places, self.position, radius, period)):
            if first >= 0:
                maybe = maybe[maybe != first + self.rows[index]]
            here = self.position[index]
            images = here + self.scene.domain.difference(places[maybe], here)
            visible = neighborhood(
                here[None], self.forward[index][None], radius, angle=angle, inner_radius=inner_radius, others=images
            )[0]
            near = np.flatnonzero(visible)
            near = near[np.argsort(length(images[near] - here), kind="stable")][:k]
            whose.append(np.full(len(near), index))
            rows.append(maybe[near])
            positions.append(images[near])
        if not positions:
            return Near(np.zeros(0, int), np.zeros(0, int), np.zeros((0, self.position.shape[1])))
        return Near(np.concatenate(whose), np.concatenate(rows), np.concatenate(positions))

    @explained
    def axes_of_bodies(self, others: Any = None, rows: Array | None = None) -> Array:
        """The ways from the middles of bodies to the front ends of their axes [m], zero of balls, shape (k, d).

        Args:
            others: Vehicles, Joined, or points, which have no bodies. Default: their own population.
            rows: The rows. Default: their own.
        """
        others, rows = self.scene.vehicles if others is None else others, self.rows if rows is None else rows
        if not hasattr(others, "length"):
            return np.zeros((len(rows), self.position.shape[1]))
        half = np.maximum(others.length / 2 - others.radius, 0)[rows, None]
        return np.asarray(half * others.forward[rows], np.float64)

    def nearest_points(self, near: Near, of: Any) -> tuple[Array, Array]:
        """The nearest points [m] of the axes of the vehicles and of their neighbors, shape (m, d) each."""
        own, other = self.axes_of_bodies()[near.of], self.axes_of_bodies(self.others(of), near.row)
        here = self.position[near.of]
        s, t = nearest_parts(near.position - here, own, other)
        return here + s[:, None] * own, near.position + t[:, None] * other

    def _first_among(self, others: Any) -> int:
        """The row of the first vehicle of their population among others, -1 where it is not among them."""
        if isinstance(others, Joined):
            segment = others.segment(self.scene.vehicles)
            return -1 if segment is None else int(segment[0])
        return 0 if others is self.scene.vehicles else -1

    # ------------------------------------------------------------------------------------------------ shapes

    @explained
    def view(self, radius: float, angle: float = 2 * math.pi, inner_radius: float = 0.0) -> Sector:
        """Their field of view; an infinite one is not drawn."""
        return Sector(self.position, self.forward, radius, angle, inner_radius)

    @explained
    def goal(self, point: Array, label: str = "") -> Shapes:
        """A point that they head for [m], shape (k, d), the way there, and its name; default: that of its role."""
        yield segment(self.position, point, "target", means=label)
        yield Cross(point, label=label)

    def lines_to(self, near: Near) -> Line:
        """Lines to neighbors."""
        return segment(self.position[near.of], near.position, means="lines to neighbors that count", detail=True)

    def rings(self, watched: Watched) -> Shapes:
        """Rings around the watched vehicles."""
        yield Circle(watched.position, np.where(watched.radius > 0, RING * watched.radius, np.nan), role="chosen")

    def choice(self, watched: Watched) -> Shapes:
        """The watched objects: a ring around a vehicle, a cross on a point."""
        yield from self.rings(watched)
        yield Cross(np.where(watched.radius[:, None] > 0, np.nan, watched.position), role="chosen")

    def future(self, watched: Watched, place: Array) -> Shapes:
        """The predicted places of the watched vehicles [m], shape (k, d), and the ways there."""
        yield segment(watched.position, place, "predicted")
        yield Pose(place, watched.forward, watched.radius)

    def own_future(self, place: Array) -> Shapes:
        """Where they will be [m], shape (k, d), and their way there."""
        yield segment(self.position, place, "predicted")
        yield Pose(place, self.forward, self.radius)

    @explained
    def speeds(self, velocity: Array, role: str = "desired", label: str = "") -> ScaledArrow:
        """Velocities [m/s], shape (k, d), as arrows that begin where they are."""
        return ScaledArrow(self.position, velocity, role=role, label=label)

    @explained
    def bodies(self, place: Array, axis: Array, radius: Array, role: str = "range") -> Shapes:
        """The outlines of bodies at places [m]; circles of balls, capsules of those with an axis [m], shape (k, d) each."""
        means = "its body" if role == "range" else ""
        yield Circle(place + axis, radius, role=role, means=means)
        long = axis.any(axis=1)
        if not long.any():
            return
        yield Circle((place - axis)[long], np.broadcast_to(radius, long.shape)[long], role=role, means=means)
        side = across(axis[long]) * np.broadcast_to(radius, long.shape)[long, None]
        for sign in (-1, 1):
            start, end = ((each[long] + sign * side) for each in (place - axis, place + axis))
            yield segment(start, end, role, means=means)

    @explained
    def forces(self, force: Array, role: str = "part", label: str = "") -> ScaledArrow:
        """Forces [N], shape (k, d), as arrows that begin where they are."""
        return ScaledArrow(self.position, force, "N", self.response_time / self.mass, role=role, label=label)


def columns_of(scene: Scene, target: Any) -> VehicleColumns | None:
    """The columns of a population, or of what is known of one; None of points."""
    if isinstance(target, Knowledge):
        return scene.belief(target).columns
    return target.columns if isinstance(target, Vehicles) else None


class PathPerVehicle:
    """A path for the sketched vehicles, with the methods of `Path` that laws call: one place for each vehicle.

    Args:
        path: The path.
        context: The vehicles.
    """

    def __init__(self, path: Path, context: SketchContext) -> None:
        self._path, self._context = path, context

    def __getattr__(self, name: str) -> Any:
        return getattr(self._path, name)

    def project(self, places: Array) -> Projection:
        """Where on the spine places are [m], shape (k, d): of all of their images, the nearest one's."""
        period = self._context.scene.domain.wrap(places.shape[1], np.float64)[0]
        turns = np.array(list(itertools.product(*[(-2, -1, 0, 1, 2) if each else (0,) for each in period])))
        projections = self._path.project((places[:, None] + turns * period).reshape(-1, places.shape[1]))
        shape, row = (len(places), len(turns)), np.arange(len(places))
        best = np.argmin(projections.distance.reshape(shape), axis=1)
        return Projection(*(column.reshape(shape)[row, best] for column in projections))

    def point_at(self, s: Array) -> Array:
        """Points of the spine [m] at arc lengths [m], shape (k,), nearest to each vehicle, shape (k, d)."""
        return self._context.image(self._path.point_at(s))


def axes_of(forward: Array, up: Array | None) -> Array:
    """Axes of vehicles by their unit vectors: forward and side in 2D; forward, up and side in 3D; shape (k, d, d)."""
    if up is None:
        return np.stack([forward, np.stack([forward[:, 1], -forward[:, 0]], axis=1)], axis=1)
    return np.stack([forward, up, np.cross(forward, up)], axis=1)


def across(axis: Array) -> Array:
    """Horizontal unit vectors perpendicular to axes, shape (k, d); along the x axis for one that is vertical."""
    side = np.zeros_like(axis)
    side[:, 0], side[:, 1] = -axis[:, 1], axis[:, 0]
    side[~side.any(axis=1), 0] = 1
    return np.asarray(side / length(side)[:, None])


def rows_of(value: Array | Columns, rows: Array) -> Array:
    """Rows of a column (n, ...), or of a tuple of d columns as vectors (k, d); numbers in float64."""
    taken = np.stack([each[rows] for each in value], axis=1) if isinstance(value, tuple) else value[rows]
    return taken.astype(np.float64) if taken.dtype.kind == "f" else np.array(taken)


def _beside(mask: Array, values: Array) -> Array:
    """A mask (k,) for values (k, ...)."""
    return mask.reshape(-1, *[1] * (values.ndim - 1))


__all__ = ["Near", "SketchContext", "Watched", "axes_of", "rows_of"]
