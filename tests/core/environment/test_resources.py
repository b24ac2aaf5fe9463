"""Resources: shares of what runs out."""

import numpy as np
import pytest

import steersman as sm


def test_everybody_gets_what_he_wants_while_there_is_enough():
    food = sm.Resources([[0, 0], [5, 5]], [10, 1])
    np.testing.assert_array_equal(food.take(np.array([0, 0, 1]), 1.0), [1, 1, 1])
    np.testing.assert_array_equal(food.amount, [8, 0])


def test_what_is_scarce_is_shared_in_proportion():
    food = sm.Resources([[0, 0], [5, 5]], [6, 2])
    np.testing.assert_allclose(food.take(np.array([0, 0, 1, 0]), np.array([4.0, 6.0, 1.0, 2.0])), [2, 3, 1, 1])
    np.testing.assert_allclose(food.amount, [0, 1])
    np.testing.assert_array_equal(food.take(np.array([0]), 1.0), [0])


def test_nobody_takes_nothing():
    food = sm.Resources([0, 0], 3)
    assert len(food.take(np.zeros(0, int), 1.0)) == 0
    assert food.amount == [3]
    assert food.dimensions == 2
    assert "3 left" in repr(food)


def test_amounts_may_be_written():
    food = sm.Resources(np.zeros((3, 2)), 2)
    food.amount = [1, 2, 3]
    food.amount[0] = 7
    np.testing.assert_array_equal(food.amount, [7, 2, 3])
    with pytest.raises(ValueError, match="amount must be >= 0, got -1"):
        food.amount = -1
    with pytest.raises(ValueError, match="read-only"):
        food.position[0] = 1


def test_what_is_refused():
    with pytest.raises(ValueError, match="position must have shape"):
        sm.Resources([])
    with pytest.raises(ValueError, match="amount must be >= 0, got -2"):
        sm.Resources([0, 0], -2)
    with pytest.raises(ValueError, match="amount must be finite"):
        sm.Resources([0, 0], np.inf)
