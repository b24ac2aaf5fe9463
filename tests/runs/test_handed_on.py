"""Every keyword of a function that runs worlds reaches what uses it, alone."""

import json
import shutil
import tomllib
from functools import partial
from inspect import Parameter, signature
from pathlib import Path

import numpy as np
import pytest
from handed_on import watch
from runs.recording.worlds import flock

import steersman as sm
import steersman.runs.tuning.tune  # It is imported before anything is replaced.
from steersman.runs.documents.problems import ScenarioError
from steersman.runs.recording import recording
from steersman.runs.sweeps.sweep import RESERVED

SMALL = {"dimensions": 2, "populations": [{"name": "ants", "n": 3, "spawn": {"shape": "disc", "radius": 5}}]}

ROWS = []
"""The rows that a crew has made."""


class Crew:
    """Makes rows without runs."""

    def __init__(self, work, on, workers):
        self.work = work

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def rows(self, tasks):
        for task in tasks:
            ROWS.append({**self.work.empty(task), **dict.fromkeys(self.work.measures, 1.0)})
            yield ROWS[-1:]


def both(name, value, place):
    """The row of a keyword that is an argument of what does the work."""
    return {name: ({name: value}, {place: value})}


WORK = {
    **both("n", 7, "Work.n"), **both("seconds", 2.5, "Work.options.seconds"), **both("steps", 9, "Work.steps"),
    **both("dt", 0.25, "Work.options.dt"), **both("threads", 2, "Work.threads"), **both("trust", True, "Work.trust"),
    **both("on", "here", "Crew.on"), **both("workers", 3, "Crew.workers"), "progress": ({}, {}),
    "out": ({"out": "made"}, {"Store.folder": Path("made"), "Store.force": False}),
    "force": ({"force": True, "out": "made"}, {"Store.folder": Path("made"), "Store.force": True}),
}  # fmt: skip
"""Keyword -> keywords with it, and the arguments that they change."""

SWEEP = WORK | {
    "seeds": ({"seeds": range(4, 6)}, {"ready.seed": 4, "seeds": [4, 5, 4, 5], "told": [(k, 4) for k in range(5)]}),
    "measure": ({"measure": ["mean_speed"]}, {"measures": {"mean_speed"}, "ready.default": False}),
    "design": ({"design": "latin", "samples": 3}, {
        "combinations.design": "latin", "combinations.samples": 3, "seeds": [0, 0, 0], "told": [(k, 3) for k in range(4)],
    }),
    **both("design_seed", 5, "combinations.seed"),
}  # fmt: skip
SWEEP["samples"] = SWEEP["design"]

TUNE = WORK | {
    "minimize": ({"minimize": "jitter"}, {
        "goals": {"jitter": "minimize", "mean_speed": "maximize"}, "measures": {"jitter", "mean_speed"},
        "new_search.goals": 2,
    }),
    "maximize": ({"maximize": ["mean_speed", "jitter"]}, {
        "goals": {"mean_speed": "maximize", "jitter": "maximize"}, "measures": {"jitter", "mean_speed"},
        "new_search.goals": 2,
    }),
    "measure": ({"measure": "jitter"}, {"measures": {"jitter", "mean_speed"}}),
    "seeds": ({"seeds": range(4, 6)}, {"ready.seed": 4, "seeds": {4, 5} | {*range(10_000, 10_032)}, "told": 2 * 6 + 64}),
    "held_out": ({"held_out": range(26, 29)}, {"seeds": {*range(8)} | {26, 27, 28}, "told": 8 * 6 + 6}),
    "budget": ({"budget": 9}, {"new_search.budget": 9, "told": 8 * 9 + 64}),
    **both("method", "optuna", "new_search.method"), **both("search_seed", 5, "new_search.seed"),
}  # fmt: skip


def keywords(function):
    """The keywords that a function takes by name alone."""
    return {name for name, each in signature(function).parameters.items() if each.kind == Parameter.KEYWORD_ONLY}


