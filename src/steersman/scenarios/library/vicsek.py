"""Vicsek: everybody takes the heading of its neighbors, with some noise. More noise, less order.

Vicsek et al. 1995, put together from Alignment, a random walk of the heading and a constant speed. Its order parameter is
the polarization.
"""

from typing import Any

from steersman.scenarios.scenario import Scenario
from steersman.scenarios.stage import meters_of
from steersman.world.world import World


def document(*, n: int, seed: int, noise: float = 0.3) -> dict[str, Any]:
    """Put n vehicles on a torus, four in the square of the radius within which they see each other.

    Args:
        n: How many.
        seed: Seed of everything random.
        noise: Weight of the random steering beside that of the alignment.
    """
    edge = (n / 4.0) ** 0.5
    return {
        "seconds": 25.0,
        "dt": 1 / 30,
        "domain": {"kind": "torus", "size": [edge, edge]},
        "picture": {"trails": 2.0, "size": 0.3},
        "populations": [
            {
                "name": "particles",
                "n": n,
                "color": "purple",
                "spawn": {"shape": "box"},
                "velocity": {"kind": "random", "speed": 1.0},
                "radius": 0.0,
                "max_speed": 1.0,
                "max_force": 4.0,
                "metrics": ["polarization", "mean_speed"],
                "steering": {
                    "behavior": "WeightedSum",
                    "parts": [
                        {"behavior": "Alignment", "law": "forward", "radius": 1.0},
                        {
                            "weight": noise,
                            "behavior": "Wander",
                            "law": "sphere",
                            "distance": 0.0,
                            "strength": 1.0,
                            "rate": 4.0,
                        },
                        {"behavior": "TargetSpeed", "speed": 1.0},
                    ],
                },
            }
        ],
    }


def check(world: World) -> list[str]:
    """With as little noise as usual they find one heading."""
    meters = meters_of(world)
    order = meters["particles.polarization"]
    if order.now > 0.85 and order.now > order.start + 0.3:
        return []
    return [f"polarization must rise above 0.85, but went from {order.start:.2f} to {order.now:.2f}"]


SCENARIO = Scenario(
    name="vicsek",
    shows="Everybody takes the heading of its neighbors, with some noise; they find one heading.",
    tags=("group", "order", "Vicsek 1995"),
    dimensions=2,
    n=300,
    document=document,
    check=check,
    quick=100,
)
