"""Functions that are called when vehicles have entered a mode."""

import numpy as np
import pytest
from core.action_selection.machines import flag, herd, two

import steersman as sm


def test_hooks_are_called_after_the_step_with_those_who_entered():
    mask, called = np.zeros(4, bool), []
    world = sm.World(dt=0.1)
    vehicles = herd()
    modes = two(
        flag(mask), sm.After(0.15),
        on_enter={
            "a": lambda vehicles, who: called.append(("a", world.steps, np.flatnonzero(who).tolist())),
            "b": lambda vehicles, who: called.append(("b", world.steps, np.flatnonzero(who).tolist())),
        },
    )  # fmt: skip
    world.add(vehicles, steering=modes)
    world.step()
    mask[:] = [False, True, False, True]
    world.step()
    mask[:] = False
    world.run(steps=3)
    assert called == [("a", 1, [0, 1, 2, 3]), ("b", 2, [1, 3]), ("a", 4, [1, 3])]


def test_a_refused_step_calls_no_hook_and_changes_no_mode():
    called, broken = [], np.array([False])

    def fail(vehicles):
        return np.full((len(vehicles), 2), np.nan if broken[0] else 0.0)

    mask = np.zeros(4, bool)
    modes = two(flag(mask), on_enter={"b": lambda vehicles, who: called.append(np.flatnonzero(who).tolist())})
    world = sm.World(dt=0.1)
    population = world.add(herd(), steering=sm.WeightedSum([modes, fail]))
    world.step()
    mask[2], broken[0] = True, True
    before = world.memory("vehicles", modes)
    with pytest.raises(sm.NonFiniteError):
        world.step()
    assert called == []
    after = world.memory("vehicles", modes)
    assert all((before[name] == after[name]).all() for name in before)
    broken[0] = False
    world.step()
    assert called == [[2]]
    assert sm.modes_of(population).tolist() == ["a", "a", "b", "a"]


def test_a_world_makes_steps_after_a_hook_has_failed():
    def fail(vehicles, who):
        raise RuntimeError("it fails")

    mask, world = np.ones(4, bool), sm.World(dt=0.1)
    world.add(herd(), steering=two(flag(mask), on_enter={"b": fail}))
    with pytest.raises(RuntimeError, match="it fails"):
        world.run(steps=3)
    steps = world.steps
    world.step()
    assert world.steps == steps + 1


def test_a_controller_calls_hooks_too():
    called = []
    controller = sm.Controller(
        herd(2), two(sm.After(0), on_enter={"b": lambda v, who: called.append(np.flatnonzero(who).tolist())})
    )
    controller.steer(0.1)
    controller.steer(0.1)
    assert called == [[0, 1]]


def test_a_hook_may_remove_vehicles_and_replace_the_tree():
    world, vehicles = sm.World(dt=0.1), herd()

    def eaten(vehicles, who):
        vehicles.remove(who)

    def free(vehicles, who):
        world.populations["sheep"].steering = sm.Flee([0.0, 0.0])

    mask = np.array([False, True, False, True])
    world.add(vehicles, name="sheep", steering=two(flag(mask), on_enter={"b": eaten, "a": free}))
    world.step()
    assert vehicles.id.tolist() == [0, 2]
    world.step()
    assert isinstance(world.populations["sheep"].steering, sm.Flee)


def test_hooks_of_modes_that_rest_are_not_called():
    called = []
    inner = two(sm.After(0.25), on_enter={"b": lambda v, who: called.append(np.flatnonzero(who).tolist())})
    first = lambda vehicles: np.where(vehicles.id[:, None] == 1, 1.0, 0.0) * [1.0, 0.0]  # noqa: E731
    controller = sm.Controller(herd(3), sm.Priority([first, inner]))
    for _ in range(6):
        controller.steer(0.1)
    assert called == [[0, 2]]


@pytest.mark.parametrize(("least", "told"), [(2, [([1], 2)]), (1, [])])
def test_who_was_removed_by_another_function_is_left_out(least, told):
    """Both are called after the same step; the first one removes vehicles that the second one would be told of."""
    called, mask = [], np.array([False, True, False, True])

    def eat(vehicles, who):
        vehicles.remove(vehicles.id >= least)

    modes = two(
        flag(mask), on_enter={"a": eat, "b": lambda vehicles, who: called.append((vehicles.id[who].tolist(), len(who)))}
    )
    world = sm.World(dt=0.1)
    world.add(herd(), steering=modes)
    world.step()
    assert called == told
