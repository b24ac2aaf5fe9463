"""Modes while a world runs: trees are replaced, vehicles come and go, others give orders."""

import pickle

import numpy as np
import pytest
from core.action_selection.machines import flag, herd, push, two

import steersman as sm


def test_a_mode_is_kept_when_the_tree_around_it_is_replaced():
    """Modes in another order, new ones, other parameters: who was in "b" still is."""
    world, mask = sm.World(dt=0.1), np.array([True, False, False, True])
    population = world.add(herd(), steering=two(flag(mask)))
    world.run(steps=3)
    entered = world.memory("vehicles", "Modes")["entered"]
    mask[:] = False
    replaced = sm.Modes({"c": push(3.0), "b": push(5.0), "a": push(4.0)}, start="c", transitions=[])
    population.steering = sm.Priority([sm.Flee([50.0, 50.0], panic_distance=1.0), replaced])
    assert sm.modes_of(population).tolist() == ["b", "a", "a", "b"]
    assert (world.memory("vehicles", "Modes")["entered"] == entered).all()
    world.step()
    assert sm.modes_of(population).tolist() == ["b", "a", "a", "b"]
    population.steering = sm.Modes({"c": push(3.0), "b": push(5.0)}, start="c", transitions=[])
    assert sm.modes_of(population).tolist() == ["b", "c", "c", "b"], "a mode that is gone is the start"
    world.step()
    after = world.memory("vehicles", "Modes")["entered"]
    assert after[[0, 3]].tolist() == entered[[0, 3]].tolist()
    assert after[[1, 2]].tolist() == pytest.approx([0.4, 0.4])


def test_the_memory_of_conditions_is_kept_when_a_parameter_changes():
    wolf = sm.Vehicles([[6.0, 0.0]], max_speed=1, max_force=1, dtype=float)

    def modes(leave, strength):
        near = sm.Near(wolf, 5, leave=leave)
        return sm.Modes({"a": push(strength), "b": push(9.0)}, start="a",
                        transitions=[("a", "b", near), ("b", "a", ~near)])  # fmt: skip

    vehicles = sm.Vehicles([[2.0, 0.0]], max_speed=1, max_force=10, dtype=float)
    controller = sm.Controller(vehicles, modes(8, 1.0))
    assert controller.steer(0.1)[0, 0] == 9
    vehicles.position = [[-1.0, 0.0]]
    controller.steering = modes(8, 2.0)
    assert controller.steer(0.1)[0, 0] == 9, "the wolf is within the leaving distance of what was near before"
    controller.steering = modes(6.5, 2.0)
    assert controller.steer(0.1)[0, 0] == 2


def test_modes_survive_spawning_and_removing():
    mask = np.array([True, False, True, False])
    vehicles = herd()
    controller = sm.Controller(vehicles, two(sm.Where(lambda v: np.isin(v.id, [0, 2]))))
    controller.steer(0.1)
    assert sm.modes_of(controller).tolist() == np.where(mask, "b", "a").tolist()
    vehicles.remove([True, False, False, False])
    vehicles.spawn([[7.0, 7.0]])
    assert sm.modes_of(controller).tolist() == ["a", "b", "a", "a"]
    assert controller.steer(0.1)[:, 0].tolist() == [1, 2, 1, 1]


def test_modes_nest():
    """Inside a sum, under a Priority, and in each other; a sum sees one mode's force, weighted."""
    inner = sm.Modes({"x": push(10.0), "y": push(20.0)}, start="x", transitions=[("x", "y", sm.After(0.15))])
    outer = sm.Modes({"a": push(1.0), "b": inner}, start="a", transitions=[("a", "b", sm.After(0.1))])
    controller = sm.Controller(herd(1), sm.WeightedSum([outer, push(0.5)], weights=[2.0, 1.0]))
    said = [controller.steer(0.1)[0, 0] for _ in range(5)]
    np.testing.assert_allclose(said, [2.5, 20.5, 20.5, 40.5, 40.5])


def test_the_worlds_clock_goes_on_while_something_more_urgent_steers():
    busy = np.array([False])
    urgent = lambda vehicles: np.where(busy, 7.0, 0.0) * np.ones((len(vehicles), 1)) * [1.0, 0.0]  # noqa: E731
    controller = sm.Controller(herd(1), sm.Priority([urgent, two(sm.After(0.35))]))
    said = []
    for step in range(6):
        busy[0] = step in (1, 2, 3)
        said.append(controller.steer(0.1)[0, 0])
    assert said == [1, 7, 7, 7, 2, 2]


