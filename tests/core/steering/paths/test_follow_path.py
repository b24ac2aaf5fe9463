"""Vehicles on paths: they go along, stay in the tube, stop at the end, and are not led astray."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from precision import assert_single_precision
from sampling import drawn

import steersman as sm
from steersman.core.kernels.numbers import numbers_of
from steersman.core.steering.driving.drive import drive_numbers
from steersman.core.steering.driving.lanes import AtEnd, Spot, find_spot, follow_lane, look_along
from steersman.core.steering.driving.resting import Resting
from steersman.core.steering.paths.follow_path import SpinePlaces, find_ahead, follow_path, follow_waypoints
from steersman.core.steering.scene.scene import Clock
from steersman.core.steering.tree.forces import Out
from steersman.gallery.registry import SCENARIOS

BEND = sm.Path([[0, 0], [40, 0], [60, 20], [60, 50], [20, 50]], radius=3.0)
RING = sm.Path.spline([[0, 0], [50, 0], [60, 30], [20, 40]], radius=3.0, closed=True)
LAWS = ("lane", "tube", "parameter", "predicted", "waypoints")


def travel(path: Any, position: Any, velocity: Any = None, *, seconds: float, dt: float = 0.05, **options: Any) -> Any:
    """Positions after every step, shape (steps, n, 2), and the vehicles."""
    limits = {"max_speed": 8.0, "max_force": 40.0} | options.pop("limits", {})
    vehicles = sm.Vehicles(position, velocity, dtype=np.float64, **limits)
    world = sm.World(dt=dt, threads=1, domain=options.pop("domain", None))
    world.add(vehicles, steering=options.pop("behavior", None) or sm.FollowPath(path, **options))
    trace: list[Any] = []
    world.on_step(lambda _: trace.append(vehicles.position.copy()))
    world.run(seconds=seconds)
    return np.array(trace), vehicles


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize("law", LAWS)
def test_vehicles_enter_the_tube_stay_in_it_and_stop_at_the_end(law: str, direction: int) -> None:
    starts = np.array([[5.0, 8.0], [-6, -3], [2, 0]]) if direction > 0 else np.array([[25.0, 58], [10, 45], [22, 50]])
    velocity = np.array([[0.0, 8], [-8, 0], [0, 0]])
    places, vehicles = travel(
        BEND, starts, velocity, seconds=100, law=law, lookahead=0.4, reach=4.0, direction=direction
    )
    for own in np.swapaxes(places, 0, 1):
        nearest = BEND.project(own)
        entry = int(np.argmax(nearest.distance <= 3))
        assert nearest.distance[entry:].max() <= 3.3
        advance = direction * np.diff(nearest.s[entry + 40 :])
        assert advance.min() > -0.2
    np.testing.assert_allclose(
        vehicles.position, np.broadcast_to(BEND.point_at([0, 1e9])[(1 + direction) // 2], (3, 2)), atol=0.1
    )
    assert vehicles.speed.max() < 0.1


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize("law", LAWS)
def test_a_closed_path_is_gone_round_and_round(law: str, direction: int) -> None:
    places, vehicles = travel(RING, [[3.0, 0]], seconds=50, law=law, lookahead=0.4, reach=4.0, direction=direction)
    nearest = RING.project(places[:, 0])
    assert nearest.distance.max() <= 3.3
    steps = direction * np.diff(nearest.s)
    steps -= RING.length * np.rint(steps / RING.length)
    assert steps.sum() > 1.5 * RING.length
    assert steps[20:].min() >= 0
    assert vehicles.speed[0] > 6


def steps_of(dt: float, path: sm.Path, dtype: Any, **options: Any) -> Any:
    """Speeds and distances from the spine over ten seconds from rest inside the tube, ten times a second."""
    starts = path.point_at([1.0, 2.0, 3.0]) + np.array([0.0, 1.5, -2.0])[:, None] * np.eye(path.dimensions)[1]
    vehicles = sm.Vehicles(starts, max_speed=8.0, max_force=40.0, dtype=dtype)
    world, limits = sm.World(dt=dt, threads=1), [sm.Drag(options.pop("drag", 0.0))]
    world.add(vehicles, steering=sm.FollowPath(path, **options), locomotion=sm.PointMass(limits=limits))
    found = []
    for _ in range(60):
        world.run(steps=round(0.1 / dt))
        found.append([vehicles.speed, path.project(vehicles.position).distance])
    return np.array(found)


@pytest.mark.parametrize("law", ["lane", "parameter", "predicted", "waypoints"])
def test_from_rest_in_the_tube_it_travels_the_same_way_at_every_dt(law: str) -> None:
    """The first speeds are those of a vehicle that pushes with all it has; then the speed is held."""
    rising = sm.Path(np.column_stack([BEND.points, [0, 5, 10, 10, 0]]), radius=3.0)
    for path, dtype in ((BEND, np.float32), (RING, np.float32), (rising, np.float64)):
        coarse, fine, finest = (steps_of(dt, path, dtype, law=law)[:, 0] for dt in (1 / 20, 1 / 60, 1 / 240))
        np.testing.assert_allclose(finest[0], 4.0, atol=0.5)
        assert finest[9:].min() > (7.9 if law == "lane" else 4.0)
        if law == "waypoints":  # A step more or less decides when the first one counts as reached.
            continue
        assert np.abs(fine - finest)[:9].max() < 0.1 + 0.4 * np.abs(coarse - finest)[:9].max()


@pytest.mark.parametrize("direction", [1, -1])
def test_drag_slows_it_down_by_no_more_than_a_seek(direction: int) -> None:
    """A force that matches a velocity leaves speed / (1 + rate * response time)."""
    for dt in (1 / 20, 1 / 240):
        speed = steps_of(dt, RING, np.float32, drag=1.0, direction=direction)[15:, 0]
        assert 8 / 1.1 - 0.1 < speed.min() <= speed.max() < 8 / 1.1 + 0.1


def test_who_is_in_the_tube_keeps_the_distance_from_the_spine_in_bends() -> None:
    """Round and round a bend to one side nobody drifts to the inner rim, or to the outer one."""
    ring = sm.Path.spline(
        20 * np.column_stack([f(np.arange(8) * np.pi / 4) for f in (np.cos, np.sin)]), radius=3.0, closed=True
    )
    starts = np.column_stack([np.linspace(17.6, 22.4, 9), np.zeros(9)])
    places, vehicles = travel(ring, starts, starts[:, ::-1] * [0, 0.4], seconds=60)
    before, after = (np.linalg.norm(each, axis=1) - 20 for each in (places[20], places[-1]))
    assert np.abs(after - before).mean() < 0.5
    assert np.ptp(after) > 2
    assert vehicles.speed.min() > 7.9


def test_a_follower_claims_where_the_tube_does_not() -> None:
    vehicles = sm.Vehicles([[10, 1]], [[8, 0]], max_speed=8, max_force=40)
    for law, heard in (("lane", 0), ("tube", 7)):
        below = sm.Priority([sm.FollowPath(BEND, law=law, lookahead=0.5), lambda v: np.full(v.position.shape, 7.0)])
        np.testing.assert_allclose(sm.Controller(vehicles, below).steer(0.05), [[heard, heard]], atol=1e-3)


def test_who_goes_the_wrong_way_turns_round() -> None:
    """The target is reached for from the present position when the predicted one lies behind it."""
    straight = sm.Path([[-100, 0], [100, 0]], radius=2.0)
    for law in ("tube", "predicted"):
        _, vehicles = travel(straight, [[0, 0.5]], [[-8.0, 0]], seconds=3, law=law, lookahead=2.0, reach=1.0)
        assert vehicles.velocity[0, 0] > 4


def test_inside_the_tube_and_advancing_nothing_is_corrected_and_nobody_claimed() -> None:
    vehicles = sm.Vehicles([[10, 1], [10, 1], [10, 2.9]], [[5, 0], [-5, 0], [5, 5]], max_speed=8, max_force=40)
    idle = sm.Priority([sm.FollowPath(BEND, law="tube", lookahead=0.5), lambda v: np.full(v.position.shape, 7.0)])
    force = sm.Controller(vehicles, idle).steer(0.05)
    np.testing.assert_allclose(force[0], [7, 7])
    assert force[1, 0] > 7
    assert force[2, 1] < 0


def test_the_radius_is_that_of_the_nearest_segment() -> None:
    path = sm.Path([[0, 0], [20, 0], [40, 0]], radius=[1.0, 5.0])
    vehicles = sm.Vehicles([[5, 2], [25, 2]], [[1, 0], [1, 0]], max_speed=8, max_force=40)
    for law in ("smooth", "tube"):
        force = sm.Controller(vehicles, sm.StayOnPath(path, law=law)).steer(0.05)
        assert force[0, 1] < 0
        np.testing.assert_array_equal(force[1], 0)


@pytest.mark.parametrize("body", [sm.PointMass(), sm.PointMass(limits=[sm.TurnRate(0.3)]), sm.Wheeled()])
def test_a_closed_path_has_the_same_bends_wherever_its_points_begin(body: Any) -> None:
    """3 m before a point in line, and 4 m before the bend behind that."""
    points = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 10.0], [-30.0, 10.0], [-30.0, 0.0]])
    forces = []
    for first in range(5):
        road = sm.Path(np.roll(points, -first, axis=0), radius=1.0, closed=True)
        vehicles = sm.Vehicles([[-3.0, 0.0]], [[6.0, 0.0]], radius=0.5, max_speed=6, max_force=9, dtype=np.float64)
        world = sm.World(dt=0.05)
        world.add(vehicles, steering=sm.FollowPath(road), locomotion=body)
        forces.append(world.explain().force)
    assert forces[0][0, 0] < 0
    np.testing.assert_allclose(forces, np.broadcast_to(forces[0], (5, 1, 2)), atol=1e-9)


def test_the_tube_is_as_wide_as_where_the_vehicle_will_be() -> None:
    """From a wide part into a narrow one and back: 4 m ahead, not here, is the width that counts."""
    vehicles = sm.Vehicles([[18, 3]], [[8, 0]], max_speed=8, max_force=40)
    for radius, corrected in (([5.0, 1.0], True), ([1.0, 5.0], False)):
        path = sm.Path([[0, 0], [20, 0], [40, 0]], radius=radius)
        force = sm.Controller(vehicles, sm.FollowPath(path, law="tube", lookahead=0.5)).steer(0.05)
        assert (force[0, 1] < 0) == corrected


@pytest.mark.parametrize("law", ["lane", "tube", "parameter", "predicted", "waypoints"])
def test_a_path_of_one_point_is_its_own_end(law: str) -> None:
    """It is arrived at, also where it is closed or drawn twice; with end="seek" it is sought."""
    vehicles = sm.Vehicles([[3, 0]], [[1, 1]], max_speed=8, max_force=400)
    arrive = sm.Controller(vehicles, sm.Arrive([0, 0])).steer(0.05).copy()
    for path in (sm.Path([[0, 0]]), sm.Path([[0, 0], [0, 0]]), sm.Path([[0, 0], [0, 0], [0, 0]], closed=True)):
        force = sm.Controller(vehicles, sm.FollowPath(path, law=law)).steer(0.05)
        np.testing.assert_allclose(force, arrive, rtol=1e-6)
    force = sm.Controller(vehicles, sm.FollowPath([[0, 0]], law=law, end="seek")).steer(0.05).copy()
    np.testing.assert_allclose(force, sm.Controller(vehicles, sm.Seek([0, 0])).steer(0.05), rtol=1e-6)


@pytest.mark.parametrize("max_force", [4.0, 20.0, 200.0])
@pytest.mark.parametrize("response_time", ["step", 0.1, 0.9])
def test_waypoints_are_neither_orbited_nor_skipped(max_force: float, response_time: Any) -> None:
    """Sluggish vehicles, that start beside the first waypoint at right angles to it, come round to all of them in turn."""
    sides = sm.Path([[0, 0], [60, 0], [60, 60], [0, 60]], radius=0.05, closed=True)
    limits = {"max_speed": 8.0, "max_force": max_force, "response_time": response_time}
    places, _ = travel(sides, [[0.0, 9]], [[8.0, 0]], seconds=120, law="waypoints", limits=limits)
    near = max(0.05, 64 / max_force, 8 * (0.05 if response_time == "step" else response_time))
    gaps = np.linalg.norm(places[:, 0, None] - sides.points, axis=2) < near
    order = [int(np.argmax(row)) for row in gaps if row.any()]
    visits = [order[0], *(b for a, b in pairwise(order) if a != b)]
    assert len(visits) >= 12
    assert all((b - a) % 4 == 1 for a, b in pairwise(visits))


@pytest.mark.parametrize("due", [4, -3])
def test_a_shorter_path_does_not_break_the_memory(due: int) -> None:
    """The last waypoint is due, or the first: memory may also come from the caller."""
    vehicles = sm.Vehicles([[0, 0]], max_speed=8, max_force=40)
    controller = sm.Controller(vehicles, sm.FollowPath([[9, 9], [-9, 9]], law="waypoints", reach=1.0))
    controller.remember("FollowPath", waypoint=due)
    force = controller.steer(0.02)[0]
    assert controller.memory("FollowPath")["waypoint"].tolist() == [1 if due > 0 else 0]
    assert (force[0] > 0) == (due < 0)


def test_a_path_across_the_rim_of_a_torus_is_followed() -> None:
    across = sm.Path([[80, 50], [130, 50]], radius=2.0)
    places, vehicles = travel(
        across, [[85.0, 51]], seconds=12, lookahead=0.4, reach=4.0, domain=sm.Torus([100, 100]), law="parameter"
    )
    np.testing.assert_allclose(vehicles.position, [[30, 50]], atol=0.1)
    assert np.abs(places[:, 0, 1] - 50).max() < 2


def test_at_a_crossing_a_vehicle_on_the_spine_goes_straight_on() -> None:
    loop = sm.Path([[0, 0], [60, 0], [60, 30], [30, 30], [30, -30]], radius=3.0)
    for law in LAWS:
        places, _ = travel(loop, [[0.0, 0]], seconds=120, law=law, lookahead=0.4, reach=4.0)
        np.testing.assert_allclose(places[-1, 0], [30, -30], atol=0.1)
        assert np.linalg.norm(places[:, 0] - [60, 0], axis=1).min() < 4, "it took the short cut"


def test_stay_on_path_has_no_direction() -> None:
    for speed in (-6.0, 6.0):
        behavior = sm.StayOnPath(BEND, lookahead=0.5) + (lambda v: 2 * v.forward)
        places, vehicles = travel(None, [[20.0, 2]], [[speed, 2.0]], seconds=2, behavior=behavior)
        assert BEND.project(places[:, 0]).distance.max() <= 3
        assert vehicles.velocity[0, 0] * speed > 0


@pytest.mark.parametrize("dt", [1 / 20, 1 / 60])
@pytest.mark.parametrize("d", [2, 3])
def test_staying_on_a_path_neither_trembles_nor_leaves_it(d: int, dt: float) -> None:
    """By the paper's law the force turns round 8 and 26 times a second, and for a tenth of the time they are outside."""
    rng = np.random.default_rng(2)
    points = [[0, 0, 0], [20, 0, 3], [20, 15, 3], [40, 15, 0], [40, -10, -2], [60, -10, 3]]
    road = sm.Path(np.array(points)[:, :d], radius=2.0)
    found = {}
    for law in ("smooth", "tube"):
        start = road.point_at(road.length * rng.random(12))
        vehicles = sm.Vehicles(start, rng.normal(0, 1.5, (12, d)), max_speed=5, max_force=12, response_time=0.1)
        world, velocities, beyond, along = sm.World(dt=dt, seed=3, threads=1), [], [], []
        world.add(vehicles, steering=sm.Priority([sm.StayOnPath(road, law=law), sm.Wander()]))
        for _ in range(round(12 / dt)):
            world.step()
            velocities.append(vehicles.velocity.copy())
            s, distance, _ = road.project(vehicles.position)
            beyond.append(distance - 2.0)
            along.append(np.abs(np.sum(velocities[-1] * road.tangent_at(s), axis=1)))
        change = np.diff(velocities, axis=0) / dt
        large = np.linalg.norm(change, axis=2) > 0.6
        turned = (np.sum(change[1:] * change[:-1], axis=2) < 0) & large[1:] & large[:-1]
        found[law] = turned.mean() / dt, np.mean(np.array(beyond) > 0), np.max(beyond), np.mean(along)
    assert found["smooth"][0] < 1.6 < 5 < found["tube"][0]
    assert found["smooth"][1] < 0.02 < 0.03 < found["tube"][1]
    assert found["smooth"][2] < 0.8
    assert found["smooth"][3] > 0.97 * found["tube"][3]


