"""A herd roams rolling hills together, bound to the ground, and never leaves its meadow.

Reynolds 1999, "Locomotion": the same steering behaviors serve bodies that are constrained to a surface; they are
independent of it.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import steersman as sm
from steersman.gallery.making.by_id import largest, mean
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario

SIZE = 120
"""Edge of the landscape [m]."""


def heights() -> Any:
    """Rolling hills [m], shape (61, 61)."""
    x, y = np.meshgrid(*2 * [2 * np.pi * np.linspace(0, 1, 61)], indexing="ij")
    return 6 * (np.sin(1.3 * x + 0.4 * np.pi) * np.cos(1.1 * y) + 0.4 * np.sin(2.9 * x + 2.3 * y))


def make(*, n: int = 120, seed: int = 0) -> sm.Stage:
    """Put n animals on the meadow, each headed its own way."""
    rng = np.random.default_rng(seed)
    land = sm.Heightfield(heights(), [0, 0], [SIZE, SIZE])
    meadow = sm.Sphere([60, 60, 0], 54)
    place = sm.spawn.box(n, 2 * [4.5 * n**0.5], center=[60, 60], apart=2, rng=rng)
    way = sm.spawn.any_direction(n, speed=4, rng=rng)
    start, velocity = np.column_stack([place, land.height_at(place)]), np.column_stack([way, np.zeros(n)])
    herd = sm.Vehicles(start, velocity, max_speed=7, max_force=25, radius=0.8)

    rim = sm.spawn.circle(90, 54, center=[60, 60])
    world = sm.World(seed=seed, dt=1 / 30)
    world.add(
        herd,
        name="herd",
        steering=sm.Priority(
            [
                sm.Contain(meadow, lookahead=1.5, margin=1),
                1.5 * sm.Separation(radius=4)
                + 0.9 * sm.Alignment(radius=9)
                + 1.2 * sm.Cohesion(radius=40)
                + 0.4 * sm.Wander(),
            ]
        ),
        locomotion=sm.SurfaceBound(land),
    )
    world.watch("herd", "mean_speed", "local_polarization", "overlapping", "dispersion")
    world.watch(
        "herd",
        lift=lambda vehicles: largest(np.abs(vehicles.position[:, 2] - land.height_at(vehicles.position[:, :2]))),
    )
    world.watch("herd", roam=lambda vehicles: mean(np.linalg.norm(vehicles.position[:, :2] - 60, axis=1)))
    world.watch("herd", "outside", to=meadow, every=sm.EverySteps(1))
    return sm.Stage(
        world,
        seconds=20,
        scenery={"land": land},
        picture=sm.Picture(
            trails=3,
            azimuth=60,
            elevation=30,
            at=12,
            glyphs="cow",
            looks={"land": "trees"},
            close_up=26,
            sketch={"herd": [54]},
            opens=1.4,
        ),
        notes=[
            sm.shapes.Line(
                np.column_stack([rim, land.height_at(rim) + 0.3]), closed=True, role="danger", label="end of the meadow"
            )
        ],
        colors={"herd": "orange"},
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """They stay on the ground and on the meadow, keep moving, keep apart, and go together as one herd."""
    meters = stage.meters
    lift, outside = meters["herd.lift"].greatest, meters["herd.outside"].greatest
    speed, together, touching, spread, roam = (
        np.median(meters[f"herd.{name}"].values[-48:])
        for name in ("mean_speed", "local_polarization", "overlapping", "dispersion", "roam")
    )
    if not lift < 1e-3:
        yield f"they must stay on the ground, but one was {lift:.3f} m off it"
    if outside > 0:
        yield f"they must stay on the meadow, but {outside:.0%} were beyond it at one time"
    if not speed > 3:
        yield f"they must keep moving, but the mean speed is {speed:.1f} m/s"
    if not together > 0.8:
        yield f"they must go the way their neighbors go, but their local polarization is {together:.2f}"
    if not touching < 0.2:
        yield f"they must keep apart, but {touching:.0%} overlap"
    if not roam > 15:
        yield f"they must roam the meadow, but were {roam:.0f} m from its middle"
    if not spread < 15:
        yield f"they must keep together, but are {spread:.0f} m from their middle"


SCENARIO = Scenario(
    make,
    check,
    tags=("3d", "group", "surface", "locomotion"),
    dimensions=3,
    least=60,
    most=150,
    quick=80,
    impostors={
        "not bound to the ground": instead(sm.SurfaceBound, sm.PointMass()),
        "to the middle": instead(sm.Cohesion, sm.Seek([60, 60, 10])),
        "without Alignment": without(sm.Alignment),
        "without Cohesion": without(sm.Cohesion),
    },
)
