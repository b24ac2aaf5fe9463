"""Mice run through a maze to the cheese in its middle, each by the shortest way, without touching a wall.

Reynolds 1999, "Path following": the way is given by a planner. Here it is a `RouteGrid`, which knows the way from
everywhere, so none of the mice needs a path of its own.
"""

from collections.abc import Iterator

import numpy as np

import steersman as sm
from steersman.core.typing import Array
from steersman.gallery.making.by_id import extended, largest, mean
from steersman.gallery.making.impostors import by_another_map, instead
from steersman.gallery.making.scenario import Scenario

CELLS, WIDTH = 9, 4.0
"""Cells along an edge of the maze, and the width of a cell [m]."""

SPEED, CLEARANCE = 5.0, 0.9
"""How fast mice run [m/s], and how near to walls their ways lead [m]."""

SHORT = 1.12
"""A way may be so much longer than that from middle to middle of the cells: they may cut corners, but must speed up."""

SIDES = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])
"""From a cell to its neighbors."""


def doors_of(rng: np.random.Generator) -> Array:
    """Which cells are joined, shape (CELLS, CELLS, 4): every cell to every other one, most of them by a single way."""
    doors = np.zeros((CELLS, CELLS, 4), bool)
    visited, path = {(0, 0)}, [(0, 0)]

    def join(cell: tuple[int, int], side: int) -> tuple[int, int]:
        other = (cell[0] + int(SIDES[side, 0]), cell[1] + int(SIDES[side, 1]))
        doors[cell][side] = doors[other][(side + 2) % 4] = True
        return other

    while path:
        there = [(path[-1][0] + int(x), path[-1][1] + int(y)) for x, y in SIDES]
        free = [k for k, c in enumerate(there) if min(c) >= 0 and max(c) < CELLS and c not in visited]
        if not free:
            path.pop()
            continue
        path.append(join(path[-1], int(rng.choice(free))))
        visited.add(path[-1])
    for cell in rng.integers(0, CELLS - 1, (CELLS, 2)):  # Some more, so that there is a choice.
        join((int(cell[0]), int(cell[1])), int(rng.integers(0, 2)))
    return doors


def walls_of(doors: Array) -> Array:
    """The walls between cells that are not joined, and around the maze [m], shape (m, 2, 2)."""
    rows = []
    for i, j in np.ndindex(CELLS, CELLS):
        low, high = np.array([i, j]) * WIDTH, np.array([i + 1, j + 1]) * WIDTH
        edges = [
            [[high[0], low[1]], high],
            [[low[0], high[1]], high],
            [low, [low[0], high[1]]],
            [low, [high[0], low[1]]],
        ]
        rows += [edges[k] for k in range(4) if not doors[i, j, k] and (k < 2 or min(i if k == 2 else j, 1) == 0)]
    return np.array([[np.asarray(a), np.asarray(b)] for a, b in rows])


def steps_of(doors: Array, goal: tuple[int, int]) -> Array:
    """How many cells it is to the goal, shape (CELLS, CELLS), by breadth-first search."""
    steps, queue = np.full((CELLS, CELLS), -1), [goal]
    steps[goal] = 0
    for cell in queue:
        for k in np.flatnonzero(doors[cell]):
            other = (cell[0] + int(SIDES[k, 0]), cell[1] + int(SIDES[k, 1]))
            if steps[other] < 0:
                steps[other] = steps[cell] + 1
                queue.append(other)
    return steps


class Arrivals(sm.Keeping):
    """When each mouse came to the cheese: an observer.

    Attributes:
        when: Seconds, infinite for never, by id.
    """

    only_watches, saved_attributes = True, ("when",)

    def __init__(self, mice: sm.Vehicles, cheese: sm.Region, length: Array) -> None:
        self.mice, self.cheese, self.length = mice, cheese, length
        self.when = np.full(len(mice), np.inf)

    def __call__(self, world: sm.World) -> None:
        """Note the mice at the cheese."""
        there = self.mice.id[self.cheese.inside(self.mice.position)]
        self.when = extended(self.when, self.mice, np.inf)
        self.when[there] = np.minimum(self.when[there], world.time)

    def there(self, _: sm.Vehicles) -> float:
        """Which part of them has been there."""
        return mean(np.isfinite(self.when[self.mice.id]))

    def detour(self, _: sm.Vehicles) -> float:
        """How much longer the longest way was than that through the middles of the cells: a factor."""
        ids = np.flatnonzero(np.isfinite(self.when[: len(self.length)]))
        return largest(SPEED * self.when[ids] / self.length[ids])


