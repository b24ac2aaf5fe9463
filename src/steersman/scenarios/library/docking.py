"""Docking: ships come in along the axis of their berths, all in the same second. Reynolds 1999, the sketch of docking."""

import math
from typing import Any

import numpy as np

from steersman.metrics.meters import Metric, Subject
from steersman.scenarios.builder import set_stage
from steersman.scenarios.old import OldScenario, meters_of
from steersman.scenarios.stage import Stage
from steersman.world.world import World

TIME = 18.0
"""When they are to be there [s]."""


def make(*, n: int, seed: int) -> Stage:
    """Put n ships all around a round station, each with a berth of its own."""
    stage = set_stage(document(n=n, seed=seed))
    berths, inward = (np.array(each) for each in places(n))
    stage.watch(
        "ships",
        "mean_speed",
        off_berth=Metric("m", "largest distance from a berth", lambda s: _farthest(s, berths)),
        off_axis=Metric("degrees", "largest angle to the axis of a berth", lambda s: _turned(s, inward)),
    )
    return stage


def _farthest(subject: Subject, berths: Any) -> float:
    return float(np.linalg.norm(subject.vehicles.position - berths, axis=1).max())


def _turned(subject: Subject, inward: Any) -> float:
    cosine = np.clip(np.sum(subject.vehicles.forward * inward, axis=1), -1, 1)
    return float(np.degrees(np.arccos(cosine)).max())


def places(n: int) -> tuple[list[list[float]], list[list[float]]]:
    """The berths [m], and the directions in which ships lie there."""
    radius = max(10.0, 1.2 * n)
    angles = [2 * math.pi * k / n for k in range(n)]
    return (
        [[radius * math.cos(a), radius * math.sin(a)] for a in angles],
        [[-math.cos(a), -math.sin(a)] for a in angles],
    )


def document(*, n: int, seed: int) -> dict[str, Any]:
    """The station's berths and the ships."""
    berths, inward = places(n)
    return {
        "seed": seed,
        "seconds": TIME,
        "picture": {"trails": TIME},
        "populations": [
            {
                "name": "ships",
                "n": n,
                "color": "sky",
                "spawn": {"shape": "disc", "radius": 6 * max(10.0, 1.2 * n)},
                "velocity": {"kind": "random", "speed": 4.0},
                "max_speed": 12.0,
                "max_force": 24.0,
                "response_time": 0.15,
                "radius": 1.0,
                "steering": {"behavior": "Dock", "target": berths, "forward": inward, "at_time": TIME},
            }
        ],
    }


def check(world: World) -> list[str]:
    """Everybody lies in a berth, straight, and at rest."""
    meters, problems = meters_of(world), []
    distance, angle, speed = (meters[f"ships.{name}"].now for name in ("off_berth", "off_axis", "mean_speed"))
    if not distance < 0.1:
        problems.append(f"everybody must be within 0.1 m of a berth, but somebody is {distance:.2f} m away")
    if not angle < 4:
        problems.append(f"everybody must lie straight within 4 degrees, but somebody is turned by {angle:.1f}")
    if not speed < 0.1:
        problems.append(f"everybody must be at rest, but the mean speed is {speed:.2f} m/s")
    return problems


SCENARIO = OldScenario(
    name="docking",
    shows="Ships come in along the axis of their berths, all in the same second.",
    tags=("individual", "Reynolds 1999"),
    dimensions=2,
    n=12,
    make=make,
    check=check,
)
