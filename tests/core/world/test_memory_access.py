"""Reading and changing what behaviors remember."""

import copy
import pickle

import numpy as np
import pytest

import steersman as sm


def herd():
    return sm.Vehicles(np.zeros((3, 2)), [1.0, 0.0], max_speed=2, max_force=5, dtype=float)


def test_memory_is_read_by_class_by_name_and_by_the_behavior_itself():
    world = sm.World(dt=0.1)
    wander = sm.Wander("turn")
    patrol = sm.Patrol([[0.2, 0.0], [9.0, 0.0]], name="guard")
    population = world.add(herd(), name="guards", steering=wander + patrol)
    world.step()
    assert world.memory("guards", "guard")["checkpoint"].tolist() == [1, 1, 1]
    assert population.memory(patrol)["checkpoint"].tolist() == [1, 1, 1]
    assert world.memory("guards", "Patrol").keys() == {"checkpoint"}
    by_class, itself = world.memory("guards", "Wander"), world.memory("guards", wander)
    assert by_class.keys() == itself.keys()
    assert all((by_class[name] == itself[name]).all() for name in by_class)


def test_what_is_read_is_a_read_only_copy():
    controller = sm.Controller(herd(), sm.Patrol([[9.0, 0.0], [0.0, 9.0]]))
    read = controller.memory("Patrol")["checkpoint"]
    with pytest.raises(ValueError, match="read-only"):
        read[:] = 1
    controller.remember("Patrol", checkpoint=1)
    assert read.tolist() == [0, 0, 0]


def test_memory_can_be_changed_between_steps():
    vehicles = herd()
    controller = sm.Controller(vehicles, sm.Patrol([[9.0, 0.0], [0.0, 9.0]]))
    controller.remember("Patrol", checkpoint=[1, 0, 1])
    force = controller.steer(0.1)
    assert (force[:, 1] > 0).tolist() == [True, False, True]
    assert controller.memory("Patrol")["checkpoint"].tolist() == [1, 0, 1]
    controller.remember("Patrol", checkpoint=0)
    assert controller.memory("Patrol")["checkpoint"].tolist() == [0, 0, 0]


def test_a_column_that_is_not_there_is_refused_with_those_that_are():
    controller = sm.Controller(herd(), sm.Patrol([[9.0, 0.0], [0.0, 9.0]]))
    with pytest.raises(KeyError, match="there is no column 'corner' in this memory; there are: checkpoint"):
        controller.remember("Patrol", checkpoint=1, corner=1)
    assert controller.memory("Patrol")["checkpoint"].tolist() == [0, 0, 0]


def test_memory_of_some_is_changed_by_id_or_by_a_mask():
    vehicles = herd()
    controller = sm.Controller(vehicles, sm.Patrol([[9.0, 0.0], [0.0, 9.0]]))
    vehicles.remove(0)
    controller.remember("Patrol", 2, checkpoint=1)
    assert controller.memory("Patrol")["checkpoint"].tolist() == [0, 1]
    controller.remember("Patrol", [2, 1], checkpoint=[0, 1])
    assert controller.memory("Patrol")["checkpoint"].tolist() == [1, 0]
    controller.remember("Patrol", [True, False], checkpoint=0)
    assert controller.memory("Patrol")["checkpoint"].tolist() == [0, 0]
    with pytest.raises(KeyError, match="no vehicle has id 0"):
        controller.remember("Patrol", 0, checkpoint=1)


def test_memory_follows_those_who_come_and_go():
    vehicles = herd()
    world = sm.World()
    population = world.add(vehicles, steering=sm.Patrol([[9.0, 0.0], [0.0, 9.0]]))
    population.remember("Patrol", checkpoint=[0, 1, 1])
    vehicles.remove([True, False, False])
    vehicles.spawn([[5.0, 5.0]])
    assert world.memory("vehicles", "Patrol")["checkpoint"].tolist() == [1, 1, 0]


def test_what_is_not_there_is_named():
    world = sm.World()
    population = world.add(herd(), name="boids", steering=sm.Wander() + sm.Wander() + sm.Seek([0.0, 0.0]))
    for wrong, message in (
        (lambda: world.memory("fish", "Wander"), "no population is called 'fish'; there are: boids"),
        (
            lambda: world.memory("boids", "Patrol"),
            r"there is no node Patrol in the steering tree \(there are: WeightedSum",
        ),
        (lambda: world.memory("boids", "Wander"), "there are 2 nodes Wander in the steering tree.*; give them a name="),
        (lambda: world.memory("boids", "Seek"), "Seek remembers nothing"),
        (
            lambda: population.remember(population.steering.parts()[0], angle=0),
            "there is no column 'angle' in this memory",
        ),
    ):
        with pytest.raises(KeyError, match=message):
            wrong()
    population.steering = None
    with pytest.raises(KeyError, match="there are: none"):
        world.memory("boids", "Wander")


def turning_world():
    world = sm.World(seed=2, dt=0.1)
    vehicles = sm.Vehicles(np.arange(12.0).reshape(6, 2))
    population = world.add(vehicles, name="herd", steering=sm.Modes({"a": sm.Seek([1, 1]), "b": sm.Seek([2, 2])}, start="a",
                           transitions=[("a", "b", lambda vehicles: vehicles.id < 0)]))  # fmt: skip
    world.step()
    return world, population


@pytest.mark.parametrize("value", [np.nan, None, "x", 1j, [[1, 2], [3]], [1.0, 2.0], [10**400], [np.nan] * 6, object()])
def test_what_is_refused_is_not_remembered(value):
    (world, population), (twin, other) = turning_world(), turning_world()
    with pytest.raises((TypeError, ValueError), match="entered must"):
        population.remember("Modes", asked=1, entered=value)
    with pytest.raises((TypeError, ValueError), match="asked must"):
        population.remember("Modes", entered=5.0, asked=value)
    for each in (world, twin):
        each.step()
    for name, column in population.memory("Modes").items():
        np.testing.assert_array_equal(column, other.memory("Modes")[name])


def test_a_column_of_short_floats_takes_any_number_that_is_finite_in_it():
    controller = sm.Controller(sm.Vehicles(np.zeros((2, 2))), sm.Wander())
    controller.remember("Wander", point=(0.1, 1 / 3))
    np.testing.assert_array_equal(controller.memory("Wander")["point"], np.float32([[0.1, 1 / 3]] * 2))
    with pytest.raises(ValueError, match="point must fit into a column of float32"):
        controller.remember("Wander", point=(0.1, 1e39))


def test_a_whole_column_takes_whole_numbers():
    _, population = turning_world()
    with pytest.raises(ValueError, match=r"asked must fit into a column of int64, and not be NaN, got 1.5"):
        population.remember("Modes", asked=1.5)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_world_is_not_copied_in_the_middle_of_a_step(copied):
    world = sm.World()

    def copying(vehicles):
        copied(world)

    world.add(sm.Vehicles([[0, 0]]), steering=copying)
    with pytest.raises(RuntimeError, match="in the middle of a step; copy it between steps"):
        world.step()
    copied(world) if copied is not pickle.dumps else None
