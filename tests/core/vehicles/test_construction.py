"""What a population is made from: shapes, defaults, and every complaint."""

import re

import numpy as np
import pytest

import steersman as sm

POINTS = [[0.0, 0.0], [3.0, 4.0], [-1.0, 2.0]]
SOLID = [[0.0, 0.0, 0.0], [3.0, 4.0, 5.0]]


def test_defaults():
    vehicles = sm.Vehicles(POINTS)
    assert len(vehicles) == 3
    assert vehicles.dimensions == 2
    assert vehicles.dtype == np.float32
    assert not vehicles.velocity.any()
    np.testing.assert_array_equal(vehicles.forward, [[1, 0]] * 3)
    expected = {"mass": 1, "radius": 0.5, "max_speed": 1, "max_force": 1, "response_time": 0.1}
    for name, value in expected.items():
        np.testing.assert_array_equal(getattr(vehicles, name), np.full(3, value, np.float32))
    assert vehicles.id.tolist() == [0, 1, 2]
    assert vehicles.id.dtype == np.int64
    assert repr(vehicles) == "Vehicles(n=3, dimensions=2, dtype=float32)"


def test_every_argument():
    vehicles = sm.Vehicles(
        SOLID,
        [[1, 0, 0], [0, 2, 0]],
        forward=[[0, 0, 5], [0, 1, 0]],
        up=[0, 1, 1],
        mass=[1, 2],
        radius=[0, 1],
        max_speed=[3, 4],
        max_force=[5, 6],
        response_time=[0.1, 0.2],
        id=[7, 3],
        dtype=np.float64,
    )
    np.testing.assert_array_equal(vehicles.position, SOLID)
    np.testing.assert_array_equal(vehicles.velocity, [[1, 0, 0], [0, 2, 0]])
    np.testing.assert_allclose(vehicles.forward, [[0, 0, 1], [0, 1, 0]])
    np.testing.assert_allclose(vehicles.up, [[0, 1, 0], [0, 0, 1]], atol=1e-15)
    for name, value in {"mass": [1, 2], "radius": [0, 1], "max_speed": [3, 4], "max_force": [5, 6]}.items():
        np.testing.assert_array_equal(getattr(vehicles, name), value)
    np.testing.assert_array_equal(vehicles.response_time, [0.1, 0.2])
    assert vehicles.id.tolist() == [7, 3]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_every_column_has_the_dtype(dtype):
    vehicles = sm.Vehicles(SOLID, dtype=dtype)
    columns = ("position", "velocity", "forward", "up", "mass", "radius", "max_speed", "max_force", "response_time")
    assert {getattr(vehicles, name).dtype for name in columns} == {np.dtype(dtype)}
    assert vehicles.speed.dtype == vehicles.side.dtype == dtype


def test_one_point_is_one_vehicle_and_a_row_is_for_all():
    assert sm.Vehicles([1, 2]).position.tolist() == [[1, 2]]
    vehicles = sm.Vehicles(POINTS, [1, 2], forward=[0, 2])
    assert vehicles.velocity.tolist() == [[1, 2]] * 3
    assert vehicles.forward.tolist() == [[0, 1]] * 3


def test_nobody():
    vehicles = sm.Vehicles(np.empty((0, 3)))
    assert len(vehicles) == 0
    assert vehicles.up.shape == (0, 3)
    assert vehicles.localize([1, 2, 3]).shape == (0, 3)


@pytest.mark.parametrize(
    "given",
    [
        POINTS,
        [[0, 0], [3, 4], [-1, 2]],
        np.asfortranarray(POINTS),
        np.repeat(np.array(POINTS), 2, axis=0)[::2],
        np.array(POINTS, np.int16),
        np.array(POINTS, np.float16),
        np.array(POINTS, ">f8"),
        tuple(map(tuple, POINTS)),
    ],
    ids=["lists", "integers", "Fortran order", "strided", "int16", "float16", "big-endian", "tuples"],
)
def test_anything_that_holds_numbers_is_copied(given):
    vehicles = sm.Vehicles(given)
    np.testing.assert_array_equal(vehicles.position, POINTS)
    assert not np.shares_memory(vehicles.position, np.asarray(given))


def test_read_only_arrays_are_copied_to_writable_ones():
    points, masses = np.array(POINTS), np.ones(3)
    points.flags.writeable = masses.flags.writeable = False
    vehicles = sm.Vehicles(points, mass=masses)
    vehicles.position[0] = 9
    vehicles.mass[0] = 9
    assert points[0, 0] == 0
    assert masses[0] == 1


def test_forward_follows_the_velocity_and_is_given_as_vector_or_heading():
    velocity = [[0, 2], [0, 0], [-1, 0]]
    assert sm.Vehicles(POINTS, velocity).forward.tolist() == [[0, 1], [1, 0], [-1, 0]]
    assert sm.Vehicles(POINTS, velocity, forward=[3, 0]).forward.tolist() == [[1, 0]] * 3
    angles = [0.5, -2.0, 3.0]
    np.testing.assert_allclose(sm.Vehicles(POINTS, heading=angles).heading, angles, rtol=1e-6)


def test_response_time_of_a_step_is_written_as_zero():
    assert sm.Vehicles(POINTS, response_time="step").response_time.tolist() == [0, 0, 0]


NAN, INF = np.nan, np.inf

