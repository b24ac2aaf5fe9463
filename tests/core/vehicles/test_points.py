"""Points as plain numbers, for libraries that refuse NumPy's."""

import json

import numpy as np
import pytest

import steersman as sm


@pytest.mark.parametrize(("d", "dtype"), [(2, np.float32), (3, np.float64)])
def test_points_are_tuples_of_python_numbers(d, dtype):
    vehicles = sm.Vehicles(np.arange(3 * d).reshape(3, d) + 0.25, np.ones(d), dtype=dtype)
    points = vehicles.points()
    assert points == [tuple(row) for row in vehicles.position.tolist()]
    assert all(type(point) is tuple and all(type(x) is float for x in point) for point in points)
    assert vehicles.points("velocity") == [(1.0,) * d] * 3
    pixels = vehicles.points(vehicles.position * 10, whole=True)
    assert pixels[0] == tuple(np.rint(vehicles.position[0] * 10).astype(int).tolist())
    assert all(type(x) is int for x in pixels[0])
    json.dumps([points, pixels])


def test_nobody_has_no_points():
    assert sm.Vehicles(np.zeros((0, 2))).points() == []


@pytest.mark.parametrize("wrong", ["mass", "up", "where", np.zeros(3)])
def test_what_is_no_column_of_vectors_is_refused(wrong):
    with pytest.raises(ValueError, match="column must "):
        sm.Vehicles([0, 0]).points(wrong)
