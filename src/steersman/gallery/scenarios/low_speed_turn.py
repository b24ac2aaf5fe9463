"""Point masses turn on the spot; vehicles that turn only as fast as they move drive a bend.

After OpenSteer's demonstration of the same name. All start at rest, facing to the right, and have a goal of their own.
"""

from collections.abc import Callable, Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.by_id import Own, mean
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario
from steersman.gallery.making.turns import Turns


def make(*, n: int = 8, seed: int = 0) -> sm.Stage:
    """Put two rows of n vehicles; the goals of the upper ones lie above, those of the lower ones below."""
    rng = np.random.default_rng(seed)
    angle = np.linspace(np.pi / 3, np.pi - 0.2, n)
    world = sm.World(seed=seed)
    for name, up, body in (
        ("free", 1, sm.PointMass()),
        ("limited", -1, sm.PointMass(limits=[sm.LowSpeedTurn(part=0.5)])),
    ):
        row = np.stack([4 * np.arange(n), np.full(n, 4 * up)], axis=1)
        goals = row + 30 * np.stack([np.cos(angle), up * np.sin(angle)], axis=1)
        vehicles = sm.Vehicles(
            row, heading=rng.normal(0, 0.03, n), max_speed=5, max_force=1.5, radius=0.4, response_time=0.5
        )
        world.add(vehicles, name=name, steering=sm.Seek(goals), locomotion=body)
        turns = Turns(vehicles)
        world.on_step(turns)
        world.watch(name, turn=lambda _, turns=turns: turns.largest, missing=missing(Own(vehicles, goals)))

    def rows_now() -> Iterator[sm.shapes.Shape]:
        """Which row is which, beside the first vehicle of each."""
        for name, words in (("free", "free: turn on the spot"), ("limited", "limited: drive a bend")):
            yield sm.shapes.Circle(world[name].position[:1], 2.2, role="target", label=words)

    return sm.Stage(
        world,
        seconds=6.5,
        picture=sm.Picture(
            looks={"ground": "paving"},
            trails=10,
            dots=0.5,
            at=4,
            size=1.8,
            glyphs="car",
            close_up=42,
            sketch={"limited": [5 * n // 8]},
            opens=2.7,
        ),
        colors={"free": "orange", "limited": "blue"},
        labels={"goals of the free": [2, 38], "goals of the limited": [2, -38]},
        notes=[sm.shapes.Line(np.array([[-14.0, 0.0], [4.0 * n + 12, 0.0]])), rows_now],
    )


def missing(goals: Own) -> Callable[[sm.Vehicles], float]:
    """A metric: the mean angle between where they face and their goals [degrees]."""

    def angle(vehicles: sm.Vehicles) -> float:
        rows, places = goals.of(vehicles)
        way = places - vehicles.position[rows]
        cosine = np.sum(way * vehicles.forward[rows], axis=1) / np.linalg.norm(way, axis=1)
        return mean(np.degrees(np.arccos(np.clip(cosine, -1, 1))))

    return angle


def check(stage: sm.Stage) -> Iterator[str]:
    """The vehicles with the limit turn in bends, the others on the spot; all turn to their goals."""
    limited, free = stage.meters["limited.turn"].now, stage.meters["free.turn"].now
    if not limited < 12:
        yield f"with the limit no vehicle may turn on the spot, but one turned by {limited:.0f} degrees in a step"
    if not free > 40:
        yield f"point masses must turn on the spot, but none turned by more than {free:.0f} degrees in a step"
    for name in ("limited", "free"):
        if not (angle := stage.meters[f"{name}.missing"].now) < 10:
            yield f"the {name} must turn to their goals, but miss them by {angle:.0f} degrees"


SCENARIO = Scenario(
    make,
    check,
    least=2,
    tags=("locomotion", "Reynolds 1999", "OpenSteer"),
    impostors={
        "without LowSpeedTurn": instead(sm.PointMass, sm.PointMass(), of="limited"),
        "LowSpeedTurn for all": instead(sm.PointMass, sm.PointMass(limits=[sm.LowSpeedTurn(part=0.5)])),
        "TurnRate for LowSpeedTurn": instead(sm.LowSpeedTurn, sm.TurnRate(0.3)),
        "without Seek": without(sm.Seek),
        "Flee": instead(sm.Seek, lambda old: sm.Flee(old.target)),
    },
)
