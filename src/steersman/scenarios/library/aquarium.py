"""Aquarium: fish school within the walls of a tank. Reynolds 1999, "Containment" (his own example), in 3D."""

from typing import Any

from steersman.scenarios.old import OldScenario, meters_of
from steersman.world.world import World

SIZE = [60.0, 30.0, 24.0]
"""Edges of the tank [m]."""


def document(*, n: int, seed: int) -> dict[str, Any]:
    """Put n fish anywhere in the tank."""
    return {
        "seconds": 20.0,
        "picture": {"trails": 1.0, "size": 0.8, "azimuth": -62.0, "elevation": 14.0},
        "regions": [{"name": "tank", "kind": "box", "size": SIZE}],
        "populations": [
            {
                "name": "fish",
                "n": n,
                "color": "orange",
                "spawn": {"shape": "box", "center": [30.0, 15.0, 12.0], "size": [48.0, 18.0, 12.0]},
                "velocity": {"kind": "random", "speed": 4.0},
                "max_speed": 6.0,
                "max_force": 24.0,
                "radius": 0.4,
                "metrics": [{"metric": "outside", "to": "tank"}, "polarization", "nearest_distance", "mean_speed"],
                "steering": {
                    "behavior": "Priority",
                    "parts": [
                        {"behavior": "Contain", "region": "tank", "lookahead": 1.0, "margin": 1.0},
                        {
                            "behavior": "WeightedSum",
                            "parts": [
                                {"weight": 1.5, "behavior": "Separation", "radius": 2.5},
                                {"weight": 1.0, "behavior": "Alignment", "radius": 5.0, "angle": 4.7},
                                {"weight": 0.6, "behavior": "Cohesion", "radius": 6.0, "angle": 4.7},
                                {"weight": 0.3, "behavior": "Wander"},
                            ],
                        },
                    ],
                },
            }
        ],
    }


def check(world: World) -> list[str]:
    """No fish goes through the glass; they swim, and keep apart."""
    meters, problems = meters_of(world), []
    outside, speed = meters["fish.outside"].greatest, meters["fish.mean_speed"].now
    apart = meters["fish.nearest_distance"].now
    if outside > 0:
        problems.append(f"no fish may go through the glass, but {100 * outside:.0f} % were outside at one time")
    if not speed > 3:
        problems.append(f"they must keep swimming, but the mean speed is {speed:.1f} m/s")
    if not apart > 0.8:
        problems.append(f"they must keep apart, but the nearest fish is at {apart:.2f} m")
    return problems


SCENARIO = OldScenario(
    name="aquarium",
    shows="Fish school in a tank, and never touch its glass.",
    tags=("3d", "group", "region", "priority", "Reynolds 1999"),
    dimensions=3,
    n=150,
    document=document,
    check=check,
    quick=60,
)
