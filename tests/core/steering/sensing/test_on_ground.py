"""Vehicles on a surface choose sides that lie in it."""

import numpy as np
import pytest

import steersman as sm
from steersman import laws
from steersman.core.environment.obstacles.answers import new_bars
from steersman.core.kernels.call import Call
from steersman.core.steering.sensing.on_ground import lay_bars

PLANE = sm.Plane([0, 0, 0], [0, 0, 1])
X = np.linspace(0, 60, 31)
HILLS = sm.Heightfield(2 * np.sin(X / 7)[:, None] * np.cos(X / 9)[None, :], [0, 0], [60, 60])
GLOBE = sm.Sphere([30, 30, -200], 200)
RAMP = sm.Heightfield([[0, 0], [48, 48]], [-20, -20], [60, 60])
"""Three in five."""


def stand(surface, places):
    """Points of a surface above or below places (n, 2)."""
    places = np.asarray(places, float)
    return surface.project(np.column_stack([places, np.zeros(len(places))]))[0]


def walkers(surface, start, goal, speed=3.0, **columns):
    """Vehicles that go from start to goal, on a surface."""
    place, there = stand(surface, start), stand(surface, goal)
    way = there - place
    way *= speed / np.linalg.norm(way, axis=1)[:, None]
    options = {"max_speed": speed, "max_force": 3 * speed, "radius": 0.4, "dtype": np.float64, **columns}
    return sm.Vehicles(place, way, **options), there


def obstacles(surface):
    """A sphere half sunk, a column, a block and a screen in a row, 12 m apart, and where they are."""
    at = np.array([[12.0, 30], [24, 30], [36, 30], [48, 30]])
    c = stand(surface, at)
    corners = c[3] + np.array([[0, -3, -9], [0, 3, -9], [0, 3, 9], [0, -3, 9]])
    high = np.array([0, 0, 9.0])
    return [
        sm.Spheres([c[0]], 2.5),
        sm.Capsules([c[1] - high], [c[1] + high], 2.5),
        sm.Boxes([c[2]], [[2, 2, 9]]),
        sm.TriangleMesh(corners, [[0, 1, 2], [0, 2, 3]], seen_from="both"),
    ], at


@pytest.mark.each_value
@pytest.mark.parametrize("surface", [PLANE, HILLS, GLOBE], ids=["plane", "hills", "globe"])
@pytest.mark.parametrize("literal", [False, True], ids=["default", "literal"])
def test_what_stands_on_the_ground_is_walked_around(surface, literal):
    """Dead center from two sides, and off center; nobody runs into anything, and all get by."""
    rocks, at = obstacles(surface)
    aside = np.array([0.0, 0.0, 0.3, -1.1])
    side = np.array([1.0, -1.0, 1.0, -1.0])
    start = np.concatenate(
        [at + np.column_stack([a * np.ones(4), 15 * s * np.ones(4)]) for a, s in zip(aside, side, strict=True)]
    )
    goal = np.concatenate(
        [at + np.column_stack([a * np.ones(4), -15 * s * np.ones(4)]) for a, s in zip(aside, side, strict=True)]
    )
    vehicles, there = walkers(surface, start, goal)
    options = {"magnitude": "full", "stops": False, "clearance": 0.1} if literal else {}
    world = sm.World(threads=1)
    steering = sm.Priority([sm.AvoidObstacles(rocks, **options), sm.Seek(there)])
    world.add(vehicles, steering=steering, locomotion=sm.SurfaceBound(surface))
    deepest, there_yet = np.full(16, -np.inf), np.zeros(16, bool)
    for _ in range(25 * 30):
        world.step(1 / 30)
        for rock in rocks:
            deepest = np.maximum(deepest, vehicles.radius - rock.nearest(vehicles.position).distance)
        there_yet |= np.linalg.norm(vehicles.position - there, axis=1) < 1
    assert there_yet.all()
    assert deepest.max() < (0.15 if literal else 0.02)  # The letter neither stops nor looks where others are.


