"""Ants swarm from their nest to a winding trail and follow it shoulder to shoulder, hardly touching.

Reynolds 1999, "Combining Behaviors": path following and separation together make a crowd on a path.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario


def make(*, n: int = 60, seed: int = 0) -> sm.Stage:
    """Put n ants in the middle of a winding closed path, long enough for them."""
    rng = np.random.default_rng(seed)
    angle = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    bends = max(1, n / 60) ** 0.5 * (30 + 7 * np.sin(3 * angle))
    trail = sm.Path(bends[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1), radius=3, closed=True)
    start, velocity = sm.spawn.disc(n, radius=1.5 * n**0.5, rng=rng), sm.spawn.any_direction(n, speed=3, rng=rng)
    ants = sm.Vehicles(start, velocity, max_speed=6, max_force=20)

    world = sm.World(seed=seed)
    world.add(ants, name="ants", steering=sm.FollowPath(trail, law="predicted") + 1.5 * sm.Separation(radius=3))
    world.watch("ants", "overlapping", "path_error", "progress", to=trail)
    nest = 1.5 * n**0.5
    return sm.Stage(
        world,
        seconds=25,
        scenery={"trail": trail},
        picture=sm.Picture(
            looks={"ground": "forest", "trail": "sand"},
            trails=3,
            at=[1, 25],
            glyphs="ant",
            sketch={"ants": [30]},
            opens=4.0,
        ),
        colors={"ants": "red"},
        labels={"the trail": trail.points[30], "nest, where all start": np.array([-0.75 * nest, 0.0])},
        notes=[sm.shapes.Circle(np.zeros((1, 2)), nest, role="guide")],
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """They follow the path, and do not crowd."""
    touching, error, along = (
        stage.meters[f"ants.{name}"].values[-20:].mean() for name in ("overlapping", "path_error", "progress")
    )
    if not error < 3:
        yield f"they must be on the path, but are {error:.1f} m off on average"
    if not along > 4:
        yield f"they must go along it, but do so at {along:.1f} m/s only"
    if not touching < 0.15:
        yield f"they must keep apart, but {touching:.0%} overlap"


SCENARIO = Scenario(
    make,
    check,
    tags=("group", "path", "Reynolds 1999"),
    least=20,
    quick=40,
    impostors={
        "without FollowPath": without(sm.FollowPath),
        "StayOnPath": instead(sm.FollowPath, lambda old: sm.StayOnPath(old.path)),
        "Cohesion for Separation": instead(sm.Separation, sm.Cohesion(radius=3)),
    },
)
