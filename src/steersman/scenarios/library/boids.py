"""Boids: a flock in 3D, by the three urges with their nine parameters. Reynolds 1987; after OpenSteer's plug-in."""

from typing import Any

from steersman.scenarios.old import OldScenario, meters_of
from steersman.world.world import World


def document(*, n: int, seed: int) -> dict[str, Any]:
    """Put n boids in a cube of constant density that has no walls."""
    edge = 6.0 * max(n, 60) ** (1 / 3)
    return {
        "seconds": 20.0,
        "dt": 1 / 30,
        "domain": {"kind": "torus", "size": [edge, edge, edge]},
        "picture": {"trails": 1.0},
        "populations": [
            {
                "name": "boids",
                "n": n,
                "color": "blue",
                "spawn": {"shape": "box"},
                "velocity": {"kind": "random", "speed": 6.0},
                "max_speed": 9.0,
                "max_force": 27.0,
                "metrics": ["polarization", "mean_speed", "nearest_distance"],
                "steering": {
                    "behavior": "WeightedSum",
                    "parts": [
                        {
                            "behavior": "Flocking",
                            "separation_weight": 0.45,
                            "alignment_weight": 0.3,
                            "cohesion_weight": 0.25,
                            "separation_radius": 4.0,
                            "alignment_radius": 8.0,
                        },
                        {"behavior": "TargetSpeed", "speed": 7.0, "weight": 0.3},
                    ],
                },
            }
        ],
    }


def check(world: World) -> list[str]:
    """They fly one way, at speed, and keep apart."""
    meters, problems = meters_of(world), []
    order = meters["boids.polarization"]
    if not (order.now > 0.7 and order.now > order.start + 0.3):
        problems.append(f"polarization must rise above 0.7, but went from {order.start:.2f} to {order.now:.2f}")
    if not meters["boids.mean_speed"].now > 5:
        problems.append(f"they must fly, but the mean speed is {meters['boids.mean_speed'].now:.1f} m/s")
    if not meters["boids.nearest_distance"].now > 1.5:
        problems.append(f"they must keep apart, but neighbors are at {meters['boids.nearest_distance'].now:.2f} m")
    return problems


SCENARIO = OldScenario(
    name="boids",
    shows="A flock in 3D: separation, alignment and cohesion, each normalized, weighted and summed.",
    tags=("group", "flocking", "Reynolds 1987", "OpenSteer"),
    dimensions=3,
    n=250,
    document=document,
    check=check,
    quick=80,
)
