"""Ice rink: skaters circle the rink sideways, with their faces to the puck.

Reynolds 1999, "Introduction", tells of a hockey game. A skater's body is not a point mass's: it goes one way and looks
another. FreeBody has an orientation of its own; Face turns it, the short way round, while the skater follows the boards.
"""

import math
from typing import Any

import numpy as np

from steersman.drawing.style import Picture
from steersman.environment.paths.path import Path
from steersman.locomotion.free_body import FreeBody
from steersman.locomotion.limits.drag import Drag
from steersman.metrics.meters import Metric
from steersman.scenarios.old import OldScenario, meters_of
from steersman.scenarios.stage import Stage
from steersman.steering.group.separation import Separation
from steersman.steering.individual.face import Face
from steersman.steering.individual.follow_path import FollowPath
from steersman.steering.individual.seek import Seek
from steersman.steering.individual.wander import Wander
from steersman.vehicles.vehicles import Vehicles
from steersman.world.constraints.zero_overlap import ZeroOverlap
from steersman.world.world import World

LENGTH, WIDTH = 60.0, 30.0
"""Of the ice [m]."""


def oval(scale: float) -> Path:
    """An oval way around the rink, at a part of its size."""
    angle = np.linspace(0, 2 * math.pi, 40, endpoint=False)
    # A superellipse: the corners of a rink are round.
    x, y = np.cos(angle), np.sin(angle)
    points = np.stack([np.sign(x) * np.abs(x) ** 0.5 * LENGTH, np.sign(y) * np.abs(y) ** 0.5 * WIDTH], axis=1)
    return Path(0.5 * scale * points, radius=1.5, closed=True)


def make(*, n: int, seed: int) -> Stage:
    """Put n skaters around the rink, and a puck in the middle."""
    rng = np.random.default_rng(seed)
    way = oval(0.7)
    place = way.length * (np.arange(n) + rng.uniform(-0.2, 0.2, n)) / n
    skaters = Vehicles(
        way.point_at(place), 4.0 * way.tangent_at(place), heading=rng.uniform(-3, 3, n), max_speed=7.0, max_force=300.0,
        mass=70.0, radius=0.5, response_time=0.25, max_angular_speed=5.0, max_angular_acceleration=25.0,
    )  # fmt: skip
    puck = Vehicles([[0.0, 0.0]], [[3.0, 1.0]], max_speed=5.0, max_force=3.0, radius=0.2)
    world = World(seed=seed, constraints=(ZeroOverlap(),))
    steering = FollowPath(way) + 0.6 * Separation(radius=2.5) + Face(puck)
    world.add(skaters, name="skaters", steering=steering, locomotion=FreeBody(limits=(Drag(0.1, angular=0.5),)))
    world.add(puck, name="puck", steering=Wander("turn") + 1.5 * Seek([0.0, 0.0]))
    stage = Stage(
        world, seconds=20.0, scenery={"boards": oval(1.0)}, picture=Picture(trails=1.0),
        colors={"skaters": "blue", "puck": "gray"},
    )  # fmt: skip
    stage.watch("skaters", "mean_speed", "overlap")
    stage.watch(
        "skaters",
        gaze=Metric("degrees", "mean angle between face and puck", lambda s: gaze(s.vehicles, puck)),
        sideways=Metric("m/s", "mean speed to the side", lambda s: sideways(s.vehicles)),
    )
    return stage


def gaze(skaters: Vehicles, puck: Vehicles) -> float:
    """Mean angle between where they face and the puck [degrees]."""
    way = puck.position[0] - skaters.position
    way /= np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-9)
    return float(np.degrees(np.arccos(np.clip(np.sum(way * skaters.forward, axis=1), -1, 1))).mean())


def sideways(skaters: Vehicles) -> float:
    """Mean speed across where they face [m/s]."""
    return float(np.abs(np.sum(skaters.velocity * skaters.side, axis=1)).mean())


def check(world: World) -> list[str]:
    """They skate, look at the puck, and go sideways; nobody overlaps anybody."""
    meters, problems = meters_of(world), []
    need: list[tuple[str, bool, Any]] = [
        ("skate", meters["skaters.mean_speed"].now > 3.0, f"{meters['skaters.mean_speed'].now:.1f} m/s"),
        ("look at the puck", meters["skaters.gaze"].now < 25.0, f"{meters['skaters.gaze'].now:.0f} degrees off"),
        ("go sideways", meters["skaters.sideways"].now > 1.5, f"{meters['skaters.sideways'].now:.1f} m/s"),
        ("not overlap", meters["skaters.overlap"].greatest < 0.02, f"{meters['skaters.overlap'].greatest:.3f} m deep"),
    ]
    for what, good, got in need:
        if not good:
            problems.append(f"skaters must {what}, got {got}")
    return problems


SCENARIO = OldScenario(
    name="ice_rink",
    shows="Skaters circle a rink sideways, with their faces to the puck.",
    tags=("locomotion", "turning", "Reynolds 1999"),
    dimensions=2,
    n=14,
    make=make,
    check=check,
)
