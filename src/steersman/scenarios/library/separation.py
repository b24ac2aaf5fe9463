"""Separation: a crowd spreads out until everybody has room. Reynolds 1999, "Separation"."""

from typing import Any

from steersman.scenarios.old import OldScenario, meters_of
from steersman.world.world import World


def document(*, n: int, seed: int) -> dict[str, Any]:
    """Put n vehicles in a heap, at rest."""
    return {
        "seconds": 12.0,
        "picture": {"trails": 12.0},
        "populations": [
            {
                "name": "crowd",
                "n": n,
                "color": "blue",
                "spawn": {"shape": "disc", "center": [0.0, 0.0], "radius": 0.4 * n**0.5},
                "max_speed": 4.0,
                "max_force": 10.0,
                "metrics": ["nearest_distance", "mean_speed", "dispersion"],
                "steering": {
                    "behavior": "WeightedSum",
                    "parts": [
                        {"behavior": "Separation", "radius": 4.0},
                        {"behavior": "TargetSpeed", "speed": 0.0, "weight": 0.3},
                    ],
                },
            }
        ],
    }


def check(world: World) -> list[str]:
    """Neighbors are well apart."""
    meters = meters_of(world)
    distance = meters["crowd.nearest_distance"]
    if distance.now > 2.5 and distance.now > 2 * distance.start:
        return []
    return [f"neighbors must be 2.5 m apart, but went from {distance.start:.1f} m to {distance.now:.1f} m"]


SCENARIO = OldScenario(
    name="separation",
    shows="A crowd spreads out until everybody has room.",
    tags=("group", "Reynolds 1999"),
    dimensions=2,
    n=80,
    document=document,
    check=check,
    quick=40,
)
