"""Spawner: vehicles come into the world at a rate.

    due += rate dt;   "regular": one comes each time that `due` passes a whole number
                      "poisson": the distances of these marks are drawn, with mean 1: arrivals independent of each other

The marks depend on the seed and not on the steps, so each vehicle is due at the same time for any dt (apart from the step
that the time falls into).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.obstacles.obstacle import OBSTACLES, check_dimensions
from steersman.core.environment.regions.region import Region
from steersman.core.maths.random import generator
from steersman.core.parameters.arrays import as_floats, as_points
from steersman.core.parameters.brief import brief
from steersman.core.parameters.kinds import INTEGER, TEXT, Kind, as_vector
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Array
from steersman.core.vehicles.columns import SCALARS
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.flows.flow import Flow, Moment
from steersman.core.world.flows.places import WHERE, buried, crowded, dimensions_of, points_of

MOST = 1_000_000
"""The most vehicles that may be due in a step."""

TRIES = 16
"""The most places that are tried for a vehicle in a step."""

LINE = 16
"""The number of vehicles that try first in a step; twice as many follow where all of them find room."""

BLOCK = 256
"""The number of distances of marks that are drawn at once."""

ROUNDING = 1e-9
"""The rounding error by which a sum of steps may fall short of a whole number."""


def as_rate(name: str, value: Any) -> Any:
    """A number >= 0, or a function of the time."""
    if callable(value) and not isinstance(value, type):
        return value
    if isinstance(value, (bool, str)) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise TypeError(f"{name} must be {RATE.words}, got {brief(value)}")
    if not (0 <= value < np.inf):
        raise ValueError(f"{name} must be {RATE.words}, got {brief(value)}")
    return float(value)


RATE = Kind("rate", "a finite number >= 0 1/s, or a function of the time [s]", as_rate)


def as_start(name: str, value: Any) -> Any:
    """A vector, a function (positions, rng) -> velocities, or a starting velocity of a document."""
    if hasattr(value, "velocities") or (callable(value) and not isinstance(value, type)):
        return value
    return as_vector(name, value)


START = Kind("start", "a vector (d,), or a function (positions (k, d), rng) -> velocities (k, d)", as_start)


def as_columns(name: str, value: Any) -> dict[str, Any]:
    """Column -> a number, a range (low, high), or a function (count, rng) -> numbers (count,).

    Raises:
        TypeError: A column is not known.
        ValueError: Low is above high.
    """
    if not isinstance(value, Mapping):
        raise TypeError(f"{name} must be a table of columns, got {brief(value)}")
    known = {*SCALARS, "heading"}
    if unknown := set(value) - known:
        raise TypeError(f"{name} must name columns ({', '.join(sorted(known))}), got {sorted(map(str, unknown))[0]!r}")
    return {column: _as_values(f"{name}[{column!r}]", entry) for column, entry in value.items()}


def _as_values(name: str, value: Any) -> Any:
    if callable(value):
        return value
    if isinstance(value, Mapping):
        if set(value) != {"low", "high"}:
            raise TypeError(f"{name} must have low and high, got {brief(value)}")
        value = (value["low"], value["high"])
    numbers = as_floats(name, value, np.float64)
    if numbers.shape not in ((), (2,)):
        raise ValueError(f"{name} must be a number or (low, high), got {brief(value)}")
    if numbers.shape == ():
        return float(numbers)
    low, high = numbers.tolist()
    if low > high:
        raise ValueError(f"{name} must have low <= high, got {brief(value)}")
    return low, high


COLUMNS = Kind("columns", "a table: column -> number, (low, high) or function (count, rng) -> numbers", as_columns)


@final
@dataclass(frozen=True, eq=False)
class Spawner(Flow):
    """Adds vehicles to the world at a rate.

        sm.Spawner(2.0, door)                                            # a region
        sm.Spawner(0.5, sm.Path([[0, 0], [0, 8]]), velocity=[1.3, 0])    # anywhere along the edge of a street
        sm.Spawner(1.0, [[5, 5], [95, 5]], limit=60)                     # one of two points, while there are less than 60

    A vehicle without room waits outside the world, and comes as soon as there is room.

    Args:
        rate: New vehicles per second [1/s]; or a function of the time [s]. Raising it lets more come.
        where: The place of new vehicles: anywhere in a region, along a path, one of some points (m, d) [m], or a function
            `(count, rng) -> points (count, d)`.
        arrivals: "regular", evenly in time, or "poisson", independently of each other.
        velocity: Velocities of new vehicles [m/s]: a vector, or a function `(positions (k, d), rng) -> velocities (k, d)`.
            Default: at rest.
        columns: Column -> its value for new vehicles: a number, a range (low, high), or a function
            `(count, rng) -> numbers (count,)`. Other columns have the defaults of `Vehicles.spawn`.
        limit: While the population has this many vehicles, no vehicle is due. Raising it lets more live at once.
        clearance: Least distance from all vehicles of the world and from the obstacles [m], beyond the radii; None: other
            vehicles are ignored. Raising it keeps more room.
        obstacles: Obstacles in which no vehicle may appear: one set, or several.
        name: The name for queries: `population.passed("door")`.
    """

    adds: ClassVar[bool] = True

    rate: Any = parameter(kind=RATE, positional=True, unit="1/s")
    where: Any = parameter(kind=WHERE, positional=True, unit="m")
    arrivals: str = parameter("regular", kind=TEXT, choices=("regular", "poisson"))
    velocity: Any = parameter(None, kind=START, optional=True, unit="m/s")
    columns: Any = parameter(None, kind=COLUMNS, optional=True)
    limit: int | None = parameter(None, kind=INTEGER, low=1, optional=True)
    clearance: float | None = parameter(0.0, low=0.0, unit="m", optional=True)
    obstacles: Any = parameter(None, kind=OBSTACLES, optional=True)

    def check(self, vehicles: Vehicles) -> None:
        """Raise ValueError when dimensions differ."""
        d = vehicles.dimensions
        for name, got in (("where", dimensions_of(self.where)), ("velocity", dimensions_of_start(self.velocity))):
            if got not in (None, d):
                raise ValueError(f"{name} must have {d} dimensions like the vehicles, got {got}")
        if self.obstacles is not None:
            check_dimensions(self.obstacles, d)
        if d == 3 and "heading" in (self.columns or ()):
            raise ValueError("columns must not hold a heading in 3D; give a velocity")

    def rehearse(self, domain: Domain) -> None:
        """Ask the region and the obstacles about one point."""
        if isinstance(self.where, Region):
            self.where.inside(np.zeros((1, self.where.dimensions)))
        if self.obstacles is not None:
            buried(np.zeros((1, self.obstacles.dimensions)), (self.obstacles,), 0.0, domain)

    def begin(self) -> dict[str, Array]:
        """The state: vehicles due so far, with fraction; number of passed marks; next mark; vehicles that wait for room."""
        return {
            "due": np.zeros(1),
            "marks": np.zeros(1, np.int64),
            "next": np.full(1, -1.0),
            "wait": np.zeros(1, np.int64),
        }

    def run(self, state: dict[str, Array], moment: Moment) -> int:
        """Spawn the vehicles that are due and have room."""
        vehicles = moment.vehicles
        room = MOST if self.limit is None else self.limit - len(vehicles)
        if room <= 0:
            return 0
        state["due"] += self._rate(moment.time) * moment.dt
        state["wait"] += self._marks(state, moment.key)
        count = min(int(state["wait"][0]), room)
        if count == 0:
            return 0
        came = self._come(count, moment, generator(moment.key, moment.step))
        state["wait"] -= came
        return came

    def waits(self, state: dict[str, Array], moment: Moment) -> bool:
        """Whether no vehicle comes now, whatever the columns of the vehicles are. The state does not change."""
        room = MOST if self.limit is None else self.limit - len(moment.vehicles)
        if room <= 0:
            return True
        then = {name: values.copy() for name, values in state.items()}
        then["due"] += self._rate(moment.time) * moment.dt
        return int(then["wait"][0]) + self._marks(then, moment.key) == 0

    def _rate(self, time: float) -> float:
        rate = as_rate("what rate(time) returns", self.rate(time)) if callable(self.rate) else self.rate
        return float(rate)

    def _marks(self, state: dict[str, Array], key: Array) -> int:
        """The number of marks that `due` has passed since the last call.

        Raises:
            ValueError: There are too many.
        """
        due, before = float(state["due"][0]), int(state["marks"][0])
        if due - before > MOST:
            raise ValueError(f"rate must let at most {MOST} come in a step, got {due - before:.0f}")
        if self.arrivals == "regular":
            state["marks"][0] = max(before, int(np.floor(due + ROUNDING)))
            return int(state["marks"][0]) - before
        if state["next"][0] < 0:
            state["next"][0] = _gaps(key, 0)[0]
        while state["next"][0] <= due:
            ahead = state["next"][0] + np.cumsum(_gaps(key, int(state["marks"][0]) + 1))
            more = int(np.searchsorted(ahead, due, side="right"))
            last = min(more, len(ahead) - 1)
            state["marks"] += last + 1
            state["next"][0] = ahead[last]
        return int(state["marks"][0]) - before

    def _come(self, count: int, moment: Moment, rng: np.random.Generator) -> int:
        """Spawn up to `count` vehicles, as far as there is room; return how many were spawned.

        More and more try as long as all of them find room, so that a step costs the same at a blocked place, however many
        vehicles wait there.
        """
        came, line = 0, LINE
        while came < count:
            trying = min(line, count - came)
            found = self._admit(trying, moment, rng)
            came += found
            if found < trying:
                break
            line *= 2
        return came

    def _admit(self, count: int, moment: Moment, rng: np.random.Generator) -> int:
        """Spawn those of `count` vehicles that find room; return how many were spawned.

        Each tries one place. Then those without room try others, in turn, until one finds none.
        """
        vehicles, d = moment.vehicles, moment.vehicles.dimensions
        columns = {name: _drawn(name, value, count, rng) for name, value in (self.columns or {}).items()}
        radius = columns.get("radius", np.full(count, vehicles.usual("radius")))
        points, placed = points_of(self.where, count, d, moment.domain, rng), np.zeros(count, bool)
        free = self._free(points, radius, moment)
        for row in np.flatnonzero(free):
            placed[row] = self._beside(points[row], radius[row], points[placed], radius[placed], moment.domain)
        for row in np.flatnonzero(~placed):
            tried = points_of(self.where, TRIES - 1, d, moment.domain, rng)
            free = self._free(tried, np.full(len(tried), radius[row]), moment)
            others = points[placed], radius[placed]
            found = next(
                (each for each in tried[free] if self._beside(each, radius[row], *others, moment.domain)), None
            )
            if found is None:
                break
            points[row], placed[row] = found, True
        if placed.any():
            placed_columns = {name: values[placed] for name, values in columns.items()}
            vehicles.spawn(points[placed], self._velocities(points[placed], rng), **placed_columns)
        return int(placed.sum())

    def _free(self, points: Array, radius: Array, moment: Moment) -> Array:
        """Whether each point, shape (k, d), is clear of obstacles and of the vehicles of the world; shape (k,), bool."""
        reach = radius + (self.clearance or 0.0)
        free = ~buried(points, () if self.obstacles is None else (self.obstacles,), reach, moment.domain)
        for others in moment.all if self.clearance is not None else ():
            if others.dimensions == moment.vehicles.dimensions:
                free &= ~crowded(points, reach, others, moment.domain)
        return free

    def _beside(self, point: Array, radius: float, points: Array, radii: Array, domain: Domain) -> bool:
        """Whether a point has room beside new vehicles at other points, shape (k, d)."""
        if self.clearance is None:
            return True
        way = domain.difference(points, point)
        return not (np.sqrt((way**2).sum(axis=1)) - radii < radius + self.clearance).any()

    def _velocities(self, points: Array, rng: np.random.Generator) -> Any:
        if self.velocity is None:
            return None
        if isinstance(self.velocity, np.ndarray):
            return np.broadcast_to(self.velocity, points.shape)
        ask = getattr(self.velocity, "velocities", self.velocity)
        return as_points("what velocity(positions, rng) returns", ask(points, rng), np.float64, points.shape[1])


def dimensions_of_start(velocity: Any) -> int | None:
    """The number of dimensions of a velocity; None where it is not known."""
    return len(velocity) if isinstance(velocity, np.ndarray) else None


def _gaps(key: Array, mark: int) -> Array:
    """Distances of marks from the marks before them, from a mark to the end of its block: exponential, with mean 1."""
    block, at = divmod(mark, BLOCK)
    return np.asarray(generator(key, 2**63 + block).standard_exponential(BLOCK)[at:])


def _drawn(name: str, value: Any, count: int, rng: np.random.Generator) -> Array:
    """Values of a column, shape (count,)."""
    if callable(value):
        numbers = np.asarray(value(count, rng), np.float64)
        if numbers.shape not in ((), (count,)):
            raise ValueError(f"columns[{name!r}](count, rng) must return {count} numbers, got shape {numbers.shape}")
        return np.broadcast_to(numbers, (count,))
    if isinstance(value, tuple):
        low, high = value
        return np.asarray(low + (high - low) * rng.random(count))
    return np.full(count, value)
