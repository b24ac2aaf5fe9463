"""The command itself: its version, its help."""

from calling import call

from steersman.cli.app import app_for


def test_version_and_help():
    assert call("--version").stdout.startswith("steersman ")
    assert "NAME|FILE" in call("run", "--help").stdout


def test_help_shows_every_word_of_it():
    """Square brackets were taken for markup: "How long to simulate [s]" lost its unit."""
    from typer.main import get_command

    shown = call("run", "--help", env={"COLUMNS": "400", "TERMINAL_WIDTH": "400"}).stdout
    text = " ".join(word for word in shown.split() if word != "│")
    helps = [parameter.help for parameter in get_command(app_for()).commands["run"].params]
    assert len(helps) > 8
    assert all(each.replace("\\[", "[") in text for each in helps)
    assert "[s]" in text
