"""Skaters circle the rink sideways, facing the puck: they go one way and look another.

Reynolds 1999, "Containment", has hockey players within an ice rink as an example. A skater's body is not a point mass's:
FreeBody has an orientation of its own; Face turns it, the short way round, while the skater follows the boards.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.gallery.making.by_id import mean
from steersman.gallery.making.impostors import instead, without
from steersman.gallery.making.scenario import Scenario


def oval(scale: float) -> np.ndarray:
    """Points around the ice of 60 by 30 m, with round corners, at a part of its size."""
    way = sm.spawn.circle(40, radius=1)
    return np.asarray(scale * np.sign(way) * np.sqrt(np.abs(way)) * [30, 15])


def make(*, n: int = 14, seed: int = 0) -> sm.Stage:
    """Put n skaters around the rink, and a puck in the middle."""
    rng = np.random.default_rng(seed)
    ice = sm.Polygon(oval(1))
    way = sm.Path(oval(0.85), radius=1, closed=True)
    along = way.length * (np.arange(n) + rng.uniform(-0.2, 0.2, n)) / n
    skaters = sm.Vehicles(
        way.point_at(along),
        4 * way.tangent_at(along),
        heading=rng.uniform(-3, 3, n),
        max_speed=rng.uniform(3.5, 5.5, n),
        max_force=300,
        mass=70,
        radius=0.5,
        response_time=0.25,
        max_angular_speed=5,
        max_angular_acceleration=25,
    )
    puck = sm.Vehicles([[0, 0]], [[4, 1]], max_speed=5, max_force=3, radius=0.2)
    world = sm.World(seed=seed)
    world.add(
        skaters,
        name="skaters",
        steering=sm.Priority([sm.Contain(ice, margin=0.5), sm.AvoidNeighbors(lookahead=1.5), sm.FollowPath(way)])
        + sm.Face(puck),
        locomotion=sm.FreeBody(limits=(sm.Drag(0.1, angular=0.5),)),
    )
    world.add(puck, name="puck", steering=0.5 * sm.Wander("turn") + sm.Patrol([[20, 4], [-20, -4]]))
    world.watch("skaters", "overlap", every=sm.EverySteps(1))
    world.watch("skaters", at_boards=lambda skaters: at_boards(skaters, ice), every=sm.EverySteps(1))
    world.watch("skaters", "progress", to=way)
    world.watch("puck", across=lambda puck: mean(np.abs(puck.position[:, 0])))
    world.watch("skaters", gaze=lambda skaters: gaze(skaters, puck), sideways=sideways)

    def gazes() -> Iterator[sm.shapes.Shape]:
        """The puck, and the line of sight from each skater to it."""
        if len(puck):
            yield sm.shapes.segment(skaters.position, puck.position[:1], label="line of sight to the puck")
            yield sm.shapes.Circle(puck.position, 0.8, role="guide", label="puck")

    return sm.Stage(
        world,
        seconds=20,
        scenery={"ice": ice, "track": way},
        labels={"boards": ice.points[37]},
        notes=[gazes],
        picture=sm.Picture(
            looks={"ground": "snow", "ice": "ice", "track": "ice"},
            trails=1,
            glyphs={"skaters": "person", "puck": "ball"},
            sketch={"skaters": [13]},
            close_up=24,
            opens=0.3,
        ),
        colors={"skaters": "blue", "puck": "gray"},
    )


def at_boards(skaters: sm.Vehicles, ice: sm.Polygon) -> float:
    """The part of the skaters who touch the boards."""
    return mean(ice.nearest(skaters.position).distance > -skaters.radius)


def gaze(skaters: sm.Vehicles, puck: sm.Vehicles) -> float:
    """Mean angle between where they face and the puck [degrees]."""
    if not len(puck):
        return np.nan
    way = puck.position[0] - skaters.position
    along = np.sum(way * skaters.forward, axis=1) / np.linalg.norm(way, axis=1)
    return mean(np.degrees(np.arccos(np.clip(along, -1, 1))))


def sideways(skaters: sm.Vehicles) -> float:
    """Mean speed across where they face [m/s]."""
    return mean(np.abs(np.sum(skaters.velocity * skaters.side, axis=1)))


def check(stage: sm.Stage) -> Iterator[str]:
    """They skate round, look at the puck, and so go sideways; none runs into another or into the boards."""
    late = {name: meter.values[-40:].mean() for name, meter in stage.meters.items()}
    if not (progress := late["skaters.progress"]) > 3:
        yield f"skaters must circle at 3 m/s, but did at {progress:.1f} m/s"
    if not (off := late["skaters.gaze"]) < 20:
        yield f"skaters must look at the puck, but are {off:.0f} degrees off"
    if not 6 < (across := late["puck.across"]) < 16:
        yield f"the puck must go up and down the rink, but was {across:.0f} m from its middle on average"
    if not (speed := late["skaters.sideways"]) > 2:
        yield f"skaters must go sideways, but do at {speed:.1f} m/s"
    if not (deep := stage.meters["skaters.overlap"].greatest) < 0.1:
        yield f"skaters must not run into each other, but two overlapped by {deep:.2f} m"
    if touching := stage.meters["skaters.at_boards"].greatest:
        yield f"skaters must keep off the boards, but {touching:.0%} touched them"


SCENARIO = Scenario(
    make,
    check,
    tags=("locomotion", "turning", "Reynolds 1999"),
    exempt={"skaters: AvoidNeighbors minds one alone": "on the ice skaters overtake one at a time"},
    least=6,
    most=20,
    impostors={
        "faces the middle": instead(sm.Face, sm.Face([0.0, 0.0])),
        "without Face": without(sm.Face),
        "LookWhereYouGo for Face": instead(sm.Face, sm.LookWhereYouGo()),
        "a point mass": instead(sm.FreeBody, sm.PointMass()),
        "without FollowPath": without(sm.FollowPath),
    },
)
