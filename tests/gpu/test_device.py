"""Worlds on a graphics processor against the same worlds on the processor. Skipped where there is none."""

import importlib.util

import numpy as np
import pytest

import steersman as sm


def has_device() -> bool:
    """Whether there is a graphics processor that numba-cuda can use."""
    if importlib.util.find_spec("numba_cuda") is None:
        return False
    from numba import cuda

    return bool(cuda.is_available())


pytestmark = pytest.mark.skipif(not has_device(), reason="needs a graphics processor of NVIDIA, and numba-cuda")

SIDE = 60.0
RNG = np.random.default_rng(5)
CENTERS, RADII, FLOW = RNG.random((8, 3)) * 50, RNG.random(8) * 3 + 1, RNG.normal(size=(6, 6, 6, 3))


def flock():
    return (
        sm.Separation(radius=5, angle=4, inner_radius=1.5)
        + 0.5 * sm.Alignment(radius=7.5, angle=3, inner_radius=1.5)
        + sm.Cohesion(radius=9, angle=5)
    )


def rocks(d):
    return sm.Spheres(CENTERS[:, :d], RADII)


TREES = {
    "flock": lambda d: flock(),
    "Flocking": lambda d: sm.Flocking(),
    "Seek": lambda d: sm.Seek([1.0] * d),
    "Flee": lambda d: sm.Flee([20.0] * d),
    "Arrive": lambda d: sm.Arrive([30.0] * d),
    "Wander": lambda d: sm.Wander(),
    "FollowFlow": lambda d: sm.FollowFlow(sm.FlowField.grid(FLOW if d == 3 else FLOW[:, :, 0, :2], [0] * d, [10] * d)),
    "spheres": lambda d: sm.Seek([30.0] * d) + sm.AvoidObstacles(rocks(d)),
    "boxes": lambda d: sm.Seek([30.0] * d) + sm.AvoidObstacles(sm.Boxes([[25.0] * d], [[6.0] * d])),
    "Priority": lambda d: sm.Priority([sm.AvoidObstacles(rocks(d)), sm.Separation(radius=4), sm.Wander()]),
    "laws": lambda d: sm.Alignment(radius=5, law="velocity") + sm.Separation(radius=5, law="mean_site"),
    "nearest": lambda d: (
        sm.Separation(radius=5, k=4) + sm.Alignment(radius=np.inf, k=7, angle=4) + sm.Cohesion(radius=9, k=3)
    ),
    "AvoidNeighbors": lambda d: sm.Priority([sm.AvoidNeighbors(k=5), sm.Wander()]),
    "ORCA": lambda d: sm.ORCA(toward=sm.Seek([30.0] * d)),
    "ORCA at rest": lambda d: sm.ORCA(toward=sm.Arrive([30.0] * d), k=5, speed="weidmann"),
    "ORCA among rocks": lambda d: sm.ORCA(toward=sm.Wander(), obstacles=rocks(d)),
    "ORCA among boxes": lambda d: sm.ORCA(toward=sm.Wander(), obstacles=sm.Boxes([[25.0] * d], [[6.0] * d])),
}


def world(device, d, tree, n=300, domain=None, **about):
    rng = np.random.default_rng(11)
    position = rng.random((n, d)) * SIDE
    position[1], position[9] = position[0], position[8]
    vehicles = sm.Vehicles(position, rng.normal(size=(n, d)) * 3, max_speed=9, max_force=27, **about)
    made = sm.World(domain=domain or sm.Torus([SIDE] * d), seed=3, threads=2, device=device)
    made.add(vehicles, steering=tree)
    return made


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("name", TREES)
def test_ten_steps_are_those_of_the_processor(name, d):
    one, other = (world(device, d, TREES[name](d)) for device in ("cpu", "cuda"))
    one.run(steps=10)
    other.run(steps=10)
    assert not other._plan._by_host
    apart = one.domain.difference(one["vehicles"].position, other["vehicles"].position)
    assert np.abs(apart).max() < 1e-4
    np.testing.assert_allclose(other["vehicles"].velocity, one["vehicles"].velocity, atol=1e-3)


@pytest.mark.parametrize("domain", [sm.Open(), sm.Box([SIDE] * 3)])
def test_other_spaces(domain):
    one, other = (world(device, 3, flock(), domain=domain) for device in ("cpu", "cuda"))
    one.run(steps=10)
    other.run(steps=10)
    np.testing.assert_allclose(other["vehicles"].position, one["vehicles"].position, atol=1e-4)


