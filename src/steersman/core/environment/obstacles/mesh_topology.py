"""The connected parts of a mesh, whether it is closed, and which way its faces, edges and corners face.

A point is outside where the normal of the nearest feature points to it: of the face, of an edge the mean of its two faces,
of a corner the mean of its faces weighted by their angles there (Baerentzen and Aanaes 2005, "Signed distance computation
using the angle weighted pseudonormal"). Normals of faces or corners that are not weighted so would be wrong.
"""

from typing import NamedTuple

import numpy as np

from steersman.core.maths.frames import unit_rows
from steersman.core.typing import Array


class Normals(NamedTuple):
    """Unit normals of t triangles a, b, c.

    Attributes:
        face: Shape (t, 3); zero of a flat triangle.
        edge: Of the edges ab, bc, ca, shape (t, 3, 3).
        corner: Of the corners a, b, c, shape (t, 3, 3).
    """

    face: Array
    edge: Array
    corner: Array


def merged_vertices(vertices: Array, faces: Array) -> tuple[Array, Array]:
    """Vertices without those that are at the same place as another, and the faces by their new numbers."""
    places, number = np.unique(vertices, axis=0, return_inverse=True)
    return places, number.ravel()[faces]


def edges_of(faces: Array) -> Array:
    """The edges ab, bc, ca of all triangles, shape (t, 3, 2)."""
    return np.stack([faces, np.roll(faces, -1, axis=1)], axis=2)


def unpaired(faces: Array) -> int:
    """How many edges do not lie between exactly two triangles that go along them in opposite directions."""
    edges = edges_of(faces).reshape(-1, 2)
    base = int(faces.max(initial=0)) + 1
    forth, count = np.unique(edges[:, 0] * base + edges[:, 1], return_counts=True)
    back = edges[:, 1] * base + edges[:, 0]
    alone = ~np.isin(back, forth[count == 1]) | ~np.isin(edges[:, 0] * base + edges[:, 1], forth[count == 1])
    return int(alone.sum())


def volume(vertices: Array, faces: Array) -> float:
    """Six times the volume inside a closed mesh [m^3], negative when its faces look inwards."""
    a, b, c = (vertices[faces[:, k]] - vertices[faces[0, 0]] for k in range(3))
    return float(np.sum(a * np.cross(b, c)))


def normals_of(vertices: Array, faces: Array) -> Normals:
    """The normals of faces, edges and corners; triangles are counterclockwise seen from their fronts."""
    corners = vertices[faces]
    ways = np.roll(corners, -1, axis=1) - corners
    face = unit_rows(np.cross(ways[:, 0], ways[:, 1]))
    edges = np.sort(edges_of(faces), axis=2).reshape(-1, 2)
    group = np.unique(edges, axis=0, return_inverse=True)[1].ravel()
    edge = _summed(np.repeat(face, 3, axis=0), group).reshape(-1, 3, 3)
    units = unit_rows(ways.reshape(-1, 3)).reshape(-1, 3, 3)
    cosine = -np.sum(units * np.roll(units, 1, axis=1), axis=2)
    angle = np.arccos(np.clip(cosine, -1, 1)) * np.any(face, axis=1, keepdims=True)
    corner = _summed((angle[:, :, None] * face[:, None, :]).reshape(-1, 3), faces.ravel()).reshape(-1, 3, 3)
    return Normals(face, edge, corner)


def _summed(rows: Array, group: Array) -> Array:
    """For every row the unit vector along the sum of its group."""
    total = np.zeros((int(group.max(initial=-1)) + 1, 3))
    np.add.at(total, group, rows)
    return unit_rows(total)[group]