@pytest.mark.parametrize("domain", [None, sm.Torus([90.0, 70.0])])
def test_how_vehicles_stay_does_not_depend_on_the_steps_before(domain: Any) -> None:
    """The kernel begins its searches of the spine where those of the step before ended; wrong places, too, change no bit."""
    turn, rng = np.linspace(0, 2 * np.pi, 120, endpoint=False), np.random.default_rng(5)
    spine = np.column_stack([60 * np.cos(turn), 40 * np.sin(turn)])
    path = sm.Path(spine, radius=3 + 2 * np.cos(9 * turn), closed=True)
    vehicles = sm.Vehicles(spine.repeat(8, axis=0), max_speed=5, max_force=10)
    controller = sm.Controller(vehicles, sm.StayOnPath(path), domain=domain)
    some = []
    for k in range(40):
        if k % 10 == 0:
            vehicles.position = rng.permutation(spine).repeat(8, axis=0) + rng.uniform(-3, 3, (960, 2))
            vehicles.velocity = rng.normal(0, 2, (960, 2))
        vehicles.position = vehicles.position + 0.3 * vehicles.velocity
        anew = sm.Vehicles(vehicles.position, vehicles.velocity, max_speed=5, max_force=10)
        expected = sm.Controller(anew, sm.StayOnPath(path), domain=domain).steer(0.05)
        np.testing.assert_array_equal(controller.steer(0.05), expected)
        some.append(np.mean(np.any(expected != 0, axis=1)))
    assert 0.2 < np.mean(some) < 0.8


