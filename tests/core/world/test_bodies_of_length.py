"""Bodies of length: ZeroOverlap keeps capsules apart, and out of obstacles."""

from typing import Any

import numpy as np
import pytest
from stepping import ran

import steersman as sm

DT = 1 / 30


def ends(vehicles: sm.Vehicles, parts: int = 81) -> Any:
    """Points on the axes, shape (n, parts, d)."""
    half = np.maximum(vehicles.length / 2 - vehicles.radius, 0)[:, None, None]
    return vehicles.position[:, None] + half * np.linspace(-1, 1, parts)[:, None] * vehicles.forward[:, None]


def depth(vehicles: sm.Vehicles, domain: Any = None) -> float:
    """The deepest overlap of two bodies, as a part of their radii, by points on their axes."""
    points, worst = ends(vehicles), 0.0
    for i in range(len(vehicles)):
        for j in range(i):
            way = (domain or sm.Open()).difference(points[i][:, None], points[j][None])
            room = float(vehicles.radius[i] + vehicles.radius[j])
            worst = max(worst, 1 - float(np.linalg.norm(way, axis=-1).min()) / room)
    return worst


def crowd(d: int, n: int = 40, seed: int = 1, size: float = 22.0) -> sm.Vehicles:
    """Short and long bodies, and balls, all over each other."""
    rng = np.random.default_rng([seed, d])
    way = rng.normal(size=(n, d))
    return sm.Vehicles(
        rng.uniform(0, size if d == 2 else size / 2, (n, d)), forward=way, radius=rng.uniform(0.3, 0.8, n),
        length=rng.choice([0.0, 1.0, 3.0, 5.0], n), dtype=float,
    )  # fmt: skip


@pytest.mark.each_value
@pytest.mark.parametrize("torus", [False, True])
@pytest.mark.parametrize("d", [2, 3])
def test_no_two_bodies_overlap(d: int, torus: bool) -> None:
    vehicles = crowd(d)
    domain = sm.Torus([24.0, 24.0, 14.0][:d]) if torus else None
    assert depth(vehicles, domain) > 0.5
    rule = sm.ZeroOverlap(passes=400, velocities=False)
    for _ in range(10):
        rule.apply(vehicles, dt=DT, domain=domain)
    assert depth(vehicles, domain) < 3e-3


def test_balls_would_not_do() -> None:
    """The nearest impostor: the same bodies without a length still overlap as capsules."""
    vehicles = crowd(2)
    length = vehicles.length.copy()
    vehicles.length = 0
    sm.ZeroOverlap(passes=400).apply(vehicles, dt=DT)
    vehicles.length = length
    assert depth(vehicles) > 0.3


def test_two_of_them_by_hand() -> None:
    """Nose to tail, side by side, and a T: each of the two gives way by half."""
    for place, heading, moved in (
        ([3.0, 0.0], 0.0, [3.5, 0.0]),  # 4 m from middle to middle
        ([0.5, 1.0], 0.0, [0.5, 1.5]),  # 2 m apart
        ([0.0, 2.0], np.pi / 2, [0.0, 2.5]),  # the end of one at the side of the other: 1 + 2
    ):
        vehicles = sm.Vehicles([[0.0, 0.0], place], heading=[0.0, heading], radius=1.0, length=4.0, dtype=float)
        sm.ZeroOverlap(tolerance=1e-9, passes=500).apply(vehicles, dt=DT)
        way = vehicles.position[1] - vehicles.position[0]
        np.testing.assert_allclose(way, 2 * np.array(moved) - place, atol=1e-6)


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize(("off", "length"), [(0.0, 0.0), (0.8, 0.0), (0.0, 3.0), (0.8, 3.0)])
def test_those_whose_axes_meet_part_at_right_angles(d: int, off: float, length: float) -> None:
    """A ball in the middle of a capsule and off it, and two capsules on one line: they touch after 1.2 m."""
    for angle in np.arange(0.0, 6.0, 0.7):
        along = np.array([np.cos(angle), np.sin(angle), 0.4])[:d] / (1.0 if d == 2 else np.sqrt(1.16))
        start = np.array([np.full(d, 5.0), 5.0 + off * along])
        vehicles = sm.Vehicles(start, forward=along, radius=0.6, length=[3.0, length], dtype=float)
        sm.ZeroOverlap().apply(vehicles, dt=DT)
        moved = vehicles.position - start
        np.testing.assert_allclose(np.linalg.norm(moved, axis=1), 0.6)
        np.testing.assert_allclose(moved @ along, 0.0, atol=1e-9)
        np.testing.assert_allclose(moved.sum(axis=0), 0.0, atol=1e-9)


def test_crossing_axes_part_at_right_angles_to_both() -> None:
    for turn in (0.1, 0.8, 1.5):
        axes = np.array([[1.0, 0.0, 0.0], [np.cos(turn), np.sin(turn), 0.0]])
        vehicles = sm.Vehicles([0.4 * axes[1], np.zeros(3)], forward=axes, radius=0.6, length=4.0, dtype=float)
        sm.ZeroOverlap().apply(vehicles, dt=DT)
        np.testing.assert_allclose(vehicles.position[0] - 0.4 * axes[1], [0, 0, vehicles.position[0, 2]], atol=1e-9)
        assert abs(vehicles.position[0, 2] - vehicles.position[1, 2]) == pytest.approx(1.2)


