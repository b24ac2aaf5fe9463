"""Capture the flag: runners try to reach the flag between its defenders, and to carry it home.

After OpenSteer's demonstration of the same name. Runners go for the flag, and get out of the way of defenders; who is tagged
stands still for a while, and has to begin anew. Defenders guard the flag until a runner comes near, and then intercept him.
"""

from typing import Any

from steersman.geometry.keeping import Keeping
from steersman.geometry.vectors import Array
from steersman.metrics.deciding import count_metric, mode_metric
from steersman.scenarios.builder import set_stage
from steersman.scenarios.library.obstacle_avoidance import scatter
from steersman.scenarios.old import OldScenario, meters_of
from steersman.scenarios.stage import Stage
from steersman.vehicles.vehicles import Vehicles
from steersman.world.world import World

FLAG, HOME = [130.0, 45.0], [14.0, 45.0]

TOUCH = 1.6
"""Distance at which a defender tags a runner [m]."""


class Score(Keeping):
    """Counts what happened, told by the modes of the runners."""

    kept = ("flags", "tags")

    def __init__(self) -> None:
        self.flags, self.tags = 0, 0

    def scored(self, vehicles: Vehicles, who: Array) -> None:
        """Some runners have brought a flag home."""
        self.flags += int(who.sum())

    def tagged(self, vehicles: Vehicles, who: Array) -> None:
        """Some runners have been tagged."""
        self.tags += int(who.sum())


def make(*, n: int, seed: int) -> Stage:
    """Put n runners at home, and defenders around the flag."""
    score = Score()
    stage = set_stage(document(n=n, seed=seed, score=score))
    runners, defenders = stage.world.populations["runners"], stage.world.populations["defenders"]
    stage.watch(
        "runners",
        "penetration",
        flags=count_metric("flags brought home", lambda: score.flags),
        tags=count_metric("times tagged", lambda: score.tags),
        carrying=mode_metric(runners, "carry", "share that carries a flag"),
    )
    stage.watch(
        "defenders",
        "penetration",
        intercepting=mode_metric(defenders, "intercept", "share after a runner"),
    )
    return stage


