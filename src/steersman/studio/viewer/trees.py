"""Steering trees for the panel: sent with the descriptions of their parameters, and changed node by node.

A change makes a new tree, which is assigned as in any program: the nodes that stay keep their memory.
"""

import math
from collections.abc import Mapping
from keyword import iskeyword
from typing import Any

import numpy as np

from steersman.core.action_selection.modes import Modes
from steersman.core.environment.obstacles.obstacle import Several
from steersman.core.parameters.expression import Names, expression
from steersman.core.parameters.kinds import FLAG, INTEGER, Description
from steersman.core.parameters.parameters import describe
from steersman.core.parameters.walking import walk
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.combining.switch import Switch
from steersman.core.steering.combining.weighted_sum import PARTS
from steersman.core.steering.tree.node_parameters import NodeParameters
from steersman.core.steering.tree.tree import Node
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.population import Population
from steersman.core.world.writing import to_document
from steersman.runs.documents.toml_text import in_lists, to_toml
from steersman.studio.viewer.conditions import PlainNames, plainly
from steersman.studio.viewer.replacing import exchanged

HIDDEN = ("weights", "name")
"""Parameters that have a place of their own, or none."""


def message(population: Population, names: PlainNames | None = None) -> dict[str, Any]:
    """The tree of a population as JSON.

    Args:
        population: The population.
        names: The names of vehicles, for conditions.
    """
    tree = None if population.tree is None else _node(population.tree, names or PlainNames())
    return {"name": population.name, "tree": tree}


def _titles(node: Node) -> list[str]:
    """The titles of the parts of a node: a mode by its name, and of several with one name also their own parts."""
    parts = [child.children[0] if _is_off(child) else child for child in node.children]
    if isinstance(node.behavior, Modes) and len(parts) == len(node.behavior.modes):
        return [f"{mode}: {part.label}" for mode, part in zip(node.behavior.modes, parts, strict=True)]
    labels = [part.label for part in parts]
    for k, part in enumerate(parts):
        if sum(part.label == other.label for other in parts) > 1 and part.children:
            labels[k] = f"{part.label} of {', '.join(each.label for each in part.children[:3])}"
    counts = [labels[: k + 1].count(label) for k, label in enumerate(labels)]
    return [
        label if labels.count(label) == 1 else f"{label} {count}" for label, count in zip(labels, counts, strict=True)
    ]


def _node(node: Node, names: PlainNames, title: str = "") -> dict[str, Any]:
    """A node; a node that is switched off is shown as itself."""
    off = _is_off(node)
    inner = node.children[0] if off else node
    weights = _weights_above(node)
    doc = next(iter((type(inner.behavior).__doc__ or "").strip().split("\n")), "")
    return {
        "key": inner.key,
        "label": inner.label.replace("<lambda>", "lambda"),
        "title": title or inner.label,
        "class": type(inner.behavior).__name__,
        "doc": doc,
        "behavior": isinstance(inner.behavior, Behavior),
        "on": not off,
        "weight": None if weights is None else weights[_above(node).children.index(node)],
        "parameters": [each for about in describe(type(inner.behavior)) if (each := _parameter(inner, about, names))],
        "children": [_node(child, names, each) for child, each in zip(inner.children, _titles(inner), strict=True)],
        "conditions": [_node(each, names, plainly(each.behavior, names)) for each in inner.conditions],
    }


def _is_off(node: Node) -> bool:
    """Whether a node is a switch of the panel that is off."""
    return isinstance(node.behavior, Switch) and node.behavior.on is False and node.behavior.name is None


def _above(node: Node) -> Node:
    assert node.parent is not None
    return node.parent


def _weights_above(node: Node) -> Any:
    """The list of weights that includes the weight of a node; None for a node without one."""
    if node.parent is None or node not in node.parent.children:
        return None
    weights = getattr(node.parent.behavior, "weights", None)
    return weights if weights is not None and len(weights) == len(node.parent.children) else None


def _parameter(node: Node, about: Description, names: PlainNames) -> dict[str, Any] | None:
    """A parameter with its control: a range, a flag, a choice, numbers to type, or only its value; None for the parts."""
    value = getattr(node.behavior, about.name)
    if about.name in HIDDEN or about.kind.is_like(PARTS) or _holds_nodes(value):
        return None
    control: dict[str, Any] = {"name": about.name, "unit": about.unit, "doc": about.doc, "allowed": about.allowed}
    control["choices"] = list(about.choices)
    if isinstance(value, (bool, np.bool_)) or about.kind is FLAG:
        return {**control, "control": "flag", "value": bool(value)}
    if isinstance(value, str) and about.choices:
        numeric = about.kind.base is not None and about.kind.words.startswith("a ")
        return {**control, "control": "choice", "value": value, "typed": numeric}
    if isinstance(value, (int, float, np.integer, np.floating)):
        low, high = range_of(about, float(value))
        whole = about.kind is INTEGER
        finite = float(value) if math.isfinite(value) else str(float(value))
        return {**control, "control": "number", "value": finite, "low": low, "high": high, "whole": whole}
    if isinstance(value, np.ndarray) and value.ndim == 1 and value.size <= 4 and value.dtype.kind == "f":
        return {**control, "control": "numbers", "value": [float(f"{each:.12g}") for each in value.tolist()]}
    return {**control, "control": "none", "value": _words(value, names)}


