"""AvoidObstacles over obstacles of all kinds: what it steers away from, and where the known libraries failed."""

import math

import numpy as np
import pytest
from stepping import ways

import steersman as sm
from steersman.runs.metrics.proximity import penetration

WALL = sm.Walls([[10, -30], [10, 30]])
HOUSE = np.array([[0.0, -4], [8, -4], [8, 4], [0, 4]])
KINDS = {
    "spheres": sm.Spheres([[4, 0]], 4.0),
    "boxes": sm.Boxes([[4, 0]], [4, 4]),
    "capsules": sm.Capsules([[4, -4]], [[4, 4]], 3.0),
    "walls": sm.Walls(HOUSE, closed=True),
}


def force(obstacles, position, velocity, **options):
    """What one vehicle of radius 1 m and at most 7 N is told by the literal law."""
    vehicles = sm.Vehicles([position], [velocity], radius=1, max_force=7, max_speed=99, dtype=np.float64)
    literal = {"magnitude": "full", "clearance": 0.0, "stops": False}
    return sm.Controller(vehicles, sm.AvoidObstacles(obstacles, **literal | options), threads=1).steer(0.1)[0]


def test_the_shortest_cylinder_is_as_long_as_the_largest_of_those_there_are() -> None:
    """Of 0.5 m beside one of 6 m it sees a rock 3 m ahead, at 0.2 m/s; when that one has gone, no more."""
    vehicles = sm.Vehicles([[0, 0], [0, 40]], [[0.2, 0.0]] * 2, radius=[0.5, 6.0], max_speed=2, max_force=9)
    rock = sm.Spheres([[4.0, 0.2]], 1.0)
    controller = sm.Controller(vehicles, sm.AvoidObstacles(rock, stops=False, magnitude="full"))
    assert controller.steer(0.1)[0, 1] < -1
    vehicles.remove(1)
    assert not controller.steer(0.1).any()
    vehicles.spawn([[0.0, 40.0]], radius=6.0)
    assert controller.steer(0.1)[0, 1] < -1


def travel(steering, position, velocity, seconds, obstacles=()):
    """The way of one vehicle, and how deep it came into obstacles."""
    vehicles = sm.Vehicles([position], [velocity], radius=0.5, max_force=30, max_speed=6)
    world = sm.World(seed=1, dt=1 / 60)
    world.add(vehicles, steering=steering)
    way = ways(world, vehicles, round(seconds * 60))
    return way[:, 0], penetration(way, obstacles, radius=vehicles.radius).max()


def test_a_wall_is_left_along_the_lateral_part_of_its_normal():
    """At 3-4-5: forward (0.8, 0.6), normal (-1, 0), lateral part along (-0.6, 0.8)."""
    np.testing.assert_allclose(force(WALL, [0, 0], [8.0, 6.0]), 7 * np.array([-0.6, 0.8]))


def test_how_far_ahead_a_wall_threatens():
    """The ball touches when its center is 1 m before the wall: 9 m on."""
    assert force(WALL, [0, 0], [10.0, 0], lookahead=0.91).any()
    assert not force(WALL, [0, 0], [10.0, 0], lookahead=0.89).any()
    assert not force(WALL, [0, 0], [-10.0, 0], lookahead=5.0).any()
    assert not force(WALL, [0, 0], [0, 10.0], lookahead=5.0).any()


def test_proximity_and_braking_grow_toward_the_touch():
    """Half of the way to the touch, half of the force: 9 of 18 m."""
    straight = force(WALL, [0, 0], [10.0, 0], lookahead=1.8, magnitude="proximity", braking=0.5)
    np.testing.assert_allclose(np.abs(straight), [0.5 * 0.5 * 7, 0.5 * 7])
    assert straight[0] < 0


def test_literal_of_a_wall_is_its_size_times_the_lateral_normal():
    """The circle around the wall has a radius of 30 m; the lateral part of the normal is 0.6 long."""
    literal = force(WALL, [0, 0], [8.0, 6.0], magnitude="literal", strength=0.1)
    np.testing.assert_allclose(literal, 0.1 * 30 * 0.6 * np.array([-0.6, 0.8]))


def test_what_is_behind_the_goal_does_not_matter():
    assert not force(WALL, [0, 0], [10.0, 0], goal=[8.5, 0]).any()
    assert force(WALL, [0, 0], [10.0, 0], goal=[9.5, 0]).any()


