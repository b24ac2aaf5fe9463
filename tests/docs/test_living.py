"""Figures that can be dragged: every vehicle that has a ring is there, and its construction begins at it."""

import sys
from pathlib import Path

import numpy as np
import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def living():
    folders = [str(DOCS), str(DOCS / "site")]
    sys.path[:0] = folders
    try:
        import living

        yield living
    finally:
        for folder in folders:
            sys.path.remove(folder)


@pytest.mark.parametrize("number", range(3, 18))
def test_a_construction_begins_at_the_vehicle(living, number):
    scene = living.Scene(number)
    frame = scene.frame(scene.world)
    for handle in scene.handles:
        x, y = frame["v"][living.row_of(scene.world, handle)][:2]
        assert np.allclose(scene.world[handle[0]].position[handle[1]] - scene.low, [x, y], atol=0.01)
    begins = np.array([shape[2:4] for shape in frame["s"]])
    places = np.array([each[:2] for each in frame["v"]])
    assert (np.linalg.norm(begins[:, None] - places, axis=2).min(axis=1) < 0.02).any()


def test_a_vehicle_that_is_dragged_takes_its_construction_along(living):
    scene = living.Scene(3)
    home = scene.world["seek"].position.copy()
    mesh = scene.mesh(("seek", 0))
    assert np.array_equal(scene.world["seek"].position, home)
    for j, row in enumerate(mesh):
        for i, shapes in enumerate(row):
            desired = [shape for shape in shapes if shape[0] == "desired"]
            assert len(desired) == 2
            assert np.allclose([shape[2:4] for shape in desired], [i * living.STEP, j * living.STEP], atol=0.01)
            ways = np.array([np.subtract(shape[4:6], shape[2:4]) for shape in desired])
            assert np.allclose(ways[0], -ways[1], atol=0.03)  # one seeks, one flees
