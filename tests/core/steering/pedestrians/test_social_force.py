"""SocialForce: its examples and law for the contract suite, and the published numbers."""

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
    "social force": lambda p: sm.SocialForce(radius=20.0),
    "social force toward": lambda p: sm.SocialForce(
        sm.Seek(p.state.point), obstacles=p.rocks, strength=3.0, range=2.0, body=5.0, friction=2.0, behind=0.3,
        view=2.0,
        radius=8.0, angle=4.0, inner_radius=2.0,
    ),
    "social force of ellipses": lambda p: sm.SocialForce(sm.Seek(p.state.point), law="ellipses", range=3.0, radius=20.0),
    "social force of ellipses and walls": lambda p: sm.SocialForce(
        law="ellipses", obstacles=p.rocks, strength=9.0, range=2.0, stride=0.5, behind=0.1, wall_strength=5.0, k=5,
        wall_range=4.0, radius=8.0, of=[p.others, p.vehicles],
    ),
}  # fmt: skip


def walls_near(b: Any, at: At) -> list[tuple[Any, float]]:
    """Normals of spheres and the gaps to them, nearest first, less those behind another; from inside one that one alone."""
    found: list[tuple[Any, float]] = []
    for each in b.obstacles.sets if b.obstacles is not None else ():
        offsets = at.near(each.center) - at.position
        gaps = laws.length(offsets) - each.radius - at.radius
        nearest = int(np.argmin(gaps))
        inside = gaps[nearest] < -at.radius
        for k in [nearest] if inside else np.argsort(gaps, kind="stable"):
            slack = 1e-3 * (abs(gaps[k]) + at.radius)
            behind = any(offsets[k] @ n + each.radius[k] + at.radius + gap <= slack for n, gap in found)
            if gaps[k] <= b.radius and not behind and len(found) < 8:
                found.append((-laws.normalize(offsets[k]), float(gaps[k])))
    return found


def wanted_of(at: At, answers: list[Answer]) -> tuple[Any, Any, bool]:
    """The force of `toward`, the velocity that it wants, and whether it claims."""
    force, claims = answers[0] if answers else (np.zeros_like(at.forward), False)
    return force, at.velocity + force * at.tau / at.mass, claims


def social_force(b: Any, at: At, answers: list[Answer]) -> Answer:
    force, wanted, claims = wanted_of(at, answers)
    heading = laws.normalize(wanted) if wanted.any() else at.forward
    others, rows, positions = watched(b, at)
    offset, bodies = positions - at.position, b.law == "bodies"
    behind = (1.0 if bodies else 0.5) if b.behind is None else b.behind
    weight = np.where(offset @ heading >= math.cos(b.view / 2) * laws.length(offset), 1.0, behind)
    options = {"weight": weight}
    options |= {name: getattr(b, name) for name in ("strength", "range") if getattr(b, name) is not None}
    if bodies:
        contact = {"body": b.body, "friction": b.friction}
        touch = at.radius + others.radius[rows]
        pushes = laws.body_push(offset, others.velocity[rows] - at.velocity, touch, **contact, **options)
        options["weight"] = np.ones(1)
        walls = [
            laws.body_push(-10 * normal[None], -at.velocity[None], 10 - gap, **contact, **options)[0]
            for normal, gap in walls_near(b, at)
        ]
    else:
        pushes = laws.stride_push(offset, others.velocity[rows], stride=b.stride, **options | {"weight": 1.0})
        seen = -pushes @ heading >= math.cos(b.view / 2) * laws.length(pushes)
        pushes *= np.where(seen, 1.0, behind)[:, None]
        size = b.wall_strength / b.wall_range
        walls = [n * size * math.exp(-(gap + at.radius) / b.wall_range) for n, gap in walls_near(b, at)]
    return force + at.mass * (pushes.sum(axis=0) + np.sum([0 * force, *walls], axis=0)), claims


COMBINATIONS: dict[str, Combination] = {"SocialForce": social_force}

DOCUMENTS = {"SocialForce": 'law = "ellipses", strength = 2.5'}


def push(offset: Any, velocity: Any = (0.0, 0.0), own: Any = (0.0, 0.0), mass: float = 80.0, **options: Any) -> Any:
    """The force on one of two at an offset from the other."""
    pair = sm.Vehicles([[0.0, 0.0], offset], [own, velocity], radius=0.3, mass=mass, max_force=1e6, dtype=np.float64)
    return sm.Controller(pair, sm.SocialForce(**options)).steer(0.01)[0]


def test_the_pushes_of_helbing_farkas_and_vicsek() -> None:
    """2000 N where bodies of 80 kg touch, a third of it 8 cm farther; pressed in by 1 cm, k and kappa of the paper."""
    np.testing.assert_allclose(push([0.6, 0.0]), [-2000, 0], rtol=1e-9)
    np.testing.assert_allclose(push([0.68, 0.0]), [-2000 / math.e, 0], rtol=1e-9)
    pressed = push([0.0, 0.59], velocity=[1.0, 0.5])
    np.testing.assert_allclose(pressed, [2.4e5 * 0.01, -2000 * math.exp(0.01 / 0.08) - 1.2e5 * 0.01], rtol=1e-9)


