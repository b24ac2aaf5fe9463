"""Vehicles cross a field of rocks, swerve around those that lie on their way, and touch none.

Reynolds 1999, "Obstacle avoidance". A rock beside the way does not matter: only rocks in the tube ahead count.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.by_id import mean
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario

SPEED = 9
"""How fast they cross [m/s]."""


def make(*, n: int = 40, seed: int = 0, rocks: int = 14) -> sm.Stage:
    """Put n vehicles on a torus with rocks, with room between any two of these."""
    rng = np.random.default_rng(seed)
    field = sm.Torus([160, 90])
    stones = sm.Spheres(sm.spawn.inside(rocks, field, apart=22, rng=rng), rng.uniform(3, 8, rocks))
    travelers = sm.Vehicles(
        sm.spawn.inside(n, field, obstacles=stones, clearance=2, rng=rng),
        [SPEED, 0],
        max_speed=10,
        max_force=40,
        radius=0.6,
    )

    world = sm.World(domain=field, seed=seed)
    world.add(
        travelers,
        name="travelers",
        steering=sm.Priority([sm.AvoidObstacles(stones, lookahead=1.2), sm.MatchVelocity([SPEED, 0])]),
    )
    world.watch("travelers", east=lambda vehicles: mean(vehicles.velocity[:, 0]))
    world.watch("travelers", "penetration", every=sm.EverySteps(1))
    return sm.Stage(
        world,
        seconds=12,
        scenery={"rocks": stones},
        picture=sm.Picture(looks={"ground": "sand"}, trails=4, at=5, sketch={"travelers": [34]}, opens=0.85),
        colors={"travelers": "blue"},
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """No vehicle touched a rock, and all kept crossing."""
    depth, east = stage.meters["travelers.penetration"].greatest, stage.meters["travelers.east"].values[-16:].mean()
    if not depth < 0.1:
        yield f"no vehicle may run into a rock, but one did by {depth:.2f} m"
    if not east > 0.88 * SPEED:
        yield f"they must cross the field at {0.88 * SPEED:.1f} m/s, but did so at {east:.1f} m/s in the last 4 s"


SCENARIO = Scenario(
    make,
    check,
    tags=("individual", "obstacles", "priority", "Reynolds 1999"),
    least=10,
    impostors={
        "without MatchVelocity": without(sm.MatchVelocity),
        "a sum for the Priority": instead(sm.Priority, lambda old: sm.WeightedSum(old.components)),
    },
)
