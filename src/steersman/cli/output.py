"""What a run leaves in its folder: the resolved scenario, a picture, and a summary."""

import json
import platform
from importlib import metadata
from pathlib import Path
from typing import Any

import steersman
from steersman.cli.performance import Outcome
from steersman.drawing.picture import picture_of
from steersman.drawing.trails import Trails
from steersman.scenarios.stage import Stage
from steersman.scenarios.toml_text import to_toml
from steersman.world.state_hash import state_hash


def summarize(stage: Stage, outcome: Outcome, problems: list[str] | None) -> dict[str, Any]:
    """A run in numbers.

    Args:
        stage: The stage, after the run.
        outcome: How it went.
        problems: What the scenario's check found; None where nothing was checked.
    """
    world = stage.world
    return {
        "scenario": stage.name,
        "n": {name: len(population.vehicles) for name, population in world.populations.items()},
        "steps": outcome.steps,
        "steps_wanted": outcome.wanted,
        "seconds": world.time,
        "dt": world.dt,
        "seed": world.seed,
        "threads": world.threads,
        "wall_seconds": round(outcome.wall, 4),
        "steps_per_second": round(outcome.steps_per_second, 2),
        "interrupted": outcome.interrupted,
        "error": outcome.error or None,
        "metrics": {meter.label: {**meter.summary(), "unit": meter.metric.unit} for meter in stage.meters.all()},
        "check": None if problems is None else {"passed": not problems, "problems": problems},
        "state_hash": state_hash(world),
        "versions": {
            "steersman": steersman.__version__,
            "python": platform.python_version(),
            **{name: metadata.version(name) for name in ("numpy", "numba")},
        },
    }


def write_output(folder: Path, stage: Stage, trails: Trails | None, summary: dict[str, Any]) -> list[Path]:
    """Write the resolved scenario, the picture and the summary.

    Returns:
        The files.

    Raises:
        OSError: A file cannot be written.
    """
    scenario, picture, numbers = folder / "scenario.toml", folder / "picture.png", folder / "summary.json"
    head = f"# Resolved by steersman {steersman.__version__}. To run it again: steersman run {scenario.name}\n\n"
    scenario.write_text(head + to_toml(stage.document), encoding="utf-8")
    numbers.write_text(json.dumps(summary, indent=2, allow_nan=False) + "\n", encoding="utf-8")
    picture_of(stage, picture, trails)
    return [scenario, numbers, picture]
