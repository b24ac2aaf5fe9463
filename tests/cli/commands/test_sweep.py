"""steersman sweep."""

import pytest
from calling import call

import steersman as sm

SPEED = "populations.ants.max_speed"


def swept(small, out, *more):
    return call("sweep", small, "--out", out, "--on", "here", "--vary", f"{SPEED}=[1, 2]", *more)


def test_a_sweep_writes_a_table(small, tmp_path):
    done = swept(small, tmp_path / "out", "--seeds", "4:7", "--set", "dt=0.1", "--measure", "mean_speed:greatest")
    assert done.exit_code == 0, done.stderr
    assert done.stdout == f"wrote {tmp_path / 'out' / 'table.parquet'}, 6 runs\n"
    rows = sm.read_sweep(tmp_path / "out").table().to_pylist()
    assert [(row[SPEED], row["dt"], row["seed"]) for row in rows] == [(v, 0.1, s) for v in (1, 2) for s in (4, 5, 6)]
    assert all(0 < row["mean_speed:greatest"] <= row[SPEED] + 1e-6 for row in rows)
    again = swept(small, tmp_path / "out", "--seeds", "4:7", "--set", "dt=0.1", "--measure", "mean_speed:greatest")
    assert again.stdout.endswith("6 runs, 6 of them before\n")


def test_what_fails_is_said(small, tmp_path):
    done = call("sweep", small, "--out", tmp_path / "out", "--on", "here", "--vary", f"{SPEED}=[1, -1]")
    assert done.exit_code == 0
    assert "1 of 2 runs failed; the first one: ScenarioError" in done.stderr
    assert "max_speed" in done.stderr


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--vary", "n"], "--vary n: must be path.to.param=value"),
        (["--vary", "n=3"], "must be [value, value] or {low=1, high=3}"),
        (["--set", f"{SPEED}=3"], "is given twice"),
        (["--seeds", "a:b"], "--seeds must be a number"),
        (["--measure", "polarisation"], "did you mean 'polarization'"),
        (["--on", "moon"], "on must be one of"),
        (["--samples", 3], "samples must not be given for a grid"),
    ],
)
def test_wrong_calls(small, tmp_path, more, message):
    done = swept(small, tmp_path / "out", *more)
    assert done.exit_code == 2
    assert message in done.stderr


def test_ctrl_c_keeps_all_rows(small, tmp_path, monkeypatch):
    from steersman.runs.sweeps import store

    add = store.Store.add

    def interrupt(self, rows):
        add(self, rows)
        if len(self.table()) == 3:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(store.Store, "add", interrupt)
        done = swept(small, tmp_path / "out", "--seeds", 3)
    assert done.exit_code == 130
    assert "stopped after 2 of 6 runs; the same command goes on" in done.stderr
    assert len(sm.read_sweep(tmp_path / "out")) == 3
    assert "6 runs, 3 of them before" in swept(small, tmp_path / "out", "--seeds", 3).stdout
