"""Every option of every command reaches the function that uses it, alone and among all others."""

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
from calling import call
from handed_on import watch
from rich.console import Console
from typer.main import get_command

from steersman.cli.app import COMMANDS, app_for
from steersman.cli.running.starting import Performance
from steersman.core.world.observers import EverySeconds, EverySteps
from steersman.runs.recording.run import Run


class Film(SimpleNamespace):
    """A request for a video, which is only handed on."""

    def _replace(self, **changes):
        return Film(**(vars(self) | changes))


INSIDE = {
    Film: "sketch",
    Console: "stderr",
    EverySteps: "steps",
    EverySeconds: "seconds",
    Performance: "folder stage.picture.sketch",
}
"""Type -> the attributes that are noted of its objects."""


class Table(SimpleNamespace):
    """The result of a sweep or of tuning."""

    failed = 0

    def chart(self, path):
        return path

    def write(self, path):
        return [path]

    def __str__(self):
        return "tuned"


class Taken:
    """The snapshots of a run."""

    def schedule(self, every, dt):
        return {"keep_every": 7}

    def begin(self, *args):
        return None


def written(*args, **kwargs):
    """As if a file were written."""
    path = next(each for each in args if isinstance(each, Path))
    path.write_text("it")
    kwargs.get("on_step", int)(1)
    return path


def run_in(folder):
    """A recorded run."""
    return object.__new__(Run)


def shown(of_tab, host, port):
    """A window."""
    from steersman.studio.viewer.view import Window

    window = object.__new__(Window)
    window.prepare, window.url = of_tab, "http://there/?token=x"
    return window


class Case(NamedTuple):
    """A command; with "run" after its name, it is given a recorded run.

    Attributes:
        words: The fewest that it needs.
        places: The functions that it calls, with their answers.
        usual: The arguments of these functions without any option, by `function.argument`; None is left out.
        options: Option -> its value (None for a flag, a list for one that is given twice), the arguments that it changes, and
            other options that it needs.
    """

    words: list[Any]
    places: dict[str, Callable[..., Any] | None]
    usual: dict[str, Any]
    options: dict[str, tuple[Any, ...]]


HERE = "steersman.cli.commands"
SILENT = {"said": False}
SHOWN = {
    "__init__.console.stderr": True,
    "__init__.quiet": False,
    "__init__.of": "steps",
    "step.done": 1,
    "step.phase": "",
}
QUIET = (None, {**SILENT, "__init__.quiet": True})
N = (4, {"prepare.n": 4})
SEED = (6, {"prepare.options.seed": 6})
SET = (["dt=0.05", "seed=7"], {"prepare.changes": ["dt=0.05", "seed=7"]})
THREADS = (1, {"prepare.threads": 1})
TRUST = (None, {"prepare.trust": True})
PREPARED = {"prepare.scenario": "small.toml", "prepare.changes": [], "prepare.trust": False, "said": True}


def many(function):
    """Options of sweep and tune."""
    simple = {"n": 7, "seconds": 2.5, "steps": 9, "dt": 0.25, "on": "here", "workers": 3}
    flags = {"--trust": (None, {f"{function}.trust": True}), "--force": (None, {f"{function}.force": True})}
    made = {f"--{name}": (value, {f"{function}.{name}": value}) for name, value in simple.items()}
    measure = (["milling", "jitter"], {f"{function}.measure": ["milling", "jitter"]})
    return {**made, **flags, "--measure": measure, "--quiet": QUIET}


