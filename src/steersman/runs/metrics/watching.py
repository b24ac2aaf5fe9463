"""Watching: metrics of a population are measured from now on, by their names or as functions of your own."""

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from steersman.core.environment.obstacles.obstacle import Obstacles
from steersman.core.environment.paths.path import Path
from steersman.core.parameters.brief import brief
from steersman.core.parameters.guiding import suggestion
from steersman.core.parameters.kinds import Description, Kind
from steersman.core.world.observers import EverySeconds, EverySteps, Trigger
from steersman.core.world.population import Population
from steersman.core.world.surroundings import surroundings
from steersman.core.world.world import World
from steersman.runs.metrics.meters import MEASURED, TOWARD, Meter
from steersman.runs.metrics.metric import METRICS, Metric, Subject
from steersman.runs.metrics.reading import Meters


@dataclass(frozen=True)
class OfVehicles:
    """A measure that is a function of the vehicles alone."""

    function: Any

    def __call__(self, subject: Subject) -> float:
        """The value of the function."""
        number: float = self.function(subject.vehicles)
        return number


def meters_in(world: World) -> Meters:
    """The meters of a world, none at first."""
    if world.meters is None:
        world.meters = Meters()
    return world.meters


def watch(
    world: World,
    population: str | Population | None,
    metrics: Sequence[str],
    own: Mapping[str, Any],
    *,
    to: Any = None,
    every: float | Trigger = 0.25,
    obstacles: tuple[Obstacles, ...] | None = None,
) -> Meters:
    """Measure something of a population from now on. See `World.watch`.

    Args:
        world: The world.
        population: The population to measure; the only one if None.
        metrics: Names of `METRICS`.
        own: Metrics by their new names: functions of vehicles, a Metric, or names of `METRICS`.
        to: The target of metrics that need one.
        every: Time between readings [s], or a trigger.
        obstacles: The obstacles for `penetration`. Default: all present obstacles of the populations and constraints.

    Raises:
        ValueError: The metric needs `to` or obstacles, no metric needs the `to`, or it is watched already.
    """
    for word, value in (("to", to), ("every", every)):
        if callable(value) or isinstance(value, Metric):
            raise ValueError(
                f"{word!r} is a parameter of watch; give the metric another name, got {word}={brief(value)}"
            )
    name = _name_of(world, population)
    chosen = [(word, as_metric(word, meant)) for word, meant in (*zip(metrics, metrics, strict=True), *own.items())]
    if not chosen:
        raise ValueError(f"at least one metric must be given: {', '.join(sorted(METRICS))}, or a function of vehicles")
    if obstacles is None:
        known = surroundings(world.populations.values(), world.constraints)
        obstacles = tuple(item for item in known if isinstance(item, Obstacles))
    for word, metric in chosen:
        if metric.needs_obstacles and not obstacles:
            raise ValueError(
                f"metric {word!r} needs obstacles, and no behavior or constraint here has any; measure toward others by "
                f"a function: {word}=lambda vehicles: sm.metrics.{word}(vehicles, rocks)"
            )
    if to is not None and not any(metric.to for _, metric in chosen):
        words = " and ".join(repr(word) for word, _ in chosen)
        raise ValueError(f"`to` must be left out for {words}, which measure toward nothing else; got {brief(to)}")
    made = []
    for word, metric in chosen:
        target = _target(world, word, metric, to) if metric.to else None
        subject = Subject(world[name], world.domain, obstacles, target)
        made.append(Meter(f"{name}.{word}", metric, subject))
    meters = meters_in(world)
    meters.add(made, world, as_trigger(every))
    return meters


def _name_of(world: World, population: str | Population | None) -> str:
    names = list(world.populations)
    if population is None:
        if len(names) != 1:
            raise ValueError(f"which population is meant must be said: {', '.join(names) or 'there is none'}")
        return names[0]
    name = population.name if isinstance(population, Population) else population
    if name in METRICS and name not in names:
        raise KeyError(f"{name!r} is a metric; the name of a population comes first: {', '.join(names)}")
    _ = world[name]  # Says which populations there are.
    return name


def as_metric(word: str, value: Any) -> Metric:
    """The metric that a name, a function or a Metric stands for.

    Args:
        word: Its name in messages.
        value: The name, the function or the Metric.
    """
    if isinstance(value, Metric):
        return value
    if isinstance(value, str):
        if value not in METRICS:
            raise ValueError(f"there is no metric {value!r}{suggestion(value, METRICS)}")
        return METRICS[value]
    if not callable(value):
        near = " or ".join(f"{name!r}" for name in difflib.get_close_matches(word, ("to", "every")))
        guess = f"; did you mean the parameter {near}?" if near else ""
        raise TypeError(
            f"metric {word!r} must be a function of vehicles, a Metric, or the name of one, got {brief(value)}{guess}"
        )
    return Metric("", "", OfVehicles(value))


def _target(world: World, word: str, metric: Metric, to: Any) -> Any:
    """The target of a metric."""
    if to is None:
        raise ValueError(f"metric {word!r} needs {TOWARD[metric.to]}")
    if metric.to == "path" and not isinstance(to, Path):
        raise TypeError(f"metric {word!r} needs {TOWARD[metric.to]}, got {brief(to)}")
    if metric.to in ("region", "area", "floor", "distance"):
        return MEASURED[metric.to].normal(Description("to", MEASURED[metric.to]), to)
    if isinstance(to, Population):
        return to.vehicles
    return world[to] if isinstance(to, str) else to


def as_trigger(every: Any, name: str = "every") -> Trigger:
    """The trigger for a period in seconds or steps, or a trigger itself.

    Args:
        every: A number of seconds, a text such as "step" or "6 steps", or a trigger.
        name: Its name in messages.
    """
    if isinstance(every, Trigger):
        return every
    if isinstance(every, str):
        match = re.fullmatch(r"(\d{0,15}) ?steps?", every.strip())
        if match is None:
            raise ValueError(f"{name} must be {TRIGGER.words}, got {brief(every)}")
        return EverySteps(int(match[1] or 1))
    try:
        return EverySeconds(every)
    except (TypeError, ValueError) as error:
        raise type(error)(str(error).replace("seconds", name, 1)) from None


TRIGGER = Kind(
    "trigger", 'a time > 0 s, or steps such as "6 steps"', lambda name, value: as_trigger(value, name), base=Trigger
)