def test_the_nearest_of_several_sets_counts():
    post = sm.Capsules([[6, 1.5]], [[6, 2]], 0.5)
    alone, both = force(post, [0, 0], [10.0, 0]), force([WALL, post], [0, 0], [10.0, 0])
    np.testing.assert_array_equal(alone, both)
    assert alone[1] == pytest.approx(-7)  # The post is to the left: to the right.
    assert not np.array_equal(force([WALL], [0, 0], [10.0, 0]), alone)


def test_a_tank_keeps_its_fish():
    """From inside a round tank and a box, in 2D and 3D, for half a minute of wandering."""
    tanks = [
        sm.Spheres([0, 0], 15.0, seen_from="inside"),
        sm.Boxes([0, 0], 15.0, 0.3, seen_from="inside"),
        sm.Walls(3 * HOUSE, closed=True, seen_from="inside"),
        sm.Boxes([0, 0, 0], 15.0, seen_from="inside"),
    ]
    for tank in tanks:
        start = np.full(tank.dimensions, 2.0)
        steering = sm.Priority([sm.AvoidObstacles(tank, lookahead=1.0), sm.Wander()])
        way, deepest = travel(steering, start, np.eye(tank.dimensions)[0] * 5, 30, [tank])
        assert deepest < 0.2
        assert np.ptp(way, axis=0).min() > 5


@pytest.mark.each_value
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("y", [0.0, 0.3, -2.0, 3.5])
def test_whatever_stands_between_a_vehicle_and_its_goal_is_passed(kind, y):
    steering = sm.Priority([sm.AvoidObstacles(KINDS[kind], lookahead=1.5), sm.Arrive([25.0, 0.0])])
    way, deepest = travel(steering, [-15.0, y], [5.0, 0], 14, [KINDS[kind]])
    assert np.linalg.norm(way[-1] - [25, 0]) < 0.5
    assert deepest < 0.15


def flips(way):
    """How often a way turns over from left to right or back; slight turns do not count."""
    step = np.diff(way, axis=0)
    turn = step[:-1, 0] * step[1:, 1] - step[:-1, 1] * step[1:, 0]
    strong = turn[np.abs(turn) > 1e-4]
    return int(np.sum(np.sign(strong[1:]) != np.sign(strong[:-1])))


@pytest.mark.parametrize("kind", ["boxes", "walls"])
def test_left_right_flip_flop_in_front_of_a_flat_face(kind):
    """The goal lies straight behind; once a side is chosen it is kept: away, around the corner, and back."""
    steering = sm.Priority([sm.AvoidObstacles(KINDS[kind], lookahead=1.5), sm.Seek([60.0, 0.0])])
    way, _ = travel(steering, [-15.0, 0.0], [5.0, 0], 4.2)
    beside = way[way[:, 0] < 0]
    assert np.abs(beside[-1, 1]) > 3
    assert np.all(np.diff(np.abs(beside[:, 1])) > -0.02)


def test_both_walls_of_a_corner_are_left_on_one_side():
    """Into a right-angled corner along its middle: the first side taken is kept, out it goes, it never waits inside."""
    corner = sm.Walls([[0, 10], [10, 0], [0, -10]])
    way, deepest = travel(
        sm.Priority([sm.AvoidObstacles(corner, lookahead=1.2), sm.Wander(strength=0.01)]),
        [-6.0, 0.01],
        [5.0, 0],
        4,
        [corner],
    )
    assert deepest == 0
    assert way[-1, 0] < 4
    assert flips(way) <= 2


