"""TriangleMesh: surfaces made of triangles, in 3D: buildings, caves, terrain."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from steersman.core.environment.box_tree import Boxed, boxed
from steersman.core.environment.connected import components, first_of_each, spheres_around
from steersman.core.environment.obstacles.hulls import Hulls
from steersman.core.environment.obstacles.mesh_files import load_mesh, mesh_arrays
from steersman.core.environment.obstacles.mesh_topology import (
    Normals,
    edges_of,
    merged_vertices,
    normals_of,
    unpaired,
    volume,
)
from steersman.core.environment.obstacles.obstacle_set import Kernels, ObstacleSet
from steersman.core.environment.obstacles.triangle_contact import distance_from_triangle, touch_triangle
from steersman.core.parameters.arrays import as_points, frozen
from steersman.core.parameters.kinds import POINTS, Kind
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Array


def as_faces(name: str, value: Any, vertices: Array) -> Array:
    """Rows of the corners of triangles, shape (t, 3), int64, read-only."""
    faces = np.array(value)
    if faces.ndim != 2 or faces.shape[1] != 3 or len(faces) == 0:
        raise ValueError(f"{name} must have shape (t, 3), at least one triangle, got shape {faces.shape}")
    if faces.dtype.kind not in "iu":
        raise TypeError(f"{name} must be whole numbers, got {faces.dtype}")
    if faces.min() < 0 or faces.max() >= len(vertices):
        wrong = faces.min() if faces.min() < 0 else faces.max()
        raise ValueError(f"{name} must name vertices 0 to {len(vertices) - 1}, got {wrong}")
    return frozen(faces.astype(np.int64))


VERTICES = Kind(
    "points", "points (v, 3)", lambda name, value: frozen(as_points(name, value, np.float64, 3)), like=POINTS
)
ROWS = Kind("rows", "rows of whole numbers", as_faces)


@dataclass(frozen=True, eq=False)
class TriangleMesh(ObstacleSet):
    """A surface of triangles, closed or open. Copied, and read-only from then on.

    Faces are counterclockwise seen from their fronts; a closed mesh is turned over if all its faces look inwards.
    Triangles without an area are left out, but keep their numbers.

    Args:
        vertices: Corners [m], shape (v, 3); those at the same place count as one.
        faces: Numbers of the corners of each triangle, shape (t, 3).
        seen_from: From which side it is an obstacle: "outside" (of open ones the front), "inside" (closed ones only),
            or "both". Default: "outside" of closed ones, "both" of open ones.

    Raises:
        ValueError: A face names no vertex, no face has an area, or an open mesh is to be seen from inside.
    """

    vertices: Any = parameter(kind=VERTICES, positional=True, unit="m")
    faces: Any = parameter(kind=ROWS, of="vertices", positional=True)

    def validate(self) -> None:
        """Check that it has an area, and settle from which side it is seen."""
        if not self.normals.face.any():
            raise ValueError("faces must have an area, got only flat triangles")
        if self.seen_from == "inside":
            self.check_inside('for seen_from="inside"')
        self.settle_side()

    @classmethod
    def load(cls, path: Any, **options: Any) -> "TriangleMesh":
        """A mesh from a file: OBJ, STL, PLY. Needs trimesh.

        Args:
            path: The file.
            **options: `seen_from`.

        Raises:
            ImportError: trimesh is not installed.
            FileNotFoundError: There is no such file.
            ValueError: It cannot be read; and as for TriangleMesh.
        """
        return cls(*load_mesh(path), **options)

    @classmethod
    def from_trimesh(cls, mesh: Any, **options: Any) -> "TriangleMesh":
        """A mesh from a `trimesh.Trimesh`.

        Raises:
            ValueError: It has no triangles; and as for TriangleMesh.
        """
        return cls(*mesh_arrays(mesh), **options)

    @cached_property
    def welded(self) -> tuple[Array, Array]:
        """Vertices and faces, with one vertex a place, turned over where the faces of a closed mesh look inwards."""
        vertices, faces = merged_vertices(self.vertices, self.faces)
        if unpaired(faces) == 0 and volume(vertices, faces) < 0:
            faces = faces[:, ::-1]
        return vertices, faces

    @cached_property
    def normals(self) -> Normals:
        """Unit normals of faces, edges and corners."""
        return normals_of(*self.welded)

    @property
    def corners(self) -> Array:
        """The corners of all triangles [m], shape (t, 3, 3), counterclockwise seen from their fronts."""
        vertices, faces = self.welded
        return np.asarray(vertices[faces])

    def __len__(self) -> int:
        return len(self.faces)

    @property
    def dimensions(self) -> int:
        """3."""
        return 3

    @cached_property
    def opening(self) -> str:
        """How many edges do not lie between exactly two triangles that face the same way."""
        alone = unpaired(self.welded[1])
        return f"an open one: {alone} edges do not lie between two triangles that face the same way" if alone else ""

    @cached_property
    def groups(self) -> Array:
        """Triangles that share a corner are one group."""
        vertices, faces = self.welded
        return first_of_each(components(edges_of(faces).reshape(-1, 2), len(vertices))[faces[:, 0]])

    def bounding_spheres(self) -> tuple[Array, Array]:
        """Spheres around all triangles that hang together."""
        return self._spheres()

    def present_spheres(self) -> tuple[Array, Array]:
        """Spheres around those of them that are there."""
        return self._spheres(np.repeat(self.switches.enabled, 3))

    def _spheres(self, there: Array | None = None) -> tuple[Array, Array]:
        return spheres_around(self.corners.reshape(-1, 3), np.repeat(self.group_numbers, 3), there)

    def parts(self, dtype: Any) -> Boxed:
        """The triangles for kernels: rows of three corners, the face's normal, three of edges, three of corners, closed."""
        solid = np.flatnonzero(self.normals.face.any(axis=1))
        corners, t = self.corners[solid], len(solid)
        normals = [each[solid].reshape(t, -1) for each in self.normals]
        rows = np.column_stack([corners.reshape(t, 9), *normals, np.full(t, self.is_closed)])
        tree = boxed(rows, corners.min(axis=1), corners.max(axis=1), dtype, self.side)
        return tree._replace(order=solid[tree.order])

    def hulls(self, dtype: Any) -> Hulls:
        """The triangles."""
        return Hulls(self.tree(dtype, 0), True, True)

    @property
    def kernels(self) -> Kernels:
        """The first contact decides which triangle stands in the way."""
        return Kernels(touch_triangle, distance_from_triangle)
