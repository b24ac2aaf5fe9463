"""Targets: points, functions, populations; and what happens when the quarry is gone."""

import math
from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman.core.steering.targets import target

DT = 0.1


def some(n: int = 3, **columns: Any) -> sm.Vehicles:
    """Vehicles at rest in a row along the x axis, which get m V unit(way) / tau as a force."""
    given = {"max_speed": 1.0, "max_force": 100.0, "response_time": 1.0, "dtype": np.float64} | columns
    return sm.Vehicles([[float(k), 0.0] for k in range(n)], **given)


def steer(vehicles: sm.Vehicles, steering: Any, **options: Any) -> Any:
    return sm.Controller(vehicles, steering, threads=1, **options).steer(DT).copy()


def quarry(*points: tuple[float, float], **columns: Any) -> sm.Vehicles:
    return sm.Vehicles(np.reshape(points, (-1, 2)).astype(float), dtype=np.float64, **columns)


def test_one_point_is_for_all() -> None:
    np.testing.assert_allclose(
        steer(some(), sm.Seek([1, 5])), [[1 / 26**0.5, 5 / 26**0.5], [0, 1], [-1 / 26**0.5, 5 / 26**0.5]]
    )


def test_points_one_per_vehicle() -> None:
    np.testing.assert_allclose(steer(some(), sm.Seek([[0, 7], [9, 0], [2, -1]])), [[0, 1], [1, 0], [0, -1]])


def test_points_are_copied() -> None:
    point = np.array([1.0, 5.0])
    seek = sm.Seek(point)
    point[:] = -99
    np.testing.assert_array_equal(seek.target, [1, 5])
    with pytest.raises(ValueError, match="read-only"):
        seek.target[0] = 3


@pytest.mark.parametrize("per_vehicle", [False, True])
def test_a_function_is_asked_at_every_step(per_vehicle: bool) -> None:
    now = np.array([50.0, 0.0])
    controller = sm.Controller(some(), sm.Seek(lambda: np.tile(now, (3, 1)) if per_vehicle else now), threads=1)
    np.testing.assert_allclose(controller.steer(DT), [[1, 0]] * 3)
    now[:] = [-50, 0]
    np.testing.assert_allclose(controller.steer(DT), [[-1, 0]] * 3)


def test_a_function_may_depend_on_what_is_outside() -> None:
    """A mouse, say: a list of plain numbers will do."""
    np.testing.assert_allclose(steer(some(1), sm.Arrive(lambda: [0, 30])), [[0, 1]])


def test_the_nearest_of_a_population() -> None:
    others = quarry((-1, 0), (5, 0), (2, -2))
    np.testing.assert_allclose(steer(some(), sm.Seek(others)), [[-1, 0], [-1, 0], [0, -1]])


def test_of_two_that_are_equally_near_the_first_is_taken() -> None:
    np.testing.assert_allclose(steer(some(1), sm.Seek(quarry((3, 0), (-3, 0), (0, 3)))), [[1, 0]])


def test_the_nearest_fellow_is_somebody_else() -> None:
    np.testing.assert_allclose(steer(vehicles := some(), sm.Seek(vehicles))[[0, 2]], [[1, 0], [-1, 0]])


def test_alone_there_is_no_fellow() -> None:
    vehicles = some(1)
    np.testing.assert_array_equal(steer(vehicles, sm.Priority([sm.Seek(vehicles), push])), [[0, 2]])


def push(vehicles: sm.Vehicles) -> Any:
    return np.tile([0.0, 2.0], (len(vehicles), 1))


def test_the_nearest_is_chosen_anew_at_every_step() -> None:
    others = quarry((9, 0), (-9, 0))
    controller = sm.Controller(some(1), sm.Seek(others), threads=1)
    np.testing.assert_allclose(controller.steer(DT), [[1, 0]])
    others.position[0] = [30, 0]
    np.testing.assert_allclose(controller.steer(DT), [[-1, 0]])


def test_one_of_a_population_by_its_id() -> None:
    np.testing.assert_allclose(steer(some(), sm.Seek(quarry((-9, 0), (0, 9)), which=0)), [[-1, 0]] * 3)


def test_ids_say_who_watches_whom() -> None:
    others = quarry((-9, 0), (9, 0), id=[7, 3])
    np.testing.assert_allclose(steer(some(), sm.Seek(others, which=[3, 7, 3])), [[1, 0], [-1, 0], [1, 0]])


def test_who_watches_somebody_gone_is_left_alone() -> None:
    others = quarry((-9, 0), (9, 0), id=[7, 3])
    controller = sm.Controller(some(), sm.Priority([sm.Seek(others, which=[3, 7, 3]), push]), threads=1)
    np.testing.assert_allclose(controller.steer(DT), [[1, 0], [-1, 0], [1, 0]])
    others.remove([3])
    np.testing.assert_allclose(controller.steer(DT), [[0, 2], [-1, 0], [0, 2]])


