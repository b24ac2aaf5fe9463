"""Vehicles start at one place in one direction, and stroll off in long bends to the left and right.

Reynolds 1999, "Wander". A steering force that is drawn anew at every step would make twitches, and no bends; one that never
changes makes circles.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import steersman as sm
from steersman.gallery.making.by_id import extended
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario


class Bends(sm.Keeping):
    """How vehicles turn: an observer that looks at equal times.

    Attributes:
        headings: The headings of all at every look [rad], each by id.
    """

    only_watches, saved_attributes = True, ("headings",)

    def __init__(self, strollers: sm.Vehicles) -> None:
        self.strollers, self.headings = strollers, [strollers.heading]

    def __call__(self, world: sm.World) -> None:
        """Look at them once."""
        heading = extended(self.headings[-1], self.strollers).copy()  # One that is gone heads where it headed last.
        heading[self.strollers.id] = self.strollers.heading
        self.headings.append(heading)

    @property
    def turns(self) -> Any:
        """By how much each turned from look to look [degrees], shape (k, n); to the left is positive.

        Of those that are there now and were there at the start.
        """
        ids = self.strollers.id
        headings = [each[ids[ids < len(self.headings[0])]] for each in self.headings]
        return np.degrees(np.diff(np.unwrap(headings, axis=0), axis=0))

    def both_ways(self, _: sm.Vehicles) -> float:
        """How much half of them turned, each to the side to which it turned less [degrees]."""
        left, right = (np.abs(side(self.turns, 0)).sum(axis=0) for side in (np.maximum, np.minimum))
        return float(np.median(np.minimum(left, right))) if len(left) else np.nan

    def lasting(self, _: sm.Vehicles) -> float:
        """How much a turn tells of the next one: 1 when it is the same, 0 when it tells nothing."""
        return float(np.sum(self.turns[1:] * self.turns[:-1]) / max(np.sum(self.turns**2), 1e-9))


def make(*, n: int = 40, seed: int = 0) -> sm.Stage:
    """Put n vehicles in a small disc, all facing along the x axis."""
    rng = np.random.default_rng(seed)
    strollers = sm.Vehicles(sm.spawn.disc(n, radius=2, rng=rng), [5, 0], max_speed=6, max_force=5, radius=0.6)

    world = sm.World(seed=seed)
    world.add(strollers, name="strollers", steering=sm.Wander(rate=2))
    bends = Bends(strollers)
    world.on_step(bends, sm.EverySeconds(0.25))
    world.watch("strollers", "mean_speed", "polarization", both_ways=bends.both_ways, lasting=bends.lasting, every=5)
    return sm.Stage(
        world,
        seconds=25,
        picture=sm.Picture(
            looks={"ground": "grass"},
            trails=25,
            glyphs="person",
            at=15,
            sketch={"strollers": [2]},
            close_up=15,
            opens=5.4,
        ),
        colors={"strollers": "purple"},
        notes=[
            sm.shapes.Arrow(np.array([[-12.0, 0.0]]), np.array([[-4.0, 0.0]]), role="guide"),
            sm.shapes.Circle(np.zeros((1, 2)), 3, role="guide", label="all began here"),
        ],
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """Every vehicle turned both ways, in lasting bends; so they head everywhere."""
    both_ways, lasting = stage.meters["strollers.both_ways"].now, stage.meters["strollers.lasting"].now
    polarization, n = stage.meters["strollers.polarization"].now, len(stage.world["strollers"])
    if not both_ways > 75:
        yield f"they must turn to the left and to the right, but half of them turned only {both_ways:.0f} degrees to one side"
    if not lasting > 0.6:
        yield f"they must stroll in bends, but a turn says little of the next one ({lasting:.2f}, of 1)"
    if n >= 20 and not polarization < 0.6:
        yield f"they must go all ways, but their polarization is {polarization:.2f}"


def circles(strollers: sm.Vehicles) -> Any:
    """A force to the side that never changes, for each another one."""
    return strollers.side * np.linspace(-4, 4, len(strollers))[:, None]


SCENARIO = Scenario(
    make,
    check,
    tags=("individual", "random", "Reynolds 1999"),
    impostors={
        "without Wander": without(sm.Wander),
        "circles": instead(sm.Wander, lambda _: circles),
        "a new force at every step": instead(sm.Wander, lambda old: old.replace(rate=1000)),
        "straight on": instead(sm.Wander, sm.MatchVelocity([5, 0])),
    },
)
