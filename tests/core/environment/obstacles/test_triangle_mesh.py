"""Triangle meshes against trimesh: nearest points, inside, rays, balls; files; closed and open."""

import builtins
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest
from core.environment.obstacles.oracles import assert_same_hits, march, thick_cast, unit
from later import later

import steersman as sm

trimesh = later("trimesh")

RNG = np.random.default_rng(3)
TETRAHEDRON = (
    np.array([[0.0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]]),
    np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]),
)


@cache
def potato():
    """A closed surface with dents."""
    ball = trimesh.creation.icosphere(subdivisions=2)
    return trimesh.Trimesh(ball.vertices * (10 + 3 * np.sin(3 * ball.vertices.sum(axis=1)))[:, None], ball.faces)


SPOTS = RNG.uniform(-14, 14, (120, 3))
WAYS = unit(RNG.normal(size=(120, 3)))


def winding(points):
    """How often a surface goes round points: 1 inside, 0 outside (solid angles of Van Oosterom and Strackee 1983)."""
    a, b, c = (potato().triangles[None, :, k] - points[:, None] for k in range(3))
    x, y, z = (np.linalg.norm(v, axis=2) for v in (a, b, c))
    volume = np.sum(a * np.cross(b, c), axis=2)
    below = x * y * z + np.sum(a * b, axis=2) * z + np.sum(b * c, axis=2) * x + np.sum(c * a, axis=2) * y
    return np.arctan2(volume, below).sum(axis=1) / (2 * np.pi)


def far(point):
    return trimesh.proximity.closest_point_naive(potato(), point[None])[1][0]


@pytest.fixture(scope="module")
def mesh():
    return sm.TriangleMesh.from_trimesh(potato())


def test_nearest_points_and_inside_are_those_of_trimesh(mesh):
    point, distance, _ = trimesh.proximity.closest_point_naive(potato(), SPOTS)
    inside = winding(SPOTS) > 0.5
    found = mesh.nearest(SPOTS)
    np.testing.assert_allclose(found.distance, np.where(inside, -distance, distance), atol=1e-9)
    np.testing.assert_allclose(found.point, point, atol=1e-6)
    np.testing.assert_array_equal(mesh.inside(SPOTS), inside)
    assert 20 < inside.sum() < 100


def test_points_near_edges_and_corners_are_on_the_right_side(mesh):
    """Where the normal of the nearest face alone would be wrong."""
    spots = np.concatenate([potato().vertices[:60] * 0.999, potato().vertices[:60] * 1.001])
    np.testing.assert_array_equal(mesh.inside(spots), winding(spots) > 0.5)


def test_a_corner_with_many_slivers_on_one_side_faces_where_it_did_without():
    """A needle one of whose faces is cut into a fan: a mean over faces would look along that face's normal."""
    apex, base = [0.0, 0, 10], np.array([[1.0, 0, 0], [-0.5, 0.87, 0], [-0.5, -0.87, 0]])
    cuts = base[0] + np.linspace(0, 1, 21)[1:-1, None] * (base[1] - base[0])
    rim = np.concatenate([base[:1], cuts, base[1:]])
    around = [[0, k, k % len(rim) + 1] for k in range(1, len(rim) + 1)]
    below = [[1, k + 1, k] for k in range(2, len(rim))]
    needle = sm.TriangleMesh(np.concatenate([[apex], rim]), around + below)
    assert needle.is_closed
    for a, b in ((0, 1), (1, 2), (2, 0)):
        out = np.cross(base[a] - apex, base[b] - apex)
        spot = apex + 0.01 * (0.95 * unit(out) + 0.05 * np.array([0, 0, 1]))
        assert needle.nearest(spot).distance > 0
    assert needle.inside([0, 0, 9.9])


def test_on_a_corner_far_from_the_origin_the_normal_is_that_of_the_surface():
    """How far a point is off the surface is the rounding error of its coordinates there, and no direction."""
    corners, faces = TETRAHEDRON
    normal = sm.TriangleMesh(corners, faces).nearest(corners).normal
    np.testing.assert_allclose(np.linalg.norm(normal, axis=1), 1)
    np.testing.assert_allclose(sm.TriangleMesh(corners + 1e4, faces).nearest(corners + 1e4).normal, normal)


def test_rays_hit_the_first_triangle(mesh):
    """All triangles, by Moeller and Trumbore's formula; only fronts count."""
    a, b, c = (potato().triangles[:, k] for k in range(3))
    for spot, way in zip(SPOTS, WAYS, strict=True):
        across = np.cross(way, c - a)
        scale = np.sum((b - a) * across, axis=1)
        u = np.sum((spot - a) * across, axis=1) / scale
        upward = np.cross(spot - a, b - a)
        v, t = upward @ way / scale, np.sum((c - a) * upward, axis=1) / scale
        hit = (u >= 0) & (v >= 0) & (u + v <= 1) & (t >= 0) & (scale > 0)
        found = mesh.cast(spot, way)
        assert found.distance == (pytest.approx(t[hit].min()) if hit.any() else np.inf)


