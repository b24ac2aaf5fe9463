"""Everybody keeps a rock between himself and a prowler, and moves around it as the prowler moves.

Reynolds 1999, "Hide"; game AI lecture, "Hide".
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.scenarios.impostors import instead, without
from steersman.scenarios.scenario import Scenario

ROCKS = [[20, 20], [62, 14], [100, 26], [34, 48], [78, 52], [112, 62], [16, 74], [56, 78], [96, 86]]
"""Where rocks are [m]."""

RADII = [5, 4, 5.5, 4.5, 6, 4, 5, 4.5, 5]


def make(*, n: int = 24, seed: int = 0) -> sm.Stage:
    """Put n hiders among rocks, with a prowler that strolls through."""
    rng = np.random.default_rng(seed)
    rocks = sm.Spheres(ROCKS, RADII)
    places = sm.spawn.box(n, [110, 90], center=[62, 50], obstacles=rocks, clearance=2, apart=1.5, rng=rng)
    hiders = sm.Vehicles(places, max_speed=11, max_force=40, radius=0.6)
    prowler = sm.Vehicles([[48, 32]], [2.4, 0.7], max_speed=2.5, max_force=6, radius=1.2)

    world = sm.World(seed=seed)
    world.add(
        hiders,
        name="hiders",
        steering=sm.Priority(
            [
                sm.AvoidObstacles(rocks, lookahead=0.5),
                sm.Hide(pursuer=prowler, obstacles=rocks, margin=1.5) + 0.5 * sm.Separation(radius=2.5),
            ]
        ),
    )
    world.add(
        prowler,
        name="prowler",
        steering=sm.Priority([sm.AvoidObstacles(rocks), sm.Wander(strength=0.3, distance=0.3)]),
    )

    def exposed(them: sm.Vehicles) -> float:
        """Which part of them a line from the prowler reaches."""
        eye = np.tile(prowler.position, (len(them), 1))
        way = them.position - eye
        return float(np.isinf(rocks.cast(eye, way, reach=np.linalg.norm(way, axis=1)).distance).mean())

    world.watch("hiders", exposed=exposed)
    world.watch("hiders", "closest_to", to=prowler)
    world.watch("hiders", "penetration", every=sm.EverySteps(1))
    return sm.Stage(
        world,
        seconds=24,
        scenery={"rocks": rocks},
        picture=sm.Picture(trails=4, at=[0, 6, 24], sketch={"hiders": [0]}),
        colors={"hiders": "green", "prowler": "red"},
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """Hardly anybody is in sight, and nobody ran into a rock."""
    exposed, depth = stage.meters["hiders.exposed"], stage.meters["hiders.penetration"].greatest
    late = exposed.values[exposed.times > 6].mean()
    if not late < 0.1:
        yield f"at most 10% may be in sight after 6 s, but {late:.0%} were"
    if not depth < 0.3:
        yield f"nobody may run into a rock, but somebody did by {depth:.2f} m"


SCENARIO = Scenario(
    make,
    check,
    tags=("individual", "obstacles", "Reynolds 1999", "game AI lecture"),
    impostors={
        "without Hide": without(sm.Hide),
        "Evade": instead(sm.Hide, lambda it: sm.Evade(it.pursuer)),
        "Flee": instead(sm.Hide, lambda it: sm.Flee(it.pursuer, panic_distance=40)),
        "without AvoidObstacles": without(sm.AvoidObstacles, of="hiders"),
    },
)
