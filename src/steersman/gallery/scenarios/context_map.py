"""A crowd crosses a field of rocks toward the east: each vehicle takes the best free direction of many.

Known in games as context steering (Fray 2013): interest in the goal, danger of rocks and of each other.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.by_id import mean
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario

EAST = [420, 30]
"""The goal that all head for, far beyond the field [m]."""


def make(*, n: int = 40, seed: int = 0, rocks: int = 16) -> sm.Stage:
    """Put a crowd to the left of a field of rocks."""
    rng = np.random.default_rng(seed)
    places = sm.spawn.box(rocks, [110, 40], center=[84, 30], apart=13, rng=rng)
    field = sm.Spheres(places, rng.uniform(2, 4.5, rocks))
    walkers = sm.Vehicles(
        sm.spawn.box(n, [14, 44], center=[8, 30], apart=1.5, rng=rng), max_speed=5, max_force=25, response_time=0.2
    )

    world = sm.World(seed=seed)
    tree = sm.ContextMap(interest=[sm.Seek(EAST)], danger=[sm.Separation(radius=3)], obstacles=field, lookahead=1.6)
    world.add(walkers, name="walkers", steering=tree)
    world.watch("walkers", through=lambda vehicles: mean(vehicles.position[:, 0] > 144))
    world.watch("walkers", "overlap", "penetration", every=sm.EverySteps(1))
    return sm.Stage(
        world,
        seconds=33,
        notes=[
            sm.shapes.Line(np.array([[144, 0], [144, 62]]), role="target", label="beyond this line they are through")
        ],
        scenery={"rocks": field},
        picture=sm.Picture(
            looks={"ground": "grass"},
            glyphs="person",
            trails=12,
            close_up=20,
            at=[12, 20],
            sketch={"walkers": [5]},
            opens=25.4,
        ),
        colors={"walkers": "blue"},
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """All came through, and touched no rock and no other walker."""
    meters = stage.meters
    depth, through = meters["walkers.penetration"].greatest, meters["walkers.through"].now
    if not depth < 0.05:
        yield f"no vehicle may run into a rock, but one did by {depth:.2f} m"
    if not (overlap := meters["walkers.overlap"].greatest) < 0.2:
        yield f"no vehicle may run into another, but one did by {overlap:.2f} m"
    if not through > 0.95:
        yield f"all must get through, but only {through:.0%} did"


def seeing(old: sm.ContextMap, which: slice) -> sm.ContextMap:
    """The map of walkers that see some rocks alone."""
    return old.replace(obstacles=sm.Spheres(old.obstacles.center[which], old.obstacles.radius[which]))


SCENARIO = Scenario(
    make,
    check,
    tags=("combining", "obstacles", "crowd"),
    impostors={
        "without Seek": without(sm.Seek),
        "without rocks": instead(sm.ContextMap, lambda old: old.replace(obstacles=None)),
        "the first rock ignored": instead(sm.ContextMap, lambda old: seeing(old, slice(1, None))),
        "the last rock ignored": instead(sm.ContextMap, lambda old: seeing(old, slice(-1))),
        "without each other": without(sm.Separation),
        "a sum for the map": instead(
            sm.ContextMap, lambda old: sm.WeightedSum([*old.interest, *old.danger, sm.AvoidObstacles(old.obstacles)])
        ),
    },
)