RECORDED = {"steersman.gallery.request.is_run": lambda folder: True}
FILMED = {
    "steersman.cli.shared.filming.as_request": lambda file, **about: Film(path=file, sketch=False, **about),
    "steersman.cli.shared.filming.filmed": lambda subject, request, seconds, tell: written(
        request.path, on_step=lambda k: tell("drawn", k, 7)
    ),
}
SHOT = {
    "as_request.file": Path("a.mp4"), "as_request.size": (1280, 720), "as_request.speed": 1.0, "as_request.turn": 0.0,
    "as_request.sketch": False, "filmed.request.sketch": False, **SHOWN,
    "__init__.of": "frames", "step.phase": "drawn", "expect.steps": 7,
}  # fmt: skip
SHOTS = {
    "--out": ("b.gif", {"as_request.file": Path("b.gif")}), "--size": ("320x180", {"as_request.size": (320, 180)}),
    "--fps": (12, {"as_request.fps": 12.0}), "--speed": (2, {"as_request.speed": 2.0}),
    "--follow": ("ants:3", {"as_request.follow.ants": 3}), "--width": (8, {"as_request.width": 8.0}),
    "--turn": (5, {"as_request.turn": 5.0}), "--quiet": QUIET,
}  # fmt: skip

CASES = {
    "list": Case([], {}, {"said": True}, {}),
    "picture": Case(
        ["run", "--at", 0.7, "--out", "a.png"],
        {f"{HERE}.picture.read_run": run_in,
         "steersman.runs.recording.run.Run.draw": lambda *args: None},
        {"read_run.folder": Path("run"), "draw.time": 0.7, "draw.file": Path("a.png"), "said": True},
        {"--at": (0.5, {"draw.time": 0.5}), "--out": ("b.pdf", {"draw.file": Path("b.pdf")})},
    ),
    "export": Case(
        ["small.toml", "--out", "a.glb"], {f"{HERE}.export.prepare": None, f"{HERE}.export.export": written},
        {**PREPARED, **SHOWN, "export.file": Path("a.glb"), "export.seconds": 0.2},
        {
            "--out": ("b.glb", {"export.file": Path("b.glb")}), "--every": (0.5, {"export.every": 0.5}),
            "--model": ("fish", {"export.model": "fish"}), "--faces": ("-x", {"export.faces": "-x"}),
            "--size": (2.5, {"export.size": 2.5}), "--n": N, "--seed": SEED, "--set": SET, "--threads": THREADS,
            "--seconds": (0.3, {"prepare.options.seconds": 0.3, "export.seconds": 0.3}), "--quiet": QUIET,
        },
    ),
    "replay": Case(
        ["small.toml", "--out", "a.html"],
        {f"{HERE}.replay.prepare": None, "steersman.studio.viewer.replay.replay": written},
        {**PREPARED, **SHOWN, "replay.file": Path("a.html"), "replay.seconds": 0.2},
        {
            "--out": ("b.html", {"replay.file": Path("b.html")}), "--n": N, "--seed": SEED, "--set": SET,
            "--seconds": (0.3, {"prepare.options.seconds": 0.3, "replay.seconds": 0.3}), "--threads": THREADS,
            "--quiet": QUIET,
        },
    ),
    "video": Case(
        ["small.toml", "--out", "a.mp4"], {"steersman.cli.shared.filming.prepare": None, **FILMED}, {**PREPARED, **SHOT},
        {
            **SHOTS, "--n": N, "--seed": SEED, "--set": SET, "--threads": THREADS,
            "--sketch": (["1,2", "ants:3"], {"filmed.request.sketch": None, "filmed.request.sketch.ants": [1, 2, 3]}),
            "--seconds": (0.3, {"prepare.options.seconds": 0.3, "filmed.seconds": 0.3}),
        },
    ),
    "export run": Case(
        ["run", "--out", "a.glb"], {**RECORDED, f"{HERE}.export.read_run": run_in, f"{HERE}.export.export": written},
        {"is_run.folder": Path("run"), "read_run.folder": "run", "export.file": Path("a.glb"), "said": True},
        {
            "--out": ("b.glb", {"export.file": Path("b.glb")}), "--every": (0.5, {"export.every": 0.5}),
            "--model": ("fish", {"export.model": "fish"}), "--faces": ("-x", {"export.faces": "-x"}),
            "--size": (2.5, {"export.size": 2.5}), "--seconds": (0.3, {"export.seconds": 0.3}), "--quiet": (None, SILENT),
        },
    ),
    "replay run": Case(
        ["run", "--out", "a.html"], {**RECORDED, "steersman.studio.viewer.replay.replay_run": written},
        {"is_run.folder": Path("run"), "replay_run.folder": "run", "replay_run.file": Path("a.html"), "said": True},
        {"--out": ("b.html", {"replay_run.file": Path("b.html")}), "--quiet": (None, SILENT)},
    ),
    "video run": Case(
        ["run", "--out", "a.mp4"], {**RECORDED, "steersman.cli.shared.filming.read_run": run_in, **FILMED},
        {"is_run.folder": Path("run"), "read_run.folder": "run", **SHOT, "said": True},
        {**SHOTS, "--seconds": (0.3, {"filmed.seconds": 0.3})},
    ),
    "view run": Case(
        ["run"],
        {**RECORDED, "steersman.studio.viewer.replay.replay_run": lambda run, file: file, f"{HERE}.view._announce": None,
         "tempfile.mkdtemp": lambda prefix: "/there", "webbrowser.open": lambda url: None},
        {"is_run.folder": Path("run"), "replay_run.folder": Path("run"), "replay_run.file": Path("/there/run.html"),
         "mkdtemp.prefix": "steersman-", "open.url": "file:///there/run.html", "open.new": 0, "open.autoraise": True,
         "said": True},
        {"--no-browser": (None, {"open.url": None, "open.new": None, "open.autoraise": None})},
    ),
    "view": Case(
        ["small.toml", "--seconds", 3],
        {f"{HERE}.view.prepare": None, "steersman.studio.viewer.view.serve": shown,
         "steersman.studio.viewer.view.Window.wait": lambda *args: None, "webbrowser.open": lambda url: None},
        {**PREPARED, "serve.host": "127.0.0.1", "serve.port": 0, "serve.note": "", "wait.seconds": 3.0,
         "open.url": "http://there/?token=x", "open.new": 0, "open.autoraise": True},
        {
            "--n": (4, {"prepare.n": 4, "open.url": "http://there/?n=4&token=x"}),
            "--seed": (6, {"prepare.options.seed": 6, "open.url": "http://there/?seed=6&token=x"}),
            "--set": SET, "--threads": THREADS, "--host": ("0.0.0.0", {"serve.host": "0.0.0.0"}),
            "--port": (8123, {"serve.port": 8123}), "--seconds": (7, {"wait.seconds": 7.0}),
            "--no-browser": (None, {"open.url": None, "open.new": None, "open.autoraise": None}),
        },
    ),
    "warmup": Case(
        ["small.toml"], {f"{HERE}.warmup.prepare": None, "steersman.warmup": lambda world, progress: 2,
         f"{HERE}.warmup.warming": None},
        {**PREPARED, "warmup.explain": False, "warming.scenario": "small.toml",
         "warming.console.stderr": True, "warming.quiet": False},
        {"--trust": TRUST, "--quiet": (None, {**SILENT, "warming.quiet": True})},
    ),
    "sweep": Case(
        ["small.toml", "--out", "made"],
        {f"{HERE}.sweep.sweep": lambda *args, progress, **about: progress(2, 9) or progress(3, 9) or Table(),
         f"{HERE}.sweep.LiveChart": lambda *args: "a chart"},
        {
            "sweep.scenario": "small.toml", "sweep.out": Path("made"), "sweep.seeds": range(1), "sweep.design": "grid",
            "sweep.design_seed": 0, "sweep.on": "pool", "sweep.threads": 1, "sweep.force": False, "sweep.retry": False,
            "sweep.trust": False, "LiveChart.folder": Path("made"), "LiveChart.paths": [], "LiveChart.goal": "",
            "LiveChart.seeds": (0,), "said": True, **SHOWN, "__init__.of": "runs", "step.phase": "(2 were there)",
            "expect.steps": 7, "shown.below": "a chart",
        },
        {
            **many("sweep"), "--out": ("other", {"sweep.out": Path("other"), "LiveChart.folder": Path("other")}),
            "--vary": (["width=[1, 2]", "k=[3]"],
                       {"sweep.values.width": [1, 2], "sweep.values.k": [3], "LiveChart.paths": ["width", "k"]}),
            "--set": (["height=3", "n=4"],
                      {"sweep.values.height": [3], "sweep.values.n": [4], "LiveChart.paths": ["height", "n"]}),
            "--seeds": ("5:8", {"sweep.seeds": range(5, 8)}), "--design": ("latin", {"sweep.design": "latin"}),
            "--samples": (6, {"sweep.samples": 6}), "--retry": (None, {"sweep.retry": True}),
        },
    ),
    "tune": Case(
        ["small.toml", "--vary", "width=[1, 2]", "--vary", "k=[3]"],
        {f"{HERE}.tune.tune": lambda *args, progress, **about: progress(1, 7) or Table(),
         f"{HERE}.tune.LiveChart": lambda *args: "a chart"},
        {
            "tune.scenario": "small.toml", "tune.values.width": [1, 2], "tune.values.k": [3], "tune.minimize": [],
            "tune.maximize": [], "tune.measure": [], "tune.seeds": range(8), "tune.held_out": 32, "tune.budget": 200,
            "tune.search_seed": 0, "tune.on": "pool", "tune.threads": 1, "tune.force": False, "tune.trust": False,
            "said": True, **SHOWN, "__init__.of": "runs", "expect.steps": 7,
        },
        {
            **many("tune"), "--vary": ("m=[5]", {"tune.values.m": [5]}),
            "--minimize": (["jitter", "milling"], {"tune.minimize": ["jitter", "milling"]}),
            "--maximize": (["jitter", "milling"], {"tune.maximize": ["jitter", "milling"]}),
            "--seeds": ("5:8", {"tune.seeds": range(5, 8)}), "--held-out": ("50:60", {"tune.held_out": range(50, 60)}),
            "--budget": (17, {"tune.budget": 17}), "--method": ("optuna", {"tune.method": "optuna"}),
            "--search-seed": (4, {"tune.search_seed": 4}),
            "--out": ("made", {
                "tune.out": Path("made"), "LiveChart.folder": Path("made"), "LiveChart.paths": ["width", "k"],
                "LiveChart.goal": "minimize", "LiveChart.seeds": range(5, 8), "shown.below": "a chart",
            }, "--minimize", "--seeds"),
        },
    ),
    "run": Case(
        ["small.toml"],
        {f"{HERE}.run.prepare": None, f"{HERE}.run.opened": lambda folder, **about: folder, f"{HERE}.run.as_call": None,
         f"{HERE}.run.whole_run": lambda performance, quiet: performance.begin(),
         f"{HERE}.run.resumed": lambda *args: SimpleNamespace(begin=lambda: None),
         f"{HERE}.run.joined_team": lambda threads: SimpleNamespace(leads=True, leading=nullcontext, led=lambda run: run),
         "steersman.runs.documents.stage.Stage.record": lambda *args, **about: None,
         "steersman.cli.running.starting.Snapshots": lambda *args: Taken()},
        {**PREPARED, **SILENT, "whole_run.quiet": False},
        {
            "--n": N, "--seed": SEED, "--set": SET, "--threads": THREADS, "--trust": TRUST,
            "--seconds": (0.3, {"prepare.options.seconds": 0.3}), "--steps": (9, {"prepare.steps": 9}),
            "--dt": (0.05, {"prepare.options.dt": 0.05}), "--quiet": (None, {"whole_run.quiet": True}),
            "--out": ("made", {
                "opened.folder": Path("made"), "opened.replace": False, "opened.record": False,
                "whole_run.performance.folder": Path("made"),
            }),
            "--force": (None, {"opened.replace": True}, "--out"),
            "--record": (None, {
                "opened.record": True, "record.folder": Path("made"), "record.every.seconds": 0.1, "record.columns": (),
                "record.format": "parquet", "record.force": False,
            }, "--out"),
            "--every": ("6steps", {"record.every.seconds": None, "record.every.steps": 6}, "--out", "--record"),
            "--format": ("csv", {"record.format": "csv"}, "--out", "--record"),
            "--snapshots": (2.5, {
                "as_call.scenario": "small.toml", "as_call.n": 4, "as_call.options.seed": 6, "as_call.options.dt": 0.05,
                "as_call.changes": ["dt=0.05", "seed=7"], "as_call.steps": 9, "as_call.every": 2.5,
                "Snapshots.folder": Path("made"), "Snapshots.every": 2.5, "record.keep_every": 7,
            }, "--out", "--record", "--n", "--seed", "--dt", "--set", "--steps"),
            "--sketch": (["1,2", "ants:3"], {"whole_run.performance.stage.picture.sketch.ants": (1, 2, 3)}, "--out"),
            "--resume": ("made", {
                **dict.fromkeys([*PREPARED, "prepare.threads"]), **SILENT, "resumed.folder": Path("made"),
                "resumed.module": "small.toml", "resumed.threads": 1,
            }, "--threads"),
            "--split": (None, {"joined_team.threads": 1}, "--threads"),
        },
    ),
}  # fmt: skip


