"""Ants leave their nest and wander until they sense food; they gather there until it is gone, and move on.

Reynolds 1999, "Wander", which names it: wandering combined with the seeking of resources.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.impostors import instead, nothing, without
from steersman.gallery.making.scenario import Scenario

SIZE = [120, 80]


REACH = 14
"""How far they sense food [m]."""


class Homing(sm.Keeping):
    """How straight ants go to the nearest food that they cannot sense yet: an observer.

    Attributes:
        total, looks: The sum of the cosines between where they go and where it is, and how many there are.
    """

    only_watches, saved_attributes = True, ("total", "looks")

    def __init__(self, ants: sm.Vehicles, food: sm.Resources) -> None:
        self.ants, self.food, self.total, self.looks = ants, food, 0.0, 0

    def __call__(self, world: sm.World) -> None:
        """Look at those that are far from food."""
        there = self.food.position[self.food.amount > 0]
        if len(there):
            way = world.domain.difference(there[None], self.ants.position[:, None].astype(float))
            away = np.linalg.norm(way, axis=2)
            near, rows = away.argmin(axis=1), np.arange(len(way))
            far = (away[rows, near] > REACH + 1) & (self.ants.speed > 1)
            toward = np.sum(way[rows, near] * self.ants.velocity, axis=1)[far]
            self.total += float(np.sum(toward / away[rows, near][far] / self.ants.speed[far]))
            self.looks += int(far.sum())

    def share(self, _: sm.Vehicles) -> float:
        """The mean cosine: near 0 for an ant that does not sense the food."""
        return self.total / max(self.looks, 1)


def make(*, n: int = 60, seed: int = 0, places: int = 14) -> sm.Stage:
    """Put n ants and some places with food anywhere; there is food for all for fourteen seconds."""
    rng = np.random.default_rng(seed)
    meadow = sm.Torus(SIZE)
    nest = np.array([60, 40])
    food = sm.Resources(
        sm.spawn.inside(places, meadow, obstacles=sm.Spheres([nest], 17), apart=12, rng=rng), 12 * n / places
    )
    start = sm.spawn.disc(n, radius=2, center=nest, rng=rng)
    ants = sm.Vehicles(start, forward=sm.spawn.any_direction(n, speed=1, rng=rng), max_speed=7, max_force=35)

    world = sm.World(domain=meadow, seed=seed, dt=1 / 30)
    forage = sm.Forage(food, search=sm.Wander(distance=0.6, strength=0.35), reach=REACH, angle=4.7, bite=2.5)
    world.add(ants, name="ants", steering=forage)
    homing = Homing(ants, food)
    world.on_step(homing, sm.EverySeconds(0.1))
    world.watch("ants", homing=homing.share)
    world.watch("ants", "mean_speed", left=lambda _: food.amount.sum() / (12 * n))

    def larders() -> Iterator[sm.shapes.Shape]:
        """Places where food is left."""
        left = food.position[food.amount > 0]
        if len(left):
            yield sm.shapes.Circle(left, 1.6, role="target", label="food")

    return sm.Stage(
        world,
        seconds=40,
        notes=[larders, sm.shapes.Circle(nest[None], 2.0, role="target", label="nest")],
        scenery={"food": food},
        picture=sm.Picture(
            looks={"ground": "earth", "food": "food"},
            trails=4,
            at=[4, 12, 24],
            glyphs="ant",
            sketch={"ants": [35]},
            opens=1.7,
        ),
        colors={"ants": "orange"},
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """Most of the food has been found and eaten."""
    if not (homing := stage.meters["ants.homing"].now) < 0.35:
        yield f"they must stroll about until they sense food, but head for it from afar (mean cosine {homing:.2f})"
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
        "Wander for Forage": instead(sm.Forage, lambda old: old.search),
        "knows of all food": instead(sm.Forage, lambda old: old.replace(reach=200.0, angle=2 * np.pi)),
        "without its search": instead(sm.Forage, lambda old: old.replace(search=nothing)),
        "Arrive for its search": instead(sm.Forage, lambda old: old.replace(search=sm.Arrive([60, 40]))),
    },
)
