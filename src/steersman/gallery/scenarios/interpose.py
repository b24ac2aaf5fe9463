"""Every guard gets between its ward and the stalker that prowls around it, and stays there while both move.

Reynolds 1999, "Interpose". The guard heads for where the middle between the two will be; one that headed for where it is
would always lag behind.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.by_id import gaps, mean, pairs, smallest
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario
from steersman.gallery.making.turns import turned


def make(*, n: int = 4, seed: int = 0) -> sm.Stage:
    """Put n wards at a distance from each other, each with a guard and a stalker."""
    rng = np.random.default_rng(seed)
    homes, own = sm.spawn.grid(n, spacing=60), np.arange(n)
    wards = sm.Vehicles(homes, sm.spawn.any_direction(n, speed=2, rng=rng), max_speed=2, max_force=6)
    start, velocity = homes + sm.spawn.ring(n, radius=14, rng=rng), sm.spawn.any_direction(n, speed=4, rng=rng)
    stalkers = sm.Vehicles(start, velocity, max_speed=9, max_force=20)
    guards = sm.Vehicles(homes - 12, max_speed=7.5, max_force=40)

    def off(guards: sm.Vehicles) -> float:
        """How far guards are from the middle between their stalker and their ward, on average [m]."""
        ids = guards.id[stalkers.alive(guards.id) & wards.alive(guards.id)]
        middle = (stalkers.position[stalkers.rows(ids)] + wards.position[wards.rows(ids)]) / 2
        return mean(np.linalg.norm(guards.position[guards.rows(ids)] - middle, axis=1))

    world = sm.World(seed=seed)
    world.add(guards, name="guards", steering=sm.Interpose(a=stalkers, b=wards, which_a=own, which_b=own))
    world.add(stalkers, name="stalkers", steering=sm.OffsetPursuit(wards, which=own, radius=10))
    world.add(wards, name="wards", steering=sm.Wander())
    world.watch("stalkers", "mean_speed", away=lambda vehicles: mean(gaps(vehicles, wards)))
    world.watch("stalkers", near=lambda vehicles: smallest(gaps(vehicles, wards)))
    world.watch("wards", "mean_speed", turned=turned(wards))
    world.watch("guards", off=off)

    def lines() -> Iterator[sm.shapes.Shape]:
        """From each stalker to its ward; and the middle, where the guard belongs."""
        rows, others = pairs(stalkers, wards)
        middle = (stalkers.position[rows] + wards.position[others]) / 2
        yield sm.shapes.segment(stalkers.position[rows], wards.position[others], role="guide")
        yield sm.shapes.Cross(middle[1:], role="guide")
        yield sm.shapes.Cross(middle[:1], role="guide", label="the middle, where its guard belongs")
        for name, vehicles in (("stalker", stalkers), ("ward", wards), ("guard", guards)):
            yield sm.shapes.Circle(vehicles.position[:1], 1.2, role="guide", label=name)

    return sm.Stage(
        world,
        seconds=15,
        notes=[lines],
        picture=sm.Picture(
            looks={"ground": "floor"}, glyphs="person", trails=2, size=2.0, at=10, sketch={"guards": [1]}, opens=0.12
        ),
        colors={"guards": "blue", "stalkers": "red", "wards": "green"},
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """All keep in the middle, although the stalkers prowl."""
    off, meters = stage.meters["guards.off"], stage.meters
    if not (speed := meters["stalkers.mean_speed"].values.mean()) > 5:
        yield f"stalkers must prowl, but did so at {speed:.1f} m/s"
    away, near = meters["stalkers.away"].values.mean(), meters["stalkers.near"].least
    if not (away < 30 and near > 8):
        yield f"stalkers must prowl around their wards, 8 to 30 m off, but were {away:.0f} m off, and one {near:.1f} m"
    speed, turn = meters["wards.mean_speed"].values.mean(), meters["wards.turned"].values.mean()
    if not (speed > 1 and turn > 8):
        yield f"wards must stroll, but went at {speed:.1f} m/s and turned by {turn:.0f} degrees"
    late = off.values[off.times > 5].mean()
    if not late < 1.5:
        yield f"guards must be within 1.5 m of the middle, but after 5 s they were {late:.1f} m away on average"


SCENARIO = Scenario(
    make,
    check,
    tags=("individual", "Reynolds 1999", "game AI lecture"),
    impostors={
        "without Interpose": without(sm.Interpose),
        "to the stalker": instead(sm.Interpose, lambda old: sm.Pursue(old.a, which=old.which_a)),
        "to the ward": instead(sm.Interpose, lambda old: sm.Arrive(old.b, which=old.which_b)),
    },
)
