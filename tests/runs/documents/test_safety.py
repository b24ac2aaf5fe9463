"""Documents that mean harm, or are damaged: what they may name, how large they may be, and what is said of the rest."""

import os
import re
import sys
import zipfile

import numpy as np
import pytest
from faults.documents import FILES, packed, picture
from PIL import Image

import steersman as sm
from steersman.core.parameters import sizes
from steersman.gallery.registry import SCENARIOS
from steersman.runs.documents import limits
from steersman.runs.documents.files import read_file
from steersman.runs.documents.problems import LONGEST, MOST, Problem, ScenarioError, reading

ANTS = '[[populations]]\nname = "ants"\nn = 3\nspawn = {shape = "disc", radius = 5}\n'
SPLINE = '[[paths]]\nname = "p"\nkind = "spline"\npoints = [[0, 0], [1e6, 0], [0, 1]]\n'
ONES = "{file = 'good.npz', array = 'x'}"
MESH = 'dimensions = 3\n[[obstacles]]\nname = "o"\nkind = "mesh_file"\nfile = "FILE"\n' + ANTS.replace("disc", "ball")
WALLS = '[[obstacles]]\nname = "o"\nkind = "geojson"\nfile = "FILE"\n' + ANTS
IMAGE = '[[fields]]\nname = "f"\nkind = "image"\nimage = "FILE"\nlow = 0\nhigh = 9\nmax_speed = 1\n' + ANTS
ARRAY = 'dimensions = 2\n[[populations]]\nname = "ants"\nposition = {file = "FILE", array = "x"}\n'


@pytest.fixture
def little(monkeypatch):
    """As if there were a megabyte."""
    monkeypatch.setattr(sizes, "most_bytes", lambda: 10**6)


def refusal(tmp_path, text, **options):
    """What is said about a file."""
    file = tmp_path / "scenario.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ScenarioError) as caught:
        sm.from_document(file, **options)
    return str(caught.value).partition("\n")[2]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (IMAGE.replace("FILE", "none.png"), "line 4: fields[0].image: image must be a picture file or an array"),
        ("domain = 1979-05-27\n" + ANTS, "line 1: domain: domain must not be a date or a time, got 1979-05-27"),
        (ANTS + "steering = 07:32:00", "line 5: populations[0].steering: steering must not be a date"),
        ("name = 1979-05-27T07:32:00Z\n" + ANTS, "line 1: name: name must not be a date"),
        ("dt = 1e-300\n" + ANTS, "line 1: dt: dt must be >= 1e-12 s and <= 1e+09 s, got 1e-300"),
        ("dt = 1e12\n" + ANTS, "line 1: dt: dt must be >= 1e-12 s and <= 1e+09 s"),
        ("seconds = 1e308\n" + ANTS, "line 1: seconds: seconds must be > 0 s and <= 1e+12 s"),
        ('scenario = "soccer"\nseconds = 1e308', "line 2: seconds: seconds must be > 0 s and <= 1e+12 s"),
        ("steps = 99999999999999999999\n" + ANTS, "line 1: steps: steps must be a whole number >= 0 and <="),
        ("\n\nname = " + "[" * 300 + "]" * 300, "line 3: tables and lists must be nested at most 100 deep"),
        ("name = " + "[" * 100_000, "line 1: tables and lists must be nested at most 100 deep"),
        ("a = " + "{a=" * 300 + "1" + "}" * 300, "line 1: tables and lists must be nested at most 100 deep"),
        ("\n" + "a." * 100_000 + "a = 1", "line 2: tables and lists must be nested at most 100 deep"),
        ("[" + "a." * 60 + "a]\n" + "b." * 60 + "b = 1", "tables and lists must be nested at most 100 deep"),
        ("a = " + ("{" + "a." * 60 + "b = ") * 2 + "1}}", "line 1: tables and lists must be nested at most 100 deep"),
        (ANTS + "mass = " + "9" * 5000, "line 5: a number must have at most 300 digits"),
        (ANTS + "mass = 0x" + "f" * 5000, "line 5: populations[0].mass: a number must have at most 300 digits"),
        (ANTS + f"mass = {ONES}\nsteering = {ONES}", "populations[0].steering: steering must be a behavior"),
        (f"dt = {ONES}\n" + ANTS, "line 1: dt: dt must be a number >= 1e-12 s"),
        (ANTS.replace('{shape = "disc", radius = 5}', ONES), "line 4: populations[0].spawn: spawn must be a table"),
        (b"name = '\0'", "line 1: is not valid TOML"),
        (b"name = '\xff'", "is not UTF-8 text: invalid start byte (byte 9)"),
        ("name = 'a'".encode("utf-16"), "is not UTF-8 text"),
        (ANTS + "metrics = [{metric = 'path_error', to = 'ants'}]", ".metrics[0].to: to must be the name of a path"),
        (ANTS + "metrics = [{metric = 'path_error', to = [[[0]]]}]", "line 5: populations[0].metrics[0].to: to must be a"),
        (ANTS + "remembered = {memory = [{key = 0, columns = {x = [1]}}]}", "line 5: populations[0].remembered: "),
        (SPLINE + "tolerance = 1e-320\n" + ANTS, "line 5: paths[0].tolerance: tolerance must be larger"),
        (SPLINE + "tolerance = 1e-9\n" + ANTS, "would take 44,721,360 segments"),
        ('kind = ["x"]', "must have populations, or be a behavior"),
    ],
)  # fmt: skip
def test_each_is_told_with_its_line(text, told, tmp_path):
    (tmp_path / "good.npz").write_bytes(packed((3,), np.ones(3).tobytes()))
    assert told in refusal(tmp_path, text)


