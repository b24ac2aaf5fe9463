"""Meshes from files and from trimesh: their vertices and faces."""

from pathlib import Path as File
from typing import Any

import numpy as np

from steersman.geometry.vectors import Array


def load_mesh(path: Any) -> tuple[Array, Array]:
    """Vertices (v, 3) and faces (t, 3) of a mesh file: OBJ, STL, PLY, and what else trimesh reads.

    Raises:
        ImportError: trimesh is not installed.
        FileNotFoundError: There is no such file.
        ValueError: It holds no triangles, or cannot be read.
    """
    file = File(path)
    if not file.is_file():
        raise FileNotFoundError(f"path must name a mesh file (OBJ, STL, PLY), got {str(file)!r}, which does not exist")
    try:
        import trimesh
    except ImportError:
        raise ImportError("reading meshes needs trimesh: pip install steersman[geo]") from None
    try:
        loaded = trimesh.load(str(file), force="mesh", process=False)
    except Exception as error:  # Its readers raise whatever comes up in them.
        raise ValueError(f"{file} must be a mesh file that trimesh can read: {error}") from error
    return mesh_arrays(loaded, str(file))


def mesh_arrays(mesh: Any, name: str = "mesh") -> tuple[Array, Array]:
    """Vertices and faces of a `trimesh.Trimesh`, or of anything that has both.

    Raises:
        TypeError: It has not.
        ValueError: It has no faces.
    """
    if not hasattr(mesh, "vertices") or not hasattr(mesh, "faces"):
        raise TypeError(f"{name} must be a trimesh.Trimesh, with vertices and faces, got {type(mesh).__name__}")
    vertices, faces = np.array(mesh.vertices, np.float64), np.array(mesh.faces, np.int64)
    if len(faces) == 0:
        raise ValueError(f"{name} must have triangles, got none")
    return vertices, faces
