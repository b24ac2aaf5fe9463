"""The scene: what a node of a steering tree sees, when it is bound and when it steers."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from steersman.environment.domains.domain import Domain
from steersman.geometry.call import Call
from steersman.geometry.kernel import kernel
from steersman.geometry.random import key_of
from steersman.geometry.vectors import ZERO, Array, Columns, load, store, subtract
from steersman.neighborhood.request import NeighborSum, Sum
from steersman.steering.behavior import CHOOSE, LIMIT, RAW, Behavior, Out, deposit
from steersman.steering.memory import Memory
from steersman.steering.targets import Mark, Quarry, bind_point, bind_quarry
from steersman.steering.trace import Trace
from steersman.steering.tree import Node
from steersman.vehicles.body import Body
from steersman.vehicles.vehicles import Vehicles


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
        memories: Memory by node key.
        trace: Where every node records its contribution, or None.
    """

    vehicles: Vehicles
    population: str
    domain: Domain
    clock: Clock
    seed: int
    sums: dict[NeighborSum, Sum]
    memories: dict[int, Memory]
    trace: Trace | None = None
    body: Body = field(init=False)
    wrap: Array = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "body", self.vehicles.body)
        object.__setattr__(self, "wrap", self.domain.wrap(self.vehicles.dimensions, self.vehicles.dtype))

    def root(self, node: Node, out: Out) -> list[Call]:
        """The calls of a whole tree, which put its force to `out.linear`."""
        return _bind(self, node, out)


@kernel
def clear(start: int, stop: int, linear: Columns, acts: Array) -> None:
    """Start a sum of forces at zero, with nobody claimed."""
    linear[0][start:stop] = ZERO
    linear[1][start:stop] = ZERO
    if len(linear) == 3:
        linear[2][start:stop] = ZERO
    acts[start:stop] = 0


@kernel
def hand_up(start: int, stop: int, scratch: Out, max_force: Array, out: Out) -> None:
    """Give a node's finished force to the node above."""
    for i in range(start, stop):
        if out.active[i]:
            deposit(out, i, load(scratch.linear, i), max_force[i], scratch.acts[i] != 0)


@kernel
def hand_up_traced(
    start: int, stop: int, scratch: Out, max_force: Array, out: Out, raw: Columns, kept: Columns, acts: Array
) -> None:
    """Give a node's finished force to the node above, and record what it was and what was kept of it."""
    for i in range(start, stop):
        force = load(scratch.linear, i)
        before = load(out.linear, i)
        if out.active[i]:
            deposit(out, i, force, max_force[i], scratch.acts[i] != 0)
        store(raw, i, force)
        store(kept, i, subtract(load(out.linear, i), before))
        acts[i] = scratch.acts[i]


class SteerOut(NamedTuple):
    """Where a behavior written in NumPy puts its result.

    Attributes:
        linear: Forces [N], shape (n, d), zero at the start.
        acts: Whom the behavior claims although its force may be zero, shape (n,), bool, False at the start.
        active: Whom it is asked to steer, shape (n,), bool; others are ignored.
    """

    linear: Array
    acts: Array
    active: Array


@dataclass(frozen=True)
class Scene:
    """What one node of a steering tree sees."""

    shared: Surroundings
    node: Node

    @property
    def vehicles(self) -> Vehicles:
        """The steered population, as it was at the start of the step. Not to be changed."""
        return self.shared.vehicles

    @property
    def body(self) -> Body:
        """Its columns, for kernels."""
        return self.shared.body

    @property
    def domain(self) -> Domain:
        """The space; `domain.difference(to, origin)` is the shortest way on a torus."""
        return self.shared.domain

    @property
    def wrap(self) -> Array:
        """The space, for kernels (see `vectors.difference`)."""
        return self.shared.wrap

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
        low, high = (int(word) for word in self.key)
        return np.random.Generator(np.random.Philox(key=[low | high << 32, self.step]))

    # ------------------------------------------------------------------------------------------------ for `bind`

    def sum(self, request: NeighborSum) -> Sum:
        """A neighbor sum that the behavior asked for in `needs`."""
        return self.shared.sums[request]

    def mark(self, target: Any, which: Any = "nearest", name: str = "target") -> tuple[Mark, list[Call]]:
        """A target for a kernel, and the calls that keep it up to date."""
        return bind_point(name, target, self.vehicles, self.wrap, which)

    def quarry(self, quarry: Vehicles, which: Any, name: str = "quarry") -> tuple[Quarry, list[Call]]:
        """A watched population for a kernel, and the calls that keep up to date who watches whom."""
        return bind_quarry(name, quarry, self.vehicles, self.wrap, which)

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

    def part(self, index: int, out: Out) -> list[Call]:
        """The calls of a part of this combinator, which put its force to `out`."""
        return _bind(self.shared, self.node.children[index], out)

    def bind_steer(self, behavior: Behavior, memory: Memory, out: Out) -> list[Call]:
        """The call of a behavior written in NumPy."""
        return [Call(_Steer(self, behavior, memory, out), whole=True)]


class _Steer:
    """Runs `behavior.steer` and hands its force up."""

    def __init__(self, scene: Scene, behavior: Behavior, memory: Memory, out: Out) -> None:
        self.scene, self.behavior, self.memory, self.out = scene, behavior, memory, out
        n, d = len(scene.vehicles), scene.vehicles.dimensions
        self.block = np.zeros((d, n), scene.vehicles.dtype)
        self.scratch = Out(tuple(self.block), np.zeros(n, np.uint8), out.active, scene.edge(1.0, RAW))
        call = Call(hand_up, (self.scratch, scene.body.max_force, out))
        self.hand_up, self.arguments = call.compiled(), (0, n, *call.arguments)
        self.result = SteerOut(self.block.T, self.scratch.acts.view(np.bool_), out.active.view(np.bool_))

    def __call__(self) -> None:
        self.block[...] = 0
        self.scratch.acts[...] = 0
        self.behavior.steer(self.scene, self.memory, self.result)
        if self.memory:
            self.memory.refuse_rows(~self.result.active)
        self.hand_up(*self.arguments)


def _bind(shared: Surroundings, node: Node, out: Out) -> list[Call]:
    """The calls of a node; with a trace, by way of a scratch sum whose content is recorded."""
    scene = Scene(shared, node)
    memory = shared.memories.get(node.key) or Memory({})
    if shared.trace is None:
        return node.behavior.bind(scene, memory, out)
    scratch = scene.scratch(out.active)
    record = shared.trace.record(node, scene.vehicles)
    return [
        Call(clear, (scratch.linear, scratch.acts)),
        *node.behavior.bind(scene, memory, scratch),
        Call(hand_up_traced, (scratch, scene.body.max_force, out, record.raw, record.kept, record.acts)),
    ]


__all__ = ["CHOOSE", "LIMIT", "RAW", "Clock", "Scene", "Surroundings", "clear", "hand_up"]
