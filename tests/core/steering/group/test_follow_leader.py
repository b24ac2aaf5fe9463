"""FollowLeader: where it goes, and that the leader's way stays clear."""

import numpy as np
import pytest

import steersman as sm
from steersman import laws
from steersman.gallery.registry import SCENARIOS
from steersman.runs.metrics.contacts import Contacts


def leader(velocity=(2.0, 0.0)):
    return sm.Vehicles([[0.0, 0.0]], [velocity], forward=[1.0, 0.0], max_speed=2.0)


def follower(position, **columns):
    return sm.Vehicles(position, max_force=6.0, max_speed=3.0, **columns)


def steer(vehicles, chief, **options):
    behavior = sm.FollowLeader(chief, **({"behind": 3.0, "law": "sum", "separation_radius": 0.5} | options))
    return sm.Controller(vehicles, behavior).steer(0.01).copy()


def test_it_arrives_behind_the_leader_the_farther_the_faster_that_is():
    chief = leader()
    np.testing.assert_allclose(steer(follower([[-3.0, 0.0]]), chief), 0, atol=1e-12)
    np.testing.assert_allclose(steer(follower([[-4.0, 0.0]]), chief, behind_time=0.5), 0, atol=1e-12)
    assert steer(follower([[-4.0, 0.0]]), chief)[0, 0] > 0
    np.testing.assert_allclose(laws.behind_leader([1.0, 1.0], [0.0, 1.0], [0.0, 4.0], 2.0, 0.5), [1.0, -3.0])


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        ((5.0, 1.0), (0, 6)),
        ((5.0, -1.9), (0, -6)),
        ((7.9, 0.5), (0, 6)),
        ((5.0, 0.0), (0, 6)),  # Exactly in front: to the left.
    ],
)
def test_in_front_of_the_leader_it_steps_aside(position, expected):
    found = steer(follower([position]), leader(), clear_length=8.0, clear_width=4.0)
    np.testing.assert_allclose(found, [expected], atol=1e-12)


@pytest.mark.parametrize("position", [(8.1, 0.5), (5.0, 2.1), (-0.1, 0.5)])
def test_elsewhere_it_does_not(position):
    found = steer(follower([position]), leader(), clear_length=8.0, clear_width=4.0)
    assert found[0, 0] < 0  # Toward the place behind.


def test_a_leader_of_their_own_is_not_steered_itself():
    vehicles = follower([[0.0, 0.0], [-3.0, 0.0], [-9.0, 0.0]])
    found = steer(vehicles, vehicles, which=0)
    np.testing.assert_array_equal(found[0], 0)
    assert found[2, 0] > 0


def test_the_way_of_the_leader_stays_clear():
    """It walks to and fro through its followers; nobody is ever run over, and few are in front of it."""
    rng = np.random.default_rng(4)
    chief = sm.Vehicles([[0.0, 0.0]], max_speed=2.0, max_force=8.0)
    crowd = sm.Vehicles(rng.normal([-8, 0], 5, (12, 2)), max_speed=4.0, max_force=16.0)
    world = sm.World(dt=1 / 30)
    world.add(chief, steering=sm.Patrol([[20.0, 0.0], [-20.0, 0.0]]))
    world.add(crowd, steering=sm.FollowLeader(chief))
    world.run(seconds=5)
    in_front, nearest = [], []
    for _ in range(60 * 30):
        world.step()
        offset = crowd.position - chief.position[0]
        in_front.append(laws.clear_way(offset, chief.forward[0], 8.0, 3.0).any(axis=1).sum())
        nearest.append(np.hypot(*offset.T).min())
    assert min(nearest) > 1.0
    assert np.mean(in_front) < 1.0


