"""Priority(blend=...): when the winner changes, the force goes over to another part's in a stated time."""

from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman import laws
from steersman.runs.metrics.jitter import turn_jitter

BLEND = 0.2


class Told:
    """Two parts that say what they are told, the first of them only when it is told to."""

    def __init__(self, n: int) -> None:
        self.acts = np.zeros(n, bool)
        self.forces = np.zeros((2, n, 2))

    def first(self, vehicles: sm.Vehicles) -> Any:
        return self.forces[0] * self.acts[:, None]

    def second(self, vehicles: sm.Vehicles) -> Any:
        return self.forces[1]


def test_the_force_goes_over_as_the_law_says() -> None:
    n, dt, rng = 30, 0.03, np.random.default_rng(0)
    told = Told(n)
    vehicles = sm.Vehicles(np.zeros((n, 2)), max_force=2.0, dtype=np.float64)
    controller = sm.Controller(vehicles, sm.Priority([told.first, told.second], blend=BLEND))
    before, rest, left, won = np.zeros((n, 2)), np.zeros((n, 2)), np.zeros(n), None
    for _ in range(60):
        told.acts ^= rng.random(n) < 0.15
        told.forces = rng.normal(0, 2, (2, n, 2))
        wanted = laws.truncate(np.where(told.acts[:, None], *told.forces), vehicles.max_force)
        changed = np.zeros(n, bool) if won is None else told.acts != won
        room = np.where(told.acts, np.maximum(2.0 - np.linalg.norm(wanted, axis=1), 0), np.inf)
        before, rest, left = laws.faded(wanted, before, rest, left, changed, dt, BLEND, room=room)
        won = told.acts.copy()
        expected = laws.truncate(before, vehicles.max_force)
        np.testing.assert_allclose(controller.steer(dt), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("dt", [1 / 240, 1 / 60, 1 / 20])
def test_a_change_takes_the_stated_time_at_any_frame_rate(dt: float) -> None:
    told = Told(1)
    told.forces[:] = [[[1.0, 0.0]], [[0.0, 1.0]]]
    vehicles = sm.Vehicles([[0.0, 0.0]], max_force=4.0, dtype=np.float64)
    controller = sm.Controller(vehicles, sm.Priority([told.first, told.second], blend=BLEND))
    np.testing.assert_array_equal(controller.steer(dt), [[0.0, 1.0]])  # There is nothing to go over from.
    told.acts[:] = True
    for k in range(1, round(0.3 / dt) + 1):
        share = min(k * dt / BLEND, 1.0)
        np.testing.assert_allclose(controller.steer(dt)[0], [share, 1 - share], atol=1e-9)


@pytest.mark.parametrize("dt", [1 / 240, 1 / 20])
def test_parts_that_take_turns_at_every_step_come_out_as_their_mean(dt: float) -> None:
    told = Told(1)
    told.forces[:] = [[[1.0, 0.0]], [[0.0, 1.0]]]
    controller = sm.Controller(
        sm.Vehicles([[0.0, 0.0]], max_force=4.0, dtype=np.float64), sm.Priority([told.first, told.second], blend=BLEND)
    )
    got = []
    for _ in range(round(2 / dt)):
        told.acts ^= True
        got.append(controller.steer(dt)[0].copy())
    np.testing.assert_allclose(np.mean(got[len(got) // 2 :], axis=0), [0.5, 0.5], atol=0.02)
    assert np.ptp(got[len(got) // 2 :], axis=0).max() < 1.5 * dt / BLEND


def test_what_is_urgent_is_not_held_up() -> None:
    told = Told(1)
    told.forces[:] = [[[9.0, 0.0]], [[0.0, 1.0]]]
    vehicles = sm.Vehicles([[0.0, 0.0]], max_force=2.0, dtype=np.float64)
    controller = sm.Controller(vehicles, sm.Priority([told.first, told.second], blend=BLEND))
    controller.steer(0.01)
    told.acts[:] = True
    np.testing.assert_allclose(controller.steer(0.01), [[2.0, 0.0]])


def test_who_was_not_steered_meanwhile_begins_anew() -> None:
    told, on = Told(1), np.array([True])
    told.forces[:] = [[[1.0, 0.0]], [[0.0, 1.0]]]
    vehicles = sm.Vehicles([[0.0, 0.0]], max_force=2.0, dtype=np.float64)
    tree = sm.Switch(sm.Priority([told.first, told.second], blend=BLEND), on=on)
    controller = sm.Controller(vehicles, tree)
    controller.steer(0.01)
    on[:] = False
    controller.steer(0.01)
    on[:], told.acts[:] = True, True
    np.testing.assert_array_equal(controller.steer(0.01), [[1.0, 0.0]])


def test_a_border_that_is_crossed_at_every_step_is_followed_smoothly() -> None:
    """A wind from the side and a border that drives back: the paper's law goes to and fro, the blend along."""

    def drive_back(vehicles: sm.Vehicles) -> Any:
        return np.where(vehicles.position[:, 1:] > 0, [0.0, -6.0], 0.0)

    def go(vehicles: sm.Vehicles) -> Any:
        return np.array([2.0, 0.4]) * 5 - 5 * vehicles.velocity

    jitter = {}
    for blend in (0.0, 0.1):
        vehicles = sm.Vehicles([[0.0, -0.5]], [[2.0, 0.4]], max_speed=3.0, max_force=10.0)
        world = sm.World(dt=1 / 60)
        world.add(vehicles, steering=sm.Priority([drive_back, go], blend=blend))
        velocities = []
        for _ in range(600):
            world.step()
            velocities.append(vehicles.velocity.copy())
        jitter[blend] = turn_jitter(np.array(velocities), 1 / 60)
        assert vehicles.position[0, 0] > 10
        assert abs(vehicles.position[0, 1]) < 0.5
    assert jitter[0.1] < 0.5 * jitter[0.0]


def test_nonsense_is_refused() -> None:
    with pytest.raises(ValueError, match="blend must be >= 0 s, got -1"):
        sm.Priority([sm.Seek([0.0, 0.0])], blend=-1)
