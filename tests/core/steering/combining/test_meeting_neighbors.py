"""ContextMap with neighbors: by when they would be met along each direction. Nobody touches, and everybody gets on."""

import functools
from typing import Any

import numpy as np
import pytest
from core.steering.combining.crowd import steer
from core.steering.group.test_exact_encounters import TURNS, encounters, nearest_passes
from core.steering.group.test_plaza import plaza
from stepping import ran

import steersman as sm
from steersman import laws
from steersman.core.steering.combining.directions import directions_of
from steersman.runs.metrics.contacts import Contacts

minding = functools.partial(sm.ContextMap, neighbors=True)


@pytest.mark.parametrize(("d", "dtype"), [(2, np.float32), (3, np.float64)], ids=["2D float32", "3D float64"])
def test_in_exact_symmetry_all_pass(d: int, dtype: Any) -> None:
    for alike in (True, False):
        vehicles, ends = encounters(d, dtype, alike)
        least = nearest_passes(vehicles, minding([sm.Seek(ends)])).reshape(len(TURNS), -1).min(axis=1)
        short = {kind: round(float(room), 3) for kind, room in zip(TURNS, least, strict=True) if not room > 0.02}
        assert not short, f"alike: {alike}"


@pytest.mark.parametrize("dt", [1 / 240, 1 / 20])
@pytest.mark.parametrize("turn", [0.0, 0.7, 2.5])
def test_two_head_on_each_keep_to_their_right_and_lose_little_time(dt: float, turn: float) -> None:
    ahead = np.array([np.cos(turn), np.sin(turn)])
    ends = np.array([-8.0, 8.0])[:, None] * ahead
    walkers = sm.Vehicles(ends, radius=0.3, max_speed=1.3, max_force=5.0, response_time=0.1)
    world = sm.World(dt=dt)
    world.add(walkers, steering=minding([sm.Seek(-3 * ends)]))
    nearest, side = np.inf, []
    for _ in range(round(12.6 / dt)):
        world.step()
        way = walkers.position[1] - walkers.position[0]
        nearest = min(nearest, float(np.linalg.norm(way)))
        if way @ ahead > 0:
            side.append(float(ahead[0] * way[1] - ahead[1] * way[0]))
    assert nearest > 0.6
    assert min(side) > -0.01, "it had the other to its right"
    assert max(side) > 0.5
    assert (np.linalg.norm(walkers.position + ends, axis=1) < 1.0).all()


@pytest.mark.parametrize("apart", [0.0, 0.3])
@pytest.mark.parametrize(("d", "dtype"), [(2, np.float32), (3, np.float64)], ids=["2D float32", "3D float64"])
def test_those_who_overlap_come_apart_on_their_way(apart: float, d: int, dtype: Any) -> None:
    places = np.array([[0.0] * d, [apart] + [0.0] * (d - 1)] * 3)
    places[:, 1] += np.repeat([0.0, 40.0, 80.0], 2)
    goal = places + np.eye(d)[0] * 99
    vehicles = sm.Vehicles(places, max_speed=1.5, max_force=8.0, radius=0.4, dtype=dtype)
    ran(vehicles, minding([sm.Seek(goal)]), dt=1 / 30, seconds=4.0)
    assert (np.linalg.norm(vehicles.position[::2] - vehicles.position[1::2], axis=1) > 0.8).all()


def test_a_plaza_that_wraps_around_is_crossed_without_a_touch() -> None:
    for options in ({}, {"n": 60, "d": 3, "size": 12.0}):
        touched, jitter, got_on = plaza(lambda go: minding([go]), 0, 10.0, **options)
        assert touched == 0
        assert jitter < 35
        assert got_on > 0.8


def ring(tree: Any, n: int = 20) -> tuple[sm.World, sm.Vehicles, Any]:
    angle = np.arange(n) * 2 * np.pi / n
    start = 7.0 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    walkers = sm.Vehicles(start, radius=0.3, max_speed=1.3, max_force=5.0, response_time=0.1)
    world = sm.World(dt=1 / 30, threads=2)
    world.add(walkers, steering=tree(sm.Seek(-start)))
    return world, walkers, -start


def test_a_ring_gets_across_and_a_danger_of_one_force_does_not() -> None:
    pairs = {}
    for name, tree in {
        "neighbors": lambda go: minding([go]),
        "force": lambda go: sm.ContextMap([go], danger=[sm.AvoidNeighbors()]),
    }.items():
        world, walkers, goal = ring(tree)
        contacts, nearest = Contacts(walkers), np.full(len(goal), np.inf)
        world.on_step(contacts)
        for _ in range(480):
            world.step()
            nearest = np.minimum(nearest, np.linalg.norm(walkers.position - goal, axis=1))
            if (nearest < 0.8).all():
                break
        pairs[name] = len(contacts.pairs)
        if name == "neighbors":
            assert (nearest < 0.8).all()
    assert pairs["neighbors"] == 0
    assert pairs["force"] > 8


