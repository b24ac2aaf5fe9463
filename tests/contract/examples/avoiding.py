"""Examples of the behaviors about obstacles; all shapes are made from the rocks, so that they turn with them."""

from typing import Any

import numpy as np
from contract.examples.example import Example
from contract.places import Array, Place

import steersman as sm


def axes_at(p: Place) -> tuple[Array, Array]:
    """Right-handed unit axes for each rock, (m, d, d) by rows, and a size so small that no two can meet (m,)."""
    centers = np.asarray(p.rocks.center)
    ways = [np.roll(centers, -k, axis=0) - centers for k in range(1, centers.shape[1])]
    rows = []
    for j in range(len(centers)):
        q, r = np.linalg.qr(np.stack([way[j] for way in ways] + [np.eye(len(centers[0]))[0]], axis=1))
        axes = (q * np.where(np.diag(r) < 0, -1, 1)).T
        axes[-1] *= np.sign(np.linalg.det(axes))
        rows.append(axes)
    apart = np.linalg.norm(centers[:, None] - centers, axis=2) + np.where(np.eye(len(centers)), np.inf, 0)
    return np.array(rows), np.where(apart.min(axis=1) > 0, 0.3 * apart.min(axis=1), 1.0)


def boxes(p: Place, **options: Any) -> sm.Boxes:
    axes, _ = axes_at(p)
    sizes = p.rocks.radius[:, None] * np.array([1.0, 0.4, 0.7])[: axes.shape[1]]
    return sm.Boxes(p.rocks.center, sizes, np.swapaxes(axes, 1, 2), **options)


def capsules(p: Place) -> sm.Capsules:
    return sm.Capsules(p.rocks.center, np.roll(p.rocks.center, -1, axis=0), 0.4 * p.rocks.radius)


def open_surface(p: Place, **options: Any) -> sm.Obstacles:
    """Walls in the plane, single triangles in space."""
    a = np.asarray(p.rocks.center)
    b, c = (a + 0.4 * (np.roll(a, -k, axis=0) - a) for k in (1, 2))
    if a.shape[1] == 2:
        return sm.Walls(np.stack([a, b], axis=1), **options)
    flat = not np.cross(b - a, c - a).any()
    corners = np.stack([a, b, c], axis=1).reshape(-1, 3) if not flat else np.eye(3)
    return sm.TriangleMesh(corners, np.arange(len(corners)).reshape(-1, 3), **options)


def closed_surface(p: Place, **options: Any) -> sm.Obstacles:
    """Rings of walls in the plane, octahedra in space; only one where all are in one place."""
    axes, size = axes_at(p)
    one = len(np.unique(p.rocks.center, axis=0)) == 1
    count = 1 if one else len(size)
    spikes = p.rocks.center[:count, None] + size[:count, None, None] * axes[:count]
    stings = p.rocks.center[:count, None] - size[:count, None, None] * axes[:count]
    if axes.shape[1] == 2:
        rings = list(np.stack([spikes[:, 0], spikes[:, 1], stings[:, 0], stings[:, 1]], axis=1))
        return sm.Walls(rings, closed=True, seen_from="outside")
    faces = []
    for signs in np.ndindex(2, 2, 2):
        face = [k + 3 * sign for k, sign in enumerate(signs)]
        faces.append(face if sum(signs) % 2 == 0 else face[::-1])
    corners = np.concatenate([spikes, stings], axis=1)
    return sm.TriangleMesh(corners.reshape(-1, 3), np.concatenate([np.array(faces) + 6 * k for k in range(count)]))


def paper(obstacles: Any, **options: Any) -> sm.AvoidObstacles:
    """The literal law: a cylinder as thick as the vehicle, and steering aside, nothing else."""
    return sm.AvoidObstacles(obstacles, **{"magnitude": "full", "clearance": 0.0, "stops": False} | options)


EXAMPLES: dict[str, Example] = {
    "avoid as needed": lambda p: sm.AvoidObstacles(p.rocks, lookahead=5.0, stops=False),
    "avoid tanks as needed": lambda p: sm.AvoidObstacles(
        sm.Spheres(p.state.sites, 9.0, seen_from="inside"), lookahead=5.0, clearance=0.7, stops=False
    ),
    "avoid rocks and stop": lambda p: sm.AvoidObstacles(p.rocks),
    "avoid boxes and stop": lambda p: sm.AvoidObstacles(boxes(p), magnitude="full", braking=0.5),
    "avoid walls or triangles and stop": lambda p: sm.AvoidObstacles(open_surface(p), clearance=6.0),
    "avoid": lambda p: paper(p.rocks, lookahead=5.0),
    "avoid literal": lambda p: paper(p.rocks, lookahead=4.0, magnitude="literal", strength=2.5),
    "avoid proximity": lambda p: paper(p.rocks, lookahead=4.0, magnitude="proximity", min_length=6.0),
    "avoid braking": lambda p: paper([p.rocks, p.rocks], min_length=15.0, lookahead=0.0, braking=0.6),
    "avoid before goal": lambda p: paper(p.rocks, lookahead=9.0, goal=p.state.points),
    "avoid before the nearest": lambda p: paper(p.rocks, lookahead=9.0, goal=p.others),
    "avoid before one": lambda p: paper(p.rocks, lookahead=9.0, goal=p.others, which=9),
    "avoid boxes": lambda p: paper(boxes(p), lookahead=5.0),
    "avoid capsules, literal": lambda p: paper(capsules(p), lookahead=3.0, magnitude="literal", strength=0.5),
    "avoid walls or triangles": lambda p: paper(open_surface(p), lookahead=9.0, magnitude="proximity"),
    "avoid rings or octahedra": lambda p: paper(closed_surface(p), lookahead=9.0, braking=0.4),
    "avoid tanks": lambda p: paper(sm.Spheres(p.state.sites, 9.0, seen_from="inside"), lookahead=5.0),
    "avoid shells": lambda p: paper(sm.Spheres(p.rocks.center, p.rocks.radius, seen_from="both"), lookahead=5.0),
    "avoid spheres, boxes and capsules": lambda p: paper(
        [sm.Spheres(p.state.sites, 1.0), boxes(p), capsules(p)], lookahead=4.0, goal=p.state.points
    ),
}
