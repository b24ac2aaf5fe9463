"""Worlds, behaviors and obstacles write themselves down, and are the same when they are read."""

import os
import re
import tomllib

import numpy as np
import pytest

import steersman as sm
from steersman.core.environment.obstacles.obstacle import Obstacles
from steersman.core.parameters.parameters import same_value
from steersman.core.world.state_hash import state_hash
from steersman.gallery.registry import SCENARIOS
from steersman.runs.documents.problems import ScenarioError
from steersman.runs.documents.scenery import classes_of
from steersman.runs.metrics.metric import Metric

WRITTEN = [name for name in SCENARIOS if name not in {
    "capture_the_flag", "cowboys", "dead_end", "gait", "hide_and_seek", "one_turning", "overshoot", "patrol", "rts_orders",
    "soccer",
}]  # fmt: skip
"""Scenarios without functions that could change the world."""


def goes_on_the_same(world, steps=20, file=None):
    """Whether a world that was read again goes on bit for bit; the one that was read."""
    if file is None:
        again = sm.from_document(sm.to_document(world, left_out=[]), threads=2)
    else:
        sm.write_document(world, file, left_out=[])
        again = sm.from_document(file)
    assert state_hash(again) == state_hash(world)
    for each in (world, again):
        each.run(steps=steps)
    assert state_hash(again) == state_hash(world)
    return again


def flock(n=30, **columns):
    rng = np.random.default_rng(3)
    columns = {"max_speed": 4, "max_force": 9} | columns
    return sm.Vehicles(rng.uniform(0, 50, (n, 2)), rng.normal(0, 1, (n, 2)), **columns)


def small_world(steering=None, n=5, **columns):
    world = sm.World(domain=sm.Torus([50, 50]), seed=4, dt=0.05, threads=1)
    world.add(flock(n, **columns), name="ants", steering=steering)
    return world


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", WRITTEN)
def test_a_scenario_that_is_written_halfway_goes_on_the_same(name, tmp_path):
    stage = SCENARIOS[name].stage(n=min(SCENARIOS[name].n, 60), seed=5, threads=1)
    stage.world.run(steps=33)
    goes_on_the_same(stage.world, file=tmp_path / "halfway.toml")


@pytest.mark.parametrize("name", sorted(set(SCENARIOS) - set(WRITTEN)))
def test_a_scenario_with_functions_names_one(name):
    stage = SCENARIOS[name].stage(n=4)
    with pytest.raises(sm.NoDocumentError, match=r"\w+: a Python (function|object) has no document, got \w+"):
        sm.to_document(stage, left_out=[])


# -------------------------------------------------------------------------------------------------------- columns


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n", [0, 1, 7, 300])
def test_every_column_comes_back_bit_for_bit(dtype, n, tmp_path):
    rng = np.random.default_rng(n)
    vehicles = sm.Vehicles(
        rng.normal(0, 9, (n, 3)), rng.normal(0, 1, (n, 3)), forward=rng.normal(0, 1, (n, 3)), up=rng.normal(0, 1, (n, 3)),
        angular_velocity=rng.normal(0, 1, (n, 3)), mass=rng.uniform(1, 2, n), radius=0.1, max_speed=1 / 3,
        max_force=rng.uniform(1, 2, n), response_time="step", id=rng.permutation(999)[:n], dtype=dtype,
    )  # fmt: skip
    world = sm.World(seed=1, threads=1)
    world.add(vehicles, name="birds", steering=sm.Wander(), locomotion=sm.FreeBody())
    again = goes_on_the_same(world, file=tmp_path / "birds.toml")
    assert again["birds"].dtype == dtype
    assert again["birds"].next_id == vehicles.next_id


def test_frames_that_drifted_are_taken_over_as_they_are():
    world = small_world()
    world["ants"].forward[...] *= np.float32(1 + 3e-7)
    goes_on_the_same(world, steps=0)
    world["ants"].forward[...] *= 2
    with pytest.raises(sm.NoDocumentError, match=r"populations\.ants: forward and up must be unit vectors"):
        sm.to_document(world)


def test_who_comes_later_is_like_in_the_first_world():
    world = small_world(n=6, max_speed=3)
    world["ants"].max_speed[4] = 7
    world["ants"].remove([5])
    again = sm.from_document(sm.to_document(world), threads=1)
    for each in (world, again):
        each["ants"].spawn([[1, 2]])
    assert world["ants"].max_speed[-1] == 3
    assert world["ants"].id[-1] == 6
    assert state_hash(again) == state_hash(world)


