"""steersman tune."""

import pytest
from calling import call
from later import needs

import steersman as sm

pytestmark = needs("cmaes")

VARY = "populations.ants.max_speed={low=1, high=3}"


def test_tuning_prints_and_writes(small, tmp_path):
    done = call(
        "tune", small, "--vary", VARY, "--maximize", "mean_speed", "--seeds", 1, "--held-out", 3, "--budget", 6,
        "--on", "here", "--out", tmp_path / "out",
    )  # fmt: skip
    assert done.exit_code == 0, done.stderr
    assert done.stdout.startswith("tuned: populations.ants.max_speed = ")
    assert "mean_speed  maximize" in done.stdout
    assert {path.name for path in (tmp_path / "out").iterdir()} >= {"search.png", "tuned.toml", "table.parquet"}
    assert call("run", tmp_path / "out" / "tuned.toml", "--steps", 2).exit_code == 0


def test_the_same_call_goes_on_and_another_one_is_refused_unless_forced(small, tmp_path):
    about = ["--vary", VARY, "--maximize", "mean_speed", "--seeds", 1, "--held-out", 2, "--on", "here"]
    out = tmp_path / "out"
    first = call("tune", small, *about, "--budget", 4, "--out", out)
    rows = sm.read_sweep(out).table()
    assert call("tune", small, *about, "--budget", 4, "--out", out).stdout == first.stdout
    assert sm.read_sweep(out).table().equals(rows)  # Even the seconds of each run.
    other = call("tune", small, *about, "--budget", 7, "--out", out)
    assert other.exit_code == 2
    assert "there is another sweep, with other budget" in other.stderr
    assert call("tune", small, *about, "--budget", 7, "--out", out, "--force").exit_code == 0


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ([], "at least one goal"),
        (["--maximize", "mean_sped"], "did you mean"),
        (["--maximize", "mean_speed", "--held-out", "x"], "--held-out must be a number"),
    ],
)
def test_wrong_calls(small, more, message):
    done = call("tune", small, "--vary", VARY, "--on", "here", *more)
    assert done.exit_code == 2
    assert message in done.stderr
