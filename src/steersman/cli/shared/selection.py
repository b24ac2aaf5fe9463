"""Selection: the vehicles with sketches in the picture of a run."""

from collections.abc import Sequence

from steersman.core.parameters.guiding import suggestion
from steersman.runs.documents.problems import Problem, ScenarioError
from steersman.runs.documents.stage import Stage

Selection = dict[str, list[int]]
"""Ids by the name of the population."""


def selection_of(stage: Stage, words: Sequence[str]) -> Selection:
    """The vehicles of `3,7`, in the main population, or of `wolves:0`.

    Args:
        stage: The stage, before the run.
        words: The arguments, each with ids, with or without the name of a population.

    Raises:
        ScenarioError: There is no such population, it has no behavior, or it has no vehicle of an id.
    """
    chosen: Selection = {}
    for word in words:
        name, colon, ids = word.rpartition(":")
        name = name if colon else next(iter(stage.world.populations), "")
        problem = _wrong(stage, name, ids)
        if problem:
            raise ScenarioError([Problem("--sketch", f"{problem}, got {word!r}")], stage.name)
        chosen.setdefault(name, []).extend(map(int, ids.split(",")))
    return chosen


def _wrong(stage: Stage, name: str, ids: str) -> str:
    """The problem of the ids of a population; empty if there is none."""
    populations = stage.world.populations
    if name not in populations:
        return f"must name a population of the scenario{suggestion(name, populations, label='populations')}"
    if populations[name].tree is None:
        return f"must be of a population that is steered, and nothing steers {name!r}"
    numbers = ids.split(",")
    if not all(number.strip().isdecimal() for number in numbers):
        return "must be an id, or ids with commas between them, such as 3,7 or wolves:0"
    known = populations[name].vehicles.id
    missing = [int(number) for number in numbers if int(number) not in known]
    if missing and not populations[name].flows:
        return f"must be ids that there are in {name!r}, from {known.min()} to {known.max()}"
    return ""
