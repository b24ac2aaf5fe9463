"""From the words of a call to a stage that is ready to run."""

import os
from pathlib import Path
from typing import Any

from steersman.geometry.guiding import suggestion
from steersman.scenarios.files import read_file
from steersman.scenarios.modules import read_module
from steersman.scenarios.opening import open_stage
from steersman.scenarios.overrides import apply_override
from steersman.scenarios.problems import Place, Problem, ScenarioError, reading
from steersman.scenarios.registry import SCENARIOS
from steersman.scenarios.scenario import Scenario
from steersman.scenarios.schema import MOST_STEPS
from steersman.scenarios.stage import Stage


def prepare(
    scenario: str,
    n: int | None,
    options: dict[str, Any],
    changes: list[str],
    threads: int | None,
    steps: int | None,
    *,
    trust: bool = False,
) -> Stage:
    """Make a stage of what was asked for.

    Args:
        scenario: The name of a built-in scenario, a TOML file, or a Python file.
        n: Vehicles in the main population, which is the first; None for as many as usual.
        options: Settings by name; those that are None were not given.
        changes: Changes to the document, `path=value`.
        threads: Threads to use.
        steps: How many steps to make; None for as many as the seconds ask for.
        trust: Whether a file may name files that lie outside its folder.

    Returns:
        The stage. It has a check if it is a built-in scenario that is run for at least its usual time.

    Raises:
        ScenarioError: The call or the file is wrong.
    """
    given = {key: value for key, value in options.items() if value is not None}
    problems = _counted("--threads", threads) + _counted("--steps", steps)
    if steps is not None and "seconds" in given:
        problems.append(Problem("--steps", "says how long to run, and so does --seconds; give one of the two"))
    if is_module(scenario):
        stage = _of_module(scenario, n, given, changes, threads, problems)
    else:
        with reading(scenario):
            stage = _of_document(scenario, n, given, changes, threads, problems, trust)
    if steps is not None:
        _run_for(stage, steps)
    _check_length(stage)
    return stage


def _of_document(
    scenario: str, n: int | None, given: dict[str, Any], changes: list[str], threads: int | None,
    problems: list[Problem], trust: bool,
) -> Stage:  # fmt: skip
    """The stage of a built-in scenario or a TOML file."""
    built_in = SCENARIOS.get(scenario)
    lines: dict[Place, int] = {}
    folder = Path()
    if built_in is not None:
        document = _written(built_in, n, given.get("seed", 0), problems)
    else:
        folder = _as_path(scenario).parent
        document, lines = read_file(_as_path(scenario))
        if n is not None:
            path = "n" if "scenario" in document else "populations.0.n"
            problems += _override(document, lines, f"{path}={n}", "--n")
    usual = document.get("seconds", 0.0)
    for key, value in given.items():
        document[key] = value
        lines.pop((key,), None)
    for change in changes:
        problems += _override(document, lines, change, f"--set {change}")
    if problems:
        raise ScenarioError(problems, scenario)
    trust = trust or built_in is not None
    stage = open_stage(document, lines=lines, source=scenario, threads=threads, folder=folder, trust=trust)
    if built_in is not None and built_in.document is not None:
        stage.check = built_in.check if stage.seconds >= usual else None
    return stage


def is_module(scenario: str) -> bool:
    """Whether a Python file is meant."""
    return scenario.endswith(".py")


def _of_module(
    scenario: str, n: int | None, given: dict[str, Any], changes: list[str], threads: int | None,
    problems: list[Problem],
) -> Stage:  # fmt: skip
    """The stage of a scenario in a Python file; --set gives parameters to its `make`."""
    params: dict[str, Any] = {}
    for change in changes:
        problems += _override(params, {}, change, f"--set {change}")
    if problems:
        raise ScenarioError(problems, scenario)
    return read_module(Path(scenario)).stage(n=n, threads=threads, **given, **params)


def _run_for(stage: Stage, steps: int) -> None:
    """Make so many steps; fewer than usual are not judged."""
    stage.check = stage.check if steps >= stage.steps else None
    stage.seconds = steps * stage.world.dt


def _counted(option: str, value: int | None) -> list[Problem]:
    """What is wrong with a number that counts something."""
    if value is None or 1 <= value <= MOST_STEPS:
        return []
    return [Problem(option, f"must be a whole number >= 1{f' and <= {MOST_STEPS:,}' * (value > 1)}, got {value}")]


def _check_length(stage: Stage) -> None:
    """Raise ScenarioError for a run of more steps than can be counted."""
    dt = stage.world.dt
    if not stage.seconds / dt <= MOST_STEPS:
        message = f"must be at most {MOST_STEPS:,} steps of {dt:g} s, got {stage.seconds:g} s"
        raise ScenarioError([Problem("seconds", message)], stage.name)


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
