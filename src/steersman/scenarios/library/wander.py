"""Wander: everybody starts at one place and in one direction, and strolls off. Reynolds 1999, "Wander"."""

from typing import Any

from steersman.metrics.motion import center
from steersman.scenarios.old import OldScenario, meters_of
from steersman.world.world import World


def document(*, n: int, seed: int) -> dict[str, Any]:
    """Put n vehicles in a small disc, all facing along the x axis."""
    return {
        "seconds": 15.0,
        "picture": {"trails": 15.0},
        "populations": [
            {
                "name": "strollers",
                "n": n,
                "color": "purple",
                "spawn": {"shape": "disc", "radius": 2.0},
                "velocity": {"kind": "along", "direction": [1.0, 0.0], "speed": 5.0},
                "max_speed": 6.0,
                "max_force": 5.0,
                "radius": 0.6,
                "metrics": ["mean_speed", "polarization", "dispersion"],
                "steering": {"behavior": "Wander", "rate": 2.0},
            }
        ],
    }


def check(world: World) -> list[str]:
    """They have turned, both ways alike, and have spread out without running straight."""
    meters, problems = meters_of(world), []
    strollers = world["strollers"]
    way = world.time * meters["strollers.mean_speed"].now
    if not meters["strollers.polarization"].now < 0.6:
        problems.append(f"they must turn, but their polarization is {meters['strollers.polarization'].now:.2f}")
    if not 0.05 * way < meters["strollers.dispersion"].now < 0.8 * way:
        problems.append(
            f"they must spread by 5 to 80 % of the way, but did by {meters['strollers.dispersion'].now:.1f} m"
        )
    aside = abs(float(center(strollers)[1]))
    if not aside < 0.35 * way:
        problems.append(f"they must not drift aside, but did by {aside:.1f} m on {way:.1f} m")
    return problems


SCENARIO = OldScenario(
    name="wander",
    shows="Everybody starts at one place in one direction, and strolls off.",
    tags=("individual", "random", "Reynolds 1999"),
    dimensions=2,
    n=60,
    document=document,
    check=check,
)
