"""Hide and seek: hiders keep rocks between themselves and the seekers; who is found and touched is out.

Game AI lecture, "Hide", and "combine hide and seek". Seekers stroll about until they see somebody, and then go after him for
as long as they see him. Hiders slip behind the rock that is nearest to them.
"""

from typing import Any

import numpy as np

from steersman.action_selection.modes import Hook
from steersman.geometry.keeping import Keeping
from steersman.geometry.vectors import Array
from steersman.metrics.deciding import count_metric, mode_metric
from steersman.metrics.meters import Metric, Subject
from steersman.scenarios.builder import set_stage
from steersman.scenarios.library.obstacle_avoidance import scatter
from steersman.scenarios.old import OldScenario, meters_of
from steersman.scenarios.stage import Stage
from steersman.vehicles.vehicles import Vehicles
from steersman.world.world import World

SIGHT = 45.0
"""How far seekers see [m]."""


class Exposure(Keeping):
    """Which part of those who hide can be seen from where a seeker is, on average over the readings so far."""

    kept = ("readings",)

    def __init__(self, seekers: Vehicles) -> None:
        self.seekers = seekers
        self.readings: list[float] = []

    def __call__(self, subject: Subject) -> float:
        """Look along the line from every seeker to every hider."""
        seen = self.seen(subject)
        if len(seen):
            self.readings.append(float(seen.mean()))
        return float(np.mean(self.readings)) if self.readings else 0.0

    def seen(self, subject: Subject) -> Array:
        """Whom some seeker could see, shape (n,), bool."""
        here = subject.vehicles.position.astype(float)
        found = np.zeros(len(here), bool)
        for eye in self.seekers.position.astype(float):
            way = here - eye
            distance = np.maximum(np.linalg.norm(way, axis=1), 1e-9)
            way[distance <= 1e-9] = [1.0, 0.0]
            hits = subject.obstacles[0].cast(np.broadcast_to(eye, here.shape), way, reach=distance)
            found |= (distance <= SIGHT) & ~np.isfinite(hits.distance)
        return found


class Found(Keeping):
    """Counts those who were found."""

    kept = ("count",)

    def __init__(self) -> None:
        self.count = 0

    def go_home(self, vehicles: Vehicles, who: Array) -> None:
        """Those who are found leave the field."""
        self.count += int(who.sum())
        vehicles.remove(who)


def make(*, n: int, seed: int) -> Stage:
    """Put n hiders and some seekers between rocks."""
    found = Found()
    stage = set_stage(document(n=n, seed=seed, go_home=found.go_home))
    seekers = stage.world.populations["seekers"]
    stage.watch(
        "hiders",
        "penetration",
        found=count_metric("how many were found", lambda: found.count),
        exposure=Metric("", "share that could be seen, on average", Exposure(seekers.vehicles)),
    )
    stage.watch("seekers", chasing=mode_metric(seekers, "chase", "share that sees somebody"))
    return stage


def document(*, n: int, seed: int, go_home: Hook) -> dict[str, Any]:
    """The rocks, with a field around them."""
    width, height = 120.0, 76.0
    centers, radii = scatter(20, width, height, seed)
    field = {"kind": "box", "size": [width - 4.0, height - 4.0], "origin": [2.0, 2.0]}
    return {
        "seed": seed,
        "seconds": 40.0,
        "dt": 1 / 30,
        "domain": {"kind": "box", "size": [width, height]},
        "picture": {"trails": 2.5, "size": 1.2},
        "obstacles": [{"name": "rocks", "center": centers, "radius": [0.7 * radius for radius in radii]}],
        "regions": [{"name": "field", **field}],
        "populations": [hiders(n, go_home), seekers(max(1, n // 6))],
    }


def hiders(n: int, go_home: Hook) -> dict[str, Any]:
    """Those who hide."""
    modes = {
        "hide": {
            "behavior": "WeightedSum",
            "parts": [
                {"behavior": "Hide", "pursuer": "seekers", "obstacles": "rocks", "margin": 1.2},
                {"weight": 0.6, "behavior": "Separation", "radius": 2.5},
            ],
        },
        "found": {"behavior": "TargetSpeed", "speed": 0.0},
    }
    touched = {"condition": "Near", "target": "seekers", "distance": 1.8}
    return {
        "name": "hiders",
        "n": n,
        "color": "blue",
        "spawn": {"shape": "box"},
        "clearance": 1.0,
        "max_speed": 7.0,
        "max_force": 28.0,
        "response_time": 0.15,
        "radius": 0.7,
        "steering": between_rocks(
            {
                "behavior": "Modes",
                "start": "hide",
                "modes": modes,
                "transitions": [{"from": "hide", "to": "found", "when": touched}],
                "on_enter": {"found": go_home},
            }
        ),
    }


def seekers(n: int) -> dict[str, Any]:
    """Those who seek."""
    sees = {"condition": "Sees", "target": "hiders", "range": SIGHT, "angle": 3.0, "occluders": "rocks", "memory": 1.0}
    modes = {
        "search": {"behavior": "Wander", "law": "turn", "speed": 5.0, "rate": 1.0, "max_turn_rate": 1.5},
        "chase": {"behavior": "Pursue", "quarry": "hiders"},
    }
    return {
        "name": "seekers",
        "n": n,
        "color": "red",
        "spawn": {"shape": "disc", "radius": 8.0},
        "clearance": 1.0,
        "velocity": {"kind": "random", "speed": 3.0},
        "max_speed": 7.5,
        "max_force": 30.0,
        "response_time": 0.15,
        "radius": 0.8,
        "steering": between_rocks(
            {
                "behavior": "Modes",
                "start": "search",
                "modes": modes,
                "transitions": [
                    {"from": "search", "to": "chase", "when": sees},
                    {"from": "chase", "to": "search", "when": {"not": sees}},
                ],
                "cooldown": 0.5,
            }
        ),
    }


def between_rocks(steering: dict[str, Any]) -> dict[str, Any]:
    """Rocks and the edge of the field first."""
    avoid = {"behavior": "AvoidObstacles", "obstacles": "rocks", "lookahead": 0.6}
    edge = {"behavior": "Contain", "region": "field", "lookahead": 0.5}
    return {"behavior": "Priority", "parts": [avoid, edge, steering]}


def check(world: World) -> list[str]:
    """Most stay out of sight, some were found, and nobody ran into a rock."""
    meters, problems = meters_of(world), []
    exposure, found = meters["hiders.exposure"].now, meters["hiders.found"].now
    if not exposure < 0.42:
        problems.append(f"hiders must be out of sight, but on average {100 * exposure:.0f} % could be seen")
    if not found > 0:
        problems.append("somebody must be found, but nobody was")
    if not meters["seekers.chasing"].greatest > 0:
        problems.append("seekers must see somebody now and then, but did not")
    if not meters["hiders.penetration"].greatest < 0.3:
        problems.append(
            f"nobody may run into a rock, but somebody did by {meters['hiders.penetration'].greatest:.2f} m"
        )
    return problems


SCENARIO = OldScenario(
    name="hide_and_seek",
    shows="Hiders keep rocks between themselves and the seekers; who is touched is out.",
    tags=("story", "modes", "obstacles", "game AI lecture"),
    dimensions=2,
    n=14,
    make=make,
    check=check,
)
