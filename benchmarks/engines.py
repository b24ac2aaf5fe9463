"""What a frame costs in the windows and models of other libraries, for 1,000 and 10,000 vehicles.

    python -m benchmarks.engines --page docs/engines.md

It prints the table of that page, and writes it with --page. Each cell is the processor time of a call [ms] on one thread:
the median of some turns, which the cells take one after the other. Rows of libraries that are not installed stay as they are.

"""

import argparse
import os
import re
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import steersman as sm

SIZES = (1_000, 10_000)
Frame = Callable[[], Any]


def flock(n: int, dimensions: int = 2) -> tuple[sm.World, sm.Vehicles]:
    """A flock that wanders over a torus, with 10 m^2 for each."""
    size = [(10.0 * n) ** 0.5] * 2 + [20.0] * (dimensions - 2)
    vehicles = sm.Vehicles(np.random.default_rng(1).uniform(0, size, (n, dimensions)), max_speed=5, max_force=15)
    world = sm.World(domain=sm.Torus(size), threads=1, seed=1)
    world.add(
        vehicles,
        name="flock",
        steering=sm.Flocking(cohesion_radius=5, alignment_radius=4, separation_radius=3) + sm.Wander(),
    )
    world.run(steps=5)
    return world, vehicles


def steering(n: int) -> Iterator[tuple[str, Frame]]:
    """The library's own part."""
    world, _ = flock(n)
    yield "steering: a step of a flock with wandering", world.step
    yield "`world.drawn(fraction)`", lambda: world.drawn(0.5)


