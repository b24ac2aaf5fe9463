"""Walkers find a winding road and follow it, not in single file but across its whole width.

Reynolds 1999, "Path following". Each keeps to the place across the road where it came upon it; only a walker about to
leave the road is turned back.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.by_id import mean
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario
from steersman.runs.metrics.following import projected

SPINE = [[14, 16], [44, 12], [60, 30], [84, 34], [100, 14], [134, 14], [146, 40], [124, 56], [132, 78], [102, 82],
         [82, 60], [58, 58], [44, 80], [16, 76], [28, 48]]  # fmt: skip
"""Points that the road goes through [m]."""

RADIUS = 4.5
"""Half the width of the road [m]."""


def make(*, n: int = 70, seed: int = 0) -> sm.Stage:
    """Put n walkers anywhere around a road that is closed."""
    rng = np.random.default_rng(seed)
    country = sm.Box([160, 92])
    road = sm.Path.spline(SPINE, radius=RADIUS, closed=True)
    walkers = sm.Vehicles(
        sm.spawn.inside(n, country, apart=1.5, rng=rng), max_speed=rng.uniform(6, 9, n), max_force=24, radius=0.6
    )

    world = sm.World(domain=country, seed=seed)
    world.add(walkers, name="walkers", steering=sm.FollowPath(road, lookahead=0.6) + 0.8 * sm.Separation(radius=3))
    world.watch("walkers", "off_path", "path_error", "progress", to=road)
    world.watch("walkers", "overlapping", back=lambda vehicles: back(vehicles, road))
    world.watch("walkers", at_rims=lambda vehicles: mean(projected(vehicles, road).distance > 0.75 * RADIUS))
    return sm.Stage(
        world,
        seconds=24,
        scenery={"road": road},
        picture=sm.Picture(
            looks={"ground": "grass", "road": "sand"},
            trails=3,
            glyphs="person",
            at=[1, 12],
            sketch={"walkers": [14]},
            opens=3.4,
        ),
        colors={"walkers": "blue"},
    )


def back(walkers: sm.Vehicles, road: sm.Path) -> float:
    """Which part of them goes the wrong way at more than 1 m/s."""
    along = np.sum(walkers.velocity * road.tangent_at(projected(walkers, road).s), axis=1)
    return mean(along < -1)


def some_the_other_way(old: sm.FollowPath) -> sm.Behavior:
    """Every eighth goes the other way."""
    other = old.replace(direction=-1)
    return sm.Switch(old, on=lambda vehicles: vehicles.id % 8 > 0) + sm.Switch(
        other, on=lambda vehicles: vehicles.id % 8 == 0
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """They are on the road and all over it, and go along it."""
    off, error, along, rims, touching, wrong = (
        stage.meters[f"walkers.{name}"].values[-16:].mean()
        for name in ("off_path", "path_error", "progress", "at_rims", "overlapping", "back")
    )
    if not off < 0.1:
        yield f"they must be on the road, but {off:.0%} are beside it"
    if not rims < 0.3:
        yield f"they must spread over the road, but {rims:.0%} are at its rims"
    if not error > 1:
        yield f"they must spread over the road, but are {error:.1f} m from its middle"
    if not wrong < 0.03:
        yield f"all must go the same way, but {wrong:.0%} go the other way"
    if not along > 5:
        yield f"they must go along the road, but do so at {along:.1f} m/s"
    if len(stage.world["walkers"]) >= 70 and not touching < 0.07:
        yield f"they must keep apart, but {touching:.0%} overlap"


SCENARIO = Scenario(
    make,
    check,
    tags=("individual", "path", "Reynolds 1999"),
    impostors={
        "without FollowPath": without(sm.FollowPath),
        "StayOnPath": instead(sm.FollowPath, lambda old: sm.StayOnPath(old.path)),
        "the other way": instead(sm.FollowPath, lambda old: old.replace(direction=-1)),
        "every eighth the other way": instead(sm.FollowPath, some_the_other_way),
        "along the middle": instead(sm.FollowPath, lambda old: old.replace(law="parameter")),
        "from point to point": instead(sm.FollowPath, lambda old: old.replace(law="waypoints")),
    },
)
