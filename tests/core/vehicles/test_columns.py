"""Columns are live views of one block; assigning checks like the constructor."""

import copy
import pickle
from inspect import getattr_static

import numpy as np
import pytest

import steersman as sm

SCALARS = (
    "mass", "radius", "max_speed", "max_force", "response_time", "max_angular_speed", "max_angular_acceleration",
    "length",
)  # fmt: skip
COLUMNS = ("position", "velocity", "forward", "angular_velocity", *SCALARS)


@pytest.fixture
def vehicles():
    return sm.Vehicles([[0, 0], [3, 4], [-1, 2]], [[1, 0], [0, 2], [0, 0]])


@pytest.fixture
def solid():
    return sm.Vehicles([[0, 0, 0], [3, 4, 5]], [[1, 0, 0], [0, 2, 0]])


@pytest.mark.parametrize("name", COLUMNS)
def test_a_column_is_a_live_view(vehicles, name):
    view = getattr(vehicles, name)
    view[1] = 0.25
    assert np.shares_memory(view, vehicles.block)
    assert (np.asarray(getattr(vehicles, name)[1]) == 0.25).all()


def test_the_columns_share_nothing_and_fill_the_block(vehicles):
    for k, name in enumerate(COLUMNS):
        getattr(vehicles, name)[...] = k + 1
    assert sorted(np.unique(vehicles.block, return_counts=True)[1].tolist()) == [3] * 9 + [6] * 3
    for k, name in enumerate(COLUMNS):
        assert (getattr(vehicles, name) == k + 1).all()


def test_kernels_see_the_same_numbers(solid):
    body = solid.columns
    solid.position[1] = [7, 8, 9]
    assert [float(component[1]) for component in body.position] == [7, 8, 9]
    assert all(component.flags.c_contiguous for component in (*body.position, *body.up, body.mass))
    np.testing.assert_array_equal(np.stack(body.up, axis=1), solid.up)


def test_views_stay_valid_across_steps(vehicles):
    position, velocity, forward = vehicles.position, vehicles.velocity, vehicles.forward
    world = sm.World(dt=0.5)
    world.add(vehicles)
    world.run(steps=4)
    for view, column in ((position, vehicles.position), (velocity, vehicles.velocity), (forward, vehicles.forward)):
        assert np.shares_memory(view, column)
        np.testing.assert_array_equal(view, column)
    np.testing.assert_array_equal(position[0], [2, 0])


@pytest.mark.parametrize("name", SCALARS)
def test_assigning_a_scalar_column(vehicles, name):
    view = getattr(vehicles, name)
    setattr(vehicles, name, 2)
    assert view.tolist() == [2, 2, 2]
    setattr(vehicles, name, [1, 2, 3])
    assert view.tolist() == [1, 2, 3]
    for wrong in (-1, np.nan, np.inf, [1, 2], [[1, 2, 3]]):
        with pytest.raises(ValueError, match=f"^{name} must be"):
            setattr(vehicles, name, wrong)
    assert view.tolist() == [1, 2, 3]


@pytest.mark.parametrize("name", ["position", "velocity"])
def test_assigning_a_vector_column(vehicles, name):
    view = getattr(vehicles, name)
    setattr(vehicles, name, [5, 6])
    assert view.tolist() == [[5, 6]] * 3
    setattr(vehicles, name, view * 2)
    assert view.tolist() == [[10, 12]] * 3
    for wrong in ([1, 2, 3], [[1, 2]] * 2, [np.nan, 0], np.inf):
        with pytest.raises(ValueError, match=f"^{name} must"):
            setattr(vehicles, name, wrong)
    assert view.tolist() == [[10, 12]] * 3


def test_in_place_arithmetic(vehicles):
    vehicles.position += [1, 0]
    vehicles.mass *= 2
    assert vehicles.position.tolist() == [[1, 0], [4, 4], [0, 2]]
    assert vehicles.mass.tolist() == [2, 2, 2]


def test_assigning_forward_normalizes(vehicles, solid):
    vehicles.forward = [[0, 5], [-3, 0], [3e-30, 4e-30]]
    np.testing.assert_allclose(vehicles.forward, [[0, 1], [-1, 0], [0.6, 0.8]], rtol=1e-6)
    with pytest.raises(ValueError, match="forward must not be the zero vector"):
        vehicles.forward = [0, 0]
    solid.forward = [0, 3, 4]
    np.testing.assert_allclose(solid.forward, [[0, 0.6, 0.8]] * 2, rtol=1e-6)
    np.testing.assert_allclose(np.sum(solid.forward * solid.up, axis=1), 0, atol=1e-6)
    np.testing.assert_allclose(solid.up, [[0, -0.8, 0.6]] * 2, rtol=1e-6, atol=1e-6)


