"""Every option of a command reaches what it is for: all are given, each with a value that is no default."""

import importlib

import pytest
from calling import call
from typer.main import get_command

from steersman.cli.app import app_for

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
