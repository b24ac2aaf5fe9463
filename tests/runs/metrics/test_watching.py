"""Metrics watched during a run: on any world, as series."""

import copy
import pickle

import numpy as np
import pytest

import steersman as sm
from steersman.runs.documents.stage import Stage
from steersman.runs.metrics.metric import Metric
from steersman.runs.metrics.watching import as_trigger


def falling(n=1, **about):
    """One population that flies along x at 2 m/s, and one that rests."""
    world = sm.World(dt=0.125, **about)
    world.add(sm.Vehicles(np.zeros((n, 2)), [2, 0], max_speed=9), name="flying")
    world.add(sm.Vehicles([10, 0]), name="resting")
    return world


def far(vehicles):
    return vehicles.position[:, 0].max()


def test_a_metric_is_a_series():
    world = falling()
    meters = world.watch("flying", "mean_speed", "distance_to", to=[0, 0], every=0.5)
    assert world.meters is meters
    world.run(seconds=2)
    distance = meters["flying.distance_to"]
    assert distance.times.tolist() == [0, 0.5, 1, 1.5, 2]
    assert distance.values.tolist() == [0, 1, 2, 3, 4]
    assert (distance.start, distance.least, distance.greatest, distance.now) == (0, 0, 4, 4)
    assert meters["flying.mean_speed"].values.tolist() == [2] * 5
    assert list(meters) == ["flying.mean_speed", "flying.distance_to"]
    assert len(meters) == 2
    assert meters.cost > 0


def test_every_call_has_its_own_rhythm():
    world = falling()
    world.run(seconds=1)
    world.watch("flying", far=far, every=sm.EverySteps(1))
    meters = world.watch("resting", far=far)
    world.run(seconds=0.5)
    assert meters["flying.far"].times.tolist() == [1, 1.125, 1.25, 1.375, 1.5]
    assert meters["resting.far"].times.tolist() == [1, 1.25, 1.5]


def test_a_step_is_read_once():
    world = falling()
    meters = world.watch("flying", far=far)
    meters(world)
    world.run(steps=2)
    meters(world)
    assert world.meters is meters
    assert meters["flying.far"].times.tolist() == [0, 0.25]
    world.run(steps=1)
    meters(world)
    assert meters["flying.far"].times.tolist() == [0, 0.25, 0.375]


def test_metrics_of_your_own():
    world = falling(3)
    meters = world.watch(
        "flying",
        far=far,
        order=sm.metrics.motion.polarization,
        home="distance_to",
        to=[0.0, 4.0],
        whole=Metric("m", "distance to what is given", lambda subject: float(subject.to[1]), to="target"),
    )
    assert {label: meter.now for label, meter in meters.items()} == {
        "flying.far": 0, "flying.order": 1, "flying.home": 4, "flying.whole": 4,
    }  # fmt: skip


def test_populations_are_named_or_the_only_one():
    world = sm.World()
    flock = world.add(sm.Vehicles([3, 0]), name="flock")
    assert list(world.watch(far=far)) == ["flock.far"]
    assert list(world.watch(flock, "mean_speed")) == ["flock.far", "flock.mean_speed"]
    goal = world.add(sm.Vehicles([3, 4]), name="goal")
    for name, to in (("by_name", "goal"), ("by_itself", goal), ("by_vehicles", goal.vehicles)):
        assert world.watch(flock, **{name: "distance_to"}, to=to)[f"flock.{name}"].now == 4


@pytest.mark.parametrize("constrained", [False, True])
def test_penetration_looks_where_trees_and_constraints_look(constrained):
    rock = sm.Spheres([0, 0], 5)
    world = sm.World(constraints=[sm.ZeroOverlap(rock)] if constrained else [])
    steering = None if constrained else sm.Priority([sm.AvoidObstacles(rock)])
    world.add(sm.Vehicles([3, 0], radius=0), name="a", steering=steering)
    assert world.watch("a", "penetration")["a.penetration"].now == pytest.approx(2)


def test_a_target_that_no_metric_measures_toward_is_refused_and_so_are_no_obstacles():
    """Both read 0 m deep, for ever, within a rock."""
    rock, world = sm.Spheres([0, 0], 5), falling(3)
    with pytest.raises(ValueError, match=r"'penetration' needs obstacles.*sm\.metrics\.penetration\(vehicles, rocks\)"):
        world.watch("flying", "mean_speed", "penetration")
    world.constraints = [sm.ZeroOverlap(rock)]
    with pytest.raises(ValueError, match="`to` must be left out for 'penetration' and 'mean_speed'"):
        world.watch("flying", "penetration", "mean_speed", to=sm.Spheres([9, 9], 1))
    assert world.meters is None
    assert len(world.watch("flying", "penetration", "distance_to", to=[0.0, 0])) == 2


