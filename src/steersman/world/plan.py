"""The plan: everything that a step will call, bound once, and rebuilt only when a tree or a population changes."""

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from steersman.environment.domains.domain import Domain
from steersman.environment.obstacles.obstacle import Obstacles
from steersman.geometry.call import Call
from steersman.geometry.parameters import Parameters
from steersman.geometry.vectors import Array
from steersman.neighborhood.neighbor_pass import NeighborPass
from steersman.neighborhood.request import Listing, NeighborList, NeighborSum, Request, Sum
from steersman.steering.behavior import Behavior
from steersman.steering.forces import RAW, Out
from steersman.steering.scene import Afterwards, Clock, Surroundings, clear
from steersman.steering.trace import Trace
from steersman.steering.tree import own_nodes
from steersman.vehicles.columns import turning_components
from steersman.vehicles.holding import without_holder
from steersman.vehicles.vehicles import Vehicles
from steersman.world.deferred import Deferred
from steersman.world.guard import Inspection
from steersman.world.population import Population


class SteeringPlan:
    """How one population is steered: the neighborhoods to look at, then the calls that put its force together.

    Attributes:
        force: Sum of the tree's forces [N], shape (d, n), not truncated.
        angular: Sum of its angular accelerations [rad/s^2], shape (1 or 3, n), not truncated; zero where nobody turns.
        passes: Neighborhoods to look at first.
        calls: The calls of the tree.
    """

    def __init__(
        self,
        population: Population,
        domain: Domain,
        clock: Clock,
        seed: int,
        block: Array,
        angular: Array | None = None,
    ) -> None:
        self.population, self.domain, self.clock, self.seed = population, domain, clock, seed
        self.vehicles = population.vehicles
        self.revisions = [(watched, watched.revision) for watched in watched_by(population)]
        self.edition = population.edition
        self.force = block
        n = len(self.vehicles)
        rows, dtype = turning_components(self.vehicles.dimensions), self.vehicles.dtype
        self.angular = np.zeros((rows, n), dtype) if angular is None else angular
        turning = tuple(self.angular) if self.turns else ()
        self.out = Out(tuple(block), turning, np.zeros(n, np.uint8), np.ones(n, np.uint8), np.array([1.0, RAW], dtype))
        self.passes, self.deferred, self.sums, self.lists = _neighborhoods(population, domain)
        self.afterwards: list[Afterwards] = []
        self.calls = self.bind(None)

    def bind(self, trace: Trace | None) -> list[Call]:
        """The calls of the tree, with a trace on request."""
        calls = [Call(look.forget, whole=True) for look in dict.fromkeys(self.deferred.values())]
        calls.append(Call(clear, (self.out.linear, self.out.angular, self.out.acts)))
        if self.population.tree is not None:
            surroundings = Surroundings(
                self.vehicles, self.population.name, self.domain, self.clock, self.seed, self.sums, self.lists,
                self.population.memories, self.deferred, self.population.addressed, trace,
                self.population.locomotion.on_ground,
            )  # fmt: skip
            calls += surroundings.root(self.population.tree, self.out)
            if trace is None:
                self.afterwards = surroundings.afterwards
        return calls

    @property
    def turns(self) -> bool:
        """Whether somebody in the tree also steers the orientation."""
        return self.population.tree is not None and self.population.tree.turns

    @property
    def stale(self) -> bool:
        """Whether the tree or a population has changed since."""
        return self.edition != self.population.edition or any(
            vehicles.revision != revision for vehicles, revision in self.revisions
        )

    @property
    def lasting(self) -> bool:
        """Whether `stale` says all that there is to know: all who are looked at are vehicles, or obstacles."""
        asked: list[Request] = [*self.sums, *self.lists]
        return all(request.of is None or isinstance(request.of, (Vehicles, Obstacles)) for request in asked)

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


def tell(plans: Iterable[SteeringPlan]) -> None:
    """Call what behaviors want to be called after an accepted step; all are asked before anything is called."""
    for call in [call for plan in plans for ask in plan.afterwards for call in ask()]:
        call()


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
        for value in values_of(node.behavior):
            value = without_holder(value)
            if isinstance(value, Vehicles):
                found[id(value)] = value
    return list(found.values())


def values_of(parameters: Parameters) -> Iterator[Any]:
    """What a behavior is made of, and what that is made of; not its parts, which are nodes of their own."""
    for field in dataclasses.fields(parameters):
        value = getattr(parameters, field.name)
        for each in value if isinstance(value, (tuple, list)) else (value,):
            yield each
            if isinstance(each, Parameters) and not isinstance(each, Behavior):
                yield from values_of(each)


def _neighborhoods(
    population: Population, domain: Domain
) -> tuple[list[NeighborPass], dict[Request, Deferred], dict[NeighborSum, Sum], dict[NeighborList, Listing]]:
    """One pass for each population that is looked at, with the merged requests of the whole tree.

    The first list are those before steering; the requests of others come with what makes their pass.
    """
    wanted: dict[int, dict[Any, Any]] = {}
    at_once = set() if population.tree is None else {id(node) for node in own_nodes(population.tree)}
    others: dict[int, Any] = {}
    early: set[int] = set()
    for node in population.tree.walk() if population.tree is not None else ():
        for request in node.behavior.needs():
            of = None if request.of is population.vehicles else request.of
            others[id(of)] = of
            if id(node) in at_once:
                early.add(id(of))
            wanted.setdefault(id(of), {})[request] = dataclasses.replace(request, of=of)
    passes, sums, lists = [], {}, {}
    deferred: dict[Request, Deferred] = {}
    for key, requests in wanted.items():
        merged = tuple(dict.fromkeys(requests.values()))
        asked = None if key in early else np.zeros(len(population.vehicles), np.uint8)
        neighborhood = NeighborPass(population.vehicles.body, merged, domain, others[key], asked=asked)
        if asked is None:
            passes.append(neighborhood)
        else:
            deferred |= dict.fromkeys(requests, Deferred(neighborhood, asked))
        for request, own in requests.items():
            if isinstance(request, NeighborSum):
                sums[request] = neighborhood.sums[own]
            else:
                lists[request] = neighborhood.lists[own]
    return passes, deferred, sums, lists
