"""Sketching: what every node of a steering tree looks at, as shapes, for the step that comes next.

Like an explanation, a sketch is made from the present state with the trace on, and nothing advances. The shapes come
from the nodes themselves (`Behavior.sketch`); velocity, desired velocity and steering are added for the whole tree, and
what was kept of each part.

    desired = velocity + force * response_time / mass
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

import numpy as np

from steersman.core.action_selection.modes import Modes
from steersman.core.maths.shapes import Shape
from steersman.core.steering.laws.vectors import truncate
from steersman.core.steering.scene.scene import Scene, Surroundings
from steersman.core.steering.scene.sketch_context import Sketched, rows_of
from steersman.core.steering.tree.trace import Record, Trace
from steersman.core.steering.tree.tree import Node
from steersman.core.typing import Array
from steersman.core.vehicles.memory import NOTHING
from steersman.core.world.plan import SteeringPlan


class Sketch(NamedTuple):
    """What one node of a steering tree looks at, for some vehicles alike.

    Attributes:
        key: The key of the node; the same for ever.
        label: The name given to the node, or its class.
        depth: How far below the root.
        acts: Whether it claims these vehicles; False of a condition.
        id: Ids of the vehicles, shape (k,).
        shapes: What it looks at. None of them is empty, and all is finite.
    """

    key: int
    label: str
    depth: int
    acts: bool
    id: Array
    shapes: tuple[Shape, ...]


def sketch(plan: SteeringPlan, rows: Array) -> tuple[Sketch, ...]:
    """Sketch some vehicles. The plan's clock must be set.

    Args:
        plan: How their population is steered.
        rows: Their rows, shape (k,).

    Returns:
        The sketches of all nodes that are asked about somebody, parents first; those of the whole tree come first.

    Raises:
        ValueError: Nobody steers.
    """
    tree = plan.population.tree
    if tree is None:
        raise ValueError(f"nobody steers {plan.population.name!r}, so there is nothing to be sketched")
    with np.errstate(all="ignore"), plan.traced(rows) as (trace, surroundings):
        return tuple(_Sketcher(plan, trace, surroundings).of(tree, rows))


def rehearse_sketches(plan: SteeringPlan) -> None:
    """Sketch the first vehicle by every node of its tree, asked or not, so that all kernels are at hand."""
    tree, rows = plan.population.tree, np.zeros(1, np.int64)
    if tree is None or not len(plan.vehicles):
        return
    with np.errstate(all="ignore"), plan.traced(rows) as (trace, surroundings):
        sketcher = _Sketcher(plan, trace, surroundings)
        for node in tree.walk():
            with suppress(Exception):  # A node that was not asked may know nothing to draw.
                list(sketcher._sketch(node, rows, True, sketcher._records.get(id(node))))


class _Sketcher:
    """Asks the nodes of a tree for their sketches.

    Args:
        plan: How the population is steered.
        trace: What every node said.
        surroundings: What they saw.
    """

    def __init__(self, plan: SteeringPlan, trace: Trace, surroundings: Surroundings) -> None:
        self._vehicles, self._memories = plan.vehicles, plan.population.memories
        self._trace, self._surroundings = trace, surroundings
        self._records = {id(record.node): record for record in trace.records}

    def of(self, node: Node, rows: Array) -> Iterator[Sketch]:
        """What a behavior and all below it say of some rows: of those whom it claims, and of the others."""
        record = self._records[id(node)]
        for acts in (True, False):
            own = rows[(record.asked[rows] != 0) & ((record.acts[rows] != 0) == acts)]
            if len(own):
                yield from self._sketch(node, own, acts, record)
        for part in node.children:
            yield from self.of(part, rows)
        for condition, asked in zip(node.conditions, self._asked(node, rows), strict=True):
            yield from self._condition(condition, asked)

    def _condition(self, node: Node, rows: Array) -> Iterator[Sketch]:
        """What a condition and all below it say of some rows."""
        if len(rows):
            yield from self._sketch(node, rows, False, None)
            for part in node.children:
                yield from self._condition(part, rows)

    def _asked(self, node: Node, rows: Array) -> list[Array]:
        """Of whom each condition of a node is asked: those whose mode a transition may leave."""
        if not isinstance(node.behavior, Modes):
            return []
        asked = rows[self._records[id(node)].asked[rows] != 0]
        mode = self._trace.shown[node.key]["mode"][asked]
        return [asked[leaves[mode] != 0] for leaves in node.behavior.rules(node, 1).leaves]

    def _several(self, node: Node, rows: Array) -> Array:
        """Who is steered by several parts of the node above, shape (k,), bool."""
        fellows = [] if node.parent is None else node.parent.children
        heard = [rows_of(self._records[id(each)].kept, rows).any(axis=1) for each in fellows]
        return np.sum(heard, axis=0) > 1 if heard else np.zeros(len(rows), bool)

    def _sketch(self, node: Node, rows: Array, acts: bool, record: Record | None) -> Iterator[Sketch]:
        """What one node says of some rows, if anything."""
        scene = Scene(self._surroundings, node, shown=True)
        force = np.zeros((len(rows), self._vehicles.dimensions)) if record is None else rows_of(record.raw, rows)
        memory, shown = self._memories.get(node.key, NOTHING), self._trace.shown.get(node.key, {})
        them = Sketched.of(scene, rows, memory, shown, force)
        said = list(node.behavior.sketch(them))
        if record is not None:
            said += vectors(them, node, record, self._several(node, rows))
        if self._vehicles.dimensions == 3:
            said = [each if each.dimensions == 3 else each.lifted(them.position[:, 2]) for each in said]
        shapes = tuple(shape for shape in (each.finite() for each in said) if len(shape))
        if shapes:
            yield Sketch(node.key, node.label, node.depth, acts, self._vehicles.id[rows].copy(), shapes)


def vectors(them: Sketched, node: Node, record: Record, shared: Array) -> list[Shape]:
    """Of a whole tree: velocity, desired velocity and steering; of a part of it: what was kept of its force.

    Args:
        them: The vehicles.
        node: A behavior of the tree.
        record: What it said.
        shared: Who is steered by several parts of the node above, shape (k,).
    """
    kept = rows_of(record.kept, them.rows)
    if node.parent is not None:
        return [them.forces(kept, "part", node.label).rows(np.flatnonzero(kept.any(axis=1) & shared))]
    desired = them.velocity + kept * (them.response_time / them.mass)[:, None]
    return [
        them.speeds(them.velocity, "velocity"),
        them.speeds(desired, "desired"),
        them.forces(truncate(kept, them.max_force), "steering"),
    ]
