"""steersman run."""

import dataclasses
import tomllib
from pathlib import Path

import matplotlib.image
import numpy as np
import pytest
from calling import SMALL, call, summary_of

from steersman.core.world.world import World
from steersman.gallery import request
from steersman.gallery.registry import SCENARIOS


def test_run_prints_what_came_out():
    result = call("run", "wander", "--seconds", 0.5, "--n", 3)
    assert result.exit_code == 0
    assert "3 strollers" in result.stdout
    assert "steps/s" in result.stdout
    assert "strollers.polarization" in result.stdout
    assert "check" not in result.stdout  # too short to be judged


def test_run_checks_a_scenario_that_runs_to_its_end():
    result = call("run", "seek_flee")
    assert result.exit_code == 0
    assert "check passed" in result.stdout


def test_a_check_that_fails_leaves_exit_code_1(monkeypatch):
    judged = dataclasses.replace(SCENARIOS["seek_flee"], check=lambda stage: ["they must dance", "they must sing"])
    monkeypatch.setattr(request, "SCENARIOS", {"seek_flee": judged})
    result = call("run", "seek_flee", "--n", 2)
    assert result.exit_code == 1
    assert "check failed:\n  they must dance\n  they must sing" in result.stdout
    assert "the check failed" in result.stderr
    quiet = call("run", "seek_flee", "--n", 2, "--quiet")
    assert quiet.exit_code == 1
    assert quiet.stderr == "they must dance\nthey must sing\n"
    assert call("run", "seek_flee", "--n", 2, "--seconds", 0.1).exit_code == 0


def test_so_many_steps(small, tmp_path):
    result = call("run", small, "--steps", 7, "--dt", 0.01, "--out", tmp_path / "out")
    assert result.exit_code == 0
    assert summary_of(tmp_path / "out")["steps"] == 7
    again = call("run", tmp_path / "out" / "scenario.toml", "--out", tmp_path / "again")
    assert again.exit_code == 0
    first, second = summary_of(tmp_path / "out"), summary_of(tmp_path / "again")
    assert (second["steps"], second["state_hash"]) == (7, first["state_hash"])


def test_what_is_long_lies_beside_the_scenario(tmp_path):
    assert call("run", "wander", "--n", 300, "--steps", 3, "--out", tmp_path / "out").exit_code == 0
    assert (tmp_path / "out" / "scenario.npz").exists()
    assert call("run", tmp_path / "out" / "scenario.toml", "--out", tmp_path / "again").exit_code == 0
    assert summary_of(tmp_path / "again")["state_hash"] == summary_of(tmp_path / "out")["state_hash"]


def test_the_scenario_says_what_is_not_in_it(tmp_path):
    assert call("run", "docking", "--steps", 1, "--out", tmp_path).exit_code == 0
    lines = (tmp_path / "scenario.toml").read_text().splitlines()
    assert (
        lines[1] == "# Not in it are metrics that are Python functions: ships.off_berth, ships.off_axis, ships.typical"
    )
    assert call("run", "soccer", "--n", 4, "--steps", 1, "--out", tmp_path).exit_code == 0
    assert tomllib.loads((tmp_path / "scenario.toml").read_text())["scenario"] == "soccer"


def test_a_file_that_calls_for_a_built_in_scenario(tmp_path):
    path = tmp_path / "few.toml"
    path.write_text('scenario = "wander"\nn = 3\nseconds = 0.1\n')
    result = call("run", path, "--n", 4, "--out", tmp_path / "out")
    assert result.exit_code == 0
    assert list(summary_of(tmp_path / "out")["n"].values()) == [4]
    path.write_text('scenario = "wandr"\nn = 0\n')
    result = call("run", path)
    assert result.exit_code == 2
    assert "line 1: scenario: there is no scenario 'wandr'; did you mean 'wander'?" in result.stderr
    assert "line 2: n: n must be a whole number >= 1, got 0" in result.stderr


