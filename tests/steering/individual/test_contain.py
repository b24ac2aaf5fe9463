"""Contain: nobody leaves, however he comes."""

import math

import numpy as np
import pytest

import steersman as sm

DISC = sm.Sphere([0, 0], 10)
LAWS = pytest.mark.parametrize("law", ["inside", "normal"])


def vehicle(position, velocity, **columns):
    options = {"max_speed": 4.0, "max_force": 20.0, "response_time": 0.2, "dtype": np.float64}
    return sm.Vehicles([position], [velocity], **options | columns)


def force(vehicles, behavior, **options):
    return sm.Controller(vehicles, behavior, **options).steer(0.05)[0]


@LAWS
def test_inside_there_is_nothing_to_correct(law):
    """Up to the very boundary: predicted at 9.99 m of 10."""
    behavior = sm.Contain(DISC, law=law)
    np.testing.assert_array_equal(force(vehicle((5.99, 0), (4, 0)), behavior), [0, 0])
    assert force(vehicle((6.01, 0), (4, 0)), behavior).any()


@LAWS
def test_head_on_it_turns_back_trap(law):
    """The normal has no lateral part there; a containment of Reynolds' second way alone would do nothing."""
    for angle in (0.0, 0.1, -0.15):
        velocity = 4 * np.array([np.cos(angle), np.sin(angle)])
        found = force(vehicle((7, 0), velocity), sm.Contain(DISC, law=law))
        assert found[0] < -10


def test_the_inside_point_by_hand():
    """Predicted at (6, 8 + 4): 13.4164 m from the center, so 3.4164 m outside. Brought 3 m inside, then sought."""
    found = force(vehicle((6, 8), (0, 4), max_force=1e6), sm.Contain(DISC, depth=3.0))
    target = np.array([6, 12]) / np.hypot(6, 12) * 7
    way = target - (6, 8)
    np.testing.assert_allclose(found, (4 * way / np.linalg.norm(way) - (0, 4)) / 0.2, rtol=1e-12)


def test_sideways_along_the_wall_and_in_a_corner_back_inside():
    """Through the upper wall of a box: sideways is down. Beyond its right wall too: back to a point inside."""
    box = sm.Box([20, 10])
    behavior = sm.Contain(box, law="normal", lookahead=1.5, depth=0.0)
    forward = np.array([2, 1.2]) / np.hypot(2, 1.2)
    lateral = np.array([0, -1]) + forward * forward[1]
    found = force(vehicle((15, 9.5), (2, 1.2)), behavior)
    np.testing.assert_allclose(found, 20 * lateral / np.linalg.norm(lateral), rtol=1e-12)
    found = force(vehicle((15, 9.5), (4, 1.2), max_speed=9, max_force=1e6), behavior)
    way = np.array([20, 10]) - (15, 9.5)
    np.testing.assert_allclose(found, (9 * way / np.linalg.norm(way) - (4, 1.2)) / 0.2, rtol=1e-12)


def test_a_way_across_a_dent_is_no_way():
    """Where it ends is inside, but it leaves on the way there."""
    dented = sm.Polygon([[0, 0], [10, 0], [10, 8], [5, 3], [0, 8]])
    found = force(vehicle((2, 5), (4, 0)), sm.Contain(dented, lookahead=1.5))
    assert found[1] < -1
    np.testing.assert_array_equal(force(vehicle((2, 2), (4, 0)), sm.Contain(dented, lookahead=1.5)), [0, 0])


@LAWS
def test_who_is_outside_comes_back(law):
    vehicles = vehicle((30, -20), (1, 3))
    world = sm.World(dt=0.02)
    world.add(vehicles, steering=sm.Contain(DISC, law=law))
    world.run(seconds=20)
    assert DISC.inside(vehicles.position[0])


REGIONS = {
    "disc": DISC,
    "box": sm.Box([20, 12], [-10, -6]),
    "polygon": sm.Polygon([[-10, -8], [10, -8], [12, 9], [2, 4], [-9, 10]]),
    "ball": sm.Sphere([0, 0, 0], 10),
    "tank": sm.Box([20, 12, 14], [-10, -6, -7]),
}


