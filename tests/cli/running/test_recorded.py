"""steersman run --record."""

import importlib.util

import pytest
from calling import call, summary_of

import steersman as sm
from steersman.cli.running.output import opened
from steersman.runs.recording import parts
from steersman.runs.recording.writer import Writer

SMALL = ("run", "wander", "--n", 5, "--seconds", 1, "--dt", 0.02)


def test_a_recorded_run(tmp_path):
    out = tmp_path / "out"
    result = call(*SMALL, "--out", out, "--record")
    assert result.exit_code == 0, result.output
    assert "recorded   11 frames" in result.stdout
    assert str(out / "meta.json") in result.stdout.replace("\n", "")
    run = sm.read_run(out)
    assert (run.frames, run.meta["closed"]) == (11, True)
    summary = summary_of(out)
    assert summary["recorded"] == {"frames": 11, "bytes": sum(path.stat().st_size for path in out.rglob("*.parquet"))}
    assert run.meta["end"]["state_hash"] == summary["state_hash"]
    assert set(run.metrics()) == set(summary["metrics"])
    for label, series in run.metrics().items():
        assert series.values[-1] == summary["metrics"][label]["now"]
    again = call("run", out / "scenario.toml", "--out", tmp_path / "again")
    assert again.exit_code == 0
    assert summary_of(tmp_path / "again")["state_hash"] == summary["state_hash"]


@pytest.mark.parametrize(("every", "frames"), [("6steps", 9), ("1 step", 51), ("step", 51), ("0.25", 5)])
def test_how_often(every, frames, tmp_path):
    assert call(*SMALL, "--out", tmp_path / "out", "--record", "--every", every).exit_code == 0
    assert sm.read_run(tmp_path / "out").frames == frames


def test_csv_is_written_without_pyarrow(tmp_path, monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(parts, "find_spec", lambda name, *rest: None if name == "pyarrow" else find(name, *rest))
    result = call(*SMALL, "--out", tmp_path / "out", "--record")
    assert result.exit_code == 1
    assert 'pip install "steersman[record]"' in result.stderr
    assert not (tmp_path / "out").exists()
    assert call(*SMALL, "--out", tmp_path / "out", "--record", "--format", "csv").exit_code == 0
    lines = (tmp_path / "out" / "trajectory" / "part-00000.csv").read_text().splitlines()
    assert len(lines) == 1 + 11 * 5


def test_a_recorded_run_is_not_written_over(tmp_path):
    out = tmp_path / "out"
    assert call(*SMALL, "--out", out, "--record").exit_code == 0
    for options in ([], ["--record"]):
        result = call(*SMALL, "--out", out, *options)
        assert result.exit_code == 2
        assert "there is a recorded run already; choose another folder, or add --force" in result.stderr
        (out / "summary.json").unlink(missing_ok=True)  # As a run that is killed has none.
    assert sm.read_run(out).frames == 11
    assert call(*SMALL, "--out", out, "--record", "--force", "--every", 0.5).exit_code == 0
    assert sm.read_run(out).frames == 3
    assert call(*SMALL, "--out", out, "--force").exit_code == 0
    assert sorted(path.name for path in out.iterdir()) == ["picture.png", "scenario.toml", "summary.json"]
    assert call(*SMALL, "--out", out, "--snapshots", 0.5).exit_code == 0
    for name in ("picture.png", "scenario.toml", "summary.json"):  # As a run of a program that is killed has none.
        (out / name).rename(tmp_path / name)
    assert "there is snapshots already, not left by a run that ended" in call(*SMALL, "--out", out).stderr
    (tmp_path / "summary.json").rename(out / "summary.json")
    assert call(*SMALL, "--out", out).exit_code == 0
    result = call("run", "--resume", out)  # The snapshots were of another run.
    assert result.exit_code == 2
    assert "there is no run that could go on" in result.stderr
    opened(out, record=True)
    assert not [*out.iterdir()]  # A recording that is killed must not stand beside the numbers of the run before.
    assert call(*SMALL, "--out", out, "--record").exit_code == 0  # What a run has left is replaced, as ever.


def test_a_recording_that_fails_ends_the_run(tmp_path, monkeypatch):
    def full(writer):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Writer, "_write_group", full)
    result = call(*SMALL, "--out", tmp_path / "out", "--record")
    assert result.exit_code == 1
    assert "No space left on device; 0 of 11 frames are whole there" in result.stderr
    assert summary_of(tmp_path / "out")["error"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--record"], "--record: needs --out DIR"),
        (["--every", "1"], "--every: says how to record; add --record"),
        (["--format", "csv"], "--format: says how to record; add --record"),
        (["--record", "--out", "out", "--every", "often"], "--every: every must be a time > 0 s, or steps"),
        (["--record", "--out", "out", "--every", "0"], "--every: every must be > 0 s, got 0.0"),
        (["--record", "--out", "out", "--every", "0steps"], "--every: steps must be a whole number >= 1, got 0"),
        (["--record", "--out", "out", "--format", "xml"], "--format: must be parquet or csv, got 'xml'"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_written(options, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = call(*SMALL, *options)
    assert result.exit_code == 2
    assert message in result.stderr
    assert not any(tmp_path.iterdir())