def test_a_stage_uses_the_same_meters():
    stage = Stage(falling(), scenery={"rock": sm.Spheres([0, 0], 5)})
    assert stage.watch("flying", "penetration", out=lambda vehicles: 1) is stage.world.meters is stage.meters
    assert stage.meters["flying.out"].now == 1
    assert stage.meters["flying.penetration"].now == pytest.approx(5.5)


def test_what_changes_in_the_world():
    world = falling(domain=sm.Torus([12, 12]))
    meters = world.watch("flying", "distance_to", to=[11, 0], every=sm.EverySteps(1))
    assert meters["flying.distance_to"].now == 1
    world.domain = sm.Open()
    world.step()
    assert meters["flying.distance_to"].now == 10.75
    world.remove("flying")
    world.run(steps=3)
    assert len(meters["flying.distance_to"].values) == 2
    world["resting"].remove(world["resting"].id)
    assert np.isnan(world.watch("resting", "mean_speed")["resting.mean_speed"].now)


def test_meters_can_be_stopped():
    world = falling()
    meters = world.watch("flying", far=far)
    world.run(seconds=1)
    assert len(meters.stop("flying.far").values) == 5
    world.run(seconds=1)
    assert len(meters) == 0
    assert world.watch("flying", far=far)["flying.far"].times.tolist() == [2]


@pytest.mark.parametrize("how", [copy.deepcopy, lambda world: pickle.loads(pickle.dumps(world))])
def test_worlds_that_are_watched_can_be_copied(how):
    world = falling()
    world.watch("flying", "mean_speed", "distance_to", to="resting", far=far)
    world.run(seconds=1)
    other = how(world)
    other.run(seconds=1)
    assert len(world.meters["flying.far"].values) == 5
    assert other.meters["flying.far"].values.tolist() == [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4]
    assert other.meters["flying.distance_to"].now == 6


def test_watching_changes_nothing():
    one, two = falling(), falling()
    two.watch("flying", "polarization", every=sm.EverySteps(1))
    for world in (one, two):
        world.run(seconds=1)
    assert np.array_equal(one["flying"].position, two["flying"].position)


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda w: w.watch("flies", "mean_speed"), KeyError, "there are: flying, resting"),
        (lambda w: w.watch("mean_speed"), KeyError, "the name of a population comes first: flying, resting"),
        (lambda w: w.watch(out=lambda v: 1), ValueError, "which population is meant must be said: flying, resting"),
        (lambda w: w.watch("flying"), ValueError, "at least one metric must be given: acceleration, "),
        (lambda w: w.watch("flying", "mean_sped"), ValueError, "did you mean 'mean_speed'"),
        (lambda w: w.watch("flying", "distance_to"), ValueError, "needs a target `to`"),
        (lambda w: w.watch("flying", "off_path", to=[0, 0]), TypeError, "needs a path `to` measure from"),
        (lambda w: w.watch("flying", "outside", to=[0, 0]), TypeError, "to must be a Sphere, Box, Polygon"),
        (lambda w: w.watch("flying", "mean_speed", "mean_speed", mean_speed=far), ValueError, "measured already"),
        (lambda w: w.watch("flying", to=far), ValueError, "'to' is a parameter of watch"),
        (lambda w: w.watch("flying", every=far), ValueError, "'every' is a parameter of watch"),
        (lambda w: w.watch("flying", far=far, every=-1), ValueError, "every must be > 0 s, got -1"),
        (lambda w: w.watch("flying", far=3), TypeError, "metric 'far' must be a function of vehicles"),
        (lambda w: w.watch("flying", far=lambda v: None), TypeError, "'flying.far' must give a number, got None"),
        (lambda w: w.watch("flying", far=lambda v: v.position), TypeError, "'flying.far' must give a number"),
        (lambda w: w.watch("flying", far=far)["far"], KeyError, r"there are: flying\.far"),
    ],
)
def test_messages(call, kind, message):
    with pytest.raises(kind, match=message):
        call(falling())


def test_what_is_refused_leaves_no_meter_behind():
    world = falling()
    world.watch("flying", far=far)
    with pytest.raises(ValueError, match="measured already"):
        world.watch("flying", "mean_speed", far=far)
    with pytest.raises(TypeError):
        world.watch("flying", bad=lambda vehicles: None)
    assert list(world.meters) == ["flying.far"]
    world.run(seconds=1)


def test_a_world_that_nobody_watches_has_no_meters():
    assert falling().meters is None


@pytest.mark.parametrize(
    ("words", "steps"), [("6 steps", 6), ("1 step", 1), ("step", 1), ("12steps", 12), (" 3 steps ", 3)]
)
def test_steps_may_be_told_in_words(words, steps):
    world = falling()
    moments = []
    world.on_step(lambda it: moments.append(it.steps), as_trigger(words))
    world.run(steps=24)
    assert moments == list(range(steps, 25, steps))
