"""Flow fields from grids and functions."""

import numpy as np
import pytest
from precision import assert_single_precision

import steersman as sm
from steersman.core.environment.fields.flow_grid import sample

F = np.float32


def corners():
    """Two by two nodes, 2 m and 4 m apart, from (1, 10)."""
    vectors = np.array([[[0.0, 0.0], [4.0, 0.0]], [[0.0, 8.0], [4.0, 8.0]]])
    return sm.FlowField.grid(vectors, (1, 10), (2, 4))


def test_nodes_and_what_lies_between():
    field = corners()
    np.testing.assert_allclose(field.at([1, 10]), [0, 0])
    np.testing.assert_allclose(field.at([3, 14]), [4, 8])
    # A quarter along x, half along y: u = 4 * 1/2, v = 8 * 1/4.
    np.testing.assert_allclose(field.at([[1.5, 12.0]]), [[2, 2]], atol=1e-15)


def test_trilinear_reproduces_a_linear_field():
    matrix = np.array([[0.3, -1.0, 0.2], [0.5, 0.0, 2.0], [-0.7, 0.1, 0.4]])
    index = np.stack(np.meshgrid(*(np.arange(k) for k in (4, 3, 5)), indexing="ij"), axis=-1)
    nodes = index * (0.5, 2.0, 1.0) + (-1, 0, 3)
    field = sm.FlowField.grid(nodes @ matrix.T, (-1, 0, 3), (0.5, 2.0, 1.0))
    points = np.random.default_rng(0).uniform((-1, 0, 3), (0.5, 4, 7), (50, 3))
    np.testing.assert_allclose(field.at(points), points @ matrix.T, rtol=1e-12)


def test_beyond_the_rim():
    field = corners()
    np.testing.assert_allclose(field.at([[-50, 12], [1e12, 1e12], [2, -3]]), [[2, 0], [4, 8], [0, 4]], atol=1e-15)
    ends = sm.FlowField.grid(field.vectors, field.origin, field.spacing, outside="zero")
    np.testing.assert_allclose(ends.at([[0.99, 12], [2, 14.01], [2, 12]]), [[0, 0], [0, 0], [2, 4]], atol=1e-15)


@pytest.mark.parametrize("both_rims", [False, True])
def test_on_a_torus_it_is_periodic(both_rims):
    """A sine sampled at nodes, with and without a node at the far rim, is the same on both sides of the rim."""
    x = np.arange(17 if both_rims else 16) / 16
    vectors = np.zeros((len(x), 2, 2))
    vectors[:, :, 0] = np.sin(2 * np.pi * x)[:, None]
    field = sm.FlowField.grid(vectors, (5, 5), (0.5, 4))
    torus = sm.Torus([8, 8])
    rows = np.linspace(-20, 20, 163)
    points = np.column_stack([rows, np.full(163, 6.0)])
    found = field.at(points, torus)
    np.testing.assert_allclose(found[:, 0], np.sin(2 * np.pi * (rows - 5) / 8), atol=0.03)
    np.testing.assert_allclose(found, field.at(points + np.array([8, -16]), torus), atol=1e-12)
    # Halfway between the last node and the image of the first one.
    np.testing.assert_allclose(field.at([12.75, 6], torus), vectors[15, 0] / 2, atol=1e-12)


def test_one_node_is_the_same_everywhere():
    field = sm.FlowField.grid(np.full((1, 1, 2), 3.0))
    np.testing.assert_array_equal(field.at([[0, 0], [9, -9]]), np.full((2, 2), 3.0))


def test_a_function_is_asked_for_all_points_at_once():
    asked = []

    def flow(points):
        asked.append(points.shape)
        return np.column_stack([-points[:, 1], points[:, 0]])

    field = sm.FlowField.function(flow)
    np.testing.assert_allclose(field.at([[1, 2], [3, 4]]), [[-2, 1], [-4, 3]])
    assert asked == [(2, 2)]
    # On a torus it sees places in the torus.
    np.testing.assert_allclose(field.at([11, -1], sm.Torus([10, 10])), [-9, 1])


