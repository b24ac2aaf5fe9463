"""Vicsek: everybody takes the heading of its neighbors, with some noise. More noise, less order.

Vicsek et al. 1995, by Alignment of that law: every step each takes the mean heading of all within the radius, itself among
them, plus an angle that is uniform in [-noise / 2, noise / 2], and goes on at constant speed. Its order parameter is the
polarization.
"""

from typing import Any

from steersman.scenarios.old import OldScenario, meters_of
from steersman.world.world import World


def document(*, n: int, seed: int, noise: float = 1.0) -> dict[str, Any]:
    """Put n vehicles on a torus, four in the square of the radius within which they see each other.

    Args:
        n: How many.
        seed: Seed of everything random.
        noise: Vicsek's eta, the width of the random angles [rad]. At 2 pi there is no order.
    """
    edge = (n / 4.0) ** 0.5
    return {
        "seconds": 25.0,
        "dt": 1 / 30,  # A step of 0.03 radii, as in the paper.
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
                "max_force": 100.0,  # The new heading is taken at once.
                "response_time": "step",
                "metrics": ["polarization", "mean_speed"],
                "steering": {"behavior": "Alignment", "law": "vicsek", "radius": 1.0, "speed": 1.0, "noise": noise},
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


SCENARIO = OldScenario(
    name="vicsek",
    shows="Everybody takes the heading of its neighbors, with some noise; they find one heading.",
    tags=("group", "order", "Vicsek 1995"),
    dimensions=2,
    n=300,
    document=document,
    check=check,
    quick=100,
)
