"""Two crowds cross: each vehicle foresees collisions, and turns or slows down in time.

Reynolds 1999, "Unaligned collision avoidance".
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.by_id import mean
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario

WAYS = {"eastbound": np.array([1.5, 0.0]), "northbound": np.array([0.0, 1.5])}
"""Where they go, and how fast [m/s]."""


def make(*, n: int = 60, seed: int = 0) -> sm.Stage:
    """Put two crowds of n each on a torus, one bound for the east and one for the north."""
    rng = np.random.default_rng(seed)
    edge = 6 * n**0.5
    space = sm.Torus([edge, edge])
    places = sm.spawn.inside(2 * n, space, apart=2, rng=rng)
    world = sm.World(domain=space, seed=seed, dt=1 / 30)
    crowds = {
        name: sm.Vehicles(here, forward=np.tile(way, (n, 1)), max_speed=2, max_force=10)
        for (name, way), here in zip(WAYS.items(), (places[:n], places[n:]), strict=True)
    }
    for name, others in (("eastbound", "northbound"), ("northbound", "eastbound")):
        avoid = sm.AvoidNeighbors(of=crowds[others], lookahead=4) + sm.AvoidNeighbors(lookahead=3)
        world.add(crowds[name], name=name, steering=sm.Priority([avoid, sm.MatchVelocity(WAYS[name])], blend=0.3))
    for name, others in (("eastbound", "northbound"), ("northbound", "eastbound")):
        world.watch(name, "closest_to", to=crowds[others], every=sm.EverySteps(1))
        world.watch(name, "overlap", every=sm.EverySteps(1))
        world.watch(name, yields=lambda crowd, way=WAYS[name]: mean(np.linalg.norm(crowd.velocity - way, axis=1)) / 1.5)
        world.watch(name, along=lambda crowd, way=WAYS[name]: mean(crowd.velocity @ way) / 1.5)
    return sm.Stage(
        world,
        seconds=20,
        picture=sm.Picture(
            looks={"ground": "paving"}, glyphs="person", trails=3, to_scale=True, sketch={"eastbound": [33]}, opens=0.33
        ),
        colors={"eastbound": "blue", "northbound": "orange"},
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """No vehicle touched another, and all went on."""
    yields = [stage.meters[f"{name}.yields"].values[40:].mean() for name in WAYS]
    if not (min(yields) > 0.01 and 1 / 3 < yields[0] / yields[1] < 3):
        yield "both crowds must make way, but did so by {:.1%} and {:.1%} of their speed".format(*yields)
    for name in WAYS:
        if not (closest := stage.meters[f"{name}.closest_to"].least) > 0.9:
            yield f"{name} must keep clear of the others (1 m), but one came as near as {closest:.2f} m"
        if not (deep := stage.meters[f"{name}.overlap"].greatest) < 0.1:
            yield f"{name} must keep clear of each other, but two overlapped by {deep:.2f} m"
        if not (along := stage.meters[f"{name}.along"].values[40:].mean()) > 1.42:
            yield f"{name} must get on at nearly 1.5 m/s, but in the last 10 s went their way at {along:.2f} m/s"


SCENARIO = Scenario(
    make,
    check,
    tags=("group", "crowd", "priority", "Reynolds 1999"),
    exempt={
        f"{name}: AvoidNeighbors minds one alone": "there is room, so that one at a time is in the way" for name in WAYS
    },
    least=30,
    quick=30,
    impostors={
        "Separation for AvoidNeighbors": instead(sm.AvoidNeighbors, lambda old: sm.Separation(of=old.of, radius=2.5)),
        "without MatchVelocity": without(sm.MatchVelocity),
    },
)
