"""Crowd on a path: path following and separation together, as ants do it. Reynolds 1999, "Combining behaviors"."""

import math
from typing import Any

from steersman.scenarios.old import OldScenario, meters_of
from steersman.world.world import World


def document(*, n: int, seed: int) -> dict[str, Any]:
    """Put n vehicles in the middle of a winding closed path, long enough for them."""
    scale = max(1.0, n / 60) ** 0.5
    angles = [2 * math.pi * k / 48 for k in range(48)]
    rounds = [(scale * (30 + 7 * math.sin(3 * a)), a) for a in angles]
    return {
        "seconds": 25.0,
        "picture": {"trails": 3.0},
        "paths": [
            {
                "name": "trail",
                "points": [[round(r * math.cos(a), 2), round(r * math.sin(a), 2)] for r, a in rounds],
                "radius": 3.0,
                "closed": True,
            }
        ],
        "populations": [
            {
                "name": "ants",
                "n": n,
                "color": "red",
                "spawn": {"shape": "disc", "center": [0.0, 0.0], "radius": 1.5 * n**0.5},
                "velocity": {"kind": "random", "speed": 3.0},
                "max_speed": 6.0,
                "max_force": 20.0,
                "metrics": [
                    "overlapping",
                    {"metric": "path_error", "to": "trail"},
                    {"metric": "progress", "to": "trail"},
                ],
                "steering": {
                    "behavior": "WeightedSum",
                    "parts": [
                        {"behavior": "FollowPath", "path": "trail", "law": "predicted"},
                        {"behavior": "Separation", "radius": 3.0, "weight": 1.5},
                    ],
                },
            }
        ],
    }


def check(world: World) -> list[str]:
    """They follow the path, and do not crowd."""
    meters, problems = meters_of(world), []
    if not meters["ants.path_error"].now < 3.0:
        problems.append(f"they must be on the path, but are {meters['ants.path_error'].now:.1f} m off on average")
    if not meters["ants.progress"].now > 4.0:
        problems.append(f"they must go along it, but do so at {meters['ants.progress'].now:.1f} m/s only")
    if not meters["ants.overlapping"].now < 0.15:
        problems.append(f"they must keep apart, but {meters['ants.overlapping'].now:.0%} overlap")
    return problems


SCENARIO = OldScenario(
    name="crowd_on_path",
    shows="A crowd follows a path and keeps apart on it.",
    tags=("group", "path", "Reynolds 1999"),
    dimensions=2,
    n=60,
    document=document,
    check=check,
    quick=30,
)
