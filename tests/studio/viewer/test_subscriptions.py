"""What pages want beyond frames: sent when it is due, and no more often than it may cost."""

import pytest

import steersman as sm
from steersman.studio.viewer import subscriptions
from steersman.studio.viewer.subscriptions import OFTEN, PART, RARELY, Subscriptions


@pytest.fixture
def clock(monkeypatch):
    """The time now, in a list."""
    now = [100.0]
    monkeypatch.setattr(subscriptions.time, "perf_counter", lambda: now[0])
    return now


@pytest.mark.parametrize("cost", [0.0, 0.5])
def test_what_takes_long_is_sent_less_often(clock, cost):
    said = []
    wanted = Subscriptions(lambda kind, message, key: said.append(clock[0]))

    def make():
        clock[0] += cost
        return {}

    pause, start = max(OFTEN, cost / PART), clock[0]
    for wait, count in ((0.0, 1), (pause - 1e-3, 1), (pause + 1e-3, 2)):
        clock[0] = start + wait
        wanted._one("forces", OFTEN, False, make)
        assert len(said) == count
    wanted._one("forces", OFTEN, True, make)
    assert len(said) == 3


def test_times_of_phases_are_those_since_the_last_message(clock):
    said = []
    world = sm.World(threads=1)
    world.add(sm.Vehicles([[0, 0]]), steering=sm.Wander())
    wanted = Subscriptions(lambda kind, message, key: said.append(message["steps"]))
    wanted.want("page", {"timings": True})
    for steps in (0, 3, 2, 0):
        world.run(steps=steps)
        wanted.tell(world, 10.0)
        clock[0] += 2 * RARELY
    assert said == [0, 3, 2, 0]
    wanted.end()