def test_a_world_with_modes_can_be_pickled_and_goes_on_the_same():
    wolves = sm.Vehicles([[5.0, 5.0]], [[1.0, 0.0]], max_speed=3, max_force=5)
    near = sm.Near(wolves, 4, leave=6)
    sheep = sm.Vehicles(np.random.default_rng(0).uniform(0, 12, (30, 2)), max_speed=2, max_force=5)
    world = sm.World(seed=4, dt=0.05, domain=sm.Torus([12, 12]), threads=1)
    world.add(sheep, name="sheep", steering=sm.Modes(
        {"graze": sm.Wander(), "flee": sm.Evade(wolves)}, start="graze", cooldown=0.2,
        transitions=[("graze", "flee", near | sm.Chance(0.1)), ("flee", "graze", sm.After(1) & ~near)]))  # fmt: skip
    world.add(wolves, name="wolves", steering=sm.Pursue(sheep))
    world.run(seconds=3)
    twin = pickle.loads(pickle.dumps(world))
    for each in (world, twin):
        each.run(seconds=3)
    np.testing.assert_array_equal(world["sheep"].block, twin["sheep"].block)
    assert (sm.modes_of(world.populations["sheep"]) == sm.modes_of(twin.populations["sheep"])).all()
    assert set(sm.modes_of(world.populations["sheep"])) == {"graze", "flee"}


def crowd(threads):
    """Sheep after some steps, and which part of them flees."""
    rng = np.random.default_rng(0)
    wolves = sm.Vehicles(rng.uniform(0, 300, (40, 2)), max_speed=3, max_force=5)
    sheep = sm.Vehicles(rng.uniform(0, 300, (9000, 2)), max_speed=2, max_force=5)
    near = sm.Near(wolves, 10, leave=12)
    world = sm.World(seed=4, dt=0.05, domain=sm.Torus([300, 300]), threads=threads)
    population = world.add(sheep, name="sheep", steering=sm.Modes(
        {"graze": sm.Wander(), "flee": sm.Flee(wolves)}, start="graze",
        transitions=[("graze", "flee", near | sm.Chance(0.1)), ("flee", "graze", ~near)]))  # fmt: skip
    world.add(wolves, name="wolves", steering=sm.Wander())
    world.run(steps=10)
    return sheep.block.copy(), (sm.modes_of(population) == "flee").mean()


def test_threads_change_nothing():
    (block, share), (again, _) = crowd(1), crowd(2)
    assert 0.05 < share < 0.5
    np.testing.assert_array_equal(block, again)


# ------------------------------------------------------------------------------------------------ from outside


def test_modes_can_be_set_from_outside():
    world = sm.World(dt=0.1)
    population = world.add(herd(), name="sheep", steering=two(sm.After(0.25)))
    world.run(steps=2)
    sm.set_modes(population, "b", [1, 3])
    assert sm.modes_of(population).tolist() == ["a", "b", "a", "b"]
    world.step()
    assert world.memory("sheep", "Modes")["entered"].tolist() == pytest.approx([0, 0.2, 0, 0.2])
    sm.set_modes(population, "a")
    world.run(steps=2)
    assert sm.modes_of(population).tolist() == ["a"] * 4, "time in a mode that is set begins anew"
    with pytest.raises(ValueError, match="mode must be one of a, b, got 'c'"):
        sm.set_modes(population, "c")


def test_modes_are_set_by_id_or_by_a_mask():
    """After a death the ids are still those of the ones who are meant."""
    world = sm.World(dt=0.1)
    population = world.add(herd(), steering=two(sm.After(9)))
    population.vehicles.remove(0)
    sm.set_modes(population, "b", 1)
    assert sm.modes_of(population).tolist() == ["b", "a", "a"]
    sm.set_modes(population, "b", population.vehicles.id == 3)
    assert sm.modes_of(population).tolist() == ["b", "a", "b"]
    with pytest.raises(KeyError, match="no vehicle has id 0"):
        sm.set_modes(population, "b", [0, 1])


