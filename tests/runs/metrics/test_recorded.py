"""Metrics of recorded runs are those of the worlds that were recorded, by whatever name they were asked for."""

import inspect

import numpy as np
import pytest

import steersman as sm
from steersman.runs import metrics
from steersman.runs.metrics.meters import MEASURED, TOWARD
from steersman.runs.metrics.metric import METRICS

ROCKS, ROAD = sm.Spheres([[5.0, 5.0]], 3.0), sm.Path([[0, 0], [20, 9]], radius=1)
TO = {"target": [3.0, 3.0], "path": ROAD, "region": sm.Sphere([8, 8], 4.0), "area": sm.Box([9, 9]), "floor": sm.Box([9, 9]),
      "distance": 2.5}  # fmt: skip

NOW = [name for name, metric in METRICS.items() if metric.readings == 1]


def ants():
    rng = np.random.default_rng(4)
    world = sm.World(domain=sm.Torus([20, 20]), seed=2, dt=0.05)
    crowd = sm.Vehicles(rng.uniform(0, 20, (40, 2)), rng.normal(0, 1, (40, 2)), max_speed=2, radius=0.6)
    world.add(crowd, name="ants", steering=sm.Wander() + sm.AvoidObstacles(ROCKS))
    return world


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    world, folder = ants(), tmp_path_factory.mktemp("ants") / "run"
    for name, metric in METRICS.items():
        world.watch("ants", name, to=TO.get(metric.to), every=sm.EverySteps(1))
    with world.record(folder, every=sm.EverySteps(1)):
        world.run(steps=20)
    return world, sm.read_run(folder)


def measured(name, metric, who, world, **more):
    about = {"obstacles": [ROCKS]} if "obstacle" in name or name == "penetration" else {}
    given = [TO[metric.to]] if metric.to else []
    words = inspect.signature(getattr(metrics, name)).parameters
    space = {"domain": world.domain} if "domain" in words else {}
    return getattr(metrics, name)(who, *given, **about, **space, **more)


@pytest.mark.parametrize("name", NOW)
def test_a_frame_of_a_run_is_measured_like_the_world_that_it_was(name, recorded):
    world, run = recorded
    series = run.metrics()[f"ants.{name}"]
    assert len(series.values) == 21
    assert series.unit == world.meters[f"ants.{name}"].unit
    moment = run.frame(7)
    k = int(np.argmin(np.abs(series.times - moment.time)))
    assert measured(name, METRICS[name], moment["ants"], world) == pytest.approx(
        series.values[k], rel=1e-6, nan_ok=True
    )


@pytest.mark.parametrize("name", NOW)
def test_all_frames_of_a_run_are_measured_at_once(name, recorded):
    world, run = recorded
    moments = [run.frame(k)["ants"] for k in range(run.frames)]
    kept = run.metrics()[f"ants.{name}"].values[-run.frames :]
    names = list(inspect.signature(getattr(metrics, name)).parameters)
    column = {word: np.array([getattr(each, word) for each in moments]) for word in ("position", "velocity")}
    about = {"velocity": column["velocity"]} if "velocity" in names[1:] else {}
    about |= {word: moments[0].radius for word in ("radius", "within") if word in names and name != "voronoi_density"}
    found = measured(name, METRICS[name], column[names[0]], world, **about)
    assert found.shape == (run.frames,)
    np.testing.assert_allclose(found, kept, rtol=1e-6)


def test_whole_runs_are_measured(recorded):
    world, run = recorded
    velocity = np.array([run.frame(k)["ants"].velocity for k in range(run.frames)])
    position = np.array([run.frame(k)["ants"].position for k in range(run.frames)])
    for name, readings in (("acceleration", 2), ("jerk", 3), ("turn_jitter", 3)):
        watched = run.metrics()[f"ants.{name}"].values[-1]
        assert getattr(metrics, name)(velocity[-readings:], 0.05) == pytest.approx(watched, rel=1e-4)
    lengths = metrics.path_lengths(position, world.domain)
    assert lengths.shape == (40,)
    assert 0 < lengths.max() <= 2 * 0.05 * (run.frames - 1) * (1 + 1e-5)


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_has_a_document(name):
    world = ants()
    if METRICS[name].to != "path":
        world.watch("ants", name, to=TO.get(METRICS[name].to))
    else:
        world.watch("ants", name, to=ROAD)
    again = sm.from_document(sm.to_document(world))
    assert again.meters[f"ants.{name}"].now == pytest.approx(world.meters[f"ants.{name}"].now, nan_ok=True)
    assert again.meters[f"ants.{name}"].metric is METRICS[name]


def test_every_kind_of_what_is_measured_toward_is_told():
    assert MEASURED.keys() == TOWARD.keys() == TO.keys()
    assert {metric.to for metric in METRICS.values()} == TO.keys() | {""}


@pytest.mark.parametrize(
    ("name", "to", "error", "message"),
    [
        ("cluster_count", None, ValueError, "'cluster_count' needs a distance `to` each other"),
        ("largest_cluster", "near", TypeError, "to must be a number > 0 m, got 'near'"),
        ("largest_cluster", -1, ValueError, "to must be > 0 m, got -1"),
        ("density", 3.0, TypeError, "to must be a Box, Sphere or Polygon, got 3.0"),
        ("voronoi_density", sm.Sphere([0, 0], 1), TypeError, "to must be a Box or a Polygon, got"),
    ],
)
def test_what_nobody_can_measure_toward_is_refused(name, to, error, message):
    with pytest.raises(error, match=message):
        ants().watch("ants", name, to=to)
