"""What would take too much memory is refused, with the number."""

import json
from math import inf, nan

import numpy as np
import pytest
from PIL import Image

import steersman as sm
from steersman.core.parameters import sizes
from steersman.core.parameters.sizes import check_bytes, in_words, most_bytes
from steersman.runs.documents.files import load_array
from steersman.runs.documents.limits import check_count


def test_at_most_half_of_the_memory(monkeypatch, tmp_path):
    most_bytes.cache_clear()
    monkeypatch.setattr(
        sizes.os, "sysconf", lambda name: {"SC_PHYS_PAGES": 1000, "SC_PAGE_SIZE": 4096}[name], raising=False
    )
    monkeypatch.setattr(sizes, "LIMITS", ())
    assert most_bytes() == 2_048_000
    limit = tmp_path / "memory.max"
    for text, most in (("max\n", 2_048_000), ("100000\n", 50_000)):
        limit.write_text(text)
        monkeypatch.setattr(sizes, "LIMITS", (str(limit), str(tmp_path / "none")))
        most_bytes.cache_clear()
        assert most_bytes() == most
    most_bytes.cache_clear()


def test_a_machine_that_does_not_say(monkeypatch):
    def unknown(name):
        raise ValueError("unrecognized configuration name")

    most_bytes.cache_clear()
    monkeypatch.setattr(sizes.os, "sysconf", unknown, raising=False)
    monkeypatch.setattr(sizes, "LIMITS", ())
    assert most_bytes() == 8 * 2**30
    most_bytes.cache_clear()


@pytest.mark.parametrize("needed", [1e18, inf, nan, 10**400])
def test_what_is_too_much(needed):
    with pytest.raises(
        ValueError, match=r"^cell must be larger: 7 cells would take .* of memory, and at most .* GB are"
    ):
        check_bytes("cell must be larger", "7 cells", needed)


def test_what_is_not():
    check_bytes("cell must be larger", "7 cells", 1e6)


def test_words():
    assert [in_words(each) for each in (5e6, 19.2e9, 1e18, 10**400)] == ["5.0 MB", "19.2 GB", "1e+09 GB", "1e+291 GB"]


ONE = sm.Vehicles([[0, 0]])
SMOOTH = sm.PointMass(limits=[sm.HeadingSmoother(10**13)])
STILL = sm.FlowField.function(np.copy)
CORNER = [[0, 0], [1e6, 1e6], [0, 1e6]]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: sm.Coverage(sm.Box([100, 100]), ONE, reach=1, cell=1e-4), "cell must be larger .* 1,000,000,000,000 cells"),
        (lambda: sm.Coverage(sm.Box([1e200, 1]), ONE, reach=1, cell=1e-200), "cell must be larger than .* inf cells"),
        (lambda: STILL.paint([0, 0], [1, 1], max_speed=1, pixels=(10**7, 10**7)), "10,000,000 x 10,000,000 pixels"),
        (lambda: sm.World().add(ONE, locomotion=SMOOTH), "samples must be smaller: 10,000,000,000,000 of them"),
        (lambda: sm.Path.spline(CORNER, tolerance=1e-9), "tolerance must be larger: .* 47,067,224 segments"),
        (lambda: sm.Path.spline(CORNER, tolerance=5e-324), "would take inf segments"),
        (lambda: sm.World(threads=10**6), "threads must be <= 1024, got 1000000"),
    ],
)  # fmt: skip
def test_sizes_are_known_before_anything_is_made(make, message):
    with pytest.raises(ValueError, match=message):
        make()


LARGE = sm.Box([100, 100])


@pytest.mark.parametrize(
    ("read", "message"),
    [
        (lambda folder: sm.TriangleMesh.load(folder / "mesh.obj"), "mesh.obj must be smaller: what it holds"),
        (lambda folder: sm.Walls.from_geojson(folder / "walls.json"), "walls.json must be smaller: what it holds"),
        (lambda folder: sm.FlowField.image(folder / "flow.png", [0, 0], [1, 1], max_speed=1), "a smaller picture: 40 x 40"),
        (lambda folder: load_array(folder / "a.npz", {"file": "a.npz", "array": "a"}), "a.npz must be smaller: 1,000 num"),
        (lambda folder: sm.RouteGrid(region=LARGE, spacing=1), "spacing must be larger: 101 x 101 nodes"),
        (lambda folder: STILL.paint([0, 0], [1, 1], max_speed=1, pixels=(99, 99)), "pixels must be fewer: 99 x 99 pixels"),
        (lambda folder: sm.Coverage(LARGE, ONE, reach=1, cell=1), "cell must be larger than 1 m: 10,000 cells"),
        (lambda folder: check_count(999), "n must be smaller: 999 vehicles"),
    ],
)  # fmt: skip
def test_a_small_memory_is_told_before_anything_is_read_or_made(read, message, monkeypatch, tmp_path):
    """Each needs more than 4,000 bytes, and the files are sound."""
    (tmp_path / "mesh.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\n" + 10 * "f 1 2 3\n")
    line = {"type": "LineString", "coordinates": [[k, k % 2] for k in range(40)]}
    (tmp_path / "walls.json").write_text(json.dumps(line))
    Image.new("RGB", (40, 40)).save(tmp_path / "flow.png")
    np.savez(tmp_path / "a.npz", a=np.arange(1000.0))
    monkeypatch.setattr(sizes, "most_bytes", lambda: 4_000)
    with pytest.raises(ValueError, match=message):
        read(tmp_path)
    monkeypatch.setattr(sizes, "most_bytes", lambda: 10**9)
    read(tmp_path)


@pytest.mark.parametrize("steering", [sm.FollowPath, sm.StayOnPath, lambda path: sm.FollowPath(path, law="lane")])
def test_a_path_that_lies_around_a_torus_too_often(steering):
    world = sm.World(domain=sm.Torus([1e-6, 1e-6]))
    world.add(sm.Vehicles([[0, 0]]), steering=steering(sm.Path([[0, 0], [1, 1]])))
    with pytest.raises(
        ValueError, match=r"path must be shorter, or the torus larger: .* takes 1,000,00\d,\d+,\d+ images"
    ):
        world.step()


def test_a_path_that_lies_around_a_torus_now_and_then():
    world = sm.World(domain=sm.Torus([10, 10]))
    world.add(sm.Vehicles([[0, 0]]), steering=sm.FollowPath(sm.Path([[0, 0], [200, 200]])))
    world.step()
