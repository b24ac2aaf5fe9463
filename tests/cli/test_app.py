"""The command itself: its version, its help."""

import sys

import pytest
from calling import call

from steersman.cli.app import COMMANDS, app_for
from steersman.cli.shared.messages import for_tables


def test_version_and_help():
    assert call("--version").stdout.startswith("steersman ")
    assert "NAME|FILE" in call("run", "--help").stdout
    for shown in (call(), call("--help")):
        assert "Steering behaviors for autonomous characters" in shown.output
        assert all(name in shown.output for name in COMMANDS)
        assert "--install-completion" not in shown.output


def test_an_unexpected_error_leaves_the_traceback_of_python(monkeypatch, capsys):
    """Typer's own shows the values of all variables."""
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)  # Typer replaces it.
    monkeypatch.setattr("steersman.cli.commands.list.read_index", lambda: {}["scenarios"])
    with pytest.raises(KeyError) as caught:
        app_for(["list"])(["list"])
    sys.excepthook(caught.type, caught.value, caught.tb)
    assert capsys.readouterr().err.startswith("Traceback (most recent call last):")


def test_a_table_in_a_file_has_the_width_of_a_page(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    assert for_tables().width == 120
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert for_tables().width == 40


def test_help_shows_every_word_of_it():
    """Square brackets were taken for markup: "How long to simulate [s]" lost its unit."""
    from typer.main import get_command

    shown = call("run", "--help", env={"COLUMNS": "400", "TERMINAL_WIDTH": "400"}).stdout
    text = " ".join(word for word in shown.split() if word != "│")
    helps = [parameter.help for parameter in get_command(app_for()).commands["run"].params]
    assert len(helps) > 8
    assert all(each.replace("\\[", "[") in text for each in helps)
    assert "[s]" in text
