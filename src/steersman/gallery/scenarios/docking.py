"""Ships come in to a round station, each straight into its own berth, and all dock in the same second.

Reynolds 1999, the sketch of docking: arrival with an orientation, and at a time. Those that start nearer do not come
earlier: they come more slowly.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.by_id import Own, largest
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario

TIME = 20
"""When they are to be there [s]."""


STANDOFF = 25.0
"""From how far before their berths they come straight in [m]."""


PIER = 3.0, 1.4
"""How far the piers between the berths reach beyond these, and how wide they are [m]."""


def make(*, n: int = 12, seed: int = 0) -> sm.Stage:
    """Put n ships all around a round station, each with a berth of its own."""
    rng = np.random.default_rng(seed)
    radius = max(10, 1.2 * n)
    berths = sm.spawn.circle(n, radius)
    inward = -berths / radius
    start, velocity = sm.spawn.disc(n, 6 * radius, apart=2, rng=rng), sm.spawn.any_direction(n, speed=4, rng=rng)
    ships = sm.Vehicles(start, velocity, max_speed=12, max_force=24, response_time=0.15, radius=1)

    own, axes = Own(ships, berths), Own(ships, inward)
    world = sm.World(seed=seed)
    world.add(ships, name="ships", steering=sm.Dock(berths, forward=inward, at_time=TIME, standoff=STANDOFF))
    world.watch(
        "ships",
        "mean_speed",
        off_berth=lambda vehicles: largest(own.distances(vehicles)),
        off_axis=lambda vehicles: largest(off_axis(vehicles, axes)),
        typical=lambda vehicles: np.median(own.distances(vehicles)) if len(own.distances(vehicles)) else np.nan,
    )
    return sm.Stage(
        world,
        seconds=TIME,
        picture=sm.Picture(
            looks={"ground": "water", "station": "floor"},
            trails=TIME,
            size=1.3,
            glyphs="ship",
            at=[10, 16, TIME],
            sketch={"ships": [4]},
            close_up=50,
            opens=7.0,
        ),
        colors={"ships": "sky"},
        scenery={"station": sm.Polygon(station(n, radius))},
        labels={f"berth {k + 1}": berth for k, berth in enumerate(berths)} | {"the station": [0, 0]},
        notes=[
            sm.shapes.segment(berths[1:] * (1 + STANDOFF / radius), berths[1:]),
            sm.shapes.segment(
                berths[:1], berths[:1] * (1 + STANDOFF / radius), label=f"the last {STANDOFF:g} m, straight in"
            ),
        ],
    )


def station(n: int, radius: float) -> np.ndarray:
    """The border of a round station with a pier on both sides of each of n berths that lie so far from its middle [m]."""
    far, half = PIER[0], PIER[1] / 2
    aside = np.arcsin(half / (radius - 2))
    border = []
    for middle in np.pi * (2 * np.arange(n) + 1) / n:
        ahead, left = np.array([np.cos(middle), np.sin(middle)]), np.array([-np.sin(middle), np.cos(middle)])
        border += [(radius + far) * ahead - half * left, (radius + far) * ahead + half * left]
        angle = np.linspace(middle + aside, middle + 2 * np.pi / n - aside, max(2, 72 // n))
        border += list((radius - 2) * np.stack([np.cos(angle), np.sin(angle)], axis=1))
    return np.array(border)


def off_axis(ships: sm.Vehicles, axes: Own) -> np.ndarray:
    """How far those that have a berth are turned away from its axis [degrees], shape (k,)."""
    rows, inward = axes.of(ships)
    return np.asarray(np.degrees(np.arccos(np.clip(np.sum(ships.forward[rows] * inward, axis=1), -1, 1))))


def check(stage: sm.Stage) -> Iterator[str]:
    """Every ship lies in a berth, straight, and at rest; most of them not much earlier."""
    meters = stage.meters
    distance, angle, speed = (meters[f"ships.{name}"].now for name in ("off_berth", "off_axis", "mean_speed"))
    to_go = meters["ships.typical"]
    early = to_go.values[to_go.times <= TIME - 2.5][-1]
    if not distance < 0.1:
        yield f"all vehicles must be within 0.1 m of a berth, but one is {distance:.2f} m away"
    if not angle < 4:
        yield f"all vehicles must lie straight within 4 degrees, but one is turned by {angle:.1f}"
    if not speed < 0.1:
        yield f"all vehicles must be at rest, but the mean speed is {speed:.2f} m/s"
    if not early > 0.15:
        yield f"2.5 s before the time half of them must be more than 0.15 m away, but only {early:.2f} m are left"


SCENARIO = Scenario(
    make,
    check,
    tags=("individual", "Reynolds 1999"),
    most=12,
    impostors={
        "without Dock": without(sm.Dock),
        "Arrive": instead(sm.Dock, lambda old: sm.Arrive(old.target)),
        "without a time": instead(sm.Dock, lambda old: old.replace(at_time=None)),
        "3 s early": instead(sm.Dock, lambda old: old.replace(at_time=TIME - 3)),
        "without a direction": instead(sm.Dock, lambda old: old.replace(forward=None)),
    },
)