def test_exactly_in_front_ids_decide_the_side_along_diagonals_too():
    """Rounding is no side: odd ids go right, even ones left."""
    for angle in np.linspace(0, 2 * np.pi, 16, endpoint=False) + 0.1:
        forward = np.array([np.cos(angle), np.sin(angle)])
        chief = sm.Vehicles([[0.0, 0.0]], forward=forward, dtype=np.float64)
        crowd = follower([3.3 * forward, 5.7 * forward], dtype=np.float64)
        force = steer(crowd, chief)
        np.testing.assert_allclose(
            force, [[-6 * forward[1], 6 * forward[0]], [6 * forward[1], -6 * forward[0]]], atol=1e-9
        )
        chief, crowd = (
            sm.Vehicles(each.position, forward=each.forward, max_force=6.0, max_speed=3.0) for each in (chief, crowd)
        )
        aside = sm.Controller(crowd, sm.FollowLeader(chief)).steer(0.01) @ [-forward[1], forward[0]]
        assert aside[0] > 1 > -1 > aside[1]


@pytest.mark.parametrize("n", [1, 3, 8, 20])
def test_nobody_overlaps_by_default(n):
    """Leaders that stand, go, turn round and wander, one population of followers each, all in one world."""
    ways = (None, sm.Seek([1e4, 0.0]), sm.Patrol([[12.0, 0.0], [-12.0, 3.0]]), sm.Wander())
    rng = np.random.default_rng(n)
    world = sm.World(dt=1 / 30, threads=1, seed=n)
    crowds = []
    for way in ways:
        chief = sm.Vehicles([[0.0, 0.0]], [[2.0 if way else 0.0, 0.0]], max_speed=2.0, max_force=8.0)
        crowd = sm.Vehicles(rng.uniform(-6, 6, (n, 2)) - [3, 0], max_speed=4.0, max_force=16.0)
        world.add(chief, steering=way)
        world.add(crowd, steering=sm.FollowLeader(chief))
        crowds.append((chief, crowd))
    world.run(seconds=5)
    for _ in range(60):
        world.run(steps=10)
        for chief, crowd in crowds:
            everybody = np.concatenate([crowd.position, chief.position])
            apart = np.linalg.norm(everybody[:, None] - everybody, axis=2) + 9 * np.eye(n + 1)
            assert apart.min() > (1.0 if n < 20 else 0.8)


def test_the_check_of_the_scenario_sees_who_crowds():
    scenario = SCENARIOS["leader_following"]
    stage = scenario.stage(n=14, seed=3, threads=1)
    stage.world.populations["followers"].steering = sm.Arrive(stage.world["leader"])
    stage.world.run(steps=stage.steps)
    assert any("crowd" in problem for problem in stage.problems())


def test_a_leader_must_be_a_population():
    with pytest.raises(TypeError, match="leader must be Vehicles"):
        sm.FollowLeader([0.0, 0.0])


@pytest.mark.parametrize("d", [2, 3])
def test_behind_a_leader_that_stands_the_crowd_comes_to_rest(d):
    """Those that find the place taken stop where they meet the others, close together."""
    rng = np.random.default_rng(4)
    leader = sm.Vehicles(np.zeros((1, d)), radius=0.4)
    crowd = sm.Vehicles(rng.uniform(-8, 8, (12, d)), max_speed=4, max_force=12, radius=0.4)
    world = sm.World(dt=1 / 30, threads=1)
    world.add(leader, name="leader")
    world.add(crowd, name="crowd", steering=sm.FollowLeader(leader))
    world.run(seconds=45)
    fastest = 0.0
    for _ in range(60):
        world.step()
        fastest = max(fastest, float(crowd.speed.max()))
    assert fastest < 0.05
    place = -3 * leader.forward[0]
    away = np.sort(np.linalg.norm(crowd.position - place, axis=1))
    assert away[0] < 1.0
    assert away[-1] < 5


