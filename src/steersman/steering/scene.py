"""The scene: what a node of a steering tree sees, when it is bound and when it steers.

Forces and angular accelerations are put together alike: beside every sum of forces there is, where somebody turns, a sum
of angular accelerations with the same `acts`, `active` and `edge`. A behavior that turns deposits to `scene.angular(out)`;
a combinator makes its calls for both `kinds` of sum.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np

from steersman.environment.domains.domain import Domain
from steersman.geometry.call import Call
from steersman.geometry.kernel import kernel
from steersman.geometry.random import generator, key_of
from steersman.geometry.vectors import ZERO, Array, Columns, load, store, subtract
from steersman.neighborhood.request import Listing, NeighborList, NeighborSum, Sum
from steersman.steering.behavior import CHOOSE, LIMIT, RAW, Behavior, Out, deposit
from steersman.steering.targets import Mark, Quarry, bind_point, bind_quarry
from steersman.steering.trace import Trace
from steersman.steering.tree import Node, own_nodes
from steersman.vehicles.body import Body, Spin
from steersman.vehicles.memory import Memory
from steersman.vehicles.vehicles import Vehicles

if TYPE_CHECKING:
    from steersman.environment.obstacles.obstacle import Found
    from steersman.neighborhood.lookup import Neighbors
    from steersman.steering.senses import Along, Senses

Afterwards = Callable[[], list[Callable[[], object]]]
"""Says what there is to call after an accepted step."""


Look = Callable[[Array, int], None]
"""Looks at neighbors."""


class Clock(NamedTuple):
    """What kernels see of time.

    Attributes:
        dt: The time step [s], shape (1,), in the vehicles' dtype.
        step: The number of the step, shape (1,), uint64.
        time: Time since the start [s], shape (1,), float64.
    """

    dt: Array
    step: Array
    time: Array

    @classmethod
    def new(cls, dtype: Any) -> "Clock":
        """A clock at zero."""
        return cls(np.zeros(1, dtype), np.zeros(1, np.uint64), np.zeros(1))

    def set(self, dt: float, step: int, time: float) -> None:
        """Tell kernels the time."""
        self.dt[0], self.step[0], self.time[0] = dt, step, time


@dataclass(frozen=True)
class Surroundings:
    """What all nodes of a population's tree share.

    Attributes:
        vehicles: The steered population.
        population: Its name.
        domain: The space it lives in.
        clock: Step length and number.
        seed: Seed of everything random.
        sums: Neighbor sums, ready before steering.
        lists: Lists of neighbors, ready before steering.
        memories: Memory by node key.
        deferred: For sums and lists that are not ready before steering, what looks at neighbors: called with the flags of
            those who are asked, and a number of threads.
        addressed: Ids of the vehicles that were there when the tree was assigned: whom arrays of ids are for, in order.
        trace: Where every node records its contribution, or None.
        on_ground: Whether the vehicles cannot leave a surface, whose normal is their `up`.
        angular: For every sum of forces that has one, itself and the sum of angular accelerations beside it.
        afterwards: Asked after each accepted step what there is to call.
        senses: The senses of behaviors written in NumPy, once somebody has asked.
    """

    vehicles: Vehicles
    population: str
    domain: Domain
    clock: Clock
    seed: int
    sums: dict[NeighborSum, Sum]
    lists: dict[NeighborList, Listing]
    memories: dict[int, Memory]
    deferred: Mapping[NeighborSum | NeighborList, Look]
    addressed: Array
    trace: Trace | None = None
    on_ground: bool = False
    body: Body = field(init=False)
    wrap: Array = field(init=False)
    angular: dict[int, tuple[Columns, Columns]] = field(init=False, default_factory=dict)
    afterwards: list[Afterwards] = field(init=False, default_factory=list)
    senses: list["Senses"] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        object.__setattr__(self, "body", self.vehicles.body)
        object.__setattr__(self, "wrap", self.domain.wrap(self.vehicles.dimensions, self.vehicles.dtype))

    def root(self, node: Node, out: Out, angular: Columns) -> list[Call]:
        """The calls of a whole tree, which put its force to `out.linear` and its angular acceleration to `angular`."""
        self.angular[id(out.linear[0])] = (out.linear, angular)
        return _bind(self, node, out)

    def angular_of(self, out: Out) -> Out:
        """The sum of angular accelerations beside a sum of forces, made on first use."""
        key = id(out.linear[0])
        if key not in self.angular:
            rows = 1 if self.vehicles.dimensions == 2 else 3
            self.angular[key] = (out.linear, tuple(np.zeros((rows, len(self.vehicles)), self.vehicles.dtype)))
        return out._replace(linear=self.angular[key][1])


@kernel
def nothing(start: int, stop: int, linear: Columns) -> None:
    """Make a sum zero."""
    linear[0][start:stop] = ZERO
    if len(linear) != 1:
        linear[1][start:stop] = ZERO
    if len(linear) == 3:
        linear[2][start:stop] = ZERO


@kernel
def clear(start: int, stop: int, linear: Columns, acts: Array) -> None:
    """Start a sum at zero, with nobody claimed."""
    nothing(start, stop, linear)
    acts[start:stop] = 0


@kernel
def copy(start: int, stop: int, linear: Columns, to: Columns) -> None:
    """Copy a sum."""
    for i in range(start, stop):
        store(to, i, load(linear, i))


@kernel
def hand_up(start: int, stop: int, scratch: Out, max_force: Array, out: Out) -> None:
    """Give a node's finished force to the node above."""
    for i in range(start, stop):
        if out.active[i]:
            deposit(out, i, load(scratch.linear, i), max_force[i], scratch.acts[i] != 0)


@kernel
def hand_up_traced(
    start: int, stop: int, scratch: Out, max_force: Array, out: Out, raw: Columns, kept: Columns, acts: Array,
    asked: Array,
) -> None:  # fmt: skip
    """Give a node's finished force to the node above, and record what it was and what was kept of it."""
    for i in range(start, stop):
        force = load(scratch.linear, i)
        before = load(out.linear, i)
        if out.active[i]:
            deposit(out, i, force, max_force[i], scratch.acts[i] != 0)
        store(raw, i, force)
        store(kept, i, subtract(load(out.linear, i), before))
        acts[i] = scratch.acts[i]
        asked[i] = out.active[i]


class SteerOut:
    """Where a behavior written in NumPy puts its result.

    Assigning writes into the array: `out.linear[:] = force`, `out.linear = force` and `out.linear += force` all do.
    """

    __slots__ = ("_active", "_acts", "_angular", "_linear")  # A misspelled name is an error.

    def __init__(self, linear: Array, acts: Array, active: Array, angular: Array | None) -> None:
        self._linear, self._acts, self._active, self._angular = linear, acts, active, angular

    @property
    def linear(self) -> Array:
        """Forces [N], shape (n, d), zero at the start."""
        return self._linear

    @linear.setter
    def linear(self, forces: Any) -> None:
        self._linear[...] = forces

    @property
    def acts(self) -> Array:
        """Whom the behavior claims although its force may be zero, shape (n,), bool, False at the start."""
        return self._acts

    @acts.setter
    def acts(self, claimed: Any) -> None:
        self._acts[...] = claimed

    @property
    def active(self) -> Array:
        """Whom it is asked to steer, shape (n,), bool; others are ignored."""
        return self._active

    @property
    def angular(self) -> Array:
        """Angular accelerations [rad/s^2], shape (n,) in 2D, (n, 3) in 3D, zero at the start.

        Raises:
            AttributeError: The class of the behavior does not say `turns = True`.
        """
        if self._angular is None:
            raise AttributeError("only a behavior whose class says `turns = True` has out.angular")
        return self._angular

    @angular.setter
    def angular(self, accelerations: Any) -> None:
        self.angular[...] = accelerations


