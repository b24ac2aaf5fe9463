"""Memory stays with its vehicle and its node: through spawning, removing, and replaced trees."""

import copy
from dataclasses import dataclass

import numpy as np
import pytest

import steersman as sm
from steersman.core.world.state_hash import state_hash


@dataclass(frozen=True, eq=False)
class Count(sm.Behavior):
    """Remembers how often it steered each vehicle, and whom it steers."""

    step: float = sm.parameter(1.0)

    def init(self, vehicles):
        return {"count": np.zeros(len(vehicles)), "who": vehicles.id.copy()}

    def steer(self, scene, memory, out):
        assert (memory["who"] == scene.vehicles.id).all()
        memory["count"][:] += self.step


def world_of(steering, n=5):
    vehicles = sm.Vehicles(np.arange(2.0 * n).reshape(n, 2), max_speed=2)
    world = sm.World(seed=1, dt=0.05)
    return world, vehicles, world.add(vehicles, steering=steering)


def counts(population):
    (memory,) = (m for m in population.memories.values() if "count" in m.schema())
    return memory.snapshot()["count"].tolist()


def test_memory_follows_the_vehicle():
    world, vehicles, population = world_of(Count())
    world.run(steps=3)
    vehicles.remove([0, 3])
    world.run(steps=2)
    assert counts(population) == [5, 5, 5]
    vehicles.spawn([[0, 0], [1, 1]])
    world.run(steps=1)
    assert counts(population) == [6, 6, 6, 1, 1]
    vehicles.remove([1])
    vehicles.spawn([2, 2])  # as many as before, others
    world.run(steps=1)
    assert counts(population) == [7, 7, 2, 2, 1]


def test_memory_of_a_whole_new_population_starts_anew():
    world, vehicles, population = world_of(Count())
    world.run(steps=3)
    vehicles.remove(np.ones(5, bool))
    vehicles.spawn(np.zeros((5, 2)))
    world.run(steps=1)
    assert counts(population) == [1] * 5


@pytest.mark.parametrize("who", [[2], [4], [0, 1, 2, 3, 4], [4, 0]])
@pytest.mark.parametrize("what", ["room", "no room", "another tree", "a copy"])
def test_an_id_that_comes_again_remembers_nothing(who, what):
    """Whoever bears it now: with the same ids in the same order or not, in the same arrays or not."""
    world, vehicles, population = world_of(Count(name="count"))
    if what != "no room":
        vehicles.remove(vehicles.spawn(np.zeros((20, 2))))
    world.run(steps=3)
    vehicles.remove(who)
    vehicles.spawn(np.zeros((len(who), 2)), id=who)
    if what == "no room":
        vehicles.remove(vehicles.spawn(np.zeros((20, 2))))
    ids, columns = population.recalled(population.node("count").key)
    recalled = dict(zip(ids.tolist(), columns["count"].tolist(), strict=True))
    assert {k: count for k, count in recalled.items() if k >= 0} == {k: 3.0 for k in range(5) if k not in who}
    if what == "another tree":
        population.steering = Count(step=2.0, name="count")
    if what == "a copy":
        world = copy.deepcopy(world)
        population = world.populations["vehicles"]
        vehicles = population.vehicles
    world.run(steps=1)
    step = 2 if what == "another tree" else 1
    assert counts(population) == [step if each in who else 3 + step for each in vehicles.id]


@pytest.mark.parametrize("first", ["vehicles", "tree"])
def test_tree_and_vehicles_may_change_between_the_same_two_steps(first):
    world, vehicles, population = world_of(Count(name="count"))
    world.run(steps=3)
    for what in ("vehicles", "tree") if first == "vehicles" else ("tree", "vehicles"):
        if what == "vehicles":
            vehicles.remove([0, 1])
            vehicles.spawn([9, 9])
        else:
            population.steering = sm.Seek([0, 0]) + Count(step=10.0, name="count")
    world.run(steps=1)
    assert counts(population) == [13, 13, 13, 10]


