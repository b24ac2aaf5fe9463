"""Explaining: the force that every node of a steering tree asks for now, and its contribution.

The tree is steered once more with the trace on, from the present state; nothing advances. So an explanation is about the
next step, and costs nothing in steps without one.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from steersman.core.action_selection.change import Change
from steersman.core.action_selection.modes import Modes
from steersman.core.kernels.per_row import Rows
from steersman.core.parameters.arrays import frozen
from steersman.core.parameters.renaming import RenamedAttribute
from steersman.core.steering.laws.vectors import length, truncate
from steersman.core.steering.tree.trace import Record, Trace
from steersman.core.steering.tree.tree import Node
from steersman.core.typing import Array
from steersman.core.vehicles.choosing import rows_of
from steersman.core.world.desired_velocity import DesiredVelocities
from steersman.core.world.plan import SteeringPlan


@dataclass(frozen=True, eq=False, repr=False)
class Explanation:
    """A node of a steering tree: the forces that it asks for, what they contribute, and the same for its parts.

    It prints as a tree. All arrays have a row for each of the vehicles.

    Attributes:
        label: The name given to the node, or its class.
        mode: The mode that it belongs to, below a Modes; else None.
        weight: The weight that the node above gives it; the mean, where there is one weight per vehicle.
        id: Ids of the vehicles, shape (n,).
        evaluated: Whether the node was asked to steer each vehicle, shape (n,), bool.
        acts: Whether it claims each vehicle, shape (n,), bool.
        raw: The force that it asks for [N], shape (n, d).
        contribution: The part of it that the node above takes: weighted, limited or chosen [N], shape (n, d).
        turning: The angular acceleration that it asks for [rad/s^2], shape (n,) or (n, 3); zero where it does not turn.
        turning_contribution: The part of it that the node above takes.
        desired_velocity: The velocity that its force leads to [m/s], shape (n, d); of Seek that toward its target.
        max_force: The vehicles' largest force [N], shape (n,).
        title: The vehicles and the time of the explanation, in words.
        parts: The nodes below.
        change: For a Modes: the `mode` of each vehicle, shape (n,), str, and how it came there: for how many `seconds`, shape
            (n,); which mode it `left`, and `because` of which condition, shape (n,), str, "" where no transition led
            there. Else None.
    """

    label: str
    mode: str | None
    weight: float
    id: Array
    evaluated: Array
    acts: Array
    raw: Array
    contribution: Array
    turning: Array
    turning_contribution: Array
    desired_velocity: Array
    max_force: Array
    title: str
    parts: tuple["Explanation", ...]
    change: Change | None = None

    asked = RenamedAttribute("evaluated")
    kept = RenamedAttribute("contribution")
    kept_turning = RenamedAttribute("turning_contribution")

    @property
    def force(self) -> Array:
        """The contribution, truncated to max_force [N], shape (n, d): at the root, the force that steers."""
        return frozen(truncate(self.contribution, self.max_force))

    @property
    def winner(self) -> Array:
        """The label of the deciding node, shape (n,), str: down the tree, the part of which most is kept; "" for none."""
        if not self.parts:
            return frozen(np.where(self.acts, self.label, ""))
        size = np.stack([np.where(part.acts, length(part.contribution), -1.0) for part in self.parts])
        best = np.argmax(size, axis=0)
        names = np.stack([part.winner for part in self.parts])
        return frozen(np.where(np.max(size, axis=0) >= 0, np.take_along_axis(names, best[None], axis=0)[0], ""))

    def walk(self) -> Iterator["Explanation"]:
        """This node and all below it, parents first."""
        yield self
        for part in self.parts:
            yield from part.walk()

    def __getitem__(self, label: str) -> "Explanation":
        """The first node of a label, here or below."""
        for node in self.walk():
            if label in (node.label, node.mode):
                return node
        raise KeyError(f"no node is called {label!r}; there are: {', '.join(node.label for node in self.walk())}")

    def of(self, id: Any) -> "Explanation":
        """The explanation of one vehicle alone, or of several.

        Args:
            id: An id, ids, or a mask of shape (n,).
        """
        rows = rows_of(self.id, id)
        return self._at(rows, f"{vehicles_text(self.id[rows])} of {self.title}")

    def _at(self, rows: Array, title: str) -> "Explanation":
        columns = ("id", "evaluated", "acts", "raw", "contribution", "desired_velocity", "max_force")
        chosen = {name: getattr(self, name)[rows] for name in (*columns, "turning", "turning_contribution")}
        change = None if self.change is None else self.change.rows(rows)
        parts = tuple(part._at(rows, title) for part in self.parts)
        return replace(self, **chosen, title=title, parts=parts, change=change)

    def __str__(self) -> str:
        rows = list(self._lines("", ""))
        width = max(len(name) for name, _ in rows)
        return "\n".join([f"{self.title}: {self._outcome()}", *(f"{name:<{width}}  {text}" for name, text in rows)])

    __repr__ = __str__

    def _outcome(self) -> str:
        if len(self.id) == 1:
            return f"{vector(self.force[0])} N of at most {self.max_force[0]:.4g} N"
        return f"{len(self.id)} vehicles, on average {mean_length(self.force):.4g} N"

    def _lines(self, lead: str, below: str) -> Iterator[tuple[str, str]]:
        name = self.label if self.mode is None else f"{self.mode}: {self.label}"
        mode = str(self.change) if self.change is not None and len(self.id) == 1 else ""
        yield (
            lead + (name if self.weight == 1 else f"{self.weight:.4g} x {name}"),
            self._forces_in_words() + (mode and f"; {mode}"),
        )
        for part in self.parts:
            last = part is self.parts[-1]
            yield from part._lines(below + ("`- " if last else "|- "), below + ("   " if last else "|  "))

    def _forces_in_words(self) -> str:
        """The forces of the node, in words."""
        n = len(self.id)
        if not self.evaluated.any():
            return "not asked"
        if n > 1:
            return (
                f"asked for {self.evaluated.sum()}, acts for {self.acts.sum()}, "
                f"wants {mean_length(self.raw):.4g} N, {mean_length(self.contribution):.4g} N kept"
            )
        if not self.acts.any() and not self.raw.any() and not self.turning.any():
            return "does not act"
        wants, contribution = vector(self.raw[0]), vector(self.contribution[0])
        words = f"{wants} N" if wants == contribution else f"{wants} N, kept {contribution} N"
        if self.turning.any():
            words += f", turns {vector(np.atleast_1d(self.turning[0]))} rad/s^2"
        return words


def vector(value: Array) -> str:
    """A vector in words."""
    return "[" + ", ".join(f"{x:.4g}" for x in value.tolist()) + "]"


def mean_length(vectors: Array) -> float:
    """Mean length of some vectors; 0 for none."""
    return float(np.mean(length(vectors), dtype=float)) if len(vectors) else 0.0


def vehicles_text(ids: Array) -> str:
    """Vehicles in words, shape (k,)."""
    return f"vehicle {ids[0]}" if len(ids) == 1 else f"{len(ids)} vehicles"


def explain(plan: SteeringPlan, names: Mapping[str, Any], rows: Array | None = None) -> Explanation:
    """Steer vehicles once more, and explain the force of every node. The plan's clock must be set.

    Args:
        plan: The plan of their population.
        names: Name -> vehicles, for all populations.
        rows: Their rows, shape (k,). Default: all.

    Raises:
        ValueError: The population has no steering tree.
    """
    if plan.population.tree is None:
        raise ValueError(f"nothing steers {plan.population.name!r}, so there is nothing to explain")
    with np.errstate(all="ignore"), plan.traced(rows) as (trace, _):
        return _Teller(plan, trace, names, rows).of(plan.population.tree, None)


class _Teller:
    """Makes the explanations of the nodes of a tree from their trace and their memory after the step.

    Args:
        plan: The plan of the population.
        trace: The recorded forces of every node.
        names: Name -> vehicles, for all populations.
        rows: The rows of the vehicles to explain; None for all.
    """

    def __init__(self, plan: SteeringPlan, trace: Trace, names: Mapping[str, Any], rows: Array | None) -> None:
        self._vehicles, self._memories, self._names = plan.vehicles, plan.population.memories, names
        self._records = {id(record.node): record for record in trace.records}
        self._time = float(plan.clock.time[0])
        self._title = f"{plan.population.name!r} at step {int(plan.clock.step[0])} ({self._time:.4g} s)"
        self._rows = np.arange(len(plan.vehicles)) if rows is None else rows
        if rows is not None:
            self._title = f"{vehicles_text(plan.vehicles.id[rows])} of {self._title}"
        self._desired = DesiredVelocities(plan.vehicles, float(plan.clock.dt[0]), self._records)

    def of(self, node: Node, mode: str | None) -> Explanation:
        """The explanation of a node and all nodes below it; `mode` is the mode that it belongs to."""
        vehicles, record, rows = self._vehicles, self._records[id(node)], self._rows
        modes = list(node.behavior.modes) if isinstance(node.behavior, Modes) else [None] * len(node.children)
        raw, contribution, raw_turning, turning_contribution = (
            np.stack([column[rows] for column in columns], axis=1)
            for columns in (record.raw, record.contribution, record.raw_angular, record.angular_contribution)
        )
        flat = vehicles.dimensions == 2
        return Explanation(
            label=node.label,
            mode=mode,
            weight=_weight_of(record, rows),
            id=vehicles.id[rows],
            evaluated=record.evaluated[rows] != 0,
            acts=record.acts[rows] != 0,
            raw=raw,
            contribution=contribution,
            turning=raw_turning[:, 0] if flat else raw_turning,
            turning_contribution=turning_contribution[:, 0] if flat else turning_contribution,
            desired_velocity=self._desired.of(node, rows),
            max_force=vehicles.max_force[rows],
            title=self._title,
            parts=tuple(self.of(child, name) for child, name in zip(node.children, modes, strict=True)),
            change=self._change(node, record.evaluated != 0),
        )

    def _change(self, node: Node, evaluated: Array) -> Change | None:
        """How vehicles came into their modes, for a Modes; else None."""
        if not isinstance(node.behavior, Modes):
            return None
        return Change.of(node, self._memories[node.key], evaluated, self._time, self._names).rows(self._rows)


def _weight_of(record: Record, rows: Array) -> float:
    """The weight of an edge; the mean of the rows, where each has its own."""
    weight = record.edge[0]
    if isinstance(weight, Rows):
        return float(np.mean(weight.array[rows], dtype=np.float64)) if len(rows) else 1.0
    return float(weight)
