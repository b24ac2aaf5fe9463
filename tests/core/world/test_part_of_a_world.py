"""What another process needs to step a part of a world: a bare copy, and populations that hold other vehicles."""

import numpy as np
import pytest

import steersman as sm
from steersman.core.maths.random import key_of
from steersman.core.vehicles.share import Share, whole_capacity_of, whole_of
from steersman.core.world.flows.flow import Moment


def wanderers(n: int = 5, seed: int = 1) -> sm.World:
    rng = np.random.default_rng(seed)
    world = sm.World(seed=3, threads=1)
    world.add(sm.Vehicles(rng.uniform(0, 9, (n, 2)), max_speed=3), name="boids", steering=sm.Wander())
    return world


def test_a_population_holds_other_vehicles_with_their_memory_in_the_same_arrays() -> None:
    world, other = wanderers(5), wanderers(3, seed=2)
    world.run(steps=4)
    other.run(steps=4)
    mine, its = world.populations["boids"], other.populations["boids"]
    storage, vehicles = mine.vehicles.storage, its.vehicles
    memories = {key: [now[:, :3] for now, _ in memory.blocks] for key, memory in its.memories.items()}
    mine.hold(vehicles.block, vehicles.id, vehicles.births, 7, 9, memories)
    assert mine.vehicles.storage is storage
    assert (mine.vehicles.born, mine.vehicles.next_id) == (7, 9)
    assert sm.state_hash(world) == sm.state_hash(other)
    world.run(steps=4)
    other.run(steps=4)
    assert sm.state_hash(world) == sm.state_hash(other)


@pytest.mark.parametrize("capacity", [None, 20])
def test_with_too_little_room_it_holds_them_in_other_arrays(capacity: int | None) -> None:
    world, other = wanderers(2), wanderers(6, seed=2)
    other.run(steps=4)
    world.run(steps=4)
    mine, its = world.populations["boids"], other.populations["boids"]
    memories = {key: [now[:, :6] for now, _ in memory.blocks] for key, memory in its.memories.items()}
    mine.hold(its.vehicles.block, its.vehicles.id, its.vehicles.births, 6, 6, memories, capacity)
    assert mine.vehicles.capacity >= (capacity or 6)
    world.run(steps=4)
    other.run(steps=4)
    assert sm.state_hash(world) == sm.state_hash(other)


def test_vehicles_are_appended_as_they_are() -> None:
    world, other = wanderers(2), wanderers(3, seed=2)
    vehicles, more = world["boids"], other["boids"]
    more.forward = [0.6, 0.8]
    vehicles.append(more.block, np.array([10, 12, 11]))
    np.testing.assert_array_equal(vehicles.block[:, 2:], more.block)
    assert vehicles.id.tolist() == [0, 1, 10, 12, 11]
    assert vehicles.next_id == 13
    assert vehicles.born == 5


def test_a_bare_copy_has_no_observers_and_no_flows_and_leaves_those_of_the_world() -> None:
    world = wanderers()
    world.populations["boids"].flows = [sm.Spawner(50.0, [[1.0, 1.0]], clearance=None)]
    seen: list[int] = []
    world.on_step(lambda each: seen.append(each.steps))
    bare = world.bare()
    bare.run(steps=3)
    assert seen == []
    assert len(bare["boids"]) == 5
    world.run(steps=3)
    assert seen == [1, 2, 3]
    assert len(world["boids"]) > 5


def test_a_share_tells_the_numbers_of_the_whole_population() -> None:
    vehicles = wanderers()["boids"]
    assert (whole_of(vehicles), whole_capacity_of(vehicles)) == (5, vehicles.capacity)
    vehicles.share = Share(70, 90)
    assert (whole_of(vehicles), whole_capacity_of(vehicles)) == (70, 90)


@pytest.mark.parametrize("arrivals", ["regular", "poisson"])
def test_a_spawner_tells_before_whether_any_vehicle_comes(arrivals: str) -> None:
    flow = sm.Spawner(3.0, [[1.0, 1.0]], arrivals=arrivals, clearance=None, limit=12)
    vehicles, state, waited = sm.Vehicles([[0.0, 0.0]]), flow.begin(), []
    for step in range(200):
        moment = Moment(vehicles, [vehicles], sm.Open(), key_of(1, "flow", "a", "b"), step * 0.05, step, 0.05)
        before = {name: values.copy() for name, values in state.items()}
        waits = flow.waits(state, moment)
        assert all((state[name] == values).all() for name, values in before.items())
        assert (flow.run(state, moment) == 0) == waits
        waited.append(waits)
    assert 5 < waited.count(False) <= 11
