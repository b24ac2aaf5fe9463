"""Doors of every kind of map: ways that were asked for before are those of the new tolls after a change."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import steersman as sm

DOORS = [[10.0, 4.0], [10.0, 6.0]], [[10.0, 14.0], [10.0, 16.0]]
"""The openings of the wall between two rooms of 10 m x 20 m."""

WALL = sm.Walls([[[10.0, 0.0], [10.0, 4.0]], [[10.0, 6.0], [10.0, 14.0]], [[10.0, 16.0], [10.0, 20.0]]])

CORNERS = [(0, 0), (10, 0), (10, 20), (0, 20), (10, 4), (10.5, 4), (10.5, 6), (10, 6), (10, 14), (10.5, 14), (10.5, 16)]
CORNERS += [(10, 16), (10.5, 0), (20, 0), (20, 20), (10.5, 20)]
FLOORS = sm.TriangleMesh(
    [[x, y, 0] for x, y in CORNERS],
    [[k + each for each in half] for k in (0, 4, 8, 12) for half in ((0, 1, 2), (0, 2, 3))],
)
"""The same two rooms as floors, joined by two sills."""

MAPS: dict[str, Callable[..., Any]] = {
    "NavMesh": lambda **doors: sm.NavMesh.around(WALL, region=sm.Box([20.0, 20.0]), clearance=0.3, **doors),
    "RouteGrid": lambda **doors: sm.RouteGrid(WALL, region=sm.Box([20.0, 20.0]), spacing=0.5, clearance=0.3, **doors),
    "WalkMesh": lambda **doors: sm.WalkMesh(FLOORS, clearance=0.3, **doors),
}


@pytest.mark.parametrize("kind", MAPS)
def test_what_was_asked_for_before_a_toll_changes_is_asked_anew(kind: str) -> None:
    """Six walkers share a goal that stands, so that the ways to it are kept."""
    d = 3 if kind == "WalkMesh" else 2
    doors = [[[x, y, 0.0][:d] for x, y in each] for each in DOORS]
    walkers = np.array([[2.0, y, 0.0][:d] for y in (4, 5, 6, 7, 8, 9)])
    goal = np.array([18.0, 5.0, 0.0])[:d]
    doorway = np.array([10.0, 5.0, 0.0])[:d]
    asked = MAPS[kind](doors=doors)
    straight = asked.guide(walkers, goal)[1]
    assert straight.max() < 18
    for tolls in ([np.inf, 0.0], [5.0, 0.0], [500.0, 500.0], [0.0, 0.0], [np.inf, np.inf]):
        asked.set_tolls(tolls)
        fresh = MAPS[kind](doors=doors, tolls=tolls)
        assert not tolls[0] or (asked.guide(walkers, goal)[1] > straight + 3).all()
        for was, wanted in zip(asked.guide(walkers, goal), fresh.guide(walkers, goal), strict=True):
            np.testing.assert_array_equal(was, wanted)
        for was, wanted in zip(asked.guide(walkers, doorway), fresh.guide(walkers, doorway), strict=True):
            np.testing.assert_array_equal(was, wanted)
    assert np.isinf(asked.guide(walkers, goal)[1]).all()
