"""Scalar parameters of kernels, by name."""

import pickle
from types import SimpleNamespace

import numpy as np
import pytest

import steersman.core.kernels.numbers as numbers_module
from steersman.core.kernels.numbers import USUAL, numbers_of

OWN = SimpleNamespace(radius=2, slowing_distance=None)


def test_parameters_come_by_their_names_in_the_type_of_the_vehicles() -> None:
    numbers = numbers_of(OWN, np.float32, "radius", "slowing_distance", cosine=0.5)
    assert (numbers.radius, numbers.slowing_distance, numbers.cosine) == (2, USUAL, 0.5)
    assert {type(each) for each in numbers} == {np.float32}


def test_the_order_of_the_names_does_not_matter() -> None:
    one, other = numbers_of(OWN, float, "radius", cosine=0.5), numbers_of(OWN, float, cosine=0.5, radius=2)
    assert one == other
    assert type(one) is type(other)


def test_another_process_finds_the_class_by_its_name() -> None:
    kind = type(numbers_of(OWN, float, "radius", "slowing_distance"))
    assert pickle.loads(pickle.dumps(kind)) is kind
    assert getattr(numbers_module, kind.__name__) is kind


def test_the_module_has_no_other_names() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        numbers_module.nothing  # noqa: B018
