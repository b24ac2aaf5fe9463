"""Surfaces: nearest points, normals, where one stands. Compared with trimesh and closed forms."""

import numpy as np
import pytest
from later import later
from precision import assert_single_precision

import steersman as sm
from steersman.core.environment.shape import new_foot
from steersman.core.environment.surface import Ground
from steersman.core.environment.surfaces.heights import foot_on_ground, stand_on_ground
from steersman.core.environment.surfaces.plane import foot_on_plane

trimesh = later("trimesh")
Image = pytest.importorskip("PIL.Image")

RNG = np.random.default_rng(5)


def hills(**options):
    return sm.Heightfield(RNG.normal(size=(7, 5)), [-2, 0], [2, 3], **options)


def places(n=200):
    return np.column_stack([RNG.uniform(-3, 3, n), RNG.uniform(-1, 4, n), RNG.normal(0, 1.5, n)])


def nearest_by_trimesh(land, points):
    corners, faces = land.mesh()
    triangles = corners[faces]
    found = [
        trimesh.triangles.closest_point(triangles, np.broadcast_to(point, (len(triangles), 3))) for point in points
    ]
    away = np.array([np.linalg.norm(each - point, axis=1) for each, point in zip(found, points, strict=True)])
    best = away.argmin(axis=1)
    return np.array([each[k] for each, k in zip(found, best, strict=True)]), away.min(axis=1)


def test_the_nearest_point_of_a_landscape_is_that_of_its_mesh():
    land, points = hills(scale=0.7, base=1.0), places()
    expected, distance = nearest_by_trimesh(land, points)
    found = land.nearest(points)
    np.testing.assert_allclose(np.abs(found.distance), distance, atol=1e-12)
    np.testing.assert_allclose(found.point, expected, atol=1e-9)
    inside = (np.abs(points[:, 0]) < 2) & (points[:, 1] > 0) & (points[:, 1] < 3)
    above = points[:, 2] > land.height_at(points[:, :2])
    np.testing.assert_array_equal(found.distance[inside] > 0, above[inside])


def test_one_stands_on_the_mesh_with_the_normal_of_its_triangle():
    land, points = hills(), places()
    ground, normal = land.project(points)
    _, distance = nearest_by_trimesh(land, ground)
    np.testing.assert_allclose(distance, 0, atol=1e-12)
    np.testing.assert_allclose(ground[:, :2], np.clip(points[:, :2], [-2, 0], [2, 3]), atol=1e-15)
    corners, faces = land.mesh()
    mesh = trimesh.Trimesh(corners, faces, process=False)
    assert (mesh.face_normals[:, 2] > 0).all()
    away = np.abs(
        np.einsum(
            "ijk,ijk->ij",
            ground[:, None] - mesh.triangles[:, 0],
            np.repeat(mesh.face_normals[None], len(ground), axis=0),
        )
    )
    same = np.linalg.norm(normal[:, None] - mesh.face_normals, axis=2) < 1e-9
    assert np.any(same & (away < 1e-9), axis=1).all()


def test_heights_at_nodes_and_between():
    land = sm.Heightfield([[0, 1], [2, 5]], [10, 20], [14, 22], scale=2.0, base=-1.0)
    np.testing.assert_allclose(land.height_at([[10, 20], [14, 20], [10, 22], [14, 22]]), [-1, 3, 1, 9])
    np.testing.assert_allclose(land.height_at([12, 21]), (-1 + 9) / 2)  # On the diagonal.
    np.testing.assert_allclose(land.height_at([14, 21]), 6)
    np.testing.assert_allclose(land.height_at([[0, 0], [99, 99]]), [-1, 9])
    np.testing.assert_allclose(land.spacing, [4, 2])


def test_a_landscape_that_repeats():
    x = np.linspace(0, 2 * np.pi, 33)
    heights = np.round(np.sin(x)[:, None] + np.cos(x)[None, :], 9)
    land = sm.Heightfield(heights, [0, 0], [8, 8], repeat=True)
    points = np.column_stack([RNG.uniform(0, 8, (50, 2)), np.zeros(50)])
    ground, normal = land.project(points)
    moved, same = land.project(points + np.array([16, -24, 0]))
    np.testing.assert_allclose(moved, ground + np.array([16, -24, 0]), atol=1e-9)
    np.testing.assert_allclose(same, normal, atol=1e-6)
    with pytest.raises(ValueError, match="heights must be the same on opposite rims"):
        sm.Heightfield(heights[:-1], [0, 0], [8, 8], repeat=True)
    with pytest.raises(ValueError, match="heights must be the same on opposite rims"):
        sm.Heightfield(heights[:, :-1], [0, 0], [8, 8], repeat=True)


