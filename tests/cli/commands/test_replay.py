"""steersman replay, and what it has in common with view."""

import pytest
from calling import SMALL, call


def test_a_mistake_in_a_file_is_reported_by_view_and_replay_as_by_run(small, tmp_path):
    small.write_text(SMALL.replace("max_speed = 3", "max_sped = 3").replace("n = 5", "n = -5"))
    told = call("run", small)
    assert told.exit_code == 2
    for command in (("view", small, "--no-browser"), ("replay", small, "-o", tmp_path / "a.html")):
        result = call(*command)
        assert result.exit_code == 2
        assert result.output == told.output
    assert not (tmp_path / "a.html").exists()


def test_replay_writes_one_file(small, tmp_path):
    result = call("replay", small, "-o", tmp_path / "a.html")
    assert result.exit_code == 0, result.output
    assert "wrote" in result.stdout
    assert (tmp_path / "a.html").stat().st_size > 10_000
    result = call("replay", small, "-o", tmp_path / "a.gif")
    assert result.exit_code == 2
    assert "file must end in .html" in result.output


def test_a_recorded_run_is_played(small, tmp_path):
    pytest.importorskip("pyarrow")
    assert call("run", small, "--record", "--out", tmp_path / "run").exit_code == 0
    result = call("replay", tmp_path / "run", "-o", tmp_path / "a.html")
    assert result.exit_code == 0, result.output
    assert (tmp_path / "a.html").stat().st_size > 10_000
    result = call("view", tmp_path / "run", "--no-browser")
    assert result.exit_code == 0, result.output
    assert "it plays in " in result.stdout
    (tmp_path / "run" / "meta.json").write_text("{")
    assert call("view", tmp_path / "run", "--no-browser").exit_code == 2