def test_only_those_who_are_named_are_minded() -> None:
    """Of two in the way, one is of the population that is minded."""
    walker = sm.Vehicles([[0.0, 0.0]], [[1.3, 0.0]], radius=0.3, max_speed=1.3, max_force=50.0, dtype=np.float64)
    ahead = sm.Vehicles([[2.0, 0.0]], radius=0.3)
    far = sm.Vehicles([[2.0, 50.0]], radius=0.3)
    plain = steer(walker, sm.ContextMap([sm.Seek([99.0, 0.0])]))[0]
    np.testing.assert_allclose(steer(walker, minding([sm.Seek([99.0, 0.0])], of=far))[0], plain, atol=1e-9)
    assert steer(walker, minding([sm.Seek([99.0, 0.0])], of=ahead))[0, 0, 0] < -1
    np.testing.assert_allclose(
        steer(walker, minding([sm.Seek([99.0, 0.0])], of=ahead, radius=1.5))[0], plain, atol=1e-9
    )
    blind = minding([sm.Seek([99.0, 0.0])], of=sm.Vehicles([[-2.0, 0.0]], [[9.0, 0.0]]), angle=1.0)
    np.testing.assert_allclose(steer(walker, blind)[0], plain, atol=1e-9)


def test_who_is_content_with_its_motion_still_evades() -> None:
    def onward(vehicles: sm.Vehicles) -> Any:
        return (vehicles.forward * 1.3 - vehicles.velocity) / 0.1

    ends = np.array([[-7.0, 0.0], [7.0, 0.0]])
    walkers = sm.Vehicles(ends, -1.3 * ends / 7, radius=0.3, max_speed=1.3, max_force=5.0, response_time=0.1)
    world = sm.World(dt=1 / 30)
    world.add(walkers, steering=minding([onward]))
    contacts = Contacts(walkers)
    world.on_step(contacts)
    world.run(seconds=10)
    assert not contacts.pairs


def test_the_choice_is_that_of_the_laws() -> None:
    """One vehicle and three others: every direction by `laws.meeting_danger`, then `laws.context_map`."""
    rng = np.random.default_rng(5)
    units = directions_of(24, 2).unit
    for _ in range(20):
        me = sm.Vehicles(
            [[0.0, 0.0]], rng.normal(0, 1, (1, 2)), max_speed=2.0, max_force=999.0, radius=0.4, dtype=float
        )
        others = sm.Vehicles(rng.uniform(-4, 4, (3, 2)), rng.normal(0, 1, (3, 2)), radius=[0.3, 0.5, 2.0], dtype=float)
        steering = minding([sm.Seek([9.0, 1.0])], of=others, margin=0.4, time_horizon=4.0, directions=24, k=2)
        wish = laws.truncate(laws.seek(me.position[0], me.velocity[0], [9.0, 1.0], 2.0) + me.velocity[0], 2.0)
        axes = np.array([me.forward[0], [me.forward[0, 1], -me.forward[0, 0]]])
        ways = units @ axes
        interest = (laws.length(wish) + ways @ wish) / 2
        seen = np.argsort(laws.length(others.position))[:2]
        danger = np.max([
            laws.meeting_danger(
                me.position[0], interest[:, None] * ways, others.position[j], others.velocity[j],
                0.4 + others.radius[j], margin=0.4, time_horizon=4.0,
            ) for j in seen
        ], axis=0)  # fmt: skip
        assert ((danger >= 0) & (danger <= 1)).all()
        danger = np.maximum(danger, 0.02 * danger.max() * np.maximum(0, -units[:, 1]))
        wanted = laws.truncate(laws.context_map(interest, danger, ways), 2.0) - me.velocity[0]
        tau = me.response_time[0] or 0.1
        np.testing.assert_allclose(steer(me, steering)[0, 0], wanted * me.mass[0] / tau, rtol=1e-6, atol=1e-6)


