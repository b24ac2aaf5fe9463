"""The kernels of obstacles stay in float32, say the same in float32 as in float64, and in a tree as without one."""

import numpy as np
import pytest
from contract.families import with_own
from contract.obstacles import KINDS
from precision import assert_single_precision

import steersman as sm
from steersman.core.environment import box_tree
from steersman.core.environment.obstacles.answers import Rays, new_hits, new_nearest, new_sight
from steersman.core.environment.obstacles.obstacle import as_obstacles


def all_calls(obstacles, dtype, domain=None):
    """The calls of everything that can be asked, and where the answers lie."""
    d, n = obstacles.dimensions, 60
    rng = np.random.default_rng(1)
    ahead = rng.normal(size=(d, n))
    points = tuple(rng.uniform(-4, 24, (d, n)).astype(dtype))
    rays = Rays(
        points,
        tuple((ahead / np.linalg.norm(ahead, axis=0)).astype(dtype)),
        np.full(n, 30, dtype),
        np.full(n, 0.4, dtype),
    )
    sight, hits, nearest = (make(n, d, dtype) for make in (new_sight, new_hits, new_nearest))
    everybody, wrap = np.ones(n, np.uint8), (domain or sm.Open()).wrap(d, dtype)
    calls = obstacles.sweep_calls(rays, everybody, wrap, sight)
    calls += obstacles.cast_calls(rays, everybody, wrap, hits)
    calls += obstacles.nearest_calls(points, rays.reach, everybody, wrap, nearest)
    return calls, n, (sight, hits, nearest)


@pytest.mark.parametrize("kind", KINDS)
def test_no_kernel_leaves_float32(kind):
    calls, _, _ = all_calls(KINDS[kind], np.float32)
    for kernel in {call.kernel for call in calls}:
        call = next(each for each in calls if each.kernel is kernel)
        assert_single_precision(kernel, np.uint64(0), np.uint64(1), *call.arguments)


@pytest.mark.parametrize("kind", ["circles", "walls", "mesh", "boxes", *with_own("OBSTACLES", {})])
def test_float32_says_what_float64_says(kind):
    answers = []
    for dtype in (np.float32, np.float64):
        calls, n, answer = all_calls(KINDS[kind], dtype, sm.Torus([20.0] * KINDS[kind].dimensions))
        for call in calls:
            call.run(n)
        answers.append(answer)
    for single, double in zip(*answers, strict=True):
        assert single[0].dtype == np.float32
        same = single.which == double.which
        assert same.mean() > 0.9  # A few graze, or are as near to two parts.
        assert (double.which >= 0).any()
        np.testing.assert_allclose(single[0][same], double[0][same], rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("leaf", [1, 1000])
@pytest.mark.parametrize("torus", [False, True])
def test_answers_do_not_depend_on_the_tree(leaf, torus, monkeypatch):
    answers = []
    for parts in (box_tree.LEAF, leaf):
        monkeypatch.setattr(box_tree, "LEAF", parts)
        rng = np.random.default_rng(4)
        rocks = sm.Spheres(rng.uniform(0, 20, (80, 2)), rng.uniform(0, 1, 80))
        calls, n, answer = all_calls(rocks, np.float64, sm.Torus([20, 20]) if torus else None)
        for call in calls:
            call.run(n)
        answers.append(answer)
    for one, other in zip(*answers, strict=True):
        np.testing.assert_array_equal(one.which, other.which)
        np.testing.assert_array_equal(one[0], other[0])


@pytest.mark.parametrize("m", [0, 1, 4, 5, 33, 1000])
def test_every_node_holds_its_run_of_parts(m):
    rng = np.random.default_rng(m)
    low = rng.uniform(-9, 9, (m, 3))
    high = low + rng.uniform(0, 2, (m, 3))
    tree = box_tree.boxed(np.arange(m, dtype=float)[:, None], low, high, np.float64, 0)
    leaves = len(tree.boxes) // 2
    assert sorted(tree.order) == list(range(m))
    np.testing.assert_array_equal(tree.rows[:, 0], tree.order)
    for level in range(leaves.bit_length()):
        for k in range(1 << level):
            rows = tree.order[k * m >> level : (k + 1) * m >> level]
            box = tree.boxes[(1 << level) + k]
            assert np.all(box[:3] <= low[rows].min(axis=0, initial=np.inf))
            assert np.all(box[3:] >= high[rows].max(axis=0, initial=-np.inf))
    assert m <= leaves * box_tree.LEAF


def test_several_sets_are_numbered_through():
    sets = (sm.Spheres([[5, 0], [9, 0]]), sm.Boxes([[3, 0], [-5, 0]], 0.5))
    nearest, everybody = new_nearest(2, 2, np.float64), np.ones(2, np.uint8)
    points, wrap = (np.array([2.0, 6.0]), np.zeros(2)), sm.Open().wrap(2, np.float64)
    for call in as_obstacles(sets).nearest_calls(points, np.full(2, np.inf), everybody, wrap, nearest):
        call.run(2)
    np.testing.assert_array_equal(nearest.which, [2, 0])
    np.testing.assert_array_equal(nearest.distance, [0.5, 0])


def test_rows_that_are_not_asked_for_stay():
    calls, n, (sight, hits, nearest) = all_calls(KINDS["circles"], np.float64)
    for call in calls:
        active = next(each for each in call.arguments if isinstance(each, np.ndarray) and each.dtype == np.uint8)
        active[:] = 0
        call.run(n)
    assert (sight.which == -1).all()
    assert (hits.which == -1).all()
    assert (nearest.which == -1).all()
