"""Measures, which a sweep reads of a run: meters of the scenario, metrics by name, functions of the stage."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from steersman.core.parameters.brief import brief
from steersman.core.parameters.guiding import suggestion
from steersman.runs.documents.stage import Stage
from steersman.runs.metrics.meters import Meter
from steersman.runs.metrics.metric import METRICS

SUMMARIES: dict[str, Callable[[Any], Any]] = {
    "now": lambda values: values[-1],
    "start": lambda values: values[0],
    "mean": np.mean,
    "least": np.min,
    "greatest": np.max,
}
"""How the readings of a meter become a number; "now" is the last reading, and of all others NaN is left out."""


@dataclass(frozen=True)
class Reading:
    """A meter, or a metric by name, made a number.

    Attributes:
        label: `population.metric`, or `metric` of the main population.
        summary: A key of SUMMARIES.
        seconds: Only the readings of the last so many seconds count; all if None.
    """

    label: str
    summary: str = "now"
    seconds: float | None = None

    def meter(self, stage: Stage) -> Meter:
        """The meter of a stage, which is watched from now on if it was not before.

        Raises:
            ValueError: There is no such meter, nor such a metric.
        """
        main = next(iter(stage.world.populations), "")
        label = self.label if "." in self.label else f"{main}.{self.label}"
        if label not in stage.meters:
            population, _, metric = label.rpartition(".")
            if population not in stage.world.populations or metric not in METRICS:
                known = [*stage.meters, *sorted(METRICS)]
                raise ValueError(f"measure: there is no metric {self.label!r}{suggestion(self.label, known)}")
            if METRICS[metric].to:
                raise ValueError(f"measure: {metric!r} needs a reference; watch it in the scenario, with `to`")
            stage.watch(population, metric)
        return stage.meters[label]

    def of(self, stage: Stage) -> float:
        """The number, after the run; NaN if there is no reading to make it of."""
        meter = self.meter(stage)
        values = meter.values
        if self.seconds is not None:
            since = stage.world.time - self.seconds
            values = values[meter.times >= since - 1e-9 * max(1.0, abs(since))]
        if self.summary != "now":
            values = values[~np.isnan(values)]
        return float(SUMMARIES[self.summary](values)) if len(values) else math.nan


@dataclass(frozen=True)
class Own:
    """A function of the stage after the run."""

    function: Callable[[Stage], Any]

    def of(self, stage: Stage) -> float:
        """The number, after the run."""
        return float(self.function(stage))


Measures = Mapping[str, Reading | Own]
"""Name of a column -> its description."""


def as_measures(measure: Any) -> dict[str, Reading | Own]:
    """The measures that a call asks for.

    Args:
        measure: A name or a function, a list of them, or a mapping from columns to them. A name is `metric` or
            `population.metric`, then maybe `:mean`, `:least`, `:greatest`, `:start` or `:now`, then maybe `:5`, for the
            last 5 s.

    Raises:
        ValueError: A name cannot be read, or two columns have one name.
    """
    if isinstance(measure, str) or callable(measure):
        measure = [measure]
    if not isinstance(measure, (Mapping, Iterable)):
        raise TypeError(f"measure must be names of metrics, functions of the stage, or a mapping, got {brief(measure)}")
    items = measure.items() if isinstance(measure, Mapping) else [(_name(each), each) for each in measure]
    measures: dict[str, Reading | Own] = {}
    for name, each in items:
        if name in measures:
            raise ValueError(f"measure has two columns {name!r}; give a mapping with a name for each")
        measures[name] = _reading(each) if isinstance(each, str) else Own(each)
    return measures


def _name(item: Any) -> str:
    if not isinstance(item, str) and not callable(item):
        raise TypeError(f"measure must have names of metrics, or functions of the stage, got {brief(item)}")
    return item if isinstance(item, str) else str(getattr(item, "__name__", type(item).__name__))


def _reading(text: str) -> Reading:
    label, *more = (part.strip() for part in text.split(":"))
    summary, seconds = (*more, None, None)[:2]
    if len(more) > 2 or (summary is not None and summary not in SUMMARIES):
        raise ValueError(f"measure must be METRIC[:{'|'.join(SUMMARIES)}[:SECONDS]], got {text!r}")
    try:
        last = None if seconds is None else float(seconds.removesuffix("s"))
    except ValueError:
        last = math.nan
    if last is not None and not last >= 0:
        raise ValueError(f"measure must have a number of seconds >= 0 after the second colon, got {text!r}")
    return Reading(label, summary or "now", last)


def all_meters(stage: Stage) -> dict[str, Reading | Own]:
    """The last readings of all meters of a stage: the measures of a call that names none."""
    return {label: Reading(label) for label in stage.meters}