def test_steering_is_replaced_while_running():
    world, vehicles, population = world_of(sm.Wander())
    world.run(steps=5)
    (old,) = population.memories.values()
    angles = old.snapshot()["point"]
    population.steering = 0.5 * sm.Seek([0, 0]) + sm.Wander(rate=0.1)
    (new,) = population.memories.values()
    np.testing.assert_array_equal(new.snapshot()["point"], angles)
    world.run(steps=5)
    population.steering = None
    assert population.steering is None
    assert population.memories == {}
    velocity = vehicles.velocity.copy()
    world.run(steps=2)
    np.testing.assert_array_equal(vehicles.velocity, velocity)


@dataclass(frozen=True, eq=False)
class Tally(sm.Behavior):
    """Counts in a column that is called as one of orders is."""

    def init(self, vehicles):
        return {"pace": np.full(len(vehicles), 2.0, np.float32)}

    def steer(self, scene, memory, out):
        memory["pace"][:] += 1


def test_who_takes_over_the_memory_of_orders_goes_on_from_it():
    """Orders stay as they are in a step; what a behavior counts does not."""
    world, _, population = world_of(sm.Orders(sm.Arrive([9, 9], speed="column:pace"), {"pace": 5.0}, name="count"))
    world.run(steps=2)
    population.steering = Tally(name="count")
    world.run(steps=3)
    assert population.memory("count")["pace"].tolist() == [8.0] * 5
    population.steering = sm.Orders(sm.Arrive([9, 9], speed="column:pace"), {"pace": 5.0}, name="count")
    world.run(steps=2)
    assert population.memory("count")["pace"].tolist() == [8.0] * 5


def test_a_tree_that_is_refused_changes_nothing():
    world, _, population = world_of(Count())
    world.run(steps=2)
    twice = sm.Seek([0, 0], name="a") + sm.Wander(name="a")
    for wrong, error in ((twice, ValueError), ("seek", TypeError)):
        with pytest.raises(error):
            population.steering = wrong
    assert isinstance(population.steering, Count)
    world.run(steps=1)
    assert counts(population) == [3] * 5


class Broken(sm.PointMass):
    """A body whose memory cannot be made."""

    def init(self, vehicles):
        raise ValueError("no memory for these vehicles")


@pytest.mark.parametrize("body", [sm.Wander(), Broken()], ids=["no body", "no memory"])
def test_a_body_that_is_refused_changes_nothing(body):
    """A random walk found that the memory of the present body was lost, so a snapshot could not be restored."""
    world, _, population = world_of(sm.Wander())
    population.locomotion = present = sm.MotionClips([sm.Clip("walk", speed=1.0), sm.Clip("stop", speed=0.0)])
    world.run(steps=3)
    before = state_hash(world)
    with pytest.raises((TypeError, ValueError)):
        population.locomotion = body
    assert population.locomotion is present
    assert state_hash(world) == before


def test_a_body_of_another_class_takes_over_no_memory():
    """Also where the columns have the same names and shapes."""

    class Counting(sm.PointMass):
        def init(self, vehicles):
            return {"number": np.zeros(len(vehicles))}

    class Numbering(sm.PointMass):
        def init(self, vehicles):
            return {"number": np.ones(len(vehicles))}

    _, _, population = world_of(None)
    population.locomotion = Counting()
    population.locomotion = Numbering()
    (memory,) = population.memories.values()
    assert memory.snapshot()["number"].tolist() == [1] * 5


def test_another_body_leaves_the_memory_of_the_tree_alone():
    world, _, population = world_of(Count())
    world.run(steps=3)
    population.locomotion = sm.FreeBody()
    world.run(steps=2)
    assert counts(population) == [5] * 5


def test_memory_of_a_wrong_shape_is_refused():
    @dataclass(frozen=True, eq=False)
    class Short(sm.Behavior):
        def init(self, vehicles):
            return {"few": np.zeros(2)}

    with pytest.raises(
        ValueError, match=r"memory column 'few' of Short must have one row per vehicle \(5\), got shape"
    ):
        world_of(Short())


def test_changing_a_column_needs_no_new_plan():
    """Columns are read as they are at every step."""
    world, vehicles, _ = world_of(sm.Seek([100, 0]))
    world.step()
    vehicles.max_speed = 0
    world.step()
    assert not vehicles.velocity.any()
    vehicles.position[:] = [[100, 0]]
    vehicles.max_speed[0] = 3
    world.step()
    assert vehicles.position.tolist() == [[100, 0]] * 5
