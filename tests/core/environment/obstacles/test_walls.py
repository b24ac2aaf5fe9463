"""Walls: segments, chains and rings; against Shapely; from GeoJSON; what a ring may not do."""

import json

import numpy as np
import pytest
from core.environment.obstacles.oracles import assert_same_hits, march, thick_cast, unit

import steersman as sm

shapely = pytest.importorskip("shapely")

RNG = np.random.default_rng(8)
SQUARE = [[0.0, 0], [10, 0], [10, 10], [0, 10]]
L_SHAPE = [[0.0, 0], [30, 0], [30, 10], [10, 10], [10, 30], [0, 30]]
STAR = [[40 + r * np.cos(a), 20 + r * np.sin(a)] for a, r in zip(np.arange(10) * np.pi / 5, [9, 3] * 5, strict=True)]
HOLED = shapely.Polygon([[50, 30], [90, 30], [90, 60], [50, 60]], [[[55, 35], [55, 55], [85, 55], [85, 35]]])
TOWN = shapely.MultiPolygon([shapely.Polygon(L_SHAPE), shapely.Polygon(STAR), HOLED])
SPOTS = RNG.uniform(-5, 95, (400, 2)) * [1, 0.7]
WAYS = unit(RNG.normal(size=(400, 2)))


def town_distance(spot):
    at = shapely.Point(spot)
    return TOWN.boundary.distance(at) * (-1 if TOWN.contains(at) else 1)


def test_nearest_and_inside_are_what_shapely_says():
    town = sm.Walls.from_shapely(TOWN)
    distance = np.array([town_distance(spot) for spot in SPOTS])
    found = town.nearest(SPOTS)
    np.testing.assert_allclose(found.distance, distance, atol=1e-9)
    np.testing.assert_array_equal(town.inside(SPOTS), distance < 0)
    assert 20 < town.inside(SPOTS).sum() < 380
    np.testing.assert_allclose([town_distance(point) for point in found.point], 0, atol=1e-9)


@pytest.mark.parametrize("radius", [0.0, 1.1])
def test_balls_from_outside_stop_where_shapely_says(radius):
    town, outside = sm.Walls.from_shapely(TOWN), [town_distance(spot) > radius for spot in SPOTS]
    spots, ways = SPOTS[outside][:120], WAYS[outside][:120]
    expected = [
        march(s, w, radius, lambda x: TOWN.distance(shapely.Point(x))) for s, w in zip(spots, ways, strict=True)
    ]
    assert_same_hits(thick_cast(town, spots, ways, radius)[0], expected)


@pytest.mark.parametrize("radius", [0.0, 0.8])
def test_balls_from_inside_stop_at_the_walls(radius):
    town, inside = sm.Walls.from_shapely(TOWN, seen_from="inside"), [town_distance(spot) < -radius for spot in SPOTS]
    spots, ways = SPOTS[inside], WAYS[inside]
    expected = [
        march(s, w, radius, lambda x: TOWN.boundary.distance(shapely.Point(x)))
        for s, w in zip(spots, ways, strict=True)
    ]
    assert len(spots) > 20
    assert_same_hits(thick_cast(town, spots, ways, radius)[0], expected)


def test_many_walls_are_found_as_few_are():
    chain = np.cumsum(RNG.normal(size=(2000, 2)), axis=0)
    walls = sm.Walls(chain)
    line, spots = shapely.LineString(chain), RNG.uniform(-40, 40, (200, 2))
    assert len(walls) == 1999
    np.testing.assert_allclose(
        walls.nearest(spots).distance, [line.distance(shapely.Point(s)) for s in spots], atol=1e-9
    )


