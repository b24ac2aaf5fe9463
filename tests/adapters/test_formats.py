"""Every format of `export`: each number of a small asymmetric run is found where the format has it, in 2D and 3D."""

import json
import xml.etree.ElementTree as ET
from datetime import datetime

import numpy as np
import pytest
from adapters.test_gltf import Glb, turned

import steersman as sm
from steersman.adapters.export import FORMATS, export
from steersman.adapters.frames import frame_of
from steersman.adapters.stream import read_stream


def crowd(d):
    """Two birds that turn, and a stone that is gone after a while; no two of their numbers are the same."""
    birds = sm.Vehicles(
        np.array([[1, 2, 3], [-7, 5, -4]])[:, :d], np.array([[0.5, 1, -2], [-1.5, -0.25, 0.75]])[:, :d], id=[7, 3],
        radius=[0.25, 0.75], max_speed=9, max_force=9, response_time=1,
    )  # fmt: skip
    world = sm.World(dt=0.5)
    world.add(birds, name="birds", steering=sm.Seek(np.array([40.0, -30.0, 20.0])[:d]))
    world.add(
        sm.Vehicles(np.array([[11.0, -13.0, 17.0]])[:, :d], radius=1.5), name="stones", flows=[sm.Sink(older_than=0.6)]
    )
    return world


def expected(d):
    """What is so at each time: (time, population, id) -> name -> numbers in space."""
    world, found = crowd(d), {}
    for _ in range(4):
        frame = frame_of(world)
        for name, rows in frame.populations.items():
            for k, id in enumerate(rows.id.tolist()):
                forward, up = rows.matrix[k, :, 0], rows.matrix[k, :, 2]
                about = {"position": rows.position[k], "velocity": rows.velocity[k], "forward": forward, "up": up}
                speed, angle = np.linalg.norm(rows.velocity[k]), np.degrees(np.arctan2(forward[0], forward[1])) % 360
                front = rows.position[k] + rows.radius[k] * forward
                about |= {"radius": rows.radius[k], "speed": speed, "front": front, "angle": angle}
                found[round(frame.time, 6), name, id] = about
        world.step()
    return found


def in_space(numbers):
    return [*map(float, numbers), 0.0][:3]


def of_table(rows, d):
    """The rows of a table, by names of columns."""
    for row in rows:
        axes = "xyz"[:d]
        about = {"position": [row[axis] for axis in axes], "velocity": [row[f"v{axis}"] for axis in axes]}
        about |= {"forward": [row[f"forward_{axis}"] for axis in axes]}
        numbers = {name: in_space(each) for name, each in about.items()} | {"radius": float(row["radius"])}
        yield (float(row["time"]), row["population"], int(row["id"])), numbers


def of_csv(file, d):
    lines = [line.split(",") for line in file.read_text().splitlines()]
    assert [int(row[0]) for row in lines[1:]] == [0, 0, 0, 1, 1, 1, 2, 2, 3, 3]
    return of_table([dict(zip(lines[0], row, strict=True)) for row in lines[1:]], d)


def of_parquet(file, d):
    return of_table(pytest.importorskip("pyarrow.parquet").read_table(file).to_pylist(), d)


def of_moving_features(file, d):
    """OGC 19-045r3: coordinates and values go with the datetimes."""
    begin = datetime.fromisoformat("2000-01-01T00:00:00+00:00")
    for each in json.loads(file.read_text())["features"]:
        about, path, (values,) = each["properties"], each["temporalGeometry"], each["temporalProperties"]
        assert values["datetimes"] == path["datetimes"]
        for when, place, speed in zip(path["datetimes"], path["coordinates"], values["speed"]["values"], strict=True):
            assert len(place) == d
            time = (datetime.fromisoformat(when.replace("Z", "+00:00")) - begin).total_seconds()
            numbers = {"position": in_space(place), "speed": speed, "radius": about["radius"]}
            yield (time, about["population"], about["id"]), numbers


