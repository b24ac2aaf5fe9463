"""Walls: segments in the plane, one after the other or in rings, without thickness.

A wall has a front: the side its normal points to. Of a ring that is the outside; of other walls, the left or the right of
the way from point to point. Where walls meet, the normal is that of the corner, halfway between theirs: so it can be told
which side of a corner a point is on, whichever of the two walls is asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from steersman.core.environment.box_tree import Boxed, boxed
from steersman.core.environment.connected import components, first_of_each, spheres_around
from steersman.core.environment.obstacles.hulls import Hulls, rounded_segments
from steersman.core.environment.obstacles.obstacle_set import Kernels, ObstacleSet
from steersman.core.environment.obstacles.outlines import (
    as_chains,
    check_rings,
    facing_out,
    geojson_chains,
    read_geojson,
)
from steersman.core.environment.obstacles.wall_contact import distance_from_wall, touch_wall
from steersman.core.environment.paths.path import Path
from steersman.core.maths.frames import unit_rows
from steersman.core.parameters.arrays import frozen
from steersman.core.parameters.brief import brief
from steersman.core.parameters.kinds import TEXT, Kind, as_number
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Array


class Segments(NamedTuple):
    """The segments of walls, m of them.

    Attributes:
        a: Where they begin [m], shape (m, 2).
        b: Where they end [m], shape (m, 2).
        normal: Unit normals of their fronts, shape (m, 2); zero of a segment of length zero.
        normal_a: The same for the corners where they begin.
        normal_b: The same for the corners where they end.
        closed: Whether they belong to a ring, shape (m,).
    """

    a: Array
    b: Array
    normal: Array
    normal_a: Array
    normal_b: Array
    closed: Array


CHAINS = Kind("chains", "points (k, 2), or several such chains")
FLAGS = Kind("flags", "true or false, or several")


@dataclass(frozen=True, eq=False)
class Walls(ObstacleSet):
    """Walls in the plane. Copied, and read-only from then on.

    Args:
        points: Where they run [m]: segments, shape (m, 2, 2); the corners of one chain of walls, shape (k, 2); or a list of
            chains.
        closed: Whether the last corner of a chain is joined to the first; one flag for all chains, or a list of flags.
            Rings have an inside and an outside; a ring in a ring is a hole.
        front: On which side of the way from corner to corner walls that are not closed have their front.
        seen_from: From which side they are obstacles: "outside" (of rings that are solid bodies; of other walls the front),
            "inside" or "both". Default: "both".

    Raises:
        ValueError: A ring touches itself or crosses another.
    """

    points: Any = parameter(kind=CHAINS, positional=True, unit="m")
    closed: Any = parameter(False, kind=FLAGS)
    front: str = parameter("left", kind=TEXT, choices=("left", "right"))

    def validate(self) -> None:
        """Bring the points to their normal form: a tuple of chains, and a tuple of flags."""
        chains = as_chains(self.points, self.closed)
        rings = [points for points, closed in chains if closed]
        if rings:
            check_rings(rings)
        self._put(points=tuple(frozen(points) for points, _ in chains), closed=tuple(closed for _, closed in chains))
        self._put(seen_from=self.seen_from or "both")

    @classmethod
    def from_geojson(cls, source: Any, **options: Any) -> "Walls":
        """Walls from GeoJSON: lines as they are, polygons as rings. Coordinates are taken as meters, heights left out.

        Args:
            source: A path, or the document as a dictionary.
            **options: `front` and `seen_from`: "outside" if the polygons are solid bodies.

        Raises:
            FileNotFoundError: There is no such file.
            ValueError: It is no GeoJSON, or holds geometries other than lines and polygons; and as for Walls.
        """
        chains = list(geojson_chains(read_geojson(source)))
        return cls([points for points, _ in chains], closed=[closed for _, closed in chains], **options)

    @classmethod
    def from_shapely(cls, geometry: Any, **options: Any) -> "Walls":
        """Walls from a Shapely geometry, a sequence of them, or any object that has a `__geo_interface__`.

        Raises:
            ValueError: As for `from_geojson`.
        """
        several = geometry if isinstance(geometry, Sequence) else [geometry]
        for each in several:
            if not hasattr(each, "__geo_interface__"):
                raise TypeError(f"geometry must be a Shapely geometry or a sequence of them, got {brief(each)}")
        members = [each.__geo_interface__ for each in several]
        return cls.from_geojson({"type": "GeometryCollection", "geometries": members}, **options)

    @classmethod
    def along(cls, path: Path, width: float | None = None, **options: Any) -> "Walls":
        """Walls on both sides of a path: the kerbs of a road. Needs Shapely (extra `geo`).

        Args:
            path: The path, in the plane.
            width: How far they are apart [m], > 0. Default: twice the smallest radius of the path.
            **options: `seen_from`.

        Raises:
            ImportError: Shapely is missing.
            ValueError: The width is not > 0, or the path has no offset by half of it: see `Path.offset`.
        """
        half = float(path.radius.min()) if width is None else as_number("width", width, above=0.0, unit="m") / 2
        sides = [path.offset(half).points, path.offset(-half).points]
        return cls(sides, closed=path.closed, **options)

    @cached_property
    def segments(self) -> Segments:
        """All walls one after the other."""
        rings = [points for points, closed in zip(self.points, self.closed, strict=True) if closed]
        outward = iter(facing_out(rings))
        parts = [
            _segments_of(points, closed, next(outward) if closed else self.front == "right")
            for points, closed in zip(self.points, self.closed, strict=True)
        ]
        return Segments(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))

    def __len__(self) -> int:
        return len(self.segments.a)

    @property
    def dimensions(self) -> int:
        """2."""
        return 2

    @property
    def opening(self) -> str:
        """How many chains are no rings."""
        chains = self.closed.count(False)
        return f"{chains} of {len(self.closed)} chains that are no rings" if chains else ""

    @cached_property
    def groups(self) -> Array:
        """Walls that meet in a corner are one group."""
        ends = np.concatenate([self.segments.a, self.segments.b])
        corner = np.unique(ends, axis=0, return_inverse=True)[1].ravel()
        return first_of_each(components(corner.reshape(2, -1).T, len(ends))[corner[: len(self)]])

    def bounding_spheres(self) -> tuple[Array, Array]:
        """Circles around all walls that hang together."""
        return self._circles()

    def present_spheres(self) -> tuple[Array, Array]:
        """Circles around those of them that are there."""
        return self._circles(np.tile(self.switches.enabled, 2))

    def _circles(self, there: Array | None = None) -> tuple[Array, Array]:
        ends = np.concatenate([self.segments.a, self.segments.b])
        return spheres_around(ends, np.tile(self.group_numbers, 2), there)

    def parts(self, dtype: Any) -> Boxed:
        """The walls for kernels: rows of start, unit vector, length, three normals, and whether it belongs to a ring."""
        a, b, *normals, closed = self.segments
        rows = np.column_stack([a, unit_rows(b - a), np.linalg.norm(b - a, axis=1), *normals, closed])
        return boxed(rows, np.minimum(a, b), np.maximum(a, b), dtype, self.side)

    def hulls(self, dtype: Any) -> Hulls:
        """The segments."""
        return rounded_segments(self.segments.a, self.segments.b, 0.0, dtype, self.side, hollow=True)

    @property
    def kernels(self) -> Kernels:
        """The first contact decides which wall stands in the way."""
        return Kernels(touch_wall, distance_from_wall)


def _segments_of(points: Array, closed: bool, right: bool) -> Segments:
    """The segments of one chain, with its front to the left, or to the right."""
    a = points if closed else points[:-1]
    b = np.roll(points, -1, axis=0) if closed else points[1:]
    tangent = unit_rows(b - a)
    normal = np.stack([-tangent[:, 1], tangent[:, 0]], axis=1) * (-1.0 if right else 1.0)
    before, after = np.roll(normal, 1, axis=0), np.roll(normal, -1, axis=0)
    if not closed:
        before[0], after[-1] = normal[0], normal[-1]
    return Segments(a, b, normal, unit_rows(before + normal), unit_rows(normal + after), np.full(len(a), closed))
