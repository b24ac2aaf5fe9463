"""Extents, turns and streams against exact numbers."""

import itertools

import numpy as np
import pytest

import steersman as sm
from steersman import metrics

pytest.importorskip("scipy")


def test_hulls_of_known_bodies() -> None:
    square = np.array([[0, 0], [3, 0], [3, 2], [0, 2], [1, 1]], float)
    assert metrics.hull_size(square) == pytest.approx(6)
    cube = np.array([[x, y, z] for x in (0, 2) for y in (0, 3) for z in (0, 4)], float)
    assert metrics.hull_size(cube) == pytest.approx(24)
    assert metrics.hull_size(square[:2]) == 0
    assert metrics.hull_size(square[:3]) == pytest.approx(3)
    assert metrics.hull_size(cube[[0, 1, 2, 4]]) == pytest.approx(4)
    assert metrics.hull_size(np.arange(10.0)[:, None] * [1.0, 2.0]) == 0
    np.testing.assert_allclose(metrics.hull_size(np.stack([square, 2 * square])), [6, 24])
    assert metrics.hull_size((square + 9) % 10, sm.Torus([10, 10])) == pytest.approx(6)
    boids = sm.Vehicles(square)
    world = sm.World()
    world.add(boids, name="boids")
    world.watch("boids", "hull_size")
    world.step()
    assert world.meters["boids.hull_size"].unit == "m^2"


def test_cells_of_a_lattice_in_space() -> None:
    lattice = np.array([[x, y, z] for x in range(3) for y in range(4) for z in range(2)]) + 0.5
    room = sm.Box([3, 4, 2])
    np.testing.assert_allclose(metrics.voronoi_volumes(lattice, room), 1)
    np.testing.assert_allclose(metrics.voronoi_volumes(lattice, domain=sm.Box([3, 4, 2], periodic="xz")), 1)
    np.testing.assert_allclose(metrics.voronoi_volumes((lattice + 0.9) % [3, 4, 2], domain=sm.Torus([3, 4, 2])), 1)


@pytest.mark.parametrize(
    "domain",
    [sm.Box([3, 4, 2], [5, 0, -1]), sm.Torus([3, 4, 2], [5, 0, -1]), sm.Box([3, 4, 2], [5, 0, -1], periodic="y")],
)
def test_cells_fill_the_room_and_are_those_of_the_nearest(domain: sm.Domain) -> None:
    rng = np.random.default_rng(1)
    places = domain.origin + rng.uniform(0, 1, (30, 3)) * domain.size
    places[4], places[7] = places[3], [5, 0, -1]  # Two in one place, and one in a corner.
    volumes = metrics.voronoi_volumes(places, domain=domain)
    assert volumes.sum() == pytest.approx(24, rel=1e-5)
    assert volumes[3] == volumes[4]
    probes = domain.origin + rng.uniform(0, 1, (40_000, 3)) * domain.size
    way = domain.difference(places[None], probes[:, None])
    nearest = np.argmin((way**2).sum(axis=-1), axis=1)
    share = np.bincount(nearest, minlength=30) * 24 / 40_000
    share[[3, 4]] = share[[3, 4]].sum() / 2
    np.testing.assert_allclose(volumes, share, atol=0.09)


def test_those_outside_take_nothing_and_wrong_rooms_are_refused() -> None:
    places = np.array([[0.5, 0.5, 0.5], [9, 9, 9]])
    np.testing.assert_array_equal(metrics.voronoi_volumes(places, sm.Box([1, 1, 2])), [2, np.nan])
    walls = metrics.voronoi_volumes([[[0.0, 0, 0], [1, 1, 2], [0, 1, 1]]], sm.Box([1, 1, 2]))
    assert np.sum(walls) == pytest.approx(2)
    with pytest.raises(ValueError, match="within must be a Box where space has no end"):
        metrics.voronoi_volumes(places)
    with pytest.raises(TypeError, match="within must be a Box"):
        metrics.voronoi_volumes(places, sm.Sphere([0, 0, 0], 3))
    with pytest.raises(ValueError, match="voronoi_areas is for the plane"):
        metrics.voronoi_volumes(places[:, :2], sm.Box([1, 1]))


