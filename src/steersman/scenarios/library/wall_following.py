"""Wall following: patrols go round the inside of a hall at an offset from its walls. Reynolds 1999, "Wall following"."""

from typing import Any

import numpy as np

from steersman.metrics.meters import Metric, Subject
from steersman.scenarios.builder import set_stage
from steersman.scenarios.old import OldScenario, meters_of
from steersman.scenarios.stage import Stage
from steersman.world.world import World

HALL = [[0, 0], [90, 0], [90, 30], [110, 40], [110, 75], [60, 75], [60, 45], [40, 45], [25, 65], [0, 65]]
"""Corners of the hall [m]."""

OFFSET = 4.0
"""Distance to keep [m]."""


def make(*, n: int, seed: int) -> Stage:
    """Put n patrols in the middle of the hall."""
    stage = set_stage(document(n=n, seed=seed))
    error = Metric("m", "median difference from the offset", _median_error)
    stage.watch("patrols", "penetration", "mean_speed", error=error)
    return stage


def _median_error(subject: Subject) -> float:
    depth = -np.asarray(subject.obstacles[0].nearest(subject.vehicles.position.astype(float)).distance)
    return float(np.median(np.abs(depth - OFFSET)))


def document(*, n: int, seed: int) -> dict[str, Any]:
    """The hall and its patrols."""
    return {
        "seed": seed,
        "seconds": 14.0,
        "picture": {"trails": 4.0},
        "obstacles": [{"name": "hall", "kind": "walls", "points": [HALL], "closed": True, "seen_from": "inside"}],
        "populations": [
            {
                "name": "patrols",
                "n": n,
                "color": "orange",
                "spawn": {"shape": "box", "size": [70.0, 12.0], "center": [45.0, 22.0]},
                "velocity": {"kind": "random", "speed": 4.0},
                "max_speed": 11.0,
                "max_force": 45.0,
                "radius": 0.7,
                "steering": {"behavior": "FollowWall", "walls": "hall", "offset": OFFSET, "side": "left"},
            }
        ],
    }


def check(world: World) -> list[str]:
    """They go along the walls at the offset, and touch none."""
    meters, problems = meters_of(world), []
    error, depth, speed = (meters[f"patrols.{name}"] for name in ("error", "penetration", "mean_speed"))
    if not error.now < 0.5:
        problems.append(f"half of them must keep the offset within 0.5 m, but they are off by {error.now:.2f} m")
    if not depth.greatest <= 0:
        problems.append(f"nobody may touch a wall, but somebody did by {depth.greatest:.2f} m")
    if not speed.now > 9:
        problems.append(f"they must keep moving, but the mean speed is {speed.now:.1f} m/s")
    return problems


SCENARIO = OldScenario(
    name="wall_following",
    shows="Patrols go round the inside of a hall at an offset from its walls.",
    tags=("individual", "obstacles", "Reynolds 1999"),
    dimensions=2,
    n=16,
    make=make,
    check=check,
)
