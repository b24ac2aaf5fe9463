"""Who is stuck, and two ways out of a dead end."""

import numpy as np
import pytest

import steersman as sm
from steersman.runs.metrics.proximity import penetration
from steersman.runs.metrics.stuck import Places

TRAP = sm.Walls([[-5, -10], [10, -10], [10, 10], [-5, 10]])
"""A dead end, open to where the vehicles come from, right before the goal."""

GOAL = [30.0, 0.0]


def rovers(steering, y=(0.0, 3.0, -7.0), seed=3):
    """A world with rovers that head for the goal behind the trap, watched; `steering` is told the watch."""
    vehicles = sm.Vehicles([[-20, each] for each in y], [5, 0], max_speed=6, max_force=30, radius=0.5)
    world = sm.World(seed=seed, dt=1 / 60)
    watch = sm.StuckWatch("rovers", radius=13, seconds=5, goal=GOAL, arrived=2)
    world.add(vehicles, name="rovers", steering=steering(watch))
    world.on_step(watch)
    return world, vehicles, watch


def direct(watch):
    return sm.Priority([sm.AvoidObstacles(TRAP, lookahead=1.5), sm.Arrive(GOAL)])


def test_stuck_in_a_concave_corner_is_seen_and_reported():
    world, vehicles, watch = rovers(direct)
    world.run(seconds=6)
    assert watch.ids.size == 0  # They are on their way.
    world.run(seconds=8)
    np.testing.assert_array_equal(watch.ids, vehicles.id)
    assert watch.holds(vehicles).all()


def test_wandering_for_a_while_is_a_way_out():
    def steering(watch):
        avoid = sm.AvoidObstacles(TRAP, lookahead=1.5)
        modes = {"go": direct(watch), "roam": sm.Priority([avoid, sm.Wander("turn")])}
        transitions = [("go", "roam", sm.Where(watch.holds)), ("roam", "go", sm.After(6.0))]
        return sm.Modes(modes, start="go", transitions=transitions)

    world, vehicles, watch = rovers(steering, seed=4)
    deepest = 0.0
    while world.time < 300 and np.linalg.norm(vehicles.position - GOAL, axis=1).max() >= 1:
        world.run(seconds=0.5)  # Half of thirty seeds take 60 s; six, by chance, more than 200.
        deepest = max(deepest, penetration(vehicles, [TRAP]))
    assert np.linalg.norm(vehicles.position - GOAL, axis=1).max() < 1
    assert deepest < 0.1
    assert watch.ids.size == 0


def test_a_pipeline_that_keeps_clear_is_never_stuck():
    world, vehicles, watch = rovers(lambda _: sm.Pipeline([sm.Toward(GOAL)], constraints=[sm.KeepClear(TRAP)]))
    for _ in range(60):
        world.run(seconds=0.5)
        assert watch.ids.size == 0
    assert np.linalg.norm(vehicles.position - GOAL, axis=1).max() < 1


def test_who_has_arrived_or_comes_away_is_not_stuck():
    vehicles = sm.Vehicles([[30, 0], [0, 0], [0, 50]], [[0, 0], [0, 0], [2, 0]], max_speed=2)
    world = sm.World(dt=0.1)
    world.add(vehicles, name="rovers")
    watch = sm.StuckWatch("rovers", radius=3, seconds=4, goal=GOAL)
    world.on_step(watch)
    world.run(seconds=3)
    assert watch.ids.size == 0
    world.run(seconds=3)
    np.testing.assert_array_equal(watch.ids, vehicles.id[1:2])
    vehicles.position[1] = [20, 20]
    world.run(seconds=1)
    assert watch.ids.size == 0


def test_those_who_have_arrived_do_not_end_a_deadlock():
    """One is at the goal, one stands for ever: from 2 s on it is a deadlock, until nobody wants to move any more."""
    position = np.repeat([[GOAL, [0.0, 0.0]]], 6, axis=0)
    about = {"radius": 1.0, "seconds": 2.0, "goal": GOAL}
    assert sm.metrics.is_deadlocked(position, 1.0, **about).tolist() == [False, False, True, True, True, True]
    position[4:, 1] = GOAL
    assert sm.metrics.is_deadlocked(position, 1.0, **about).tolist() == [False, False, True, True, False, False]


def test_going_round_a_torus_is_no_way_back():
    vehicles = sm.Vehicles([[0.5, 5]], [[4, 0]], max_speed=4)
    world = sm.World(domain=sm.Torus([10, 10]), dt=0.1)
    world.add(vehicles, name="rovers")
    watch = sm.StuckWatch("rovers", radius=2, seconds=1)
    world.on_step(watch)
    world.run(seconds=10)
    assert watch.ids.size == 0


@pytest.mark.parametrize(("dt", "seconds"), [(0.1, 0.3), (0.05, 0.75), (1 / 60, 0.5)])
def test_rounding_of_times_makes_nobody_stuck_a_frame_late(dt, seconds):
    """1.0 - 0.7000000000000001 is less than 0.3."""
    count = round(seconds / dt)
    for moving in range(60):
        x = np.zeros((moving + count + 2, 1, 2))
        x[:, 0, 0] = 5.0 * np.minimum(np.arange(len(x)), moving)
        found = sm.metrics.is_stuck(x, dt, radius=1, seconds=seconds)[:, 0]
        assert np.flatnonzero(found).tolist() == [moving + count, moving + count + 1]
        longer = sm.metrics.is_stuck(x, dt, radius=1, seconds=seconds + dt / 2)[:, 0]
        assert np.flatnonzero(longer).tolist() == [moving + count + 1]


