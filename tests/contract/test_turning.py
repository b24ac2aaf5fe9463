"""What the behaviors that turn a vehicle say, alone and in combinators."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from contract.examples.turning import EXAMPLES
from contract.places import Array, State, mirror, rotation
from contract.references import COMBINATIONS, answer, claimed
from contract.references.turning import TURNING, Turned
from contract.references.vehicle import At
from contract.running import DT, NAME, SEED, controller, root
from contract.test_contract import SPOILT
from contract.trying import try_examples
from precision import assert_single_precision

import steersman as sm
from steersman.core.kernels.call import ROW
from steersman.core.steering.behavior import as_behavior
from steersman.core.steering.scene.scene import Clock
from steersman.core.steering.tree.tree import Node, assign_keys, grow
from steersman.core.steering.turning.face import face
from steersman.core.steering.turning.look_where_you_go import look_where_you_go
from steersman.core.steering.turning.reach_orientation import reach_orientation
from steersman.core.world.plan import SteeringPlan
from steersman.core.world.population import Population

ALL = try_examples(examples=EXAMPLES)


def turned(node: Node, at: At) -> Array:
    """What a node of a tree should say about turning."""
    kind, at = type(node.behavior).__name__, replace(at, key=node.key)
    if kind in TURNING:
        return TURNING[kind](node.behavior, at)
    if kind not in COMBINATIONS:
        return np.zeros(1 if len(at.position) == 2 else 3)
    parts = [(turned(child, at), claimed(answer(child, at), at)[1]) for child in node.children]
    combined, _ = COMBINATIONS[kind](node.behavior, Turned(at.place, at.i, at.step, at.key), parts)
    return combined


def spun(state: State, dtype: Any = np.float64, seed: int = 3) -> Any:
    """The objects, turning."""
    place, rng = state.place(dtype), np.random.default_rng(seed)
    n = len(place.vehicles)
    place.vehicles.angular_velocity = rng.normal(0, 2, n if state.dimensions == 2 else (n, 3))
    place.vehicles.max_angular_speed = rng.uniform(0.5, 6, n)
    place.vehicles.max_angular_acceleration = rng.uniform(2, 40, n)
    return place


@try_examples(("space",), ("plane", "torus", "space"), examples=EXAMPLES)
def test_kernels_say_what_the_equations_say(name: str, space: str) -> None:
    for seed in range(3):
        place = spun(State.random(seed, 3 if space == "space" else 2, torus=space == "torus"))
        tree = grow(as_behavior(EXAMPLES[name](place)))
        assign_keys(tree, None, 0)
        expected = np.array([turned(tree, At(place, i)) for i in range(9)])
        record = root(place, tree.behavior)
        np.testing.assert_allclose(np.stack(record.raw_angular, axis=1), expected, rtol=1e-9, atol=1e-9)
        assert (expected != 0).any()


@try_examples(("dtype",), (np.float32, np.float64), examples=EXAMPLES)
def test_turning_is_at_most_what_the_vehicle_can(name: str, dtype: Any) -> None:
    for d in (2, 3) if dtype == np.float64 else (2,):
        place = spun(State.random(1, d), dtype)
        steered = controller(place, EXAMPLES[name](place))
        steered.steer(DT)
        assert steered.turning.shape == ((9,) if d == 2 else (9, 3))
        size = np.abs(steered.turning) if d == 2 else np.linalg.norm(steered.turning, axis=1)
        assert (size <= place.vehicles.max_angular_acceleration * (1 + 4 * np.finfo(dtype).eps)).all()


SPIN = {
    "max_angular_speed 0": {"max_angular_speed": 0.0},
    "max_angular_acceleration 0": {"max_angular_acceleration": 0.0},
    "no limits": {"max_angular_speed": 1e10, "max_angular_acceleration": 1e12},
    "whirling": {"angular_velocity": 1e10},
}


@try_examples(("how",), (*SPOILT, *SPIN), examples=EXAMPLES)
def test_nothing_degenerate_gives_nan(name: str, how: str) -> None:
    """The controller itself raises where a number is not finite."""
    place = spun(SPOILT.get(how, lambda state: state)(State.random(5, 2)), np.float32)
    for column, value in SPIN.get(how, {}).items():
        setattr(place.vehicles, column, value)
    steered = controller(place, EXAMPLES[name](place))
    for _ in range(2):
        steered.steer(DT)
        assert np.isfinite(steered.turning).all()


@ALL
def test_nothing_degenerate_gives_nan_in_space(name: str) -> None:
    for how in ("all in one place", "at rest in one place", "max_speed 0, at rest"):
        place = spun(SPOILT[how](State.random(6, 3)))
        steered = controller(place, EXAMPLES[name](place))
        steered.steer(DT)
        assert np.isfinite(steered.turning).all()


FRAMES = [name for name in EXAMPLES if "orientation" not in name and "priority" not in name and "normal" not in name]
"""Examples whose goals turn with the world, and that draw no random numbers."""


@pytest.mark.parametrize("name", FRAMES)
@pytest.mark.parametrize("dimensions", [2, 3])
def test_turning_the_world_turns_the_axes(name: str, dimensions: int) -> None:
    """In the plane the angle stays; in a mirror a turn goes the other way round."""
    for matrix in (rotation(dimensions, 0.7), rotation(dimensions, -2.5), mirror(dimensions)):
        said = []
        hand = np.linalg.det(matrix)
        for turn in (np.eye(dimensions), matrix):
            place = spun(State.random(1, dimensions).moved(turn, np.zeros(dimensions)))
            sign = hand if turn is matrix else 1.0
            rate = place.vehicles.angular_velocity
            place.vehicles.angular_velocity = sign * (rate if dimensions == 2 else rate @ turn.T)
            steered = controller(place, EXAMPLES[name](place))
            steered.steer(DT)
            said.append(steered.turning.copy())
        expected = hand * (said[0] if dimensions == 2 else said[0] @ matrix.T)
        np.testing.assert_allclose(said[1], expected, rtol=1e-8, atol=1e-8)


@ALL
def test_vehicles_that_are_not_asked_do_not_turn(name: str) -> None:
    place = spun(State.random(1, 2))

    def part_way(vehicles: Any) -> Any:
        return np.where(vehicles.id[:, None] % 2 == 0, 1.0, 0.0) * vehicles.forward

    steered = controller(place, sm.Priority([part_way, EXAMPLES[name](place)]))
    alone = controller(place, EXAMPLES[name](place))
    steered.steer(DT)
    alone.steer(DT)
    even = place.vehicles.id % 2 == 0
    assert not steered.turning[even].any()
    if "priority" not in name and "normal" not in name:  # Random draws belong to the node's key.
        np.testing.assert_array_equal(steered.turning[~even], alone.turning[~even])


@pytest.mark.parametrize("dimensions", [2, 3])
def test_float32_kernels_stay_in_float32(dimensions: int) -> None:
    place, seen = spun(State.random(1, dimensions), np.float32), set()
    for name in EXAMPLES:
        for call in plan_calls(place, EXAMPLES[name](place)):
            function = getattr(call.kernel, "py_func", None)
            if function in TURNERS and function not in seen:
                seen.add(function)
                assert_single_precision(call.kernel, ROW(0), ROW(9), *call.arguments)
    assert seen == TURNERS


TURNERS = {each.py_func for each in (face, look_where_you_go, reach_orientation)}


def plan_calls(place: Any, behavior: Any) -> Any:
    population = Population(NAME, place.vehicles, behavior, sm.PointMass())
    block = np.zeros((place.vehicles.dimensions, 9), np.float32)
    return SteeringPlan(population, place.domain, Clock.new(np.float32), SEED, block).calls
