"""Shadow: a pack approaches a stray, then goes along with it at its heading and speed.

Reynolds 1999, the sketch of shadowing.
"""

from typing import Any

import numpy as np

from steersman.metrics.meters import Metric, Subject
from steersman.scenarios.builder import set_stage
from steersman.scenarios.old import OldScenario, meters_of
from steersman.scenarios.stage import Stage
from steersman.vehicles.vehicles import Vehicles
from steersman.world.world import World


def make(*, n: int, seed: int) -> Stage:
    """Put a pack of n around somebody who strolls."""
    stage = set_stage(document(n=n, seed=seed))
    stray = stage.world.populations["stray"].vehicles
    difference = Metric("m/s", "mean difference from the stray's velocity", lambda subject: _mismatch(subject, stray))
    stage.watch("pack", mismatch=difference)
    return stage


def _mismatch(subject: Subject, stray: Vehicles) -> float:
    return float(np.mean(np.linalg.norm(subject.vehicles.velocity - stray.velocity, axis=1)))


def document(*, n: int, seed: int) -> dict[str, Any]:
    """The pack and the stray."""
    return {
        "seed": seed,
        "seconds": 16.0,
        "picture": {"trails": 5.0},
        "populations": [
            {
                "name": "pack",
                "n": n,
                "color": "purple",
                "spawn": {"shape": "ring", "radius": 45.0},
                "velocity": {"kind": "random", "speed": 5.0},
                "max_speed": 10.0,
                "max_force": 30.0,
                "metrics": [{"metric": "distance_to", "to": "stray"}, {"metric": "farthest_from", "to": "stray"}],
                "steering": {"behavior": "Shadow", "quarry": "stray", "distance": 9.0},
            },
            {
                "name": "stray",
                "n": 1,
                "color": "red",
                "spawn": {"shape": "points", "position": [[0.0, 0.0]]},
                "velocity": {"kind": "along", "direction": [1.0, 0.3], "speed": 5.0},
                "max_speed": 5.0,
                "max_force": 5.0,
                "radius": 1.2,
                "steering": {"behavior": "Wander", "distance": 0.6, "strength": 0.3},
            },
        ],
    }


def check(world: World) -> list[str]:
    """Everybody is there, and goes along."""
    meters, problems = meters_of(world), []
    farthest, mismatch = meters["pack.farthest_from"].now, meters["pack.mismatch"].now
    if not farthest < 14:
        problems.append(f"everybody must be within 14 m of the stray, but somebody is {farthest:.1f} m away")
    if not mismatch < 1.5:
        problems.append(f"they must go along with it, but their velocities differ by {mismatch:.1f} m/s on average")
    return problems


SCENARIO = OldScenario(
    name="shadow",
    shows="A pack approaches a stray, then goes along with it at its heading and speed.",
    tags=("individual", "Reynolds 1999"),
    dimensions=2,
    n=10,
    make=make,
    check=check,
)
