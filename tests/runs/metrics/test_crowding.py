"""Densities: cells whose areas are known, and cells cut out of all bisectors one by one."""

import itertools
import math

import numpy as np
import pytest

import steersman as sm
from steersman.runs.metrics import crowding, density, voronoi_areas, voronoi_density

FLOOR = sm.Box([10, 8])
KITE = sm.Polygon([[0, 4], [5, 0], [9, 4], [5, 8]])


def planes_of(corners):
    return [
        (b[1] - a[1], a[0] - b[0], (b[1] - a[1]) * a[0] + (a[0] - b[0]) * a[1])
        for a, b in itertools.pairwise([*corners, corners[0]])
    ]


def corners_of(floor):
    if floor is KITE:
        return KITE.points.tolist()
    (x, y), (u, v) = floor.bounds
    return [[x, y], [u, y], [u, v], [x, v]]


def common_area(planes):
    """The area where a x + b y <= c for all planes: crossings of two lines that lie in all of them, around their middle."""
    points = []
    for (a, b, c), (d, e, f) in itertools.combinations(planes, 2):
        if abs(a * e - b * d) > 1e-12:
            p = ((c * e - b * f) / (a * e - b * d), (a * f - c * d) / (a * e - b * d))
            if all(s * p[0] + t * p[1] <= u + 1e-9 for s, t, u in planes):
                points.append(p)
    if len(points) < 3:
        return 0.0
    mx, my = sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points)
    points.sort(key=lambda p: math.atan2(p[1] - my, p[0] - mx))
    return sum(p[0] * q[1] - p[1] * q[0] for p, q in itertools.pairwise([*points, points[0]])) / 2


def bisector(p, q):
    """What is nearer to p than to q."""
    return 2 * (q[0] - p[0]), 2 * (q[1] - p[1]), q[0] ** 2 + q[1] ** 2 - p[0] ** 2 - p[1] ** 2


def cell_planes(position, i, floor, period):
    images = [0] if period is None else [-1, 0, 1]
    near = [(x + a * (period or 0), y + b * (period or 0)) for x, y in position for a in images for b in images]
    p = position[i]
    planes = [bisector(p, q) for q in near if tuple(q) != tuple(p)]
    return planes + (planes_of(corners_of(floor)) if floor is not None else [])


@pytest.mark.each_value
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("floor", [FLOOR, KITE, None], ids=["box", "kite", "torus"])
@pytest.mark.parametrize("n", [1, 2, 3, 13])
def test_cells_are_what_all_bisectors_leave(floor, n, dtype):
    position = (3 + 3 * np.random.default_rng(n).uniform(0, 1, (n, 2))).astype(dtype)
    period, domain = (None, None) if floor is not None else (7.0, sm.Torus([7, 7]))
    plain = position.astype(float).tolist()
    expected = [common_area(cell_planes(plain, i, floor, period)) for i in range(n)]
    areas = voronoi_areas(position, floor, domain)
    np.testing.assert_allclose(areas, expected, rtol=1e-7)
    whole = 49 if floor is None else crowding.extent("floor", floor)
    assert areas.sum() == pytest.approx(whole, rel=1e-9)

    room = sm.Box([2.5, 1.5], [3.2, 4.1])
    parts = [common_area(cell_planes(plain, i, floor, period) + planes_of(corners_of(room))) for i in range(n)]
    if floor is not None:  # On a torus, cells reach the room from around the edge, too.
        found = voronoi_density(position, room, domain, within=floor)
        assert found == pytest.approx(sum(p / a for p, a in zip(parts, expected, strict=True)) / 3.75, rel=1e-7)


def test_an_area_over_the_seam_of_a_torus_is_one():
    position = np.random.default_rng(5).uniform(0, 6, (40, 2))
    torus = sm.Torus([6, 6])
    here = voronoi_density(position, sm.Box([2, 2], [2, 2]), torus)
    for shift in ([3, 0], [0, 3.5], [3, 3], [-20, 9]):
        moved = (position + shift) % 6
        assert voronoi_density(moved, sm.Box([2, 2], np.add([2, 2], shift)), torus) == pytest.approx(here, rel=1e-9)
    assert voronoi_density(position, sm.Box([6, 6]), torus) == pytest.approx(40 / 36)


