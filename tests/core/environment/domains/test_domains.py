"""Domains: what a difference is, and where a vehicle ends up that went over the rim."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import steersman as sm

LOW, SIZE = np.array([-3.0, 10.0]), np.array([7.1, 0.3])
HIGH32 = (LOW + SIZE).astype(np.float32)


def confined(domain, position, velocity=None, dtype=np.float32):
    """Positions and velocities after the domain's kernel."""
    vehicles = sm.Vehicles(np.zeros(np.shape(position)), dtype=dtype)
    vehicles.position[...] = position
    if velocity is not None:
        vehicles.velocity[...] = velocity
    kernel, arguments = domain.confine_call(vehicles.columns)
    kernel(0, len(vehicles), *arguments)
    return vehicles.position, vehicles.velocity


class TestOpen:
    def test_has_any_number_of_dimensions_and_does_nothing(self):
        assert sm.Open().dimensions is None
        assert sm.Open().confine_call(sm.Vehicles([[0, 0]]).columns) is None
        assert sm.Open() == sm.Open()
        for d in (2, 3):
            wrap = sm.Open().wrap(d, np.float32)
            assert wrap.dtype == np.float32
            np.testing.assert_array_equal(wrap, np.zeros((2, d)))

    def test_difference_is_straight(self):
        np.testing.assert_array_equal(sm.Open().difference([[9.0, 1.0]], [1.0, 5.0]), [[8.0, -4.0]])


class TestTorus:
    def test_wrap_is_the_period_and_its_inverse(self):
        np.testing.assert_array_equal(sm.Torus([4, 8, 2]).wrap(3, np.float64), [[4, 8, 2], [0.25, 0.125, 0.5]])

    @given(st.lists(st.floats(-1e3, 1e3), min_size=4, max_size=4))
    def test_difference_is_the_shortest_of_all_images(self, numbers):
        torus = sm.Torus(SIZE, LOW)
        to, origin = np.array(numbers[:2]), np.array(numbers[2:])
        way = torus.difference(to, origin)
        assert np.all(np.abs(way) <= SIZE / 2 + 1e-9)
        periods = (to - origin - way) / SIZE
        np.testing.assert_allclose(periods, np.rint(periods), atol=1e-9)

    @given(st.floats(-1e4, 1e4, width=32))
    def test_positions_come_to_lie_inside_and_never_on_the_far_rim(self, x):
        position, _ = confined(sm.Torus(SIZE, LOW), [[x, x], [HIGH32[0], HIGH32[1]], [-3.0000002, 9.999999]])
        assert np.all(position >= LOW.astype(np.float32))
        assert np.all(position < HIGH32)
        turns = (position[0, 0] - x) / SIZE[0]
        assert abs(turns - round(turns)) <= 1e-6 * abs(x) + 1e-5

    def test_a_hair_below_the_near_rim_is_not_rounded_onto_the_far_one(self):
        position, _ = confined(sm.Torus([10, 10]), [[-1e-9, 10.0]])
        np.testing.assert_array_equal(position, [[0, 0]])

    def test_a_position_inside_keeps_its_bits(self):
        inside = np.random.default_rng(0).uniform(LOW, LOW + SIZE, (100, 2)).astype(np.float32)
        inside = inside[np.all((inside >= LOW) & (inside < HIGH32), axis=1)]
        assert confined(sm.Torus(SIZE, LOW), inside)[0].tobytes() == inside.tobytes()

    def test_three_dimensions(self):
        position, _ = confined(sm.Torus([2, 3, 4]), [[2.5, -0.5, 9.0]], dtype=np.float64)
        np.testing.assert_allclose(position, [[0.5, 2.5, 1.0]])

    def test_what_is_not_finite_stays_so_for_the_check_of_the_step(self):
        position, _ = confined(sm.Torus(SIZE, LOW), [[np.nan, 10.1], [np.inf, 10.1]])
        assert np.isnan(position[:, 0]).all()


