"""Whiskers, AvoidWalls and FollowWall, against walls whose answers are known by hand."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from stepping import ways

import steersman as sm
from steersman.core.environment.obstacles.walls import Walls

WALL = Walls([[[-50.0, 0.0], [50.0, 0.0]]])
ROOM = Walls([[0.0, 0.0], [60.0, 0.0], [60.0, 40.0], [0.0, 40.0]], closed=True)


def corridor(width: float, half: float = 9.0) -> Walls:
    """Two walls along x, the lower one at y = 0."""
    return Walls([[[-half, 0.0], [half, 0.0]], [[-half, width], [half, width]]])


def one(position: list[float], heading: float, **options: float) -> sm.Vehicles:
    """One vehicle that looks `heading` radians from the x axis and moves there at 2 m/s."""
    ahead = np.array([math.cos(heading), math.sin(heading)])
    return sm.Vehicles(
        [position], 2 * ahead, forward=[ahead], max_speed=10.0, max_force=1e6, dtype=np.float64, **options
    )


def test_whiskers_seek_the_point_beside_the_first_hit() -> None:
    """1 m above the wall, headed 45 degrees down: the ray ahead hits at (1, 0); the point is (1, 1): straight along x."""
    force = sm.Controller(one([0.0, 1.0], -math.pi / 4), sm.Whiskers(WALL, reach=2, clearance=1, thrust="full")).steer(
        0.1
    )
    np.testing.assert_allclose(force, [[1e6, 0.0]], atol=1e-6)


def test_the_right_whisker_goes_before_the_left() -> None:
    """Along x between two walls: only side rays hit, 1 m ahead, the right one below; the point beside it is (1, -0.5)."""
    steering = sm.Whiskers(corridor(2.0), clearance=0.5, thrust="full")
    force = sm.Controller(one([0.0, 1.0], 0.0), steering).steer(0.1)
    np.testing.assert_allclose(force, [[1e6 / math.hypot(1, 0.5), -0.5e6 / math.hypot(1, 0.5)]])


@pytest.mark.parametrize(("width", "height"), [(2.0, 1.0), (4.5, 2.25), (5.0, 2.4), (9.0, 2.4)])
def test_the_point_beside_the_hit_is_no_farther_than_the_middle(width: float, height: float) -> None:
    """Nearer than twice the clearance of 2.4 m, the other wall halves the room: the same force as with that clearance."""
    vehicle = one([0.0, 0.7], -math.pi / 4)
    force = sm.Controller(vehicle, sm.Whiskers(corridor(width), reach=2, clearance=2.4, thrust="full")).steer(0.1)
    ahead = np.array([0.7, height - 0.7])
    np.testing.assert_allclose(force, [1e6 * ahead / np.linalg.norm(ahead)], atol=1e-3)


@pytest.mark.parametrize("seen_from", ["outside", "both"])
def test_a_rock_opposite_of_the_hit_halves_the_room(seen_from: str) -> None:
    """Rocks 2 m apart; the one that is touched does not stand opposite of itself."""
    rocks = sm.Spheres([[6.0, 0.0], [-4.0, 0.0]], 4.0, seen_from=seen_from)
    world = sm.World()
    world.add(one([1.5, 0.0], 0.0), name="one", steering=sm.Whiskers(rocks, rays=1, reach=2, clearance=1.5))
    shapes = [shape for sketch in world.sketch("one", 0) for shape in sketch.shapes]
    (goal,) = (each.tip for each in shapes if isinstance(each, sm.shapes.Arrow) and "wall" in each.means)
    np.testing.assert_allclose(goal, [[1.0, 0.0]], atol=1e-9)


def test_far_away_a_wall_that_is_touched_does_not_stand_opposite_of_itself() -> None:
    """At 100 km float32 knows a place to 8 mm. From half of the clearance the way to the point leads off the wall."""
    along, off = np.array([0.6, 0.8]), np.array([-0.8, 0.6])
    places = [1e5, 7e4] + np.linspace(-80, 80, 200)[:, None] * along + 0.15 * off
    wall = Walls([[[1e5, 7e4] - 100 * along, [1e5, 7e4] + 100 * along]])
    steering = sm.Whiskers(wall, rays=1, clearance=0.3, reach=0.9)
    force = sm.Controller(sm.Vehicles(places, forward=np.tile(-off, (200, 1)), radius=0.05), steering).steer(0.1)
    assert (force @ off).min() > 0


WISHES = {
    "wander": lambda walls, goals: sm.Priority([sm.Whiskers(walls), sm.Wander()]),
    "seek": lambda walls, goals: sm.Whiskers(walls) + sm.Seek(goals),
}


@pytest.mark.parametrize("wish", WISHES.values(), ids=WISHES)
@pytest.mark.parametrize("width", [2.0, 1.5])
def test_nobody_touches_the_walls_of_a_corridor_narrower_than_the_clearance(
    width: float, wish: Callable[..., Any]
) -> None:
    """The clearance at 2 m/s and 2 N is 2 m: 30 of 30 headed for the other wall, and were up to 0.48 m deep in it."""
    walls, x = corridor(width, 200.0), np.random.default_rng(1).uniform(-60, 60, 30)
    for seed, heading in enumerate([0.0, 0.5, 1.2, 2.0, math.pi]):
        y = np.random.default_rng(seed).uniform(0.6, width - 0.6, 30)
        vehicles = sm.Vehicles(np.stack([x, y], axis=1), heading=heading, radius=0.5, max_speed=2, max_force=2)
        world = sm.World(dt=1 / 30, seed=seed, threads=1)
        world.add(vehicles, steering=wish(walls, [math.copysign(199, math.cos(heading)), width / 2]))
        way = ways(world, vehicles, 450)
        assert np.abs(way[:, :, 1] - width / 2).max() < width / 2 - 0.5
        assert np.abs(way[-1, :, 0] - x).min() > 20


def test_parallel_whiskers_feel_what_passes_beside_the_middle() -> None:
    """A post 0.5 m to the left of the axis: one ray ahead misses it, the left of two, 0.6 m aside, hits it."""
    post = sm.Spheres([[1.5, 0.6]], 0.3)
    for rays, acts in ((1, False), (2, True)):
        force = sm.Controller(one([0.0, 0.0], 0.0, radius=0.6), sm.Whiskers(post, rays=rays)).steer(0.1)
        assert force.any() == acts


@pytest.mark.parametrize(("speed", "force"), [(1.7, 1.3), (3.0, 4.0), (6.0, 9.0)])
def test_feelers_grow_with_the_way_to_stop(speed: float, force: float) -> None:
    """Feelers of 2 m let all of them through the wall of the hall at 3 m/s and more."""
    hall = Walls([[0.0, 0.0], [30, 0], [30, 30], [0, 30]], closed=True, seen_from="inside")
    places = np.random.default_rng(5).uniform(9, 21, (20, 2))
    outside = np.random.default_rng(6).uniform(40, 80, (10, 2)) * np.random.default_rng(7).choice([-1, 1], (10, 2))
    vehicles = sm.Vehicles(places, radius=0.5, max_speed=speed, max_force=force)
    goals = np.vstack([outside, places[10:]])
    world = sm.World(dt=1 / 30, seed=2, threads=1)
    wish = sm.WeightedSum([sm.Seek(goals), sm.Wander()], weights=[np.repeat([1.0, 0.0], 10), np.repeat([0.0, 1.0], 10)])
    world.add(vehicles, steering=sm.Priority([sm.Whiskers(hall), wish]))
    way = ways(world, vehicles, 900)
    assert hall.nearest(way.reshape(-1, 2)).distance.max() < -0.4
    assert np.linalg.norm(np.diff(way[-200:, 10:], axis=0), axis=2).sum(axis=0).min() > speed


@pytest.mark.parametrize(
    ("given", "reach", "clearance"), [({}, 4.5, 2.25), ({"clearance": 1.0}, 3.25, 1.0), ({"reach": 3.0}, 3.0, 2.25)]
)
def test_lengths_that_are_not_given_come_from_the_way_to_stop(
    given: dict[str, float], reach: float, clearance: float
) -> None:
    """At 3 m/s with 4 N it is 2.25 m: a wall is felt up to the reach, and the vehicle drives away from the clearance on."""
    for height, felt in ((reach - 0.01, True), (reach + 0.01, False)):
        vehicle = sm.Vehicles([[0.0, height]], heading=-math.pi / 2, max_speed=3, max_force=4, dtype=np.float64)
        steering = sm.Whiskers(WALL, rays=1, thrust="full", **given)
        force = sm.Controller(vehicle, steering).steer(0.1)
        assert force.any() == felt
    for height, sign in ((clearance - 0.01, 1.0), (clearance + 0.01, -1.0)):
        vehicle = sm.Vehicles([[0.0, height]], heading=-math.pi / 2, max_speed=3, max_force=4, dtype=np.float64)
        assert sm.Controller(vehicle, steering).steer(0.1)[0, 1] * sign > 0


LATE = {"bicycle": sm.Wheeled(wheelbase=1.0), "smooth force": sm.PointMass(limits=[sm.SmoothForce(0.3)])}
"""Bodies that do not follow every force."""


@pytest.mark.parametrize("dt", [1 / 20, 1 / 60])
@pytest.mark.parametrize("body", LATE.values(), ids=LATE)
def test_bodies_that_turn_late_stop_before_rocks_that_they_feel(body: sm.Locomotion, dt: float) -> None:
    """They drove on into rocks, with their middle 1.2 to 3 m deep."""
    rocks = sm.Spheres([[10, 10], [30, 12], [50, 9], [12, 30], [32, 32], [52, 31], [9, 50], [31, 52], [49, 50]], 3.0)
    rng = np.random.default_rng(3)
    places = np.array([[20, 20], [40, 20], [20, 40], [40, 40], [20, 5], [40, 50], [5, 20], [42, 5]], float)
    fast = {"max_speed": 5.0, "max_force": 12.0, "response_time": 0.1}
    vehicles = sm.Vehicles(places, heading=rng.uniform(-3, 3, 8), radius=0.5, **fast)
    world = sm.World(dt=dt, seed=3, threads=1, domain=sm.Torus([60, 60]))
    world.add(vehicles, steering=sm.Priority([sm.Whiskers(rocks), sm.Wander()]), locomotion=body)
    deepest, speed = -9.0, []
    while world.time < 25:
        world.run(steps=round(0.1 / dt))
        deepest = max(deepest, float(-rocks.nearest(vehicles.position).distance.min()))
        speed.append(vehicles.speed.mean())
    assert deepest < 0.05
    assert np.mean(speed) > 3.5


CARS = {
    "car": sm.Wheeled(),
    "reverse": sm.Wheeled(turning_radius=3.0, reverse=True),
    "bicycle": sm.Wheeled(wheelbase=1.0),
}


@pytest.mark.parametrize("name", CARS)
def test_cars_in_a_hall_neither_back_into_its_walls_nor_stand_before_them(name: str) -> None:
    """Rays feel ahead alone: 15 to 24 of 24 were with their middle outside of the hall within a minute."""
    hall = Walls([[0.0, 0.0], [30, 0], [30, 30], [0, 30]], closed=True, seen_from="inside")
    pillars = sm.Spheres([[9, 9], [21, 9], [9, 21], [21, 21]], 1.0)
    rng = np.random.default_rng(2)
    places = np.array([(x, y) for x in (2.5, 6, 15, 24, 27.5) for y in (2.5, 6, 15, 24, 27.5)], float)
    vehicles = sm.Vehicles(places, heading=rng.uniform(-3, 3, 25), radius=0.5, max_speed=5.0, max_force=12.0)
    world = sm.World(dt=1 / 20, seed=2, threads=1)
    world.add(vehicles, steering=sm.Priority([sm.Whiskers([hall, pillars]), sm.Wander()]), locomotion=CARS[name])
    way = ways(world, vehicles, 600)
    assert hall.nearest(way.reshape(-1, 2)).distance.max() < -0.4
    assert pillars.nearest(way.reshape(-1, 2)).distance.min() > 0.4
    assert np.linalg.norm(np.diff(way[-200:], axis=0), axis=2).sum(axis=0).min() > 2


@pytest.mark.parametrize(("toward", "acts"), [(-1.0, True), (1.0, False)])
@pytest.mark.parametrize("body", [*CARS.values(), LATE["smooth force"]], ids=[*CARS, "smooth force"])
def test_a_body_that_turns_late_is_steered_from_a_wall_ahead_and_not_from_one_behind_it(
    body: sm.Locomotion, toward: float, acts: bool
) -> None:
    """It comes to within 4 cm of the wall with 1 m/s, forward or backward: backward it brakes, and steers as it likes."""
    ahead = np.array([0.0, toward])
    vehicles = sm.Vehicles([[0.0, 0.54]], [[0.0, -1.0]], forward=[ahead], radius=0.5, max_speed=5, max_force=12)
    world = sm.World(dt=1 / 20)
    world.add(vehicles, name="a", steering=sm.Whiskers(WALL, reach=0.02), locomotion=body)
    assert world.explain("a").force.any() == acts


def test_a_wall_pushes_by_the_depth_of_the_feeler() -> None:
    """Headed straight down 1 m above the wall with feelers of 4 m: 3 m are inside, 5 N each, along the normal."""
    force = sm.Controller(one([0.0, 1.0], -math.pi / 2), sm.AvoidWalls(WALL, reach=4.0, strength=5.0)).steer(0.1)
    np.testing.assert_allclose(force, [[0.0, 15.0]], atol=1e-9)
    away = sm.Controller(one([0.0, 5.0], -math.pi / 2), sm.AvoidWalls(WALL, reach=4.0)).steer(0.1)
    assert not away.any()


def test_feelers_keep_wanderers_inside_a_room() -> None:
    room = Walls(ROOM.points[0], closed=True, seen_from="inside")
    vehicles = sm.Vehicles(np.random.default_rng(1).uniform(10, 30, (20, 2)), max_speed=6.0, max_force=40.0)
    world = sm.World(dt=1 / 60, seed=2, threads=1)
    world.add(vehicles, steering=sm.AvoidWalls(room, reach=5.0, strength=40.0) + 0.3 * sm.Wander())
    assert (room.nearest(ways(world, vehicles, 1200).reshape(-1, 2)).distance < 0).all()
    assert vehicles.speed.mean() > 1


@pytest.mark.parametrize("offset", [1.0, 4.0])
def test_the_offset_of_a_straight_wall_is_kept(offset: float) -> None:
    vehicles = sm.Vehicles(
        [[0.0, 12.0], [0.0, -3.0], [0.0, 0.5]], [[3.0, -4.0], [-5.0, 1.0], [4.0, 0.0]], max_speed=8.0, max_force=30.0,
        dtype=np.float64,
    )  # fmt: skip
    endless = Walls([[[-1e4, 0.0], [1e4, 0.0]]])
    world = sm.World(dt=1 / 60, threads=1)
    world.add(vehicles, steering=sm.FollowWall(endless, offset=offset))
    world.run(seconds=12)
    np.testing.assert_allclose(vehicles.position[:, 1], [offset, -offset, offset], atol=0.02)
    np.testing.assert_allclose(vehicles.velocity, [[8.0, 0.0], [-8.0, 0.0], [8.0, 0.0]], atol=0.05)


def laps(side: str, *, max_force: float = 30.0) -> tuple[float, float, float, float]:
    """Twelve in a room for 20 s: least and greatest distance from the wall once settled, least ever, sense of rotation."""
    rng = np.random.default_rng(0)
    vehicles = sm.Vehicles(
        rng.uniform(8, 18, (12, 2)), rng.normal(0, 4, (12, 2)), max_speed=10.0, max_force=max_force, dtype=np.float64
    )
    world = sm.World(dt=1 / 60, threads=1)
    world.add(vehicles, steering=sm.FollowWall(ROOM, offset=3.0, side=side))
    depth = -ROOM.nearest(ways(world, vehicles, 1200).reshape(-1, 2)).distance.reshape(1200, 12)
    settled = depth[8 * 60 :]
    arm = vehicles.position - [30.0, 20.0]
    turn = np.sign(arm[:, 0] * vehicles.velocity[:, 1] - arm[:, 1] * vehicles.velocity[:, 0])
    return settled.min(), settled.max(), depth.min(), float(turn.mean())


@pytest.mark.parametrize(("side", "turn"), [("left", -1.0), ("right", 1.0)])
def test_a_room_is_gone_round_on_the_side_that_is_asked_for(side: str, turn: float) -> None:
    """With the wall on the right one goes round counter-clockwise; corners are cut by a turning circle."""
    least, most, ever, sense = laps(side)
    assert ever > 2.9
    assert least > 2.9
    assert most < 6.0
    assert sense == turn


def test_a_corner_that_is_headed_into_is_no_deadlock() -> None:
    """Some of them are headed straight into a corner, where each wall would send them to the other."""
    _, most, ever, _ = laps("either")
    assert ever > 2.9
    assert most < 6.0


def test_the_end_of_a_wall_is_gone_round() -> None:
    wall = Walls([[[-20.0, 0.0], [20.0, 0.0]]])
    vehicle = sm.Vehicles([[0.0, 3.0]], [8.0, 0.0], max_speed=8.0, max_force=40.0, dtype=np.float64)
    world = sm.World(dt=1 / 60, threads=1)
    world.add(vehicle, steering=sm.FollowWall(wall, offset=3.0))
    places = ways(world, vehicle, 900)[:, 0]
    assert np.abs(wall.nearest(places).distance - 3).max() < 0.3
    assert (places[:, 1] < -2.9).sum() > 60


CORNERS = np.array([[-5.0, -3.0], [3.0, -4.0], [6.0, 2.0], [1.0, 7.0]])
TETRAHEDRON = np.array([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]])
FACES = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
FAR = {
    "a path": lambda far: sm.FollowWall(sm.Path(CORNERS + far), offset=0.5, reach=4.0),
    "walls": lambda far: sm.FollowWall(sm.Walls(CORNERS + far)),
    "walls to stop before": lambda far: sm.AvoidObstacles(sm.Walls(CORNERS + far), clearance=3.0),
    "walls to keep clear of": lambda far: sm.ORCA(obstacles=sm.Walls(CORNERS + far)),
    "a mesh": lambda far: sm.FollowWall(sm.TriangleMesh(TETRAHEDRON + far, FACES)),
    "an open mesh": lambda far: sm.FollowWall(sm.TriangleMesh(TETRAHEDRON + far, FACES[:2])),
}


@pytest.mark.parametrize("name", FAR)
def test_far_away_a_wall_beside_is_not_taken_for_one_underfoot(name: str) -> None:
    """A thousand kilometers from the origin a place in float64 is known to a nanometer, not to ten meters."""
    rng, d, found = np.random.default_rng(2), 3 if "mesh" in name else 2, []
    place, velocity = rng.uniform(-6, 9, (60, d)), rng.normal(0, 1, (60, d))
    for far in (0.0, 2.0**20):
        vehicles = sm.Vehicles(place + far, velocity, max_speed=3, max_force=9, dtype=np.float64)
        found.append(sm.Controller(vehicles, FAR[name](far)).steer(0.05).copy())
    np.testing.assert_allclose(found[1], found[0], atol=1e-6)


def test_nonsense_is_refused() -> None:
    with pytest.raises(TypeError, match="walls must be a set of obstacles"):
        sm.FollowWall([[0.0, 0.0], [1.0, 0.0]])
    with pytest.raises(ValueError, match="side must be"):
        sm.FollowWall(ROOM, side="top")
    with pytest.raises(ValueError, match="rays must be 1, 2, 3 in 2D, got 5"):
        sm.Controller(one([9.0, 9.0], 0.0), sm.Whiskers(ROOM, rays=5)).steer(0.1)
    with pytest.raises(ValueError, match="feelers must be"):
        sm.AvoidWalls(ROOM, feelers=0)
    with pytest.raises(ValueError, match="got 4"):
        sm.AvoidWalls(ROOM, feelers=4)


@pytest.mark.parametrize("above", [1.0, -1.0], ids=["above", "below"])
def test_the_sketch_of_a_wall_shows_its_nearest_place_and_the_place_beside_it(above: float) -> None:
    """On either side of the wall, below where the vehicle will be."""
    world = sm.World()
    world.add(one([0.0, 3.0 * above], 0.0), name="one", steering=sm.FollowWall(WALL, offset=2.0))
    shapes = [shape for sketch in world.sketch("one", 0) for shape in sketch.shapes]
    (future,) = (shape.position for shape in shapes if isinstance(shape, sm.shapes.Pose))
    foot, beside = (shape.center for shape in shapes if isinstance(shape, sm.shapes.Cross))
    assert future[0, 0] > 0
    np.testing.assert_allclose(foot, [[future[0, 0], 0]], atol=1e-9)
    np.testing.assert_allclose(beside, [[future[0, 0], 2.0 * above]], atol=1e-9)
