"""Offset pursuit: ships make for a cruiser, pass beside it and not into it. Reynolds 1999, "Offset pursuit"."""

from typing import Any

from steersman.scenarios.scenario import Scenario
from steersman.scenarios.stage import meters_of
from steersman.world.world import World

RADIUS = 10.0
"""How near they pass [m]."""


def document(*, n: int, seed: int) -> dict[str, Any]:
    """Put n ships around a cruiser that goes straight on."""
    return {
        "seconds": 16.0,
        "picture": {"trails": 6.0},
        "populations": [
            {
                "name": "ships",
                "n": n,
                "color": "blue",
                "spawn": {"shape": "ring", "radius": 60.0},
                "velocity": {"kind": "random", "speed": 8.0},
                "max_speed": 14.0,
                "max_force": 30.0,
                "response_time": 0.15,
                "metrics": [{"metric": "closest_to", "to": "cruiser"}, {"metric": "distance_to", "to": "cruiser"}],
                "steering": {"behavior": "OffsetPursuit", "quarry": "cruiser", "radius": RADIUS},
            },
            {
                "name": "cruiser",
                "n": 1,
                "color": "red",
                "spawn": {"shape": "points", "position": [[-20.0, 0.0]]},
                "max_speed": 4.0,
                "max_force": 10.0,
                "radius": 1.5,
                "steering": {"behavior": "MatchVelocity", "of": [2.0, 0.0]},
            },
        ],
    }


def check(world: World) -> list[str]:
    """Ships came near the cruiser, and none ran into it."""
    meters, problems = meters_of(world), []
    closest = meters["ships.closest_to"].least
    if not closest > 0.4 * RADIUS:
        problems.append(f"nobody may come nearer than {0.4 * RADIUS:.1f} m, but somebody came to {closest:.1f} m")
    mean = meters["ships.distance_to"].least
    if not (closest < 1.2 * RADIUS and mean < 30):
        problems.append(f"they must fly by at {RADIUS:g} m, but came to {closest:.1f} m, and {mean:.1f} m on average")
    return problems


SCENARIO = Scenario(
    name="offset_pursuit",
    shows="Ships make for a cruiser, pass beside it and not into it, and turn about there.",
    tags=("individual", "Reynolds 1999"),
    dimensions=2,
    n=8,
    document=document,
    check=check,
)
