"""Patrols find the walls of a hall and follow them, with the wall on their left, always at the same distance.

Reynolds 1999, "Wall following".
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.by_id import mean
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario

HALL = [[0, 0], [90, 0], [90, 30], [110, 40], [110, 75], [60, 75], [60, 45], [40, 45], [25, 65], [0, 65]]
"""Corners of the hall [m]."""

OFFSET = 4
"""Distance to keep [m]."""


def make(*, n: int = 12, seed: int = 0) -> sm.Stage:
    """Put n patrols in the middle of the hall."""
    rng = np.random.default_rng(seed)
    hall = sm.Walls(HALL, closed=True, seen_from="inside")
    start, velocity = sm.spawn.box(n, [70, 12], center=[45, 22], rng=rng), sm.spawn.any_direction(n, speed=4, rng=rng)
    patrols = sm.Vehicles(start, velocity, max_speed=11, max_force=45, radius=0.7)

    world = sm.World(seed=seed)
    world.add(patrols, name="patrols", steering=sm.FollowWall(hall, offset=OFFSET, side="left"))
    world.watch("patrols", "progress", to=sm.Path(HALL, closed=True))
    world.watch("patrols", error=lambda vehicles: mean(np.abs(-hall.nearest(vehicles.position).distance - OFFSET)))
    world.watch("patrols", "penetration", every=sm.EverySteps(1))

    return sm.Stage(
        world,
        seconds=20,
        scenery={"wall": hall, "floor": sm.Polygon(HALL)},
        picture=sm.Picture(
            looks={"ground": "grass", "floor": "floor"},
            glyphs="person",
            trails=6,
            size=1.4,
            at=[3, 14],
            sketch={"patrols": [9]},
            close_up=44,
            opens=14.4,
        ),
        labels={"the wall is at their left hand": [62.0, 37.0]},
        colors={"patrols": "orange"},
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """They go along the walls at the offset, the way round that is right, and touch none."""
    error, along = (stage.meters[f"patrols.{name}"].values[-40:].mean() for name in ("error", "progress"))
    depth = stage.meters["patrols.penetration"].greatest
    if not error < 0.6:
        yield f"they must keep {OFFSET} m from the wall within 0.6 m, but in the last 10 s were off by {error:.2f} m"
    if not -along > 8:
        yield f"they must go round with the wall at their left at 8 m/s, but did so at {-along:.1f} m/s"
    if depth > 0:
        yield f"no vehicle may touch a wall, but one did by {depth:.2f} m"


SCENARIO = Scenario(
    make,
    check,
    tags=("individual", "obstacles", "Reynolds 1999"),
    impostors={
        "without FollowWall": without(sm.FollowWall),
        "wall at the right": instead(sm.FollowWall, lambda old: old.replace(side="right")),
        "AvoidWalls": instead(sm.FollowWall, lambda old: sm.AvoidWalls(old.walls)),
        "Contain and Wander": instead(
            sm.FollowWall, sm.Priority([sm.Contain(sm.Polygon(HALL), margin=OFFSET), sm.Wander()])
        ),
        "half as far from it": instead(sm.FollowWall, lambda old: old.replace(offset=OFFSET / 2)),
    },
)