def test_a_mark_at_the_beginning_does_no_harm(tmp_path):
    (tmp_path / "a.toml").write_bytes(b"\xef\xbb\xbf" + ANTS.encode())
    assert len(sm.from_document(tmp_path / "a.toml")["ants"]) == 3


def test_what_is_nested_less_deep_is_read(tmp_path):
    steering = '{behavior = "WeightedSum", parts = [' * 48 + '{behavior = "Wander"}' + "]}" * 48
    (tmp_path / "a.toml").write_text(ANTS + "steering = " + steering)
    assert sm.from_document(tmp_path / "a.toml").populations["ants"].steering is not None


def test_documents_that_are_made_in_python_are_looked_at_too():
    deep: list[object] = []
    deep.append(deep)
    for document in (
        {"populations": deep},
        {"behavior": "WeightedSum", "parts": deep},
        {"scenario": "wander", "params": {"a": deep}},
    ):
        with pytest.raises(ScenarioError, match="nested at most 100 deep"):
            sm.from_document(document)
    with pytest.raises(ScenarioError, match="at most 300 digits"):
        sm.from_document({"behavior": "Seek", "target": [10**400, 0]})


# ------------------------------------------------------------------------------------------------------- one place


def test_what_nobody_foresaw_keeps_its_cause():
    with (
        pytest.raises(
            ScenarioError, match=r"^a.toml: 1 problem\n  line 7: a\[0\]: cannot be read: ZeroDivisionError: division"
        ) as caught,
        reading("a.toml", {("a", 0): 7}, ("a", 0)),
    ):
        _ = 1 / 0
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_a_mistake_of_the_library_keeps_its_cause(monkeypatch):
    ants = {"name": "ants", "position": [[0, 0]], "steering": {"behavior": "Wander"}}
    monkeypatch.setattr(sm.Wander, "validate", lambda self: {}["nobody"])
    with pytest.raises(ScenarioError, match="cannot be read: KeyError: 'nobody'") as caught:
        sm.from_document({"dimensions": 2, "populations": [ants]})
    assert isinstance(caught.value.__cause__, KeyError)
    assert caught.value.problems[0].place == "populations[0].steering"


def test_messages_stay_short_and_plain():
    assert len(str(Problem("a" * 10_000, "b" * 10_000))) < 1.2 * LONGEST
    assert str(Problem("a\x1b[2J", "b\x07")) == "a\\x1b[2J: b\\x07"
    with pytest.raises(ScenarioError) as caught:
        sm.from_document({"populations": [], **{f"k{k}": 1 for k in range(1000)}})
    assert len(caught.value.problems) == 1001
    assert len(str(caught.value).splitlines()) == MOST + 2
    assert str(caught.value).endswith("... and 951 more")


