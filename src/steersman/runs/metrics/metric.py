"""Metrics by name: a function with `@metric` can be watched, asked for in documents, and stands in the tables of the pages.

Its docstring says the rest: the description is how it begins, the unit is the first one below `Returns:`, or else of the
beginning.
"""

import inspect
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, ParamSpec, TypeVar

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.obstacles.obstacle import Obstacles
from steersman.core.parameters.guiding import explained
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True)
class Past:
    """The data of a reading that is kept for metrics that look back.

    Attributes:
        time: The time of the reading [s since the start].
        id: Ids of the vehicles, shape (n,).
        velocity: Their velocities [m/s], shape (n, d).
    """

    time: float
    id: Array
    velocity: Array


@dataclass(frozen=True)
class Subject:
    """The input of a metric.

    Attributes:
        vehicles: The population.
        domain: The space of the population.
        obstacles: All obstacles.
        to: The target of the metric: a point (d,), points (m, d), another population, a path, a region, a distance [m].
        past: The last readings, this one included, where a metric looks back.
    """

    vehicles: Vehicles
    domain: Domain
    obstacles: tuple[Obstacles, ...] = ()
    to: Any = None
    past: tuple[Past, ...] = ()


@dataclass(frozen=True)
class Metric:
    """A metric that has a name.

    Attributes:
        unit: Its unit, "" for a pure number; d stands for the dimensions.
        doc: A description in a few words.
        measure: The function of a subject that measures it.
        to: The kind of its target, a key of TOWARD: "target", "path", "region", "area", "floor", "distance"; "" for none.
        readings: The number of readings that it needs, the present one included.
        needs_obstacles: Whether it measures toward the obstacles of the subject.
    """

    unit: str
    doc: str
    measure: Callable[[Subject], float]
    to: str = ""
    readings: int = 1
    needs_obstacles: bool = False

    def __reduce__(self) -> tuple[Any, ...]:
        """Metrics of the library are copied and pickled by name, like functions."""
        name = next((name for name, metric in METRICS.items() if metric is self), None)
        return (_named, (name,)) if name else (Metric, tuple(vars(self).values()))


METRICS: dict[str, Metric] = {}
"""Name -> metric."""


def _named(name: str) -> Metric:
    return METRICS[name]


def metric(*, to: str = "", readings: int = 1) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorates a function of vehicles that can be asked for by its name.

    Args:
        to: The kind of its second argument, if that is what it measures toward; see `Metric`.
        readings: The number of readings that it needs. With more than one it is a function of velocities and dt.
    """

    def register(function: Callable[P, R]) -> Callable[P, R]:
        around = _surroundings_of(function)
        measure: Callable[[Subject], Any]
        measure = (
            partial(_looking_back, function, readings) if readings > 1 else partial(_now, function, bool(to), around)
        )
        METRICS[function.__name__] = Metric(
            unit_of(function), beginning_of(function), measure, to, readings, "obstacles" in around
        )
        return explained(function)

    return register


def _surroundings_of(function: Callable[..., Any]) -> tuple[str, ...]:
    """The arguments of a metric that are parts of the subject around the vehicles."""
    return tuple(name for name in ("obstacles", "domain") if name in inspect.signature(function).parameters)


def _now(function: Callable[..., Any], toward: bool, surroundings: tuple[str, ...], subject: Subject) -> Any:
    """A metric of one moment."""
    more = {name: getattr(subject, name) for name in surroundings}
    return function(subject.vehicles, *([subject.to] if toward else []), **more)


def _looking_back(function: Callable[..., Any], readings: int, subject: Subject) -> Any:
    """A metric of the velocities at the last readings, of the vehicles that were present at all of them.

    NaN where there are fewer readings, or readings at unequal times.
    """
    times = [each.time for each in subject.past]
    steps = np.diff(times)
    if len(times) < readings or not np.allclose(steps, steps[0], rtol=1e-6, atol=0) or not steps[0] > 0:
        return math.nan
    present = subject.past[0].id
    for each in subject.past[1:]:
        present = present[np.isin(present, each.id)]
    rows = []
    for each in subject.past:
        order = np.argsort(each.id)
        rows.append(each.velocity[order[np.searchsorted(each.id, present, sorter=order)]])
    return function(np.array(rows), float(steps[0]))


def beginning_of(function: Callable[..., Any]) -> str:
    """The description of a metric in a few words: how its docstring begins."""
    first = " ".join((inspect.getdoc(function) or "").partition("\n\n")[0].split())
    words = re.split(r" \[|[;:]|, from 0 to 1|\.(?: |$)", first)[0]
    return words[:1].lower() + words[1:]


def unit_of(function: Callable[..., Any]) -> str:
    """The unit of a metric by its docstring; "" for a pure number."""
    text = inspect.getdoc(function) or ""
    _, _, returned = text.partition("\nReturns:\n")
    unit = re.search(r"\[(.+?)\]", (returned or text).partition("\n\n")[0])
    return unit[1] if unit else ""