COMPLAINTS = [
    ({"position": "here"}, TypeError, "position must be numbers"),
    ({"position": None}, TypeError, "position must be numbers"),
    ({"position": [[1, 2], [3]]}, ValueError, "position must have rows of one length"),
    ({"position": []}, ValueError, "position must have shape (n, 2) or (n, 3), got (0,)"),
    ({"position": [[1], [2]]}, ValueError, "position must have shape (n, 2) or (n, 3), got (2, 1)"),
    ({"position": [[1, 2, 3, 4]]}, ValueError, "position must have shape (n, 2) or (n, 3), got (1, 4)"),
    ({"position": np.zeros((2, 2, 2))}, ValueError, "position must have shape (n, 2) or (n, 3), got (2, 2, 2)"),
    ({"position": [[0, NAN]]}, ValueError, "position must be finite, got nan at index (0, 1)"),
    ({"position": [[-INF, 0]]}, ValueError, "position must be finite, got -inf at index (0, 0)"),
    ({"position": [[1e39, 0]]}, ValueError, "position must be finite in float32, got 1e+39"),
    ({"velocity": [1, 2, 3]}, ValueError, "velocity must have shape (3, 2) or (2,), like position, got (3,)"),
    ({"velocity": [[1, 2]] * 2}, ValueError, "velocity must have shape (3, 2) or (2,), like position, got (2, 2)"),
    ({"velocity": [NAN, 0]}, ValueError, "velocity must be finite, got nan at index 0"),
    ({"forward": [0, 0]}, ValueError, "forward must not be the zero vector"),
    ({"forward": [[1, 0], [0, 0], [1, 0]]}, ValueError, "forward must not be the zero vector"),
    ({"forward": [1, 0, 0]}, ValueError, "forward must have shape (3, 2) or (2,), like position, got (3,)"),
    ({"forward": [INF, 0]}, ValueError, "forward must be finite, got inf at index 0"),
    ({"up": [0, 0, 1]}, ValueError, "up is for 3D vehicles; these have 2 dimensions"),
    ({"position": SOLID, "up": [0, 1]}, ValueError, "up must have shape (2, 3) or (3,), like position, got (2,)"),
    ({"position": SOLID, "up": [0, NAN, 0]}, ValueError, "up must be finite, got nan at index 1"),
    ({"position": SOLID, "heading": 1.0}, ValueError, "heading is for 2D vehicles"),
    ({"heading": 1.0, "forward": [1, 0]}, ValueError, "instead of forward: give one of the two"),
    ({"heading": [1, 2]}, ValueError, "heading must be one number or have shape (3,), got shape (2,)"),
    ({"heading": NAN}, ValueError, "heading must be finite, got nan"),
    ({"mass": 0}, ValueError, "mass must be > 0 kg, got 0.0"),
    ({"mass": [1, -2, -3]}, ValueError, "mass must be > 0 kg, got -2.0"),
    ({"mass": [1, 2]}, ValueError, "mass must be one number or have shape (3,), got shape (2,)"),
    ({"mass": [[1], [2], [3]]}, ValueError, "mass must be one number or have shape (3,), got shape (3, 1)"),
    ({"mass": NAN}, ValueError, "mass must be finite, got nan"),
    ({"mass": "heavy"}, TypeError, "mass must be numbers"),
    ({"mass": True}, TypeError, "mass must be numbers, got bool"),
    ({"mass": None}, TypeError, "mass must be numbers"),
    ({"radius": -0.5}, ValueError, "radius must be >= 0 m, got -0.5"),
    ({"radius": INF}, ValueError, "radius must be finite, got inf"),
    ({"max_speed": -1}, ValueError, "max_speed must be >= 0 m/s, got -1.0"),
    ({"max_speed": [1, INF, 1]}, ValueError, "max_speed must be finite, got inf at index 1"),
    ({"max_force": -1}, ValueError, "max_force must be >= 0 N, got -1.0"),
    ({"max_force": NAN}, ValueError, "max_force must be finite, got nan"),
    ({"response_time": -0.1}, ValueError, "response_time must be >= 0 s, got -0.1"),
    ({"response_time": "soon"}, ValueError, "response_time must be \"step\" or a number >= 0 s, got 'soon'"),
    ({"response_time": NAN}, ValueError, "response_time must be finite, got nan"),
    ({"id": [1, 2]}, ValueError, "id must be whole numbers of shape (3,), got int64 of shape (2,)"),
    ({"id": [1.0, 2.0, 3.0]}, ValueError, "id must be whole numbers of shape (3,), got float64 of shape (3,)"),
    ({"id": [True, False, True]}, ValueError, "id must be whole numbers of shape (3,), got bool of shape (3,)"),
    ({"id": [1, 2, 1]}, ValueError, "id must be different for every vehicle, got 1 more than once"),
    ({"id": [1, 2, -1]}, ValueError, "id must be between 0 and 2**32 - 1, got -1 to 2"),
    ({"id": np.array([0, 1, 2**63], np.uint64)}, ValueError, f"id must be between 0 and 2**32 - 1, got 0 to {2**63}"),
    ({"dtype": np.float16}, ValueError, "dtype must be float32 or float64, got float16"),
    ({"dtype": int}, ValueError, "dtype must be float32 or float64, got int64"),
]


@pytest.mark.parametrize(("arguments", "error", "message"), COMPLAINTS)
def test_complaints_say_what_is_allowed_and_what_was_given(arguments, error, message):
    with pytest.raises(error, match=re.escape(message)):
        sm.Vehicles(**{"position": POINTS, **arguments})


def test_completion_offers_the_names_that_users_have() -> None:
    names = {name for name in dir(sm.Vehicles([0, 0])) if not name.startswith("_")}
    assert {"position", "heading", "id", "dtype", "spawn", "remove", "points", "columns"} <= names
    assert not names & {"bring_home", "hold", "undoing", "turns", "whole", "storage", "rank"}
    assert all(hasattr(sm.Vehicles, name) or name in ("dimensions", "dtype") for name in names)
