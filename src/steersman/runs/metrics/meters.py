"""Meters: metrics by name, watched during a run.

A meter stores the first, least, greatest and present value of a metric, and the series of all its readings. So a run can be
judged by its whole course, and not by its end alone. `watching` reads the meters of a world.
"""

import math
from array import array
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from numbers import Real
from typing import Any

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.obstacles.obstacle import Obstacles
from steersman.core.environment.paths.path import PATH
from steersman.core.environment.regions.kind import REGION
from steersman.core.parameters.arrays import frozen
from steersman.core.parameters.brief import brief
from steersman.core.parameters.kinds import NUMBER, Kind, as_number
from steersman.core.steering.targets.target import TARGET
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles
from steersman.runs.metrics import (
    arriving,
    contacts,
    crowding,
    energy,
    following,
    grouping,
    jitter,
    motion,
    order,
    proximity,
)


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
    """

    unit: str
    doc: str
    measure: Callable[[Subject], float]
    to: str = ""
    readings: int = 1

    def __reduce__(self) -> tuple[Any, ...]:
        """Metrics of the library are copied and pickled by name, like functions."""
        name = next((name for name, metric in METRICS.items() if metric is self), None)
        return (_named, (name,)) if name else (Metric, (self.unit, self.doc, self.measure, self.to, self.readings))


def _named(name: str) -> Metric:
    return METRICS[name]


def looking_back(subject: Subject, readings: int, measure: Callable[[Array, float], float]) -> float:
    """A metric of the velocities at the last readings, of the vehicles that were present at all of them.

    NaN where there are fewer readings, or readings at unequal times.
    """
    times = [each.time for each in subject.past]
    steps = np.diff(times)
    if len(times) < readings or not np.allclose(steps, steps[0], rtol=1e-6, atol=0) or not steps[0] > 0:
        return math.nan
    there = subject.past[0].id
    for each in subject.past[1:]:
        there = there[np.isin(there, each.id)]
    rows = []
    for each in subject.past:
        order = np.argsort(each.id)
        rows.append(each.velocity[order[np.searchsorted(each.id, there, sorter=order)]])
    return measure(np.array(rows), float(steps[0]))


TOWARD = {
    "target": "a target `to`: a point or a population",
    "path": "a path `to` measure from",
    "region": "a region `to` measure from",
    "area": "an area `to` measure in: a Box, Sphere or Polygon",
    "floor": "an area `to` measure in: a Box or a convex Polygon in the plane",
    "distance": "a distance `to` each other [m] up to which two are linked",
}
"""Kind of a metric's target -> the words for it in messages."""

