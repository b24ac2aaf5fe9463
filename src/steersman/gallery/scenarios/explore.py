"""A few searchers sweep an island line by line, each a part of it, until they have seen every corner.

Reynolds 1999, "Wander", which names it: to cover a region exhaustively.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario

ISLAND = [[10, 20], [40, 6], [88, 10], [116, 34], [104, 66], [66, 56], [44, 74], [12, 60]]
"""The coast [m]."""

REACH, SPEED = 6, 8
"""How far a searcher sees [m], and how fast it goes [m/s]."""


def make(*, n: int = 6, seed: int = 0) -> sm.Stage:
    """Put n searchers on the western shore; the area that they have seen is measured four times a second."""
    rng = np.random.default_rng(seed)
    island = sm.Polygon(ISLAND)
    searchers = sm.Vehicles(
        sm.spawn.box(n, [6, 32], center=[17, 40], rng=rng), max_speed=SPEED, max_force=60, radius=0.8
    )

    world = sm.World(seed=seed, dt=1 / 30)
    world.add(searchers, name="searchers", steering=sm.Explore(region=island, reach=REACH))
    coverage = sm.Coverage(island, searchers, reach=REACH)
    coverage.look(world.domain)
    world.on_step(coverage, sm.EverySeconds(0.25))
    world.watch("searchers", seen=lambda _: coverage.fraction)
    # Long enough for what n searchers pass by to be twice the island.
    seconds = 2.2 * island.area / (n * SPEED * 2 * REACH) + 14
    return sm.Stage(
        world,
        seconds=seconds,
        scenery={"island": island},
        picture=sm.Picture(
            looks={"ground": "water", "island": "sand"},
            trails=14,
            size=1.5,
            glyphs="person",
            at=[6, 14],
            sketch={"searchers": [2]},
            close_up=45,
            opens=14.0,
        ),
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """All of the island has been seen."""
    if not (share := stage.meters["searchers.seen"].now) > 0.97:
        yield f"they must have seen the island, but {1 - share:.0%} of it are unknown"


SCENARIO = Scenario(
    make,
    check,
    tags=("individual", "region", "Reynolds 1999"),
    most=16,
    impostors={
        "without Explore": without(sm.Explore),
        "Contain and Wander": instead(
            sm.Explore, lambda old: sm.Priority([sm.Contain(old.region), sm.Wander(distance=0.5, strength=0.3)])
        ),
        "to the middle": instead(sm.Explore, sm.Seek([60, 40])),
        "along the coast": instead(sm.Explore, sm.Patrol(ISLAND)),
    },
)