@pytest.mark.parametrize("dimensions", [2, 3])
def test_avoidance_that_pushes_toward_the_side_of_the_center(dimensions):
    """A box whose middle is to the left is passed on the right, though the ball touches its corner first."""
    pad = [0.0] * (dimensions - 2)
    box = sm.Boxes([[10.0, 2.0, *pad]], [1.0] * dimensions)
    told = force(box, [0.0, 0.0, *pad], [10.0, 0.0, *pad])
    assert told[1] < -6.9
    np.testing.assert_allclose(told[2:], 0, atol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_straight_ahead_is_decided_and_still_claims(kind):
    told = [force(KINDS[kind], [-9.0, 0.0], [10.0, 0.0]) for _ in range(2)]
    assert np.linalg.norm(told[0]) == pytest.approx(7)
    np.testing.assert_array_equal(*told)


def test_across_the_edge_of_a_torus():
    vehicles = sm.Vehicles([[38.0, 20]], [[10.0, 1.0]], radius=1, max_force=7, max_speed=99, dtype=np.float64)
    for obstacles in (sm.Boxes([[4, 20]], [1, 9]), sm.Walls([[3, 11], [3, 29]])):
        literal = sm.AvoidObstacles(obstacles, magnitude="full", clearance=0.0, stops=False)
        controller = sm.Controller(vehicles, literal, domain=sm.Torus([40, 40]), threads=1)
        lateral = np.array([-1.0, 10]) / math.sqrt(101)
        np.testing.assert_allclose(controller.steer(0.1)[0], 7 * lateral, rtol=1e-9)


def test_the_way_hardly_depends_on_the_step():
    ends = []
    for dt in (1 / 15, 1 / 30, 1 / 60, 1 / 120):
        vehicles = sm.Vehicles([[-15.0, 0.7]], [5.0, 0], radius=0.5, max_force=30, max_speed=6, dtype=np.float64)
        world = sm.World(seed=1, dt=dt)
        avoid = sm.AvoidObstacles(KINDS["boxes"], magnitude="full", clearance=0.0, stops=False)
        world.add(vehicles, steering=sm.Priority([avoid, sm.Seek([60.0, 0.0])]))
        world.run(seconds=4)
        ends.append(vehicles.position[0].copy())
    # The law switches on and off, and where it does so moves by a step or so, of up to 0.4 m.
    assert max(np.linalg.norm(end - ends[-1]) for end in ends) < 0.5


@pytest.mark.parametrize("turns", [True, False])
def test_a_body_that_faces_elsewhere_than_it_goes_stops_before_a_wall(turns: bool) -> None:
    """Facing along the wall it sees nothing ahead, while it drifts into the wall: 43 of 60 were in it at 26 degrees off."""
    rng = np.random.default_rng(0)
    n = 60
    vehicles = sm.Vehicles(
        rng.uniform([-20, -15], [-2, 15], (n, 2)), heading=rng.uniform(-np.pi, np.pi, n), max_speed=10, max_force=12
    )  # fmt: skip
    way = sm.Priority([sm.AvoidObstacles(sm.Walls([[0.0, -200], [0, 200]])), sm.Seek([8.0, 3])])
    world = sm.World(dt=1 / 60, threads=1)
    world.add(vehicles, steering=way + sm.LookWhereYouGo() if turns else way, locomotion=sm.FreeBody())
    deepest = []
    world.on_step(lambda world: deepest.append(np.max(vehicles.position[:, 0] + vehicles.radius)))
    world.run(seconds=12)
    assert max(deepest) < 0


def test_errors():
    with pytest.raises(ValueError, match="lookahead must be >= 0 s, got -1"):
        sm.AvoidObstacles(WALL, lookahead=-1)
    with pytest.raises(TypeError, match="obstacles must be a set of obstacles or a list of sets, got 3"):
        sm.AvoidObstacles(3)
    with pytest.raises(ValueError, match="obstacles must be at least one set, got none"):
        sm.AvoidObstacles([])
    with pytest.raises(ValueError, match=r"obstacles must all have the same dimensions, got \[2, 3\]"):
        sm.AvoidObstacles([WALL, sm.Boxes([0, 0, 0])])
    with pytest.raises(ValueError, match="obstacles must have 3 dimensions like the vehicles, got 2"):
        sm.Controller(sm.Vehicles([[0, 0, 0]]), sm.AvoidObstacles(WALL)).steer(0.1)


def reversals(dt: float, seed: int, kind: str) -> float:
    """How often a second vehicles that cross a field of rocks, or walls, are steered to the other side at once."""
    rng, n = np.random.default_rng(seed), 24
    middle = rng.uniform(0, 1, (42, 2)) * [50.0, 24.0]
    if kind == "rocks":
        field = sm.Spheres(middle, rng.uniform(0.6, 1.7, 42))
    else:
        angle = rng.uniform(0, np.pi, 42)
        half = np.stack([np.cos(angle), np.sin(angle)], axis=1) * rng.uniform(0.5, 1.8, (42, 1))
        field = sm.Walls(np.stack([middle - half, middle + half], axis=1))
    start = np.stack([np.full(n, -5.0), np.linspace(1, 23, n)], axis=1)
    vehicles = sm.Vehicles(start, max_speed=5.5, max_force=18, radius=0.4, dtype=np.float64)
    world = sm.World(dt=dt, threads=1)
    world.add(vehicles, steering=sm.Priority([sm.AvoidObstacles(field), sm.Seek(start + np.array([90.0, 0]))]))
    side, since, found, time = np.zeros(n), np.full(n, -9.0), 0, 0.0
    while world.time < 14:
        forward, before = vehicles.forward.copy(), vehicles.velocity.copy()
        world.step()
        x, y = ((vehicles.velocity - before) / dt).T
        pushed = forward[:, 0] * y - forward[:, 1] * x
        there = (vehicles.position[:, 0] > 0) & (vehicles.position[:, 0] < 50) & (vehicles.speed > 0.3)
        now = np.where(np.abs(pushed) > 1.8, np.sign(pushed), 0)
        found += int(np.sum((now * side < 0) & there & (world.time - since < 0.25)))
        time += dt * np.sum(there)
        side, since = np.where(now != 0, now, side), np.where(now != 0, world.time, since)
    return found / time


@pytest.mark.parametrize(
    ("kind", "dt", "most"),
    [("rocks", 1 / 50, 3.3), ("walls", 1 / 50, 2.5), ("rocks", 1 / 200, 13), ("walls", 1 / 200, 9)],
)
def test_in_clutter_vehicles_do_not_tremble(kind: str, dt: float, most: float) -> None:
    """The more steps a second, the more often two parts, or two obstacles, can take turns in steering a vehicle."""
    assert np.mean([reversals(dt, seed, kind) for seed in range(4)]) < most


@pytest.mark.parametrize(("rate", "gap", "most"), [(60, 0.9, 2.4), (60, 1.0, 0.9), (200, 0.9, 3.0), (200, 1.0, 1.0)])
def test_between_two_near_rocks_it_does_not_push_from_one_to_the_other_and_back(
    rate: int, gap: float, most: float
) -> None:
    """The gap is as wide as the vehicles, and a bit. How often a second the force changes sides, until they are through."""
    rocks = sm.Spheres([[20.0, 14 - gap / 2], [20.0, 16 + gap / 2]], 1.0)
    start = np.stack([np.full(16, 2.0), np.linspace(14, 16, 16)], axis=1)
    vehicles = sm.Vehicles(start, max_speed=4, max_force=8, radius=0.4, dtype=np.float64)
    world = sm.World(seed=1, dt=1 / rate, threads=1)
    world.add(vehicles, steering=sm.Priority([sm.AvoidObstacles(rocks), sm.Seek([40.0, 15.0])]))
    last, changes, seconds = np.zeros(16), 0, 0.0
    for _ in range(15 * rate):
        before, forward = vehicles.velocity.copy(), vehicles.forward.copy()
        world.step()
        change = (vehicles.velocity - before) * rate
        aside = change[:, 1] * forward[:, 0] - change[:, 0] * forward[:, 1]
        side = np.where(np.abs(aside) > 0.8, np.sign(aside), 0.0)
        going = np.linalg.norm(vehicles.position - [40.0, 15.0], axis=1) > 2
        changes += int(np.sum(going & (side * last < 0)))
        seconds += float(going.sum()) / rate
        last = np.where(side != 0, side, last)
    assert changes / seconds < most
    assert rocks.nearest(vehicles.position).distance.min() > 0.4


@pytest.mark.parametrize("kind", [sm.Spheres, sm.Capsules])
def test_a_pillar_in_a_tank_is_stopped_for_in_one_set_of_shells(kind):
    """They seek its middle, from all sides."""
    ends, angle = np.array([[0.0, 0], [5, 0]]), np.arange(16) * math.pi / 8
    parts = (ends,) if kind is sm.Spheres else (ends, np.add(ends, [[0.0, 0], [0, 1]]))
    tank = kind(*parts, [20.0, 3], seen_from="both")
    pillar = kind(*(each[1:] for each in parts), 3.0)
    around = np.stack([5 + 8 * np.cos(angle), 0.5 + 8 * np.sin(angle)], axis=1)
    vehicles = sm.Vehicles(around, max_speed=8, max_force=8, dtype=np.float64)
    world = sm.World(dt=1 / 30, threads=1)
    world.add(vehicles, steering=sm.Priority([sm.AvoidObstacles(tank), sm.Seek([5.0, 0.5])]))
    assert pillar.nearest(ways(world, vehicles, 240).reshape(-1, 2)).distance.min() > 0.5


def pass_the_dent(
    limit: sm.Limit, size: float, dt: float, *, back: tuple[float, float], aside: float, max_speed: float
) -> None:
    """Start before two rocks of radius `size` that touch: within 60 s all get past them, and none touches a rock."""
    rng, n = np.random.default_rng(3), 12
    centers, goal = np.array([[0, size], [0, -size]]), np.array([2 * size + 6, 0])
    start = np.stack([-size - rng.uniform(*back, n), rng.uniform(-aside, aside, n) * size], axis=1)
    heading = rng.uniform(-0.4, 0.4, n)
    vehicles = sm.Vehicles(start, heading=heading, radius=0.5, max_speed=max_speed, max_force=2 * max_speed)
    world = sm.World(dt=dt, threads=1)
    steering = sm.Priority([sm.AvoidObstacles(sm.Spheres(centers, size)), sm.Seek(goal)])
    world.add(vehicles, steering=steering, locomotion=sm.PointMass(limits=[limit]))
    passed, gap = np.zeros(n, bool), np.inf
    for _ in range(round(60 / dt)):
        world.step()
        passed |= vehicles.position[:, 0] > size
        gap = min(gap, float(np.linalg.norm(vehicles.position[:, None] - centers, axis=2).min()) - size - 0.5)
    assert passed.all()
    assert gap > 0


@pytest.mark.parametrize("dt", [1 / 60, 1 / 20])
@pytest.mark.parametrize(("rate", "size"), [(0.5, 1.0), (1.0, 2.5), (2.0, 1.0), (2.0, 2.5)])
def test_bodies_that_turn_slowly_get_out_of_the_dent_between_two_rocks(rate: float, size: float, dt: float) -> None:
    """Each rock that they turned to pushed them back to the other, so all of them stood there for ever."""
    pass_the_dent(sm.TurnRate(rate), size, dt, back=(4, 10), aside=0.9, max_speed=6.0)


@pytest.mark.parametrize(
    ("torque", "size", "dt"), [(1.0, 1.0, 1 / 20), (1.0, 2.5, 1 / 60), (2.0, 2.5, 1 / 20), (5.0, 1.0, 1 / 60)]
)
def test_bodies_with_inertia_get_out_of_the_dent_between_two_rocks(torque: float, size: float, dt: float) -> None:
    """They turned on beyond the way that was free, and back: all of them stood there for ever."""
    pass_the_dent(sm.MomentOfInertia(torque), size, dt, back=(2, 6), aside=0.5, max_speed=2.0)


@pytest.mark.parametrize(("d", "radius", "rate", "dt"), [(2, 5.0, 0.7, 1 / 60), (2, 5.0, 1.0, 1 / 60), (3, 5.0, 1.0, 1 / 60),
                                                         (2, 2.5, 1.0, 1 / 20), (2, 5.0, 1.0, 1 / 20)])  # fmt: skip
def test_bodies_that_turn_slowly_leave_a_pocket(d: int, radius: float, rate: float, dt: float) -> None:
    """One in ten stood between two rocks for ever, and turned to and fro: each rock held the force from the other back."""
    rng, n, pad = np.random.default_rng(round(10 * rate)), 40, ((0, 0), (0, d - 2))
    rocks = sm.Spheres(center=np.pad([[20, radius], [20, -radius]], pad), radius=radius)
    start, goal = (np.pad(rng.uniform([x, -3], [x + 5, 3], (n, 2)), pad) for x in (0, 38))
    vehicles = sm.Vehicles(start, forward=np.eye(d)[0], max_speed=2, max_force=4, radius=0.5)
    world, nearest = sm.World(dt=dt), np.inf
    steering = sm.Priority([sm.AvoidObstacles(rocks), sm.Arrive(goal)])
    world.add(vehicles, steering=steering, locomotion=sm.PointMass(limits=[sm.TurnRate(rate)]))
    while world.time < 120:
        world.run(seconds=0.2)
        nearest = min(nearest, float(np.linalg.norm(vehicles.position[:, None] - rocks.center, axis=2).min()))
    assert nearest > radius + 0.5
    assert np.linalg.norm(vehicles.position - goal, axis=1).max() < 0.5
