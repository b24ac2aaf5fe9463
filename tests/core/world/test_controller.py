"""Controller: the forces of a world, without one."""

import copy
import pickle
import re
import threading
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import steersman as sm


def herd(n=12, seed=1, **more):
    rng = np.random.default_rng(seed)
    return sm.Vehicles(rng.normal(size=(n, 2)) * 10, rng.normal(size=(n, 2)), max_speed=3, max_force=5, **more)


def tree():
    return sm.Priority([sm.AvoidObstacles(sm.Spheres([5, 5], 2)), sm.Seek([1, 2]) + 2 * sm.Wander()])


def test_the_forces_are_those_of_a_world():
    """In a world without a speed limit, the force is what changes the velocity."""
    driven, moved = herd(dtype=np.float64), herd(dtype=np.float64)
    moved.max_speed[:] = driven.max_speed[:] = 1e6
    controller = sm.Controller(driven, tree(), seed=9, name="herd")
    world = sm.World(seed=9)
    world.add(moved, name="herd", steering=tree())
    for _ in range(8):
        before = moved.velocity.copy()
        world.step(0.02)
        force = controller.steer(0.02)
        np.testing.assert_allclose(force, (moved.velocity - before) / 0.02, rtol=1e-7, atol=1e-7)
        driven.position, driven.velocity = moved.position, moved.velocity
        driven.forward = moved.forward
    assert (controller.steps, controller.time) == (world.steps, world.time)


@pytest.mark.parametrize("different", [{"seed": 10}, {"name": "flock"}])
def test_seed_and_name_make_the_random_numbers(different):
    def force(**arguments):
        return sm.Controller(herd(), sm.Wander(), **{"seed": 9, "name": "herd", **arguments}).steer(0.1).copy()

    assert (force() == force()).all()
    assert (force() != force(**different)).any()


def test_forces_are_truncated_and_a_live_view():
    vehicles = herd()
    controller = sm.Controller(vehicles, lambda vehicles: np.full(vehicles.position.shape, 100.0))
    force = controller.steer(0.1)
    np.testing.assert_allclose(np.linalg.norm(force, axis=1), 5, rtol=1e-6)
    vehicles.max_force = 2
    assert np.shares_memory(controller.steer(0.1), force)
    np.testing.assert_allclose(np.linalg.norm(force, axis=1), 2, rtol=1e-6)


def test_nothing_moves():
    vehicles = herd()
    before = vehicles.block.tobytes()
    sm.Controller(vehicles, tree()).steer(0.1)
    assert vehicles.block.tobytes() == before


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda controller: pickle.loads(pickle.dumps(controller))])
@pytest.mark.parametrize("moved", [0, 1, 2])
def test_a_copy_goes_on_alike_and_on_its_own(moved, duplicate):
    """Whether frames were written since the last call, or kept by a body, is part of the copy."""
    vehicles, found = herd(), []
    one = sm.Controller(vehicles, tree() + sm.LookWhereYouGo(), seed=2)
    for step in range(3):
        force = one.steer(0.1)
        if step < moved:
            sm.PointMass().advance(vehicles, force, 0.1)
    vehicles.velocity = vehicles.velocity[::-1]
    vehicles.forward[3] = [0, 1]
    if moved == 2:
        vehicles.heading = 0.3
    other = duplicate(one)
    for each in (one, other):
        ways = []
        for _ in range(3):
            ways += [each.steer(0.1).copy(), each.turning.copy(), each.vehicles.angular_velocity.copy()]
            sm.PointMass().advance(each.vehicles, ways[-3], 0.1)
            ways.append(each.vehicles.block.copy())
        found.append(ways)
    for expected, got in zip(*found, strict=True):
        np.testing.assert_array_equal(got, expected)


def test_spawning_and_a_new_tree():
    vehicles = herd()
    controller = sm.Controller(vehicles, sm.Wander(), seed=3)
    controller.steer(0.1)
    vehicles.spawn([0, 0])
    assert controller.steer(0.1).shape == (13, 2)
    controller.steering = sm.Seek([0, 0])
    assert isinstance(controller.steering, sm.Seek)
    force = controller.steer(0.1)
    assert (np.sum(force * -vehicles.position, axis=1) > -5 * 30).all()
    vehicles.remove(np.ones(13, bool))
    assert controller.steer(0.1).shape == (0, 2)


