"""Places where vehicles come into a world."""

from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman.core.world.flows.places import buried, crowded

PLACES = np.array([[19.5, 5.0], [0.8, 5.0], [10.0, 5.0]])


@pytest.mark.parametrize(
    ("domain", "expected"),
    [(sm.Torus([20.0, 20.0]), [True, True, False]), (sm.Box([20.0, 20.0]), [False, True, False])],
)
def test_what_stands_beyond_the_seam_of_a_torus_is_in_the_way(domain: Any, expected: list[bool]) -> None:
    rock, other = sm.Spheres([[1.0, 5.0]], 1.0), sm.Vehicles([[1.0, 5.0]], radius=1.0)
    assert buried(PLACES, [rock], 1.0, domain).tolist() == expected
    assert crowded(PLACES, np.ones(3), other, domain).tolist() == expected
