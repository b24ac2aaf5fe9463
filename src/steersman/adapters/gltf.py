"""glTF 2.0: an animated node for each vehicle, with one mesh for each population, in one .glb file.

glTF has y up, so x, y, z of the world are written as x, z, -y. Instances of EXT_mesh_gpu_instancing cannot move: animations
reach nodes, and instances are none (see docs/export.md). So there is a limit.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from steersman.adapters.frames import Frame, linear, linear_colors, motions_of, shape_lengths
from steersman.adapters.standing import COLOR, Standing
from steersman.core.maths.frames import unit_rows
from steersman.core.parameters.guiding import suggestion
from steersman.core.typing import Array
from steersman.drawing.glyphs import GLYPHS, solid_triangles
from steersman.drawing.palette import rgb

MOST = 2000
"""The largest number of vehicles: programs that read glTF walk through all nodes in every frame."""

FLOAT, VERTICES, LINES = 5126, 34962, 1

TYPES = {1: "SCALAR", 3: "VEC3", 4: "VEC4"}


class Buffer:
    """The numbers of a file, and their description."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.views: list[dict[str, Any]] = []
        self.accessors: list[dict[str, Any]] = []

    def add(self, values: Array, *, bounds: bool = False, vertices: bool = False) -> int:
        """Add numbers, shape (n,) or (n, k); returns the number of their accessor."""
        rows = np.ascontiguousarray(values, "<f4").reshape(len(values), -1)
        target = {"target": VERTICES} if vertices else {}
        self.views.append({"buffer": 0, "byteOffset": len(self.data), "byteLength": rows.nbytes, **target})
        self.data += rows.tobytes()
        about: dict[str, Any] = {"bufferView": len(self.views) - 1, "componentType": FLOAT, "count": len(rows)}
        about["type"] = TYPES[rows.shape[1]]
        if bounds:
            about |= {"min": rows.min(axis=0).tolist(), "max": rows.max(axis=0).tolist()}
        self.accessors.append(about)
        return len(self.accessors) - 1


