"""The end of a way: bodies with weak brakes slow down as early as their brakes ask for, under every behavior that stops."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import steersman as sm

FAR = 30.0

WEAK: dict[str, Any] = {
    "car": sm.Wheeled(brake=0.3),
    "bicycle": sm.Wheeled(brake=0.3, wheelbase=2.0),
    "car with a reverse gear and hardly any brakes": sm.Wheeled(brake=0.1, reverse=True),
    "point mass": sm.PointMass(limits=[sm.Asymmetric(brake=0.3)]),
}


def path_to(goal: Any) -> sm.Path:
    """A straight path of two segments."""
    return sm.Path(np.array([0 * goal, 0.5 * goal, goal]), radius=1.0)


STOPS: dict[str, Callable[[Any], Any]] = {
    "FollowPath lane": lambda goal: sm.FollowPath(path_to(goal)),
    "FollowPath tube": lambda goal: sm.FollowPath(path_to(goal), law="tube"),
    "FollowPath waypoints": lambda goal: sm.FollowPath(path_to(goal), law="waypoints"),
    "Arrive": sm.Arrive,
    "Arrive braking": lambda goal: sm.Arrive(goal, ramp="braking"),
    "Arrive hard stop": lambda goal: sm.Arrive(goal, stop_distance=0.5, hard_stop=True),
    "GoTo": sm.GoTo,
    "Patrol": lambda goal: sm.Patrol([goal], loop=False),
    "Interpose": lambda goal: sm.Interpose(goal, goal),
    "Shadow": lambda goal: sm.Shadow(sm.Vehicles([goal], radius=0), distance=0.0),
    "OffsetPursuit": lambda goal: sm.OffsetPursuit(sm.Vehicles([goal], radius=0), offset=0 * goal),
}


def ahead(d: int, length: float) -> Any:
    """The vector of a length along x."""
    return np.concatenate([[length], np.zeros(d - 1)])


def farthest(steering: Any, body: Any, d: int, dt: float, *, seed: int = 0, speed: float = 3.0) -> tuple[float, float]:
    """How far beyond the goal a vehicle gets that comes at full speed [m], and how fast it is after a minute [m/s]."""
    start = np.random.default_rng(seed).uniform(-0.3, 0.3, (1, d))
    vehicles = sm.Vehicles(
        start, [ahead(d, speed)], heading=None if d == 3 else [0.0], max_speed=speed, max_force=3.0, dtype=np.float64
    )
    world, worst = sm.World(dt=dt, seed=seed, threads=1), -FAR
    world.add(vehicles, steering=steering, locomotion=body)
    while world.time < 60:
        world.step()
        worst = max(worst, float(vehicles.position[0, 0]) - FAR)
    return worst, float(vehicles.speed[0])


@pytest.mark.each_value
@pytest.mark.parametrize("name", WEAK)
@pytest.mark.parametrize("behavior", STOPS)
def test_weak_brakes_stop_a_vehicle_at_the_end_of_its_way(behavior: str, name: str) -> None:
    """Each was 2 to 7 m late: it counted on all of max_force, of which the body brakes with a part."""
    body = WEAK[name]
    for seed, (d, dt) in enumerate([(2, 1 / 20), (2, 1 / 60), (3, 1 / 30)]):
        worst, speed = farthest(STOPS[behavior](ahead(d, FAR)), body, d, dt, seed=seed)
        assert worst < 0.05, f"{worst} m too far in {d} dimensions"
        assert speed < 0.05


CLIPS = sm.MotionClips(
    [sm.Clip("stand", speed=0), sm.Clip("walk", speed=1.5, turn_rate=0), sm.Clip("turn", speed=1, turn_rate=1.5)]
)


@pytest.mark.each_value
@pytest.mark.parametrize("body", [sm.Wheeled(), sm.Wheeled(brake=0.3, wheelbase=1.0), CLIPS], ids=repr)
@pytest.mark.parametrize("dt", [1 / 240, 1 / 20])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_hard_stop_is_no_reason_to_turn_around(body: Any, dt: float, dtype: Any) -> None:
    """The force that stops a body after one step asked those that turn to velocities for a way back: all drove on."""
    n, goal = 12, ahead(2, FAR)
    start = np.stack([np.zeros(n), np.linspace(-6, 6, n)], axis=1)
    vehicles = sm.Vehicles(start, [ahead(2, 3.0)] * n, heading=np.zeros(n), max_speed=3.0, max_force=3.0, dtype=dtype)
    world, within = sm.World(dt=dt, threads=1), np.zeros(n, bool)
    world.add(vehicles, steering=sm.Arrive(goal, stop_distance=2.0, hard_stop=True), locomotion=body)
    while world.time < 40:
        world.step()
        now = np.linalg.norm(vehicles.position - goal, axis=1) < 2.001
        assert not np.any(within & ~now), "it left the ring again"
        within = now
    assert within.all()
    assert np.all(vehicles.speed < 1e-3)


@pytest.mark.parametrize("behavior", ["FollowPath lane", "Arrive", "GoTo"])
def test_a_car_without_brakes_goes_as_fast_as_others_until_it_should_stop(behavior: str) -> None:
    """No distance suffices to stop it, so that of all of max_force counts: else it would not set out at all."""
    way = []
    for brake in (0.0, 1.0):
        vehicles = sm.Vehicles([[0.0, 0.0]], max_speed=3.0, max_force=3.0, heading=[0.0], dtype=np.float64)
        world = sm.World(dt=1 / 60, threads=1)
        world.add(vehicles, steering=STOPS[behavior](ahead(2, FAR)), locomotion=sm.Wheeled(brake=brake))
        world.run(seconds=8)
        way.append(float(vehicles.position[0, 0]))
    assert way[0] == pytest.approx(way[1])
    assert way[0] > 20


def test_followers_with_weak_brakes_keep_off_a_leader_that_stops() -> None:
    """They came up from afar as fast as five times the brakes allow, and went through it."""
    leader = sm.Vehicles([[0.0, 0.0]], [[3.0, 0.0]], max_speed=3.0, max_force=2.0, radius=0.5, dtype=np.float64)
    followers = sm.Vehicles([[-15.0, 0.3]], [[3.0, 0.0]], max_speed=4.0, max_force=6.0, radius=0.5, dtype=np.float64)
    world, nearest = sm.World(dt=1 / 60, threads=1), np.inf
    world.add(leader, steering=sm.Arrive([30.0, 0.0]))
    body = sm.PointMass(limits=[sm.Asymmetric(brake=0.2)])
    world.add(followers, steering=sm.FollowLeader(leader), locomotion=body)
    while world.time < 30:
        world.step()
        nearest = min(nearest, float(np.linalg.norm(leader.position - followers.position)))
    assert nearest > 2.0