@pytest.mark.parametrize(("mode", "white"), [("L", 255), ("I;16", 65535)])
def test_gray_pictures(tmp_path, mode, white):
    pixels = np.array([[0, white], [white // 5, 0]], np.uint8 if mode == "L" else np.uint16)
    Image.fromarray(pixels).save(tmp_path / "land.png")
    land = sm.Heightfield(tmp_path / "land.png", [0, 0], [1, 1], scale=10.0)
    # The first row is the top, y = 1.
    np.testing.assert_allclose(land.height_at([[0, 1], [1, 1], [0, 0], [1, 0]]), [0, 10, 2, 0])


def test_a_plane():
    plane = sm.Plane([1, 1, 1], [0, 3, 4])
    found = plane.nearest([[1, 1, 6], [7, 1, 1], [0, -4, 1]])
    np.testing.assert_allclose(found.distance, [4, 0, -3])
    np.testing.assert_allclose(found.point[0], [1, 1 - 2.4, 6 - 3.2])
    ground, normal = plane.project([1, 1, 6])
    np.testing.assert_allclose(ground, found.point[0])
    np.testing.assert_allclose(normal, [0, 0.6, 0.8])


def test_a_sphere_is_a_surface_too():
    ground, normal = sm.Sphere([1, 0, 0], 2).project([[1, 0, 5], [1, 0, 0], [1.5, 0, 0]])
    np.testing.assert_allclose(ground, [[1, 0, 2], [3, 0, 0], [3, 0, 0]])
    np.testing.assert_allclose(normal, [[0, 0, 1], [1, 0, 0], [1, 0, 0]])


def test_what_is_refused(tmp_path):
    Image.fromarray(np.zeros((4, 4, 3), np.uint8)).save(tmp_path / "color.png")
    with pytest.raises(ValueError, match=r"heights must be a picture of mode L, .*got mode RGB"):
        sm.Heightfield(tmp_path / "color.png", [0, 0], [1, 1])
    with pytest.raises(FileNotFoundError, match="heights must be a picture file or an array"):
        sm.Heightfield("nowhere.png", [0, 0], [1, 1])
    with pytest.raises(ValueError, match=r"heights must have shape \(nx, ny\), at least 2 x 2, got \(1, 4\)"):
        sm.Heightfield(np.zeros((1, 4)), [0, 0], [1, 1])
    with pytest.raises(ValueError, match=r"heights must have shape \(nx, ny\), at least 2 x 2, got \(2, 3, 4\)"):
        sm.Heightfield(np.zeros((2, 3, 4)), [0, 0], [1, 1])
    with pytest.raises(ValueError, match="heights must be finite, got nan"):
        sm.Heightfield(np.full((2, 2), np.nan), [0, 0], [1, 1])
    with pytest.raises(ValueError, match="high must be above low"):
        sm.Heightfield(np.zeros((2, 2)), [0, 0], [1, 0])
    with pytest.raises(ValueError, match="normal must not be zero"):
        sm.Plane([0, 0, 0], [0, 0, 0])
    with pytest.raises(ValueError, match=r"normal must have shape \(3,\), got \(2,\)"):
        sm.Plane([0, 0, 0], [0, 1])


def test_stays_in_float32():
    columns = tuple(np.zeros((3, 2), np.float32))
    ground = Ground(columns, columns)
    foot = new_foot(2, 3, np.float32)
    land = hills(repeat=False)
    calls = [
        *land.project_calls(columns, ground),
        *land.foot_calls(columns, foot),
        *sm.Plane([0] * 3, [0, 0, 1]).foot_calls(columns, foot),
    ]
    assert [call.kernel for call in calls] == [stand_on_ground, foot_on_ground, foot_on_plane]
    for call in calls:
        assert_single_precision(call.kernel, np.uint64(0), np.uint64(1), *call.arguments)


def test_an_oblong_landscape_that_repeats_is_the_same_some_periods_away():
    """Its axes differ in the number of cells, their size, where they begin, and the period."""
    heights = np.random.default_rng(2).normal(0, 1, (7, 12))
    heights[-1], heights[:, -1] = heights[0], heights[:, 0]
    land = sm.Heightfield(heights, [-3.0, 10.0], [9.0, 21.0], repeat=True)
    points = np.random.default_rng(3).uniform([-3, 10, -2], [9, 21, 2], (200, 3))
    here = land.nearest(points)
    for x, y in ((1, 0), (0, 1), (-2, 0), (0, -3), (2, 5)):
        away = land.nearest(points + np.array([12.0 * x, 11.0 * y, 0.0]))
        np.testing.assert_allclose(away.distance, here.distance, atol=1e-9)
        np.testing.assert_allclose(away.normal, here.normal, atol=1e-6)
