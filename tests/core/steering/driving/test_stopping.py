"""Stopping: whoever asks for avoidance does not pass through a wall, whatever else pushes."""

import numpy as np
import pytest

import steersman as sm
from steersman import laws
from steersman.core.environment.obstacles.answers import BARS

WIDE, DEEP, RADIUS, SEEDS = 4.0, 8.0, 0.5, 20


def dead_end(kind, dimensions):
    """A hollow whose closed end is at x = 0 and whose sides reach back to x = -DEEP."""
    if kind == "walls":
        return sm.Walls([[-DEEP, WIDE], [0, WIDE], [0, -WIDE], [-DEEP, -WIDE]])
    if kind == "mesh":
        corners = [[x, y, z] for x in (-DEEP, 0) for y in (-WIDE, WIDE) for z in (-WIDE, WIDE)]
        squares = [(4, 5, 7, 6), (0, 1, 5, 4), (2, 3, 7, 6), (0, 2, 6, 4), (1, 3, 7, 5)]
        return sm.TriangleMesh(corners, [half for a, b, c, d in squares for half in ((a, b, c), (a, c, d))])
    side, end = np.eye(dimensions), [0.25, *[WIDE + 0.5] * (dimensions - 1)]
    centers, halves = [0.25 * side[0]], [end]
    for k in range(1, dimensions):
        for sign in (-1, 1):
            centers.append(-DEEP / 2 * side[0] + sign * (WIDE + 0.25) * side[k])
            halves.append([DEEP / 2, *(0.25 if j == k else WIDE for j in range(1, dimensions))])
    return sm.Boxes(centers, halves)


def deepest(obstacles, dt, speed, force, seconds=12.0, dtype=np.float32, body=None, **options):
    """How deep twenty vehicles that want to a goal behind the closed end come into its walls [m]."""
    d, rng = obstacles.dimensions, np.random.default_rng(1)
    place, velocity = np.zeros((SEEDS, d)), np.zeros((SEEDS, d))
    place[:, 0], place[:, 1:] = rng.uniform(-30, -14, SEEDS), rng.uniform(-3, 3, (SEEDS, d - 1))
    velocity[:, 0], velocity[:, 1:] = speed * rng.uniform(0, 1, SEEDS), rng.normal(0, 0.3 * speed, (SEEDS, d - 1))
    place[:5, 0], velocity[:5] = rng.uniform(-7, -2, 5), 0.1 * velocity[:5]
    place[0], velocity[0] = -30 * np.eye(d)[0], speed * np.eye(d)[0]
    vehicles = sm.Vehicles(place, velocity, radius=RADIUS, max_force=force, max_speed=speed, dtype=dtype)
    world = sm.World(seed=1, dt=dt, threads=1)
    steering = sm.Priority([sm.AvoidObstacles(obstacles, **options), sm.Seek(15 * np.eye(d)[0])])
    world.add(vehicles, steering=steering, locomotion=body or sm.PointMass())
    worst = -np.inf
    for _ in range(round(seconds / dt)):
        world.step()
        worst = max(worst, float((RADIUS - obstacles.nearest(vehicles.position.astype(float)).distance).max()))
    return worst


OPTIONS = [
    {}, {"braking": 1.0}, {"magnitude": "full"}, {"magnitude": "full", "braking": 1.0}, {"magnitude": "proximity"},
    {"magnitude": "proximity", "braking": 1.0}, {"magnitude": "literal"}, {"clearance": 0.0},
]  # fmt: skip


@pytest.mark.each_value
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("kind", ["walls", "boxes"])
def test_nobody_passes_through_the_end_of_a_dead_end(kind, options):
    obstacles = dead_end(kind, 2)
    for dt, speed, force in ((1 / 60, 6.0, 30.0), (1 / 20, 6.0, 30.0), (1 / 30, 10.0, 10.0)):
        assert deepest(obstacles, dt, speed, force, **options) < 0


