"""Map drive: cars drive laps on a winding road with rocks on it.

After OpenSteer's demonstration of the same name, built anew. The bodies are bicycles: front wheels that take time to turn, a
smallest turning circle, brakes stronger than the engine. Rocks and other cars come first, then the road.
"""

import math

import numpy as np

from steersman.drawing.style import Picture
from steersman.environment.obstacles.spheres import Spheres
from steersman.environment.paths.path import Path
from steersman.geometry.keeping import Keeping
from steersman.geometry.vectors import Array
from steersman.locomotion.wheeled import Wheeled
from steersman.metrics.meters import Metric
from steersman.scenarios.old import OldScenario, meters_of
from steersman.scenarios.stage import Stage
from steersman.steering.combining.priority import Priority
from steersman.steering.group.separation import Separation
from steersman.steering.individual.avoid_obstacles import AvoidObstacles
from steersman.steering.individual.follow_path import FollowPath
from steersman.vehicles.vehicles import Vehicles
from steersman.world.world import World

ROAD = 5.0
"""Half of the road's width [m]."""

MARGIN = 0.6
"""How far around rocks they drive [m]."""


class Driving(Keeping):
    """Counts laps, steps off the road, and crashes."""

    kept = ("place", "way", "off", "steps", "crashes")

    def __init__(self, cars: Vehicles, road: Path, rocks: Spheres) -> None:
        self.road, self.rocks = road, rocks
        self.place = road.project(cars.position).s
        self.way, self.off, self.steps, self.crashes = np.zeros(len(cars)), 0.0, 0, 0

    def __call__(self, world: World) -> None:
        """Look where they are."""
        cars = world["cars"]
        place, distance, _ = self.road.project(cars.position.astype(float))
        step = place - self.place
        self.way += step - self.road.length * np.rint(step / self.road.length)
        self.place = place
        self.off += float(np.mean(distance > ROAD))
        self.steps += 1
        self.crashes += int(np.sum(gaps(cars, self.rocks) < 0))

    @property
    def laps(self) -> float:
        """Laps that the slowest has driven."""
        return float(self.way.min() / self.road.length)

    @property
    def off_road(self) -> float:
        """Share of the time that they were off the road."""
        return self.off / max(self.steps, 1)


def gaps(cars: Vehicles, rocks: Spheres) -> Array:
    """Distance of every car to the nearest rock [m]; negative inside."""
    way = np.linalg.norm(cars.position[:, None, :] - rocks.center[None], axis=2) - rocks.radius
    return np.asarray(way.min(axis=1) - cars.radius)


def winding_road(rng: np.random.Generator) -> Path:
    """A closed road, round on the whole, with bends."""
    angle = np.linspace(0, 2 * math.pi, 14, endpoint=False)
    reach = 60.0 + rng.uniform(-12.0, 12.0, len(angle))
    return Path.spline(reach[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1), radius=ROAD, closed=True)


def make(*, n: int, seed: int) -> Stage:
    """Build the road, put rocks on its sides, and line n cars up."""
    rng = np.random.default_rng(seed)
    road = winding_road(rng)
    s = road.length * (np.arange(10) + rng.uniform(0.2, 0.8, 10)) / 10
    tangent = road.tangent_at(s)
    side = np.stack([-tangent[:, 1], tangent[:, 0]], axis=1) * rng.choice([-1.0, 1.0], 10)[:, None]
    rocks = Spheres(road.point_at(s) + side * rng.uniform(2.5, 4.5, 10)[:, None], rng.uniform(0.6, 1.2, 10))
    wide = Spheres(rocks.center, np.asarray(rocks.radius) + MARGIN)
    place = road.length * np.arange(n) / max(n, 1)
    cars = Vehicles(
        road.point_at(place), 3.0 * road.tangent_at(place), max_speed=rng.uniform(9.0, 11.0, n), max_force=14.0,
        radius=0.8, response_time=0.2,
    )  # fmt: skip
    world = World(seed=seed)
    steering = Priority(
        [
            AvoidObstacles(wide, lookahead=1.4),
            FollowPath(road, law="predicted", lookahead=0.8) + 0.7 * Separation(radius=5.0),
        ]
    )
    body = Wheeled(turning_radius=3.0, wheelbase=2.0, steer_rate=2.5, thrust=0.6, brake=1.0, side=0.9)
    world.add(cars, name="cars", steering=steering, locomotion=body)
    driving = Driving(cars, road, rocks)
    world.on_step(driving)
    stage = Stage(world, seconds=60.0, scenery={"road": road, "rocks": rocks}, picture=Picture(trails=2.0))
    stage.watch(
        "cars",
        "mean_speed",
        laps=Metric("laps", "laps of the slowest", lambda _: driving.laps),
        off_road=Metric("", "share of the time off the road", lambda _: driving.off_road),
        crashes=Metric("", "car steps inside a rock", lambda _: float(driving.crashes)),
    )
    return stage


def check(world: World) -> list[str]:
    """They drive laps, on the road, and run into no rock."""
    meters, problems = meters_of(world), []
    if not meters["cars.laps"].now > 0.9:
        problems.append(f"every car must drive nearly a lap, but the slowest drove {meters['cars.laps'].now:.2f}")
    if not meters["cars.off_road"].now < 0.08:
        problems.append(f"they must stay on the road, but were off it {meters['cars.off_road'].now:.0%} of the time")
    if meters["cars.crashes"].now > 0:
        problems.append(f"they must hit no rock, but did in {meters['cars.crashes'].now:.0f} car steps")
    return problems


SCENARIO = OldScenario(
    name="map_drive",
    shows="Cars drive laps on a winding road and around the rocks on it.",
    tags=("locomotion", "path", "OpenSteer"),
    dimensions=2,
    n=6,
    make=make,
    check=check,
)