BEHAVIORS = {
    "seek": lambda others, **how: sm.Seek(others, **how),
    "flee": lambda others, **how: sm.Flee(others, **how),
    "arrive": lambda others, **how: sm.Arrive(others, **how),
    "pursue": lambda others, **how: sm.Pursue(others, **how),
    "evade": lambda others, **how: sm.Evade(others, **how),
}
EVERY = pytest.mark.parametrize("behavior", BEHAVIORS.values(), ids=BEHAVIORS)


@EVERY
@pytest.mark.parametrize("which", ["nearest", "first", 0, [0, 0, 0], {0: 0, 1: 0, 2: 0}])
def test_a_quarry_may_vanish_and_come_back_while_running(behavior: Any, which: Any) -> None:
    others = quarry((0, 9))
    world = sm.World(threads=1, dt=DT)
    vehicles = some()
    world.add(vehicles, name="hunters", steering=sm.Priority([behavior(others, which=which), push]))
    world.add(others)
    world.run(steps=2)
    assert np.abs(vehicles.velocity[1, 1]) > 0
    others.remove([0])
    vehicles.velocity[:] = 0
    world.step()
    np.testing.assert_allclose(vehicles.velocity, [[0, 0.2]] * 3)
    others.spawn([[50.0, 0.0]])
    vehicles.velocity[:] = 0
    world.step()
    gone_for_ever = not isinstance(which, str)  # The new one has another id.
    assert (vehicles.velocity[:, 0] == 0).all() == gone_for_ever


def test_hunters_may_be_spawned_and_removed() -> None:
    others, vehicles = quarry((0, 9)), some()
    controller = sm.Controller(vehicles, sm.Wander() + sm.Seek(others), threads=1)
    assert controller.steer(DT).shape == (3, 2)
    vehicles.spawn([[4.0, 4.0]])
    assert controller.steer(DT).shape == (4, 2)
    vehicles.remove([0, 1])
    assert controller.steer(DT).shape == (2, 2)


def test_on_a_torus_the_nearest_is_nearest_across_the_edge() -> None:
    vehicles = sm.Vehicles([[1.0, 5.0]], max_speed=1.0, max_force=9.0, response_time=1.0, dtype=np.float64)
    others = quarry((4, 5), (19, 5))
    force = steer(vehicles, sm.Seek(others), domain=sm.Torus([20, 20]))
    np.testing.assert_allclose(force, [[-1, 0]])


# ---------------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize("target", ["there", None, {"x": 1}])
def test_a_target_that_is_none_is_refused(target: Any) -> None:
    with pytest.raises(TypeError, match="target"):
        sm.Seek(target)


@pytest.mark.parametrize("target", [[1.0], [1.0, 2, 3, 4], np.zeros((2, 2, 2)), 3.0])
def test_points_of_a_wrong_shape_are_refused(target: Any) -> None:
    with pytest.raises(
        ValueError,
        match=r"target must be a point \(d,\), points \(n, d\), Vehicles, a population, a LastSeen or a func",
    ):
        sm.Arrive(target)


@pytest.mark.parametrize("target", [[math.nan, 0], [[0, 1], [math.inf, 0]]])
def test_points_must_be_finite(target: Any) -> None:
    with pytest.raises(ValueError, match="target must be finite"):
        sm.Flee(target)


@EVERY
def test_whom_to_watch_is_checked(behavior: Any) -> None:
    others = quarry((0, 9))
    allowed = 'which must be "nearest", "first", an id, ids'
    with pytest.raises(ValueError, match=allowed + ".* got 'farthest'"):
        behavior(others, which="farthest")
    with pytest.raises(ValueError, match="which must be an id >= 0, got -1"):
        behavior(others, which=-1)
    for wrong in (1.5, None, [0.5, 1.5], {0: "a"}, {0.5: 1}, True):
        with pytest.raises(TypeError, match=allowed):
            behavior(others, which=wrong)
    with pytest.raises(ValueError, match=r"which must have shape \(1,\), got \(3,\)"):
        behavior(others, which=[True, False, True])