def in_pygame(n: int) -> Iterator[tuple[str, Frame]]:
    """Sprites of pygame-ce."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    import pygame

    from steersman.adapters.pygame import Camera, Sprites, dart

    pygame.init()
    screen = pygame.display.set_mode((800, 600))
    world, vehicles = flock(n)
    sprites = Sprites(vehicles, dart(14, "white"), Camera.over(screen.get_size(), world.domain))
    pose = world.drawn(0.5)
    yield "pygame-ce: `sprites.update`", lambda: sprites.update(pose)
    yield "pygame-ce: `sprites.draw`, with pygame's blits", lambda: sprites.draw(screen)


def in_arcade(n: int) -> Iterator[tuple[str, Frame]]:
    """Sprites of arcade."""
    os.environ.setdefault("ARCADE_HEADLESS", "True")
    import arcade

    from steersman.adapters.arcade import Camera, Sprites, dart

    window = arcade.get_window() if arcade.window_commands._window else arcade.Window(800, 600, visible=False)
    world, vehicles = flock(n)
    sprites = Sprites(vehicles, dart(14, arcade.color.WHITE), Camera.over(window.get_size(), world.domain))
    pose = world.drawn(0.5)
    yield "arcade: `follow` and the upload", lambda: (sprites.follow(pose), sprites.write_sprite_buffers_to_gpu())
    yield "arcade: `settle`, for its collisions", lambda: (sprites.follow(pose), sprites.settle())


def in_pymunk(n: int) -> Iterator[tuple[str, Frame]]:
    """Bodies of pymunk."""
    import pymunk

    from steersman.adapters.pymunk import Bodies

    space, bodies = pymunk.Space(), []
    for place in flock(n)[1].position.tolist():
        body = pymunk.Body(1, 1)
        body.position = tuple(place)
        space.add(body, pymunk.Circle(body, 0.5))
        bodies.append(body)
    crew = Bodies(space, bodies)
    force = np.ones((n, 2))
    yield "pymunk: `read` and `push` (body by body: 5 and 50)", lambda: (crew.read(), crew.push(force))


def in_panda(n: int) -> Iterator[tuple[str, Frame]]:
    """Nodes of Panda3D."""
    from panda3d.core import NodePath

    from steersman.adapters.panda3d import Nodes, Swarm

    world, vehicles = flock(n, 3)
    render = NodePath("render")
    swarm, nodes, pose = Swarm(vehicles, render), Nodes(vehicles, NodePath("bird"), render), world.drawn(0.5)
    yield "Panda3D: `Swarm.follow`", lambda: swarm.follow(pose)
    yield "Panda3D: `Nodes.follow`", lambda: nodes.follow(pose)


def in_ursina(n: int) -> Iterator[tuple[str, Frame]]:
    """Entities of Ursina, whose window is not needed."""
    from panda3d.core import NodePath

    from steersman.adapters.ursina import Entities

    world, vehicles = flock(n)
    scene = NodePath("scene")
    entities, pose = Entities(vehicles, lambda: scene.attachNewNode("entity")), world.drawn(0.5)
    yield "Ursina: `Entities.follow`", lambda: entities.follow(pose)


def in_mesa(n: int) -> Iterator[tuple[str, Frame]]:
    """Agents of Mesa."""
    import mesa
    from mesa.experimental.continuous_space import ContinuousSpace, ContinuousSpaceAgent

    from steersman.adapters.mesa import Agents

    world, vehicles = flock(n)
    model, size = mesa.Model(rng=1), world.domain.size
    space = ContinuousSpace([[0, size[0]], [0, size[1]]], torus=True, random=model.random, n_agents=n)
    agents = Agents(space, [ContinuousSpaceAgent(space, model) for _ in range(n)], vehicles.position)
    yield "Mesa: `read` and `write`", lambda: (agents.read(), agents.write())


def of_jupedsim(n: int) -> Iterator[tuple[str, Frame]]:
    """A file of JuPedSim."""
    from steersman.adapters.jupedsim import TrajectoryWriter

    writer = TrajectoryWriter(":memory:", flock(n)[1], [[0, 0], [1, 0], [1, 1]], fps=10)
    yield "JuPedSim: a frame of a file, by `TrajectoryWriter`", writer


PARTNERS = (steering, in_pygame, in_arcade, in_pymunk, in_panda, in_ursina, in_mesa, of_jupedsim)


def measured(turns: int, seconds: float) -> dict[str, dict[int, float]]:
    """The processor time of each call [ms], by its name and the number of vehicles."""
    frames: list[tuple[str, int, Frame]] = []
    for partner in PARTNERS:
        for n in SIZES:
            try:
                frames.extend((name, n, frame) for name, frame in partner(n))
            except ImportError as missing:
                print(f"left out: {partner.__name__} ({missing})")
    spent: dict[tuple[str, int], list[float]] = {}
    for _, _, frame in frames:
        frame()  # Kernels are compiled.
    for _ in range(turns):
        for name, n, frame in frames:
            begin, count = time.process_time(), 0
            while (passed := time.process_time() - begin) < seconds:
                frame()
                count += 1
            spent.setdefault((name, n), []).append(1e3 * passed / count)
    found: dict[str, dict[int, float]] = {}
    for (name, n), times in spent.items():
        found.setdefault(name, {})[n] = statistics.median(times)
    return found


def rows(found: dict[str, dict[int, float]]) -> dict[str, str]:
    """The rows of the table, by the name of the call."""
    return {name: f"| {name} | {' | '.join(f'{times[n]:.2g}' for n in SIZES)} |" for name, times in found.items()}


def written(page: str, lines: dict[str, str]) -> str:
    """The page with these rows in its table; rows that are new stand at its end."""
    table = re.compile(r"(?<=\| \| 1,000 \| 10,000 \|\n\|---\|---\|---\|\n)(?:\|.*\|\n)+")
    old = {row.split("|")[1].strip(): row for row in table.findall(page)[0].splitlines()}
    return table.sub(lambda _: "".join(f"{row}\n" for row in {**old, **lines}.values()), page, count=1)


def main() -> None:
    """Measure, print, and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--page", type=Path, help="the page that has the table")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.2)
    given = parser.parse_args()
    lines = rows(measured(given.turns, given.seconds))
    print("\n".join(lines.values()))
    if given.page:
        given.page.write_text(written(given.page.read_text("utf-8"), lines), "utf-8")


if __name__ == "__main__":
    main()
