"""Cars drive laps on a winding road, each at its own speed, and go around the rocks that lie on it.

After OpenSteer's demonstration of the same name, built anew. The bodies are bicycles: front wheels that take time to turn, a
smallest turning circle, brakes stronger than the engine. Rocks come first, then the road and the other cars.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.laps import Laps
from steersman.gallery.making.scenario import Scenario
from steersman.gallery.making.turns import Turns

ROAD = 5
"""Half of the road's width [m]."""


def make(*, n: int = 6, seed: int = 0) -> sm.Stage:
    """Build the road, put rocks on it, and line n cars up in pairs, a faster one behind a slower one."""
    rng = np.random.default_rng(seed)
    bends = sm.spawn.circle(14, radius=60) * rng.uniform(0.8, 1.2, (14, 1))
    road = sm.Path.spline(bends, radius=ROAD, closed=True)
    s = road.length * (np.arange(12) + rng.uniform(0.3, 0.7, 12)) / 12
    ahead = road.tangent_at(s)
    aside = np.stack([-ahead[:, 1], ahead[:, 0]], axis=1)
    rocks = sm.Spheres(road.point_at(s) + aside * rng.uniform(-2.5, 2.5, (12, 1)), rng.uniform(0.6, 1.2, 12))
    start = road.length * (np.arange(n) // 2) / 12 + 8 * (np.arange(n) % 2)  # Between rocks, two and two.
    pace = np.empty(n)
    pace[np.argsort(np.arange(n) % 2, kind="stable")] = np.sort(rng.uniform(9, 11, n))[::-1]
    cars = sm.Vehicles(
        road.point_at(start), 3 * road.tangent_at(start), max_speed=pace, max_force=14, radius=0.8, response_time=0.2
    )

    world = sm.World(seed=seed)
    world.add(
        cars,
        name="cars",
        steering=sm.Priority(
            [
                sm.AvoidObstacles(rocks, lookahead=1.4, clearance=1.4),
                sm.FollowPath(road, law="predicted", lookahead=0.8) + 1.5 * sm.Separation(radius=6.5),
            ]
        ),
        locomotion=sm.Wheeled(turning_radius=3, wheelbase=2, steer_rate=2.5, thrust=0.6, side=0.9),
    )
    laps = Laps(cars, road)
    world.on_step(laps, sm.EverySeconds(0.25))
    world.watch("cars", "mean_speed", laps=laps.slowest)
    turns = Turns(cars)
    world.on_step(turns)
    world.watch("cars", jolt=lambda _: turns.jolt)
    world.watch("cars", "off_path", to=road)
    world.watch("cars", "penetration", "overlap", every=sm.EverySteps(1))

    return sm.Stage(
        world,
        seconds=60,
        scenery={"road": road, "rocks": rocks},
        picture=sm.Picture(
            looks={"road": "asphalt", "ground": "grass"},
            trails=6,
            size=1.2,
            glyphs="car",
            sketch={"cars": [3]},
            opens=35.5,
        ),
        labels={"rocks lie on the road": [-18.0, 0.0]},
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """They drive laps, on the road, and run into no rock."""
    meters = stage.meters
    if not (laps := meters["cars.laps"].now) > 1.1:
        yield f"every car must drive 1.1 laps, but the slowest drove {laps:.2f}"
    if not (off := meters["cars.off_path"].values.mean()) < 0.2:
        yield f"they must stay on the road, but were off it {off:.0%} of the time"
    # Front wheels take time to turn: at 11 m/s and 2.5 rad/s on 2 m the turn rate changes by 20 rad/s in a second.
    if not (jolt := meters["cars.jolt"].now) < 35:
        yield f"cars must turn as wheels do, but the turn rate of one changed by {jolt:.0f} rad/s^2"
    if not (deep := np.mean(meters["cars.overlap"].values > 0.1)) < 0.01:
        yield f"they must keep apart, but for {deep:.1%} of the time one was in another"
    if (depth := meters["cars.penetration"].greatest) > 0:
        yield f"they must hit no rock, but did by {depth:.2f} m"


SCENARIO = Scenario(
    make,
    check,
    most=12,
    tags=("locomotion", "path", "OpenSteer"),
    impostors={
        "without FollowPath": without(sm.FollowPath),
        "Wander for FollowPath": instead(sm.FollowPath, sm.Wander()),
    },
)
