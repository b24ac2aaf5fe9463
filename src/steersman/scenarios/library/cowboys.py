"""Cowboys: a cow wanders off, the trail boss tells a cowboy to fetch the stray, and he drives it back to the herd.

The example by which Reynolds 1999 introduces the three levels: the boss notices that the world has changed and sets a goal
(action selection), the cowboy makes subgoals of it (steering), the horse carries them out (locomotion). The boss is a
function that thinks twice a second, between steps; cowboys and cows have modes.
"""

from typing import Any

import numpy as np

from steersman.action_selection.reading import modes_of, set_modes
from steersman.geometry.keeping import Keeping
from steersman.geometry.vectors import Array
from steersman.metrics.deciding import count_metric, share_in_mode
from steersman.metrics.meters import Metric
from steersman.metrics.proximity import distances_to
from steersman.scenarios.builder import set_stage
from steersman.scenarios.old import OldScenario, meters_of
from steersman.scenarios.stage import Stage
from steersman.vehicles.vehicles import Vehicles
from steersman.world.observers import EverySeconds
from steersman.world.world import World

CAMP = [0.0, 0.0]

RANGE = 20.0
"""Where the herd should be [m]."""

BEHIND = 4.0
"""How far behind a stray a cowboy rides [m]."""


class TrailBoss(Keeping):
    """Says which cowboy fetches which stray.

    Attributes:
        errands: Id of the cow that each cowboy fetches, -1 for none; shape (cowboys,).
        fetched: How many strays have been brought back.
    """

    kept = ("errands", "fetched", "places")

    def __init__(self, count: int) -> None:
        self.errands = np.full(count, -1)
        self.fetched = 0
        self.places = np.zeros((count, 2))

    def think(self, world: World) -> None:
        """Send cowboys to strays, and let those who are done ride back to the herd."""
        cattle, cowboys = world.populations["cattle"], world.populations["cowboys"]
        if cattle.tree is None or cowboys.tree is None:
            return
        astray = cattle.vehicles.id[modes_of(cattle) != "graze"]
        done = (self.errands >= 0) & ~np.isin(self.errands, astray)
        self.fetched += int(done.sum())
        self.errands[done] = -1
        set_modes(cowboys, "tend", done)
        for cow in np.setdiff1d(astray, self.errands):
            free = np.flatnonzero(self.errands < 0)
            if not len(free):
                break
            way = cowboys.vehicles.position[free] - cattle.vehicles.position[cattle.vehicles.rows(int(cow))]
            chosen = free[np.argmin((way**2).sum(axis=1))]
            self.errands[chosen] = cow
            set_modes(cowboys, "fetch", cowboys.vehicles.id[chosen])

    def behind(self, cattle: Vehicles) -> Array:
        """Where each cowboy on an errand should ride: beyond the stray, seen from the camp; shape (cowboys, 2)."""
        busy = self.errands >= 0
        cows = cattle.position[np.searchsorted(cattle.id, self.errands[busy])].astype(float)
        distance = np.sqrt((cows**2).sum(axis=1, keepdims=True))
        self.places[busy] = cows + BEHIND * np.divide(cows, distance, out=np.zeros_like(cows), where=distance > 0)
        return self.places


