"""Stepping on and on takes no more memory than stepping once."""

import gc
import tracemalloc

import numpy as np

import steersman as sm
from steersman.core.world.section import ALONE


def herd(n=500):
    rng = np.random.default_rng(1)
    return sm.Vehicles(rng.uniform(0, 50, (n, 2)), rng.normal(size=(n, 2)), max_speed=3, max_force=5)


def world():
    quarry = herd(5)
    made = sm.World(domain=sm.Torus([50, 50]), threads=1)
    steering = sm.Priority([sm.AvoidObstacles(sm.Spheres([[5, 5], [20, 20]], 2)), sm.Wander() + sm.Pursue(quarry)])
    made.add(herd(), steering=steering)
    made.add(quarry, name="quarry", steering=lambda vehicles: vehicles.position * 0)
    return made


def growth(act, times):
    """Bytes that are held after an act was repeated, beyond those before; and the highest peak in between."""
    act()
    gc.collect()
    tracemalloc.start()
    try:
        for _ in range(ALONE + 4):  # Programs are made by then.
            act()
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        for _ in range(times):
            act()
        gc.collect()
        now, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return now - before, peak - before


def test_no_memory_is_held_by_steps():
    # What else the process does in between is counted too, so one of three counts is enough.
    # A peak of 20,000 bytes is less than one column of forces of 500 vehicles, twice.
    counts = (growth(world().step, 1000) for _ in range(3))
    assert any(held < 2_000 and peak < 20_000 for held, peak in counts)


def test_no_memory_is_held_by_a_controller():
    vehicles = herd()
    controller = sm.Controller(vehicles, sm.Wander() + sm.Seek([0, 0]))
    held, peak = growth(lambda: controller.steer(0.01), 300)
    assert held < 2_000
    assert peak < 4_000


def test_no_memory_is_held_by_refused_steps():
    made = world()
    made.step()
    made["quarry"].position[2] = np.nan

    def refused():
        try:
            made.step()
        except sm.NonFiniteError:
            return

    held, _ = growth(refused, 100)
    assert held < 10_000


def test_no_memory_is_held_by_spawning_and_removing():
    made = world()
    vehicles = made["vehicles"]

    def turn_over():
        vehicles.remove(vehicles.id[:50])
        vehicles.spawn(np.full((50, 2), 25.0))
        made.step()

    held, _ = growth(turn_over, 100)
    assert held < 300_000  # A plan that is kept would be 20 kB at every turn, 2 MB in all.