def changed(base, effects):
    """Arguments with others in their place."""
    return {name: value for name, value in (base | effects).items() if value is not None}


@pytest.fixture
def seen(monkeypatch, tmp_path):
    """The arguments of what sweeps and tuning consist of; nothing is run."""
    monkeypatch.chdir(tmp_path)
    noted = {}
    for place in ("steersman.runs.sweeps.sweep", "steersman.runs.tuning.tune"):
        watch(monkeypatch, noted, f"{place}.Crew", Crew)
        watch(monkeypatch, noted, f"{place}.ready", lambda work, plan, seed, *, default: work)
        monkeypatch.setattr(f"{place}.seeds_in_vain", lambda *args: "")
    watch(monkeypatch, noted, "steersman.runs.sweeps.sweep.Work")
    watch(monkeypatch, noted, "steersman.runs.sweeps.sweep.combinations")
    watch(monkeypatch, noted, "steersman.runs.sweeps.store.Store")
    watch(monkeypatch, noted, "steersman.runs.tuning.tune.Store")
    watch(monkeypatch, noted, "steersman.runs.tuning.tune.new_search")
    return noted


def test_every_keyword_of_a_sweep_arrives(seen):
    def swept(about):
        seen.clear()
        told = []
        shutil.rmtree("made", ignore_errors=True)
        table = sm.sweep(SMALL, {"n": {"low": 1, "high": 9}} if "samples" in about else {"n": [3, 4]}, **about,
                         progress=lambda *numbers: told.append(numbers)).table()  # fmt: skip
        measures = {*table.column_names} - {*RESERVED, "n"}
        arguments = {name: each for name, each in seen.items() if not name.startswith(("Store.call", "ready.plan"))}
        return arguments | {"told": told, "seeds": table["seed"].to_pylist(), "measures": measures}

    base = swept({})
    assert {*SWEEP, "retry"} == keywords(
        sm.sweep
    )  # For retry see test_only_what_failed_is_made_again_and_what_was_made_is_counted.
    for about, effects in SWEEP.values():
        assert swept(about) == changed(base, effects), about


def test_every_keyword_of_tuning_arrives(seen):
    def tuned(about):
        seen.clear()
        ROWS.clear()
        told = []
        shutil.rmtree("made", ignore_errors=True)
        found = sm.tune(SMALL, {"populations.ants.max_speed": {"low": 1, "high": 3}},
                        **{"maximize": "mean_speed", "budget": 6} | about,
                        progress=lambda *numbers: told.append(numbers))  # fmt: skip
        arguments = {name: each for name, each in seen.items() if not name.startswith(("Store.call", "ready.plan"))}
        return arguments | {
            "told": told[0][1], "goals": found.goals, "measures": {each.measure for each in found.judged},
            "seeds": {row["seed"] for row in ROWS},
        }  # fmt: skip

    base = tuned({})
    assert set(TUNE) == keywords(sm.tune)
    for about, effects in TUNE.values():
        assert tuned(about) == changed(base, effects), about


WORLD = {
    "every": ({"every": 0.4}, {"every": {"seconds": 0.4}}), "columns": ({"columns": ["mass"]}, {"columns": ["mass"]}),
    "populations": ({"populations": ["boids"]}, {"populations": {"boids": 3}}),
    "format": ({"format": "csv"}, {"format": "csv"}),
    "force": ({"force": True}, {}), "notes": ({"notes": {"a": 1}}, {"notes": {"a": 1}}),
}  # fmt: skip
RECORD = WORLD | {
    "document": ({"document": lambda: ({"dt": 0.5}, ["lost"])}, {"left_out": ["lost"], "scenario": "dt = 0.5"}),
    "keep": ({"keep": lambda world: KEPT.append(world.steps), "keep_every": 2}, {"kept": [10, 20, 30, 40]}),
}  # fmt: skip
RECORD["keep_every"] = RECORD["keep"]
KEPT = []


