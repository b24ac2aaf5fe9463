"""Meshes from files and from trimesh: their vertices and faces."""

from pathlib import Path as File
from typing import Any

import numpy as np

from steersman.core.parameters.sizes import check_bytes
from steersman.core.typing import Array

KINDS = ("obj", "stl", "ply")
"""Kinds of mesh files that are read."""

GROWTH = 50
"""How much more memory than its file a mesh takes, about."""


def load_mesh(path: Any) -> tuple[Array, Array]:
    """Vertices (v, 3) and faces (t, 3) of a mesh file: OBJ, STL or PLY. Files that it refers to are not read.

    Raises:
        ImportError: trimesh is not installed.
        FileNotFoundError: There is no such file.
        ValueError: It is of another kind, holds no triangles, cannot be read, or is too large for the memory.
    """
    file = File(path)
    if not file.is_file():
        raise FileNotFoundError(f"path must name a mesh file (OBJ, STL, PLY), got {str(file)!r}, which does not exist")
    kind = file.suffix.lower().removeprefix(".")
    if kind not in KINDS:
        raise ValueError(f"path must name a mesh file that ends with .obj, .stl or .ply, got {str(file)!r}")
    check_bytes(f"{file} must be smaller", "what it holds", file.stat().st_size * GROWTH)
    try:
        import trimesh
    except ImportError:
        raise ImportError("reading meshes needs trimesh: pip install steersman[geo]") from None
    try:
        with file.open("rb") as content:
            loaded = trimesh.load(content, kind, resolver={}, force="mesh", process=False, skip_materials=True)
    except Exception as error:  # The readers of trimesh raise errors of any class.
        raise ValueError(f"{file} must be a mesh file that trimesh can read: {error}") from error
    return mesh_arrays(loaded, str(file))


def mesh_arrays(mesh: Any, name: str = "mesh") -> tuple[Array, Array]:
    """Vertices and faces of a `trimesh.Trimesh`, or of anything that has both.

    Raises:
        ValueError: It has no faces.
    """
    if not hasattr(mesh, "vertices") or not hasattr(mesh, "faces"):
        raise TypeError(f"{name} must be a trimesh.Trimesh, with vertices and faces, got {type(mesh).__name__}")
    vertices, faces = np.array(mesh.vertices, np.float64), np.array(mesh.faces, np.int64)
    if len(faces) == 0:
        raise ValueError(f"{name} must have triangles, got none")
    return vertices, faces
