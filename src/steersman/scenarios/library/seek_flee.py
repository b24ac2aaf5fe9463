"""Seek and flee: two populations and one point.

Seekers head for it at full speed, shoot past, turn and come back, like moths around a lamp; fleers get away from it.
Reynolds 1999, "Seek" and "Flee".
"""

from typing import Any

from steersman.scenarios.scenario import Scenario
from steersman.scenarios.stage import meters_of
from steersman.world.world import World


def document(*, n: int, seed: int) -> dict[str, Any]:
    """Put n seekers on a ring that circle at first, and n fleers around the point."""
    lamp = [0.0, 0.0]
    body = {"max_speed": 10.0, "max_force": 9.0, "response_time": 0.5, "radius": 0.8}
    return {
        "seconds": 8.0,
        "picture": {"trails": 8.0},
        "populations": [
            {
                "name": "seekers",
                "n": n,
                "color": "blue",
                "spawn": {"shape": "ring", "radius": 40.0},
                "velocity": {"kind": "around", "speed": 8.0},
                **body,
                "metrics": [{"metric": "distance_to", "to": lamp}, {"metric": "closest_to", "to": lamp}],
                "steering": {"behavior": "Seek", "target": lamp, "thrust": "full"},
            },
            {
                "name": "fleers",
                "n": n,
                "color": "orange",
                "spawn": {"shape": "disc", "radius": 14.0},
                "velocity": {"kind": "random", "speed": 6.0},
                **body,
                "metrics": [{"metric": "distance_to", "to": lamp}, {"metric": "closest_to", "to": lamp}],
                "steering": {"behavior": "Flee", "target": lamp, "speed": 7.0},
            },
        ],
    }


def check(world: World) -> list[str]:
    """Seekers came to the point and stay around it; fleers are all far away."""
    meters, problems = meters_of(world), []
    if not meters["seekers.closest_to"].least < 3:
        problems.append(f"no seeker came within 3 m of the point, only {meters['seekers.closest_to'].least:.1f} m")
    seekers = meters["seekers.distance_to"]
    if not seekers.now < 0.4 * seekers.start:
        problems.append(f"seekers must come closer, but went from {seekers.start:.1f} to {seekers.now:.1f} m")
    fleers = meters["fleers.closest_to"]
    if not fleers.now > 40:
        problems.append(f"all fleers must be 40 m away, but one is at {fleers.now:.1f} m")
    return problems


SCENARIO = Scenario(
    name="seek_flee",
    shows="Seekers circle a point like moths around a lamp; fleers get away from it.",
    tags=("individual", "Reynolds 1999"),
    dimensions=2,
    n=14,
    document=document,
    check=check,
)