def force_of(vehicles, steering, surface):
    """The force of a behavior once everybody stands on the surface [N], shape (n, 3)."""
    world = sm.World(threads=1)
    world.add(vehicles, steering=steering, locomotion=sm.SurfaceBound(surface))
    world.step(1e-9)
    return np.concatenate([world.explain(int(i)).force for i in vehicles.id])


def test_the_side_is_the_one_of_the_law():
    """Of a sphere dead ahead and of one above it, on a ramp, in the letter."""
    vehicles, _ = walkers(RAMP, [[0, 0], [0, 3]], [[20, 0], [20, 3]])
    center = vehicles.position[:1] + 6 * vehicles.forward[:1]
    for lift in (0.0, 0.7):
        rock = center + lift * np.array([[0, 0, 1.0]])
        steering = sm.AvoidObstacles(sm.Spheres(rock, 1.0), magnitude="full", stops=False, clearance=0)
        force = force_of(vehicles, steering, RAMP)
        up, forward = vehicles.up, vehicles.forward
        np.testing.assert_allclose(np.sum(force * up, axis=1), 0, atol=1e-6)
        wanted = laws.avoid_sideways(rock - vehicles.position, forward, vehicles.max_force, up=up)
        np.testing.assert_allclose(force[0], wanted[0], atol=1e-5)
        assert np.linalg.norm(force[0]) == pytest.approx(9)


@pytest.mark.parametrize("law", ["smooth", "imminent"])
def test_who_comes_downhill_is_passed_beside(law):
    """Head on, up and down a ramp; the two differ a little in height."""
    vehicles, there = walkers(RAMP, [[0, 0], [20, 0.02], [0, 10], [20, 10]], [[20, 0], [0, 0.02], [20, 10], [0, 10]])
    avoid = sm.AvoidNeighbors(law=law, lookahead=3.0)
    world = sm.World(threads=1)
    tree = sm.Priority([avoid, sm.Seek(there)])
    world.add(vehicles, steering=tree, locomotion=sm.SurfaceBound(RAMP))
    world.step(1e-9)
    force = np.concatenate([world.explain(int(i)).force for i in vehicles.id])
    nearest = np.inf
    for _ in range(20 * 30):
        world.step(1 / 30)
        nearest = min(nearest, *(np.linalg.norm(np.diff(vehicles.position[k : k + 2], axis=0)) for k in (0, 2)))
    assert nearest > 0.8
    assert np.abs(np.sum(force * vehicles.up, axis=1)).max() < 1e-4


def test_the_evasion_is_the_one_of_the_law():
    vehicles, _ = walkers(RAMP, [[0, 0], [5, 0.3]], [[20, 0], [-15, 0.3]])
    force = force_of(vehicles, sm.AvoidNeighbors(lookahead=3.0, distance=0.5), RAMP)
    a, b = (vehicles.position, vehicles.velocity), (vehicles.position[::-1], vehicles.velocity[::-1])
    options = {"distance": 0.5, "lookahead": 3.0, "max_acceleration": 9.0}
    wanted = laws.smooth_evasion(*a, *b, 0.8, **options, up=vehicles.up)
    assert np.linalg.norm(wanted, axis=1).min() > 0.1
    np.testing.assert_allclose(force, wanted, atol=1e-6)


def test_who_stands_below_a_bird_flees():
    """The pursuer hovers straight above one, and nearly above another."""
    vehicles, _ = walkers(PLANE, [[0, 0], [10.1, 0]], [[1, 0], [11, 0]])
    bird = np.array([[0, 0, 3.0], [10, 0, 3.0]])
    force = force_of(vehicles, sm.Flee(bird), PLANE)
    wanted = laws.match(
        laws.flee(vehicles.position, 0, bird, 3.0, up=vehicles.up), vehicles.velocity, vehicles.mass, 0.1
    )
    np.testing.assert_allclose(force[1], wanted[1], atol=1e-6)
    np.testing.assert_allclose(force[0], 0, atol=1e-6)  # It goes on at full speed, where it is going.


