"""Wander, chase, evade: one strolls, one chases it, and one keeps out of its way.

The figure that opens the project notes: three vehicles, driven by Wander, Pursue and Evade. Here there are n of each.
"""

import math
from typing import Any

from steersman.scenarios.old import OldScenario, meters_of
from steersman.world.world import World


def document(*, n: int, seed: int) -> dict[str, Any]:
    """Put n of each kind on a torus of constant density."""
    edge = 38.0 * math.sqrt(max(n, 2))
    wander = {"behavior": "Wander", "law": "turn", "speed": 5.0, "rate": 1.5, "max_turn_rate": 2.0}
    common = {"n": n, "spawn": {"shape": "box"}, "velocity": {"kind": "random", "speed": 4.0}, "radius": 0.8}
    return {
        "seconds": 12.0,
        "domain": {"kind": "torus", "size": [1.6 * edge, edge]},
        "picture": {"trails": 3.0, "size": 1.3},
        "populations": [
            {
                **common,
                "name": "strollers",
                "color": "green",
                "max_speed": 6.0,
                "max_force": 12.0,
                "metrics": ["mean_speed"],
                "steering": wander,
            },
            {
                **common,
                "name": "chasers",
                "color": "orange",
                "max_speed": 8.0,
                "max_force": 20.0,
                "metrics": [{"metric": "distance_to", "to": "strollers"}],
                "steering": {
                    "behavior": "WeightedSum",
                    "parts": [
                        {"behavior": "Pursue", "quarry": "strollers"},
                        {"behavior": "Separation", "radius": 2.5, "of": "strollers"},
                    ],
                },
            },
            {
                **common,
                "name": "evaders",
                "color": "blue",
                "max_speed": 8.0,
                "max_force": 20.0,
                "metrics": [{"metric": "closest_to", "to": "strollers"}, "mean_speed"],
                "steering": {
                    "behavior": "Priority",
                    "parts": [{"behavior": "Evade", "pursuer": "strollers", "panic_distance": 16.0}, wander],
                },
            },
        ],
    }


def check(world: World) -> list[str]:
    """Those who chase have come near, those who evade have not been touched, and everybody moves."""
    meters, problems = meters_of(world), []
    chase, evade = meters["chasers.distance_to"], meters["evaders.closest_to"]
    if not chase.now < 4:
        problems.append(f"chasers must be within 4 m of a stroller on average, but are at {chase.now:.1f} m")
    if not evade.now > 10:
        problems.append(f"evaders must keep 10 m away from strollers, but somebody is at {evade.now:.1f} m")
    if not meters["strollers.mean_speed"].now > 4:
        problems.append(f"strollers must move, but their mean speed is {meters['strollers.mean_speed'].now:.1f} m/s")
    return problems


SCENARIO = OldScenario(
    name="wander_chase_evade",
    shows="Some stroll, some chase them, and some keep out of their way.",
    tags=("story", "individual", "project notes"),
    dimensions=2,
    n=5,
    document=document,
    check=check,
)
