"""Scenes for pedestrians after SteerBench's descriptions (Singh et al. 2009): what is measured is how they walk, not where.

`walk(name, ...)` plays a scene and says how deep anybody was in a wall or in anybody else, and how many arrived.
"""

import itertools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from stepping import ways

import steersman as sm

RADIUS, SPEED = 0.3, 1.3
"""Of a pedestrian: [m], [m/s]."""


class Scene(NamedTuple):
    """Who begins where [m], wants where [m], and the walls; `open`, if they can arrive."""

    start: Any
    goal: Any
    walls: sm.Obstacles | None
    seconds: float
    open: bool = True


class Walk(NamedTuple):
    """What a scene came to: deepest into a wall [m] and into each other [m], share of those who arrived."""

    wall: float
    each: float
    arrived: float


def box(x: tuple[float, float], y: tuple[float, float]) -> tuple[list[float], list[float]]:
    """The middle and the half extents of a box between coordinates."""
    return [(x[0] + x[1]) / 2, (y[0] + y[1]) / 2], [(x[1] - x[0]) / 2, (y[1] - y[0]) / 2]


def boxes(*sides: tuple[tuple[float, float], tuple[float, float]]) -> sm.Boxes:
    """One set of boxes."""
    centers, sizes = zip(*(box(*each) for each in sides), strict=True)
    return sm.Boxes(centers, sizes)


def spots(rng: Any, n: int, x: tuple[float, float], y: tuple[float, float]) -> Any:
    """Places in a rectangle that do not touch."""
    found: list[Any] = []
    while len(found) < n:
        place = rng.uniform([x[0], y[0]], [x[1], y[1]])
        if all(np.hypot(*(place - other)) > 2.2 * RADIUS for other in found):
            found.append(place)
    return np.array(found)


def oncoming(rng: Any) -> Scene:
    """Two walk toward each other."""
    start = np.array([[-8.0, 0.0], [8.0, 0.0]]) + rng.normal(0, 0.05, (2, 2))
    return Scene(start, -start, None, 40)


def crossing(rng: Any) -> Scene:
    """Two cross at a right angle."""
    start = np.array([[-8.0, 0.0], [0.0, -8.0]]) + rng.normal(0, 0.05, (2, 2))
    return Scene(start, -start, None, 40)


def doorway(rng: Any) -> Scene:
    """Four on either side want through a door of 1.4 m."""
    walls = boxes(((-0.2, 0.2), (-9.0, -0.7)), ((-0.2, 0.2), (0.7, 9.0)))
    left, right = spots(rng, 4, (-7, -2), (-3, 3)), spots(rng, 4, (2, 7), (-3, 3))
    far = np.array([9, 0])
    return Scene(np.concatenate([left, right]), np.concatenate([left + far, right - far]), walls, 60)


def narrow_door(rng: Any) -> Scene:
    """One goes through a door of 1.2 body widths."""
    half = 1.2 * RADIUS
    walls = boxes(((-0.2, 0.2), (-9.0, -half)), ((-0.2, 0.2), (half, 9.0)))
    return Scene(np.array([[-5.0, rng.uniform(-2, 2)]]), np.array([[5.0, 0.0]]), walls, 60)


def hallway(rng: Any) -> Scene:
    """Ten in either direction along a hallway of 4 m, whose walls are made of many short boxes."""
    ends = np.linspace(-20, 20, 21)
    pieces = [((a, b), y) for a, b in itertools.pairwise(ends) for y in ((2.0, 2.6), (-2.6, -2.0))]
    left, right = spots(rng, 10, (-14, -5), (-1.6, 1.6)), spots(rng, 10, (5, 14), (-1.6, 1.6))
    far = np.array([19, 0])
    goal = np.concatenate([left + far, right - far])
    return Scene(np.concatenate([left, right]), goal, boxes(*pieces), 80)


def squeeze(rng: Any) -> Scene:
    """Two meet in a corridor a little wider than both."""
    walls = boxes(((-6.0, 6.0), (0.8, 1.4)), ((-6.0, 6.0), (-1.4, -0.8)))
    start = np.array([[-8.0, 0.0], [8.0, 0.0]]) + rng.normal(0, 0.05, (2, 2))
    return Scene(start, -start, walls, 60)