@pytest.mark.parametrize("kind", ["boxes", "mesh"])
def test_nobody_passes_through_it_in_space(kind):
    assert deepest(dead_end(kind, 3), 1 / 30, 6.0, 30.0, dtype=np.float64) < 0


def test_without_stops_the_literal_law_lets_them_through():
    """What makes the tests above say something: the end of a box, 0.5 m thick, is behind them."""
    assert deepest(dead_end("boxes", 2), 1 / 60, 6.0, 30.0, magnitude="full", clearance=0.0, stops=False) > 0.5


def test_along_a_wall_and_through_a_corridor_nobody_brakes():
    """Parallel to walls that leave less room than the clearance asks for, and 3 cm askew."""
    corridor = sm.Walls([[[-50, 0.58], [50, 0.58]], [[-50, -0.58], [50, -0.58]]])
    vehicles = sm.Vehicles([[0, 0], [0, 0.03]], [[5.0, 0]] * 2, radius=0.5, max_force=30, max_speed=6)
    world = sm.World(seed=1, dt=1 / 60, threads=1)
    world.add(vehicles, steering=sm.Priority([sm.AvoidObstacles(corridor), sm.Seek([100.0, 0.0])]))
    for _ in range(300):
        world.step()
        assert vehicles.velocity[:, 0].min() > 4.9
    assert (0.58 - np.abs(vehicles.position[:, 1])).min() > 0.5


def test_who_stands_at_a_wall_may_leave_it():
    """Touching, and overlapping by 0.2 m: the wall holds nobody who wants away from it."""
    wall = sm.Walls([[0, -20], [0, 20]])
    vehicles = sm.Vehicles([[-0.5, 0], [-0.3, 3]], forward=[1.0, 0], radius=0.5, max_force=30, max_speed=6)
    world = sm.World(seed=1, dt=1 / 60, threads=1)
    world.add(vehicles, steering=sm.Priority([sm.AvoidObstacles(wall), sm.Seek([-40.0, 0.0])]))
    world.run(seconds=2)
    assert vehicles.position[:, 0].max() < -5


def test_the_stoppable_speed_stops_in_the_gap():
    """From s(g), one step on and then braking, the vehicle stops at the surface and not before it."""
    for gap in (0.01, 0.3, 5.0):
        for dt in (1 / 240, 1 / 20):
            speed = laws.stoppable_speed(gap, 10.0, dt)
            brakes = 10.0 * laws.stopping.BRAKES
            assert speed * dt + speed**2 / (2 * brakes) == pytest.approx(gap)


def test_what_brakes_comes_first():
    """Sideways and against a wall all force is wanted; what stops gets what it needs, the rest what is left."""
    wall, velocity, push = np.array([[-1.0, 0.0]]), np.array([2.0, 0.0]), np.array([0.0, 10.0])
    told = laws.stop_before(velocity, push, 1.0, 10.0, wall, np.array([0.5]), 0.1)
    allowed = laws.stoppable_speed(0.5, 10.0, 0.1)
    assert 2.0 + 0.1 * told[0] <= allowed + 1e-9
    assert np.hypot(*told) == pytest.approx(10.0)
    assert told[1] > 0


def driven(obstacles, place, velocity, goal, *, speed, force, dt=1 / 60, seconds=4.0, **options):
    """How near vehicles of radius 0.5 m came to obstacles, step by step [m], shape (steps + 1, n); and the vehicles."""
    forward = options.pop("forward", None)
    facing = {} if forward is None else {"forward": forward}
    vehicles = sm.Vehicles(place, velocity, radius=RADIUS, max_force=force, max_speed=speed, **facing)
    world = sm.World(seed=1, dt=dt, threads=1)
    world.add(vehicles, steering=sm.Priority([sm.AvoidObstacles(obstacles, **options), sm.Seek(goal)]))
    gaps = [obstacles.nearest(place).distance - RADIUS]
    for _ in range(round(seconds / dt)):
        world.step()
        gaps.append(obstacles.nearest(vehicles.position.astype(float)).distance - RADIUS)
    return np.array(gaps), vehicles


