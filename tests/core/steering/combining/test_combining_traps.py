"""Traps of combining: the naive sum falls into each of them, and what docs/which_combinator.md recommends does not."""

from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman.runs.metrics.jitter import turn_jitter

DT = 1 / 60


def run(vehicles: sm.Vehicles, steering: Any, seconds: float) -> tuple[Any, Any]:
    """Positions and velocities after every step, (steps, n, d)."""
    world = sm.World(threads=1)
    world.add(vehicles, steering=steering)
    places: list[Any] = []
    velocities: list[Any] = []
    for _ in range(round(seconds / DT)):
        world.step(DT)
        places.append(vehicles.position.copy())
        velocities.append(vehicles.velocity.copy())
    return np.array(places), np.array(velocities)


def nearest(places: Any, others: Any) -> float:
    """The smallest distance that there ever was."""
    return float(np.linalg.norm(places[:, :, None] - others, axis=3).min())


# ------------------------------------------------------------------------------------------ one part drowns another

STANDING = sm.Vehicles([[10.0, 0.0]], radius=0.5)
TOUCH = 1.0


def hurried() -> sm.Vehicles:
    """Its seek asks for many times max_force: it wants its velocity within two hundredths of a second."""
    return sm.Vehicles([[0.0, 0.2]], [[3.0, 0.0]], max_speed=3.0, max_force=20.0, response_time=0.02, radius=0.5)


def keep_away() -> sm.Separation:
    return sm.Separation(radius=4.0, of=STANDING)


HURRY = sm.Seek([20.0, 0.0])

UNDROWNED = {
    "TruncatedSum": lambda: sm.TruncatedSum([keep_away(), HURRY]),
    "ContextMap": lambda: sm.ContextMap([HURRY], danger=[2 * keep_away()]),
}


@pytest.mark.parametrize("recommended", UNDROWNED.values(), ids=UNDROWNED)
def test_one_part_drowning_another(recommended: Any) -> None:
    naive = run(hurried(), sm.WeightedSum([keep_away(), HURRY], each="raw"), 9.0)[0]
    assert nearest(naive, STANDING.position) < 0.5 * TOUCH, "the naive sum is not naive enough"
    places = run(hurried(), recommended(), 9.0)[0]
    assert nearest(places, STANDING.position) > TOUCH
    assert places[:, 0, 0].max() > 17, "it never got past"


# ------------------------------------------------------------------------------------------------ seek cancels avoid

ROCK = sm.Spheres([[0.0, 0.0]], 2.0)
AVOID, BEYOND = sm.AvoidObstacles(ROCK, lookahead=2.0), sm.Seek([30.0, 0.5])


def runner() -> sm.Vehicles:
    """Light and quick: seek asks for fifteen times max_force where avoid has just max_force to say."""
    return sm.Vehicles([[-12.0, 0.5]], [[4.0, 0.0]], max_speed=4.0, max_force=12.0, radius=0.5, response_time=0.02)


UNCANCELLED = {
    "Priority": lambda: sm.Priority([AVOID, BEYOND]),
    "TruncatedSum": lambda: sm.TruncatedSum([AVOID, BEYOND]),
    "ContextMap": lambda: sm.ContextMap([BEYOND], obstacles=ROCK),
    "Pipeline": lambda: sm.Pipeline(
        sm.Toward([30.0, 0.5]), constraints=sm.KeepClear(ROCK), actuator=sm.Straight("seek")
    ),
}


@pytest.mark.parametrize("recommended", UNCANCELLED.values(), ids=UNCANCELLED)
def test_seek_cancelling_avoid(recommended: Any) -> None:
    naive = run(runner(), sm.WeightedSum([AVOID, BEYOND], each="raw"), 12.0)[0]
    assert nearest(naive, ROCK.center) < 2.5 - 0.3, "the naive sum is not naive enough"
    places = run(runner(), recommended(), 12.0)[0]
    assert nearest(places, ROCK.center) > 2.5 - 0.05
    assert places[:, 0, 0].max() > 20, "it never got past"


