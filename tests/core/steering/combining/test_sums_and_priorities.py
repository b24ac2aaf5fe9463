"""Sums and priorities: how trees are written, and what they mean."""

import sys
from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman import laws
from steersman.core.steering.behavior import Function
from steersman.core.steering.tree.forces import EPSILON
from steersman.core.steering.tree.node_parameters import DEEPEST

DT = 0.1
SEEK, FLEE, WANDER = sm.Seek([9.0, 4.0]), sm.Flee([5.0, 5.0]), sm.Wander()


def some(n: int = 6, **columns: Any) -> sm.Vehicles:
    rng = np.random.default_rng(3)
    given = {"max_speed": 3.0, "max_force": rng.uniform(1, 8, n), "dtype": np.float64} | columns
    return sm.Vehicles(rng.uniform(0, 10, (n, 2)), rng.normal(0, 1, (n, 2)), **given)


def steer(vehicles: sm.Vehicles, steering: Any, steps: int = 1) -> Any:
    controller = sm.Controller(vehicles, steering, threads=1)
    for _ in range(steps):
        force = controller.steer(DT)
    return force.copy()


def push(x: float, y: float) -> Any:
    """A function that pushes everybody alike."""
    return lambda vehicles: np.tile([x, y], (len(vehicles), 1))


def weights_of(tree: Any) -> list[tuple[Any, float]]:
    return list(zip(tree.components, tree.weights, strict=True))


# ---------------------------------------------------------------------------------------------------- operators


def test_plus_makes_one_flat_sum() -> None:
    tree = SEEK + FLEE + WANDER
    assert weights_of(tree) == [(SEEK, 1), (FLEE, 1), (WANDER, 1)]
    assert weights_of(SEEK + (FLEE + WANDER)) == weights_of(tree)


def test_a_weight_distributes_over_a_sum() -> None:
    assert weights_of(2 * (SEEK + 3 * FLEE)) == [(SEEK, 2), (FLEE, 6)]
    assert weights_of(0.5 * (2 * SEEK)) == [(SEEK, 1)]
    assert weights_of((SEEK * 2 + WANDER) * 3 + 4 * FLEE) == [(SEEK, 6), (WANDER, 3), (FLEE, 4)]


def test_minus_and_divided_by_are_weights_too() -> None:
    tree = SEEK - 2 * FLEE + -WANDER / 4
    assert tree.components == (SEEK, FLEE, WANDER)
    assert tree.weights == (1.0, -2.0, -0.25)


def test_an_explicit_sum_stays_a_node() -> None:
    inner = sm.WeightedSum([SEEK, FLEE], each="raw")
    assert weights_of(2 * inner + WANDER) == [(inner, 2), (WANDER, 1)]
    assert weights_of(sm.WeightedSum([inner, WANDER], weights=(3, 1))) == [(inner, 3), (WANDER, 1)]
    # What is written with operators flattens into an explicit sum too.
    assert weights_of(sm.WeightedSum([2 * SEEK + FLEE, WANDER], weights=(3, 1))) == [(SEEK, 6), (FLEE, 3), (WANDER, 1)]


def test_a_named_sum_is_a_node_of_its_own() -> None:
    named = sm.WeightedSum([SEEK, FLEE], name="pair")
    assert [part for part, _ in weights_of(named + WANDER)] == [named, WANDER]


@pytest.mark.parametrize(
    "setting", [{"name": "pair"}, {"each": "raw"}, {"balance": False}, {"normalize_weights": True}], ids=str
)
def test_a_written_sum_that_has_got_a_setting_of_its_own_keeps_it(setting: dict[str, Any]) -> None:
    changed = (SEEK + 2 * FLEE).replace(**setting)
    assert weights_of(3 * changed + WANDER) == [(changed, 3), (WANDER, 1)]
    ((name, value),) = setting.items()
    assert f"{name}={value!r}" in repr(changed)


