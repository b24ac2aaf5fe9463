"""The closed forms, run through the public World and Controller in float64."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from reference.cases import ANALYTIC, check_analytic, ring
from reference.motions import MOTIONS, Motion, params

import steersman as sm
from steersman import laws

LARGE = 1e12

SKIPPED = {
    "A17": "banking: the Flying locomotion is not part of this release",
    "A19": "the bounds hold for the law; the Wander behavior draws its own numbers, and is tested with its law",
    "A23": "covariance is tested of every behavior in tests/contract",
    "A24": "Weidmann's speed-density curve is measured data for crowds, no steering law",
}
"""Cases that the public World does not run, and why."""


def vehicles(position: Any, velocity: Any = None, mass: float = 1.0, **more: Any) -> sm.Vehicles:
    """Vehicles under the literal law: response_time = mass."""
    limits = {"max_force": LARGE, "max_speed": LARGE} | more
    return sm.Vehicles(position, velocity, mass=mass, response_time=mass, dtype=np.float64, **limits)


def travel(motion: Motion) -> tuple[Any, Any]:
    """Positions and velocities at all times."""
    bodies = vehicles(
        motion.position, motion.velocity, motion.mass, max_force=motion.max_force, max_speed=motion.max_speed
    )
    world = sm.World(dt=motion.dt)
    world.add(bodies, steering=motion.behavior(sm, lambda: world.time))
    positions, velocities = [bodies.position.copy()], [bodies.velocity.copy()]

    def record(_: sm.World) -> None:
        positions.append(bodies.position.copy())
        velocities.append(bodies.velocity.copy())

    world.on_step(record)
    world.run(steps=motion.steps)
    return np.array(positions), np.array(velocities)


def force(bodies: sm.Vehicles, steering: Any) -> Any:
    """What a controller answers."""
    return np.array(sm.Controller(bodies, steering).steer(0.01))


def seek_and_flee() -> Any:
    """A05."""
    q = params("A05")
    body = vehicles([q["x"]], [q["v"]], max_speed=q["vmax"])
    seek = force(body, sm.Seek(q["t"]))
    assert laws.length(seek + q["v"]) == pytest.approx(q["vmax"], abs=1e-12)
    both = sm.WeightedSum([sm.Seek(q["t"]), sm.Flee(q["t"])], each="raw")
    np.testing.assert_allclose(force(body, both), seek + force(body, sm.Flee(q["t"])), atol=1e-12)
    return force(body, both)[0]


def intercept() -> Any:
    """A10: the path flown until the interception, with a pursuer that turns at once."""
    q, case = params("A10"), ANALYTIC["A10"]
    phi = np.radians(q["phi_deg"])
    quarry = vehicles([[q["D"], 0.0]], [q["w"] * np.cos(phi), q["w"] * np.sin(phi)])
    body = vehicles([[0.0, 0.0]], max_speed=q["u"])
    steering = force(body, sm.Pursue(quarry, prediction=sm.Intercept(), head_on=False))[0]
    meeting = quarry.position[0] + quarry.velocity[0] * case["expected_T_intercept"]
    np.testing.assert_allclose(steering, q["u"] * laws.normalize(meeting), atol=case["tolerance"])
    return [laws.length(meeting)]


def path_projection() -> Any:
    """A12: the fraction of the segment, by the path's arc length, and the distance; a vehicle comes back to that point."""
    q = params("A12")
    path = sm.Path([q["a"], q["b"]], radius=0.1)
    s, distance, _ = path.project(q["P"])
    steering = force(vehicles([q["P"]], max_speed=distance), sm.StayOnPath(path, law="tube"))[0]
    np.testing.assert_allclose(q["P"] + steering, path.point_at(s), atol=1e-12)
    assert path.project(path.point_at(s)).s == pytest.approx(s, abs=1e-12)
    return [s / path.length, distance]


def nearest_approach() -> Any:
    """A11, out of what AvoidNeighbors does about it: with room R the force is 2 (R - distance) / time^2."""
    q = params("A11")
    pair = vehicles([q["p"], q["q"]], [q["v"], q["w"]], radius=[0.0, q["R"]])
    near, far = (
        float(np.linalg.norm(force(pair, sm.AvoidNeighbors(lookahead=9.0, distance=more, law="imminent"))[0]))
        for more in (0.0, 1.0)
    )
    time = np.sqrt(2 / (far - near))
    distance = q["R"] - near * time**2 / 2
    closing = np.linalg.norm(np.subtract(q["w"], q["v"]))
    return [time, distance, time - np.sqrt(q["R"] ** 2 - distance**2) / closing]


