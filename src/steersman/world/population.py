"""A population in a world: vehicles, the tree that steers them, its memory, and the body that moves them."""

from typing import Any

import numpy as np

from steersman.environment.domains.domain import Domain
from steersman.environment.domains.open import Open
from steersman.locomotion.locomotion import Locomotion
from steersman.steering.behavior import Behavior, as_behavior
from steersman.steering.memory import Memory
from steersman.steering.tree import Node, assign_keys, grow
from steersman.vehicles.vehicles import Vehicles


class Population:
    """Vehicles with their steering tree and its memory.

    Attributes:
        name: Its name.
        vehicles: The vehicles.
        tree: The nodes of the steering tree with their keys; None while nobody steers.
        memories: Memory of the stateful nodes, by key.
        locomotion: The body that moves them.
        edition: Counts the replacements of the tree.
    """

    def __init__(self, name: str, vehicles: Vehicles, steering: Any, locomotion: Locomotion) -> None:
        if not isinstance(vehicles, Vehicles):
            raise TypeError(f"vehicles must be Vehicles, got {vehicles!r}")
        if not isinstance(name, str):
            raise TypeError(f"name must be a text, got {name!r}")
        if not isinstance(locomotion, Locomotion):
            raise TypeError(f"locomotion must be a locomotion model such as PointMass(), got {locomotion!r}")
        self.name, self.vehicles, self.locomotion = name, vehicles, locomotion
        self.tree: Node | None = None
        self.memories: dict[int, Memory] = {}
        self.edition = 0
        self._next_key = 0
        self._ids = vehicles.id.copy()
        self.steering = steering

    @property
    def steering(self) -> Behavior | None:
        """The steering tree. Assigning another one keeps the memory of the nodes that it continues (see `tree`)."""
        return None if self.tree is None else self.tree.behavior

    @steering.setter
    def steering(self, steering: Any) -> None:
        tree = None if steering is None else grow(as_behavior(steering))
        if tree is not None:
            next_key = assign_keys(tree, self.tree, self._next_key)
            self.memories = _continued(tree, self.memories, self.vehicles, self._ids)
            self._next_key = next_key
        else:
            self.memories = {}
        self.tree = tree
        self._ids = self.vehicles.id.copy()
        self.edition += 1

    def keep_up(self) -> None:
        """Bring memory in step with the vehicles after some were spawned or removed."""
        if self.tree is not None and not np.array_equal(self._ids, self.vehicles.id):
            self.memories = _continued(self.tree, self.memories, self.vehicles, self._ids)
        self._ids = self.vehicles.id.copy()


def as_domain(domain: Domain | None) -> Domain:
    """The space itself; Open() where none is given.

    Raises:
        TypeError: It is no domain.
    """
    if domain is not None and not isinstance(domain, Domain):
        raise TypeError(f"domain must be Open(), Torus(size) or Box(size), got {domain!r}")
    return Open() if domain is None else domain


def _continued(tree: Node, older: dict[int, Memory], vehicles: Vehicles, ids: Any) -> dict[int, Memory]:
    """Memory for the nodes of a tree: fresh, then taken over by key and vehicle id where there is an older one."""
    _, rows, from_rows = np.intersect1d(vehicles.id, ids, assume_unique=True, return_indices=True)
    memories = {}
    for node in tree.walk():
        columns = node.behavior.init(vehicles)
        for name, column in columns.items():
            if len(np.atleast_1d(column)) != len(vehicles):
                raise ValueError(
                    f"memory column {name!r} of {node.label} must have one row per vehicle ({len(vehicles)}), "
                    f"got shape {np.shape(column)}"
                )
        if not columns:
            continue
        memory = memories[node.key] = Memory(columns)
        if node.key in older and older[node.key].schema() == memory.schema():
            memory.inherit(older[node.key], rows, from_rows)
    return memories