def test_out_holds_three_files_and_the_scenario_runs_again_to_the_same_bits(tmp_path):
    options = ("--n", 8, "--seconds", 1, "--seed", 9, "--dt", 0.01)
    result = call(
        "run", "pursuit_evasion", *options, "--set", "populations.hunters.max_speed=15", "--out", tmp_path / "a/b"
    )
    assert result.exit_code == 0
    out = tmp_path / "a" / "b"
    assert sorted(path.name for path in out.iterdir()) == ["picture.png", "scenario.toml", "summary.json"]
    first = summary_of(out)
    assert (first["steps"], first["dt"], first["seed"], first["n"]) == (100, 0.01, 9, {"hunters": 8, "quarries": 8})
    assert first["metrics"]["hunters.closest_to"]["unit"] == "m"
    assert first["steps_per_second"] > 0
    assert first["error"] is None
    assert set(first["versions"]) == {"steersman", "python", "numpy", "numba"}
    assert tomllib.loads((out / "scenario.toml").read_text())["populations"][0]["max_speed"] == 15
    assert matplotlib.image.imread(out / "picture.png").std() > 0.01
    again = call("run", out / "scenario.toml", "--out", tmp_path / "again", "--threads", 1)
    assert again.exit_code == 0
    assert summary_of(tmp_path / "again")["state_hash"] == first["state_hash"]
    other = call("run", out / "scenario.toml", "--out", tmp_path / "other", "--seed", 10)
    assert other.exit_code == 0
    assert summary_of(tmp_path / "other")["state_hash"] != first["state_hash"]
    assert (tmp_path / "again" / "scenario.toml").read_text() == (out / "scenario.toml").read_text()


@pytest.mark.parametrize("scenario", ["context_map", "obstacle_avoidance", "sheep"])
def test_the_seed_is_that_of_the_scenery_too(scenario):
    """What a built-in scenario scatters is scattered by --seed, not only the vehicles."""

    def scenery(seed):
        stage = request.prepare(scenario, None, {"seed": seed}, [], 1, 1)
        return [obstacles.center.tolist() for obstacles in stage.obstacles]

    assert scenery(None) == scenery(0) != scenery(1)


def test_a_file_of_ones_own(small, tmp_path):
    result = call("run", small, "--n", 7, "--out", tmp_path / "out")
    assert result.exit_code == 0
    assert summary_of(tmp_path / "out")["n"] == summary_of(tmp_path / "out")["n_before"] == {"ants": 7}
    assert summary_of(tmp_path / "out")["check"] is None


def test_quiet_says_nothing(small):
    result = call("run", small, "--quiet")
    assert result.exit_code == 0
    assert result.output == ""