@pytest.mark.each_value
@pytest.mark.parametrize("body", [sm.Wheeled(turning_radius=1.0), sm.Wheeled(wheelbase=0.8)], ids=["circle", "bicycle"])
@pytest.mark.parametrize("dt", [1 / 20, 1 / 60])
def test_cars_behind_a_leader_that_stands_come_to_rest(body, dt):
    """They drove around the leader at .5 to .8 m/s for ever, up to .57 m into each other."""
    for seed in range(2):
        rng = np.random.default_rng(seed)
        chief = sm.Vehicles([[0.0, 0.0]], radius=0.3)
        cars = sm.Vehicles(
            rng.uniform([-26, -12], [-2, 12], (20, 2)), radius=0.3, max_speed=2.0, max_force=8.0, response_time=0.1
        )
        world = sm.World(dt=dt, seed=seed)
        world.add(chief)
        world.add(cars, steering=sm.FollowLeader(chief), locomotion=body)
        world.run(seconds=10)
        contacts = Contacts(cars)
        world.on_step(contacts)
        world.run(seconds=40)
        assert cars.speed.max() < 0.1
        assert contacts.deepest < 0.3
        assert np.linalg.norm(cars.position - [-3.0, 0.0], axis=1).max() < 7


def scattered(rng, far, apart):
    """Places of twelve, apart from each other and from a leader in the middle."""
    places = []
    while len(places) < 12:
        place = rng.uniform(-far, far, 2)
        if all(np.linalg.norm(place - other) > apart for other in [*places, np.zeros(2)]):
            places.append(place)
    return places


@pytest.mark.parametrize("dt", [1 / 20, 1 / 60])
def test_cars_scattered_around_a_leader_that_stands_come_to_it(dt):
    """39 of 192 stood where they began, with others behind them. Others drove on into each other, by up to .84 m."""
    world, crowds = sm.World(dt=dt), {}
    for name, body in {"car": sm.Wheeled(), "reverse": sm.Wheeled(reverse=True)}.items():
        for seed in (0, 3, 4, 7):
            rng = np.random.default_rng(seed)
            places = scattered(rng, 10, apart=1.3)
            chief = sm.Vehicles([[0.0, 0.0]], radius=0.5)
            cars = sm.Vehicles(places, heading=rng.uniform(-3, 3, 12), radius=0.5, max_speed=4.0, max_force=12.0)
            world.add(chief)
            world.add(cars, steering=sm.FollowLeader(chief), locomotion=body)
            crowds[f"{name}, seed {seed}"] = cars
    while world.time < 30:
        world.run(seconds=0.25)
        for name, cars in crowds.items():
            apart = np.linalg.norm(cars.position[:, None] - cars.position[None], axis=2) + 9 * np.eye(12)
            assert apart.min() > 0.95, name
            assert np.linalg.norm(cars.position, axis=1).min() > 0.95, name
    assert {name: far for name, cars in crowds.items() if (far := abs(cars.position).max()) > 9} == {}


@pytest.mark.parametrize(("dt", "seeds"), [(1 / 20, (102, 109, 112)), (1 / 60, (105, 106, 108))])
def test_a_bicycle_between_two_others_rests(dt, seeds):
    """It went to and fro by some mm for ever, at .15 to .43 m/s; or stood before another with the speed of a rounding."""
    world, crowds = sm.World(dt=dt), []
    for seed in seeds:
        rng = np.random.default_rng(seed)
        places = scattered(rng, 7, apart=0.78)
        chief = sm.Vehicles([[0.0, 0.0]], radius=0.3)
        heading = rng.uniform(-3, 3, 12)
        cars = sm.Vehicles(places, heading=heading, radius=0.3, max_speed=2.0, max_force=8.0, response_time=0.1)
        world.add(chief)
        body = sm.Wheeled(turning_radius=1.0, wheelbase=0.8)
        world.add(cars, steering=sm.FollowLeader(chief), locomotion=body)
        crowds.append(cars)
    world.run(seconds=40)
    assert max(cars.speed.max() for cars in crowds) < 1e-9


