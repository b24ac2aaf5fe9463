"""Nine hundred boids with random headings gather into flocks that each fly one way, around three rocks.

Reynolds 1987 and 1999, "Flocking": a boid that flies apart from its neighbors, as they do, and toward their middle is
in a flock, and none leads it. The rocks go before all that. Turbulence keeps flocks wheeling when they have long
agreed.
"""

import math
from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.agreement import Agreement
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario


def make(*, n: int = 900, seed: int = 0) -> sm.Stage:
    """Put n boids anywhere on a torus that is as crowded for any n, with three rocks in it."""
    rng = np.random.default_rng(seed)
    edge = 8 * math.sqrt(n)
    space = sm.Torus([edge, edge])
    rocks = sm.Spheres(
        center=np.array([[0.27, 0.3], [0.72, 0.42], [0.42, 0.78]]) * edge, radius=np.array([0.05, 0.075, 0.06]) * edge
    )
    start = sm.spawn.inside(n, space, obstacles=rocks, clearance=2, rng=rng)
    velocity = sm.spawn.any_direction(n, speed=(4, 9), rng=rng)
    boids = sm.Vehicles(start, velocity, max_speed=12, max_force=30)
    world = sm.World(domain=space, seed=seed)
    world.add(
        boids,
        name="boids",
        steering=sm.Priority(
            [
                sm.AvoidObstacles(rocks, lookahead=1.5),
                1.6 * sm.Separation(radius=4)
                + 0.9 * sm.Alignment(radius=9, turbulence=0.05)
                + sm.Cohesion(radius=9)
                + 0.2 * sm.Wander(),
            ]
        ),
    )
    stage = sm.Stage(
        world,
        seconds=20,
        scenery={"rocks": rocks},
        picture=sm.Picture(
            looks={"ground": "grass"},
            glyphs="bird",
            size=0.75,
            trails=1,
            close_up=22,
            sketch={"boids": [469]},
            opens=10.0,
        ),
        colors={"boids": "blue"},
    )
    agreement = Agreement(boids)
    world.on_step(agreement, sm.EverySeconds(0.1))
    stage.watch("boids", "local_polarization", "mean_speed", "nearest_distance", agreement=agreement.now)
    stage.watch("boids", "distance_to", to=[edge / 2] * 2)
    stage.watch("boids", "penetration", every=sm.EverySteps(1))
    return stage


def check(stage: sm.Stage) -> Iterator[str]:
    """They fly in flocks, as their neighbors do, at speed, apart from each other and from the rocks."""
    if not (order := stage.meters["boids.local_polarization"].now) > 0.9:
        yield f"they must fly as their neighbors do, but local polarization is {order:.2f}"
    if not 1.2 < (near := stage.meters["boids.nearest_distance"].now) < 2.75:
        yield f"they must be in dense flocks and keep apart, at 1.2 to 2.75 m, but neighbors are at {near:.2f} m"
    if not (parts := stage.meters["boids.agreement"].now) > 0.1:
        yield f"neighbors must agree before all do, but did so by {parts:.2f} only, as if all were told the same"
    edge, away = 8 * math.sqrt(len(stage.world["boids"])), stage.meters["boids.distance_to"].values[-40:].mean()
    if not away > 0.25 * edge:  # Anywhere is at 0.38.
        yield f"no place may draw them, but they were {away / edge:.2f} edges from the middle"
    if not (speed := stage.meters["boids.mean_speed"].now) > 8:
        yield f"they must fly, but the mean speed is {speed:.1f} m/s"
    if not (deep := stage.meters["boids.penetration"].greatest) < 0.3:
        yield f"no vehicle may fly into a rock, but one did by {deep:.2f} m"


SCENARIO = Scenario(
    make,
    check,
    tags=("group", "obstacles", "priority", "Reynolds 1987"),
    least=100,
    quick=150,
    impostors={
        "without Alignment": without(sm.Alignment),
        "without Cohesion": without(sm.Cohesion),
        "a sum for the Priority": instead(sm.Priority, lambda old: sm.WeightedSum(old.components)),
    },
)