def test_a_lattice_has_cells_of_one_size_and_many_neighbors_are_looked_at_where_they_are_needed():
    side = np.arange(20) + 0.5
    lattice = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    np.testing.assert_allclose(voronoi_areas(lattice, sm.Box([20, 20])), 1.0, rtol=1e-9)
    np.testing.assert_allclose(voronoi_areas(lattice, None, sm.Torus([20, 20])), 1.0, rtol=1e-9)
    around = np.linspace(0, 2 * np.pi, 300, endpoint=False)  # All are neighbors of the one in the middle.
    wheel = np.concatenate([[[0.0, 0.0]], 4 * np.stack([np.cos(around), np.sin(around)], axis=1)])
    areas = voronoi_areas(wheel, sm.Box([20, 20], -10))
    assert areas[0] == pytest.approx(300 * 2**2 * math.tan(math.pi / 300), rel=1e-9)
    assert areas.sum() == pytest.approx(400)


def test_those_at_one_place_share_a_cell_and_those_outside_have_none():
    areas = voronoi_areas([[2, 4], [8, 4], [8, 4], [30, 4]], FLOOR)
    np.testing.assert_allclose(areas, [40, 20, 20, np.nan])
    assert voronoi_density([[2, 4], [8, 4], [8, 4], [30, 4]], FLOOR) == pytest.approx(3 / 80)
    on_torus = voronoi_areas([[0, 0], [10, 8], [5, 4]], None, sm.Torus([10, 8]))
    np.testing.assert_allclose(on_torus, [20, 20, 40])


def test_nobody_and_several_frames():
    assert voronoi_areas(np.zeros((0, 2)), FLOOR).shape == (0,)
    assert voronoi_density(np.zeros((0, 2)), FLOOR) == 0
    frames = np.random.default_rng(0).uniform(0, 8, (3, 30, 2))
    areas, densities = voronoi_areas(frames, FLOOR), voronoi_density(frames, KITE, within=FLOOR)
    for k in range(3):
        np.testing.assert_array_equal(areas[k], voronoi_areas(frames[k], FLOOR))
        assert densities[k] == voronoi_density(frames[k], KITE, within=FLOOR)


def test_vehicles_are_measured():
    crowd = sm.Vehicles(np.random.default_rng(0).uniform(0, 8, (30, 2)))
    assert voronoi_density(crowd, FLOOR) == pytest.approx(30 / 80)
    assert density(sm.World().add(crowd), FLOOR) == pytest.approx(30 / 80)


def test_density_of_boxes_and_polygons():
    position = [[1, 1], [5, 4], [9.9, 7.9], [11, 1]]
    assert density(position, FLOOR) == pytest.approx(3 / 80)
    assert density(position, KITE) == pytest.approx(1 / 36)
    assert density([[1, 1, 1], [5, 5, 5]], sm.Box([2, 2, 2])) == pytest.approx(1 / 8)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: voronoi_areas([[1, 1, 1]], FLOOR), ValueError, "position must be in the plane"),
        (
            lambda: voronoi_areas([[1, 1]]),
            ValueError,
            "within must be a Box or a Polygon where space has no end",
        ),
        (
            lambda: voronoi_areas([[1, 1]], FLOOR, sm.Torus([9, 9])),
            ValueError,
            "within must be None on a Torus or in a periodic Box: such a domain is the floor itself",
        ),
        (
            lambda: voronoi_density([[1, 1]], FLOOR, sm.Box([9, 9], periodic="x"), within=FLOOR),
            ValueError,
            "within must be None on a Torus or in a periodic Box",
        ),
        (
            lambda: voronoi_areas([[1, 1]], sm.Sphere([0, 0], 3)),
            TypeError,
            "within must be a Box or a Polygon, got",
        ),
        (
            lambda: voronoi_density([[1, 1]], sm.Polygon([[0, 0], [4, 0], [1, 1], [0, 4]]), sm.Torus([9, 9])),
            ValueError,
            "area must be a Box or a convex Polygon on a Torus or in a periodic Box, got one with a dent",
        ),
        (lambda: voronoi_density([[1, 1]], 3.0), TypeError, "must be a Box or a Polygon"),
        (lambda: density([[1, 1]], 3.0), TypeError, "region must be a Box, Sphere or Polygon"),
        (lambda: voronoi_areas([[np.nan, 1]], FLOOR), ValueError, "position must be finite, got nan"),
    ],
)
def test_what_makes_no_sense_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_a_box_that_is_the_space_is_the_floor():
    places = np.random.default_rng(0).uniform(1, [16, 5], (30, 2))
    box = sm.Box([15, 4], origin=1.0)
    assert voronoi_areas(places, None, box) == pytest.approx(voronoi_areas(places, box))
    joined = sm.Box([15, 4], 1.0, periodic="x")
    whole = voronoi_areas(places, None, joined)
    assert whole.sum() == pytest.approx(60.0)
    for beyond in ([7, 5.1], [99, 0.9]):  # Beside a wall; along x there is no beyond.
        np.testing.assert_allclose(voronoi_areas([beyond, *places.tolist()], None, joined), [np.nan, *whole])
    np.testing.assert_allclose(voronoi_areas(places + np.array([15, 0]), None, joined), whole)


