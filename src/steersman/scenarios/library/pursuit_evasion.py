"""Pursuit and evasion: hunters head for where their quarry will be, and it swerves away from where they will be.

Reynolds 1999, "Pursuit" and "Evasion". The evaders stroll until a hunter comes near; hunters keep apart from each other.
"""

import math
from typing import Any

from steersman.scenarios.scenario import Scenario
from steersman.scenarios.stage import meters_of
from steersman.world.world import World


def document(*, n: int, seed: int) -> dict[str, Any]:
    """Put n hunters and three times as many evaders, on a torus of constant density."""
    edge = 45.0 * math.sqrt(max(n, 4))
    return {
        "seconds": 12.0,
        "domain": {"kind": "torus", "size": [edge, edge]},
        "picture": {"trails": 2.5},
        "populations": [
            hunters(n),
            evaders(3 * n),
        ],
    }


def hunters(n: int) -> dict[str, Any]:
    """Those who pursue the nearest evader, and keep apart."""
    return {
        "name": "hunters",
        "n": n,
        "color": "red",
        "spawn": {"shape": "box"},
        "velocity": {"kind": "random", "speed": 6.0},
        "max_speed": 13.0,
        "max_force": 20.0,
        "response_time": 0.2,
        "radius": 1.0,
        "metrics": [{"metric": "distance_to", "to": "evaders"}, {"metric": "closest_to", "to": "evaders"}],
        "steering": {
            "behavior": "WeightedSum",
            "parts": [
                {"behavior": "Pursue", "quarry": "evaders", "prediction": "Intercept"},
                {"behavior": "Separation", "radius": 8.0},
            ],
        },
    }


def evaders(n: int) -> dict[str, Any]:
    """Those who stroll until a hunter is near."""
    return {
        "name": "evaders",
        "n": n,
        "color": "sky",
        "spawn": {"shape": "box"},
        "velocity": {"kind": "random", "speed": 5.0},
        "max_speed": 9.5,
        "max_force": 24.0,
        "response_time": 0.2,
        "radius": 0.8,
        "metrics": ["mean_speed"],
        "steering": {
            "behavior": "Priority",
            "parts": [
                {
                    "behavior": "Evade",
                    "pursuer": "hunters",
                    "panic_distance": 22.0,
                    "unpredictability": 0.25,
                },
                {"behavior": "Wander", "strength": 0.35, "distance": 0.2},
            ],
        },
    }


def check(world: World) -> list[str]:
    """The hunters came close to their quarry, and caught somebody."""
    meters, problems = meters_of(world), []
    closest = meters["hunters.closest_to"].least
    if not closest < 1.8:
        problems.append(f"some hunter must touch an evader, but the closest came to {closest:.1f} m")
    distance = meters["hunters.distance_to"]
    if not distance.now < 8:
        problems.append(f"hunters must be within 8 m of an evader on average, but are at {distance.now:.1f} m")
    return problems


SCENARIO = Scenario(
    name="pursuit_evasion",
    shows="Hunters head for where their quarry will be; it strolls until they are near, and then swerves away.",
    tags=("individual", "priority", "Reynolds 1999"),
    dimensions=2,
    n=6,
    document=document,
    check=check,
)
