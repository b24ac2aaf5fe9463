"""Requests as numbers: edges belong to the neighborhood, and nothing overflows."""

import math

import numpy as np
import pytest

import steersman as sm
from steersman.core.neighborhood.neighbor_pass import NeighborPass
from steersman.core.neighborhood.request import NeighborSum
from steersman.core.neighborhood.slots import (
    ANY,
    INVERSE,
    NUMBERS,
    SERIES,
    OwnNumbers,
    Slot,
    form_of,
    numbers_of,
    table,
)
from steersman.core.parameters.per_vehicle import LiveColumn, PerVehicle


def count_of_first(points, request, forward):
    vehicles = sm.Vehicles(points, forward=forward)
    found = NeighborPass(vehicles, (request,), sm.Open(), None)
    found.build()
    found.run()
    return found.sums[request].count[0]


@pytest.mark.parametrize("radius", [0.1, 1.0, 3.3, 1e-3, 1e9])
def test_who_is_exactly_at_the_radius_is_a_neighbor(radius):
    points = [[0, 0], [radius, 0], [0, np.float32(radius) * np.float32(1 + 1e-6)]]
    assert count_of_first(points, NeighborSum("offset", radius), [1, 0]) == 1


@pytest.mark.parametrize("angle", np.array([0.5, 1, 2 * math.pi / 3, math.pi / 2, math.pi, 4, 5, 6]))
@pytest.mark.parametrize("heading", [0.0, 0.4, 2.0, -3.0])
def test_who_is_exactly_on_the_edge_of_the_view_is_seen(angle, heading):
    """And who is beyond it by a thousandth of a radian is not, on either side."""
    request = NeighborSum("offset", 5.0, angle)
    forward = [math.cos(heading), math.sin(heading)]
    for side in (-1, 1):
        for beyond, seen in ((-1e-3, 1), (0.0, 1), (1e-3, 0)):
            turn = heading + side * (angle / 2 + beyond)
            if beyond == 0 and angle == math.pi and heading != 0:
                continue  # Rounding the positions alone turns them by more than the edge forgives.
            assert count_of_first([[0, 0], [math.cos(turn), math.sin(turn)]], request, forward) == seen


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_numbers_are_finite(dtype):
    for request in (
        NeighborSum("repulsion", math.inf, inner_radius=math.inf),
        NeighborSum("repulsion", 1e-12, falloff=9.5),
        NeighborSum("repulsion", 1e30, falloff=400.0),
    ):
        assert np.isfinite(numbers_of(request, dtype)).all()


def test_inner_radius_is_no_larger_than_the_radius():
    slot = Slot(*numbers_of(NeighborSum("offset", 2.0, 1.0, 5.0), np.float64))
    assert slot.inner2 == slot.radius2 == 4


def test_rows_without_a_request_see_nobody():
    numbers = table([NeighborSum("offset", 2.0)], 3, np.float32)
    assert numbers.shape == (3, NUMBERS)
    columns = Slot(*numbers.T)
    assert np.all(columns.radius2[1:] < 0)
    assert np.all(columns.inner2[1:] < 0)


def test_the_simplest_form_of_repulsion_is_taken():
    plain, limited = NeighborSum("repulsion", 1.0), NeighborSum("repulsion", 1.0, limit=2.0)
    square, root = NeighborSum("repulsion", 1.0, falloff=2.0), NeighborSum("repulsion", 1.0, falloff=0.5)
    assert form_of([]) == form_of([plain]) == INVERSE
    assert form_of([plain, limited]) == form_of([square]) == SERIES
    assert form_of([plain, root, square]) == ANY


@pytest.mark.parametrize("changed", ["sight", "view", "reach"])
@pytest.mark.parametrize("given", [False, True])
def test_numbers_are_read_anew_whichever_column_of_whichever_request_changes(given, changed):
    """`given`: the radius of the first request is an array, and no column."""
    vehicles = sm.Vehicles(np.zeros((4, 2)))
    columns = {"sight": np.array([1.0, 2, 3, 4]), "view": np.array([1.0, 2, 3, 1]), "reach": np.array([2.0, 2, 5, 6])}
    sight, view, reach = (LiveColumn(name, each, lambda: 4) for name, each in columns.items())
    radius = PerVehicle("radius", np.array([1.0, 2, 3, 4])) if given else sight
    requests = {0: NeighborSum("offset", radius, view), 1: NeighborSum("offset", reach)}
    own = OwnNumbers(requests, vehicles, vehicles.id, 3)
    assert own.reads_columns
    before = own.near.copy()
    own.refresh()
    np.testing.assert_array_equal(own.near, before)
    columns[changed][1] = 2.5
    own.refresh()
    expected = OwnNumbers(requests, vehicles, vehicles.id, 3).near
    assert np.array_equal(expected, before) == (given and changed == "sight")
    np.testing.assert_array_equal(own.near, expected)
