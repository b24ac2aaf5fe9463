"""Reading: the meters of a world by label, and when they are read."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from steersman.core.world.clock import time_shown
from steersman.core.world.observers import Trigger
from steersman.core.world.world import World
from steersman.runs.metrics.meters import Meter
from steersman.runs.metrics.tabular import SeriesTable


class Meters(SeriesTable, Mapping[str, Meter]):
    """The meters of a world, by label: `meters["boids.polarization"].values`. Called with the world, it reads all.

    Attributes:
        cost: Time spent on reading them so far [s].
    """

    def __init__(self) -> None:
        self._meters: dict[str, Meter] = {}
        self._read_at: dict[str, int] = {}
        self.cost = 0.0

    def __getitem__(self, label: str) -> Meter:
        """The meter of a label such as `boids.polarization`."""
        if label not in self._meters:
            raise KeyError(f"no meter is called {label!r}; there are: {', '.join(self._meters) or 'none'}")
        return self._meters[label]

    def __contains__(self, label: object) -> bool:
        return label in self._meters

    def __iter__(self) -> Iterator[str]:
        return iter(self._meters)

    def __len__(self) -> int:
        return len(self._meters)

    def __repr__(self) -> str:
        return f"Meters({', '.join(f'{label}={meter.now:.4g}' for label, meter in self._meters.items())})"

    def __call__(self, world: World) -> None:
        """Read all of them now, once a step."""
        self.read(world, self._meters)

    def read(self, world: World, labels: Sequence[str] | Mapping[str, Any]) -> None:
        """Read some meters now, once per step. Meters of a population that was removed from the world are skipped."""
        began = time.perf_counter()
        there = {id(population.vehicles) for population in world.populations.values()}
        for label in labels:
            meter = self._meters.get(label)
            if meter is None or self._read_at.get(label) == world.steps or id(meter.subject.vehicles) not in there:
                continue
            if meter.subject.domain is not world.domain:
                meter.subject = replace(meter.subject, domain=world.domain)
            self._read_at[label] = world.steps
            meter.read(time_shown(world.time, world.steps, world.dt))
        self.cost += time.perf_counter() - began

    def add(self, meters: Sequence[Meter], world: World, when: Trigger, *, now: bool = True) -> None:
        """Add meters, which are read at each trigger.

        Args:
            meters: The meters.
            world: The world.
            when: When they are read.
            now: Whether they are read now, too.

        Raises:
            ValueError: A meter of this label exists already.
        """
        labels = tuple(meter.label for meter in meters)
        for k, label in enumerate(labels):
            if label in self._meters or label in labels[:k]:
                raise ValueError(f"{label!r} is measured already; give the other metric a name of its own")
        if now:
            for meter in meters:
                meter.read(time_shown(world.time, world.steps, world.dt))
            self._read_at.update(dict.fromkeys(labels, world.steps))
        self._meters.update(zip(labels, meters, strict=True))
        world.on_step(Reading(self, labels), when)

    def stop(self, label: str) -> Meter:
        """Stop a meter.

        Returns:
            The meter, with its readings.
        """
        meter = self[label]
        del self._meters[label]
        self._read_at.pop(label, None)
        return meter

    def saved(self) -> dict[str, Any]:
        """All readings so far, by label, in texts, numbers and arrays."""
        return {label: {"step": self._read_at.get(label), **meter.saved()} for label, meter in self._meters.items()}

    def resume(self, saved: Mapping[str, Any]) -> None:
        """Continue the readings of the meters of another world.

        Raises:
            KeyError: This world lacks one of the meters.
        """
        for label, readings in saved.items():
            meter = self[label]
            if readings["step"] is not None:
                self._read_at[label] = int(readings["step"])
            meter.resume(readings)


@dataclass(frozen=True, eq=False)
class Reading:
    """An observer that reads some of the meters.

    Attributes:
        meters: The meters of the world.
        labels: Those that are read.
    """

    meters: Meters
    labels: tuple[str, ...]

    def __call__(self, world: World) -> None:
        """Read them."""
        self.meters.read(world, self.labels)
