"""Every option of a command reaches what it is for: all are given, each with a value that is no default."""

import importlib
from pathlib import Path

import pytest
from calling import call
from typer.main import get_command

from steersman.cli.app import app_for
from steersman.gallery.request import prepare

RUN = {
    "--n": (7, {"n": 7}),
    "--seconds": (2.5, {"seconds": 2.5}),
    "--steps": (9, {"steps": 9}),
    "--dt": (0.25, {"dt": 0.25}),
}
MANY = {
    **RUN,
    "--vary": ("width=[1, 2]", {}), "--on": ("here", {"on": "here"}), "--workers": (3, {"workers": 3}),
    "--seeds": ("5:8", {"seeds": range(5, 8)}), "--measure": ("milling", {"measure": ["milling"]}),
    "--trust": (None, {"trust": True}), "--quiet": (None, {}),
}  # fmt: skip
GIVEN = {
    "tune": MANY | {
        "--minimize": ("jitter", {"minimize": ["jitter"]}), "--maximize": ("polarization", {"maximize": ["polarization"]}),
        "--held-out": ("50:60", {"held_out": range(50, 60)}), "--budget": (17, {"budget": 17}),
        "--method": ("optuna", {"method": "optuna"}), "--search-seed": (4, {"search_seed": 4}), "--out": ("made", {}),
        "--force": (None, {"force": True}),
    },
    "sweep": MANY | {
        "--set": ("height=3", {}), "--design": ("latin", {"design": "latin"}), "--samples": (6, {"samples": 6}),
        "--force": (None, {"force": True}), "--retry": (None, {"retry": True}), "--out": ("made", {}),
    },
}  # fmt: skip
"""Command -> option -> a value (None for a flag), and arguments of the function."""

VALUES = {"tune": {"width": [1, 2]}, "sweep": {"width": [1, 2], "height": [3]}}


def command_of(name):
    """A command as it reads its words."""
    made = get_command(app_for([name]))
    return made.commands[name] if hasattr(made, "commands") else made


@pytest.mark.parametrize("command", GIVEN)
def test_every_option_arrives(command, small, tmp_path, monkeypatch):
    """The function is called once, with each of them; an option that is new has to be added here."""
    seen = []

    def spy(*args, **kwargs):
        seen.append((args, kwargs))
        raise ValueError("that is enough")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(importlib.import_module(f"steersman.cli.commands.{command}"), command, spy)
    given = GIVEN[command]
    options = command_of(command).params
    known = {
        next(each for each in option.opts if each.startswith("--")) for option in options if option.opts[0][0] == "-"
    }
    assert known - {"--help"} == set(given)
    words = [word for option, (value, _) in given.items() for word in ([option] if value is None else [option, value])]
    assert "that is enough" in call(command, small, *words).stderr
    ((scenario, values), arguments) = seen[0]
    assert str(scenario) == str(small)
    assert values == VALUES[command]
    expected = {name: value for _, told in given.values() for name, value in told.items()}
    assert {name: arguments[name] for name in expected} == expected
    assert set(arguments) - set(expected) <= {"progress", "out"}


def test_every_option_of_a_video_arrives(small, tmp_path, monkeypatch):
    seen = {}

    def spy(scenario, out, **kwargs):
        seen.update(kwargs, scenario=scenario, out=out)
        raise ValueError("that is enough")

    monkeypatch.setattr("steersman.cli.shared.filming.film", spy)
    words = [
        "--out", tmp_path / "a.mp4", "--size", "320x180", "--fps", 12, "--seconds", 1.5, "--speed", 2, "--follow", "ants:3",
        "--width", 8, "--turn", 5, "--sketch", "1,2", "--n", 4, "--seed", 6, "--set", "dt=0.1", "--threads", 1, "--quiet",
    ]  # fmt: skip
    known = {option.opts[0] for option in command_of("video").params if option.opts[0].startswith("--")}
    assert known - {"--help"} <= set(map(str, words))
    assert "that is enough" in call("video", small, *words).stderr
    assert str(seen.pop("scenario")) == str(small)
    assert seen == {
        "out": tmp_path / "a.mp4", "size": "320x180", "seconds": 1.5, "follow": "ants:3", "quiet": True,
        "choices": {"n": 4, "seed": 6, "set": ["dt=0.1"], "threads": 1, "sketch": ["1,2"]},
        "about": {"fps": 12, "speed": 2, "width": 8, "turn": 5},
    }  # fmt: skip


