"""The plan of one population's steering: all calls, bound once, and bound anew only when a tree or a population changes."""

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.obstacles.obstacle import Obstacles
from steersman.core.kernels.call import Call, run_all
from steersman.core.kernels.signals import Action
from steersman.core.locomotion.locomotion import Locomotion
from steersman.core.neighborhood.bodies import longest
from steersman.core.neighborhood.coincident import tie_of
from steersman.core.neighborhood.company import Company
from steersman.core.neighborhood.deferred import Deferred
from steersman.core.neighborhood.joined import Joined
from steersman.core.neighborhood.neighbor_pass import NeighborPass, is_about_bodies, live_columns
from steersman.core.neighborhood.pairs import Surrounding
from steersman.core.neighborhood.request import Listing, NeighborCells, NeighborList, NeighborSum, Request, Sum
from steersman.core.neighborhood.slots import is_each_own, several_of
from steersman.core.parameters.per_vehicle import (
    FROM_COLUMNS,
    ComputedColumn,
    LiveColumn,
    LiveComputed,
    PerVehicle,
    columns_in,
    largest,
)
from steersman.core.parameters.walking import walk
from steersman.core.steering.scene.clock import Clock
from steersman.core.steering.scene.numpy_steering import refused_write
from steersman.core.steering.scene.per_vehicle import column_of
from steersman.core.steering.scene.scene import bind_tree
from steersman.core.steering.scene.sums import clear, unlimited
from steersman.core.steering.scene.surroundings import Afterwards, Handling, Recount, Surroundings
from steersman.core.steering.tree.forces import RAW, Out
from steersman.core.steering.tree.trace import Trace
from steersman.core.steering.tree.tree import Node, own_nodes
from steersman.core.typing import Array
from steersman.core.vehicles.columns import turning_components
from steersman.core.vehicles.holding import without_holder
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.guard import Inspection
from steersman.core.world.population import Population

PACKAGE = __name__.partition(".")[0]
"""The name of this library."""


