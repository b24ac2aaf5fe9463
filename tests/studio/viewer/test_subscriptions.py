"""What pages want beyond frames: sent when it is due, and no more often than it may cost."""

import numpy as np
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


def test_places_are_as_fine_as_the_finest_page_can_show():
    wanted = Subscriptions(lambda kind, message, key: None)
    for page, pixel in (("one", 0.5), ("two", 0.1), ("three", 0.3), ("four", None)):
        wanted.want(page, {"pixel": pixel, "velocity": True})
    assert wanted.pixel == 0.1
    wanted.leave("two")
    assert wanted.pixel == 0.3


def test_a_part_is_sent_only_where_every_page_sees_a_part():
    wanted = Subscriptions(lambda kind, message, key: None)
    planes = [[1.0, 0.0, 5.0], [0.0, 1.0, 5.0]]
    wanted.look("one", planes, 2)
    assert np.array_equal(wanted.views, [planes])
    wanted.look("two", None, 2)  # As on its first day: it has not told yet.
    assert wanted.views is None
    wanted.look("two", [[0.0, -1.0, 2.0]], 2)
    assert len(wanted.views) == 2
    wanted.reset_views()
    assert wanted.views is None
    wanted.look("one", planes, 2)
    wanted.leave("two")
    assert len(wanted.views) == 1
    wanted.leave("one")
    assert wanted.views is None


@pytest.mark.parametrize(
    "planes", ["all", 3, [], [[1, 2]], [[1, 2], [1, 2, 3]], [[1, 2, float("nan")]], [[1, 2, 3]] * 9]
)
def test_a_view_that_is_none_is_refused(planes):
    wanted = Subscriptions(lambda kind, message, key: None)
    with pytest.raises(TypeError, match="a view is up to 8 planes of 3 numbers each, or null"):
        wanted.look("one", planes, 2)
    assert wanted.views is None
