"""All vehicles at once: the behavior that decides."""

import numpy as np

import steersman as sm
from steersman.studio.viewer.populations import winners


def test_a_part_that_does_not_act_never_wins():
    """Neither part has a force: the one that acts decides, as an explanation says, too."""
    world = sm.World()
    first = sm.Flee([0.0, 0.0], panic_distance=1.0)
    vehicles = sm.Vehicles([[20.0, 20.0], [0.5, 0.0]])
    world.add(vehicles, name="a", steering=sm.Priority([first, sm.Arrive([20.0, 20.0])]))
    told = world.explain("a")
    leaves = [node for node in told.walk() if not node.parts]
    np.testing.assert_array_equal(winners(told, leaves), [1, 0])
    assert [leaves[k].label for k in winners(told, leaves)] == list(told.winner)