def test_rounding_of_late_times_makes_nobody_stuck_a_frame_late():
    """After a day, 0.1 s are short by more than a part in 10^12 of themselves."""
    k = np.arange(50) + 10**6
    known = Places(0.1 * k, np.zeros((50, 2)))
    assert known.held(0.1 * (k + 3), 0.3).all()
    assert not known.held(0.1 * (k + 3), 0.35).any()


@pytest.mark.parametrize("moving", range(12))
def test_a_watch_says_the_same(moving):
    vehicles = sm.Vehicles([[0.0, 0.0]], max_speed=99)
    world, found = sm.World(dt=0.1), []
    world.add(vehicles, name="rovers")
    watch = sm.StuckWatch("rovers", radius=1, seconds=0.3)
    watch(world)
    for step in range(moving + 5):
        if step < moving:
            vehicles.position[0, 0] += 5
        world.step()
        watch(world)
        found.append(len(watch.ids) > 0)
    assert found.index(True) + 1 == moving + 3


@pytest.mark.parametrize("arrived", [None, 0.0, 3.0])
def test_a_watch_of_many_with_a_goal_says_the_same_as_the_metric(arrived):
    rng = np.random.default_rng(4)
    ways = np.mod(np.cumsum(rng.normal(0, 0.35, (40, 30, 2)), axis=0) + rng.uniform(0, [9, 7], (30, 2)), [9, 7])
    torus = sm.Torus([9, 7])
    world, found = sm.World(domain=torus, dt=0.1), []
    vehicles = world.add(sm.Vehicles(ways[0], max_speed=99, dtype=np.float64), name="rovers").vehicles
    about = {"radius": 1.2, "seconds": 0.5, "goal": [8.0, 6.5], "arrived": arrived}
    watch = sm.StuckWatch("rovers", **about)
    for each in ways:
        vehicles.position[:] = each
        if len(found) == 17:  # Another one goes on with what this one knows.
            saved, watch = watch.saved(), sm.StuckWatch("rovers", **about)
            watch.resume(saved)
        watch(world)
        found.append(np.isin(vehicles.id, watch.ids))
        vehicles.velocity[:] = 0
        world.step()
    np.testing.assert_array_equal(found, sm.metrics.is_stuck(ways, 0.1, torus, **about))
    assert 0.05 < np.mean(found) < 0.9


def test_who_trembles_at_the_seam_of_a_torus_is_stuck():
    """To both sides of it, on one axis; in open space it would go from end to end."""
    x = 10 + 0.1 * (-1) ** np.arange(50)
    position = np.stack([x % 10, np.full(50, 5.0)], axis=1)[:, None]
    about = {"radius": 1.0, "seconds": 2.0}
    assert sm.metrics.is_stuck(position, 0.1, sm.Torus([10, 10]), **about)[-1].all()
    assert not sm.metrics.is_stuck(position, 0.1, **about).any()


def test_a_watch_goes_by_ids_in_any_order():
    vehicles = sm.Vehicles([[0.0, 0.0], [0.0, 9.0], [0.0, 18.0]], max_speed=99, id=[9, 3, 5])
    world = sm.World(dt=0.1)
    world.add(vehicles, name="rovers")
    watch = sm.StuckWatch("rovers", radius=1, seconds=0.3)
    world.on_step(watch)
    for _ in range(6):
        vehicles.position[0, 0] += 5
        world.step()
    assert watch.ids.tolist() == [3, 5]
    vehicles.remove(3)
    world.step()
    assert watch.ids.tolist() == [5]


@pytest.mark.parametrize("d", [2, 3])
def test_others_of_the_same_name_begin_anew(d):
    """As the ids of a population begin at 0, vehicle 0 of the new one had the place of vehicle 0 of the old one."""
    world = sm.World(dt=0.1)
    world.add(sm.Vehicles([[0.0, 0.0]]), name="rovers")
    watch = sm.StuckWatch("rovers", radius=1, seconds=0.35)
    world.on_step(watch)
    world.run(steps=5)
    assert watch.ids.tolist() == [0]
    old = world.remove("rovers")
    new = sm.Vehicles(np.zeros((1, d)))
    others = world.add(new, name="rovers")
    assert (watch.holds(old).tolist(), watch.holds(new).tolist(), watch.holds(others).tolist()) == (
        [True],
        [False],
        [False],
    )
    world.run(steps=3)
    assert watch.ids.tolist() == []
    world.run(steps=2)
    assert watch.ids.tolist() == [0]
    assert watch.holds(others).tolist() == [True]


def test_errors():
    with pytest.raises(ValueError, match="radius must be > 0 m, got 0"):
        sm.StuckWatch("rovers", radius=0, seconds=1)
    with pytest.raises(ValueError, match="seconds must be > 0 s, got -1"):
        sm.StuckWatch("rovers", radius=1, seconds=-1)