def corner(rng: Any) -> Scene:
    """Twelve push into the corner of an L, behind which their goal is."""
    walls = boxes(((0.0, 1.0), (-12.0, 1.0)), ((-12.0, 1.0), (0.0, 1.0)))
    start = spots(rng, 12, (-9, -2), (-9, -2))
    return Scene(start, np.full((12, 2), 6.0), walls, 25, open=False)


def room(rng: Any) -> Scene:
    """Twelve in a closed room want out through its corners."""
    walls = boxes(((-6.5, 6.5), (5, 5.5)), ((-6.5, 6.5), (-5.5, -5)), ((6, 6.5), (-5, 5)), ((-6.5, -6), (-5, 5)))
    start = spots(rng, 12, (-4, 4), (-3, 3))
    way = rng.choice([[12.0, 10.0], [12.0, -10.0], [-12.0, 10.0], [-12.0, -10.0]], 12)
    return Scene(start, way, walls, 25, open=False)


def confusion(rng: Any) -> Scene:
    """Four groups of four meet in the middle."""
    away = np.concatenate([spots(rng, 4, (-10, -6), (-2, 2)) for _ in range(4)])
    turns = np.repeat(np.arange(4), 4) * np.pi / 2
    c, s = np.cos(turns), np.sin(turns)
    start = np.stack([c * away[:, 0] - s * away[:, 1], s * away[:, 0] + c * away[:, 1]], axis=1)
    return Scene(start, -start, None, 60)


def crossroads(rng: Any) -> Scene:
    """Four groups of four meet where two hallways of 4 m cross."""
    scene = confusion(rng)
    narrow = np.repeat([[1.0, 0.85], [0.85, 1.0], [1.0, 0.85], [0.85, 1.0]], 4, axis=0)
    walls = boxes(*(((x, x + 10 * np.sign(x)) if x > 0 else (x - 10, x), (y, y + 10) if y > 0 else (y - 10, y))
                    for x in (-2.2, 2.2) for y in (-2.2, 2.2)))  # fmt: skip
    return scene._replace(start=scene.start * narrow, goal=scene.goal * narrow, walls=walls, seconds=90)


SCENES: dict[str, Callable[[Any], Scene]] = {
    each.__name__: each
    for each in (
        oncoming, crossing, doorway, narrow_door, hallway, squeeze, corner, room, confusion, crossroads,
    )
}  # fmt: skip


def walk(name: str, seed: int, *, dt: float = 1 / 20, split: bool = False, **options: Any) -> Walk:
    """Play a scene with ORCA as it comes, or with these options; `split` makes every box a set of its own."""
    scene = SCENES[name](np.random.default_rng(seed))
    walls: Any = scene.walls
    if split and walls is not None:
        walls = [sm.Boxes(center, size) for center, size in zip(walls.center, walls.size, strict=True)]
    vehicles = sm.Vehicles(scene.start, radius=RADIUS, max_speed=SPEED, max_force=options.pop("max_force", 5.0))
    world = sm.World(dt=dt, threads=1)
    world.add(vehicles, steering=sm.ORCA(toward=sm.Arrive(scene.goal), obstacles=walls, **options))
    places = ways(world, vehicles, round(scene.seconds / dt)).astype(float)
    deep = 0.0 if scene.walls is None else RADIUS - scene.walls.nearest(places.reshape(-1, 2)).distance.min()
    first, second = np.triu_indices(len(vehicles), 1)
    now = places[:: max(1, round(0.05 / dt))]
    apart = np.linalg.norm(now[:, first] - now[:, second], axis=2).min(initial=np.inf)
    off = np.linalg.norm(vehicles.position - scene.goal, axis=1)
    wall, each = max(0.0, float(deep)), max(0.0, float(2 * RADIUS - apart))
    return Walk(wall, each, float((off < 1.0).mean()) if scene.open else float("nan"))


def table(seeds: int = 20, **options: Any) -> None:
    """Print the worst of all seeds: in a wall, in each other; and how many arrive."""
    for name in SCENES:
        walks = [walk(name, seed, **options) for seed in range(seeds)]
        worst = [max(each) for each in list(zip(*walks, strict=True))[:2]]
        arrived = np.mean([each.arrived for each in walks])
        print(f"{name:12} {1000 * worst[0]:7.1f} mm {1000 * worst[1]:7.1f} mm  arrived {arrived:.0%}", flush=True)


if __name__ == "__main__":
    table()