def test_walls_push_and_rub_as_bodies_that_stand() -> None:
    walker = sm.Vehicles([[0.0, 0.29]], [[1.0, 0.0]], radius=0.3, mass=80, max_force=1e6, dtype=np.float64)
    wall = sm.Walls([[[-5.0, 0.0], [5.0, 0.0]]])
    force = sm.Controller(walker, sm.SocialForce(obstacles=wall)).steer(0.01)[0]
    np.testing.assert_allclose(force, [-2.4e5 * 0.01, 2000 * math.exp(0.01 / 0.08) + 1.2e5 * 0.01], rtol=1e-6)


def test_the_ellipses_of_helbing_and_molnar() -> None:
    """The push is the gradient of V0 exp(-b / sigma), found here by differences; behind the back it counts half."""

    def potential(place: Any) -> float:
        r, step = np.asarray(place) - [1.0, 0.4], 2.0 * np.array([-1.0, 0.3])
        b = 0.5 * math.sqrt((math.hypot(*r) + math.hypot(*(r - step))) ** 2 - step @ step)
        return 2.1 * math.exp(-b / 0.3)

    slope = [(potential(h) - potential(-h)) / 2e-6 for h in 1e-6 * np.eye(2)]
    ahead = push([1.0, 0.4], velocity=[-1.0, 0.3], own=[1.0, 0.0], mass=1.0, law="ellipses")
    np.testing.assert_allclose(ahead, -np.array(slope), rtol=1e-5)
    behind = push([1.0, 0.4], velocity=[-1.0, 0.3], own=[-1.0, 0.0], mass=1.0, law="ellipses")
    np.testing.assert_allclose(behind, 0.5 * ahead, rtol=1e-9)


def test_what_pushes_from_the_view_counts_whole_wherever_its_walker_is() -> None:
    """Equations 7 and 8 of 1995 ask whether -f lies within 100 degrees of the wanted direction, not the neighbor."""
    offset, velocity = np.array([-0.3, 1.0]), np.array([1.0, 0.0])
    f = laws.stride_push(offset[None], velocity[None])[0]
    beside, ahead = offset[0] / laws.length(offset), -f[0] / laws.length(f)
    assert beside < math.cos(math.radians(100)) < ahead
    np.testing.assert_allclose(push(offset, velocity, own=[1.0, 0.0], mass=1.0, law="ellipses"), f, rtol=1e-9)
    away = push(offset, -velocity, own=[1.0, 0.0], mass=1.0, law="ellipses")
    np.testing.assert_allclose(away, 0.5 * laws.stride_push(offset[None], -velocity[None])[0], rtol=1e-9)


def stands_before(law: str, radius: float, wall: bool = False) -> float:
    """Where a walker of 1.34 m/s, 80 kg and 0.5 s comes to rest before one that stands, or a wall, at x = 5 [m]."""
    walker = sm.Vehicles([[0.0, 0.0]], radius=radius, mass=80, max_force=1e4, response_time=0.5, dtype=np.float64)
    post = sm.Vehicles([[5.0, 0.0]], radius=radius, dtype=np.float64)
    rocks = sm.Walls([[[5.0, -9.0], [5.0, 9.0]]]) if wall else None
    world = sm.World(dt=0.01)
    go = sm.MatchVelocity([1.34, 0.0])
    world.add(walker, steering=sm.SocialForce(go, law=law, of=walker if wall else post, obstacles=rocks))
    world.add(post, steering=None)
    world.run(seconds=30)
    assert walker.speed[0] < 1e-6
    return 5.0 - float(walker.position[0, 0])


def test_walkers_stop_where_the_push_of_the_papers_is_as_large_as_their_will() -> None:
    """m v0 / tau = 214.4 N = A exp(-gap / B) of 2000; v0 / tau = 2.68 m/s^2 = V0 / sigma exp(-d / sigma) of 1995."""
    assert stands_before("bodies", 0.3) == pytest.approx(0.6 + 0.08 * math.log(2000 / 214.4), abs=1e-4)
    assert stands_before("ellipses", 0.1) == pytest.approx(0.3 * math.log(2.1 / 0.3 / 2.68), abs=1e-4)
    assert stands_before("bodies", 0.3, wall=True) == pytest.approx(0.3 + 0.08 * math.log(2000 / 214.4), abs=1e-4)
    assert stands_before("ellipses", 0.1, wall=True) == pytest.approx(0.2 * math.log(10 / 0.2 / 2.68), abs=1e-4)


def test_a_walker_comes_to_its_speed_within_the_response_time() -> None:
    """v(t) = v0 (1 - exp(-t / tau)), with tau = 0.5 s of both papers."""
    alone = sm.Vehicles([[0.0, 0.0]], max_speed=1.34, max_force=1e4, mass=80, response_time=0.5, dtype=np.float64)
    world = sm.World(dt=0.001)
    world.add(alone, steering=sm.SocialForce(sm.Seek([1e6, 0.0])))
    world.run(seconds=0.5)
    assert alone.speed[0] == pytest.approx(1.34 * (1 - math.exp(-1)), rel=2e-3)
