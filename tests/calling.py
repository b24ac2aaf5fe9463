"""The command, called in this process."""

import json

from typer.testing import CliRunner

from steersman.cli.app import app_for

SMALL = """
name = "small"
seconds = 0.2
[[populations]]
name = "ants"
n = 5
spawn = { shape = "disc", radius = 5 }
max_speed = 3
metrics = ["mean_speed"]
steering = { behavior = "Wander" }
"""


def call(*arguments, **about):
    """What a call has come to: its exit code, and what it said."""
    return CliRunner().invoke(app_for(), [str(argument) for argument in arguments], **about)


def summary_of(folder):
    """What a run has left about itself."""
    return json.loads((folder / "summary.json").read_text())
