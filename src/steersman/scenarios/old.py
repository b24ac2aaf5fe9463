# ruff: noqa
"""For scenarios that are not rewritten yet."""

import inspect
from typing import Any

from steersman.metrics.reading import Meters
from steersman.scenarios.builder import set_stage
from steersman.scenarios.scenario import Scenario
from steersman.world.world import World


def meters_of(world: World) -> Meters:
    assert world.meters is not None
    world.meters(world)
    return world.meters


def OldScenario(*, name, shows, tags, dimensions, n, check, document=None, make=None, quick=None) -> Scenario:  # type: ignore[no-untyped-def]
    usual = n
    source: Any = document or make

    def made(*, n: int = usual, seed: int = 0, **params: Any) -> Any:
        if document is None:
            return make(n=n, seed=seed, **params)
        return set_stage(
            {"name": name, "description": shows, "seed": seed, **document(n=n, seed=seed, **params)},
            source=name,
            trust=True,
        )

    parameters = [
        each.replace(default=usual if each.name == "n" else 0) if each.name in ("n", "seed") else each
        for each in inspect.signature(source).parameters.values()
    ]
    made.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return Scenario(
        made, lambda stage: check(stage.world), tags=tags, dimensions=dimensions, quick=quick, name=name, shows=shows
    )
