"""A flock in 3D: separation, alignment and cohesion, each with a weight, a radius and an angle of its own.

Reynolds 1987 and 1999, "Flocking", with his nine parameters; after OpenSteer's plug-in of this name. A little turbulence
keeps the flock wheeling: without it, a flock that agrees flies straight on for ever.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.agreement import Agreement
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario


def make(*, n: int = 250, seed: int = 0) -> sm.Stage:
    """Put n boids in a cube without walls that is as crowded for any n."""
    rng = np.random.default_rng(seed)
    edge = 8 * n ** (1 / 3)
    space = sm.Torus([edge, edge, edge])
    start, velocity = sm.spawn.inside(n, space, rng=rng), sm.spawn.any_direction(n, speed=6, dimensions=3, rng=rng)
    boids = sm.Vehicles(start, velocity, max_speed=9, max_force=27)
    world = sm.World(domain=space, seed=seed, dt=1 / 30)
    flocking = sm.Flocking(
        separation_radius=4,
        separation_weight=1.5,
        alignment_radius=9,
        alignment_weight=0.9,
        cohesion_radius=9,
        cohesion_weight=1,
        turbulence=0.08,
    )
    world.add(boids, name="boids", steering=flocking + 0.3 * sm.TargetSpeed(7))
    agreement = Agreement(boids)
    world.on_step(agreement, sm.EverySeconds(0.1))
    world.watch("boids", "local_polarization", "mean_speed", "nearest_distance", agreement=agreement.now)
    world.watch("boids", "distance_to", to=[edge / 2] * 3)
    return sm.Stage(
        world,
        seconds=20,
        picture=sm.Picture(glyphs="bird", trails=1, elevation=9, sketch={"boids": [177]}, opens=1.5),
        colors={"boids": "blue"},
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """They fly as their neighbors do, at speed, together and apart."""
    if not (order := stage.meters["boids.local_polarization"].now) > 0.9:
        yield f"they must fly as their neighbors do, but local polarization is {order:.2f}"
    if not (speed := stage.meters["boids.mean_speed"].now) > 5:
        yield f"they must fly, but the mean speed is {speed:.1f} m/s"
    if not (parts := stage.meters["boids.agreement"].now) > 0.04:
        yield f"neighbors must agree before all do, but did so by {parts:.2f} only, as if all were told the same"
    edge, away = 8 * len(stage.world["boids"]) ** (1 / 3), stage.meters["boids.distance_to"].values[-40:].mean()
    if not away > 0.36 * edge:  # Anywhere is at 0.48.
        yield f"no place may draw them, but they were {away / edge:.2f} edges from the middle"
    if not 1.2 < (near := stage.meters["boids.nearest_distance"].now) < 3.4:
        yield f"they must be in dense flocks and keep apart, at 1.2 to 3.4 m, but neighbors are at {near:.2f} m"


SCENARIO = Scenario(
    make,
    check,
    tags=("group", "flocking", "Reynolds 1987", "OpenSteer"),
    dimensions=3,
    least=60,
    quick=80,
    impostors={
        "without Flocking": without(sm.Flocking),
        "without separation": instead(sm.Flocking, lambda old: old.replace(separation_weight=0.0)),
        "without alignment": instead(sm.Flocking, lambda old: old.replace(alignment_weight=0.0)),
        "without cohesion": instead(sm.Flocking, lambda old: old.replace(cohesion_weight=0.0)),
    },
)
