"""From the arguments of a call to a stage that is ready to run."""

import os
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

from steersman.core.parameters.guiding import suggestion
from steersman.core.world.writing import NoDocumentError
from steersman.gallery.making.scenario import Scenario
from steersman.gallery.modules import read_module
from steersman.gallery.opening import open_stage
from steersman.gallery.registry import SCENARIOS
from steersman.runs.documents.documents import to_document
from steersman.runs.documents.files import read_file
from steersman.runs.documents.overrides import assigned, change
from steersman.runs.documents.problems import Place, Problem, ScenarioError, reading
from steersman.runs.documents.schema import MOST_STEPS
from steersman.runs.documents.stage import Stage
from steersman.runs.recording.folder import is_run

Subject = str | Mapping[str, Any] | Callable[..., Any]
"""A scenario: the name of a built-in one, a TOML file, a Python file, a document, or a function `make`."""

Change = str | tuple[str, Any]
"""A change to a document or a parameter: `path=value` as text, or the path and the value."""


def prepare(
    scenario: Subject,
    n: int | None,
    options: Mapping[str, Any],
    changes: Sequence[Change],
    threads: int | None,
    steps: int | None,
    *,
    trust: bool = False,
    folder: Path | None = None,
) -> Stage:
    """Make the stage that a call asks for.

    Args:
        scenario: The scenario.
        n: Vehicles in the main population, which is the first; None for the default.
        options: Settings by name; None where not given.
        changes: Changes to the document or the parameters.
        threads: Threads to use.
        steps: The number of steps to make; None for that of the seconds.
        trust: Whether a file may name files outside of its folder.
        folder: The folder of the files that a document names, where the scenario is one.

    Returns:
        The stage. It has a check if it is a built-in scenario that is run for at least its default time.

    Raises:
        ScenarioError: The call or the file is wrong.
    """
    arguments = {key: value for key, value in options.items() if value is not None}
    problems = _counted("--n", n) + _counted("--threads", threads) + _counted("--steps", steps)
    if steps is not None and "seconds" in arguments:
        problems.append(Problem("--steps", "says how long to run, and so does --seconds; give one of the two"))
    built_in = _made_in_python(scenario)
    if built_in is not None:
        own = isinstance(scenario, str) and is_module(scenario)
        stage = _made(built_in, n, arguments, changes, threads, problems, own=own)
    elif isinstance(scenario, Mapping):
        document = deepcopy(dict(scenario))
        stage = _read("document", document, {}, folder, n, arguments, changes, threads, problems, trust=trust)
    else:
        with reading(str(scenario)):
            file = _as_path(str(scenario))
            stage = _read(
                str(file), *read_file(file), file.parent, n, arguments, changes, threads, problems, trust=trust
            )
    if steps is not None:
        _run_for(stage, steps)
    _check_length(stage)
    return stage


def is_recorded(subject: str, options: Mapping[str, Any]) -> bool:
    """Whether the subject is the folder of a recorded run, which cannot be changed any more.

    Args:
        subject: The name of a scenario, a file, or a folder.
        options: Options that would change it, by name; None, or empty, where not given.

    Raises:
        ScenarioError: A recorded run is to be changed.
    """
    if not is_run(Path(subject)):
        return False
    arguments = [f"--{name}" for name, value in options.items() if value is not None and value != []]
    if arguments:
        raise ScenarioError(
            [Problem(each, "is not for a recorded run, which is as it was") for each in arguments], subject
        )
    return True


def _made_in_python(scenario: Subject) -> Scenario | None:
    """The scenario that a name, a Python file or a function stands for; None for a TOML file or a document."""
    if isinstance(scenario, Mapping):
        return None
    if callable(scenario):
        return Scenario(scenario, name=getattr(scenario, "__name__", "scenario"))
    return read_module(Path(scenario)) if is_module(scenario) else SCENARIOS.get(scenario)


def _read(
    source: str, document: dict[str, Any], lines: dict[Place, int], folder: Path | None, n: int | None,
    arguments: dict[str, Any], changes: Sequence[Change], threads: int | None, problems: list[Problem], *, trust: bool,
) -> Stage:  # fmt: skip
    """The stage of a document."""
    if n is not None:
        path = "n" if "scenario" in document else "populations.0.n"
        problems += _override(document, lines, f"{path}={n}", "--n")
    for key, value in arguments.items():
        document[key] = value
        lines.pop((key,), None)
    for setting in changes:
        problems += _override(document, lines, setting)
    if problems:
        raise ScenarioError(problems, source)
    return open_stage(document, lines=lines, source=source, threads=threads, folder=folder, trust=trust)