def test_only_what_is_not_by_default_is_written():
    world = sm.World(seed=2, dt=0.5)
    world.add(sm.Vehicles([[1, 2], [3, 4]], max_speed=0.1), name="ants", steering=sm.Seek([0, 9]))
    assert sm.to_document(world) == {
        "seed": 2,
        "dt": 0.5,
        "dimensions": 2,
        "domain": {"kind": "open"},
        "populations": [
            {
                "name": "ants",
                "position": [[1.0, 2.0], [3.0, 4.0]],
                "max_speed": 0.1,
                "steering": {"behavior": "Seek", "target": [0.0, 9.0]},
            }
        ],
    }


def test_populations_may_differ_in_precision():
    world = small_world()
    world.add(sm.Vehicles([[1, 2]], dtype=np.float64), name="bees", steering=sm.Pursue(world["ants"]))
    again = goes_on_the_same(world)
    assert [again[name].dtype for name in ("ants", "bees")] == [np.float32, np.float64]


def test_populations_of_different_dimensions_are_refused():
    world = sm.World()
    world.add(sm.Vehicles([[1, 2]]))
    world.add(sm.Vehicles([[1, 2, 3]]))
    with pytest.raises(sm.NoDocumentError, match="all populations must have the same dimensions"):
        sm.to_document(world)


# -------------------------------------------------------------------------------------------------------- memory and time


def test_what_a_replaced_tree_remembers_goes_on():
    world = small_world(sm.Wander() + sm.Separation())
    world.run(steps=5)
    world.populations["ants"].steering = sm.Priority(
        [sm.Flee([9, 9], panic_distance=3), sm.Wander(), sm.Wander("turn")]
    )
    world.run(steps=5)
    world.populations["ants"].steering = sm.Priority([sm.Flee([9, 9], panic_distance=3), sm.Wander()])
    world.run(steps=5)
    again = goes_on_the_same(world)
    here, there = world.populations["ants"], again.populations["ants"]
    assert there.keys == here.keys != tuple(range(3))
    assert there.next_key == here.next_key > max(here.keys) + 1


def test_ids_are_for_those_for_whom_the_tree_was_assigned():
    world = small_world(sm.Evade(flock(3), which=1))
    dogs = world.add(flock(3), name="dogs")
    world.populations["ants"].steering = sm.Evade(dogs, which=[0, 2, 1, 1, 0])
    world["ants"].remove([1])
    world.run(steps=2)
    goes_on_the_same(world)


def test_time_goes_on():
    world = small_world(sm.Wander())
    world.run(steps=3, dt=0.1)
    world.advance(0.04)
    again = sm.from_document(sm.to_document(world))
    assert (again.steps, again.time, again.dt, again.rest) == (3, world.time, 0.1, 0.04)
    assert again.advance(0.07) == world.advance(0.07)
    assert state_hash(again) == state_hash(world)


def test_what_is_eaten_stays_eaten():
    food = sm.Resources([[25, 25], [3, 4]], [5, 2])
    world = small_world(sm.Forage(food, reach=9.0))
    world.add(flock(2), name="bees", steering=sm.Forage(food))
    food.amount = [0.25, 2]
    again = goes_on_the_same(world)
    trees = [each.steering for each in again.populations.values()]
    assert trees[0].resources is trees[1].resources


# -------------------------------------------------------------------------------------------------------- names


def test_what_has_no_name_is_given_one():
    rocks = sm.Spheres([[9, 9]], 2)
    world = small_world(sm.Priority([sm.AvoidObstacles([rocks, sm.Spheres([[1, 1]])]), sm.AvoidObstacles(rocks)]))
    document = sm.to_document(world)
    assert [each["name"] for each in document["obstacles"]] == ["spheres", "spheres 2"]
    assert [part["obstacles"] for part in document["populations"][0]["steering"]["parts"]] == [
        ["spheres", "spheres 2"],
        "spheres",
    ]
    named = sm.to_document(world, names={"rocks": rocks})
    assert [each["name"] for each in named["obstacles"]] == ["rocks", "spheres"]


def test_things_with_the_same_numbers_are_written_once_but_keep_their_names():
    a, b, c = (sm.Spheres([[9, 9]], 2) for _ in range(3))
    world = small_world(sm.Priority([sm.AvoidObstacles(b), sm.AvoidObstacles(c)]))
    document = sm.to_document(world, names={"a": a, "b": b})
    assert [each["name"] for each in document["obstacles"]] == ["a", "b"]
    assert [part["obstacles"] for part in document["populations"][0]["steering"]["parts"]] == ["b", "a"]


def test_numbers_in_single_precision_keep_all_their_digits():
    world = small_world(sm.Separation(radius=np.float32(0.1)))
    assert sm.to_document(world)["populations"][0]["steering"]["radius"] == float(np.float32(0.1))