def make(*, n: int, seed: int) -> Stage:
    """Put n cattle at the camp, and cowboys around them."""
    boss = TrailBoss(max(2, n // 12))
    cows: list[Vehicles] = []
    stage = set_stage(document(n=n, seed=seed, boss=boss, cows=cows))
    world = stage.world
    cows.append(world["cattle"])
    world.on_step(boss.think, EverySeconds(0.5))
    cattle = world.populations["cattle"]
    stage.watch(
        "cattle",
        astray=Metric(
            "",
            "share that is not with the herd",
            lambda _: sum(share_in_mode(cattle, mode) for mode in ("stray", "driven")),
        ),
        lost=Metric("", "share farther away than 1.6 ranges", lambda s: _farther(s.vehicles, 1.6 * RANGE)),
        fetched=count_metric("strays brought back", lambda: boss.fetched),
    )
    return stage


def _farther(vehicles: Vehicles, distance: float) -> float:
    return float((distances_to(vehicles, CAMP) > distance).mean())


def document(*, n: int, seed: int, boss: TrailBoss, cows: list[Vehicles]) -> dict[str, Any]:
    """The range."""
    return {
        "seed": seed,
        "seconds": 60.0,
        "dt": 1 / 30,
        "picture": {"trails": 8.0, "size": 1.2},
        "regions": [{"name": "range", "kind": "sphere", "center": CAMP, "radius": RANGE - 3.0}],
        "populations": [herd(n), riders(len(boss.errands), boss, cows)],
    }


def herd(n: int) -> dict[str, Any]:
    """The cattle."""
    apart = {"weight": 0.4, "behavior": "Separation", "radius": 2.5}
    stroll = {"behavior": "Wander", "law": "turn", "speed": 0.7, "rate": 2.0}
    home = {"behavior": "Seek", "target": CAMP, "speed": 2.5}
    modes = {
        "graze": {
            "behavior": "Priority",
            "parts": [
                {"behavior": "Contain", "region": "range", "lookahead": 1.0, "speed": 0.7},
                {"behavior": "WeightedSum", "parts": [stroll, apart]},
            ],
        },
        "stray": {"behavior": "Flee", "target": CAMP, "speed": 1.5},
        "driven": {"behavior": "WeightedSum", "parts": [{"weight": 2.0, **home}, apart]},
    }
    rider = {"condition": "Near", "target": "cowboys", "distance": BEHIND + 1.5, "leave": BEHIND + 6.0}
    return {
        "name": "cattle",
        "n": n,
        "color": "orange",
        "spawn": {"shape": "disc", "center": CAMP, "radius": 14.0},
        "max_speed": 3.0,
        "max_force": 8.0,
        "response_time": 0.3,
        "radius": 0.9,
        "steering": {
            "behavior": "Modes",
            "start": "graze",
            "modes": modes,
            "transitions": [
                {"from": "graze", "to": "stray", "when": {"condition": "Chance", "rate": 0.12 / n}},
                {"from": "stray", "to": "driven", "when": {"all": [away(), rider]}},
                {"from": "driven", "to": "graze", "when": {"not": away()}},
                {"from": "driven", "to": "stray", "when": {"not": rider}},
            ],
        },
    }


def away() -> dict[str, Any]:
    """Not with the herd."""
    return {"not": {"condition": "Near", "target": CAMP, "distance": RANGE - 4.0}}


def riders(n: int, boss: TrailBoss, cows: list[Vehicles]) -> dict[str, Any]:
    """The cowboys: around the herd, or on an errand."""
    around = 2 * np.pi * np.arange(n) / n
    posts = (RANGE + 3.0) * np.stack([np.cos(around), np.sin(around)], axis=1)
    return {
        "name": "cowboys",
        "n": n,
        "color": "blue",
        "spawn": {"shape": "points", "position": posts.tolist()},
        "max_speed": 9.0,
        "max_force": 30.0,
        "response_time": 0.2,
        "radius": 0.8,
        "metrics": ["mean_speed"],
        "steering": {
            "behavior": "Modes",
            "start": "tend",
            "modes": {
                "tend": {"behavior": "Arrive", "target": posts.tolist(), "speed": 4.0},
                "fetch": {
                    "behavior": "WeightedSum",
                    "parts": [
                        {"behavior": "Arrive", "target": lambda: boss.behind(cows[0])},
                        {"behavior": "Separation", "of": "cattle", "radius": 3.0, "weight": 0.3},
                    ],
                },
            },
        },
    }


def check(world: World) -> list[str]:
    """Some cows strayed, were brought back, and none is lost."""
    meters, problems = meters_of(world), []
    if not meters["cattle.astray"].greatest > 0:
        problems.append("some cow must stray, but none did")
    if not meters["cattle.fetched"].now >= 1:
        problems.append("cowboys must bring strays back, but brought none")
    if not meters["cattle.lost"].now < 0.05:
        problems.append(f"nobody may get lost, but {100 * meters['cattle.lost'].now:.0f} % are far away")
    return problems


SCENARIO = OldScenario(
    name="cowboys",
    shows="A cow strays, the trail boss sends a cowboy, and he drives it back to the herd.",
    tags=("story", "modes", "think", "Reynolds 1999"),
    dimensions=2,
    n=36,
    make=make,
    check=check,
)