def test_balls_stop_where_their_distance_is_the_radius(mesh):
    clear = (winding(SPOTS) < 0.5) & (np.abs(mesh.nearest(SPOTS).distance) > 1.2)
    spots, ways = SPOTS[clear][:40], WAYS[clear][:40]
    expected = [march(spot, way, 1.2, far, reach=60.0) for spot, way in zip(spots, ways, strict=True)]
    assert_same_hits(thick_cast(mesh, spots, ways, 1.2, reach=60.0)[0], expected)
    inside = (winding(SPOTS) > 0.5) & (np.abs(mesh.nearest(SPOTS).distance) > 1.2)
    spots, ways = SPOTS[inside][:20], WAYS[inside][:20]
    cave = sm.TriangleMesh.from_trimesh(potato(), seen_from="inside")
    expected = [march(spot, way, 1.2, far, reach=60.0) for spot, way in zip(spots, ways, strict=True)]
    found = thick_cast(cave, spots, ways, 1.2, reach=60.0)
    assert np.isfinite(found[0]).all()
    assert_same_hits(found[0], expected)


def test_a_mesh_that_looks_inwards_is_turned_over():
    vertices, faces = TETRAHEDRON
    for each in (faces, faces[:, ::-1]):
        mesh = sm.TriangleMesh(vertices, each)
        assert mesh.is_closed
        assert mesh.inside([[1, 1, 1], [3, 3, 3]]).tolist() == [True, False]


def test_corners_at_the_same_place_are_one():
    vertices, faces = TETRAHEDRON
    loose = sm.TriangleMesh(vertices[faces].reshape(-1, 3), np.arange(12).reshape(4, 3))
    assert loose.is_closed
    assert len(set(loose.groups)) == 1


def test_an_open_mesh_is_seen_from_both_sides_and_has_no_inside():
    vertices, faces = TETRAHEDRON
    funnel = sm.TriangleMesh(vertices, faces[1:])
    assert funnel.seen_from == "both"
    assert np.isfinite(funnel.cast([[1, 1, 9], [0.5, 0.5, 0.5]], [[0, 0, -1], [1, 1, 1]]).distance).all()
    message = 'TriangleMesh must be closed for seen_from="inside", got an open one: 3 edges'
    with pytest.raises(ValueError, match=message):
        sm.TriangleMesh(vertices, faces[1:], seen_from="inside")
    with pytest.raises(ValueError, match="TriangleMesh must be closed to have an inside, got an open one"):
        funnel.inside([0, 0, 0])


def test_flat_triangles_are_left_out():
    vertices, faces = TETRAHEDRON
    mesh = sm.TriangleMesh(np.concatenate([vertices, [[2, 0, 0]]]), [[0, 4, 1], *faces.tolist()])
    found = mesh.nearest([1, 1, -2])
    assert (found.distance, found.which) == (2, 1)
    with pytest.raises(ValueError, match="faces must have an area, got only flat triangles"):
        sm.TriangleMesh([[0, 0, 0], [1, 0, 0], [2, 0, 0]], [[0, 1, 2]])


@pytest.mark.parametrize("kind", ["obj", "stl", "ply"])
def test_files(mesh, kind, tmp_path):
    file = tmp_path / f"potato.{kind}"
    potato().export(str(file))
    loaded = sm.TriangleMesh.load(file)
    assert (len(loaded), loaded.is_closed) == (len(mesh), True)
    np.testing.assert_allclose(loaded.nearest(SPOTS[:20]).distance, mesh.nearest(SPOTS[:20]).distance, atol=1e-5)


def test_bad_files(tmp_path, monkeypatch):
    with pytest.raises(FileNotFoundError, match=r"path must name a mesh file \(OBJ, STL, PLY\)"):
        sm.TriangleMesh.load(tmp_path / "none.obj")
    (tmp_path / "bad.ply").write_text("no mesh")
    with pytest.raises(ValueError, match=r"bad\.ply must be a mesh file that trimesh can read"):
        sm.TriangleMesh.load(tmp_path / "bad.ply")
    for no_mesh in ([1, 2], trimesh.PointCloud([[0, 0, 0]]), SimpleNamespace(faces=[[0, 1, 2]])):
        with pytest.raises(TypeError, match=r"mesh must be a trimesh\.Trimesh"):
            sm.TriangleMesh.from_trimesh(no_mesh)
    real = builtins.__import__

    def missing(name, *rest):
        if name == "trimesh":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(ImportError, match=r"pip install steersman\[geo\]"):
        sm.TriangleMesh.load(tmp_path / "bad.ply")


@pytest.mark.parametrize(
    ("vertices", "faces", "error", "message"),
    [
        (TETRAHEDRON[0], [[0, 1, 4]], ValueError, "faces must name vertices 0 to 3, got 4"),
        (TETRAHEDRON[0], [[0, 1, -2]], ValueError, "faces must name vertices 0 to 3, got -2"),
        (TETRAHEDRON[0], [[0, -1, 4]], ValueError, "faces must name vertices 0 to 3, got -1"),
        (TETRAHEDRON[0], [[0, 1, 2.0]], TypeError, "faces must be whole numbers, got float64"),
        (TETRAHEDRON[0], np.zeros((0, 3), int), ValueError, "at least one triangle"),
        (TETRAHEDRON[0][:, :2], [[0, 1, 2]], ValueError, r"vertices must have shape \(n, 3\)"),
        (TETRAHEDRON[0] * np.nan, [[0, 1, 2]], ValueError, "vertices must be finite, got nan"),
    ],
)
def test_errors(vertices, faces, error, message):
    with pytest.raises(error, match=message):
        sm.TriangleMesh(vertices, faces)
