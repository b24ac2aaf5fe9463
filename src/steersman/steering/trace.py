"""The trace: what every node of a steering tree contributed to one step."""

from dataclasses import dataclass, field

import numpy as np

from steersman.geometry.vectors import Array, Columns
from steersman.steering.tree import Node
from steersman.vehicles.vehicles import Vehicles


@dataclass(frozen=True)
class Record:
    """The contribution of one node.

    Attributes:
        node: The node.
        depth: Its depth in the tree; the root has 0.
        raw: The force it computed [N], d arrays of shape (n,).
        kept: What the node above kept of it: weighted, limited or chosen [N], d arrays of shape (n,).
        acts: Whom it claimed, shape (n,), uint8.
    """

    node: Node
    depth: int
    raw: Columns
    kept: Columns
    acts: Array


@dataclass(frozen=True)
class Trace:
    """The contributions of all nodes of a tree, parents before their parts."""

    records: list[Record] = field(default_factory=list)

    def record(self, node: Node, vehicles: Vehicles) -> Record:
        """A new record for a node, to be written by the plan."""
        n, d = len(vehicles), vehicles.dimensions
        raw, kept = np.zeros((2, d, n), vehicles.dtype)
        record = Record(node, node.depth, tuple(raw), tuple(kept), np.zeros(n, np.uint8))
        self.records.append(record)
        return record