def test_what_is_refused():
    with pytest.raises(ValueError, match=r"vectors must have shape \(nx, ny, 2\) or \(nx, ny, nz, 3\).*got \(3, 2\)"):
        sm.FlowField.grid(np.zeros((3, 2)))
    with pytest.raises(ValueError, match=r"at least one node, got \(0, 3, 2\)"):
        sm.FlowField.grid(np.zeros((0, 3, 2)))
    with pytest.raises(ValueError, match="vectors must be finite, got nan"):
        sm.FlowField.grid(np.full((2, 2, 2), np.nan))
    with pytest.raises(ValueError, match="spacing must be > 0 m, got 0"):
        sm.FlowField.grid(np.zeros((2, 2, 2)), 0, (1, 0))
    with pytest.raises(ValueError, match=r"origin must be one number or have shape \(2,\), got \(3,\)"):
        sm.FlowField.grid(np.zeros((2, 2, 2)), (0, 0, 0))
    with pytest.raises(ValueError, match='outside must be "clamp" or "zero"'):
        sm.FlowField.grid(np.zeros((2, 2, 2)), outside="wrap")
    with pytest.raises(ValueError, match="nodes span 9 m, the period is 8 m"):
        sm.FlowField.grid(np.zeros((10, 2, 2))).at([0, 0], sm.Torus([8, 8]))
    with pytest.raises(TypeError, match="flow must be a function of points"):
        sm.FlowField.function(3)
    with pytest.raises(ValueError, match=r"must return velocities of shape \(1, 2\), got \(2,\)"):
        sm.FlowField.function(lambda points: points[0]).at([0, 0])


@pytest.mark.parametrize("d", [2, 3])
def test_stays_in_float32(d):
    grid = sm.FlowField.grid(np.zeros((*(2, 3, 2)[:d], d))).columns(sm.Torus([9] * d), F)
    assert_single_precision(sample, grid, tuple(F(k) for k in range(d)))


@pytest.mark.parametrize(("nodes", "spacing"), [(4, 1.0), (5, 1.5), (2, 3.0), (8, 1.0), (9, 1.0)])
@pytest.mark.parametrize("axis", [0, 1])
def test_across_the_seam_of_a_torus_the_flow_goes_on_evenly(nodes, spacing, axis):
    """Whatever lies between the last node and the first image, from nothing to several spacings, is crossed in a line."""
    size = np.full(2, 8.0)
    shape = [2, 2]
    shape[axis] = nodes
    vectors = np.zeros((*shape, 2))
    first, last = [0, 0], [0, 0]
    last[axis] = nodes - 1
    vectors[..., 0] = np.random.default_rng(1).uniform(1, 9, shape)
    field = sm.FlowField.grid(vectors, 0.0, [spacing, 1.0] if axis == 0 else [1.0, spacing])
    start, end = spacing * (nodes - 1), 8.0
    for part in (0.0, 0.25, 0.5, 0.9, 1.0):
        place = np.zeros(2)
        place[axis] = start + part * (end - start)
        low, high = vectors[(*last, 0)], vectors[(*first, 0)]
        if end - start > 1e-9:
            np.testing.assert_allclose(field.at(place, sm.Torus(size))[0], low + part * (high - low), atol=1e-12)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_nothing_flows_beyond_the_rim_of_any_axis(axis):
    field = sm.FlowField.grid(np.ones((2, 3, 4, 3)), outside="zero")
    place = np.array([0.5, 1.0, 1.5])
    np.testing.assert_allclose(field.at(place), [1, 1, 1])
    for beyond in (-0.1, 3.1):
        np.testing.assert_array_equal(field.at(np.where(np.arange(3) == axis, beyond, place)), [0, 0, 0])
