"""Each hunter heads for where its quarry will be; the quarry sees it coming, and runs in time.

Reynolds 1999, "Pursuit" and "Evasion". A hunter that sought its quarry where it is would come in a curve from behind, and
late. A quarry that fled from where the hunter is would run only when it is twice as near.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.by_id import gaps, mean
from steersman.gallery.making.impostors import without
from steersman.gallery.making.lead import Lead
from steersman.gallery.making.scenario import Scenario

NEAR = 30.0
"""How near a hunter must come to its quarry [m]."""

PANIC = 15
"""Within which distance of its hunter a quarry evades [m]."""


def make(*, n: int = 6, seed: int = 0) -> sm.Stage:
    """Put n quarries on lanes of their own that go to the right, and below them n hunters, one for each."""
    rng = np.random.default_rng(seed)
    lanes = np.arange(n)[:, None] * [24, -8]
    quarries = sm.Vehicles(
        lanes + rng.uniform([-4, 0], [4, 4], (n, 2)), [8.5, 0], max_speed=10, max_force=30, response_time=0.15
    )
    hunters = sm.Vehicles(
        lanes + rng.uniform([-4, -82], [4, -78], (n, 2)), [0, 6], max_speed=10.5, max_force=30, response_time=0.2
    )
    own = np.arange(n)

    world = sm.World(seed=seed)
    world.add(hunters, name="hunters", steering=sm.Pursue(quarries, which=own))
    world.add(
        quarries,
        name="quarries",
        steering=sm.Priority(
            [sm.Evade(hunters, which=own, panic_distance=PANIC), sm.MatchVelocity([8.5, 0]) + 0.06 * sm.Wander()]
        ),
    )
    lead = Lead(hunters, quarries, own=True, near=25)
    world.on_step(lead, sm.EverySeconds(0.1))
    world.watch("hunters", lead=lead.share)
    world.watch("hunters", "closest_to", to=quarries)
    world.watch("hunters", gap=lambda vehicles: mean(gaps(vehicles, quarries)))

    return sm.Stage(
        world,
        seconds=14,
        picture=sm.Picture(
            looks={"ground": "steppe"},
            glyphs="animal",
            trails=12,
            size=1.5,
            dots=1,
            at=11,
            sketch={"quarries": [3]},
            opens=7.75,
        ),
        colors={"hunters": "red", "quarries": "sky"},
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """The hunters came near soon, and the quarries did not let them come nearer."""
    gap = stage.meters["hunters.gap"]
    came = gap.times[gap.values < NEAR].min(initial=stage.seconds)
    if not came < 8.5:
        yield f"hunters must be within {NEAR:.0f} m of their quarry after 8.5 s, but were so after {came:.1f} s"
    if not 0.28 < (lead := stage.meters["hunters.lead"].now) < 0.8:
        yield f"hunters must cut the corner, and make 0.28 of the way aside or more, but made {lead:.2f} of it"
    if not gap.least > 18:
        yield f"quarries must keep 18 m between them and their hunter, but let it come to {gap.least:.1f} m"


SCENARIO = Scenario(
    make,
    check,
    tags=("individual", "priority", "Reynolds 1999"),
    impostors={"without Pursue": without(sm.Pursue), "without Evade": without(sm.Evade)},
)