class SteeringPlan:
    """How one population is steered: the neighborhoods to search, and the calls that compute its force.

    Args:
        population: The population.
        domain: The space.
        clock: Length and number of the step.
        seed: Seed of all random numbers.
        block: The array that takes the sums of forces, shape (d, capacity).
        angular: The array that takes the sums of angular accelerations, shape (1 or 3, capacity).
        older: The plan before; its searches are reused where they are still valid.
        company: All populations that are stepped together. Default: this one.

    Attributes:
        lasting: Whether `stale` detects every change. It does if all neighbors are vehicles or obstacles.
        roomy: Whether the calls serve all rows that there is room for.
        around: The neighborhoods to search, before steering or on request.
        calls: The calls of the tree.
        free_way: The distance that vehicles may still move [m], shape (capacity,) (see `Scene.free_way`); None if no node
            sets it.
    """

    def __init__(
        self,
        population: Population,
        domain: Domain,
        clock: Clock,
        seed: int,
        block: Array,
        angular: Array | None = None,
        older: "SteeringPlan | None" = None,
        company: Company | None = None,
    ) -> None:
        self.population, self.domain, self.clock, self.seed = population, domain, clock, seed
        self.company = Company([population]) if company is None else company
        self.vehicles = population.vehicles
        self.watched = watched_by(population, self.company)
        self.revisions = [(each, each.revision) for each in self.watched]
        self.bound_to = [each.storage for each in self.watched]
        self.edition = population.edition
        capacity, dtype = self.vehicles.capacity, self.vehicles.dtype
        if angular is None:
            angular = np.zeros((turning_components(self.vehicles.dimensions), capacity), dtype)
        self._force, self._angular = block, angular
        turning = tuple(angular) if self.turns else ()
        self.out = Out(
            tuple(block),
            turning,
            np.zeros(capacity, np.uint8),
            np.ones(capacity, np.uint8),
            np.array([1.0, RAW], dtype),
        )
        before = None if older is None else older.around
        self.around: Neighborhoods = Neighborhoods(population, domain, self.company, before)
        self.afterwards: list[Afterwards] = []
        self.recounts: list[Recount] = []
        self._fixed = False
        self._free_way = np.full(capacity, np.inf, dtype)
        self.free_way: Array | None = None
        self.calls = self.bind(None)
        requests: list[Request] = [*self.around.sums, *self.around.lists, *self.around.cells]
        among = [self.company.among(request.of, self.vehicles) for request in requests]
        about_bodies = self.watched if any(map(is_about_bodies, requests)) else []
        self._growth = Growth(about_bodies, [each for one in self.around.merged for each in live_columns(one)])
        self.lasting = all(of is None or isinstance(of, (Vehicles, Joined, Obstacles)) for of in among)
        makers = [node.behavior.bind for node in population.nodes]
        self.roomy = self.lasting and not self._fixed and serves(self.calls, makers)

    def bind(self, trace: Trace | None) -> list[Call]:
        """The calls of the tree; with a trace, calls that record the force of every node."""
        surroundings = self._surroundings(trace)
        calls = self._calls(surroundings)
        if trace is None:
            self.afterwards, self.recounts = surroundings.afterwards, surroundings.recounts
            self._looks = surroundings.looks
            self._fixed = bool(surroundings.fixed)
            self.free_way = self._free_way if surroundings.brakes else None
        return calls

    def _surroundings(self, trace: Trace | None) -> Surroundings:
        population, around = self.population, self.around
        return Surroundings(
            vehicles=self.vehicles, population=population.name, domain=self.domain, clock=self.clock, seed=self.seed,
            sums=around.sums, lists=around.lists, cells=around.cells, deferred=around.deferred,
            memories=population.memories, addressed=population.addressed, free_way=self._free_way, trace=trace,
            handling=handling_of(population.locomotion, self.vehicles), company=self.company,
        )  # fmt: skip

    def _calls(self, surroundings: Surroundings) -> list[Call]:
        tree = [] if self.population.tree is None else bind_tree(surroundings, self.population.tree, self.out)
        calls = [look.begin_call() for look in dict.fromkeys(surroundings.looks)]
        calls += [call for look in self.around.passes for call in look.column_calls()]
        calls.append(Call(clear, (self.out.linear, self.out.angular, self.out.acts)))
        if surroundings.brakes:
            calls.append(Call(unlimited, (self._free_way,)))
        return [*calls, *tree]

    @property
    def force(self) -> Array:
        """Sum of the tree's forces [N], shape (d, n), not truncated."""
        return self._force[:, : len(self.vehicles)]

    @property
    def angular(self) -> Array:
        """Sum of the tree's angular accelerations [rad/s^2], shape (1 or 3, n), not truncated; zero if no node turns."""
        return self._angular[:, : len(self.vehicles)]

    @property
    def turns(self) -> bool:
        """Whether any node of the tree also steers the orientation."""
        return self.population.tree is not None and self.population.tree.turns

    @property
    def replaced(self) -> bool:
        """Whether the tree has been replaced, or vehicles have come or gone, since the calls were made."""
        for vehicles, revision in self.revisions:  # Every step asks this, so it is a loop and not a generator.
            if vehicles.revision != revision:
                return True
        return self.edition != self.population.edition

    @property
    def stale(self) -> bool:
        """Whether the tree or a population has changed since the calls were made."""
        return self.replaced or self._growth.is_noticed()

    def fit(self) -> bool:
        """Adapt to vehicles that have come or gone; return False if the plan must be bound anew instead."""
        self.population.keep_up()
        grown = any(each.storage is not storage for each, storage in zip(self.watched, self.bound_to, strict=True))
        if grown or self.edition != self.population.edition or not self.roomy or self._growth.is_there():
            return False
        revisions = [(each, each.revision) for each in self.watched]
        self.around.fit()
        for recount in self.recounts:
            recount()
        self.revisions = revisions
        return True

    def trace(self, rows: Array | None = None) -> Trace:
        """Steer once more and record the contribution of every node. Nothing advances.

        Args:
            rows: The rows that are steered, shape (k,); results of other rows are undefined. Default: all.
        """
        with self.traced(rows) as (trace, _):
            return trace

    @contextmanager
    def traced(self, rows: Array | None = None) -> Iterator[tuple[Trace, Surroundings]]:
        """Steer once more. While inside, `next` of memory has the values after the step; afterwards these are discarded.

        Args:
            rows: The rows that are steered, shape (k,); results of other rows are undefined. Default: all.

        Yields:
            The trace, and the surroundings in which it was made.
        """
        trace = Trace()
        surroundings = self._surroundings(trace)
        try:
            calls = self._calls(surroundings)
            for neighborhood in self.around.passes:
                neighborhood.build()
                neighborhood.look()
            n = len(self.vehicles)
            look_at(self.watched, lambda: run_all(calls, n, rows))
            yield trace.first(len(self.vehicles)), surroundings
        finally:
            self.refuse()

    def rehearse(self) -> None:
        """Compile the kernels that are not among the calls of a step: those of explanations, and those that Python calls."""
        for call in self._calls(self._surroundings(Trace())):
            call.compiled()
        for call in self.calls:
            if call.whole and hasattr(call.kernel, "rehearse"):
                call.kernel.rehearse()

    def accept(self) -> None:
        """Let memory advance."""
        for memory in self.population.memories.values():
            memory.accept()

    def changes(self) -> list[Action]:
        """The actions of `accept`, as functions and their arguments, for the present number of vehicles."""
        return [change for memory in self.population.memories.values() for change in memory.changes()]

    def refuse(self) -> None:
        """Discard the next values of memory."""
        for memory in self.population.memories.values():
            memory.refuse()
        for look in self._looks:
            look.forget()


