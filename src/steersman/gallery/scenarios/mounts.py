"""One rider rides a horse, another a motorcycle, with the same steering: only the abilities of the mounts differ.

Reynolds 1999, "Locomotion": "Imagine lifting the rider off of the horse and placing him on a cross-country motorcycle. The
goal selection and steering behavior remain the same." The horse turns where it stands and goes in any direction; the
motorcycle has wheels, an engine and brakes, and turns in an arc. Both go round the posts between rocks, and touch nothing.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import steersman as sm
from steersman.gallery.making.by_id import largest, mean
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario
from steersman.gallery.making.turns import Turns

POSTS = [[60, 0], [60, 40], [0, 40], [0, 0]]
"""The round [m]."""


def make(*, n: int = 1, seed: int = 0) -> sm.Stage:
    """Put n horses and n motorcycles at the last post, facing the wrong way; each rides around by itself."""
    rng = np.random.default_rng(seed)
    rocks = sm.Spheres(np.array([[30, 1], [62, 20], [31, 39], [-1, 21]]) + rng.uniform(-1, 1, (4, 2)), 3)
    ride = sm.Priority([sm.AvoidObstacles(rocks, lookahead=1.2), sm.Patrol(POSTS, margin=3)])
    mounts = {"horses": sm.PointMass(), "motorcycles": sm.Wheeled(wheelbase=1.5, turning_radius=4)}

    world = sm.World(seed=seed)
    for name, mount in mounts.items():
        riders = sm.Vehicles(
            sm.spawn.disc(n, 4, rng=rng), forward=[-1, 0], max_speed=9, max_force=20, response_time=0.25, radius=0.6
        )
        world.add(riders, name=name, steering=ride, locomotion=mount)
        world.watch(name, "penetration", every=sm.EverySteps(1))
        turns = Turns(riders)
        world.on_step(turns)
        world.watch(name, jolt=lambda _, turns=turns: turns.jolt)
        world.watch(name, "progress", to=sm.Path(POSTS, closed=True))
        world.watch(name, east=lambda vehicles: mean(vehicles.velocity[:, 0]))
        ways: dict[str, Any] = {
            f"from post {k + 1}": lambda vehicles, to=post: largest(np.hypot(*(vehicles.position - to).T))
            for k, post in enumerate(POSTS)
        }
        world.watch(name, **ways)

    def riders_now() -> Iterator[sm.shapes.Shape]:
        """Which mount is which, and how sharply it turns."""
        for name, words in (("horses", "horse: turns where it stands"), ("motorcycles", "motorcycle: turns in an arc")):
            yield sm.shapes.Circle(world[name].position, 2.2, role="target", label=words)

    return sm.Stage(
        world,
        seconds=40,
        scenery={"rocks": rocks},
        picture=sm.Picture(
            looks={"ground": "steppe", **{f"post {k + 1}": "flag" for k in range(len(POSTS))}},
            trails=14,
            size=2.6,
            at=[1.5, 14],
            glyphs={"horses": "horse", "motorcycles": "motorcycle"},
            sketch={"motorcycles": [0]},
            close_up=62,
            opens=16.0,
        ),
        colors={"horses": "orange", "motorcycles": "blue"},
        labels={f"post {k + 1}": post for k, post in enumerate(POSTS)},
        notes=[riders_now],
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """Both go round by all posts and touch no rock; the horses turn on the spot, the motorcycles do not."""
    for name in ("horses", "motorcycles"):
        about = {key.partition(".")[2]: meter for key, meter in stage.meters.items() if key.startswith(f"{name}.")}
        for key, meter in about.items():
            if key.startswith("from") and not meter.least < 5:
                yield f"the {name} must come to all posts, but were {meter.least:.1f} m or more {key}"
        if not (speed := about["progress"].values[8:].mean()) > 3.5:
            yield f"the {name} must go round at 3.5 m/s, but did so at {speed:.1f} m/s"
        if not (depth := about["penetration"].greatest) < 0.1:
            yield f"the {name} must touch no rock, but did by {depth:.1f} m"
        # Front wheels take time to turn: at 9 m/s and 2 rad/s on 1.5 m the turn rate changes by 14 rad/s in a second.
        if name == "motorcycles" and not (jolt := about["jolt"].now) < 30:
            yield f"wheels must take time to turn, but the turn rate of one changed by {jolt:.0f} rad/s^2"
        east = about["east"].values[6]  # After 1.5 s.
        if not (east > 3 if name == "horses" else east < 1):
            yield f"horses must have turned at once, and motorcycles not, but the {name} go to the east at {east:.1f} m/s"


SCENARIO = Scenario(
    make,
    check,
    tags=("locomotion", "obstacles", "priority", "Reynolds 1999"),
    most=3,
    impostors={
        "without Patrol": without(sm.Patrol),
        "Arrive for Patrol": instead(sm.Patrol, lambda old: sm.Arrive(old.checkpoints[0])),
        "horses for all": instead(sm.Wheeled, sm.PointMass()),
        "motorcycles for all": instead(sm.PointMass, sm.Wheeled(wheelbase=1.5, turning_radius=4)),
    },
)