def test_no_ray_slips_through_where_walls_meet():
    angle = np.linspace(0, 2 * np.pi, 97)[:-1]
    ring = sm.Walls(10 * np.stack([np.cos(angle), np.sin(angle)], axis=1), closed=True, seen_from="inside")
    aims = unit(10 * np.stack([np.cos(angle), np.sin(angle)], axis=1))
    assert np.isfinite(ring.cast(np.zeros_like(aims), aims).distance).all()
    assert np.isfinite(ring.cast(np.full_like(aims, 0.3), aims).distance).all()


def test_the_front_of_a_wall():
    """To the left of the way from point to point, unless it is said to be to the right."""
    for front, below, above in (("left", np.inf, 5.0), ("right", 5.0, np.inf)):
        wall = sm.Walls([[0, 0], [10, 0]], front=front, seen_from="outside")
        assert (wall.cast([5, -5], [0, 1]).distance, wall.cast([5, 5], [0, -1]).distance) == (below, above)
    wall = sm.Walls([[0, 0], [10, 0]])
    assert wall.seen_from == "both"
    np.testing.assert_array_equal(wall.cast([[5, -5], [5, 5]], [[0, 1], [0, -1]]).normal, [[0, -1], [0, 1]])


def test_the_ends_of_a_chain_are_seen_from_the_front_of_the_wall_that_ends_there():
    """A disk of 0.5 m meets an end 0.3 m off the middle: before the wall that stops it, behind it the other wall does."""
    chain = sm.Walls([[0, 0], [10, 0], [10, 10]], seen_from="outside")
    spots = np.array([[-5.0, 0.3], [-5.0, -0.3], [9.7, 15.0], [10.3, 15.0]])
    ways = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, -1.0], [0.0, -1.0]])
    np.testing.assert_allclose(thick_cast(chain, spots, ways, 0.5)[0], [4.6, 14.6, 4.6, 14.6])


def test_rings_face_outwards_whichever_way_they_go():
    for ring in (SQUARE, SQUARE[::-1], [*SQUARE, SQUARE[0]]):
        assert sm.Walls(ring, closed=True).seen_from == "both"
        square = sm.Walls(ring, closed=True, seen_from="outside")
        assert (len(square), square.is_closed, square.seen_from) == (4, True, "outside")
        assert square.inside([[5, 5], [-1, 5]]).tolist() == [True, False]
        assert square.cast([-5, 5], [1, 0]).distance == 5


def test_a_ring_in_a_ring_is_a_hole():
    inner = np.array(SQUARE) * 0.5 + 2.5
    rings = sm.Walls([SQUARE, inner], closed=True)
    assert rings.inside([[1, 1], [5, 5], [-1, 5]]).tolist() == [True, False, False]


def test_a_vehicle_on_a_wall_is_stopped_only_when_it_moves_against_it():
    wall = sm.Walls([[0, 0], [10, 0]])
    spots, ways = np.full((4, 2), [5.0, 0.0]), np.array([[0.0, 1], [0, -1], [1, 0], unit(np.array([1.0, 1]))])
    distance, normal = thick_cast(wall, spots, ways, 0.5)
    np.testing.assert_array_equal(distance, [0, 0, np.inf, 0])
    np.testing.assert_array_equal(normal[:2], [[0, -1], [0, 1]])
    assert wall.nearest([5, 0]).distance == 0
    np.testing.assert_array_equal(np.abs(wall.nearest([5, 0]).normal), [0, 1])
    point = sm.Walls([[[3, 3], [3, 3]]])
    assert point.nearest([3, 7]).distance == 4
    assert np.isfinite(point.nearest([3, 3]).normal).all()
    assert thick_cast(point, np.array([[0.0, 3]]), np.array([[1.0, 0]]), 1.0)[0] == 2


def test_walls_that_meet_are_one_body():
    walls = sm.Walls([[[0, 0], [1, 0]], [[5, 5], [6, 5]], [[1, 0], [1, 1]]])
    np.testing.assert_array_equal(walls.groups, [0, 1, 0])
    center, radius = walls.bounding_spheres()
    assert center.shape == (2, 2)
    ends = np.array([[0, 0], [1, 0], [1, 1]])
    assert np.all(np.linalg.norm(ends - center[0], axis=1) <= radius[0] + 1e-12)