@pytest.mark.parametrize("loop", [True, False])
def test_patrol_visits_all_checkpoints_in_order(loop: bool) -> None:
    stops = np.array([[0.0, 0], [30, 0], [30, 20], [0, 20]])
    behavior = sm.Patrol(stops, loop=loop, margin=0.5)
    places, vehicles = travel(None, [[-9.0, 3], [31, 1]], seconds=60, behavior=behavior)
    for own in np.swapaxes(places, 0, 1):
        near = np.linalg.norm(own[:, None] - stops, axis=2) < 0.5
        order = [int(np.argmax(row)) for row in near if row.any()]
        visits = [order[0], *(b for a, b in pairwise(order) if a != b)]
        assert [k % 4 for k in range(visits[0], visits[0] + len(visits))] == visits
        assert len(visits) > 5 if loop else visits[-1] == 3
    if not loop:
        np.testing.assert_allclose(vehicles.position, [[0, 20]] * 2, atol=0.05)
    assert places[:, :, 0].max() < 31.5


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: sm.FollowPath(BEND, direction=0), "direction must be 1 or -1, got 0"),
        (
            lambda: sm.FollowPath(BEND, law="road"),
            "law must be .lane., .tube., .parameter., .predicted. or .waypoints., got 'road'",
        ),
        (lambda: sm.FollowPath(BEND, reach=-1.0), "reach must be .*>= 0 m.*, got -1.0"),
        (lambda: sm.StayOnPath([]), "points must be at least one point"),
        (lambda: sm.Patrol([]), "checkpoints must be at least one point"),
        (lambda: sm.Patrol([[0, 0]], margin=0.0), "margin must be > 0 m, got 0.0"),
    ],
)
def test_what_is_wrong_is_said(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize("make", [sm.FollowPath, sm.StayOnPath, sm.Patrol])
def test_other_dimensions_are_refused(make: Any) -> None:
    with pytest.raises(ValueError, match="must have 2 dimensions like the vehicles, got 3"):
        sm.Controller(sm.Vehicles([[0, 0]]), make([[0, 0, 0], [1, 0, 0]])).steer(0.1)


def ones(*names: str) -> Any:
    return numbers_of(None, np.float32, **dict.fromkeys(names, 1.0))


TO_REST = {
    "priority": lambda follow: sm.Priority([sm.AvoidNeighbors(), follow]),
    "sum": lambda follow: sm.AvoidNeighbors() + follow,
    "Separation": lambda follow: sm.Separation(radius=2.0) + follow,
    "ORCA": lambda follow: sm.ORCA(toward=follow),
}


def crowd_to_the_end(tree: str, body: sm.Locomotion | None, **options: Any) -> tuple[Any, sm.Vehicles]:
    """Vehicles beside a path, which go to its end: their places every half second, and they after a minute and a half."""
    places = np.random.default_rng(2).uniform(0, 24, (60, 2))
    apart = np.linalg.norm(places[:, None] - places, axis=2) + 9 * np.eye(60)
    places = places[[k for k in range(60) if apart[k, :k].min(initial=9) > 1.3]][:12]
    vehicles = sm.Vehicles(places, max_speed=5.0, max_force=12.0)
    world = sm.World(threads=1, dt=1 / 30)
    follow = sm.FollowPath(sm.Path([[0, 0], [30, 0], [30, 30]], radius=2.0), **options)
    world.add(vehicles, steering=TO_REST[tree](follow), locomotion=body)
    ways = []
    for _ in range(180):
        world.run(steps=15)
        ways.append(vehicles.position.copy())
    return np.array(ways), vehicles


@pytest.mark.parametrize(
    ("tree", "law", "body"),
    [
        *[(tree, "lane", None) for tree in TO_REST],
        *[("priority", law, None) for law in ("parameter", "waypoints")],
        *[("priority", "lane", sm.Wheeled(wheelbase=wheelbase)) for wheelbase in (None, 1.0)],
    ],
)
def test_a_crowd_comes_to_rest_at_the_end(tree: str, law: str, body: sm.Locomotion | None) -> None:
    """As it does around the goal of Arrive: it went round for ever before, in a sum by squeezing into each other."""
    ways, vehicles = crowd_to_the_end(tree, body, law=law)
    assert vehicles.speed.max() < 0.01
    assert np.linalg.norm(vehicles.position - [30, 30], axis=1).max() < 8
    apart = np.linalg.norm(ways[:, :, None] - ways[:, None], axis=-1) + 9 * np.eye(12)
    overlap, at_rest = (0.4, 0.15) if tree == "Separation" else (0.1, 0.01)  # It is soft.
    assert apart.min() > 1.0 - overlap
    assert apart[-1].min() > 1.0 - at_rest


def test_a_crowd_that_is_to_swing_about_the_end_does_not_rest() -> None:
    assert np.median(crowd_to_the_end("priority", None, end="seek")[1].speed) > 0.2


def test_kernels_stay_in_float32() -> None:
    F = np.float32
    vehicles, clock = sm.Vehicles([[0, 0]]), Clock.new(F)
    out = Out(tuple(np.zeros((2, 1), F)), (), np.zeros(1, np.uint8), np.ones(1, np.uint8), np.ones(2, F))
    wrap, go, path = np.zeros((2, 2), F), drive_numbers("max", F), BEND.columns(F)
    numbers, found = (
        ones("law", "direction", "lookahead", "reach", "slowing_distance", "brakes", "end"),
        SpinePlaces(np.zeros(1, F), np.zeros(1, np.int64), np.zeros(1, np.uint8)),
    )
    assert_single_precision(find_ahead, 0, 1, vehicles.columns, path, wrap, numbers, out.active, found)
    memory = np.zeros(1, np.int64)
    point = tuple(np.zeros((2, 1), F))
    resting = Resting(point, memory, np.zeros(1, np.uint8), point, np.zeros(1, F), np.zeros(1, F))
    for at_end in ((), (AtEnd(resting, wrap),)):
        arguments = (vehicles.columns, path, wrap, numbers, found, go, at_end, clock, out)
        assert_single_precision(follow_path, 0, 1, *arguments)
    body, lane, one = (
        vehicles.columns,
        ones("direction", "lookahead", "reach", "slowing_distance", "brakes", "stops"),
        np.ones(1, F),
    )
    spot, active = Spot(one, tuple(np.zeros((2, 1), F)), one, one), out.active
    assert_single_precision(find_spot, 0, 1, body, path, wrap, lane, F(0), memory, memory, active, spot)
    assert_single_precision(look_along, 0, 1, body, path, wrap, lane, memory, one, clock, active, spot)
    turn, until = tuple(np.zeros((2, 1), F)), np.zeros(1)
    assert_single_precision(
        follow_lane, 0, 1, body, path, lane, go, clock, spot, turn, until, (AtEnd(resting, wrap),), out
    )
    points = tuple(np.zeros((2, 5), F))
    due = ones("direction", "seek_distance", "slowing_distance", "brakes", "end")
    assert_single_precision(
        follow_waypoints, 0, 1, vehicles.columns, points, path, wrap, due, memory, memory, go, (), clock, out
    )


def test_a_crowd_files_along_the_rim_by_the_literal_law_alone() -> None:
    """The check of the scenario sees it."""
    found = {}
    for law in ("lane", "tube"):
        scenario = SCENARIOS["path_following"]
        stage = scenario.stage(n=30, seed=2, threads=1)
        first = sm.FollowPath(stage.scenery["road"], law=law, lookahead=0.6)
        steering = first + 0.8 * sm.Separation(radius=3.0) + 0.3 * sm.TargetSpeed(7.0)
        stage.world.populations["walkers"].steering = steering
        stage.world.run(steps=stage.steps)
        found[law] = stage.problems()
    assert found["lane"] == []
    assert "rims" in found["tube"][0]


COURSE = sm.Path.spline(
    [[0, 0], [120, 0], [160, 30], [120, 60], [60, 40], [40, 90], [120, 110], [160, 160], [40, 160], [-30, 110], [-30, 30]],
    radius=7.0, closed=True, tolerance=0.05,
)  # fmt: skip
ALLEY = sm.Path([[0, 0], [10, 0], [10, 8], [20, 8], [20, 0], [30, 0], [30, -12], [0, -12]], radius=0.6, closed=True)
BODIES = {
    "point": sm.PointMass(),
    "turn rate": sm.PointMass(limits=[sm.TurnRate(1.5)]),
    "asymmetric": sm.PointMass(limits=[sm.Asymmetric(brake=0.5, side=0.5)]),
    "car": sm.Wheeled(turning_radius=2.0),
    "bicycle": sm.Wheeled(turning_radius=4.0, wheelbase=2.5),
    "weak brakes": sm.Wheeled(turning_radius=2.0, brake=0.3),
}


def off_road(path: sm.Path, body: Any, *, speed: float, force: float, direction: int, dt: float, **options: Any) -> Any:
    """How far seven vehicles leave the tube in 20 s [m], after 5 s on it, and their mean speed."""
    s = np.linspace(0, path.length, 7, endpoint=False)
    velocity = path.tangent_at(s) * 0.3 * speed * direction
    vehicles = sm.Vehicles(path.point_at(s), velocity, max_speed=speed, max_force=force, radius=0.3)
    world = sm.World(dt=dt, threads=1, seed=1)
    world.add(vehicles, steering=sm.FollowPath(path, direction=direction, **options), locomotion=body)
    world.run(seconds=5)
    worst, mean = -np.inf, []
    for _ in range(200):
        world.run(seconds=0.1)
        at = path.project(vehicles.position)
        worst = max(worst, float((at.distance - path.radius[at.segment]).max()))
        mean.append(vehicles.speed.mean())
    return worst, np.mean(mean)


@pytest.mark.parametrize(
    ("name", "direction", "rate"),
    [(name, *each) for name in BODIES for each in drawn([(1, 20), (-1, 20), (1, 120), (-1, 120)], 2, name)],
)
def test_cars_slow_down_for_bends_and_stay_on_the_road(name: str, direction: int, rate: int) -> None:
    dt = 1 / rate
    for speed in (25.0, 40.0):
        how: Any = {"speed": speed, "force": 8.0, "direction": direction, "dt": dt}
        worst, mean = off_road(COURSE, BODIES[name], **how)
        assert worst <= 0
        assert mean > (8 if name in ("asymmetric", "weak brakes") else 12)
    if dt > 0.04:
        assert off_road(COURSE, BODIES[name], **how, bends="ignore")[0] > 10


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize("name", ["point", "asymmetric"])
def test_a_narrow_alley_is_not_left_at_its_corners(name: str, direction: int) -> None:
    for dt in (1 / 20, 1 / 60):
        worst, mean = off_road(ALLEY, BODIES[name], speed=5.0, force=10.0, direction=direction, dt=dt)
        assert worst <= 0
        assert mean > 3
    assert off_road(ALLEY, BODIES[name], speed=5.0, force=10.0, direction=direction, dt=dt, bends="ignore")[0] > 0.5


@pytest.mark.each_value
@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize("closed", [True, False], ids=["closed", "open"])
@pytest.mark.parametrize("own", [False, True], ids=["rate", "own rate"])
def test_who_turns_slowly_is_slower_in_narrow_bends(own: bool, closed: bool, direction: int) -> None:
    """Also if it has force enough to be faster."""
    alley = sm.Path(ALLEY.points, radius=0.6, closed=closed)
    for speed, dt in ((1.5, 1 / 20), (5.0, 1 / 60)):
        s = np.linspace(0, alley.length, 7, endpoint=closed) % alley.length
        velocity = alley.tangent_at(s) * 0.3 * speed * direction
        vehicles = sm.Vehicles(
            alley.point_at(s), velocity, max_speed=speed, max_force=10, radius=0.3, max_angular_speed=0.7
        )
        world = sm.World(dt=dt, threads=1, seed=1)
        body = sm.PointMass(limits=[sm.TurnRate(None if own else 0.7)])
        world.add(vehicles, steering=sm.FollowPath(alley, direction=direction), locomotion=body)
        world.run(seconds=5)
        far = np.zeros(7)
        for _ in range(250):
            world.run(seconds=0.1)
            at = alley.project(vehicles.position)
            far = np.maximum(far, at.distance - alley.radius[at.segment])
        assert far.max() <= 0


@pytest.mark.parametrize("closed", [True, False], ids=["closed", "open"])
def test_back_along_a_path_is_ahead_along_the_reversed_one(closed: bool) -> None:
    """With segments of many lengths and radii, for a body that turns slowly: each bend counts where it is."""
    points = np.array([[0, 0], [11, 0], [12.5, 3], [12.5, 4.5], [7, 8], [6, 8], [-1, 13], [-4, 5.0]])
    radius, ways = np.array([0.7, 0.9, 0.6, 1.1, 0.8, 1.3, 0.6, 1.0])[: 8 if closed else 7], []
    reversed_radius = np.concatenate([radius[6::-1], radius[7:]])
    for path, direction in (
        (sm.Path(points, radius=radius, closed=closed), -1),
        (sm.Path(points[::-1], radius=reversed_radius, closed=closed), 1),
    ):
        vehicles = sm.Vehicles(
            points[1:] + 0.2,
            0.4 * (points[:-1] - points[1:]),
            max_speed=5,
            max_force=10,
            radius=0.3,
            max_angular_speed=0.7,
        )
        world = sm.World(dt=1 / 20, threads=1, seed=1)
        body = sm.PointMass(limits=[sm.TurnRate(0.7)])
        world.add(vehicles, name="cars", steering=sm.FollowPath(path, direction=direction), locomotion=body)
        ways.append([(world.step(), vehicles.position.copy(), vehicles.velocity.copy())[1:] for _ in range(90)])
    np.testing.assert_allclose(ways[0], ways[1], atol=5e-3)


def test_a_straight_road_has_no_bends_and_a_given_reach_is_kept() -> None:
    """To the bit the same as by the literal law."""
    road = sm.Path([[0, 0], [10, 0], [30, 0]], radius=2.0)
    ways = {bends: travel(road, [[1.0, 1.0]], seconds=8, bends=bends)[0] for bends in ("brake", "ignore")}
    np.testing.assert_array_equal(ways["brake"], ways["ignore"])
    slow = {"max_speed": 1.0, "max_force": 40.0}
    ways = {b: travel(ALLEY, [[1.0, 0.1]], seconds=30, bends=b, reach=0.5, limits=slow)[0] for b in ("brake", "ignore")}
    np.testing.assert_array_equal(ways["brake"], ways["ignore"])


@pytest.mark.parametrize("direction", [1, -1])
def test_the_slow_keep_force_for_turning_while_they_speed_up(direction: int) -> None:
    """With all of it spent on speeding up they would go straight on, off the road within the first seconds."""
    s = np.linspace(0, COURSE.length, 7, endpoint=False)
    velocity = COURSE.tangent_at(s) * 7.5 * direction
    vehicles = sm.Vehicles(COURSE.point_at(s), velocity, max_speed=25, max_force=8, radius=0.3)
    world = sm.World(dt=1 / 60, threads=1, seed=1)
    world.add(vehicles, steering=sm.FollowPath(COURSE, direction=direction))
    for _ in range(100):
        world.run(seconds=0.1)
        assert COURSE.contains(vehicles.position).all()


def test_cars_between_kerbs_are_led_around_bends() -> None:
    """AvoidObstacles turned aside for the kerb behind a bend before the road turned, and drove through it."""
    points = [[0, 0], [120, 0], [160, 30], [120, 60], [90, 40], [60, 60], [0, 60], [-30, 30]]
    road = sm.Path.spline(points, radius=7, closed=True)
    start = np.array([-8.0, -16.0, -24.0, -32.0, -40.0, -48.0])
    place, ahead = road.point_at(start), road.point_at(start + 0.5) - road.point_at(start)
    ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
    cars = sm.Vehicles(place, 2 * ahead, max_speed=np.linspace(20, 27, 6), max_force=20, radius=1, length=4)
    world = sm.World(dt=1 / 60, seed=1)
    body = sm.Wheeled(turning_radius=5, wheelbase=2.5)
    steering = sm.Priority([sm.AvoidObstacles(sm.Walls.along(road)), sm.FollowPath(road)])
    world.add(cars, name="cars", steering=steering, locomotion=body)
    farthest = 0.0
    for _ in range(1500):
        world.step()
        farthest = max(farthest, float(np.abs(road.project(cars.position).distance).max()))
    assert farthest < 6.05
    assert cars.speed.mean() > 12


@pytest.mark.parametrize("closed", [False, True])
def test_back_along_a_path_is_along_the_path_turned_round(closed):
    """With the same bends: segments of many lengths, of which short ones come one behind the other, slow it down alike."""
    points = np.array([[0, 0], [20, 0], [22, 3], [21, 5], [40, 9], [41, 12], [38, 13], [30, 25], [28, 24], [5, 20.0]])
    found = []
    for path, direction in ((points, -1), (points[::-1], 1)):
        vehicles = sm.Vehicles(
            points[-1:] + np.array([0.3, 0.2]), [[0.0, 2.0]], max_speed=9, max_force=4, dtype=np.float64
        )
        world = sm.World(dt=1 / 30, threads=1)
        world.add(vehicles, steering=sm.FollowPath(sm.Path(path, radius=1.0, closed=closed), direction=direction))
        speeds = []
        for _ in range(300):
            world.step()
            speeds.append(vehicles.speed[0])
        found.append((vehicles.position.copy(), np.array(speeds)))
    np.testing.assert_allclose(found[0][0], found[1][0], atol=1e-6)
    np.testing.assert_allclose(found[0][1], found[1][1], atol=1e-6)
    assert np.min(found[0][1][60:]) < 7


@pytest.mark.parametrize("direction", [1, -1])
def test_cars_that_miss_the_end_come_back_to_it(direction: int) -> None:
    """38 of 100 left the tube as they turned round there, and followed the path from a part nearby again, for ever."""
    world, ways = sm.World(dt=1 / 20, seed=1), []
    for seed in (0, 2, 5, 8, 10, 12, 13, 14, 15, 16, 19, 22):
        rng = np.random.default_rng(seed)
        points = rng.uniform(-20, 20, (rng.integers(2, 9), 2))
        path = sm.Path(points[::direction])
        for body in (sm.Wheeled(turning_radius=2.0), sm.Wheeled(turning_radius=2.0, wheelbase=1.0)):
            cars = sm.Vehicles(points[:1] + rng.uniform(-2, 2, (2, 2)), max_speed=2.0)
            world.add(cars, steering=sm.FollowPath(path, direction=direction), locomotion=body)
            ways.append((points[-1], cars))
    world.run(seconds=300)
    for end, cars in ways:
        assert np.linalg.norm(cars.position - end, axis=1).max() < 0.3
        assert cars.speed.max() < 0.02


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("d", [2, 3])
def test_a_lane_with_no_reach_is_followed_as_with_the_usual_one(d: int, dtype: type) -> None:
    """A vehicle within its room had no way, but a rounding error, in whose direction it went at full speed."""
    corners = np.array([[0, 0, 0], [30, 0, 0], [30, 30, 5]], dtype)[:, :d]
    places = []
    for reach in (0.0, None):
        start = np.random.default_rng(2).uniform(-0.5, 0.5, (12, d))
        vehicles = sm.Vehicles(start, max_speed=3.0, max_force=5.0, dtype=dtype)
        world = sm.World(dt=1 / 30, seed=3, threads=1)
        world.add(vehicles, steering=sm.FollowPath(sm.Path(corners, radius=2.0), reach=reach))
        world.run(seconds=60)
        assert np.linalg.norm(vehicles.position - corners[-1], axis=1).max() < 0.1
        places.append(vehicles.position.copy())
    np.testing.assert_array_equal(places[0], places[1])


@pytest.mark.parametrize("direction", [1, -1])
def test_the_drawn_arc_begins_along_the_velocity_and_is_the_way_that_is_taken(direction: int) -> None:
    """In a bend, the vehicle stays much closer to the arc than to the straight line to the cross."""
    vehicles = sm.Vehicles([50, 0], [8, 0], max_speed=8, max_force=40, dtype=np.float64)
    circle = 30 * np.array([[np.cos(a), np.sin(a)] for a in np.linspace(0, 2 * np.pi, 90, endpoint=False)])
    world = sm.World(dt=1 / 60, threads=1)
    world.add(vehicles, steering=sm.FollowPath(sm.Path(circle, radius=3, closed=True), direction=direction))
    world.run(seconds=12)
    shapes = [shape for sketch in world.sketch("vehicles", 0) for shape in sketch.shapes]
    (arc,) = (shape.points[0] for shape in shapes if type(shape).__name__ == "Line" and shape.role == "target")
    (cross,) = (shape.center[0] for shape in shapes if type(shape).__name__ == "Cross")
    place, along = vehicles.position[0].copy(), vehicles.velocity[0] / vehicles.speed[0]
    np.testing.assert_allclose(arc[[0, -1]], [place, cross], atol=1e-9)
    pieces = np.diff(arc, axis=0)
    size = np.hypot(*pieces.T)
    turns = np.arccos(np.clip((pieces[1:] * pieces[:-1]).sum(1) / (size[1:] * size[:-1]), -1, 1))
    np.testing.assert_allclose(turns, turns[0], rtol=1e-6)  # A circle, in equal pieces,
    np.testing.assert_allclose(
        pieces[0] @ along / size[0], np.cos(turns[0] / 2), rtol=1e-9
    )  # that begins along the velocity.
    farthest = 0.0
    for _ in range(40):
        world.step()
        farthest = max(farthest, np.hypot(*(arc - vehicles.position[0]).T).min() - size[0] / 2)
    chord = (cross - place) / np.hypot(*(cross - place))
    bulge = np.abs((arc - place) @ [-chord[1], chord[0]]).max()
    assert bulge > 0.2
    assert farthest < 0.25 * bulge


def test_full_thrust_is_drawn_straight_to_the_point_ahead() -> None:
    """It pushes there, and leads along no arc."""
    vehicles = sm.Vehicles([30, 0], [0, 8], max_speed=8, max_force=40)
    world = sm.World(dt=1 / 60)
    world.add(vehicles, steering=sm.FollowPath(RING, thrust="full"))
    shapes = [shape for sketch in world.sketch("vehicles", 0) for shape in sketch.shapes]
    (line,) = (shape for shape in shapes if type(shape).__name__ == "Line" and shape.role == "target")
    assert line.points.shape == (1, 2, 2)
