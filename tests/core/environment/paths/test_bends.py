"""The radii of bends, and the bend ahead that asks for braking first."""

import math
from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman.core.environment.paths.bends import AROUND, CUT, corners_of

RACE = sm.Path.spline(
    [[0, 0], [120, 0], [160, 30], [120, 60], [60, 40], [40, 90], [120, 110], [160, 160], [40, 160], [-30, 110]],
    radius=7, closed=True, tolerance=0.05,
)  # fmt: skip


@pytest.mark.parametrize("turn", [0.3, 1.0, math.pi / 2, 2.5])
def test_a_single_corner_is_taken_on_the_arc_that_leaves_it_by_part_of_the_tube(turn: float) -> None:
    path = sm.Path([[0, 0], [30, 0], [30 + 30 * math.cos(turn), 30 * math.sin(turn)]], radius=2.0)
    for direction in (1, -1):
        corners = corners_of(path, direction, 1.0)
        radius = corners.before[1]
        middle = np.array([30 - radius * math.tan(turn / 2), radius])  # Of the circle that touches both segments.
        assert math.hypot(*(middle - [30, 0])) - radius == pytest.approx(CUT * 2.0)
        assert corners.decisive.tolist() == [radius, math.inf]
        assert corners.begin[0] == pytest.approx(30 - radius * math.tan(turn / 2))
        assert corners.until[1] == pytest.approx(30 + radius * math.tan(turn / 2))


@pytest.mark.parametrize("sides", [60, 240])
def test_a_sampled_circle_has_its_radius(sides: int) -> None:
    angle = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    circle = np.column_stack([np.cos(angle), np.sin(angle)]) * 20
    for points in (circle, np.column_stack([circle, np.full(sides, 3.0)])):
        radius = corners_of(sm.Path(points, radius=0.1, closed=True), -1, 1.0).before
        np.testing.assert_allclose(radius, radius[0])
        assert 17 < radius[0] < 20.5  # Too tight by less than one corner in a run of a few.


def test_a_straight_path_and_a_point_have_no_bends() -> None:
    for path in (sm.Path([[0, 0], [3, 4], [6, 8], [30, 40]]), sm.Path([[1, 2, 3]]), sm.Path([[0, 0], [5, 5]])):
        corners = corners_of(path, 1, 1.0)
        assert np.isinf(corners.decisive).all()
        assert np.isinf(corners.before).all()
        assert np.isinf(corners.around_next).all()


def test_a_path_that_runs_back_on_itself_has_a_corner_without_radius() -> None:
    corners = corners_of(sm.Path([[0, 0], [10, 0], [0, 0]]), 1, 1.0)
    assert corners.before[1] == pytest.approx(0)
    assert np.isfinite(corners.until).all()


@pytest.mark.parametrize("ratio", [0.3, 1.0, 4.0])
@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize("path", [RACE, sm.Path(RACE.points, radius=3)], ids=["closed", "open"])
def test_the_decisive_corner_asks_for_the_lowest_speed_of_all(path: Any, direction: int, ratio: float) -> None:
    corners = corners_of(path, direction, ratio)
    size = path.segments.length[::direction]
    stop = np.cumsum(size)
    start = stop - size
    part = np.append(corners.until[1:] - start[1:], corners.until[0])
    radius, m = np.append(corners.before[1:], corners.before[0]), len(size)
    radii, begin = radius, stop - part
    if path.closed:
        radii, begin = np.tile(radius, 2), np.concatenate([begin, begin + path.length])
    for j in range(m):
        needed = radii[j:] + 2 * ratio * (begin[j:] - start[j])
        assert corners.decisive[j] + 2 * ratio * (corners.begin[j] - start[j]) == pytest.approx(needed.min())


@pytest.mark.parametrize("path", [RACE, sm.Path(RACE.points, radius=3)], ids=["closed", "open"])
def test_how_far_to_look_around_changes_no_faster_than_the_way(path: Any) -> None:
    corners = corners_of(path, 1, 1.0, tightest=4.0)
    assert corners.around_next.min() >= AROUND * 4
    np.testing.assert_allclose(corners.around[1:], corners.around_next[:-1])
    finite = np.isfinite(corners.around_next)
    assert (np.abs(corners.around_next - corners.around)[finite] <= path.segments.length[finite] + 1e-9).all()
    assert (corners.around_next <= AROUND * np.maximum(np.roll(corners.before, -1), 4) + 1e-9).all()


@pytest.mark.parametrize("closed", [False, True])
def test_the_way_back_is_the_way_along_the_reversed_path_in_tubes_of_several_radii(closed: bool) -> None:
    rng = np.random.default_rng(2)
    points = rng.uniform(0, 60, (9, 2))
    radii = rng.uniform(0.5, 6.0, 9 if closed else 8)
    path = sm.Path(points, radius=radii, closed=closed)
    last = np.roll(points[::-1], 1, axis=0) if closed else points[::-1]  # A closed one begins at the first point.
    turned = sm.Path(last, radius=radii[::-1], closed=closed)
    for one, other in zip(corners_of(path, -1, 0.7, 2.0), corners_of(turned, 1, 0.7, 2.0), strict=True):
        np.testing.assert_allclose(one, other)
    assert np.ptp(corners_of(path, 1, 0.7).before[1:]) > 0
