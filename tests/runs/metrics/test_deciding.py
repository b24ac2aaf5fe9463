"""Who is in which mode, as a metric."""

import numpy as np

import steersman as sm
from steersman.runs.metrics.deciding import count_metric, in_mode, mode_metric, share_in_mode


def still(vehicles):
    return vehicles.velocity * 0


def test_shares_of_modes():
    vehicles = sm.Vehicles(np.zeros((4, 2)), max_speed=1, max_force=1)
    third = sm.Where(lambda v: v.id == 3)
    world = sm.World()
    population = world.add(
        vehicles, steering=sm.Modes({"a": still, "b": still}, start="a", transitions=[("a", "b", third)])
    )
    assert share_in_mode(population, "b") == 0
    world.step()
    assert in_mode(population, "b").tolist() == [False, False, False, True]
    assert share_in_mode(population, "b") == mode_metric(population, "b", "who is b").measure(None) == 0.25
    population.steering = None
    assert share_in_mode(population, "b") == 0
    population.steering = sm.Seek([0.0, 0.0])
    assert not in_mode(population, "a").any()
    vehicles.remove(np.ones(4, bool))
    assert np.isnan(share_in_mode(population, "b"))


def test_counts():
    goals = [2]
    assert count_metric("goals", lambda: goals[0]).measure(None) == 2.0