@pytest.mark.parametrize(("frames", "n"), [(0, 5), (0, 0), (3, 0), (1, 1)])
def test_cells_of_no_frames_and_of_nobody_have_their_shape(frames, n):
    places = np.ones((frames, n, 2))
    assert voronoi_areas(places, None, sm.Torus([10, 10])).shape == (frames, n)
    assert voronoi_areas(places, sm.Box([10, 10])).shape == (frames, n)
    assert voronoi_density(places, sm.Box([10, 10])).shape == (frames,)


ROOM = sm.Polygon(
    [[0, 0], [4, 0], [4, 1.5], [5, 1.5], [5, 0], [9, 0], [9, 4], [5, 4], [5, 2.5], [4, 2.5], [4, 4], [0, 4]]
)
"""Two rooms of 4 by 4 m with a door of 1 by 1 m between them."""


def test_cells_in_a_room_with_its_door_end_at_its_walls():
    pytest.importorskip("shapely")
    assert ROOM.area == 33
    two = [[2, 2], [7, 2]]
    np.testing.assert_allclose(voronoi_areas(two, ROOM), 16.5)  # Each has its room and half of the door.
    assert voronoi_density(two, ROOM) == pytest.approx(2 / 33)
    assert voronoi_density(two, sm.Box([4, 4]), within=ROOM) == pytest.approx(1 / 16.5)
    np.testing.assert_array_equal(voronoi_areas([[2, 2], [4.5, 0.5]], ROOM), [33, np.nan])
    beside = voronoi_areas([[3.9, 0.2], [2, 3.9], [5.1, 0.2], [4.5, 2]], ROOM)
    assert np.isfinite(beside).all()
    alone, shared = voronoi_areas([[2, 2], [7, 2], [7, 2]], ROOM)[[0, 1]]
    assert (alone, shared) == pytest.approx((16.5, 8.25))


def test_what_lies_behind_a_wall_is_no_part_of_a_cell():
    """The corner at (5, 4) is nearest to the vehicle at the other side of the wall, beyond the cells of the two others."""
    pytest.importorskip("shapely")
    areas = voronoi_areas([[3.8, 3.8], [4.5, 2.0], [7.0, 2.0]], ROOM)
    assert areas[0] < 16
    lost = 33 - areas.sum()
    rng = np.random.default_rng(0)
    probes = rng.uniform([5, 2.5], [7, 4], (50_000, 2))
    distance = np.linalg.norm(probes[:, None] - [[3.8, 3.8], [4.5, 2.0], [7.0, 2.0]], axis=-1)
    assert lost == pytest.approx(3 * np.mean(np.argmin(distance, axis=1) == 0), rel=0.03)
    assert lost > 0.3


@pytest.mark.parametrize("n", [1, 2, 13, 60])
def test_floors_with_a_dent_of_no_size_are_as_those_without(n):
    pytest.importorskip("shapely")
    dented = sm.Polygon([[0, 0], [5, 1e-8], [10, 0], [10, 8], [0, 8]])
    assert not dented.is_convex
    crowd = np.random.default_rng(n).uniform([0, 0], [10, 8], (3, n, 2))
    crowd[0, -1] = crowd[0, 0]
    np.testing.assert_allclose(voronoi_areas(crowd, dented), voronoi_areas(crowd, FLOOR), rtol=1e-6)
    np.testing.assert_allclose(
        voronoi_density(crowd, KITE, within=dented), voronoi_density(crowd, KITE, within=FLOOR), rtol=1e-6
    )


def test_a_dented_area_is_measured_as_the_sum_of_its_parts():
    pytest.importorskip("shapely")
    crowd = np.random.default_rng(3).uniform([0, 0], [10, 8], (40, 2))
    corner = sm.Polygon([[0, 0], [6, 0], [6, 2], [2, 2], [2, 6], [0, 6]])
    parts = sm.Box([6, 2]), sm.Box([2, 4], [0, 2])
    expected = sum(voronoi_density(crowd, each, within=FLOOR) * np.prod(each.size) for each in parts) / corner.area
    assert voronoi_density(crowd, corner, within=FLOOR) == pytest.approx(expected, rel=1e-9)
