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
itself: a behavior inserted in front must not inherit what stood there.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from steersman.steering.behavior import Behavior


@dataclass(eq=False)
class Node:
    """One behavior in a steering tree.

    Attributes:
        behavior: Its parameters.
        depth: How far below the root.
        parent: The node above, None at the root.
        children: The parts, in order.
        key: The number by which its memory and its random numbers are kept.
    """

    behavior: Behavior
    depth: int = 0
    parent: "Node | None" = None
    children: list["Node"] = field(default_factory=list)
    key: int = -1

    def walk(self) -> Iterator["Node"]:
        """This node and all below it, parents first, in order."""
        yield self
        for child in self.children:
            yield from child.walk()

    @property
    def label(self) -> str:
        """The name given to the node, or its class."""
        return self.behavior.name or self.behavior.title


def grow(behavior: Behavior, parent: Node | None = None) -> Node:
    """The tree of a behavior and its parts, without keys."""
    node = Node(behavior, 0 if parent is None else parent.depth + 1, parent)
    node.children = [grow(part, node) for part in behavior.parts()]
    return node


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
    seen: set[str] = set()
    for node in tree.walk():
        name = node.behavior.name
        if name is not None and name in seen:
            raise ValueError(f"name must be different for every node of a steering tree, got {name!r} twice")
        if name is not None:
            seen.add(name)


class _Matching:
    """Which new node continues which old one."""

    def __init__(self, tree: Node, older: Node) -> None:
        self.pairs: dict[Node, Node] = {}
        self.taken: set[Node] = set()
        self.new, self.old = list(tree.walk()), list(older.walk())
        self._unique(lambda node: node.behavior.name)
        self._unique(lambda node: id(node.behavior))
        if not (tree in self.pairs or older in self.taken) and _unnamed_alike(tree, older):
            self._pair(tree, older)
        self._in_order()
        self._anywhere(lambda a, b: a is b)
        self._anywhere(lambda a, b: a == b)
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
        mine, theirs = (_grouped(nodes, feature) for nodes in self._free(self.new, self.old))
        for key, nodes in mine.items():
            if len(nodes) == 1 and len(theirs.get(key, ())) == 1:
                self._pair(nodes[0], theirs[key][0])

    def _in_order(self) -> None:
        """Pair equal parts of paired parents, in the longest common order; from the root downwards."""
        for new in self.new:
            if new in self.pairs:
                mine, theirs = self._free(new.children, self.pairs[new].children)
                for a, b in _common(mine, theirs):
                    self._pair(a, b)

    def _anywhere(self, same: Callable[[Any, Any], bool]) -> None:
        """Pair the same behaviors wherever they stand, first with first."""
        mine, theirs = self._free(self.new, self.old)
        for new in mine:
            for old in theirs:
                if old not in self.taken and _continues(new, old) and same(new.behavior, old.behavior):
                    self._pair(new, old)
                    break

    def _same_place(self, new: Node, old: Node) -> None:
        """Pair changed parts of paired parents that stand between the same neighbors."""
        mine = _gaps(new.children, {node: self.pairs.get(node) for node in new.children})
        theirs = _gaps(old.children, {node: node if node in self.taken else None for node in old.children})
        for anchor, nodes in mine.items():
            before = _grouped(theirs.get(anchor, []), lambda node: type(node.behavior))
            for kind, now in _grouped(nodes, lambda node: type(node.behavior)).items():
                if len(now) == len(before.get(kind, ())):
                    for a, b in zip(now, before[kind], strict=True):
                        if a.behavior.name is None and b.behavior.name is None:
                            self._pair(a, b)


def _continues(new: Node, old: Node) -> bool:
    """Whether two behaviors can be the same node: names are kept, not exchanged."""
    return type(new.behavior) is type(old.behavior) and new.behavior.name == old.behavior.name


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
    left: Node | None = None
    waiting: list[Node] = []
    for node in [*nodes, None]:
        anchor = None if node is None else anchors[node]
        if node is not None and anchor is None:
            waiting.append(node)
            continue
        gaps[left, anchor] += waiting
        left, waiting = anchor, []
    return dict(gaps)


def _common(mine: list[Node], theirs: list[Node]) -> list[tuple[Node, Node]]:
    """The longest common subsequence of two lists of nodes with equal behaviors."""
    m, k = len(mine), len(theirs)
    same = [[_continues(a, b) and a.behavior == b.behavior for b in theirs] for a in mine]
    best = [[0] * (k + 1) for _ in range(m + 1)]
    for i in reversed(range(m)):
        for j in reversed(range(k)):
            best[i][j] = best[i + 1][j + 1] + 1 if same[i][j] else max(best[i + 1][j], best[i][j + 1])
    pairs, i, j = [], 0, 0
    while i < m and j < k:
        if same[i][j] and best[i][j] == best[i + 1][j + 1] + 1:
            pairs.append((mine[i], theirs[j]))
            i, j = i + 1, j + 1
        elif best[i + 1][j] >= best[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs
