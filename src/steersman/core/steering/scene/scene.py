"""The scene: the view that a node of a steering tree has of the world, when it is bound and when it steers.

Forces and angular accelerations are combined alike: beside every sum of forces an `Out` carries, where vehicles turn, a
sum of angular accelerations with the same `acts`, `active` and `edge`. A kernel of a combinator treats both; where no
vehicle turns, the second is an empty tuple, and nothing is compiled for it.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, overload

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.obstacles.answers import QueryResult
from steersman.core.kernels.call import Call
from steersman.core.kernels.numbers import Numbers, named_numbers, number, numbers_of
from steersman.core.kernels.per_row import Rows
from steersman.core.maths.random import generator, key_of
from steersman.core.neighborhood.bodies import Bodies, bodies_of
from steersman.core.neighborhood.deferred import Deferred
from steersman.core.neighborhood.joined import Joined
from steersman.core.neighborhood.lookup import Neighbors
from steersman.core.neighborhood.pairs import Surrounding
from steersman.core.neighborhood.request import Listing, NeighborCells, NeighborList, NeighborSum, Sum
from steersman.core.parameters.arrays import first_rows
from steersman.core.parameters.per_vehicle import FROM_COLUMNS, ComputedColumn, PerVehicle, rows_among
from steersman.core.parameters.renaming import RenamedAttribute
from steersman.core.steering.scene.clock import Clock
from steersman.core.steering.scene.numpy_steering import Named, Steer
from steersman.core.steering.scene.per_vehicle import by_row, column_of, with_rows
from steersman.core.steering.scene.senses import Along, Senses
from steersman.core.steering.scene.sums import clear, copy, copy_flags, hand_up, hand_up_traced
from steersman.core.steering.scene.surroundings import Afterwards, Recount, Surroundings
from steersman.core.steering.targets.target import Mark, Quarry, bind_point, bind_quarry
from steersman.core.steering.tree.forces import RAW, Amounts, Out
from steersman.core.steering.tree.knowledge import Belief, Knowledge, new_belief
from steersman.core.steering.tree.tree import Node, own_nodes
from steersman.core.typing import Array, Columns
from steersman.core.vehicles.columns import turning_components
from steersman.core.vehicles.memory import NOTHING, Memory
from steersman.core.vehicles.vehicle_columns import Spin, VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles


class Plan(NamedTuple):
    """Vehicles in 3D seen by their first two coordinates alone (see `steering/scene/on_plan.py`).

    Attributes:
        columns: Their columns, as if they were in 2D.
        domain: The space of these coordinates.
    """

    columns: VehicleColumns
    domain: Domain


class Encounter(NamedTuple):
    """Vehicles and their neighbors, for kernels that look at neighbors one by one.

    Attributes:
        own: The columns of the vehicles. Among several populations their ids are those that they have there.
        others: The columns of the neighbors: the same where they are the own population. Of several populations only
            position, velocity, radius and id hold values.
        shares: Empty where they are the own population; else the part of the avoiding that the vehicles do beside each of
            the neighbors, shape (capacity,).
        segment: Where the own population is one of several, its first row among them and the number of its rows, shape
            (2,), int64; else empty.
        bodies: The lengths of the vehicles and of the neighbors, shape (capacity,) each; empty where no vehicle has one.
    """

    own: VehicleColumns
    others: VehicleColumns
    shares: tuple[Array, ...]
    segment: tuple[Array, ...]
    bodies: Bodies


@dataclass(frozen=True)
class Scene:
    """The view that one node of a steering tree has of the world.

    When it is bound, arrays have room for vehicles to come: shape (capacity,), of which the first n rows are the vehicles.
    When a behavior written in NumPy steers (`shown`), they have n rows.

    Attributes:
        evaluated: Flags of the rows that the node is asked about, shape (capacity,), uint8. None: all.
    """

    shared: Surroundings
    node: Node
    plan: Plan | None = None
    shown: bool = False
    evaluated: Array | None = None

    @property
    def vehicles(self) -> Vehicles:
        """The steered population, as it was at the start of the step. Not to be changed."""
        return self.shared.vehicles

    @property
    def columns(self) -> VehicleColumns:
        """Its columns, for kernels."""
        vehicles = self.shared.columns if self.plan is None else self.plan.columns
        return first_rows(vehicles, len(self.vehicles)) if self.shown else vehicles

    @property
    def dimensions(self) -> int:
        """The number of components of the vectors in `body`: 2 or 3."""
        return len(self.columns.position)

    @property
    def spin(self) -> Spin:
        """Its columns about turning, for kernels."""
        spin = self.vehicles.spin
        return first_rows(spin, len(self.vehicles)) if self.shown else spin

    @property
    def domain(self) -> Domain:
        """The space; `domain.difference(to, origin)` is the shortest way on a torus."""
        return self.shared.domain if self.plan is None else self.plan.domain

    @property
    def wrap(self) -> Array:
        """The space, for kernels (see `vectors.difference`)."""
        return self.shared.wrap[:, : self.dimensions]

    @property
    def ground(self) -> Columns:
        """Unit normals of the surface that the vehicles cannot leave, 3 arrays of shape (n,); empty where they are free.

        For kernels that choose sides: see `maths.ground`.
        """
        return self.columns.up if self.shared.handling.on_ground else ()

    @property
    def tightest(self) -> float:
        """Radius of the tightest circle that the body of the vehicles can drive [m]; 0 if it turns on the spot."""
        return self.shared.handling.tightest

    @property
    def steps_aside(self) -> bool:
        """Whether the body of the vehicles can go to any side without turning there first."""
        return self.shared.handling.steps_aside

    @property
    def pivots(self) -> bool:
        """Whether the body of the vehicles takes time to turn, and does it on the spot."""
        return self.shared.handling.pivots

    @property
    def turns_itself(self) -> bool:
        """Whether the body of the vehicles turns by itself; others face where they go."""
        return self.shared.handling.turns_itself

    @property
    def backs_up(self) -> bool:
        """Whether the body of the vehicles goes backward to a goal behind it."""
        return self.shared.handling.backs_up

    @property
    def needs_free_way(self) -> bool:
        """Whether the body of the vehicles needs to know how far it may go on: not every force stops it."""
        return self.shared.handling.needs_free_way

    @property
    def lag(self) -> float:
        """Time that the body of the vehicles takes to begin its tightest circle [s]."""
        return self.shared.handling.lag

    @property
    def brakes(self) -> float:
        """Part of max_force that the body of the vehicles brakes with."""
        return self.shared.handling.braking

    @property
    def stopping(self) -> float:
        """Part of max_force to plan a stop with: that of the brakes, or all where there are none."""
        return self.brakes if self.brakes > 0 else 1.0

    @property
    def grip(self) -> float:
        """Part of max_force that the body of the vehicles has to the side."""
        return self.shared.handling.grip

    @property
    def turn_rates(self) -> Array | None:
        """How fast the headings of the vehicles can turn [rad/s], shape (capacity,); None for any."""
        return self.shared.handling.turn_rates

    @property
    def clock(self) -> Clock:
        """Step length and number, for kernels."""
        return self.shared.clock

    @property
    def dt(self) -> float:
        """The time step [s]."""
        return float(self.shared.clock.dt[0])

    @property
    def step(self) -> int:
        """The number of the step, from 0."""
        return int(self.shared.clock.step[0])

    @property
    def time(self) -> float:
        """Time since the start [s]."""
        return float(self.shared.clock.time[0])

    @property
    def key(self) -> Array:
        """Key of this node's random numbers, shape (2,), uint32: see `maths.random.draw`."""
        return key_of(self.shared.seed, self.shared.population, self.node.key)

    def random(self) -> np.random.Generator:
        """A generator for this node and step: the same numbers for the same seed, independent of all other nodes."""
        return generator(self.key, self.step)

    # ------------------------------------------------------------------------------------------------ for `steer`

    @overload
    def neighbors(self, radius: NeighborList) -> Listing: ...
    @overload
    def neighbors(
        self,
        radius: float,
        *,
        angle: float = ...,
        inner_radius: float = ...,
        k: int | None = ...,
        of: Any = ...,
        sort: bool = ...,
    ) -> Neighbors: ...
    def neighbors(
        self,
        radius: float | NeighborList,
        *,
        angle: float = 2 * math.pi,
        inner_radius: float = 0.0,
        k: int | None = None,
        of: Any = None,
        sort: bool = True,
    ) -> Neighbors | Listing:
        """The neighbors of each vehicle, as arrays: `indptr`, `indices`, `offsets`, `distances` (see `Neighbors`).

        Behaviors with kernels give a request that they listed in `needs` instead, and get its list.

        Args:
            radius: Distance up to which others are neighbors [m], inclusive; may be infinite.
            angle: Full field of view [rad].
            inner_radius: Distance within which neighbors are seen at any angle [m].
            k: Only the k nearest. Default: all.
            of: The possible neighbors: Vehicles, a population, or points (m, d) [m]. Default: the vehicles themselves.
            sort: Whether the nearest come first. Otherwise the order is that of the cells, unless k is given: faster.
        """
        if isinstance(radius, NeighborList):
            listing = self.shared.lists[radius]
            n = len(self.vehicles)
            return Listing(listing.row[:n], listing.number[:n]) if self.shown else listing
        return self.senses.neighbors(radius, angle, inner_radius, k, of, sort)

    def nearest(self, obstacles: Any, *, reach: float = math.inf) -> QueryResult:
        """The point of some obstacles that is nearest to every vehicle, as arrays (see `QueryResult`).

        Args:
            obstacles: A set of obstacles, or a list of sets.
            reach: Points farther away [m] do not count.

        Returns:
            `distance` from the center of the vehicle [m], shape (n,), negative inside and infinite where there is nothing;
            `point` there, `normal` (n, d), along which the distance grows, and `which` part it is, -1 for none.
        """
        return self.senses.nearest(obstacles, reach)

    def cast(self, obstacles: Any, direction: Any = None, *, reach: float = math.inf) -> QueryResult:
        """The first hits of rays from the vehicles, as arrays (see `QueryResult`).

        Args:
            obstacles: A set of obstacles, or a list of sets.
            direction: Where the rays go, shape (n, d), or (d,) for all, of any length but zero. Default: straight ahead.
            reach: Their length [m].

        Returns:
            `distance` [m], shape (n,), infinite where nothing is hit; `point`, `normal` (n, d), `which`.
        """
        return self.senses.cast(obstacles, direction, reach)

    def along(self, path: Any) -> Along:
        """Where every vehicle is on a path, as arrays: `s`, `offset`, `distance`, `tangent`, `radius` (see `Along`)."""
        return self.senses.along(path)

    @property
    def senses(self) -> Senses:
        """The senses of the population, made on first use."""
        if not self.shared.senses:
            self.shared.senses.append(Senses(self.vehicles, self.domain))
        return self.shared.senses[0]

    # ------------------------------------------------------------------------------------------------ for `bind`

    @property
    def capacity(self) -> int:
        """The number of rows that arrays need: the vehicles that are there, and some that may come."""
        return self.vehicles.capacity

    room = RenamedAttribute("capacity")

    def recount(self, recount: Recount) -> None:
        """Call `recount` whenever vehicles have come or gone within the capacity of the arrays; beyond it, all is rebound.

        Kernels always run over the current number of rows. `recount` is for other state that depends on the vehicles.
        """
        if not self.shown:
            self.shared.recounts.append(recount)

    def fix(self) -> None:
        """Declare that the calls hold only for the vehicles that are there now; with others all is bound anew."""
        if not self.shown:
            self.shared.fixed.append(self.node)

    def own_rows(self) -> Array:
        """For each vehicle the place of its own entry among those of an array (n, ...), shape (capacity,), int64.

        The entries are for the vehicles that were there when the steering was assigned, in their order. They go by id: a
        vehicle keeps its entry while others come and go; one that comes later has the last one.
        """
        addressed, rows = self.shared.addressed, np.zeros(self.capacity, np.int64)
        if not len(addressed):
            self.fix()
            return rows

        def find() -> None:
            at = rows_among(self.vehicles.id, addressed)
            rows[: len(at)] = np.where(at >= 0, at, len(addressed) - 1)

        find()
        self.recount(find)
        return rows

    @property
    def own_count(self) -> int:
        """The number of entries of an array with one for each vehicle: see `own_rows`."""
        return len(self.shared.addressed) or len(self.vehicles)

    @property
    def free_way(self) -> Array:
        """How far vehicles may go on along their velocity (forward, at rest) [m], shape (capacity,): kernels shorten it.

        A force makes only those bodies brake that can follow it. Others, such as cars that turn around, stop within
        this way. It is infinite at the start of a step, and no weight or combinator changes it.
        """
        self.shared.brakes.append(self.node)
        return self.shared.free_way

    @property
    def resting(self) -> Memory | None:
        """The memory of where vehicles come to rest (see `driving/resting.py`); None where the tree has none."""
        keeper = self.node.resting
        return None if keeper is None else self.shared.memories.get(keeper.key)

    @property
    def led(self) -> Memory | None:
        """The memory of where routes turn (see `driving/leading.py`); None where the tree has none."""
        keeper = self.node.led
        return None if keeper is None else self.shared.memories.get(keeper.key)

    def encounter(self, of: Any, *columns: str) -> Encounter:
        """The columns of the vehicles, and of the neighbors that `of` names, for kernels that look at both.

        Args:
            of: The populations of the neighbors.
            *columns: Columns of the neighbors that are needed beside position, velocity, radius and id.
        """
        own, company, vehicles = self.columns, self.shared.company, self.vehicles
        others = company.among(of, vehicles)
        if others is None:
            return Encounter(own, own, (), (), bodies_of(vehicles, vehicles))
        shares, bodies = (company.shares(vehicles, others),), bodies_of(vehicles, others)
        if not isinstance(others, Joined):
            return Encounter(own, others.columns, shares, (), bodies)
        needed = {"velocity", "radius", *columns, *(("forward", "length") if bodies else ())} - {"id"}
        others.need(*sorted(needed))
        segment = others.segment(vehicles)
        ids = first_rows(company.ids(vehicles), len(own.id))
        return Encounter(own._replace(id=ids), others.columns, shares, () if segment is None else (segment,), bodies)

    def sum(self, request: NeighborSum) -> Sum:
        """A neighbor sum that the behavior listed in `needs`; also for `steer`, `np.stack(sum.total, axis=1)`."""
        sums = self.shared.sums[request]
        return first_rows(sums, len(self.vehicles)) if self.shown else sums

    def cells(self, request: NeighborCells) -> Surrounding:
        """The cells around each vehicle that the behavior listed in `needs`."""
        return self.shared.cells[request]

    def mark(self, target: Any, which: Any = "nearest", name: str = "target") -> tuple[Mark, list[Call]]:
        """A target for a kernel, and the calls that keep it up to date."""
        return bind_point(name, target, self, which)

    def quarry(self, quarry: Vehicles | Knowledge, which: Any, name: str = "quarry") -> tuple[Quarry, list[Call]]:
        """A watched population for a kernel, and the calls that keep the row that each vehicle watches up to date."""
        return bind_quarry(name, quarry, self, which)

    def belief(self, of: Knowledge) -> Belief:
        """What the vehicles believe of a target, for a kernel; kept up to date before the tree steers.

        Raises:
            KeyError: No node of the tree has it as a parameter.
        """
        for known, belief in self.shared.beliefs:
            if known is of or known == of:
                return belief
        raise KeyError(f"{of.title} must be a parameter of a node of the tree")

    def numbers(self, kind: type[Numbers], /, **values: float | None) -> Numbers:
        """Scalar parameters for a kernel, by name, in the vehicles' dtype; None stands for the usual value."""
        return named_numbers(kind, self.vehicles.dtype, **values)

    def own(self, *names: str, **values: float | None) -> Any:
        """Parameters of the node for a kernel, by the same names, and other numbers; None stands for the usual value."""
        return numbers_of(self.node.behavior, self.vehicles.dtype, *names, **values)

    def number(self, value: float | None) -> Any:
        """One scalar parameter for a kernel, in the vehicles' dtype; None stands for the usual value."""
        return number(self.vehicles.dtype, value)

    def column(self, name: str, column: str, components: int = 1) -> Any:
        """A column for a kernel, live: shape (capacity,), or a tuple of such arrays.

        Args:
            name: The name of the parameter in messages.
            column: The name of the column: of Orders above the node, or of a number of the vehicles.
            components: How many components a row has.

        Raises:
            ValueError: There is no such column, or it has other components.
        """
        return column_of(self.shared.memories, self.vehicles, self.node, name, column, components)

    def cell(self, value: Any) -> Any:
        """One scalar parameter for a kernel as an array of shape (1,), where a scalar would be added up in another order."""
        if isinstance(value, PerVehicle):
            return Rows(self._weights(value).array[:, None])
        return np.array([value], self.vehicles.dtype)

    def by_row(self, value: Any) -> Any:
        """A number as it is; one per vehicle for the present rows, shape (n,)."""
        if isinstance(value, FROM_COLUMNS):
            n = len(self.vehicles)
            numbers = value.compute(lambda each: self.column(each.name, each.column)[:n])
            return numbers.astype(self.vehicles.dtype)
        if isinstance(value, PerVehicle):
            return value.by_row(self.vehicles.id, self.shared.addressed)
        return value

    def scratch(self, active: Array, weight: float = 1.0, take: float = RAW) -> Out:
        """Sums of the node's own."""
        capacity, d, dtype = self.capacity, self.vehicles.dimensions, self.vehicles.dtype
        linear = tuple(np.zeros((d, capacity), dtype))
        angular = tuple(np.zeros((turning_components(d), capacity), dtype)) if self.turns else ()
        return Out(linear, angular, np.zeros(capacity, np.uint8), active, self.edge(weight, take))

    def edge(self, weight: float | PerVehicle, take: float) -> Any:
        """The edge to a part: its weight, or one per vehicle, and how its force is taken."""
        if isinstance(weight, PerVehicle):
            return (self._weights(weight), self.vehicles.dtype.type(take))
        return np.array([weight, take], self.vehicles.dtype)

    def _weights(self, value: PerVehicle) -> Rows:
        """One number per vehicle by rows, of arrays and columns.

        Raises:
            TypeError: It is computed at every step.
        """
        if isinstance(value, ComputedColumn):
            value.refuse()
        return by_row(self.shared, self.node, value, [])

    @property
    def turns(self) -> bool:
        """Whether this node or one below it also steers the orientation."""
        return self.node.turns

    @property
    def limits(self) -> Amounts:
        """The limits of the vehicles: max_force and, where this node turns, max_angular_acceleration."""
        return Amounts(self.columns.max_force, (self.spin.max_acceleration,) if self.turns else ())

    def clear_call(self, scratch: Out) -> Call:
        """Start sums at zero, with no vehicle claimed."""
        return Call(clear, (scratch.linear, scratch.angular, scratch.acts))

    def hand_up_call(self, scratch: Out, out: Out) -> Call:
        """Give finished sums to the node above."""
        return Call(hand_up, (scratch, self.limits, out))

    def part(self, index: int, out: Out) -> list[Call]:
        """The calls of a part of this combinator, which put its force to `out`."""
        return _bind(self.shared, self.node.children[index], out)

    def look_calls(self, parts: Iterable[tuple[Node, Array]], looked: set[Deferred] | None = None) -> list[Call]:
        """The calls that look at the neighbors some parts need; to be made before the calls of these parts.

        For parts that this node `defers`.

        Args:
            parts: The parts, each with the flags of the rows that ask it, shape (capacity,), uint8.
            looked: The searches by earlier calls for the same rows, or more. The new searches are added.
        """
        looked = set() if looked is None else looked
        evaluated: dict[Deferred, list[Array]] = {}
        for part, flags in parts:
            body = self.shared.handling
            needs = [request for node in own_nodes(part) for request in node.behavior.needs_for(body)]
            for search in map(self.shared.deferred.get, needs):
                if search is not None and search not in looked:
                    each = evaluated.setdefault(search, [])
                    if not any(known is flags for known in each):
                        each.append(flags)
        looked.update(evaluated)
        return self.search_calls(evaluated)

    def search_calls(self, requests: Mapping[Deferred, Sequence[Array]]) -> list[Call]:
        """The calls that make searches for the rows with flags."""
        if not self.shown:
            self.shared.looks.extend(requests)
        return [
            *(search.ask_call(flags) for search, each in requests.items() for flags in each),
            *(search.search_call() for search in requests),
            *(call for search in requests for call in search.finish_calls()),
        ]

    @property
    def traced(self) -> bool:
        """Whether every node records its contribution."""
        return self.shared.trace is not None

    def show(self, **values: Any) -> None:
        """With a trace: show values that kernels compute to the node's sketch; without one, do nothing.

        Args:
            **found: Arrays that kernels write, a row for each vehicle, or tuples of such columns; by name.
        """
        if self.shared.trace is not None:
            self.shared.trace.shown.setdefault(self.node.key, {}).update(values)

    def granted_calls(self, index: int, scratch: Out) -> list[Call]:
        """With a trace: record the scratch sums as the force that this combinator kept of a part; else do nothing.

        For combinators that change a part's force by more than its edge.
        """
        if self.shared.trace is None:
            return []
        record = self.shared.trace.of(self.node.children[index])
        return [
            Call(copy, (scratch.linear, record.contribution)),
            Call(copy, (scratch.angular, record.angular_contribution)),
        ]

    def afterwards(self, ask: Afterwards) -> None:
        """Call functions after every accepted step, when memory has advanced and vehicles have moved.

        `ask` returns the functions to call. All nodes are asked before any is called. A refused step asks none of them.
        """
        self.shared.afterwards.append(ask)

    def bind_steer(self, behavior: Any, memory: Memory, out: Out) -> list[Call]:
        """The calls of a behavior written in NumPy."""
        evaluated, call = self.pass_on(out.active)
        return [call, Call(Steer(self, behavior, memory, out._replace(active=evaluated)), whole=True, fits=True)]

    def pass_on(self, active: Array) -> tuple[Array, Call]:
        """Flags for a call for all rows at once, shape (capacity,), and the call before it that copies `active` to them.

        Behind a shut gate `active` is that of an earlier step, and the copy is not made: a node that reads the flags
        has to set them to zero.
        """
        evaluated = np.zeros(self.capacity, np.uint8)
        return evaluated, Call(copy_flags, (active, evaluated))