class Plan(NamedTuple):
    """What is seen of vehicles in 3D by who looks at their first two coordinates alone (see `steering/on_plan.py`).

    Attributes:
        body: Their columns, as if they were in 2D.
        domain: The space of these coordinates.
    """

    body: Body
    domain: Domain


@dataclass(frozen=True)
class Scene:
    """What one node of a steering tree sees."""

    shared: Surroundings
    node: Node
    plan: Plan | None = None

    @property
    def vehicles(self) -> Vehicles:
        """The steered population, as it was at the start of the step. Not to be changed."""
        return self.shared.vehicles

    @property
    def body(self) -> Body:
        """Its columns, for kernels."""
        return self.shared.body if self.plan is None else self.plan.body

    @property
    def dimensions(self) -> int:
        """Of the vectors in `body`: 2 or 3."""
        return len(self.body.position)

    @property
    def spin(self) -> Spin:
        """Its columns about turning, for kernels."""
        return self.shared.vehicles.spin

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

        For kernels that choose sides: see `geometry.ground`.
        """
        return self.body.up if self.shared.on_ground else ()

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
        """Key of this node's random numbers, shape (2,), uint32: see `geometry.random.draw`."""
        return key_of(self.shared.seed, self.shared.population, self.node.key)

    def random(self) -> np.random.Generator:
        """A generator for this node and step: the same numbers for the same seed, whatever else runs."""
        return generator(self.key, self.step)

    # ------------------------------------------------------------------------------------------------ for `steer`

    @overload
    def neighbors(self, radius: NeighborList) -> Listing: ...
    @overload
    def neighbors(
        self, radius: float, *, angle: float = ..., inner_radius: float = ..., k: int | None = ..., of: Any = ...
    ) -> "Neighbors": ...
    def neighbors(
        self,
        radius: float | NeighborList,
        *,
        angle: float = 2 * math.pi,
        inner_radius: float = 0.0,
        k: int | None = None,
        of: Any = None,
    ) -> "Neighbors | Listing":
        """Who is near whom, as arrays: `indptr`, `indices`, `offsets`, `distances` (see `Neighbors`).

        Behaviors with kernels give a request that they asked for in `needs` instead, and get the list of it.

        Args:
            radius: Distance up to which others are neighbors [m], inclusive; may be infinite.
            angle: Full field of view [rad].
            inner_radius: Distance within which neighbors are seen at any angle [m].
            k: Only the k nearest. Default: all.
            of: Who is looked at: Vehicles, a population, or points (m, d) [m]. Default: the vehicles themselves.
        """
        if isinstance(radius, NeighborList):
            return self.shared.lists[radius]
        return self.senses.neighbors(radius, angle, inner_radius, k, of)

    def nearest(self, obstacles: Any, *, reach: float = math.inf) -> "Found":
        """What of obstacles is nearest to every vehicle, as arrays (see `Found`).

        Args:
            obstacles: A set of obstacles, or a list of sets.
            reach: What is farther away [m] does not count.

        Returns:
            `distance` from the center of the vehicle [m], shape (n,), negative inside and infinite where there is nothing;
            `point` there, `normal` (n, d), along which the distance grows, and `which` part it is, -1 for none.
        """
        return self.senses.nearest(obstacles, reach)

    def cast(self, obstacles: Any, direction: Any = None, *, reach: float = math.inf) -> "Found":
        """What rays from the vehicles hit first, as arrays (see `Found`).

        Args:
            obstacles: A set of obstacles, or a list of sets.
            direction: Where the rays go, shape (n, d), or (d,) for all, of any length but zero. Default: straight ahead.
            reach: Their length [m].

        Returns:
            `distance` [m], shape (n,), infinite where nothing is hit; `point`, `normal` (n, d), `which`.
        """
        return self.senses.cast(obstacles, direction, reach)

    def along(self, path: Any) -> "Along":
        """Where every vehicle is on a path, as arrays: `s`, `offset`, `distance`, `tangent`, `radius` (see `Along`)."""
        return self.senses.along(path)

    @property
    def senses(self) -> "Senses":
        """The senses of the population, made on first use."""
        from steersman.steering.senses import Senses

        if not self.shared.senses:
            self.shared.senses.append(Senses(self.vehicles, self.domain))
        return self.shared.senses[0]

    # ------------------------------------------------------------------------------------------------ for `bind`

    def sum(self, request: NeighborSum) -> Sum:
        """A neighbor sum that the behavior asked for in `needs`; also for `steer`, `np.stack(sum.total, axis=1)`."""
        return self.shared.sums[request]

    def mark(self, target: Any, which: Any = "nearest", name: str = "target") -> tuple[Mark, list[Call]]:
        """A target for a kernel, and the calls that keep it up to date."""
        return bind_point(name, target, self.vehicles, self.domain, which, self.shared.addressed)

    def quarry(self, quarry: Vehicles, which: Any, name: str = "quarry") -> tuple[Quarry, list[Call]]:
        """A watched population for a kernel, and the calls that keep up to date who watches whom."""
        return bind_quarry(name, quarry, self.vehicles, self.domain, which, self.shared.addressed)

    def numbers(self, *values: float) -> Array:
        """Scalar parameters packed for a kernel, in the vehicles' dtype."""
        return np.array(values, self.vehicles.dtype)

    def scratch(self, active: Array, weight: float = 1.0, take: float = RAW) -> Out:
        """A sum of forces of the node's own."""
        n, d = len(self.vehicles), self.vehicles.dimensions
        linear = tuple(np.zeros((d, n), self.vehicles.dtype))
        return Out(linear, np.zeros(n, np.uint8), active, self.edge(weight, take))

    def edge(self, weight: float, take: float) -> Array:
        """The edge to a part: its weight and how its force is taken."""
        return np.array([weight, take], self.vehicles.dtype)

    @property
    def turns(self) -> bool:
        """Whether this node or one below it also steers the orientation."""
        return self.node.turns

    def angular(self, out: Out) -> Out:
        """Where a behavior that turns puts angular accelerations [rad/s^2]: one number in 2D, a vector in 3D.

        They are deposited like forces, with `max_angular_acceleration` in place of `max_force`. The class must say
        `turns = True`.
        """
        if not self.turns:
            raise TypeError(f"{type(self.node.behavior).__name__} must say `turns = True` to steer the orientation")
        return self.shared.angular_of(out)

    def kinds(self, *sums: Out) -> list[tuple[Array, tuple[Out, ...]]]:
        """What a combinator does once with forces and, where somebody below turns, once with angular accelerations.

        Args:
            *sums: Sums of forces.

        Returns:
            (max_force, sums), and after it, for a tree that turns, (max_angular_acceleration, the sums beside them).
        """
        limits = [(self.body.max_force, sums)]
        if self.turns:
            beside = tuple(self.shared.angular_of(each) for each in sums)
            limits.append((self.vehicles.spin.max_acceleration, beside))
        return limits

    def clear_calls(self, scratch: Out) -> list[Call]:
        """Start a sum at zero, with nobody claimed."""
        return [Call(clear, (each.linear, each.acts)) for _, (each,) in self.kinds(scratch)]

    def hand_up_calls(self, scratch: Out, out: Out) -> list[Call]:
        """Give a finished sum to the node above."""
        return [Call(hand_up, (own, limit, above)) for limit, (own, above) in self.kinds(scratch, out)]

    def part(self, index: int, out: Out) -> list[Call]:
        """The calls of a part of this combinator, which put its force to `out`."""
        return _bind(self.shared, self.node.children[index], out)

    def look_calls(self, index: int, asked: Array) -> list[Call]:
        """The calls that look at the neighbors a part needs, for those alone who are asked, shape (n,), uint8.

        For combinators that say `defers`; to be made before the part's own calls.
        """
        needs = [each for node in own_nodes(self.node.children[index]) for each in node.behavior.needs()]
        looks = {id(look): look for look in map(self.shared.deferred.get, needs) if look is not None}
        return [Call(look, (asked,), whole=True, threaded=True) for look in looks.values()]

    @property
    def traced(self) -> bool:
        """Whether every node records its contribution."""
        return self.shared.trace is not None

    def kept_calls(self, index: int, scratch: Out) -> list[Call]:
        """With a trace: record what a scratch sum holds as what this combinator kept of a part; else nothing.

        For combinators that do more to a part's force than its edge says.
        """
        if self.shared.trace is None:
            return []
        record = self.shared.trace.of(self.node.children[index])
        written = zip(self.kinds(scratch), (record.kept, record.kept_angular), strict=False)
        return [Call(copy, (own.linear, kept)) for (_, (own,)), kept in written]

    def afterwards(self, ask: Afterwards) -> None:
        """Have something done after every accepted step, when memory has advanced and vehicles have moved.

        `ask` says what there is to call. Everybody is asked before anything is called. A step that is refused asks nobody.
        """
        self.shared.afterwards.append(ask)

    def bind_steer(self, behavior: Behavior, memory: Memory, out: Out) -> list[Call]:
        """The call of a behavior written in NumPy."""
        return [Call(_Steer(self, behavior, memory, out), whole=True)]