def arriving(n, speed, d=2, wide=1.5):
    """Starts 16 m before the origin, and velocities toward it, a few degrees off."""
    rng = np.random.default_rng(3)
    place, velocity = np.zeros((n, d)), np.zeros((n, d))
    place[:, 0], velocity[:, 0] = -16.0, speed
    place[1:, 1:] = rng.uniform(-wide, wide, (n - 1, d - 1))
    velocity[1:, 1:] = rng.normal(0, 0.05 * speed, (n - 1, d - 1))
    return place, velocity


@pytest.mark.parametrize("gap", [0.0, 0.4, 0.9])
def test_between_two_discs_that_leave_no_passage(gap):
    """Steering aside from one leads into the other: what is left after the first counts, too."""
    discs = sm.Spheres([[0, 2 + gap / 2], [0, -2 - gap / 2]], 2.0)
    for force, dt in ((8.0, 1 / 60), (15.0, 1 / 60), (15.0, 1 / 30), (15.0, 1 / 240)):
        gaps, _ = driven(discs, *arriving(16, 10.0), [60.0, 0], speed=10, force=force, dt=dt)
        assert gaps.min() > 0
        assert gaps.min() < 0.5


@pytest.mark.parametrize("half_angle", [5, 10, 17, 25, 33, 45])
def test_two_walls_that_meet_at_an_acute_angle(half_angle):
    """To brake before both at once takes more than before one, by 1 / sin of the half angle."""
    end = 20 * np.array([-np.cos(np.radians(half_angle)), np.sin(np.radians(half_angle))])
    walls = sm.Walls([end, [0, 0], end * [1, -1]])
    for speed, force, dt in ((10.0, 8.0, 1 / 60), (10.0, 15.0, 1 / 60), (6.0, 30.0, 1 / 20)):
        gaps, vehicles = driven(walls, *arriving(16, speed, wide=0.7), [30.0, 0], speed=speed, force=force, dt=dt)
        assert gaps.min() > 0
        assert vehicles.position[:, 0].max() < 0


def test_the_end_of_a_pit_in_space():
    """A pyramid from inside, of whose four faces no two make an acute angle with each other alone."""
    rim = 6 * np.array([[-3.0, 1, 1], [-3, -1, 1], [-3, -1, -1], [-3, 1, -1]])
    pit = sm.TriangleMesh([[0.0, 0, 0], *rim], [[0, k, k % 4 + 1] for k in range(1, 5)])
    gaps, vehicles = driven(pit, *arriving(12, 10.0, 3, wide=2.0), [30.0, 0, 0], speed=10, force=10)
    assert gaps.min() > 0
    assert vehicles.position[:, 0].max() < 0


def test_a_passage_that_is_wide_enough_is_taken():
    """1.3 m, for vehicles 1 m wide with a clearance of 0.1 m: nobody stops for the two discs beside it."""
    discs = sm.Spheres([[0, 2.65], [0, -2.65]], 2.0)
    gaps, vehicles = driven(discs, *arriving(16, 10.0, wide=0.3), [60.0, 0], speed=10, force=15, seconds=3)
    assert gaps.min() > 0
    assert vehicles.position[:, 0].min() > 4


@pytest.mark.parametrize("clearance", [0.0, 0.3, 1.0, 3.0])
def test_the_clearance_is_kept(clearance):
    """Beside a disc of 5 m, which is in the way of a goal behind it."""
    for speed, force in ((6.0, 30.0), (10.0, 15.0), (5.0, 4.0)):
        gaps, _ = driven(
            sm.Spheres([[0, 0]], 5.0), *arriving(12, speed, wide=6.0), [40.0, 0], speed=speed, force=force,
            seconds=36 / speed, clearance=clearance,
        )  # fmt: skip
        assert gaps.min() > max(0.5 * clearance, clearance - 0.075) - 0.01


