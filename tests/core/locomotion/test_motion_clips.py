"""MotionClips: few clips get there too."""

from typing import Any

import numpy as np
import pytest
from stepping import ran

import steersman as sm
from steersman.core.locomotion.chassis import Chassis
from steersman.core.locomotion.motion_clips import Memory as Played
from steersman.core.vehicles.memory import Memory
from steersman.core.world.population import LOCOMOTION_KEY

WALK, STOP = sm.Clip("walk", speed=1.5), sm.Clip("stop", speed=0.0)
LEFT, SPOT = sm.Clip("left", speed=1.0, turn_rate=1.2), sm.Clip("left", speed=0.0, turn_rate=1.2)
RIGHT = sm.Clip("right", speed=1.0, turn_rate=-1.2)
SETS = {
    "left only": [WALK, STOP, LEFT], "right only": [STOP, RIGHT, WALK], "on the spot": [WALK, STOP, SPOT],
    "both": [LEFT, WALK, RIGHT, STOP],
}  # fmt: skip
HALF_STRIDE = 0.375


def walked(clips: Any, steering: Any, far: float, seconds: float, **more: Any) -> tuple[Any, sm.Vehicles, Any]:
    """How near 32 walkers came to goals all round, who they are, and where the goals are."""
    angle = 2 * np.pi * np.arange(32) / 32
    goals = far * np.column_stack([np.cos(angle), np.sin(angle)])
    vehicles = sm.Vehicles(np.zeros((32, 2)), max_speed=3, **more)
    world = sm.World(dt=1 / 30, threads=1)
    world.add(vehicles, steering=steering(goals), locomotion=sm.MotionClips(clips))
    nearest = np.full(32, np.inf)
    while world.time < seconds:
        world.step()
        np.minimum(nearest, np.linalg.norm(vehicles.position - goals, axis=1), out=nearest)
    return nearest, vehicles, goals


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("max_force", [0.3, 9.0])
def test_who_turns_to_one_side_only_gets_there_the_long_way_round(name: str, max_force: float) -> None:
    nearest, _, _ = walked(SETS[name], sm.Seek, 10.0, 40, max_force=max_force)
    assert nearest.max() < 0.5


@pytest.mark.parametrize("name", ["left only", "right only", "both"])
@pytest.mark.parametrize("max_force", [0.5, 1.0])
def test_a_walker_goes_on_to_within_a_stride_however_gently_it_is_to_slow_down(name: str, max_force: float) -> None:
    """Slowing begins many meters before the goal, where less than the slowest clip is asked for."""
    nearest, vehicles, goals = walked(SETS[name], sm.Arrive, 3.0, 60, max_force=max_force)
    away = np.linalg.norm(vehicles.position - goals, axis=1)
    assert nearest.max() < 2 * HALF_STRIDE
    assert np.mean((away < 0.75) & (vehicles.speed == 0)) > 0.9


@pytest.mark.parametrize("turn", [0.0, 0.6, 1.3])
@pytest.mark.parametrize("sides", [(1,), (1, -1)])
def test_a_walker_stands_within_half_a_stride_of_a_goal_to_any_side(turn: float, sides: tuple[int, ...]) -> None:
    """Those that turn on the spot walked past it, 87 m off after a minute; those that turn slowly circled it for ever."""
    clips = [sm.Clip("walk", speed=1.3, duration=0.25), sm.Clip("stop", speed=0.0, duration=0.25)]
    clips += [sm.Clip(f"turn {side}", speed=turn, turn_rate=0.9 * side, duration=0.25) for side in sides]
    for order in (clips, clips[::-1]):
        _, vehicles, goals = walked(order, sm.Arrive, 9.0, 60, max_force=3.0, response_time=0.1)
        assert np.linalg.norm(vehicles.position - goals, axis=1).max() < 1.3 * 0.25 / 2 * 1.1
        assert vehicles.speed.max() == 0
    heading = vehicles.heading.copy()
    ran(vehicles, sm.Arrive(vehicles.position.copy()), sm.MotionClips(clips[::-1]), dt=1 / 30, threads=1, seconds=2)
    np.testing.assert_array_equal(vehicles.heading, heading)


def test_walkers_go_the_same_way_in_any_order_of_clips() -> None:
    """Of two that go straight on, the slower one tells how long a stride is."""
    clips = [STOP, WALK, sm.Clip("run", speed=3.0), LEFT, RIGHT]
    ends = [walked(each, sm.Arrive, 6.0, 9, max_force=1.0, heading=0.1)[1].position for each in (clips, clips[::-1])]
    np.testing.assert_array_equal(*ends)


