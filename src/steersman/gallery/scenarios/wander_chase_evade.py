"""One strolls, one chases it and cuts the corner, and a third keeps out of the stroller's way.

The figure that opens the project notes: three vehicles, driven by Wander, Pursue and Evade. Here there are n such groups.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.by_id import gaps, mean, pairs
from steersman.gallery.making.impostors import without
from steersman.gallery.making.lead import Lead
from steersman.gallery.making.scenario import Scenario

PANIC = 16
"""Within which distance of its stroller an evader flees [m]."""


def make(*, n: int = 4, seed: int = 0) -> sm.Stage:
    """Put n groups far from each other: a chaser far to the side of a stroller, and an evader ahead of it."""
    rng = np.random.default_rng(seed)
    homes, own = sm.spawn.grid(n, spacing=130), np.arange(n)
    common = {"max_force": 20, "response_time": 0.2, "radius": 0.8}
    strollers = sm.Vehicles(homes, [7, 0], max_speed=7, **common)
    chasers = sm.Vehicles(homes + rng.uniform([-5, -63], [5, -57], (n, 2)), [0, 5], max_speed=8.5, **common)
    evaders = sm.Vehicles(homes + rng.uniform([48, -3], [54, 3], (n, 2)), [-3, 0], max_speed=8, **common)

    world = sm.World(seed=seed)
    world.add(strollers, name="strollers", steering=sm.MatchVelocity([7, 0]) + 0.4 * sm.Wander(rate=1.5))
    world.add(chasers, name="chasers", steering=sm.Pursue(strollers, which=own))
    tree = sm.Priority([sm.Evade(strollers, which=own, panic_distance=PANIC), sm.Wander(distance=0.3, strength=0.2)])
    world.add(evaders, name="evaders", steering=tree)

    lead = Lead(chasers, strollers, own=True, near=12)
    world.on_step(lead, sm.EverySeconds(0.1))
    nearest = np.full(n, np.inf)

    def mean_gap(vehicles: sm.Vehicles) -> float:
        ids = vehicles.id[pairs(vehicles, strollers)[0]]
        known = ids < n
        nearest[ids[known]] = np.minimum(nearest[ids[known]], gaps(vehicles, strollers)[known])
        return mean(nearest[ids[known]])

    world.watch("chasers", lead=lead.share)
    world.watch("strollers", turned=lambda vehicles: mean(np.degrees(np.abs(vehicles.heading))))
    world.watch("chasers", gap=lambda vehicles: mean(gaps(vehicles, strollers)))
    world.watch("evaders", mean_gap=mean_gap)

    def relations() -> Iterator[sm.shapes.Shape]:
        """Who is chased in the first group."""
        yield sm.shapes.Circle(chasers.position[:1], 2.4, role="target", label="chases the stroller")

    return sm.Stage(
        world,
        seconds=16,
        notes=[relations],
        picture=sm.Picture(
            looks={"ground": "grass"},
            glyphs="person",
            trails=10,
            size=2.4,
            at=10,
            close_up=70,
            sketch={"evaders": [0]},
            opens=1.7,
        ),
        colors={"strollers": "green", "chasers": "orange", "evaders": "blue"},
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """Chasing vehicles come near soon, evading ones keep away, and strollers do not go straight."""
    chase, mean_gap = stage.meters["chasers.gap"], stage.meters["evaders.mean_gap"].now
    came = chase.times[chase.values < 15].min(initial=stage.seconds)
    turned = stage.meters["strollers.turned"].values.mean()
    if not came < 11.3:
        yield f"chasers must be within 15 m of their stroller after 11.3 s, but were so after {came:.1f} s"
    if not 0.28 < (lead := stage.meters["chasers.lead"].now) < 0.8:
        yield f"chasers must cut the corner, and make 0.28 of its way aside or more, but made {lead:.2f} of it"
    if not 20 < mean_gap < 38:
        yield f"evaders must let their stroller come, but not nearer than 20 m; it came to {mean_gap:.1f} m on average"
    if not turned > 1:
        yield f"strollers must not go straight, but turned by {turned:.0f} degrees only"


SCENARIO = Scenario(
    make,
    check,
    tags=("story", "individual", "project notes"),
    least=4,
    most=12,
    impostors={
        "without Pursue": without(sm.Pursue),
        "without Evade": without(sm.Evade),
        "strollers that go straight": without(sm.Wander, of="strollers"),
    },
)
