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
    pixels = vehicles.points(vehicles.position * -7, whole=True)
    assert pixels[0] == (-2, -9, -16)[:d]  # Of -1.75, -8.75 and -15.75.
    assert all(type(x) is int for x in pixels[0])
    json.dumps([points, pixels])


def test_nobody_has_no_points():
    assert sm.Vehicles(np.zeros((0, 2))).points() == []


def test_numbers_are_python_numbers_too():
    vehicles = sm.Vehicles(np.zeros((2, 2)), [[0, 2], [3, 0]], mass=[2, 3])
    assert vehicles.points("heading") == pytest.approx([np.pi / 2, 0])
    assert vehicles.points("speed") == [2.0, 3.0]
    assert vehicles.points("mass", whole=True) == [2, 3]
    assert vehicles.points("id") == [0, 1]
    assert vehicles.points(-np.degrees(vehicles.heading)) == pytest.approx([-90, 0])
    columns = [vehicles.points(each) for each in ("heading", "speed", "mass", "id")]
    assert all(type(x) is float for column in columns[:3] for x in column)
    json.dumps(columns)


@pytest.mark.parametrize("wrong", ["up", "where", "forces", np.zeros((2, 2, 2)), 3.0])
def test_what_is_no_column_is_refused(wrong):
    with pytest.raises(ValueError, match="column must "):
        sm.Vehicles([0, 0]).points(wrong)
