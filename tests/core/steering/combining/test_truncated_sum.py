"""TruncatedSum: by hand, in both accountings; who has nothing left is not asked."""

from typing import Any

import numpy as np
import pytest
from core.steering.combining.crowd import Push, some, steer

import steersman as sm
from steersman import laws
from steersman.core.steering.behavior import Function


def test_what_fits_is_a_plain_sum() -> None:
    force = steer(some(max_force=9.0), sm.TruncatedSum([Push(3, 0), Push(0, 4)]))[0]
    np.testing.assert_allclose(force, np.tile([3, 4], (6, 1)))


@pytest.mark.parametrize(
    ("accounting", "expected"),
    # 3 to the right leave 1 of 4, of which 1 goes up. The sum is sqrt(10) = 3.16 long, which leaves 0.84 for the left;
    # but lengths of 3 and 1 leave nothing.
    [("running", [3 - (4 - 10**0.5), 1]), ("lengths", [3, 1])],
)
def test_the_part_that_overflows_is_cut(accounting: str, expected: Any) -> None:
    tree = sm.TruncatedSum([Push(3, 0), Push(0, 5), Push(-2, 0)], accounting=accounting)
    np.testing.assert_allclose(steer(some(max_force=4.0), tree)[0], np.tile(expected, (6, 1)), rtol=1e-12)


def test_parts_that_pull_against_each_other_leave_room_by_one_accounting_only() -> None:
    """3 to the right leave 1, which pulls back to 2; of a sum of 2 two are left, of lengths 3 and 1 nothing."""
    parts = [Push(3, 0), Push(-3, 0), Push(0, 5)]
    for accounting, expected in (("running", [2, 2]), ("lengths", [2, 0])):
        force = steer(some(max_force=4.0), sm.TruncatedSum(parts, accounting=accounting))[0]
        np.testing.assert_allclose(force, np.tile(expected, (6, 1)), rtol=1e-12)


def test_who_has_nothing_left_is_not_asked() -> None:
    """Memory of the wander below rests for those whose force is spent, and its part is not computed."""

    def urgent(vehicles: sm.Vehicles) -> Any:
        return np.where(vehicles.id[:, None] % 2 == 0, 50.0, 0.0) * [[1.0, 0.0]]

    vehicles = some(max_force=4.0)
    world = sm.World(seed=1, threads=1)
    population = world.add(vehicles, steering=sm.TruncatedSum([urgent, sm.Wander()]))
    before = next(iter(population.memories.values())).snapshot()["point"]
    world.run(steps=3, dt=0.05)
    after = next(iter(population.memories.values())).snapshot()["point"]
    rests = vehicles.id % 2 == 0
    np.testing.assert_array_equal(after[rests], before[rests])
    assert (after[~rests] != before[~rests]).any(axis=1).all()
    below = Push(1, 1)
    steer(some(max_force=4.0), sm.TruncatedSum([Push(9, 0), below]), steps=3)
    assert below.asked == 0


def test_weights_are_given_or_written() -> None:
    parts = [Push(1, 0), Push(0, 1)]
    given = sm.TruncatedSum(parts, weights=(2, 0.5))
    written = sm.TruncatedSum([2 * Function(parts[0]), 0.5 * Function(parts[1])])
    assert given == written
    np.testing.assert_allclose(steer(some(), written)[0][0], [2, 0.5])


def test_a_sum_inside_is_one_part() -> None:
    inner = 2 * (Function(Push(1, 0)) + Push(0, 1))
    tree = sm.TruncatedSum([inner, Push(5, 0)])
    assert tree.components[0] is inner
    np.testing.assert_allclose(steer(some(max_force=8**0.5), tree)[0][0], [2, 2], rtol=1e-12)


def test_the_trace_says_what_was_kept() -> None:
    told = sm.Controller(some(max_force=4.0), sm.TruncatedSum([Push(3, 0), Push(0, 5)]), threads=1).explain()
    np.testing.assert_allclose(told.parts[1].raw[0], [0, 5])
    np.testing.assert_allclose(told.parts[1].contribution[0], [0, 1])
    np.testing.assert_allclose(sum(part.contribution for part in told.parts), told.raw)


def test_it_never_exceeds_max_force() -> None:
    rng = np.random.default_rng(0)
    parts = [Push(*force) for force in rng.normal(0, 10, (12, 2))]
    for accounting in ("running", "lengths"):
        force = steer(some(max_force=7.0), sm.TruncatedSum(parts, accounting=accounting))[0]
        assert (np.linalg.norm(force, axis=1) <= 7 * (1 + 1e-12)).all()
        expected = laws.truncated_sum([part.force for part in parts], np.ones(12), 7.0, accounting=accounting)
        np.testing.assert_allclose(force, np.tile(expected, (6, 1)), rtol=1e-9)


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(ValueError, match='accounting must be "running" or "lengths", got \'sum\''):
        sm.TruncatedSum([Push(1, 0)], accounting="sum")
    with pytest.raises(ValueError, match=r"weights must be as many as the parts \(1\), got 2"):
        sm.TruncatedSum([Push(1, 0)], weights=(1, 2))
    with pytest.raises(ValueError, match='accounting must be "running" or "lengths"'):
        laws.truncated_sum([np.ones(2)], [1], 1.0, accounting="sum")
