"""Meters: metrics by name, watched during a run.

A meter remembers what a metric was at the start, its least and greatest value, and what it is now. So a run can be judged
by what happened on the way, without recording it.
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from steersman.environment.domains.domain import Domain
from steersman.environment.obstacles.obstacle import Obstacles
from steersman.metrics import contacts, following, motion, order, proximity
from steersman.vehicles.vehicles import Vehicles

if TYPE_CHECKING:
    from steersman.world.world import World


@dataclass(frozen=True)
class Subject:
    """What a metric looks at.

    Attributes:
        vehicles: The population.
        domain: The space it lives in.
        obstacles: All obstacles there are.
        to: What a metric measures toward: a point (d,), points (m, d), another population, a path, a region.
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
        to: What it measures toward: "target" (a point, points or a population), "path", "region"; "" for nothing.
    """

    unit: str
    doc: str
    measure: Callable[[Subject], float]
    to: str = ""


TOWARD = {
    "target": "a target `to`: a point or a population",
    "path": "a path `to` measure from",
    "region": "a region `to` measure from",
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
    "overlapping": Metric("", "fraction that overlaps another", lambda s: proximity.overlapping(s.vehicles, s.domain)),
    "overlap": Metric("m", "deepest overlap of two of them", lambda s: contacts.overlap(s.vehicles, s.domain)),
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
    "off_path": Metric(
        "", "fraction outside of its tube", lambda s: following.off_path(s.vehicles, s.to, s.domain), to="path"
    ),
    "path_error": Metric(
        "m", "mean distance from its spine", lambda s: following.path_error(s.vehicles, s.to, s.domain), to="path"
    ),
    "progress": Metric(
        "m/s", "mean speed along it", lambda s: following.progress(s.vehicles, s.to, s.domain), to="path"
    ),
    "outside": Metric(
        "", "fraction outside of it", lambda s: following.outside(s.vehicles, s.to, s.domain), to="region"
    ),
}
"""Name -> metric."""


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

    def read(self) -> float:
        """Measure now, and remember."""
        value = float(self.metric.measure(self.subject))
        if math.isnan(self.start):
            self.start = self.least = self.greatest = value
        self.least, self.greatest, self.now = min(self.least, value), max(self.greatest, value), value
        return value

    def summary(self) -> dict[str, float | None]:
        """Its values by name; None for what is not finite."""
        values = {"now": self.now, "start": self.start, "least": self.least, "greatest": self.greatest}
        return {name: value if math.isfinite(value) else None for name, value in values.items()}


class Meters:
    """The meters of a world, read together: an observer.

    Args:
        meters: The meters, in the order of tables.

    Attributes:
        cost: Time spent on reading them so far [s].
    """

    def __init__(self, meters: Sequence[Meter]) -> None:
        self._meters = {meter.label: meter for meter in meters}
        self._steps = -1
        self.cost = 0.0

    def __call__(self, world: "World") -> None:
        """Read all, once a step."""
        if self._steps != world.steps:
            began = time.perf_counter()
            self._steps = world.steps
            for meter in self._meters.values():
                meter.read()
            self.cost += time.perf_counter() - began

    def __getitem__(self, label: str) -> Meter:
        """The meter of a label such as `boids.polarization`.

        Raises:
            KeyError: There is none.
        """
        if label not in self._meters:
            raise KeyError(f"no meter is called {label!r}; there are: {', '.join(self._meters) or 'none'}")
        return self._meters[label]

    def add(self, meter: Meter) -> None:
        """Watch one more, read at once.

        Raises:
            ValueError: There is a meter of this label.
        """
        if meter.label in self._meters:
            raise ValueError(f"{meter.label!r} is measured already; give the other metric a name of its own")
        self._meters[meter.label] = meter
        meter.read()

    def __len__(self) -> int:
        return len(self._meters)

    def all(self) -> tuple[Meter, ...]:
        """All meters."""
        return tuple(self._meters.values())
