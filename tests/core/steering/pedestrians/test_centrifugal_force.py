"""GeneralizedCentrifugalForce: its examples and law for the contract suite, and the published numbers."""

from typing import Any

import numpy as np
import pytest
from contract.examples.example import Example
from contract.references.crowds import watched
from contract.references.vehicle import Answer, At, Combination

import steersman as sm
from steersman import laws

EXAMPLES: dict[str, Example] = {
    "centrifugal force": lambda p: sm.GeneralizedCentrifugalForce(radius=20.0),
    "centrifugal force toward": lambda p: sm.GeneralizedCentrifugalForce(
        sm.Seek(p.state.point), obstacles=p.rocks, strength=0.6, length_at_rest=0.4, stride=0.3, narrow=0.3, wide=0.6,
        nearest=0.5, radius=8.0, angle=5.0, inner_radius=2.0, k=5,
    ),
    "centrifugal force of others": lambda p: sm.GeneralizedCentrifugalForce(strength=0.5, of=p.others, radius=9.0),
}  # fmt: skip


def centrifugal_force(b: Any, at: At, answers: list[Answer]) -> Answer:
    from core.steering.pedestrians.test_social_force import walls_near

    force, claims = answers[0] if answers else (np.zeros_like(at.forward), False)
    speed = float(laws.length(at.velocity + force * at.tau / at.mass))
    others, rows, positions = watched(b, at)
    full = at.place.vehicles.max_speed if b.of is None else b.of.max_speed
    names = ("strength", "length_at_rest", "stride", "narrow", "wide", "nearest")
    numbers = {name: getattr(b, name) for name in names}
    offset = positions - at.position
    pushes = laws.centrifugal_push(offset, at.velocity, others.velocity[rows], speed, full[rows], **numbers)
    total = pushes.sum(axis=0)
    shape = {name: numbers[name] for name in names[1:5]}
    for normal, gap in walls_near(b, at):
        free = gap + at.radius - float(laws.ellipse_reach(at.velocity[None], speed, -normal[None], **shape)[0])
        facing = max(float(-laws.normalize(at.velocity) @ normal), 0)
        push = facing * (b.strength * speed + max(-float(at.velocity @ normal), 0)) ** 2 / max(free, b.nearest)
        total = total + push * normal
    return force + at.mass * total, claims


COMBINATIONS: dict[str, Combination] = {"GeneralizedCentrifugalForce": centrifugal_force}

DOCUMENTS = {"GeneralizedCentrifugalForce": "strength = 0.3"}


def test_the_push_of_two_who_follow_each_other() -> None:
    """Both at the speed that they want, 1.34 m/s: semi-axes 0.18 + 0.53 * 1.34 = 0.89 m; 2 m apart the gap is 0.22 m."""
    pair = sm.Vehicles(
        [[0.0, 0.0], [2.0, 0.0]], [[1.34, 0], [1.34, 0]], max_speed=1.34, mass=80, max_force=1e6, dtype=np.float64
    )
    force = sm.Controller(pair, sm.GeneralizedCentrifugalForce()).steer(0.01)
    np.testing.assert_allclose(
        force, [[-80 * (0.2 * 1.34) ** 2 / (2 - 2 * (0.18 + 0.53 * 1.34)), 0], [0, 0]], rtol=1e-9
    )


def test_beside_each_other_they_are_narrow_and_do_not_push() -> None:
    pair = sm.Vehicles([[0.0, 0.0], [0.0, 0.5]], [[1.34, 0], [1.34, 0]], max_speed=1.34, max_force=1e6)
    assert not sm.Controller(pair, sm.GeneralizedCentrifugalForce()).steer(0.01).any()
    across = laws.ellipse_reach(np.array([[1.34, 0.0], [0.0, 0.0]]), 1.34, np.array([[0.0, 1.0]] * 2))
    assert across == pytest.approx([0.2, 0.25])
