"""A crowd leaves through a narrow door one by one: the nearest goes first, and the others wait without pushing.

The law is that of Tordeux, Chraibi and Seyfried 2016. Where all just head for the door, the crowd pushes, and at the
door they are as near as on the platform of a train.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario


def make(*, n: int = 50, seed: int = 0, width: float = 1.2) -> sm.Stage:
    """Put n people on one side of a wall with a door of some width [m]; their goals are on the other side."""
    rng = np.random.default_rng(seed)
    size = 4 + n**0.5
    wall = sm.Walls([[[0, -1.2 * size], [0, -width / 2]], [[0, width / 2], [0, 1.2 * size]]])
    beyond = sm.Box([20, 4 * size], origin=[0.6 * size, -2 * size])
    start = sm.spawn.box(n, [0.7 * size, 2 * size], center=[-0.6 - 0.35 * size, 0], apart=0.7, rng=rng)
    people = sm.Vehicles(start, radius=0.25, max_speed=1.4, max_force=6, response_time=0.1)
    world = sm.World(seed=seed, dt=1 / 30)
    world.add(
        people,
        name="people",
        steering=sm.Priority(
            [
                sm.AvoidObstacles(wall, lookahead=0.5) + sm.Queue([0, 0], exit=[1, 0], spacing=0.3),
                sm.MatchVelocity([1.4, 0]) + sm.Separation(radius=1.5),
            ]
        ),
        flows=[sm.Sink(beyond)],
    )
    stage = sm.Stage(
        world,
        seconds=8 + size + n,
        scenery={"wall": wall},
        picture=sm.Picture(
            looks={"ground": "floor"},
            trails=3,
            to_scale=True,
            glyphs="person",
            at=4 + 0.4 * n,
            sketch={"people": [31]},
            opens=1.8,
        ),
        colors={"people": "blue"},
        labels={"door": [0, 0]},
    )
    stage.watch("people", "overlap", "penetration", every=sm.EverySteps(1))
    stage.watch("people", waiting=lambda people: np.sum(people.position[:, 0] < 0))
    return stage


def check(stage: sm.Stage) -> Iterator[str]:
    """All are out, and none pushed another or ran into the wall."""
    meters = stage.meters
    if waiting := meters["people.waiting"].now:
        yield f"all vehicles must get out, but {waiting:.0f} did not"
    if not (deep := meters["people.penetration"].greatest) < 0.015:
        yield f"no vehicle may touch the wall, but one did by {deep:.2f} m"
    if not (deep := meters["people.overlap"].greatest) < 0.1:
        yield f"no vehicle may push, but two overlapped by {deep:.2f} m"


SCENARIO = Scenario(
    make,
    check,
    tags=("group", "crowd", "priority", "Tordeux 2016"),
    exempt={"people: Separation is left out": "they queue before the door, and beyond it there is room"},
    quick=20,
    impostors={
        "Seek for Queue": instead(sm.Queue, sm.Seek([1, 0])),
        "Seek and Separation for Queue": instead(sm.Queue, sm.Seek([1, 0]) + sm.Separation(radius=1.5)),
        "a counter for the door": instead(sm.Queue, lambda old: old.replace(exit=None)),
        "without Queue": without(sm.Queue),
    },
)
