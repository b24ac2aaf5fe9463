"""Cars race on a road 14 m wide: fast on the straights, slow in the bends, past one another.

After "Path following" and "A Simple Vehicle Model" in Reynolds 1999, with a speed law that the paper does not give:
FollowPath slows down for the bends ahead, as early as the brakes ask for. Nothing tells the cars where to brake.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.by_id import largest, smallest
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.laps import Laps
from steersman.gallery.making.scenario import Scenario

SPINE = [
    [0, 0],
    [130, 0],
    [165, 30],
    [130, 58],
    [70, 42],
    [45, 90],
    [120, 112],
    [165, 160],
    [40, 165],
    [-30, 110],
    [-35, 30],
]
"""Points that the road goes through [m]."""

HALF = 7.0
"""Half of the road's width [m]."""

FORCE = 9.0
"""What a car's tires hold, to the side and in braking [N] for 1 kg."""


DIAMOND = 3.5 * np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])
"""A frame around a car [m]."""


def make(*, n: int = 7, seed: int = 0) -> sm.Stage:
    """Put n cars on the grid, the slowest in front."""
    rng = np.random.default_rng(seed)
    road = sm.Path.spline(SPINE, radius=HALF, closed=True)
    place = 60 - 8.0 * np.arange(n)
    ahead = road.tangent_at(place)
    aside = np.stack([-ahead[:, 1], ahead[:, 0]], axis=1) * np.where(np.arange(n) % 2, 2.5, -2.5)[:, None]
    cars = sm.Vehicles(
        road.point_at(place) + aside,
        5.0 * ahead,
        max_speed=np.sort(rng.uniform(24, 34, n)),
        max_force=FORCE,
        radius=1.0,
        response_time=0.15,
    )

    world = sm.World(seed=seed)
    tree = sm.FollowPath(road) + 0.5 * sm.AvoidNeighbors(lookahead=1.2)
    world.add(cars, name="cars", steering=tree, locomotion=sm.Wheeled(turning_radius=5, thrust=0.6))
    laps = Laps(cars, road)
    world.on_step(laps, sm.EverySeconds(0.25))
    world.watch("cars", laps=laps.slowest, every=sm.EverySeconds(0.5))
    world.watch("cars", "off_path", to=road, every=sm.EverySteps(1))
    world.watch("cars", "overlap", every=sm.EverySteps(1))
    world.watch("cars", fastest=lambda cars: largest(cars.speed), slowest=lambda cars: smallest(cars.speed))
    world.watch("cars", passed=lambda cars: overtaken(laps.way[cars.id[cars.id < n]], place[cars.id[cars.id < n]]))

    def speeds() -> Iterator[sm.shapes.Shape]:
        """The fastest and the slowest of the moment."""
        if len(cars) > 1:
            for row, words in ((int(cars.speed.argmax()), "fastest"), (int(cars.speed.argmin()), "slowest")):
                label = f"{words} now: {cars.speed[row]:.0f} m/s"
                yield sm.shapes.Line(cars.position[row] + DIAMOND, closed=True, label=label)

    return sm.Stage(
        world,
        seconds=60,
        scenery={"road": road},
        picture=sm.Picture(
            looks={"road": "asphalt", "ground": "grass"},
            trails=4,
            size=1.2,
            glyphs="car",
            close_up=40,
            sketch={"cars": [1]},
            opens=21.0,
        ),
        labels={"a straight: full speed": [40.0, -12.0], "bends: they brake before": [62.0, 62.0]},
        notes=[speeds],
    )


def overtaken(way: np.ndarray, place: np.ndarray) -> int:
    """How many pairs of cars have changed places since the start."""
    front = way + place
    return int(np.sum(np.triu((front[:, None] < front) & (place[:, None] > place), 1)))


def check(stage: sm.Stage) -> Iterator[str]:
    """They drive a lap on the road, fast where it is straight and slow where it bends."""
    meters = stage.meters
    if not (laps := meters["cars.laps"].now) > 0.9:
        yield f"every car must drive 0.9 laps, but the slowest drove {laps:.2f}"
    if not (off := meters["cars.off_path"].values.mean()) < 0.002:
        yield f"they must stay on the road, but were off it {off:.1%} of the time"
    if not (fast := meters["cars.fastest"].greatest) > 22:
        yield f"they must be fast on the straights, but none was faster than {fast:.1f} m/s"
    if not (slow := meters["cars.slowest"].values[80:].min()) < 14:
        yield f"they must be slow in the bends, but none was slower than {slow:.1f} m/s"
    if len(stage.world["cars"]) >= 5 and not meters["cars.passed"].greatest > 0:
        yield "cars must pass one another, but all stay in the order of the start"
    if not (deep := np.mean(meters["cars.overlap"].values > 0.1)) < 0.01:
        yield f"they must keep apart, but for {deep:.1%} of the time one was in another"


SCENARIO = Scenario(
    make,
    check,
    most=14,
    tags=("locomotion", "path", "Reynolds 1999"),
    impostors={
        "without FollowPath": without(sm.FollowPath),
        "blind to bends": instead(sm.FollowPath, lambda old: old.replace(bends="ignore")),
        "without AvoidNeighbors": without(sm.AvoidNeighbors),
        "one slow speed": instead(sm.FollowPath, lambda old: old.replace(speed=11.0)),
    },
    exempt={
        "cars: AvoidNeighbors minds one alone": "on a road they pass one at a time",
        "cars: point masses": "cars that brake in time ask of tires and brakes no more than these give",
    },
)