def corners(vehicles: sm.Vehicles) -> Any:
    """The corners of the bodies as rectangles, shape (n, 4, 2)."""
    along, side = vehicles.forward * (vehicles.length / 2)[:, None], vehicles.side * vehicles.radius[:, None]
    return vehicles.position[:, None] + np.stack([along + side, along - side, -along - side, -along + side], axis=1)


def gap(a: Any, b: Any) -> float:
    """How far two rectangles are apart along the best of their edges' normals [m]; negative where they overlap."""
    best = -np.inf
    for box in (a, b):
        for edge in (box[1] - box[0], box[2] - box[1]):
            normal = np.array([-edge[1], edge[0]]) / np.linalg.norm(edge)
            first, second = a @ normal, b @ normal
            best = max(best, first.min() - second.max(), second.min() - first.max())
    return float(best)


@pytest.mark.parametrize("length", [4.0, 0.0])
def test_cars_in_a_queue_do_not_overlap_as_rectangles(length: float) -> None:
    """Ten cars of 4 m by 2 m come up to a barrier; each would come as near to the next as balls of its width may."""
    n, barrier = 10, sm.Boxes(center=[[3.0, 0.0]], size=[[1.0, 3.0]])
    cars = sm.Vehicles(
        np.stack([-6.5 * np.arange(1.0, n + 1), np.zeros(n)], axis=1), [6.0, 0.0], radius=1.0,
        length=length, max_speed=8, max_force=20,
    )  # fmt: skip

    def close_up(cars: sm.Vehicles) -> Any:
        x = cars.position[:, 0]
        room = np.concatenate([[2.0], x[:-1]]) - x - 2.0
        wanted = np.stack([np.clip(room, 0, 6), np.zeros(n)], axis=1)
        return cars.mass[:, None] * (wanted - cars.velocity) / cars.response_time[:, None]

    ran(cars, close_up, sm.Wheeled(wheelbase=2.5), dt=DT, constraints=[sm.ZeroOverlap(barrier)], seconds=25)
    cars.length = 4.0
    boxes = corners(cars)
    gaps = [gap(boxes[k], boxes[k + 1]) for k in range(n - 1)]
    assert boxes[0][:, 0].max() == pytest.approx(2.0, abs=0.1)
    if length:
        assert min(gaps) > -0.02
        assert max(gaps) < 0.2, "they stand bumper to bumper"
    else:
        assert max(gaps) < -1.5


@pytest.mark.parametrize("d", [2, 3])
def test_their_ends_stay_out_of_obstacles(d: int) -> None:
    rng = np.random.default_rng(3)
    rocks = sm.Spheres(rng.uniform(0, 40, (12, d)), rng.uniform(1.5, 3, 12))
    vehicles = sm.Vehicles(
        rng.uniform(0, 40, (25, d)), forward=rng.normal(size=(25, d)), radius=0.6, length=6.0, dtype=float
    )
    inside = (rocks.nearest(ends(vehicles).reshape(-1, d)).distance < 0.5).sum()
    rule = sm.ZeroOverlap(rocks, passes=400)
    for _ in range(20):
        rule.apply(vehicles, dt=DT)
    left = rocks.nearest(ends(vehicles, 9).reshape(-1, d)).distance.min()
    assert inside > 5
    assert left > 0.6 * 0.98


def test_bodies_not_longer_than_wide_are_balls() -> None:
    """To the bit, with lengths that say nothing; in a world, where lengths are given later, too."""
    blocks = []
    for length in (0.0, 0.6):
        vehicles = crowd(2)
        vehicles.length = length
        world = ran(vehicles, sm.Wander(), dt=DT, constraints=[sm.ZeroOverlap()], steps=5)
        blocks.append(vehicles.block[:-1].copy())
    np.testing.assert_array_equal(*blocks)
    vehicles.length = 4.0
    world.run(steps=60)
    assert depth(vehicles) < 0.02


def test_any_number_of_threads_gives_the_same_bits() -> None:
    blocks = []
    for threads in (1, 4):
        vehicles = crowd(2, n=5000, size=250.0)
        sm.ZeroOverlap(passes=20).apply(vehicles, dt=DT, threads=threads)
        blocks.append(vehicles.block.copy())
    np.testing.assert_array_equal(*blocks)


def test_lengths_come_and_go_and_are_written() -> None:
    cars = sm.Vehicles([[0.0, 0.0], [9.0, 0.0]], length=[4.0, 12.0])
    cars.spawn([[20.0, 0.0]], length=7.0)
    cars.remove(0)
    assert cars.length.tolist() == [12.0, 7.0]
    world = sm.World()
    world.add(cars, name="cars")
    again = sm.from_document(sm.to_document(world))
    assert again["cars"].length.tolist() == [12.0, 7.0]
    with pytest.raises(ValueError, match="length must be >= 0 m"):
        sm.Vehicles([[0.0, 0.0]], length=-1.0)


def test_bodies_that_cross_leave_each_other_along_the_line_of_centers() -> None:
    place = np.array([0.5, 0.2])
    bars = sm.Vehicles([[0.0, 0.0], place], heading=[0.0, np.pi / 2], radius=0.5, length=6.0, dtype=float)
    sm.ZeroOverlap(passes=1).apply(bars, dt=DT)
    np.testing.assert_allclose(bars.position[1] - place, 0.5 * place / np.hypot(*place), atol=1e-9)
    np.testing.assert_allclose(bars.position[0], -0.5 * place / np.hypot(*place), atol=1e-9)
