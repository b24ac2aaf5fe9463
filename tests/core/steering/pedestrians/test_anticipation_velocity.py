"""AnticipationVelocity: its examples and law for the contract suite, and what its paper says."""

import math
from typing import Any

import numpy as np
import pytest
from contract.examples.example import Example
from contract.references.crowds import watched
from contract.references.vehicle import Answer, At, Combination
from contract.running import DT

import steersman as sm
from steersman import laws
from steersman.runs.metrics.order import lane_order

EXAMPLES: dict[str, Example] = {
    "anticipation": lambda p: sm.AnticipationVelocity(radius=20.0, range=2.0),
    "anticipation toward": lambda p: sm.AnticipationVelocity(
        sm.Seek(p.state.point), time_gap=3.0, strength=2.0, range=1.5, anticipation_time=0.6, reaction_time=0.02,
        radius=30.0, k=5, angle=4.0, inner_radius=2.0,
    ),
    "anticipation among rocks": lambda p: sm.AnticipationVelocity(
        sm.Seek(p.state.point), obstacles=p.rocks, wall_room=6.0, wall_turn=0.7, range=1.0, radius=8.0,
        of=[p.others, p.vehicles],
    ),
}  # fmt: skip


def along_walls(b: Any, way: Any, walls: list[tuple[Any, float]]) -> Any:
    bent = way
    for normal, gap in walls:
        if gap < b.wall_room and bent @ normal < 0:
            bent = bent + normal * (b.wall_turn - bent @ normal)
    return laws.normalize(bent) if bent @ bent > 0 else way


def anticipation_velocity(b: Any, at: At, answers: list[Answer]) -> Answer:
    from core.steering.pedestrians.test_collision_free_speed import go_along
    from core.steering.pedestrians.test_social_force import walls_near

    force, claims = answers[0] if answers else (np.zeros_like(at.forward), False)
    wanted = at.velocity + force * at.tau / at.mass
    others, rows, positions = watched(b, at)
    offset, touch = positions - at.position, at.radius + others.radius[rows]
    e0, walls = laws.normalize(wanted) if wanted.any() else at.forward, walls_near(b, at)
    numbers = {name: getattr(b, name) for name in ("strength", "range", "anticipation_time")}
    way = laws.anticipated_direction(
        e0, at.forward, offset, at.velocity, others.velocity[rows], others.forward[rows], touch, **numbers
    )
    part = 1.0 if e0 @ at.forward < 0 else min(DT / b.reaction_time, 1)
    e = along_walls(b, laws.normalize((1 - part) * at.forward + part * way), walls)
    return go_along(b, at, e, wanted, offset, touch, walls), claims


COMBINATIONS: dict[str, Combination] = {"AnticipationVelocity": anticipation_velocity}

DOCUMENTS = {"AnticipationVelocity": "anticipation_time = 0.9"}


def walk(start: Any, wanted: Any, domain: Any, seconds: float, steering: Any = sm.AnticipationVelocity) -> Any:
    """People of 0.18 m, and the world that they walk in."""
    people = sm.Vehicles(start, radius=0.18, max_speed=1.55, max_force=1e4, response_time="step", dtype=np.float64)
    world = sm.World(dt=0.02, domain=domain)
    world.add(people, steering=steering(lambda vehicles: (np.asarray(wanted) - vehicles.velocity) / 0.02))
    world.run(seconds=seconds)
    return people, world


@pytest.mark.parametrize("density", [0.5, 1.0, 2.0])
def test_single_file_goes_as_the_paper_says(density: float) -> None:
    """v = min(v0, (1 / density - 2 r) / T) with r = 0.18 m, T = 1.06 s, v0 = 1.55 m/s."""
    n = round(20 * density)
    start = np.stack([np.linspace(0, 20, n, endpoint=False), np.full(n, 5.0)], axis=1)
    people, _ = walk(start, [1.55, 0.0], sm.Torus([20.0, 10.0]), 30)
    assert people.velocity[:, 0].mean() == pytest.approx(min(1.55, (1 / density - 0.36) / 1.06), rel=0.02)


