"""Where a run was made, by what, and how it is cited."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman.runs.recording import provenance as module
from steersman.runs.recording.citing import cite

ROOT = Path(__file__).parents[3]


@dataclass(frozen=True, eq=False)
class Drift(sm.Behavior):
    push: float = sm.parameter(2.0, unit="N")

    def steer(self, scene: Any, memory: Any, out: Any) -> None:
        out.linear[:, 0] = self.push


def recorded(folder: Path, **about: Any) -> sm.Run:
    world = sm.World(seed=3, dt=0.1, threads=1)
    vehicles = sm.Vehicles([[0, 0]], max_speed=1)
    world.add(vehicles, steering=sm.Seek([5, 5]) + sm.Priority([Drift(push=3.0), sm.Seek(lambda: [1.0, 2.0])]))
    with world.record(folder, every=sm.EverySteps(1), **about):
        world.run(steps=1)
    return sm.read_run(folder)


def git(folder: Path, *words: str) -> str:
    about = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    return subprocess.run(
        ["git", *about, *words], cwd=folder, check=True, stdout=subprocess.PIPE, text=True
    ).stdout.strip()


def test_a_run_tells_machine_threads_command_and_own_behaviors(tmp_path: Path) -> None:
    run = recorded(tmp_path / "run")
    made = run.provenance
    assert made["threads"] == 1
    assert made["cores"] == os.cpu_count()
    assert all(isinstance(made[name], str) and made[name] for name in ("platform", "machine", "processor", "command"))
    own = {each["name"].rpartition(".")[2]: each for each in made["own"]}
    assert own.keys() == {"Drift", "<lambda>"}
    assert own["Drift"]["parameters"]["push"] == "3.0"
    assert "out.linear[:, 0] = self.push" in own["Drift"]["source"]
    assert "[1.0, 2.0]" in own["<lambda>"]["source"]
    assert run.notes == ""


@pytest.mark.parametrize("dirty", [False, True])
def test_a_program_in_a_repository_is_known_by_its_commit(
    tmp_path: Path, dirty: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "project"
    project.mkdir()
    program = project / "study.py"
    program.write_text("# A study.\n")
    git(project, "init", "-q")
    git(project, "add", ".")
    git(project, "commit", "-q", "-m", "Begin")
    if dirty:
        program.write_text("# Another study.\n")
    monkeypatch.setattr(sys.modules["__main__"], "__file__", str(program), raising=False)
    monkeypatch.setattr(sys, "orig_argv", ["python", "study.py", "--wind", "3 m/s"])
    monkeypatch.chdir(tmp_path)
    run = recorded(tmp_path / "run")
    assert run.provenance["project"] == {"commit": git(project, "rev-parse", "HEAD"), "dirty": dirty}
    assert run.provenance["command"] == "python study.py --wind '3 m/s'"
    assert git(project, "rev-parse", "HEAD") in run.cite()
    assert ("with changes" in run.cite()) is dirty


def test_no_repository_and_no_git_are_no_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.modules["__main__"], "__file__", str(tmp_path / "study.py"), raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert module.project() is None
    monkeypatch.setenv("PATH", "")
    assert module.project() is None
    assert capfd.readouterr() == ("", "")


def test_names_of_files_need_not_be_utf_8(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = subprocess.CompletedProcess([], 0, b" M caf\xe9.py\n")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: answer)
    made = module.project()
    assert made is not None
    assert made["dirty"] is True


def test_notes_are_texts_and_numbers(tmp_path: Path) -> None:
    notes = {"temperature": np.float64(20.5), "tanks": (1, 2), "by": "M.", "dry": True, "none": None}
    assert recorded(tmp_path / "a", notes=notes).notes == {**notes, "tanks": [1, 2]}
    assert recorded(tmp_path / "b", notes="a first try").notes == "a first try"
    for wrong, error in (
        (3, TypeError),
        ({1: "a"}, TypeError),
        ({"a": object()}, TypeError),
        ({"a": np.nan}, ValueError),
    ):
        with pytest.raises(error, match="notes must be"):
            recorded(tmp_path / "c", notes=wrong)
    assert not (tmp_path / "c").exists()


def test_a_run_is_cited_with_what_identifies_it(tmp_path: Path) -> None:
    run = recorded(tmp_path / "run")
    text, entry = run.cite(), run.cite("bibtex")
    for part in (run.meta["run"], run.meta["end"]["state_hash"], "seed 3", sm.__version__, "Reynolds"):
        assert part in text
        assert part in entry
    assert entry.count("@") == 2
    assert entry.count("{") == entry.count("}")
    signs = {"provenance": {"platform": "A_64 #1, 5% & $2"}}
    assert r"on A\_64 \#1, 5\% \& \$2}" in cite({**run.meta, **signs}, "bibtex")
    assert "on A_64 #1, 5% & $2." in cite({**run.meta, **signs}, "text")
    with pytest.raises(ValueError, match='style must be "text" or "bibtex"'):
        run.cite("apa")


def test_functions_that_are_watched_or_called_are_own_parts(tmp_path: Path) -> None:
    def fastest(vehicles: Any) -> float:
        return float(vehicles.speed.max())

    def look(world: Any) -> None:
        pass

    def tell(name: str, world: Any) -> None:
        pass

    class Meadow(sm.Box):
        pass

    world = sm.World(dt=0.1, threads=1)
    world.add(sm.Vehicles([[0, 0]], max_speed=1), name="boids", steering=sm.Seek([5, 5]))
    world.watch("boids", "mean_speed", fastest=fastest)
    world.watch("boids", "outside", to=Meadow([5, 5]))
    world.on_step(look)
    world.on_step(partial(tell, "boids"))
    with world.record(tmp_path / "run"):
        world.step()
    own = {each["name"].rpartition(".")[2]: each for each in sm.read_run(tmp_path / "run").provenance["own"]}
    assert own.keys() == {"fastest", "look", "tell", "Meadow"}
    assert "vehicles.speed.max()" in own["fastest"]["source"]


def test_a_run_names_the_sources_of_its_behaviors(tmp_path: Path) -> None:
    world = sm.World(dt=0.02, threads=1)
    walk = {"radius": 0.15, "max_speed": 1.34, "max_force": 1e3, "response_time": "step"}
    for name in ("left", "right"):
        world.add(sm.Vehicles([[0, 0]], **walk), name=name, steering=sm.CollisionFreeSpeed(sm.Seek([5, 5])))
    world.add(
        sm.Vehicles([[9, 9]], max_speed=1), name="robots", steering=sm.Priority([sm.ORCA(toward=sm.Seek([0, 0]))])
    )
    with world.record(tmp_path / "run"):
        pass
    text, entry = sm.read_run(tmp_path / "run").cite(), sm.read_run(tmp_path / "run").cite("bibtex")
    paper = (
        'Tordeux, Chraibi and Seyfried (2016). "Collision-free speed model for pedestrian dynamics". arXiv:1512.05597.'
    )
    assert text.count(paper) == 1
    assert 'van den Berg, Guy, Lin and Manocha (2011). "Reciprocal n-body collision avoidance".' in text
    assert "Couzin" not in text
    assert "@misc{tordeux2016," in entry
    assert "author = {{van den Berg} and Guy and Lin and Manocha}" in entry
    assert entry.count("@") == 4
    assert entry.count("{") == entry.count("}")


@pytest.mark.parametrize(
    "law", [sm.AnticipationVelocity, sm.CollisionFreeSpeed, sm.GeneralizedCentrifugalForce, sm.ORCA, sm.PowerLaw,
            sm.SocialForce, sm.Zones]
)  # fmt: skip
def test_a_source_says_what_the_page_of_its_law_says(law: Any) -> None:
    page = " ".join(str(sys.modules[law.__module__].__doc__).split()).replace("Van den", "van den")
    for source in law.sources:
        assert f'"{source.title}"' in page
        assert f"{source.authors[-1]} {source.year}" in page
        assert source.authors[0] in page
        assert source.number in page


def test_the_citation_file_says_the_same() -> None:
    from steersman.runs.recording.citing import AUTHORS, PAPER, TITLE

    said = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert TITLE in said
    assert AUTHORS in said
    assert f"version: {sm.__version__}" in said
    assert "763-782" in PAPER
    assert "763-782" in said


def test_runs_of_older_versions_have_no_provenance(tmp_path: Path) -> None:
    recorded(tmp_path / "run")
    path = tmp_path / "run" / "meta.json"
    meta = json.loads(path.read_text())
    del meta["provenance"], meta["notes"]
    path.write_text(json.dumps(meta))
    run = sm.read_run(tmp_path / "run")
    assert (run.provenance, run.notes) == ({}, "")
    assert "seed 3" in run.cite()
