"""The trace: the contribution of every node of a steering tree to one step."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from steersman.core.parameters.arrays import first_rows
from steersman.core.steering.tree.tree import Node
from steersman.core.typing import Array, Columns
from steersman.core.vehicles.columns import turning_components
from steersman.core.vehicles.vehicles import Vehicles


@dataclass(frozen=True)
class Record:
    """The contribution of one node.

    Attributes:
        node: The node.
        depth: Its depth in the tree; the root has 0.
        raw: The force it computed [N], d arrays of shape (n,).
        contribution: The part of it that the node above took: weighted, limited or chosen [N], d arrays of shape (n,).
        raw_angular, angular_contribution: The same of its angular acceleration [rad/s^2], 1 array in 2D, 3 in 3D; zero where
            no vehicle turns.
        acts: The vehicles that it claimed, shape (n,), uint8.
        evaluated: The vehicles that it was asked to steer, shape (n,), uint8.
        edge: Its weight, and how its force was taken (see `Out.edge`).
    """

    node: Node
    depth: int
    raw: Columns
    contribution: Columns
    raw_angular: Columns
    angular_contribution: Columns
    acts: Array
    evaluated: Array
    edge: Any


@dataclass(frozen=True)
class Trace:
    """The contributions of all nodes of a tree, parents before their parts.

    Attributes:
        records: The contributions.
        shown: Values that nodes computed on the way (see `Scene.show`), by the key of the node and a name.
    """

    records: list[Record] = field(default_factory=list)
    shown: dict[int, dict[str, Any]] = field(default_factory=dict)

    def first(self, n: int) -> "Trace":
        """The trace of the first n rows; the plan writes to arrays with room for more."""
        written = ("raw", "contribution", "raw_angular", "angular_contribution", "acts", "evaluated")
        records = [
            replace(each, **{name: first_rows(getattr(each, name), n) for name in written}) for each in self.records
        ]
        return Trace(records, self.shown)

    def of(self, node: Node) -> Record:
        """The record of a node."""
        return next(record for record in self.records if record.node is node)

    def record(self, node: Node, vehicles: Vehicles, edge: Array) -> Record:
        """A new record for a node, to be written by the plan."""
        capacity, d = vehicles.capacity, vehicles.dimensions
        raw, contribution = np.zeros((2, d, capacity), vehicles.dtype)
        turns = np.zeros((2, turning_components(d), capacity), vehicles.dtype)
        acts, evaluated = np.zeros((2, capacity), np.uint8)
        columns = (tuple(raw), tuple(contribution), tuple(turns[0]), tuple(turns[1]))
        record = Record(node, node.depth, *columns, acts, evaluated, edge)
        self.records.append(record)
        return record
