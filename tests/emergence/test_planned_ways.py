"""Scenes that nobody leaves without a plan, walked with ORCA toward GoTo: all arrive, and touch nobody and nothing.

They are of the kinds that SteerBench's descriptions call for planning (Singh et al. 2009): pockets, walls with a gap far
aside, rooms, dead ends, a spiral.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pytest
from sampling import drawn

import steersman as sm

Array = np.ndarray[Any, Any]

RADIUS, SPEED = 0.3, 1.3
"""Of a walker [m], [m/s]."""

FLOOR = sm.Box([30.0, 30.0], origin=[-15.0, -15.0])


class Scene(NamedTuple):
    """Walls [m], shape (m, 2, 2), starts and goals [m], shape (n, 2), and how long it may take [s]."""

    walls: Any
    start: Any
    goal: Any
    seconds: float


def rows(x: Any, y: Any) -> Array:
    """Places in rows and columns [m]."""
    return np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1).reshape(-1, 2).astype(float)


def chain(*points: Any) -> list[Any]:
    """The segments of a line through points."""
    return [list(pair) for pair in pairwise(points)]


def pocket() -> Scene:
    """Eight begin in a pocket, and want to be behind it."""
    start = rows([-2.0, -0.6, 0.8, 2.2], [-1.0, 1.0])
    return Scene(chain([-5, -4], [4, -4], [4, 4], [-5, 4]), start, start * [-1, 1] + [10, 0], 60)


def two_pockets() -> Scene:
    """Four each begin in two pockets that look away from each other, and change places."""
    left = rows([-6.0, -7.5], [-1.0, 1.0])
    walls = chain([-9, -3], [-4, -3], [-4, 3], [-9, 3]) + chain([9, -3], [4, -3], [4, 3], [9, 3])
    return Scene(walls, np.concatenate([left, -left]), np.concatenate([-left, left]), 90)


def gap_aside() -> Scene:
    """A wall lies across the way; the only gap in it is at its end."""
    start = rows([-5.0, -6.5], [-6.0, -4.5, -3.0])
    return Scene(chain([0, -15], [0, 11]), start, start * [-1, 1], 90)


def gap_both_ways() -> Scene:
    """The same from both sides at once."""
    left = rows([-5.0, -6.5], [-6.0, -3.0])
    start = np.concatenate([left, left * [-1, 1]])
    return Scene(chain([0, -15], [0, 11]), start, start * [-1, 1], 90)


def rooms() -> Scene:
    """Three each in four rooms want to be in the room across the hall."""
    walls = []
    for side in (-1, 1):
        walls += chain([0, side * 2], [0, side * 9]) + chain([-8, side * 9], [8, side * 9])
        walls += chain([-8, side * 2], [-8, side * 9]) + chain([8, side * 2], [8, side * 9])
        for left in (-8, 0):
            walls += chain([left, side * 2], [left + 3.2, side * 2]) + chain(
                [left + 4.8, side * 2], [left + 8, side * 2]
            )
    corner = rows([-6.0, -4.0, -2.0], [6.0])
    start = np.concatenate([corner * [x, y] for x in (1, -1) for y in (1, -1)])
    return Scene(np.array(walls, float), start, -start, 120)


def dead_ends() -> Scene:
    """A comb of dead ends lies between five and where they want to be."""
    walls = chain([4, -9], [4, 9])
    for y in (-9, -5, -1, 3, 7, 9):
        walls += chain([-4, y], [4, y])
    start = rows([-8.0], [-6.0, -3.0, 0.0, 3.0, 6.0])
    return Scene(walls, start, start + np.array([16, 0]), 90)


def spiral() -> Scene:
    """Four want to the middle of a spiral."""
    walls = chain([-8, -8], [8, -8], [8, 8], [-8, 8], [-8, -4.5], [4.5, -4.5], [4.5, 4.5], [-4.5, 4.5], [-4.5, -1])
    start = rows([-12.0, -10.5], [-7.0, -5.5])
    goal = rows([-1.0, 1.0], [0.0, 2.0])
    return Scene(walls, start, goal, 120)


def zigzag() -> Scene:
    """Walls that leave gaps at alternate ends."""
    walls = chain([-4, -15], [-4, 5]) + chain([0, -5], [0, 15]) + chain([4, -15], [4, 5])
    start = rows([-8.0, -9.5], [-2.0, 0.0, 2.0])
    return Scene(walls, start, start + np.array([17, 0]), 90)


SCENES: dict[str, Callable[[], Scene]] = {
    each.__name__: each for each in (pocket, two_pockets, gap_aside, gap_both_ways, rooms, dead_ends, spiral, zigzag)
}


@pytest.mark.parametrize(
    ("name", "by"), [(name, by) for name in SCENES for by in drawn(["grid", "mesh"], 1, f"planned {name}")]
)
def test_all_arrive_and_touch_nothing(name: str, by: str) -> None:
    problems = walked(SCENES[name](), by)
    assert problems == (0, 0.0)


@pytest.mark.parametrize("name", drawn(SCENES, 3, "without a plan"))
def test_none_of_the_scenes_does_without_a_plan(name: str) -> None:
    late, _ = walked(SCENES[name](), "straight")
    assert late > 0


def test_a_crowd_that_avoids_nothing_is_found_out() -> None:
    assert walked(gap_both_ways(), "grid", avoids=False)[1] > 0.1
    assert walked(pocket(), "straight", avoids=False)[1] > 0.1


def walked(scene: Scene, by: str, seed: int = 0, avoids: bool = True) -> tuple[int, float]:
    """How many did not arrive, and the deepest of all overlaps with others and with walls beyond a millimeter [m]."""
    walls = sm.Walls(np.array(scene.walls, float))
    clearance = RADIUS + 0.05
    routes: Any = sm.NavMesh.around(walls, region=FLOOR, clearance=clearance)
    if by == "grid":
        routes = sm.RouteGrid(walls, region=FLOOR, clearance=clearance, spacing=0.2)
    shift = np.random.default_rng(seed).uniform(-0.1, 0.1, scene.start.shape)
    people = sm.Vehicles(scene.start + shift, radius=RADIUS, max_speed=SPEED, max_force=5, response_time=0.1)
    world = sm.World(seed=seed, dt=1 / 30)
    go = sm.GoTo(scene.goal, by=None if by == "straight" else routes)
    orca = sm.ORCA(3, toward=go, obstacles=walls, obstacle_horizon=1.5)
    world.add(people, name="people", steering=orca if avoids else go)
    ways: list[Array] = []
    world.on_step(lambda _: ways.append(people.position.astype(float)))
    arrived = np.zeros(len(people), bool)
    while world.time < scene.seconds and not arrived.all():
        world.run(seconds=0.5)
        arrived |= np.linalg.norm(people.position - scene.goal, axis=1) < 0.5
    places = np.array(ways)
    first, second = np.triu_indices(len(people), 1)
    apart = np.linalg.norm(places[:, first] - places[:, second], axis=2)
    deepest = max(2 * RADIUS - apart.min(), RADIUS - walls.nearest(places.reshape(-1, 2)).distance.min())
    return int((~arrived).sum()), float(deepest) if deepest > 1e-3 else 0.0
