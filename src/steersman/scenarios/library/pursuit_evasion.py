"""Hunters head for where their quarry will be; it strolls until they are near, and then swerves away.

Reynolds 1999, "Pursuit" and "Evasion". A hunter does not follow its quarry's track: it cuts the corner. Hunters keep apart from
each other, so they come from several sides.
"""

import math
from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.scenarios.impostors import instead, without
from steersman.scenarios.scenario import Scenario


def make(*, n: int = 6, seed: int = 0) -> sm.Stage:
    """Put n hunters and three times as many evaders on a torus of constant density."""
    rng = np.random.default_rng(seed)
    edge = 45 * math.sqrt(max(n, 4))
    space = sm.Torus([edge, edge])
    hunters = sm.Vehicles(
        sm.spawn.inside(n, space, rng=rng),
        sm.spawn.any_direction(n, speed=6, rng=rng),
        max_speed=13,
        max_force=20,
        response_time=0.2,
    )
    evaders = sm.Vehicles(
        sm.spawn.inside(3 * n, space, rng=rng),
        sm.spawn.any_direction(3 * n, speed=5, rng=rng),
        max_speed=9.5,
        max_force=24,
        response_time=0.2,
        radius=0.8,
    )
    world = sm.World(domain=space, seed=seed)
    world.add(
        hunters,
        name="hunters",
        steering=sm.Pursue(evaders, prediction=sm.Intercept()) + sm.Separation(radius=8),
    )
    world.add(
        evaders,
        name="evaders",
        steering=sm.Priority(
            [
                sm.Evade(hunters, panic_distance=22, unpredictability=0.25),
                sm.Wander(strength=0.35, distance=0.2),
            ]
        ),
    )
    world.watch("hunters", "distance_to", "closest_to", to=evaders)
    world.watch("evaders", "mean_speed")
    return sm.Stage(world, seconds=12, picture=sm.Picture(trails=2.5), colors={"hunters": "red", "evaders": "sky"})


def check(stage: sm.Stage) -> Iterator[str]:
    """The hunters came close to their quarry, and caught somebody."""
    closest, distance = stage.meters["hunters.closest_to"].least, stage.meters["hunters.distance_to"].now
    if not closest < 1.8:
        yield f"some hunter must touch an evader, but the closest came to {closest:.1f} m"
    if not distance < 8:
        yield f"hunters must be within 8 m of an evader on average, but are at {distance:.1f} m"


SCENARIO = Scenario(
    make,
    check,
    tags=("individual", "priority", "Reynolds 1999"),
    impostors={
        "Seek for Pursue": instead(sm.Pursue, lambda it: sm.Seek(it.quarry)),
        "without Evade": without(sm.Evade),
        "Flee for Evade": instead(sm.Evade, lambda it: sm.Flee(it.pursuer, panic_distance=it.panic_distance)),
    },
)
