"""One turning: a constant force to the side at constant speed drives a circle.

After OpenSteer's demonstration of the same name. The radius of the circle is mass speed^2 / force; here several vehicles of
different speeds start side by side, and each drives its own.
"""

import numpy as np

from steersman.drawing.style import Picture
from steersman.geometry.keeping import Keeping
from steersman.geometry.vectors import Array
from steersman.locomotion.limits.smooth_force import SmoothForce
from steersman.locomotion.point_mass import PointMass
from steersman.metrics.meters import Metric
from steersman.scenarios.old import OldScenario, meters_of
from steersman.scenarios.stage import Stage
from steersman.vehicles.vehicles import Vehicles
from steersman.world.world import World

FORCE = 4.0
"""To the left [N]."""


def sideways(vehicles: Vehicles) -> Array:
    """A constant force to the left."""
    return -FORCE * vehicles.side


class Rounds(Keeping):
    """Remembers how far everybody went on every axis, so that the radius can be told."""

    kept = ("low", "high")

    def __init__(self, vehicles: Vehicles) -> None:
        self.low = self.high = vehicles.position.astype(float)

    def __call__(self, world: World) -> None:
        """Look where they are, once the force is there in full."""
        position = world["turning"].position.astype(float)
        if world.time < 1.0:
            self.low = self.high = position
        self.low, self.high = np.minimum(self.low, position), np.maximum(self.high, position)

    @property
    def radius(self) -> Array:
        """Half of what they covered [m], shape (n,)."""
        return np.asarray((self.high - self.low).mean(axis=1) / 2)

    def error(self, vehicles: Vehicles) -> float:
        """How much the worst radius differs from m v^2 / F, as a part of it."""
        expected = vehicles.mass * vehicles.max_speed**2 / FORCE
        return float(np.abs(self.radius / expected - 1).max())


def make(*, n: int, seed: int) -> Stage:
    """Put n vehicles side by side, the fastest outside."""
    rng = np.random.default_rng(seed)
    speed = np.linspace(2.0, 6.0, n) * rng.uniform(0.97, 1.0, n)
    outside = -(speed**2) / FORCE
    vehicles = Vehicles(
        np.stack([np.zeros(n), outside], axis=1), np.stack([speed, np.zeros(n)], axis=1), max_speed=speed,
        max_force=FORCE, radius=0.3, response_time=1.0,
    )  # fmt: skip
    world = World(seed=seed)
    world.add(vehicles, name="turning", steering=sideways, locomotion=PointMass(limits=(SmoothForce(0.02),)))
    rounds = Rounds(vehicles)
    world.on_step(rounds)
    stage = Stage(world, seconds=12.0, picture=Picture(trails=8.0))
    error = Metric("", "worst radius compared with m v^2 / F", lambda s: rounds.error(s.vehicles))
    stage.watch("turning", "mean_speed", radius_error=error)
    return stage


def check(world: World) -> list[str]:
    """Every circle has the radius that physics says."""
    error = meters_of(world)["turning.radius_error"].now
    if not error < 0.02:
        return [f"circles must have the radius m v^2 / F, but one is off by {error:.1%}"]
    return []


SCENARIO = OldScenario(
    name="one_turning",
    shows="Vehicles of different speeds drive circles under the same force to the side.",
    tags=("locomotion", "OpenSteer"),
    dimensions=2,
    n=5,
    make=make,
    check=check,
)
