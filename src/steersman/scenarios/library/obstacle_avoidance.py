"""Obstacle avoidance: vehicles stroll through a field of rocks and touch none. Reynolds 1999, "Obstacle avoidance"."""

import math
from typing import Any

import numpy as np

from steersman.geometry.random import generator, key_of
from steersman.scenarios.old import OldScenario, meters_of
from steersman.world.world import World

GAP = 7.0
"""Room between any two rocks [m]."""


def document(*, n: int, seed: int, rocks: int = 22) -> dict[str, Any]:
    """Put n vehicles on a torus with rocks, with room between any two of these."""
    width, height = 160.0, 90.0
    centers, radii = scatter(rocks, width, height, seed)
    return {
        "seconds": 12.0,
        "domain": {"kind": "torus", "size": [width, height]},
        "picture": {"trails": 2.5},
        "obstacles": [{"name": "rocks", "center": centers, "radius": radii}],
        "populations": [
            {
                "name": "travelers",
                "n": n,
                "color": "blue",
                "spawn": {"shape": "box"},
                "clearance": 2.0,
                "velocity": {"kind": "along", "direction": [1.0, 0.2], "speed": 8.0},
                "max_speed": 10.0,
                "max_force": 40.0,
                "radius": 0.6,
                "metrics": ["mean_speed", "penetration"],
                "steering": {
                    "behavior": "Priority",
                    "parts": [
                        {"behavior": "AvoidObstacles", "obstacles": "rocks", "lookahead": 1.2},
                        {"behavior": "Wander", "distance": 0.1, "strength": 0.12},
                    ],
                },
            }
        ],
    }


def scatter(count: int, width: float, height: float, seed: int) -> tuple[list[list[float]], list[float]]:
    """Centers and radii [m] of rocks on a torus that leave a gap between any two; fewer where there is no room."""
    rng = generator(key_of(seed, "rocks"))
    period = np.array([width, height])
    centers: list[list[float]] = []
    radii: list[float] = []
    for _ in range(200 * count):
        if len(centers) == count:
            break
        center = rng.random(2) * period
        radius = float(rng.uniform(2.5, 8.0))
        offsets = np.array(centers).reshape(-1, 2) - center
        offsets -= period * np.rint(offsets / period)
        if all(math.hypot(*offset) > radius + other + GAP for offset, other in zip(offsets, radii, strict=True)):
            centers.append([round(float(x), 2) for x in center])
            radii.append(round(radius, 2))
    return centers, radii


def check(world: World) -> list[str]:
    """Nobody touched a rock, and everybody kept moving."""
    meters, problems = meters_of(world), []
    depth, speed = meters["travelers.penetration"].greatest, meters["travelers.mean_speed"].now
    if not depth < 0.1:
        problems.append(f"nobody may run into a rock, but somebody did by {depth:.2f} m")
    if not speed > 5:
        problems.append(f"they must keep moving, but the mean speed is {speed:.1f} m/s")
    return problems


SCENARIO = OldScenario(
    name="obstacle_avoidance",
    shows="Vehicles stroll through a field of rocks and touch none.",
    tags=("individual", "obstacles", "priority", "Reynolds 1999"),
    dimensions=2,
    n=60,
    document=document,
    check=check,
)
