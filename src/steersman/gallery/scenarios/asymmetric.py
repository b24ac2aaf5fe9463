"""A car speeds up slowly, takes wide curves and brakes hard; a point mass does all three alike, with the same steering.

Reynolds 1999, "A Simple Vehicle Model", figure 2: the steering force is split into thrust, braking and steering, each with a
limit of its own. All have the same steering tree and the same max_force, and get there: only the bodies differ.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import steersman as sm
from steersman.gallery.making.by_id import Own, extended, largest, mean
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario

FAST, SLOW = 10.0, 2.0
"""Speeds between which braking is timed, and the one that is to be reached [m/s]."""


class Brakes(sm.Keeping):
    """How hard each has braked so far: an observer of every step.

    Attributes:
        speed: The speeds at the last look [m/s], by id.
        hardest: The greatest decrease of speed [m/s^2], by id.
    """

    only_watches, saved_attributes = True, ("speed", "hardest")

    def __init__(self, vehicles: sm.Vehicles) -> None:
        self.vehicles, self.speed, self.hardest = vehicles, vehicles.speed.copy(), np.zeros(len(vehicles))

    def __call__(self, world: sm.World) -> None:
        """Look at their speeds."""
        ids, speed = self.vehicles.id, self.vehicles.speed
        self.speed, self.hardest = extended(self.speed, self.vehicles), extended(self.hardest, self.vehicles)
        self.hardest[ids] = np.maximum(self.hardest[ids], (self.speed[ids] - speed) / world.dt)
        self.speed[ids] = speed

    def median(self, _: sm.Vehicles) -> float:
        """Of all [m/s^2]."""
        return float(np.median(self.hardest[self.vehicles.id])) if len(self.vehicles) else np.nan


APART = 115.0
"""The distance between the groups [m]."""

CAPTIONS = {
    "point masses": "point masses: soon fast, in a tight bend",
    "cars": "cars: slow at first, in a wide bend",
}
"""The words over each group."""

AHEAD = "a point mass would be here"
"""What is said beside a car of the point mass that began as it did."""


def make(*, n: int = 3, seed: int = 0) -> sm.Stage:
    """Put n point masses and n cars side by side, all on their way to the north; their goals lie in the east."""
    rng = np.random.default_rng(seed)
    places = np.arange(n)[:, None] * [6, -14] + rng.uniform([-2, -1], [2, 1], (n, 2))
    bodies = {"point masses": sm.PointMass(), "cars": sm.PointMass(limits=[sm.Asymmetric(thrust=0.15, side=0.35)])}

    world = sm.World(seed=seed)
    labels: dict[str, Any] = {}
    ways: list[sm.shapes.Shape] = []
    wide: dict[str, Own] = {}
    for k, (name, body) in enumerate(bodies.items()):
        starts = places + np.array([APART * k, 0])
        goals = starts + np.array([85, 0])
        labels |= {CAPTIONS[name]: [APART * k - 6, 20.0]}
        ways += [sm.shapes.segment(starts, goals)]
        vehicles = sm.Vehicles(starts, [0, 6], max_speed=11, max_force=6, response_time=0.2)
        world.add(vehicles, name=name, steering=sm.Arrive(goals, ramp="braking"), locomotion=body)
        wide[name] = Own(vehicles, starts)
        brakes = Brakes(vehicles)
        world.on_step(brakes)
        world.watch(name, "mean_speed", brakes=brakes.median, every=0.1)
        to, origin = Own(vehicles, goals), Own(vehicles, starts)
        world.watch(name, left=lambda vehicles, to=to: largest(to.distances(vehicles)))
        world.watch(name, north=lambda vehicles, origin=origin: north(vehicles, origin), every=0.1)

    def bends() -> Iterator[sm.shapes.Shape]:
        """Where point masses would be beside the cars, and how fast each first one is."""
        masses = world["point masses"]
        beside = masses.position + np.array([APART, 0])
        if len(beside):
            yield sm.shapes.Pose(beside[1:], masses.forward[1:], 1.1, role="predicted", means=AHEAD)
            yield sm.shapes.Pose(beside[:1], masses.forward[:1], 1.1, role="predicted", label=AHEAD)
        for name, widest in wide.items():
            vehicles = world[name]
            rows, _ = widest.of(vehicles)
            if len(rows) and widest.ids[0] == vehicles.id[rows[0]]:
                speed = f"{float(vehicles.speed[rows[0]]):.0f} m/s"
                yield sm.shapes.Circle(vehicles.position[rows[:1]], 2.5, role="guide", label=speed)

    return sm.Stage(
        world,
        seconds=20,
        picture=sm.Picture(
            looks={"ground": "sand"},
            trails=20,
            dots=1,
            size=1.5,
            glyphs={"cars": "car"},
            sketch={"cars": [0]},
            close_up=72,
            opens=3.0,
        ),
        labels=labels,
        colors={"point masses": "sky", "cars": "red"},
        notes=[*ways, bends],
    )


def north(vehicles: sm.Vehicles, origin: Own) -> float:
    """How far they are in the north of where they started, on average [m]."""
    rows, starts = origin.of(vehicles)
    return mean((vehicles.position[rows] - starts)[:, 1])


def check(stage: sm.Stage) -> Iterator[str]:
    """All arrive; cars take longer to speed up, and wider curves, but brake in the same time."""
    up, down, wide = {}, {}, {}
    for name in ("point masses", "cars"):
        speed, north, left = (stage.meters[f"{name}.{each}"] for each in ("mean_speed", "north", "left"))
        if not (left.now < 0.5 and speed.greatest > FAST):
            yield f"the {name} must get to {FAST} m/s and arrive, but one is {left.now:.1f} m away"
            return
        fast = speed.times[speed.values > FAST]
        up[name], down[name] = fast[0], speed.times[(speed.values < SLOW) & (speed.times > fast[-1])][0] - fast[-1]
        wide[name] = north.values[north.times < 4].max()
    hard = stage.meters["cars.brakes"].now / stage.meters["point masses.brakes"].now
    if not 0.93 < hard < 1.07:
        yield f"cars must brake as hard, but braked {hard:.2f} times as hard"
    longer, wider, slower = (each["cars"] / each["point masses"] for each in (up, wide, down))
    if not longer > 3:
        yield f"cars must take three times as long to speed up, but took {longer:.1f} times as long"
    if not wider > 1.6:
        yield f"cars must take curves that are 1.6 times as wide, but theirs were {wider:.1f} times as wide"
    if not 0.7 < slower < 1.3:
        yield f"cars must brake in the same time, but took {slower:.1f} times as long"


SCENARIO = Scenario(
    make,
    check,
    tags=("locomotion", "Reynolds 1999"),
    impostors={
        "without Arrive": without(sm.Arrive),
        "Seek for Arrive": instead(sm.Arrive, lambda old: sm.Seek(old.target)),
        "symmetric": instead(sm.Asymmetric, sm.Asymmetric()),
        "a strong engine": instead(sm.Asymmetric, lambda old: old.replace(thrust=1)),
        "quick steering": instead(sm.Asymmetric, lambda old: old.replace(side=1)),
        "brakes that are 20% weaker": instead(sm.Asymmetric, lambda old: old.replace(brake=0.8)),
        "weak brakes": instead(sm.Asymmetric, lambda old: old.replace(brake=0.3)),
        "Drag for Asymmetric": instead(sm.Asymmetric, sm.Drag(0.3)),
    },
)
