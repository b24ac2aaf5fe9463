"""What stands in a world, in exported files: faces and edges where the obstacles are."""

import numpy as np
import pytest
from adapters.test_gltf import Glb

import steersman as sm
from steersman.adapters.export import export
from steersman.adapters.standing import standing_of


def world(dimensions):
    """A ball, a box and a capsule, and in the plane a wall of two pieces, in space a room."""
    at = np.eye(dimensions)
    ball = sm.Spheres([10 * at[0]], 2)
    box = sm.Boxes([20 * at[1]], size=2.0)
    bar = sm.Capsules([0 * at[0] - 20], [0 * at[0] - 10], 1)
    wall = (
        sm.Walls([[[0, -5], [5, -5], [5, -9]]])
        if dimensions == 2
        else sm.Boxes([[0, 0, 0]], size=30.0, seen_from="inside")
    )
    made = sm.World(seed=1)
    steering = sm.Priority([sm.AvoidObstacles([ball, box, bar, wall]), sm.Wander()])
    vehicles = sm.Vehicles(np.zeros((3, dimensions)), max_speed=2, max_force=9, radius=0.25)
    made.add(vehicles, name="walkers", steering=steering)
    return made


def volume(triangles):
    """What closed surfaces hold [m^3]: positive where faces are seen from outside counterclockwise."""
    return float(np.linalg.det(triangles).sum() / 6)


def test_bodies_in_space_are_closed_and_rooms_are_edges():
    found = standing_of(world(3))
    ball, box, bar = 4 / 3 * np.pi * 8, 64, np.pi * 1 * 3**0.5 * 10 + 4 / 3 * np.pi
    assert volume(found.triangles) == pytest.approx(ball + box + bar, rel=0.04)
    assert len(found.lines) == 12
    assert np.abs(np.concatenate(found.lines)).max() == pytest.approx(30)


def test_obstacles_are_as_high_as_the_largest_of_all_populations():
    made = world(2)
    for radius in (3.0, 0.5):
        made.add(sm.Vehicles([[50, 50], [60, 50]], radius=[0.1, radius]))
    assert standing_of(made).triangles[..., 2].max() == 6
    for name in list(made.populations)[1:]:
        made[name].remove([0, 1])
    assert standing_of(made).triangles[..., 2].max() == 0.5


def test_bodies_in_the_plane_stand_upright_and_walls_are_sheets():
    found = standing_of(world(2))
    assert found.lines == []
    points = found.triangles.reshape(-1, 3)
    assert set(points[:, 2]) == {0.0, 0.5}  # Twice the radius of the largest vehicle.
    up = (
        np.cross(found.triangles[:, 1] - found.triangles[:, 0], found.triangles[:, 2] - found.triangles[:, 0])[:, 2] / 2
    )
    ball, box, bar = np.pi * 4, 16, 2 * 2**0.5 * 10 + np.pi
    assert up.sum() == pytest.approx(ball + box + bar, rel=1e-2)
    across = np.cross(*np.diff(found.triangles, axis=1).swapaxes(0, 1))
    sides = np.linalg.norm(across[np.abs(across[:, 2]) < 1e-9], axis=1).sum() / 2
    rims = 2 * np.pi * 2 + 16 + 2 * 2**0.5 * 10 + 2 * np.pi + 9  # Of ball, box, bar and wall.
    assert sides == pytest.approx(0.5 * rims, rel=1e-2)
    wall = found.triangles[(found.triangles[:, :, 1] < -4.9).all(axis=1) & (found.triangles[:, :, 0] >= 0).all(axis=1)]
    assert len(wall) == 4
    assert np.ptp(wall.reshape(-1, 3), axis=0) == pytest.approx([5, 4, 0.5])


