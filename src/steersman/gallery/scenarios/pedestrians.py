"""Two streams go around one path in opposite directions; all walkers get through, around rocks and each other.

After OpenSteer's plug-in: the path, Reynolds 1999, "Path following", with "Unaligned collision avoidance" of walkers
that come the other way.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario

CORNERS = np.array([[-30.0, -15.0], [0.0, -22.0], [30.0, -15.0], [32.0, 15.0], [0.0, 10.0], [-32.0, 16.0]])
"""Of the path [m]."""

DIRECTION = {"counterclockwise": 1, "clockwise": -1}
"""Which way they go."""


def make(*, n: int = 40, seed: int = 0) -> sm.Stage:
    """Put n vehicles on a closed path, and as many that go the other way round."""
    rng = np.random.default_rng(seed)
    scale = max(1.0, n / 30) ** 0.5
    way = sm.Path(scale * CORNERS, radius=3 * scale, closed=True)
    rocks = sm.Spheres(center=scale * CORNERS[[1, 4]], radius=1.2)

    def somewhere(k: int) -> np.ndarray:
        return way.point_at(way.length * rng.random(k)) + rng.uniform(-2, 2, (k, 2))

    places = sm.spawn.settled(somewhere, 2 * n, rocks, clearance=0.8, apart=1.2)
    world = sm.World(seed=seed, dt=1 / 30)
    people = {
        name: sm.Vehicles(half, max_speed=rng.uniform(1.6, 2.2, n), max_force=12)
        for name, half in zip(DIRECTION, (places[:n], places[n:]), strict=True)
    }
    for name, others in (("counterclockwise", "clockwise"), ("clockwise", "counterclockwise")):
        world.add(
            people[name],
            name=name,
            steering=sm.Priority(
                [
                    sm.AvoidObstacles(rocks, lookahead=2)
                    + sm.AvoidNeighbors(of=people[others], lookahead=2.5)
                    + sm.AvoidNeighbors(lookahead=2),
                    sm.FollowPath(way, direction=DIRECTION[name]),
                ],
                blend=0.3,
            ),
        )
    stage = sm.Stage(
        world,
        seconds=25,
        scenery={"path": way, "rocks": rocks},
        picture=sm.Picture(
            looks={"ground": "grass", "path": "paving"},
            trails=3,
            to_scale=True,
            glyphs="person",
            close_up=11,
            sketch={"counterclockwise": [34]},
            opens=13.5,
        ),
        colors={"counterclockwise": "blue", "clockwise": "orange"},
    )
    for name, others in (("counterclockwise", "clockwise"), ("clockwise", "counterclockwise")):
        stage.watch(name, "overlap", "penetration", every=sm.EverySteps(1))
        stage.watch(name, "closest_to", to=people[others], every=sm.EverySteps(1))
        stage.watch(name, "progress", to=way)
    return stage


def check(stage: sm.Stage) -> Iterator[str]:
    """Both streams get on along the way, and none runs into another or a rock."""
    for name, sign in DIRECTION.items():
        meters = {word: stage.meters[f"{name}.{word}"] for word in ("progress", "overlap", "closest_to", "penetration")}
        pace = sign * meters["progress"].values[-40:].mean() / stage.world[name].max_speed.mean()
        if not pace > 0.85:
            yield f"{name} must get on, but in the last 10 s went at {pace:.0%} of their top speed"
        if not (deep := meters["overlap"].greatest) < 0.15:
            yield f"{name} must not run into each other, but two overlapped by {deep:.2f} m"
        if not (closest := meters["closest_to"].least) > 0.85:
            yield f"{name} must not touch those that come the other way (1 m), but one came as near as {closest:.2f} m"
        if not (deep := meters["penetration"].greatest) < 0.1:
            yield f"{name} must keep off the rocks, but one was in one by {deep:.2f} m"


SCENARIO = Scenario(
    make,
    check,
    tags=("group", "crowd", "path", "obstacles", "priority", "OpenSteer"),
    exempt={f"{name}: AvoidNeighbors minds one alone": "on the path one at a time is in the way" for name in DIRECTION},
    quick=30,
    impostors={
        "Separation for AvoidNeighbors": instead(sm.AvoidNeighbors, lambda old: sm.Separation(of=old.of, radius=2.5)),
        "without FollowPath": without(sm.FollowPath),
        "Wander for FollowPath": instead(sm.FollowPath, sm.Wander()),
    },
)