def _own_calls(shared: Surroundings, node: Node, calls: list[Call]) -> list[Call]:
    """The calls of a behavior; a behavior from elsewhere is named in the errors of its calls for whole arrays."""
    calls, behavior = with_rows(shared, node, calls), node.behavior
    if (type(behavior).bind.__module__ or "").partition(".")[0] == LIBRARY:
        return calls
    return [replace(each, kernel=Named(behavior.title, each.kernel)) if each.whole else each for each in calls]


LIBRARY = __name__.partition(".")[0]


def _bind(shared: Surroundings, node: Node, out: Out) -> list[Call]:
    """The calls of a node; with a trace, they write to a scratch sum first, which is recorded."""
    scene = Scene(shared, node, evaluated=out.active)
    memory = shared.memories.get(node.key, NOTHING)
    if not scene.turns:
        out = out._replace(angular=())
    if shared.trace is None:
        return _own_calls(shared, node, node.behavior.bind(scene, memory, out))
    scratch = scene.scratch(out.active)
    record = shared.trace.record(node, scene.vehicles, out.edge)
    forces = (record.raw, record.contribution, record.raw_angular, record.angular_contribution)
    return [
        scene.clear_call(scratch),
        *_own_calls(shared, node, node.behavior.bind(scene, memory, scratch)),
        Call(hand_up_traced, (scratch, scene.limits, out, *forces, record.acts, record.evaluated)),
    ]


def bind_tree(shared: Surroundings, node: Node, out: Out) -> list[Call]:
    """The calls of a whole tree, which add up its force in `out`; those of what it knows come first."""
    calls: list[Call] = []
    for each in node.knowledge:
        known: Any = each.behavior
        belief = new_belief(shared.vehicles)
        shared.beliefs.append((known, belief))
        calls += known.bind(Scene(shared, each), shared.memories.get(each.key, NOTHING), belief)
    return [*calls, *_bind(shared, node, out)]


__all__ = ["Clock", "Encounter", "Plan", "Scene", "bind_tree"]
