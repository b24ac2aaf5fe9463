"""PowerLaw: its examples and law for the contract suite, and the published law."""

import math
from typing import Any

import numpy as np
import pytest
from contract.examples.example import Example
from contract.references.crowds import watched
from contract.references.vehicle import Answer, At, Combination

import steersman as sm
from steersman import laws

EXAMPLES: dict[str, Example] = {
    "power law": lambda p: sm.PowerLaw(sm.Seek(p.state.point), radius=20.0),
    "power law toward": lambda p: sm.PowerLaw(
        sm.Seek(p.state.point),
        obstacles=p.rocks,
        strength=3.0,
        horizon=9.0,
        radius=8.0,
        angle=5.0,
        inner_radius=2.0,
        k=5,
    ),
    "power law of several populations": lambda p: sm.PowerLaw(
        sm.Seek(p.state.point), horizon=5.0, of=[p.others, p.vehicles], radius=8.0
    ),
}


def power_law(b: Any, at: At, answers: list[Answer]) -> Answer:
    from core.steering.pedestrians.test_social_force import walls_near

    force, claims = answers[0] if answers else (np.zeros_like(at.forward), False)
    others, rows, positions = watched(b, at)
    touch, numbers = at.radius + others.radius[rows], {"strength": b.strength, "horizon": b.horizon}
    pushes = laws.encounter_push(positions - at.position, at.velocity - others.velocity[rows], touch, **numbers)
    total = pushes.sum(axis=0)
    for normal, gap in walls_near(b, at):
        if (approach := -float(at.velocity @ normal)) > 0:
            t = max(max(gap, 0) / approach, 1e-3)
            size = b.strength * math.exp(-t / b.horizon) / t**2 * (2 / t + 1 / b.horizon)
            total = total + normal * size / approach
    return force + at.mass * total, claims


COMBINATIONS: dict[str, Combination] = {"PowerLaw": power_law}

DOCUMENTS = {"PowerLaw": "horizon = 2.5"}


def energy(place: Any, velocity: Any, touch: float) -> float:
    """k t^-2 exp(-t / t0) of one at a place from another, which moves at a velocity against it: k = 1.5, t0 = 3 s."""
    b, v2 = -np.dot(place, velocity), np.dot(velocity, velocity)
    t = (b - math.sqrt(b**2 - v2 * (np.dot(place, place) - touch**2))) / v2
    return 1.5 * math.exp(-t / 3) / t**2


@pytest.mark.parametrize("aside", [0.0, 0.2, -0.35])
def test_the_push_is_the_gradient_of_the_published_energy(aside: float) -> None:
    place, velocity = np.array([-4.0, aside]), np.array([2.4, 0.1])
    pair = sm.Vehicles(
        [place, [0, 0]], [velocity, [0, 0]], radius=0.3, max_force=1e6, max_speed=5, mass=2.0, dtype=np.float64
    )
    force = sm.Controller(pair, sm.PowerLaw()).steer(0.01)[0]
    slope = [(energy(place + h, velocity, 0.6) - energy(place - h, velocity, 0.6)) / 2e-6 for h in 1e-6 * np.eye(2)]
    np.testing.assert_allclose(force, -2.0 * np.array(slope), rtol=1e-5, atol=1e-8)


def test_who_goes_apart_or_past_is_not_felt() -> None:
    for velocity in ([-1.0, 0.0], [1.0, 1.0]):
        pair = sm.Vehicles([[-4.0, 0.0], [0, 0]], [velocity, [0, 0]], radius=0.3, max_force=1e6)
        assert not sm.Controller(pair, sm.PowerLaw()).steer(0.01).any()


@pytest.mark.parametrize("gap", [1e-4, -0.1])
def test_the_bounds_are_exact_to_the_rounding_of_the_vehicles(gap: float) -> None:
    """Of an encounter within less than the soonest time, and of two that overlap."""
    offset, velocity = np.array([0.6 + gap, 0.0]), np.array([2.0, 0.03])
    pair = sm.Vehicles(
        [[0, 0], offset], [velocity, [0, 0]], radius=0.3, max_force=1e15, max_speed=5, mass=2.0, dtype=np.float64
    )
    expected = 2.0 * laws.encounter_push(offset[None], velocity[None], 0.6)[0]
    force = sm.Controller(pair, sm.PowerLaw()).steer(0.01)[0]
    np.testing.assert_allclose(force, expected, rtol=1e-10)


def test_two_who_meet_pass() -> None:
    ends = np.array([[-5.0, 0.05], [5.0, -0.05]])
    pair = sm.Vehicles(ends, radius=0.2, max_speed=1.4, max_force=50, response_time=0.54)
    world = sm.World(dt=0.02)
    world.add(pair, steering=sm.PowerLaw(sm.Seek(-4 * ends)))
    nearest = 9.0
    for _ in range(500):
        world.step()
        nearest = min(nearest, float(np.linalg.norm(pair.position[0] - pair.position[1])))
    assert nearest > 0.39
    assert pair.position[0, 0] > 4
