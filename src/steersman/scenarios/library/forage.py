"""Ants leave their nest and stroll about until they sense food; there they gather until it is gone, and then move on.

Reynolds 1999, "Wander", which names it: wandering combined with the seeking of resources.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.scenarios.impostors import instead, nothing, without
from steersman.scenarios.scenario import Scenario

SIZE = [120, 80]


def make(*, n: int = 60, seed: int = 0, places: int = 14) -> sm.Stage:
    """Put n ants and some places with food anywhere; there is food for everybody for fourteen seconds."""
    rng = np.random.default_rng(seed)
    meadow = sm.Torus(SIZE)
    nest = np.array([60, 40])
    food = sm.Resources(
        sm.spawn.inside(places, meadow, obstacles=sm.Spheres([nest], 17), apart=12, rng=rng), 12 * n / places
    )
    ants = sm.Vehicles(
        sm.spawn.disc(n, radius=2, center=nest, rng=rng),
        forward=sm.spawn.any_direction(n, speed=1, rng=rng),
        max_speed=7,
        max_force=35,
    )

    world = sm.World(domain=meadow, seed=seed, dt=1 / 30)
    forage = sm.Forage(food, search=sm.Wander(distance=0.6, strength=0.35), reach=14, angle=4.7, bite=2.5)
    world.add(ants, name="ants", steering=forage)
    world.watch("ants", "mean_speed", left=lambda _: food.amount.sum() / (12 * n))
    return sm.Stage(
        world,
        seconds=40,
        scenery={"food": food},
        picture=sm.Picture(trails=4, at=[4, 12, 24]),
        colors={"ants": "orange"},
        labels={"nest": nest},
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """Most of the food has been found and eaten."""
    if not (left := stage.meters["ants.left"].now) < 0.3:
        yield f"they must find the food and eat it, but {left:.0%} are left"


SCENARIO = Scenario(
    make,
    check,
    least=20,
    quick=40,
    tags=("individual", "resources", "Reynolds 1999"),
    impostors={
        "without Forage": without(sm.Forage),
        "Wander for Forage": instead(sm.Forage, lambda it: it.search),
        "without its search": instead(sm.Forage, lambda it: it.replace(search=nothing)),
        "Arrive for its search": instead(sm.Forage, lambda it: it.replace(search=sm.Arrive([60, 40]))),
    },
)
