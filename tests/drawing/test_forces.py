"""Steering forces in pictures."""

import numpy as np
import pytest

import steersman as sm
from steersman.drawing.forces import forces_of


@pytest.mark.parametrize("lost", ["position", "force"])
def test_a_vehicle_without_a_place_or_a_force_has_no_arrow(lost):
    """The others have theirs, as long as without it."""
    force = np.array([[3.0, 0.0], [np.nan if lost == "force" else 9.0, 0.0], [0.0, 4.0]])
    world = sm.World()
    world.add(sm.Vehicles([[1, 2], [3, 4], [5, 6]], max_force=9), name="a", steering=lambda vehicles: force)
    if lost == "position":
        world["a"].position[1, 0] = np.nan
    shown = forces_of(world, True)
    assert shown.position.tolist() == [[1, 2], [5, 6]]
    assert shown.force.tolist() == [[3, 0], [0, 4]]
    assert shown.full == 4
