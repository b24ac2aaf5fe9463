"""Forward, side and up, and the way between world and local coordinates."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import steersman as sm

numbers = st.floats(-100, 100, allow_nan=False)


def directions(d):
    vector = st.lists(numbers, min_size=d, max_size=d)
    return vector.filter(lambda v: np.linalg.norm(v) > 1e-3)


def points(d):
    return st.lists(st.lists(numbers, min_size=d, max_size=d), min_size=1, max_size=4)


@given(points(2), directions(2), st.lists(numbers, min_size=2, max_size=2))
def test_localize_and_globalize_are_inverse_in_2d(position, forward, point):
    vehicles = sm.Vehicles(position, forward=forward, dtype=np.float64)
    local = vehicles.localize(point)
    np.testing.assert_allclose(vehicles.globalize(local), np.tile(point, (len(position), 1)), atol=1e-10)
    distance = np.linalg.norm(np.subtract(point, position), axis=1)
    np.testing.assert_allclose(np.linalg.norm(local, axis=1), distance, atol=1e-10)


@given(points(3), directions(3), directions(3), st.lists(numbers, min_size=3, max_size=3))
def test_localize_and_globalize_are_inverse_in_3d(position, forward, up, point):
    vehicles = sm.Vehicles(position, forward=forward, up=up, dtype=np.float64)
    local = vehicles.localize(point)
    np.testing.assert_allclose(vehicles.globalize(local), np.tile(point, (len(position), 1)), atol=1e-9)
    axes = np.stack([vehicles.forward, vehicles.up, vehicles.side], axis=1)
    np.testing.assert_allclose(axes @ np.swapaxes(axes, 1, 2), np.tile(np.eye(3), (len(position), 1, 1)), atol=1e-12)


def test_local_components_are_ahead_up_and_right():
    flat = sm.Vehicles([1, 1], forward=[0, 1])
    np.testing.assert_array_equal(flat.side, [[1, 0]])
    np.testing.assert_array_equal(flat.localize([3, 6]), [[5, 2]])  # 5 ahead, 2 to the right
    solid = sm.Vehicles([0, 0, 0], forward=[1, 0, 0], up=[0, 0, 1])
    np.testing.assert_array_equal(solid.side, [[0, -1, 0]])
    np.testing.assert_array_equal(solid.localize([5, -2, 3]), [[5, 3, 2]])


def test_the_frames_are_right_handed():
    vehicles = sm.Vehicles([0, 0, 0], forward=[1, 2, 3], up=[3, 1, 0], dtype=np.float64)
    np.testing.assert_allclose(np.cross(vehicles.forward, vehicles.up), vehicles.side, atol=1e-15)
    np.testing.assert_allclose(np.cross(vehicles.side, vehicles.forward), vehicles.up, atol=1e-15)


def test_heading_is_in_a_half_open_range():
    vehicles = sm.Vehicles(np.zeros((4, 2)), forward=[[-1, 0], [-1, -0.0], [0, -1], [1, -0.0]])
    heading = vehicles.heading
    assert (heading > -np.pi).all()
    np.testing.assert_allclose(heading, [np.pi, np.pi, -np.pi / 2, 0], rtol=1e-6)


@given(st.floats(-50, 50))
def test_heading_round_trip(angle):
    vehicles = sm.Vehicles([0, 0], heading=angle, dtype=np.float64)
    difference = vehicles.heading[0] - angle
    assert abs(difference - 2 * np.pi * round(difference / (2 * np.pi))) < 1e-12


def test_points_for_localize_are_checked():
    vehicles = sm.Vehicles(np.zeros((3, 2)))
    with pytest.raises(ValueError, match=r"points must have shape \(3, 2\) or \(2,\)"):
        vehicles.localize([1, 2, 3])
    with pytest.raises(ValueError, match="local must be finite"):
        vehicles.globalize([np.nan, 0])
