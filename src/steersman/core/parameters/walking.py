"""Walks over parameters: the values that an object is made of, and the same object with other values in it."""

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from steersman.core.parameters.parameters import PLAIN


def fields_of(value: Any) -> dict[str, Any]:
    """The parameters that a dataclass is made of, by name."""
    return {each.name: getattr(value, each.name) for each in dataclasses.fields(value) if each.init}


def _always(value: Any) -> bool:
    return True


def walk(value: Any, inside: Callable[[Any], bool] = _always) -> Iterator[Any]:
    """A value and all values in it, each once, outer ones first; no numbers and texts.

    Args:
        value: Any value. Dataclasses, tuples, lists and mappings have values in them.
        inside: Whether to look for values in a value. Default: in all of them.
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
    """A value with other values in it; the value itself where none of them changes.

    Each object is asked for once, so that an object with several references stays a single object.

    Args:
        value: Any value. Dataclasses, tuples, lists and mappings have values in them.
        change: Gives the value that replaces one; the same value leaves it, and is asked for the values in it.
        inside: Whether to look for values in a value. Default: in all of them.

    Raises:
        TypeError, ValueError: A new value is not allowed in its place.
    """
    known: dict[int, tuple[Any, Any]] = {}

    def of(each: Any) -> Any:
        if type(each) in PLAIN:
            return change(each)
        if id(each) not in known:
            known[id(each)] = (each, made(each))
        return known[id(each)][1]

    def made(each: Any) -> Any:
        new = change(each)
        parts = parts_of(each) if new is each and inside(each) else None
        if parts is None:
            return new
        changed = [of(part) for part in parts]
        if all(now is before for now, before in zip(changed, parts, strict=True)):
            return each
        if isinstance(each, Mapping):
            return dict(zip(each, changed, strict=True))
        if isinstance(each, (tuple, list)):
            return getattr(type(each), "_make", type(each))(changed)  # A named tuple has a way of its own.
        named = zip(fields_of(each).items(), changed, strict=True)
        return dataclasses.replace(each, **{name: now for (name, before), now in named if now is not before})

    return of(value)


def parts_of(value: Any) -> list[Any] | None:
    """The values in a value; None where it has none."""
    if isinstance(value, Mapping):
        return list(value.values())
    if isinstance(value, (tuple, list)):
        return list(value)
    is_made = dataclasses.is_dataclass(value) and not isinstance(value, type)
    return list(fields_of(value).values()) if is_made else None