@pytest.mark.parametrize("kind", ["disc", "box", "walls"])
@pytest.mark.parametrize("clearance", [1.0, 3.0])
def test_who_starts_within_the_clearance_comes_out_of_it_and_no_nearer(kind, clearance):
    """At rest, facing anywhere; the goal lies behind the obstacle."""
    made = {"disc": sm.Spheres([[0, 0]], 5.0), "box": sm.Boxes([0, 0], 5.0), "walls": sm.Walls([[-5, -20], [-5, 20]])}[
        kind
    ]
    rng = np.random.default_rng(5)
    place = np.stack([-5.55 - rng.uniform(0, 0.9 * clearance, 24), rng.uniform(-0.5, 0.5, 24)], axis=1)
    angle = rng.uniform(-np.pi, np.pi, 24)
    gaps, _ = driven(
        made, place, np.zeros((24, 2)), [30.0, 0], speed=6, force=10, clearance=clearance, seconds=3,
        forward=np.stack([np.cos(angle), np.sin(angle)], axis=1),
    )  # fmt: skip
    assert (gaps - gaps[0]).min() > -0.02
    assert gaps[-1].min() > clearance - 0.1


def test_a_bevel_follows_from_two_half_spaces_and_cuts_off_where_they_meet():
    """Of a wedge of 20 degrees whose end is 3 m ahead: its bevel lies across, 3 m ahead. Of a right angle there is none."""
    for half, bevels in ((np.radians(10), 1), (np.radians(45), 0)):
        normals = np.array([[-np.sin(half), np.cos(half)], [-np.sin(half), -np.cos(half)]])
        every, gaps = laws.beveled(normals, np.full(2, 3 * np.sin(half)))
        assert len(every) == 2 + bevels
        if bevels:
            np.testing.assert_allclose(every[2], [-1, 0], atol=1e-12)
            np.testing.assert_allclose(gaps[2], 3)
    corridor, _ = laws.beveled(np.array([[0.0, 1], [0, -1]]), np.ones(2))
    assert len(corridor) == 2


def test_bevels_of_a_pocket_come_to_an_end():
    """Of three walls around a vehicle, and their bevels, and those of these, there is no end."""
    angles = np.radians([10.0, 130, 250])
    normals = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    assert len(laws.beveled(normals, np.ones(3))[0]) == 2 * BARS
    assert len(laws.beveled(normals, np.ones(3), most=5)[0]) == 5


@pytest.mark.parametrize(
    ("wheelbase", "radius", "reverse"), [(1.0, 4.0, False), (1.5, 2.0, False), (0.8, 6.0, True), (None, 4.0, False)]
)
@pytest.mark.parametrize(("dt", "dtype"), [(1 / 60, np.float32), (1 / 60, np.float64), (1 / 120, np.float32)])
def test_cars_do_not_drift_into_a_wall_that_they_drive_along(wheelbase, radius, reverse, dt, dtype):
    """Some come to drive straight on at less than a degree to it, as their goal behind it lies in their tightest circle."""
    n, rng = 200, np.random.default_rng(1)
    heading, distance, along = rng.uniform(-np.pi, np.pi, n), rng.uniform(2.5, 6, n), rng.uniform(-8, 8, n)
    speed, force = rng.choice([4.0, 8.0, 16.0], n), rng.choice([5.0, 9.0, 14.0], n)
    goal = np.c_[-distance + rng.uniform(-14, 14, n), along + rng.uniform(-20, 20, n)]
    cars = sm.Vehicles(
        np.c_[-distance, along], heading=heading, max_speed=speed, max_force=force, radius=0.5, dtype=dtype
    )
    wall, world = sm.Walls([[0, -80], [0, 80]]), sm.World(dt=dt, threads=1)
    body = sm.Wheeled(turning_radius=radius, wheelbase=wheelbase, reverse=reverse)
    world.add(cars, steering=sm.Priority([sm.AvoidObstacles(wall), sm.Seek(goal)]), locomotion=body)
    deep = -np.inf
    for _ in range(round(25 / dt)):
        world.step()
        deep = max(deep, float((0.5 - wall.nearest(cars.position.astype(float)).distance).max()))
    assert deep < 0.01
