"""Many pursuers cut the corner to one that strolls past, catch up with it, and stay out of each other's way.

After OpenSteer's demonstration of the same name; there one pursuer catches the stroller, here they surround it.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.impostors import without
from steersman.gallery.making.lead import Lead
from steersman.gallery.making.scenario import Scenario
from steersman.gallery.making.turns import turned


def make(*, n: int = 24, seed: int = 0) -> sm.Stage:
    """Put n pursuers below one stroller, in a world without end."""
    rng = np.random.default_rng(seed)
    start = sm.spawn.disc(n, radius=3 * np.sqrt(n), center=[0, -70], apart=2, rng=rng)
    velocity = sm.spawn.any_direction(n, speed=3, rng=rng)
    pursuers = sm.Vehicles(start, velocity, max_speed=9, max_force=25, radius=0.7)
    stroller = sm.Vehicles([[0, 0]], [7.5, 0], max_speed=7.5, max_force=8, radius=0.9)

    world = sm.World(seed=seed)
    world.add(pursuers, name="pursuers", steering=sm.Pursue(stroller) + 1.5 * sm.Separation(radius=4))
    world.add(stroller, name="stroller", steering=sm.MatchVelocity([7.5, 0]) + 0.6 * sm.Wander())
    world.watch("pursuers", "distance_to", "closest_to", to=stroller)
    lead = Lead(pursuers, stroller, near=25)
    world.on_step(lead, sm.EverySeconds(0.1))
    world.watch("pursuers", "overlapping", lead=lead.share)
    world.watch("stroller", "mean_speed", turned=turned(stroller))
    return sm.Stage(
        world,
        seconds=20,
        picture=sm.Picture(
            looks={"ground": "grass"},
            glyphs="person",
            trails=12,
            size=1.7,
            at=10,
            sketch={"pursuers": [12]},
            opens=0.2,
        ),
        colors={"pursuers": "red", "stroller": "blue"},
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """They are all around it, some near enough to touch it, and apart from each other."""
    gap, closest = stage.meters["pursuers.distance_to"], stage.meters["pursuers.closest_to"].least
    came = gap.times[gap.values < 20].min(initial=stage.seconds)
    touching = stage.meters["pursuers.overlapping"].values[-16:].mean()
    speed, turn = stage.meters["stroller.mean_speed"].values.mean(), stage.meters["stroller.turned"].greatest
    if not (speed > 5 and turn > 2):
        yield f"the stroller must stroll, but went at {speed:.1f} m/s and turned by {turn:.1f} degrees at most"
    if not came < 12.3:
        yield f"they must be within 20 m after 12.3 s, but were so after {came:.1f} s"
    if not 0.28 < (lead := stage.meters["pursuers.lead"].now) < 0.8:
        yield f"they must cut the corner, and make 0.28 of its way aside or more, but made {lead:.2f} of it"
    if not closest < 1.6:
        yield f"one must touch it (1.6 m), but the closest came to {closest:.1f} m"
    if not touching < 0.15:
        yield f"they must keep apart, but in the last 4 s {touching:.0%} overlapped"


SCENARIO = Scenario(
    make,
    check,
    least=6,
    most=100,
    tags=("story", "individual", "group", "OpenSteer"),
    impostors={"without Pursue": without(sm.Pursue)},
)
