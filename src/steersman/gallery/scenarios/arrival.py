"""Each vehicle goes to a place of its own, slows down over the last meters, and stops there without overshooting.

Reynolds 1999, "Arrival". Far from its place it is Seek; the dots on the trails, one every half second, are closer together
the slower it is.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.by_id import Own, largest
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario

FAR = 40
"""A distance in which there is room to get to full speed, and to slow down [m]."""


SLOW = 20.0
"""From which distance they slow down [m]."""


def make(*, n: int = 12, seed: int = 0) -> sm.Stage:
    """Put n vehicles at rest, scattered; their places are on a circle."""
    rng = np.random.default_rng(seed)
    radius = max(20, 0.6 * n)
    places = sm.spawn.circle(n, radius)
    vehicles = sm.Vehicles(
        sm.spawn.disc(n, 3 * radius, rng=rng), max_speed=12, max_force=14, response_time=0.2, radius=0.8
    )

    own = Own(vehicles, places)
    world = sm.World(seed=seed)
    world.add(vehicles, name="vehicles", steering=sm.Arrive(places, slowing_distance=SLOW))
    world.watch(
        "vehicles", "mean_speed", fastest=lambda vehicles: largest(vehicles.speed / vehicles.max_speed), every=0.1
    )
    world.watch("vehicles", off=lambda vehicles: largest(own.distances(vehicles)))

    def retreat(vehicles: sm.Vehicles) -> float:
        """How fast one goes away from its place, at most [m/s]."""
        rows, goals = own.of(vehicles)
        return float(sm.metrics.retreat(vehicles.position[rows], goals, velocity=vehicles.velocity[rows]))

    world.watch("vehicles", retreat=retreat, every=sm.EverySteps(1))
    return sm.Stage(
        world,
        seconds=14,
        picture=sm.Picture(
            looks={"ground": "water", **{f"{k + 1}": "buoy" for k in range(n)}},
            glyphs="ship",
            size=1.4,
            trails=14,
            dots=0.5,
            at=14,
            sketch={"vehicles": [0]},
            opens=2.1,
        ),
        colors={"vehicles": "green"},
        labels={f"{k + 1}": place for k, place in enumerate(places)},
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """Every vehicle stands on its place and came there at speed, and none overshot."""
    off, speed = stage.meters["vehicles.off"], stage.meters["vehicles.mean_speed"]
    if not off.now < 0.5:
        yield f"all vehicles must be within 0.5 m of their places, but one is {off.now:.2f} m away"
    if off.start > FAR and not (top := stage.meters["vehicles.fastest"].greatest) > 0.97:
        yield f"vehicles that are far away must go at full speed, but the fastest went at {top:.0%} of it"
    if not speed.now < 0.3:
        yield f"all vehicles must stand still, but the mean speed is {speed.now:.2f} m/s"
    if not (back := stage.meters["vehicles.retreat"].greatest) < 0.05:
        yield f"no vehicle may overshoot, but one went away at {back:.2f} m/s"


SCENARIO = Scenario(
    make,
    check,
    tags=("individual", "Reynolds 1999"),
    impostors={
        "without Arrive": without(sm.Arrive),
        "80% of max_speed": instead(sm.Arrive, lambda old: old.replace(speed=9.6)),
        "Seek": instead(sm.Arrive, lambda old: sm.Seek(old.target)),
        "slowing down too late": instead(sm.Arrive, lambda old: old.replace(slowing_distance=3, ramp=[0, 1])),
        "creeping": instead(sm.Arrive, lambda old: old.replace(slowing_distance=100)),
    },
)
