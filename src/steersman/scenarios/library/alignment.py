"""Alignment: vehicles that go all ways come to go one way. Reynolds 1999, "Alignment"."""

from typing import Any

from steersman.scenarios.old import OldScenario, meters_of
from steersman.world.world import World


def document(*, n: int, seed: int) -> dict[str, Any]:
    """Put n vehicles on a torus of constant density."""
    edge = 5.0 * max(n, 30) ** 0.5
    return {
        "seconds": 15.0,
        "domain": {"kind": "torus", "size": [edge, edge]},
        "picture": {"trails": 1.5},
        "populations": [
            {
                "name": "crowd",
                "n": n,
                "color": "blue",
                "spawn": {"shape": "box"},
                "velocity": {"kind": "random", "speed": 5.0},
                "max_speed": 6.0,
                "max_force": 8.0,
                "metrics": ["polarization", "mean_speed"],
                "steering": {
                    "behavior": "WeightedSum",
                    "parts": [
                        {"behavior": "Alignment", "law": "forward", "radius": 12.0},
                        {"behavior": "TargetSpeed", "speed": 5.0},
                    ],
                },
            }
        ],
    }


def check(world: World) -> list[str]:
    """They go one way, at speed."""
    meters, problems = meters_of(world), []
    order = meters["crowd.polarization"]
    if not (order.now > 0.9 and order.now > order.start + 0.3):
        problems.append(f"polarization must rise above 0.9, but went from {order.start:.2f} to {order.now:.2f}")
    if not meters["crowd.mean_speed"].now > 4:
        problems.append(f"they must keep moving, but the mean speed is {meters['crowd.mean_speed'].now:.1f} m/s")
    return problems


SCENARIO = OldScenario(
    name="alignment",
    shows="Vehicles that go all ways come to go one way.",
    tags=("group", "Reynolds 1999"),
    dimensions=2,
    n=120,
    document=document,
    check=check,
    quick=60,
)
