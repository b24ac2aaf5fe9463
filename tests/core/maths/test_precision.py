"""Float32 kernels of the ground floor contain no float64 promotion, and the check that says so can fail."""

import numpy as np
import pytest
from precision import assert_single_precision, promotions

from steersman.core.kernels.kernel import is_compiling, kernel
from steersman.core.maths import frames, random, vectors

if not is_compiling():
    pytest.skip("kernels are not compiled", allow_module_level=True)

F = np.float32
FLAT = (F(1), F(2))
SOLID = (F(1), F(2), F(3))
COLUMN = np.zeros(2, F)
WORD = np.uint32(1)


@kernel
def half_of_all(column, out):
    for i in range(len(column)):
        out[i] = vectors.HALF * column[i]


@kernel
def half_of_all_promoted(column, out):
    for i in range(len(column)):
        out[i] = 0.5 * column[i] + 0.1


@kernel
def counts_promoted(column, out):
    for i in range(len(column)):
        out[i] = i / len(column)


@kernel
def calls_a_promoting_helper(column, out):
    half_of_all_promoted(column, out)


def test_the_check_sees_a_promotion():
    assert promotions(half_of_all, (COLUMN, COLUMN)) == []
    assert promotions(half_of_all_promoted, (COLUMN, COLUMN)) != []
    with pytest.raises(AssertionError, match="half_of_all_promoted promotes"):
        assert_single_precision(half_of_all_promoted, COLUMN, COLUMN)


def test_the_check_sees_a_float64_made_of_whole_numbers():
    assert promotions(counts_promoted, (COLUMN, COLUMN)) != []


def test_the_check_sees_a_promotion_in_a_helper():
    assert promotions(calls_a_promoting_helper, (COLUMN, COLUMN)) != []


@pytest.mark.parametrize(
    ("compiled", "arguments"),
    [
        (vectors.normalize, (SOLID,)),
        (vectors.truncate, (SOLID, F(1))),
        (vectors.lateral, (SOLID, SOLID)),
        (vectors.perpendicular, (SOLID,)),
        (vectors.difference, (SOLID, SOLID, np.zeros((2, 3), F))),
        (frames.realign, (SOLID, SOLID)),
        (frames.to_local, (FLAT, FLAT, ())),
        (frames.to_local, (SOLID, SOLID, SOLID)),
        (frames.to_global, (SOLID, SOLID, SOLID)),
        (random.uniform_positive, (WORD, COLUMN)),
        (random.normals, (WORD, WORD, COLUMN)),
        (random.unit_vector, (WORD, WORD, (COLUMN, COLUMN, COLUMN))),
    ],
    ids=lambda value: value.__name__ if hasattr(value, "py_func") else f"{len(value)} arguments",
)
def test_stays_in_float32(compiled, arguments):
    assert_single_precision(compiled, *arguments)