def test_differences_on_a_torus_are_the_shortest():
    vehicles = sm.Vehicles([1, 5], max_force=1e6, max_speed=1)
    assert sm.Controller(vehicles, sm.Seek([9, 5])).steer(0.1)[0, 0] > 0
    assert sm.Controller(vehicles, sm.Seek([9, 5]), domain=sm.Torus([10, 10])).steer(0.1)[0, 0] < 0


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: sm.Controller(herd(), tree()).steer(0), ValueError, "dt must be a finite number > 0 s, got 0"),
        (lambda: sm.Controller(herd(), tree()).steer(None), TypeError, "dt must be a number > 0 s, got None"),
        (lambda: sm.Controller(herd(), "seek"), TypeError, "steering must be a behavior or a function"),
        (lambda: sm.Controller([[1, 2]], tree()), TypeError, "vehicles must be Vehicles, got [[1, 2]]"),
        (lambda: sm.Controller(herd(), tree(), domain="torus"), TypeError, "domain must be Open(), Torus(size) or"),
        (
            lambda: sm.Controller(herd(), tree(), domain=sm.Torus([1, 1, 1])),
            ValueError,
            "2 dimensions like the vehicles",
        ),
        (lambda: sm.Controller(herd(), tree(), seed=-1), ValueError, "seed must be a whole number >= 0, got -1"),
        (lambda: sm.Controller(herd(), tree(), name=5), TypeError, "name must be a text, got 5"),
        (lambda: sm.Controller(herd(), tree(), threads=0), ValueError, "threads must be a whole number >= 1, got 0"),
    ],
)
def test_complaints(call, error, message):
    with pytest.raises(error, match=re.escape(message)):
        call()


def test_what_is_fixed_cannot_be_assigned():
    controller = sm.Controller(sm.Vehicles([0, 0]), sm.Seek([1, 1]), domain=sm.Torus([5, 5]), seed=3)
    assert (controller.domain.dimensions, controller.seed) == (2, 3)
    for name in ("domain", "seed"):
        with pytest.raises(AttributeError, match=name):
            setattr(controller, name, None)


def two(steering):
    """A world and a controller, each as (what makes a step, its vehicles, what counts time)."""
    vehicles, others = herd(), herd()
    world = sm.World(seed=3)
    population = world.add(vehicles, steering=steering)
    controller = sm.Controller(others, steering, seed=3)
    return [(world.step, vehicles, world, population), (controller.steer, others, controller, controller)]


@dataclass(frozen=True, eq=False)
class Meddle(sm.Behavior):
    """Does something that must not be done while steering, and remembers how often it was asked."""

    deed: Any = None

    def init(self, vehicles):
        return {"asked": np.zeros(len(vehicles))}

    def steer(self, scene, memory, out):
        memory["asked"] += 1
        self.deed(scene.vehicles)


@pytest.mark.parametrize(
    "deed",
    [lambda vehicles: vehicles.spawn([0, 0]), lambda vehicles: vehicles.remove(vehicles.id[:2])],
    ids=["spawn", "remove"],
)
@pytest.mark.parametrize("which", ["world", "controller"])
def test_vehicles_must_not_come_or_go_while_they_are_steered(which, deed):
    deeds = [deed]
    meddle = Meddle(deed=lambda vehicles: deeds and deeds.pop()(vehicles))
    step, vehicles, clock, population = two(sm.Seek([1, 1]) + meddle)[which == "controller"]
    before = vehicles.position.copy()
    with pytest.raises(RuntimeError, match="must not be spawned or removed in the middle of a step"):
        step(0.1)
    assert (clock.steps, clock.time) == (0, 0)
    np.testing.assert_array_equal(vehicles.position, before)
    step(0.1)
    assert population.memory("Meddle")["asked"].tolist() == [1] * len(vehicles)