@pytest.mark.parametrize("dimensions", [2, 3])
def test_files_have_the_obstacles_unless_they_are_not_wanted(tmp_path, dimensions):
    found = standing_of(world(dimensions))
    export(world(dimensions), tmp_path / "a.glb", seconds=0.1)
    export(world(dimensions), tmp_path / "b.glb", seconds=0.1, obstacles=False)
    glb, bare = Glb(tmp_path / "a.glb"), Glb(tmp_path / "b.glb")
    assert "obstacles" not in [node["name"] for node in bare.json["nodes"]]
    (node,) = [node for node in glb.json["nodes"] if node["name"] == "obstacles"]
    assert set(node) == {"name", "mesh"}
    faces, *edges = glb.json["meshes"][node["mesh"]]["primitives"]
    across = np.linalg.norm(np.cross(*np.diff(found.triangles, axis=1).swapaxes(0, 1)), axis=1)
    solid = found.triangles[across > 1e-12]  # Those at poles have no area.
    x, y, z = solid.reshape(-1, 3).T
    np.testing.assert_allclose(glb.values(faces["attributes"]["POSITION"]), np.stack([x, z, -y], axis=1), atol=1e-5)
    assert [each["mode"] for each in edges] == [1] * (dimensions == 3)

    pytest.importorskip("pxr")
    from pxr import Usd, UsdGeom

    export(world(dimensions), tmp_path / "a.usda", seconds=0.1)
    stage = Usd.Stage.Open(str(tmp_path / "a.usda"))
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath("/World/obstacles/faces"))
    np.testing.assert_allclose(np.array(mesh.GetPointsAttr().Get()), found.triangles.reshape(-1, 3), atol=1e-5)
    paint = {each["name"]: each["pbrMetallicRoughness"]["baseColorFactor"] for each in glb.json["materials"]}
    assert tuple(mesh.GetDisplayColorAttr().Get()[0]) == pytest.approx(paint["obstacles"][:3])
    curves = UsdGeom.BasisCurves(stage.GetPrimAtPath("/World/obstacles/edges"))
    assert bool(curves) == (dimensions == 3)
    if curves:
        assert list(curves.GetCurveVertexCountsAttr().Get()) == [2] * 12
    validation = pytest.importorskip("pxr.UsdValidation")
    context = validation.ValidationContext(validation.ValidationRegistry().GetOrLoadAllValidators())
    assert not [each.GetMessage() for each in context.Validate(stage)]
    export(world(dimensions), tmp_path / "b.usda", seconds=0.1, obstacles=False)
    assert not Usd.Stage.Open(str(tmp_path / "b.usda")).GetPrimAtPath("/World/obstacles")


def test_populations_of_that_name_keep_their_paths(tmp_path):
    pytest.importorskip("pxr")
    from pxr import Usd

    made = world(2)
    for name in ("obstacles", "obstacles_"):
        made.add(sm.Vehicles([[1, 1]]), name=name)
    export(made, tmp_path / "a.usda", seconds=0.1)
    stage = Usd.Stage.Open(str(tmp_path / "a.usda"))
    for name in ("obstacles", "obstacles_"):
        assert stage.GetPrimAtPath(f"/World/{name}").GetTypeName() == "PointInstancer"
    assert stage.GetPrimAtPath("/World/obstacles__/faces").GetTypeName() == "Mesh"


def test_a_recorded_run_has_the_obstacles_of_its_scenario(tmp_path):
    pytest.importorskip("pyarrow")
    made = world(2)
    with made.record(tmp_path / "run", every=0.1):
        made.run(seconds=0.2)
    found = standing_of(sm.read_run(tmp_path / "run"))
    np.testing.assert_allclose(found.triangles, standing_of(world(2)).triangles, atol=1e-5)


def test_a_room_in_the_plane_has_no_roof():
    made = sm.World()
    room = sm.Boxes([[0, 0]], size=30.0, seen_from="inside")
    made.add(sm.Vehicles([[0, 0]], radius=0.25), steering=sm.AvoidObstacles(room))
    found = standing_of(made).triangles
    assert len(found)
    np.testing.assert_allclose(np.cross(found[:, 1] - found[:, 0], found[:, 2] - found[:, 0])[:, 2], 0, atol=1e-9)
