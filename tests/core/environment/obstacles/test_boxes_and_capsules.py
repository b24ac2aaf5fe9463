"""Boxes and capsules against Shapely in the plane, and against plain distance functions in space."""

import numpy as np
import pytest
from core.environment.obstacles.oracles import assert_same_hits, march, thick_cast, unit
from hypothesis import given, settings
from hypothesis import strategies as st

import steersman as sm
from steersman.core.environment.box_tree import OUTSIDE
from steersman.core.environment.obstacles.box_contact import touch_straight_box

shapely = pytest.importorskip("shapely")
pytest.importorskip("shapely.ops")

RNG = np.random.default_rng(5)
SPOTS = RNG.uniform(0, 60, (120, 2))
WAYS = unit(RNG.normal(size=(120, 2)))
BOXES = sm.Boxes(RNG.uniform(0, 60, (24, 2)), RNG.uniform(0.3, 6, (24, 2)), RNG.uniform(-4, 4, 24))
CAPSULES = sm.Capsules(RNG.uniform(0, 60, (20, 2)), RNG.uniform(0, 60, (20, 2)), RNG.uniform(0, 2, 20))
QUARTER = np.array([np.cos(np.pi / 4), 0, 0, np.sin(np.pi / 4)])
"""A quarter turn about the third axis."""


def outlines(obstacles):
    """Shapely's polygons, and a thickness each."""
    if isinstance(obstacles, sm.Boxes):
        return [(shapely.Polygon(corners), 0.0) for corners in obstacles.corners]
    return [(shapely.LineString([a, b]), r) for a, b, r in zip(obstacles.a, obstacles.b, obstacles.radius, strict=True)]


def shapely_distance(shape, thickness, point):
    spot = shapely.Point(point)
    if shape.area and shape.contains(spot):
        return -shape.exterior.distance(spot)
    return shape.distance(spot) - thickness


@pytest.mark.parametrize("obstacles", [BOXES, CAPSULES], ids=["boxes", "capsules"])
def test_nearest_is_what_shapely_says(obstacles):
    distance = np.array([[shapely_distance(*each, spot) for each in outlines(obstacles)] for spot in SPOTS])
    found = obstacles.nearest(SPOTS)
    np.testing.assert_allclose(found.distance, distance.min(axis=1), atol=1e-9)
    np.testing.assert_array_equal(found.which, distance.argmin(axis=1))
    np.testing.assert_array_equal(obstacles.inside(SPOTS), distance.min(axis=1) < 0)
    away = obstacles.nearest(found.point + 1e-3 * found.normal)
    np.testing.assert_array_less(away.distance, 1.01e-3)


@pytest.mark.each_value
@pytest.mark.parametrize("radius", [0.0, 1.3])
@pytest.mark.parametrize("obstacles", [BOXES, CAPSULES], ids=["boxes", "capsules"])
def test_balls_stop_where_shapely_says(obstacles, radius):
    expected = []
    for spot, way in zip(SPOTS, WAYS, strict=True):
        first = np.inf
        for shape, thickness in outlines(obstacles):
            gap = shapely_distance(shape, thickness, spot)
            if gap <= radius:  # Inside it is not seen; touching already, it matters which way one goes.
                near = np.array(shapely.ops.nearest_points(shape, shapely.Point(spot))[0].coords[0])
                first = 0.0 if gap >= 0 and (spot - near) @ way < 0 else first
                continue
            first = min(first, march(spot, way, radius, lambda x, s=shape, t=thickness: shapely_distance(s, t, x)))
        expected.append(first)
    assert 0.1 < np.isfinite(expected).mean() < 1
    assert_same_hits(thick_cast(obstacles, SPOTS, WAYS, radius)[0], expected)


@settings(max_examples=60)
@given(st.lists(st.floats(-6, 6), min_size=6, max_size=6), st.floats(0.0, 1.5))
def test_a_ball_touches_a_box_in_space_where_its_distance_is_the_radius(numbers, radius):
    """Corners and edges included: the ball must be as far from the box as its radius, and never nearer before."""
    half = np.array([1.0, 2.0, 0.5])
    box = sm.Boxes([0.0, 0.0, 0.0], half)
    origin, ahead = np.array(numbers[:3]), np.array(numbers[3:])

    def gap(x):
        return np.linalg.norm(x - np.clip(x, -half, half)) - radius

    if np.linalg.norm(ahead) < 1e-3 or gap(origin) <= 1e-9:
        return
    ahead = unit(ahead)
    (distance,), (normal,) = thick_cast(box, origin[None], ahead[None], radius)
    reached = distance if np.isfinite(distance) else 20.0
    before = [gap(origin + t * ahead) for t in np.linspace(0, reached, 200)[:-1]]
    assert min(before) > -1e-6
    if np.isfinite(distance):
        there = origin + distance * ahead
        assert gap(there) == pytest.approx(0, abs=1e-6)
        assert normal @ ahead <= 1e-9
        if radius > 1e-3:
            np.testing.assert_allclose(normal, (there - np.clip(there, -half, half)) / radius, atol=1e-5)


