"""steersman export."""

import itertools

import pytest
from adapters.test_gltf import Glb
from calling import SMALL, call

from steersman.adapters.frames import linear
from steersman.adapters.stream import read_stream
from steersman.drawing.palette import rgb


def test_a_scenario_and_a_recorded_run_are_written(small, tmp_path):
    result = call("export", small, "--to", tmp_path / "a.frames", "--seconds", 0.5, "--every", 0.25)
    assert result.exit_code == 0, result.output
    assert "wrote " in result.stdout
    live = list(read_stream(tmp_path / "a.frames"))
    assert [time for time, _ in live] == pytest.approx([0, 0.25, 0.5], abs=0.02)
    pytest.importorskip("pyarrow")
    assert call("run", small, "--record", "--seconds", 0.5, "--out", tmp_path / "run").exit_code == 0
    result = call("export", tmp_path / "run", "-o", tmp_path / "b.frames", "--size", 2, "-q")
    assert (result.exit_code, result.stdout) == (0, "")
    again = list(read_stream(tmp_path / "b.frames"))
    assert again[0][1].keys() == live[0][1].keys()
    about = ("--seconds", 0.35, "--every", 0.15, "-q")
    assert call("export", tmp_path / "run", "-o", tmp_path / "c.frames", *about).exit_code == 0
    times = [time for time, _ in read_stream(tmp_path / "c.frames")]
    assert len(times) > 1
    assert times[-1] <= 0.35
    assert all(later - time >= 0.15 - 1e-6 for time, later in itertools.pairwise(times))


def test_exported_vehicles_have_the_color_of_their_scenario(small, tmp_path):
    """Of a scenario, and of a run that was recorded of it."""
    pytest.importorskip("pyarrow")
    small.write_text(SMALL.replace("n = 5", 'n = 5\ncolor = "green"'))
    assert call("run", small, "--record", "--out", tmp_path / "run").exit_code == 0
    for subject in (small, tmp_path / "run"):
        assert call("export", subject, "--to", tmp_path / "a.glb", "-q").exit_code == 0
        (material,) = Glb(tmp_path / "a.glb").json["materials"]
        assert material["pbrMetallicRoughness"]["baseColorFactor"] == [*linear(rgb("green")), 1]


@pytest.mark.parametrize(("words", "options"), [
    ("must end in one of .usda", ("-o", "a.doc")), ("size is not for .csv", ("-o", "a.csv", "--size", 2)),
    ("did you mean 'bird'", ("-o", "a.glb", "--model", "brid")), ("every", ("-o", "a.csv", "--every", -1)),
])  # fmt: skip
def test_wrong_calls_are_told(small, tmp_path, monkeypatch, words, options):
    monkeypatch.chdir(tmp_path)
    result = call("export", small, *options)
    assert result.exit_code == 2
    assert words in result.stderr
    assert [each.name for each in tmp_path.iterdir()] == ["small.toml"]
