"""Unaligned collision avoidance: crowds cross, and nobody runs into anybody.

Reynolds 1999, "Unaligned collision avoidance".
"""

from typing import Any

from steersman.scenarios.old import OldScenario, meters_of
from steersman.world.world import World

DIRECTIONS = {"eastbound": [1.0, 0.0], "northbound": [0.0, 1.0]}


def document(*, n: int, seed: int) -> dict[str, Any]:
    """Put two crowds of n each on a torus, one bound for the east and one for the north."""
    edge = 7.0 * max(n, 20) ** 0.5
    return {
        "seconds": 20.0,
        "dt": 1 / 30,
        "domain": {"kind": "torus", "size": [edge, edge]},
        "picture": {"trails": 3.0},
        "populations": [
            crowd("eastbound", n, "blue", edge / 2),
            crowd("northbound", n, "orange", edge / 2 + 3.0),
        ],
    }


def crowd(name: str, n: int, color: str, middle: float) -> dict[str, Any]:
    """Those who go one way. They mind the others more than their own kind, who go the same way."""
    direction = DIRECTIONS[name]
    others = next(other for other in DIRECTIONS if other != name)
    return {
        "name": name,
        "n": n,
        "color": color,
        "spawn": {"shape": "grid", "spacing": 6.0, "center": [middle, middle]},
        "velocity": {"kind": "along", "direction": direction, "speed": {"low": 1.2, "high": 1.8}},
        "max_speed": 2.0,
        "max_force": 10.0,
        "metrics": ["mean_speed", "polarization", {"metric": "closest_to", "to": others}],
        "steering": {
            "behavior": "Priority",
            "parts": [
                {"behavior": "AvoidNeighbors", "of": others, "lookahead": 4.0, "radius": 16.0},
                {"behavior": "AvoidNeighbors", "lookahead": 3.0},
                {"behavior": "MatchVelocity", "of": [1.5 * x for x in direction]},
            ],
        },
    }


def check(world: World) -> list[str]:
    """Nobody touched anybody of the other crowd, and all went on."""
    meters, problems = meters_of(world), []
    for name, direction in DIRECTIONS.items():
        closest = meters[f"{name}.closest_to"].least
        if not closest > 0.95:
            problems.append(f"{name} must keep clear of the others, but somebody came as near as {closest:.2f} m")
        along = float((world[name].velocity @ direction).mean())
        if not along > 1.1:
            problems.append(f"{name} must get on, but goes its way at {along:.1f} m/s only")
    return problems


SCENARIO = OldScenario(
    name="unaligned_collision_avoidance",
    shows="Two crowds cross, and nobody runs into anybody.",
    tags=("group", "crowd", "priority", "Reynolds 1999"),
    dimensions=2,
    n=60,
    document=document,
    check=check,
    quick=30,
)