@LAWS
@pytest.mark.parametrize("name", REGIONS)
def test_nobody_ever_leaves(name, law):
    """Fifty strollers for a minute, in float32. Enough room ahead to turn in: 4 m at 4 m/s, turning circle 0.8 m."""
    region = REGIONS[name]
    rng = np.random.default_rng(2)
    low, high = region.bounds
    start = rng.uniform(low, high, (400, region.dimensions))
    start = start[region.nearest(start).distance < -1][:50]
    vehicles = sm.Vehicles(start, rng.normal(0, 2, start.shape), max_speed=4, max_force=20)
    world = sm.World(dt=1 / 30, seed=1, threads=1)
    world.add(vehicles, steering=sm.Priority([sm.Contain(region, law=law, margin=0.5), sm.Wander()]))
    for _ in range(60):
        world.run(seconds=1)
        assert region.inside(vehicles.position.astype(float)).all()
    assert vehicles.speed.mean() > 2
    assert np.ptp(vehicles.position, axis=0).min() > 6


def test_on_a_torus_the_region_lies_where_it_is():
    """A disc across the rim: somebody on the other side of it is inside."""
    disc, torus = sm.Sphere([0, 5], 3), sm.Torus([40, 40])
    behavior = sm.Contain(disc, lookahead=0.1)
    np.testing.assert_array_equal(force(vehicle((38, 5), (0, 1)), behavior, domain=torus), [0, 0])
    assert force(vehicle((36.5, 5), (0, 0)), behavior, domain=torus)[0] > 0


def test_what_is_refused():
    with pytest.raises(TypeError, match="region must be a Sphere, Box, Polygon or closed obstacles, got 3"):
        sm.Contain(3)
    with pytest.raises(ValueError, match="margin must be < 10 m, the depth of the region, got 10"):
        sm.Contain(DISC, margin=10)
    with pytest.raises(ValueError, match='law must be "inside" or "normal"'):
        sm.Contain(DISC, law="outside")
    with pytest.raises(ValueError, match="region must have 3 dimensions like the vehicles, got 2"):
        sm.Controller(sm.Vehicles([[0, 0, 0]]), sm.Contain(DISC)).steer(0.1)


@pytest.mark.parametrize("law", ["inside", "normal"])
@pytest.mark.parametrize("combined", ["priority", "sum"])
@pytest.mark.parametrize("degrees", [20, 40])
def test_wanderers_stay_in_a_sharp_corner(law, combined, degrees):
    """They run into it from afar. Seeking the point inside all the same, they leave by 5 to 20 cm."""
    half = math.radians(degrees) / 2
    corner = sm.Polygon(
        [[0, 0], [40 * math.cos(half), -40 * math.sin(half)], [40 * math.cos(half), 40 * math.sin(half)]]
    )

    def farthest(corners):
        rng = np.random.default_rng(1)
        way, angle = rng.uniform(15, 35, 30), rng.uniform(-0.6, 0.6, 30) * half
        vehicles = sm.Vehicles(
            np.stack([way * np.cos(angle), way * np.sin(angle)], axis=1), np.tile([-3.0, 0.0], (30, 1)),
            max_speed=8.0, max_force=30.0,
        )  # fmt: skip
        contain, wander = sm.Contain(corner, law=law, corners=corners), sm.Wander(distance=0.5, strength=0.3)
        world, out = sm.World(dt=1 / 20, seed=3, threads=1), -math.inf
        world.add(
            vehicles, steering=sm.Priority([contain, wander]) if combined == "priority" else contain + 0.3 * wander
        )
        for _ in range(800):
            world.step()
            out = max(out, float(corner.nearest(vehicles.position).distance.max()))
        assert vehicles.speed.mean() > 3
        return out

    assert farthest("retreat") < 0
    assert farthest("seek") > 0.02
