"""Context map: a crowd goes through a field of rocks, and chooses its ways among directions.

Known in games as context steering (Fray 2013): interest in the goal, danger of rocks and of each other.
"""

from typing import Any

from steersman.scenarios.library.obstacle_avoidance import scatter
from steersman.scenarios.old import OldScenario, meters_of
from steersman.world.world import World

WIDTH, HEIGHT = 120.0, 60.0
GOAL = [WIDTH + 300.0, HEIGHT / 2]


def document(*, n: int, seed: int, rocks: int = 30) -> dict[str, Any]:
    """Put a crowd to the left of a field of rocks."""
    centers, radii = scatter(rocks, WIDTH, HEIGHT, seed)
    inside = [(center, radius) for center, radius in zip(centers, radii, strict=True) if center[0] > 25]
    return {
        "seconds": 26.0,
        "picture": {"trails": 20.0},
        "obstacles": [
            {"name": "rocks", "center": [center for center, _ in inside], "radius": [0.7 * radius for _, radius in inside]}
        ],
        "populations": [
            {
                "name": "walkers",
                "n": n,
                "color": "blue",
                "spawn": {"shape": "box", "center": [8.0, HEIGHT / 2], "size": [14.0, HEIGHT - 16.0]},
                "max_speed": 5.0,
                "max_force": 25.0,
                "response_time": 0.2,
                "radius": 0.5,
                "metrics": ["penetration", "mean_speed", {"metric": "distance_to", "to": GOAL}],
                "steering": {
                    "behavior": "ContextMap",
                    "interest": [{"behavior": "Seek", "target": GOAL}],
                    "danger": [{"behavior": "Separation", "radius": 3.0}],
                    "obstacles": "rocks",
                    "lookahead": 1.6,
                },
            }
        ],
    }  # fmt: skip


def check(world: World) -> list[str]:
    """All came through, and touched no rock."""
    meters, problems = meters_of(world), []
    depth, left = meters["walkers.penetration"].greatest, meters["walkers.distance_to"].now
    if not depth < 0.05:
        problems.append(f"nobody may run into a rock, but somebody did by {depth:.2f} m")
    if not left < 300 + 10:
        problems.append(f"they must get through, but they still have {left:.0f} m to go")
    return problems


SCENARIO = OldScenario(
    name="context_map",
    shows="A crowd goes through a field of rocks, choosing among directions.",
    tags=("combining", "obstacles", "crowd"),
    dimensions=2,
    n=40,
    document=document,
    check=check,
)
