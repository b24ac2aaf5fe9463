"""Metrics watched during a run."""

import math

import numpy as np
import pytest

import steersman as sm
from steersman.runs.metrics.meters import Meter
from steersman.runs.metrics.metric import METRICS, Subject


def test_a_meter_remembers_the_way():
    vehicles = sm.Vehicles([0, 0], max_speed=9)
    meter = Meter("v", METRICS["mean_speed"], Subject(vehicles, sm.Open()))
    assert math.isnan(meter.now)
    for time, speed in enumerate((2, 5, 1)):
        vehicles.velocity = [speed, 0]
        assert meter.read(time / 4) == speed
    assert (meter.start, meter.least, meter.greatest, meter.now) == (2, 1, 5, 1)
    assert meter.times.tolist() == [0, 0.25, 0.5]
    assert meter.values.tolist() == [2, 5, 1]
    vehicles.remove(0)
    assert math.isnan(meter.read(1.0))
    assert math.isnan(meter.now)
    assert (meter.start, meter.least, meter.greatest) == (2, 1, 5)


def test_what_is_not_finite_is_nothing_in_a_summary():
    meter = Meter("v", METRICS["nearest_distance"], Subject(sm.Vehicles([0, 0]), sm.Open()))
    meter.read()
    assert meter.summary() == dict.fromkeys(("now", "start", "least", "greatest"))


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_gives_a_number(name):
    to = {
        "target": [1, 1],
        "path": sm.Path([[0, 0], [3, 3]]),
        "region": sm.Box([4, 4]),
        "area": sm.Box([4, 4]),
        "floor": sm.Box([4, 4]),
        "distance": 3.0,
    }.get(METRICS[name].to)
    subject = Subject(sm.Vehicles([[0, 0], [1, 2]], [1, 0]), sm.Open(), (sm.Spheres([5, 5]),), to)
    assert math.isfinite(METRICS[name].measure(subject)) == (METRICS[name].readings == 1)
    assert METRICS[name].doc


@pytest.mark.parametrize("shift", [(50, 0), (0, 50), (50, 50)])
@pytest.mark.parametrize("name", METRICS)
def test_every_metric_is_the_same_across_the_seam_of_a_torus(name, shift):
    """A huddle in the middle, and the same huddle moved over the edges, is the same to all metrics."""
    rng = np.random.default_rng(7)
    huddle = rng.normal(0, 4, (30, 2))
    velocity = rng.normal(0, 1, (30, 2))

    def measured(x, y):
        def at(dx, dy):
            return np.array([x + dx, y + dy], float)

        vehicles = sm.Vehicles((huddle + at(0, 0)) % 100, velocity, max_speed=9, radius=0.7, dtype=np.float64)
        to = {
            "target": at(6, 0) % 100,
            "path": sm.Path([at(-9, -3), at(0, 2), at(9, 2)], radius=2.0),
            "region": sm.Sphere(at(0, 0) % 100, 5.0),
            "area": sm.Sphere(at(0, 0) % 100, 5.0),
            "floor": sm.Box([8, 6], at(-3, -2)),
            "distance": 1.6,
        }.get(METRICS[name].to)
        rocks = sm.Spheres([at(3, 1) % 100, at(-4, 0) % 100], [2.0, 1.0])
        return METRICS[name].measure(Subject(vehicles, sm.Torus([100, 100]), (rocks,), to))

    here = measured(50, 50)
    assert measured(50 + shift[0], 50 + shift[1]) == pytest.approx(here, rel=1e-9, abs=1e-12, nan_ok=True)


BACK = {"acceleration": 2, "jerk": 3, "turn_jitter": 3}


def walkers():
    rng = np.random.default_rng(0)
    people = sm.Vehicles(rng.uniform(0, 9, (6, 2)), rng.normal(0, 1, (6, 2)), max_speed=9, id=[5, 3, 9, 1, 7, 2])
    world = sm.World(dt=0.1, seed=4)
    world.add(people, name="people", steering=sm.Wander())
    world.watch("people", *BACK, every=sm.EverySteps(2))
    return world


def test_some_metrics_look_back_at_the_last_readings():
    world = walkers()
    assert {name for name, metric in METRICS.items() if metric.readings > 1} == BACK.keys()
    velocity = [world["people"].velocity.copy()]
    for _ in range(5):
        world.run(steps=2)
        velocity.append(world["people"].velocity.copy())
    for name, readings in BACK.items():
        meter = world.meters[f"people.{name}"]
        expected = [getattr(sm.metrics, name)(velocity[k - readings + 1 : k + 1], 0.2) for k in range(readings - 1, 6)]
        assert np.isnan(meter.values[: readings - 1]).all()
        np.testing.assert_allclose(meter.values[readings - 1 :], expected, rtol=1e-6)
        assert (meter.start, meter.least, meter.greatest) == (
            meter.values[readings - 1], np.nanmin(meter.values), np.nanmax(meter.values),
        )  # fmt: skip


def test_who_looks_back_sees_those_who_were_there_and_no_unequal_times():
    world = walkers()
    people = world["people"]
    world.run(steps=2)
    before = people.velocity[[0, 3]].copy()
    people.remove([3, 9, 7, 2])
    people.spawn(position=[[1.0, 1.0]], velocity=[[5.0, 5.0]], id=[4])
    world.run(steps=2)
    after = people.velocity[[0, 1]]
    assert people.id.tolist() == [5, 1, 4]
    expected = sm.metrics.acceleration([before, after], 0.2)
    assert world.meters["people.acceleration"].now == pytest.approx(expected, rel=1e-5)
    world.run(steps=1)
    world.meters(world)
    assert math.isfinite(world.meters["people.acceleration"].now)
    assert math.isnan(world.meters["people.jerk"].now)


def test_what_is_looked_back_at_is_saved(tmp_path):
    world = walkers()
    world.run(steps=5)
    world.save(tmp_path / "walk.steersman")
    again = sm.World.load(tmp_path / "walk.steersman")
    for each in (world, again):
        each.run(steps=3)
    for name in BACK:
        mine, theirs = (each.meters[f"people.{name}"].values for each in (world, again))
        np.testing.assert_array_equal(mine, theirs)
        assert math.isfinite(mine[-1])


@pytest.mark.parametrize("d", [2, 3])
def test_a_density_is_by_the_dimensions_of_its_population(d):
    world = sm.World(dt=0.1, threads=1)
    world.add(sm.Vehicles(np.ones((4, d))), name="crowd")
    meters = world.watch("crowd", "density", to=sm.Sphere([1] * d, 2))
    assert meters["crowd.density"].unit == f"1/m^{d}"
    world.run(steps=125)
    assert meters["crowd.density"].times[-1] == 12.5