def handling_of(body: Locomotion, vehicles: Vehicles) -> Handling:
    """The facts about a body that behaviors go by."""
    return Handling(
        on_ground=body.on_ground, tightest=body.tightest, lag=body.lag, braking=body.brakes, grip=body.grip,
        needs_free_way=body.needs_free_way, backs_up=body.backs_up, steps_aside=body.steps_aside,
        pivots=body.pivots(vehicles), turns_itself=body.turns, turn_rates=body.turn_rates(vehicles),
    )  # fmt: skip


class Growth:
    """Notices bodies that are longer, and radii in columns that are larger, than those that calls were made for.

    Args:
        vehicles: The populations of which bodies matter.
        columns: The columns of radii.
    """

    def __init__(self, vehicles: Sequence[Vehicles], columns: Sequence[LiveColumn]) -> None:
        self._longest = [(each, longest(each)) for each in vehicles]
        self._widest = [(each, largest(each)) for each in columns]
        lengths = [each.body_lengths for each, most in self._longest if most == 0]
        self._zero_lengths = [(each, bytes(each.nbytes)) for each in lengths]
        self._must_measure = len(lengths) < len(self._longest) or bool(self._widest)

    def is_there(self) -> bool:
        """Whether a body or a radius has grown."""
        return any(longest(vehicles) > most for vehicles, most in self._longest) or any(
            largest(each) > most for each, most in self._widest
        )

    def is_noticed(self) -> bool:
        """The same, for every step: where all lengths were zero, bytes are compared, in a third of the time of numbers."""
        for lengths, zeros in self._zero_lengths:
            if lengths.tobytes() != zeros:
                return self.is_there()
        return self._must_measure and self.is_there()


def look_at(vehicles: Iterable[Vehicles], steer: Callable[[], None]) -> None:
    """Steer while the columns of some vehicles are read-only.

    Raises:
        ValueError: A function has tried to write to them.
    """
    try:
        for each in vehicles:
            each.shut()
        steer()
    except ValueError as error:
        if refused := refused_write(error, "a function or a body"):
            raise refused from error
        raise
    finally:
        for each in vehicles:
            each.open()


def serves(calls: Iterable[Call], makers: Iterable[Callable[..., object]]) -> bool:
    """Whether calls serve all rows that there is room for, and not only the rows that were in use when they were made.

    Args:
        calls: The calls.
        makers: The methods that made them. Methods of other packages may have made arrays with too few rows.
    """
    own = all((maker.__module__ or "").partition(".")[0] == PACKAGE for maker in makers)
    return own and all(call.fits for call in calls if call.whole)


def notify(plans: Iterable[SteeringPlan]) -> None:
    """Call the functions that behaviors request after an accepted step. All are collected before the first call."""
    for call in [call for plan in plans for ask in plan.afterwards for call in ask()]:
        call()


def inspections_of(plans: Sequence[SteeringPlan]) -> list[Inspection]:
    """One inspection for every steered population, and for every other population that behaviors read."""
    inspections = {id(plan.vehicles): Inspection(plan.vehicles, repr(plan.population.name)) for plan in plans}
    for plan in plans:
        for watched in plan.watched:
            if id(watched) not in inspections:
                name_in_messages = f"the vehicles that {plan.population.name!r} watches"
                inspections[id(watched)] = Inspection(watched, name_in_messages)
    return list(inspections.values())


def watched_by(population: Population, company: Company | None = None) -> list[Vehicles]:
    """The vehicles of a population, and all others that its behaviors name; for the word "all", those of the company."""
    watched = {id(population.vehicles): population.vehicles}
    if company is not None and any(isinstance(request.of, str) for request in requests_of(population)):
        watched |= {id(each.vehicles): each.vehicles for each in company.members}
    for value in walk([node.behavior for node in population.nodes]):
        value = without_holder(value)
        if isinstance(value, Vehicles):
            watched[id(value)] = value
    return list(watched.values())


def requests_of(population: Population) -> Iterator[Request]:
    """The searches that all nodes of a population ask for."""
    for node in population.nodes:
        yield from node.behavior.needs_for(population.locomotion)


