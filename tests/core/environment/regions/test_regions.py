"""Regions: what is inside, what is nearest, where ways leave. Compared with shapely, brute force and closed forms."""

import numpy as np
import pytest
from precision import assert_single_precision

import steersman as sm
from steersman.core.environment.regions.boxed import foot_on_box, leave_box
from steersman.core.environment.regions.polygon import foot_on_polygon, leave_polygon
from steersman.core.environment.regions.sphere import foot_on_sphere, leave_sphere
from steersman.core.environment.shape import new_foot

shapely = pytest.importorskip("shapely")

RNG = np.random.default_rng(3)
STAR = np.array([[0, 0], [4, 1], [9, -2], [7, 4], [10, 8], [5, 6], [1, 9], [2, 4]], float)
REGIONS = {
    "disc": sm.Sphere([3, 4], 5),
    "ball": sm.Sphere([3, 4, -1], 5),
    "rectangle": sm.Box([8, 5], [-1, 2]),
    "box": sm.Box([8, 5, 3], [-1, 2, 0]),
    "polygon": sm.Polygon(STAR),
    "clockwise": sm.Polygon(STAR[::-1]),
}
ALL = pytest.mark.parametrize("name", REGIONS)


def points_around(region, n=300):
    low, high = region.bounds
    return RNG.uniform(low - 3, high + 3, (n, region.dimensions))


@ALL
def test_the_contract(name):
    """The foot lies on the boundary, and next to it, toward the point, it is inside or outside like the point."""
    region = REGIONS[name]
    points = points_around(region)
    distance, foot, normal = region.nearest(points)
    np.testing.assert_allclose(np.linalg.norm(normal, axis=1), 1, rtol=1e-12)
    np.testing.assert_allclose(region.nearest(foot).distance, 0, atol=1e-12)
    np.testing.assert_allclose(points - foot, distance[:, None] * normal, atol=1e-12)
    np.testing.assert_array_equal(region.inside(points), distance <= 0)
    assert 10 < np.sum(distance <= 0) < 290
    toward = foot + 1e-9 * np.sign(distance)[:, None] * normal
    np.testing.assert_array_equal(region.inside(toward), distance <= 0)
    inside = region.nearest_inside(points)
    np.testing.assert_array_equal(inside[distance <= 0], points[distance <= 0])
    np.testing.assert_allclose(inside[distance > 0], foot[distance > 0])


@pytest.mark.parametrize("name", ["polygon", "clockwise", "rectangle"])
def test_like_shapely(name):
    region = REGIONS[name]
    shape = shapely.Polygon(STAR) if name != "rectangle" else shapely.box(-1, 2, 7, 7)
    points = points_around(region, 500)
    where = shapely.points(points)
    sign = np.where(shapely.contains(shape, where), -1, 1)
    np.testing.assert_allclose(
        region.nearest(points).distance, sign * shapely.distance(shape.exterior, where), atol=1e-12
    )


@ALL
def test_no_point_of_the_boundary_is_nearer(name):
    region = REGIONS[name]
    points = points_around(region, 40)
    rim = region.nearest(points_around(region, 4000)).point
    gaps = np.linalg.norm(points[:, None] - rim, axis=2).min(axis=1)
    distance = np.abs(region.nearest(points).distance)
    assert (distance <= gaps + 1e-9).all()
    assert (distance >= gaps - 1.0).all()


@ALL
def test_ways_leave_where_they_first_get_outside(name):
    """By small steps along the way: at the first one outside, the normal of the boundary nearest to it."""
    region = REGIONS[name]
    every = points_around(region, 4000)
    inside = region.inside(every)
    origin, to = every[inside][:60], every[~inside][:60]
    beyond, normal = region.leaving(origin, to)
    assert (beyond > 0).all()
    steps = np.linspace(0, 1, 4001)[:, None]
    compared = 0
    for k in range(60):
        way = origin[k] + steps * (to[k] - origin[k])
        first = int(np.argmax(~region.inside(way)))
        expected = region.nearest(way[[first - 1, first]]).normal
        if np.allclose(*expected, atol=1e-2):  # Not at a corner.
            compared += 1
            np.testing.assert_allclose(normal[k], expected[0], atol=1e-2)
    assert compared > 50