@pytest.mark.parametrize(
    ("behavior", "message"),
    [
        (sm.Seek([1.0, 2.0, 3.0]), r"target must have shape \(2,\) or \(3, 2\), got \(3,\)"),
        (sm.Seek(np.zeros((4, 2))), r"target must have shape \(2,\) or \(3, 2\), got \(4, 2\)"),
        (sm.Arrive(lambda: [1.0, 2.0, 3.0]), r"target\(\) must have shape \(2,\) or \(3, 2\), got \(3,\)"),
        (sm.Seek(lambda: [math.nan, 0.0]), r"target\(\) must be finite"),
        (sm.Pursue(sm.Vehicles(np.zeros((1, 3)))), "quarry must have 2 dimensions like the vehicles, got 3"),
        (sm.Evade(sm.Vehicles(np.zeros((1, 3)))), "pursuer must have 2 dimensions like the vehicles, got 3"),
        (
            sm.Seek(quarry((0, 1), (0, 2)), which=[0, 1]),
            r"which must hold one id per vehicle, shape \(3,\) when the steering was assigned, got \(2,\)",
        ),
        (sm.AvoidObstacles(sm.Spheres(np.zeros((1, 3)))), "obstacles must have 2 dimensions like the vehicles, got 3"),
        (
            sm.AvoidObstacles(sm.Spheres([[0, 0]]), goal=np.zeros((9, 2))),
            r"goal must have shape \(2,\) or \(3, 2\), got \(9, 2\)",
        ),
    ],
)
def test_what_does_not_fit_the_vehicles_is_refused_when_they_meet(behavior: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        steer(some(), behavior)


def test_a_refused_target_leaves_memory_as_it_was() -> None:
    """The function fails after wander has walked: the step has not happened."""
    answers = [[5.0, 5.0], [math.nan, 0.0], [5.0, 5.0]]
    failing = sm.Controller(some(), sm.Wander() + sm.Seek(lambda: answers.pop(0)), threads=1)
    steady = sm.Controller(some(), sm.Wander() + sm.Seek(lambda: [5.0, 5.0]), threads=1)
    np.testing.assert_array_equal(failing.steer(DT), steady.steer(DT))
    with pytest.raises(ValueError, match="must be finite"):
        failing.steer(DT)
    np.testing.assert_array_equal(failing.steer(DT), steady.steer(DT))


@pytest.mark.parametrize("quarry", [[1.0, 2.0], None, lambda: [1.0, 2.0]])
def test_only_a_population_can_be_pursued_and_evaded(quarry: Any) -> None:
    with pytest.raises(TypeError, match="quarry must be Vehicles"):
        sm.Pursue(quarry)
    with pytest.raises(TypeError, match="pursuer must be Vehicles"):
        sm.Evade(quarry)
    if quarry is not None:
        with pytest.raises(TypeError, match="prediction must be Constant"):
            sm.Pursue(some(), prediction=quarry)


@pytest.mark.parametrize("domain", [sm.Open(), sm.Torus([20.0, 30.0])], ids=["open", "torus"])
@pytest.mark.parametrize("fellow", [False, True])
def test_of_many_the_nearest_is_found_in_a_grid(monkeypatch: Any, domain: Any, fellow: bool) -> None:
    """The same as by looking at all of them; some are far away, some coincide."""
    rng = np.random.default_rng(3)
    hunters = sm.Vehicles(rng.uniform(0, [20, 30], (60, 2)), max_force=1e3, dtype=np.float64)
    crowd = rng.uniform(0, [20, 30], (50, 2))
    crowd[7] = crowd[3]
    crowd[11] = [1e5, -1e5] if isinstance(domain, sm.Open) else [19.99, 29.99]
    prey = hunters if fellow else sm.Vehicles(crowd, dtype=np.float64)
    forces = []
    for pairs in (10**9, 0):
        monkeypatch.setattr(target, "PAIRS", pairs)
        forces.append(sm.Controller(hunters, sm.Seek(prey), domain=domain).steer(0.1).copy())
    np.testing.assert_array_equal(forces[0], forces[1])
    apart = domain.difference(prey.position[None], hunters.position[:, None])
    far = np.linalg.norm(apart, axis=2) + (np.diag(np.full(60, np.inf)) if fellow else 0)
    way = apart[np.arange(60), np.argmin(far, axis=1)]
    np.testing.assert_allclose(forces[1] / np.linalg.norm(forces[1], axis=1, keepdims=True),
                               way / np.linalg.norm(way, axis=1, keepdims=True), atol=1e-12)  # fmt: skip


def test_of_many_that_come_and_go_the_nearest_is_found_in_a_grid(monkeypatch: Any) -> None:
    """Far away at first: the cells are those of the vehicles that there are."""
    monkeypatch.setattr(target, "PAIRS", 0)
    rng = np.random.default_rng(4)
    hunters = sm.Vehicles(rng.uniform(0, 5, (9, 2)), max_force=1e3, dtype=np.float64)
    prey = sm.Vehicles(rng.uniform(0, 5, (40, 2)), dtype=np.float64)
    controller = sm.Controller(hunters, sm.Seek(prey))
    for change in (
        lambda: None,
        lambda: prey.remove(prey.position[:, 0] > 2),
        lambda: prey.spawn(rng.uniform(40, 60, (9, 2))),
        lambda: hunters.spawn(rng.uniform(40, 60, (9, 2))),
        lambda: prey.remove(prey.position[:, 0] < 9),
    ):
        change()
        force = controller.steer(0.1)
        way = prey.position[None] - hunters.position[:, None]
        nearest = way[np.arange(len(hunters)), np.argmin(np.linalg.norm(way, axis=2), axis=1)]
        np.testing.assert_allclose(np.sum(sm.laws.normalize(force) * sm.laws.normalize(nearest), axis=1), 1)


@pytest.mark.parametrize("found", ["home", None, [[1, 2], [3]], True])
def test_a_function_that_returns_no_numbers(found: object) -> None:
    world = sm.World()
    world.add(sm.Vehicles([[0, 0], [1, 1]]), steering=sm.Seek(lambda: found))
    with pytest.raises((TypeError, ValueError), match=r"^target\(\) must (be numbers, got|have rows of one length)"):
        world.step()
    assert world.steps == 0
