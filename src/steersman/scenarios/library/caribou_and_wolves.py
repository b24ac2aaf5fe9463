"""Caribou and wolves: the herd grazes until it senses wolves; then all thoughts of grazing are forgotten.

Reynolds 1999, "Combining Behaviors". The switch from grazing to fleeing is a change of mode: nobody slows down for a bite
of food while a wolf is near. Within a mode behaviors are blended: a herd that flees through the forest evades, keeps together
and dodges trees. Wolves have moods of their own: they prowl, hunt, and rest when they are tired.
"""

from typing import Any

from steersman.metrics.deciding import in_mode, mode_metric
from steersman.metrics.meters import Metric, Subject
from steersman.scenarios.builder import set_stage
from steersman.scenarios.library.obstacle_avoidance import scatter
from steersman.scenarios.old import OldScenario, meters_of
from steersman.scenarios.stage import Stage
from steersman.world.world import World

SENSE, CALM = 20.0, 34.0
"""Distances to a wolf at which a caribou takes fright, and at which it calms down [m]."""

TREE = 0.35
"""How thick trees are, in radii of rocks."""


def make(*, n: int, seed: int) -> Stage:
    """Put n caribou on a meadow between trees, and wolves around it."""
    stage = set_stage(document(n=n, seed=seed))
    world = stage.world
    caribou, wolves = world.populations["caribou"], world.populations["wolves"]

    def bites(subject: Subject) -> float:
        """How many graze although a wolf is well within the distance at which they take fright."""
        offset = subject.domain.difference(wolves.vehicles.position[None], subject.vehicles.position[:, None])
        near = ((offset**2).sum(axis=2) < (0.9 * SENSE) ** 2).any(axis=1)
        return float((near & in_mode(caribou, "graze")).sum())

    def speed_of(mode: str) -> Metric:
        return Metric(
            "m/s", f"mean speed of those who {mode}", lambda s: _mean(s.vehicles.speed[in_mode(caribou, mode)])
        )

    stage.watch(
        "caribou",
        "penetration",
        fleeing=mode_metric(caribou, "flee", "share that flees"),
        bites=Metric("", "grazing although a wolf is near", bites),
        grazing_speed=speed_of("graze"),
        fleeing_speed=speed_of("flee"),
    )
    stage.watch("wolves", "penetration", hunting=mode_metric(wolves, "hunt", "share that hunts"))
    return stage


def _mean(values: Any) -> float:
    return float(values.mean()) if len(values) else 0.0


def document(*, n: int, seed: int) -> dict[str, Any]:
    """The meadow, which is a torus."""
    width, height = 150.0, 90.0
    centers, radii = scatter(20, width, height, seed)
    return {
        "seed": seed,
        "seconds": 40.0,
        "dt": 1 / 30,
        "domain": {"kind": "torus", "size": [width, height]},
        "picture": {"trails": 2.0},
        "obstacles": [{"name": "trees", "center": centers, "radius": [TREE * radius for radius in radii]}],
        "populations": [herd(n), pack()],
    }


def herd(n: int) -> dict[str, Any]:
    """The caribou."""
    near = {"condition": "Near", "target": "wolves", "distance": SENSE}
    far = {"not": {"condition": "Near", "target": "wolves", "distance": CALM}}
    modes = {
        "graze": blend(
            (1.0, {"behavior": "Wander", "law": "turn", "speed": 0.8, "rate": 2.0}),
            (0.2, {"behavior": "Separation", "radius": 3.0}),
        ),
        "flee": blend(
            (1.0, {"behavior": "Evade", "pursuer": "wolves"}),
            (0.4, {"behavior": "Separation", "radius": 3.0}),
            (0.3, {"behavior": "Alignment", "radius": 10.0}),
        ),
    }
    return {
        "name": "caribou",
        "n": n,
        "color": "gray",
        "spawn": {"shape": "disc", "radius": 22.0},
        "clearance": 1.5,
        "velocity": {"kind": "random", "speed": 0.8},
        "max_speed": 8.5,
        "max_force": 26.0,
        "response_time": 0.2,
        "radius": 0.7,
        "steering": between_trees(
            {
                "behavior": "Modes",
                "start": "graze",
                "modes": modes,
                "transitions": [
                    {"from": "graze", "to": "flee", "when": near},
                    {"from": "flee", "to": "graze", "when": {"all": [{"condition": "After", "seconds": 2.0}, far]}},
                ],
            }
        ),
    }


