"""Who is stuck: has not come away from a place for some time, although it wanted to.

A steering force sees only what is near. Where obstacles are hollow (a corner, a dead end in front of the goal) pushing
toward the goal and keeping clear may hold each other in balance, or take turns for ever. No law that looks only ahead can
tell this from being busy; looking back can.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from steersman.geometry.arrays import as_points
from steersman.geometry.brief import brief
from steersman.geometry.guiding import Explained
from steersman.geometry.kinds import as_number
from steersman.geometry.vectors import Array
from steersman.metrics.proximity import distances_from
from steersman.vehicles.holding import without_holder
from steersman.vehicles.vehicles import Vehicles

if TYPE_CHECKING:
    from steersman.world.world import World


def as_goal(name: str, value: Any) -> Any:
    """What somebody wants to come to: points (m, d), or vehicles.

    Raises:
        TypeError: It is neither.
        ValueError: Points of a wrong shape, or not finite.
    """
    value = without_holder(value)
    return value if isinstance(value, Vehicles) else as_points(name, value, np.float64)


class StuckWatch(metaclass=Explained):
    """Watches a population of a world for those who are stuck: an observer.

        watch = StuckWatch("rovers", radius=5, seconds=3, goal=[40, 0])
        world.on_step(watch)
        ...
        print(watch.ids)

    Ways out, for those whom it names: wander for a while (`Modes`, with `Where(watch.holds)` as condition), or plan around
    (`Pipeline` with the constraint `KeepClear`, `FollowPath` along a path found in advance).

    Args:
        name: The name of the population.
        radius: How far away from a place one must come [m] not to be stuck there.
        seconds: For how long [s].
        goal: What they want to come to: a point (d,), points (m, d) or a population, of which the nearest counts. Who is
            within `arrived` of it wants nothing more. Default: all want to move always.
        arrived: How near the goal is near enough [m]. Default: the radius.

    Attributes:
        ids: Who is stuck now, their ids, ascending.

    Raises:
        TypeError: The name is no text, or a number is none.
        ValueError: The radius or the time is not > 0, or the goal is none.
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
        self._place: dict[int, tuple[float, Array]] = {}

    def saved(self) -> dict[str, Any]:
        """Where everybody has been since when."""
        since = [time for time, _ in self._place.values()]
        there = [place.tolist() for _, place in self._place.values()]
        return {"ids": self.ids, "of": list(self._place), "since": np.array(since), "there": np.array(there)}

    def resume(self, saved: Mapping[str, Any]) -> None:
        """Go on watching."""
        self.ids = saved["ids"]
        since = zip(saved["since"].tolist(), saved["there"], strict=True)
        self._place = dict(zip(saved["of"], since, strict=True))

    def __call__(self, world: "World") -> None:
        """Look at everybody."""
        vehicles = world[self.name]
        position, now = vehicles.position.astype(np.float64), world.time
        wants = np.ones(len(vehicles), bool)
        if self.goal is not None:
            wants = distances_from(position, self.goal, world.domain) > self.arrived
        places: dict[int, tuple[float, Array]] = {}
        stuck = []
        for key, here, wanting in zip(vehicles.id.tolist(), position, wants.tolist(), strict=True):
            since, there = self._place.get(key, (now, here))
            if not wanting or np.linalg.norm(world.domain.difference(here, there)) > self.radius:
                since, there = now, here
            places[key] = (since, there)
            if now - since >= self.seconds:
                stuck.append(key)
        self._place, self.ids = places, np.array(sorted(stuck), np.int64)

    def holds(self, vehicles: Any) -> Array:
        """Who of a population is stuck, shape (n,), bool."""
        return np.isin(vehicles.id, self.ids)