def test_assigning_up_makes_it_perpendicular(solid):
    solid.up = [0, 3, 3]
    np.testing.assert_allclose(solid.up, [[0, np.sqrt(0.5), np.sqrt(0.5)], [0, 0, 1]], rtol=1e-6, atol=1e-7)
    solid.up = [[1, 0, 0], [0, 1, 0]]  # Parallel to forward: some perpendicular, always the same.
    assert np.isfinite(solid.up).all()
    np.testing.assert_allclose(np.sum(solid.forward * solid.up, axis=1), 0, atol=1e-7)
    np.testing.assert_allclose(np.linalg.norm(solid.up, axis=1), 1, rtol=1e-6)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [("forward", 0.0), ("forward", np.nan), ("up", np.nan), ("quaternion", 0.0), ("quaternion", np.nan)],
)
def test_one_wrong_row_is_enough_to_refuse_an_orientation(solid, name, wrong):
    rows = getattr(solid, name).copy()
    rows[1] = wrong
    before = solid.block.copy()
    with pytest.raises(ValueError, match=name):
        setattr(solid, name, rows)
    np.testing.assert_array_equal(solid.block, before)


def test_assigning_heading(vehicles):
    vehicles.heading = np.pi / 2
    np.testing.assert_allclose(vehicles.forward, [[0, 1]] * 3, atol=1e-7)
    vehicles.heading = [0, 7, -1]
    np.testing.assert_allclose(vehicles.heading, [0, 7 - 2 * np.pi, -1], rtol=1e-6)
    with pytest.raises(ValueError, match="heading must be finite"):
        vehicles.heading = np.nan


def test_2d_has_no_up_and_3d_no_heading(vehicles, solid):
    with pytest.raises(AttributeError, match="2D vehicles have no up"):
        _ = vehicles.up
    with pytest.raises(AttributeError, match="2D vehicles have no up"):
        vehicles.up = [0, 0, 1]
    with pytest.raises(AttributeError, match="3D vehicles have no heading angle"):
        _ = solid.heading
    with pytest.raises(ValueError, match="heading is for 2D"):
        solid.heading = 1


def test_derived_columns_are_copies(vehicles):
    assert vehicles.speed.tolist() == [1, 2, 0]
    for name in ("speed", "side", "heading"):
        assert not np.shares_memory(getattr(vehicles, name), vehicles.block)
    for name in ("speed", "side"):
        with pytest.raises(AttributeError):
            setattr(vehicles, name, 1)


def test_ids_cannot_be_written(vehicles):
    with pytest.raises(ValueError, match="read-only"):
        vehicles.id[0] = 5
    with pytest.raises(AttributeError):
        vehicles.id = [1, 2, 3]


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda v: pickle.loads(pickle.dumps(v))])
def test_a_copy_is_whole_and_its_own(vehicles, duplicate):
    vehicles.spawn([1, 1], id=77)
    other = duplicate(vehicles)
    np.testing.assert_array_equal(other.block, vehicles.block)
    other.position[0] = 9
    assert np.shares_memory(other.position, other.block)
    assert other.block[0, 0] == 9
    assert vehicles.position[0, 0] == 0
    assert other.id.tolist() == [0, 1, 2, 77]
    assert other.spawn([1, 1]).tolist() == vehicles.spawn([1, 1]).tolist() == [78]


def test_a_misspelled_column_is_an_error(vehicles):
    with pytest.raises(AttributeError, match="maxspeed"):
        vehicles.maxspeed = 3


COPIES = ("speed", "side", "matrix", "heading", "quaternion")
LIVE = ("position", "velocity", "forward", "up", "angular_velocity", "mass", "radius", "max_speed", "max_force")


@pytest.mark.parametrize("d", [2, 3])
def test_what_can_be_written_to_is_the_column_itself(d):
    """A write to a copy would be lost without a word."""
    vehicles = sm.Vehicles(np.zeros((4, d)), np.eye(4, d), id=[3, 5, 8, 9])
    names = [name for name in dir(type(vehicles)) if isinstance(getattr_static(type(vehicles), name), property)]
    assert {*COPIES, "id", "births"} <= {*names}
    for name in [*names, *LIVE]:
        value = getattr(vehicles, name, None)
        if isinstance(value, np.ndarray):
            assert value.flags.writeable == np.shares_memory(value, getattr(vehicles, name)) or name in ("id", "births")
    for name in COPIES:
        if hasattr(vehicles, name):
            with pytest.raises(ValueError, match="read-only"):
                getattr(vehicles, name)[0] = 0.5
    vehicles.forward[0] = np.eye(d)[1]
    with pytest.raises(ValueError, match="read-only"):
        vehicles.id[0] = 1


def test_what_is_computed_about_vehicles_is_read_only():
    vehicles = sm.Vehicles(np.zeros((4, 2)), np.eye(4, 2))
    world = sm.World()
    world.add(vehicles, steering=sm.Wander(name="wander") + sm.Seek([1.0, 1.0]))
    world.watch("vehicles", "mean_speed")
    world.run(steps=2)
    controller = sm.Controller(vehicles, sm.Seek([1.0, 1.0]))
    controller.steer(0.1)
    explained, meter = world.explain("vehicles"), world.meters["vehicles.mean_speed"]
    memory = world.memory("vehicles", "wander")
    for array in (
        *memory.values(), explained.force, explained.winner, meter.values, meter.times, controller.turning
    ):  # fmt: skip
        with pytest.raises(ValueError, match="read-only"):
            array[0] = array[0]
