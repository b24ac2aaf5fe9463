"""Many pursuers cut the corner to one that strolls past, catch up with it, and do not get in each other's way.

After OpenSteer's demonstration of the same name; there one pursuer catches the stroller, here they surround it.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.scenarios.impostors import instead, without
from steersman.scenarios.scenario import Scenario


def make(*, n: int = 24, seed: int = 0) -> sm.Stage:
    """Put n pursuers below one stroller, in a world without end."""
    rng = np.random.default_rng(seed)
    pursuers = sm.Vehicles(
        sm.spawn.disc(n, radius=3 * np.sqrt(n), center=[0, -70], apart=2, rng=rng),
        sm.spawn.any_direction(n, speed=3, rng=rng),
        max_speed=9,
        max_force=25,
        radius=0.7,
    )
    stroller = sm.Vehicles([[0, 0]], [7.5, 0], max_speed=7.5, max_force=8, radius=0.9)

    world = sm.World(seed=seed)
    world.add(pursuers, name="pursuers", steering=sm.Pursue(stroller) + 1.5 * sm.Separation(radius=4))
    world.add(stroller, name="stroller", steering=sm.MatchVelocity([7.5, 0]) + 0.15 * sm.Wander())
    world.watch("pursuers", "distance_to", "closest_to", to=stroller)
    world.watch("pursuers", "overlapping")
    return sm.Stage(
        world,
        seconds=20,
        picture=sm.Picture(trails=12, size=1.3, at=10),
        colors={"pursuers": "red", "stroller": "blue"},
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """They are all around it, some near enough to touch it, and apart from each other."""
    gap, closest = stage.meters["pursuers.distance_to"], stage.meters["pursuers.closest_to"].least
    came = gap.times[gap.values < 20].min(initial=stage.seconds)
    touching = stage.meters["pursuers.overlapping"].values[-16:].mean()
    if not came < 12.3:
        yield f"they must be within 20 m after 12.3 s, but were so after {came:.1f} s"
    if not closest < 1.6:
        yield f"somebody must touch it (1.6 m), but the closest came to {closest:.1f} m"
    if not touching < 0.15:
        yield f"they must keep apart, but in the last 4 s {touching:.0%} overlapped"


SCENARIO = Scenario(
    make,
    check,
    least=6,
    most=100,
    tags=("story", "individual", "group", "OpenSteer"),
    impostors={
        "Seek for Pursue": instead(sm.Pursue, lambda it: sm.Seek(it.quarry)),
        "without Pursue": without(sm.Pursue),
        "without Separation": without(sm.Separation),
    },
)
