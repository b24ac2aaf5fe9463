"""A pack closes in on a stray from all sides, stops short, and then goes along with it at its heading and speed.

Reynolds 1999, the sketch of shadowing: approach, then match heading and speed, so as to follow without being noticed.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.by_id import mean
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario
from steersman.gallery.making.turns import turned

DISTANCE = 9
"""Where they stop to come nearer [m]."""


def make(*, n: int = 8, seed: int = 0) -> sm.Stage:
    """Put a pack of n around a stray that strolls."""
    rng = np.random.default_rng(seed)
    ring = sm.spawn.circle(n, radius=45, start=rng.uniform(0, 2 * np.pi))
    pack = sm.Vehicles(ring, sm.spawn.any_direction(n, speed=5, rng=rng), max_speed=10, max_force=30)
    stray = sm.Vehicles([[0, 0]], [4.8, 1.4], max_speed=5, max_force=5, radius=1.2)

    world = sm.World(seed=seed)
    world.add(pack, name="pack", steering=sm.Shadow(stray, distance=DISTANCE))
    world.add(stray, name="stray", steering=sm.Wander(distance=0.6, strength=0.3))
    world.watch("pack", "closest_to", "farthest_from", to=stray)
    world.watch("stray", "mean_speed", turned=turned(stray))
    world.watch("pack", mismatch=lambda pack: mismatch(pack, stray))

    def near() -> Iterator[sm.shapes.Shape]:
        """Where the pack stops to come nearer, and those of it that go along with the stray."""
        if len(stray):
            yield sm.shapes.Circle(stray.position[:1], DISTANCE, role="danger", label="they stop here, unnoticed")
            along = np.linalg.norm(pack.velocity - stray.velocity[0], axis=1) < 1
            along &= np.linalg.norm(pack.position - stray.position[0], axis=1) < 2 * DISTANCE
            yield sm.shapes.Circle(
                pack.position[along], 1.8, role="chosen", label="goes along, as fast and the same way"
            )

    return sm.Stage(
        world,
        seconds=16,
        notes=[near],
        picture=sm.Picture(
            looks={"ground": "snow"},
            glyphs="animal",
            trails=6,
            size=1.5,
            dots=1,
            at=[3, 6, 16],
            sketch={"pack": [4]},
            opens=3.8,
        ),
        colors={"pack": "purple", "stray": "red"},
    )


def mismatch(pack: sm.Vehicles, stray: sm.Vehicles) -> float:
    """Mean difference of their velocities from that of the stray [m/s]; NaN without one."""
    return mean(np.linalg.norm(pack.velocity - stray.velocity[0], axis=1)) if len(stray) else np.nan


def check(stage: sm.Stage) -> Iterator[str]:
    """All are there, none is too near, and all go along."""
    meters = stage.meters
    farthest, closest = meters["pack.farthest_from"].now, meters["pack.closest_to"].least
    mismatch = meters["pack.mismatch"].values[-16:].mean()
    speed, turn = stage.meters["stray.mean_speed"].values.mean(), stage.meters["stray.turned"].greatest
    if not (speed > 3 and turn > 10):
        yield f"the stray must stroll, but went at {speed:.1f} m/s and turned by {turn:.1f} degrees at most"
    if not farthest < 1.5 * DISTANCE:
        yield f"all vehicles must be within {1.5 * DISTANCE:.1f} m of the stray, but one is {farthest:.1f} m away"
    if not closest > 0.5 * DISTANCE:
        yield f"no vehicle may come nearer than {0.5 * DISTANCE:.1f} m, but one came to {closest:.1f} m"
    if not mismatch < 1.5:
        yield f"they must go along with it, but in the last 4 s velocities differed by {mismatch:.1f} m/s on average"


SCENARIO = Scenario(
    make,
    check,
    tags=("individual", "Reynolds 1999"),
    impostors={
        "without Shadow": without(sm.Shadow),
        "Seek": instead(sm.Shadow, lambda old: sm.Seek(old.quarry)),
        "Pursue": instead(sm.Shadow, lambda old: sm.Pursue(old.quarry)),
        "Arrive": instead(sm.Shadow, lambda old: sm.Arrive(old.quarry)),
        "MatchVelocity": instead(sm.Shadow, lambda old: sm.MatchVelocity(old.quarry)),
        "OffsetPursuit": instead(sm.Shadow, lambda old: sm.OffsetPursuit(old.quarry, radius=old.distance)),
    },
)
