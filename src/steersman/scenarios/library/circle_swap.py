"""Circle swap: everybody on a circle wants to the opposite side, and keeps out of everybody's way.

Reynolds 1999, "Unaligned collision avoidance", at its hardest: all would meet in the middle. Compare `circle_swap_orca`.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from steersman.drawing.style import Picture
from steersman.geometry.random import generator, key_of
from steersman.metrics.contacts import Contacts
from steersman.metrics.meters import Metric, Subject
from steersman.scenarios.old import OldScenario, meters_of
from steersman.scenarios.stage import Stage
from steersman.steering.behavior import Behavior
from steersman.steering.combining.priority import Priority
from steersman.steering.group.avoid_neighbors import AvoidNeighbors
from steersman.steering.group.separation import Separation
from steersman.steering.individual.arrive import Arrive
from steersman.vehicles.vehicles import Vehicles
from steersman.world.world import World

SPEED = 2.0
"""Top speed [m/s]."""

THERE = 1.5
"""So near to its place somebody has arrived [m]."""


def make(*, n: int, seed: int) -> Stage:
    """Put n vehicles on a circle."""
    apart = Separation(radius=1.3, fade=False)
    avoid = AvoidNeighbors(lookahead=2.5, distance=0.5, k=16)
    return swap(n, seed, lambda there: Priority(components=[apart, avoid, there]))


def swap(n: int, seed: int, steering: Callable[[Behavior], Behavior], **columns: Any) -> Stage:
    """A circle of n vehicles that want to the opposite side; `steering` is made of the behavior that takes them there."""
    radius = max(12.0, 0.36 * n)
    rng = generator(key_of(seed, "circle"))
    angle = np.linspace(0, 2 * np.pi, n, endpoint=False)
    places = radius * np.stack([np.cos(angle), np.sin(angle)], axis=1) + rng.uniform(-0.2, 0.2, (n, 2))
    vehicles = Vehicles(places, forward=-places, **({"max_speed": SPEED, "max_force": 12.0} | columns))
    goals = -places
    world = World(seed=seed, dt=1 / 30)
    world.add(vehicles, name="walkers", steering=steering(Arrive(target=goals)))
    stage = Stage(world, seconds=1.6 * (2 * radius / SPEED) + 20.0, picture=Picture(trails=8.0))
    contacts = Contacts(vehicles)
    world.on_step(contacts)

    def there(subject: Subject) -> float:
        way = subject.vehicles.position - goals[: len(subject.vehicles)]
        return float(np.mean(np.hypot(*way.T) < THERE))

    stage.watch(
        "walkers",
        "mean_speed",
        arrived=Metric("", "fraction on the opposite side", there),
        collisions=Metric("", "pairs that have touched so far", lambda _: float(len(contacts.pairs))),
        deepest=Metric("m", "deepest overlap so far", lambda _: contacts.deepest),
    )
    return stage


def check(world: World) -> list[str]:
    """Nearly everybody is across, and few have touched."""
    meters, n, problems = meters_of(world), len(world["walkers"]), []
    if not meters["walkers.arrived"].now > 0.95:
        problems.append(f"they must get across, but only {meters['walkers.arrived'].now:.0%} did")
    if not meters["walkers.collisions"].now <= 0.1 * n:
        problems.append(f"few may touch, but {meters['walkers.collisions'].now:.0f} pairs of {n} vehicles did")
    return problems


SCENARIO = OldScenario(
    name="circle_swap",
    shows="Everybody on a circle crosses to the opposite side, and turns, speeds up or slows down for the others.",
    tags=("group", "crowd", "priority", "Reynolds 1999"),
    dimensions=2,
    n=250,
    make=make,
    check=check,
    quick=24,
)