METRICS: dict[str, Metric] = {
    "mean_speed": Metric("m/s", "mean speed", lambda s: motion.mean_speed(s.vehicles)),
    "polarization": Metric("", "length of the mean unit velocity", lambda s: motion.polarization(s.vehicles)),
    "local_polarization": Metric(
        "", "polarization of each with its nearest neighbors", lambda s: order.local_polarization(s.vehicles, s.domain)
    ),
    "dispersion": Metric("m", "rms distance from the middle", lambda s: motion.dispersion(s.vehicles, s.domain)),
    "milling": Metric("", "how much all circle one way", lambda s: motion.milling(s.vehicles, s.domain)),
    "nearest_distance": Metric(
        "m", "median distance to the nearest neighbor", lambda s: proximity.nearest_distance(s.vehicles, s.domain)
    ),
    "overlapping": Metric("", "fraction that overlaps another", lambda s: contacts.overlapping(s.vehicles, s.domain)),
    "overlap": Metric("m", "deepest overlap of two of them", lambda s: contacts.overlap(s.vehicles, s.domain)),
    "collisions": Metric("", "pairs that overlap", lambda s: contacts.collisions(s.vehicles, s.domain)),
    "closest_approach": Metric(
        "m", "distance of the two nearest to each other", lambda s: proximity.closest_approach(s.vehicles, s.domain)
    ),
    "cohesion_radius": Metric(
        "m", "largest distance from the middle", lambda s: motion.cohesion_radius(s.vehicles, s.domain)
    ),
    "kinetic_energy": Metric("J", "energy of motion of all", lambda s: energy.kinetic_energy(s.vehicles)),
    "acceleration": Metric(
        "m/s^2",
        "root mean square acceleration since the last reading",
        lambda s: looking_back(s, 2, jitter.acceleration),
        readings=2,
    ),
    "jerk": Metric(
        "m/s^3", "root mean square jerk at the last readings", lambda s: looking_back(s, 3, jitter.jerk), readings=3
    ),
    "turn_jitter": Metric(
        "rad/s^2",
        "root mean square turn acceleration at the last readings",
        lambda s: looking_back(s, 3, jitter.turn_jitter),
        readings=3,
    ),
    "walking_power": Metric("W/kg", "what pedestrians use at that speed", lambda s: energy.walking_power(s.vehicles)),
    "obstacle_collisions": Metric(
        "",
        "how many are inside an obstacle",
        lambda s: proximity.obstacle_collisions(s.vehicles, s.obstacles, s.domain),
    ),
    "penetration": Metric(
        "m", "depth inside an obstacle", lambda s: proximity.penetration(s.vehicles, s.obstacles, s.domain)
    ),
    "distance_to": Metric(
        "m", "mean distance to it", lambda s: proximity.distance_to(s.vehicles, s.to, s.domain), to="target"
    ),
    "farthest_from": Metric(
        "m", "largest distance to it", lambda s: proximity.farthest_from(s.vehicles, s.to, s.domain), to="target"
    ),
    "closest_to": Metric(
        "m", "smallest distance to it", lambda s: proximity.closest_to(s.vehicles, s.to, s.domain), to="target"
    ),
    "retreat": Metric(
        "m/s", "fastest speed away from it", lambda s: proximity.retreat(s.vehicles, s.to, s.domain), to="target"
    ),
    "arrived": Metric(
        "", "fraction within their radius of it", lambda s: arriving.arrived(s.vehicles, s.to, s.domain), to="target"
    ),
    "off_path": Metric(
        "", "fraction outside of its tube", lambda s: following.off_path(s.vehicles, s.to, s.domain), to="path"
    ),
    "path_error": Metric(
        "m", "mean distance from its spine", lambda s: following.path_error(s.vehicles, s.to, s.domain), to="path"
    ),
    "progress": Metric(
        "m/s", "mean speed along it", lambda s: following.progress(s.vehicles, s.to, s.domain), to="path"
    ),
    "density": Metric(
        "1/m^d",
        "how many there are in it, by its size",
        lambda s: crowding.density(s.vehicles, s.to, s.domain),
        to="area",
    ),
    "voronoi_density": Metric(
        "1/m^2", "the same by Voronoi cells", lambda s: crowding.voronoi_density(s.vehicles, s.to, s.domain), to="floor"
    ),
    "cluster_count": Metric(
        "",
        "clusters of those nearer than that",
        lambda s: grouping.cluster_count(s.vehicles, s.to, s.domain),
        to="distance",
    ),
    "largest_cluster": Metric(
        "",
        "fraction in the largest of them",
        lambda s: grouping.largest_cluster(s.vehicles, s.to, s.domain),
        to="distance",
    ),
    "outside": Metric(
        "", "fraction outside of it", lambda s: following.outside(s.vehicles, s.to, s.domain), to="region"
    ),
}
"""Name -> metric."""

DISTANCE = Kind(
    "distance",
    "a distance > 0 m",
    lambda name, value: as_number(name, value, above=0, unit="m"),
    base=Real,
    like=NUMBER,
)
AREA = Kind("area", "a Box, Sphere or Polygon", crowding.as_area, like=REGION)
FLOOR = Kind("floor", "a Box or a convex Polygon", crowding.as_floor, like=REGION)
MEASURED = {kind.name: kind for kind in (TARGET, PATH, REGION, AREA, FLOOR, DISTANCE)}
"""Name -> kind of a metric's target."""

TOLD = ("start", "least", "greatest", "now")
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
            who = subject.vehicles
            now = Past(time, who.id.copy(), who.velocity.astype(np.float64))
            self._past = (*self._past, now)[-self.metric.readings :]
            subject = replace(subject, past=self._past)
        given = self.metric.measure(subject)
        try:
            value = float(given)
        except (TypeError, ValueError):
            raise TypeError(f"metric {self.label!r} must give a number, got {brief(given)}") from None
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

    def saved(self) -> dict[str, Any]:
        """All readings so far, in numbers and arrays."""
        told = {name: getattr(self, name) for name in TOLD}
        past = [{"time": each.time, "id": each.id, "velocity": each.velocity} for each in self._past]
        return {**told, "times": self.times, "values": self.values, **({"past": past} if past else {})}

    def resume(self, saved: Mapping[str, Any]) -> None:
        """Continue the readings of another meter.

        Raises:
            ValueError: There are not as many values as times.
        """
        times, values = (np.asarray(saved[name], np.float64).ravel() for name in ("times", "values"))
        if len(times) != len(values):
            raise ValueError(f"{self.label}: there must be a value for each time, got {len(values)} for {len(times)}")
        for name in TOLD:
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
        values = {"now": self.now, "start": self.start, "least": self.least, "greatest": self.greatest}
        return {name: value if math.isfinite(value) else None for name, value in values.items()}