def test_which_modes_is_meant():
    inner = sm.Modes({"x": push(1.0)}, start="x", transitions=[], name="inner")
    outer = sm.Modes({"a": inner}, start="a", transitions=[])
    world = sm.World()
    population = world.add(herd(1), steering=sm.Priority([outer]))
    assert sm.modes_of(population).tolist() == ["a"]
    assert sm.modes_of(population, "inner").tolist() == ["x"]
    assert sm.modes_of(population, inner).tolist() == ["x"]
    population.steering = sm.Priority([inner, sm.Modes({"b": push(1.0)}, start="b")])
    with pytest.raises(KeyError, match=r"there are 2 nodes in the steering tree \(there are: inner, Modes"):
        sm.modes_of(population)
    population.steering = sm.Seek([0, 0])
    with pytest.raises(KeyError, match="there is no Modes in the steering tree"):
        sm.modes_of(population)


def test_a_mode_may_turn_its_vehicles():
    """Each mode's angular acceleration reaches its own vehicles, directly and through a sum."""
    rng = np.random.default_rng(2)
    vehicles = sm.Vehicles(rng.normal(0, 9, (6, 2)), rng.normal(0, 1, (6, 2)), max_speed=5, max_force=9, dtype=float)
    face, look = sm.Face([30.0, 5.0]), sm.Face([-3.0, -50.0])
    even = sm.Where(lambda vehicles: vehicles.id % 2 == 0)
    modes = sm.Modes({"a": face, "b": look}, start="a", transitions=[("a", "b", even)])
    alone = {}
    for name, behavior in (("a", face), ("b", look)):
        controller = sm.Controller(vehicles, behavior)
        controller.steer(0.1)
        alone[name] = controller.turning.copy()
    expected = np.where(vehicles.id % 2 == 0, alone["b"], alone["a"])
    assert (alone["a"] != alone["b"]).sum() >= 4
    for tree, weight in ((modes, 1.0), (sm.WeightedSum([0.5 * modes, push(1.0)]), 0.5)):
        controller = sm.Controller(vehicles, tree)
        controller.steer(0.1)
        np.testing.assert_allclose(controller.turning, weight * expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("pause", "resume", "expected"),
    [
        ((4, 5), True, [1, 1, 1, 2, 7, 7, 2, 2, 2, 2]),
        ((4, 5), False, [1, 1, 1, 2, 7, 7, 1, 1, 1, 2]),
        ((1, 2), True, [1, 7, 7, 2, 2, 2, 2, 2, 2, 2]),
        ((1, 2), False, [1, 7, 7, 1, 1, 1, 2, 2, 2, 2]),
    ],
)
def test_after_a_pause_modes_go_on_or_begin_anew(pause, resume, expected):
    """Something more urgent steers for two steps. Whoever begins anew is asked about the transitions of the start.

    It enters the start anew, too, where that is the mode that it was in.
    """
    busy = np.array([False])
    urgent = lambda vehicles: np.where(busy, 7.0, 0.0) * np.ones((len(vehicles), 1)) * [1.0, 0.0]  # noqa: E731
    entered = []
    modes = sm.Modes(
        {"a": push(1.0), "b": push(2.0)}, start="a", resume=resume,
        transitions=[("a", "b", sm.After(0.25))],
        on_enter={"a": lambda vehicles, who: entered.append(np.flatnonzero(who).tolist())},
    )  # fmt: skip
    controller = sm.Controller(herd(1), sm.Priority([urgent, modes]))
    said = []
    for step in range(10):
        busy[0] = step in pause
        said.append(controller.steer(0.1)[0, 0])
    assert said == expected
    assert len(entered) == (1 if resume else 2)


def test_modes_in_modes_may_begin_anew():
    inner = sm.Modes(
        {"x": push(10.0), "y": push(20.0)}, start="x", transitions=[("x", "y", sm.After(0.15))], resume=False
    )
    outer = sm.Modes(
        {"a": inner, "b": push(1.0)}, start="a", transitions=[("a", "b", sm.After(0.35)), ("b", "a", sm.After(0.15))]
    )
    controller = sm.Controller(herd(1), outer)
    assert [controller.steer(0.1)[0, 0] for _ in range(10)] == [10, 10, 20, 20, 1, 1, 10, 10, 20, 20]
