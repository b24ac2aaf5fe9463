"""Multiple pursuit: many pursuers after one that strolls, without getting in each other's way.

After OpenSteer's demonstration of the same name; there one pursuer catches the stroller, here they surround it.
"""

from typing import Any

from steersman.scenarios.old import OldScenario, meters_of
from steersman.world.world import World


def document(*, n: int, seed: int) -> dict[str, Any]:
    """Put n pursuers around one stroller, in a world without end."""
    return {
        "seconds": 12.0,
        "picture": {"trails": 3.0},
        "populations": [
            {
                "name": "pursuers",
                "n": n,
                "color": "red",
                "spawn": {"shape": "disc", "radius": 50.0},
                "velocity": {"kind": "random", "speed": 3.0},
                "max_speed": 9.0,
                "max_force": 25.0,
                "radius": 0.7,
                "metrics": [
                    "nearest_distance",
                    "overlapping",
                    {"metric": "distance_to", "to": "stroller"},
                    {"metric": "closest_to", "to": "stroller"},
                ],
                "steering": {
                    "behavior": "WeightedSum",
                    "parts": [
                        {"weight": 1.0, "behavior": "Pursue", "quarry": "stroller"},
                        {"weight": 1.5, "behavior": "Separation", "radius": 4.0},
                    ],
                },
            },
            {
                "name": "stroller",
                "n": 1,
                "color": "blue",
                "spawn": {"shape": "disc", "radius": 5.0},
                "velocity": {"kind": "random", "speed": 4.0},
                "max_speed": 5.0,
                "max_force": 8.0,
                "radius": 0.9,
                "steering": {"behavior": "Wander", "rate": 1.5, "distance": 0.2, "strength": 0.5},
            },
        ],
    }


def check(world: World) -> list[str]:
    """They are all around it, some near enough to touch it, and apart from each other."""
    meters, problems = meters_of(world), []
    mean, closest = meters["pursuers.distance_to"].now, meters["pursuers.closest_to"].least
    if not mean < 10:
        problems.append(f"they must be within 10 m on average, but are at {mean:.1f} m")
    if not closest < 1.6:
        problems.append(f"somebody must touch it (1.6 m), but the closest came to {closest:.1f} m")
    if not meters["pursuers.overlapping"].now < 0.1:
        problems.append(f"they must keep apart, but {100 * meters['pursuers.overlapping'].now:.0f} % overlap")
    return problems


SCENARIO = OldScenario(
    name="multiple_pursuit",
    shows="Many pursuers are after one that strolls, without getting in each other's way.",
    tags=("story", "individual", "group", "OpenSteer"),
    dimensions=2,
    n=30,
    document=document,
    check=check,
)
