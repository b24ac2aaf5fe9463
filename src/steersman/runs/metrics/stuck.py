"""Stuck vehicles: those that have not left a place for some time, although they have not reached their goal.

A steering force depends only on the near surroundings. At concave obstacles (a corner, a dead end in front of the goal) the
force toward the goal and the force away from the obstacle may cancel, or alternate for ever. No law that looks only ahead
can tell this state from a slow passage; the past positions can.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.parameters.arrays import as_points
from steersman.core.parameters.brief import brief
from steersman.core.parameters.guiding import Explained, explained
from steersman.core.parameters.kinds import as_number
from steersman.core.typing import Array
from steersman.core.vehicles.holding import without_holder
from steersman.core.vehicles.vehicles import Vehicles
from steersman.runs.metrics.frames import Frames, as_dt, lengths
from steersman.runs.metrics.proximity import distances_from, nearest_of

__all__ = ["is_deadlocked", "is_stuck"]

if TYPE_CHECKING:
    from steersman.core.world.world import World


def as_goal(name: str, value: Any) -> Any:
    """The goal of the vehicles: points (m, d), or vehicles."""
    value = without_holder(value)
    return value if isinstance(value, Vehicles) else as_points(name, value, np.float64)


ROUNDING = 1e-12
"""Relative tolerance of times: a time counts as over if it is short by at most this fraction of it, or of the time since
the start."""


class Places(NamedTuple):
    """Places that vehicles have not left.

    Attributes:
        since: Time of arrival at the place [s], shape (n,).
        there: The places [m], shape (n, d).
    """

    since: Array
    there: Array

    def after(self, now: float, position: Array, wants: Array, radius: float, domain: Domain) -> "Places":
        """The places a frame later: a vehicle that left its radius, or does not want to move, has a new place."""
        new = ~wants | (lengths(domain.difference(position, self.there)) > radius)
        return Places(np.where(new, now, self.since), np.where(new[:, None], position, self.there))

    def held(self, now: float, seconds: float) -> Array:
        """Which vehicles have been at their place for so long, shape (n,), bool, with a tolerance for sums of steps."""
        return np.asarray(now - self.since >= seconds - ROUNDING * (seconds + now))


@explained
def is_stuck(
    position: Any,
    dt: float,
    domain: Domain | None = None,
    *,
    radius: float,
    seconds: float,
    goal: Any = None,
    arrived: float | None = None,
) -> Array:
    """Which vehicles are stuck, at every frame: within a radius of a place for some time, and not at their goal.

    `StuckWatch` applies the same rule to a world. The place of a vehicle is its position when it was last farther than the
    radius from its previous place.

    Formula: [t - time at which the vehicle came to its place >= seconds, and |goal - x_i| > arrived].

    Args:
        position: Positions at equal times [m], shape (frames, n, d).
        dt: The time between frames [s], > 0.
        domain: The space. Default: space without end.
        radius: Distance from its place that a vehicle must exceed to count as moving [m], > 0.
        seconds: Time at a place after which a vehicle is stuck [s], > 0.
        goal: The goal of the vehicles: a point (d,), points (m, d) or vehicles, of which the nearest counts. Default: no
            goal, all vehicles want to move always.
        arrived: Distance from the goal at which a vehicle has arrived [m]. Default: the radius.

    Returns:
        Truth values, shape (frames, n).
    """
    return _stuck(position, dt, domain, radius, seconds, goal, arrived)[0]


@explained
def is_deadlocked(
    position: Any,
    dt: float,
    domain: Domain | None = None,
    *,
    radius: float,
    seconds: float,
    goal: Any = None,
    arrived: float | None = None,
) -> Array:
    """Whether all movement has stopped, at every frame: some vehicles want to move, and all of those are stuck.

    Formula: [some want to move, and all that want to are stuck]. Arguments are those of `is_stuck`; without a
    goal all vehicles want to move, always.

    Returns:
        Truth values, shape (frames,).
    """
    stuck, wants = _stuck(position, dt, domain, radius, seconds, goal, arrived)
    return np.asarray(wants.any(axis=1) & (stuck | ~wants).all(axis=1))


def _stuck(
    position: Any, dt: float, domain: Domain | None, radius: float, seconds: float, goal: Any, arrived: float | None
) -> tuple[Array, Array]:
    """Which vehicles are stuck, and which have not arrived, shape (frames, n) each."""
    frames = Frames("position", position).least(1)
    space, step = frames.space(domain), as_dt(dt)
    radius = as_number("radius", radius, above=0, unit="m")
    seconds = as_number("seconds", seconds, above=0, unit="s")
    enough = radius if arrived is None else as_number("arrived", arrived, low=0, unit="m")
    wants = np.ones(frames.values.shape[:2], bool)
    if goal is not None:
        wants = nearest_of(frames, "goal", as_goal("goal", goal), space) > enough
    places = Places(np.zeros(frames.n), frames.values[0])
    stuck = np.zeros(wants.shape, bool)
    for k, where in enumerate(frames.values):
        places = places.after(k * step, where, wants[k], radius, space)
        stuck[k] = places.held(k * step, seconds)
    return stuck, wants


class StuckWatch(metaclass=Explained):
    """Watches a population of a world for stuck vehicles: an observer.

        watch = StuckWatch("rovers", radius=5, seconds=3, goal=[40, 0])
        world.on_step(watch)
        ...
        print(watch.ids)

    Stuck vehicles can be freed in two ways: let them wander for a while (`Modes`, with `Where(watch.holds)` as condition), or
    plan around (`Pipeline` with the constraint `KeepClear`, `FollowPath` along a path found in advance).

    Args:
        name: The name of the population.
        radius: Distance from its place that a vehicle must exceed to count as moving [m].
        seconds: Time at a place after which a vehicle is stuck [s].
        goal: The goal of the vehicles: a point (d,), points (m, d) or a population, of which the nearest counts. A vehicle
            within `arrived` of it does not want to move any more. Default: no goal, all want to move always.
        arrived: Distance from the goal at which a vehicle has arrived [m]. Default: the radius.

    Attributes:
        ids: The ids of the vehicles that are stuck now, ascending.
    """

    def __init__(
        self, name: str, *, radius: float, seconds: float, goal: Any = None, arrived: float | None = None
    ) -> None:
        if not isinstance(name, str):
            raise TypeError(f"name must be that of a population, got {brief(name)}")
        self.name, self.goal = name, None if goal is None else as_goal("goal", goal)
        self.radius = as_number("radius", radius, above=0, unit="m")
        self.seconds = as_number("seconds", seconds, above=0, unit="s")
        self.arrived = self.radius if arrived is None else as_number("arrived", arrived, low=0, unit="m")
        self.ids: Array = np.zeros(0, np.int64)
        self._of, self._places = np.zeros(0, np.int64), Places(np.zeros(0), np.zeros((0, 2)))
        self._vehicles: Vehicles | None = None

    def saved(self) -> dict[str, Any]:
        """The places of all vehicles, and the times since which they are there."""
        since, there = self._places
        return {"ids": self.ids, "of": self._of.tolist(), "since": since, "there": there}

    def resume(self, saved: Mapping[str, Any]) -> None:
        """Go on watching."""
        self.ids, self._of = saved["ids"], np.array(saved["of"], np.int64)
        self._places = Places(np.asarray(saved["since"], float), np.asarray(saved["there"], float))

    def __call__(self, world: "World") -> None:
        """Update the places of all vehicles."""
        vehicles = world[self.name]
        if not self._are_of(vehicles):
            self._of = self._of[:0]  # Others of this name: they begin anew.
        self._vehicles = vehicles
        position, now = vehicles.position.astype(np.float64), world.time
        wants = np.ones(len(vehicles), bool)
        if self.goal is not None:
            wants = distances_from(position, self.goal, world.domain) > self.arrived
        known = self._known(vehicles.id, Places(np.full(len(position), now), position))
        self._of, self._places = vehicles.id.copy(), known.after(now, position, wants, self.radius, world.domain)
        self.ids = np.sort(self._of[self._places.held(now, self.seconds)])

    def _known(self, ids: Array, fresh: "Places") -> "Places":
        """The places of vehicles with these ids; new vehicles are at their present positions."""
        if not len(self._of):
            return fresh
        order = np.argsort(self._of)
        place = order[np.minimum(np.searchsorted(self._of, ids, sorter=order), len(order) - 1)]
        same = self._of[place] == ids
        since = np.where(same, self._places.since[place], fresh.since)
        return Places(since, np.where(same[:, None], self._places.there[place], fresh.there))

    def holds(self, vehicles: Any) -> Array:
        """Which vehicles of a population are stuck, shape (n,), bool."""
        vehicles = without_holder(vehicles)
        return np.isin(vehicles.id, self.ids) & self._are_of(vehicles)

    def _are_of(self, vehicles: Vehicles) -> bool:
        """Whether the ids are those of these vehicles, as far as is known: a name may be given to others."""
        return self._vehicles is None or self._vehicles is vehicles
