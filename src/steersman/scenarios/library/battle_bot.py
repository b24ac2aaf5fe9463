"""Battle bots: they race around a walled course, and touch neither the walls nor each other.

The game AI lecture's example of combined behaviors: path following, wall avoidance, separation. They are put together as
there: what is urgent comes first, and the next one gets what is left of the force.
"""

from typing import Any

import numpy as np

from steersman.environment.paths.path import Path
from steersman.geometry.keeping import Keeping
from steersman.metrics.following import projected
from steersman.metrics.meters import Metric, Subject
from steersman.scenarios.builder import set_stage
from steersman.scenarios.old import OldScenario, meters_of
from steersman.scenarios.stage import Stage
from steersman.world.world import World

OUTER = [[4, 6], [60, 4], [78, 16], [118, 8], [136, 24], [134, 74], [112, 86], [84, 72], [50, 88], [10, 82]]
"""Corners of the wall around the course [m]."""

INNER = [[20, 22], [56, 18], [74, 34], [110, 26], [118, 34], [118, 64], [106, 68], [82, 54], [46, 70], [24, 66]]
"""Corners of the wall in the middle [m]."""

LINE = [[12, 14], [58, 11], [76, 25], [114, 17], [127, 29], [126, 69], [109, 77], [83, 63], [48, 79], [17, 74]]
"""Corners of the line that is raced along [m]."""


class Laps(Keeping):
    """Counts laps: how far each bot has come along the line, however often around.

    Args:
        path: The line, closed.
    """

    kept = ("last", "way")

    def __init__(self, path: Path) -> None:
        self.path = path
        self.last: Any = None
        self.way: Any = None

    def __call__(self, subject: Subject) -> float:
        """Laps of the slowest so far."""
        along = projected(subject.vehicles, self.path, subject.domain).s
        if self.last is None:
            self.way = np.zeros(len(along))
        else:
            step = along - self.last
            self.way += step - self.path.length * np.rint(step / self.path.length)
        self.last = along
        return float(self.way.min() / self.path.length) if len(along) else 0.0


def make(*, n: int, seed: int) -> Stage:
    """Put n bots on the line."""
    stage = set_stage(document(n=n, seed=seed))
    stage.watch(
        "bots",
        "penetration",
        "overlapping",
        "mean_speed",
        laps=Metric("", "laps of the slowest", Laps(stage.scenery["line"])),
    )
    return stage


def document(*, n: int, seed: int) -> dict[str, Any]:
    """The course."""
    line = Path(np.array(LINE, float), closed=True)
    grid = line.point_at(np.arange(n) * min(5.0, line.length / (n + 1)))
    return {
        "seed": seed,
        "seconds": 60.0,
        "dt": 1 / 30,
        "picture": {"trails": 2.5, "size": 1.2},
        "obstacles": [
            {"name": "walls", "kind": "walls", "points": [OUTER, INNER], "closed": True, "seen_from": "inside"}
        ],
        "paths": [{"name": "line", "points": LINE, "radius": 3.0, "closed": True}],
        "populations": [
            {
                "name": "bots",
                "n": n,
                "color": "purple",
                "spawn": {"shape": "points", "position": grid.tolist()},
                "max_speed": {"low": 9.0, "high": 12.0},
                "max_force": 60.0,
                "response_time": 0.15,
                "radius": 0.8,
                "steering": {
                    "behavior": "TruncatedSum",
                    "parts": [
                        {"behavior": "AvoidWalls", "walls": "walls", "reach": 7.0},
                        {"behavior": "Separation", "radius": 4.0},
                        {"behavior": "FollowPath", "path": "line", "law": "predicted", "reach": 7.0},
                    ],
                },
            }
        ],
    }


def check(world: World) -> list[str]:
    """Everybody has gone around, fast, and touched no wall."""
    meters, problems = meters_of(world), []
    laps, depth = meters["bots.laps"].now, meters["bots.penetration"].greatest
    if not laps >= 1:
        problems.append(f"everybody must finish a lap, but the slowest is at {laps:.2f}")
    if not depth <= 0:
        problems.append(f"nobody may touch a wall, but somebody did by {depth:.2f} m")
    touching = meters["bots.overlapping"].greatest
    if touching > 0:
        problems.append(f"they must keep apart, but {100 * touching:.0f} % touched each other")
    return problems


SCENARIO = OldScenario(
    name="battle_bot",
    shows="Bots race around a walled course, and touch neither the walls nor each other.",
    tags=("story", "path", "obstacles", "truncated sum", "game AI lecture"),
    dimensions=2,
    n=10,
    make=make,
    check=check,
)