# ----------------------------------------------------------------------------------------------------- which files


@pytest.fixture
def outside(tmp_path):
    """A folder with a scenario's folder in it, and an array beside that."""
    np.savez(tmp_path / "secret.npz", x=np.zeros((2, 2)))
    (tmp_path / "mine").mkdir()
    os.symlink(tmp_path / "secret.npz", tmp_path / "mine" / "link.npz")
    return tmp_path / "mine"


@pytest.mark.parametrize("way", ["../secret.npz", "ABSOLUTE", "link.npz", "x/../../secret.npz"])
def test_files_elsewhere_are_read_only_of_documents_that_are_trusted(way, outside):
    text = ARRAY.replace("FILE", way.replace("ABSOLUTE", str(outside.parent / "secret.npz")))
    told = refusal(outside, text)
    assert "line 4: populations[0].position" in told
    assert "must be a file in the folder of the document, or below" in told
    assert "--trust" in told
    assert "trust=True" in told
    assert len(sm.from_document(outside / "scenario.toml", trust=True)["ants"]) == 2


@pytest.mark.parametrize(
    "text",
    [
        MESH,
        WALLS,
        IMAGE,
        IMAGE.replace("max_speed = 1\n", "")
        .replace("image", "heightfield")
        .replace("fields", "surfaces")
        .replace("heightfield =", "heights ="),
    ],
)
def test_all_that_name_files_are_kept_in(text, outside):
    assert "must be a file in the folder of the document" in refusal(outside, text.replace("FILE", "../secret.npz"))


def test_what_cannot_be_the_name_of_a_file(tmp_path):
    told = refusal(tmp_path, MESH.replace("FILE", "x" * 5000))
    assert re.search(r"'x+'.* must be the name of a file: File name too long", told)
    assert len(told) < 500


def test_a_folder_of_the_document_that_is_a_link_is_no_way_out(outside):
    os.symlink(outside, outside.parent / "alias")
    np.savez(outside / "x.npz", x=np.zeros((2, 2)))
    (outside / "scenario.toml").write_text(ARRAY.replace("FILE", "x.npz"))
    assert len(sm.from_document(outside.parent / "alias" / "scenario.toml")["ants"]) == 2


def test_documents_without_a_file_read_in_the_folder_that_is_named(outside):
    document = {"dimensions": 2, "populations": [{"name": "a", "position": {"file": "../secret.npz", "array": "x"}}]}
    with pytest.raises(ScenarioError, match="trust=True"):
        sm.from_document(document, folder=outside)
    assert len(sm.from_document(document, folder=outside, trust=True)["a"]) == 2
    assert len(sm.from_document(document, folder=outside.parent / "mine", trust=True)["a"]) == 2


@pytest.mark.parametrize("text", [ARRAY, MESH, WALLS, IMAGE])
def test_what_is_no_plain_file_is_not_waited_for(text, tmp_path):
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    assert "must be a file, got a folder" in refusal(tmp_path, text.replace("FILE", "folder"))
    assert "must be a file, got a pipe or a device" in refusal(tmp_path, text.replace("FILE", "pipe"))
    assert "must be a file, got a pipe or a device" in refusal(tmp_path, text.replace("FILE", "/dev/zero"), trust=True)
    assert "must be the name of a file" in refusal(tmp_path, text.replace("FILE", "a\\u0000b"))


