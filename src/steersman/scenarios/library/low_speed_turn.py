"""Low speed turn: a point mass turns on the spot, a vehicle with LowSpeedTurn drives a curve.

After OpenSteer's demonstration of the same name. Two rows start at rest, facing away from their goal, to which they are to
turn and go. The upper one turns over within a step; the lower one can steer only as fast as it moves.
"""

import numpy as np

from steersman.drawing.style import Picture
from steersman.geometry.keeping import Keeping
from steersman.geometry.vectors import Array
from steersman.locomotion.limits.low_speed_turn import LowSpeedTurn
from steersman.locomotion.point_mass import PointMass
from steersman.metrics.meters import Metric
from steersman.scenarios.old import OldScenario, meters_of
from steersman.scenarios.stage import Stage
from steersman.steering.individual.seek import Seek
from steersman.vehicles.vehicles import Vehicles
from steersman.world.world import World

GAP = 3.0
"""Distance of neighbors in a row [m]."""

AWAY = 30.0
"""How far the goals are [m]."""


class Turns(Keeping):
    """Remembers the largest turn that anybody of a population made in a step."""

    kept = ("before", "largest")

    def __init__(self, name: str, vehicles: Vehicles) -> None:
        self.name, self.before, self.largest = name, vehicles.forward.copy(), 0.0

    def __call__(self, world: World) -> None:
        """Compare where they face with where they faced."""
        forward = world[self.name].forward
        cosine = np.clip(np.sum(forward * self.before, axis=1), -1, 1)
        self.largest = max(self.largest, float(np.degrees(np.arccos(cosine)).max()))
        self.before = forward.copy()


def row(n: int, y: float, rng: np.random.Generator) -> tuple[Vehicles, Array]:
    """Vehicles at rest in a row, facing right, more or less; and their goals, which lie in all directions."""
    position = np.stack([GAP * np.arange(n), np.full(n, y)], axis=1)
    angle = np.linspace(np.pi / 3, np.pi - 0.2, n)
    goals = position + AWAY * np.stack([np.cos(angle), np.sign(y) * np.sin(angle)], axis=1)
    heading = rng.normal(0, 0.03, n)
    return Vehicles(position, heading=heading, max_speed=5.0, max_force=6.0, radius=0.4, response_time=0.3), goals


def make(*, n: int, seed: int) -> Stage:
    """Put two rows of n vehicles."""
    rng = np.random.default_rng(seed)
    world = World(seed=seed)
    bodies = {"limited": (-4.0, PointMass(limits=(LowSpeedTurn(0.5),))), "free": (4.0, PointMass())}
    stage = Stage(world, seconds=5.0, picture=Picture(trails=8.0), colors={"limited": "blue", "free": "orange"})
    for name, (y, locomotion) in bodies.items():
        vehicles, goals = row(n, y, rng)
        world.add(vehicles, name=name, steering=Seek(goals), locomotion=locomotion)
        turns = Turns(name, vehicles)
        world.on_step(turns)
        stage.watch(name, "mean_speed", largest_turn=largest_turn(turns), missing=missing(goals))
    return stage


def largest_turn(turns: Turns) -> Metric:
    """What was remembered."""
    return Metric("degrees", "largest turn in a step", lambda _: turns.largest)


def missing(goals: Array) -> Metric:
    """How far they are from facing their goals."""
    return Metric("degrees", "mean angle to the goal", lambda s: misses(s.vehicles, goals))


def misses(vehicles: Vehicles, goals: Array) -> float:
    """Mean angle between where they face and their goals [degrees]."""
    way = goals - vehicles.position
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    return float(np.degrees(np.arccos(np.clip(np.sum(way * vehicles.forward, axis=1), -1, 1))).mean())


def check(world: World) -> list[str]:
    """Those with the limit turn in curves, the others on the spot; all turn to their goals."""
    meters, problems = meters_of(world), []
    if not meters["limited.largest_turn"].now < 12:
        problems.append(f"nobody must turn on the spot, but one made {meters['limited.largest_turn'].now:.0f} degrees")
    if not meters["free.largest_turn"].now > 40:
        problems.append("the point masses must turn on the spot")
    angles = {name: meters[f"{name}.missing"].now for name in ("limited", "free")}
    problems += [
        f"the {name} must turn to their goals, but miss them by {angle:.0f} degrees"
        for name, angle in angles.items()
        if not angle < 10
    ]
    return problems


SCENARIO = OldScenario(
    name="low_speed_turn",
    shows="Vehicles that can turn only as fast as they move, beside point masses that turn on the spot.",
    tags=("locomotion", "Reynolds 1999", "OpenSteer"),
    dimensions=2,
    n=8,
    make=make,
    check=check,
)
