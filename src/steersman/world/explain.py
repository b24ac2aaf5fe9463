"""Explaining: what every node of a steering tree wants for a vehicle now, and what becomes of it.

The tree is steered once more with the trace on, from the present state; nothing advances. So an explanation is about the
step that comes next, and costs nothing where nobody asks for it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from steersman.action_selection.modes import Modes
from steersman.geometry.vectors import Array
from steersman.steering.laws.vectors import length, truncate
from steersman.steering.trace import Record
from steersman.vehicles.choosing import rows_of
from steersman.world.plan import SteeringPlan


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

    @property
    def force(self) -> Array:
        """What is kept, truncated to max_force [N], shape (n, d): at the root, the force that steers."""
        return truncate(self.kept, self.max_force)

    @property
    def winner(self) -> Array:
        """Who decides, shape (n,), str: down the tree, the part of which most is kept; "" where nobody acts."""
        if not self.parts:
            return np.where(self.acts, self.label, "")
        size = np.stack([np.where(part.acts, length(part.kept), -1.0) for part in self.parts])
        best = np.argmax(size, axis=0)
        names = np.stack([part.winner for part in self.parts])
        return np.where(np.max(size, axis=0) >= 0, np.take_along_axis(names, best[None], axis=0)[0], "")

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
        return replace(self, **taken, title=title, parts=tuple(part._at(rows, title) for part in self.parts))

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
        yield lead + (name if self.weight == 1 else f"{self.weight:.4g} x {name}"), self._what()
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


def explain(plan: SteeringPlan, rows: Array | None = None) -> Explanation:
    """Steer vehicles once more, and tell what every node said. The plan's clock must be set.

    Args:
        plan: How their population is steered.
        rows: Their rows, shape (k,). Default: all.

    Raises:
        ValueError: Nobody steers.
    """
    if plan.population.tree is None:
        raise ValueError(f"nobody steers {plan.population.name!r}, so there is nothing to explain")
    with np.errstate(all="ignore"):
        records = {id(record.node): record for record in plan.trace(rows).records}
    title = f"{plan.population.name!r} at step {int(plan.clock.step[0])} ({float(plan.clock.time[0]):.4g} s)"
    if rows is None:
        rows = np.arange(len(plan.vehicles))
    else:
        title = f"{whom(plan.vehicles.id[rows])} of {title}"
    return _told(records[id(plan.population.tree)], records, plan, rows, title, None)


def _told(
    record: Record, records: dict[int, Record], plan: SteeringPlan, rows: Array, title: str, mode: str | None
) -> Explanation:
    vehicles, node = plan.vehicles, record.node
    modes = list(node.behavior.modes) if isinstance(node.behavior, Modes) else [None] * len(node.children)
    children = zip(node.children, modes, strict=True)
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
        title=title,
        parts=tuple(_told(records[id(child)], records, plan, rows, title, name) for child, name in children),
    )
