"""Explore: a few searchers look at every corner of an island. Reynolds 1999, "Wander", which names it."""

import numpy as np

from steersman.drawing.style import Picture
from steersman.environment.regions.polygon import Polygon
from steersman.geometry.random import generator, key_of
from steersman.metrics.coverage import Coverage
from steersman.metrics.meters import Metric, Subject
from steersman.scenarios.old import OldScenario, meters_of
from steersman.scenarios.stage import Stage
from steersman.steering.individual.explore import Explore
from steersman.vehicles.vehicles import Vehicles
from steersman.world.world import World

ISLAND = [[10, 20], [40, 6], [88, 10], [116, 34], [104, 66], [66, 56], [44, 74], [12, 60]]
"""The coast [m]."""

REACH = 6.0
"""How far a searcher sees [m]."""


class Seen(Coverage):
    """What was seen of the island, looked at whenever somebody asks."""

    def part(self, subject: Subject) -> float:
        """The part that was seen."""
        self.look(subject.domain)
        return self.fraction


def make(*, n: int, seed: int) -> Stage:
    """Put n searchers on the western shore; what they have seen is measured four times a second."""
    island = Polygon(ISLAND)
    rng = generator(key_of(seed, "explore"))
    start = rng.uniform((14, 24), (20, 56), (n, 2))
    searchers = Vehicles(start, forward=np.tile([1.0, 0.0], (n, 1)), max_speed=8.0, max_force=60.0, radius=0.8)
    world = World(seed=seed, dt=1 / 30)
    world.add(searchers, name="searchers", steering=Explore(region=island, reach=REACH))
    stage = Stage(world, seconds=30.0, scenery={"island": island}, picture=Picture(trails=12.0))
    seen = Seen(island, searchers, reach=REACH)
    stage.watch("searchers", "mean_speed", seen=Metric("", "part of the island that was seen", seen.part))
    return stage


def check(world: World) -> list[str]:
    """All of the island has been seen."""
    meters = meters_of(world)
    share = len(world["searchers"]) * 8.0 * 30.0 * 2 * REACH / Polygon(ISLAND).area
    expected = 0.98 if share > 2.5 else 0.3 * min(share, 1.0)
    seen = meters["searchers.seen"].now
    return (
        [] if seen > expected else [f"they must have seen the island, but {100 * (1 - seen):.0f} % of it are unknown"]
    )


SCENARIO = OldScenario(
    name="explore",
    shows="A few searchers look at every corner of an island, each a part of it.",
    tags=("individual", "region", "Reynolds 1999"),
    dimensions=2,
    n=6,
    make=make,
    check=check,
)