def block_of(columns: Columns) -> Array:
    """The array whose rows are these columns, shape (d, n)."""
    block = columns[0].base
    assert block is not None
    return block


class _Steer:
    """Runs `behavior.steer` and hands its force up."""

    def __init__(self, scene: Scene, behavior: Behavior, memory: Memory, out: Out) -> None:
        self.scene, self.memory, self.title = scene, memory, behavior.title
        self.ask: Callable[..., object] = behavior.steer
        n = len(scene.vehicles)
        self.scratch = scene.scratch(out.active)
        self.hand_up = [(call.compiled(), (0, n, *call.arguments)) for call in scene.hand_up_calls(self.scratch, out)]
        self.blocks = [block_of(each.linear) for _, (each,) in scene.kinds(self.scratch)]
        self.result = SteerOut(
            self.blocks[0].T,
            self.scratch.acts.view(np.bool_),
            out.active.view(np.bool_),
            (self.blocks[1].T if scene.vehicles.dimensions == 3 else self.blocks[1][0]) if scene.turns else None,
        )

    def __call__(self) -> None:
        if not self.result.active.any():
            return
        for block in self.blocks:
            block[...] = 0
        self.scratch.acts[...] = 0
        if (returned := self.ask(self.scene, self.memory, self.result)) is not None:
            raise TypeError(f"{self.title}.steer must write forces to out.linear and return nothing, got {returned!r}")
        if self.memory:
            self.memory.refuse_rows(~self.result.active)
        for function, arguments in self.hand_up:
            function(*arguments)


def _bind(shared: Surroundings, node: Node, out: Out) -> list[Call]:
    """The calls of a node; with a trace, by way of a scratch sum whose content is recorded."""
    scene = Scene(shared, node)
    memory = shared.memories.get(node.key) or Memory({})
    if shared.trace is None:
        return node.behavior.bind(scene, memory, out)
    scratch = scene.scratch(out.active)
    record = shared.trace.record(node, scene.vehicles, out.edge)
    written = ((record.raw, record.kept), (record.raw_angular, record.kept_angular))
    records = [
        Call(hand_up_traced, (own, limit, above, raw, kept, record.acts, record.asked))
        for (limit, (own, above)), (raw, kept) in zip(scene.kinds(scratch, out), written, strict=False)
    ]
    return [*scene.clear_calls(scratch), *node.behavior.bind(scene, memory, scratch), *records]


__all__ = ["CHOOSE", "LIMIT", "RAW", "Clock", "Scene", "Surroundings", "clear", "hand_up", "nothing"]