def test_a_neighbor_that_comes_turns_as_the_equation_says() -> None:
    """Ahead at 3 m, 0.3 m to the left, toward the pedestrian at 1 m/s each: expected at 2 m, gap 3.015 - 0.36 - 1.99."""
    found = laws.anticipated_direction(
        np.array([1.0, 0]), np.array([1.0, 0]), np.array([[3.0, 0.3]]), np.array([1.0, 0]), np.array([[-1.0, 0]]),
        np.array([[-1.0, 0]]), 0.36, range=1.0,
    )  # fmt: skip
    distance = math.hypot(3, 0.3)
    size = 3 * 2 * math.exp(-(distance - 0.36 - 2 * 3 / distance))
    np.testing.assert_allclose(found, np.array([1, -size]) / math.hypot(1, size), rtol=1e-12)
    behind = laws.anticipated_direction(
        np.array([1.0, 0]), np.array([1.0, 0]), np.array([[-1.0, 0.3]]), np.array([1.0, 0]), np.array([[1.0, 0]]),
        np.array([[1.0, 0]]), 0.36,
    )  # fmt: skip
    np.testing.assert_array_equal(behind, [1, 0])


@pytest.mark.parametrize("surface", [None, sm.Plane([0.0, 0.0, 0.0], [0.0, 0.0, 1.0])], ids=["plane", "ground"])
def test_those_who_meet_exactly_head_on_pass_each_other_on_the_right_whatever_their_rows(surface: Any) -> None:
    """Four pairs from four sides, in any order of rows and ids."""
    angle = np.arange(4) * math.pi / 2
    ways = np.stack([np.cos(angle), np.sin(angle)], axis=1).round()
    forward = np.concatenate([ways, -ways])
    place = np.concatenate([ways, ways]) * 100 - forward
    order = np.random.default_rng(3).permutation(8)
    place, forward = place[order], forward[order]
    if surface is not None:
        place, forward = (np.column_stack([each, np.zeros(8)]) for each in (place, forward))
    people = sm.Vehicles(
        place, 1.3 * forward, radius=0.18, max_speed=1.5, max_force=1e4, response_time="step",
        id=np.random.default_rng(4).permutation(20)[:8], dtype=np.float64,
    )  # fmt: skip
    world = sm.World(dt=0.02, threads=1)
    wanted = 1.3 * forward
    go = lambda vehicles: (wanted - vehicles.velocity) / 0.02  # noqa: E731
    body = sm.PointMass() if surface is None else sm.SurfaceBound(surface)
    world.add(people, steering=sm.AnticipationVelocity(go), locomotion=body)
    world.step()
    aside = forward[:, 0] * people.velocity[:, 1] - forward[:, 1] * people.velocity[:, 0]
    assert (aside < -0.01).all()
    np.testing.assert_allclose(aside, aside[0], rtol=1e-6)


@pytest.mark.parametrize("future", [1.0, 0.0])
def test_lanes_come_of_anticipation_and_nobody_walks_back(future: float) -> None:
    """As the paper says. Two streams that meet, half a person on a square meter."""
    rng = np.random.default_rng(2)
    start = np.stack(np.meshgrid(np.arange(10) + 0.5, np.arange(4) + 0.5, indexing="ij"), axis=-1).reshape(-1, 2)
    start = (start + rng.uniform(-0.2, 0.2, start.shape)) * math.sqrt(2)
    sign = np.where(rng.permutation(40) < 20, 1.0, -1.0)
    wanted, domain = np.stack([1.3 * sign, 0 * sign], axis=1), sm.Torus([10 * math.sqrt(2), 4 * math.sqrt(2)])
    people, world = walk(start, wanted, domain, 1, lambda go: sm.AnticipationVelocity(go, anticipation_time=future))
    for _ in range(20):
        world.run(seconds=1)
        assert (people.velocity[:, 0] * sign > -1e-9).all()
    order = lane_order(people, [1.0, 0.0], 0.75 * math.sqrt(2), domain)
    assert order > 0.8 if future else order < 0.6


def test_one_that_stands_turns() -> None:
    """One stands behind another that it touches, and then wants to go aside: its direction turns while it stands."""
    pair = sm.Vehicles(
        [[0.0, 0.0], [0.36 * math.cos(0.2), -0.36 * math.sin(0.2)]], radius=0.18, max_speed=[1.3, 0.0], max_force=1e4,
        response_time="step", dtype=np.float64,
    )  # fmt: skip
    world = sm.World(dt=0.02)
    go = lambda vehicles: (np.array([[0.0, 1.3], [0.0, 0.0]]) - vehicles.velocity) / 0.02  # noqa: E731
    world.add(pair, steering=sm.AnticipationVelocity(go, strength=0.0))
    world.step()
    assert abs(pair.velocity[0]).max() < 1e-9
    world.run(seconds=4)
    assert pair.position[0, 1] > 0.5
