"""Exchanging: one object replaces another in all objects that refer to it. Those are made anew, all others stay."""

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from steersman.core.steering.tree.node_parameters import NodeParameters


def exchanged(value: Any, old: Any, new: Any, *, nodes: bool = False) -> Any:
    """A value with one object replaced by another; the value itself where the object does not occur in it.

    Args:
        value: A parameter, or several in tuples, lists and mappings; parameters of parameters are searched, too.
        old, new: The objects.
        nodes: Whether behaviors and conditions are searched, too.

    Raises:
        TypeError, ValueError: The new object is not allowed in the place of the old one.
    """
    return _Exchange(old, new, nodes).of(value)


class _Exchange:
    """One exchange. Each object is searched once, so an object with several references stays a single object."""

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
