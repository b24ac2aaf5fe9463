"""A squadron flies low over hills in any direction: each follows the ground like a wall, 5 m from the slope.

Reynolds 1999, "Wall following" ('a "wall" (or other surface or path)'): the wall is the land, and the offset is taken across
the slope. The hills rise to 30 m, so a plane that flew on level would hit one.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.by_id import mean, smallest
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario

SIZE = 240
"""Edge of the land [m]."""

OFFSET = 5
"""Distance to keep from the ground [m]."""


def make(*, n: int = 12, seed: int = 0) -> sm.Stage:
    """Put n flyers over the west of the land, headed to the east."""
    rng = np.random.default_rng(seed)
    x, y = np.meshgrid(*[np.linspace(0, 2 * np.pi, 81)] * 2, indexing="ij")
    land = sm.Heightfield(15 - 12 * np.cos(2.5 * x) + 3 * np.sin(2 * y + x), [0, 0], [SIZE, SIZE])
    place = sm.spawn.box(n, [20, 160], center=[20, 120], apart=5, rng=rng)
    flyers = sm.Vehicles(
        np.column_stack([place, land.height_at(place) + rng.uniform(4, 12, n)]),
        [12, 0, 0],
        max_speed=14,
        max_force=80,
        response_time=0.2,
        radius=1,
    )

    world = sm.World(seed=seed, dt=1 / 30)
    world.add(flyers, name="flyers", steering=sm.FollowWall(land, offset=OFFSET))
    world.watch("flyers", off=lambda vehicles: mean(np.abs(land.nearest(vehicles.position).distance - OFFSET)))
    world.watch(
        "flyers", lowest=lambda vehicles: smallest(land.nearest(vehicles.position).distance), every=sm.EverySteps(1)
    )
    world.watch("flyers", east=lambda vehicles: smallest(vehicles.position[:, 0]))

    def heights() -> Iterator[sm.shapes.Shape]:
        """From each flyer to the ground that is nearest."""
        ground = land.nearest(flyers.position).point
        yield sm.shapes.segment(flyers.position[1:], ground[1:], role="predicted")
        yield sm.shapes.segment(
            flyers.position[:1], ground[:1], role="predicted", label=f"each keeps {OFFSET} m off the ground"
        )

    return sm.Stage(
        world,
        seconds=13,
        notes=[heights],
        scenery={"land": land},
        picture=sm.Picture(
            trails=13,
            looks={"land": "trees"},
            glyphs="plane",
            azimuth=-60,
            elevation=19,
            at=7.5,
            sketch={"flyers": [7]},
            close_up=64,
            opens=5.3,
        ),
        colors={"flyers": "red"},
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """They keep the offset up hill and down dale, and come to the east of the land."""
    off, lowest = stage.meters["flyers.off"].values[16:].mean(), stage.meters["flyers.lowest"].least
    if not off < 0.35:
        yield f"they must keep {OFFSET} m from the ground within 0.35 m, but were off by {off:.1f} m"
    if not lowest > 2:
        yield f"no vehicle may come lower than 2 m, but one came to {lowest:.1f} m"
    if not (east := stage.meters["flyers.east"].now) > 140:
        yield f"all must come over the second hill, at 140 m, but one is at {east:.0f} m"


SCENARIO = Scenario(
    make,
    check,
    tags=("3d", "individual", "surface", "Reynolds 1999"),
    dimensions=3,
    most=20,
    quick=6,
    impostors={
        "without FollowWall": without(sm.FollowWall),
        "on level": instead(sm.FollowWall, sm.MatchVelocity([14, 0, 0])),
        "along the wall at a side": instead(sm.FollowWall, lambda old: old.replace(side="left")),
        "without looking ahead": instead(sm.FollowWall, lambda old: old.replace(lookahead=0.0)),
        "half as high": instead(sm.FollowWall, lambda old: old.replace(offset=OFFSET / 2)),
    },
)
