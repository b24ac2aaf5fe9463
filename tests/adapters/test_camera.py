"""Cameras: meters to pixels and back, whichever way y grows."""

import math

import numpy as np
import pytest

import steersman as sm
from steersman.adapters.camera import Camera
from steersman.adapters.clock import FrameClock


@pytest.mark.parametrize("flip", [False, True])
def test_there_and_back(flip):
    camera = Camera((400, 200), center=(3, -2), scale=7.5, flip=flip)
    points = np.random.default_rng(1).normal(0, 9, (20, 2))
    assert np.allclose(camera.meters(camera.pixels(points)), points)
    assert camera.pixels([3, -2]).tolist() == [200, 100]
    up = camera.pixels([3, -1])[1] - 100
    assert up == (-7.5 if flip else 7.5)


def test_a_whole_area_is_seen():
    camera = Camera.over((400, 200), sm.Box([100, 20], [10, 0]), margin=10)
    assert camera.scale == pytest.approx(3.8)
    assert camera.pixels([10, 10]).tolist() == pytest.approx([10, 100])
    assert camera.sees([[10, 0], [9, 0]]).tolist() == [True, True]
    assert camera.sees([[0, 0], [5, 0]], margin=9).tolist() == [False, True]
    corners = Camera.over((400, 200), [[10, 0], [110, 20]], margin=10)
    assert (corners.center, corners.scale) == (camera.center, camera.scale)
    for area in (sm.Open(), [[0, 0], [5, 0]]):
        with pytest.raises(ValueError, match="two corners"):
            Camera.over((400, 200), area)


def test_angles_and_directions_are_as_a_person_sees_them():
    up, down = Camera((4, 4)), Camera((4, 4), flip=False)
    assert up.degrees([math.pi / 2]) == pytest.approx([90])
    assert down.degrees([math.pi / 2]) == pytest.approx([-90])  # The world's y grows downwards in the window.
    assert up.direction(0, 1).tolist() == [0, 1]
    assert down.direction(0, 1).tolist() == [0, -1]
    assert np.hypot(*up.direction(1, 1)) == pytest.approx(1)
    assert up.direction(0, 0).tolist() == [0, 0]


class UpwardCamera(Camera):
    """A camera over a window whose y grows upwards, as arcade's."""

    window_y_up = True


@pytest.mark.parametrize("flip", [False, True])
@pytest.mark.parametrize("kind", [Camera, UpwardCamera])
def test_up_is_where_a_person_sees_it_in_windows_whose_y_grows_either_way(kind, flip):
    """A step in the direction of "up" or "right" goes there in the window; a heading is seen turned as that step is."""
    camera = kind((400, 200), center=(3, -2), scale=7.5, flip=flip)
    for right, up in ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1)):
        step = camera.direction(right, up)
        moved = camera.pixels(step + camera.center) - camera.pixels(camera.center)
        seen = moved * (1, 1 if kind.window_y_up else -1) / 7.5
        assert seen == pytest.approx(np.array([right, up]) / math.hypot(right, up))
        turned = float(camera.degrees(math.atan2(step[1], step[0])))
        assert (turned - math.degrees(math.atan2(up, right))) % 360 == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("about", [{}, {"seconds": 0.3}, {"seconds": 1.2}])
def test_the_way_to_a_point_halves(about):
    camera = Camera((4, 4), center=(8, 0))
    for _ in range(10):
        camera.follow([0, 4], dt=about.get("seconds", 0.3) / 10, **about)
    assert camera.center == pytest.approx((4, 2))


def test_a_clock_pauses_slows_and_cuts_long_frames():
    now = [0.0]
    clock = FrameClock(now=lambda: now[0])
    given = []
    for passed, paused, rate in [
        (0.02, False, 1),
        (0.02, True, 1),
        (0.02, False, 0.25),
        (300.0, False, 1),
        (-1, False, 1),
    ]:
        clock.paused, clock.rate = paused, rate
        now[0] += passed
        given.append(clock.tick())
    assert given == pytest.approx([0.02, 0, 0.005, 0.1, 0])
    assert clock.scaled(5.0) == 0.1
    fast = FrameClock(rate=2.0, longest=0.5, now=lambda: now[0])
    now[0] += 30.0
    assert fast.tick() == fast.scaled(30.0) == 1.0
    now[0] += 0.25
    assert fast.elapsed() == 0.25
    for about in ({"rate": -1}, {"longest": 0}):
        with pytest.raises(ValueError, match=next(iter(about))):
            FrameClock(**about)