def _made(
    scenario: Scenario, n: int | None, arguments: dict[str, Any], changes: Sequence[Change], threads: int | None,
    problems: list[Problem], *, own: bool,
) -> Stage:  # fmt: skip
    """The stage of a scenario that is made in Python; changes concern its own parameters, or the document of its world.

    With `own`, only its own parameters can be changed, because the run writes a copy of its file.
    """
    params: dict[str, Any] = {}
    others = []
    for setting in changes:
        path, value = (setting, None) if isinstance(setting, str) else setting
        name = path.removeprefix("params.").partition("=")[0].strip()
        if own or name in scenario.own:
            own_change = path.removeprefix("params.")
            problems += _override(params, {}, own_change if isinstance(setting, str) else (own_change, value))
        else:
            others.append(setting)
    if problems:
        raise ScenarioError(problems, scenario.name)
    stage = scenario.stage(n=n, threads=threads, **arguments, **params)
    if not others:
        return stage
    try:
        document = to_document(stage, left_out=[])
    except NoDocumentError as error:
        known = f"; it has no others than {', '.join(scenario.own)}" if scenario.own else "; it has no parameters"
        where = _option(others[0])
        problem = Problem(where, f"is no parameter of its own, and no document can say the rest: {error}{known}")
        raise ScenarioError([problem], scenario.name) from error
    for setting in others:
        problems += _override(document, {}, setting)
    if problems:
        raise ScenarioError(problems, scenario.name)
    try:
        changed = open_stage(document, source=scenario.name, threads=threads, trust=True)
    except ScenarioError as error:
        raise ScenarioError([_with_parameters(each, scenario) for each in error.problems], scenario.name) from error
    changed.check = stage.check
    return changed


def _with_parameters(problem: Problem, scenario: Scenario) -> Problem:
    """A problem; where it is of a key that there is not at the top of the document, with the parameters of the scenario."""
    if "." in problem.place or not problem.message.startswith("there is no key") or not scenario.own:
        return problem
    guess = suggestion(problem.place, scenario.own, label=f"parameters of {scenario.name}")
    return problem._replace(message=f"there is neither such a parameter nor such a key of the document{guess}")


def is_module(scenario: str) -> bool:
    """Whether the scenario is a Python file."""
    return scenario.endswith(".py")


def _run_for(stage: Stage, steps: int) -> None:
    """Set the number of steps; a run shorter than the default is not judged."""
    stage.check = stage.check if steps >= stage.steps else None
    stage.seconds = steps * stage.world.dt


def _counted(option: str, value: int | None) -> list[Problem]:
    """The problems of a count."""
    if value is None or 1 <= value <= MOST_STEPS:
        return []
    return [Problem(option, f"must be a whole number >= 1{f' and <= {MOST_STEPS:,}' * (value > 1)}, got {value}")]


def _check_length(stage: Stage) -> None:
    """Raise ScenarioError for a run of too many steps to count."""
    dt = stage.world.dt
    if not stage.seconds / dt <= MOST_STEPS:
        message = f"must be at most {MOST_STEPS:,} steps of {dt:g} s, got {stage.seconds:g} s"
        raise ScenarioError([Problem("seconds", message)], stage.name)


def _option(setting: Change) -> str:
    """A change in the words of the call."""
    return f"--set {setting}" if isinstance(setting, str) else setting[0]


def _override(document: dict[str, Any], lines: dict[Place, int], setting: Change, option: str = "") -> list[Problem]:
    """Apply a change, and return its problems. Changed values no longer have a line in the file."""
    try:
        changed = change(document, *(assigned(setting) if isinstance(setting, str) else setting))
    except ValueError as error:
        return [Problem(option or _option(setting), str(error))]
    for place in [place for place in lines if place[: len(changed)] == changed]:
        del lines[place]
    return []


def _as_path(name: str) -> Path:
    """The file of this name, if it is one."""
    path = Path(name)
    if path.suffix == ".toml" or os.sep in name or path.is_file():
        return path
    problem = Problem("", f"there is no such scenario or file{suggestion(name, SCENARIOS, label='scenarios')}")
    raise ScenarioError([problem], name)
