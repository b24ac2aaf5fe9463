"""CollisionFreeSpeed: its examples and law for the contract suite, and the published numbers."""

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
    "collision-free speed": lambda p: sm.CollisionFreeSpeed(radius=20.0, range=2.0),
    "collision-free speed toward": lambda p: sm.CollisionFreeSpeed(
        sm.Seek(p.state.point), time_gap=3.0, strength=2.0, range=1.5, radius=30.0, k=5, angle=4.0, inner_radius=2.0
    ),
    "collision-free speed among rocks": lambda p: sm.CollisionFreeSpeed(
        sm.Seek(p.state.point),
        obstacles=p.rocks,
        wall_strength=2.0,
        wall_range=1.0,
        radius=8.0,
        of=[p.others, p.vehicles],
    ),
}


def go_along(b: Any, at: At, way: Any, wanted: Any, offset: Any, touch: Any, walls: list[tuple[Any, float]]) -> Any:
    """The force of a direction that is commanded, as fast as wanted, as those ahead allow, and not into walls."""
    ahead = offset @ way
    blocks = (ahead >= 0) & (laws.length(offset - ahead[:, None] * way) <= touch)
    free = np.min((laws.length(offset) - touch)[blocks], initial=math.inf)
    v = way * laws.spacing_speed(free, 0.0, laws.length(wanted), time_gap=b.time_gap)
    for normal, gap in walls:
        v = v + normal * max(-max(gap, 0) / at.tau - v @ normal, 0)
    return at.match(v - at.velocity)


def collision_free_speed(b: Any, at: At, answers: list[Answer]) -> Answer:
    from core.steering.pedestrians.test_social_force import walls_near

    force, claims = answers[0] if answers else (np.zeros_like(at.forward), False)
    wanted = at.velocity + force * at.tau / at.mass
    others, rows, positions = watched(b, at)
    offset, touch = positions - at.position, at.radius + others.radius[rows]
    heading, walls = laws.normalize(wanted), walls_near(b, at)
    pushed = sum((b.wall_strength * n * math.exp(min(-gap / b.wall_range, 20)) for n, gap in walls), 0 * heading)
    way = heading - np.sum(
        (b.strength * np.exp(np.minimum((touch - laws.length(offset)) / b.range, 20)))[:, None]
        * laws.normalize(offset),
        axis=0,
    )
    way = laws.normalize(way + pushed)
    return go_along(b, at, way, wanted, offset, touch, walls), claims


COMBINATIONS: dict[str, Combination] = {"CollisionFreeSpeed": collision_free_speed}

DOCUMENTS = {"CollisionFreeSpeed": "time_gap = 1.1"}


def test_the_laws_by_hand() -> None:
    """In the way are those ahead, within the strip; one beside at 0.25 m turns the direction by 5 exp(-2)."""
    others = np.array([[3.0, 0.0], [2.0, 0.4], [1.0, 2.0], [0.0, 0.3], [-0.5, 0.0]])
    for touch, free in ((0.5, 0.3), (0.3, 0.3), (0.25, 3.0), (np.array([0.1, 0.4, 0.1, 0.1, 0.1]), np.hypot(2, 0.4))):
        assert laws.free_spacing([1.0, 0.0], others, touch) == free
    assert laws.free_spacing([1.0, 0.0], others[2:3], 0.5) == math.inf
    way = laws.repelled_direction([1.0, 0.0], np.array([[0.0, 0.7]]), 0.5, range=0.1)
    np.testing.assert_allclose(way, laws.normalize([1.0, -5 * math.exp(-2)]))


def ring(n: int, length: float, **options: Any) -> Any:
    """People in single file on a ring."""
    start = np.stack([np.linspace(0, length, n, endpoint=False), np.full(n, 5.0)], axis=1)
    start[:, 0] += np.random.default_rng(1).uniform(-0.02, 0.02, n)
    people = sm.Vehicles(start, radius=0.15, max_speed=1.2, max_force=1e4, response_time="step", dtype=np.float64)
    world = sm.World(dt=0.01, domain=sm.Torus([length, 10.0]))
    go = lambda vehicles: (np.array([1.2, 0.0]) - vehicles.velocity) / 0.01  # noqa: E731
    world.add(people, steering=sm.CollisionFreeSpeed(go, **options))
    world.run(seconds=30)
    return people


@pytest.mark.parametrize("density", [0.5, 1.0, 2.0, 3.0])
def test_single_file_goes_as_the_paper_says(density: float) -> None:
    """Its fundamental diagram in one dimension: v = min(v0, (1 / density - l) / T), l = 0.3 m, T = 1 s, v0 = 1.2 m/s."""
    people = ring(round(20 * density), 20.0)
    expected = min(1.2, 1 / density - 0.3)
    assert people.velocity[:, 0].mean() == pytest.approx(expected, rel=0.02)


def test_nobody_touches_another_in_single_file() -> None:
    """Which its authors prove, for time steps less than the time gap."""
    people = ring(60, 20.0)
    place = np.sort(people.position[:, 0])
    assert np.diff(np.append(place, place[0] + 20.0)).min() >= 0.3 - 1e-9


@pytest.mark.parametrize(("law", "gap"), [(sm.CollisionFreeSpeed, 0.5), (sm.AnticipationVelocity, 0.7)])
def test_nobody_goes_into_a_wall(law: Any, gap: float) -> None:
    """Into a corner."""
    people = sm.Vehicles([[-3.0, -3.0]], radius=0.15, max_speed=1.2, max_force=1e4, response_time="step")
    world = sm.World(dt=0.02)
    corner = sm.Walls([[[0.0, -20.0], [0.0, 0.0]], [[0.0, 0.0], [-20.0, 0.0]]])
    world.add(people, steering=law(sm.Seek([6.0, 6.0]), obstacles=corner))
    world.run(seconds=10)
    assert (people.position <= -0.149).all()
    assert (people.position > -gap).all()


@pytest.mark.parametrize(("goal", "velocity"), [((6.0, 0.0), (0.0, 0.0)), ((-0.05, 9.0), (0.0, 1.2))])
def test_one_in_a_wall_goes_no_deeper_and_is_not_thrown_out(goal: Any, velocity: Any) -> None:
    """Into it, and along it."""
    people = sm.Vehicles([[-0.05, 0.0]], radius=0.15, max_speed=1.2, max_force=1e4, response_time=0.1, dtype=np.float64)
    wall = sm.Walls([[[0.0, -20.0], [0.0, 20.0]]])
    steering = sm.CollisionFreeSpeed(sm.Seek(goal), obstacles=wall, wall_strength=0.0)
    force = sm.Controller(people, steering).steer(0.1)[0]
    np.testing.assert_allclose(people.velocity[0] + 0.1 * force, velocity, atol=1e-9)


def test_the_sketch_shows_both_edges_of_the_strip_in_which_it_looks_ahead() -> None:
    """One to the left and one to the right, two radii aside, as long as it looks."""
    world = sm.World()
    walker = sm.Vehicles([[1.0, 2.0]], [[0.0, 1.0]], radius=0.3, max_speed=1.5, max_force=9.0)
    world.add(walker, name="one", steering=sm.CollisionFreeSpeed(sm.Seek([1.0, 20.0]), radius=5.0))
    shapes = [shape for sketch in world.sketch("one", 0) for shape in sketch.shapes]
    edges = [shape.points[0] for shape in shapes if shape.label == "looks ahead in here"]
    assert sorted(edge[:, 0].round(6).tolist() for edge in edges) == [[0.4, 0.4], [1.6, 1.6]]
    assert all(edge[:, 1].round(6).tolist() == [2.0, 7.0] for edge in edges)
