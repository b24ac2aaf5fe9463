"""PointMass against the paper's scheme, written once more in NumPy."""

import numpy as np
import pytest

import steersman as sm


def shortened(vectors, limit):
    """The vectors, truncated to the limit of each row."""
    size = np.linalg.norm(vectors, axis=1)
    return vectors * np.where(size > limit, limit / np.where(size > 0, size, 1), 1)[:, None]


def flock(n=50, d=2, dtype=np.float32, seed=1):
    rng = np.random.default_rng(seed)
    return sm.Vehicles(
        rng.normal(size=(n, d)),
        rng.normal(size=(n, d)),
        mass=rng.uniform(0.5, 2, n),
        max_speed=rng.uniform(0.5, 3, n),
        max_force=rng.uniform(0, 5, n),
        dtype=dtype,
    )


def assert_frames(vehicles, tolerance):
    axes = [vehicles.forward, vehicles.side] + ([vehicles.up] if vehicles.dimensions == 3 else [])
    axes = np.stack(axes, axis=1).astype(np.float64)
    error = axes @ np.swapaxes(axes, 1, 2) - np.eye(axes.shape[1])
    assert np.abs(error).max() < tolerance


@pytest.mark.parametrize(("d", "dtype", "rtol"), [(2, np.float32, 1e-5), (3, np.float64, 1e-12)])
def test_the_scheme_of_the_paper(d, dtype, rtol):
    vehicles = flock(d=d, dtype=dtype)
    rng = np.random.default_rng(2)
    dt = 0.05
    position, velocity = vehicles.position.astype(float), vehicles.velocity.astype(float)
    for _ in range(20):
        force = (rng.normal(size=position.shape) * 4).astype(dtype)
        sm.PointMass().advance(vehicles, force, dt)
        acceleration = shortened(force.astype(float), vehicles.max_force) / vehicles.mass[:, None]
        velocity = shortened(velocity + acceleration * dt, vehicles.max_speed)
        position = position + velocity * dt
        np.testing.assert_allclose(vehicles.velocity, velocity, rtol=rtol, atol=rtol)
        np.testing.assert_allclose(vehicles.position, position, rtol=rtol, atol=rtol)
        forward = velocity / np.linalg.norm(velocity, axis=1, keepdims=True)
        np.testing.assert_allclose(vehicles.forward, forward, rtol=rtol, atol=10 * rtol)


def test_the_new_velocity_moves_the_vehicle():
    vehicles = sm.Vehicles([0, 0], max_force=10, max_speed=10)
    sm.PointMass().advance(vehicles, [4, 0], 0.5)
    assert vehicles.velocity.tolist() == [[2, 0]]
    assert vehicles.position.tolist() == [[1, 0]]


def test_force_and_speed_are_truncated_and_no_more():
    vehicles = sm.Vehicles(np.zeros((3, 2)), max_force=1, max_speed=[0.25, 10, 0], velocity=[[0, 0], [30, 40], [1, 0]])
    sm.PointMass().advance(vehicles, [[3, 4], [0, 0], [1, 1]], 0.5)
    np.testing.assert_allclose(vehicles.velocity, [[0.15, 0.2], [6, 8], [0, 0]], rtol=1e-6)
    exact = sm.Vehicles([0, 0], [0.5, 0], max_force=1, max_speed=1)
    sm.PointMass().advance(exact, [1, 0], 0.5)
    assert exact.velocity.tolist() == [[1, 0]]


@pytest.mark.parametrize("d", [2, 3])
def test_frames_stay_orthonormal(d):
    vehicles = flock(n=20, d=d)
    rng = np.random.default_rng(5)

    def push(vehicles):
        return rng.normal(size=vehicles.position.shape) * 20

    world = sm.World(dt=0.1, threads=1)
    world.add(vehicles, steering=push)
    for _ in range(10):
        world.run(steps=1000)
        assert_frames(vehicles, 2e-6)
    np.testing.assert_allclose(vehicles.forward, vehicles.velocity / vehicles.speed[:, None], atol=1e-5)


