"""A small world for each behavior that no scenario of the gallery shows: it plays on the page of the class."""

from collections.abc import Callable
from typing import Any

import numpy as np

import steersman as sm

WORLDS: dict[str, tuple[str, Callable[[], sm.Stage]]] = {}
"""Class -> a sentence about its replay, and the function that makes the world."""

WALKING = 1.34
"""Wanted speed of walkers [m/s]."""


def shows(words: str, name: str) -> Callable[[Callable[[], sm.Stage]], Callable[[], sm.Stage]]:
    """Decorator: the function makes the world for the page of a class."""

    def enter(make: Callable[[], sm.Stage]) -> Callable[[], sm.Stage]:
        WORLDS[name] = words, make
        return make

    return enter


def corridor(law: Any, *, dt: float = 0.05, radius: float = 0.2, response_time: Any = 0.5) -> sm.Stage:
    """Twelve walkers from either end of a corridor 4 m wide, by a law of pedestrian research."""
    hall = sm.Walls([[[-16, -2], [16, -2]], [[-16, 2], [16, 2]]])
    rng = np.random.default_rng(3)
    side = np.repeat([-1.0, 1.0], 12)
    row = np.tile(np.arange(12), 2)
    places = np.stack([side * (4 + row // 3 * 2.0), (row % 3 - 1) * 1.1], 1) + rng.uniform(-0.25, 0.25, (24, 2))
    world = sm.World(dt=dt, seed=3)
    groups = [
        sm.Vehicles(
            places[side == sign],
            [[-WALKING * sign, 0.0]] * 12,
            max_speed=1.3 * WALKING,
            max_force=1e3,
            radius=radius,
            response_time=response_time,
        )
        for sign in (-1, 1)
    ]
    for name, own, sign in zip(("eastward", "westward"), groups, (-1, 1), strict=True):
        goals = np.stack([np.full(12, -60.0 * sign), own.position[:, 1]], 1)
        world.add(own, name=name, steering=law(sm.Seek(goals, speed=WALKING), of=groups, obstacles=hall))
    colors = {"eastward": "blue", "westward": "orange"}
    return sm.Stage(world, seconds=16, scenery={"hall": hall}, colors=colors)


@shows("Two groups of walkers meet in a corridor, press and rub past each other.", "SocialForce")
def social_force() -> sm.Stage:
    """By the social forces of 2000, with their small steps."""
    return corridor(sm.SocialForce, dt=0.01, radius=0.25)


@shows("Two groups of walkers meet in a corridor, and turn aside seconds before they would touch.", "PowerLaw")
def power_law() -> sm.Stage:
    """By times until others would be met."""
    return corridor(sm.PowerLaw)


@shows("Two groups of walkers meet in a corridor; each slows down as the spacing ahead shrinks.", "CollisionFreeSpeed")
def collision_free_speed() -> sm.Stage:
    """By the spacing ahead."""
    return corridor(sm.CollisionFreeSpeed, radius=0.15, response_time="step")


@shows("Two groups of walkers meet in a corridor, and form lanes.", "AnticipationVelocity")
def anticipation_velocity() -> sm.Stage:
    """By where others will be."""
    return corridor(sm.AnticipationVelocity, radius=0.18, response_time="step")


@shows(
    "Two groups of walkers meet in a corridor, as ellipses that grow longer with speed.", "GeneralizedCentrifugalForce"
)
def centrifugal_force() -> sm.Stage:
    """As ellipses."""
    return corridor(sm.GeneralizedCentrifugalForce, dt=0.01)


@shows(
    "Eighty fish that never slow down: away from the near ones, along with those about, toward the farther ones.",
    "Zones",
)
def zones() -> sm.Stage:
    """A narrow zone of orientation."""
    rng = np.random.default_rng(2)
    fish = sm.Vehicles(
        rng.uniform(-8, 8, (80, 2)),
        heading=rng.uniform(-np.pi, np.pi, 80),
        max_speed=3,
        max_force=1e4,
        response_time=0,
        radius=0.3,
    )
    world = sm.World(dt=0.1, seed=2)
    world.add(
        fish,
        name="fish",
        steering=sm.Zones(orientation_radius=2.5, attraction_radius=15.0),
        locomotion=sm.PointMass(limits=[sm.ConstantSpeed(3, rate=0.7)]),
    )
    return sm.Stage(world, seconds=30)


def rocky(combine: Callable[[Any, Any, Any], Any]) -> sm.Stage:
    """Twenty walkers cross a field of rocks, with three urges that a combinator makes one of."""
    rng = np.random.default_rng(5)
    rocks = sm.Spheres(sm.spawn.inside(9, sm.Box([26, 20], [-13, -10]), apart=4.5, rng=rng), 1.1)
    start = np.stack([np.full(20, -24.0) + rng.uniform(-3, 3, 20), np.linspace(-9.5, 9.5, 20)], 1)
    walkers = sm.Vehicles(start, max_speed=4, max_force=12, radius=0.4)
    world = sm.World(seed=5)
    urges = sm.AvoidObstacles(rocks), sm.Separation(radius=2), sm.Seek([60, 0])
    world.add(walkers, name="walkers", steering=combine(*urges))
    return sm.Stage(world, seconds=12, scenery={"rocks": rocks}, picture=sm.Picture(trails=2))


@shows(
    "Avoid rocks, keep apart, go right: added up, the three may cancel, and some walkers graze a rock.", "WeightedSum"
)
def weighted_sum() -> sm.Stage:
    """Added up."""
    return rocky(lambda avoid, apart, seek: 2 * avoid + apart + seek)


@shows("Avoid rocks, keep apart, go right: chance draws the one that acts, for a thirtieth of a second.", "Dithered")
def dithered() -> sm.Stage:
    """By chance."""
    return rocky(lambda avoid, apart, seek: sm.Dithered([avoid, apart, seek], probabilities=[0.9, 0.5, 1.0]))


@shows("Avoid rocks, keep apart, go right: each acts in its turn, for a thirtieth of a second.", "RoundRobin")
def round_robin() -> sm.Stage:
    """By turns."""
    return rocky(lambda avoid, apart, seek: sm.RoundRobin([avoid, apart, seek]))


@shows("One goal behind rocks; the pipeline plans the way around them before there is any force.", "Pipeline")
def pipeline() -> sm.Stage:
    """Goals that keep clear."""
    rng = np.random.default_rng(4)
    rocks = sm.Spheres([[-6, 1], [0, -3], [2, 4], [8, 0]], [2.5, 2.0, 2.0, 2.2])
    start = np.stack([np.full(6, -20.0), np.linspace(-7.5, 7.5, 6)], 1) + rng.uniform(-0.5, 0.5, (6, 2))
    world = sm.World(seed=4)
    world.add(
        sm.Vehicles(start, max_speed=4, max_force=12, radius=0.4),
        name="walkers",
        steering=sm.Pipeline(sm.Toward([18, 0]), constraints=[sm.KeepClear(rocks)]),
    )
    return sm.Stage(world, seconds=14, scenery={"rocks": rocks}, picture=sm.Picture(trails=3))


@shows("Vehicles wander along a road, to and fro, and come back whenever they leave it.", "StayOnPath")
def stay_on_path() -> sm.Stage:
    """Wandering in a tube."""
    road = sm.Path(sm.spawn.circle(24, radius=14), radius=2.5, closed=True)
    rng = np.random.default_rng(6)
    along = road.length * rng.random(14)
    world = sm.World(seed=6)
    world.add(
        sm.Vehicles(road.point_at(along), heading=rng.uniform(-3, 3, 14), max_speed=4, max_force=10),
        name="wanderers",
        steering=sm.Priority([sm.StayOnPath(road), sm.Wander()]),
    )
    return sm.Stage(world, seconds=18, scenery={"road": road}, picture=sm.Picture(trails=1))


@shows("Three rays 4 m long find the walls of a hall and its pillars; the vehicles turn aside for them.", "Whiskers")
def whiskers() -> sm.Stage:
    """Wandering among pillars."""
    hall = sm.Walls([[-16, -10], [16, -10], [16, 10], [-16, 10], [-16, -10]])
    pillars = sm.Spheres([[-7, -3], [0, 4], [7, -3]], 1.8)
    rng = np.random.default_rng(7)
    world = sm.World(seed=7)
    world.add(
        sm.Vehicles(
            sm.spawn.inside(8, sm.Box([24, 4], [-12, -9]), apart=2, rng=rng), max_speed=3, max_force=12, radius=0.4
        ),
        name="wanderers",
        steering=sm.Priority(
            [sm.Whiskers([hall, pillars], reach=4, clearance=2), sm.Wander() + sm.TargetSpeed(3)], blend=0.2
        ),
    )
    return sm.Stage(world, seconds=18, scenery={"hall": hall, "pillars": pillars}, picture=sm.Picture(trails=1))


def sledges(turn: Any, seek: Any) -> sm.Stage:
    """Nine bodies that turn by themselves."""
    rng = np.random.default_rng(8)
    bodies = sm.Vehicles(
        5.0 * np.stack([np.arange(9) % 3 - 1, np.arange(9) // 3 - 1], 1),
        heading=rng.uniform(-3, 3, 9),
        max_speed=4,
        max_force=6,
        radius=0.6,
        max_angular_speed=4,
        max_angular_acceleration=10,
    )
    world = sm.World(seed=8)
    world.add(bodies, name="bodies", steering=seek + turn, locomotion=sm.FreeBody(limits=[sm.Drag(0.5)]))
    return sm.Stage(world, seconds=12)


@shows("Sledges with an orientation of their own wander, and turn their noses to where they go.", "LookWhereYouGo")
def look_where_you_go() -> sm.Stage:
    """Turning along the velocity."""
    return sledges(sm.LookWhereYouGo(), sm.Wander() + sm.TargetSpeed(2))


@shows("Sledges that stand turn up, each the short way round, and stop there without overshooting.", "ReachOrientation")
def reach_orientation() -> sm.Stage:
    """Turning to one heading."""
    return sledges(sm.ReachOrientation(np.pi / 2), sm.MatchVelocity([0, 0]))


@shows("Interceptors hold the bearing of a quarry that crosses their way, and meet it far ahead.", "ConstantBearing")
def constant_bearing() -> sm.Stage:
    """Cutting the corner."""
    quarry = sm.Vehicles([[24, -14]], [[-0.5, 3]], max_speed=3.1, max_force=10)
    hunters = sm.Vehicles([[-20, -8], [-20, 0], [-20, 8]], [[4, 0]] * 3, max_speed=5, max_force=12)
    world = sm.World()
    world.add(quarry, name="quarry", steering=None)
    world.add(hunters, name="hunters", steering=sm.ConstantBearing(quarry))
    return sm.Stage(world, seconds=8, picture=sm.Picture(trails=8), colors={"quarry": "orange", "hunters": "blue"})