def command_of(name):
    """A command as it reads its words."""
    made = get_command(app_for([name]))
    return made.commands[name] if hasattr(made, "commands") else made


def names_of(command):
    """The options of a command, by their long names; a switch by the one that is not its default."""
    options = [each for each in command_of(command).params if each.opts[0].startswith("-") and each.name != "help"]
    return {next(word for word in each.secondary_opts or each.opts if word.startswith("--")) for each in options}


def words_of(name, option):
    """An option with its value, and those that it needs."""
    value, _, *needs = CASES[name].options[option]
    words = [word for each in needs for word in words_of(name, each)]
    values = value if isinstance(value, list) else [value]
    return words + [word for each in values for word in ([option] if value is None else [option, each])]


def effects_of(name, option):
    """The arguments that differ with an option and those that it needs."""
    _, effects, *needs = CASES[name].options[option]
    return {key: value for each in needs for key, value in effects_of(name, each).items()} | effects


@pytest.mark.parametrize("name", CASES)
def test_every_option_reaches_where_it_acts_and_changes_nothing_else(name, small, tmp_path, monkeypatch):
    """An option that is new has to be added to the cases; one that would change a recorded run is refused."""
    monkeypatch.chdir(tmp_path)
    case, (command, *recorded), seen = CASES[name], name.split(), {}
    others = names_of(command) - set(case.options)
    assert set(case.options) <= names_of(command)
    assert bool(others) == bool(recorded)
    for place, answer in case.places.items():
        watch(monkeypatch, seen, place, answer, INSIDE)
    for method in ("__init__", "shown", "step", "expect"):
        watch(monkeypatch, seen, f"steersman.cli.shared.progress.Display.{method}", None, INSIDE)
    for option in [None, *case.options]:
        seen.clear()
        words, effects = ([], {}) if option is None else (words_of(name, option), effects_of(name, option))
        result = call(command, *case.words, *words)
        assert result.exit_code == 0, (words, result.output, result.exception)
        seen["said"] = bool(result.stdout)
        seen.pop("__init__.steps", None)
        assert seen == {key: value for key, value in (case.usual | effects).items() if value is not None}, words
    for option in others:
        result = call(command, *case.words, *words_of(command, option))
        assert result.exit_code == 2
        assert f"{option}: is not for a recorded run, which is" in " ".join(result.stderr.split())


def test_there_is_a_case_for_every_command():
    assert {name.split()[0] for name in CASES} == set(COMMANDS)
