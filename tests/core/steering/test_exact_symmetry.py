"""AvoidObstacles in exact symmetry: headed dead at the middle of what is in the way, wherever and however turned."""

import math

import numpy as np
import pytest

import steersman as sm

COUNT = 64


def directions(dimensions):
    """Unit vectors: diagonals of every kind and a full turn."""
    if dimensions == 2:
        angle = np.arange(COUNT) * 2 * math.pi / COUNT
        ways = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        ways[:8] = [[1, 1], [1, -1], [-1, 1], [1, 2], [2, 1], [-1, 2], [3, 4], [1, 3]]
    else:
        ways = np.random.default_rng(2).normal(size=(COUNT, 3))
        ways[:8] = [[1, 1, 1], [1, 1, 0], [0, 1, 1], [-1, 1, 1], [1, 2, 3], [1, 0, 0], [0, 0, 1], [2, 1, 1]]
    return ways / np.linalg.norm(ways, axis=1, keepdims=True)


def frames(ways):
    """Rotation matrices whose first column is the way."""
    made = []
    for way in ways:
        q, _ = np.linalg.qr(np.column_stack([way, np.eye(len(way))]))
        q[:, 0] = way
        q[:, -1] *= np.sign(np.linalg.det(q))
        made.append(q)
    return np.array(made)


def things(kind, places, turned):
    """One thing of a kind at every place, its middle face toward the way."""
    d = places.shape[1]
    if kind == "spheres":
        return sm.Spheres(places, 2.0)
    if kind == "boxes":
        return sm.Boxes(places, [2.0, 3.0, 3.0][:d], turned)
    aside = 3.0 * turned[:, :, 1]
    if kind == "capsules":
        return sm.Capsules(places - aside, places + aside, 1.0)
    if d == 2:
        return sm.Walls(np.stack([places - aside, places + aside], axis=1))
    up = 3.0 * turned[:, :, 2]
    corners = np.stack([places - aside - up, places + aside - up, places + aside + up, places - aside + up], axis=1)
    faces = 4 * np.arange(len(places))[:, None, None] + np.array([[0, 1, 2], [0, 2, 3]])
    return sm.TriangleMesh(corners.reshape(-1, 3), faces.reshape(-1, 3))


def field(kind, dimensions, dtype, start, far):
    """Vehicles and, dead ahead of each, one thing; far from each other and from the origin, on a grid."""
    ways = directions(dimensions)
    k = np.arange(COUNT)
    origin = np.zeros((COUNT, dimensions))
    origin[:, 0], origin[:, 1] = far + 64.0 * (k % 8), far + 64.0 * (k // 8)
    vehicles = sm.Vehicles(origin, 6.0 * ways, radius=0.5, max_speed=6.0, max_force=30.0, dtype=dtype)
    return vehicles, things(kind, origin + start * ways, frames(ways)), origin, ways


CASES = [
    (kind, d, dtype)
    for kind in ("spheres", "boxes", "capsules", "surfaces")
    for d, dtype in ((2, np.float32), (3, np.float64))
] + [("spheres", 2, np.float64), ("spheres", 3, np.float32)]  # fmt: skip


@pytest.mark.parametrize(("kind", "dimensions", "dtype"), CASES)
def test_dead_ahead_is_steered_to_a_side(kind, dimensions, dtype):
    front = {"spheres": 2.0, "boxes": 2.0, "capsules": 1.0, "surfaces": 0.0}[kind]
    for far, magnitude in ((0.0, "needed"), (1e3, "needed"), (0.0, "full"), (1e3, "full")):
        vehicles, obstacles, *_ = field(kind, dimensions, dtype, front + 1.9, far)
        avoid = sm.AvoidObstacles(obstacles, magnitude=magnitude, stops=False)
        told = sm.Controller(vehicles, avoid, threads=1).steer(1 / 60).astype(float)
        along = np.sum(told * vehicles.forward, axis=1)
        assert np.linalg.norm(told, axis=1).min() > 14.9, "half of max_force at least"
        assert np.abs(along).max() < 0.01 * 30, "perpendicular, but for what float32 leaves of a center 1 km away"


@pytest.mark.parametrize(("dimensions", "dtype"), [(2, np.float32), (3, np.float64)])
@pytest.mark.parametrize("late", [False, True])
def test_what_stands_dead_ahead_of_the_goal_is_passed_with_the_clearance(dimensions, dtype, late):
    """A rock right before the goal, for a point mass and for a body that answers a tenth of a second late."""
    for far in (0.0, 1e3):
        vehicles, rocks, origin, ways = field("spheres", dimensions, dtype, 9.0, far)
        body = sm.PointMass(limits=[sm.TurnRate(4.0)] if late else [])
        steering = sm.Priority([sm.AvoidObstacles(rocks), sm.Seek(origin + 25.0 * ways)])
        world = sm.World(seed=1, dt=1 / 60, threads=1)
        world.add(vehicles, steering=steering, locomotion=body)
        nearest = np.inf
        for _ in range(220):
            world.step()
            apart = np.linalg.norm(vehicles.position.astype(float) - (origin + 9.0 * ways), axis=1)
            nearest = min(nearest, apart.min() - 2.5)
        assert nearest > -2e-3
        assert late or nearest > 0.03
        assert np.sum((vehicles.position - origin) * ways, axis=1).min() > 12
