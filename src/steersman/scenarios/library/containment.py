"""Containment: skaters stay within a rink, whatever its shape. Reynolds 1999, "Containment"."""

from typing import Any

from steersman.scenarios.old import OldScenario, meters_of
from steersman.world.world import World

RINK = [[8, 8], [60, 4], [112, 10], [116, 60], [84, 68], [70, 36], [46, 34], [36, 70], [6, 62]]
"""Corners of the rink [m]; there is a dent in it."""


def document(*, n: int, seed: int, law: str = "inside") -> dict[str, Any]:
    """Put n skaters in the lower half of the rink."""
    return {
        "seconds": 20.0,
        "picture": {"trails": 2.5},
        "regions": [{"name": "rink", "kind": "polygon", "points": RINK}],
        "populations": [
            {
                "name": "skaters",
                "n": n,
                "color": "blue",
                "spawn": {"shape": "box", "center": [59.0, 21.0], "size": [82.0, 14.0]},
                "velocity": {"kind": "random", "speed": 6.0},
                "max_speed": 8.0,
                "max_force": 30.0,
                "radius": 0.6,
                "metrics": [{"metric": "outside", "to": "rink"}, "mean_speed", "dispersion"],
                "steering": {
                    "behavior": "Priority",
                    "parts": [
                        {"behavior": "Contain", "region": "rink", "law": law, "lookahead": 0.9, "margin": 0.8},
                        {"behavior": "Wander", "distance": 0.5, "strength": 0.3},
                    ],
                },
            }
        ],
    }


def check(world: World) -> list[str]:
    """Nobody leaves the rink, and everybody makes use of it."""
    meters, problems = meters_of(world), []
    outside, speed = meters["skaters.outside"].greatest, meters["skaters.mean_speed"].now
    if outside > 0:
        problems.append(f"nobody may leave the rink, but {100 * outside:.0f} % were outside at one time")
    if not speed > 4:
        problems.append(f"they must keep skating, but the mean speed is {speed:.1f} m/s")
    return problems


SCENARIO = OldScenario(
    name="containment",
    shows="Skaters stay within a rink that has a dent, without ever touching its edge.",
    tags=("individual", "region", "priority", "Reynolds 1999"),
    dimensions=2,
    n=60,
    document=document,
    check=check,
)