def test_nothing_is_written_without_out(small, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert call("run", small).exit_code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["small.toml"]


def test_three_mistakes_in_a_file_are_all_reported_and_nothing_is_written(small, tmp_path):
    text = SMALL.replace("radius = 5", "radius = -5").replace("max_speed", "max_sped").replace('"Wander"', '"Wonder"')
    small.write_text(text)
    result = call("run", small, "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert not (tmp_path / "out").exists()
    assert "3 problems" in result.stderr
    assert "line 7: populations[0].spawn.radius: radius must be >= 0 m, got -5" in result.stderr
    assert (
        "line 8: populations[0].max_sped: there is no key 'max_sped' here; did you mean 'max_speed'?" in result.stderr
    )
    assert (
        "line 10: populations[0].steering.behavior: there is no behavior 'Wonder'; did you mean 'Wander'?"
        in result.stderr
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["floking"], "did you mean 'flocking'? (scenarios: "),
        (["nowhere.toml"], "nowhere.toml: 1 problem\n  cannot be read: No such file"),
        (["wander", "--n", "0"], "--n: must be a whole number >= 1, got 0"),
        (["wander", "--n", "-2"], "--n: must be a whole number >= 1, got -2"),
        (["wander", "--n", "x"], "valid integer"),
        (["wander", "--dt", "nan"], "dt must be >= 1e-12 s and <= 1e+09 s, got nan"),
        (["wander", "--dt", "0"], "dt must be >= 1e-12 s and <= 1e+09 s, got 0.0"),
        (["wander", "--seconds", "-1"], "seconds must be > 0 s and <= 1e+12 s, got -1.0"),
        (["wander", "--seconds", "inf"], "seconds must be > 0 s and <= 1e+12 s, got inf"),
        (["wander", "--seed", "-1"], "seed must be a whole number >= 0, got -1"),
        (["wander", "--threads", "0"], "--threads: must be a whole number >= 1, got 0"),
        (["wander", "--steps", "0"], "--steps: must be a whole number >= 1, got 0"),
        (["wander", "--seconds", "1e308"], "seconds must be > 0 s and <= 1e+12 s, got 1e+308"),
        (["soccer", "--n", "2", "--seconds", "1e300"], "seconds must be > 0 s and <= 1e+12 s, got 1e+300"),
        (
            ["wander", "--steps", "1" + 30 * "0"],
            "--steps: must be a whole number >= 1 and <= 9,007,199,254,740,992, got",
        ),
        (["wander", "--threads", "1000000"], "threads must be <= 1024, got 1000000"),
        (
            ["wander", "--n", "1000000000000"],
            "n: n must be smaller: 1,000,000,000,000 vehicles would take 500,000.0 GB",
        ),
        (["wander", "--set", "seed=" + 5000 * "9"], "a number must have at most 300 digits"),
        (["wander", "--set", "name=" + 300 * "["], "tables and lists must be nested at most 100 deep"),
        (["wander", "--set", "populations.0.steering=1979-05-27"], "steering must not be a date or a time"),
        (["wander", "--set", "dt"], "--set dt: must be path.to.param=value"),
        (["wander", "--set", "populations.x.n=3"], "there is no item 'x'"),
        (["wander", "--set", "populations.strollers.mass=-3"], "mass must be > 0 kg"),
        (["wander", "--set", "populations.strollers.steering.law=jump"], '"sphere"'),
    ],
)
def test_wrong_calls_say_what_is_wrong(arguments, message, tmp_path):
    result = call("run", *arguments, "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert message in result.stderr
    assert not (tmp_path / "out").exists()


def test_out_that_is_a_file(small, tmp_path):
    result = call("run", small, "--out", small)
    assert result.exit_code == 2
    assert "cannot be made a folder" in result.stderr
    assert small.read_text() == SMALL


def test_a_run_that_fails_keeps_what_was_computed(small, tmp_path, monkeypatch):
    step = World.step

    def step_until_poisoned(world, dt=None):
        if world.steps == 4:
            world["ants"].position[2, 0] = float("nan")
        step(world, dt)

    monkeypatch.setattr(World, "step", step_until_poisoned)
    result = call("run", small, "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert "after 4 of 12 steps" in result.stderr
    assert "position of 'ants' must be finite" in result.stderr
    summary = summary_of(tmp_path / "out")
    assert summary["steps"] == 4
    assert "vehicle 2" in summary["error"]


def test_warnings_are_a_line(small):
    small.write_text(SMALL.replace('{ behavior = "Wander" }', '{ behavior = "Seek", target = [1, 1] }'))
    result = call("run", small, "--set", "populations.ants.response_time=0.001")
    assert result.exit_code == 0
    assert "warning: dt = 0.0166667 s is not below twice" in result.stderr


OWN = """
import numpy as np
import steersman as sm

def make(*, n=4, seed=0, speed=2.0):
    world = sm.World(seed=seed, dt=0.1)
    world.add(sm.Vehicles(np.zeros((n, 2)), max_speed=speed), name="me", steering=sm.Wander())
    return world

def check(stage):
    return [] if stage.world["me"].max_speed[0] < 3 else ["must be slow"]
"""


@pytest.fixture
def own(tmp_path):
    path = tmp_path / "own.py"
    path.write_text(OWN)
    return path


def test_a_scenario_in_a_python_file(own, tmp_path):
    result = call("run", own, "--out", tmp_path / "a")
    assert result.exit_code == 0
    assert "check passed" in result.stdout
    assert (tmp_path / "a" / "scenario.py").read_text() == OWN
    again = call("run", tmp_path / "a" / "scenario.py", "--out", tmp_path / "a", "--seed", 0)
    assert again.exit_code == 0
    assert summary_of(tmp_path / "a")["n"] == {"me": 4}
    result = call("run", own, "--n", 7, "--set", "speed=5", "--out", tmp_path / "b")
    assert result.exit_code == 1
    assert "must be slow" in result.stdout
    assert summary_of(tmp_path / "b")["n"] == {"me": 7}


def test_a_scenario_in_a_python_file_that_would_never_end(own):
    result = call("run", own, "--seconds", 1e300)
    assert result.exit_code == 2
    assert "seconds: seconds must be > 0 s and <= 1e+12 s, got 1e+300" in result.stderr


def test_run_for_seconds_or_for_steps_not_both(small):
    result = call("run", small, "--steps", 3, "--seconds", 2)
    assert result.exit_code == 2
    assert "--seconds; give one of the two" in result.stderr


@pytest.mark.parametrize("command", ["run", "warmup"])
def test_files_elsewhere_are_read_with_trust(command, tmp_path):
    (tmp_path / "mine").mkdir()
    np.savez(tmp_path / "places.npz", x=np.zeros((2, 2)))
    file = tmp_path / "mine" / "a.toml"
    place = 'position = {file = "../places.npz", array = "x"}'
    file.write_text(f'seconds = 0.1\ndimensions = 2\n[[populations]]\nname = "ants"\n{place}\n')
    result = call(command, file)
    assert result.exit_code == 2
    assert "line 5: populations[0].position: '../places.npz' must be a file in the folder" in result.stderr
    assert "steersman run --trust" in result.stderr
    assert call(command, file, "--trust").exit_code == 0


def test_what_only_shows_at_the_first_step_is_told_too(small, monkeypatch):
    def fails(*_, **__):
        raise OverflowError("int too large")

    monkeypatch.setattr("steersman.cli.running.whole_run.perform", fails)
    result = call("run", small)
    assert result.exit_code == 2
    assert result.stderr == "small: 1 problem\n  cannot be read: OverflowError: int too large\n"


def test_files_that_no_run_has_left_are_not_replaced(small, tmp_path):
    (tmp_path / "scenario.toml").write_text("mine")
    result = call("run", small, "--out", tmp_path)
    assert result.exit_code == 2
    assert "there is scenario.toml already, not left by a run" in result.stderr
    assert (tmp_path / "scenario.toml").read_text() == "mine"
    assert call("run", small, "--out", tmp_path, "--force").exit_code == 0
    assert (
        call("run", tmp_path / "scenario.toml", "--out", tmp_path).exit_code == 0
    )  # What a run has left, a run may replace.


def test_files_that_have_the_names_of_those_of_a_run_are_not_deleted_with_it(small, tmp_path):
    """Those of a recording, and of snapshots."""
    (tmp_path / "snapshots").mkdir()
    for name in ("meta.json", "snapshots/snapshot-of_us.png"):
        (tmp_path / name).write_text("mine")
    result = call("run", small, "--out", tmp_path)
    assert result.exit_code == 2
    assert "there is meta.json and snapshots already, not left by a run" in result.stderr
    assert call("run", small, "--out", tmp_path, "--force").exit_code == 0
    for name in ("meta.json", "snapshots/snapshot-of_us.png"):
        assert (tmp_path / name).read_text() == "mine"


def test_a_recorded_run_with_files_of_yours_is_not_replaced(small, tmp_path):
    options = ("run", small, "--out", tmp_path, "--record", "--format", "csv")
    assert call(*options).exit_code == 0
    (tmp_path / "trajectory" / "notes.txt").write_text("mine")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    result = call(*options, "--force")
    assert result.exit_code == 2
    assert "there is trajectory with files that no run has left" in result.stderr
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_a_summary_that_cannot_be_written_leaves_that_of_the_run_before(small, tmp_path, monkeypatch):
    assert call("run", small, "--out", tmp_path).exit_code == 0
    before = (tmp_path / "summary.json").read_bytes()

    def half(write):
        def written(path, data, *args, **about):
            if "summary" not in path.name:
                return write(path, data, *args, **about)
            write(path, data[: len(data) // 2], *args, **about)
            raise OSError(28, "No space left on device")

        return written

    for name in ("write_text", "write_bytes"):
        monkeypatch.setattr(Path, name, half(getattr(Path, name)))
    result = call("run", small, "--out", tmp_path, "--seed", 9)
    assert result.exit_code == 1
    assert "cannot be written" in result.stderr
    assert (tmp_path / "summary.json").read_bytes() == before
    assert not list(tmp_path.glob(".summary*"))


def test_a_folder_that_cannot_be_written_is_found_before_the_run(small, tmp_path, monkeypatch):
    def refuse(**about):
        assert about == {"dir": tmp_path / "out"}
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    monkeypatch.setattr(World, "step", None)  # Nobody may get so far.
    result = call("run", small, "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "cannot be written to: No space left" in result.stderr


def test_the_picture_shows_what_vehicles_look_at(small, tmp_path):
    plain, sketched = tmp_path / "plain", tmp_path / "sketched"
    assert call("run", small, "--out", plain).exit_code == 0
    assert call("run", small, "--out", sketched, "--sketch", "1,3", "--sketch", "ants:4").exit_code == 0
    one, other = (matplotlib.image.imread(folder / "picture.png") for folder in (plain, sketched))
    assert one.shape != other.shape or (one != other).any()
    assert summary_of(plain)["state_hash"] == summary_of(sketched)["state_hash"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("1,x", "--sketch: must be an id, or ids with commas between them, such as 3,7 or wolves:0, got '1,x'"),
        ("bees:1", "--sketch: must name a population of the scenario (populations: ants), got 'bees:1'"),
        ("7", "--sketch: must be ids that there are in 'ants', from 0 to 4, got '7'"),
    ],
)
def test_of_whom_must_be_somebody(words, message, small, tmp_path):
    result = call("run", small, "--out", tmp_path / "out", "--sketch", words)
    assert result.exit_code == 2
    assert message in result.stderr
    assert not (tmp_path / "out").exists()
    assert "add --out" in call("run", small, "--sketch", 1).stderr


@pytest.mark.parametrize(
    ("variables", "warned"),
    [
        ({"OMPI_COMM_WORLD_SIZE": "3", "OMPI_COMM_WORLD_RANK": "0"}, True),
        ({"PMI_SIZE": "3", "PMI_RANK": "0"}, True),
        ({"OMPI_COMM_WORLD_SIZE": "3", "OMPI_COMM_WORLD_RANK": "2"}, False),  # The first process has said it.
        ({"PMI_SIZE": "1", "PMI_RANK": "0"}, False),
        ({"PMI_SIZE": "many"}, False),
        ({}, False),
    ],
)
def test_processes_of_mpiexec_that_run_the_same_world_each_are_warned_of(variables, warned, monkeypatch):
    for name in ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "PMI_SIZE", "PMI_RANK"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    result = call("run", "seek_flee", "--steps", 1, "--n", 2)
    assert result.exit_code == 0
    line = "warning: each of the 3 processes of mpiexec runs the whole world; with --split they step it together\n"
    assert result.stderr.count("mpiexec") == warned
    assert (line in result.stderr) == warned