@pytest.mark.parametrize("radius", [0.5, 0.6])
@pytest.mark.parametrize(("way", "distance"), [((0, -1), 0.0), ((0, 1), np.inf), ((1, 0), np.inf), ((-1, 0), np.inf)])
def test_a_ball_at_the_side_of_a_box_is_stopped_only_if_it_goes_nearer(way, distance, radius):
    """Along the side it slides; also one that is a little too near."""
    place, way, half = ((np.float64(x), np.float64(y)) for x, y in ((0, 1.5), way, (1, 1)))
    found, normal = touch_straight_box(place, way, half, np.float64(radius), OUTSIDE)
    assert (found, normal) == (distance, (0, 1))


def test_orientations_of_all_kinds():
    matrix = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
    boxes = [sm.Boxes([1, 2, 3], [4, 1, 2], turn) for turn in (QUARTER, matrix)]
    np.testing.assert_allclose(boxes[0].orientation, boxes[1].orientation, atol=1e-12)
    assert boxes[0].cast([1, -20, 3], [0, 1, 0]).distance == pytest.approx(18)
    flat = sm.Boxes([[0, 0], [20, 0]], [3, 1], np.pi / 2)
    assert flat.cast([0, -10], [0, 1]).distance == pytest.approx(7)


def test_a_room_is_seen_from_inside():
    room = sm.Boxes([0, 0], [10, 5], seen_from="inside")
    distance, normal = thick_cast(room, np.array([[0.0, 0.0], [0, 4.5]]), np.array([[1.0, 0], [0, 1]]), 1.0)
    np.testing.assert_allclose(distance, [9, 0])
    np.testing.assert_allclose(normal, [[-1, 0], [0, -1]])
    assert room.cast([-20, 0], [1, 0]).distance == np.inf
    tube = sm.Capsules([0, 0, 0], [10, 0, 0], 2.0, seen_from="inside")
    assert thick_cast(tube, np.array([[5.0, 0, 0]]), np.array([[0, 1.0, 0]]), 0.5)[0][0] == pytest.approx(1.5)
    assert thick_cast(tube, np.array([[5.0, 0, 0]]), np.array([[1.0, 0, 0]]), 0.5)[0][0] == pytest.approx(6.5)


def test_on_a_torus():
    box = sm.Boxes([1.0, 10.0], [2, 1])
    torus = sm.Torus([20, 20])
    assert box.cast([15, 10], [1, 0], domain=torus).distance == pytest.approx(4)
    assert box.nearest([18, 10], torus).distance == pytest.approx(1)
    assert box.inside([19.5, 10], torus)


def test_degenerate_shapes_have_answers():
    point = sm.Capsules([1, 1], [1, 1], 0)
    assert point.nearest([4, 5]).distance == 5
    assert np.isfinite(point.nearest([1, 1]).normal).all()
    assert point.cast([1, 1], [1, 0]).distance == 0
    flat = sm.Boxes([0, 0], [2, 0])
    assert flat.nearest([0, 0]).distance == 0
    assert flat.cast([0, -3], [0, 1]).distance == 3


def test_errors():
    with pytest.raises(ValueError, match=r"b must have shape \(1, 2\) like a, got \(2, 2\)"):
        sm.Capsules([0, 0], [[1, 1], [2, 2]])
    with pytest.raises(ValueError, match="radius must be >= 0 m, got -1"):
        sm.Capsules([0, 0], [1, 1], -1)
    with pytest.raises(ValueError, match="size must be >= 0 m, as half extents, got -2"):
        sm.Boxes([0, 0], [1, -2])
    with pytest.raises(
        ValueError, match=r"size must be a number or have shape \(2,\) or \(1, 2\), of half extents, got \(3,\)"
    ):
        sm.Boxes([0, 0], [1, 2, 3])
    with pytest.raises(ValueError, match="orientation must consist of rotation matrices"):
        sm.Boxes([0, 0], 1, [[1, 0], [0, 2]])
    with pytest.raises(ValueError, match="orientation must consist of unit quaternions, got one of length 2"):
        sm.Boxes([0, 0, 0], 1, [2, 0, 0, 0])
    with pytest.raises(ValueError, match=r"orientation must have shape \(1,\) of angles, or that of one for all"):
        sm.Boxes([0, 0], 1, [1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="center must be finite, got nan"):
        sm.Boxes([0, np.nan])


@pytest.mark.parametrize("d", [2, 3])
def test_a_ball_that_has_no_room_inside_comes_no_nearer_to_the_walls(d):
    rng, end = np.random.default_rng(d), np.eye(d)[0] * 3
    places, ways = rng.uniform(-0.2, 0.2, (40, d)), unit(rng.normal(size=(40, d)))
    for room in (
        sm.Capsules(-end, end, 1.0, seen_from="inside"),
        sm.Spheres(np.zeros((1, d)), 1.0, seen_from="inside"),
        sm.Boxes(np.zeros((1, d)), np.ones(d), seen_from="inside"),
    ):
        assert (thick_cast(room, places, ways, 0.5)[0] > 0.1).all()
        there = places + thick_cast(room, places, ways, 1.9)[0][:, None] * ways
        assert (room.nearest(there).distance <= room.nearest(places).distance + 1e-9).all(), room


def test_quaternions_that_are_a_little_too_long_turn_boxes_and_do_not_enlarge_them():
    boxes = sm.Boxes(np.zeros((2, 3)), [1, 2, 3], 1.0009 * np.array([QUARTER, [0.5, 0.5, 0.5, 0.5]]))
    product = np.einsum("mij,mkj->mik", boxes.orientation, boxes.orientation)
    np.testing.assert_allclose(product, np.broadcast_to(np.eye(3), (2, 3, 3)), atol=1e-12)