@pytest.mark.parametrize("name", [*REGIONS, "interior", "round interior"])
def test_no_way_from_outside_leaves(name):
    """Also if it crosses the region, or ends in it: who is outside has left before."""
    interiors = {
        "interior": lambda: sm.Interior(sm.Walls(STAR, closed=True)),
        "round interior": lambda: sm.Interior(sm.Spheres([[3, 4]], 5)),
    }
    region = REGIONS[name] if name in REGIONS else interiors[name]()
    low, high = region.bounds
    every = np.random.default_rng(5).uniform(low - 3, high + 3, (8000, region.dimensions))
    outside = every[~region.inside(every)]
    begin, end = outside[:1000], np.concatenate([outside[1000:1800], every[region.inside(every)][:200]])
    halves = begin + np.linspace(0, 1, 41)[1:-1, None, None] * (end - begin)
    crosses = region.inside(halves.reshape(-1, region.dimensions)).reshape(39, -1).any(axis=0)
    assert crosses[:800].sum() > 50
    beyond, normal = region.leaving(begin, end)
    np.testing.assert_array_equal(beyond, 0)
    np.testing.assert_allclose(normal, region.nearest(end).normal, atol=1e-12)


@ALL
def test_from_the_boundary_ways_leave_that_lead_outwards(name):
    region = REGIONS[name]
    if name in ("disc", "ball"):
        side = np.eye(region.dimensions)[0]
        begin = region.center + 5 * np.stack([side, -side])
        out = np.stack([side, -side])
    else:
        begin = np.array([[7.0, 3.0, 1.0], [0.0, 2.0, 1.0]])[:, : region.dimensions]
        out = np.eye(region.dimensions)[[0, 1]] * [[1], [-1]]
        if "box" not in name and name != "rectangle":
            begin, out = STAR[[0, 2]], np.array([[-1.0, -1.0], [1.0, -1.0]])
    beyond, normal = region.leaving(begin, begin + 2 * out)
    assert (beyond > 0).all()
    assert (np.sum(normal * out, axis=1) > 0).all()


def test_one_origin_is_that_of_all_ways_and_another_number_than_that_of_points_is_refused():
    """Kernels do not check their indices: they read beyond the end of the origins."""
    ends = np.array([[9.0, 3.0], [4.0, 7.0], [-1.0, 2.0]])
    box = sm.Box([8, 5])
    for found, expected in zip(box.leaving([1, 4], ends), box.leaving(np.tile([1, 4], (3, 1)), ends), strict=True):
        np.testing.assert_array_equal(found, expected)
    with pytest.raises(ValueError, match="origin must be one place or 3, as many as points, got 2"):
        box.leaving(np.ones((2, 2)), ends)


def test_ways_that_do_not_leave_have_the_normal_of_their_end():
    box = REGIONS["rectangle"]
    np.testing.assert_allclose(box.leaving([0, 3], [-0.5, 4])[1], [-1, 0], atol=1e-15)
    np.testing.assert_allclose(box.leaving([20, 3], [9, 3])[1], [1, 0], atol=1e-15)
    assert box.leaving([0, 3], [-0.5, 4])[0] == 0


def test_how_far_beyond_a_way_ends():
    """Out of a box through its upper face; and across the dent of a polygon, where it ends inside again."""
    beyond, normal = sm.Box([8, 5]).leaving([1, 4], [4, 7])
    np.testing.assert_allclose(beyond, 2)
    np.testing.assert_allclose(normal, [0, 1], atol=1e-15)
    dented = sm.Polygon([[0, 0], [10, 0], [10, 8], [5, 3], [0, 8]])
    beyond, normal = dented.leaving([1, 6], [9, 6])
    np.testing.assert_allclose(normal, [np.sqrt(0.5), np.sqrt(0.5)])
    np.testing.assert_allclose(beyond, 7 / np.sqrt(2))
    assert not dented.is_convex
    assert sm.Polygon([[0, 0], [2, 0], [4, 0], [0, 3]]).is_convex
    assert sm.Polygon([[0, 0], [4, 0], [0, 3]]).is_convex


@pytest.mark.parametrize("size", [1e-5, 1.0, 1e5])
@pytest.mark.parametrize("turned", np.linspace(0, 3, 7))
def test_a_polygon_is_sharp_where_a_corner_has_less_than_a_right_angle(turned, size):
    """Dents do not count: around them the region is wide. How large it is does not matter."""
    rotation = np.array([[np.cos(turned), np.sin(turned)], [-np.sin(turned), np.cos(turned)]])

    def is_sharp(*corners):
        return sm.Polygon(size * np.array(corners) @ rotation).is_sharp

    assert is_sharp([0, 0], [4, 0], [0, 3])
    assert not is_sharp([0, 0], [4, 0], [4, 3], [0, 3])
    assert is_sharp([0, 0], [4, 0], [4, 3], [0.05, 3])
    assert not is_sharp([0, 0], [6, 0], [6, 6], [3.1, 6], [3, 1], [2.9, 6], [0, 6])


