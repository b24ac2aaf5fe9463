"""Hiders keep a rock between themselves and a prowler, and move around it as the prowler moves.

Reynolds 1999, "Hide"; game AI lecture, "Hide".
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.by_id import mean
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario

ROCKS = [[20, 20], [62, 14], [100, 26], [34, 48], [78, 52], [112, 62], [16, 74], [56, 78], [96, 86]]
"""Where rocks are [m]."""

ROUND = [[108, 71], [45, 62], [45, 10]]
"""Where the prowler goes; the first way leads right through a rock [m]."""

RADII = [5, 4, 5.5, 4.5, 6, 4, 5, 4.5, 5]


def make(*, n: int = 24, seed: int = 0) -> sm.Stage:
    """Put n hiders among rocks, with a prowler that strolls through."""
    rng = np.random.default_rng(seed)
    rocks = sm.Spheres(ROCKS, RADII)
    places = sm.spawn.box(n, [110, 90], center=[62, 50], obstacles=rocks, clearance=2, apart=1.5, rng=rng)
    hiders = sm.Vehicles(places, max_speed=11, max_force=40, radius=0.6)
    prowler = sm.Vehicles([[48, 32]], [2.1, 1.3], max_speed=2.5, max_force=6, radius=1.2)

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
    world.add(prowler, name="prowler", steering=sm.Priority([sm.AvoidObstacles(rocks), sm.Patrol(ROUND)]))

    def exposed(vehicles: sm.Vehicles) -> float:
        """Which part of them a line from the prowler reaches."""
        if not len(prowler):
            return 0.0
        eye = np.tile(prowler.position[0], (len(vehicles), 1))
        way = vehicles.position - eye
        return mean(np.isinf(rocks.cast(eye, way, reach=np.linalg.norm(way, axis=1)).distance))

    world.watch("hiders", exposed=exposed)

    def crowd(vehicles: sm.Vehicles) -> float:
        """Which part of them is at the rock at which most are."""
        surface = np.linalg.norm(vehicles.position[:, None] - np.array(ROCKS), axis=2) - RADII
        return float(np.bincount(surface.argmin(axis=1), minlength=1).max() / max(len(vehicles), 1))

    world.watch("hiders", "closest_to", to=prowler)
    world.watch("hiders", crowd=crowd)
    world.watch("hiders", "penetration", "overlap", every=sm.EverySteps(1))
    world.watch("prowler", "penetration", every=sm.EverySteps(1))
    world.watch("prowler", "closest_to", to=ROUND[0])

    return sm.Stage(
        world,
        seconds=24,
        scenery={"rocks": rocks},
        picture=sm.Picture(
            looks={"ground": "forest"},
            glyphs={"hiders": "person", "prowler": "animal"},
            trails=4,
            at=[0, 6, 24],
            sketch={"hiders": [9]},
            opens=1.1,
        ),
        colors={"hiders": "green", "prowler": "red"},
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """Hardly any hider is in sight, and none ran into a rock."""
    exposed, depth = stage.meters["hiders.exposed"], stage.meters["hiders.penetration"].greatest
    late = exposed.values[exposed.times > 6].mean()
    if not late < 0.1:
        yield f"at most 10% may be in sight after 6 s, but {late:.0%} were"
    if not depth < 0.3:
        yield f"no vehicle may run into a rock, but one did by {depth:.2f} m"
    if not (deep := stage.meters["prowler.penetration"].greatest) < 0.1:
        yield f"the prowler must go around rocks, but ran {deep:.2f} m into one"
    if not (left := stage.meters["prowler.closest_to"].least) < 25:
        yield f"the prowler must walk through, but came no nearer than {left:.0f} m to where it goes"
    if not (deep := stage.meters["hiders.overlap"].values[len(exposed.values) // 4 :].mean()) < 0.8:
        yield f"two must not hide at the same place, but overlapped by {deep:.1f} m"
    if not (most := stage.meters["hiders.crowd"].values[exposed.times > 6].max()) < 0.5:
        yield f"they must hide behind rocks near them, but {most:.0%} were at one rock"


SCENARIO = Scenario(
    make,
    check,
    tags=("individual", "obstacles", "Reynolds 1999", "game AI lecture"),
    least=12,
    impostors={
        "all behind one rock": instead(sm.Hide, lambda old: old.replace(obstacles=sm.Spheres(ROCKS[:1], RADII[:1]))),
        "all behind two rocks": instead(sm.Hide, lambda old: old.replace(obstacles=sm.Spheres(ROCKS[4:6], RADII[4:6]))),
        "without Hide": without(sm.Hide),
        "Evade": instead(sm.Hide, lambda old: sm.Evade(old.pursuer)),
        "Flee": instead(sm.Hide, lambda old: sm.Flee(old.pursuer, panic_distance=40)),
    },
)
