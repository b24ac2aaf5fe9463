"""Running one behavior in a place."""

from typing import Any

import numpy as np
from contract.places import Array, Place

import steersman as sm
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.scene.scene import Clock
from steersman.core.steering.tree.trace import Record, Trace
from steersman.core.world.plan import SteeringPlan
from steersman.core.world.population import Population

DT = 0.05
SEED = 11
NAME = "vehicles"


def controller(place: Place, steering: Any) -> sm.Controller:
    """A controller in the place."""
    return sm.Controller(place.vehicles, steering, domain=place.domain, seed=SEED, threads=1, name=NAME, frames="own")


def forces(place: Place, steering: Any, steps: int = 1) -> Array:
    """What the controller says, (steps, n, d); the vehicles do not move."""
    steered = controller(place, steering)
    return np.array([steered.steer(DT).copy() for _ in range(steps)])


def traced(place: Place, steering: Any, step: int = 0, population: Population | None = None) -> Trace:
    """What every node of a behavior says at a step, at the start of its memory."""
    clock = Clock.new(place.vehicles.dtype)
    clock.set(DT, step, step * DT)
    population = population or Population(NAME, place.vehicles, steering, sm.PointMass())
    block = np.zeros((place.vehicles.dimensions, len(place.vehicles)), place.vehicles.dtype)
    return SteeringPlan(population, place.domain, clock, SEED, block).trace()


def root(place: Place, steering: Any, step: int = 0) -> Record:
    """What the whole behavior says, before it is truncated."""
    return traced(place, steering, step).records[0]


def has_memory(behavior: Behavior, vehicles: sm.Vehicles) -> bool:
    """Whether a behavior or any part of it has memory."""
    return bool(behavior.init(vehicles)) or any(has_memory(part, vehicles) for part in behavior.parts())
