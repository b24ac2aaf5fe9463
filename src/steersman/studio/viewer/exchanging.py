"""Exchanging: one thing in the place of another in all that refers to it. What refers to it is made anew, all else stays."""

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from steersman.core.steering.tree.node_parameters import NodeParameters


def exchanged(value: Any, old: Any, new: Any, *, nodes: bool = False) -> Any:
    """A value in which one thing stands where another stood; the value itself where that is not in it.

    Args:
        value: A parameter, or several in tuples, lists and mappings; parameters of parameters are looked through, too.
        old, new: The things.
        nodes: Whether behaviors and conditions are looked through, too.

    Raises:
        TypeError, ValueError: The new thing is not allowed where the old one stood.
    """
    return _Exchange(old, new, nodes).of(value)


class _Exchange:
    """What was looked through once is not looked through again: it stays one thing where it stands several times."""

    def __init__(self, old: Any, new: Any, nodes: bool) -> None:
        self.new, self.nodes = new, nodes
        self.known: dict[int, tuple[Any, Any]] = {id(old): (old, new)}

    def of(self, value: Any) -> Any:
        if id(value) not in self.known:
            self.known[id(value)] = (value, self._made(value))
        return self.known[id(value)][1]

    def _made(self, value: Any) -> Any:
        if value is None or isinstance(value, (str, bytes, int, float, np.ndarray, type)):
            return value
        if isinstance(value, Mapping):
            changed: Any = {key: self.of(each) for key, each in value.items()}
            return changed if any(changed[key] is not value[key] for key in value) else value
        if isinstance(value, (tuple, list)):
            each_changed = [self.of(each) for each in value]
            if all(one is other for one, other in zip(each_changed, value, strict=True)):
                return value
            return type(value)(*each_changed) if hasattr(value, "_fields") else type(value)(each_changed)
        looked_through = dataclasses.is_dataclass(value) and (self.nodes or not isinstance(value, NodeParameters))
        if looked_through and not isinstance(value, type):
            inner = {each.name: getattr(value, each.name) for each in dataclasses.fields(value) if each.init}
            fields = {name: self.of(each) for name, each in inner.items()}
            changes = {name: each for name, each in fields.items() if each is not inner[name]}
            return dataclasses.replace(value, **changes) if changes else value
        return value
