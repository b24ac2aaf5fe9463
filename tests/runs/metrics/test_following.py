"""Following a path and staying in a region, in numbers worked out by hand."""

import numpy as np
import pytest

import steersman as sm
from steersman.runs.metrics.following import off_path, outside, path_error, progress


def crowd(position, velocity=(0.0, 0.0)):
    return sm.Vehicles(position, velocity, max_speed=100)


ELL = sm.Path([[0, 0], [10, 0], [10, 10]], radius=[1, 2])


def test_a_path_with_a_corner():
    vehicles = crowd([[5, 0.5], [5, -1.5], [11.5, 5], [13, 5]], [[3, 4], [-1, 0], [0, 2], [9, 0]])
    assert path_error(vehicles, ELL) == pytest.approx((0.5 + 1.5 + 1.5 + 3) / 4)
    assert off_path(vehicles, ELL) == 0.5
    assert progress(vehicles, ELL) == pytest.approx((3 - 1 + 2 + 0) / 4)


def test_across_the_seam_of_a_torus():
    vehicles = crowd([[0.5, 19.5], [19.5, 5.0]])
    spine = sm.Path([[0, 0], [10, 0]], radius=1)
    assert path_error(vehicles, spine, sm.Torus([20, 20])) == pytest.approx((0.5 + np.hypot(0.5, 5.0)) / 2)
    assert off_path(vehicles, spine, sm.Torus([20, 20])) == 0.5
    assert off_path(vehicles, spine) == 1.0


@pytest.mark.parametrize("side", [1, -1])
def test_whichever_side_of_the_seam_the_path_is_on(side):
    torus = sm.Torus([20, 20, 20], origin=[-10] * 3)
    vehicles = crowd([[side * 9.5, 5.0, side * 9.0]], (0.0, 0.0, 0.0))
    spine = sm.Path([[-side * 9.5, 0, -side * 9.0], [-side * 9.5, 9, -side * 9.0]], radius=2)
    assert path_error(vehicles, spine, torus) == pytest.approx(np.hypot(1.0, 2.0))


def test_a_region():
    vehicles = crowd([[1, 1], [5, 5], [11, 5], [5, -0.1]])
    assert outside(vehicles, sm.Box([10, 10])) == 0.5


def test_nobody():
    nobody = crowd(np.zeros((0, 2)))
    values = [path_error(nobody, ELL), off_path(nobody, ELL), progress(nobody, ELL), outside(nobody, sm.Box([1, 1]))]
    assert np.isnan(values).all()
