"""From the words of a call to a stage that is ready to run."""

import os
from pathlib import Path
from typing import Any

from steersman.scenarios.files import read_file
from steersman.scenarios.overrides import apply_override
from steersman.scenarios.problems import Place, Problem, ScenarioError, suggestion
from steersman.scenarios.registry import SCENARIOS
from steersman.scenarios.scenario import Scenario
from steersman.scenarios.stage import Stage, set_stage


def prepare(
    scenario: str, n: int | None, options: dict[str, Any], changes: list[str], threads: int | None
) -> tuple[Stage, Scenario | None]:
    """Make a stage of what was asked for.

    Args:
        scenario: The name of a built-in scenario, or a file.
        n: Vehicles in the main population; None for as many as usual.
        options: Settings by name; those that are None were not given.
        changes: Changes to the document, `path=value`.
        threads: Threads to use.

    Returns:
        The stage; and the built-in scenario whose check applies: one that is run for at least its usual time.

    Raises:
        ScenarioError: The call or the file is wrong.
    """
    given = {key: value for key, value in options.items() if value is not None}
    built_in = SCENARIOS.get(scenario)
    problems = _checked_threads(threads)
    lines: dict[Place, int] = {}
    if built_in is not None:
        document = _written(built_in, n, given.get("seed", 0), problems)
        usual = document.get("seconds", 0.0)
    else:
        document, lines = read_file(_as_path(scenario))
        usual = 0.0
        if n is not None:
            problems += _override(document, lines, f"populations.0.n={n}", "--n")
    for key, value in given.items():
        document[key] = value
        lines.pop((key,), None)
    for change in changes:
        problems += _override(document, lines, change, f"--set {change}")
    if problems:
        raise ScenarioError(problems, scenario)
    stage = set_stage(document, lines=lines, source=scenario, threads=threads)
    return stage, built_in if built_in is not None and stage.document["seconds"] >= usual else None


def _checked_threads(threads: int | None) -> list[Problem]:
    wrong = threads is not None and threads < 1
    return [Problem("--threads", f"must be a whole number >= 1, got {threads}")] if wrong else []


def _written(built_in: Scenario, n: int | None, seed: int, problems: list[Problem]) -> dict[str, Any]:
    """A built-in scenario's document; of its usual size where n makes no sense, which is a problem."""
    if n is not None and n < 1:
        problems.append(Problem("--n", f"must be a whole number >= 1, got {n}"))
        n = None
    return built_in.write(n=n, seed=seed)


def _override(document: dict[str, Any], lines: dict[Place, int], change: str, option: str) -> list[Problem]:
    """Apply a change; what is wrong with it. What was changed stands in no line of the file any more."""
    try:
        changed = apply_override(document, change)
    except ValueError as error:
        return [Problem(option, str(error))]
    for place in [place for place in lines if place[: len(changed)] == changed]:
        del lines[place]
    return []


def _as_path(name: str) -> Path:
    """The file that is meant, if any is."""
    path = Path(name)
    if path.suffix == ".toml" or os.sep in name or path.is_file():
        return path
    problem = Problem("", f"there is no such scenario or file{suggestion(name, SCENARIOS, what='scenarios')}")
    raise ScenarioError([problem], name)
