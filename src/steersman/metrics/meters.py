"""Meters: metrics by name, watched during a run.

A meter remembers what a metric was at the start, its least and greatest value, what it is now, and all that it was when it
was read. So a run can be judged by what happened on the way. `watching` reads the meters of a world.
"""

import math
from array import array
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

import numpy as np

from steersman.environment.domains.domain import Domain
from steersman.environment.obstacles.obstacle import Obstacles
from steersman.environment.paths.path import PATH
from steersman.environment.regions.kind import REGION
from steersman.geometry.brief import brief
from steersman.geometry.kinds import NUMBER, Kind, as_number
from steersman.geometry.vectors import Array
from steersman.metrics import arriving, contacts, crowding, energy, following, grouping, motion, order, proximity
from steersman.steering.targets.target import TARGET
from steersman.vehicles.vehicles import Vehicles


@dataclass(frozen=True)
class Subject:
    """What a metric looks at.

    Attributes:
        vehicles: The population.
        domain: The space it lives in.
        obstacles: All obstacles there are.
        to: What a metric measures toward: a point (d,), points (m, d), another population, a path, a region, a distance [m].
    """

    vehicles: Vehicles
    domain: Domain
    obstacles: tuple[Obstacles, ...] = ()
    to: Any = None


@dataclass(frozen=True)
class Metric:
    """A metric that has a name.

    Attributes:
        unit: Its unit, "" for a pure number.
        doc: What it is, in a few words.
        measure: The metric of a subject.
        to: What it measures toward, a key of TOWARD: "target", "path", "region", "area", "floor", "distance"; "" for nothing.
    """

    unit: str
    doc: str
    measure: Callable[[Subject], float]
    to: str = ""

    def __reduce__(self) -> tuple[Any, ...]:
        """Those of the library are copied and pickled by name, like functions."""
        name = next((name for name, metric in METRICS.items() if metric is self), None)
        return (_named, (name,)) if name else (Metric, (self.unit, self.doc, self.measure, self.to))


def _named(name: str) -> Metric:
    return METRICS[name]


TOWARD = {
    "target": "a target `to`: a point or a population",
    "path": "a path `to` measure from",
    "region": "a region `to` measure from",
    "area": "an area `to` measure in: a Box, Sphere or Polygon",
    "floor": "an area `to` measure in: a Box or a convex Polygon in the plane",
    "distance": "a distance `to` each other [m] up to which two are linked",
}
"""What a metric needs, by what it measures toward."""

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
"""The kinds of what metrics measure toward, by name."""

TOLD = ("start", "least", "greatest", "now")
"""What is known of a metric without its series."""


@dataclass
class Meter:
    """One metric of one population, watched.

    Attributes:
        label: What it is called in tables: `boids.polarization`.
        metric: The metric.
        subject: What it looks at.
        start, least, greatest, now: Its values; NaN where there was none.
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

    def read(self, time: float = math.nan) -> float:
        """Measure now, and remember.

        Args:
            time: Time since the start [s].

        Raises:
            TypeError: The metric gives no number.
        """
        given = self.metric.measure(self.subject)
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
        """When it was read [s since the start], shape (k,)."""
        return np.array(self._times)

    @property
    def values(self) -> Array:
        """What was read, shape (k,)."""
        return np.array(self._values)

    def saved(self) -> dict[str, Any]:
        """All that was read so far, in numbers and arrays."""
        told = {name: getattr(self, name) for name in TOLD}
        return {**told, "times": self.times, "values": self.values}

    def resume(self, saved: Mapping[str, Any]) -> None:
        """Go on where another meter was.

        Raises:
            ValueError: There are not as many values as times.
        """
        times, values = (np.asarray(saved[name], np.float64).ravel() for name in ("times", "values"))
        if len(times) != len(values):
            raise ValueError(f"{self.label}: there must be a value for each time, got {len(values)} for {len(times)}")
        for name in TOLD:
            setattr(self, name, float(saved[name]))
        self._times, self._values = array("d", times.tobytes()), array("d", values.tobytes())

    def since(self, count: int) -> tuple[Array, Array]:
        """When it was read and what, after the first `count` readings, shape (k,) each."""
        return np.array(self._times[count:]), np.array(self._values[count:])

    @property
    def count(self) -> int:
        """How often it was read."""
        return len(self._values)

    def summary(self) -> dict[str, float | None]:
        """Its values by name; None for what is not finite."""
        values = {"now": self.now, "start": self.start, "least": self.least, "greatest": self.greatest}
        return {name: value if math.isfinite(value) else None for name, value in values.items()}
