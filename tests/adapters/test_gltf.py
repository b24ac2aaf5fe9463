"""glTF: nodes that move as the vehicles do, read by a reader of a few lines, by trimesh and by Khronos' validator."""

import json
import shutil
import struct
import subprocess
from pathlib import Path

import numpy as np
import pytest
from adapters.exported import frames

import steersman as sm
from steersman.adapters.frames import Frame, motions_of, rows_of
from steersman.adapters.gltf import _keys, write_gltf
from steersman.drawing.glyphs import solid_triangles

VALIDATOR = Path(__file__).parents[2] / "node_modules" / "gltf-validator"


class Glb:
    """The content of a .glb file."""

    def __init__(self, file):
        data = file.read_bytes()
        magic, version, length, size, kind = struct.unpack_from("<4sIII4s", data)
        assert (magic, version, length, kind) == (b"glTF", 2, len(data), b"JSON")
        self.json, self.data = json.loads(data[20 : 20 + size]), data[28 + size :]
        assert data[24 + size : 28 + size] == b"BIN\0"
        vertices = [part["attributes"] for mesh in self.json["meshes"] for part in mesh["primitives"]]
        inputs = {each["input"] for animation in self.json["animations"] for each in animation["samplers"]}
        for number in {each["POSITION"] for each in vertices} | inputs:  # The specification wants their bounds.
            about, values = self.json["accessors"][number], self.values(number)
            assert (about["min"], about["max"]) == (values.min(axis=0).tolist(), values.max(axis=0).tolist())
        views = {self.json["accessors"][number]["bufferView"] for each in vertices for number in each.values()}
        targets = {k for k, view in enumerate(self.json["bufferViews"]) if view.get("target") == 34962}
        assert targets == views  # ARRAY_BUFFER
        for each in vertices:
            if "NORMAL" in each:
                a, b, c = self.values(each["POSITION"]).reshape(-1, 3, 3).swapaxes(0, 1)
                across, found = np.cross(b - a, c - a), self.values(each["NORMAL"]).reshape(-1, 3, 3)
                np.testing.assert_allclose(
                    np.linalg.norm(found, axis=2), 1, atol=1e-5
                )  # Of triangles without area, too.
                np.testing.assert_allclose(
                    found * np.linalg.norm(across, axis=1)[:, None, None], across[:, None].repeat(3, axis=1), atol=1e-4
                )

    def values(self, number):
        about = self.json["accessors"][number]
        view = self.json["bufferViews"][about["bufferView"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[about["type"]]
        return np.frombuffer(self.data, "<f4", about["count"] * width, view["byteOffset"]).reshape(-1, width)

    def moved(self, name, path, time):
        """The value of a node at a time, by the rules of samplers."""
        node = next(k for k, each in enumerate(self.json["nodes"]) if each["name"] == name)
        (animation,) = self.json["animations"]
        for channel in animation["channels"]:
            if channel["target"] == {"node": node, "path": path}:
                sampler = animation["samplers"][channel["sampler"]]
                keys, values = self.values(sampler["input"])[:, 0], self.values(sampler["output"])
                k = int(np.clip(np.searchsorted(keys, time + 1e-5, side="right") - 1, 0, len(keys) - 2))
                if sampler["interpolation"] == "STEP":
                    return values[k + 1 if time >= keys[k + 1] else k]
                part = np.clip((time - keys[k]) / (keys[k + 1] - keys[k]), 0, 1)
                return (1 - part) * values[k] + part * values[k + 1]
        return np.array(self.json["nodes"][node][path])


def y_up(vector):
    x, y, z = vector
    return [x, z, -y]


def turned(quaternion, vector):
    x, y, z, w = quaternion / np.linalg.norm(quaternion)
    axis = np.array([x, y, z])
    return vector + 2 * np.cross(axis, np.cross(axis, vector) + w * np.asarray(vector))


def test_vehicles_that_come_and_go_do_not_grow_and_shrink(tmp_path):
    """Between two frames a vehicle has its size, or none."""
    write_gltf(frames(), tmp_path / "run.glb", size=0.8)
    glb = Glb(tmp_path / "run.glb")
    nodes = [node["name"] for node in glb.json["nodes"][1:]]
    sizes = {float(glb.moved(node, "scale", 0.04 * k + 0.02)[0]) for node in nodes for k in range(20)}
    assert sorted(sizes) == pytest.approx([0.0, 0.8])


def test_nothing_flies_across_the_world_at_a_seam(tmp_path):
    write_gltf(frames(), tmp_path / "run.glb")
    glb, boids = Glb(tmp_path / "run.glb"), motions_of(frames())["boids"]
    k, row = np.argwhere(boids.jumped)[0]
    middle = glb.moved(f"boids.{boids.id[row]}", "translation", boids.times[k] + 0.02)
    np.testing.assert_allclose(middle, y_up(boids.position[k, row]), atol=1e-3)


@pytest.mark.parametrize("apart", [1e-4, 100.0])
def test_a_jump_takes_a_thousandth_of_the_time_between_two_frames(apart):
    times, rows = _keys(apart * np.arange(4.0), np.array([False, True, True]))
    np.testing.assert_allclose(times / apart, [0, 1, 1.999, 2, 2.999, 3])
    assert rows.tolist() == [0, 1, 1, 2, 2, 3]


def test_shapes_are_about_as_long_as_said_and_face_forward(tmp_path):
    trimesh = pytest.importorskip("trimesh")
    still = sm.Vehicles([[3, 4]], heading=np.pi / 2, max_speed=1, max_force=1, radius=0.5)
    shown = [Frame(time, {"one": rows_of(still)}) for time in (0.0, 1.0)]
    write_gltf(shown, tmp_path / "run.glb", size=2.0, colors={"one": "#ff0000"})
    scene = trimesh.load(tmp_path / "run.glb")
    assert len(scene.geometry) == 1
    low, high = scene.bounds
    assert high[2] - low[2] == pytest.approx(2.0, rel=0.05)  # Along y of the world, which is -z here.
    assert scene.bounds.mean(axis=0)[[0, 2]] == pytest.approx([3, -4], abs=0.3)
    assert low[2] == pytest.approx(-4 - 1.2, abs=1e-5)  # The nose.
    (mesh,) = scene.geometry.values()
    assert mesh.visual.material.baseColorFactor[:3].tolist() == [255, 0, 0]


def test_each_population_has_the_shape_and_the_color_that_it_is_given(tmp_path):
    flag = [[[0, 0, 0], [1, 0, 0], [0, 0, 1]]]
    write_gltf(
        frames(), tmp_path / "run.glb", model={"walkers": flag}, colors={"walkers": "#00ff00", "boids": "#808000"}
    )
    glb = Glb(tmp_path / "run.glb")
    shapes = {
        mesh["name"]: glb.values(mesh["primitives"][0]["attributes"]["POSITION"]).tolist()
        for mesh in glb.json["meshes"]
    }
    assert shapes["walkers"] == [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    assert len(shapes["boids"]) == 3 * len(solid_triangles("dart"))
    paint = {each["name"]: each["pbrMetallicRoughness"]["baseColorFactor"] for each in glb.json["materials"]}
    assert paint["walkers"] == [0, 1, 0, 1]
    assert paint["boids"] == pytest.approx([0.21586, 0.21586, 0, 1], abs=1e-5)  # In linear light.


def test_there_is_a_limit(tmp_path):
    with pytest.raises(ValueError, match=r"at most 5 vehicles, got \d+; write .usda or .usdc for more"):
        write_gltf(frames(), tmp_path / "run.glb", most=5)
    assert not (tmp_path / "run.glb").exists()
    count = sum(len(motion.id) for motion in motions_of(frames()).values())
    write_gltf(frames(), tmp_path / "run.glb", most=count)
    with pytest.raises(ValueError, match=f"got {count}"):
        write_gltf(frames(), tmp_path / "run.glb", most=count - 1)


@pytest.mark.skipif(not (VALIDATOR.exists() and shutil.which("node")), reason="npm install has not been run")
@pytest.mark.parametrize("dimensions", [2, 3])
def test_the_validator_of_khronos_finds_nothing(tmp_path, dimensions):
    write_gltf(frames(dimensions), tmp_path / "run.glb")
    program = (
        f"require({str(VALIDATOR)!r}).validateBytes(new Uint8Array(require('fs').readFileSync(process.argv[1])))"
        ".then(found => console.log(JSON.stringify(found.issues)))"
    )
    done = subprocess.run(["node", "-e", program, tmp_path / "run.glb"], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["messages"] == []
