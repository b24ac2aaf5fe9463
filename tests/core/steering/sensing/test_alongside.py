"""FollowWall along surfaces and paths: a bird over hills, vehicles beside a road, and corners."""

import numpy as np
import pytest

import steersman as sm
from steersman.runs.documents.builder import set_stage


def run_along(walls, position, velocity, *, offset=3.0, side="either", seconds=20.0, dt=1 / 60, **options):
    """Run, and give back the vehicles and how far they were from what they follow in the second half, (steps, n)."""
    vehicles = sm.Vehicles(position, velocity, **({"max_speed": 8.0, "max_force": 40.0} | options))
    world = sm.World(dt=dt, threads=1)
    world.add(vehicles, steering=sm.FollowWall(walls, offset=offset, side=side))
    found = []
    for step in range(round(seconds / dt)):
        world.step()
        if step * dt > seconds / 2 and step % 4 == 0:
            if isinstance(walls, sm.Path):
                found.append(walls.project(vehicles.position).distance)
            else:
                found.append(walls.nearest(vehicles.position).distance)
    return vehicles, np.array(found)


def hills(side: float = 240.0) -> sm.Heightfield:
    """Rolling hills, 16 m from valley to top."""
    x = np.linspace(0, side, 121)
    return sm.Heightfield(8 * np.sin(x / 15)[:, None] * np.cos(x / 20)[None], [0, 0], [side, side])


def test_a_bird_follows_the_hills_at_five_meters():
    rng = np.random.default_rng(1)
    start = np.column_stack([rng.uniform(60, 180, (12, 2)), rng.uniform(20, 30, 12)])
    velocity = np.column_stack([rng.normal(0, 4, (12, 2)), np.zeros(12)])
    birds, apart = run_along(hills(), start, velocity, offset=5.0, seconds=12, dtype=np.float64)
    assert apart.min() > 4.0
    assert apart.max() < 6.0
    assert np.abs(apart - 5).mean() < 0.3
    assert birds.speed.min() > 7


def test_whoever_is_below_the_ground_comes_up():
    birds, apart = run_along(
        sm.Plane([0, 0, 0], [0, 0, 1]), [[0.0, 0.0, -3.0]], [[2.0, 0.0, 0.0]], offset=5.0, dtype=np.float64
    )
    np.testing.assert_allclose(apart, 5, atol=0.02)
    assert birds.velocity[0, 0] > 7.9


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_road_is_followed_on_either_side_in_either_direction(side):
    """With the road on the left one drives along it so that it is there, from wherever one comes."""
    road = sm.Path([[-900.0, 0.0], [900.0, 0.0]])
    start = [[0.0, 9.0], [0.0, -9.0], [0.0, 0.0], [5.0, 0.5]]
    cars, apart = run_along(road, start, [[3.0, -4.0], [3.0, 4.0], [0.0, 0.0], [-5.0, 1.0]], side=side)
    np.testing.assert_allclose(apart, 3, atol=0.05)
    ahead = 1 if side == "right" else -1
    np.testing.assert_allclose(cars.velocity[:, 0] * np.sign(cars.position[:, 1]), 8 * ahead, atol=0.05)


def test_a_road_is_followed_the_way_one_is_headed():
    road = sm.Path([[-900.0, 0.0], [900.0, 0.0]])
    cars, apart = run_along(
        road, [[0.0, 9.0], [0.0, -9.0], [0.0, 2.0], [0.0, -2.0]], [[4, -4], [-4, 4], [-4, 0], [4, 0]]
    )
    np.testing.assert_allclose(apart, 3, atol=0.05)
    np.testing.assert_allclose(cars.velocity[:, 0], [8, -8, -8, 8], atol=0.05)


def test_a_pipe_in_space_is_followed_beside_it():
    pipe = sm.Path([[-900.0, 0.0, 0.0], [900.0, 0.0, 0.0]])
    start = [[0.0, 9.0, 2.0], [0.0, 0.0, -5.0], [0.0, 1.0, 1.0]]
    cars, apart = run_along(pipe, start, [[3, -4, 2], [-3, 2, 1], [2, 3, -3]], dtype=np.float64)
    np.testing.assert_allclose(apart, 3, atol=0.05)
    np.testing.assert_allclose(cars.velocity, [[8, 0, 0], [-8, 0, 0], [8, 0, 0]], atol=0.1)


@pytest.mark.parametrize("side", ["left", "right"])
def test_the_corners_of_a_road_are_gone_round_inside_and_outside(side):
    road = sm.Path([[0.0, 0.0], [60.0, 0.0], [60.0, 40.0], [0.0, 40.0]], closed=True)
    start = [[20.0, 6.0], [30.0, 20.0], [20.0, -6.0], [70.0, 20.0]]
    cars, apart = run_along(road, start, [[4, 0], [4, 4], [4, 0], [0, 4]], side=side, seconds=40)
    assert apart.min() > 2.4
    assert apart.max() < 5.0
    assert cars.speed.min() > 7


@pytest.mark.parametrize(
    ("section", "thing"),
    [
        ("paths", {"points": [[-90, 0], [90, 0]]}),
        ("surfaces", {"kind": "plane", "point": [0, 0], "normal": [0, 1]}),
    ],
)
def test_documents_name_surfaces_and_paths(section, thing):
    cars = {
        "name": "cars", "n": 2, "spawn": {"shape": "box", "center": [0, 4], "size": [4, 2]}, "max_speed": 8.0,
        "max_force": 40.0, "steering": {"behavior": "FollowWall", "walls": "it"},
    }  # fmt: skip
    stage = set_stage({"populations": [cars], section: [{"name": "it", **thing}]})
    stage.world.run(seconds=6)
    np.testing.assert_allclose(stage.world["cars"].position[:, 1], 2, atol=0.05)