def test_the_danger_of_a_meeting() -> None:
    def danger(offset: Any, way: Any, theirs: Any = (0.0, 0.0), margin: float = 0.5) -> float:
        found = laws.meeting_danger([0.0, 0.0], way, offset, theirs, 1.0, margin=margin, time_horizon=4.0)
        return float(found)

    assert danger([5.5, 0.0], [2.0, 0.0]) == pytest.approx(1 - 2.0 / 4.0)
    assert danger([5.5, 0.0], [1.0, 0.0], [-1.0, 0.0]) == pytest.approx(1 - 2.0 / 4.0)
    assert danger([5.5, 0.0], [0.5, 0.0]) == 0, "not within the horizon"
    assert danger([5.5, 0.0], [-2.0, 0.0]) == 0, "it goes away"
    assert danger([5.5, 1.25], [2.0, 0.0]) == pytest.approx(0.5 * (1 - (5.5 - np.sqrt(1.5**2 - 1.25**2)) / 2 / 4.0))
    assert danger([5.5, 1.25], [2.0, 0.0], margin=0.25) == 0, "that is the room"
    assert danger([0.8, 0.0], [1.0, 0.0]) == pytest.approx(1)
    assert danger([0.8, 0.0], [0.0, 1.0]) == pytest.approx(1)
    assert danger([0.8, 0.0], [-1.0, 0.0]) == 0, "straight out"
    assert 0.2 < danger([0.8, 0.0], [-1.0, 1.0]) < 0.4
    assert danger([1.25, 0.0], [0.0, 0.0]) == pytest.approx(0.5), "beside it, and both stand"


def test_smoothing_makes_the_way_soft_and_0_takes_the_best_at_once() -> None:
    _, rough, _ = plaza(lambda go: minding([go], smoothing=0.0), 0, 6.0)
    _, soft, _ = plaza(lambda go: minding([go]), 0, 6.0)
    assert soft < 0.6 * rough
    vehicles = sm.Vehicles([[0.0, 0.0]], heading=0.0, max_speed=2.0, max_force=999.0, dtype=np.float64)
    goal = {"place": [9.0, 0.0]}

    def go(them: sm.Vehicles) -> Any:
        way = np.array([goal["place"]]) - them.position
        return (2.0 * way / np.linalg.norm(way) - them.velocity) * 10

    controller = sm.Controller(vehicles, sm.ContextMap([go], smoothing=0.1, commitment=0.0))
    np.testing.assert_allclose(controller.steer(0.1), [[20.0, 0.0]], atol=1e-6)
    goal["place"] = [0.0, 9.0]
    halfway = np.array([1.0, 1.0]) / np.sqrt(2)
    np.testing.assert_allclose(controller.steer(0.1)[0], 20 * halfway * np.sqrt(0.5), atol=1e-6)


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(ValueError, match=r"of must be None where neighbors is False, got .*; set neighbors=True"):
        sm.ContextMap([sm.Seek([1.0, 2.0])], of=sm.Vehicles([[0.0, 0.0]]))
    with pytest.raises(ValueError, match="time_horizon must be"):
        minding([sm.Seek([1.0, 2.0])], time_horizon=0)
    with pytest.raises(ValueError, match="margin must be"):
        minding([sm.Seek([1.0, 2.0])], margin=-1)


def test_on_hills_they_pass_beside_each_other() -> None:
    """Two meet on a slope, one uphill, one downhill: only what lies in the ground counts."""
    slope = sm.Plane([0.0, 0.0, 0.0], np.array([-0.5, 0.0, 1.0]) / np.sqrt(1.25))
    ends = np.array([[-7.0, 0.0, -3.5], [7.0, 0.0, 3.5]])
    walkers = sm.Vehicles(ends, radius=0.3, max_speed=1.3, max_force=5.0, response_time=0.1, dtype=np.float64)
    world = sm.World(dt=1 / 30)
    world.add(walkers, steering=minding([sm.Seek(-3 * ends)]), locomotion=sm.SurfaceBound(slope))
    contacts = Contacts(walkers)
    world.on_step(contacts)
    world.run(seconds=12)
    assert not contacts.pairs
    assert (walkers.position[:, 0] * [1, -1] > 6).all()


@pytest.mark.parametrize("speed", [1e-18, 1e-21, 1e-22, 1e-23, 1e-30, 1e-44])
@pytest.mark.parametrize("apart", [0.62, 0.5, 1e-4, 3.0])
def test_a_speed_whose_square_is_lost_is_no_speed(apart, speed):
    places = np.array([[0.0, 0.0], [apart, 0.0]])
    vehicles = sm.Vehicles(places, [[0.0, 0.0], [-speed, 0.0]], radius=0.3, max_speed=2.0, max_force=10.0)
    ran(vehicles, sm.ContextMap([sm.Arrive(places)], neighbors=True), dt=1 / 60, steps=1)
    assert vehicles.speed.max() < 1e-15
