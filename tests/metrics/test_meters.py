"""Metrics watched during a run."""

import math

import pytest

import steersman as sm
from steersman.metrics.meters import METRICS, Meter, Subject


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


def test_what_is_not_finite_is_nothing_in_a_summary():
    meter = Meter("v", METRICS["nearest_distance"], Subject(sm.Vehicles([0, 0]), sm.Open()))
    meter.read()
    assert meter.summary() == dict.fromkeys(("now", "start", "least", "greatest"))


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_gives_a_number(name):
    to = {"target": [1, 1], "path": sm.Path([[0, 0], [3, 3]]), "region": sm.Box([4, 4])}.get(METRICS[name].to)
    subject = Subject(sm.Vehicles([[0, 0], [1, 2]], [1, 0]), sm.Open(), (sm.Spheres([5, 5]),), to)
    assert math.isfinite(METRICS[name].measure(subject))
    assert METRICS[name].doc