def test_a_world_without_populations_has_no_document():
    with pytest.raises(sm.NoDocumentError, match="a world without populations"):
        sm.to_document(sm.World())


def test_vehicles_that_are_in_no_population_are_refused():
    with pytest.raises(
        sm.NoDocumentError, match=r"populations\.ants\.steering\.target: these vehicles have no name here"
    ):
        sm.to_document(small_world(sm.Seek(flock())))


def test_a_name_stands_for_one_thing():
    with pytest.raises(sm.NoDocumentError, match="'ants' must not be the name of a population and of something else"):
        sm.to_document(small_world(), names={"ants": sm.Spheres([[1, 1]])})


# -------------------------------------------------------------------------------------------------------- functions


def push(vehicles):
    return vehicles.position


@pytest.mark.parametrize(
    ("steering", "where"),
    [
        (push, "steering"),
        (sm.Priority([sm.Wander(), push]), "steering.parts[1]"),
        (sm.Seek(lambda: [1, 2]), "steering.target"),
        (sm.Switch(sm.Wander(), on=lambda vehicles: True), "steering.on"),
    ],
)
def test_a_function_is_named_with_its_place(steering, where):
    with pytest.raises(
        sm.NoDocumentError, match=re.escape(f"populations.ants.{where}: a Python function has no document")
    ):
        sm.to_document(small_world(steering))


def test_an_observer_and_a_metric_of_ones_own_are_named():
    world = small_world()
    world.watch("ants", "mean_speed", crowd=len, busy=Metric("", "", lambda subject: 1.0))
    with pytest.raises(sm.NoDocumentError, match=r"populations\.ants\.metrics\.crowd: .*, got len"):
        sm.to_document(world)
    left_out = []
    assert sm.to_document(world, left_out=left_out)["populations"][0]["metrics"] == ["mean_speed"]
    assert left_out == ["ants.crowd", "ants.busy"]
    world.on_step(print)
    with pytest.raises(sm.NoDocumentError, match="on_step: a Python function has no document, got print"):
        sm.to_document(world, left_out=[])


def test_what_is_measured_is_measured_again():
    world = small_world(sm.Wander())
    world.add(flock(2), name="bees")
    world.watch("ants", "mean_speed", "polarization", every=0.5)
    world.watch("ants", near="distance_to", to="bees")
    again = sm.from_document(sm.to_document(world))
    world.run(seconds=2)
    again.run(seconds=2)
    for label in ("ants.mean_speed", "ants.polarization", "ants.near"):
        assert np.array_equal(again.meters[label].times, world.meters[label].times)
        assert np.array_equal(again.meters[label].values, world.meters[label].values)


# -------------------------------------------------------------------------------------------------------- files


def test_long_columns_stand_beside_the_document(tmp_path):
    world = small_world(sm.Wander(), n=500)
    file = tmp_path / "ants.toml"
    assert sm.write_document(world, file) == [file, tmp_path / "ants.npz"]
    (ants,) = tomllib.loads(file.read_text())["populations"]
    assert ants["position"] == {"file": "ants.npz", "array": "populations.ants.position"}
    goes_on_the_same(world, file=file)
    assert sm.write_document(small_world(), file) == [file]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("ants.npz", "bees.npz"), "there is no such file"),
        (("populations.ants.position", "ants"), "there is no array 'ants' in ants.npz"),
        (("ants.npz", "ants.toml"), "ants.toml must be a file of arrays as np.savez writes it"),
    ],
)
def test_what_is_wrong_with_a_file_is_told(change, problem, tmp_path):
    file = tmp_path / "ants.toml"
    sm.write_document(small_world(n=500), file)
    file.write_text(file.read_text().replace(*change))
    with pytest.raises(ScenarioError, match=r"line \d+: populations\[0\]\.position.*" + problem):
        sm.from_document(file)


def test_pickles_are_not_read(tmp_path):
    file = tmp_path / "ants.toml"
    sm.write_document(small_world(n=500), file)
    np.savez(tmp_path / "ants.npz", **{"populations.ants.position": np.array([{}], object)})
    with pytest.raises(ScenarioError, match="pickle"):
        sm.from_document(file)


# -------------------------------------------------------------------------------------------------------- parts of worlds


