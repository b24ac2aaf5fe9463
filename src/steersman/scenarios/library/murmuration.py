"""Murmuration: starlings circle above their roost in a dense flock that gives way to a falcon.

Reynolds 1999, "Flocking", in three dimensions, with the panic of "Evasion" and a pull toward the roost. The starlings bank
into their turns.
"""

from typing import Any

import numpy as np

from steersman.scenarios.old import OldScenario, meters_of
from steersman.world.world import World

ROOST = [0.0, 0.0, 40.0]
"""Where they circle [m]."""


def document(*, n: int, seed: int) -> dict[str, Any]:
    """Put n starlings in a ball that turns, and a falcon that dives through them."""
    return {
        "seconds": 16.0,
        "picture": {"trails": 0.4, "elevation": 14.0, "size": 0.75},
        "populations": [
            starlings(n),
            {
                "name": "falcon",
                "n": 1,
                "color": "red",
                "spawn": {"shape": "points", "position": [[60.0, 0.0, 55.0]]},
                "max_speed": 17.0,
                "max_force": 22.0,
                "radius": 1.2,
                "metrics": [{"metric": "closest_to", "to": "starlings"}],
                "steering": {"behavior": "Pursue", "quarry": "starlings"},
            },
        ],
    }


def starlings(n: int) -> dict[str, Any]:
    """A ball of starlings that turns."""
    return {
        "name": "starlings",
        "n": n,
        "color": "gray",
        "spawn": {"shape": "ball", "center": ROOST, "radius": 2.2 * float(n) ** (1 / 3)},
        "velocity": {"kind": "around", "speed": 8.0},
        "max_speed": {"low": 11.0, "high": 13.0},
        "max_force": 25.0,
        "radius": 0.25,
        "locomotion": {"body": "Flying", "roll_time": 0.25},
        "metrics": ["polarization", "local_polarization", "mean_speed", "dispersion", "nearest_distance"],
        "steering": {
            "behavior": "WeightedSum",
            "parts": [
                {"weight": 2.0, "behavior": "Evade", "pursuer": "falcon", "panic_distance": 9.0},
                {"weight": 1.4, "behavior": "Separation", "radius": 2.5},
                {"weight": 0.8, "behavior": "Alignment", "radius": 6.0},
                {"weight": 1.0, "behavior": "Cohesion", "law": "offset", "strength": 2.0, "radius": 10.0},
                # With full thrust the roost pulls like a sun: they circle it instead of stopping there.
                {"weight": 0.35, "behavior": "Seek", "target": ROOST, "thrust": "full"},
                {"weight": 0.3, "behavior": "Wander"},
            ],
        },
    }


def check(world: World) -> list[str]:
    """They fly in a flock: in order, together, at speed, apart from each other."""
    meters, problems = meters_of(world), []
    order = meters["starlings.local_polarization"]  # Those who circle fly all ways at once.
    if not order.now > 0.9:
        problems.append(f"they must fly as their neighbors do, but local polarization is {order.now:.2f}")
    spread = meters["starlings.dispersion"]
    if not spread.now < 2.5 * spread.start:
        problems.append(f"they must stay together, but spread from {spread.start:.1f} to {spread.now:.1f} m")
    if not meters["starlings.mean_speed"].now > 5:
        problems.append(f"they must fly, but the mean speed is {meters['starlings.mean_speed'].now:.1f} m/s")
    if not meters["starlings.nearest_distance"].now > 0.5:
        problems.append(f"they must keep apart, but are at {meters['starlings.nearest_distance'].now:.2f} m")
    roll = banking(world)
    if not 5 < roll < 60:
        problems.append(f"they must bank, but roll by {roll:.0f} degrees on average")
    return problems


def banking(world: World) -> float:
    """How far they roll to a side on average [degrees]: the angle of up out of the vertical plane along forward."""
    starlings = world["starlings"]
    return float(np.degrees(np.arcsin(np.clip(np.abs(starlings.side[:, 2]), 0, 1))).mean())


SCENARIO = OldScenario(
    name="murmuration",
    shows="Starlings circle above their roost in a dense flock that gives way to a falcon.",
    tags=("group", "3D", "Reynolds 1987"),
    dimensions=3,
    n=2500,
    document=document,
    check=check,
    quick=150,
)
