"""Seekers circle a point like moths around a lamp; fleers get away from it.

Reynolds 1999, "Seek" and "Flee". Seekers head for the lamp at full speed, shoot past, turn and come back: Seek does not slow
down. Fleers begin around the lamp, and leave straight away from it.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.by_id import mean
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario

LAMP = [0.0, 0.0]


def make(*, n: int = 14, seed: int = 0) -> sm.Stage:
    """Put n seekers on a ring that circle at first, and n fleers around the lamp."""
    rng = np.random.default_rng(seed)
    body = {"max_speed": 10, "max_force": 9, "response_time": 0.5, "radius": 0.8}
    ring = sm.spawn.ring(n, radius=40, rng=rng)
    crowd = sm.spawn.disc(n, radius=14, rng=rng)

    world = sm.World(seed=seed)
    world.add(
        sm.Vehicles(ring, sm.spawn.around(ring, speed=8), **body), name="seekers", steering=sm.Seek(LAMP, thrust="full")
    )
    world.add(
        sm.Vehicles(crowd, sm.spawn.any_direction(n, speed=6, rng=rng), **body),
        name="fleers",
        steering=sm.Flee(LAMP, speed=7),
    )
    world.watch("fleers", off=off)
    for name in world.populations:
        world.watch(name, "distance_to", "closest_to", "mean_speed", to=LAMP)
    return sm.Stage(
        world,
        seconds=8,
        picture=sm.Picture(
            looks={"ground": "night", "lamp": "lamp"},
            glyphs={"seekers": "moth", "fleers": "mouse"},
            size=1.3,
            trails=8,
            close_up=40,
            sketch={"fleers": [7]},
            opens=0.7,
        ),
        colors={"seekers": "blue", "fleers": "orange"},
        labels={"lamp": LAMP},
    )


def off(vehicles: sm.Vehicles) -> float:
    """Mean angle between where they go and straight away from the lamp [degrees]."""
    away = np.sum(vehicles.position * vehicles.velocity, axis=1) / np.linalg.norm(vehicles.position, axis=1)
    away /= np.maximum(vehicles.speed, 1e-9)
    return mean(np.degrees(np.arccos(np.clip(away, -1, 1))))


def aside(vehicles: sm.Vehicles) -> np.ndarray:
    """Flee, but 30 degrees to the left of straight away."""
    turn = np.array([[np.cos(0.52), np.sin(0.52)], [-np.sin(0.52), np.cos(0.52)]])
    way = vehicles.position @ turn
    return np.asarray((7 * way / np.linalg.norm(way, axis=1, keepdims=True) - vehicles.velocity) * 2)


def check(stage: sm.Stage) -> Iterator[str]:
    """Seekers came to the lamp at full speed and stay around it; fleers are all far away."""
    seekers, closest = stage.meters["seekers.distance_to"], stage.meters["seekers.closest_to"].least
    if not closest < 3:
        yield f"a seeker must come within 3 m of the lamp, but the closest came to {closest:.1f} m"
    if not seekers.now < 0.4 * seekers.start:
        yield f"seekers must come closer, but went from {seekers.start:.1f} to {seekers.now:.1f} m"
    if not (speed := stage.meters["seekers.mean_speed"].values[-16:].mean()) > 5:
        yield f"seekers must not slow down, but were at {speed:.1f} m/s in the last 4 s"
    if not (off := stage.meters["fleers.off"].values[-8:].mean()) < 8:
        yield f"fleers must leave straight away from the lamp, but went {off:.0f} degrees off"
    if not (fled := stage.meters["fleers.closest_to"].now) > 40:
        yield f"all fleers must be 40 m away, but one is at {fled:.1f} m"


SCENARIO = Scenario(
    make,
    check,
    tags=("individual", "Reynolds 1999"),
    impostors={
        "Arrive for Seek": instead(sm.Seek, lambda old: sm.Arrive(old.target)),
        "Wander for Seek": instead(sm.Seek, sm.Wander()),
        "Flee to the left": instead(sm.Flee, lambda _: aside),
        "without Flee": without(sm.Flee),
        "Wander for Flee": instead(sm.Flee, sm.Wander()),
    },
)
