"""Knowledge: what vehicles know of a target, which may be elsewhere by now.

A behavior that is given a LastSeen in place of a population goes by what each vehicle has seen of it. That is one node for
all behaviors of a tree that name it: it looks once a step, for all vehicles, whether or not any behavior asks. Its answer is
a `Belief`, which kernels read like a population in which row i is what vehicle i believes.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar, dataclass_transform

import numpy as np

from steersman.core.parameters.kinds import Kind
from steersman.core.parameters.parameters import Parameters
from steersman.core.parameters.registry import Registry, enter
from steersman.core.parameters.walking import walk
from steersman.core.steering.tree.node_parameters import NodeParameters
from steersman.core.typing import Array
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles


class Belief(NamedTuple):
    """The beliefs of every vehicle about a target.

    Attributes:
        columns: Row i: where vehicle i believes it, and how it moves. The columns about limits hold zeros.
        pick: i where vehicle i knows anything, else -1; shape (capacity,), int64.
        age: How old that is [s], shape (capacity,).
    """

    columns: VehicleColumns
    pick: Array
    age: Array


@dataclass(frozen=True, eq=False)
class Knowledge(NodeParameters):
    """Base of what vehicles know. `bind(scene, memory, belief)` names the calls that write the belief."""


KNOWLEDGE = Registry()
"""Class name -> class, for documents and tables."""

P = TypeVar("P", bound=type[Parameters])


@dataclass_transform(frozen_default=True, eq_default=False)
def knowledge(cls: P) -> P:
    """Class decorator: make a class of knowledge a frozen dataclass, known by its name."""
    return enter(KNOWLEDGE, cls, "knowledge")


KNOWN = Kind("knowledge", "a LastSeen or a LastHeard", base=Knowledge)


def new_belief(vehicles: Vehicles) -> Belief:
    """A belief of nothing, with room for the vehicles that may come."""
    capacity, d, dtype = vehicles.capacity, vehicles.dimensions, vehicles.dtype
    position, velocity, forward = (tuple(np.zeros((d, capacity), dtype)) for _ in range(3))
    up = tuple(np.zeros((3, capacity), dtype)) if d == 3 else ()
    mass, radius, max_speed, max_force, response_time = np.zeros((5, capacity), dtype)
    ids = np.full(capacity, -1, np.int64)
    columns = VehicleColumns(position, velocity, forward, up, mass, radius, max_speed, max_force, response_time, ids)
    return Belief(columns, np.full(capacity, -1, np.int64), np.zeros(capacity, dtype))


def known_to(behaviors: Iterable[Any]) -> list[Knowledge]:
    """The knowledge that behaviors and conditions name, equal ones once, in order."""
    named: list[Knowledge] = []
    for each in walk(list(behaviors)):
        if isinstance(each, Knowledge) and not any(each == known for known in named):
            named.append(each)
    return named
