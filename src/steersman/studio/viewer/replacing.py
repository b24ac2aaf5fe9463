"""Exchanging: one object replaces another in all objects that refer to it. Those are made anew, all others stay."""

from typing import Any

from steersman.core.parameters.walking import rewritten
from steersman.core.steering.tree.node_parameters import NodeParameters


def exchanged(value: Any, old: Any, new: Any, *, nodes: bool = False) -> Any:
    """A value with one object replaced by another; the value itself where the object does not occur in it.

    Args:
        value: A parameter, or several in tuples, lists and mappings; parameters of parameters are searched, too.
        old, new: The objects.
        nodes: Whether behaviors and conditions are searched, too, and not only the value itself.

    Raises:
        TypeError, ValueError: The new object is not allowed in the place of the old one.
    """
    return rewritten(
        value,
        lambda each: new if each is old else each,
        lambda each: nodes or each is value or not isinstance(each, NodeParameters),
    )
