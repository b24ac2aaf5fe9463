"""Hide: everybody keeps a rock between himself and a prowler. Reynolds 1999, "Hide"; game AI lecture, "Hide"."""

from typing import Any

import numpy as np

from steersman.metrics.meters import Metric, Subject
from steersman.scenarios.builder import set_stage
from steersman.scenarios.old import OldScenario, meters_of
from steersman.scenarios.stage import Stage
from steersman.vehicles.vehicles import Vehicles
from steersman.world.world import World

ROCKS = [[20, 20], [62, 14], [100, 26], [34, 48], [78, 52], [112, 62], [16, 74], [56, 78], [96, 86]]
"""Where rocks are [m]."""

RADII = [5.0, 4.0, 5.5, 4.5, 6.0, 4.0, 5.0, 4.5, 5.0]


def make(*, n: int, seed: int) -> Stage:
    """Put n hiders among rocks, with a prowler."""
    stage = set_stage(document(n=n, seed=seed))
    prowler = stage.world.populations["prowler"].vehicles
    exposed = Metric("", "share in sight of the prowler", lambda subject: _exposed(subject, prowler))
    stage.watch("hiders", "penetration", exposed=exposed)
    return stage


def _exposed(subject: Subject, prowler: Vehicles) -> float:
    """Which part of the hiders a line from the prowler reaches."""
    here = subject.vehicles.position.astype(float)
    eye = np.broadcast_to(prowler.position[0].astype(float), here.shape)
    way = here - eye
    distance = np.linalg.norm(way, axis=1)
    hits = subject.obstacles[0].cast(eye, np.where(distance[:, None] > 0, way, 1.0), reach=distance)
    return float(np.mean(~np.isfinite(hits.distance)))


def document(*, n: int, seed: int) -> dict[str, Any]:
    """The field."""
    return {
        "seed": seed,
        "seconds": 16.0,
        "picture": {"trails": 4.0},
        "obstacles": [{"name": "rocks", "center": ROCKS, "radius": RADII}],
        "populations": [
            {
                "name": "hiders",
                "n": n,
                "color": "green",
                "spawn": {"shape": "box", "size": [110.0, 90.0], "center": [62.0, 50.0]},
                "clearance": 2.0,
                "max_speed": 11.0,
                "max_force": 40.0,
                "radius": 0.6,
                "metrics": [{"metric": "closest_to", "to": "prowler"}],
                "steering": {
                    "behavior": "Priority",
                    "parts": [
                        {"behavior": "AvoidObstacles", "obstacles": "rocks", "lookahead": 0.5},
                        {
                            "behavior": "WeightedSum",
                            "parts": [
                                {"behavior": "Hide", "pursuer": "prowler", "obstacles": "rocks", "margin": 1.5},
                                {"behavior": "Separation", "radius": 2.5, "weight": 0.5},
                            ],
                        },
                    ],
                },
            },
            {
                "name": "prowler",
                "n": 1,
                "color": "red",
                "spawn": {"shape": "points", "position": [[48.0, 32.0]]},
                "velocity": {"kind": "along", "direction": [1.0, 0.3], "speed": 2.0},
                "max_speed": 2.5,
                "max_force": 6.0,
                "radius": 1.2,
                "steering": {
                    "behavior": "Priority",
                    "parts": [
                        {"behavior": "AvoidObstacles", "obstacles": "rocks"},
                        {"behavior": "Wander", "strength": 0.3, "distance": 0.3},
                    ],
                },
            },
        ],
    }


def check(world: World) -> list[str]:
    """Hardly anybody is in sight, and nobody ran into a rock."""
    meters, problems = meters_of(world), []
    exposed, depth = meters["hiders.exposed"], meters["hiders.penetration"].greatest
    if not exposed.now <= 0.15:
        problems.append(f"at most 15 % may be in sight, but {100 * exposed.now:.0f} % are")
    if not exposed.now < 0.5 * exposed.start:
        problems.append("fewer than half as many as at the start must be in sight")
    if not depth < 0.3:
        problems.append(f"nobody may run into a rock, but somebody did by {depth:.2f} m")
    return problems


SCENARIO = OldScenario(
    name="hide",
    shows="Everybody keeps a rock between himself and a prowler.",
    tags=("individual", "obstacles", "Reynolds 1999", "game AI lecture"),
    dimensions=2,
    n=24,
    make=make,
    check=check,
)
