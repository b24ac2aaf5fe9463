# ruff: noqa
"""For scenarios that are not rewritten yet."""

import inspect
import math
from typing import Any

import numpy as np

from steersman.geometry.random import generator, key_of
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


GAP = 7.0


def scatter(count: int, width: float, height: float, seed: int) -> tuple[list[list[float]], list[float]]:
    """Centers and radii [m] of rocks on a torus that leave a gap between any two; fewer where there is no room."""
    rng = generator(key_of(seed, "rocks"))
    period = np.array([width, height])
    centers: list[list[float]] = []
    radii: list[float] = []
    for _ in range(200 * count):
        if len(centers) == count:
            break
        center = rng.random(2) * period
        radius = float(rng.uniform(2.5, 8.0))
        offsets = np.array(centers).reshape(-1, 2) - center
        offsets -= period * np.rint(offsets / period)
        if all(math.hypot(*offset) > radius + other + GAP for offset, other in zip(offsets, radii, strict=True)):
            centers.append([round(float(x), 2) for x in center])
            radii.append(round(radius, 2))
    return centers, radii