@pytest.mark.parametrize("size", [1e-5, 1.0, 1e5])
def test_a_corner_on_a_straight_side_is_no_dent_however_the_polygon_lies(size):
    """Half of them had a dent by rounding."""
    rng = np.random.default_rng(0)
    for _ in range(40):
        turned, part = rng.uniform(0, 6), rng.uniform(0.1, 0.9)
        rotation = np.array([[np.cos(turned), np.sin(turned)], [-np.sin(turned), np.cos(turned)]])
        moved = rng.uniform(-9, 9, 2)
        straight, dented = (
            sm.Polygon(size * (np.array([[0, 0], [4 * part, dent], [4, 0], [4, 3], [0, 3]]) @ rotation + moved))
            for dent in (0, 1e-6)
        )
        assert straight.is_convex
        assert not dented.is_convex


@ALL
def test_on_a_torus_the_image_near_the_middle_counts(name):
    region = REGIONS[name]
    torus = sm.Torus([40] * region.dimensions)
    points = points_around(region, 50)
    moved = points + 40 * RNG.integers(-3, 3, points.shape)
    np.testing.assert_allclose(region.nearest(moved, torus).distance, region.nearest(points).distance, atol=1e-9)
    np.testing.assert_allclose(region.nearest_inside(moved, torus), region.nearest_inside(points), atol=1e-9)


def test_in_the_very_middle_and_on_corners():
    assert sm.Sphere([1, 2], 3).nearest([1, 2]).distance == -3
    np.testing.assert_array_equal(sm.Sphere([1, 2], 3).nearest([1, 2]).normal, [1, 0])
    assert sm.Box([4, 2]).nearest([2, 1]).distance == -1
    for corner in STAR:
        found = REGIONS["polygon"].nearest(corner)
        assert abs(found.distance) < 1e-15
        np.testing.assert_allclose(np.linalg.norm(found.normal), 1)


def test_some_point_is_as_deep_as_promised():
    for region in REGIONS.values():
        deepest = -region.nearest(points_around(region, 3000)).distance.min()
        assert region.depth <= deepest * 1.3


def test_measures_of_a_polygon():
    triangle = sm.Polygon([[0, 0], [4, 0], [0, 3]])
    assert triangle.area == 6
    assert triangle.depth == 0.5
    assert sm.Polygon([[0, 0], [4, 0], [4, 0], [0, 3], [0, 0]]).points.shape == (3, 2)


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ([[0, 0], [1, 0]], "points must be at least 3 different corners, got 2"),
        ([[0, 0], [1, 1], [1, 1], [0, 0]], "points must be at least 3 different corners, got 2"),
        ([[0, 0], [2, 2], [2, 0], [0, 2]], "a ring must not touch itself, got one that does near"),
        ([[0, 0], [4, 0], [2, 0], [2, 2]], "a ring must not touch itself"),
        ([[0, 0], [4, 0], [4, 4], [2, 0], [0, 4]], "a ring must not touch itself"),
        ([[0, 0], [1, 0], [np.nan, 1]], "points must be finite, got nan"),
        (np.zeros((3, 3)), r"points must have shape \(n, 2\), got \(3, 3\)"),
    ],
)
def test_polygons_that_are_none(points, message):
    with pytest.raises(ValueError, match=message):
        sm.Polygon(points)


def test_spheres_that_are_none():
    with pytest.raises(ValueError, match="radius must be > 0 m, got 0"):
        sm.Sphere([0, 0], 0)
    with pytest.raises(ValueError, match=r"center must have shape \(2,\) or \(3,\), got \(1, 2\)"):
        sm.Sphere([[0, 0]], 1)


@pytest.mark.parametrize(("foot", "leave", "name"), [
    (foot_on_sphere, leave_sphere, "ball"), (foot_on_box, leave_box, "box"), (foot_on_polygon, leave_polygon, "polygon"),
])  # fmt: skip
def test_stays_in_float32(foot, leave, name):
    d = REGIONS[name].dimensions
    columns = tuple(np.zeros((d, 2), np.float32))
    found = new_foot(2, d, np.float32)
    for kernel, call in zip(
        (foot, leave), REGIONS[name].foot_calls(columns, found) + REGIONS[name].leaving_calls(columns, columns, found, found),
        strict=True,
    ):  # fmt: skip
        assert call.kernel is kernel
        assert_single_precision(kernel, np.uint64(0), np.uint64(1), *call.arguments)


@pytest.mark.parametrize("corner", [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
def test_a_way_out_exactly_through_a_corner_leaves(corner):
    """Both edges end there; the way leaves through one of them."""
    square = sm.Polygon([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    beyond, normal = square.leaving([0.0, 0.0], 2 * np.array(corner))
    assert beyond == pytest.approx(1.0)
    assert normal @ corner == pytest.approx(1.0), "an edge of this corner"
