"""What it costs when vehicles come and go and trees are replaced, and the frame times of a game.

    python -m benchmarks.coming_and_going                   # all of it
    python -m benchmarks.coming_and_going game --seconds 60

`few`: 10 of 1,000 go and 10 come, then a step. `tree`: a tree of 20 nodes is replaced. `many`: of 100,000, 100 go and 100
come before every step. `game`: 60 enemies chase a player who shoots them; new ones come, and bullets by the hundred.
Everything by one thread, in time on the processor.
"""

import argparse
import gc
import time
from collections.abc import Callable
from itertools import pairwise

import numpy as np

import steersman as sm

DT = 1 / 60
SIDE = 200.0


def milliseconds(act: Callable[[], object]) -> float:
    """How long something takes [ms], on the processor: others may use the machine too."""
    start = time.thread_time()
    act()
    return 1e3 * (time.thread_time() - start)


def herd(n: int, seed: int = 1, side: float = SIDE) -> sm.Vehicles:
    """Vehicles all over a square."""
    rng = np.random.default_rng(seed)
    return sm.Vehicles(rng.uniform(0, side, (n, 2)), rng.normal(0, 2, (n, 2)), max_speed=6, max_force=20)


def rocks() -> sm.Spheres:
    """Some rocks to avoid."""
    rng = np.random.default_rng(3)
    return sm.Spheres(rng.uniform(0, SIDE, (40, 2)), rng.uniform(1, 4, 40))


def tree(pursuer: sm.Vehicles, stones: sm.Spheres, weight: float = 1.0) -> sm.Behavior:
    """A Priority of five parts, one of them Modes: 20 nodes with the conditions."""
    modes = sm.Modes(
        {
            "graze": sm.Wander() + weight * sm.Cohesion(radius=8) + sm.Alignment(radius=8),
            "flee": sm.Evade(pursuer) + sm.Separation(radius=3),
            "hunt": sm.Pursue(pursuer),
        },
        start="graze",
        transitions=[
            ("graze", "flee", sm.Near(pursuer, 12)),
            ("flee", "graze", sm.After(2) & ~sm.Near(pursuer, 20)),
            ("graze", "hunt", sm.Chance(0.01)),
            ("hunt", "graze", sm.After(3)),
        ],
    )
    return sm.Priority(
        [sm.AvoidObstacles(stones), sm.Separation(radius=1), sm.Flee([SIDE / 2, SIDE / 2], panic_distance=5), modes,
         sm.Seek([SIDE / 2, SIDE / 2])]
    )  # fmt: skip


def pasture(n: int) -> tuple[sm.World, sm.Vehicles, sm.Vehicles, sm.Spheres]:
    """A world of n vehicles with that tree, and of those whom they fear."""
    world = sm.World(domain=sm.Torus([SIDE, SIDE]), seed=4, dt=DT, threads=1)
    wolves, sheep, stones = herd(5, 2), herd(n), rocks()
    world.add(sheep, name="sheep", steering=tree(wolves, stones))
    world.add(wolves, name="wolves", steering=sm.Wander())
    world.run(steps=3)
    return world, sheep, wolves, stones


def turn_over(vehicles: sm.Vehicles, count: int, rng: np.random.Generator, side: float = SIDE) -> None:
    """Some go, as many come."""
    vehicles.remove(rng.choice(vehicles.id, count, replace=False))
    vehicles.spawn(rng.uniform(0, side, (count, 2)))


def few(turns: int) -> str:
    """10 of 1,000 go and 10 come."""
    world, sheep, _, _ = pasture(1000)
    rng = np.random.default_rng(5)
    turn_over(sheep, 10, rng)
    world.step()
    steady, after, change = [], [], []
    for _ in range(turns):
        steady.append(np.median([milliseconds(world.step) for _ in range(3)]))
        change.append(milliseconds(lambda: turn_over(sheep, 10, rng)))
        after.append(milliseconds(world.step))
    a, b, c = (float(np.median(each)) for each in (steady, after, change))
    return f"few   steady step {a:.3f} ms, after a change {b:.3f} ms: {b - a:+.3f} ms; the change itself {c:.3f} ms"


def replaced(turns: int) -> str:
    """A tree of 20 nodes is replaced."""
    world, _, wolves, stones = pasture(1000)
    population = world.populations["sheep"]
    nodes = len(list(population.tree.walk()))
    steady, costs = [], []
    for turn in range(turns):
        steady.append(np.median([milliseconds(world.step) for _ in range(3)]))
        new = tree(wolves, stones, 1.0 + 0.1 * (turn % 2))

        def act(new: sm.Behavior = new) -> None:
            population.steering = new
            world.step()

        costs.append(milliseconds(act))
    a, b = float(np.median(steady)), float(np.median(costs))
    return f"tree  {nodes} nodes replaced, then a step: {b:.3f} ms, steady {a:.3f} ms: {b - a:+.3f} ms"


