"""Walkers on a circle cross to the opposite side, and turn, speed up or slow down for one another.

Reynolds 1999, "Unaligned collision avoidance", at its hardest: all would meet in the middle. Compare
`circle_swap_orca`.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import steersman as sm
from steersman.gallery.making.by_id import Own, mean
from steersman.gallery.making.impostors import instead
from steersman.gallery.making.scenario import Scenario

HALF_FREE = 1.5
"""The distance of two walkers with half of the free room that they want [m]."""


def make(*, n: int = 80, seed: int = 0) -> sm.Stage:
    """Put n vehicles on a circle."""
    avoid = sm.AvoidNeighbors(lookahead=2.5, distance=1.0, k=16)
    stage = swap(n, seed, lambda there: sm.Priority([avoid, there]), explained=3, opens=9.7, max_force=12)
    stage.world.watch("walkers", "closest_approach")
    return stage


def swap(
    n: int,
    seed: int,
    steering: Callable[[sm.Behavior], sm.Behavior],
    late: float = 2.4,
    explained: int | None = None,
    opens: float = 0.0,
    close_up: float = 20,
    **own: Any,
) -> sm.Stage:
    """A circle of n walkers with goals on the opposite side; `steering` is made of the behavior that takes them there.

    The straight way takes a second per meter of the radius; they have `late` times that. The window
    explains the walker with the id `explained`, and opens at an instant [s].
    """
    rng = np.random.default_rng(seed)
    radius = max(12.0, 0.36 * n)
    places = sm.spawn.circle(n, radius) + rng.uniform(-0.2, 0.2, (n, 2))
    walkers = sm.Vehicles(places, forward=-places, max_speed=2, **own)
    goals = -places
    opposite = Own(walkers, goals)
    world = sm.World(seed=seed, dt=1 / 30)
    world.add(walkers, name="walkers", steering=steering(sm.Arrive(goals)))
    world.watch("walkers", arrived=lambda walkers: mean(opposite.distances(walkers) < 1.5))
    world.watch("walkers", "overlap", every=sm.EverySteps(1))
    return sm.Stage(
        world,
        seconds=late * radius,
        picture=sm.Picture(
            trails=8,
            to_scale=True,
            glyphs="person",
            looks={"ground": "paving"},
            at=(0.4 * radius, radius, late * radius),
            sketch=None if explained is None else {"walkers": [explained]},
            close_up=close_up,
            opens=opens,
        ),
        colors={"walkers": "blue"},
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """All walkers are across in time, none ran into another, and they kept half of the room that they want."""
    if not (arrived := stage.meters["walkers.arrived"].now) > 0.95:
        yield f"they must get across in time, but only {arrived:.0%} did"
    if not (deep := stage.meters["walkers.overlap"].greatest) < 0.06:
        yield f"no vehicle may run into another, but two overlapped by {deep:.2f} m"
    if not (close := np.mean(np.array(stage.meters["walkers.closest_approach"].values) < HALF_FREE)) < 0.05:
        yield f"two may hardly ever have less than half of their free room, but some had in {close:.0%} of the time"


SCENARIO = Scenario(
    make,
    check,
    tags=("group", "crowd", "priority", "Reynolds 1999"),
    least=8,
    impostors={
        "Separation for AvoidNeighbors": instead(sm.AvoidNeighbors, sm.Separation(radius=2)),
        "a sum for the Priority": instead(sm.Priority, lambda old: sm.WeightedSum(old.components)),
    },
)