def recorder(way, world):
    """A function that records a world, and its keywords."""
    if way == "world":
        return world.record, {*WORLD}
    if way == "stage":
        return sm.Stage(world).record, {*RECORD} - {"document"}
    return partial(recording.record, world), {*RECORD}


@pytest.mark.parametrize("way", ["world", "stage", "function"])
def test_every_keyword_of_a_recording_arrives(way, tmp_path):
    def recorded(number, about):
        world = flock(3)
        world.add(sm.Vehicles([[1, 1]]), name="stone")
        KEPT.clear()
        record, known = recorder(way, world)
        assert keywords(record) <= known
        folder = tmp_path / ("made" if "force" in about else str(number))
        with record(folder, **about):
            world.run(steps=45)
        meta = json.loads((folder / "meta.json").read_text())
        body = (folder / "scenario.toml").read_text().partition("\n\n")[2]
        return {name: meta[name] for name in ("every", "populations", "format", "notes", "left_out")} | {
            "columns": meta["asked"]["columns"], "scenario": body[: body.index("\n")], "kept": [*KEPT],
        }  # fmt: skip

    recorded("made", {})
    base = recorded("base", {})
    _, known = recorder(way, flock(3))
    for number, name in enumerate(sorted(known)):
        about, effects = RECORD[name]
        assert recorded(number, about) == changed(base, effects), about


def test_every_keyword_of_a_recording_that_goes_on_arrives(tmp_path):
    world = flock(3)
    with world.record(tmp_path, every=0.1):
        world.run(steps=5)
    assert keywords(recording.resume) == {"every", "keep", "keep_every"}
    KEPT.clear()
    with recording.resume(world, tmp_path, every=0.06, keep=lambda world: KEPT.append(world.steps), keep_every=2):
        world.run(steps=20)
    assert sm.read_run(tmp_path).steps.tolist() == [0, 5, 6, 9, 12, 15, 18, 21, 24]
    assert KEPT == [6, 12, 18, 24]


BUILT_IN = 'scenario = "wander"\nn = 3\n'
PLACED = 'dimensions = 2\n[[populations]]\nname = "ants"\nposition = {file = "FILE", array = "x"}\n'


@pytest.mark.parametrize("way", ["text", "table"])
def test_every_keyword_of_a_document_arrives(way, tmp_path):
    """Of a file, and of a table; of a world, of a call for a scenario, and of a behavior."""

    def made(text, **about):
        if way == "table":
            return sm.from_document(tomllib.loads(text), **about)
        (tmp_path / "elsewhere.toml").write_text(text)
        return sm.from_document(tmp_path / "elsewhere.toml", **about)

    assert keywords(sm.from_document) == {"names", "folder", "threads", "trust"}
    (tmp_path / "mine").mkdir()
    for name, x in (("near.npz", 1.0), ("mine/near.npz", 2.0)):
        np.savez(tmp_path / name, x=np.full((4, 2), x))
    mine, near, above = tmp_path / "mine", PLACED.replace("FILE", "near.npz"), PLACED.replace("FILE", "../near.npz")
    assert made(near, folder=mine)["ants"].position[0, 0] == 2
    if way == "text":
        assert made(near)["ants"].position[0, 0] == 1
    assert made(above, folder=mine, trust=True)["ants"].position[0, 0] == 1
    with pytest.raises(ScenarioError, match="must be a file in the folder"):
        made(above, folder=mine)
    for text in (BUILT_IN, near):
        assert [made(text, threads=threads, folder=mine).threads for threads in (1, 2)] == [1, 2]
        with pytest.raises(ScenarioError) as caught:
            made(text.replace("3", '"x"').replace("[[", "seeds = 3\n[["))
        about = str(caught.value)
        assert about.startswith(str(tmp_path / "elsewhere.toml") if way == "text" else "document")
        assert ("line 2: " in about) == (way == "text")
    vehicles = sm.Vehicles([[1, 1]])
    assert made('behavior = "Seek"\ntarget = "ants"\n', names={"ants": vehicles}) == sm.Seek(vehicles)
