"""A heap spreads out from the middle, by Separation alone, until all vehicles have room, and comes to rest.

Reynolds 1999, "Separation". Each pushes off from those within 4 m, the harder the nearer; the trails are all nearly
straight and lead outward. A little braking lets the crowd come to rest.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.impostors import instead
from steersman.gallery.making.scenario import Scenario


def make(*, n: int = 80, seed: int = 0) -> sm.Stage:
    """Put n vehicles in a heap, at rest."""
    rng = np.random.default_rng(seed)
    world = sm.World(seed=seed)
    world.add(
        sm.Vehicles(sm.spawn.disc(n, radius=0.4 * n**0.5, rng=rng), max_speed=4, max_force=10),
        name="crowd",
        steering=sm.Separation(radius=4) + 0.3 * sm.TargetSpeed(0),
    )
    world.watch("crowd", "nearest_distance", "overlapping", "mean_speed")
    return sm.Stage(world, seconds=12, picture=sm.Picture(trails=12), colors={"crowd": "blue"})


def check(stage: sm.Stage) -> Iterator[str]:
    """All have room, no more than they need, and have come to rest."""
    distance, speed = stage.meters["crowd.nearest_distance"].now, stage.meters["crowd.mean_speed"].now
    if not 2.5 < distance < 5:
        yield f"neighbors must be 2.5 to 5 m apart, but are at {distance:.1f} m"
    if share := stage.meters["crowd.overlapping"].now:
        yield f"nobody may overlap another, but {share:.0%} do"
    if not speed < 0.2:
        yield f"they must come to rest where they have room, but the mean speed is {speed:.1f} m/s"


SCENARIO = Scenario(
    make,
    check,
    tags=("group", "Reynolds 1999"),
    least=10,
    quick=40,
    impostors={
        "as hard from afar": instead(sm.Separation, lambda it: it.replace(falloff=0.0)),
        "Wander for Separation": instead(sm.Separation, sm.Wander()),
        "Flee for Separation": instead(sm.Separation, sm.Flee([0.0, 0.0])),
        "AvoidNeighbors for Separation": instead(sm.Separation, sm.AvoidNeighbors()),
    },
)
