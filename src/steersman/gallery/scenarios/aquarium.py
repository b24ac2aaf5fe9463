"""Fish school in a tank, in tight groups that swim one way and never touch the glass.

Reynolds 1999, "Containment" (his own example), in 3D, around "Flocking".
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.agreement import Agreement
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario


def make(*, n: int = 150, seed: int = 0) -> sm.Stage:
    """Put n fish anywhere in a tank."""
    rng = np.random.default_rng(seed)
    tank = sm.Box([60, 30, 24])
    start = sm.spawn.box(n, [52, 22, 16], center=[30, 15, 12], rng=rng)
    velocity = sm.spawn.any_direction(n, speed=4, dimensions=3, rng=rng)
    fish = sm.Vehicles(start, velocity, max_speed=6, max_force=24, radius=0.4)
    school = 1.5 * sm.Separation(radius=2.5) + sm.Alignment(radius=6) + 1.2 * sm.Cohesion(radius=8) + 0.3 * sm.Wander()
    world = sm.World(seed=seed)
    world.add(fish, name="fish", steering=sm.Priority([sm.Contain(tank, lookahead=1, margin=1), school]))
    clear = sm.Box([58, 28, 22], origin=[1, 1, 1])
    world.watch("fish", at_glass="outside", to=clear, every=sm.EverySteps(1))
    agreement = Agreement(fish)
    world.on_step(agreement, sm.EverySeconds(0.1))
    world.watch("fish", "local_polarization", "nearest_distance", "mean_speed", agreement=agreement.now)
    world.watch("fish", "distance_to", to=[30, 15, 12])
    return sm.Stage(
        world,
        seconds=20,
        scenery={"tank": tank},
        picture=sm.Picture(
            trails=1,
            size=1.5,
            azimuth=-62,
            elevation=8,
            glyphs="fish",
            looks={"tank": "water"},
            sketch={"fish": [97]},
            close_up=14,
            opens=11.5,
        ),
        colors={"fish": "orange"},
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """No fish comes within the margin of the glass; they swim as their neighbors do, together and apart."""
    late = {name: meter.values[-40:].mean() for name, meter in stage.meters.items()}
    if share := stage.meters["fish.at_glass"].greatest:
        yield f"no fish may come nearer to the glass than a meter, but {share:.0%} did at one time"
    if not (order := late["fish.local_polarization"]) > 0.8:
        yield f"they must swim as their neighbors do, but local polarization was {order:.2f}"
    if not (parts := stage.meters["fish.agreement"].now) > 0.04:
        yield f"neighbors must agree before all do, but did so by {parts:.2f} only, as if all were told the same"
    if not (away := late["fish.distance_to"]) > 9:
        yield f"they must swim about, in all of the tank, but were {away:.0f} m from its middle on average"
    if not (speed := late["fish.mean_speed"]) > 3:
        yield f"they must keep swimming, but the mean speed was {speed:.1f} m/s"
    if not 0.8 < (near := late["fish.nearest_distance"]) < 1.95:
        yield f"they must be in schools and keep apart, at 0.8 to 1.95 m, but neighbors were at {near:.2f} m"


SCENARIO = Scenario(
    make,
    check,
    tags=("3d", "group", "region", "priority", "Reynolds 1999"),
    dimensions=3,
    least=60,
    most=300,
    quick=100,
    impostors={
        "a sum for the Priority": instead(sm.Priority, lambda old: sm.WeightedSum(old.components)),
        "without Alignment": without(sm.Alignment),
        "without Cohesion": without(sm.Cohesion),
    },
)
