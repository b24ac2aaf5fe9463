"""Patrol: guards make their rounds, from checkpoint to checkpoint, past pillars that stand in their way.

Project notes, "Patrol"; game AI lecture, guard duty. A guard that has seen a thief leaves its round and goes after it; when
the thief is out of sight for a while, it takes up the round where it left it: its checkpoint is remembered.
"""

from typing import Any

import numpy as np

from steersman.action_selection.modes import Hook
from steersman.geometry.keeping import Keeping
from steersman.geometry.vectors import Array
from steersman.metrics.deciding import count_metric, mode_metric
from steersman.metrics.meters import Metric
from steersman.metrics.proximity import closest_to
from steersman.scenarios.builder import set_stage
from steersman.scenarios.old import OldScenario, meters_of
from steersman.scenarios.stage import Stage
from steersman.vehicles.vehicles import Vehicles
from steersman.world.world import World

CHECKPOINTS = [[15.0, 12.0], [85.0, 12.0], [85.0, 48.0], [15.0, 48.0]]
"""The corners of the round [m]."""

PILLARS = [[50.0, 12.5], [84.0, 31.0], [50.0, 47.0], [16.0, 29.0], [50.0, 30.0]]

GIVES_UP = 1.5
"""How long a guard looks for a thief who is out of sight [s]."""

GATE = [50.0, 98.0]
"""Where the thief comes from, and where he is brought when he is caught [m]."""


class Caught(Keeping):
    """Counts how often the thief was caught."""

    kept = ("count",)

    def __init__(self) -> None:
        self.count = 0

    def throw_out(self, vehicles: Vehicles, who: Array) -> None:
        """He is brought away, and tries again."""
        vehicles.position[who], vehicles.velocity[who] = GATE, 0.0
        self.count += int(who.sum())


def make(*, n: int, seed: int) -> Stage:
    """Put n guards at the first corner, and a thief who sneaks through the yard."""
    caught = Caught()
    stage = set_stage(document(n=n, seed=seed, throw_out=caught.throw_out))
    guards = stage.world.populations["guards"]
    corners: dict[str, Any] = {f"corner_{k + 1}": to_corner(k) for k in range(len(CHECKPOINTS))}
    chasing = mode_metric(guards, "chase", "share that chases the thief")
    thrown_out = count_metric("how often the thief was caught", lambda: caught.count)
    stage.watch("guards", "penetration", **corners, chasing=chasing, caught=thrown_out)
    return stage


def to_corner(k: int) -> Metric:
    """How near somebody is to a corner."""
    place = np.array(CHECKPOINTS[k])
    return Metric("m", f"closest to corner {k + 1}", lambda s: closest_to(s.vehicles, place))


def document(*, n: int, seed: int, throw_out: Hook) -> dict[str, Any]:
    """The yard."""
    avoid = {"behavior": "AvoidObstacles", "obstacles": "pillars", "lookahead": 0.8}
    sees = {
        "condition": "Sees",
        "target": "thief",
        "range": 26.0,
        "angle": 3.5,
        "occluders": "pillars",
        "memory": GIVES_UP,
    }
    yard = {"condition": "Near", "target": [50.0, 30.0], "distance": 46.0, "leave": 50.0}
    modes = {
        "behavior": "Modes",
        "start": "patrol",
        "modes": {
            "patrol": {"behavior": "Patrol", "checkpoints": CHECKPOINTS, "speed": 6.0},
            "chase": {"behavior": "Pursue", "quarry": "thief", "prediction": "Intercept"},
        },
        "transitions": [
            {"from": "patrol", "to": "chase", "when": {"all": [sees, yard]}},
            {"from": "chase", "to": "patrol", "when": {"not": {"all": [sees, yard]}}},
        ],
        "cooldown": 0.5,
    }
    return {
        "seed": seed,
        "seconds": 80.0,
        "dt": 1 / 30,
        "picture": {"trails": 6.0, "size": 1.3},
        "obstacles": [{"name": "pillars", "center": PILLARS, "radius": 2.5}],
        "populations": [
            {
                "name": "guards",
                "n": n,
                "color": "blue",
                "spawn": {"shape": "disc", "center": CHECKPOINTS[0], "radius": 3.0},
                "max_speed": 7.0,
                "max_force": 28.0,
                "radius": 0.7,
                "steering": {
                    "behavior": "Priority",
                    "parts": [
                        avoid,
                        {
                            "behavior": "WeightedSum",
                            "parts": [modes, {"weight": 0.5, "behavior": "Separation", "radius": 2.5, "fade": False}],
                        },
                    ],
                },
            },
            {
                "name": "thief",
                "n": 1,
                "color": "red",
                "spawn": {"shape": "disc", "center": GATE, "radius": 2.0},
                "max_speed": 4.2,
                "max_force": 24.0,
                "radius": 0.7,
                "steering": {
                    "behavior": "Priority",
                    "parts": [
                        avoid,
                        {
                            "behavior": "Modes",
                            "start": "sneak",
                            "modes": {
                                "sneak": {
                                    "behavior": "Priority",
                                    "parts": [
                                        {"behavior": "Evade", "pursuer": "guards", "panic_distance": 12.0},
                                        {
                                            "behavior": "Patrol",
                                            "checkpoints": [[72, 38], [26, 22], [66, 20]],
                                            "speed": 3.6,
                                        },
                                    ],
                                },
                                "caught": {"behavior": "TargetSpeed", "speed": 0.0},
                            },
                            "transitions": [
                                {
                                    "from": "sneak",
                                    "to": "caught",
                                    "when": {"condition": "Near", "target": "guards", "distance": 1.6},
                                },
                                {"from": "caught", "to": "sneak", "when": {"condition": "After", "seconds": 6.0}},
                            ],
                            "on_enter": {"caught": throw_out},
                        },
                    ],
                },
            },
        ],
    }


def check(world: World) -> list[str]:
    """Every corner was visited, the thief was seen and chased, and the rounds went on."""
    meters, problems = meters_of(world), []
    for k in range(len(CHECKPOINTS)):
        distance = meters[f"guards.corner_{k + 1}"].least
        if not distance < 1.8:
            problems.append(f"corner {k + 1} must be visited, but the closest guard came to {distance:.1f} m")
    chasing = meters["guards.chasing"]
    if not (chasing.greatest > 0 and meters["guards.caught"].now > 0):
        problems.append("some guard must see the thief, chase him and catch him, but nobody did")
    if chasing.least > 0:
        problems.append("guards must also go on with their rounds, but somebody chased the thief all the time")
    if not meters["guards.penetration"].greatest < 0.2:
        problems.append(
            f"nobody may run into a pillar, but {meters['guards.penetration'].greatest:.2f} m deep somebody did"
        )
    return problems


SCENARIO = OldScenario(
    name="patrol",
    shows="Guards make their rounds, chase a thief while they see it, and go on where they left off.",
    tags=("story", "modes", "obstacles", "project notes"),
    dimensions=2,
    n=3,
    make=make,
    check=check,
)
