"""Offset pursuit: ships strafe a cruiser: they pass beside it, fly on, and come around. Reynolds 1999, "Offset pursuit"."""

from typing import Any

import numpy as np

from steersman.geometry.keeping import Keeping
from steersman.metrics.meters import Metric
from steersman.metrics.proximity import distances_from
from steersman.scenarios.builder import set_stage
from steersman.scenarios.old import OldScenario, meters_of
from steersman.scenarios.stage import Stage
from steersman.vehicles.vehicles import Vehicles
from steersman.world.world import World

RADIUS = 10.0
"""How near they pass [m]."""

FAST = 14.0
"""Speed of the ships [m/s]."""


class Passes(Keeping):
    """How near each ship came to the cruiser, and how often it passed: an observer of every step.

    Attributes:
        nearest: The least distance so far [m], shape (n,).
        count: How often the distance was least, and less than twice the radius; shape (n,).
    """

    kept = ("nearest", "now", "comes", "count")

    def __init__(self, ships: Vehicles, cruiser: Vehicles) -> None:
        self.ships, self.cruiser = ships, cruiser
        self.nearest = self.now = self._distances()
        self.comes, self.count = np.zeros(len(ships), bool), np.zeros(len(ships), np.int64)

    def __call__(self, world: World) -> None:
        """Look at them once."""
        before, self.now = self.now, self._distances()
        self.count += self.comes & (self.now > before) & (before < 2 * RADIUS)
        self.comes, self.nearest = self.now < before, np.minimum(self.nearest, self.now)

    def _distances(self) -> Any:
        return distances_from(self.ships.position.astype(np.float64), self.cruiser)


def make(*, n: int, seed: int) -> Stage:
    """Put n ships around a cruiser, and watch their passes."""
    stage = set_stage(document(n=n, seed=seed))
    passes = Passes(stage.world["ships"], stage.world["cruiser"])
    stage.world.on_step(passes)
    stage.watch(
        "ships",
        least_passes=Metric("", "passes of the ship that passed least often", lambda _: float(passes.count.min())),
        nearest=Metric("m", "nearest that a ship ever came", lambda _: float(passes.nearest.min())),
        missed=Metric("m", "nearest that the ship came that stayed off most", lambda _: float(passes.nearest.max())),
    )
    return stage


def document(*, n: int, seed: int) -> dict[str, Any]:
    """Put n ships around a cruiser that goes straight on."""
    return {
        "seed": seed,
        "seconds": 24.0,
        "picture": {"trails": 6.0},
        "populations": [
            {
                "name": "ships",
                "n": n,
                "color": "blue",
                "spawn": {"shape": "ring", "radius": 60.0},
                "velocity": {"kind": "random", "speed": 8.0},
                "max_speed": FAST,
                "max_force": 30.0,
                "response_time": 0.15,
                "metrics": ["mean_speed", {"metric": "distance_to", "to": "cruiser"}],
                "steering": {"behavior": "OffsetPursuit", "quarry": "cruiser", "radius": RADIUS},
            },
            {
                "name": "cruiser",
                "n": 1,
                "color": "red",
                "spawn": {"shape": "points", "position": [[-20.0, 0.0]]},
                "max_speed": 4.0,
                "max_force": 10.0,
                "radius": 1.5,
                "steering": {"behavior": "MatchVelocity", "of": [2.0, 0.0]},
            },
        ],
    }


def check(world: World) -> list[str]:
    """Every ship passed the cruiser at the radius, no nearer, and more than once; and they are fast."""
    meters, problems = meters_of(world), []
    nearest, missed = meters["ships.nearest"].now, meters["ships.missed"].now
    if not nearest > 0.9 * RADIUS:
        problems.append(f"nobody may come nearer than {0.9 * RADIUS:.1f} m, but somebody came to {nearest:.2f} m")
    if not missed < 1.1 * RADIUS:
        problems.append(f"everybody must pass within {1.1 * RADIUS:.1f} m, but somebody stayed {missed:.1f} m off")
    if not meters["ships.least_passes"].now >= 2:
        problems.append("everybody must fly by, come around and fly by again, but somebody did not")
    speed = meters["ships.mean_speed"].now
    if not speed > 0.8 * FAST:
        problems.append(f"they must fly by at speed, but go at {speed:.1f} m/s")
    return problems


SCENARIO = OldScenario(
    name="offset_pursuit",
    shows="Ships strafe a cruiser: they pass beside it and not into it, fly on, and come around.",
    tags=("individual", "Reynolds 1999"),
    dimensions=2,
    n=8,
    make=make,
    check=check,
)