def test_watched_vehicles_must_not_come_or_go_while_others_are_steered():
    watched = sm.Vehicles([[5.0, 5.0], [9.0, 9.0]])
    meddle = Meddle(deed=lambda vehicles: watched.remove(0))
    controller = sm.Controller(herd(), sm.Seek(watched) + meddle)
    with pytest.raises(RuntimeError, match="must not be spawned or removed in the middle of a step"):
        controller.steer(0.1)
    assert len(watched) == 2


def test_the_forces_are_those_of_the_vehicles_that_functions_leave_there():
    """Of those that have stayed their own, in the order of the rows; of those that have come none."""
    vehicles = sm.Vehicles(np.diag(np.arange(1.0, 5.0))[:, :2] + [[0, 9]], max_force=1e9)
    controller = sm.Controller(vehicles, lambda each: 10.0 * each.id[:, None] + [[1.0, 2.0]])

    def turn_over(controller):
        vehicles.remove([1])
        vehicles.spawn([5.0, 5.0])

    before = controller.steer(0.1).copy()
    controller.on_step(turn_over)
    found = controller.steer(0.1)
    assert vehicles.id.tolist() == [0, 2, 3, 4]
    np.testing.assert_array_equal(found, [*before[[0, 2, 3]], [0.0, 0.0]])


def test_a_tree_must_not_be_replaced_while_it_steers():
    controller = sm.Controller(herd(), Meddle(deed=lambda vehicles: setattr(controller, "steering", sm.Seek([0, 0]))))
    with pytest.raises(RuntimeError, match="replaced a steering tree"):
        controller.steer(0.1)
    assert controller.steps == 0


@pytest.mark.parametrize("which", ["world", "controller"])
def test_a_step_within_a_step_is_refused(which):
    steps = []
    meddle = Meddle(deed=lambda vehicles: [step(0.1) for step in steps])
    step, _, clock, _ = two(meddle)[which == "controller"]
    steps.append(step)
    with pytest.raises(RuntimeError, match=f"the {which} is in the middle of a step"):
        step(0.1)
    steps[:] = [lambda dt: clock.explain()]
    with pytest.raises(RuntimeError, match=f"the {which} is in the middle of a step"):
        step(0.1)
    steps.clear()
    step(0.1)
    assert clock.steps == 1


def test_another_thread_must_not_steer_in_the_middle_of_a_step():
    refused = []

    def elsewhere(vehicles):
        def steer():
            with pytest.raises(RuntimeError, match="the controller is in the middle of a step") as caught:
                controller.steer(0.1)
            refused.append(caught)

        thread = threading.Thread(target=steer)
        thread.start()
        thread.join()

    controller = sm.Controller(herd(), Meddle(deed=elsewhere))
    controller.steer(0.1)
    assert (controller.steps, len(refused)) == (1, 1)


def test_what_is_asked_for_after_a_step_may_steer_again():
    again = []
    modes = sm.Modes({"go": sm.Seek([0, 0])}, start="go", on_enter={"go": lambda vehicles, who: again.pop()(0.1)})
    controller = sm.Controller(herd(), modes)
    again.append(controller.steer)
    controller.steer(0.1)
    assert (controller.steps, again) == (2, [])


def test_the_clock_keeps_its_precision_whatever_dt_is_made_of():
    controller = sm.Controller(herd(1), sm.Seek([0, 0]))
    dt = np.float32(1 / 60)
    for _ in range(3000):
        controller.steer(dt)
    assert type(controller.time) is float
    assert controller.time == pytest.approx(3000 * float(dt), rel=1e-12)


@pytest.mark.parametrize("which", ["world", "controller"])
def test_a_step_lets_threads_that_wait_go_first(which, monkeypatch):
    """A loop of steps would begin the next one before a thread that waits wakes up."""
    world = sm.World()
    world.add(herd(), steering=tree())
    stepped = world if which == "world" else sm.Controller(herd(), tree())
    given = []
    monkeypatch.setattr(type(stepped._turn), "give_way", lambda turn: given.append(turn))
    for waiting, count in ((set(), 0), ({-1}, 1), (set(), 1)):
        stepped._turn.waiting = waiting
        world.step() if which == "world" else stepped.steer(0.1)
        assert given == [stepped._turn] * count
