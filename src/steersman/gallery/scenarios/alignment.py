"""Vehicles with random headings end up going one way, by Alignment: each sees only its neighbors.

Reynolds 1999, "Alignment". Groups that agree appear first; where they meet they settle on a way in between. No vehicle
decides the way.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.agreement import Agreement
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario


def make(*, n: int = 150, seed: int = 0) -> sm.Stage:
    """Put n vehicles on a torus that is as crowded for any n."""
    rng = np.random.default_rng(seed)
    edge = 5 * n**0.5
    space = sm.Torus([edge, edge])
    world = sm.World(domain=space, seed=seed)
    world.add(
        sm.Vehicles(
            sm.spawn.inside(n, space, rng=rng), sm.spawn.any_direction(n, speed=5, rng=rng), max_speed=6, max_force=8
        ),
        name="crowd",
        steering=sm.Alignment(law="forward", radius=13) + sm.TargetSpeed(5),
    )
    agreement = Agreement(world["crowd"])
    world.on_step(agreement, sm.EverySeconds(0.1))
    world.watch("crowd", "polarization", "local_polarization", "mean_speed", agreement=agreement.now)
    return sm.Stage(
        world,
        seconds=20,
        picture=sm.Picture(
            looks={"ground": "water"},
            glyphs="fish",
            size=1.3,
            trails=1.5,
            at=(0, 3, 20),
            sketch={"crowd": [11]},
            opens=3.5,
        ),
        colors={"crowd": "blue"},
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """They go as their neighbors do, in a crowd that is not too large all one way, and at speed."""
    order = "polarization" if len(stage.world["crowd"]) <= 150 else "local_polarization"
    if not (order_now := stage.meters[f"crowd.{order}"].now) > 0.9:
        yield f"{order.replace('_', ' ')} must rise above 0.9, but is {order_now:.2f}"
    if not (parts := stage.meters["crowd.agreement"].now) > 0.04:
        yield f"neighbors must agree before all do, but did so by {parts:.2f} only, as if all were told the same"
    if not (speed := stage.meters["crowd.mean_speed"].now) > 4:
        yield f"they must keep moving, but the mean speed is {speed:.1f} m/s"


SCENARIO = Scenario(
    make,
    check,
    tags=("group", "Reynolds 1999"),
    least=100,
    impostors={
        "without Alignment": without(sm.Alignment),
        "told another heading": instead(sm.Alignment, sm.MatchVelocity([-3, 4])),
        "Cohesion for Alignment": instead(sm.Alignment, lambda old: sm.Cohesion(radius=old.radius)),
        "Separation for Alignment": instead(sm.Alignment, lambda old: sm.Separation(radius=old.radius)),
        "short sight": instead(sm.Alignment, lambda old: old.replace(radius=2.0)),
    },
)
