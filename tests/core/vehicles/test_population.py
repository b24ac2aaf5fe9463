"""Spawning and removing: every column in step, order kept, no id twice, nothing at all on an error."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import steersman as sm


def population(n=4, d=2):
    rng = np.random.default_rng(3)
    return sm.Vehicles(
        rng.normal(size=(n, d)), rng.normal(size=(n, d)), mass=np.arange(n) + 1.0, max_speed=np.arange(n) + 10.0
    )


def state(vehicles):
    return vehicles.block.tobytes(), vehicles.id.tobytes(), vehicles.revision, len(vehicles)


def test_spawned_vehicles_come_last():
    vehicles = population()
    before = vehicles.block.copy()
    ids = vehicles.spawn([[1, 2], [3, 4]], [0, 5], mass=[8, 9], max_force=3, radius=0, response_time="step")
    assert ids.tolist() == [4, 5]
    assert vehicles.id.tolist() == [0, 1, 2, 3, 4, 5]
    np.testing.assert_array_equal(vehicles.block[:, :4], before)
    np.testing.assert_array_equal(vehicles.position[4:], [[1, 2], [3, 4]])
    np.testing.assert_array_equal(vehicles.forward[4:], [[0, 1]] * 2)
    assert vehicles.mass[4:].tolist() == [8, 9]
    assert vehicles.max_force[4:].tolist() == [3, 3]
    assert vehicles.response_time[4:].tolist() == [0, 0]
    assert vehicles.max_speed[4:].tolist() == [13, 13]  # left out: as the last vehicle


def test_spawning_into_an_empty_population_takes_the_defaults():
    vehicles = population()
    vehicles.remove(np.ones(4, bool))
    assert len(vehicles) == 0
    assert vehicles.spawn([0, 0], heading=0.5).tolist() == [4]
    assert vehicles.mass.tolist() == [1]
    assert vehicles.heading[0] == np.float32(0.5)


def test_spawning_nobody():
    vehicles = population()
    assert vehicles.spawn(np.empty((0, 2))).shape == (0,)
    assert len(vehicles) == 4


def test_spawning_in_3d():
    vehicles = population(d=3)
    vehicles.spawn([1, 2, 3], up=[0, 1, 0])
    np.testing.assert_array_equal(vehicles.up[-1], [0, 1, 0])


def test_the_others_keep_order_and_ids():
    vehicles = population(6)
    before = vehicles.block.copy()
    vehicles.remove([4, 1])
    assert vehicles.id.tolist() == [0, 2, 3, 5]
    np.testing.assert_array_equal(vehicles.block, before[:, [0, 2, 3, 5]])
    vehicles.remove(vehicles.mass > 5)
    assert vehicles.id.tolist() == [0, 2, 3]
    vehicles.remove([])
    vehicles.remove(2)
    vehicles.remove([3, 3])
    assert vehicles.id.tolist() == [0]


def test_a_mask_of_numbers_is_no_list_of_ids():
    """It removed the vehicles 0 and 1, whichever were meant."""
    vehicles = population(5)
    with pytest.raises(ValueError, match=r"numbers are ids, and .* looks like a mask: make it one of booleans"):
        vehicles.remove(np.array([0, 0, 1, 0, 0]))
    vehicles.remove([0, 0, 4, 0, 0])
    assert vehicles.id.tolist() == [1, 2, 3]
    vehicles.remove([1, 3])
    vehicles.spawn([0, 0])
    vehicles.remove([2, 2])
    assert vehicles.id.tolist() == [5]


def test_ids_are_never_given_again():
    vehicles = population(3)
    vehicles.remove([2])
    assert vehicles.spawn([0, 0]).tolist() == [3]
    vehicles.remove([0, 1, 3])
    assert vehicles.spawn([0, 0]).tolist() == [4]
    assert vehicles.spawn([0, 0], id=100).tolist() == [100]
    assert vehicles.spawn([0, 0]).tolist() == [101]
    vehicles.remove(101)
    assert vehicles.spawn(np.zeros((99, 2)))[0] == 102  # There was no room for so many.


def test_the_last_id():
    vehicles = sm.Vehicles([0, 0], id=2**32 - 1)
    with pytest.raises(ValueError, match="id must be given: the next free one is 4294967296"):
        vehicles.spawn([0, 0])
    assert vehicles.spawn([0, 0], id=5).tolist() == [5]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"position": [1, 2, 3]}, ValueError, r"position must have shape \(n, 2\), got \(3,\)"),
        ({"position": [np.nan, 2]}, ValueError, "position must be finite"),
        ({"position": [1, 2], "velocity": [1, 2, 3]}, ValueError, "velocity must have shape"),
        ({"position": [1, 2], "mass": -1}, ValueError, "mass must be > 0 kg, got -1.0"),
        ({"position": [1, 2], "id": 2}, ValueError, "id must be different for every vehicle, got 2 more than once"),
        ({"position": [[1, 2]] * 2, "id": [9, 9]}, ValueError, "got 9 more than once"),
        ({"position": [1, 2], "forward": [0, 0]}, ValueError, "forward must not be the zero vector"),
        ({"position": [1, 2], "up": [0, 0, 1]}, ValueError, "up is for 3D vehicles"),
        ({"position": [1, 2], "color": "red"}, TypeError, r"unknown column 'color' \(columns: angular_velocity,"),
        ({"position": [1, 2], "dtype": np.float64}, TypeError, "spawn got unknown column 'dtype'"),
    ],
)
def test_a_failing_spawn_leaves_no_trace(arguments, error, message):
    vehicles = population()
    before = state(vehicles)
    with pytest.raises(error, match=message):
        vehicles.spawn(**arguments)
    assert state(vehicles) == before
    assert vehicles.spawn([0, 0]).tolist() == [4]


@pytest.mark.parametrize("nobody", [[], np.zeros(3, bool), np.zeros(0, np.int64)], ids=["none", "mask", "ids"])
def test_removing_nobody_binds_nothing_anew(nobody):
    vehicles = sm.Vehicles(np.zeros((3, 2)))
    world = sm.World()
    world.add(vehicles, steering=sm.Seek([9, 0]))
    world.step()
    revision = vehicles.revision
    vehicles.remove(nobody)
    assert vehicles.revision == revision
    vehicles.remove([1])
    assert vehicles.revision > revision


@pytest.mark.parametrize(
    ("which", "error", "message"),
    [
        ([True], ValueError, r"the mask must have shape \(4,\), got \(1,\)"),
        ([0, 9], KeyError, "no vehicle has id 9"),
        ([-1], KeyError, "no vehicle has id -1"),
        ([0.5], TypeError, r"ids must be whole numbers, or a mask of shape \(4,\), got float64"),
        ("all", TypeError, "ids must be whole numbers"),
    ],
)
def test_a_failing_removal_leaves_no_trace(which, error, message):
    vehicles = population()
    before = state(vehicles)
    with pytest.raises(error, match=message):
        vehicles.remove(which)
    assert state(vehicles) == before


def test_rows_of_ids():
    vehicles = sm.Vehicles(np.zeros((4, 2)), id=[30, 10, 20, 0])
    assert vehicles.rows(20).tolist() == [2]
    assert vehicles.rows([0, 30, 30]).tolist() == [3, 0, 0]
    assert vehicles.rows([]).tolist() == []
    vehicles.remove([10])
    assert vehicles.rows([20, 0]).tolist() == [1, 2]
    with pytest.raises(KeyError, match="no vehicle has id 10"):
        vehicles.rows([0, 10])
    assert vehicles.rows([True, False, True]).tolist() == [0, 2]
    assert vehicles.rows(vehicles.id == 20).tolist() == [1]


def test_numbers_are_ids_never_rows():
    """The rows of a mask are not taken for ids where there is no such id, and the message says what is meant."""
    vehicles = sm.Vehicles(np.zeros((4, 2)), id=[30, 10, 20, 40])
    mask = vehicles.id >= 20
    with pytest.raises(KeyError, match=r"no vehicle has id 0 \(ids are meant, or a mask; never rows\)"):
        vehicles.remove(np.flatnonzero(mask))
    vehicles.remove(mask)
    assert vehicles.id.tolist() == [10]


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 2**16)), max_size=12))
def test_a_vehicle_keeps_its_numbers_through_any_history(history):
    vehicles = population()
    expected = {int(name): vehicles.block[:, row].copy() for row, name in enumerate(vehicles.id)}
    used = set(expected)
    for spawn, number in history:
        if spawn:
            ids = vehicles.spawn(np.full((number % 3, 2), number), mass=number + 1).tolist()
            assert not used & set(ids)
            used |= set(ids)
            expected |= {name: vehicles.block[:, vehicles.rows(name)[0]].copy() for name in ids}
        elif len(vehicles):
            gone = int(vehicles.id[number % len(vehicles)])
            vehicles.remove([gone])
            del expected[gone]
        assert vehicles.id.tolist() == list(expected)
        for row, name in enumerate(vehicles.id.tolist()):
            np.testing.assert_array_equal(vehicles.block[:, row], expected[name])


def test_what_was_given_as_one_value_for_all_is_what_new_vehicles_have():
    """Whatever became of the others: a boss breeds no bosses, and who comes after the last one is like those before."""
    vehicles = sm.Vehicles([[0, 0], [1, 1]], max_speed=600, radius=[0.25, 0.25], mass=[1, 2], response_time="step")
    vehicles.spawn([2, 2], max_speed=30, radius=4, mass=9)
    vehicles.spawn([3, 3])
    assert vehicles.max_speed.tolist() == [600, 600, 30, 600]
    assert vehicles.radius.tolist() == [0.25, 0.25, 4, 0.25]
    assert vehicles.mass.tolist() == [1, 2, 9, 9]  # made with different ones: the last vehicle's
    for one in (vehicles, pickle.loads(pickle.dumps(vehicles)), copy.deepcopy(vehicles)):
        one.remove(one.id)
        one.spawn([0, 0])
        assert (one.max_speed[0], one.radius[0], one.mass[0], one.response_time[0]) == (600, 0.25, 1, 0)


def test_an_empty_population_remembers_its_values():
    vehicles = sm.Vehicles(np.empty((0, 2)), max_speed=600, dtype=np.float64)
    vehicles.spawn([[0, 0], [1, 1]])
    assert vehicles.max_speed.tolist() == [600, 600]


def test_assigning_a_column_changes_what_new_vehicles_have():
    vehicles = sm.Vehicles([[0, 0], [1, 1]], max_speed=6, max_force=[3, 4])
    vehicles.max_speed = 8
    vehicles.max_force = 5
    vehicles.max_speed[1] = 2
    vehicles.spawn([2, 2])
    assert vehicles.max_speed.tolist() == [8, 2, 8]
    assert vehicles.max_force.tolist() == [5, 5, 5]
    vehicles.max_speed = [1, 2, 3]
    vehicles.spawn([2, 2])
    assert vehicles.max_speed.tolist() == [1, 2, 3, 3]


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_what_is_left_out_is_what_was_given_for_all(d, dtype):
    """Columns that spawn takes without a check have the bits of those that are given and checked."""
    numbers = {"mass": 0.1, "radius": 0.3, "max_speed": 7.7, "max_force": 1e9, "response_time": "step", "length": 1.1}
    short, long = (sm.Vehicles(np.zeros((3, d)), dtype=dtype, **numbers) for _ in range(2))
    places = np.arange(5.0 * d).reshape(5, d)
    short.spawn(places)
    long.spawn(places, np.zeros(d), angular_velocity=0.0 if d == 2 else np.zeros(3), **numbers)
    assert short.block.tobytes() == long.block.tobytes()
    assert short.forward[3:].tolist() == [[1.0] + [0.0] * (d - 1)] * 5


def test_a_column_that_was_written_is_checked_when_it_is_repeated():
    vehicles = population()
    vehicles.mass[-1] = np.nan
    with pytest.raises(ValueError, match="mass must be finite, got nan"):
        vehicles.spawn([0, 0])
    assert len(vehicles) == 4
