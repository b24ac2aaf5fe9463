"""Finding a node of a steering tree: by its name, by its class, or by the behavior itself."""

from typing import Any

from steersman.core.steering.tree.tree import Node

MOST = 100
"""Characters of a name in a message."""


def find_node(tree: Node | None, which: Any = None, kind: type[Any] | None = None) -> Node:
    """A node of a tree.

    Args:
        tree: The tree; None while no behavior steers.
        which: The name given to the node, the name of its class, the behavior itself, or the node. Default: any.
        kind: Only nodes of this class count.

    Returns:
        The only node found; of several, the one that stands above all others.

    Raises:
        KeyError: No node is found, or none of them stands above all others.
    """
    nodes = [] if tree is None else [node for node in tree.walk() if kind is None or isinstance(node.behavior, kind)]
    matches = [node for node in nodes if which is None or _is(node, which)]
    top = [node for node in matches if all(node.depth < other.depth for other in matches if other is not node)]
    if not top:
        subject = kind.__name__ if kind is not None else "node"
        selector = "" if which is None else f" {which[:MOST] if isinstance(which, str) else type(which).__name__}"
        problem = f"there are {len(matches)} nodes" if matches else f"there is no {subject}"
        labels = ", ".join(dict.fromkeys(node.label for node in nodes)) or "none"
        advice = "; give them a name= to tell them apart" if matches else ""
        raise KeyError(f"{problem}{selector} in the steering tree (there are: {labels}){advice}")
    return top[0]


def _is(node: Node, which: Any) -> bool:
    if isinstance(which, str):
        return which in (node.behavior.name, type(node.behavior).__name__)
    return which is node or which is node.behavior
