"""Overrides: changes of a document before it is read, such as `populations.boids.max_speed=14`."""

import tomllib
from collections.abc import Mapping
from typing import Any

from steersman.core.parameters.guiding import suggestion
from steersman.runs.documents.limits import excess_of
from steersman.runs.documents.problems import Place


def assigned(assignment: str) -> tuple[str, Any]:
    """The path and the value of `path=value`. The value is written as in TOML; a bare word counts as text.

    Raises:
        ValueError: The assignment cannot be read.
    """
    path, sign, text = assignment.partition("=")
    if not sign or not all(step.strip() for step in path.split(".")):
        raise ValueError(f"must be path.to.param=value, got {assignment!r}")
    return path.strip(), parsed(text)


def change(document: dict[str, Any], path: str, value: Any) -> Place:
    """Change one value of a document in place.

    Args:
        document: The document.
        path: The dotted path of the value; an item of a list is named by its number, its `name`, or the name of its
            behavior.
        value: The new value.

    Returns:
        The place that was changed.

    Raises:
        ValueError: The path leads nowhere.
    """
    place, here = _around(document, path, make=True)
    last: Any = _index(here, place[-1]) if isinstance(here, list) else place[-1]
    here[last] = value
    return (*place[:-1], last)


def value_at(document: dict[str, Any], path: str) -> Any:
    """The value of a document at a path; None if the document does not contain it.

    Raises:
        ValueError: The path leads nowhere.
    """
    place, here = _around(document, path, make=False)
    return here[_index(here, place[-1])] if isinstance(here, list) else here.get(place[-1])


def _around(document: dict[str, Any], path: str, *, make: bool) -> tuple[tuple[Any, ...], Any]:
    """The place of a path, and the table or list that holds its last step; missing tables are made, or taken as empty."""
    steps = [step.strip() for step in path.split(".")]
    if not all(steps):
        raise ValueError(f"must be path.to.param, got {path!r}")
    here: Any = document
    place: Place = ()
    for step in steps[:-1]:
        key, here = _inside(here, step, make=make)
        place = (*place, key)
    return (*place, steps[-1]), here


def parsed(text: str) -> Any:
    """A value in TOML syntax; a text that is no TOML is taken as a string.

    Raises:
        ValueError: The text is nested too deep, or has a number with too many digits.
    """
    excess = excess_of(text)
    if excess is not None:
        raise ValueError(excess[0])
    try:
        return tomllib.loads(f"value = {text.strip()}")["value"]
    except tomllib.TOMLDecodeError:
        return text.strip()


def _inside(here: Any, step: str, *, make: bool) -> tuple[str | int, Any]:
    """A step of a path, and the value below it; missing tables are made, or taken as empty."""
    key: Any = _index(here, step) if isinstance(here, list) else step
    inner = here[key] if isinstance(here, list) else here.setdefault(key, {}) if make else here.get(key, {})
    if not isinstance(inner, (dict, list)):
        raise ValueError(f"there is nothing below {step!r}, which is {inner!r}")
    return key, inner


def _index(items: list[Any], step: str) -> int:
    """The number of an item, by number, name or behavior."""
    if step.isdigit() and int(step) < len(items):
        return int(step)
    names = [_names(item) for item in items]
    matches = [index for index, own in enumerate(names) if step in own]
    if len(matches) > 1:
        raise ValueError(f"{step!r} stands for several items, {matches}: give the number")
    if not matches:
        known = [name for own in names for name in own] or [str(index) for index in range(len(items))]
        raise ValueError(f"there is no item {step!r} in the list{suggestion(step, known, label='items')}")
    return matches[0]


def _names(item: Any) -> list[str]:
    keys = ("name", "behavior")
    return [str(item[key]) for key in keys if key in item] if isinstance(item, Mapping) else []