CHOICES = ["--n", 4, "--seconds", 0.2, "--seed", 6, "--set", "dt=0.1", "--threads", 1]
"""Options that choose how a scenario is run."""

MODULE = "steersman.cli.commands"


def spied(monkeypatch, place, answer=lambda *args, **kwargs: None):
    """The calls of a function, which are answered by another one."""
    seen = []

    def spy(*args, **kwargs):
        seen.append((args, kwargs))
        return answer(*args, **kwargs)

    monkeypatch.setattr(place, spy)
    return seen


def written(*args, **kwargs):
    """As if a file were written."""
    next(each for each in args if isinstance(each, Path)).write_text("it")
    return next(each for each in args if isinstance(each, Path))


@pytest.mark.parametrize(
    ("command", "function", "options", "about"),
    [
        (
            "export", f"{MODULE}.export.export", ["--every", 0.5, "--model", "fish", "--faces", "-x", "--size", 2.5],
            {"every": 0.5, "model": "fish", "faces": "-x", "size": 2.5},
        ),
        ("replay", "steersman.studio.viewer.replay.replay", [], {}),
    ],
)  # fmt: skip
def test_every_option_of_a_file_that_is_written_arrives(
    small, tmp_path, monkeypatch, command, function, options, about
):
    prepared, made = spied(monkeypatch, f"{MODULE}.{command}.prepare", prepare), spied(monkeypatch, function, written)
    words = ["--out", tmp_path / "made.csv", *options, *CHOICES, "--quiet"]
    known = {next(each for each in option.opts if each.startswith("--")) for option in command_of(command).params if
             option.opts[0].startswith("-")}  # fmt: skip
    assert known - {"--help"} == {str(word) for word in words if str(word).startswith("--")}
    result = call(command, small, *words)
    assert result.exit_code == 0, result.output
    assert result.output == ""
    assert prepared == [((str(small), 4, {"seconds": 0.2, "seed": 6}, ["dt=0.1"], 1, None), {})]
    (((subject, out), given),) = made
    assert (len(getattr(subject, "world", subject)["ants"]), out) == (4, tmp_path / "made.csv")
    assert given.pop("on_step") is not None
    assert given == {"seconds": 0.2, **about}
    assert "made.csv, 0.00 MB" in call(command, small, *words[:-1]).output.replace("\n", "")


def test_a_recorded_run_is_exported_with_every_option(tmp_path, monkeypatch):
    made = spied(monkeypatch, f"{MODULE}.export.export", written)
    spied(monkeypatch, f"{MODULE}.export.is_recorded", lambda *args: True)
    spied(monkeypatch, f"{MODULE}.export.read_run", lambda folder: f"the run in {folder}")
    words = ["--out", tmp_path / "a.glb", "--every", 0.5, "--seconds", 3, "--model", "fish"]
    assert call("export", "somewhere", *words).exit_code == 0
    assert made == [
        (("the run in somewhere", tmp_path / "a.glb"), {"seconds": 3.0, "every": 0.5, "model": "fish"})
    ]  # fmt: skip


def test_every_option_of_a_run_arrives(small, tmp_path, monkeypatch):
    prepared = spied(monkeypatch, f"{MODULE}.run.prepare", prepare)
    requests, calls = spied(monkeypatch, f"{MODULE}.run.as_request"), spied(monkeypatch, f"{MODULE}.run.as_call")
    folders, done = spied(monkeypatch, f"{MODULE}.run.opened"), spied(monkeypatch, f"{MODULE}.run.whole_run")
    begun = spied(monkeypatch, f"{MODULE}.run.start_run", lambda *args: "a run")
    words = [
        "--n", 4, "--seconds", 0.2, "--seed", 6, "--dt", 0.05, "--set", "name=x", "--threads", 1, "--trust", "--record",
        "--every", "6steps", "--format", "csv", "--snapshots", 2.5, "--force", "--quiet", "--out", tmp_path / "out",
        "--sketch", "ants:1",
    ]  # fmt: skip
    result = call("run", small, *words)
    assert result.exit_code == 0, result.output
    choices = (str(small), 4, {"seconds": 0.2, "seed": 6, "dt": 0.05}, ["name=x"])
    assert prepared == [((*choices, 1, None), {"trust": True})]
    assert requests == [((True, "6steps", "csv", tmp_path / "out"), {})]
    assert folders == [((tmp_path / "out",), {"replace": True, "record": False})]
    assert calls == [((*choices, None, 2.5), {})]
    assert begun[0][0][0].picture.sketch
    assert begun[0][0][1:] == (None, str(small), None, None)
    assert done == [(("a run", True), {})]


def test_every_option_of_a_warmup_arrives(small, monkeypatch):
    prepared = spied(monkeypatch, f"{MODULE}.warmup.prepare", prepare)
    spied(monkeypatch, "steersman.warmup", lambda world, progress: 2)
    assert "4 kernels compiled" in call("warmup", small, small, "--trust").output
    assert prepared == [((str(small), None, {}, [], None, None), {"trust": True})] * 2
    assert call("warmup", small, "--quiet").output == ""


def test_every_option_of_a_view_arrives(small, monkeypatch):
    prepared = spied(monkeypatch, f"{MODULE}.view.prepare", prepare)

    class Shown:
        url = "http://there/?token=x"

        def __init__(self, of_tab):
            self.of_tab, self.waited = of_tab, []

        def prepare(self, address):
            self.of_tab(address)

        def wait(self, seconds):
            self.waited.append(seconds)

    shown, opened = [], spied(monkeypatch, "webbrowser.open")

    def serve(of_tab, host, port):
        shown.append((Shown(of_tab), host, port))
        return shown[-1][0]

    monkeypatch.setattr("steersman.studio.viewer.view.serve", serve)
    words = [
        "--n",
        4,
        "--seed",
        6,
        "--set",
        "dt=0.1",
        "--threads",
        1,
        "--host",
        "0.0.0.0",
        "--port",
        8123,
        "--seconds",
        7,
    ]
    result = call("view", small, *words)
    assert result.exit_code == 0, result.output
    assert prepared == [((str(small), 4, {"seed": 6}, ["dt=0.1"], 1, None), {})]
    assert shown[0][1:] == ("0.0.0.0", 8123)
    assert shown[0][0].waited == [7.0]
    assert [args[0].partition("token")[1] for args, _ in opened] == ["token"]
    assert call("view", small, *words, "--no-browser").exit_code == 0
    assert len(opened) == 1


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("export", ["--n", "--seed", "--set", "--threads"]),
        ("replay", ["--n", "--seconds", "--seed", "--set", "--threads"]),
        ("view", ["--n", "--seed", "--set", "--threads"]),
    ],
)
def test_what_would_change_a_recorded_run_is_refused(tmp_path, monkeypatch, command, options):
    monkeypatch.setattr("steersman.gallery.request.is_run", lambda folder: True)
    out = [] if command == "view" else ["--out", tmp_path / "a.csv"]
    for option in options:
        result = call(command, tmp_path, *out, option, "dt=0.1" if option == "--set" else 2)
        assert result.exit_code == 2
        assert f"{option}: is not for a recorded run, which is as it was" in " ".join(result.stderr.split())
