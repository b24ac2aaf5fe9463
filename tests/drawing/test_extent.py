"""How far items reach in a picture."""

import numpy as np
import pytest

import steersman as sm
from steersman.drawing.contents import contents_of
from steersman.drawing.description import describe
from steersman.drawing.extent import frame_of, sight_of


def seen(item):
    """The lowest and the highest corner of the view, without its margin."""
    low, high = frame_of(contents_of(item))
    margin = 0.06 * (high - low).max() / 1.12
    return np.array([low + margin, high - margin])


@pytest.mark.parametrize(
    ("item", "corners"),
    [
        (sm.FlowField.grid(np.zeros((3, 4, 2)), [1, 2], [10, 5]), [[1, 2], [21, 17]]),
        (sm.FlowField.toward([[5, 5]], region=sm.Box([20, 10], origin=[1, 2])), [[1, 2], [21, 12]]),
        (sm.Path([[0, 0], [20, 0], [20, 10]], radius=[1, 3]), [[-3, -3], [23, 13]]),
        (sm.Walls([[0, 0], [20, 0], [20, 10]]), [[0, 0], [20, 10]]),
        (sm.Boxes([[10, 5]], [10, 5]), [[0, 0], [20, 10]]),
        (sm.Resources([[0, 0], [20, 10]]), [[0, 0], [20, 10]]),
        (sm.Spheres([[5, 5], [20, 6]], [2, 4]), [[3, 2], [24, 10]]),
    ],
    ids=["grid", "toward", "path", "walls", "boxes", "resources", "spheres"],
)
def test_all_of_an_item_is_seen(item, corners):
    np.testing.assert_allclose(seen(item), corners, atol=1e-9)
    whole = describe(contents_of(item))
    np.testing.assert_allclose(whole.middle, np.mean(corners, axis=0), atol=1e-9)
    assert whole.reach == whole.span / 2 == (whole.high - whole.low).max() / 2


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_vehicles_that_are_nowhere_do_not_count(d, bad):
    places = np.array([[1.0, 2, 3], [4, 5, 6], [7, bad, 9]])[:, :d]
    world, whole = sm.World(), sm.World()
    for each, count in ((world, 3), (whole, 2)):
        vehicles = sm.Vehicles(np.zeros((count, d)), max_speed=1)
        each.add(vehicles, name="a")
        vehicles.position[:] = places[:count]
    for extent in (frame_of, *([sight_of] if d == 3 else [])):
        for one, other in zip(extent(contents_of(world)), extent(contents_of(whole)), strict=True):
            np.testing.assert_allclose(one, other)