@pytest.mark.parametrize("d", [2, 3])
def test_a_turn_that_is_handed_on_has_the_delays_it_was_made_with(d: int) -> None:
    time, late = np.arange(400) * 0.05, np.array([0.0, 0.3, 0.5, 1.1])
    angle = np.cumsum(np.random.default_rng(3).normal(0, 0.2, 500))
    at = np.interp(time[:, None] + 2 - late, np.arange(500) * 0.05, angle)
    velocity = np.zeros((400, 4, d))
    velocity[..., 0], velocity[..., 1] = 3 * np.cos(at), 3 * np.sin(at)
    found = metrics.turn_delays(velocity, 0.05, longest=2.0)
    np.testing.assert_allclose(found.delay, late[None] - late[:, None], atol=1e-9)
    np.testing.assert_allclose(found.correlation, 1, atol=1e-9)
    assert np.argmax(found.lead) == 0
    assert found.lead[0] == pytest.approx(1.9 / 3)
    assert metrics.turn_delays(velocity[:, ::3], 0.05, longest=2.0).lead == pytest.approx([1.1, -1.1])
    assert metrics.turn_delays(velocity[:, :1], 0.05, longest=2.0).lead == [0]
    with pytest.raises(ValueError, match="longest must be <= "):
        metrics.turn_delays(velocity, 0.05, longest=100)


def test_a_stream_round_a_ring_has_density_and_flow_everywhere() -> None:
    time = np.arange(81)[:, None] * 0.25
    x = (np.arange(10) + 1.3 * time) % 10
    places = np.stack([x, np.ones_like(x)], axis=-1)
    found = metrics.space_time(places, 0.25, [0, 2.5, 5, 10], sm.Torus([10, 4]), interval=4.5, width=2.0)
    np.testing.assert_allclose(found.speed, 1.3)
    whole = metrics.space_time(places, 0.25, [0, 10], sm.Torus([10, 4]), width=2.0)
    np.testing.assert_allclose(whole.density, 0.5)
    np.testing.assert_allclose(whole.flow, 0.65)
    for turns, round_ in itertools.product((-20, -10, 10, 30), (-40, 0, 70)):  # Borders and places of other rounds.
        rims = np.add([0, 2.5, 5, 10], turns)
        other = metrics.space_time(np.add(places, [round_, 0]), 0.25, rims, sm.Torus([10, 4]), interval=4.5, width=2.0)
        np.testing.assert_allclose(other.density, found.density)
        np.testing.assert_allclose(other.flow, found.flow)
    across = metrics.space_time(
        places[..., ::-1], 0.25, [0, 2.5, 5, 10], sm.Torus([4, 10]), axis=1, interval=4.5, width=2.0
    )
    np.testing.assert_allclose(across.flow, found.flow)
    assert found.density.mean() == pytest.approx(0.5, rel=0.05)


@pytest.mark.parametrize(("axis", "dimensions"), [(0, 2), (1, 2), (2, 3)])
def test_fields_divide_the_time_and_the_way_of_a_single_vehicle(axis: int, dimensions: int) -> None:
    """From 0 to 3 in 2 s, then it stands there, at a border, for 2 s, then it goes back to 1 in 2 s."""
    places = np.random.default_rng(2).uniform(0, 4, (4, 1, dimensions))
    places[:, 0, axis] = [0.0, 3, 3, 1]
    found = metrics.space_time(places, 2.0, [0, 1, 2, 3, 5], axis=axis)
    np.testing.assert_allclose(found.density * 2, [[2 / 3, 2 / 3, 2 / 3, 0], [0, 0, 0, 1], [0, 1, 1, 0]])
    np.testing.assert_allclose(found.flow * 2, [[1, 1, 1, 0], [0, 0, 0, 0], [0, -1, -1, 0]])
    nan = np.nan
    np.testing.assert_allclose(found.speed, [[1.5, 1.5, 1.5, nan], [nan, nan, nan, 0], [nan, -1, -1, nan]])
    np.testing.assert_array_equal(found.times, [0, 2, 4, 6])
    for wrong in ([1, 0], [1], [[0, 1], [2, 3]]):
        with pytest.raises(ValueError, match="places must be at least two ascending borders"):
            metrics.space_time(np.zeros((3, 1, 2)), 1.0, wrong)
    with pytest.raises(ValueError, match="interval must be between dt"):
        metrics.space_time(np.zeros((3, 1, 2)), 1.0, [0, 1], interval=5.0)


def test_who_goes_back_is_a_flow_backward() -> None:
    found = metrics.space_time([[[3.0, 0]], [[2.0, 0]], [[1.0, 0]]], 0.5, [0, 4])
    assert found.density.tolist() == [[0.25], [0.25]]
    assert found.flow.tolist() == [[-0.5], [-0.5]]
    assert found.speed.tolist() == [[-2.0], [-2.0]]
