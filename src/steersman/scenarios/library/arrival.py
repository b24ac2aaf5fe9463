"""Arrival: everybody goes to a place of their own, slows down and stops on it. Reynolds 1999, "Arrival"."""

import math
from typing import Any

from steersman.scenarios.old import OldScenario, meters_of
from steersman.world.world import World


def document(*, n: int, seed: int) -> dict[str, Any]:
    """Put n vehicles at rest, scattered; their places are on a circle."""
    # The golden angle deals neighboring vehicles out to distant places; the radius leaves room for all.
    radius = max(20.0, 0.6 * n)
    places = [
        [radius * math.cos(2 * math.pi * k / n), radius * math.sin(2 * math.pi * k / n)]
        for k in range(n)
    ]  # fmt: skip
    return {
        "seconds": 14.0,
        "picture": {"trails": 14.0},
        "populations": [
            {
                "name": "vehicles",
                "n": n,
                "color": "green",
                "spawn": {"shape": "disc", "radius": 3 * radius},
                "max_speed": 12.0,
                "max_force": 14.0,
                "response_time": 0.2,
                "radius": 0.8,
                "metrics": [
                    "mean_speed",
                    {"metric": "farthest_from", "to": places},
                    {"metric": "retreat", "to": places},
                ],
                "steering": {"behavior": "Arrive", "target": places, "slowing_distance": 20.0},
            }
        ],
    }


def check(world: World) -> list[str]:
    """Everybody stands on a place, and nobody overshot theirs."""
    meters, problems = meters_of(world), []
    distance, speed = meters["vehicles.farthest_from"].now, meters["vehicles.mean_speed"].now
    if not distance < 0.5:
        problems.append(f"everybody must be within 0.5 m of a place, but somebody is {distance:.2f} m away")
    if not speed < 0.3:
        problems.append(f"everybody must stand still, but the mean speed is {speed:.2f} m/s")
    if not meters["vehicles.retreat"].greatest < 0.05:
        problems.append(
            f"nobody may overshoot, but somebody went away at {meters['vehicles.retreat'].greatest:.2f} m/s"
        )
    return problems


SCENARIO = OldScenario(
    name="arrival",
    shows="Everybody slows down and stops on a place of their own, without overshooting.",
    tags=("individual", "Reynolds 1999"),
    dimensions=2,
    n=36,
    document=document,
    check=check,
)
