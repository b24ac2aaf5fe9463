"""The cases: each is walked by a method with a seed, and gives a few numbers."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import steersman as sm
from benchmarks.validation.methods import METHODS, RADIUS, Method, people, toward
from benchmarks.validation.references import DOOR, NOBODY, Range, one_way, single, two_way
from steersman.runs.metrics.contacts import overlap
from steersman.runs.metrics.order import lane_order

LENGTH, WIDTH = 15.0, 4.0
"""Of the corridor, which is joined at its ends [m]."""

Found = dict[str, float]


class Case(NamedTuple):
    """A case.

    Attributes:
        title: What the page says above the table.
        walk: `(method, value, seed)` -> numbers by name; the first is judged.
        values: What is varied, a column each.
        judge: `value` -> the published range; None where there is none.
        heads: What the numbers are, with units.
        about: What happens, in a sentence.
    """

    title: str
    walk: Callable[[Method, Any, int], Found]
    values: tuple[Any, ...]
    judge: Callable[[Any], Range] | None
    heads: dict[str, str]
    about: str


def spread(n: int, size: Any, seed: int, origin: Any = (0.0, 0.0)) -> Any:
    """Places of n people in a rectangle from a corner on [m]: a jittered lattice, so that they do not overlap much."""
    rng = np.random.default_rng(seed)
    size = np.asarray(size, float)
    columns = math.ceil(math.sqrt(n * size[0] / size[1]))
    lines = math.ceil(n / columns)
    cell = size / [columns, lines]
    x, y = np.divmod(np.sort(rng.permutation(columns * lines)[:n]), lines)
    free = np.maximum(cell / 2 - RADIUS, 0)
    return np.stack([x + 0.5, y + 0.5], axis=1) * cell + rng.uniform(-1, 1, (n, 2)) * free + origin


def corridor(method: Method, density: float, seed: int, way: Any) -> Found:
    """People in a corridor without ends; speed along their way, the deepest overlap, and who walks backwards."""
    n = round(density * LENGTH * WIDTH)
    domain = sm.Torus([LENGTH, 4 * WIDTH])
    walls = sm.Walls([[[x, y], [x + 5, y]] for y in (WIDTH, 2 * WIDTH) for x in (0.0, 5.0, 10.0)])
    rng = np.random.default_rng(seed)
    sign = np.where(rng.permutation(n) < way * n, 1.0, -1.0)
    walkers, speed = people(method, spread(n, [LENGTH, WIDTH], seed, [0, WIDTH]), seed)
    wanted = np.stack([sign * speed, np.zeros(n)], axis=1)
    world = sm.World(dt=method.dt, domain=domain, seed=seed, threads=1)
    world.add(walkers, steering=method.tree(toward(method, lambda _: wanted), walls))
    world.run(seconds=20)
    seen: list[tuple[float, ...]] = []
    for _ in range(40):
        world.run(seconds=0.5)
        along = sign * walkers.velocity[:, 0]
        order = lane_order(walkers, [1.0, 0.0], 0.75 / math.sqrt(density), domain) if way < 1 else math.nan
        seen.append((along.mean(), float(overlap(walkers, domain)), (along < -0.05).mean(), float(order)))
    speeds, overlaps, back, orders = np.array(seen).T
    return {"speed": speeds.mean(), "overlap": overlaps.max(), "back": back.mean(), "lanes": orders[-10:].mean()}


def door(method: Method, width: float, seed: int, column: bool = False) -> Found:
    """A hundred people go out of a room of 8 m by 7 m; flow between the 20th and the 80th, by the width of the door."""
    half, side = width / 2, 3.5
    lines = [[[0, half], [0, side]], [[0, -half], [0, -side]], [[0, side], [-8, side]], [[0, -side], [-8, -side]]]
    walls: Any = sm.Walls([*lines, [[-8, side], [-8, -side]]])
    if column:
        walls = [walls, sm.Spheres([[-1.2, 0.0]], 0.3)]
    walkers, speed = people(method, spread(100, [5.6, 6.4], seed, [-7.7, -3.2]), seed)
    room = max(half - method.radius - 0.05, 0.02)

    def wanted(place: Any) -> Any:
        target = np.stack([np.full(len(place), 0.3), np.clip(place[:, 1], -room, room)], axis=1)
        way = np.where(place[:, :1] < 0.1, target - place, [1.0, 0.0])
        return way * (speed / np.linalg.norm(way, axis=1))[:, None]

    world = sm.World(dt=method.dt, seed=seed, threads=1)
    world.add(walkers, steering=method.tree(toward(method, wanted), walls))
    out, times, deepest = np.zeros(100, bool), [], 0.0
    for step in range(round(120 / method.dt)):
        world.step()
        through = (walkers.position[:, 0] > 0) & ~out
        times += [world.time] * int(through.sum())
        out |= through
        if step % 10 == 0:
            deepest = max(deepest, float(overlap(walkers)))
        if len(times) > 85:
            break
    flow = 60 / (times[79] - times[19]) if len(times) > 79 else len(times) / 120
    return {"flow": flow / width, "overlap": deepest, "out": len(times)}


def beside_column(method: Method, width: float, seed: int) -> Found:
    """The flow through a door with a column of 0.6 m before it, against that without."""
    plain, kept = door(method, width, seed), door(method, width, seed, column=True)
    return {"ratio": kept["flow"] / plain["flow"] if plain["flow"] else math.nan, "overlap": kept["overlap"]}


def crossing(method: Method, density: float, seed: int, ways: int = 2) -> Found:
    """Two streams, or four, that cross at right angles everywhere, without walls."""
    size = 12.0
    n = round(density * size**2)
    domain = sm.Torus([size, size])
    walkers, speed = people(method, spread(n, [size, size], seed), seed)
    way = np.random.default_rng(seed).permutation(n) * ways // n
    unit = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])[way]
    wanted = unit * speed[:, None]
    world = sm.World(dt=method.dt, domain=domain, seed=seed, threads=1)
    world.add(walkers, steering=method.tree(toward(method, lambda _: wanted), None))
    world.run(seconds=20)
    along, deepest = [], 0.0
    for _ in range(40):
        world.run(seconds=0.5)
        along.append(np.sum(walkers.velocity * unit, axis=1).mean())
        deepest = max(deepest, float(overlap(walkers, domain)))
    return {"speed": float(np.mean(along)), "overlap": deepest}


def exits(method: Method, count: float, seed: int) -> Found:
    """Eighty people leave a hall of 10 m by 8 m by one door of 1.2 m in the middle of a side, or by two on opposite sides.

    Each goes to the nearest door, as RiMEA's test 9 wants: with half of the doors it takes about twice as long.
    """
    half, times = 0.6, []
    for doors in (1, 2):
        ends = [[[x, y], [x, sign * half]] for x in (-5.0, 5.0)[:doors] for y, sign in ((4.0, 1), (-4.0, -1))]
        shut = [] if doors == 2 else [[[5.0, -4.0], [5.0, 4.0]]]
        walls = sm.Walls([*ends, *shut, [[-5.0, 4.0], [5.0, 4.0]], [[-5.0, -4.0], [5.0, -4.0]]])
        walkers, speed = people(method, spread(80, [8.0, 7.0], seed, [-4.0, -3.5]), seed)
        side = np.where((walkers.position[:, 0] > 0) & (doors == 2), 1.0, -1.0)
        room = max(half - method.radius - 0.05, 0.02)

        def wanted(place: Any, side: Any = side, room: float = room, speed: Any = speed) -> Any:
            target = np.stack([side * 5.3, np.clip(place[:, 1], -room, room)], axis=1)
            out = (place[:, 0] * side > 5.1)[:, None]
            way = np.where(out, np.stack([side, 0 * side], axis=1), target - place)
            return way * (speed / np.maximum(np.linalg.norm(way, axis=1), 1e-6))[:, None]

        world = sm.World(dt=method.dt, seed=seed, threads=1)
        world.add(walkers, steering=method.tree(toward(method, wanted), walls))
        while (walkers.position[:, 0] * side > 5).mean() < 0.95 and world.time < 120:
            world.run(steps=round(0.2 / method.dt))
        times.append(world.time)
    return {"ratio": times[0] / times[1], "one": times[0], "two": times[1]}


def alone(method: Method, distance: float, seed: int) -> Found:
    """One person in a corridor of 2 m by 40 m."""
    walls = sm.Walls([[[0, 0], [41, 0]], [[0, 2], [41, 2]]])
    walker, _ = people(method, [[0.4, 1.0]], seed, speed=1.33)
    world = sm.World(dt=method.dt, threads=1)
    go = toward(method, lambda _: np.array([[1.33, 0.0]]))
    world.add(walker, steering=method.tree(go, walls))
    while walker.position[0, 0] < 0.4 + distance and world.time < 60:
        world.step()
    return {"time": world.time}


def corner(method: Method, number: float, seed: int) -> Found:
    """Twenty people go round a corner of a corridor 2 m wide: how many come through a wall, and how many arrive."""
    count, lines = round(number), [[[-12, 0], [0, 0]], [[0, 0], [0, 12]], [[-12, -2], [2, -2]], [[2, -2], [2, 12]]]
    walls = sm.Walls(lines)
    start = spread(count, [6.0, 1.6], seed, [-11.8, -1.8])
    walkers, speed = people(method, start, seed)

    def wanted(place: Any) -> Any:
        first = (place[:, 0] < 0.25) & (place[:, 1] < 0.3)
        way = np.where(first[:, None], [0.6, -0.6] - place, [0.0, 1.0])
        return way * (speed / np.maximum(np.linalg.norm(way, axis=1), 1e-6))[:, None]

    world = sm.World(dt=method.dt, seed=seed, threads=1)
    world.add(walkers, steering=method.tree(toward(method, wanted), walls))
    lost = np.zeros(count, bool)
    for _ in range(round(40 / method.dt)):
        world.step()
        x, y = walkers.position.T
        within = (x > -11.9) & (y < 11.9)
        lost |= within & ((y < -2) | (x > 2) | ((x < 0) & (y > 0)))
    return {"lost": float(lost.sum()), "arrived": float((walkers.position[:, 1] > 5).mean())}


DENSITIES = (0.5, 1.0, 2.0, 3.0, 4.0)
DEPTH = {"overlap": "deepest overlap [m]"}
FLOWS = {"speed": "speed [m/s]"} | DEPTH | {"back": "share that walks backwards"}

CASES: dict[str, Case] = {
    "one_way": Case(
        "One way in a corridor, by density [1/m²]", lambda m, v, s: corridor(m, v, s, 1.0), DENSITIES, one_way, FLOWS,
        "A corridor 4 m wide, 15 m long and joined at its ends: the mean speed from 20 s to 40 s.",
    ),
    "two_way": Case(
        "Two ways in a corridor, by density [1/m²]", lambda m, v, s: corridor(m, v, s, 0.5), (0.5, 1.0, 2.0), two_way,
        FLOWS | {"lanes": "order of lanes"},
        "The same, where half of the people go the other way. Order of lanes: `metrics.order.lane_order`, 1 in lanes, near 0 "
        "where all are mixed.",
    ),
    "door": Case(
        "Flow through a door, by its width [m]", door, (0.8, 1.2, 1.6, 2.0, 2.4), lambda _: DOOR,
        {"flow": "specific flow [1/(m s)]"} | DEPTH,
        "A hundred people leave a room of 8 m by 7 m: the flow from the 20th to the 80th.",
    ),
    "column": Case(
        "A column before a door of 1 m", beside_column, (1.0,), None, {"ratio": "flow with the column / without"} | DEPTH,
        "The same, with a column of 0.6 m diameter 1.2 m before the door. Experiments disagree on whether it helps.",
    ),
    "crossing": Case(
        "Two crossing streams, by density [1/m²]", crossing, (0.5, 1.0), None, {"speed": "speed [m/s]"} | DEPTH,
        "Two streams at right angles to each other everywhere, in an area without walls.",
    ),
    "four_ways": Case(
        "Four crossing streams, by density [1/m²]", lambda m, v, s: crossing(m, v, s, 4), (0.5, 1.0), None,
        {"speed": "speed [m/s]"} | DEPTH,
        "The same with streams from all four sides.",
    ),
    "exits": Case(
        "A hall with one door or two", exits, (80,), None,
        {"ratio": "time with one door / with two", "one": "time with one [s]", "two": "time with two [s]"},
        "Eighty people leave a hall of 10 m by 8 m by doors of 1.2 m: the time until 95 % are out, at most 120 s. RiMEA's "
        "test 9 expects about twice the time with half of the doors, without a range.",
    ),
    "alone": Case(
        "One person over 40 m", alone, (40.0,), single, {"time": "time [s]"},
        "A person who wants 1.33 m/s in a corridor 2 m wide.",
    ),
    "corner": Case(
        "Twenty people round a corner", corner, (20,), lambda _: NOBODY,
        {"lost": "people through a wall", "arrived": "part that arrived"},
        "Twenty people in a corridor 2 m wide that turns left.",
    ),
}  # fmt: skip
"""Name -> case."""

__all__ = ["CASES", "METHODS", "Case"]