def test_up_is_the_one_nearest_to_the_old_up():
    vehicles = sm.Vehicles([0, 0, 0], [1, 0, 0], up=[0, 0, 1], max_force=9, max_speed=9, dtype=np.float64)
    sm.PointMass().advance(vehicles, [0, 0, 1], 1.0)
    half = np.sqrt(0.5)
    np.testing.assert_allclose(vehicles.forward, [[half, 0, half]], atol=1e-12)
    np.testing.assert_allclose(vehicles.up, [[-half, 0, half]], atol=1e-12)
    sm.PointMass().advance(vehicles, [0, 1, -1], 1.0)
    np.testing.assert_allclose(vehicles.up, np.array([[-1, 1, 2]]) / np.sqrt(6), atol=1e-12)


def test_up_along_the_new_forward_is_replaced_by_a_perpendicular():
    vehicles = [
        sm.Vehicles([0, 0, 0], [0, 0, 1], forward=[1, 0, 0], up=[0, 0, 1], max_speed=2, dtype=np.float64)
        for _ in range(2)
    ]
    for each in vehicles:
        sm.PointMass().advance(each, [0, 0, 0], 0.1)
        assert_frames(each, 1e-12)
    np.testing.assert_array_equal(vehicles[0].up, vehicles[1].up)


def test_forward_is_kept_when_still():
    vehicles = sm.Vehicles([[0, 0], [0, 0]], [[0, 0], [1, 0]], heading=[2.0, 0.0], max_force=100, max_speed=5)
    before = vehicles.forward.copy()
    sm.PointMass().advance(vehicles, [[0, 0], [-10, 0]], 0.1)  # the second stops
    assert (vehicles.speed < 1e-7).all()
    np.testing.assert_array_equal(vehicles.forward, before)


@pytest.mark.parametrize(
    ("force", "dt", "message"),
    [
        ([1, 2, 3], 0.1, r"force must have shape \(2, 2\) or \(2,\), got \(3,\)"),
        ([np.nan, 0], 0.1, "force must be finite, got nan at index 0"),
        ([[0, 0], [np.inf, 0]], 0.1, "force must be finite, got inf"),
        ([0, 0], 0, "dt must be a finite number > 0 s, got 0"),
        ([0, 0], -1, "dt must be a finite number > 0 s, got -1"),
        ([0, 0], np.nan, "dt must be a finite number > 0 s, got nan"),
        ([1, 1], 1e39, "force and dt must not be so large"),
    ],
)
def test_outside_a_world_a_wrong_force_moves_nobody(force, dt, message):
    vehicles = flock(2)
    before = vehicles.block.tobytes()
    with pytest.raises(ValueError, match=message):
        sm.PointMass().advance(vehicles, force, dt)
    assert vehicles.block.tobytes() == before


@pytest.mark.parametrize("column", ["position", "velocity", "forward", "mass", "radius", "max_speed", "max_force"])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_outside_a_world_a_wrong_column_moves_nobody(column, value):
    vehicles = flock(3)
    getattr(vehicles, column)[1] = value
    before = vehicles.block.tobytes()
    with pytest.raises(ValueError, match="every column of the vehicles must be finite, and mass > 0 kg"):
        sm.PointMass().advance(vehicles, [1, 0], 0.1)
    assert vehicles.block.tobytes() == before


def test_outside_a_world_massless_vehicles_do_not_move():
    vehicles = flock(3)
    vehicles.mass[0] = 0
    with pytest.raises(ValueError, match="mass > 0 kg; no vehicle has moved"):
        sm.PointMass().advance(vehicles, [1, 0], 0.1)


def test_one_force_for_all_and_nobody():
    sm.PointMass().advance(sm.Vehicles(np.empty((0, 2))), [1, 2], 0.1)
    vehicles = flock(3)
    sm.PointMass().advance(vehicles, [0.0, 0.0], 0.1)
    one = flock(3)
    sm.PointMass().advance(one, np.zeros((3, 2)), 0.1)
    assert one.block.tobytes() == vehicles.block.tobytes()


def test_a_world_moves_as_advance_does():
    alone, together = flock(), flock()
    force = np.random.default_rng(4).normal(size=(50, 2)).astype(np.float32)
    world = sm.World(dt=0.05)
    world.add(together, steering=lambda vehicles: force)
    for _ in range(5):
        sm.PointMass().advance(alone, force, 0.05)
        world.step()
    assert alone.block.tobytes() == together.block.tobytes()
