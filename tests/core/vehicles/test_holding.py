"""A population of a world, or a Controller, stands wherever Vehicles may."""

import inspect
from types import SimpleNamespace

import numpy as np
import pytest

import steersman as sm
from steersman.core.neighborhood.request import NeighborList, NeighborSum
from steersman.core.vehicles.holding import vehicles_of
from steersman.runs.metrics import contacts, coverage, following, motion, order, proximity, stuck

POINTS = np.random.default_rng(4).uniform(0, 20, (6, 2))


def prey(**columns):
    return sm.Vehicles(POINTS[:4], [1.0, 0.5], max_speed=2.0, max_force=9.0, **columns)


def hunters():
    return sm.Vehicles(POINTS[2:], [0.0, 1.0], max_speed=3.0, max_force=9.0)


ROCKS = sm.Spheres(center=[[5, 5]], radius=[1.0])
NODES = {
    "seek": sm.Seek,
    "flee": sm.Flee,
    "arrive": sm.Arrive,
    "pursue": sm.Pursue,
    "evade": sm.Evade,
    "shadow": lambda p: sm.Shadow(p, distance=2.0),
    "offset pursuit": lambda p: sm.OffsetPursuit(p, radius=2.0),
    "constant bearing": sm.ConstantBearing,
    "interpose": lambda p: sm.Interpose(p, p, which_a=0, which_b=1),
    "match velocity": sm.MatchVelocity,
    "dock": sm.Dock,
    "hide": lambda p: sm.Hide(p, ROCKS),
    "face": sm.Face,
    "reach orientation": sm.ReachOrientation,
    "avoid obstacles": lambda p: sm.AvoidObstacles(ROCKS, goal=p, lookahead=9.0),
    "follow leader": sm.FollowLeader,
    "formation": sm.Formation,
    "queue": sm.Queue,
    "separation": lambda p: sm.Separation(of=p),
    "cohesion": lambda p: sm.Cohesion(of=p),
    "alignment": lambda p: sm.Alignment(of=p),
    "avoid neighbors": lambda p: sm.AvoidNeighbors(of=p),
    "ORCA": lambda p: sm.ORCA(of=p),
    "context map": lambda p: sm.ContextMap([sm.Seek([1, 1])], neighbors=True, of=p),
    "near": lambda p: sm.Near(p, 4),
    "sees": lambda p: sm.Sees(p, range=4),
    "arrived": lambda p: sm.Arrived(p, 4),
    "pipeline": lambda p: sm.Pipeline(sm.Toward(p)),
}  # fmt: skip


@pytest.mark.parametrize("node", NODES.values(), ids=NODES)
def test_a_population_is_its_vehicles(node):
    world = sm.World()
    population = world.add(prey())
    bare, held = node(population.vehicles), node(population)
    assert held == bare
    fields = [getattr(held, name) for name in held.__dataclass_fields__]
    assert not any(each is population for each in fields)


def test_it_steers_as_its_vehicles_do():
    def moved(whole):
        world = sm.World(seed=3, threads=1)
        population = world.add(prey(), steering=sm.Wander("turn"))
        quarry = population if whole else population.vehicles
        tree = sm.Priority([sm.Evade(quarry, panic_distance=2), sm.Pursue(quarry) + sm.Separation(of=quarry)])
        chasers = world.add(hunters(), steering=tree)
        world.run(steps=5)
        return chasers.vehicles.position.tobytes()

    assert moved(True) == moved(False)


def test_a_controller_and_anything_with_vehicles_will_do():
    controller = sm.Controller(prey(), sm.Wander())
    assert sm.Pursue(controller).quarry is controller.vehicles
    mine = SimpleNamespace(vehicles=prey())
    assert sm.Seek(mine).target is mine.vehicles
    assert vehicles_of(SimpleNamespace(vehicles=5)) is None
    assert vehicles_of(sm.World) is None


def test_an_empty_population_is_one():
    nobody = sm.World().add(sm.Vehicles(np.zeros((0, 2))))
    for request in (NeighborSum("offset", 3.0, of=nobody), NeighborList(3.0, 2, of=nobody)):
        assert request.of is nobody.vehicles


def test_neighbors_of_a_population():
    world = sm.World()
    population = world.add(prey(), name="prey")
    world.add(hunters(), name="hunters")
    for mine, theirs in zip(
        world.neighbors("hunters", 9, of=population), world.neighbors("hunters", 9, of="prey"), strict=True
    ):
        np.testing.assert_array_equal(mine, theirs)


PATH, DISC = sm.Path([[0, 0], [20, 20]]), sm.Sphere([10, 10], 5)
MORE = {"path": PATH, "region": DISC, "obstacles": [ROCKS], "point": [3.0, 3.0], "axis": [1, 0], "width": 2.0}
METRICS = [
    function
    for module in (contacts, following, motion, order, proximity)
    for name, function in vars(module).items()
    if inspect.isfunction(function)
    and function.__module__ == module.__name__
    and not name.startswith("_")
    and next(iter(inspect.signature(function).parameters)) in ("position", "velocity")
    and "dt" not in inspect.signature(function).parameters
    and name not in ("work", "effort", "path_lengths", "detour")
]


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.__name__)
def test_metrics_measure_a_population(metric):
    population = sm.World().add(prey())
    names = list(inspect.signature(metric).parameters)[1:]
    given = {name: MORE[name] for name in names if name in MORE}
    if "target" in names:
        given["target"] = population
    held, bare = metric(population, **given), metric(population.vehicles, **given)
    for mine, theirs in zip(*(each if isinstance(each, tuple) else (each,) for each in (held, bare)), strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_observers_watch_a_population():
    world = sm.World()
    population = world.add(prey(), name="prey")
    touching, seen = contacts.Contacts(population), coverage.Coverage(DISC, population, reach=3)
    lost = stuck.StuckWatch("prey", radius=1, seconds=1, goal=population)
    for observer in (touching, seen, lost):
        observer(world)
    assert touching.vehicles is population.vehicles
    assert seen.fraction > 0


@pytest.mark.parametrize("behavior", [sm.Seek, sm.Pursue, sm.FollowLeader, sm.MatchVelocity])
@pytest.mark.parametrize("wrong", ["player", {"x": 1}])
def test_what_is_no_population_is_refused(behavior, wrong):
    with pytest.raises(TypeError, match=r"must be .*(Vehicles|population)") as caught:
        behavior(wrong)
    assert ("world['player']" in str(caught.value)) == (wrong == "player")
    assert repr(wrong) in str(caught.value)


def test_a_target_that_is_nothing_is_told_what_there_is():
    with pytest.raises(
        TypeError, match=r"target must be a point \(d,\), points \(n, d\), Vehicles, a population, a LastSeen or a func"
    ):
        sm.Seek(None)