# --------------------------------------------------------------------------------------- the nearest threat changes

POSTS = sm.Vehicles(np.random.default_rng(1).uniform([-5, -10], [25, 10], (30, 2)))
FAR = sm.Seek([60.0, 0.0])


def crowd() -> sm.Vehicles:
    rng = np.random.default_rng(0)
    place = np.stack([rng.uniform(-20, -10, 40), rng.uniform(-8, 8, 40)], axis=1)
    return sm.Vehicles(place, np.tile([2.0, 0.0], (40, 1)), max_speed=2.5, max_force=10.0, radius=0.3)


UNSHAKEN = {
    "TruncatedSum": lambda: sm.TruncatedSum([sm.Separation(radius=3.0, of=POSTS), FAR], each="limit"),
    "ContextMap": lambda: sm.ContextMap([FAR], danger=[sm.Separation(radius=3.0, of=POSTS)]),
}


@pytest.mark.parametrize("recommended", UNSHAKEN.values(), ids=UNSHAKEN)
def test_a_nearest_threat_switch_that_makes_a_crowd_jiggle(recommended: Any) -> None:
    naive = turn_jitter(run(crowd(), 1.5 * sm.Flee(POSTS, panic_distance=3.0) + FAR, 15.0)[1], DT)
    vehicles = crowd()
    places, velocities = run(vehicles, recommended(), 15.0)
    jitter = turn_jitter(velocities, DT)
    assert naive > 300, "the naive sum is not naive enough"
    assert jitter < naive / 10
    assert nearest(places, POSTS.position) > 0.5
    assert vehicles.position[:, 0].mean() > 15, "they never got through"


# ---------------------------------------------------------------------------------------------------------- flicker

PURSUER = sm.Spheres([[0.0, 0.0]], 4.7)
INSIDE = [-3.0, 0.0]


def visitor() -> sm.Vehicles:
    return sm.Vehicles([[-12.0, 0.7]], [[2.0, 0.0]], max_speed=2.5, max_force=10.0, radius=0.3)


def shaking(velocities: Any) -> float:
    """Root mean square of the acceleration over the last five seconds [m/s^2]."""
    return float(np.sqrt(np.mean(np.sum((np.diff(velocities[-300:], axis=0) / DT) ** 2, axis=2))))


def turns(velocities: Any) -> int:
    """How many times it turns back."""
    return int((np.diff(np.sign(velocities[:, 0, 0])) != 0).sum())


def approach_or_flee() -> sm.Modes:
    """Back off within 5 m, and come again from 9 m only."""
    return sm.Modes(
        {"come": sm.Arrive(INSIDE), "go": sm.Flee([0.0, 0.0])}, start="come", cooldown=1.0,
        transitions=[("come", "go", sm.Near([0.0, 0.0], 5.0)), ("go", "come", ~sm.Near([0.0, 0.0], 9.0))],
    )  # fmt: skip


def test_flicker() -> None:
    """The goal lies within the panic distance: the sum flees, comes back, flees, at every few frames."""
    flee = sm.Flee([0.0, 0.0], panic_distance=5.0)
    for naive in (2 * flee + sm.Arrive(INSIDE), sm.Priority([flee, sm.Arrive(INSIDE)])):
        velocities = run(visitor(), naive, 15.0)[1]
        assert shaking(velocities) > 5, "the naive tree is not naive enough"
        assert turns(velocities[-600:]) > 20
    waiting = sm.Pipeline(sm.Toward(INSIDE), constraints=sm.KeepClear(PURSUER, margin=0.0))
    places, velocities = run(visitor(), waiting, 15.0)
    assert shaking(velocities) < 0.01
    assert nearest(places, PURSUER.center) > 5 - 1e-3
    velocities = run(visitor(), approach_or_flee(), 30.0)[1]
    assert turns(velocities[-600:]) <= 6, "it changes its mind more often than every second or two"
