"""Runs that were killed go on where their newest whole snapshot was taken, and end with the same bits."""

import json
import os
import signal
import subprocess
import sys
import time

import calling
import pytest
from calling import summary_of
from patience import PATIENCE, standing

import steersman as sm
from steersman.cli.running import output, resuming
from steersman.cli.running.resuming import Snapshots
from steersman.gallery.registry import SCENARIOS
from steersman.runs.recording.folder import Lock

SMALL = """
name = "small"
seconds = 3
dt = 0.05
[[obstacles]]
name = "rocks"
center = [[9, 9]]
radius = 2
[[populations]]
name = "ants"
n = 5
spawn = { shape = "disc", radius = 5 }
max_speed = 3
metrics = ["mean_speed", { metric = "penetration", every = 0.1 }]
steering = { behavior = "Wander" }
"""

OWN = """
import numpy as np
import steersman as sm

class Wind:
    def __init__(self):
        self.strength = 0.0

    def __call__(self, vehicles):
        return np.full(vehicles.position.shape, self.strength)

    def grow(self, world):
        self.strength += 0.01

    def saved(self):
        return {"strength": self.strength}

    def resume(self, saved):
        self.strength = saved["strength"]

def make(*, n=4, seed=0, top=2.0):
    world, wind = sm.World(seed=seed, dt=0.05), Wind()
    rng = np.random.default_rng(seed)
    world.add(sm.Vehicles(rng.uniform(0, 9, (n, 2)), max_speed=top), steering=sm.WeightedSum([sm.Wander(), wind]))
    world.on_step(wind.grow, sm.EverySeconds(0.35))
    return world
"""


def call(*arguments, code=0):
    result = calling.call(*arguments)
    assert result.exit_code == code, result.output + str(result.exception)
    return result


def same(a, b):
    """Whether two runs came to the same, in bits and in numbers."""
    one, other = summary_of(a), summary_of(b)
    return all(one[key] == other[key] for key in ("scenario", "steps", "seconds", "metrics", "check", "state_hash"))


def stopped(folder, at):
    """Make a run that ended look like one that was killed after so many steps."""
    for path in (folder / "snapshots").glob("snapshot-0*"):
        if int(path.stem.partition("-")[2]) > at:
            path.unlink()
    for name in ("summary.json", "picture.png"):
        (folder / name).unlink()


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    (tmp_path / "begun.toml").write_text("steps = 30\ntime = 1.5" + SMALL)
    return path


@pytest.fixture
def own(tmp_path):
    path = tmp_path / "own.py"
    path.write_text(OWN)
    return path