def document(*, n: int, seed: int, score: Score) -> dict[str, Any]:
    """The field."""
    size = [144.0, 90.0]
    centers, radii = scatter(24, size[0], size[1], seed)
    kept = [k for k, (x, y) in enumerate(centers) if min(abs(x - FLAG[0]), abs(x - HOME[0])) + abs(y - 45.0) > 16.0]
    field = {"kind": "box", "size": [size[0] - 4.0, size[1] - 4.0], "origin": [2.0, 2.0]}
    return {
        "seed": seed,
        "seconds": 60.0,
        "dt": 1 / 30,
        "domain": {"kind": "box", "size": size},
        "picture": {"trails": 2.5, "size": 1.2},
        "obstacles": [
            {"name": "rocks", "center": [centers[k] for k in kept], "radius": [0.6 * radii[k] for k in kept]}
        ],
        "regions": [{"name": "field", **field}],
        "populations": [runners(n, score), defenders(max(2, n // 3))],
    }


def runners(n: int, score: Score) -> dict[str, Any]:
    """Those who want the flag."""
    tagged = {"condition": "Near", "target": "defenders", "distance": TOUCH}
    dodge = {"behavior": "Evade", "pursuer": "defenders", "panic_distance": 11.0, "prediction": "Capped"}
    apart = {"weight": 0.5, "behavior": "Separation", "radius": 5.0}

    def dash(target: list[float]) -> dict[str, Any]:
        parts = [{"behavior": "Seek", "target": target}, {"weight": 1.2, **dodge}, apart]
        return {"behavior": "WeightedSum", "parts": parts}

    modes = {
        "attack": dash(FLAG),
        "carry": dash(HOME),
        "score": {"behavior": "Arrive", "target": HOME},
        "tagged": {"behavior": "TargetSpeed", "speed": 0.0},
        "return": {"behavior": "Arrive", "target": HOME},
    }
    at_home = {"condition": "Arrived", "target": HOME, "distance": 6.0}
    return {
        "name": "runners",
        "n": n,
        "color": "blue",
        "spawn": {"shape": "disc", "center": HOME, "radius": 9.0},
        "clearance": 0.5,
        "max_speed": 9.0,
        "max_force": 36.0,
        "response_time": 0.15,
        "radius": 0.7,
        "metrics": [{"metric": "outside", "to": "field"}],
        "steering": on_the_field(
            {
                "behavior": "Modes",
                "start": "attack",
                "modes": modes,
                "transitions": [
                    {"from": ["attack", "carry"], "to": "tagged", "when": tagged},
                    {
                        "from": "attack",
                        "to": "carry",
                        "when": {"condition": "Arrived", "target": FLAG, "distance": 3.0},
                    },
                    {"from": "carry", "to": "score", "when": at_home},
                    {"from": "score", "to": "attack", "when": {"condition": "After", "seconds": 0.5}},
                    {"from": "tagged", "to": "return", "when": {"condition": "After", "seconds": 2.0}},
                    {"from": "return", "to": "attack", "when": at_home},
                ],
                "on_enter": {"score": score.scored, "tagged": score.tagged},
            }
        ),
    }


def defenders(n: int) -> dict[str, Any]:
    """Those who guard it."""
    near = {"condition": "Near", "target": "runners", "distance": 22.0, "leave": 28.0}
    here = {"condition": "Near", "target": FLAG, "distance": 30.0, "leave": 40.0}
    modes = {
        "guard": {
            "behavior": "WeightedSum",
            "parts": [
                {"behavior": "Arrive", "target": [FLAG[0] - 14.0, FLAG[1]], "speed": 5.0},
                {"weight": 0.8, "behavior": "Separation", "radius": 12.0},
            ],
        },
        "intercept": {
            "behavior": "WeightedSum",
            "parts": [
                {"behavior": "Pursue", "quarry": "runners", "prediction": "Intercept"},
                {"weight": 0.5, "behavior": "Separation", "radius": 6.0},
            ],
        },
    }
    return {
        "name": "defenders",
        "n": n,
        "color": "orange",
        "spawn": {"shape": "disc", "center": FLAG, "radius": 12.0},
        "clearance": 0.5,
        "max_speed": 7.5,
        "max_force": 32.0,
        "response_time": 0.15,
        "radius": 0.7,
        "steering": on_the_field(
            {
                "behavior": "Modes",
                "start": "guard",
                "modes": modes,
                "transitions": [
                    {"from": "guard", "to": "intercept", "when": {"all": [near, here]}},
                    {"from": "intercept", "to": "guard", "when": {"not": {"all": [near, here]}}},
                ],
                "cooldown": 0.4,
            }
        ),
    }


def on_the_field(steering: dict[str, Any]) -> dict[str, Any]:
    """Rocks and the edge first."""
    avoid = {"behavior": "AvoidObstacles", "obstacles": "rocks", "lookahead": 0.7}
    edge = {"behavior": "Contain", "region": "field", "lookahead": 0.5}
    return {"behavior": "Priority", "parts": [avoid, edge, steering]}


def check(world: World) -> list[str]:
    """Flags were brought home, runners were tagged, and nobody ran into a rock."""
    meters, problems = meters_of(world), []
    flags, tags = meters["runners.flags"].now, meters["runners.tags"].now
    if not flags >= 1:
        problems.append("some runner must bring the flag home, but none did")
    if not tags >= 1:
        problems.append("defenders must tag somebody, but did not")
    if meters["runners.outside"].greatest > 0:
        problems.append("nobody may leave the field, but somebody did")
    for name in ("runners", "defenders"):
        depth = meters[f"{name}.penetration"].greatest
        if not depth < 0.3:
            problems.append(f"nobody may run into a rock, but one of the {name} did by {depth:.2f} m")
    return problems


SCENARIO = OldScenario(
    name="capture_the_flag",
    shows="Runners fetch a flag from between its defenders; who is tagged has to begin anew.",
    tags=("story", "modes", "obstacles", "OpenSteer"),
    dimensions=2,
    n=12,
    make=make,
    check=check,
)