def of_fcd(file, d):
    """SUMO: x, y (z) of the front bumper, angles from north, clockwise."""
    for step in ET.parse(file).getroot().iter("timestep"):
        for car in step:
            name, _, id = car.get("id").rpartition(".")
            assert car.get("type") == name
            assert ("z" in car.attrib) == (d == 3)
            numbers = {"front": in_space(car.get(axis) for axis in "xyz"[:d])}
            yield (float(step.get("time")), name, int(id)), numbers | {
                "speed": float(car.get("speed")), "angle": float(car.get("angle"))
            }  # fmt: skip


def z_up(vector):
    x, y, z = map(float, vector)
    return [x, -z, y]


def of_frames(file, d):
    """Godot: rows of a MultiMesh; models face along -z with y up."""
    for time, populations in read_stream(file):
        for name, sent in populations.items():
            for id, matrix in zip(sent.id.tolist(), sent.matrix, strict=True):
                long = np.linalg.norm(matrix[:, 0])
                yield (time, name, id), {
                    "position": z_up(matrix[:, 3]), "forward": z_up(-matrix[:, 2] / long), "up": z_up(matrix[:, 1] / long),
                    "radius": long / 2,
                }  # fmt: skip


def of_gltf(file, d):
    glb = Glb(file)
    times = glb.values(glb.json["animations"][0]["samplers"][0]["input"])[:, 0].tolist()
    for node in glb.json["nodes"][1:]:
        name, _, id = node["name"].rpartition(".")
        assert node["extras"] == {"id": int(id)}
        for time in times:
            place, turn, scale = (glb.moved(node["name"], path, time) for path in ("translation", "rotation", "scale"))
            assert np.ptp(scale) == 0
            if scale[0] > 0:
                yield (time, name, int(id)), {
                    "position": z_up(place), "forward": z_up(turned(turn, [1, 0, 0])), "up": z_up(turned(turn, [0, 1, 0])),
                    "radius": scale[0] / 2,
                }  # fmt: skip


def of_usd(file, d):
    """The first row of an instance's matrix is where a model's x goes, the third where z goes, the last its place."""
    usd, geom = pytest.importorskip("pxr.Usd"), pytest.importorskip("pxr.UsdGeom")
    stage = usd.Stage.Open(str(file))
    rate = stage.GetTimeCodesPerSecond()
    for name in ("birds", "stones"):
        points = geom.PointInstancer(stage.GetPrimAtPath(f"/World/{name}"))
        for code in points.GetPositionsAttr().GetTimeSamples():
            matrices = np.array(points.ComputeInstanceTransformsAtTime(code, code)).reshape(-1, 4, 4)
            ids, gone = points.GetIdsAttr().Get(), points.GetInvisibleIdsAttr().Get(code) or []
            for k, id in enumerate(each for each in ids if each not in gone):
                long = np.linalg.norm(matrices[k, 0, :3])
                yield (code / rate, name, id), {
                    "position": matrices[k, 3, :3], "forward": matrices[k, 0, :3] / long, "radius": long / 2,
                    "up": matrices[k, 2, :3] / long, "velocity": points.GetVelocitiesAttr().Get(code)[k],
                }  # fmt: skip


READERS = {
    ".usda": (of_usd, 2e-3), ".usdc": (of_usd, 2e-3), ".glb": (of_gltf, 1e-5), ".csv": (of_csv, 1e-6),
    ".parquet": (of_parquet, 1e-6), ".mf.json": (of_moving_features, 6e-5), ".fcd.xml": (of_fcd, 6e-3),
    ".frames": (of_frames, 1e-5),
}  # fmt: skip
"""Format -> its reader, and to how much its numbers are exact."""


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("ending", FORMATS)
def test_every_number_is_where_the_format_has_it(ending, d, tmp_path):
    """A new format needs a reader."""
    reader, exact = READERS[ending]
    file = export(crowd(d), tmp_path / f"a{ending}", seconds=1.5, every=0.5)
    assert [*tmp_path.iterdir()] == [file]  # Nothing is left aside.
    known, found = expected(d), {}
    for (time, name, id), numbers in reader(file, d):
        key = (round(time, 6), name, id)
        assert key not in found
        found[key] = numbers
    assert found.keys() == known.keys()
    for key, numbers in found.items():
        for name, value in numbers.items():
            np.testing.assert_allclose(value, known[key][name], atol=exact, err_msg=f"{name} of {key}")
