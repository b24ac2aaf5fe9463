"""Vehicles in exact symmetry in space, on rings in planes of any tilt and on solids: all go to the opposite place."""

from typing import Any

import numpy as np
import pytest

import steersman as sm


def ring(n: int, radius: float, tilt: tuple[float, float]) -> Any:
    """Places on a circle about the origin, in a plane turned about x and then about z."""
    angle, (a, b) = np.arange(n) * 2 * np.pi / n, tilt
    places = np.stack([np.cos(angle), np.sin(angle) * np.cos(a), np.sin(angle) * np.sin(a)], axis=1)
    turn = np.array([[np.cos(b), -np.sin(b), 0], [np.sin(b), np.cos(b), 0], [0, 0, 1]])
    return radius * places @ turn.T


def solids() -> dict[str, Any]:
    """The corners of an octahedron, a cube and an icosahedron, as unit vectors."""
    golden = (1 + 5**0.5) / 2
    corners = [[0, s, u] for s in (-1, 1) for u in (-golden, golden)]
    ico = np.array([np.roll(corner, k) for corner in corners for k in range(3)])
    cube = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    found = {"octahedron": np.concatenate([np.eye(3), -np.eye(3)]), "cube": cube, "icosahedron": ico}
    return {name: each / np.linalg.norm(each, axis=1, keepdims=True) for name, each in found.items()}


CASES = {
    **{
        f"ring of {n}, {radius:g} m, tilt {tilt}": ring(n, radius, tilt)
        for n in (2, 5, 6, 8, 12)
        for radius in (8.0, 10.0)
        for tilt in ((0, 0), (np.pi / 2, 0), (np.pi / 2, np.pi / 4), (0.3, 0.7))
    },
    **{f"{name}, {radius:g} m": radius * each for name, each in solids().items() for radius in (8.0, 10.0)},
}


@pytest.mark.each_value
@pytest.mark.filterwarnings("ignore:AvoidNeighbors of:RuntimeWarning")
@pytest.mark.parametrize("body", [sm.PointMass(), sm.Flying()], ids=["point mass", "flying"])
@pytest.mark.parametrize(("dtype", "dt"), [(np.float32, 1 / 60), (np.float64, 1 / 20)])
def test_all_come_to_the_opposite_place(body: Any, dtype: Any, dt: float) -> None:
    world = sm.World(dt=dt)
    parties = {}
    for name, places in CASES.items():
        vehicles = sm.Vehicles(places, max_speed=1.5, max_force=6.0, radius=0.3, dtype=dtype)
        world.add(vehicles, steering=sm.Priority([sm.AvoidNeighbors(), sm.Arrive(-places)]), locomotion=body)
        parties[name] = vehicles
    while world.time < 25:
        world.run(seconds=0.25)
        for name, vehicles in parties.items():
            apart = np.linalg.norm(vehicles.position[:, None] - vehicles.position, axis=2)
            assert (apart + 9 * np.eye(len(vehicles))).min() > 0.6, name
    late = {
        name: float(np.linalg.norm(vehicles.position + CASES[name], axis=1).max()) for name, vehicles in parties.items()
    }
    assert {name: far for name, far in late.items() if not far < 0.1} == {}