def separation_on_ring() -> Any:
    """A13."""
    points = ring(params("A13")["N"], params("A13")["R"])
    return force(vehicles(points), sm.Separation(radius=np.inf, strength=1.0))


def inverse_square_on_ring() -> Any:
    """A13b, by two laws."""
    points = ring(params("A13b")["N"], params("A13b")["R"])
    falloff = force(vehicles(points), sm.Separation(radius=np.inf, strength=1.0, falloff=2.0))
    square = force(vehicles(points), sm.Separation(radius=np.inf, strength=1.0, law="inverse_square"))
    np.testing.assert_allclose(falloff, square, atol=1e-12)
    return square


def separation_sum() -> Any:
    """A14."""
    points = np.random.default_rng(14).normal(0, 3, (params("A14")["N"], 3))
    return force(vehicles(points), sm.Separation(radius=np.inf, strength=1.0)).sum(axis=0)


def vicsek() -> Any:
    """A20: flocks in which everybody sees everybody; the mean square of the order parameter of all flocks and steps."""
    q = params("A20")
    rng = np.random.default_rng(20)
    flocks, steps = 400, 50
    middle = 10.0 * np.stack(np.divmod(np.arange(flocks), 20), axis=1)
    points = (middle[:, None, :] + rng.uniform(-1, 1, (flocks, q["N"], 2))).reshape(-1, 2)
    bodies = sm.Vehicles(
        points, rng.normal(1, 1, points.shape), max_force=LARGE, response_time="step", dtype=np.float64
    )
    world = sm.World(dt=1e-6, seed=20)
    world.add(bodies, steering=sm.Alignment(radius=4.0, law="vicsek", noise=q["eta"], speed=1.0))
    squares = []
    for _ in range(steps):
        world.step()
        squares.append(np.sum(bodies.velocity.reshape(flocks, q["N"], 2).mean(axis=1) ** 2, axis=1))
    return [np.mean(squares)]


def cohesion_offsets() -> Any:
    """A14b: positions that have these offsets are found from them, up to a translation."""
    number = params("A14b")["N"]
    points = 5.0 - np.array(ANALYTIC["A14b"]["expected"]) * (number - 1) / number
    return force(vehicles(points), sm.Cohesion(radius=np.inf, law="offset", strength=1.0))


def first_hit() -> Any:
    """A18: full force to the other side, exactly when the entry is within reach."""
    q = params("A18")
    center, forward = np.array(q["center"]), np.array(q["forward"])
    aside = center - (center @ forward) * forward
    entry = center @ forward - np.sqrt(q["Rsum"] ** 2 - aside @ aside)
    rock = sm.Spheres(center=[q["center"]], radius=q["Rsum"] - 0.5)
    body = vehicles([[0.0, 0.0, 0.0]], forward, radius=0.5, max_force=2.0)
    for lookahead, expected in ((entry + 1e-6, -2 * laws.normalize(aside)), (entry - 1e-6, np.zeros(3))):
        paper = sm.AvoidObstacles(rock, lookahead=lookahead, magnitude="full", clearance=0.0, stops=False)
        steering = force(body, paper)
        np.testing.assert_allclose(steering[0], expected, atol=1e-12)
    return [np.linalg.norm(entry * forward - center)]


FORCES: dict[str, Callable[[], Any]] = {
    "A05": seek_and_flee,
    "A10": intercept,
    "A12": path_projection,
    "A11": nearest_approach,
    "A13": separation_on_ring,
    "A13b": inverse_square_on_ring,
    "A14": separation_sum,
    "A20": vicsek,
    "A14b": cohesion_offsets,
    "A18": first_hit,
}


@pytest.mark.filterwarnings("ignore:Arrive may overshoot")
@pytest.mark.parametrize("name", sorted(ANALYTIC))
def test_closed_form_in_the_world(name: str) -> None:
    if name in SKIPPED:
        pytest.skip(SKIPPED[name])
    if name in MOTIONS:
        motion = MOTIONS[name]()
        check_analytic(name, motion.observe(*travel(motion)))
    else:
        check_analytic(name, FORCES[name]())
