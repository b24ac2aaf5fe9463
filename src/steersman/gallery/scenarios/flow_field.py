"""Leaves drift around a river that an artist has painted, as fast as its colors are strong.

Reynolds 1999, "Flow field following". The picture is `data/river.png`: color is direction, and strength of color is speed.
`draw` made it.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

import steersman as sm
from steersman.core.typing import Array
from steersman.gallery.making.by_id import mean
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario

PICTURE = Path(__file__).parent.parent / "data" / "river.png"
"""The painted river."""

SIZE, SPEED = (120.0, 80.0), 8.0
"""Width and height of the picture [m], and the speed of a full color [m/s]."""


def river(points: Array) -> Array:
    """The velocities [m/s] that the picture shows: round and round along an oval, and back to it from both sides."""
    x, y = (points[:, 0] - 60) / 40, (points[:, 1] - 40) / 26
    ring = np.hypot(x, y) + 1e-9
    along = np.stack([-y * 40, x * 26], axis=1) / (ring * np.hypot(40, 26))[:, None]
    back = np.stack([x * 40, y * 26], axis=1) * ((1 - ring) / ring)[:, None] / 12
    flow = along / np.linalg.norm(along, axis=1, keepdims=True) + back
    speed = SPEED * (0.75 + 0.2 * np.sin(2 * np.arctan2(y, x)))
    return np.asarray(flow / np.linalg.norm(flow, axis=1, keepdims=True) * speed[:, None])


def draw() -> Array:
    """The pixels of the picture, 60 x 40, from the function above."""
    return sm.FlowField.function(river).paint([0, 0], SIZE, max_speed=SPEED, pixels=(60, 40))


def make(*, n: int = 120, seed: int = 0) -> sm.Stage:
    """Put n leaves anywhere on the water.

    The current draws all into its bed. There they push off only from those beside them: who pushed off from farther away
    would hold others out of the bed, against the current.
    """
    rng = np.random.default_rng(seed)
    water = sm.FlowField.image(PICTURE, [0, 0], SIZE, max_speed=SPEED)
    pond = sm.Box(SIZE)
    leaves = sm.Vehicles(
        sm.spawn.inside(n, pond, apart=1.2, rng=rng), max_speed=10, max_force=30, radius=0.6, response_time=0.8
    )

    world = sm.World(domain=pond, seed=seed)
    world.add(leaves, name="leaves", steering=sm.FollowFlow(water, lookahead=0.8) + 0.4 * sm.Separation(radius=2))
    world.watch(
        "leaves",
        "milling",
        "overlapping",
        differ=lambda vehicles: mean(np.linalg.norm(vehicles.velocity - river(vehicles.position), axis=1)) / SPEED,
        off_bed=lambda vehicles: mean(
            np.abs(np.hypot((vehicles.position[:, 0] - 60) / 40, (vehicles.position[:, 1] - 40) / 26) - 1)
        ),
    )
    return sm.Stage(
        world,
        seconds=24,
        scenery={"river": water},
        picture=sm.Picture(
            looks={"river": "water"}, glyphs="leaf", trails=3, at=[1, 12], sketch={"leaves": [15]}, opens=4.4
        ),
        colors={"leaves": "green"},
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """All drift round one way, with the water, in the bed of the river."""
    milling, differ, off_bed, touching = (
        stage.meters[f"leaves.{name}"].values[-16:].mean() for name in ("milling", "differ", "off_bed", "overlapping")
    )
    if not milling > 0.8:
        yield f"they must all go round one way, but their milling is {milling:.2f}"
    if not differ < 0.085:
        yield f"they must move as the water does, but differ from it by {differ:.0%} of its speed"
    if not off_bed < 0.2:
        yield f"they must be in the bed of the river, but are off it by {off_bed:.2f} radii"
    if not touching < 0.1:
        yield f"they must keep apart, but {touching:.0%} overlap"


SCENARIO = Scenario(
    make,
    check,
    tags=("individual", "field", "Reynolds 1999"),
    least=10,
    quick=60,
    impostors={
        "without FollowFlow": without(sm.FollowFlow),
        "against the stream": instead(
            sm.FollowFlow, sm.FollowFlow(sm.FlowField.function(lambda points: -river(points)))
        ),
        "at full speed": instead(sm.FollowFlow, lambda old: old.replace(speed="max")),
        "MatchVelocity": instead(sm.FollowFlow, sm.MatchVelocity([4, 4])),
    },
)