def test_a_scenario_that_is_no_plain_file(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path, told in (
        (tmp_path, "a folder"),
        (tmp_path / "pipe", "a pipe"),
        ("/dev/zero", "a pipe or a device"),
        ("a\0b", "a"),
    ):
        with pytest.raises(ScenarioError, match=told):
            sm.from_document(path)


def test_meshes_read_no_other_files(tmp_path):
    opened = []
    (tmp_path / "a.mtl").write_text("newmtl m\nmap_Kd p.png\n")
    (tmp_path / "a.obj").write_text("mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl m\nf 1/1 2/1 3/1\n")
    watching = [True]  # A hook stays for ever.
    sys.addaudithook(lambda event, given: opened.append(str(given[0])) if event == "open" and watching else None)
    sm.TriangleMesh.load(tmp_path / "a.obj")
    watching.clear()
    assert [file for file in opened if file.endswith("a.obj")]
    assert not [file for file in opened if file.endswith(("a.mtl", "p.png"))]
    glb = tmp_path / "a.glb"
    glb.write_bytes(b"glTF")
    with pytest.raises(ValueError, match=r"ends with \.obj, \.stl or \.ply"):
        sm.TriangleMesh.load(glb)


def test_pictures_of_other_kinds_are_not_read(tmp_path):
    """Pillow would ask Ghostscript to execute an EPS file."""
    (tmp_path / "a.png").write_bytes(b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\n%%EndComments\nshowpage\n")
    Image.new("RGB", (4, 4)).save(tmp_path / "b.png", format="PCX")
    for name in ("a.png", "b.png"):
        assert "image must be a picture file, but" in refusal(tmp_path, IMAGE.replace("FILE", name))


# ------------------------------------------------------------------------------------------------------- how large


def test_an_archive_is_not_unpacked_into_the_memory(tmp_path):
    (tmp_path / "x.npz").write_bytes(packed((10**12, 2), bytes(100)))
    told = refusal(tmp_path, ARRAY.replace("FILE", "x.npz"))
    assert (
        "array 'x' of x.npz must be smaller: 2,000,000,000,000 numbers would take 32,000.0 GB of memory, and at most"
        in told
    )


def test_an_array_that_is_a_little_too_large(tmp_path, little):
    np.savez(tmp_path / "x.npz", x=np.zeros((50_000, 2)))
    assert "100,000 numbers would take 1.6 MB" in refusal(tmp_path, ARRAY.replace("FILE", "x.npz"))


def test_arrays_that_are_too_large_together(tmp_path, little):
    np.savez(tmp_path / "x.npz", x=np.zeros((30_000, 2)), v=np.zeros((20_000, 2)))
    velocity = 'velocity = {file = "x.npz", array = "v"}\n'
    told = refusal(tmp_path, ARRAY.replace("FILE", "x.npz") + velocity)
    assert "40,000 numbers, with the arrays before, would take 1.6 MB" in told


def test_vehicles_without_number_in_a_file(tmp_path, little):
    np.savez(tmp_path / "x.npz", x=np.zeros((10_000, 2)))
    told = refusal(tmp_path, ARRAY.replace("FILE", "x.npz"))
    assert "line 4: populations[0].position: n must be smaller: 10,000 vehicles would take 5.0 MB" in told


def test_populations_that_are_too_large_together(tmp_path, little):
    told = refusal(tmp_path, "".join(ANTS.replace("ants", f"ants {k}").replace("n = 3", "n = 800") for k in range(3)))
    assert "line 11: populations[2].n: n must be smaller: 2,400 vehicles would take 1.2 MB" in told


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (packed((2,), bytes(100), "|O"), "must be an array of numbers, got object"),
        (packed((2,), bytes(100), "<U3"), "must be an array of numbers, got <U3"),
        (packed((1000, 2), bytes(100)), "must be a file of arrays as np.savez writes it"),
        (packed((2, 2), bytes(32))[:-40], "must be a file of arrays as np.savez writes it"),
        (b"PK\3\4" + bytes(200), "must be a file of arrays as np.savez writes it"),
    ],
    ids=[
        "objects",
        "texts",
        "too few",
        "cut off",
        "empty",
    ],  # The bytes hold the time, which differs between processes.
)
def test_arrays_that_are_none(content, told, tmp_path):
    (tmp_path / "x.npz").write_bytes(content)
    assert told in refusal(tmp_path, ARRAY.replace("FILE", "x.npz"))


def test_headers_are_not_unpacked_either(tmp_path):
    with zipfile.ZipFile(tmp_path / "x.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x.npy", b"\x93NUMPY\2\0" + b"\xff" * 4 + b" " * 1000)
    assert "has a header of version (2, 0)" in refusal(tmp_path, ARRAY.replace("FILE", "x.npz"))