def test_a_behavior_alone_has_its_surroundings_in_it():
    dogs = flock(3)
    tree = sm.Priority(
        [sm.AvoidObstacles(sm.Spheres([[9, 9]], 2)), 2 * sm.Evade(dogs) + sm.FollowPath([[0, 0], [9, 9]])]
    )
    document = sm.to_document(tree, names={"dogs": dogs})
    assert document["parts"][0] == {
        "behavior": "AvoidObstacles",
        "obstacles": {"kind": "spheres", "center": [[9.0, 9.0]], "radius": [2.0]},
    }
    assert sm.from_document(document, names={"dogs": dogs}) == tree


@pytest.mark.parametrize(
    "thing",
    [
        sm.Spheres([[1, 2]], 3),
        sm.Boxes([[1, 2]], [3, 4], 0.3),
        sm.Walls([[0, 0], [9, 0], [9, 9]], closed=True),
        sm.TriangleMesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]),
        sm.Path([[0, 0], [1, 1]], radius=3),
        sm.Polygon([[0, 0], [9, 0], [9, 9]]),
        sm.Sphere([1, 2], 3),
        sm.Plane([0.1, 0.2, 0.3], [0.3, -0.7, 0.2]),
        sm.Heightfield([[0, 1], [2, 3.5]], [0, 0], [9, 9]),
        sm.FlowGrid(np.arange(8.0).reshape(2, 2, 2), spacing=4),
        sm.Interior(sm.Spheres([[1, 2]], 3)),
        sm.Wheeled(wheelbase=2.0),
        sm.PointMass(),
        sm.PointMass(limits=[sm.Drag(2.0), sm.LowSpeedTurn()]),
        sm.Near([1, 2], 3) & ~sm.After(2.0),
        sm.Pursue(flock(2), which=[True, False]),
    ],
    ids=repr,
)
def test_every_kind_of_thing_is_made_again(thing):
    names = {"dogs": thing.quarry} if isinstance(thing, sm.Pursue) else {}
    again = sm.from_document(sm.to_document(thing, names=names), names=names)
    assert again == thing
    assert same_value(sm.to_document(again, names=names), sm.to_document(thing, names=names))


def test_resources_that_stand_twice_in_a_behavior_need_a_name():
    food = sm.Resources([[1, 2]])
    tree = sm.Forage(food) + sm.Forage(food)
    with pytest.raises(sm.NoDocumentError, match="these resources stand there twice"):
        sm.to_document(tree)
    again = sm.from_document(sm.to_document(tree, names={"food": food}), names={"food": food})
    assert again.components[1].resources is food


def test_a_behavior_may_stand_in_a_file(tmp_path):
    tree = sm.Priority([sm.AvoidObstacles(sm.Spheres(np.arange(400.0).reshape(200, 2), 1)), sm.Wander("turn")])
    sm.write_document(tree, tmp_path / "tree.toml")
    assert sm.from_document(tmp_path / "tree.toml") == tree


def test_a_document_may_call_for_a_built_in_scenario():
    world = sm.from_document({"scenario": "soccer", "n": 4, "seed": 2})
    assert state_hash(world) == state_hash(SCENARIOS["soccer"].build(n=4, seed=2))


def test_a_table_that_is_nothing_is_refused():
    with pytest.raises(ScenarioError, match="must have populations, or be a behavior"):
        sm.from_document({"kind": "speres"})


def test_a_document_that_cannot_be_written_leaves_what_was_there(tmp_path, monkeypatch):
    world = sm.World()
    world.add(sm.Vehicles(np.zeros((50, 2))))
    sm.write_document(world, tmp_path / "a.toml")
    before = {each.name: each.read_bytes() for each in tmp_path.iterdir()}

    def fails(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fails)
    world.run(steps=1)
    with pytest.raises(OSError, match="cannot be written, and what was there is as it was: No space left"):
        sm.write_document(world, tmp_path / "a.toml")
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == before


@pytest.mark.parametrize("yields", [None, 0.0, 2.5])
def test_how_a_population_yields_is_written_down(yields):
    """Also 0, which is another thing than to say nothing."""
    world = sm.World()
    population = world.add(flock(), name="ants", steering=sm.AvoidNeighbors())
    population.yields = yields
    assert sm.from_document(sm.to_document(world)).populations["ants"].yields == yields


def test_a_class_of_a_user_hides_none_of_the_library():
    class Stones(sm.Spheres):
        """Obstacles of a user."""

    world = sm.World()
    steering = sm.AvoidObstacles(sm.Spheres([[5, 5]], 1))
    world.add(sm.Vehicles([[1, 1]], max_speed=1), name="ants", steering=steering)
    read = sm.from_document(sm.to_document(world))
    assert type(read.populations["ants"].steering.obstacles) is sm.Spheres
    assert Stones.__name__ not in classes_of(Obstacles)
    assert "Spheres" in classes_of(Obstacles)
