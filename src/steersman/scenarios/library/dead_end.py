"""Dead end: rovers run into a hollow before their goal, notice that they do not get on, and follow the wall out of it.

Reynolds 1999, "Wall following" and "Obstacle avoidance": no law that looks only ahead finds out of a dead end. Here a
`StuckWatch` looks back, and `Modes` follow the wall until the goal is in sight.
"""

import numpy as np

from steersman.action_selection.modes import Modes
from steersman.action_selection.reading import modes_of
from steersman.action_selection.sees import Sees
from steersman.action_selection.where import Where
from steersman.drawing.style import Picture
from steersman.environment.obstacles.walls import Walls
from steersman.geometry.keeping import Keeping
from steersman.geometry.random import generator, key_of
from steersman.metrics.meters import Metric, Subject
from steersman.metrics.stuck import StuckWatch
from steersman.scenarios.old import OldScenario, meters_of
from steersman.scenarios.stage import Stage
from steersman.steering.combining.priority import Priority
from steersman.steering.individual.arrive import Arrive
from steersman.steering.individual.avoid_obstacles import AvoidObstacles
from steersman.steering.individual.follow_wall import FollowWall
from steersman.vehicles.vehicles import Vehicles
from steersman.world.population import Population
from steersman.world.world import World

TRAP = [[-6, -10], [10, -10], [10, 10], [-6, 10]]
"""Corners of the walls [m]; the fourth side is open, to where the rovers come from."""

GOAL = [32.0, 0.0]
"""Where all want to be [m]."""

NEAR = 6.0
"""How near to the goal counts as there [m]."""


class Caught(Keeping):
    """Which part of the rovers has been stuck so far."""

    kept = ("who",)

    def __init__(self, rovers: Population) -> None:
        self.rovers, self.who = rovers, np.zeros(len(rovers.vehicles), bool)

    def __call__(self, _: Subject) -> float:
        """Look at their modes."""
        if self.rovers.steering is not None:
            self.who |= modes_of(self.rovers) == "get out"
        return float(self.who.mean()) if len(self.who) else 0.0


def make(*, n: int, seed: int) -> Stage:
    """Put n rovers before the open side; each steers for itself, and they pass through each other."""
    trap, rng = Walls(TRAP), generator(key_of(seed, "dead end"))
    start = np.stack([rng.uniform(-34, -22, n), rng.uniform(-8, 8, n)], axis=1)
    rovers = Vehicles(start, [4.0, 0.0], max_speed=6.0, max_force=30.0, radius=0.5)
    watch = StuckWatch("rovers", radius=12.0, seconds=5.0, goal=GOAL, arrived=NEAR)
    avoid = AvoidObstacles(trap, lookahead=1.0)
    modes = {"go": Priority([avoid, Arrive(GOAL)]), "get out": FollowWall(trap, offset=1.5, speed=5.0)}
    sees = Sees(GOAL, range=100.0, occluders=trap)
    transitions = [("go", "get out", Where(watch.holds)), ("get out", "go", sees)]
    world = World(seed=seed)
    population = world.add(rovers, name="rovers", steering=Modes(modes, start="go", transitions=transitions))
    world.on_step(watch)
    stage = Stage(world, seconds=40.0, scenery={"trap": trap}, picture=Picture(trails=20.0))
    there = Metric("", "share that is at the goal", lambda s: share_there(s.vehicles))
    stage.watch(
        "rovers",
        "penetration",
        "mean_speed",
        there=there,
        caught=Metric("", "share that was stuck", Caught(population)),
    )
    return stage


def share_there(rovers: Vehicles) -> float:
    """Which part of them is at the goal."""
    way = rovers.position.astype(float) - GOAL
    return float((np.linalg.norm(way, axis=1) < NEAR).mean()) if len(rovers) else 1.0


def check(world: World) -> list[str]:
    """Most ran into the dead end; all came out, through no wall, and are at the goal."""
    meters, problems = meters_of(world), []
    if not meters["rovers.caught"].greatest > 0.5:
        problems.append(f"most must have been in the dead end, but only {meters['rovers.caught'].greatest:.0%} were")
    if meters["rovers.penetration"].greatest > 0:
        problems.append(f"nobody may touch a wall, but somebody did by {meters['rovers.penetration'].greatest:.3f} m")
    if meters["rovers.there"].now < 1:
        problems.append(f"all must be at the goal, but only {meters['rovers.there'].now:.0%} are")
    return problems


SCENARIO = OldScenario(
    name="dead_end",
    shows="Rovers get out of a dead end before their goal: they notice that they are stuck, and follow the wall.",
    tags=("individual", "obstacles", "priority", "Reynolds 1999"),
    dimensions=2,
    n=12,
    make=make,
    check=check,
    quick=6,
)