@pytest.mark.parametrize("side", [60_000, 2**31 - 1])
def test_a_picture_is_not_unpacked_into_the_memory(side, tmp_path):
    (tmp_path / "x.png").write_bytes(picture(side, side, bytes(100)))
    assert "image must be a picture file, but" in refusal(tmp_path, IMAGE.replace("FILE", "x.png"))


def test_a_picture_that_is_a_little_too_large(tmp_path, little):
    (tmp_path / "x.png").write_bytes(picture(200, 100, bytes(100)))
    assert "image must be a smaller picture: 200 x 100 pixels would take" in refusal(
        tmp_path, IMAGE.replace("FILE", "x.png")
    )


@pytest.mark.parametrize("spawn", ['{shape = "grid", spacing = 1, center = [0, 0]}', '{shape = "disc", radius = 5}'])
def test_vehicles_without_number(spawn, tmp_path):
    text = f'[[populations]]\nname = "ants"\nn = 1000000000000000000\nspawn = {spawn}\n'
    told = refusal(tmp_path, text)
    assert "line 3: populations[0].n: n must be smaller: 1,000,000,000,000,000,000 vehicles would take 5e+11 GB" in told


@pytest.mark.parametrize("name", ["flocking", "soccer"])
def test_vehicles_without_number_of_a_built_in_scenario(name):
    with pytest.raises(
        ScenarioError, match=r"n: n must be smaller: 1,000,000,000,000 vehicles would take 500,000\.0 GB"
    ):
        SCENARIOS[name].stage(n=10**12)
    with pytest.raises(ScenarioError, match="n must be smaller"):
        sm.from_document({"scenario": name, "n": 10**12})


def test_a_text_of_any_length_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "LONGEST_TEXT", 1000)
    assert "must have at most 1,000 bytes, got 1,183; long arrays go to a file beside it" in refusal(
        tmp_path, ANTS + "#" * 1110
    )


def test_files_of_walls_and_meshes_that_are_too_large(tmp_path, little):
    (tmp_path / "x.json").write_text(" " * 100_000)
    (tmp_path / "x.obj").write_text(" " * 100_000)
    assert "x.json must be smaller" in refusal(tmp_path, WALLS.replace("FILE", "x.json"))
    assert "x.obj must be smaller" in refusal(tmp_path, MESH.replace("FILE", "x.obj"))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('{"type": "Polygon"}', "geometry must have coordinates, which are a list of lists of positions"),
        ('{"type": "LineString", "coordinates": 5}', "geometry must have coordinates, which are a list of positions"),
        ('{"type": "MultiPolygon", "coordinates": [[5]]}', "which are a list of lists of rings for a MultiPolygon"),
        ('{"type": "Feature", "geometry": 5}', "geometry.geometry[0] must consist of lines and polygons, got 5"),
        ('{"type": ["x"]}', "must consist of lines and polygons, got ['x']"),
        ("[" * 100_000, "must be a GeoJSON file"),
        ('{"type": "LineString", "coordinates": [[NaN, 1], [2, 3]]}', "must be finite"),
    ],
)  # fmt: skip
def test_walls_that_are_none(content, told, tmp_path):
    (tmp_path / "x.json").write_text(content)
    assert told in refusal(tmp_path, WALLS.replace("FILE", "x.json"))


def test_long_files_know_their_lines_soon(tmp_path):
    """The line of each of many items; counting from the beginning for each would take hours."""
    (tmp_path / "a.toml").write_text("x = [\n" + "1,\n" * 50_000 + "]\n")
    _, lines = read_file(tmp_path / "a.toml")
    assert lines["x", 49_999] == 50_001


def test_the_files_that_are_tried_at_random_are_refused(tmp_path):
    """Those of `faults/documents.py` that are never right."""
    for name in FILES:
        if not name.startswith("good"):
            assert "  " in refusal(tmp_path, ARRAY.replace("FILE", name.replace("\0", "\\u0000")))