class Neighborhoods:
    """All neighbor passes of one population: one for each population of neighbors, with the merged requests of the tree.

    Args:
        population: The population.
        domain: The space.
        company: All populations that are stepped together.
        older: The neighborhoods before; their passes are reused where requests are the same.

    Attributes:
        passes: The passes, which make all searches before steering that are not deferred.
        deferred: Request -> search, for deferred requests.
        sums, lists, cells: The results, by request.
    """

    def __init__(
        self, population: Population, domain: Domain, company: Company, older: "Neighborhoods | None" = None
    ) -> None:
        self.passes: list[NeighborPass] = []
        self.merged: list[Request] = []
        self.deferred: dict[Request, Deferred] = {}
        self.sums: dict[NeighborSum, Sum] = {}
        self.lists: dict[NeighborList, Listing] = {}
        self.cells: dict[NeighborCells, Surrounding] = {}
        self._looks: dict[Any, tuple[NeighborPass, dict[Request, Deferred]]] = {}
        requirements, others, early = _merged_requests(population, company)
        for key, requests in requirements.items():
            merged = tuple(dict.fromkeys(requests.values()))
            late = frozenset(merged) - early
            self.merged += merged
            addressed = population.addressed.tobytes() if any(map(is_each_own, merged)) else b""
            about = (key, late, merged, addressed)
            known = None if older is None else older._looks.get(about)
            if known is None or not known[0].lasts:
                ids = company.ids(population.vehicles) if isinstance(others[key], Joined) else None
                known = _new_pass(population.vehicles, merged, domain, others[key], late, population.addressed, ids)
            look, later = self._looks[about] = known
            self.passes.append(look)
            for request, own in requests.items():
                if own in later:
                    self.deferred[request] = later[own]
                if isinstance(request, NeighborSum):
                    self.sums[request] = look.sums[own]
                elif isinstance(request, NeighborList):
                    self.lists[request] = look.lists[own]
                else:
                    self.cells[request] = look.cells[own]
        self.fit()

    def fit(self) -> None:
        """Adapt to vehicles that have come or gone."""
        for look in self.passes:
            look.fit()


def _merged_requests(
    population: Population, company: Company
) -> tuple[dict[int, dict[Any, Any]], dict[int, Any], set[Request]]:
    """The requests of all nodes.

    Returns:
        The id of the neighbors -> request -> its normal form; that id -> the neighbors; and the requests, in normal form,
        that are not deferred.
    """
    requirements: dict[int, dict[Any, Any]] = {}
    others: dict[int, Any] = {}
    early: set[Request] = set()
    at_once = set() if population.tree is None else {id(node) for node in own_nodes(population.tree)}
    for node in population.nodes:
        for request in node.behavior.needs_for(population.locomotion):
            of = company.among(request.of, population.vehicles)
            others[id(of)] = of
            own = request if request.of is of else dataclasses.replace(request, of=of)
            live: dict[str, Any] = {name: _live(node, each, population) for name, each in several_of(request).items()}
            if any(isinstance(each, LiveColumn) for each in live.values()):
                own = dataclasses.replace(own, **live)
            if requirements.get(id(of), {}).get(request, own) != own:
                raise ValueError(
                    f"{node.label} must read columns of other names: two Orders of the tree have one of a name"
                )
            if id(node) in at_once:
                early.add(own)
            requirements.setdefault(id(of), {})[request] = own
    return requirements, others, early


def _live(node: Node, each: PerVehicle, population: Population) -> PerVehicle:
    """The numbers per vehicle of a request; if they are read from columns, an object that reads these."""
    if not isinstance(each, FROM_COLUMNS):
        return each
    vehicles = population.vehicles
    if isinstance(each, ComputedColumn):
        columns = {
            one: column_of(population.memories, vehicles, node, one.name, one.column) for one in columns_in(each)
        }
        for one, own in columns.items():
            one.check(own[: len(vehicles)])
        key = tuple(map(id, columns.values()))
        return LiveComputed(each, lambda one: columns[one][: len(vehicles)], key)
    column = column_of(population.memories, vehicles, node, each.name, each.column)
    each.check(column[: len(vehicles)])
    return LiveColumn(each.name, column, lambda: len(vehicles))


def _new_pass(
    vehicles: Vehicles,
    requests: tuple[Request, ...],
    domain: Domain,
    of: Any,
    late: frozenset[Request],
    addressed: Array,
    ids: Array | None,
) -> tuple[NeighborPass, dict[Request, Deferred]]:
    """A neighbor pass; and request -> deferred search, for its late requests. For the arguments see `NeighborPass`."""
    tie = tie_of(vehicles, of)
    look = NeighborPass(vehicles, requests, domain, of, tie=tie, late=late, addressed=addressed, ids=ids)
    searches = [(Deferred(look, runner), own) for runner, own in look.late]
    return look, {request: deferred for deferred, own in searches for request in own}
