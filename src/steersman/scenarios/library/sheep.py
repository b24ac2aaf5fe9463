"""Sheep: they stroll between trees, and get out of the way of a dog.

The game AI lecture's animal simulation: wander, obstacle avoidance (trees), evade (a predator), the more urgent first.
"""

from typing import Any

from steersman.scenarios.library.obstacle_avoidance import scatter
from steersman.scenarios.old import OldScenario, meters_of
from steersman.world.world import World


def document(*, n: int, seed: int, trees: int = 18) -> dict[str, Any]:
    """Put n sheep and a dog on a meadow with trees, which is a torus."""
    width, height = 130.0, 80.0
    centers, radii = scatter(trees, width, height, seed)
    return {
        "seconds": 14.0,
        "domain": {"kind": "torus", "size": [width, height]},
        "picture": {"trails": 2.0},
        "obstacles": [{"name": "trees", "center": centers, "radius": [0.4 * radius for radius in radii]}],
        "populations": [flock(n), dog()],
    }


def flock(n: int) -> dict[str, Any]:
    """The sheep."""
    return {
        "name": "sheep",
        "n": n,
        "color": "gray",
        "spawn": {"shape": "box"},
        "clearance": 1.5,
        "velocity": {"kind": "random", "speed": 1.5},
        "max_speed": 8.0,
        "max_force": 24.0,
        "response_time": 0.2,
        "radius": 0.6,
        "metrics": ["penetration", "mean_speed", "nearest_distance", {"metric": "closest_to", "to": "dog"}],
        "steering": {
            "behavior": "Priority",
            "parts": [
                {"behavior": "AvoidObstacles", "obstacles": "trees", "lookahead": 0.8},
                {
                    "behavior": "WeightedSum",
                    "parts": [
                        {"weight": 1.0, "behavior": "Evade", "pursuer": "dog", "panic_distance": 18.0},
                        {"weight": 0.5, "behavior": "Separation", "radius": 2.5},
                        {"weight": 0.15, "behavior": "Wander", "law": "turn", "speed": 1.5, "rate": 2.0},
                    ],
                },
            ],
        },
    }


def dog() -> dict[str, Any]:
    """The dog: slower than a sheep in fear."""
    return {
        "name": "dog",
        "n": 1,
        "color": "red",
        "spawn": {"shape": "box"},
        "clearance": 2.0,
        "max_speed": 6.0,
        "max_force": 20.0,
        "response_time": 0.2,
        "radius": 0.8,
        "metrics": ["mean_speed"],
        "steering": {
            "behavior": "Priority",
            "parts": [
                {"behavior": "AvoidObstacles", "obstacles": "trees", "lookahead": 0.8},
                {"behavior": "Pursue", "quarry": "sheep"},
            ],
        },
    }


def check(world: World) -> list[str]:
    """The dog was after them and caught nobody; nobody ran into a tree or stood still."""
    meters, problems = meters_of(world), []
    closest, depth = meters["sheep.closest_to"], meters["sheep.penetration"].greatest
    if not closest.least > 1.4:
        problems.append(f"the dog must not touch a sheep (1.4 m), but came as near as {closest.least:.1f} m")
    if not meters["dog.mean_speed"].greatest > 4:
        problems.append(f"the dog must run, but its speed was {meters['dog.mean_speed'].greatest:.1f} m/s at most")
    if not depth < 0.15:
        problems.append(f"nobody may run into a tree, but somebody did by {depth:.2f} m")
    if not meters["sheep.mean_speed"].now > 0.8:
        problems.append(f"sheep must stroll, but the mean speed is {meters['sheep.mean_speed'].now:.1f} m/s")
    return problems


SCENARIO = OldScenario(
    name="sheep",
    shows="Sheep stroll between trees, and get out of the way of a dog that is after them.",
    tags=("story", "priority", "obstacles", "game AI lecture"),
    dimensions=2,
    n=40,
    document=document,
    check=check,
)
