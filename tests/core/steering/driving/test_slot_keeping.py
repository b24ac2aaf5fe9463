"""Slot keeping: how a follower measures the turn of its leader."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from steersman.core.steering.driving.slot_keeping import Watch, watched_turn


def measured(angles, dt, tau, every=1):
    """The turn [rad/s] that is remembered after each step, or some steps, of a leader with these headings [rad]."""
    seen = [np.array([-1], np.int64), np.array([-1], np.int64)]
    heading = [tuple(np.zeros((2, 1))), tuple(np.zeros((2, 1)))]
    turn = [(np.zeros(1),), (np.zeros(1),)]
    watch = Watch(*seen, *heading, *turn)
    found: list[Any] = []
    for step, angle in enumerate(angles):
        clock = SimpleNamespace(step=np.array([every * step]), dt=np.array([dt]))
        forward = (np.cos(angle), np.sin(angle))
        (rate,) = watched_turn.py_func(0, watch, forward, True, tau, clock)
        seen[0][:] = seen[1]
        for now, later in zip((*heading[0], *turn[0]), (*heading[1], *turn[1]), strict=True):
            now[:] = later
        found.append(rate)
    return np.array(found)


@pytest.mark.parametrize("dt", [1 / 240, 1 / 60, 1 / 20])
def test_the_turn_is_averaged_over_the_response_time(dt):
    """A leader begins to turn steadily: after one response time the average has covered about 63% of the way."""
    rate, tau = 0.8, 0.5
    steps = round(tau / dt)
    found = measured(rate * dt * np.arange(4 * steps), dt, tau)
    assert found[0] == 0, "nothing is known at first sight"
    assert 0 < found[1] < 1.2 * rate * dt / tau, "one step is a small part of the average"
    assert found[steps] == pytest.approx(rate * (1 - np.exp(-1)), rel=0.1)
    assert found[-1] == pytest.approx(rate * (1 - np.exp(-4)), rel=0.05)


def test_a_leader_that_is_looked_at_now_and_then_turns_no_faster():
    """Another part steers in between: what it has turned by meanwhile is of all that time."""
    rate, dt, tau = 0.8, 1 / 60, 0.5
    found = measured(5 * rate * dt * np.arange(60), dt, tau, every=5)
    assert found.max() == pytest.approx(rate, rel=0.01)


def test_a_twitch_of_the_leader_hardly_moves_its_slots():
    """One step of a large turn counts as little as it lasts."""
    dt, tau = 1 / 60, 0.5
    found = measured([0.0] * 5 + [0.3] * 60, dt, tau)
    assert np.abs(found).max() == pytest.approx(np.sin(0.3) / (dt + tau), rel=1e-6)
