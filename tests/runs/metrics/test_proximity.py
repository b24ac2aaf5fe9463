"""Distances among vehicles, to obstacles, to targets."""

import math

import numpy as np
import pytest

import steersman as sm
from steersman.runs.metrics import contacts, proximity

NOBODY = sm.Vehicles(np.zeros((0, 2)))


def test_nearest_distance():
    vehicles = sm.Vehicles([[0, 0], [3, 0], [3, 4], [9, 4]])
    assert proximity.nearest_distances(vehicles).tolist() == [3, 3, 4, 6]
    assert proximity.nearest_distance(vehicles) == 3.5
    assert proximity.nearest_distance(sm.Vehicles([[0, 0], [9, 0]]), sm.Torus([10, 10])) == pytest.approx(1)


def test_coincident_vehicles_are_at_distance_zero():
    assert proximity.nearest_distance(sm.Vehicles([[1, 1], [1, 1]])) == 0


def test_overlapping():
    vehicles = sm.Vehicles([[0, 0], [1.5, 0], [5, 0], [9.5, 0]], radius=[1, 1, 1, 0.2])
    assert contacts.overlapping(vehicles) == 0.5
    assert contacts.overlapping(vehicles, sm.Torus([10, 10])) == 0.75


def test_penetration():
    rocks = sm.Spheres(center=[[0, 0], [10, 0]], radius=[2, 3])
    assert proximity.penetration(sm.Vehicles([[5, 0]], radius=0.5), [rocks]) == 0
    assert proximity.penetration(sm.Vehicles([[5, 0], [8, 0]], radius=0.5), [rocks]) == 1.5
    assert proximity.penetration(sm.Vehicles([[19, 0]], radius=0.5), [rocks], sm.Torus([20, 20])) == pytest.approx(1.5)
    assert proximity.penetration(sm.Vehicles([[5, 0]]), []) == 0


def test_distances_to_points_and_populations():
    vehicles = sm.Vehicles([[0, 0], [3, 4]])
    assert proximity.distance_to(vehicles, [0, 0]) == 2.5
    assert proximity.closest_to(vehicles, [[0, 0], [9, 9]]) == 0
    assert proximity.farthest_from(vehicles, [[0, 0], [9, 4]]) == 5
    assert proximity.distance_to(vehicles, sm.Vehicles([[3, 5], [0, 2]])) == 1.5
    assert proximity.distance_to(sm.Vehicles([[1, 1]]), [9, 1], sm.Torus([10, 10])) == pytest.approx(2)
    moving = [[[3.0, 4.0]], [[6.0, 8.0]]]  # Of each frame.
    np.testing.assert_allclose(proximity.distances_to(np.zeros((2, 1, 2)), moving), [[5], [10]])


def test_retreat_is_the_fastest_way_away():
    vehicles = sm.Vehicles([[2, 0], [0, 2], [0, 0]], [[3, 1], [0, -5], [7, 0]], max_speed=9)
    assert proximity.retreat(vehicles, [0, 0]) == 3
    assert proximity.retreat(vehicles, [[9, 0], [0, 0], [9, 0]]) == 0


def test_of_many_all_are_measured():
    vehicles = sm.Vehicles(np.random.default_rng(0).uniform(0, 100, (3000, 2)))
    nearest = proximity.nearest_distances(vehicles)
    assert nearest.shape == (3000,)
    # The mean distance to the nearest of n random points on a unit of area is 1 / (2 sqrt(n)).
    assert nearest.mean() == pytest.approx(0.5 * 100 / math.sqrt(3000), rel=0.05)


def test_nobody_and_a_single_vehicle():
    assert math.isnan(proximity.nearest_distance(NOBODY))
    assert math.isnan(contacts.overlapping(NOBODY))
    assert math.isnan(proximity.distance_to(NOBODY, [0, 0]))
    assert math.isnan(proximity.retreat(NOBODY, [0, 0]))
    assert proximity.penetration(NOBODY, [sm.Spheres([0, 0])]) == 0
    assert math.isinf(proximity.nearest_distance(sm.Vehicles([0, 0])))
    assert contacts.overlapping(sm.Vehicles([0, 0])) == 0
    assert math.isinf(proximity.distance_to(sm.Vehicles([0, 0]), NOBODY))
