"""Walks over parameters: iterate over all values inside a value, and make a copy of a value with other values inside."""

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from steersman.core.parameters.parameters import PLAIN


def fields_of(value: Any) -> dict[str, Any]:
    """The fields of a dataclass that its constructor takes, by name."""
    return {each.name: getattr(value, each.name) for each in dataclasses.fields(value) if each.init}


def _always(value: Any) -> bool:
    return True


def walk(value: Any, inside: Callable[[Any], bool] = _always) -> Iterator[Any]:
    """A value and all values inside it, each once, outer values first; numbers and texts are left out.

    Args:
        value: Any value. Dataclasses, tuples, lists and mappings have values inside.
        inside: A function that returns whether to look inside a value. Default: into all values.
    """
    return _walk(value, inside, {})


def _walk(value: Any, inside: Callable[[Any], bool], visited: dict[int, Any]) -> Iterator[Any]:
    if type(value) in PLAIN or id(value) in visited:
        return
    visited[id(value)] = value
    yield value
    if inside(value):
        for each in parts_of(value) or ():
            yield from _walk(each, inside, visited)


def rewritten(value: Any, change: Callable[[Any], Any], inside: Callable[[Any], bool] = _always) -> Any:
    """A copy of a value with other values inside; the value itself if none of them changes.

    `change` is called once for each object, so that an object with several references stays a single object.

    Args:
        value: Any value. Dataclasses, tuples, lists and mappings have values inside.
        change: A function of a value that returns its replacement. If it returns the same object, the values inside are
            changed instead.
        inside: A function that returns whether to look inside a value. Default: into all values.

    Raises:
        TypeError, ValueError: A new value is not allowed in its place.
    """
    known: dict[int, tuple[Any, Any]] = {}

    def replaced(each: Any) -> Any:
        if type(each) in PLAIN:
            return change(each)
        if id(each) not in known:  # With the object itself, so that its id stays its own.
            known[id(each)] = (each, with_parts_replaced(each))
        return known[id(each)][1]

    def with_parts_replaced(each: Any) -> Any:
        new = change(each)
        parts = parts_of(each) if new is each and inside(each) else None
        if parts is None:
            return new
        changed = [replaced(part) for part in parts]
        if all(now is before for now, before in zip(changed, parts, strict=True)):
            return each
        if isinstance(each, Mapping):
            return dict(zip(each, changed, strict=True))
        if isinstance(each, (tuple, list)):
            return getattr(type(each), "_make", type(each))(changed)  # A named tuple takes its fields one by one.
        named = zip(fields_of(each).items(), changed, strict=True)
        return dataclasses.replace(each, **{name: now for (name, before), now in named if now is not before})

    return replaced(value)


def parts_of(value: Any) -> list[Any] | None:
    """The values inside a value; None if it has no values inside."""
    if isinstance(value, (tuple, list)):
        return list(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return list(fields_of(value).values())
    return list(value.values()) if isinstance(value, Mapping) else None
