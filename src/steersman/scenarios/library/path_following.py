"""Path following: walkers find a winding road and keep to it, each in its own place. Reynolds 1999, "Path following"."""

from typing import Any

import numpy as np

from steersman.environment.paths.path import Path
from steersman.metrics.following import projected
from steersman.scenarios.old import OldScenario, meters_of
from steersman.world.world import World

SPINE = [[14, 16], [44, 12], [60, 30], [84, 34], [100, 14], [134, 14], [146, 40], [124, 56], [132, 78], [102, 82],
         [82, 60], [58, 58], [44, 80], [16, 76], [28, 48]]  # fmt: skip
"""Points that the road goes through [m]."""

RADIUS = 4.5
"""Half the width of the road [m]."""


def document(*, n: int, seed: int) -> dict[str, Any]:
    """Put n walkers anywhere around a road that is closed."""
    return {
        "seconds": 24.0,
        "domain": {"kind": "box", "size": [160.0, 92.0]},
        "picture": {"trails": 3.0},
        "paths": [{"name": "road", "kind": "spline", "points": SPINE, "radius": RADIUS, "closed": True}],
        "populations": [
            {
                "name": "walkers",
                "n": n,
                "color": "blue",
                "spawn": {"shape": "box"},
                "max_speed": 8.0,
                "max_force": 24.0,
                "radius": 0.6,
                "metrics": [{"metric": name, "to": "road"} for name in ("path_error", "off_path", "progress")],
                "steering": {
                    "behavior": "WeightedSum",
                    "parts": [
                        {"behavior": "FollowPath", "path": "road", "lookahead": 0.6},
                        {"behavior": "Separation", "radius": 3.0, "weight": 0.8},
                    ],
                },
            }
        ],
    }


def at_rims(world: World) -> float:
    """Fraction of the walkers in the outer quarters of the road."""
    nearest = projected(world["walkers"], Path.spline(SPINE, closed=True))
    return float(np.mean(nearest.distance > 0.75 * RADIUS))


def check(world: World) -> list[str]:
    """They are on the road and all over it, and go along it."""
    meters, problems = meters_of(world), []
    if not at_rims(world) < 0.3:
        problems.append(f"they must spread over the road, but {at_rims(world):.0%} are at its rims")
    off, error, speed = (meters[f"walkers.{name}"].now for name in ("off_path", "path_error", "progress"))
    if not off < 0.1:
        problems.append(f"they must be on the road, but {100 * off:.0f} % are beside it")
    if not error < 4:
        problems.append(f"they must be near the middle of the road, but are {error:.1f} m away")
    if not speed > 5:
        problems.append(f"they must go along the road, but do so at {speed:.1f} m/s")
    return problems


SCENARIO = OldScenario(
    name="path_following",
    shows="Walkers find a winding road and keep to it, each in its own place.",
    tags=("individual", "path", "Reynolds 1999"),
    dimensions=2,
    n=70,
    document=document,
    check=check,
    quick=30,
)
