"""Cars with bad brakes shoot past the line at first; half of them learn, slow down earlier, and soon stop on it.

Reynolds 1999, "Locomotion": an adaptive, self-calibrating steering behavior, "the way a human driver quickly adapts to the
characteristics of an unfamiliar automobile". All have the same brakes, a fifth as strong as the slowing distance of their
drivers asks for.
Every 15 s they are called to the other line; cars that calibrate begin to brake earlier after each time that they
shot past.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.core.typing import Array
from steersman.gallery.making.by_id import Own, mean
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario

LINES = np.array([0.0, 60.0])
"""Where the lines are [m]."""

PERIOD = 15
"""How often they are called to the other one [s]."""

HABIT = 8.0
"""From which distance drivers slow down who are used to brakes five times as strong [m]."""

TIMES = 6
"""How often altogether."""


def make(*, n: int = 4, seed: int = 0) -> sm.Stage:
    """Put n cars that learn and n that do not at the first line, on lanes of their own."""
    rng = np.random.default_rng(seed)
    world = sm.World(seed=seed)

    def line() -> float:
        """Where they are to stop now [m]."""
        return float(LINES[(int(world.time / PERIOD) + 1) % 2])

    def past(vehicles: sm.Vehicles) -> float:
        """How far they are past the line on average [m]."""
        way = 1 if line() > 0 else -1
        return mean(np.maximum(way * (vehicles.position[:, 0] - line()), 0))

    for k, (name, calibrate) in enumerate({"learning": 0.5, "stubborn": 0}.items()):
        starts = np.column_stack([np.zeros(n), -5 * np.arange(n) - 5 * n * k])
        cars = sm.Vehicles(starts, max_speed=10, mass=rng.uniform(0.9, 1.1, n), max_force=20, response_time=0.2)

        lanes = Own(cars, starts[:, 1])

        def berths(cars: sm.Vehicles = cars, lanes: Own = lanes) -> Array:
            """The line, on its own lane; one that came later keeps the lane on which it is."""
            across = cars.position[:, 1].astype(float)
            rows, own = lanes.of(cars)
            across[rows] = own
            return np.column_stack([np.full(len(cars), line()), across])

        world.add(
            cars,
            name=name,
            # By its samples, for a linear ramp by name would warn that the distance is too short.
            steering=sm.Arrive(berths, slowing_distance=HABIT, ramp=[0, 1], calibrate=calibrate),
            locomotion=sm.PointMass(limits=[sm.Asymmetric(brake=0.2)]),
        )
        world.watch(name, "mean_speed", past=past, every=0.1)
    ends = [2.5, -10 * n + 2.5]
    roads = {f"lane {k + 1}": sm.Path([[-9, -5 * k], [76, -5 * k]], radius=2.1) for k in range(2 * n)}
    return sm.Stage(
        world,
        seconds=TIMES * PERIOD,
        scenery={
            **roads,
            "west": sm.Path([[0, y] for y in ends], radius=0.5),
            "east": sm.Path([[60, y] for y in ends], radius=0.5),
        },
        picture=sm.Picture(
            looks={"ground": "grass", **dict.fromkeys(roads, "asphalt")},
            trails=3,
            size=1.5,
            at=[8.3, 38.3, 68.3],
            glyphs="car",
            close_up=30,
            sketch={"stubborn": [0]},
            opens=36.9,
        ),
        colors={"learning": "green", "stubborn": "red"},
        labels={
            "here they start, and come back": [1.5, 4.5],
            "the line: here they are to stop": [61.5, 4.5],
            "these learn, and stop on it": [53.5, -5 * n + 7.5],
            "these never learn, and overshoot": [53.5, -5 * n - 7.5],
        },
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """All shoot past at first; in the end the learning ones do not any more, and the others do as ever."""
    for name in ("learning", "stubborn"):
        past, speed = stage.meters[f"{name}.past"], stage.meters[f"{name}.mean_speed"].greatest
        # When they are called away, they are past the other line for a moment.
        far = [past.values[(past.times > PERIOD * k + 6) & (past.times < PERIOD * (k + 1))].max() for k in range(TIMES)]
        distances = ", ".join(f"{each:.1f}" for each in far)
        if not (far[0] > 3 and speed > 9):
            yield f"the {name} must go at full speed and shoot past at first, but did so by {distances} m at {speed:.0f} m/s"
        if name == "learning" and not (far[-1] < 0.3 and 0.2 * far[0] < far[1] < 0.8 * far[0]):
            yield f"the learning must shoot past less and less, but did so by {distances} m"
        if name == "stubborn" and not far[-1] > 3:
            yield f"the stubborn must go on to shoot past, but did so by {distances} m"


SCENARIO = Scenario(
    make,
    check,
    tags=("locomotion", "Reynolds 1999"),
    impostors={
        "without Arrive": without(sm.Arrive),
        "Seek for Arrive": instead(sm.Arrive, lambda old: sm.Seek(old.target)),
        "all is learned at once": instead(sm.Arrive, lambda old: old.replace(calibrate=10) if old.calibrate else old),
        "none learns": instead(sm.Arrive, lambda old: old.replace(calibrate=0)),
        "all learn": instead(sm.Arrive, lambda old: old.replace(calibrate=0.5)),
        "good brakes": instead(sm.Asymmetric, sm.Asymmetric()),
        "a long way to slow down": instead(sm.Arrive, lambda old: sm.Arrive(old.target, slowing_distance=30)),
    },
)
