"""Paths: projection, arc length, tubes; the kernels say what the arrays say, whatever the tree and the torus do."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from precision import assert_single_precision

import steersman as sm
from steersman.core.environment.paths.path import as_path
from steersman.core.environment.paths.projecting import BLOCK, from_middle, point_at, progress, project
from steersman.core.kernels.kernel import kernel

CORNER = sm.Path([[0, 0], [4, 0], [4, 3]], radius=[1.0, 2.0])
SQUARE = sm.Path([[0, 0], [2, 0], [2, 2], [0, 2]], radius=0.5, closed=True)


def random_path(seed: int, segments: int, dimensions: int = 2, *, closed: bool = False) -> sm.Path:
    rng = np.random.default_rng([seed, segments, dimensions])
    points = np.cumsum(rng.normal(0, 2, (segments + (not closed), dimensions)), axis=0)
    return sm.Path(points, radius=rng.uniform(0.5, 2, segments), closed=closed)


@kernel
def project_all(path: Any, x: Any, y: Any, wrap: Any, s: Any, d2: Any, row: Any) -> None:
    for i in range(len(x)):
        s[i], d2[i], row[i] = project(path, (x[i], y[i]), wrap, row[i])


@kernel
def project_all_in_space(path: Any, x: Any, y: Any, z: Any, wrap: Any, s: Any, d2: Any, row: Any) -> None:
    for i in range(len(x)):
        s[i], d2[i], row[i] = project(path, (x[i], y[i], z[i]), wrap, row[i])


@kernel
def points_at(path: Any, s: Any, guess: Any, x: Any, y: Any) -> None:
    for i in range(len(s)):
        x[i], y[i] = point_at(path, s[i], guess[i], (s[0], s[0]))


def by_kernel(path: sm.Path, places: Any, period: Any = None) -> tuple[Any, Any, Any]:
    n, d = places.shape
    s, d2 = np.zeros((2, n))
    row = np.random.default_rng(0).integers(-1, len(path.segments.length), n)  # Guesses, good and bad ones, and none.
    wrap = np.zeros((2, d)) if period is None else np.array([period, 1 / np.asarray(period)])
    run = project_all if d == 2 else project_all_in_space
    run(path.columns(np.float64), *places.T.copy(), wrap, s, d2, row)
    return s, np.sqrt(d2), row


# ------------------------------------------------------------------------------------------------ construction


def test_a_corner_is_measured() -> None:
    assert CORNER.length == 7
    np.testing.assert_allclose(CORNER.project([[2, 1], [5, 2], [-3, -4]]).s, [2, 6, 0])
    np.testing.assert_allclose(CORNER.project([[2, 1], [5, 2], [-3, -4]]).distance, [1, 1, 5])
    np.testing.assert_array_equal(CORNER.project([[2, 1], [5, 2], [4, 0]]).segment, [0, 1, 0])
    np.testing.assert_allclose(CORNER.point_at([-1, 1, 4, 6, 9]), [[0, 0], [1, 0], [4, 0], [4, 2], [4, 3]])
    np.testing.assert_allclose(CORNER.tangent_at([0, 4, 7]), [[1, 0], [0, 1], [0, 1]])
    np.testing.assert_array_equal(CORNER.contains([[2, 0.9], [2, 1.1], [5.9, 2], [6.1, 2]]), [True, False, True, False])


def test_one_point_in_one_point_out() -> None:
    nearest = CORNER.project([2, 1])
    assert nearest.s.shape == nearest.distance.shape == nearest.segment.shape == ()
    assert CORNER.point_at(2.0).shape == CORNER.tangent_at(2.0).shape == (2,)
    assert CORNER.contains([2, 0])
    assert CORNER.project(np.empty((0, 2))).s.shape == (0,)


def test_a_closed_path_goes_round() -> None:
    assert SQUARE.length == 8
    np.testing.assert_allclose(SQUARE.point_at([7, 8, 9, -1, 17]), [[0, 1], [0, 0], [1, 0], [0, 1], [1, 0]])
    np.testing.assert_allclose(SQUARE.tangent_at([7.5, 8]), [[0, -1], [1, 0]])
    assert SQUARE.project([-1, 1]).s == 7


@pytest.mark.parametrize("closed", [False, True])
def test_a_path_of_one_point(closed: bool) -> None:
    path = sm.Path([[3, 4], [3, 4]], radius=2.0, closed=closed)
    assert path.length == 0
    assert path.project([0, 0]).distance == 5
    np.testing.assert_array_equal(path.point_at([-1, 0, 5]), [[3, 4]] * 3)
    np.testing.assert_array_equal(path.tangent_at(1.0), [0, 0])
    np.testing.assert_array_equal(path.points, [[3, 4]])
    np.testing.assert_allclose(by_kernel(path, np.zeros((1, 2))), [[0], [5], [0]])


def test_repeated_points_are_dropped_with_their_radii() -> None:
    path = sm.Path([[0, 0], [0, 0], [1, 0], [1, 0], [1, 2], [1, 2]], radius=[9, 1, 9, 2, 9])
    np.testing.assert_array_equal(path.points, [[0, 0], [1, 0], [1, 2]])
    np.testing.assert_array_equal(path.radius, [1, 2])
    ring = sm.Path([[0, 0], [1, 0], [1, 0], [1, 1], [0, 0]], radius=[1, 9, 2, 3, 9], closed=True)
    np.testing.assert_array_equal(ring.points, [[0, 0], [1, 0], [1, 1]])
    np.testing.assert_array_equal(ring.radius, [1, 2, 3])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"points": []}, "points must be at least one point, shape .k, 2. or .k, 3., got none"),
        ({"points": np.zeros((3, 4))}, "points must have shape .n, 2. or .n, 3., got .3, 4."),
        ({"points": [[0, 0], [np.nan, 1]]}, "points must be finite, got nan"),
        ({"points": [[0, 0], [1]]}, "points must have rows of one length"),
        ({"points": [[0, 0], [1, 0]], "radius": 0.0}, "radius must be > 0 m, got 0.0"),
        ({"points": [[0, 0], [1, 0]], "radius": [1, 2]}, "radius must be one number or have shape .1,., got"),
        ({"points": [[0, 0], [1, 0]], "radius": [1], "closed": True}, "have shape .2,., got shape .1,."),
    ],
)
def test_what_is_no_path_is_said(options: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sm.Path(**options)


def test_what_is_no_argument_of_a_path_is_said() -> None:
    with pytest.raises(TypeError, match="closed must be true or false, got 1"):
        sm.Path([[0, 0]], closed=1)
    with pytest.raises(ValueError, match=r"points must have shape .n, 2., got"):
        CORNER.project([[0, 0, 0]])
    with pytest.raises(ValueError, match="s must be finite"):
        CORNER.point_at(np.nan)
    with pytest.raises(ValueError, match="tolerance must be > 0 m, got 0"):
        sm.Path.spline([[0, 0], [1, 0]], tolerance=0)
    with pytest.raises(TypeError, match=r"path must be a Path, points .k, d. or a table"):
        as_path("path", "road")


def test_a_path_is_compared_by_value_and_read_only() -> None:
    points = np.array([[0.0, 0], [1, 0]])
    path = sm.Path(points)
    points[:] = 7
    assert (
        path
        == sm.Path([[0, 0], [1, 0]])
        == as_path("path", {"points": [[0, 0], [1, 0]]})
        == as_path("path", [[0, 0], [1, 0]])
    )
    assert path != sm.Path([[0, 0], [1, 0]], radius=2)
    with pytest.raises(ValueError, match="read-only"):
        path.points[0, 0] = 3


def test_a_path_through_nodes() -> None:
    where = {"a": (0, 0), "b": (3, 4), "c": (3, 9)}
    attributes = {node: {"pos": point, "site": (1, 1)} for node, point in where.items()}
    path = sm.Path.through("abc", where, radius=2.0)
    assert path == sm.Path.through(["a", "b", "c"], attributes, radius=2.0)
    assert path.length == 10
    assert sm.Path.through([1, 0], np.array([[0, 0], [1, 0]])).length == 1
    with pytest.raises(ValueError, match="positions must have a point for every node"):
        sm.Path.through("ad", where)
    with pytest.raises(ValueError, match="positions must have a point for every node, got none for 2"):
        sm.Path.through([0, 2], [(0, 0), (3, 4)])
    with pytest.raises(ValueError, match="got none for 'a'"):
        sm.Path.through("a", attributes, attribute="xy")
    with pytest.raises(ValueError, match="at least one point"):
        sm.Path.through([], where)


# ------------------------------------------------------------------------------------------------ splines


@pytest.mark.parametrize("closed", [False, True])
def test_a_spline_keeps_its_tolerance_and_goes_through_its_points(closed: bool) -> None:
    points = np.random.default_rng(2).uniform(0, 20, (6, 2))
    coarse = sm.Path.spline(points, tolerance=0.05, closed=closed, radius=np.arange(1.0, 6 + closed))
    fine = sm.Path.spline(points, tolerance=1e-5, closed=closed)
    np.testing.assert_allclose(coarse.project(points).distance, 0, atol=1e-9)
    assert 0.001 < coarse.project(fine.points).distance.max() <= 0.05 + 1e-5
    middles = [coarse.radius[coarse.project(point).segment] for point in fine.point_at(fine.project(points).s + 0.01)]
    np.testing.assert_array_equal(middles[: 5 + closed], np.arange(1.0, 6 + closed))


def test_a_spline_is_the_centripetal_one_by_the_recursion_of_barry_and_goldman() -> None:
    points = np.random.default_rng(3).uniform(0, 20, (6, 2))
    path = sm.Path.spline(points, tolerance=1e-6)

    def between(t: float, begin: float, end: float, a: Any, b: Any) -> Any:
        return ((end - t) * a + (t - begin) * b) / (end - begin)

    for k in range(3):
        four = points[k : k + 4]
        knots = np.append(0, np.cumsum(np.sqrt(np.linalg.norm(np.diff(four, axis=0), axis=1))))
        for t in np.linspace(knots[1], knots[2], 9):
            first = [between(t, knots[i], knots[i + 1], four[i], four[i + 1]) for i in range(3)]
            second = [between(t, knots[i], knots[i + 2], first[i], first[i + 1]) for i in range(2)]
            assert path.project(between(t, knots[1], knots[2], *second)).distance < 2e-6


def test_a_spline_that_would_fill_the_memory_is_refused() -> None:
    with pytest.raises(
        ValueError, match=r"^tolerance must be larger: 1e-10 m would take [\d,]{10,} segments, of at most 10,000,000"
    ):
        sm.Path.spline([[0, 0], [1e6, 1e6], [0, 1e6]], tolerance=1e-10)


def test_a_spline_of_a_straight_line_is_straight() -> None:
    path = sm.Path.spline([[0, 0], [1, 0], [5, 0]])
    np.testing.assert_allclose(path.points[:, 1], 0)
    assert path.length == pytest.approx(5)
    assert len(sm.Path.spline([[1, 1]]).points) == len(sm.Path.spline([[1, 1]], closed=True).points) == 1


# ------------------------------------------------------------------------------------------------ properties


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 40), st.booleans(), st.floats(0, 1))
def test_projection_undoes_point_at(seed: int, segments: int, closed: bool, fraction: float) -> None:
    path = random_path(seed, segments + 2 * closed, closed=closed)
    s = fraction * path.length
    point = path.point_at(s)
    nearest = path.project(point)
    assert nearest.distance == pytest.approx(0, abs=1e-9)
    np.testing.assert_allclose(path.point_at(nearest.s), point, atol=1e-9)
    own = np.searchsorted(path.segments.arc, [s - 1e-9, s + 1e-9], side="right") - 1
    far = [k for k in range(len(path.segments.length)) if min(abs(k - own)) > 0]
    ring = closed and (s < 1e-6 or s > path.length - 1e-6)
    assume(
        not ring
        and all(sm.Path(path.point_at(path.segments.arc[k : k + 2])).project(point).distance > 1e-6 for k in far)
    )
    assert nearest.s == pytest.approx(s, abs=1e-6)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 40), st.booleans())
def test_distance_changes_no_faster_than_the_point_moves(seed: int, segments: int, closed: bool) -> None:
    path = random_path(seed, segments + 2 * closed, closed=closed)
    a, b = np.random.default_rng(seed).normal(0, 8, (2, 20, 2))
    change = path.project(a).distance - path.project(b).distance
    assert (np.abs(change) <= np.linalg.norm(a - b, axis=1) + 1e-9).all()


# ------------------------------------------------------------------------------------------------ kernels


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("segments", [1, 3, BLOCK, BLOCK + 1, 3 * BLOCK + 2, 300])
def test_kernels_find_the_nearest_segment(segments: int, closed: bool) -> None:
    path = random_path(5, segments, closed=closed)
    rng = np.random.default_rng(segments)
    low, high = path.points.min(axis=0), path.points.max(axis=0)
    places = np.concatenate([rng.uniform(low - 5, high + 5, (300, 2)), path.points])
    s, distance, row = by_kernel(path, places)
    nearest = path.project(places)
    np.testing.assert_allclose(distance, nearest.distance, rtol=1e-12, atol=1e-7)
    np.testing.assert_allclose(path.point_at(s), path.point_at(nearest.s), rtol=1e-9, atol=1e-7)
    assert (row[:300] == nearest.segment[:300]).mean() > 0.9  # Where two segments meet, either may come out.
    x, y = np.zeros((2, 400))
    arc = np.linspace(-path.length, 2 * path.length, 400)
    m = len(path.segments.length)
    found = []
    for guess in (np.zeros(400, np.int64), np.full(400, m - 1), rng.integers(0, m, 400)):
        points_at(path.columns(np.float64), arc, guess, x, y)
        np.testing.assert_allclose(np.stack([x, y], axis=1), path.point_at(arc), atol=1e-9)
        found.append((x.tobytes(), y.tobytes()))
    assert len(set(found)) == 1, "a guess changes what is found"


def test_of_segments_that_tie_the_first_counts_whatever_the_guess() -> None:
    """Three laps on the same lines, of points that are exact: corners tie, and laps."""
    side = np.arange(5.0)
    lap = np.concatenate([np.stack(each, axis=1) for each in ((side, 0 * side), (0 * side + 5, side))])
    path = sm.Path(np.concatenate([lap, 5 - lap] * 3 + [[[0, 0]]]))
    places = np.stack(np.meshgrid(np.arange(-1, 7, 0.5), np.arange(-1, 7, 0.5)), axis=-1).reshape(-1, 2)
    s, _, row = by_kernel(path, places)
    assert row.max() == 19
    np.testing.assert_array_equal(row, path.project(places).segment)
    np.testing.assert_array_equal(s, path.project(places).s)


def test_kernels_find_the_nearest_segment_in_space() -> None:
    path = random_path(7, 70, 3)
    places = np.random.default_rng(0).normal(0, 12, (200, 3))
    s, distance, _ = by_kernel(path, places)
    np.testing.assert_allclose(distance, path.project(places).distance, rtol=1e-12)
    np.testing.assert_allclose(s, path.project(places).s, rtol=1e-9)


@pytest.mark.each_value
@pytest.mark.parametrize("dimensions", [2, 3])
@pytest.mark.parametrize("segments", [2, 60])
def test_on_a_torus_the_nearest_of_all_images_counts(segments: int, dimensions: int) -> None:
    """Long segments, and paths longer than the periods, included."""
    path = random_path(3, segments, dimensions)
    path = sm.Path(path.points * 3)
    period = np.array([11.0, 17.0, 9.0])[:dimensions]
    places = np.random.default_rng(1).uniform(0, period, (60, dimensions))
    reach = np.ceil(np.abs(path.points).max() / 9) + 1
    steps = (
        np.stack(np.meshgrid(*[np.arange(-reach, reach + 1)] * dimensions), axis=-1).reshape(-1, dimensions) * period
    )
    expected = np.array([path.project(place + steps).distance.min() for place in places[:20]])
    np.testing.assert_allclose(by_kernel(path, places, period)[1][:20], expected, rtol=1e-9)


def test_a_place_that_is_not_finite_ends_the_search() -> None:
    for bad in (np.nan, np.inf):
        s, _, row = by_kernel(random_path(1, 50), np.array([[bad, 1.0]]), [30.0, 30.0])
        assert 0 <= row[0] < 50
        assert s.shape == (1,)


def test_progress_is_the_short_way_round() -> None:
    closed, straight = SQUARE.columns(np.float64), CORNER.columns(np.float64)
    assert progress(closed, 7.5, 0.5, 1.0) == pytest.approx(1)
    assert progress(closed, 7.5, 0.5, -1.0) == pytest.approx(-1)
    assert progress(straight, 6.5, 0.5, -1.0) == pytest.approx(6)


def test_images_are_counted_from_the_middle() -> None:
    assert [from_middle(k) for k in range(5)] == [0, 1, -1, 2, -2]


def test_kernels_stay_in_float32() -> None:
    F = np.float32
    column, rows = np.zeros(3, F), np.zeros(3, np.int64)
    columns = random_path(1, 40).columns(F)
    assert_single_precision(project_all, columns, column, column, np.zeros((2, 2), F), column, column, rows)
    assert_single_precision(points_at, columns, column, rows, column, column)


@pytest.mark.parametrize("distance", [1.5, -1.5, 4.0, -4.0])
def test_an_offset_keeps_its_distance_and_direction(distance: float) -> None:
    road = sm.Path.spline([[0, 0], [40, 0], [60, 20], [40, 50]], radius=2.0)
    beside = road.offset(distance)
    at = road.project(beside.points)
    np.testing.assert_allclose(at.distance, abs(distance), atol=0.02)
    (tx, ty), (x, y) = road.segments.tangent[at.segment].T, (beside.points - road.point_at(at.s)).T
    left = tx * y - ty * x
    assert (np.sign(left[1:-1]) == np.sign(distance)).all()
    assert (np.diff(at.s) > -1e-6).all()
    assert set(beside.radius) == {2.0}


@pytest.mark.parametrize("back", [False, True])
def test_the_offset_of_a_ring_goes_round_the_same_way(back: bool) -> None:
    square = np.array([[0.0, 0], [20, 0], [20, 20], [0, 20]])[:: -1 if back else 1]
    ring = sm.Path(square, radius=3, closed=True)
    inner, outer = (ring.offset(by if not back else -by, radius=0.5) for by in (2.0, -2.0))
    assert inner.length == pytest.approx(4 * 16)
    assert outer.length == pytest.approx(4 * 20 + 2 * math.pi * 2, abs=0.1)
    for each in (inner, outer):
        assert each.closed
        assert set(each.radius) == {0.5}
        s = ring.project(each.points).s
        ahead = np.diff(s) + np.where(np.diff(s) < -40, 80, 0)
        assert (ahead >= -1e-9).all()
        np.testing.assert_allclose(ring.project(each.points).distance, 2, atol=0.011 + 0.83 * (each is inner))


def test_an_offset_has_no_folds() -> None:
    """Beside a bend that is tighter than the distance it takes a short cut."""
    bend = sm.Path.spline([[0, 0], [20, 0], [23, 3], [20, 6], [0, 6]])
    inside = bend.offset(2.9)
    assert bend.project(inside.points).distance.min() > 2.85
    with pytest.raises(ValueError, match=r"distance must leave something of the path, got 40.0 m"):
        sm.Path([[0, 0], [20, 0], [20, 20], [0, 20]], closed=True).offset(40)


@pytest.mark.parametrize(
    ("path", "error"),
    [
        (sm.Path([[0, 0, 0], [1, 0, 0]]), "path must have 2 dimensions and 2 points or more, got shape .2, 3."),
        (sm.Path([[0, 0]]), "path must have 2 dimensions and 2 points or more, got shape .1, 2."),
        (sm.Path([[0, 0], [9, 9], [9, 0], [0, 9]], closed=True), "path must not cross or touch itself if it is closed"),
    ],
)
def test_what_has_no_offset_says_why(path: Any, error: str) -> None:
    with pytest.raises(ValueError, match=error):
        path.offset(1.0)


def test_walls_along_a_road_stand_on_both_sides() -> None:
    road = sm.Path.spline([[0, 0], [40, 0], [60, 20], [40, 50]], radius=2.0)
    walls = sm.Walls.along(road)
    assert len(walls.points) == 2
    for chain in walls.points:
        np.testing.assert_allclose(road.project(chain).distance, 2, atol=0.02)
    assert np.hypot(*sm.Walls.along(road, 7).points[0][0]) == pytest.approx(3.5)
    ring = sm.Walls.along(sm.Path([[0, 0], [20, 0], [20, 20], [0, 20]], closed=True), 4)
    assert ring.closed == (True, True)
    with pytest.raises(ValueError, match="width must be > 0 m, got 0"):
        sm.Walls.along(road, 0)


@pytest.mark.parametrize("start", range(5))
@pytest.mark.parametrize("distance", [1.0, -1.0])
def test_a_ring_beside_another_begins_where_that_begins(start: int, distance: float) -> None:
    corners = np.roll([[0.0, 0.0], [10.0, 0.0], [12.0, 5.0], [8.0, 9.0], [0.0, 6.0]], -start, axis=0)
    beside = sm.Path(corners, closed=True).offset(distance).points
    away = np.linalg.norm(beside - corners[0], axis=1)
    assert away[0] == pytest.approx(away.min())  # Around a corner on the outside, several are as near.
