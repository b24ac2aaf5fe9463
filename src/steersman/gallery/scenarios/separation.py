"""A heap spreads out, by Separation, until every vehicle has room, and comes to rest.

Reynolds 1999, "Separation". Each pushes off from those within 4 m, the harder the nearer; the trails are all nearly
straight and lead outward. A little braking lets the crowd come to rest.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.by_id import extended
from steersman.gallery.making.impostors import instead
from steersman.gallery.making.scenario import Scenario
from steersman.runs.metrics.nearby import Nearby

REACH = 4
"""From how far they push each other off [m]."""


class Parting(sm.Keeping):
    """How much of their push two spend on parting who are each other's nearest: an observer of the first second.

    Others push two such alike. Their own pushes are the hardest where pushes fall off with the distance, and few among many
    where they are as hard from afar.

    Formula: sum of (a - b) . e / sum of |a| + |b| over all such pairs and looks, with a and b the accelerations of the two,
    and e the direction from the second to the first.

    Attributes:
        position, velocity: Positions [m] and velocities [m/s] before the step, by id.
        apart: The first sum [m/s^2].
        pushed: The second sum [m/s^2].
    """

    only_watches, saved_attributes = True, ("position", "velocity", "apart", "pushed")

    def __init__(self, crowd: sm.Vehicles) -> None:
        self.crowd, self.near, self.apart, self.pushed = crowd, Nearby(sm.Open()), 0.0, 0.0
        self.position, self.velocity = (each.astype(float) for each in (crowd.position, crowd.velocity))

    def __call__(self, world: sm.World) -> None:
        """Compare what a step changed with where they were before it."""
        if world.time > 1 or len(self.crowd) < 2:
            return
        ids = self.crowd.id
        ids = ids[ids < len(self.position)]
        there, before = self.crowd.rows(ids), self.position[ids]
        nearest = self.near.nearest(before, 1)[0][:, 0]
        rows = np.arange(len(nearest))
        one = np.flatnonzero((nearest[nearest] == rows) & (rows < nearest))
        other = nearest[one]
        along = before[one] - before[other]
        along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
        push = (self.crowd.velocity[there] - self.velocity[ids]) / world.dt
        self.apart += float(np.sum((push[one] - push[other]) * along))
        self.pushed += float(np.linalg.norm(push[[one, other]], axis=2).sum())
        self.position, self.velocity = (extended(each, self.crowd) for each in (self.position, self.velocity))
        self.position[self.crowd.id], self.velocity[self.crowd.id] = self.crowd.position, self.crowd.velocity

    def share(self, _: sm.Vehicles) -> float:
        """The part of their push with which they parted; 1 where nobody was pushed."""
        return self.apart / self.pushed if self.pushed else 1.0


def make(*, n: int = 80, seed: int = 0) -> sm.Stage:
    """Put n vehicles in a heap, at rest."""
    rng = np.random.default_rng(seed)
    crowd = sm.Vehicles(sm.spawn.disc(n, radius=0.4 * n**0.5, rng=rng), max_speed=4, max_force=10)
    world = sm.World(seed=seed)
    world.add(crowd, name="crowd", steering=sm.Separation(radius=REACH) + 0.3 * sm.TargetSpeed(0))
    parting = Parting(crowd)
    world.on_step(parting)
    world.watch("crowd", parting=parting.share)
    world.watch("crowd", "nearest_distance", "overlapping", "mean_speed")

    return sm.Stage(
        world,
        seconds=12,
        picture=sm.Picture(looks={"ground": "floor"}, glyphs="person", trails=12, sketch={"crowd": [74]}, opens=1.88),
        colors={"crowd": "blue"},
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """All have room, no more than they need, and have come to rest; the nearest pushed hardest."""
    distance, speed = stage.meters["crowd.nearest_distance"].now, stage.meters["crowd.mean_speed"].now
    if not 2.5 < distance < 5:
        yield f"neighbors must be 2.5 to 5 m apart, but are at {distance:.1f} m"
    if share := stage.meters["crowd.overlapping"].now:
        yield f"no vehicle may overlap another, but {share:.0%} do"
    if not (parting := stage.meters["crowd.parting"].now) > 0.24:
        yield f"the nearest must push the hardest, but spent only {parting:.0%} of their push on parting from each other"
    if not speed < 0.2:
        yield f"they must come to rest where they have room, but the mean speed is {speed:.1f} m/s"


SCENARIO = Scenario(
    make,
    check,
    tags=("group", "Reynolds 1999"),
    least=12,
    quick=40,
    impostors={
        "as hard from afar": instead(sm.Separation, lambda old: old.replace(falloff=0.0)),
        "Wander for Separation": instead(sm.Separation, sm.Wander()),
        "Flee for Separation": instead(sm.Separation, sm.Flee([0.0, 0.0])),
        "AvoidNeighbors for Separation": instead(sm.Separation, sm.AvoidNeighbors()),
    },
)
