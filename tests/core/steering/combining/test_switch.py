"""Switch: by a word, by flags, by a function; who is off costs nothing and forgets nothing."""

from typing import Any

import numpy as np
import pytest
from core.steering.combining.crowd import Push, some, steer

import steersman as sm


def even(vehicles: sm.Vehicles) -> Any:
    return vehicles.id % 2 == 0


@pytest.mark.parametrize("on", [True, np.True_, lambda vehicles: True, lambda vehicles: np.ones(len(vehicles), bool)])
def test_on_is_as_if_it_were_not_there(on: Any) -> None:
    vehicles = some(max_force=3.0)
    np.testing.assert_array_equal(steer(vehicles, sm.Switch(sm.Seek([1, 2]), on=on)), steer(vehicles, sm.Seek([1, 2])))


@pytest.mark.parametrize("on", [False, lambda vehicles: False, np.zeros(6, bool)])
def test_off_is_silent_and_not_asked(on: Any) -> None:
    part = Push(1, 0)
    assert not steer(some(), sm.Switch(part, on=on), steps=3).any()
    assert part.asked == 0


def test_off_claims_nobody() -> None:
    vehicles = some(max_force=3.0)
    tree = sm.Priority([sm.Switch(sm.Seek([1, 2]), on=even), Push(0, 1)])
    force, off = steer(vehicles, tree)[0], vehicles.id % 2 == 1
    np.testing.assert_array_equal(force[off], np.tile([0, 1], (3, 1)))
    np.testing.assert_array_equal(force[~off], steer(vehicles, sm.Seek([1, 2]))[0][~off])


def test_flags_are_read_anew_at_every_step() -> None:
    flags = np.zeros(6, bool)
    controller = sm.Controller(some(), sm.Switch(Push(1, 0), on=flags), threads=1)
    for row in (0, 3, 5):
        flags[row] = True
        np.testing.assert_array_equal(controller.steer(0.1)[:, 0], flags)
    flags[:] = False
    assert not controller.steer(0.1).any()


def test_memory_rests_while_off_and_goes_on_from_where_it_was() -> None:
    """Those who are on walk as if there were no switch; the others stand still in their memory."""
    flags = np.ones(6, bool)
    runs = []
    for on in (True, flags):
        controller = sm.Controller(some(), sm.Switch(sm.Wander("turn", name="stroll"), on=on), threads=1, seed=5)
        for _ in range(4):
            controller.steer(0.1)
        runs.append(controller.memory("stroll")["angles"])
    np.testing.assert_array_equal(runs[0], runs[1])
    flags[2:] = False
    for _ in range(3):
        assert not controller.steer(0.1)[2:].any()
    after = controller.memory("stroll")["angles"]
    np.testing.assert_array_equal(after[2:], runs[1][2:])
    assert (after[:2] != runs[1][:2]).any()


def test_a_step_that_is_refused_changes_no_memory() -> None:
    world = sm.World(seed=3, threads=1)

    def broken(vehicles: sm.Vehicles) -> Any:
        return np.full((6, 2), np.nan if world.steps > 0 else 1.0)

    population = world.add(some(), steering=sm.Wander() + sm.Switch(broken, on=even))
    world.step(0.1)
    before = next(iter(population.memories.values())).snapshot()
    with pytest.raises(sm.NonFiniteError, match="broken made the force"):
        world.step(0.1)
    after = next(iter(population.memories.values())).snapshot()
    assert all((before[name] == after[name]).all() for name in before)


@pytest.mark.parametrize(
    ("on", "error", "message"),
    [
        ("yes", TypeError, "on must be true or false, an array of flags or a function of the vehicles, got 'yes'"),
        (np.ones(6), TypeError, "on must hold true or false, got float64"),
        (np.ones((6, 1), bool), ValueError, r"on must be one flag, or flags of shape \(n,\), got shape \(6, 1\)"),
    ],
)
def test_what_makes_no_sense_is_refused(on: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        sm.Switch(Push(1, 0), on=on)


def test_one_part_is_wanted() -> None:
    with pytest.raises(ValueError, match="components of a Switch must be exactly one part, got 2"):
        sm.Switch([Push(1, 0), Push(0, 1)])


@pytest.mark.parametrize("on", [np.ones(5, bool), lambda vehicles: np.ones(5, bool)])
def test_flags_must_be_as_many_as_vehicles(on: Any) -> None:
    with pytest.raises(ValueError, match=r"on must be one flag a vehicle, shape \(6,\), got \(5,\)"):
        steer(some(), sm.Switch(Push(1, 0), on=on))


def test_behind_a_shut_gate_a_behavior_that_has_failed_is_not_asked() -> None:
    class Failing(Push):
        def __call__(self, vehicles: sm.Vehicles) -> Any:
            force = super().__call__(vehicles)
            if self.asked == 1:
                raise RuntimeError("it fails")
            return force

    part, on = Failing(1, 0), True
    controller = sm.Controller(some(), sm.Switch(part, on=lambda vehicles: on), threads=1)
    with pytest.raises(RuntimeError, match="it fails"):
        controller.steer(0.1)
    on = False
    controller.steer(0.1)
    assert part.asked == 1
    on = True
    controller.steer(0.1)
    assert part.asked == 2
