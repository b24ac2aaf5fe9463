"""Metrics of no vehicles, of one vehicle, of two in one place, and of no frames: numbers, or a refusal, and no warning."""

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from faults.calls import FUNCTIONS, call_with, measures_of

import steersman as sm

from .answers import parts_of
from .table import Rows, Section, vectors

FEW = {"no vehicles": (4, 0), "one vehicle": (4, 1), "two in one place": (4, 2), "no frames": (0, 5)}
"""Numbers of frames and of vehicles."""


def answer(question: Callable[[], Any]) -> str:
    """All numbers of an answer, with their shapes; or why it is refused."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = question()
    except ValueError as error:
        return f"refused, {error}"
    return " and ".join(told(value, name) for name, value in parts_of(found))


def told(value: Any, name: str = "") -> str:
    """One part of an answer."""
    if value is None or isinstance(value, str):
        return f"{name} {value}".strip()
    array = np.asarray(value)
    if array.dtype == object:
        return f"{name} {len(array)} parts".strip()
    shape = f"of shape {' '.join(map(str, array.shape))}" if array.ndim else ""
    return " ".join(filter(None, [name, vectors(array.astype(float).reshape(-1)) if array.size else "", shape]))


def of_metric(name: str) -> Rows:
    """A metric of too few."""
    section, known = Section(), measures_of(name)
    given = {each: known[each][0] for each in known}
    vehicles = given.keys() & {"position", "velocity"}
    for about, (frames, n) in FEW.items():
        few = {each: np.ones((frames, n, np.shape(given[each])[-1])) for each in vehicles}
        section.add(about, answer(partial(call_with, getattr(sm.metrics, name), given | few)))
    return section.rows


SECTIONS: dict[str, Callable[[], Rows]] = {
    name: partial(of_metric, name) for name in FUNCTIONS if {"position", "velocity"} & measures_of(name).keys()
}
