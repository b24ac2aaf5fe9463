"""Context map: two crowds go to opposite sides through a field of rocks, and choose their ways among directions.

Known in games as context steering (Fray 2013): interest in the goal, danger of rocks and of others.
"""

from typing import Any

from steersman.scenarios.library.obstacle_avoidance import scatter
from steersman.scenarios.scenario import Scenario
from steersman.scenarios.stage import meters_of
from steersman.world.world import World

WIDTH, HEIGHT = 120.0, 60.0


def document(*, n: int, seed: int, rocks: int = 18) -> dict[str, Any]:
    """Put a crowd on each side of a field of rocks; n go to the right, as many to the left."""
    centers, radii = scatter(rocks, WIDTH, HEIGHT, seed)
    inside = [(center, radius) for center, radius in zip(centers, radii, strict=True) if 25 < center[0] < WIDTH - 25]
    return {
        "seconds": 24.0,
        "picture": {"trails": 18.0},
        "obstacles": [
            {"name": "rocks", "center": [center for center, _ in inside], "radius": [0.6 * radius for _, radius in inside]}
        ],
        "populations": [crowd("eastward", "blue", n, 8.0, WIDTH + 300.0), crowd("westward", "orange", n, WIDTH - 8.0, -300.0)],
    }  # fmt: skip


def crowd(name: str, color: str, n: int, x: float, goal: float) -> dict[str, Any]:
    """A crowd that begins around x and goes straight on, were there nothing in its way."""
    other = "westward" if name == "eastward" else "eastward"
    return {
        "name": name,
        "n": n,
        "color": color,
        "spawn": {"shape": "box", "center": [x, HEIGHT / 2], "size": [14.0, HEIGHT - 16.0]},
        "max_speed": 5.0,
        "max_force": 25.0,
        "response_time": 0.2,
        "radius": 0.5,
        "metrics": ["penetration", "mean_speed", {"metric": "closest_to", "to": other}, {"metric": "distance_to", "to": [goal, 30.0]}],
        "steering": {
            "behavior": "ContextMap",
            "interest": [{"behavior": "Seek", "target": [goal, HEIGHT / 2]}],
            "danger": [
                {"behavior": "Separation", "radius": 3.0},
                {"weight": 1.5, "behavior": "Separation", "radius": 5.0, "of": other},
            ],
            "obstacles": "rocks",
            "lookahead": 1.6,
        },
    }  # fmt: skip


def check(world: World) -> list[str]:
    """Both crowds came through, and touched no rock and nobody of the other crowd."""
    meters, problems = meters_of(world), []
    for name, other in (("eastward", "westward"), ("westward", "eastward")):
        depth, close = meters[f"{name}.penetration"].greatest, meters[f"{name}.closest_to"].least
        left = meters[f"{name}.distance_to"].now
        if not depth < 0.05:
            problems.append(f"nobody who goes {name} may run into a rock, but somebody did by {depth:.2f} m")
        if not close > 0.5:
            problems.append(f"they must keep clear of those who go {other}, but came as near as {close:.2f} m")
        if not left < 320:
            problems.append(f"those who go {name} must get through, but they still have {left:.0f} m to go")
    return problems


SCENARIO = Scenario(
    name="context_map",
    shows="Two crowds go through each other and a field of rocks, choosing among directions.",
    tags=("combining", "obstacles", "crowd"),
    dimensions=2,
    n=30,
    document=document,
    check=check,
)