SLOW_TO_TURN = {
    "fade": sm.LowSpeedTurn(),
    "fade, half": sm.LowSpeedTurn(0.5),
    "cone": sm.LowSpeedTurn(law="cone"),
    "cone, half": sm.LowSpeedTurn(0.5, law="cone"),
    "inertia": sm.MomentOfInertia(1.0),
    "turn rate": sm.TurnRate(2.0),
}
"""Limits of bodies that cannot step aside."""


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("d", "dt"), [(2, 1 / 20), (2, 1 / 60), (3, 1 / 20)])
def test_bodies_that_cannot_step_aside_come_to_rest_behind_a_leader_that_stands(d, dt):
    """With "fade" 13 to 27 of 60 left their places for ever, at up to .65 m/s, and with inertia some 2 of 100."""
    world, crowds = sm.World(dt=dt), {}
    for name, limit in SLOW_TO_TURN.items():
        for seed in range(4):
            rng = np.random.default_rng(seed)
            fast = {"radius": 0.4, "max_speed": 4.0, "max_force": 12.0}
            slow = {"radius": 0.3, "max_speed": 2.0, "max_force": 8.0, "response_time": 0.1}
            chief = sm.Vehicles(np.zeros((1, d)), radius=0.3)
            crowd = sm.Vehicles(rng.uniform(-8, 8, (20, d)), **(fast if seed % 2 else slow))
            world.add(chief)
            world.add(crowd, steering=sm.FollowLeader(chief), locomotion=sm.PointMass(limits=[limit]))
            crowds[f"{name}, seed {seed}"] = crowd
    world.run(seconds=57)
    fastest = dict.fromkeys(crowds, 0.0)
    for _ in range(round(3 / dt)):
        world.step()
        for name, crowd in crowds.items():
            fastest[name] = max(fastest[name], float(crowd.speed.max()))
    assert {name: speed for name, speed in fastest.items() if speed > 0.05} == {}
    for name, crowd in crowds.items():
        assert np.linalg.norm(crowd.position + 3 * np.eye(d)[0], axis=1).max() < 9, name


def strides(*sides):
    """Walking and running straight on and to some sides, 1 to the left and -1 to the right, and stopping."""
    ways = [(speed, turn) for speed in (1.5, 3.0) for turn in (0.0, *sides)]
    clips = [sm.Clip(f"{speed} {turn}", speed=speed, turn_rate=1.2 * turn, duration=0.2) for speed, turn in ways]
    return sm.MotionClips([sm.Clip("stop", speed=0.0, duration=0.1), *clips])


@pytest.mark.one_in(2)
@pytest.mark.each_value
@pytest.mark.parametrize("dt", [1 / 20, 1 / 60])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_walkers_of_clips_come_to_rest_behind_a_leader_that_stands(dt, dtype):
    """All of 480 still moved: a walk out of one's spacing ended within that of the next, and those pushed away others."""
    world, crowds = sm.World(dt=dt), {}
    for name, body in {"both": strides(-1, 1), "left": strides(1)}.items():
        for force in (3.0, 10.0):
            for seed in range(3):
                rng, places = np.random.default_rng(seed), []
                while len(places) < 10:
                    place = rng.uniform(-10, 10, 2)
                    if all(np.linalg.norm(place - other) > 1.2 for other in [*places, np.zeros(2)]):
                        places.append(place)
                chief = sm.Vehicles([[0.0, 0.0]], radius=0.4, dtype=dtype)
                walkers = sm.Vehicles(
                    places, heading=rng.uniform(-3, 3, 10), radius=0.4, max_speed=3.0, max_force=force, dtype=dtype
                )
                world.add(chief)
                world.add(walkers, steering=sm.FollowLeader(chief), locomotion=body)
                crowds[f"{name}, {force} N, seed {seed}"] = walkers, Contacts(walkers)
                world.on_step(crowds[f"{name}, {force} N, seed {seed}"][1])
    world.run(seconds=50)
    ends = {name: walkers.position.copy() for name, (walkers, _) in crowds.items()}
    world.run(seconds=5)
    for name, (walkers, contacts) in crowds.items():
        np.testing.assert_array_equal(walkers.position, ends[name], err_msg=name)
        assert contacts.deepest < 0.1, name
        assert np.linalg.norm(walkers.position - (-3.0, 0.0), axis=1).max() < 7, name
