"""What a vehicle remembers of its quarry is remembered by the quarry's id: no other id or row changes anything."""

from typing import Any

import numpy as np
import pytest

import steersman as sm

LAWS = {
    "Pursue": lambda quarry: sm.Pursue(quarry),
    "a pass": lambda quarry: sm.OffsetPursuit(quarry, radius=4.0),
    "a slot": lambda quarry: sm.OffsetPursuit(quarry, offset=[-2.0, 1.0]),
}


def way(law: str, ids: list[int], decoys: int) -> Any:
    """Where the pursuer is after each step. Decoys stand far away, in the rows before, and go after half of the steps."""
    places = [[1e4, 1e4]] * decoys + [[6.0, 0.0]]
    quarry = sm.Vehicles(places, [[0.0, 2.0]] * len(places), id=ids, max_speed=2.5, dtype=np.float64)
    pursuer = sm.Vehicles([[0.0, 0.0]], [[1.0, 0.0]], max_speed=5.0, max_force=30.0, dtype=np.float64)
    world = sm.World(dt=0.02, threads=1)
    world.add(quarry, name="quarry", steering=lambda vehicles: 0.4 * vehicles.velocity[:, ::-1] * [-1, 1])
    world.add(pursuer, name="pursuer", steering=LAWS[law](quarry))
    found = []
    for step in range(400):
        if step == 200:
            quarry.remove(quarry.id[:decoys])
        world.step()
        found.append(pursuer.position[0].copy())
    return np.array(found)


@pytest.mark.parametrize("law", LAWS)
def test_the_id_and_the_row_of_the_quarry_change_nothing(law: str) -> None:
    expected = way(law, [0], 0)
    np.testing.assert_array_equal(way(law, [7], 0), expected)
    np.testing.assert_array_equal(way(law, [5, 0, 1], 2), expected)
