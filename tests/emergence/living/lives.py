"""What every behavior promises, and how it is asked with nothing but what it must be given."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from emergence.living.place import MINUTES, Life, Place, Promise

import steersman as sm
from steersman.runs.metrics.motion import polarization


@dataclass(frozen=True)
class Habit:
    """One behavior.

    Attributes:
        steering: Makes it, with defaults.
        promise: What must hold after ten minutes.
        torus: Whether it lives where the world has no edge.
        sharp: Which part of the steps may have a turn over 60 degrees. Those that turn about at a point do it there.
        jitter: How much somebody who moves may tremble [rad/s^2].
        body: What moves it, where that is no point mass.
        minutes: How long it is tried without STEERSMAN_ALL=1.
    """

    steering: Callable[[Place], Any]
    promise: Promise
    torus: bool = False
    sharp: float = 0.002
    jitter: float = 25.0
    body: Any = None
    minutes: float = MINUTES


def goes(life: Life, part: float = 0.6) -> tuple[str, Any]:
    """Nobody stands still."""
    return f"all go at {part:g} of max_speed", life.speed.mean(axis=0).min() > part * 4.0


def rests(life: Life) -> tuple[str, Any]:
    """Nobody moves."""
    return "all are at rest", life.speed.max() < 0.02


def near(life: Life, to: Any, distance: float) -> tuple[str, Any]:
    """All are about somewhere, on average."""
    return f"all are within {distance:g} m", life.far(to).mean(axis=0).max() < distance


def clear(life: Life) -> tuple[str, Any]:
    """Nobody is inside of a rock."""
    rocks = life.place.rocks
    depth = [rocks.radius[k] + 0.4 - life.far(rocks.center[k]).min() for k in range(len(rocks.radius))]
    return "nobody is in a rock", max(depth) < 0.02


def apart(life: Life, distance: float = 0.78) -> tuple[str, Any]:
    """Nobody touches anybody."""
    return f"all are {distance:g} m apart", life.nearest_pair > distance


def ordered(life: Life) -> tuple[str, Any]:
    """All head one way."""
    return "all head one way", polarization(life.place.vehicles) > 0.9


def midpoint(life: Life) -> Any:
    return (life.stranger + life.other) / 2


def circuit(p: Place) -> sm.Path:
    return sm.Path(p.ring(), radius=2.0, closed=True)


def whirl(p: Place) -> Any:
    middle = p.shift

    def flow(points: Any) -> Any:
        way = np.asarray(points) - middle
        flow = np.zeros_like(way)
        flow[:, 0], flow[:, 1] = -0.2 * way[:, 1], 0.2 * way[:, 0]
        flow[:, :2] += 0.05 * way[:, :2] * (12 - np.linalg.norm(way[:, :2], axis=1, keepdims=True))
        flow[:, 2:] = -0.5 * way[:, 2:]
        return flow

    return sm.FlowField.function(flow)


def rounds(life: Life) -> tuple[str, Any]:
    """How often they went round the middle, on average, in a minute at 4 m/s: 3 times round a circle of 12 m."""
    way = life.position[:, :, :2] - life.place.shift[:2]
    turns = np.unwrap(np.arctan2(way[:, :, 1], way[:, :, 0]), axis=0)
    return "all go round", (np.abs(turns[-1] - turns[0]) > 2 * np.pi).all()


def facing(life: Life, to: Any) -> tuple[str, Any]:
    forward = life.place.vehicles.forward.astype(float)
    way = np.broadcast_to(to, forward.shape)
    cosine = np.sum(forward * way, axis=1) / np.linalg.norm(way, axis=1)
    return "all face it", cosine.min() > 0.95


HABITS: dict[str, Habit] = {
    # one character
    "Seek": Habit(lambda p: sm.Seek(p.at(5)), lambda t: [near(t, t.place.at(5), 2.0)], sharp=0.2, jitter=1e3),
    "Flee": Habit(lambda p: sm.Flee(p.at(5)), lambda t: [goes(t, 0.98), ("far", t.far(t.place.at(5)).min() > 1000)]),
    "Arrive": Habit(lambda p: sm.Arrive(p.at(5)), lambda t: [near(t, t.place.at(5), 0.05), rests(t)]),
    "Pursue": Habit(lambda p: sm.Pursue(p.stranger), lambda t: [near(t, t.stranger, 1.5)], sharp=0.2, jitter=1e3),
    "Evade": Habit(lambda p: sm.Evade(p.stranger), lambda t: [goes(t, 0.95), ("far", t.far(t.stranger).min() > 500)]),
    "ConstantBearing": Habit(
        lambda p: sm.ConstantBearing(p.stranger),
        lambda t: [near(t, t.stranger, 6.0), goes(t, 0.5)],
        sharp=0.05,
        jitter=1e3,
    ),
    "OffsetPursuit": Habit(
        lambda p: sm.OffsetPursuit(p.stranger, radius=5.0),
        lambda t: [goes(t), ("none inside 0.7 R", t.far(t.stranger).min() > 3.5), near(t, t.stranger, 25.0)],
    ),
    "Interpose": Habit(lambda p: sm.Interpose(p.stranger, p.other), lambda t: [near(t, midpoint(t), 1.0)]),
    "Shadow": Habit(
        lambda p: sm.Shadow(p.stranger),
        lambda t: [
            near(t, t.stranger, 8.0),
            ("as fast", abs(t.speed.mean() - np.linalg.norm(t.stranger_velocity, axis=2).mean()) < 0.3),
        ],
    ),
    "Dock": Habit(lambda p: sm.Dock(p.at(5)), lambda t: [near(t, t.place.at(5), 0.15), rests(t)]),
    "Hide": Habit(lambda p: sm.Hide(p.stranger, p.rocks), lambda t: [near(t, t.place.shift, 30.0)], jitter=200.0),
    "Wander": Habit(lambda p: sm.Wander(), lambda t: [goes(t, 0.5)]),
    "Explore": Habit(lambda p: sm.Explore(p.home, reach=4.0), lambda t: [goes(t), near(t, t.place.shift, 26.0)]),
    "Forage": Habit(
        lambda p: sm.Forage(p.food),
        lambda t: [("all is eaten", not t.place.food.amount.any())],
    ),
    "Patrol": Habit(lambda p: sm.Patrol(p.ring(count=4)), lambda t: [rounds(t)]),
    "MatchVelocity": Habit(
        lambda p: sm.MatchVelocity(p.stranger),
        lambda t: [("as it", np.linalg.norm(t.velocity - t.stranger_velocity, axis=2).mean() < 0.3)],
        torus=True,
    ),
    "TargetSpeed": Habit(lambda p: sm.TargetSpeed(3.0), lambda t: [("at 3 m/s", np.abs(t.speed - 3).max() < 0.01)]),
    # surroundings
    "AvoidObstacles": Habit(
        lambda p: sm.Priority([sm.AvoidObstacles(p.rocks), sm.Wander()]), lambda t: [clear(t), goes(t, 0.5)], torus=True
    ),
    "Whiskers": Habit(
        lambda p: sm.Priority([sm.Whiskers(p.rocks), sm.Wander()]), lambda t: [goes(t, 0.4)], torus=True, jitter=100.0
    ),
    "AvoidWalls": Habit(
        lambda p: sm.Priority([sm.AvoidWalls(p.rocks), sm.Wander()]), lambda t: [goes(t, 0.4)], torus=True, jitter=100.0
    ),
    "FollowWall": Habit(
        lambda p: sm.FollowWall(p.rocks),
        lambda t: [
            goes(t),
            (
                "all keep their distance",
                np.abs(t.place.rocks.nearest(t.place.vehicles.position).distance - 2).max() < 0.6,
            ),
        ],
    ),
    "FollowPath": Habit(
        lambda p: sm.FollowPath(circuit(p)),
        lambda t: [
            goes(t, 0.9),
            rounds(t),
            ("all on the road", t.place.d == 3 or np.abs(t.far(t.place.shift) - 12).max() < 3.0),
        ],
    ),
    "StayOnPath": Habit(
        lambda p: sm.Priority([sm.StayOnPath(circuit(p)), sm.TargetSpeed(3.0)], blend=0.3),
        lambda t: [goes(t, 0.5), ("all on the road", np.abs(t.far(t.place.shift) - 12).max() < 4.0)],
    ),
    "Contain": Habit(
        lambda p: sm.Priority([sm.Contain(p.home), sm.Wander()], blend=0.3),
        lambda t: [goes(t, 0.5), ("all inside", t.far(t.place.shift).max() < 26.05)],
    ),
    "FollowFlow": Habit(lambda p: sm.FollowFlow(whirl(p)), lambda t: [goes(t, 0.2), near(t, t.place.shift, 25.0)]),
    "GoTo": Habit(lambda p: sm.GoTo(p.at(5)), lambda t: [near(t, t.place.at(5), 2.0), rests(t)]),
    # turning by itself
    "Face": Habit(
        lambda p: sm.Face(p.at(500)) + sm.Arrive(p.at(5)),
        lambda t: [facing(t, t.place.at(500) - t.place.shift), rests(t)],
        body=sm.FreeBody(),
    ),
    "LookWhereYouGo": Habit(
        lambda p: sm.LookWhereYouGo() + sm.Wander(),
        lambda t: [
            ("all look ahead", np.median(np.sum(t.place.vehicles.forward * t.velocity[-1], axis=1) / t.speed[-1]) > 0.9)
        ],
        body=sm.FreeBody(),
    ),
    "ReachOrientation": Habit(
        lambda p: sm.ReachOrientation(0.5 if p.d == 2 else [1, 0, 0, 0]) + sm.Arrive(p.at(5)),
        lambda t: [facing(t, [np.cos(0.5), np.sin(0.5)] if t.place.d == 2 else [1.0, 0, 0]), rests(t)],
        body=sm.FreeBody(),
    ),
    # groups
    "Separation": Habit(lambda p: sm.Separation(), lambda t: [apart(t, 2.0)]),
    "Cohesion": Habit(
        lambda p: sm.Cohesion(), lambda t: [("none runs away", t.speed.max() <= 4.001)], sharp=0.1, jitter=1e3
    ),
    "Alignment": Habit(
        lambda p: sm.Alignment(), lambda t: [("as one", len(t.place.vehicles) == 1 or ordered(t)[1])], torus=True
    ),
    "Flocking": Habit(
        lambda p: sm.Flocking(),
        lambda t: [goes(t) if len(t.place.vehicles) > 1 else ("goes on", True), ordered(t), apart(t, 0.4)],
        torus=True,
    ),
    "AvoidNeighbors": Habit(
        lambda p: sm.Priority([sm.AvoidNeighbors(), sm.Wander()]),
        lambda t: [goes(t, 0.5), apart(t)],
        torus=True,
        jitter=60.0,
    ),
    "ORCA": Habit(lambda p: sm.ORCA(toward=sm.Wander()), lambda t: [goes(t, 0.4), apart(t)], torus=True, jitter=60.0),
    "FollowLeader": Habit(
        lambda p: sm.FollowLeader(p.stranger), lambda t: [near(t, t.stranger, 15.0), apart(t)], jitter=60.0
    ),
    "Queue": Habit(
        lambda p: sm.Queue(p.at(5), exit=p.at(1) - p.shift),
        lambda t: [("nobody pushes", t.nearest_pair > 0.7)],
        jitter=200.0,
    ),
    "Formation": Habit(lambda p: sm.Formation(p.stranger), lambda t: [near(t, t.stranger, 40.0)], jitter=80.0),
    "Zones": Habit(lambda p: sm.Zones(), lambda t: [goes(t, 0.95), ordered(t), apart(t, 0.9)], torus=True, jitter=40.0),
    # models of pedestrians: with 12 N those of forces run through each other at 4 m/s; docs/validation.md judges them
    "SocialForce": Habit(lambda p: sm.SocialForce(toward=sm.Wander(), of="all"), lambda t: [goes(t, 0.9)], torus=True),
    "GeneralizedCentrifugalForce": Habit(
        lambda p: sm.GeneralizedCentrifugalForce(toward=sm.Wander(), of="all"), lambda t: [goes(t, 0.9)], torus=True
    ),
    "PowerLaw": Habit(
        lambda p: sm.PowerLaw(toward=sm.Wander(), of="all"), lambda t: [goes(t, 0.9), apart(t, 0.7)], torus=True
    ),
    "CollisionFreeSpeed": Habit(
        lambda p: sm.CollisionFreeSpeed(toward=sm.Wander(), of="all"),
        lambda t: [goes(t, 0.9), apart(t, 0.3)],
        torus=True,
    ),
    "AnticipationVelocity": Habit(
        lambda p: sm.AnticipationVelocity(toward=sm.Wander(), of="all"),
        lambda t: [goes(t, 0.9), apart(t, 0.3)],
        torus=True,
    ),
    # combining
    "WeightedSum": Habit(
        lambda p: sm.Arrive(p.at(5)) + 0.5 * sm.Separation(),
        lambda t: [near(t, t.place.at(5), 15.0)],
        sharp=0.05,
        jitter=200.0,
    ),
    "Priority": Habit(
        lambda p: sm.Priority([sm.AvoidObstacles(p.rocks), sm.AvoidNeighbors(), sm.Seek(p.at(25))]),
        lambda t: [clear(t)],
        sharp=0.2,
        jitter=1e3,
    ),
    "TruncatedSum": Habit(
        lambda p: sm.TruncatedSum([sm.AvoidObstacles(p.rocks), sm.Separation(), sm.Wander()]),
        lambda t: [goes(t, 0.3), clear(t)],
        torus=True,
        sharp=0.02,
        jitter=100.0,
    ),
    "Dithered": Habit(
        lambda p: sm.Dithered([sm.AvoidObstacles(p.rocks), sm.Wander()], probabilities=(0.9, 1.0)),
        lambda t: [goes(t, 0.4)],
        torus=True,
        jitter=100.0,
    ),
    "RoundRobin": Habit(
        lambda p: sm.RoundRobin([sm.Wander(), sm.TargetSpeed(3.0)]), lambda t: [goes(t, 0.4)], jitter=100.0
    ),
    "Switch": Habit(lambda p: sm.Switch(sm.Wander()), lambda t: [goes(t, 0.5)]),
    "Orders": Habit(lambda p: sm.Orders(sm.Wander(strength="boldness"), {"boldness": 0.7}), lambda t: [goes(t, 0.5)]),
    "ContextMap": Habit(
        lambda p: sm.ContextMap([sm.Wander()], obstacles=p.rocks),
        lambda t: [goes(t, 0.4), clear(t)],
        torus=True,
        jitter=200.0,
        sharp=0.01,
    ),
    "Pipeline": Habit(
        lambda p: sm.Pipeline(sm.Toward(p.at(5)), constraints=sm.KeepClear(p.rocks)),
        lambda t: [near(t, t.place.at(5), 0.2), rests(t)],
        minutes=2,  # It plans in Python, so that a step takes twenty times as long; all rest after seconds.
    ),
    "Modes": Habit(
        lambda p: sm.Modes(
            {"stroll": sm.Wander(), "flee": sm.Evade(p.stranger)},
            start="stroll",
            transitions=[("stroll", "flee", sm.Near(p.stranger, 6.0)), ("flee", "stroll", ~sm.Near(p.stranger, 12.0))],
        ),
        lambda t: [goes(t, 0.5)],
        torus=True,
    ),
}