def _words(value: Any, names: PlainNames) -> str:
    """A value that the panel shows and does not change: populations by their names, arrays by their lengths."""
    if isinstance(value, Vehicles):
        return names.of(value, "vehicles")
    if isinstance(value, Several):
        return _words(value.sets, names)
    if isinstance(value, np.ndarray):
        return f"{len(value)} {'number' if value.ndim == 1 else 'point'}{'s' * (len(value) != 1)}"
    if isinstance(value, (dict, tuple, list)):
        items = value if isinstance(value, dict) else (_words(each, names) for each in value)
        return ", ".join(dict.fromkeys(items)) or "none"
    if value is None or isinstance(value, str):
        return value or "none"
    name = getattr(value, "__name__", None) or type(value).__name__
    return "a function" if name == "<lambda>" else name


def _holds_nodes(value: Any) -> bool:
    """Whether there are nodes in a value."""
    return any(isinstance(each, NodeParameters) for each in walk(value))


def range_of(about: Description, value: float) -> tuple[float, float]:
    """A range for a slider: the allowed range, or where that is unlimited, a guess around the value."""
    usual = about.default if isinstance(about.default, (int, float)) and math.isfinite(about.default) else 0.0
    size = max(abs(value) if math.isfinite(value) else 0.0, abs(float(usual)))
    guess = 3.0 * size or 10.0
    low = about.low if about.low is not None else about.above
    high = about.high
    if about.unit == "rad" and high is None:
        high = 2 * math.pi
    if low is None:
        low = 0.0 if value >= 0 and usual >= 0 else -guess
    return float(low), float(high if high is not None else max(low + guess, 10.0 if about.kind is INTEGER else 0.0))


# ------------------------------------------------------------------------------------------------------ changing


def find(population: Population, key: Any) -> Node:
    """The node of a key.

    Raises:
        KeyError: The node does not exist any more.
    """
    for node in population.nodes:
        if node.key == key:
            return node
    raise KeyError("this node is not in the steering tree any more")


def set_parameter(population: Population, key: int, name: str, value: Any) -> None:
    """Change a parameter of a node."""
    node = find(population, key)
    about = next((each for each in describe(type(node.behavior)) if each.name == name), None)
    if about is None:
        raise KeyError(f"{node.label} has no parameter {name!r}")
    was = getattr(node.behavior, name)
    if isinstance(value, str) and not about.choices and isinstance(was, (int, float)) and not isinstance(was, bool):
        raise ValueError(f"{name} must be a number here, got {value!r}")
    if about.kind is INTEGER and isinstance(value, float) and value.is_integer():
        value = int(value)
    population.steering = _exchanged(node, node.behavior.replace(**{name: value}))


def set_weight(population: Population, key: int, weight: Any) -> None:
    """Change the weight of a node in the sum above it.

    Raises:
        KeyError: There is no such node, or it has no weight.
    """
    node = find(population, key)
    if isinstance(weight, str):
        raise TypeError(f"weight must be a number here, got {weight!r}")
    node = _above(node) if node.parent is not None and _is_off(node.parent) else node
    weights = _weights_above(node)
    if weights is None:
        raise KeyError(f"{node.label} has no weight")
    above = _above(node)
    changed = list(weights)
    changed[above.children.index(node)] = weight
    population.steering = _exchanged(above, above.behavior.replace(weights=tuple(changed)))


def switch(population: Population, key: int, on: bool) -> None:
    """Switch a node on or off; its memory rests while it is off."""
    node = find(population, key)
    if not isinstance(node.behavior, Behavior):
        raise TypeError("only behaviors are switched off, and this is a condition")
    above = node.parent
    is_off = above is not None and _is_off(above)
    if on and is_off and above is not None:
        population.steering = _exchanged(above, node.behavior)
    elif not on and not is_off:
        population.steering = _exchanged(node, Switch(node.behavior, on=False))


def _exchanged(node: Node, new: Any) -> Any:
    """The root of the tree with another behavior in the place of a node."""
    while node.parent is not None:
        above = node.parent.behavior
        new = exchanged(above, node.behavior, new)
        node = node.parent
    return new


def written(population: Population, form: str, names: Mapping[str, Any]) -> str:
    """The tree as it now is, as Python or as TOML.

    Args:
        population: The population.
        form: "python" or "toml".
        names: Names -> vehicles and things of the scene. In Python, those that it allows stand for what has no other form.

    Raises:
        NoDocumentError: The tree holds a value that TOML has no form for.
        ValueError: The population has no tree.
    """
    if population.steering is None:
        raise ValueError(f"nothing steers {population.name!r}")
    if form == "python":
        known = Names()
        known.known.update({name: each for name, each in names.items() if name.isidentifier() and not iskeyword(name)})
        return expression(population.steering, known)
    return to_toml({"steering": in_lists(to_document(population.steering, names=names))})
