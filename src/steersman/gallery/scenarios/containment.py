"""Skaters roam a rink with a dent, into both of its arms, and never cross its edge.

Reynolds 1999, "Containment". They look ahead: a skater that would be outside soon is turned along the edge while still
inside, early enough for its speed, and away from the edge again. Seeking a point inside, the paper's first way, they follow
the edge for much of the time.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.by_id import largest, mean
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario

RINK = [[8, 8], [60, 4], [112, 10], [116, 60], [84, 68], [70, 36], [46, 34], [36, 70], [6, 62]]
"""Corners of the rink [m]; there is a dent in it."""


def make(*, n: int = 40, seed: int = 0) -> sm.Stage:
    """Put n skaters in the lower half of the rink."""
    rng = np.random.default_rng(seed)
    rink = sm.Polygon(RINK)
    start, velocity = sm.spawn.box(n, [82, 14], center=[59, 21], rng=rng), sm.spawn.any_direction(n, speed=6, rng=rng)
    skaters = sm.Vehicles(start, velocity, max_speed=8, max_force=30, radius=0.6)

    world = sm.World(seed=seed)
    world.add(
        skaters,
        name="skaters",
        steering=sm.Priority([sm.Contain(rink, lookahead=0.9, margin=0.8), sm.Wander(distance=0.5, strength=0.3)]),
    )
    world.watch(
        "skaters", outside=lambda vehicles: largest(rink.nearest(vehicles.position).distance), every=sm.EverySteps(1)
    )
    world.watch("skaters", at_edge=lambda vehicles: mean(rink.nearest(vehicles.position).distance > -2))
    world.watch("skaters", "mean_speed", in_arms=lambda vehicles: mean(vehicles.position[:, 1] > 40))
    return sm.Stage(
        world,
        seconds=20,
        scenery={"rink": rink},
        picture=sm.Picture(
            looks={"ground": "snow", "rink": "ice"},
            glyphs="person",
            trails=5,
            size=1.2,
            sketch={"skaters": [10]},
            close_up=40,
            opens=1.2,
        ),
        labels={"edge of the rink": [34, 6], "outside": [30, 2]},
        colors={"skaters": "blue"},
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """No vehicle leaves the rink or follows its edge, and they make use of it at full speed."""
    outside, speed = stage.meters["skaters.outside"].greatest, stage.meters["skaters.mean_speed"].values.mean()
    if not outside < 0:
        yield f"no vehicle may leave the rink, but one was {outside:.2f} m outside"
    if not speed > 7:
        yield f"they must keep skating, but their mean speed was {speed:.1f} m/s"
    if not (edge := stage.meters["skaters.at_edge"].values[-40:].mean()) < 0.1:
        yield f"they must come away from the edge, but {edge:.0%} were within 2 m of it"
    if not (arms := stage.meters["skaters.in_arms"].values[-32:].mean()) > 0.15:
        yield f"they must make use of the rink, but only {arms:.0%} were in its arms"


SCENARIO = Scenario(
    make,
    check,
    tags=("individual", "region", "priority", "Reynolds 1999"),
    least=20,
    impostors={
        "without looking ahead": instead(sm.Contain, lambda old: old.replace(law="inside", lookahead=0)),
        "looking ahead too little": instead(sm.Contain, lambda old: old.replace(law="inside", lookahead=0.3)),
        "a point inside is sought": instead(sm.Contain, lambda old: old.replace(law="inside")),
        "to the middle": instead(sm.Contain, sm.Arrive([59, 21])),
        "without Wander": without(sm.Wander),
    },
)
