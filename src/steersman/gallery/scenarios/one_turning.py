"""Vehicles of different speeds drive circles under the same sideways force: the faster, the wider.

After OpenSteer's demonstration of the same name. The radius of a circle is mass speed^2 / force; here several start side by
side, and each drives its own.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import steersman as sm
from steersman.core.steering.behavior import Behavior
from steersman.gallery.making.by_id import extended, largest
from steersman.gallery.making.impostors import instead
from steersman.gallery.making.scenario import Scenario

FORCE = 4
"""To the left [N]."""


def sideways(vehicles: sm.Vehicles) -> Any:
    """A constant force to the left."""
    return -FORCE * vehicles.side


class Extent(sm.Keeping):
    """How far all vehicles went on both axes [m], by id: an observer of every step."""

    only_watches, saved_attributes = True, ("low", "high")

    def __init__(self, vehicles: sm.Vehicles) -> None:
        self.vehicles = vehicles
        self.low, self.high = vehicles.position.astype(float), vehicles.position.astype(float)

    def __call__(self, world: sm.World) -> None:
        """Look where they are, once the force is there in full."""
        ids, position = self.vehicles.id, self.vehicles.position.astype(float)
        self.low, self.high = extended(self.low, self.vehicles, np.nan), extended(self.high, self.vehicles, np.nan)
        if world.time < 1:
            self.low[ids] = self.high[ids] = position
        self.low[ids] = np.fmin(self.low[ids], position)
        self.high[ids] = np.fmax(self.high[ids], position)

    def error(self, vehicles: sm.Vehicles) -> float:
        """How much the worst radius differs from m v^2 / F, as a part of it."""
        radius = (self.high - self.low)[vehicles.id] / 2
        expected = vehicles.mass * vehicles.max_speed**2 / FORCE
        return largest(np.abs(radius / expected[:, None] - 1))


def make(*, n: int = 5, seed: int = 0) -> sm.Stage:
    """Put n vehicles side by side, the fastest outside."""
    rng = np.random.default_rng(seed)
    speed = np.linspace(2, 6, n) * rng.uniform(0.97, 1, n)
    start, velocity = np.stack([np.zeros(n), -(speed**2) / FORCE], axis=1), np.stack([speed, np.zeros(n)], axis=1)
    vehicles = sm.Vehicles(start, velocity, max_speed=speed, max_force=FORCE, radius=0.3, response_time=1)

    world = sm.World(seed=seed)
    world.add(vehicles, name="turning", steering=sideways)
    extent = Extent(vehicles)
    world.on_step(extent)
    world.watch("turning", "mean_speed", radius_error=extent.error)
    radii = speed**2 / FORCE
    return sm.Stage(
        world,
        seconds=12,
        picture=sm.Picture(
            looks={"ground": "snow"},
            glyphs="car",
            size=1.3,
            trails=10,
            dots=1,
            close_up=22,
            sketch={"turning": [4]},
            opens=4.0,
        ),
        labels={"the same force to the left for all": [-0.6 * radii[-1], -1.13 * radii[-1]]},
        notes=[
            sm.shapes.Line(
                sm.spawn.circle(60, radius, start=-np.pi / 2),
                closed=True,
                role="range",
                label=f"{v:.1f} m/s: radius {radius:.1f} m",
            )
            for v, radius in zip(speed, radii, strict=True)
        ],
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """Every circle has the radius that physics says."""
    error = stage.meters["turning.radius_error"].now
    if not error < 0.03:
        yield f"circles must have the radius m v^2 / F, but one is off by {error:.1%}"


def ahead(vehicles: sm.Vehicles) -> Any:
    """A constant force forward."""
    return FORCE * vehicles.forward


def weaker(vehicles: sm.Vehicles) -> Any:
    """Half the force to the side."""
    return sideways(vehicles) / 2


SCENARIO = Scenario(
    make,
    check,
    tags=("locomotion", "OpenSteer"),
    impostors={
        "a force forward": instead(Behavior, lambda _: ahead),
        "half of the force": instead(Behavior, lambda _: weaker),
        "a force that comes late": instead(sm.PointMass, sm.PointMass(limits=[sm.SmoothForce(3)])),
        "a limit to turning": instead(sm.PointMass, sm.PointMass(limits=[sm.TurnRate(0.5)])),
    },
)
