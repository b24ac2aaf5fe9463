"""Meters: metrics by name, watched during a run.

A meter stores the first, least, greatest and present value of a metric, and the series of all its readings. So a run can be
judged by its whole course, and not by its end alone. `watching` reads the meters of a world.
"""

import math
from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from numbers import Real
from typing import Any

import numpy as np

from steersman.core.environment.paths.path import PATH
from steersman.core.environment.regions.kind import REGION
from steersman.core.parameters.arrays import frozen
from steersman.core.parameters.brief import brief
from steersman.core.parameters.kinds import NUMBER, Kind, as_number
from steersman.core.steering.targets.target import TARGET
from steersman.core.typing import Array
from steersman.runs.metrics.crowding import as_area, as_floor
from steersman.runs.metrics.metric import Metric, Past, Subject
from steersman.runs.metrics.tabular import as_pandas, as_polars, as_xarray

TOWARD = {
    "target": "a target `to`: a point or a population",
    "path": "a path `to` measure from",
    "region": "a region `to` measure from",
    "area": "an area `to` measure in: a Box, Sphere or Polygon",
    "floor": "an area `to` measure in: a Box or a Polygon in the plane",
    "distance": "a distance `to` each other [m] up to which two are linked",
}
"""Kind of a metric's target -> the words for it in messages."""

DISTANCE = Kind(
    "distance",
    "a distance > 0 m",
    lambda name, value: as_number(name, value, above=0, unit="m"),
    base=Real,
    like=NUMBER,
)
AREA = Kind("area", "a Box, Sphere or Polygon", as_area, like=REGION)
FLOOR = Kind("floor", "a Box or a Polygon in the plane", as_floor, like=REGION)
MEASURED = {kind.name: kind for kind in (TARGET, PATH, REGION, AREA, FLOOR, DISTANCE)}
"""Name -> kind of a metric's target."""

VALUES = ("now", "start", "least", "greatest")
"""The values that a meter keeps besides its series."""


@dataclass
class Meter:
    """One metric of one population, watched.

    Attributes:
        label: Its name in tables: `boids.polarization`.
        metric: The metric.
        subject: The input of the metric.
        start, least, greatest, now: Its values; NaN before the first reading.
    """

    label: str
    metric: Metric
    subject: Subject
    start: float = math.nan
    least: float = math.nan
    greatest: float = math.nan
    now: float = math.nan
    _times: "array[float]" = field(default_factory=lambda: array("d"), repr=False)
    _values: "array[float]" = field(default_factory=lambda: array("d"), repr=False)
    _past: tuple[Past, ...] = field(default=(), repr=False)

    @property
    def unit(self) -> str:
        """The unit of its values, "" for a pure number."""
        return self.metric.unit.replace("^d", f"^{self.subject.vehicles.dimensions}")

    def read(self, time: float = math.nan) -> float:
        """Measure now, and store the value.

        Args:
            time: Time since the start [s].

        Raises:
            TypeError: The metric gives no number.
        """
        subject = self.subject
        if self.metric.readings > 1:
            vehicles = subject.vehicles
            now = Past(time, vehicles.id.copy(), vehicles.velocity.astype(np.float64))
            self._past = (*self._past, now)[-self.metric.readings :]
            subject = replace(subject, past=self._past)
        measured = self.metric.measure(subject)
        try:
            value = float(measured)
        except (TypeError, ValueError):
            raise TypeError(f"metric {self.label!r} must give a number, got {brief(measured)}") from None
        if math.isnan(self.start):
            self.start = self.least = self.greatest = value
        self.least, self.greatest, self.now = min(self.least, value), max(self.greatest, value), value
        self._times.append(time)
        self._values.append(value)
        return value

    @property
    def times(self) -> Array:
        """The times of all readings [s since the start], shape (k,), a read-only copy."""
        return frozen(np.array(self._times))

    @property
    def values(self) -> Array:
        """The values of all readings, shape (k,), a read-only copy."""
        return frozen(np.array(self._values))

    def pandas(self) -> Any:
        """All readings as a Series of pandas, over the time [s]; ImportError where pandas is not installed."""
        return as_pandas({self.label: self})[self.label]

    def polars(self) -> Any:
        """All readings as a DataFrame of polars: time and the value; ImportError where polars is not installed."""
        return as_polars({self.label: self})

    def xarray(self) -> Any:
        """All readings as a DataArray of xarray over time; ImportError where xarray is not installed."""
        return as_xarray({self.label: self})[self.label]

    def saved(self) -> dict[str, Any]:
        """All readings so far, in numbers and arrays."""
        values = {name: getattr(self, name) for name in VALUES}
        past = [{"time": each.time, "id": each.id, "velocity": each.velocity} for each in self._past]
        return {**values, "times": self.times, "values": self.values, **({"past": past} if past else {})}

    def resume(self, saved: Mapping[str, Any]) -> None:
        """Continue the readings of another meter.

        Raises:
            ValueError: There are not as many values as times.
        """
        times, values = (np.asarray(saved[name], np.float64).ravel() for name in ("times", "values"))
        if len(times) != len(values):
            raise ValueError(f"{self.label}: there must be a value for each time, got {len(values)} for {len(times)}")
        for name in VALUES:
            setattr(self, name, float(saved[name]))
        self._times, self._values = array("d", times.tobytes()), array("d", values.tobytes())
        self._past = tuple(Past(float(each["time"]), each["id"], each["velocity"]) for each in saved.get("past", ()))

    def since(self, count: int) -> tuple[Array, Array]:
        """The times and values of the readings after the first `count`, shape (k,) each."""
        return np.array(self._times[count:]), np.array(self._values[count:])

    @property
    def count(self) -> int:
        """The number of readings."""
        return len(self._values)

    def summary(self) -> dict[str, float | None]:
        """Its values by name; None for values that are not finite."""
        values = {name: getattr(self, name) for name in VALUES}
        return {name: value if math.isfinite(value) else None for name, value in values.items()}
