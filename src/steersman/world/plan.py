"""The plan: everything that a step will call, bound once, and rebuilt only when a tree or a population changes."""

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from steersman.environment.domains.domain import Domain
from steersman.geometry.call import Call
from steersman.geometry.vectors import Array
from steersman.neighborhood.neighbor_pass import NeighborPass
from steersman.neighborhood.request import NeighborSum, Sum
from steersman.steering.behavior import RAW, Out
from steersman.steering.scene import Clock, Surroundings, clear
from steersman.steering.trace import Trace
from steersman.steering.tree import Node
from steersman.vehicles.vehicles import Vehicles
from steersman.world.guard import Inspection
from steersman.world.population import Population


class SteeringPlan:
    """How one population is steered: the neighborhoods to look at, then the calls that put its force together.

    Attributes:
        force: Sum of the tree's forces [N], shape (d, n), not truncated.
        passes: Neighborhoods to look at first.
        calls: The calls of the tree.
    """

    def __init__(self, population: Population, domain: Domain, clock: Clock, seed: int, block: Array) -> None:
        self.population, self.domain, self.clock, self.seed = population, domain, clock, seed
        self.vehicles = population.vehicles
        self.revisions = [(watched, watched.revision) for watched in watched_by(population)]
        self.edition = population.edition
        self.force = block
        n = len(self.vehicles)
        self.out = Out(
            tuple(block), np.zeros(n, np.uint8), np.ones(n, np.uint8), np.array([1.0, RAW], self.vehicles.dtype)
        )
        self.passes, self.sums = _neighborhoods(population, domain)
        self.calls = self.bind(None)

    def bind(self, trace: Trace | None) -> list[Call]:
        """The calls of the tree, with a trace on request."""
        calls = [Call(clear, (self.out.linear, self.out.acts))]
        if self.population.tree is not None:
            surroundings = Surroundings(
                self.vehicles, self.population.name, self.domain, self.clock, self.seed, self.sums,
                self.population.memories, trace,
            )  # fmt: skip
            calls += surroundings.root(self.population.tree, self.out)
        return calls

    @property
    def stale(self) -> bool:
        """Whether the tree or a population has changed since."""
        return self.edition != self.population.edition or any(
            vehicles.revision != revision for vehicles, revision in self.revisions
        )

    def trace(self) -> Trace:
        """Steer once more with every node recording its contribution; nothing advances."""
        trace = Trace()
        calls = self.bind(trace)
        try:
            for neighborhood in self.passes:
                neighborhood.build()
                neighborhood.run(0, 1)
            for call in calls:
                call.run(len(self.vehicles))
        finally:
            self.refuse()
        return trace

    def accept(self) -> None:
        """Let memory advance."""
        for memory in self.population.memories.values():
            memory.accept()

    def refuse(self) -> None:
        """Forget what memory would have become."""
        for memory in self.population.memories.values():
            memory.refuse()


def inspections_of(plans: Sequence[SteeringPlan]) -> list[Inspection]:
    """One inspection for every steered population, and for every other one that is watched."""
    found = {id(plan.vehicles): Inspection(plan.vehicles, repr(plan.population.name)) for plan in plans}
    for plan in plans:
        for watched, _ in plan.revisions:
            if id(watched) not in found:
                whose = f"the vehicles that {plan.population.name!r} watches"
                found[id(watched)] = Inspection(watched, whose)
    return list(found.values())


def watched_by(population: Population) -> list[Vehicles]:
    """The population's vehicles and all others that its behaviors name."""
    found = {id(population.vehicles): population.vehicles}
    for node in population.tree.walk() if population.tree is not None else ():
        for value in _values(node):
            if isinstance(value, Vehicles):
                found[id(value)] = value
    return list(found.values())


def _values(node: Node) -> Iterator[Any]:
    for field in dataclasses.fields(node.behavior):
        yield getattr(node.behavior, field.name)


def _neighborhoods(population: Population, domain: Domain) -> tuple[list[NeighborPass], dict[NeighborSum, Sum]]:
    """One pass for each population that is looked at, with the merged requests of the whole tree."""
    wanted: dict[int, dict[NeighborSum, NeighborSum]] = {}
    others: dict[int, Any] = {}
    for node in population.tree.walk() if population.tree is not None else ():
        for request in node.behavior.needs():
            of = None if request.of is population.vehicles else request.of
            others[id(of)] = of
            wanted.setdefault(id(of), {})[request] = dataclasses.replace(request, of=of)
    passes, sums = [], {}
    for key, requests in wanted.items():
        merged = tuple(dict.fromkeys(requests.values()))
        neighborhood = NeighborPass(population.vehicles.body, merged, domain, others[key])
        passes.append(neighborhood)
        sums.update({request: neighborhood.sums[own] for request, own in requests.items()})
    return passes, sums
