"""A plaza full of walkers that cross it every which way: nobody runs into anybody, nobody trembles, all get on."""

from typing import Any

import numpy as np

import steersman as sm
from steersman.runs.metrics.contacts import Contacts
from steersman.runs.metrics.jitter import turn_jitter

SIZE, SPEED, RADIUS, DT = 30.0, 1.5, 0.4, 1 / 30


def places(rng: Any, n: int, d: int, size: float) -> Any:
    """Points on a torus with some room between them [m]."""
    found: list[Any] = []
    while len(found) < n:
        point = rng.uniform(0, size, d)
        way = (np.reshape(found, (-1, d)) - point + size / 2) % size - size / 2
        if not (np.linalg.norm(way, axis=1) < 2 * RADIUS + 0.6).any():
            found.append(point)
    return np.array(found)


def plaza(
    tree: Any, seed: int, seconds: float, *, n: int = 150, d: int = 2, size: float = SIZE
) -> tuple[int, float, float]:
    """Pairs that touched, jitter [rad/s^2], and the mean speed the way they want, as a part of what they want."""
    rng = np.random.default_rng(seed)
    ways = rng.normal(0, 1, (n, d))
    wanted = ways / np.linalg.norm(ways, axis=1)[:, None] * rng.uniform(0.8, 1, (n, 1)) * SPEED
    walkers = sm.Vehicles(places(rng, n, d, size), wanted, max_speed=SPEED, max_force=8.0, radius=RADIUS)

    def go(vehicles: sm.Vehicles) -> Any:
        return vehicles.mass[:, None] * (wanted - vehicles.velocity) / vehicles.response_time[:, None]

    world = sm.World(dt=DT, domain=sm.Torus([size] * d), seed=seed)
    world.add(walkers, steering=tree(go))
    contacts, velocities = Contacts(walkers), []
    world.on_step(contacts)
    for _ in range(round(seconds / DT)):
        world.step()
        velocities.append(walkers.velocity.copy())
    got = np.sum(np.array(velocities) * wanted, axis=2).mean() / np.sum(wanted**2, axis=1).mean()
    return len(contacts.pairs), turn_jitter(np.array(velocities), DT), float(got)


def test_by_default_hardly_anybody_touches_on_a_plaza() -> None:
    """The paper's law, which minds one threat at a time, has 20 pairs and more touch in this time."""
    trials = [plaza(lambda go: sm.Priority([sm.AvoidNeighbors(), go]), seed, 15.0) for seed in (0, 1)]
    touched, jitter, got_on = np.transpose(trials)
    assert touched.sum() <= 2
    assert jitter.max() < 50
    assert got_on.min() > 0.85


def test_a_blend_makes_it_smooth_and_no_less_safe() -> None:
    touched, jitter, got_on = plaza(lambda go: sm.Priority([sm.AvoidNeighbors(), go], blend=0.3), 0, 15.0)
    assert touched <= 1
    assert jitter < 15
    assert got_on > 0.85


def test_between_walls_neighbors_are_heard_beside_the_walls() -> None:
    """Two streams in a corridor: the paper's law under AvoidObstacles has 25 pairs touch."""
    rng = np.random.default_rng(0)
    walls = [sm.Walls([[-60, y], [60, y]]) for y in (-2.0, 2.0)]
    side = np.repeat([-1.0, 1.0], 20)
    along = np.tile(np.arange(20) // 2 * 1.6 + 3, 2) + rng.uniform(-0.3, 0.3, 40)
    across = np.tile([-0.9, 0.9], 20) + rng.uniform(-0.25, 0.25, 40)
    walkers = sm.Vehicles(
        np.stack([side * along, across], axis=1), np.stack([-1.2 * side, 0 * side], axis=1),
        max_speed=1.4, max_force=8.0, radius=0.3,
    )  # fmt: skip
    ends = np.stack([-58 * side, 0 * side], axis=1)
    world = sm.World(dt=DT)
    world.add(walkers, steering=sm.Priority([sm.AvoidObstacles(walls) + sm.AvoidNeighbors(), sm.Seek(ends)], blend=0.3))
    contacts = Contacts(walkers)
    world.on_step(contacts)
    for _ in range(900):
        world.step()
        assert (np.abs(walkers.position[:, 1]) < 2.0 - 0.3 + 0.05).all()
    assert len(contacts.pairs) <= 3
    assert (-side * walkers.position[:, 0] > 5).mean() > 0.9
