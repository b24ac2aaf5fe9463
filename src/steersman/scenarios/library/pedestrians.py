"""Pedestrians: two streams on one path, in opposite directions, around rocks and each other. After OpenSteer's plug-in."""

import math
from typing import Any

from steersman.scenarios.old import OldScenario, meters_of
from steersman.world.world import World


def document(*, n: int, seed: int) -> dict[str, Any]:
    """Put n vehicles on a closed path, and as many that go the other way round."""
    scale = max(1.0, n / 30) ** 0.5
    points = [[scale * x, scale * y] for x, y in [(-30, -15), (0, -22), (30, -15), (32, 15), (0, 10), (-32, 16)]]
    return {
        "seconds": 25.0,
        "dt": 1 / 30,
        "picture": {"trails": 3.0},
        "paths": [{"name": "way", "points": points, "radius": 3.0 * scale, "closed": True}],
        "obstacles": [{"name": "rocks", "center": [points[1], points[4]], "radius": 1.2}],
        "populations": [stream(name, n, math.hypot(30, 15) * scale) for name in ("clockwise", "counterclockwise")],
    }


def stream(name: str, n: int, edge: float) -> dict[str, Any]:
    """Those who go one way round."""
    ahead = name == "counterclockwise"
    others = "clockwise" if ahead else "counterclockwise"
    return {
        "name": name,
        "n": n,
        "color": "blue" if ahead else "orange",
        "spawn": {"shape": "ring", "center": [0.0, 0.0], "radius": 0.7 * edge},
        "clearance": 1.0,
        "max_speed": {"low": 1.6, "high": 2.2},
        "max_force": 12.0,
        "metrics": ["overlap", "penetration", {"metric": "progress", "to": "way"}],
        "steering": {
            "behavior": "Priority",
            "parts": [
                {"behavior": "AvoidObstacles", "obstacles": "rocks", "lookahead": 2.0},
                {"behavior": "AvoidNeighbors", "of": others, "lookahead": 2.5},
                {"behavior": "AvoidNeighbors", "lookahead": 2.0},
                {"behavior": "FollowPath", "path": "way", "law": "predicted", "direction": 1 if ahead else -1},
            ],
        },
    }


def check(world: World) -> list[str]:
    """Both streams get on, and nobody walks into a rock."""
    meters, problems = meters_of(world), []
    for name, sign in (("counterclockwise", 1), ("clockwise", -1)):
        progress = sign * meters[f"{name}.progress"].now
        if not progress > 1.0:
            problems.append(f"{name} must get on, but goes at {progress:.1f} m/s")
        if not meters[f"{name}.penetration"].greatest < 0.3:
            problems.append(
                f"{name} must keep off the rocks, but one was in {meters[f'{name}.penetration'].greatest:.2f} m"
            )
    return problems


SCENARIO = OldScenario(
    name="pedestrians",
    shows="Two streams go round on one path in opposite directions, around rocks and each other.",
    tags=("group", "crowd", "path", "obstacles", "priority", "OpenSteer"),
    dimensions=2,
    n=40,
    document=document,
    check=check,
    quick=16,
)
