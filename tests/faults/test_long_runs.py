"""A week of simulated time, and ten thousand steps in which vehicles come and go."""

import tracemalloc
from pathlib import Path

import numpy as np

import steersman as sm
from faults import lives

WEEK = 7 * 24 * 3600


def busy_world(dt: float) -> sm.World:
    """Vehicles that come and go, with memory, modes, obstacles, meters and an observer."""
    world = sm.World(seed=2, dt=dt, domain=sm.Torus([60, 60]), threads=1)
    place = np.random.default_rng(1).uniform(0, 60, (12, 2))
    modes = sm.Modes(
        {"roam": sm.Wander(), "rest": sm.Seek([30.0, 30.0])},
        start="roam",
        transitions=[("roam", "rest", sm.After(900.0)), ("rest", "roam", sm.After(300.0))],
    )
    steering = sm.Priority([sm.AvoidObstacles(sm.Spheres([[30, 30], [10, 50]], 3.0)), modes])
    flows = [sm.Spawner(rate=1 / 900, where=sm.Sphere([30.0, 30.0], 20.0)), sm.Sink(older_than=9000.0)]
    world.add(sm.Vehicles(place, max_speed=0.5, response_time="step"), name="ants", steering=steering, flows=flows)
    world.watch("ants", "mean_speed", every=6 * 3600.0)
    return world


def test_a_week() -> None:
    """The clock does not drift, memory does not grow, and nothing is lost: with steps of a minute."""
    dt = 60.0
    world = busy_world(dt)
    seen = 0

    def count(world: sm.World) -> None:
        nonlocal seen
        seen += 1

    world.on_step(count, sm.EverySeconds(3600.0))
    steps = round(WEEK / dt)
    world.run(steps=steps // 7)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        world.run(steps=steps - steps // 7)
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert world.steps == steps
    assert world.time == WEEK
    assert seen == WEEK // 3600
    assert np.isfinite(world["ants"].block).all()
    assert 0 < len(world["ants"]) < 100
    assert len(world.meters["ants.mean_speed"].times) == 1 + WEEK // (6 * 3600)
    assert grown < 300_000
    assert set(world.memory("ants", "Modes")) >= {"mode"}


def test_ticks_of_a_sixtieth_keep_the_clock() -> None:
    """A week of them are 36 million; the clock is a sum, whose error is within a millisecond a day."""
    world = sm.World()
    world.time = 6.0 * 24 * 3600
    start = world.time
    world.run(steps=60 * 600)
    assert abs(world.time - start - 600) < 1e-3 / 24


def test_ten_thousand_steps_of_coming_and_going() -> None:
    """One long life of those that are tried among the bad inputs."""
    lives.life(seed=3, steps=10_000)


def test_nothing_is_left_of_a_saved_week(tmp_path: Path) -> None:
    """A run that is saved and loaded again and again is the run that was not."""
    world, other = busy_world(10.0), busy_world(10.0)
    for _ in range(5):
        world.run(steps=200)
        other.run(steps=200)
        other.save(tmp_path / "world.steersman")
        other = sm.World.load(tmp_path / "world.steersman")
    assert world.time == other.time
    assert world["ants"].block.tobytes() == other["ants"].block.tobytes()
