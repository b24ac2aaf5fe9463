"""USD: what a PointInstancer says, read by Pixar's library and by two other readers."""

import re

import numpy as np
import pytest
from adapters.exported import frames
from later import later

import steersman as sm
from steersman.adapters.export import export
from steersman.adapters.frames import motions_of
from steersman.adapters.usd import write_usd
from steersman.drawing.glyphs import solid_triangles

Gf, Usd, UsdGeom = (later(f"pxr.{each}") for each in ("Gf", "Usd", "UsdGeom"))


@pytest.fixture(scope="module", params=[(2, "usda"), (3, "usdc")], ids=["2D text", "3D binary"])
def written(request, tmp_path_factory):
    dimensions, ending = request.param
    file = tmp_path_factory.mktemp("usd") / f"run.{ending}"
    write_usd(frames(dimensions), file)
    return file, motions_of(frames(dimensions))


def instancer(stage, name):
    return UsdGeom.PointInstancer(stage.GetPrimAtPath(f"/World/{name}"))


def test_axes_units_and_times_are_stated(written):
    stage = Usd.Stage.Open(str(written[0]))
    assert UsdGeom.GetStageUpAxis(stage) == "Z"
    assert UsdGeom.GetStageMetersPerUnit(stage) == 1
    assert (stage.GetTimeCodesPerSecond(), stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (25, 0, 20)
    assert stage.GetDefaultPrim().GetPath() == "/World"
    meshes = [UsdGeom.Mesh(each) for each in stage.TraverseAll() if each.IsA(UsdGeom.Mesh)]
    looks = {(each.GetSubdivisionSchemeAttr().Get(), each.GetDoubleSidedAttr().Get()) for each in meshes}
    assert looks == {("none", True)}  # Their facets are no cage of a smooth surface, and have no backs.


def test_names_that_are_one_as_paths_stay_two_populations(tmp_path):
    world = sm.World()
    for name, n in (("red ants", 2), ("red_ants", 3)):
        world.add(sm.Vehicles(np.zeros((n, 2))), name=name)
    export(world, tmp_path / "a.usda", seconds=0.1)
    stage = Usd.Stage.Open(str(tmp_path / "a.usda"))
    assert [len(instancer(stage, name).GetIdsAttr().Get()) for name in ("red_ants", "red_ants_")] == [2, 3]


def test_one_long_gap_between_frames_does_not_slow_the_others(tmp_path):
    write_usd([*frames()[:3], frames()[-1]], tmp_path / "a.usda")
    stage = Usd.Stage.Open(str(tmp_path / "a.usda"))
    assert (stage.GetFramesPerSecond(), stage.GetEndTimeCode()) == (25, 20)


def test_between_frames_velocities_lead_on(written):
    """Also over the seam of a torus, where the line between two samples would cross the whole world."""
    file, motions = written
    stage, boids = Usd.Stage.Open(str(file)), motions["boids"]
    points = instancer(stage, "boids")
    assert boids.jumped.any()
    for k in range(len(boids.times) - 1):
        found = np.array(points.ComputeInstanceTransformsAtTime(k + 0.5, k + 0.5)).reshape(-1, 4, 4)[:, 3, :3]
        np.testing.assert_allclose(found, boids.position[k] + 0.02 * boids.velocity[k], atol=1e-4)


def test_the_extent_holds_all_shapes(written):
    stage = Usd.Stage.Open(str(written[0]))
    points = instancer(stage, "boids")
    for k in (0, 10, 20):
        low, high = points.GetExtentAttr().Get(k)
        real = points.ComputeExtentAtTime(k, k)
        assert (np.array(low) <= np.array(real[0]) + 1e-5).all()
        assert (np.array(high) >= np.array(real[1]) - 1e-5).all()


def test_validators_find_nothing(written):
    validation = pytest.importorskip("pxr.UsdValidation")
    context = validation.ValidationContext(validation.ValidationRegistry().GetOrLoadAllValidators())
    assert not [each.GetMessage() for each in context.Validate(Usd.Stage.Open(str(written[0])))]


def samples(text, name, attribute):
    """The time samples of an attribute of a prim in the text of a stage: the second reader."""
    block = text[re.search(rf'def PointInstancer "{name}"', text).end() :]
    block = block[re.search(rf"\b{attribute}\.timeSamples = {{", block).end() :]
    lines = re.findall(r"([\d.]+): (\[.*?\])(?=,?\s*(?:\n|}))", block[: block.index("}")])
    return {float(time): np.array(eval(values)) for time, values in lines}


def compared(text, motions):
    for name, motion in motions.items():
        position, turn = samples(text, name, "positions"), samples(text, name, "orientations")
        assert list(position) == list(range(21))
        np.testing.assert_allclose(np.stack(list(position.values())), motion.position, rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(np.stack(list(turn.values())), motion.quaternion, atol=2e-3)
    unseen = samples(text, "walkers", "invisibleIds")
    walkers = motions["walkers"]
    assert [each.tolist() for each in unseen.values()] == [walkers.id[~there].tolist() for there in walkers.there]


def test_the_text_says_the_same(written):
    file, motions = written
    stage = Usd.Stage.Open(str(file))  # Layers go with their stage.
    compared(stage.GetRootLayer().ExportToString() if file.suffix == ".usdc" else file.read_text(), motions)


def test_tinyusdz_reads_the_same(written):
    """A reader that shares no code with Pixar's; it reads the binary form, too."""
    tinyusdz = pytest.importorskip("tinyusdz")
    file, motions = written
    stage = tinyusdz.load(str(file))
    assert "upAxis=Z" in repr(stage)
    compared(stage.export_to_string(), motions)


@pytest.mark.parametrize(
    ("faces", "nose", "size"),
    [
        ("x", (2, 0, 0), None), ("-x", (-2, 0, 0), 5.0), ("y", (0, 2, 0), None), ("-y", (0, -2, 0), None),
        ("z", (0, 0, 2), None), ("-z", (0, 0, -2), 5.0),
    ],
)  # fmt: skip
def test_models_of_files_are_turned_and_measured(tmp_path, faces, nose, size):
    top = (0, 1, 0) if "z" in faces else (0, 0, 1)
    (tmp_path / "models").mkdir()
    for name in ("cow", "calf"):
        stage = Usd.Stage.CreateNew(str(tmp_path / "models" / f"{name}.usda"))
        UsdGeom.SetStageMetersPerUnit(stage, 0.01)
        stage.SetDefaultPrim(UsdGeom.Cube.Define(stage, f"/{name}").GetPrim())
        stage.Save()
    models = {"boids": [str(tmp_path / "models" / "cow.usda"), tmp_path / "models" / "calf.usda"]}
    write_usd(frames(), tmp_path / "run.usda", model=models, faces=faces, size=size)
    assert "@./models/cow.usda@" in (tmp_path / "run.usda").read_text()
    stage = Usd.Stage.Open(str(tmp_path / "run.usda"))
    points = instancer(stage, "boids")
    assert list(points.GetProtoIndicesAttr().Get()) == [0, 1, 0, 1, 0, 1]
    paths = points.GetPrototypesRel().GetTargets()
    assert [stage.GetPrimAtPath(path.AppendChild("file")).GetTypeName() for path in paths] == ["Cube", "Cube"]
    turned = UsdGeom.Xformable(stage.GetPrimAtPath(paths[0])).ComputeLocalToWorldTransform(0)
    np.testing.assert_allclose(turned.Transform(Gf.Vec3d(*nose)), [0.02, 0, 0], atol=1e-9)
    np.testing.assert_allclose(turned.Transform(Gf.Vec3d(*top)), [0, 0, 0.01], atol=1e-9)
    assert np.linalg.det(np.array(turned)[:3, :3]) > 0  # Not mirrored.
    np.testing.assert_array_equal(points.GetScalesAttr().Get(), np.full((6, 3), size or 1))


def test_each_population_has_the_shape_the_size_and_the_color_that_it_is_given(tmp_path):
    flag = [[[0, 0, 0], [1, 0, 0], [0, 0, 1]]]
    write_usd(
        frames(),
        tmp_path / "run.usda",
        model={"walkers": flag},
        colors={"walkers": "#00ff00", "boids": "#808000"},
        size=3.0,
    )
    stage = Usd.Stage.Open(str(tmp_path / "run.usda"))
    meshes = {
        name: UsdGeom.Mesh(stage.GetPrimAtPath(instancer(stage, name).GetPrototypesRel().GetTargets()[0]))
        for name in ("boids", "walkers")
    }
    assert np.array(meshes["walkers"].GetPointsAttr().Get()).tolist() == flag[0]
    assert len(meshes["boids"].GetPointsAttr().Get()) == 3 * len(solid_triangles("dart"))
    green, other = (tuple(meshes[name].GetDisplayColorAttr().Get()[0]) for name in ("walkers", "boids"))
    assert green == (0, 1, 0)
    assert other == pytest.approx([0.21586, 0.21586, 0], abs=1e-5)  # In linear light.
    np.testing.assert_array_equal(instancer(stage, "walkers").GetScalesAttr().Get()[0], [3, 3, 3])


def test_what_is_not_there_is_refused(tmp_path):
    for words, about in (("file that is there", {"model": "no.usda"}), ("faces must be one of", {"faces": "up"})):
        with pytest.raises(ValueError, match=words):
            write_usd(frames(), tmp_path / "run.usda", **about)
    assert not list(tmp_path.iterdir())