def many(turns: int, n: int = 100_000) -> str:
    """Of 100,000, 100 go and 100 come before every step."""
    side = (20.0 * n) ** 0.5  # As dense as the flock of the README.
    world = sm.World(domain=sm.Torus([side, side]), seed=4, dt=DT, threads=1)
    birds = herd(n, 1, side)
    flock = 1.6 * sm.Separation(radius=4) + sm.Cohesion(radius=9) + 0.9 * sm.Alignment(radius=9) + 0.2 * sm.Wander()
    world.add(birds, steering=flock)
    rng = np.random.default_rng(5)
    turn_over(birds, 100, rng, side)
    world.run(steps=3)
    steady, changed = [], []
    for _ in range(turns):
        steady.append(milliseconds(world.step))

        def act() -> None:
            turn_over(birds, 100, rng, side)
            world.step()

        changed.append(milliseconds(act))
    a, b = float(np.median(steady)), float(np.median(changed))
    return f"many  steady step {a:.2f} ms, with 100 in and 100 out {b:.2f} ms: {100 * (b - a) / a:+.1f} %"


class Game:
    """60 enemies chase a player who runs around and shoots at the nearest; whom a bullet hits is dead."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng(6)
        self.world = sm.World(domain=sm.Box([SIDE, SIDE]), seed=6, dt=DT, threads=1)
        self.player = sm.Vehicles([[SIDE / 2, SIDE / 2]], max_speed=12, max_force=60)
        self.enemies = herd(60, 7)
        self.bullets = sm.Vehicles(np.zeros((0, 2)), max_speed=60, max_force=1, radius=0.2)
        self.born: dict[int, float] = {}
        hunt = sm.Priority(
            [sm.AvoidObstacles(rocks()), sm.Separation(radius=3), sm.Evade(self.bullets, panic_distance=4),
             sm.Pursue(self.player) + 0.3 * sm.Wander(), sm.Wander()]
        )  # fmt: skip
        brain = sm.Modes(
            {"hunt": hunt, "rest": sm.Wander()},
            start="hunt",
            transitions=[("hunt", "rest", sm.Chance(0.05)), ("rest", "hunt", sm.After(1) | sm.Near(self.player, 15))],
        )
        self.world.add(self.enemies, name="enemies", steering=brain)
        self.world.add(self.bullets, name="bullets")
        self.world.add(self.player, name="player", steering=sm.Patrol([[60, 60], [140, 60], [140, 140], [60, 140]]))
        self.deaths = self.shots = 0

    def play(self) -> None:
        """What happens between two frames: shots, hits, those who come."""
        world, enemies, bullets = self.world, self.enemies, self.bullets
        if world.steps % 6 == 0 and len(enemies):
            away = enemies.position - self.player.position[0]
            aim = away[np.argmin(np.sum(away**2, axis=1))]
            spread = aim / np.linalg.norm(aim) + self.rng.normal(0, 0.1, (3, 2))
            for id in bullets.spawn(self.player.position[0] + spread, 60 * spread):
                self.born[int(id)] = world.time
            self.shots += 3
        if len(bullets):
            near = np.sum((enemies.position[:, None] - bullets.position) ** 2, axis=2) < 4.0
            if near.any():
                enemies.remove(near.any(axis=1))
                self.deaths += int(near.any(axis=1).sum())
            spent = near.any(axis=0) | np.array([world.time - self.born[int(id)] > 1.5 for id in bullets.id])
            if spent.any():
                bullets.remove(spent)
        if len(enemies) < 60 and world.steps % 20 == 0:
            count = min(4, 60 - len(enemies))
            enemies.spawn(self.rng.uniform(0, SIDE, (count, 2)))


def game(seconds: float) -> str:
    """The frame times of the game, steering alone."""
    match = Game()
    for _ in range(30):  # Everything is compiled, or loaded.
        match.play()
        match.world.step()
    frames = []
    for _ in range(round(seconds / DT)):
        match.play()
        frames.append(milliseconds(match.world.step))
    times = np.array(frames)
    shown = [
        f"game  {seconds:g} s, {match.shots} shots, {match.deaths} deaths, {len(match.enemies)} enemies at the end"
    ]
    shown.append(
        f"      median {np.median(times):.3f} ms, 99 % {np.percentile(times, 99):.3f} ms, worst {times.max():.3f} ms"
    )
    edges = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1, 2, 5, 10, np.inf]
    for (low, high), count in zip(pairwise(edges), np.histogram(times, edges)[0], strict=True):
        bar = "#" * int(np.ceil(60 * count / len(times)))
        shown.append(f"      {low:5.1f} to {high:4.1f} ms {count:6d} {bar}")
    return "\n".join(shown)


def main() -> None:
    """Measure and print."""
    measures = ("few", "tree", "many", "game")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", nargs="*", help="which measures; all of them if none is named")
    parser.add_argument("--turns", type=int, default=101)
    parser.add_argument("--seconds", type=float, default=60.0, help="length of the game")
    options = parser.parse_args()
    wanted = options.what or measures
    gc.freeze()
    if "few" in wanted:
        print(few(options.turns), flush=True)
    if "tree" in wanted:
        print(replaced(options.turns), flush=True)
    if "many" in wanted:
        print(many(max(options.turns // 5, 3)), flush=True)
    if "game" in wanted:
        print(game(options.seconds), flush=True)


if __name__ == "__main__":
    main()