class TestBox:
    def test_a_vehicle_is_put_back_on_the_wall(self):
        position, velocity = confined(sm.Box([10, 10], restitution=0.5), [[12.0, 5.0], [5.0, -1.0]], [[4, 1], [1, -2]])
        np.testing.assert_array_equal(position, [[10, 5], [5, 0]])
        np.testing.assert_array_equal(velocity, [[-2, 1], [1, 1]])

    def test_restitution_zero_stops_at_the_wall_but_not_along_it(self):
        _, velocity = confined(sm.Box([10, 10]), [[12.0, 5.0]], [[4, 1]])
        np.testing.assert_array_equal(velocity, [[0, 1]])

    def test_a_vehicle_on_its_way_back_in_is_not_turned_round(self):
        for d in (2, 3):
            for axis in range(d):
                for outside, inward in ((12.0, -4), (-2.0, 4)):
                    place, way = np.full((1, d), 5.0), np.ones((1, d))
                    place[0, axis], way[0, axis] = outside, inward
                    _, velocity = confined(sm.Box([10] * d, restitution=1.0), place, way)
                    np.testing.assert_array_equal(velocity, way)

    def test_inside_nothing_changes(self):
        position, velocity = confined(sm.Box([10, 10], [-5, -5]), [[-5.0, 5.0], [1.0, 2.0]], [[3, 4], [-5, 6]])
        np.testing.assert_array_equal(position, [[-5, 5], [1, 2]])
        np.testing.assert_array_equal(velocity, [[3, 4], [-5, 6]])

    def test_differences_do_not_wrap(self):
        np.testing.assert_array_equal(sm.Box([10, 10]).wrap(2, np.float32), np.zeros((2, 2)))
        np.testing.assert_array_equal(sm.Box([10, 10]).difference([9.0, 9.0], [1.0, 1.0]), [8, 8])

    def test_three_dimensions(self):
        position, _ = confined(sm.Box([2, 3, 4]), [[2.5, -0.5, 9.0]], dtype=np.float64)
        np.testing.assert_array_equal(position, [[2, 0, 4]])


class TestCorridor:
    """A box with ends that are joined along some axes."""

    def test_only_the_named_axes_wrap(self):
        np.testing.assert_array_equal(sm.Box([4, 8, 2], periodic="xz").wrap(3, np.float64), [[4, 0, 2], [0.25, 0, 0.5]])
        corridor = sm.Box([10, 4], [-5, 1], periodic="x")
        np.testing.assert_array_equal(corridor.difference([4.0, 4.5], [-4.0, 1.5]), [-2, 3])
        np.testing.assert_array_equal(sm.Box([10, 4], periodic="y").difference([9.0, 3.5], [1.0, 0.5]), [8, -1])

    def test_a_vehicle_comes_in_again_at_one_end_and_stops_at_a_wall(self):
        corridor = sm.Box([10, 4], [-5, 1], restitution=0.5, periodic="x")
        position, velocity = confined(corridor, [[5.5, 6.0], [-5.5, 0.0], [2.0, 3.0]], [[3, 4], [-2, -2], [1, 1]])
        np.testing.assert_array_equal(position, [[-4.5, 5], [4.5, 1], [2, 3]])
        np.testing.assert_array_equal(velocity, [[3, -2], [-2, 1], [1, 1]])
        position, velocity = confined(sm.Box([4, 8, 2], periodic="xz"), [[5, 9, -0.5]], [[1, 1, 1]])
        np.testing.assert_array_equal(position, [[1, 8, 1.5]])
        np.testing.assert_array_equal(velocity, [[1, 0, 1]])

    @pytest.mark.parametrize("periodic", ["", "x", "y", "z", "xy", "xz", "yz"])
    @pytest.mark.parametrize("restitution", [0.0, 0.5])
    def test_each_axis_wraps_or_stops_by_its_own_ends(self, periodic, restitution):
        low, size = np.array([-1.0, 2.0, 5.0]), np.array([8.0, 4.0, 2.0])
        rng = np.random.default_rng(1)
        places = low + size * rng.integers(-3, 9, (60, 3)) / 4
        velocity = rng.choice([-2.0, -1.0, 1.0, 2.0], (60, 3))
        wraps = np.array([axis in periodic for axis in "xyz"])
        beyond = np.where(places < low, -1, np.where(places > low + size, 1, 0)) * ~wraps
        turned = np.where(beyond * velocity > 0, -restitution * velocity, velocity)
        put = np.where(wraps, low + np.mod(places - low, size), np.clip(places, low, low + size))
        found = confined(sm.Box(size, low, restitution=restitution, periodic=periodic), places, velocity)
        np.testing.assert_array_equal(found[0], put)
        np.testing.assert_array_equal(found[1], turned)

    def test_the_search_for_neighbors_looks_round_the_ends_alone(self):
        rng = np.random.default_rng(4)
        for periodic, radius in (("x", 1.5), ("y", 3.0), ("y", 0.4)):
            domain = sm.Box([20, 9], periodic=periodic)
            places = rng.uniform(0, 1, (400, 2)) * domain.size
            apart = np.linalg.norm(domain.difference(places[None], places[:, None]), axis=-1)
            world = sm.World(domain=domain, threads=1)
            world.add(sm.Vehicles(places, dtype=np.float64), name="birds")
            found = np.diff(world.neighbors("birds", radius).indptr)
            np.testing.assert_array_equal(found, (apart <= radius).sum(axis=1) - 1)

    def test_voronoi_cells_go_round_the_ends_and_end_at_the_walls(self):
        corridor = sm.Box([6, 2], [1, 1], periodic="x")
        grid = np.array([[1.5 + k, 1.5 + j] for k in range(6) for j in range(2)])
        np.testing.assert_allclose(sm.metrics.voronoi_areas(grid, domain=corridor), 1.0, rtol=1e-9)
        rng = np.random.default_rng(2)
        crowd = rng.uniform([1, 1], [7, 3], (30, 2))
        areas = sm.metrics.voronoi_areas(crowd, domain=corridor)
        assert areas.sum() == pytest.approx(12)
        moved = 1 + (crowd + np.array([2.5, 0]) - 1) % [6, 2]
        np.testing.assert_allclose(sm.metrics.voronoi_areas(moved, domain=corridor), areas, rtol=1e-9)
        whole = sm.metrics.voronoi_density(crowd, corridor, domain=corridor)
        np.testing.assert_allclose(whole, 30 / 12, rtol=1e-9)

    def test_axes_that_there_are_not_are_refused(self):
        with pytest.raises(ValueError, match="periodic must be axes of the box, which has x and y, got 'z'"):
            sm.Box([1, 1], periodic="z")
        with pytest.raises(ValueError, match="that is a Torus"):
            sm.Box([1, 1], periodic="xy")
        with pytest.raises(ValueError, match="periodic must be"):
            sm.Box([1, 1], periodic="w")


