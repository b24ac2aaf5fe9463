"""Who is looked at: other populations and bare points; and what requests are refused."""

import math

import numpy as np
import pytest
from brute_force import brute_force

import steersman as sm
from steersman.core.neighborhood.neighbor_pass import NeighborPass
from steersman.core.neighborhood.request import NeighborSum

REQUEST = NeighborSum("offset", 5.0)


class Points:
    def __init__(self, position):
        self.position = position


def herd(n=120, seed=0, dtype=np.float64):
    return sm.Vehicles(np.random.default_rng(seed).uniform(0, 20, (n, 2)), dtype=dtype)


def check_equal(found, vehicles, of, tolerance=1e-9):
    found.build()
    found.run()
    (request,) = found.sums
    total, count = brute_force(vehicles.columns, request, sm.Open(), of)
    np.testing.assert_array_equal(found.sums[request].count, count)
    np.testing.assert_allclose(np.stack(found.sums[request].total, 1), total, atol=tolerance)


def test_points_may_move_but_not_multiply():
    vehicles, points = herd(), Points(np.random.default_rng(1).uniform(0, 20, (110, 2)))
    found = NeighborPass(vehicles, (REQUEST,), sm.Open(), points)
    check_equal(found, vehicles, points)
    points.position += 1.0
    check_equal(found, vehicles, points)
    points.position = points.position[:-1]
    with pytest.raises(ValueError, match=r"of must keep the shape \(110, 2\) of its position, got \(109, 2\)"):
        found.build()


def test_a_population_of_another_precision():
    vehicles, others = herd(), herd(seed=3, dtype=np.float32)
    found = NeighborPass(vehicles, (NeighborSum("velocity", 5.0),), sm.Open(), others)
    check_equal(found, vehicles, others)
    others.position += 2.0
    others.velocity = [1.0, 2.0]
    check_equal(found, vehicles, others)


def test_its_own_population_by_name_is_its_own_population():
    vehicles = sm.Vehicles([[0.0, 0.0], [1.0, 0.0]])
    found = NeighborPass(vehicles, (REQUEST,), sm.Open(), vehicles)
    found.build()
    found.run()
    np.testing.assert_array_equal(found.sums[REQUEST].count, [1, 1])


def test_equal_requests_are_computed_once():
    found = NeighborPass(herd(), (REQUEST, NeighborSum("offset", 5.0)), sm.Open(), None)
    assert list(found.sums) == [REQUEST]


def test_nothing_asked_for():
    found = NeighborPass(herd(), (), sm.Open(), None)
    found.build()
    found.run()
    assert found.sums == {}


def test_other_dimensions():
    with pytest.raises(ValueError, match="of must have 2 dimensions like the vehicles, got 3"):
        NeighborPass(herd(), (REQUEST,), sm.Open(), sm.Vehicles([[0, 0, 0]]))
    with pytest.raises(ValueError, match=r"of must have positions of shape \(m, 2\), got \(4, 3\)"):
        NeighborPass(herd(), (REQUEST,), sm.Open(), Points(np.zeros((4, 3))))
    with pytest.raises(ValueError, match="the domain must have 2 dimensions"):
        NeighborPass(herd(), (REQUEST,), sm.Torus([1, 2, 3]), None)


def test_points_carry_nothing():
    with pytest.raises(ValueError, match="velocity can only be summed over Vehicles, got of=Points"):
        NeighborPass(herd(), (NeighborSum("velocity", 5.0),), sm.Open(), Points(np.zeros((4, 2))))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"quantity": "speed"}, r"quantity must be one of offset, repulsion, velocity, forward, got 'speed'"),
        ({"radius": 0.0}, r"radius must be > 0 m, got 0\.0"),
        ({"radius": math.nan}, r"radius must be > 0 m, got nan"),
        ({"angle": -1.0}, r"angle must be >= 0 rad, got -1\.0"),
        ({"inner_radius": -2.0}, r"inner_radius must be >= 0 m, got -2\.0"),
        ({"k": 0}, r"k must be >= 1, got 0"),
        ({"falloff": math.inf}, r"falloff must be a finite number >= 0, got inf"),
        ({"limit": -1.0}, r"limit must be >= 0, got -1\.0"),
    ],
)
def test_requests_that_make_no_sense(wrong, message):
    with pytest.raises(ValueError, match=message):
        NeighborPass(herd(), (NeighborSum(**{"quantity": "offset", "radius": 1.0} | wrong),), sm.Open(), None)