def calls_of(action: Any) -> int:
    """How many functions, of Python and built in, an action calls; each part that a generator looks at counts as one."""
    calls = 0

    def count(frame: Any, event: str, _: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        action()
    finally:
        sys.setprofile(before)
    return calls


@pytest.mark.parametrize("column", [False, True])
def test_one_more_part_takes_no_look_at_those_before(column: bool) -> None:
    """Each `+` flattened and looked at all parts anew: a sum of 4,000 took 5.5 s."""
    nested = sm.Priority([sm.Priority([SEEK])])
    first = nested * ("eager" if column else 3.0)
    short, long = first + FLEE, sum([first] + 400 * [FLEE])
    assert long.components == (nested, *400 * [FLEE])
    assert long.weights == (*first.weights, *400 * [1.0])
    assert short.nested == long.nested == 1 + nested.nested
    assert calls_of(lambda: long + WANDER) == calls_of(lambda: short + WANDER)
    assert calls_of(lambda: WANDER + long) == calls_of(lambda: WANDER + short)
    assert calls_of(lambda: 2 * sum(400 * [FLEE])) > 400  # Of a weight every part takes its share.


def test_parts_are_nested_no_deeper_in_a_flat_sum() -> None:
    """One that stays a node of its own counts."""
    flat, own = SEEK + FLEE + WANDER, sm.WeightedSum([SEEK, FLEE]) + WANDER
    assert (flat.nested, own.nested) == (2, 3)
    assert (sm.Priority([SEEK]) + flat).nested == (flat + sm.Priority([SEEK])).nested == 3
    deep: Any = SEEK
    for _ in range(DEEPEST - 1):
        deep = sm.Priority([deep])
    with pytest.raises(ValueError, match="nested at most"):
        FLEE + WANDER + deep


def test_functions_mix_in() -> None:
    f = push(1, 2)
    tree = f + SEEK + f
    assert [type(part) for part in tree.components] == [Function, sm.Seek, Function]
    assert weights_of(2 * (SEEK + f))[1] == (Function(f), 2)
    vehicles = some(max_force=100.0)
    np.testing.assert_allclose(steer(vehicles, f), np.tile([1, 2], (6, 1)))
    np.testing.assert_allclose(steer(vehicles, push(1, 2) + 3 * sm.WeightedSum([push(0, 1)])), np.tile([1, 5], (6, 1)))


@pytest.mark.parametrize("weight", ["2", None, True, 1j, SEEK])
def test_a_weight_is_a_number(weight: Any) -> None:
    with pytest.raises(TypeError, match="weight must be a finite number"):
        weight * SEEK


def test_sums_refuse_what_makes_no_sense() -> None:
    with pytest.raises(ValueError, match="weight must be a finite number, got nan"):
        float("nan") * SEEK
    with pytest.raises(ValueError, match=r"weights must be as many as the parts \(2\), got 1"):
        sm.WeightedSum([SEEK, FLEE], weights=(1,))
    with pytest.raises(ValueError, match="must not add up to zero"):
        sm.WeightedSum([SEEK, FLEE], weights=(1, -1), normalize_weights=True)
    with pytest.raises(ValueError, match='each must be "limit", "normalize" or "raw", got \'clip\''):
        sm.WeightedSum([SEEK], each="clip")
    with pytest.raises(TypeError, match="steering must be a behavior or a function"):
        SEEK + 3  # type: ignore[operator]
    for combinator in (sm.WeightedSum, sm.Priority):
        with pytest.raises(ValueError, match="at least one behavior, got none"):
            combinator([])
        with pytest.raises(TypeError, match="must be a list of behaviors"):
            combinator(SEEK)
        with pytest.raises(TypeError, match="components must be a behavior or a function"):
            combinator([SEEK, "flee"])


# ---------------------------------------------------------------------------------------------------- sums


@pytest.mark.parametrize("each", ["limit", "normalize", "raw"])
@pytest.mark.parametrize("normalize_weights", [False, True])
def test_a_sum_is_the_law_of_sums(each: str, normalize_weights: bool) -> None:
    vehicles = some()
    parts, weights = [push(3, -1), push(0.02, 0.1), push(0, 0)], (0.5, 2.0, -0.7)
    tree = sm.WeightedSum(parts, weights=weights, each=each, normalize_weights=normalize_weights)
    expected = laws.weighted_sum(
        [part(vehicles) for part in parts],
        weights,
        each=each,
        max_force=vehicles.max_force,
        normalize_weights=normalize_weights,
    )
    np.testing.assert_allclose(steer(vehicles, tree), laws.truncate(expected, vehicles.max_force), rtol=1e-12)


def test_by_default_no_part_drowns_the_others() -> None:
    vehicles = some(max_force=2.0)
    np.testing.assert_allclose(steer(vehicles, 0.5 * Function(push(1000, 0)) + push(0, 1)), np.tile([1.0, 1], (6, 1)))


def test_a_zero_part_stays_zero_when_normalized() -> None:
    np.testing.assert_array_equal(steer(some(), sm.WeightedSum([push(0, 0)], each="normalize")), 0)


def test_a_nested_sum_is_limited_as_a_whole() -> None:
    vehicles = some(max_force=2.0)
    inner = sm.WeightedSum([push(3, 0), push(0, 4)], each="raw")
    np.testing.assert_allclose(steer(vehicles, sm.WeightedSum([inner, push(-1, 0)])), np.tile([0.2, 1.6], (6, 1)))


def test_a_nested_raw_sum_has_its_weight() -> None:
    inner = sm.WeightedSum([push(1, 0), push(0, 2)], each="raw")
    outer = sm.WeightedSum([inner, push(0, 1)], weights=(3.0, 1.0), each="raw")
    np.testing.assert_allclose(steer(some(max_force=100.0), outer), np.tile([3.0, 7.0], (6, 1)))
    deeper = sm.WeightedSum([sm.WeightedSum([inner], weights=(0.5,), each="raw")], weights=(-2.0,), each="raw")
    np.testing.assert_allclose(steer(some(max_force=100.0), deeper), np.tile([-1.0, -2.0], (6, 1)))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_flocking_is_the_sum_of_its_parts_bit_for_bit(dtype: Any) -> None:
    rng = np.random.default_rng(0)
    herd = sm.Vehicles(
        rng.uniform(0, 12, (30, 2)), rng.normal(0, 1, (30, 2)), max_speed=2.0, max_force=5.0, dtype=dtype
    )
    flocking = sm.Flocking(
        separation_weight=1.2, separation_radius=3.0, separation_angle=4.0, alignment_weight=0.7, alignment_radius=5.0,
        alignment_angle=5.0, cohesion_weight=0.9, cohesion_radius=6.0, cohesion_angle=3.0, inner_radius=1.0,
        each="normalize",
    )  # fmt: skip
    by_hand = sm.WeightedSum(
        [
            sm.Separation(radius=3.0, angle=4.0, inner_radius=1.0),
            sm.Alignment(radius=5.0, angle=5.0, inner_radius=1.0),
            sm.Cohesion(radius=6.0, angle=3.0, inner_radius=1.0),
        ],
        weights=(1.2, 0.7, 0.9),
        each="normalize",
    )
    force = steer(herd, flocking)
    assert force.any(axis=1).all()
    np.testing.assert_array_equal(force, steer(herd, by_hand))


# ---------------------------------------------------------------------------------------------------- priority


def ahead_of(x: float) -> Any:
    """A push for the vehicles right of x, nothing for the others."""
    return lambda vehicles: np.where(vehicles.position[:, :1] > x, 1.0, 0.0) * [[0.3, 0.1]]


def test_the_first_that_acts_wins_for_each_vehicle() -> None:
    vehicles = some(max_force=100.0)
    parts = [ahead_of(7), ahead_of(4), push(0, -1)]
    expected = laws.priority([part(vehicles) for part in parts])
    assert len(np.unique(expected, axis=0)) == 2
    np.testing.assert_allclose(steer(vehicles, sm.Priority(parts)), expected, rtol=1e-12)


def test_lower_parts_cannot_be_heard_through_higher_ones() -> None:
    vehicles = some()
    flee = sm.Flee([5.0, 5.0], panic_distance=4.0)
    force = steer(vehicles, sm.Priority([flee, push(0.1, 0)]))
    alone = steer(vehicles, flee)
    afraid = np.linalg.norm(vehicles.position - 5, axis=1) <= 4
    assert 0 < afraid.sum() < 6
    np.testing.assert_array_equal(force[afraid], alone[afraid])
    np.testing.assert_allclose(force[~afraid], [[0.1, 0]] * (~afraid).sum())


@pytest.mark.parametrize("goal", [sm.Seek, sm.Arrive])
def test_a_satisfied_goal_does_not_fall_through(goal: Any) -> None:
    """On the target and at rest its force is exactly zero; still it has the vehicle."""
    vehicles = sm.Vehicles([[2.0, 3.0]], max_speed=3.0, dtype=np.float64)
    np.testing.assert_array_equal(steer(vehicles, sm.Priority([goal([2.0, 3.0]), push(1, 0)])), [[0, 0]])


def test_a_part_without_a_force_falls_through() -> None:
    vehicles = some(max_force=100.0)
    quiet = [sm.Flee([50.0, 50.0], panic_distance=1.0), sm.Separation(radius=1e-3), push(0, 0), push(1e-12, 0)]
    np.testing.assert_allclose(steer(vehicles, sm.Priority([*quiet, push(1, 2)])), np.tile([1.0, 2], (6, 1)))


@pytest.mark.parametrize("max_force", [1e-3, 1.0, 1e4])
def test_a_force_claims_from_a_millionth_of_max_force_on(max_force: float) -> None:
    vehicles, least = some(max_force=max_force), float(EPSILON) * max_force
    below = push(0, max_force)
    for factor, falls_through in ((0.5, True), (2.0, False)):
        force = steer(vehicles, sm.Priority([push(factor * least, 0), below]))
        expected = [0, max_force] if falls_through else [factor * least, 0]
        np.testing.assert_allclose(force, np.tile(expected, (6, 1)), rtol=1e-12)


def sharing() -> tuple[sm.Vehicles, sm.Contain]:
    """Six vehicles, of which three need a part of their force to stay inside, the others none."""
    place = np.array([[0.0, 0], [8.2, 0], [8.5, 0], [8.8, 0], [0, 1], [1, 0]])
    vehicles = sm.Vehicles(place, np.zeros((6, 2)), max_force=10.0, response_time=0.3, dtype=np.float64)
    return vehicles, sm.Contain(sm.Sphere([0, 0], 10))


@pytest.mark.parametrize("combine", [sm.Priority, lambda parts: sm.Dithered(parts, probabilities=[1] * len(parts))])
def test_a_part_that_shares_leaves_the_rest_to_those_below(combine: Any) -> None:
    """It is the first that gets what it needs; what is left of max_force is for the first below it that acts, alone."""
    vehicles, stay = sharing()
    tree = combine([stay, push(30, 40), push(-1, 0)])
    own = steer(vehicles, stay)
    size = np.linalg.norm(own, axis=1)
    assert ((size > 0.5) & (size < 9.5)).sum() == 3
    rest = np.where(size > 0, 10 - size, 10)
    np.testing.assert_allclose(steer(vehicles, tree), own + rest[:, None] * [0.6, 0.8], rtol=1e-9)
    expected = laws.priority([own, push(30, 40)(vehicles)], shares=[True, False], max_force=10)
    np.testing.assert_allclose(laws.truncate(expected, 10), own + rest[:, None] * [0.6, 0.8], rtol=1e-9)


@pytest.mark.parametrize("each", ["limit", "normalize", "raw"])
def test_what_is_shared_goes_up_as_one_force(each: str) -> None:
    """Through the edge of a sum and another priority: the sum of both parts is what is limited, or stretched."""
    vehicles, stay = sharing()
    inner = sm.Priority([stay, push(0, 1)])
    both = steer(vehicles, inner)
    tree = sm.WeightedSum([sm.Priority([inner, push(5, 5)])], each=each)
    expected = both / np.linalg.norm(both, axis=1)[:, None] * 10 if each == "normalize" else both
    np.testing.assert_allclose(steer(vehicles, tree), expected, rtol=1e-9)


def test_explain_says_what_is_kept_of_each_part_that_shares() -> None:
    vehicles, stay = sharing()
    world = sm.World(dt=1 / 60)
    world.add(vehicles, name="them", steering=sm.Priority([stay, push(30, 40)]))
    told = world.explain("them")
    first, second = told.parts
    np.testing.assert_allclose(first.contribution + second.contribution, told.contribution, rtol=1e-9)
    np.testing.assert_array_equal(first.acts, [False, True, True, True, False, False])
    assert second.acts.all()


def test_a_sum_with_a_part_that_shares_does_not_share() -> None:
    """Its other parts have their way: a Priority goes no further, as for any sum."""
    vehicles, stay = sharing()
    group = stay + push(0, 1)
    np.testing.assert_allclose(steer(vehicles, sm.Priority([group, push(3, 0)])), steer(vehicles, group), rtol=1e-12)


def test_groups_are_blended_inside_and_ranked_outside() -> None:
    vehicles = some(max_force=100.0)
    group = 2 * Function(ahead_of(7)) + ahead_of(4)
    tree = sm.Priority([group, sm.Priority([ahead_of(2), push(0, -1)])])
    blended = 2 * ahead_of(7)(vehicles) + ahead_of(4)(vehicles)
    expected = laws.priority([blended, ahead_of(2)(vehicles), push(0, -1)(vehicles)])
    np.testing.assert_allclose(steer(vehicles, tree), expected, rtol=1e-12)


def test_a_priority_in_a_sum_says_what_its_winner_says() -> None:
    vehicles = some(max_force=100.0)
    tree = 2 * sm.Priority([ahead_of(5), push(0, 1)]) + push(1, 0)
    expected = 2 * laws.priority([ahead_of(5)(vehicles), push(0, 1)(vehicles)]) + [1, 0]
    np.testing.assert_allclose(steer(vehicles, tree), expected, rtol=1e-12)


def test_a_sum_whose_parts_cancel_still_acts() -> None:
    """Somebody steered on purpose; that the sum is zero does not hand the vehicle to what stands below."""
    vehicles = some(max_force=100.0)
    np.testing.assert_array_equal(steer(vehicles, sm.Priority([Function(push(1, 0)) + push(-1, 0), push(0, 5)])), 0)


def test_a_weight_of_zero_still_claims() -> None:
    """A weight scales a force; it does not take the part out of a Priority."""
    vehicles = some()
    force = steer(vehicles, sm.Priority([0 * sm.Seek([1.0, 1.0]), push(0, 5)]))
    np.testing.assert_array_equal(force, 0)


def test_memory_below_rests_while_something_above_acts() -> None:
    """A wander that had to wait goes on from where it was, at every depth."""
    switch = {"on": True}

    def urgent(vehicles: sm.Vehicles) -> Any:
        return np.ones((len(vehicles), 2)) * switch["on"]

    world = sm.World(seed=1, threads=1)
    vehicles = some()
    tree = sm.Priority(
        [urgent, sm.Priority([sm.Flee([99.0, 99.0], panic_distance=1.0), 0.5 * sm.Wander() + push(1, 0)])]
    )
    population = world.add(vehicles, steering=tree)
    before = [memory.snapshot() for memory in population.memories.values()]
    world.run(steps=5, dt=DT)
    for memory, start in zip(population.memories.values(), before, strict=True):
        np.testing.assert_array_equal(memory.snapshot()["point"], start["point"])
    switch["on"] = False
    world.step()
    assert all((memory.snapshot()["point"] != start["point"]).any()
               for memory, start in zip(population.memories.values(), before, strict=True))  # fmt: skip


def test_the_sum_of_python_is_the_sum():
    parts = [sm.Seek([0, 0]), 2 * sm.Wander(), lambda vehicles: vehicles.velocity * 0]
    added = sum(parts)
    assert [type(part).__name__ for part in added.components] == ["Seek", "Wander", "Function"]
    assert added.weights == (1.0, 2.0, 1.0)
    for wrong in (1, 0.0, False, None):
        with pytest.raises(TypeError, match="steering must be a behavior or a function"):
            sm.Wander() + wrong


def test_weights_of_numpy():
    assert (np.float32(2) * sm.Wander()).weights == (sm.Wander() * np.int64(2)).weights == (2.0,)
    for product in (np.array([1.0, 2.0]) * sm.Wander(), sm.Wander() * np.array([1.0, 2.0])):
        np.testing.assert_array_equal(product.weights[0].values, [1.0, 2.0])


@pytest.mark.parametrize("forces", [np.full((2, 2), "x"), np.full((2, 2), 1j), np.full((2, 2), None)])
def test_a_function_that_returns_no_numbers(forces):
    def push(vehicles):
        return forces

    world = sm.World()
    world.add(sm.Vehicles([[0, 0], [1, 1]]), steering=push)
    with pytest.raises(TypeError, match=r"^push must return numbers, got"):
        world.step()