@pytest.mark.parametrize("domain", [sm.Torus, sm.Box])
class TestExtent:
    @pytest.mark.parametrize(
        ("size", "origin", "message"),
        [
            ([1, 0], 0, r"size must be > 0 m, as whole lengths, got 0\.0"),
            ([-2, 1], 0, r"size must be > 0 m, as whole lengths, got -2\.0"),
            (5, 0, r"size must have shape \(2,\) or \(3,\), such as \[100, 100\], of whole lengths, got 5"),
            ([1, 2, 3, 4], 0, r"size must have shape \(2,\) or \(3,\), .*got \[1, 2, 3, 4\]"),
            ([1, math.nan], 0, r"size must be finite, got nan at index 1"),
            ([math.inf, 1], 0, r"size must be finite, got inf at index 0"),
            ([1, 2], [0, 0, 0], r"origin must be one number or have shape \(2,\), like size, got \(3,\)"),
            ([1, 2], [0, math.nan], r"origin must be finite, got nan at index 1"),
        ],
    )
    def test_errors_name_what_was_given(self, domain, size, origin, message):
        with pytest.raises(ValueError, match=message):
            domain(size, origin)

    def test_words_are_refused(self, domain):
        with pytest.raises(TypeError, match="size must be numbers"):
            domain(["wide", "high"])

    def test_other_dimensions_than_the_vehicles(self, domain):
        with pytest.raises(ValueError, match="the domain must have 2 dimensions like the vehicles, got 3"):
            domain([1, 2, 3]).confine_call(sm.Vehicles([[0, 0]]).columns)
        points = (np.zeros(1), np.zeros(1))
        with pytest.raises(ValueError, match="the domain must have 2 dimensions like the vehicles, got 3"):
            domain([1, 2, 3]).image_call(points, points)
        with pytest.raises(ValueError, match="the domain must have 3 dimensions like the vehicles, got 2"):
            domain([1, 2]).wrap(3, np.float32)

    def test_a_size_that_float32_loses_next_to_the_origin(self, domain):
        far = domain([1, 1], 1e9)
        assert far.confine_call(sm.Vehicles([[0, 0]], dtype=np.float64).columns) is not None
        with pytest.raises(ValueError, match="size must be resolved in float32"):
            far.confine_call(sm.Vehicles([[0, 0]]).columns)

    def test_equal_by_value_and_immutable(self, domain):
        assert domain([1, 2], 3) == domain((1.0, 2.0), (3.0, 3.0))
        assert domain([1, 2]) != domain([1, 3])
        with pytest.raises(ValueError, match="read-only"):
            domain([1, 2]).size[0] = 5


def test_restitution_is_between_0_and_1():
    with pytest.raises(ValueError, match=r"restitution must be >= 0 and <= 1, got 1\.5"):
        sm.Box([1, 1], restitution=1.5)
