"""Doorway: a crowd leaves through a narrow door, one after the other, without pushing.

Reynolds 1999 tells of queuing at a doorway as a thing that steering makes possible.
"""

from typing import Any

from steersman.scenarios.old import OldScenario, meters_of
from steersman.world.world import World

HALF = 0.6
"""Half the width of the door [m]."""


def document(*, n: int, seed: int) -> dict[str, Any]:
    """Put n vehicles on one side of a wall with a door; all want to the other side."""
    size = 4.0 + n**0.5
    far = 1.2 * size
    return {
        "seconds": 4.0 + size + 0.85 * n,
        "dt": 1 / 30,
        "picture": {"trails": 3.0},
        "obstacles": [
            {"name": "wall", "kind": "walls", "points": [[0.0, -far], [0.0, -HALF]]},
            {"name": "other wall", "kind": "walls", "points": [[0.0, HALF], [0.0, far]]},
        ],
        "populations": [
            {
                "name": "people",
                "n": n,
                "color": "blue",
                "spawn": {"shape": "box", "center": [-2.0 - size / 2, 0.0], "size": [size, 1.5 * size]},
                "radius": 0.25,
                "max_speed": 1.4,
                "max_force": 6.0,
                "response_time": 0.1,
                "metrics": ["mean_speed", "overlap", "penetration"],
                "steering": {
                    "behavior": "Priority",
                    "parts": [
                        {"behavior": "Queue", "doorway": [-0.4, 0.0], "exit": [1.0, 0.0], "headway": 0.5},
                        {
                            "behavior": "WeightedSum",
                            "parts": [
                                {"behavior": "Arrive", "target": [size, 0.0]},
                                {"behavior": "Separation", "radius": 1.5, "weight": 2.0},
                            ],
                        },
                    ],
                },
            }
        ],
    }


def check(world: World) -> list[str]:
    """Everybody is out, and nobody was pushed into the wall."""
    meters, problems = meters_of(world), []
    out = float((world["people"].position[:, 0] > 0).mean())
    if not out > 0.99:
        problems.append(f"everybody must get out, but only {out:.0%} did")
    if not meters["people.penetration"].greatest < 0.05:
        problems.append(f"nobody may touch the wall, but somebody did by {meters['people.penetration'].greatest:.2f} m")
    if not meters["people.overlap"].now < 0.05:
        problems.append(f"nobody may push, but two overlap by {meters['people.overlap'].now:.2f} m")
    return problems


SCENARIO = OldScenario(
    name="doorway",
    shows="A crowd leaves through a narrow door, one after the other, without pushing.",
    tags=("group", "crowd", "priority", "Reynolds 1999"),
    dimensions=2,
    n=50,
    document=document,
    check=check,
    quick=20,
)
