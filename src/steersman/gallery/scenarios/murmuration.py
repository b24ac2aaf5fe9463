"""Starlings circle above their roost in a dense flock, and where the falcon flies through it they make room.

Reynolds 1999, "Flocking", in three dimensions, with "Evasion" of the falcon and a pull toward the roost. The starlings
bank into their turns.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import steersman as sm
from steersman.core.parameters.keeping import Keeping
from steersman.gallery.making.by_id import extended
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.lead import Swerve
from steersman.gallery.making.scenario import Scenario

ROOST = [0.0, 0.0, 40.0]
"""Where they circle [m]."""


def make(*, n: int = 1500, seed: int = 0) -> sm.Stage:
    """Put n starlings in a ball that turns, and a falcon that comes after them."""
    rng = np.random.default_rng(seed)
    ball = sm.spawn.ball(n, radius=2.2 * n ** (1 / 3), center=ROOST, rng=rng)
    starlings = sm.Vehicles(
        ball, sm.spawn.around(ball, speed=8), max_speed=rng.uniform(11, 13, n), max_force=25, radius=0.25
    )
    falcon = sm.Vehicles([[60, 0, 55]], max_speed=17, max_force=22, radius=1.2)
    flocking = 1.4 * sm.Separation(radius=2.5) + 0.8 * sm.Alignment(radius=6) + sm.Cohesion(radius=10)
    # With full thrust the roost pulls like a sun: they circle it instead of stopping there.
    circling = 0.35 * sm.Seek(ROOST, thrust="full") + 0.3 * sm.Wander()
    world = sm.World(seed=seed, dt=1 / 30)
    tree = 2 * sm.Evade(falcon, panic_distance=9) + flocking + circling
    world.add(starlings, name="starlings", steering=tree, locomotion=sm.Flying(roll_time=0.25))
    world.add(falcon, name="falcon", steering=sm.Seek(starlings))
    world.watch("starlings", "local_polarization", "dispersion", "nearest_distance")
    swerve = Swerve(starlings, falcon, far=9)
    world.on_step(swerve, sm.EverySeconds(0.1))
    banking = Banking(starlings)
    world.on_step(banking, sm.EverySeconds(0.1))
    world.watch("starlings", swerve=swerve.share, lean=banking.share, straight=banking.straight)
    world.watch("falcon", "closest_to", to=starlings, every=sm.EverySteps(1))
    return sm.Stage(
        world,
        seconds=16,
        picture=sm.Picture(trails=0.4, elevation=9, close_up=30, glyphs="bird", opens=4.8),
        colors={"starlings": "gray", "falcon": "red"},
    )


class Banking(Keeping):
    """How far the up of each leans to the side to which it turns, and how straight they fly: an observer.

    Attributes:
        before: Velocities at the last look [m/s], by id; NaN for those that were not there.
        leant: The sum of lean times change of velocity [m/s].
        turned: The sum of changes of velocity across forward, on the level [m/s].
        total, speeds: The sums of all velocities, shape (3,), and of their sizes [m/s].
    """

    only_watches, saved_attributes = True, ("before", "leant", "turned", "total", "speeds")

    def __init__(self, starlings: sm.Vehicles) -> None:
        self.starlings, self.before = starlings, starlings.velocity.astype(float)
        self.leant = self.turned = self.speeds = 0.0
        self.total = np.zeros(3)

    def __call__(self, world: sm.World) -> None:
        """Compare how they fly with how they flew."""
        ids, now = self.starlings.id, self.starlings.velocity.astype(float)
        self.before = extended(self.before, self.starlings, np.nan)
        turn = np.nan_to_num(now - self.before[ids])
        self.before[ids] = now
        self.total = self.total + now.sum(axis=0)
        self.speeds += float(np.linalg.norm(now, axis=1).sum())
        turn -= np.sum(turn * self.starlings.forward, axis=1, keepdims=True) * self.starlings.forward
        self.leant += float(np.sum(turn[:, :2] * self.starlings.up[:, :2]))
        self.turned += float(np.linalg.norm(turn[:, :2], axis=1).sum())

    def share(self, _: Any = None) -> float:
        """The mean lean, weighted by how sharply they turned: from -1 to 1, as a metric."""
        return self.leant / self.turned if self.turned else 0.0

    def straight(self, _: Any = None) -> float:
        """The size of the mean velocity, as a part of the mean speed: from 0 to 1 (all go one way), as a metric."""
        return float(np.linalg.norm(self.total)) / self.speeds if self.speeds else 0.0


def check(stage: sm.Stage) -> Iterator[str]:
    """They fly in a flock and bank; the falcon was among them and touched none."""
    late = {name: meter.values[len(meter.values) // 2 :].mean() for name, meter in stage.meters.items()}
    if not 2.5 < (room := late["falcon.closest_to"]) < 12:
        yield f"the falcon must fly among them and they make room, 2.5 to 12 m, but the nearest were at {room:.1f} m"
    if not (order := late["starlings.local_polarization"]) > 0.9:
        yield f"they must fly as their neighbors do, but local polarization was {order:.2f}"
    if not 0.8 < (near := late["starlings.nearest_distance"]) < 1.6:
        yield f"they must be dense and keep apart, at 0.8 to 1.6 m, but neighbors were at {near:.2f} m"
    if not (spread := late["starlings.dispersion"]) < 50:
        yield f"they must stay above their roost, but were spread over {spread:.0f} m"
    if not (aside := stage.meters["starlings.swerve"].now) < -0.43:
        yield f"they must turn out of the falcon's way, but the mean cosine of their turns to it was {aside:.2f}"
    if not (inward := stage.meters["starlings.lean"].now) > 0.2:
        yield f"they must bank into their turns, but leaned inward by {inward:.2f}"
    if not (straight := stage.meters["starlings.straight"].now) < 0.4:
        yield f"they must circle, but went one way at {straight:.2f} of their speed"


SCENARIO = Scenario(
    make,
    check,
    exempt={"starlings: Cohesion is told the place": "they are told the roost anyway, around which they circle"},
    tags=("group", "3D", "Reynolds 1987"),
    dimensions=3,
    least=300,
    quick=400,
    impostors={
        "without Evade": without(sm.Evade),
        "without the falcon": without(sm.Seek, of="falcon"),
        "without Alignment": without(sm.Alignment),
        "without Cohesion": without(sm.Cohesion),
        "without Seek": without(sm.Seek, of="starlings"),
        "none banks": instead(sm.Flying, sm.PointMass()),
    },
)
