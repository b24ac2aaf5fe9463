"""Whether vehicles go by their neighbors, as scenarios look at it."""

import numpy as np
import pytest

import steersman as sm
from steersman.gallery.making.agreement import Agreement
from steersman.runs.metrics.order import NEAREST


@pytest.mark.parametrize(("domain", "whole"), [(sm.Torus([10, 10]), True), (sm.Open(), False)])
def test_neighbors_are_also_those_beyond_the_seam_of_a_torus(domain, whole):
    """Two bunches that head opposite ways; one lies across the seam."""
    each = NEAREST + 1
    bunch = np.stack([np.linspace(-0.4, 0.4, each), np.full(each, 5.0)], axis=1)
    place = np.concatenate([bunch % 10, bunch + np.array([5, 0])])
    way = np.repeat([[1.0, 0.0], [-1.0, 0.0]], each, axis=0)
    world = sm.World(domain=domain)
    world.add(sm.Vehicles(place, way, max_speed=2), name="a")
    seen = Agreement(world["a"])
    seen(world)
    most = 1 - 1 / np.sqrt(NEAREST + 1)
    assert (seen.now() == pytest.approx(most)) == whole
    assert seen.now() <= most + 1e-9
