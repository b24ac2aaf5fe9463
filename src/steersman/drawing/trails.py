"""Trails: where some of the vehicles have been lately. An observer of bounded size."""

import math
from collections import deque
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.parameters.brief import brief
from steersman.core.parameters.guiding import Explained, explained
from steersman.core.parameters.kinds import as_number
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.clock import check_steps
from steersman.core.world.observers import EverySteps
from steersman.core.world.world import World

SAMPLES = 72
"""Points on a trail at most."""

FOLLOWED = 300
"""Vehicles of a population that leave a trail, at most."""


class Trail(NamedTuple):
    """The trails of a population, as segments.

    Attributes:
        segments: Beginnings and ends [m], shape (k, 2, d).
        age: 0 for the oldest, 1 for the newest, shape (k,).
    """

    segments: Array
    age: Array


class Ways(metaclass=Explained):
    """Where some vehicles have been lately, as far as it was noted.

    Args:
        vehicles: Populations by name.
        domain: The space.
        seconds: How far back to remember [s]; 0 remembers nothing.
        followed: How many vehicles of each population to follow, at most.
        samples: Points on a trail, at most.
        always: Ids of vehicles that leave a trail in any case, by population.
    """

    def __init__(
        self, vehicles: Mapping[str, Vehicles], domain: Domain, seconds: float, followed: int, samples: int,
        always: Mapping[str, int] = MappingProxyType({}),
    ) -> None:  # fmt: skip
        self.domain = domain
        self._times: deque[float] = deque(maxlen=samples)
        self._ids = {name: _some(each.id, followed) for name, each in vehicles.items()}
        for name, id in always.items():
            self._ids[name] = np.union1d(self._ids[name], [id])
        self._places: dict[str, deque[Array]] = {name: deque(maxlen=samples) for name in vehicles}
        self._seconds = seconds

    def note(self, time: float, vehicles: Mapping[str, Vehicles]) -> None:
        """Note where all vehicles are at a time [s]; those of populations that are left out are gone."""
        if self._seconds <= 0 or (self._times and self._times[-1] == time):
            return
        self._times.append(time)
        for name, places in self._places.items():
            each = vehicles.get(name)
            places.append(np.full_like(places[-1], np.nan) if each is None else _positions(each, self._ids[name]))

    def of(self, name: str) -> Trail | None:
        """The trails of a population; None where there are none."""
        times = np.array(self._times)
        if name not in self._places or len(times) < 2:
            return None
        recent = times >= times[-1] - self._seconds - 1e-9
        places, times = np.array(self._places[name])[recent], times[recent]
        if len(times) < 2 or not places.shape[1]:
            return None
        age = (times[1:] - times[0]) / (times[-1] - times[0])
        segments = np.stack([places[:-1], places[1:]], axis=2).reshape(-1, 2, places.shape[2])
        ages = np.repeat(age, places.shape[1])
        whole = ~_broken(segments, self.domain)
        return Trail(segments[whole], ages[whole])

    @explained
    def places(self, name: str, *, every: float) -> Array:
        """Where the vehicles of a population were at equal times [m], shape (k, d), interpolated between notes.

        Args:
            name: The population.
            every: Time from one to the next [s], counted back from now.
        """
        times = np.array(self._times)
        noted = np.array(self._places.get(name, []))
        if len(times) < 2 or not noted.size:
            return np.zeros((0, 2))
        times_shown = np.arange(times[-1], max(times[0], times[-1] - self._seconds) - 1e-9, -every)
        after = np.clip(np.searchsorted(times, times_shown), 1, len(times) - 1)
        part = ((times_shown - times[after - 1]) / (times[after] - times[after - 1]))[:, None, None]
        between = (1 - part) * noted[after - 1] + part * noted[after]
        whole = ~_broken(np.stack([noted[after - 1], noted[after]], axis=2).reshape(-1, 2, noted.shape[2]), self.domain)
        return np.asarray(between.reshape(-1, noted.shape[2])[whole])


class Trails(Ways):
    """Remembers where vehicles were during the last seconds.

    Args:
        world: The world to watch; it is observed from now on.
        seconds: How far back to remember [s]; 0 remembers nothing.
        followed: How many vehicles of each population to follow, at most.
    """

    def __init__(self, world: World, seconds: float, followed: int = FOLLOWED) -> None:
        if not isinstance(world, World):
            raise TypeError(f"world must be a World, got {brief(world)}")
        seconds = as_number("seconds", seconds, low=0, unit="s")
        followed = check_steps(followed, "followed")
        populations = {name: population.vehicles for name, population in world.populations.items()}
        super().__init__(populations, world.domain, seconds, followed, SAMPLES)
        self._vehicles = populations
        if seconds > 0:
            self(world)
            every = max(1, math.ceil(min(seconds / world.dt / (SAMPLES - 2), 1e18)))
            world.on_step(self, EverySteps(every))

    def __call__(self, world: World) -> None:
        """Note where all vehicles are; of a population that is there no more, that its vehicles are gone."""
        present = {name: each.vehicles for name, each in world.populations.items()}
        self.note(world.time, {name: each for name, each in self._vehicles.items() if present.get(name) is each})


def _some(ids: Array, count: int) -> Array:
    """An even sample of ids, shape (k,)."""
    if len(ids) <= count:
        return np.array(ids)
    return np.array(ids[np.linspace(0, len(ids) - 1, count).round().astype(int)])


def _positions(vehicles: Vehicles, ids: Array) -> Array:
    """Where they are [m], shape (k, d); NaN for vehicles that are gone."""
    places = np.full((len(ids), vehicles.dimensions), np.nan)
    order = np.argsort(vehicles.id, kind="stable")
    at = np.searchsorted(vehicles.id, ids, sorter=order)
    there = at < len(vehicles)
    rows = order[np.where(there, at, 0)] if len(vehicles) else at
    there[there] = vehicles.id[rows[there]] == ids[there]
    places[there] = vehicles.position[rows[there]]
    return places


def _broken(segments: Array, domain: Domain) -> Array:
    """Segments that lead across the seam of a torus, or to nowhere, shape (k,), bool."""
    straight = segments[:, 1] - segments[:, 0]
    shortest = domain.difference(segments[:, 1], segments[:, 0])
    with np.errstate(invalid="ignore"):
        same = np.all(np.abs(straight - shortest) <= 1e-6 + 1e-6 * np.abs(straight), axis=1)
    return np.asarray(~same)