def test_evading_on_the_ground_swerves_on_the_ground():
    vehicles, _ = walkers(PLANE, np.column_stack([np.arange(20), np.zeros(20)]), np.ones((20, 2)), max_force=99.0)
    hawk = sm.Vehicles([[5, 5, 4.0]], max_speed=1.0, dtype=np.float64)
    force = force_of(vehicles, sm.Evade(hawk, unpredictability=0.8), PLANE)
    np.testing.assert_allclose(force[:, 2], 0, atol=1e-9)
    swerved = force / 10 + vehicles.velocity
    np.testing.assert_allclose(np.linalg.norm(swerved, axis=1), 3, atol=1e-6)


def test_reciprocal_avoidance_on_a_slope():
    """A circle of six changes sides on a ramp, around a column."""
    angle = np.arange(6) * np.pi / 3
    ring = np.column_stack([20 + 8 * np.cos(angle), 20 + 8 * np.sin(angle)])
    vehicles, there = walkers(RAMP, ring, 40 - ring)
    foot = stand(RAMP, [[20.0, 20.0]])[0]
    column = sm.Spheres(foot[None] + [0, 0, 0.4], 1.0)
    world = sm.World(threads=1)
    steering = sm.ORCA(time_horizon=3.0, toward=sm.Arrive(there), obstacles=column)
    world.add(vehicles, steering=steering, locomotion=sm.SurfaceBound(RAMP))
    overlap = -np.inf
    for _ in range(20 * 30):
        world.step(1 / 30)
        apart = np.linalg.norm(vehicles.position[:, None] - vehicles.position, axis=2) + 9 * np.eye(6)
        overlap = max(overlap, 0.8 - apart.min(), 0.4 - column.nearest(vehicles.position).distance.min())
    assert overlap < 0.02
    assert np.linalg.norm(vehicles.position - there, axis=1).max() < 0.5


@pytest.mark.parametrize("law", ["apart", "sum"])
def test_the_way_of_a_leader_is_cleared_along_the_ground(law):
    """It comes straight at two, along an axis."""
    leader = sm.Vehicles([[0, 0, 0.0]], [[3.0, 0, 0]], max_speed=3.0, radius=0.4, dtype=np.float64)
    vehicles, _ = walkers(PLANE, [[4, 0], [6, 0]], [[5, 0], [7, 0]], speed=4.0)
    vehicles.velocity[:] = 0
    force = force_of(vehicles, sm.FollowLeader(leader, law=law), PLANE)
    np.testing.assert_allclose(force[:, 2], 0, atol=1e-6)
    assert (np.abs(force[:, 1]) > 1).all()


def test_half_spaces_on_the_ground_hold_the_points_of_the_ground_that_they_hold_in_space():
    """Slanted by any angle; the one along the ground itself is dropped, and the others keep their order."""
    rng = np.random.default_rng(1)
    up = np.array([0.2, -0.3, 1.0]) / np.linalg.norm([0.2, -0.3, 1.0])
    normal = rng.normal(size=(5, 3))
    normal[2] = -up
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    bound = rng.uniform(-2, 2, 5)
    bars = new_bars(1, 3, 1, np.float64)
    bars.number[0] = 5
    for column, of_all in zip(bars.normal, normal.T, strict=True):
        column[0, :5] = of_all
    bars.bound[0, :5] = bound
    Call(lay_bars, (np.ones(1, np.uint8), tuple(up[:, None]), bars)).run(1)
    assert bars.number[0] == 4
    flat, kept = np.stack([column[0, :4] for column in bars.normal], axis=1), [0, 1, 3, 4]
    np.testing.assert_allclose(flat @ up, 0, atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(flat, axis=1), 1)
    ways = rng.normal(0, 3, (200, 3))
    ways -= np.outer(ways @ up, up)
    in_space = ways @ normal[kept].T - bound[kept]
    share = np.sqrt(1 - (normal[kept] @ up) ** 2)
    np.testing.assert_allclose(share * (ways @ flat.T - bars.bound[0, :4]), in_space, atol=1e-9)
