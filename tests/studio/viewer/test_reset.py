"""Beginning again with a world of a program's own: everything is where it was, and what cannot be put back is said."""

import dataclasses

import numpy as np
import pytest

import steersman as sm
from steersman.core.world.state_hash import state_hash
from steersman.runs.documents.stage import Stage
from steersman.studio.viewer.reset import Beginning


def made(steering=None):
    world = sm.World(domain=sm.Box([100, 100]), seed=4)
    rocks = sm.Spheres([[60.0, 60]], 8)
    tree = steering or sm.Priority([sm.AvoidObstacles(rocks), 1.5 * sm.Wander() + sm.Seek([50, 0])])
    world.add(sm.Vehicles(np.eye(2) * 20, max_speed=3), name="a", steering=tree)
    return world


def test_obstacles_that_were_switched_off_are_off_again():
    rocks = sm.Spheres([[60.0, 60], [80, 80]], 8)
    world = made(sm.AvoidObstacles(rocks) + sm.Wander())
    rocks.disable([1])
    beginning = Beginning(world)
    rocks.enable()
    beginning.restore()
    assert rocks.enabled.tolist() == [True, False]


def test_all_is_where_it_was():
    world = made()
    world.watch("a", "mean_speed")
    meter = world.watch("a", "distance_to", to=[0, 0])["a.distance_to"]
    subject = meter.subject
    world.run(steps=7)
    before, tree, vehicles = state_hash(world), world.populations["a"].steering, world["a"]
    beginning = Beginning(world)
    assert beginning.problem == ""
    assert beginning.words == "Begin again where this window was opened (r)"
    world.run(steps=30)
    world["a"].spawn([5, 5])
    world["a"].remove(0)
    world.populations["a"].steering = sm.Seek([1, 2])
    world.dt = 0.1
    meter.subject = dataclasses.replace(subject, to=np.array([9.0, 9.0]))
    world.step()
    readings = len(world.meters["a.mean_speed"].values)
    beginning.restore()
    assert state_hash(world) == before
    assert world.populations["a"].steering is tree
    assert world["a"] is vehicles
    assert meter.subject is subject
    assert (world.steps, world["a"].id.tolist(), world.dt) == (7, [0, 1], 1 / 60)
    assert len(world.meters["a.mean_speed"].values) < readings
    world.run(steps=30)
    beginning.restore()
    assert state_hash(world) == before
    other = made()
    other.run(steps=27)
    world.run(steps=20)
    assert np.array_equal(world["a"].position, other["a"].position)


def test_scenery_and_labels_of_a_stage_are_put_back():
    stage = Stage(made(), scenery={"rock": sm.Spheres([60.0, 60.0], 8)}, labels={"home": [5.0, 5.0]})
    before, beginning = (stage.scenery, stage.labels), Beginning(stage)
    stage.scenery, stage.labels = {}, {"home": [9.0, 9.0]}
    beginning.restore()
    assert (stage.scenery, stage.labels) == before


def test_functions_are_named_that_may_remember():
    def my_wind(vehicles):
        return np.zeros((2, 2))

    beginning = Beginning(made(sm.Seek([1, 1]) + my_wind))
    assert "my_wind" in beginning.words
    assert "stays as it is" in beginning.words


def test_what_cannot_be_put_back_says_why_and_changes_nothing():
    world = made()
    beginning = Beginning(world)
    world.add(sm.Vehicles([[1, 1]]), name="late")
    world.run(steps=3)
    world.populations["a"].steering = now = sm.Seek([1, 1])
    with pytest.raises(sm.SnapshotError, match="another world"):
        beginning.restore()
    assert world.steps == 3
    assert world.populations["a"].steering is now


def test_a_world_that_cannot_be_saved_says_so():
    class Strange:
        def __call__(self, world):
            pass

        def saved(self):
            return {"x": object()}

        def resume(self, saved):
            pass

    world = made()
    world.on_step(Strange())
    beginning = Beginning(world)
    assert beginning.words.startswith("Cannot begin again: ")
    with pytest.raises(sm.SnapshotError):
        beginning.restore()


EXCHANGED = {
    "steering": sm.Seek([1, 2]), "locomotion": sm.Wheeled(), "flows": [sm.Sink(older_than=9.0)], "yields": 0.5,
    "domain": sm.Torus([70, 90]), "constraints": [sm.ZeroOverlap()], "seed": 8, "dt": 0.1,
}  # fmt: skip
"""Everything that may be exchanged in a window, and another value for it."""


@pytest.mark.parametrize("name", EXCHANGED)
def test_whatever_was_exchanged_is_put_back(name):
    """Each alone: it is the same object again, and the world goes on as one in which nothing was exchanged."""
    world, other = made(), made()
    owner = world if name in ("domain", "constraints", "seed", "dt") else world.populations["a"]
    before, beginning = getattr(owner, name), Beginning(world)
    setattr(owner, name, EXCHANGED[name])
    assert getattr(owner, name) != before
    world.run(steps=3)
    beginning.restore()
    assert getattr(owner, name) == before
    for each in (world, other):
        each.run(steps=20)
    assert np.array_equal(world["a"].position, other["a"].position)
