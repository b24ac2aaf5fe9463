"""Three hundred people change rooms in a building of thirty, through doors of 1.6 m."""

from typing import Any

import numpy as np
import pytest

import steersman as sm

Array = np.ndarray[Any, Any]

ROOM, HALL, DOOR, COLUMNS = 6.0, 4.0, 1.6, 6
ROWS = "rhrrhrrh"
"""Rows of rooms and halls, from below; every row of rooms has its doors to the hall beside it."""


def building() -> tuple[sm.Walls, Array, sm.Box]:
    """Its walls, the lower left corners of its rooms, shape (30, 2), and the floor. Halls at both ends join the others."""
    walls, rooms, wide = [], [], COLUMNS * ROOM
    height = np.cumsum([0.0, *(ROOM if row == "r" else HALL for row in ROWS)])
    for k, row in enumerate(ROWS):
        low, high = height[k : k + 2]
        if row == "h":
            continue
        front, back = (high, low) if ROWS[k + 1 : k + 2] == "h" else (low, high)
        for left in ROOM * np.arange(COLUMNS):
            right, middle = left + ROOM, left + ROOM / 2
            rooms.append((left, low))
            walls += [[[left, front], [middle - DOOR / 2, front]], [[middle + DOOR / 2, front], [right, front]]]
            walls += [[[left, low], [left, high]], [[left, back], [right, back]]]
        walls.append([[wide, low], [wide, high]])
    corners = [[-HALL, 0.0], [wide + HALL, 0.0], [wide + HALL, height[-1]], [-HALL, height[-1]]]
    walls += [[corners[k], corners[k - 1]] for k in range(4)]
    return sm.Walls(walls), np.array(rooms), sm.Box([wide + 2 * HALL, height[-1]], origin=[-HALL, 0.0])


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("by", "seed"), [("grid", 0), ("mesh", 2), ("mesh", 13)])
def test_everybody_comes_to_another_room(by: str, seed: int) -> None:
    """Several have one goal. On the mesh the last of a crowd in a room would rest in its door, in these seeds."""
    walls, rooms, floor = building()
    maps = {
        "grid": lambda: sm.RouteGrid(walls, region=floor, clearance=0.4, spacing=0.3),
        "mesh": lambda: sm.NavMesh.around(walls, region=floor, clearance=0.4),
    }
    rng = np.random.default_rng(seed)
    places = np.stack(np.meshgrid(np.linspace(0.8, 5.2, 4), np.linspace(0.8, 5.2, 4)), axis=-1).reshape(-1, 2)
    start = np.concatenate([room + rng.permutation(places)[:10] for room in rooms])
    to = rooms[rng.integers(0, len(rooms), len(start))]
    people = sm.Vehicles(start, radius=0.25, max_speed=1.4, max_force=8, response_time=0.2)
    world = sm.World(seed=seed, dt=1 / 20)
    go = sm.GoTo(to + ROOM / 2, by=maps[by]())
    world.add(people, steering=sm.Priority([sm.AvoidObstacles(walls, lookahead=0.5), sm.AvoidNeighbors(), go]))
    arrived = np.zeros(len(people), bool)
    for _ in range(200):
        world.run(seconds=1)
        arrived |= ((people.position > to) & (people.position < to + ROOM)).all(axis=1)
        if arrived.all():
            break
    assert arrived.sum() == len(people)
