"""Path: a spine and a radius, a tube to move in (Reynolds 1999, "Path following")."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from steersman.core.environment.paths.beside import beside
from steersman.core.environment.paths.projecting import PathColumns, boxes_of
from steersman.core.environment.paths.splines import catmull_rom
from steersman.core.parameters.arrays import as_floats, as_points, as_scalars, frozen
from steersman.core.parameters.brief import brief
from steersman.core.parameters.guiding import explained
from steersman.core.parameters.kinds import FLAG, NUMBERS, POINTS, Kind, as_number
from steersman.core.parameters.parameters import Parameters, parameter
from steersman.core.parameters.showing import Shown
from steersman.core.typing import Array

PAIRS = 1_000_000
"""The number of pairs of points and segments that are computed at once."""

MOST_IMAGES = 10_000
"""The most images of a place that are tried on a torus."""


class Projection(NamedTuple):
    """Nearest points of a spine.

    Attributes:
        s: Arc lengths from the start of the path [m], shape (n,), or () for one point.
        distance: Distances from the spine [m], of the same shape.
        segment: Segments they lie on, of the same shape; of two that are equally near, the first.
    """

    s: Array
    distance: Array
    segment: Array


class Segments(NamedTuple):
    """The pieces of a path.

    Attributes:
        start, tangent: Where they begin [m] and their unit vectors, shape (m, d).
        length: Their lengths [m], shape (m,).
        arc: Arc lengths at which they begin [m], and the whole length, shape (m + 1,).
    """

    start: Array
    tangent: Array
    length: Array
    arc: Array


def as_stops(name: str, value: Any) -> Array:
    """Points [m], shape (k, d), at least one; read-only."""
    if (isinstance(value, (list, tuple)) or getattr(value, "ndim", 0) > 0) and len(value) == 0:
        raise ValueError(f"{name} must be at least one point, shape (k, 2) or (k, 3), got none")
    return frozen(as_points(name, value, np.float64))


STOPS = Kind("points", "points (k, d)", as_stops, like=POINTS)


@dataclass(frozen=True, eq=False)
class Path(Shown, Parameters):
    """A polyline with a radius around it, in 2D or 3D. Copied, and read-only from then on.

    Points that repeat the one before are dropped. On a torus the spine lies where its points say: a path across the rim has
    points beyond it. `project` and its like work in open space only; behaviors find the nearest image.

    Where the spine crosses itself, or runs back on itself, two of its points may be equally near: the first counts.

    Args:
        points: Points of the spine [m], shape (k, d), k >= 1. One point is a path too: the place to go to.
        radius: Half the width of the tube [m], > 0: one for the path, or one per segment, shape (k - 1,), or (k,) for a
            closed path, the last one for the way back to the start. Raising it leaves more room.
        closed: Whether the last point leads back to the first.
    """

    points: Any = parameter(kind=STOPS, positional=True, unit="m")
    radius: Any = parameter(1.0, kind=NUMBERS, unit="m")
    closed: bool = parameter(False, kind=FLAG)

    def validate(self) -> None:
        """Leave points out that repeat the one before, with their radii."""
        points, count = self.points, _count(len(self.points), self.closed)
        radii = as_scalars("radius", self.radius, count, np.float64, low=None, above=0.0, unit="m")
        steps = np.roll(points, -1, axis=0) - points
        distinct = np.any(steps != 0, axis=1)
        if not self.closed:
            distinct[-1] = True  # The last point begins no segment, but it ends one.
        if not distinct.any():
            distinct[0] = True
        remaining = distinct if self.closed else distinct[:-1]
        radii = radii[remaining] if remaining.any() else radii[:1]
        self._put(points=frozen(points[distinct]), closed=bool(self.closed), radius=frozen(radii))

    @classmethod
    @explained
    def spline(cls, points: Any, *, radius: Any = 1.0, closed: bool = False, tolerance: float = 0.01) -> "Path":
        """A smooth path through points: a centripetal Catmull-Rom spline, sampled.

        Args:
            points: Points that the spine goes through [m], shape (k, d), k >= 1.
            radius: Half the width of the tube [m], > 0: one, or one per span between two points.
            closed: Whether the last point leads back to the first.
            tolerance: Largest distance between the polyline and the curve [m], > 0. Smaller takes more segments.

        Raises:
            ValueError: As for Path.
        """
        sides = cls(points, radius=radius, closed=closed)
        if not 0 < tolerance < np.inf:
            raise ValueError(f"tolerance must be > 0 m, got {brief(tolerance)}")
        samples, spans = catmull_rom(sides.points, closed=sides.closed, tolerance=float(tolerance))
        return cls(samples, radius=sides.radius[spans] if len(spans) else sides.radius, closed=closed)

    @classmethod
    @explained
    def through(
        cls, nodes: Iterable[Any], positions: Any, *, attribute: str = "pos", radius: Any = 1.0, closed: bool = False
    ) -> "Path":
        """The path through nodes of a graph, as a search such as A* returns them.

            path = sm.Path.through(networkx.astar_path(graph, a, b), graph.nodes, attribute="pos")

        Args:
            nodes: Nodes in order, at least one.
            positions: Where they are [m]: a mapping node -> point, or node -> attributes, one of which is the point.
            attribute: Name of that attribute.
            radius: As for Path.
            closed: As for Path.

        Raises:
            ValueError: As for Path, or the position of a node is not known.
        """
        return cls([_position(node, positions, attribute) for node in nodes], radius=radius, closed=closed)

    @explained
    def offset(self, distance: float, *, radius: Any = None, tolerance: float = 0.01) -> "Path":
        """A path beside this one: a lane, or a kerb. Needs Shapely (extra `geo`).

            right = road.offset(-1.75, radius=1.75)

        It runs in the same direction. Outer bends are rounded; at inner bends it has no folds. Where it falls apart because
        the distance is larger than the radius of a bend, it is the longest part.

        Args:
            distance: How far beside [m]: > 0 to the left of its direction, < 0 to the right.
            radius: Half the width of the new tube [m], > 0. Default: the smallest of this path.
            tolerance: Largest distance between a rounded bend and its chords [m], > 0.

        Raises:
            ImportError: Shapely is missing.
            ValueError: The path has 3 dimensions, a single point, or crosses itself and is closed; or nothing is left
                of it.
        """
        by = as_number("distance", distance, low=None, unit="m")
        fine = as_number("tolerance", tolerance, above=0.0, unit="m")
        if self.dimensions != 2 or len(self.points) < 2 + self.closed:
            allowed = f"2 dimensions and {2 + self.closed} points or more"
            raise ValueError(f"path must have {allowed}, got shape {self.points.shape}")
        half = float(self.radius.min()) if radius is None else radius
        return Path(beside(self.points, by, closed=self.closed, tolerance=fine), radius=half, closed=self.closed)

    @property
    def dimensions(self) -> int:
        """2 or 3."""
        return int(self.points.shape[1])

    @property
    def length(self) -> float:
        """Length of the spine [m], of a closed path all the way round."""
        return float(self.segments.arc[-1])

    @cached_property
    def segments(self) -> Segments:
        """The pieces of the spine, in order; a path of one point has one of length zero."""
        stops = np.roll(self.points, -1, axis=0)
        start, stop = (self.points, stops) if self.closed else (self.points[:-1], stops[:-1])
        if len(self.points) == 1:
            start = stop = self.points
        size = np.hypot.reduce(stop - start, axis=1)
        tangent = (stop - start) / np.where(size == 0, 1, size)[:, None]
        return Segments(frozen(start.copy()), frozen(tangent), frozen(size), frozen(np.append(0, np.cumsum(size))))

    def project(self, points: Any) -> Projection:
        """The nearest points of the spine.

        Args:
            points: Points [m], shape (n, d), or (d,) for one.

        Returns:
            Arc lengths [m], distances [m] and segments.
        """
        places = as_points("points", points, np.float64, self.dimensions)
        size = max(1, PAIRS // len(self.segments.length))
        blocks = [self._project(places[k : k + size]) for k in range(0, max(1, len(places)), size)]
        columns = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
        return Projection(*(column if np.ndim(points) == 2 else column.reshape(()) for column in columns))

    def _project(self, places: Array) -> tuple[Array, Array, Array]:
        start, tangent, size, arc = self.segments
        way = places[:, None, :] - start
        along = np.clip(np.sum(way * tangent, axis=2), 0, size)
        distance = np.hypot.reduce(way - along[..., None] * tangent, axis=2)
        rows, nearest = np.arange(len(places)), np.argmin(distance, axis=1)
        return arc[nearest] + along[rows, nearest], distance[rows, nearest], nearest

    def point_at(self, s: Any) -> Array:
        """Points of the spine [m] at arc lengths [m], shape (n,) -> (n, d), or a number -> (d,).

        A closed path goes round and round; beyond the end of an open one it is the end.
        """
        segment, along = self._locate(s)
        return np.asarray(self.segments.start[segment] + along[..., None] * self.segments.tangent[segment])

    def tangent_at(self, s: Any) -> Array:
        """Unit vectors along the spine at arc lengths [m], shaped like `point_at`; zero if the path is one point.

        Where two segments meet it is the later one's.
        """
        return np.asarray(self.segments.tangent[self._locate(s)[0]])

    def radius_at(self, s: Any) -> Array:
        """Radii of the tube [m] at arc lengths [m], of the same shape; where two segments meet, the later one's."""
        return np.asarray(self.radius[self._locate(s)[0]])

    def contains(self, points: Any) -> Any:
        """Whether points lie in the tube: not farther from the spine than the radius of the nearest segment.

        Args:
            points: Points [m], shape (n, d), or (d,) for one.

        Returns:
            Truth values, shape (n,), or ().
        """
        nearest = self.project(points)
        return nearest.distance <= self.radius[nearest.segment]

    def _locate(self, s: Any) -> tuple[Any, Array]:
        """The segments at some arc lengths, and the distances from their beginnings [m]."""
        at = as_floats("s", s, np.float64)
        arc = self.segments.arc
        if self.closed and arc[-1] > 0:
            at = at - arc[-1] * np.floor(at / arc[-1])
        segment = np.searchsorted(arc[1:-1], at, side="right")
        return segment, np.asarray(np.clip(at - arc[segment], 0, self.segments.length[segment]))

    @explained
    def columns(self, dtype: Any, wrap: Array | None = None) -> PathColumns:
        """The path for kernels, in the dtype of the vehicles.

        Args:
            dtype: It.
            wrap: The space that they are in (see `Domain.wrap`). Default: one that does not wrap.

        Raises:
            ValueError: The space is so small beside the path that too many images of a place would have to be tried.
        """
        if wrap is not None:
            self._check_images(wrap)
        start, tangent, size, arc = self.segments
        stop = start + tangent * size[:, None]
        rows = np.column_stack([start, tangent, size, arc[:-1], self.radius])
        boxes = boxes_of(start.astype(dtype), stop.astype(dtype))
        return PathColumns(rows.astype(dtype), boxes, arc[-1:].astype(dtype), int(self.closed))

    def _check_images(self, wrap: Array) -> None:
        """Check that a path does not lie around a torus too often: of a place all images along it are tried (`project`)."""
        extent = np.ptp(self.points, axis=0)
        with np.errstate(over="ignore"):
            images = float(np.prod(2 * np.ceil(extent * wrap[1] / 2) + 1))
        if not images <= MOST_IMAGES:
            raise ValueError(
                f"path must be shorter, or the torus larger: it extends over {extent.tolist()} m, the torus is "
                f"{wrap[0].tolist()} m, which takes {images:,.0f} images of each vehicle, of at most {MOST_IMAGES:,}"
            )


def as_path(name: str, value: Any) -> Path:
    """A path: itself, points of a spine, or a table of the arguments of Path."""
    if isinstance(value, Path):
        return value
    if isinstance(value, Mapping):
        return Path(**value)
    if isinstance(value, (list, tuple, np.ndarray)):
        return Path(value)
    raise TypeError(f"{name} must be a Path, points (k, d) or a table of points, radius and closed, got {brief(value)}")


PATH = Kind("path", "a path", as_path)


def _count(points: int, closed: bool) -> int:
    """How many segments so many points have; one point has one of length zero."""
    return max(1, points - (not closed))


def _position(node: Any, positions: Any, attribute: str) -> Any:
    try:
        point = positions[node]
        return point[attribute] if isinstance(point, Mapping) else point
    except (KeyError, IndexError):
        raise ValueError(f"positions must have a point for every node, got none for {node!r}") from None
