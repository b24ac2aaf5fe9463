"""Sheep stroll between trees, and step aside when a dog charges at them, faster than any of them.

The game AI lecture's animal simulation: obstacle avoidance (trees), evade (a predator), wander, the more urgent first.
A sheep that just runs away from where the dog is runs ahead of it, and is run over.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.lead import Lead
from steersman.gallery.making.scenario import Scenario

PANIC = 12.0
"""How near to them the dog must be about to come for sheep to step out of its way [m]."""


def make(*, n: int = 60, seed: int = 0) -> sm.Stage:
    """Put n sheep and a dog on a meadow with trees, which is a torus; a tree is in the dog's way from the start."""
    rng = np.random.default_rng(seed)
    meadow = sm.Torus([130, 80])
    trees = sm.Spheres(center=sm.spawn.inside(14, meadow, apart=14, rng=rng), radius=rng.uniform(1, 2.5, 14))
    start = sm.spawn.inside(n, meadow, obstacles=trees, clearance=2, apart=2, rng=rng)
    velocity = sm.spawn.any_direction(n, speed=1.5, rng=rng)
    sheep = sm.Vehicles(start, velocity, max_speed=8, max_force=24, response_time=0.2, radius=0.6)
    dog = sm.Vehicles(
        np.mod(trees.center[:1] + np.array([10.0, 0.0]), meadow.size),
        [-14, 0],
        max_speed=14,
        max_force=60,
        response_time=0.2,
        radius=0.8,
    )
    world = sm.World(domain=meadow, seed=seed)
    dodge = sm.AvoidObstacles(trees, lookahead=0.8)
    stroll = 0.5 * sm.Separation(radius=2.5) + 0.15 * sm.Wander("turn", speed=1.5, rate=2)
    world.add(sheep, name="sheep", steering=sm.Priority([dodge, sm.Evade(dog, panic_distance=PANIC), stroll]))
    world.add(dog, name="dog", steering=sm.Priority([dodge, sm.TargetSpeed(14) + 0.1 * sm.Seek(sheep)]))

    stage = sm.Stage(
        world,
        seconds=24,
        scenery={"trees": trees},
        picture=sm.Picture(
            looks={"ground": "grass", "trees": "trees"},
            trails=4,
            at=6,
            size=1.4,
            glyphs={"sheep": "sheep", "dog": "animal"},
            sketch={"sheep": [8], "dog": [0]},
            opens=13.1,
        ),
        colors={"sheep": "gray", "dog": "red"},
    )
    lead = Lead(sheep, dog, far=12)
    world.on_step(lead, sm.EverySeconds(0.1))
    stage.watch("sheep", "overlapping", lead=lead.share)
    stage.watch("sheep", "closest_to", to=dog, every=sm.EverySteps(1))
    stage.watch("sheep", "penetration", every=sm.EverySteps(1))
    stage.watch("dog", "penetration", every=sm.EverySteps(1))
    stage.watch("sheep", "mean_speed")
    stage.watch("dog", "mean_speed")
    return stage


def check(stage: sm.Stage) -> Iterator[str]:
    """The dog ran through them, and they stepped out of its way; none ran into a tree or stood still."""
    closest = stage.meters["sheep.closest_to"]
    if not closest.least < 10.5:
        yield f"the dog must run through the sheep, but came no nearer than {closest.least:.1f} m"
    if not (along := stage.meters["sheep.lead"].now) < 0.05:
        yield f"sheep must not go along with the dog, but made {along:.2f} of its way aside"
    if not (pressed := np.mean(closest.values < 3)) < 0.07:
        yield f"sheep must step out of the dog's way, but one was within 3 m of it for {pressed:.1%} of the time"
    if not 1 < (speed := stage.meters["sheep.mean_speed"].values[8:].mean()) < 2.8:
        yield f"sheep must stroll, at 1 to 2.8 m/s on average, but did at {speed:.1f} m/s"
    if not (speed := stage.meters["dog.mean_speed"].values[8:].mean()) > 8:
        yield f"the dog must run, but its mean speed was {speed:.1f} m/s"
    if not (touching := stage.meters["sheep.overlapping"].values[8:].mean()) < 0.015:
        yield f"sheep must keep apart, but {touching:.1%} touched another"
    for name in ("sheep", "dog"):
        if not (deep := stage.meters[f"{name}.penetration"].greatest) < 0.1:
            yield f"no vehicle may run into a tree, but one of the {name} did by {deep:.2f} m"


SCENARIO = Scenario(
    make,
    check,
    tags=("story", "priority", "obstacles", "game AI lecture"),
    least=60,
    most=120,
    impostors={
        "without Evade": without(sm.Evade),
        "without Wander": without(sm.Wander),
        "the dog lies down": instead(sm.TargetSpeed, sm.TargetSpeed(0)),
    },
)
