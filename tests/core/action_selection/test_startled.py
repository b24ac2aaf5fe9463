"""Startled: its examples and answers for the contract suite, and waves of alarm through groups."""

from typing import Any

import numpy as np
import pytest

import steersman as sm

CONDITIONS = {
    "startled": lambda p: sm.Startled(sm.Near(p.others, 6.0), delay=0.0),
    "startled late, some": lambda p: sm.Startled(
        sm.Near(p.state.point, 12.0), radius=9.0, k=3, angle=4.0, fraction=0.5, delay=0.04, lasts=0.5, rest=0.3
    ),
}

JUDGES = {"Startled": lambda c, at, parts: parts[0] and c.delay == 0}
"""In the first step nobody has been startled before."""


def chain(places: Any, first: Any, seconds: float, **how: Any) -> Any:
    """From when on, and until when, each of a group that stands is startled [s], if those of a mask are at the start."""
    mask = np.asarray(first)
    vehicles = sm.Vehicles(places, max_speed=1, dtype=np.float64)
    world = sm.World(dt=0.05, threads=1)
    cause = sm.Where(lambda vehicles: mask & (world.time < 0.04))
    modes = {"calm": sm.TargetSpeed(0.0), "startled": sm.TargetSpeed(0.0)}
    when, until = sm.Startled(cause, name="alarm", **how), ~sm.Startled(cause, **how)
    steering = sm.Modes(modes, start="calm", transitions=[("calm", "startled", when), ("startled", "calm", until)])
    birds = world.add(vehicles, steering=steering, name="birds")
    begun, ended = np.full(len(mask), np.nan), np.full(len(mask), np.nan)
    times = np.zeros(len(mask), int)
    before = np.zeros(len(mask), bool)
    for _ in range(round(seconds / 0.05)):
        now = world.time
        world.step()
        startled = sm.modes_of(birds) == "startled"
        begun[startled & ~before] = now
        times += startled & ~before
        ended[~startled & before] = now
        before = startled
    return begun, ended, times


ROW = np.stack([np.arange(12.0), np.zeros(12)], axis=1)


def test_a_startle_goes_along_a_row_a_delay_for_each_neighbor() -> None:
    first = np.arange(12) == 0
    begun, ended, times = chain(ROW, first, 8.0, radius=1.1, delay=0.25, lasts=0.6, rest=1.0)
    np.testing.assert_allclose(begun, 0.25 * np.arange(1, 13), atol=1e-9)
    np.testing.assert_allclose(ended - begun, 0.6, atol=1e-9)
    assert (times == 1).all()  # It does not run back.


@pytest.mark.parametrize("row", [ROW, ROW[::-1]], ids=["forward", "backward"])
def test_without_a_delay_it_takes_a_step_for_each_neighbor_in_any_order_of_rows(row: Any) -> None:
    first = row[:, 0] == 0
    begun, _, _ = chain(row, first, 2.0, radius=1.1, delay=0.0, lasts=0.6)
    np.testing.assert_allclose(begun, 0.05 * row[:, 0], atol=1e-9)


@pytest.mark.parametrize(("rest", "times"), [(0.3, 1), (0.1, 2)])
def test_a_rest_begins_when_a_startle_has_ended(rest: float, times: int) -> None:
    """The other one is startled until 1.1 s; the first, from 0 s on, can be anew a delay, a startle and a rest later."""
    counted = chain(ROW[:2], [True, False], 1.6, radius=1.1, delay=0.25, lasts=0.6, rest=rest)[2]
    assert counted[0] == times


def test_a_wave_runs_back_where_no_one_rests() -> None:
    first = np.arange(12) == 0
    _, _, times = chain(ROW, first, 8.0, radius=1.1, delay=0.25, lasts=0.6, rest=0.0)
    assert times.max() > 1


@pytest.mark.parametrize(("fraction", "reached"), [(0.0, 12), (0.5, 12), (0.51, 1)])
def test_a_fraction_of_the_neighbors_decides(fraction: float, reached: int) -> None:
    """In a row one of two neighbors is startled."""
    first = np.arange(12) == 0
    begun, _, _ = chain(ROW, first, 6.0, radius=1.1, fraction=fraction, delay=0.1, lasts=0.6)
    assert np.isfinite(begun).sum() == reached


def test_the_nearest_alone_count() -> None:
    """One startled neighbor among eleven: a tenth of ten, half of the two nearest."""
    circle = np.array([[0.0, 0.0], [0.3, 0], *[[np.cos(a), np.sin(a)] for a in np.linspace(0.2, 6, 10)]])
    first = np.arange(12) == 1
    few, _, _ = chain(circle, first, 1.0, radius=1.2, k=2, fraction=0.5, delay=0.1, lasts=0.3)
    many, _, _ = chain(circle, first, 1.0, radius=1.2, k=11, fraction=0.5, delay=0.1, lasts=0.3)
    assert np.isfinite(few[0])
    assert np.isnan(many[0])


@pytest.mark.parametrize(("first", "reached"), [(11, 12), (0, 1)])
def test_who_is_startled_behind_is_not_seen(first: int, reached: int) -> None:
    """In a row that faces its last one, who sees half a circle."""
    begun, _, _ = chain(ROW, np.arange(12) == first, 4.0, radius=1.1, angle=3.0, delay=0.1, lasts=0.6)
    assert np.isfinite(begun).sum() == reached


def test_it_depends_on_the_clock_and_not_on_the_threads() -> None:
    hashes = set()
    for threads in (1, 3):
        rng = np.random.default_rng(1)
        fish = sm.Vehicles(rng.uniform(0, 60, (3000, 2)), rng.normal(size=(3000, 2)), max_speed=3, max_force=30)
        shark = sm.Vehicles([[30.0, 30.0]], max_speed=1)
        modes = {"calm": sm.Flocking(), "flee": sm.Flee(shark)}
        away = [
            ("calm", "flee", sm.Startled(sm.Near(shark, 4.0), radius=4, delay=0.1)),
            ("flee", "calm", sm.After(1.0)),
        ]
        world = sm.World(domain=sm.Torus([60, 60]), threads=threads, dt=0.05)
        world.add(shark)
        population = world.add(fish, steering=sm.Modes(modes, start="calm", transitions=away))
        world.run(steps=8)
        flee = sm.modes_of(population) == "flee"
        far = np.linalg.norm(fish.position - 30, axis=1) > 5
        assert (flee & far).any()
        assert not flee.all()
        hashes.add(fish.block.tobytes())
    assert len(hashes) == 1
