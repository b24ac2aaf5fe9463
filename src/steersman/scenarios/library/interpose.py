"""Interpose: every guard keeps between its ward and the stalker that prowls around it. Reynolds 1999, "Interpose"."""

import math
from typing import Any

import numpy as np

from steersman.metrics.meters import Metric, Subject
from steersman.scenarios.builder import set_stage
from steersman.scenarios.old import OldScenario, meters_of
from steersman.scenarios.stage import Stage
from steersman.vehicles.vehicles import Vehicles
from steersman.world.world import World


def make(*, n: int, seed: int) -> Stage:
    """Put n wards at a distance from each other, each with a guard and a stalker."""
    stage = set_stage(document(n=n, seed=seed))
    stalkers, wards = (stage.world.populations[name].vehicles for name in ("stalkers", "wards"))
    middle = Metric("m", "mean distance from the middle", lambda subject: _off_middle(subject, stalkers, wards))
    stage.watch("guards", "mean_speed", off_middle=middle)
    stage.watch("stalkers", "mean_speed")
    return stage


def _off_middle(subject: Subject, stalkers: Vehicles, wards: Vehicles) -> float:
    middle = (stalkers.position + wards.position) / 2
    return float(np.mean(np.linalg.norm(subject.vehicles.position - middle, axis=1)))


def document(*, n: int, seed: int) -> dict[str, Any]:
    """The three populations; those of one row belong together."""
    side = math.ceil(math.sqrt(n))
    homes = [[40.0 * (k % side), 40.0 * (k // side)] for k in range(n)]
    pairs = list(range(n))
    return {
        "seed": seed,
        "seconds": 15.0,
        "picture": {"trails": 3.0},
        "populations": [
            {
                "name": "guards",
                "n": n,
                "color": "blue",
                "spawn": {"shape": "points", "position": [[x - 12.0, y - 12.0] for x, y in homes]},
                "max_speed": 10.0,
                "max_force": 40.0,
                "steering": {
                    "behavior": "Interpose", "a": "stalkers", "b": "wards", "which_a": pairs, "which_b": pairs,
                },
            },
            {
                "name": "stalkers",
                "n": n,
                "color": "red",
                "spawn": {"shape": "points", "position": [[x + 14.0, y] for x, y in homes]},
                "velocity": {"kind": "random", "speed": 4.0},
                "max_speed": 6.0,
                "max_force": 12.0,
                "steering": {
                    "behavior": "WeightedSum",
                    "parts": [
                        {"behavior": "Wander"},
                        {"behavior": "OffsetPursuit", "quarry": "wards", "radius": 10.0, "weight": 0.5},
                    ],
                },
            },
            {
                "name": "wards",
                "n": n,
                "color": "green",
                "spawn": {"shape": "points", "position": homes},
                "max_speed": 1.0,
                "max_force": 3.0,
                "steering": {"behavior": "Wander"},
            },
        ],
    }  # fmt: skip


def check(world: World) -> list[str]:
    """Everybody keeps in the middle, although the stalkers prowl."""
    meters, problems = meters_of(world), []
    distance, speed = meters["guards.off_middle"].now, meters["stalkers.mean_speed"].now
    if not distance < 2:
        problems.append(f"guards must be within 2 m of the middle, but are {distance:.1f} m away on average")
    if not speed > 2:
        problems.append(f"stalkers must prowl, but their mean speed is {speed:.1f} m/s")
    return problems


SCENARIO = OldScenario(
    name="interpose",
    shows="Every guard keeps between its ward and the stalker that prowls around it.",
    tags=("individual", "Reynolds 1999", "game AI lecture"),
    dimensions=2,
    n=9,
    make=make,
    check=check,
)