def test_runs_repeat_to_the_bit():
    blocks = []
    for _ in range(2):
        made = world("cuda", 3, flock(), n=20_000, domain=sm.Torus([150.0] * 3))
        made.run(steps=100)
        blocks.append(made["vehicles"].block.copy())
    assert np.array_equal(*blocks)


def test_columns_may_be_written_between_steps():
    one, other = (world(device, 2, sm.Seek([1.0, 2.0])) for device in ("cpu", "cuda"))
    for each in (one, other):
        each.run(steps=3)
        each["vehicles"].position[:10] = 7.0
        each.run(steps=3)
    np.testing.assert_allclose(other["vehicles"].position, one["vehicles"].position, atol=1e-4)


def test_vehicles_may_come_and_go():
    one, other = (world(device, 2, sm.Wander()) for device in ("cpu", "cuda"))
    for each in (one, other):
        each.run(steps=3)
        each["vehicles"].remove(each["vehicles"].id[:50])
        each.run(steps=3)
        each["vehicles"].spawn([[1.0, 2.0]])
        each.run(steps=3)
    assert len(other["vehicles"]) == 251
    np.testing.assert_allclose(other["vehicles"].position, one["vehicles"].position, atol=1e-4)


def test_memory_comes_home():
    one, other = (world(device, 2, sm.Wander()) for device in ("cpu", "cuda"))
    for each in (one, other):
        each.run(steps=20)
    known = one.memory("vehicles", "Wander")
    for name, column in other.memory("vehicles", "Wander").items():
        np.testing.assert_allclose(column, known[name], atol=1e-3)


def test_a_step_that_fails_leaves_the_world_unchanged():
    made = world("cuda", 2, sm.Seek([1.0, 2.0]))
    made.run(steps=3)
    made["vehicles"].velocity[4] = np.nan
    before, step = made["vehicles"].position.copy(), made.steps
    with pytest.raises(sm.NonFiniteError, match="velocity of 'vehicles'"):
        made.step()
    assert made.steps == step
    np.testing.assert_array_equal(made["vehicles"].position, before)
    made["vehicles"].velocity[4] = 0
    made.run(steps=3)
    assert made.steps == step + 3


def test_a_world_may_change_its_device():
    made, same = world("cuda", 2, flock()), world("cpu", 2, flock())
    made.run(steps=5)
    made.device = "cpu"
    made.run(steps=5)
    same.run(steps=10)
    np.testing.assert_allclose(made["vehicles"].position, same["vehicles"].position, atol=1e-4)


def test_explanations_are_of_the_present_state():
    made = world("cuda", 2, sm.Seek([1.0, 2.0]))
    made.run(steps=5)
    assert "Seek" in str(made.explain("vehicles", 7))


def test_cells_follow_a_crowd_that_gathers():
    """Scattered over 1,000 m and brought together: the cells become narrower, and neighbors stay those of the processor."""
    one, other = (world(device, 2, sm.ORCA(), n=2000, domain=sm.Open()) for device in ("cpu", "cuda"))
    for each in (one, other):
        each["vehicles"].position *= 50
        each.run(steps=3)
    wide = other._plan._launched._searches[0][1]._width.copy()
    for each in (one, other):
        each["vehicles"].position /= 50
        each.run(steps=260)
    assert (other._plan._launched._searches[0][1]._width > 5 * wide).all()
    apart = np.linalg.norm(one["vehicles"].position - other["vehicles"].position, axis=1)
    assert np.median(apart) < 1e-3


@pytest.mark.parametrize("library", ["cupy", "torch", "jax"])
def test_other_libraries_read_and_write_columns(library):
    made, same = (world(device, 3, sm.Seek([1.0, 2.0, 3.0])) for device in ("cuda", "cpu"))
    found = pytest.importorskip(library)
    for each in (made, same):
        each.run(steps=3)
    velocity = made.device_column("vehicles", "velocity")
    if library == "cupy":
        found.asarray(velocity)[:100] = 0
    elif library == "torch":
        found.from_dlpack(velocity)[:100] = 0
    else:
        assert found.dlpack.from_dlpack(velocity).shape == (300, 3)
        made["vehicles"].velocity[:100] = 0
    same["vehicles"].velocity[:100] = 0
    for each in (made, same):
        each.run(steps=3)
    np.testing.assert_allclose(made["vehicles"].position, same["vehicles"].position, atol=1e-4)
