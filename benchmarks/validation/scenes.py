"""The cases: each is walked by a method with a seed, and gives a few numbers."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import steersman as sm
from benchmarks.validation.methods import METHODS, RADIUS, Method, people, toward
from benchmarks.validation.references import (
    BETWEEN,
    DOOR,
    HALF,
    NOBODY,
    STAIRS_DOWN,
    STAIRS_UP,
    Range,
    flight,
    one_way,
    single,
    stairs_band,
    two_way,
)
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
    trace = [walkers.position.copy()]
    world.on_step(lambda _: trace.append(walkers.position.copy()))
    world.run(seconds=40)
    # Those that others press out of the open end behind them, and that come round the end of a wall, go through none.
    lost = {int(row) for line in lines for row in sm.metrics.crossings(np.array(trace), line, method.dt).row}
    return {"lost": float(len(lost)), "arrived": float((walkers.position[:, 1] > 5).mean())}


def on_stairs(method: Method, speed: float, seed: int) -> Found:
    """One person on stairs 10 m long, 8 m in plan and 6 m high, between two landings, all a `WalkMesh`; slower goes up."""
    up = speed == STAIRS_UP.speed
    low, high = (0.0, 6.0) if up else (6.0, 0.0)
    floors = [[[x, y, z] for x, y, z in ((a, 0, s), (b, 0, e), (b, 2, e), (a, 2, s))]
              for a, b, s, e in ((0, 4, low, low), (4, 12, low, high), (12, 16, high, high))]  # fmt: skip
    corners = 4 * np.arange(3)[:, None] + [0, 1, 2, 0, 2, 3]
    house = sm.WalkMesh(sm.TriangleMesh(np.reshape(floors, (-1, 3)), corners.reshape(-1, 3)), clearance=0.2)
    walker, _ = people(method, [[1.0, 1.0, low]], seed, speed=1.33)
    slope = np.array([0.8, 0.0, 0.6 if up else -0.6])

    def wanted(place: Any) -> Any:
        between = (place[:, :1] > 4) & (place[:, :1] < 12)
        return np.where(between, speed * slope, [1.33, 0.0, 0.0])

    world = sm.World(dt=method.dt, seed=seed, threads=1)
    world.add(walker, steering=method.tree(toward(method, wanted), None), locomotion=sm.SurfaceBound(house))
    times = []
    for mark in (4.0, 12.0):
        while walker.position[0, 0] < mark and world.time < 60:
            world.step()
        times.append(world.time)
    return {"time": times[1] - times[0]}


def crowd_on_stairs(method: Method, part: float, seed: int) -> Found:
    """A hundred people from a room of 10 m by 10 m over stairs 2 m wide and 5 m long in plan; readings where the crowd is."""
    way = "up" if part == STAIRS_UP.part else "down"
    room = [[[0, 0], [0, 10]], [[0, 0], [10, 0]], [[0, 10], [10, 10]], [[10, 0], [10, 4]], [[10, 6], [10, 10]]]
    walls = sm.Walls([*room, [[10, 4], [30, 4]], [[10, 6], [30, 6]]])
    walkers, speed = people(method, spread(100, [8.8, 9.0], seed, [0.4, 0.5]), seed)
    half = max(1 - method.radius - 0.05, 0.02)

    def wanted(place: Any) -> Any:
        target = np.stack([np.full(len(place), 10.3), np.clip(place[:, 1], 5 - half, 5 + half)], axis=1)
        to = np.where(place[:, :1] < 10.1, target - place, [1.0, 0.0])
        slowed = np.where((place[:, 0] > 12) & (place[:, 0] < 17), part, 1.0) * speed
        return to * (slowed / np.linalg.norm(to, axis=1))[:, None]

    world = sm.World(dt=method.dt, seed=seed, threads=1)
    world.add(walkers, steering=method.tree(toward(method, wanted), walls))
    speeds, densities, deepest = [np.zeros(0)], [np.zeros(0)], 0.0
    while world.time < 60 and (walkers.position[:, 0] > 17).mean() < 0.9:
        world.run(seconds=0.5)
        x = walkers.position[:, 0]
        there = (x > 12) & (x < 17)
        deepest = max(deepest, float(overlap(walkers)))
        if there.sum() >= 6:
            speeds.append(walkers.velocity[there, 0])
            densities.append(np.full(int(there.sum()), there.sum() / 10.0))
    v, density = np.concatenate(speeds), np.concatenate(densities)
    low, high = stairs_band(way, density)
    judged = density <= 1.5
    within = ((v >= low) & (v <= high))[judged]
    return {
        "within": within.mean() if within.size else math.nan,
        "speed": v.mean() if v.size else math.nan,
        "density": density.mean() if v.size else math.nan,
        "overlap": deepest,
    }


def large_corner(method: Method, number: float, seed: int) -> Found:
    """A crowd in a corridor 10 m wide: 22 m straight on, 37.7 m straight on, and round a corner, with legs of 17 m and 15 m.

    Before the corner each aims at the diagonal, at half of its distance from the inner wall.
    """
    count, times = round(number), {}
    for scene, length in (("short", 22.0), ("corner", 0.0), ("long", 37.7)):
        walkers, speed = people(method, spread(count, [3.0, 9.4], seed, [0.0, 0.3]), seed)
        lane = 0.5 * (10 - np.array(walkers.position[:, 1], float))
        target = np.stack([10 + np.maximum(lane, 0.4), 10 - np.maximum(lane, 0.4)], axis=1)
        turns = scene == "corner"
        lines = [[[-2, 0], [20, 0]], [[20, 0], [20, 31]], [[-2, 10], [10, 10]], [[10, 10], [10, 31]]]
        end = length + 3
        walls = sm.Walls(lines if turns else [[[-2, 0], [end + 6, 0]], [[-2, 10], [end + 6, 10]]])

        def wanted(place: Any, turns: bool = turns, target: Any = target, speed: Any = speed) -> Any:
            before = (place[:, :1] + place[:, 1:] < 20) & turns
            way = np.where(before, target - place, [0.0, 1.0] if turns else [1.0, 0.0])
            return way * (speed / np.maximum(np.linalg.norm(way, axis=1), 1e-6))[:, None]

        world = sm.World(dt=method.dt, seed=seed, threads=1)
        world.add(walkers, steering=method.tree(toward(method, wanted), walls))
        along, line = (1, 25.0) if turns else (0, end)
        while (walkers.position[:, along] > line).mean() < 0.95 and world.time < 120:
            world.run(steps=round(0.2 / method.dt))
        times[scene] = world.time
    return {"place": (times["corner"] - times["short"]) / (times["long"] - times["short"]), **times}


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
    "large_corner": Case(
        "A large crowd round a corner", large_corner, (125,), lambda _: BETWEEN,
        {"place": "(corner - short way) / (long way - short way)", "corner": "time round the corner [s]",
         "short": "time of the short way [s]", "long": "time of the long way [s]"},
        "RiMEA's test 15 at half its size, and the same density: 125 people on 30 m² in a corridor 10 m wide. The way round "
        "the corner should take a time between those of a straight one as long as the inner wall (22 m), and of one as long "
        "as the outermost way (37.7 m): 0 to 1. Until 95 % are there, at most 120 s.",
    ),
    "on_stairs": Case(
        "One person on stairs: up at 0.65 m/s, down at 0.84 m/s", on_stairs, (STAIRS_UP.speed, STAIRS_DOWN.speed), flight,
        {"time": "time [s]"},
        "Stairs 10 m long along the slope, 8 m in plan, 6 m high, upon a `WalkMesh`; the speed there is what the person "
        "wants.",
    ),
    "crowd_on_stairs": Case(
        "A crowd on stairs: up at 0.48 of the free speed, down at 0.63", crowd_on_stairs,
        (STAIRS_UP.part, STAIRS_DOWN.part), lambda _: HALF,
        {"within": "part of the readings within the measured band", "speed": "speed on the stairs [m/s]",
         "density": "density on the stairs [1/m²]"} | DEPTH,
        "A hundred people leave a room of 10 m by 10 m over stairs 2 m wide and 5 m long in plan (RiMEA's test 13), which "
        "lie flat here. Speeds of all who are on the stairs, each half second with six or more; those up to 1.5/m² are "
        "judged.",
    ),
}  # fmt: skip
"""Name -> case."""

__all__ = ["CASES", "METHODS", "Case"]