def make(*, n: int = 24, seed: int = 0) -> sm.Stage:
    """Put n mice into cells at least ten steps from the cheese; they pass through each other."""
    rng = np.random.default_rng(seed)
    doors, middle = doors_of(rng), (CELLS // 2, CELLS // 2)
    steps, walls = steps_of(doors, middle), sm.Walls(walls_of(doors))
    far = np.argwhere(steps >= min(10, np.sort(steps, axis=None)[-8]))
    start = far[rng.permutation(np.arange(n) % len(far))]
    cheese = sm.Box([WIDTH, WIDTH], origin=np.array(middle) * WIDTH)
    hall = sm.Box([CELLS * WIDTH] * 2)
    floor = sm.RouteGrid(walls, region=hall, clearance=CLEARANCE, spacing=0.4)
    mice = sm.Vehicles(
        (start + 0.5) * WIDTH + rng.uniform(-0.5, 0.5, (n, 2)),
        max_speed=SPEED,
        max_force=60,
        radius=0.4,
        response_time=0.1,
    )
    world = sm.World(seed=seed)
    world.add(mice, name="mice", steering=sm.GoTo(cheese, by=floor, lookahead=0.6))
    arrivals = Arrivals(mice, cheese, steps[tuple(start.T)] * WIDTH)
    world.on_step(arrivals)
    world.watch("mice", there=arrivals.there, detour=arrivals.detour)
    world.watch("mice", "penetration", every=sm.EverySteps(1))
    return sm.Stage(
        world,
        seconds=float(np.ceil(SHORT * steps.max() * WIDTH / SPEED + 3)),
        scenery={"walls": walls, "cheese": cheese, "floor": hall},
        picture=sm.Picture(
            looks={"ground": "paving", "floor": "floor", "cheese": "cheese"},
            trails=20,
            size=1.4,
            glyphs="mouse",
            at=[2, 6],
            sketch={"mice": [22]},
            close_up=17,
            opens=12.1,
        ),
        colors={"mice": "gray"},
        notes=[sm.shapes.Circle(np.array(cheese.middle)[None], 1.7, role="target", label="cheese")],
    )


def check(stage: sm.Stage) -> Iterator[str]:
    """All are at the cheese, none by a detour or through a wall."""
    meters = stage.meters
    if (there := meters["mice.there"].now) < 1:
        yield f"all must come to the cheese, but only {there:.0%} did"
    if (detour := meters["mice.detour"].now) > SHORT:
        yield f"all must take the shortest way, but one took {detour:.2f} times as long"
    if (depth := meters["mice.penetration"].greatest) > 0:
        yield f"nobody may touch a wall, but somebody did by {depth:.3f} m"


SCENARIO = Scenario(
    make,
    check,
    tags=("individual", "routes", "obstacles", "Reynolds 1999"),
    quick=12,
    impostors={
        "without a map": instead(sm.GoTo, lambda way: way.replace(by=None)),
        "Seek for GoTo": instead(sm.GoTo, lambda way: sm.Seek(way.goal.middle)),
        "Seek that avoids walls": instead(
            sm.GoTo, lambda way: sm.Priority([sm.AvoidObstacles(way.by.obstacles), sm.Seek(way.goal.middle)])
        ),
        "a map without walls": by_another_map(obstacles=None),
        "a map that leaves walls out": instead(
            sm.GoTo, lambda way: way.replace(by=way.by.replace(obstacles=sm.Walls(way.by.obstacles.points[::2])))
        ),
        "a map for thin mice": by_another_map(clearance=0.05, spacing=0.4),
        "another goal": instead(sm.GoTo, lambda way: way.replace(goal=[2.0, 2.0])),
    },
)
