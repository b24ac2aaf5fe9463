"""Sketching: the inputs of every node of a steering tree, as shapes, for the next step.

Like an explanation, a sketch is made from the present state with the trace on, and nothing advances. The shapes come
from the nodes themselves (`Behavior.sketch`). For the root, velocity, desired velocity and steering are added; for the other
nodes, their contribution (see `desired_velocity.py`).
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

import numpy as np

from steersman.core.action_selection.modes import Modes
from steersman.core.maths.shapes import Shape
from steersman.core.parameters.per_vehicle import PerVehicle
from steersman.core.steering.laws.vectors import truncate
from steersman.core.steering.scene.scene import Scene
from steersman.core.steering.scene.sketch_context import SketchContext, rows_of
from steersman.core.steering.scene.surroundings import Surroundings
from steersman.core.steering.tree.node_parameters import NodeParameters
from steersman.core.steering.tree.trace import Record, Trace
from steersman.core.steering.tree.tree import Node
from steersman.core.typing import Array
from steersman.core.vehicles.memory import NOTHING
from steersman.core.world.desired_velocity import DesiredVelocities
from steersman.core.world.plan import SteeringPlan


class Sketch(NamedTuple):
    """The inputs of one node of a steering tree, either for the vehicles that it claims or for the others.

    Attributes:
        key: The key of the node; it never changes.
        label: The name given to the node, or its class.
        depth: The number of levels below the root.
        acts: Whether it claims these vehicles; False for a condition.
        id: Ids of the vehicles, shape (k,).
        shapes: The inputs as shapes. None of them is empty, and all numbers are finite.
    """

    key: int
    label: str
    depth: int
    acts: bool
    id: Array
    shapes: tuple[Shape, ...]


def sketch(plan: SteeringPlan, rows: Array) -> tuple[Sketch, ...]:
    """The sketches of some vehicles. The plan's clock must be set.

    Args:
        plan: The plan of their population.
        rows: Their rows, shape (k,).

    Returns:
        The sketches of all nodes that are asked about at least one vehicle, parents first; the root comes first.

    Raises:
        ValueError: The population has no steering tree.
    """
    tree = plan.population.tree
    if tree is None:
        raise ValueError(f"nothing steers {plan.population.name!r}, so there is nothing to be sketched")
    with np.errstate(all="ignore"), plan.traced(rows) as (trace, surroundings):
        return tuple(_Sketcher(plan, trace, surroundings).of(tree, rows))


def rehearse_sketches(plan: SteeringPlan) -> None:
    """Sketch the first vehicle by every node of its tree, also by those that are not asked, so that kernels are compiled."""
    tree, rows = plan.population.tree, np.zeros(1, np.int64)
    if tree is None or not len(plan.vehicles):
        return
    with np.errstate(all="ignore"), plan.traced(rows) as (trace, surroundings):
        sketcher = _Sketcher(plan, trace, surroundings)
        for node in tree.walk():
            with suppress(Exception):  # A node that was not asked may lack the inputs.
                list(sketcher._sketch(node, rows, True, sketcher._records.get(id(node))))


class _Sketcher:
    """Asks the nodes of a tree for their sketches.

    Args:
        plan: The plan of the population.
        trace: The recorded forces of every node.
        surroundings: The neighbors and obstacles that the nodes saw.
    """

    def __init__(self, plan: SteeringPlan, trace: Trace, surroundings: Surroundings) -> None:
        self._vehicles, self._memories = plan.vehicles, plan.population.memories
        self._trace, self._surroundings = trace, surroundings
        self._records = {id(record.node): record for record in trace.records}
        self._desired = DesiredVelocities(plan.vehicles, float(plan.clock.dt[0]), self._records)

    def of(self, node: Node, rows: Array) -> Iterator[Sketch]:
        """Sketches of a behavior and of all nodes below it, for the rows that it claims, and for the others."""
        record = self._records[id(node)]
        for acts in (True, False):
            own = rows[(record.evaluated[rows] != 0) & ((record.acts[rows] != 0) == acts)]
            if len(own):
                yield from self._sketch(node, own, acts, record)
        for part in node.children:
            yield from self.of(part, rows)
        for condition, judged in zip(node.conditions, self._judged_rows(node, rows), strict=True):
            yield from self._condition(condition, judged)
        for known in node.knowledge:
            yield from self._condition(known, rows)

    def _condition(self, node: Node, rows: Array) -> Iterator[Sketch]:
        """Sketches of a condition and of all nodes below it, or of knowledge, for some rows."""
        if len(rows):
            yield from self._sketch(node, rows, False, None)
            for part in node.children:
                yield from self._condition(part, rows)

    def _judged_rows(self, node: Node, rows: Array) -> list[Array]:
        """The rows for which each condition of a node is evaluated: those in a mode that a transition may leave."""
        if not isinstance(node.behavior, Modes):
            return []
        evaluated = rows[self._records[id(node)].evaluated[rows] != 0]
        mode = self._trace.shown[node.key]["mode"][evaluated]
        return [evaluated[leaves[mode] != 0] for leaves in node.behavior.rules(node, 1).leaves]

    def _several(self, node: Node, rows: Array) -> Array:
        """Whether each vehicle is steered by several parts of the node above, shape (k,), bool."""
        siblings = [] if node.parent is None else node.parent.children
        steers = [rows_of(self._records[id(each)].contribution, rows).any(axis=1) for each in siblings]
        return np.sum(steers, axis=0) > 1 if steers else np.zeros(len(rows), bool)

    def _own(self, scene: Scene, row: int) -> NodeParameters:
        """The behavior of a node, with the numbers of one vehicle in place of one per vehicle."""
        behavior = scene.node.behavior
        several = {name: each for name, each in vars(behavior).items() if isinstance(each, PerVehicle)}
        if not several:
            return behavior
        return behavior.replace(**{name: float(scene.by_row(each)[row]) for name, each in several.items()})

    def _sketch(self, node: Node, rows: Array, acts: bool, record: Record | None) -> Iterator[Sketch]:
        """The sketch of one node for some rows, or one for each row if it has numbers per vehicle; without shapes none."""
        if len(rows) > 1 and _differs(node.behavior):
            for row in rows:
                yield from self._sketch(node, np.array([row]), acts, record)
            return
        scene = Scene(self._surroundings, node, shown=True)
        force = np.zeros((len(rows), self._vehicles.dimensions)) if record is None else rows_of(record.raw, rows)
        memory, shown = self._memories.get(node.key, NOTHING), self._trace.shown.get(node.key, {})
        context = SketchContext.of(scene, rows, memory, shown, force)
        words = list(self._own(scene, rows[0]).sketch(context))
        if record is not None:
            words += self._vectors(context, node, record)
        if self._vehicles.dimensions == 3:
            words = [each if each.dimensions == 3 else each.lifted(context.position[:, 2]) for each in words]
        shapes = tuple(shape for shape in (each.finite() for each in words) if len(shape))
        if shapes:
            yield Sketch(node.key, node.label, node.depth, acts, self._vehicles.id[rows].copy(), shapes)

    def _vectors(self, context: SketchContext, node: Node, record: Record) -> list[Shape]:
        """The vectors to draw: for the root velocity, desired velocity and steering; for another node its contribution."""
        contribution = rows_of(record.contribution, context.rows)
        if node.parent is not None:
            shown = np.flatnonzero(contribution.any(axis=1) & self._several(node, context.rows))
            return [context.forces(contribution, "part", node.label).rows(shown)]
        return [
            context.speeds(context.velocity, "velocity"),
            context.speeds(self._desired.of(node, context.rows), "desired"),
            context.forces(truncate(contribution, context.max_force), "steering"),
        ]


def _differs(behavior: NodeParameters) -> bool:
    """Whether a behavior has one number per vehicle."""
    return any(isinstance(each, PerVehicle) for each in vars(behavior).values())
