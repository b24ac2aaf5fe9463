"""The steering tree with the keys of its nodes, by which memory is kept when a tree is replaced.

A node gets a key once, and no key is used twice. When a tree is replaced, the nodes of the new one take over the keys
(and with them the memory) of the nodes that they continue; the rest are new. In this order:

1. the same `name`;
2. the very same object, when it stands once in each tree;
3. an equal behavior (the same class and parameters) in order within parents that continue each other;
4. an object that stands several times, first with first; then an equal behavior anywhere;
5. the same class in the same place: among the parts of one parent, between the same neighbors, when there are as many
   of that class as before (this is how a changed parameter keeps its memory);
6. the only one of its class in both trees.

Weights belong to the edges, so changing a weight changes no node. The index in the parent's list means nothing by
itself: a behavior inserted in front must not inherit the memory of the one that stood there.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from steersman.core.parameters.brief import brief
from steersman.core.parameters.parameters import PLAIN, Parameters, names_of
from steersman.core.steering.tree.knowledge import known_to
from steersman.core.steering.tree.node_parameters import NodeParameters

SAMPLED = 8
"""Numbers of an array that are looked at to tell behaviors apart, before whole arrays are compared."""


@dataclass(eq=False)
class Node:
    """One behavior, or condition, in a steering tree.

    Attributes:
        behavior: Its parameters.
        depth: How far below the root.
        parent: The node above, None at the root.
        children: The parts, in order.
        conditions: The conditions that decide between the parts, in order (of a behavior that is a state machine).
        knowledge: At the root: what the nodes below it know of targets.
        key: The number by which its memory and its random numbers are kept.
    """

    behavior: NodeParameters
    depth: int = 0
    parent: "Node | None" = None
    children: list["Node"] = field(default_factory=list)
    conditions: list["Node"] = field(default_factory=list)
    knowledge: list["Node"] = field(default_factory=list)
    key: int = -1

    def walk(self) -> Iterator["Node"]:
        """This node and all below it, parents first, in order."""
        return iter(self._all)

    @cached_property
    def _all(self) -> tuple["Node", ...]:
        below = (*self.children, *self.conditions, *self.knowledge)
        return (self, *[node for child in below for node in child._all])

    @cached_property
    def turns(self) -> bool:
        """Whether this node or one below it also steers the orientation."""
        return self.behavior.turns or any(node.turns for node in (*self.children, *self.conditions))

    @cached_property
    def shares(self) -> bool:
        """Whether this node or one below it may leave a part of max_force to parts of less priority."""
        return self.behavior.shares() or any(node.shares for node in self.children)

    @cached_property
    def resting(self) -> "Node | None":
        """The node of the whole tree that keeps the memory of where vehicles come to rest: the first that yields."""
        if self.parent is not None:
            return self.parent.resting
        stops = any(node.behavior.may_rest() for node in self.walk())
        return next((node for node in self.walk() if node.behavior.yields()), None) if stops else None

    @cached_property
    def led(self) -> "Node | None":
        """The node of the whole tree that keeps the memory of where routes turn: the first that minds it."""
        if self.parent is not None:
            return self.parent.led
        leads = any(node.behavior.leads() for node in self.walk())
        return next((node for node in self.walk() if node.behavior.is_led()), None) if leads else None

    @property
    def label(self) -> str:
        """The name given to the node, or its class."""
        return self.behavior.name or self.behavior.title


def grow(behavior: NodeParameters, parent: Node | None = None) -> Node:
    """The tree of a behavior or a condition and its parts, without keys."""
    node = Node(behavior, 0 if parent is None else parent.depth + 1, parent)
    node.children = [grow(part, node) for part in behavior.parts()]
    node.conditions = [grow(condition, node) for condition in behavior.conditions()]
    if parent is None:
        node.knowledge = [Node(each, 1, node) for each in known_to([behavior])]
    return node


def own_nodes(node: Node) -> Iterator[Node]:
    """A node and all below it, without the parts that it `defers`: a node searches the neighbors of those itself."""
    yield node
    for index, part in enumerate((*node.children, *node.conditions)):
        if not node.behavior.defers(index):
            yield from own_nodes(part)
    yield from node.knowledge


def assign_keys(tree: Node, older: Node | None, first_key: int) -> int:
    """Give every node of a tree its key, continuing an older tree where it can be continued.

    Args:
        tree: The new tree.
        older: The tree that it replaces, with keys; None at the start.
        first_key: The first key that was never used.

    Returns:
        The next key that was never used.

    Raises:
        ValueError: Two nodes have the same name.
    """
    _check_names(tree)
    if older is not None:
        for new, old in _Matching(tree, older).pairs.items():
            new.key = old.key
    for node in tree.walk():
        if node.key < 0:
            node.key, first_key = first_key, first_key + 1
    return first_key


def _check_names(tree: Node) -> None:
    names: set[str] = set()
    for node in tree.walk():
        name = node.behavior.name
        if name is not None and name in names:
            raise ValueError(f"name must be different for every node of a steering tree, got {brief(name)} twice")
        if name is not None:
            names.add(name)


class _Matching:
    """Which new node continues which old one."""

    def __init__(self, tree: Node, older: Node) -> None:
        self.pairs: dict[Node, Node] = {}
        self.taken: set[Node] = set()
        self.new, self.old = list(tree.walk()), list(older.walk())
        self.alike = _numbered([*self.new, *self.old])
        self._unique(lambda node: node.behavior.name)
        self._unique(lambda node: id(node.behavior))
        if not (tree in self.pairs or older in self.taken) and _unnamed_alike(tree, older):
            self._pair(tree, older)
        self._in_order()
        self._anywhere(lambda node: (id(node.behavior), node.behavior.name))
        self._anywhere(self.alike.__getitem__)
        self._in_order()
        for new in self.new:
            if new in self.pairs:
                self._same_place(new, self.pairs[new])
        self._unique(lambda node: type(node.behavior) if node.behavior.name is None else None)

    def _pair(self, new: Node, old: Node) -> None:
        self.pairs[new] = old
        self.taken.add(old)

    def _free(self, new: list[Node], old: list[Node]) -> tuple[list[Node], list[Node]]:
        return [n for n in new if n not in self.pairs], [o for o in old if o not in self.taken]

    def _unique(self, feature: Callable[[Node], Any]) -> None:
        """Pair nodes that are the only free ones with a feature, in both trees."""
        new_groups, old_groups = (_grouped(nodes, feature) for nodes in self._free(self.new, self.old))
        for key, nodes in new_groups.items():
            if len(nodes) == 1 and len(old_groups.get(key, ())) == 1:
                self._pair(nodes[0], old_groups[key][0])

    def _in_order(self) -> None:
        """Pair equal parts of paired parents, in the longest common order; from the root downwards."""
        for new in self.new:
            if new in self.pairs:
                old = self.pairs[new]
                for now, before in ((new.children, old.children), (new.conditions, old.conditions)):
                    for a, b in _common(*self._free(now, before), self.alike):
                        self._pair(a, b)

    def _anywhere(self, feature: Callable[[Node], Any]) -> None:
        """Pair nodes of the same feature wherever they stand, first with first."""
        new_groups, old_groups = (_grouped(nodes, feature) for nodes in self._free(self.new, self.old))
        for key, nodes in new_groups.items():
            for new, old in zip(nodes, old_groups.get(key, ()), strict=False):
                self._pair(new, old)

    def _same_place(self, new: Node, old: Node) -> None:
        """Pair changed parts of paired parents that stand between the same neighbors."""
        if all(node in self.pairs for node in new.children):
            return
        new_gaps = _gaps(new.children, {node: self.pairs.get(node) for node in new.children})
        old_gaps = _gaps(old.children, {node: node if node in self.taken else None for node in old.children})
        for anchor, nodes in new_gaps.items():
            before = _grouped(old_gaps.get(anchor, []), lambda node: type(node.behavior))
            for kind, now in _grouped(nodes, lambda node: type(node.behavior)).items():
                if len(now) == len(before.get(kind, ())):
                    for a, b in zip(now, before[kind], strict=True):
                        if a.behavior.name is None and b.behavior.name is None:
                            self._pair(a, b)


def _numbered(nodes: list[Node]) -> dict[Node, int]:
    """A number for every node, the same for equal behaviors of the same name and for no others."""
    kinds: dict[Any, list[tuple[NodeParameters, int]]] = defaultdict(list)
    numbers: dict[Node, int] = {}
    digests = _Digests()
    for node in nodes:
        like = kinds[digests.of(node.behavior)]
        number = next((number for behavior, number in like if behavior == node.behavior), None)
        if number is None:
            number = len(numbers)
            like.append((node.behavior, number))
        numbers[node] = number
    return numbers


class _Digests:
    """Hashable keys that are equal for all values that `same_value` calls the same; quick, and telling.

    Behaviors are numbered, equal digests alike, so that a tree is gone through once and not once from each node.
    """

    def __init__(self) -> None:
        self._numbers: dict[Any, int] = {}
        self._known: dict[int, int] = {}

    def of(self, value: Any) -> Any:
        """The digest of a value, which must stay alive as long as digests are in use."""
        if type(value) in PLAIN:
            return value if value == value else None
        if isinstance(value, Parameters):
            if id(value) not in self._known:
                kind, fields = type(value), value.__dict__
                digest = (kind, *[self.of(fields[name]) for name in names_of(kind)])
                self._known[id(value)] = self._numbers.setdefault(digest, len(self._numbers))
            return self._known[id(value)]
        if isinstance(value, np.ndarray):
            some = value.ravel()[:SAMPLED]
            return value.shape, *(some.tolist() if (some == some).all() else map(self.of, some.tolist()))
        if isinstance(value, (tuple, list)):
            return tuple([self.of(each) for each in value])
        return self.of(value.item()) if isinstance(value, np.generic) else type(value).__name__


def _unnamed_alike(new: Node, old: Node) -> bool:
    """Whether two nodes without a name are of the same class."""
    return type(new.behavior) is type(old.behavior) and new.behavior.name is None and old.behavior.name is None


def _grouped(nodes: list[Node], feature: Callable[[Node], Any]) -> dict[Any, list[Node]]:
    groups: dict[Any, list[Node]] = defaultdict(list)
    for node in nodes:
        if (key := feature(node)) is not None:
            groups[key].append(node)
    return dict(groups)


def _gaps(nodes: list[Node], anchors: dict[Node, Node | None]) -> dict[Any, list[Node]]:
    """The unpaired nodes, grouped by the paired neighbors that they stand between."""
    gaps: dict[Any, list[Node]] = defaultdict(list)
    previous: Node | None = None
    waiting: list[Node] = []
    for node in [*nodes, None]:
        anchor = None if node is None else anchors[node]
        if node is not None and anchor is None:
            waiting.append(node)
            continue
        gaps[previous, anchor] += waiting
        previous, waiting = anchor, []
    return dict(gaps)


def _common(new: list[Node], old: list[Node], alike: dict[Node, int]) -> list[tuple[Node, Node]]:
    """The longest common subsequence of two lists of nodes with equal behaviors."""
    a, b = [alike[node] for node in new], [alike[node] for node in old]
    shorter, start = min(len(a), len(b)), 0
    while start < shorter and a[start] == b[start]:
        start += 1
    end = 0
    while end < shorter - start and a[-1 - end] == b[-1 - end]:
        end += 1
    middle = _subsequence(a[start : len(a) - end], b[start : len(b) - end])
    pairs = [(new[start + i], old[start + j]) for i, j in middle]
    return [*zip(new[:start], old[:start], strict=True), *pairs,
            *zip(new[len(a) - end :], old[len(b) - end :], strict=True)]  # fmt: skip


def _subsequence(a: list[int], b: list[int]) -> list[tuple[int, int]]:
    """Places of the longest common subsequence of two lists of numbers; of several, the first to begin in a."""
    m, k = len(a), len(b)
    best = [[0] * (k + 1) for _ in range(m + 1)]
    for i in reversed(range(m)):
        row, below = best[i], best[i + 1]
        for j in reversed(range(k)):
            row[j] = below[j + 1] + 1 if a[i] == b[j] else max(below[j], row[j + 1])
    pairs, i, j = [], 0, 0
    while i < m and j < k:
        if a[i] == b[j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i + 1][j] >= best[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs
