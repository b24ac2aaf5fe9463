"""Cohesion: scattered vehicles gather. Reynolds 1999, "Cohesion"."""

from typing import Any

from steersman.scenarios.old import OldScenario, meters_of
from steersman.world.world import World


def document(*, n: int, seed: int) -> dict[str, Any]:
    """Scatter n vehicles that move in all directions."""
    return {
        "seconds": 14.0,
        "picture": {"trails": 5.0},
        "populations": [
            {
                "name": "crowd",
                "n": n,
                "color": "blue",
                "spawn": {"shape": "disc", "center": [0.0, 0.0], "radius": 40.0},
                "velocity": {"kind": "random", "speed": 3.0},
                "max_speed": 5.0,
                "max_force": 8.0,
                "metrics": ["dispersion", "mean_speed", "nearest_distance"],
                "steering": {"behavior": "Cohesion", "law": "seek", "speed": "offset", "radius": 60.0},
            }
        ],
    }


def check(world: World) -> list[str]:
    """They are together."""
    meters = meters_of(world)
    spread = meters["crowd.dispersion"]
    if spread.now < 0.2 * spread.start:
        return []
    return [f"they must gather to a fifth of their spread, but went from {spread.start:.0f} m to {spread.now:.0f} m"]


SCENARIO = OldScenario(
    name="cohesion",
    shows="Scattered vehicles gather.",
    tags=("group", "Reynolds 1999"),
    dimensions=2,
    n=60,
    document=document,
    check=check,
    quick=30,
)
