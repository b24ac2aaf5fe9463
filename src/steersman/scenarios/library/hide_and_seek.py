"""Hiders keep rocks between themselves and the seekers; who is touched is out.

Game AI lecture, "Hide", and "combine hide and seek". Seekers stroll about until they see somebody, and then go after him for
as long as they see him. Hiders slip behind the rock that is nearest to them.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.metrics.deciding import share_in_mode
from steersman.scenarios.impostors import instead, without
from steersman.scenarios.scenario import Scenario

SIGHT = 45.0
"""How far seekers see [m]."""


def make(*, n: int = 14, seed: int = 0) -> sm.Stage:
    """Put n hiders and some seekers between rocks, within a field."""
    rng = np.random.default_rng(seed)
    field = sm.Box([120, 76])
    rocks = sm.Spheres(
        center=sm.spawn.box(14, [96, 52], center=[60, 38], apart=14, rng=rng), radius=rng.uniform(2.5, 4.5, 14)
    )
    hiders = sm.Vehicles(
        sm.spawn.box(n, [110, 66], center=[60, 38], obstacles=rocks, clearance=2, apart=2, rng=rng),
        max_speed=7,
        max_force=28,
        response_time=0.15,
        radius=0.7,
    )
    count = n // 7 + 1
    seekers = sm.Vehicles(
        sm.spawn.disc(count, radius=12, center=[60, 38], obstacles=rocks, clearance=2, apart=2, rng=rng),
        sm.spawn.any_direction(count, speed=3, rng=rng),
        max_speed=8.5,
        max_force=30,
        response_time=0.15,
        radius=0.8,
    )
    found: list[int] = []

    def go_home(vehicles: sm.Vehicles, who: np.ndarray) -> None:
        """Those who are found leave the field."""
        found.append(int(who.sum()))
        vehicles.remove(who)

    edge = [sm.AvoidObstacles(rocks, lookahead=0.8), sm.Contain(field, lookahead=0.5, margin=2)]
    hide = sm.Hide(seekers, rocks, margin=1.2) + 0.6 * sm.Separation(radius=2.5)
    hiding = sm.Modes(
        {"hide": hide, "found": sm.TargetSpeed(0)},
        start="hide",
        transitions=[("hide", "found", sm.Near(seekers, distance=1.8))],
        on_enter={"found": go_home},
    )
    sees = sm.Sees(hiders, range=SIGHT, angle=3, occluders=rocks, memory=1)
    seeking = sm.Modes(
        {"search": sm.Wander("turn", speed=7, rate=1, max_turn_rate=1.5), "chase": sm.Pursue(hiders)},
        start="search",
        transitions=[("search", "chase", sees), ("chase", "search", ~sees)],
        cooldown=0.5,
    )
    world = sm.World(domain=field, seed=seed, dt=1 / 30)
    world.add(hiders, name="hiders", steering=sm.Priority([*edge, hiding]))
    hunt = world.add(seekers, name="seekers", steering=sm.Priority([*edge, seeking]))
    stage = sm.Stage(
        world,
        seconds=50,
        scenery={"rocks": rocks},
        picture=sm.Picture(trails=2.5, size=1.2, at=8),
        colors={"hiders": "blue", "seekers": "red"},
    )
    stage.watch("hiders", "penetration", every=sm.EverySteps(1))
    stage.watch("seekers", "penetration", every=sm.EverySteps(1))
    stage.watch("hiders", seen=lambda hiders: seen(hiders, seekers, rocks), found=lambda _: sum(found))
    stage.watch("seekers", chasing=lambda _: share_in_mode(hunt, "chase"))
    return stage


def seen(hiders: sm.Vehicles, seekers: sm.Vehicles, rocks: sm.Spheres) -> float:
    """Which part of the hiders can be seen from where some seeker is."""
    if not len(hiders):
        return 0.0
    found = np.zeros(len(hiders), bool)
    for eye in seekers.position.astype(float):
        way = hiders.position - eye
        distance = np.linalg.norm(way, axis=1)
        hidden = np.isfinite(rocks.cast(np.tile(eye, (len(hiders), 1)), way, reach=distance).distance)
        found |= (distance < SIGHT) & ~hidden
    return float(found.mean())


def check(stage: sm.Stage) -> Iterator[str]:
    """Most stay out of sight, and nobody ran into a rock."""
    meters, n = stage.meters, stage.recall.get("n", 14)
    if not (exposure := meters["hiders.seen"].values[12:].mean()) < 0.45:
        yield f"hiders must be out of sight, but on average {exposure:.0%} could be seen"
    if not meters["seekers.chasing"].greatest > 0:
        yield "seekers must see somebody now and then, but did not"
    if not (found := meters["hiders.found"].now) >= 1:
        yield f"somebody must be found, but {found:.0f} of {n} were"
    for name in ("hiders", "seekers"):
        if not (deep := meters[f"{name}.penetration"].greatest) < 0.1:
            yield f"nobody may run into a rock, but one of the {name} did by {deep:.2f} m"


SCENARIO = Scenario(
    make,
    check,
    tags=("story", "modes", "obstacles", "game AI lecture"),
    least=12,
    most=20,
    impostors={
        "without Hide": without(sm.Hide),
        "Evade for Hide": instead(sm.Hide, lambda it: sm.Evade(it.pursuer)),
        "without Pursue": without(sm.Pursue),
        "without AvoidObstacles": without(sm.AvoidObstacles),
        "a sum for the Priority": instead(sm.Priority, lambda it: sm.WeightedSum(it.components)),
    },
)
