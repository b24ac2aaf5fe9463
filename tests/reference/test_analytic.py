"""The closed forms, run with the bare laws."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from reference.cases import ANALYTIC, check_analytic, ring
from reference.motions import MOTIONS, Motion, params

from steersman.core.steering import laws


def travel(motion: Motion) -> tuple[Any, Any]:
    """Positions and velocities at all times under the literal law."""
    position, velocity = motion.position, motion.velocity
    positions, velocities = [position], [velocity]
    for step in range(motion.steps):
        force = motion.law(position, velocity, step * motion.dt)
        position, velocity = laws.point_mass_step(
            position,
            velocity,
            force,
            mass=motion.mass,
            max_force=motion.max_force,
            max_speed=motion.max_speed,
            dt=motion.dt,
        )
        positions.append(position)
        velocities.append(velocity)
    return np.array(positions), np.array(velocities)


def seek_and_flee() -> Any:
    """A05."""
    q = params("A05")
    x, v, target = (np.array(q[name]) for name in ("x", "v", "t"))
    seek = laws.seek(x, v, target, q["vmax"])
    assert laws.length(seek + v) == pytest.approx(q["vmax"], abs=1e-12)
    return seek + laws.flee(x, v, target, q["vmax"])


def intercept() -> Any:
    """A10: the path flown until an ideal interception."""
    q, case = params("A10"), ANALYTIC["A10"]
    phi = np.radians(q["phi_deg"])
    time = laws.intercept_time(
        np.zeros(2), np.array([q["D"], 0.0]), q["w"] * np.array([np.cos(phi), np.sin(phi)]), q["u"]
    )
    assert time == pytest.approx(case["expected_T_intercept"], abs=case["tolerance"])
    assert time <= case["expected_T_pure_pursuit"]
    return [q["u"] * time]


def nearest_approach() -> Any:
    """A11: time and distance of the nearest approach, and time of contact."""
    q = params("A11")
    p, v, other, w = (np.array(q[name]) for name in "pvqw")
    time, distance = laws.nearest_approach(p, v, other, w)
    towards = laws.normalize(v - w)
    contact = laws.ray_sphere_entry(p, towards, other, q["R"]) / laws.length(v - w)
    return [time, distance, contact]


def path_projection() -> Any:
    """A12: the fraction of the segment and the distance."""
    q = params("A12")
    fraction, distance = laws.project_on_segment(np.array(q["P"]), np.array(q["a"]), np.array(q["b"]))
    return [fraction, distance]


def separation_on_ring() -> Any:
    """A13."""
    points = ring(params("A13")["N"], params("A13")["R"])
    return laws.separation(points, points)


def inverse_square_on_ring() -> Any:
    """A13b, by two laws."""
    points = ring(params("A13b")["N"], params("A13b")["R"])
    force = laws.inverse_square_separation(points, points, strength=1.0)
    np.testing.assert_allclose(force, laws.separation(points, points, falloff=2.0), rtol=1e-12, atol=1e-14)
    return force


def separation_sum() -> Any:
    """A14."""
    points = np.random.default_rng(14).normal(0, 3, (params("A14")["N"], 3))
    return laws.separation(points, points).sum(axis=0)


def cohesion_offsets() -> Any:
    """A14b: positions that have these offsets are found from them, up to a translation."""
    number = params("A14b")["N"]
    points = 5.0 - np.array(ANALYTIC["A14b"]["expected"]) * (number - 1) / number
    offsets = laws.cohesion_offset(points, points, ~np.eye(number, dtype=bool))
    np.testing.assert_allclose(offsets.sum(axis=0), 0, atol=1e-12)
    return offsets


def first_hit() -> Any:
    """A18: where the ray meets the sphere it is as far from the center as the radius; steering is to the other side."""
    q = params("A18")
    center, forward = np.array(q["center"]), np.array(q["forward"])
    distance = laws.ray_sphere_entry(np.zeros(3), forward, center, q["Rsum"])
    aside = center - (center @ forward) * forward
    assert distance == pytest.approx(center @ forward - np.sqrt(q["Rsum"] ** 2 - aside @ aside), abs=1e-12)
    for magnitude in ("full", "literal", "proximity"):
        steering = laws.avoid_obstacles(
            np.zeros(3), forward, 0.5, center[None], q["Rsum"] - 0.5, 10.0, 2.0, magnitude=magnitude
        )
        np.testing.assert_allclose(laws.normalize(steering), -aside / np.linalg.norm(aside), atol=1e-12)
    return [np.linalg.norm(distance * forward - center)]


def wander_bounds() -> Any:
    """A19: shortest and longest steering vector, and largest angle to the heading, over the whole circle."""
    q = params("A19")
    angle = np.linspace(0, 2 * np.pi, 200_001)[:-1]
    around = q["r"] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    axes = np.array([[0.6, 0.8], [0.8, -0.6]])
    steering, state = laws.wander(around, np.zeros_like(around), axes, strength=q["r"], rate=1.0, distance=q["d"])
    np.testing.assert_allclose(state, around, atol=1e-12)
    np.testing.assert_allclose(steering.mean(axis=0), q["d"] * axes[0], atol=1e-9)
    size = laws.length(steering)
    return [size.min(), size.max(), np.arccos(np.minimum(steering @ axes[0] / size, 1)).max()]


def vicsek() -> Any:
    """A20: all turn into the mean heading of all, plus noise; the mean square of the order parameter."""
    q = params("A20")
    rng = np.random.default_rng(20)
    noise = rng.uniform(-q["eta"] / 2, q["eta"] / 2, (20_000, q["N"]))
    heading = laws.normalize(laws.neighbor_mean(rng.normal(1, 1, (q["N"], 2)))[0])
    headings = laws.rotate(heading, noise.ravel()).reshape(*noise.shape, 2)
    order = laws.length(headings.mean(axis=1))
    return [np.mean(order**2)]


def banking() -> Any:
    """A17: the roll of a steady level turn [degrees]."""
    q = params("A17")
    inwards = np.array([0.0, q["v"] ** 2 / q["r"], 0.0])
    up = laws.banked_up(inwards, np.array([1.0, 0.0, 0.0]), gravity=(0.0, 0.0, -q["g"]))
    return [np.degrees(np.arctan2(up[1], up[2]))]


FORCES: dict[str, Callable[[], Any]] = {
    "A05": seek_and_flee,
    "A10": intercept,
    "A11": nearest_approach,
    "A12": path_projection,
    "A13": separation_on_ring,
    "A13b": inverse_square_on_ring,
    "A14": separation_sum,
    "A14b": cohesion_offsets,
    "A18": first_hit,
    "A19": wander_bounds,
    "A17": banking,
    "A20": vicsek,
    "A24": lambda: laws.walking_speed(params("A24")["rho"]),
}


@pytest.mark.parametrize("name", sorted(ANALYTIC))
def test_closed_form(name: str) -> None:
    if name == "A23":
        pytest.skip("covariance has no parameters to run; it is tested of every law in tests/steering/laws")
    if name in MOTIONS:
        motion = MOTIONS[name]()
        check_analytic(name, motion.observe(*travel(motion)))
    else:
        check_analytic(name, FORCES[name]())
