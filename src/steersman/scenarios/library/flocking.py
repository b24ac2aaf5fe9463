"""Flocking: separation, alignment and cohesion make a flock out of a crowd. Reynolds 1987 and 1999, "Flocking"."""

import math
from typing import Any

from steersman.scenarios.old import OldScenario, meters_of
from steersman.world.world import World


def document(*, n: int, seed: int) -> dict[str, Any]:
    """Put n boids on a torus of constant density, with three rocks to fly around."""
    edge = 6.0 * math.sqrt(max(n, 50))
    return {
        "seconds": 20.0,
        "domain": {"kind": "torus", "size": [edge, edge]},
        "picture": {"trails": 1.0},
        "obstacles": [
            {
                "name": "rocks",
                "center": [[0.27 * edge, 0.3 * edge], [0.72 * edge, 0.42 * edge], [0.42 * edge, 0.78 * edge]],
                "radius": [0.05 * edge, 0.075 * edge, 0.06 * edge],
            }
        ],
        "populations": [
            {
                "name": "boids",
                "n": n,
                "color": "blue",
                "spawn": {"shape": "box"},
                "clearance": 1.0,
                "velocity": {"kind": "random", "speed": {"low": 4.0, "high": 9.0}},
                "max_speed": 12.0,
                "max_force": 30.0,
                "metrics": ["polarization", "local_polarization", "mean_speed", "nearest_distance", "penetration"],
                "steering": steering(),
            }
        ],
    }


def steering() -> dict[str, Any]:
    """Rocks first; then the three urges, and a little wandering."""
    return {
        "behavior": "Priority",
        "parts": [
            {"behavior": "AvoidObstacles", "obstacles": "rocks", "lookahead": 1.5},
            {
                "behavior": "WeightedSum",
                "parts": [
                    {"weight": 1.6, "behavior": "Separation", "radius": 4.0},
                    {"weight": 0.9, "behavior": "Alignment", "radius": 9.0},
                    {"weight": 1.0, "behavior": "Cohesion", "radius": 9.0},
                    {"weight": 0.2, "behavior": "Wander"},
                ],
            },
        ],
    }


def check(world: World) -> list[str]:
    """They fly as their neighbors do, at speed, and keep apart from each other and from the rocks."""
    meters, problems = meters_of(world), []
    order = meters["boids.local_polarization"]  # Large flocks part at the rocks, and head several ways.
    if not (order.now > 0.8 and order.now > order.start + 0.3):
        problems.append(f"local polarization must rise above 0.8, but went from {order.start:.2f} to {order.now:.2f}")
    if not meters["boids.mean_speed"].now > 7:
        problems.append(f"they must fly, but the mean speed is {meters['boids.mean_speed'].now:.1f} m/s")
    if not meters["boids.nearest_distance"].now > 0.6:
        problems.append(f"they must keep apart, but neighbors are at {meters['boids.nearest_distance'].now:.2f} m")
    if not meters["boids.penetration"].greatest < 1:
        problems.append(f"nobody may fly into a rock, but somebody did by {meters['boids.penetration'].greatest:.2f} m")
    return problems


SCENARIO = OldScenario(
    name="flocking",
    shows="Separation, alignment and cohesion make flocks out of a crowd.",
    tags=("group", "obstacles", "priority", "Reynolds 1987"),
    dimensions=2,
    n=900,
    document=document,
    check=check,
    quick=150,
)