def write_gltf(
    frames: Iterable[Frame],
    file: Path,
    *,
    model: Any = "dart",
    size: float | None = None,
    colors: Mapping[str, str | None] | None = None,
    most: int = MOST,
    obstacles: Standing | None = None,
) -> None:
    """Write a .glb file.

    Args:
        frames: The frames.
        file: The file.
        model: A shape of pictures ("dart", "bird", "fish", ...), or triangles about 1 long that face along x with z up,
            shape (k, 3, 3); or either by population.
        size: How long the shapes are [m]. Default: twice the radius of each vehicle.
        colors: Colors of populations by name, "#rrggbb" or a name of the palette.
        most: The largest number of vehicles.
        obstacles: The obstacles, as a node "obstacles" that does not move. Default: nothing.

    Raises:
        ValueError: There are more vehicles, or none, or there is no such shape.
    """
    shapes = {name: shape_of(own) for name, own in (model.items() if isinstance(model, Mapping) else [("", model)])}
    motions = motions_of(frames)
    count = sum(len(motion.id) for motion in motions.values())
    if count > most:
        raise ValueError(
            f"a .glb file has a node for each of at most {most:,} vehicles, got {count:,}; "
            "write .usda or .usdc for more, or say most"
        )
    paint = linear_colors(motions, colors)
    buffer, channels, samplers = Buffer(), [], []
    nodes: list[dict[str, Any]] = [{"name": "steersman"}]
    meshes: list[dict[str, Any]] = []
    materials: list[dict[str, Any]] = []
    for name, motion in motions.items():
        sides = _y_up(shapes.get(name, shapes.get("", solid_triangles("dart"))))
        attributes = _surface(buffer, sides)
        surface = {"baseColorFactor": [*paint[name], 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.7}
        materials.append({"name": name, "pbrMetallicRoughness": surface, "doubleSided": True})
        meshes.append({"name": name, "primitives": [{"attributes": attributes, "material": len(materials) - 1}]})
        all_times = buffer.add(motion.times, bounds=True)
        jumped: Array = motion.jumped
        position, turn, length = _y_up(motion.position), _y_up(motion.quaternion), shape_lengths(motion, size)
        for column, id in enumerate(motion.id.tolist()):
            scale = [float(length[column])] * 3
            node: dict[str, Any] = {
                "name": f"{name}.{id}",
                "mesh": len(meshes) - 1,
                "scale": scale,
                "extras": {"id": id},
            }
            nodes.append({**node, "translation": position[0, column].tolist(), "rotation": turn[0, column].tolist()})
            keys, times = _keys(motion.times, jumped[:, column]), all_times
            if len(keys[0]) != len(motion.times):
                times = buffer.add(keys[0], bounds=True)
            moved = {"translation": position[keys[1], column], "rotation": turn[keys[1], column]}
            if not motion.there[:, column].all():
                moved["scale"] = np.outer(motion.there[keys[1], column], scale)
            for path, values in moved.items():
                kind = "STEP" if path == "scale" else "LINEAR"
                samplers.append({"input": times, "output": buffer.add(values), "interpolation": kind})
                channels.append({"sampler": len(samplers) - 1, "target": {"node": len(nodes) - 1, "path": path}})
    if obstacles is not None and (primitives := _standing(buffer, obstacles, len(materials))):
        surface = {"baseColorFactor": [*linear(rgb(COLOR)), 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.9}
        materials.append({"name": "obstacles", "pbrMetallicRoughness": surface, "doubleSided": True})
        meshes.append({"name": "obstacles", "primitives": primitives})
        nodes.append({"name": "obstacles", "mesh": len(meshes) - 1})
    nodes[0]["children"] = [*range(1, len(nodes))]
    whole = {
        "asset": {"version": "2.0", "generator": "steersman"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": nodes,
        "meshes": meshes, "materials": materials, "accessors": buffer.accessors, "bufferViews": buffer.views,
        "buffers": [{"byteLength": len(buffer.data)}],
        "animations": [{"name": "run", "channels": channels, "samplers": samplers}],
    }  # fmt: skip
    text = json.dumps(whole, separators=(",", ":")).encode()
    chunks = [(text + b" " * (-len(text) % 4), b"JSON"), (bytes(buffer.data), b"BIN\0")]
    parts = [len(data).to_bytes(4, "little") + kind + data for data, kind in chunks]
    total = 12 + sum(map(len, parts))
    file.write_bytes(b"".join([b"glTF", (2).to_bytes(4, "little"), total.to_bytes(4, "little"), *parts]))


def _surface(buffer: Buffer, sides: Array) -> dict[str, int]:
    """Triangles with y up, shape (k, 3, 3), as attributes of a mesh; without those that have no area, and so no normal."""
    one, other = sides[:, 1] - sides[:, 0], sides[:, 2] - sides[:, 0]
    across = np.cross(one, other)
    longest = np.maximum((one * one).sum(axis=1), (other * other).sum(axis=1))
    wide = np.linalg.norm(across, axis=1) > 1e-9 * longest
    normals, corners = np.repeat(unit_rows(across[wide]), 3, axis=0), sides[wide].reshape(-1, 3)
    return {"POSITION": buffer.add(corners, bounds=True, vertices=True), "NORMAL": buffer.add(normals, vertices=True)}


def _standing(buffer: Buffer, obstacles: Standing, material: int) -> list[dict[str, Any]]:
    """Obstacles as parts of a mesh: triangles, and lines."""
    parts: list[dict[str, Any]] = []
    if len(obstacles.triangles):
        parts.append({"attributes": _surface(buffer, _y_up(obstacles.triangles)), "material": material})
    if obstacles.lines:
        pieces = [np.stack([line[:-1], line[1:]], axis=1).reshape(-1, 3) for line in obstacles.lines]
        places = buffer.add(_y_up(np.concatenate(pieces)), bounds=True, vertices=True)
        parts.append({"attributes": {"POSITION": places}, "material": material, "mode": LINES})
    return parts


def shape_of(model: Any) -> Array:
    """The triangles of a shape of pictures, shape (k, 3, 3), or those that are given."""
    if not isinstance(model, str):
        return np.asarray(model, np.float64).reshape(-1, 3, 3)
    if model not in GLYPHS:
        raise ValueError(
            f"model must be a shape, triangles or, for USD, a file, got {model!r}{suggestion(model, GLYPHS)}"
        )
    return solid_triangles(model)


def _y_up(values: Array) -> Array:
    """Vectors (x, y, z), or quaternions (w, x, y, z), with z up as vectors, or as quaternions (x, y, z, w), with y up."""
    x, y, z = (values[..., k] for k in range(-3, 0))
    parts = [x, z, -y] if values.shape[-1] == 3 else [x, z, -y, values[..., 0]]
    return np.stack(parts, axis=-1)


def _keys(times: Array, jumped: Array) -> tuple[Array, Array]:
    """Times of the keys of a vehicle, and their frames: before a jump the one before is kept, so that it is not drawn."""
    jumps = np.flatnonzero(jumped)
    added = times[jumps + 1] - 1e-3 * (times[jumps + 1] - times[jumps])
    return np.insert(times, jumps + 1, added), np.insert(np.arange(len(times)), jumps + 1, jumps)