def pack() -> dict[str, Any]:
    """The wolves: a little faster than a caribou, but not for long."""
    modes = {
        "prowl": {"behavior": "Wander", "law": "turn", "speed": 4.0, "rate": 1.0},
        "hunt": blend(
            (1.0, {"behavior": "Pursue", "quarry": "caribou"}),
            (0.5, {"behavior": "Separation", "radius": 6.0}),
        ),
        "rest": {"behavior": "TargetSpeed", "speed": 0.3},
    }
    return {
        "name": "wolves",
        "n": 3,
        "color": "red",
        "spawn": {"shape": "ring", "radius": 42.0},
        "clearance": 1.5,
        "velocity": {"kind": "random", "speed": 3.0},
        "max_speed": 9.0,
        "max_force": 26.0,
        "response_time": 0.2,
        "radius": 0.7,
        "steering": between_trees(
            {
                "behavior": "Modes",
                "start": "prowl",
                "modes": modes,
                "transitions": [
                    {
                        "from": "prowl",
                        "to": "hunt",
                        "when": {"condition": "Near", "target": "caribou", "distance": 28.0},
                    },
                    {"from": "hunt", "to": "rest", "when": {"condition": "After", "seconds": 6.0}},
                    {"from": "rest", "to": "prowl", "when": {"condition": "After", "seconds": 10.0}},
                ],
            }
        ),
    }


def blend(*parts: tuple[float, dict[str, Any]]) -> dict[str, Any]:
    """A weighted sum."""
    return {"behavior": "WeightedSum", "parts": [{"weight": weight, **part} for weight, part in parts]}


def between_trees(steering: dict[str, Any]) -> dict[str, Any]:
    """Dodge trees first, whatever the mood."""
    avoid = {"behavior": "AvoidObstacles", "obstacles": "trees", "lookahead": 0.8}
    return {"behavior": "Priority", "parts": [avoid, steering]}


def check(world: World) -> list[str]:
    """They grazed, fled together, fast and without a bite or a tree on the way, and grazed again."""
    meters, problems = meters_of(world), []
    fleeing, bites = meters["caribou.fleeing"], meters["caribou.bites"].greatest
    if not (fleeing.greatest > 0.3 and fleeing.now < fleeing.greatest - 0.2):
        problems.append(
            f"a third of the herd must flee, and calm down, but {100 * fleeing.greatest:.0f} % fled at most "
            f"and {100 * fleeing.now:.0f} % do now"
        )
    if bites:
        problems.append(f"nobody may graze with a wolf near, but {bites:.0f} did")
    slow, fast = meters["caribou.grazing_speed"].least, meters["caribou.fleeing_speed"].greatest
    if not (slow < 2 and fast > 6):
        problems.append(
            f"they must graze below 2 m/s and flee above 6 m/s, but did so at {slow:.1f} and {fast:.1f} m/s"
        )
    if not meters["wolves.hunting"].greatest > 0:
        problems.append("wolves must hunt, but none did")
    for name in ("caribou", "wolves"):
        depth = meters[f"{name}.penetration"].greatest
        if not depth < 0.25:
            problems.append(f"nobody may run into a tree, but one of the {name} did by {depth:.2f} m")
    return problems


SCENARIO = OldScenario(
    name="caribou_and_wolves",
    shows="Caribou graze until they sense wolves; then they flee through the forest, and nobody stops for a bite.",
    tags=("story", "modes", "obstacles", "Reynolds 1999"),
    dimensions=2,
    n=50,
    make=make,
    check=check,
)