@pytest.mark.parametrize(
    "asked",
    [
        ["small.toml", "--set", "populations.ants.max_speed=4", "--seconds", 2],
        ["begun.toml", "--steps", 47, "--seed", 3],
        ["boids", "--n", 12, "--seconds", 2, "--set", "populations.boids.max_speed=9"],
        ["soccer", "--n", 4, "--seed", 2, "--steps", 60],
        ["seek_flee", "--seconds", 2, "--dt", 0.04],
        ["own.py", "--n", 3, "--seconds", 2, "--set", "top=3"],
    ],
    ids=lambda asked: f"{asked[0]} {asked[1]}",
)
def test_a_run_that_is_resumed_ends_with_the_same_bits(asked, small, own, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    call("run", *asked, "--out", "whole", "-q")
    call("run", *asked, "--out", "killed", "--snapshots", 0.5, "-q")
    assert same(tmp_path / "whole", tmp_path / "killed")
    steps = summary_of(tmp_path / "killed")["steps"]
    stopped(tmp_path / "killed", at=max(Snapshots(tmp_path / "killed", 0.5).files_by_step()) - 1)
    module = [asked[0]] if asked[0].endswith(".py") else []
    call("run", *module, "--resume", "killed", "-q", "--threads", 3)
    assert same(tmp_path / "whole", tmp_path / "killed")
    assert summary_of(tmp_path / "killed")["threads"] == 3
    assert 0 < summary_of(tmp_path / "killed")["resumed_after"] < steps


def test_a_run_is_not_resumed_twice_at_the_same_time(small, tmp_path):
    pytest.importorskip("fcntl")  # There are no locks on Windows.
    call("run", small, "--steps", 12, "--out", tmp_path, "--snapshots", 0.2, "-q")
    stopped(tmp_path, at=8)
    lock = Lock(tmp_path)
    assert "being recorded" in call("run", "--resume", tmp_path, code=2).stderr
    lock.release()
    call("run", "--resume", tmp_path, "-q")
    Lock(tmp_path).release()


def test_a_check_is_made_at_the_end_of_a_resumed_run_too(tmp_path):
    call("run", "wander", "--out", tmp_path, "--snapshots", 10, "-q")
    before = summary_of(tmp_path)
    assert before["check"]["passed"]
    stopped(tmp_path, at=before["steps"] - 1)
    call("run", "--resume", tmp_path, "-q")
    assert summary_of(tmp_path)["check"] == before["check"]


def test_the_last_few_snapshots_are_kept(small, tmp_path):
    call("run", small, "--out", tmp_path / "out", "--snapshots", 0.25, "-q")
    there = sorted(path.name for path in (tmp_path / "out" / "snapshots").iterdir())
    assert there == [*(f"snapshot-{steps:09d}.steersman" for steps in (50, 55, 60)), "snapshot-run.json"]
    assert sm.World.load(tmp_path / "out" / "snapshots" / there[0]).steps == 50


def test_a_damaged_snapshot_is_told_and_the_one_before_is_used(small, tmp_path):
    out = tmp_path / "out"
    call("run", small, "--out", out, "--snapshots", 0.5, "-q")
    before = summary_of(out)
    stopped(out, at=50)
    newest = out / "snapshots" / "snapshot-000000050.steersman"
    newest.write_bytes(newest.read_bytes()[:-7])
    result = call("run", "--resume", out, "-q")
    assert (
        "snapshot-000000050.steersman: is no snapshot, or its end is missing; an earlier one will do" in result.stderr
    )
    after = summary_of(out)
    assert after["resumed_after"] == 40
    assert (after["state_hash"], after["metrics"]) == (before["state_hash"], before["metrics"])


def test_without_a_whole_snapshot_the_run_begins_anew(small, tmp_path):
    out = tmp_path / "out"
    call("run", small, "--out", out, "--snapshots", 0.5, "-q")
    before = summary_of(out)
    stopped(out, at=-1)
    result = call("run", "--resume", out, "-q")
    assert "there is no whole snapshot; the run begins anew" in result.stderr
    assert summary_of(out)["state_hash"] == before["state_hash"]
    assert summary_of(out)["resumed_after"] is None


def test_a_second_run_in_a_folder_forgets_the_snapshots_of_the_first(small, tmp_path):
    out = tmp_path / "out"
    call("run", small, "--out", out, "--snapshots", 0.5, "-q")
    call("run", small, "--out", out, "--snapshots", 1, "--steps", 10, "-q")
    names = sorted(path.name for path in (out / "snapshots").iterdir())
    assert names == ["snapshot-000000000.steersman", "snapshot-run.json"]


def test_the_scenario_of_a_run_that_stops_at_once_tells_how_to_run_it_again(small, tmp_path, monkeypatch):
    monkeypatch.setattr("steersman.cli.running.whole_run.perform", lambda *_, **__: {}["step"])
    call("run", small, "--snapshots", 1, "--out", tmp_path, code=2)
    assert "To run it again: steersman run scenario.toml\n" in (tmp_path / "scenario.toml").read_text()


@pytest.mark.parametrize("recorded", [[], ["--record"], ["--record", "--every", "3steps"]], ids=str)
def test_a_run_that_was_stopped_before_its_first_step_goes_on(recorded, small, tmp_path):
    if recorded:
        pytest.importorskip("pyarrow")
    out = tmp_path / "out"
    call("run", small, "--out", tmp_path / "whole", *recorded, "-q")
    call("run", small, "--out", out, "--snapshots", 1.5, *recorded, "-q")
    stopped(out, at=0)
    assert "begins anew" not in call("run", "--resume", out, "-q").stderr
    assert same(tmp_path / "whole", out)
    if recorded:
        assert rows(tmp_path / "whole") == rows(out)


def test_a_folder_without_a_call_does_not_blame_it(tmp_path):
    said = call("run", "--resume", tmp_path, "-q", code=2).stderr
    assert "it was stopped before its first step, or begun without --snapshots" in " ".join(said.split())


PARTS = [
    ({"steps": 1}, 0.3, 0.1, 3), ({"steps": 2}, 0.75, 0.1, 4), ({"seconds": 0.1}, 0.3, 0.02, 3), ({"steps": 5}, 0.1, 0.1, 1),
    ({"seconds": 0.01}, 0.5, 0.1, 5), ({}, 0.6, 0.2, 3), ({"seconds": 0.4}, 1.2, 0.1, 3),
]  # fmt: skip


@pytest.mark.parametrize(("every", "snapshots", "dt", "count"), PARTS)
def test_a_part_of_the_recording_is_as_many_frames_as_come_between_two_snapshots(every, snapshots, dt, count, tmp_path):
    """Rounded, so that 0.3 s are three frames of 0.1 s; frames come with steps, so no oftener than these."""
    assert Snapshots(tmp_path, snapshots).schedule(every, dt)["keep_every"] == count


@pytest.mark.parametrize("every", [[], ["--every", 0.2], ["--every", "4steps"]], ids=str)
def test_snapshots_are_taken_at_multiples_of_their_time(every, small, tmp_path):
    pytest.importorskip("pyarrow")
    out = tmp_path / "out"
    call("run", small, "--out", out, "--snapshots", 1, "--record", *every, "-q")
    steps = sorted(sm.World.load(path).steps for path in (out / "snapshots").glob("snapshot-0*"))
    assert steps == [20, 40, 60]  # A step takes 0.05 s; the one of the beginning is the fourth newest.


def test_a_snapshot_that_cannot_be_written_is_told_and_the_run_goes_on(small, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    save = sm.World.save
    monkeypatch.setattr(sm.World, "save", lambda world, path: full() if world.steps == 40 else save(world, path))
    result = call("run", small, "--out", tmp_path / "out", "--snapshots", 0.5, "-q")
    assert "warning: no snapshot of step 40: [Errno 28] No space left on device" in result.stderr
    assert len(list((tmp_path / "out" / "snapshots").glob("snapshot-0*"))) == 3


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["boids", "--snapshots", 1], "--snapshots: needs --out DIR"),
        (["boids", "--snapshots", 0, "--out", "out"], "--snapshots: must be a number > 0 s, got 0"),
        (["--resume", "nowhere"], "--resume nowhere: there is no run that could go on"),
        (["--resume", "here", "--seed", 0], "--seed: is not for --resume"),
        (["boids", "--resume", "here"], "--resume: knows its scenario"),
        (["--resume", "own"], "this run was made by a Python file; name it: steersman run own.py --resume own"),
        (["own.py", "--resume", "other"], "a snapshot of another world"),
        ([], "a scenario must be given"),
    ],
)
def test_wrong_calls_say_what_is_wrong(arguments, told, small, own, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    call("run", small, "--steps", 12, "--snapshots", 0.5, "--out", "here", "-q")
    call("run", own, "--steps", 12, "--snapshots", 0.5, "--out", "own", "-q")
    if "other" in arguments:
        call("run", own, "--steps", 12, "--snapshots", 0.5, "--out", "other", "-q")
        own.write_text(OWN.replace("sm.Wander()", "sm.Wander(strength=9)"))
        assert told in call("run", *arguments).stderr
    else:
        assert told in call("run", *arguments, code=2).stderr


@pytest.mark.parametrize(
    "text", [b"", b"[", b"[1]", b'{"kind": "x"}', b'{"kind": "steersman run with snapshots", "version": 9}', b"\xff"]
)
def test_a_damaged_note_of_the_call_is_told(text, small, tmp_path):
    call("run", small, "--steps", 2, "--snapshots", 0.5, "--out", tmp_path / "out", "-q")
    note = tmp_path / "out" / "snapshots" / "snapshot-run.json"
    whole = json.loads(note.read_text())
    note.write_bytes(text)
    assert "snapshot-run.json" in call("run", "--resume", tmp_path / "out", code=2).stderr
    for key, value in (("scenario", 3), ("options", {"threads": 3}), ("changes", [1]), ("every", "1"), ("n", "many")):
        note.write_text(json.dumps({**whole, key: value}))
        assert "is damaged" in call("run", "--resume", tmp_path / "out", code=2).stderr


def test_no_python_file_is_executed_that_a_folder_names(small, tmp_path):
    call("run", small, "--steps", 2, "--snapshots", 0.5, "--out", tmp_path / "out", "-q")
    note, trap = tmp_path / "out" / "snapshots" / "snapshot-run.json", tmp_path / "out" / "trap.py"
    trap.write_text(f"import pathlib; pathlib.Path({str(tmp_path / 'executed')!r}).touch()")
    note.write_text(json.dumps({**json.loads(note.read_text()), "scenario": str(trap)}))
    assert "name it" in call("run", "--resume", tmp_path / "out", code=2).stderr
    assert not (tmp_path / "executed").exists()


# ------------------------------------------------------------------------------------------------------ recorded runs


def rows(folder):
    """What was recorded, and what was measured."""
    run = sm.read_run(folder)
    frames = run.table().sort_by([("frame", "ascending"), ("id", "ascending")])
    return frames.to_pydict(), sorted(run.metrics_table().to_pylist(), key=lambda row: (row["label"], row["time"]))


def test_a_recorded_run_that_is_resumed_is_recorded_whole(small, tmp_path):
    pytest.importorskip("pyarrow")
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    call("run", small, "--out", whole, "--record", "-q")
    call("run", small, "--out", killed, "--record", "--snapshots", 0.5, "-q")
    assert rows(whole) == rows(killed)
    stopped(killed, at=40)
    call("run", "--resume", killed, "-q")
    assert rows(whole) == rows(killed)
    assert same(whole, killed)
    assert 30 < summary_of(killed)["resumed_after"] <= 40


def test_the_picture_of_a_resumed_run_has_the_constructions_that_are_asked_for(small, tmp_path):
    out = tmp_path / "killed"
    call("run", small, "--out", out, "--snapshots", 0.5, "-q")
    pictures = []
    for sketch in ((), ("--sketch", "1,3")):
        stopped(out, at=40)
        call("run", "--resume", out, "-q", *sketch)
        pictures.append((out / "picture.png").read_bytes())
    assert pictures[0] != pictures[1]
    result = call("run", "--resume", out, "-q", "--sketch", "99", code=2)
    assert "--sketch: must be ids that there are in 'ants'" in result.stderr


def test_a_recorded_run_without_a_snapshot_begins_anew(small, tmp_path):
    pytest.importorskip("pyarrow")
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    call("run", small, "--out", whole, "--record", "--every", "3steps", "-q")
    call("run", small, "--out", killed, "--record", "--every", "3steps", "--snapshots", 0.5, "-q")
    stopped(killed, at=-1)
    call("run", "--resume", killed, "-q")
    assert rows(whole) == rows(killed)
    stopped(killed, at=45)
    call("run", "--resume", killed, "-q")
    assert rows(whole) == rows(killed)


# ------------------------------------------------------------------------------------------------------ kill -9


@pytest.mark.skipif(os.name == "nt", reason="signals are sent in another way")
def test_a_run_that_is_killed_goes_on(tmp_path):
    """Once, and recorded; `python -m tests.faults` does so more often, at any moment."""
    pytest.importorskip("pyarrow")
    options = ["wander", "--n", 20, "--seconds", 8, "--record", "--every", 0.2]
    call("run", *options, "--out", tmp_path / "whole", "-q")
    killed(options, tmp_path / "killed")
    assert same(tmp_path / "whole", tmp_path / "killed")
    assert rows(tmp_path / "whole") == rows(tmp_path / "killed")
    assert summary_of(tmp_path / "killed")["resumed_after"] > 0


def killed(options, folder):
    """Run something, kill it when it has gone on, resume it, and let it end."""
    program = [sys.executable, "-c", standing("steersman.core.world.world.World", 200), "run"]
    arguments = [*map(str, options), "--snapshots", "0.5", "--out", str(folder), "-q"]
    process = subprocess.Popen([*program, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    deadline = time.monotonic() + PATIENCE
    while (
        newest(folder) in ("", "snapshot-000000000.steersman")
        and process.poll() is None
        and time.monotonic() < deadline
    ):
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    assert b"Traceback" not in process.communicate()[1]
    assert process.returncode == -signal.SIGKILL
    command = [sys.executable, "-m", "steersman", "run", "--resume", str(folder), "-q"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr


def newest(folder):
    """The name of the newest snapshot."""
    return max((path.name for path in (folder / "snapshots").glob("snapshot-0*.steersman")), default="")


def test_scenarios_have_names_that_are_no_files():
    """A run says by one word what it was: the name of a scenario, `scenario.toml`, or a Python file."""
    assert not any(name.endswith((".py", ".toml")) for name in SCENARIOS)


def full(*_, **__):
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("recorded", [[], ["--record"]], ids=["snapshots", "recorded"])
def test_a_run_that_cannot_begin_its_snapshots_unlocks_its_folder(small, recorded, tmp_path, monkeypatch):
    pytest.importorskip("fcntl")  # There are no locks on Windows.
    out = tmp_path / "out"
    with monkeypatch.context() as patch:
        patch.setattr(resuming, "write_whole", full)
        told = call("run", small, "--out", out, "--snapshots", 0.5, *recorded, code=1).stderr
    assert "cannot be written: No space left on device" in told.replace("\n", " ")
    Lock(out).release()


@pytest.mark.parametrize("recorded", [[], ["--record"]], ids=["snapshots", "recorded"])
def test_a_run_that_cannot_replace_another_unlocks_its_folder(small, recorded, tmp_path, monkeypatch):
    pytest.importorskip("fcntl")  # There are no locks on Windows.
    call("run", small, "--steps", 6, "--out", tmp_path, "--snapshots", 0.2, *recorded, "-q")
    with monkeypatch.context() as patch:
        patch.setattr(output, "clear" if recorded else "clear_snapshots", full)
        told = call("run", small, "--out", tmp_path, "--force", code=2).stderr
    assert "what is there cannot be deleted: No space left on device" in told.replace("\n", " ")
    Lock(tmp_path).release()
