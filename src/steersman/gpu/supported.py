"""The parts of worlds that run on the device. All others are refused by name, before anything moves."""

import math
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.domains.box import Box
from steersman.core.environment.domains.torus import Torus
from steersman.core.environment.open import Open
from steersman.core.locomotion.point_mass import PointMass
from steersman.core.neighborhood.bodies import longest
from steersman.core.neighborhood.neighbor_pass import is_about_bodies
from steersman.core.neighborhood.request import NeighborCells
from steersman.core.parameters.per_vehicle import PerVehicle
from steersman.core.parameters.walking import walk
from steersman.core.steering.registry import BEHAVIORS
from steersman.core.world.plan import watched_by
from steersman.core.world.population import Population

DOMAINS: Final = (Open, Torus, Box)

NAMES: Final = frozenset(
    {
        "WeightedSum",
        "Separation",
        "Alignment",
        "Cohesion",
        "Flocking",
        "Seek",
        "Flee",
        "Arrive",
        "Wander",
        "FollowFlow",
        "AvoidObstacles",
        "AvoidNeighbors",
        "ORCA",
        "Priority",
    }
)
"""The classes of behaviors that run there."""


def check_supported(populations: Sequence[Population], domain: Domain, constraints: Sequence[Any]) -> None:
    """Raise ValueError where a world has parts that do not run on the device; it names them all."""
    problems = list(dict.fromkeys(_problems(populations, domain, constraints)))
    if problems:
        raise ValueError(f'device="cuda" does not run {"; ".join(problems)}: see docs/gpu.md, or assign device="cpu"')


def _problems(populations: Sequence[Population], domain: Domain, constraints: Sequence[Any]) -> Iterator[str]:
    if type(domain) not in DOMAINS:
        yield f"the domain {type(domain).__name__}"
    elif isinstance(domain, Box) and domain.periodic:
        yield "a Box with periodic axes"
    for constraint in constraints:
        yield f"the constraint {type(constraint).__name__}"
    steered = {id(population.vehicles) for population in populations}
    for population in populations:
        if any(id(each) not in steered for each in watched_by(population)):
            yield f"vehicles outside of the world that {population.name!r} watches"
        name = repr(population.name)
        if any(isinstance(each, PerVehicle) for node in population.nodes for each in walk(node.behavior)):
            yield f"numbers per vehicle ({name})"
        if population.vehicles.dtype != np.float32:
            yield f"vehicles of {population.vehicles.dtype} ({name})"
        if type(population.locomotion) is not PointMass:
            yield f"the body {type(population.locomotion).__name__} ({name})"
        for limit in population.locomotion.limits:
            yield f"the limit {type(limit).__name__} ({name})"
        if population.flows:
            yield f"flows ({name})"
        for node in population.nodes:
            yield from _node(node.behavior, node.label, population)


def _node(behavior: Any, label: str, population: Population) -> Iterator[str]:
    own: Any = type(behavior)
    if own.__name__ not in NAMES or own is not BEHAVIORS.get(own.__name__):
        yield label
        return
    for request in behavior.needs():
        if isinstance(request, NeighborCells):
            yield f"{label} with a law of pairs"
            continue
        if request.k is None and not math.isfinite(request.radius):
            yield f"{label} with an infinite radius"
        if request.of is not None and request.of is not population.vehicles:
            yield f"{label} about other vehicles or points"
        if request.k is None and is_about_bodies(request) and longest(population.vehicles) > 0:
            yield f"{label} among bodies of length"
