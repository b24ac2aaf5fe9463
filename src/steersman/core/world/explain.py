"""Explaining: what every node of a steering tree wants for a vehicle now, and what becomes of it.

The tree is steered once more with the trace on, from the present state; nothing advances. So an explanation is about the
step that comes next, and costs nothing where nobody asks for it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from steersman.core.action_selection.change import Change
from steersman.core.action_selection.modes import Modes
from steersman.core.parameters.arrays import frozen
from steersman.core.steering.laws.vectors import length, truncate
from steersman.core.steering.tree.trace import Trace
from steersman.core.steering.tree.tree import Node
from steersman.core.typing import Array
from steersman.core.vehicles.choosing import rows_of
from steersman.core.world.plan import SteeringPlan


@dataclass(frozen=True, eq=False, repr=False)
class Explanation:
    """A node of a steering tree: what it says to its vehicles, what is kept of that, and the same of its parts.

    It prints as a tree. All arrays have a row for each of the vehicles.

    Attributes:
        label: The name given to the node, or its class.
        mode: The mode that it stands for, below a Modes; else None.
        weight: The weight that the node above gives it.
        id: Ids of the vehicles, shape (n,).
        asked: Whom the node was asked to steer, shape (n,), bool.
        acts: Whom it claims, shape (n,), bool.
        raw: The force it wants [N], shape (n, d).
        kept: What the node above keeps of it: weighted, limited or chosen [N], shape (n, d).
        turning: The angular acceleration it wants [rad/s^2], shape (n,) or (n, 3); zero where nobody turns.
        kept_turning: What the node above keeps of that.
        max_force: The vehicles' largest force [N], shape (n,).
        title: Of whom and when this is told.
        parts: The nodes below.
        change: Of a Modes: which `mode` each is in, shape (n,), str, and how it came there: for how many `seconds`, shape
            (n,); which mode it `left`, and `because` of which condition, shape (n,), str, "" where no transition took it
            there. Else None.
    """

    label: str
    mode: str | None
    weight: float
    id: Array
    asked: Array
    acts: Array
    raw: Array
    kept: Array
    turning: Array
    kept_turning: Array
    max_force: Array
    title: str
    parts: tuple["Explanation", ...]
    change: Change | None = None

    @property
    def force(self) -> Array:
        """What is kept, truncated to max_force [N], shape (n, d): at the root, the force that steers."""
        return frozen(truncate(self.kept, self.max_force))

    @property
    def winner(self) -> Array:
        """Who decides, shape (n,), str: down the tree, the part of which most is kept; "" where nobody acts."""
        if not self.parts:
            return frozen(np.where(self.acts, self.label, ""))
        size = np.stack([np.where(part.acts, length(part.kept), -1.0) for part in self.parts])
        best = np.argmax(size, axis=0)
        names = np.stack([part.winner for part in self.parts])
        return frozen(np.where(np.max(size, axis=0) >= 0, np.take_along_axis(names, best[None], axis=0)[0], ""))

    def walk(self) -> Iterator["Explanation"]:
        """This node and all below it, parents first."""
        yield self
        for part in self.parts:
            yield from part.walk()

    def __getitem__(self, label: str) -> "Explanation":
        """The first node of a label, here or below.

        Raises:
            KeyError: There is none.
        """
        for node in self.walk():
            if label in (node.label, node.mode):
                return node
        raise KeyError(f"no node is called {label!r}; there are: {', '.join(node.label for node in self.walk())}")

    def of(self, id: Any) -> "Explanation":
        """The same about one vehicle alone, or about some.

        Args:
            id: An id, ids, or a mask of shape (n,).

        Raises:
            KeyError: There is no vehicle of an id.
        """
        rows = rows_of(self.id, id)
        return self._at(rows, f"{whom(self.id[rows])} of {self.title}")

    def _at(self, rows: Array, title: str) -> "Explanation":
        names = ("id", "asked", "acts", "raw", "kept", "turning", "kept_turning", "max_force")
        taken = {name: getattr(self, name)[rows] for name in names}
        change = None if self.change is None else self.change.rows(rows)
        parts = tuple(part._at(rows, title) for part in self.parts)
        return replace(self, **taken, title=title, parts=parts, change=change)

    def __str__(self) -> str:
        rows = list(self._lines("", ""))
        width = max(len(name) for name, _ in rows)
        return "\n".join([f"{self.title}: {self._outcome()}", *(f"{name:<{width}}  {what}" for name, what in rows)])

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
            self._what() + (mode and f"; {mode}"),
        )
        for part in self.parts:
            last = part is self.parts[-1]
            yield from part._lines(below + ("`- " if last else "|- "), below + ("   " if last else "|  "))

    def _what(self) -> str:
        """What the node says, in words."""
        n = len(self.id)
        if not self.asked.any():
            return "not asked"
        if n > 1:
            return (
                f"asked for {self.asked.sum()}, acts for {self.acts.sum()}, "
                f"wants {mean_length(self.raw):.4g} N, {mean_length(self.kept):.4g} N kept"
            )
        if not self.acts.any() and not self.raw.any() and not self.turning.any():
            return "does not act"
        wants, kept = vector(self.raw[0]), vector(self.kept[0])
        said = f"{wants} N" if wants == kept else f"{wants} N, kept {kept} N"
        if self.turning.any():
            said += f", turns {vector(np.atleast_1d(self.turning[0]))} rad/s^2"
        return said


def vector(value: Array) -> str:
    """A vector in words."""
    return "[" + ", ".join(f"{x:.4g}" for x in value.tolist()) + "]"


def mean_length(vectors: Array) -> float:
    """Mean length of some vectors; 0 for none."""
    return float(np.mean(length(vectors), dtype=float)) if len(vectors) else 0.0


def whom(ids: Array) -> str:
    """Vehicles in words, shape (k,)."""
    return f"vehicle {ids[0]}" if len(ids) == 1 else f"{len(ids)} vehicles"


def explain(plan: SteeringPlan, names: Mapping[str, Any], rows: Array | None = None) -> Explanation:
    """Steer vehicles once more, and tell what every node said. The plan's clock must be set.

    Args:
        plan: How their population is steered.
        names: What vehicles are called.
        rows: Their rows, shape (k,). Default: all.

    Raises:
        ValueError: Nobody steers.
    """
    if plan.population.tree is None:
        raise ValueError(f"nobody steers {plan.population.name!r}, so there is nothing to explain")
    with np.errstate(all="ignore"), plan.traced(rows) as (trace, _):
        return _Teller(plan, trace, names, rows).of(plan.population.tree, None)


class _Teller:
    """Tells what the nodes of a tree said, and what they will remember.

    Args:
        plan: How the population is steered.
        trace: What every node said.
        names: What vehicles are called.
        rows: Whom it tells about; None for all.
    """

    def __init__(self, plan: SteeringPlan, trace: Trace, names: Mapping[str, Any], rows: Array | None) -> None:
        self._vehicles, self._memories, self._names = plan.vehicles, plan.population.memories, names
        self._records = {id(record.node): record for record in trace.records}
        self._time = float(plan.clock.time[0])
        self._title = f"{plan.population.name!r} at step {int(plan.clock.step[0])} ({self._time:.4g} s)"
        self._rows = np.arange(len(plan.vehicles)) if rows is None else rows
        if rows is not None:
            self._title = f"{whom(plan.vehicles.id[rows])} of {self._title}"

    def of(self, node: Node, mode: str | None) -> Explanation:
        """What a node and all below it said; `mode` is what it stands for."""
        vehicles, record, rows = self._vehicles, self._records[id(node)], self._rows
        modes = list(node.behavior.modes) if isinstance(node.behavior, Modes) else [None] * len(node.children)
        raw, kept, raw_turning, kept_turning = (
            np.stack([column[rows] for column in columns], axis=1)
            for columns in (record.raw, record.kept, record.raw_angular, record.kept_angular)
        )
        flat = vehicles.dimensions == 2
        return Explanation(
            label=node.label,
            mode=mode,
            weight=float(record.edge[0]),
            id=vehicles.id[rows],
            asked=record.asked[rows] != 0,
            acts=record.acts[rows] != 0,
            raw=raw,
            kept=kept,
            turning=raw_turning[:, 0] if flat else raw_turning,
            kept_turning=kept_turning[:, 0] if flat else kept_turning,
            max_force=vehicles.max_force[rows],
            title=self._title,
            parts=tuple(self.of(child, name) for child, name in zip(node.children, modes, strict=True)),
            change=self._change(node, record.asked != 0),
        )

    def _change(self, node: Node, asked: Array) -> Change | None:
        """How vehicles came into their modes, of a Modes."""
        if not isinstance(node.behavior, Modes):
            return None
        return Change.of(node, self._memories[node.key], asked, self._time, self._names).rows(self._rows)