def test_geojson(tmp_path):
    document = {
        "type": "FeatureCollection",
        "features": [
            {"type": "Feature", "geometry": {"type": "Polygon", "coordinates": [[*SQUARE, SQUARE[0]]]}},
            {"type": "Feature", "geometry": {"type": "LineString", "coordinates": [[20, 0, 99], [20, 9, 99]]}},
            {"type": "Feature", "geometry": None},
        ],
    }
    file = tmp_path / "town.json"
    file.write_text(json.dumps(document))
    for walls in (sm.Walls.from_geojson(document), sm.Walls.from_geojson(file)):
        assert (len(walls), walls.closed, walls.is_closed) == (5, (True, False), False)
    assert len(sm.Walls.from_shapely([shapely.LineString(SQUARE), shapely.Polygon(L_SHAPE)])) == 9


@pytest.mark.parametrize("closed", [False, True])
def test_on_a_corner_far_from_the_origin_the_normal_is_that_of_the_wall(closed):
    corners = np.array(SQUARE, float)
    normal = sm.Walls(corners, closed=closed).nearest(corners).normal
    np.testing.assert_allclose(np.linalg.norm(normal, axis=1), 1)
    np.testing.assert_allclose(sm.Walls(corners + 1e4, closed=closed).nearest(corners + 1e4).normal, normal)


def test_bad_sources(tmp_path):
    with pytest.raises(FileNotFoundError, match="path must name a GeoJSON file"):
        sm.Walls.from_geojson(tmp_path / "none.json")
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(ValueError, match=r"bad\.json must be a GeoJSON file"):
        sm.Walls.from_geojson(tmp_path / "bad.json")
    with pytest.raises(ValueError, match="must consist of lines and polygons, got 'Point'"):
        sm.Walls.from_geojson({"type": "Point", "coordinates": [1, 2]})
    with pytest.raises(TypeError, match="geometry must be a Shapely geometry"):
        sm.Walls.from_shapely("town")


@pytest.mark.parametrize(
    ("ring", "message"),
    [
        ([[0, 0], [10, 10], [10, 0], [0, 10]], r"a ring must not touch itself, got one that does near \[5\.0, 5\.0\]"),
        ([[0, 0], [10, 0], [10, 10], [5, 0], [0, 10]], "must not touch itself"),  # a corner on another wall
        ([[0, 0], [10, 0], [4, 0], [4, 8]], "must not touch itself"),  # back on the same way
        ([[0, 0], [5, 5], [10, 0], [10, 10], [5, 5], [0, 10]], "must not touch itself"),  # one corner twice
        ([[0, 0], [10, 0]], "points must be at least 3 different points of a ring, got 2"),
        ([[0, 0], [10, 0], [0, np.nan]], "points must be finite, got nan"),
        (np.zeros((4, 3)), r"points must have shape \(k, 2\) \(walls are flat; in 3D use TriangleMesh\), got \(4, 3\)"),
        ([], "points must be at least one chain"),
    ],
)
def test_bad_rings(ring, message):
    with pytest.raises(ValueError, match=message):
        sm.Walls(ring, closed=True)


def test_rings_that_cross_are_refused_and_neighbors_are_not():
    square = np.array(SQUARE)
    with pytest.raises(ValueError, match="rings must not cross"):
        sm.Walls([square, square + 5], closed=True)
    assert len(sm.Walls([square, square + np.array([10, 0])], closed=True)) == 8


def test_walls_without_an_inside_say_so():
    walls = sm.Walls([[[0, 0], [1, 0]], [[1, 0], [1, 1]]])
    with pytest.raises(ValueError, match="Walls must be closed to have an inside, got 2 of 2 chains that are no rings"):
        walls.inside([0, 0])
