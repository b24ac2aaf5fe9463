"""Opening: a document becomes a stage, whether it describes a world itself or calls for a built-in scenario.

scenario = "ice_rink"
n = 40
seed = 3
"""

from pathlib import Path
from typing import Any

from steersman.gallery.making.scenario import Scenario
from steersman.gallery.registry import SCENARIOS
from steersman.runs.documents.builder import set_stage
from steersman.runs.documents.limits import check_document
from steersman.runs.documents.problems import Place, Problem, ScenarioError, in_words, line_of, reading
from steersman.runs.documents.reader import Reader, Table
from steersman.runs.documents.schema import BuiltInCall
from steersman.runs.documents.stage import Stage


def open_stage(
    document: Table,
    *,
    lines: dict[Place, int] | None = None,
    source: str = "scenario",
    threads: int | None = None,
    folder: Path | None = None,
    trust: bool = False,
) -> Stage:
    """Build the world that a document describes or calls for; arguments and errors as for `set_stage`."""
    if "scenario" not in document:
        return set_stage(document, lines=lines, source=source, threads=threads, folder=folder, trust=trust)
    check_document(document, source, lines or {})
    reader = Reader()
    real = reader.fields(BuiltInCall, document, ())
    reader.chosen(document, "scenario", SCENARIOS, ())
    reader.problems.raise_all(source, lines or {})
    params = real.pop("params") or {}
    built_in: Scenario = SCENARIOS[real.pop("scenario")]
    try:
        if problems := built_in.unknown(params):
            raise ScenarioError(problems, built_in.name)
        with reading(source, lines):
            return built_in.stage(threads=threads, **_options(real), **params)
    except ScenarioError as error:
        raise ScenarioError([_at(problem, lines or {}) for problem in error.problems], source) from None


def _options(real: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in real.items() if value is not None}


def _at(problem: Problem, lines: dict[Place, int]) -> Problem:
    """The problem with the line of the document that leads to it."""
    place: Place = tuple(problem.place.split("."))
    return problem._replace(line=line_of(place, lines)) if in_words(place) else problem