@pytest.mark.parametrize("seed", [0, 1, 3])
def test_followers_rest_behind_a_leader_that_stands(seed: int) -> None:
    """A stride that began at full speed, or led past the place, told too little of the slope: none of them rested."""
    rng = np.random.default_rng(seed)
    leader = sm.Vehicles([[0.0, 0.0]], heading=[0.0], max_speed=2.0)
    start, heading = rng.uniform(-8, 8, (8, 2)), rng.uniform(-3, 3, 8)
    followers = sm.Vehicles(start, heading=heading, max_speed=3.0, max_force=10.0, radius=0.3)
    world = sm.World(dt=1 / 60, threads=1, seed=seed)
    world.add(leader)
    world.add(followers, steering=sm.FollowLeader(leader), locomotion=sm.MotionClips(SETS["both"]))
    world.run(seconds=52)
    place = followers.position.copy()
    world.run(seconds=8)
    np.testing.assert_array_equal(followers.position, place)
    assert np.linalg.norm(place - [-3, 0], axis=1).max() < 4


def test_a_straight_walk_ends_within_half_a_stride_of_the_goal() -> None:
    for max_force in (0.5, 1.0, 3.0):
        for far in np.arange(4, 6, 0.13):
            vehicles = sm.Vehicles([[0.0, 0]], max_speed=3, max_force=max_force, dtype=np.float64)
            ran(vehicles, sm.Arrive([far, 0]), sm.MotionClips([WALK, STOP]), dt=1 / 20, threads=1, seconds=15)
            assert vehicles.speed[0] == 0
            assert abs(vehicles.position[0, 0] - far) <= HALF_STRIDE * 1.2


def test_a_blend_lasts_as_long_as_its_parts_in_their_shares():
    clips = [sm.Clip("walk", speed=1.0, duration=0.4), sm.Clip("run", speed=3.0, duration=1.2)]
    vehicles = sm.Vehicles([[0.0, 0.0], [9.0, 0.0]], [[2.0, 0.0], [1.5, 0.0]], max_speed=5, max_force=10, dtype=float)
    world = sm.World(dt=0.1, threads=1)
    people = world.add(vehicles, steering=sm.Seek([0.0, 0.0]) * 0.0, locomotion=sm.MotionClips(clips, blend=True))
    world.step()
    np.testing.assert_allclose(vehicles.speed, [2.0, 1.5])
    left = people.memories[LOCOMOTION_KEY].snapshot()["clip"][:, 1]
    np.testing.assert_allclose(left, [0.8 - 0.1, 0.6 - 0.1])


def chosen(clips: Any, force: Any, free: float, **memory: float) -> dict[str, float]:
    """What a walker at the origin that faces along x and stands remembers after a step of 0.1 s under a force [N]."""
    body = sm.MotionClips(clips)
    vehicles = sm.Vehicles([0.0, 0], max_speed=9, max_force=100, dtype=np.float64)
    held = Memory(body.init(vehicles), vehicles.capacity)
    now, following = Played(*held.now("clip")), Played(*held.next("clip"))
    for name, value in memory.items():
        getattr(now, name)[0] = value
    none = np.zeros((1, 1))
    ways = np.full(vehicles.capacity, free)
    force = tuple(np.array(force, float)[:, None])
    proposed = tuple(np.zeros((2, 1)))
    chassis = Chassis(vehicles, force, (none[0],), proposed, (none[0],), np.full(1, 0.1), held, free_way=ways)
    for call in body.bind(chassis).propose:
        call.run(1)
    return {name: float(column[0]) for name, column in zip(Played._fields, following, strict=True)}


def test_a_turn_is_as_slow_as_the_free_way_asks_for_all_of_its_time() -> None:
    left = sm.Clip("left", speed=2.0, turn_rate=1.0, duration=1.0)
    assert chosen([left], [0.0, 50.0], free=np.inf)["speed"] == 2.0
    assert chosen([left], [0.0, 50.0], free=0.5)["speed"] == 0.5
    assert chosen([left], [0.0, 50.0], free=5.0)["speed"] == 2.0


def test_after_a_full_turn_in_vain_as_long_a_way_is_gone_straight_on_as_the_circle_is_wide() -> None:
    left = sm.Clip("left", speed=2.0, turn_rate=0.5, duration=1.0)
    turned = chosen([left], [0.0, 50.0], np.inf, clip=0, left=0.7, speed=2.0, turn_rate=0.5, vain=2 * np.pi - 0.01)
    assert turned["vain"] == -2 * 2.0 / 0.5
    walk = sm.Clip("walk", speed=3.0, duration=1.0)
    onward = chosen([walk], [50.0, 0.0], np.inf, clip=0, left=0.7, speed=3.0, vain=-8.0)
    np.testing.assert_allclose(onward["vain"], -8.0 + 3.0 * 0.1)


def test_a_clip_leads_where_it_heads_half_way() -> None:
    clips = [
        sm.Clip("wide", speed=2.0, turn_rate=0.5, duration=1.0),
        sm.Clip("left", speed=2.0, turn_rate=1.0, duration=1.0),
    ]
    ways = [chosen(clips, [20 * np.cos(angle), 20 * np.sin(angle)], np.inf)["clip"] for angle in (0.25, 0.5)]
    assert ways == [0, 1]
