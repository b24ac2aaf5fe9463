"""Many vehicles with one common goal come to rest around it, and go on when it moves."""

import numpy as np
import pytest

import steersman as sm

TREES = {
    "Arrive": lambda goal: sm.Priority([sm.AvoidNeighbors(), sm.Arrive(goal)]),
    "blend": lambda goal: sm.Priority([sm.AvoidNeighbors(), sm.Arrive(goal)], blend=0.3),
    "sum": lambda goal: sm.AvoidNeighbors() + sm.Arrive(goal),
}


def crowd(goal, tree, n=20, d=2, dt=1 / 60, seed=1):
    rng = np.random.default_rng(seed)
    vehicles = sm.Vehicles(rng.uniform(-12, 12, (n, d)), radius=0.3, max_speed=2.0, max_force=10.0)
    world = sm.World(dt=dt, seed=seed)
    world.add(vehicles, steering=TREES[tree](goal))
    return world, vehicles


def fastest(vehicles):
    return np.linalg.norm(vehicles.velocity, axis=1).max()


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("tree", TREES)
def test_a_crowd_rests_around_its_goal(tree, d):
    world, vehicles = crowd(np.zeros(d), tree, d=d)
    world.run(seconds=60)
    assert fastest(vehicles) < 0.01
    assert np.linalg.norm(vehicles.position, axis=1).max() < 6
    apart = np.linalg.norm(vehicles.position[:, None] - vehicles.position[None], axis=2) + 9 * np.eye(20)
    assert apart.min() > 0.6 - 1e-3


def test_all_follow_a_goal_that_moves():
    goal = np.zeros(2)
    world, vehicles = crowd(lambda: goal, "Arrive")
    world.run(seconds=60)
    assert fastest(vehicles) < 0.01
    goal[0] = 30
    world.run(seconds=60)
    assert fastest(vehicles) < 0.01
    assert np.linalg.norm(vehicles.position - goal, axis=1).max() < 15  # Half of the way: nobody stayed behind.


def test_one_alone_arrives_as_without_others():
    ways = []
    for tree in (sm.Arrive([5.0, 3.0]), sm.Priority([sm.AvoidNeighbors(), sm.Arrive([5.0, 3.0])])):
        vehicles = sm.Vehicles([[0.0, 0.0]], radius=0.3, max_speed=2.0, max_force=10.0)
        world = sm.World(dt=1 / 60)
        world.add(vehicles, steering=tree)
        world.run(seconds=10)
        ways.append(vehicles.position.copy())
    np.testing.assert_array_equal(*ways)
