"""The shortest way past walls and rocks: what the time of a walker is compared with."""

from typing import Any

import numpy as np

from benchmarks.quality.scenes import NEAR, RADIUS, SPEED, Scene

CORNERS = 16
"""Places around a rock or the end of a wall, between which ways are looked for."""

SHORT = 1e-3
"""What a way may come nearer than it should [m]."""


def gap(a: Any, b: Any, walls: Any) -> Any:
    """Distances of segments from a to b, shape (n, 2) each, to walls, shape (m, 2, 2): shape (n, m) [m]."""
    p, q = walls[None, :, 0], walls[None, :, 1]
    a, b = a[:, None], b[:, None]

    def to_segment(point: Any, start: Any, end: Any) -> Any:
        way = end - start
        along = np.sum((point - start) * way, axis=-1) / np.maximum(np.sum(way**2, axis=-1), 1e-12)
        return np.linalg.norm(point - start - np.clip(along, 0, 1)[..., None] * way, axis=-1)

    def side(start: Any, end: Any, point: Any) -> Any:
        u, v = end - start, point - start
        return np.sign(u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0])

    nearest = np.minimum.reduce([to_segment(a, p, q), to_segment(b, p, q), to_segment(p, a, b), to_segment(q, a, b)])
    cross = (side(a, b, p) * side(a, b, q) < 0) & (side(p, q, a) * side(p, q, b) < 0)
    return np.where(cross, 0.0, nearest)


def shortest(scene: Scene, starts: Any, goals: Any) -> Any:
    """Lengths of the shortest ways between pairs of places, shape (n,) [m]."""
    walls = np.concatenate([scene.walls, np.repeat(scene.rocks[0][:, None], 2, axis=1)])
    if not len(walls):
        return np.linalg.norm(goals - starts, axis=1)
    room = RADIUS + np.concatenate([np.zeros(len(scene.walls)), scene.rocks[1]])
    angle = np.arange(CORNERS) * 2 * np.pi / CORNERS
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1) / np.cos(np.pi / CORNERS)
    ends = np.concatenate([end + room_of * ring for wall, room_of in zip(walls, room, strict=True) for end in wall])
    ends = np.unique(ends.round(9), axis=0)
    ends = ends[(gap(ends, ends, walls) > room - SHORT).all(axis=1)]
    places, n = np.concatenate([starts, goals, ends]), len(starts)
    first, second = np.triu_indices(len(places), 1)
    free = np.concatenate([
        (gap(places[first[at]], places[second[at]], walls) > room - SHORT).all(axis=1)
        for at in np.array_split(np.arange(len(first)), 1 + len(first) // 20000)
    ])  # fmt: skip
    length = np.full((len(places), len(places)), np.inf)
    far = np.linalg.norm(places[first] - places[second], axis=1)
    length[first[free], second[free]] = length[second[free], first[free]] = far[free]
    best = length[:n]  # From every start to everywhere, over more and more places.
    for _ in range(len(places)):
        shorter = np.minimum(best, np.min(best[:, :, None] + length[None], axis=1))
        if (shorter >= best - 1e-9).all():
            break
        best = shorter
    return best[np.arange(n), n + np.arange(n)]


def taut(scene: Scene, way: Any, start: Any) -> float:
    """Length of the shortest way through the places of a way, each of which may be passed at the reach [m]."""
    angle = np.arange(64) * np.pi / 32
    ring = scene.reach * np.concatenate([[[0.0, 0.0]], np.stack([np.cos(angle), np.sin(angle)], axis=1)])
    places, so_far = start[None], np.zeros(1)
    for place in way[:-1]:
        following = place + ring
        so_far = (so_far[:, None] + np.linalg.norm(following[None] - places[:, None], axis=2)).min(axis=0)
        places = following
    return float((so_far + np.linalg.norm(way[-1] - places, axis=1)).min())


def free_times(scene: Scene) -> Any:
    """How long everybody would take alone at full speed [s], shape (n,), to NEAR its last place."""
    if scene.ways.shape[1] == 1:
        lengths = shortest(scene, scene.start, scene.ways[:, 0])
    else:
        lengths = np.array([taut(scene, way, start) for start, way in zip(scene.start, scene.ways, strict=True)])
    return np.maximum(lengths - NEAR, 0.0) / SPEED
