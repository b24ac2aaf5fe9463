"""Crossing: which vehicles cross a line, when, where and which way.

Between two frames vehicles are assumed to move straight at constant speed, so times and places of crossings are
interpolated. On a torus the shortest way counts, so a vehicle that leaves at one side and enters at the other crosses no
line by it.
"""

import itertools
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.parameters.arrays import as_floats
from steersman.core.parameters.brief import brief
from steersman.core.parameters.guiding import Explained, explained
from steersman.core.typing import Array
from steersman.core.vehicles.holding import Holder, as_vehicles
from steersman.core.vehicles.turnover import births_of, ids_of, turnover
from steersman.core.vehicles.vehicles import Vehicles
from steersman.runs.metrics.frames import Frames, as_dt

__all__ = ["Crossings", "LineWatch", "crossings", "flow", "specific_flow"]

if TYPE_CHECKING:
    from steersman.core.world.world import World

WAYS = ("both", "left", "right", "net")
"""Which crossings count: all, those to the left or to the right of the line, or those to the left less those to the right."""


class Crossings(NamedTuple):
    """Crossings of a line in the order of their times.

    Attributes:
        time: Times [s since the first frame], shape (k,).
        row: Vehicles, shape (k,), int64: rows, or ids where a `LineWatch` counts.
        way: Sides, shape (k,), int64: 1 to the left of the line, seen from its first end to its second, -1 to the right.
        along: Places: distances from the first end [m], shape (k,).
    """

    time: Array
    row: Array
    way: Array
    along: Array


def as_line(name: str, value: Any) -> Array:
    """The two ends of a line [m], shape (2, 2)."""
    ends = as_floats(name, value, np.float64)
    if ends.shape != (2, 2):
        raise ValueError(f"{name} must be two points in the plane, shape (2, 2), got {ends.shape}")
    if not np.any(ends[0] != ends[1]):
        raise ValueError(f"{name} must be two different points, got {ends[0].tolist()} twice")
    return ends


@explained
def crossings(position: Any, line: Any, dt: float, domain: Domain | None = None) -> Crossings:
    """All crossings of a line.

    Formula: with s the signed distance from the line, the way from frame k to k + 1 crosses it if s changes from < 0 to >= 0
    or back, at the time (k + s_k / (s_k - s_k+1)) dt, if the place then lies between the ends. So a vehicle that stops on
    the line crosses it once, and a vehicle that turns around there crosses it twice. The first end belongs to a line, the
    second does not: of lines end to end exactly one is crossed. In 3D lines are seen from above: x and y count.

    Args:
        position: Positions at equal times [m], shape (frames, n, d).
        line: Its ends [m], shape (2, 2).
        dt: The time between frames [s], > 0.
        domain: The space. Default: space without end.

    Returns:
        The crossings.

    Raises:
        ValueError: The ends are one point.
    """
    frames, step = Frames("position", position).least(1), as_dt(dt)
    ends, space = as_line("line", line), frames.space(domain)
    crossed = [
        _crossed(before, after, ends, space) for before, after in itertools.pairwise(frames.values)
    ]  # fmt: skip
    time = [(k + each.time) * step for k, each in enumerate(crossed)]
    nothing = Crossings(np.zeros(0), np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))
    columns = zip(nothing, *(each._replace(time=when) for each, when in zip(crossed, time, strict=True)), strict=True)
    together = Crossings(*map(np.concatenate, columns))
    order = np.lexsort((together.row, together.time))
    return Crossings(*(column[order] for column in together))


def _crossed(before: Array, after: Array, ends: Array, domain: Domain) -> Crossings:
    """The crossings of one step, in the order of their rows; times are parts of the step."""
    period = domain.wrap(before.shape[1], np.float64)[0, :2]
    tangent = ends[1] - ends[0]
    length = float(np.hypot(*tangent))
    here, there = (_near(places, ends, domain) for places in (before, after))
    way = domain.difference(after, before)[:, :2]
    turns = np.rint(np.divide(here + way - there, period, out=np.zeros_like(way), where=period > 0))

    def offset_of(places: Array, turn: Array) -> tuple[Array, Array]:
        """The way from the first end, and the signed distance to the left of the line; equal for a place in all steps."""
        offset = places + turn * period - ends[0]
        return offset, (tangent[0] * offset[:, 1] - tangent[1] * offset[:, 0]) / length

    crossed = []
    # A line may be as long as space, so every image of a place near it counts.
    for image in itertools.product(*[(0.0,) if not p else (-1.0, 0.0, 1.0) for p in period]):
        begin, side = offset_of(here, np.array(image))
        end, later = offset_of(there, turns + image)
        rows = np.flatnonzero((side < 0) != (later < 0))
        part = side[rows] / (side[rows] - later[rows])
        along = (begin[rows] + part[:, None] * (end[rows] - begin[rows])) @ tangent / length
        on = (along >= 0) & (along < length)
        left = np.where(side[rows] < 0, 1, -1)
        crossed.append(Crossings(part[on], rows[on], left[on], along[on]))
    return Crossings(*map(np.concatenate, zip(*crossed, strict=True)))


def _near(places: Array, ends: Array, domain: Domain) -> Array:
    """Places in the plane [m]; on a torus their images nearest to the middle of a line."""
    flat = places[:, :2]
    if not domain.wrap(places.shape[1], np.float64).any():
        return flat
    center = np.zeros(places.shape[1])
    center[:2] = ends.mean(axis=0)
    return np.asarray(domain.difference(places, center)[:, :2] + center[:2])


def as_way(value: Any) -> str:
    """The word for the crossings that count."""
    if not isinstance(value, str) or value not in WAYS:
        words = ", ".join(f'"{word}"' for word in WAYS)
        raise ValueError(f"way must be one of {words}, got {brief(value)}")
    return value


def counted(way: Array, which: str) -> int:
    """The number of crossings that count."""
    left, right = int(np.sum(way > 0)), int(np.sum(way < 0))
    return {"both": left + right, "left": left, "right": right, "net": left - right}[which]


@explained
def flow(position: Any, line: Any, dt: float, domain: Domain | None = None, *, way: str = "both") -> float:
    """The number of vehicles that cross a line per second.

    Formula: J = N / T, N crossings in the time T = (frames - 1) dt. Source: Fruin 1971; method A of Zhang et al. 2011.

    Args:
        position: Positions at equal times [m], shape (frames, n, d), at least two frames.
        line: Its ends [m], shape (2, 2).
        dt: The time between frames [s], > 0.
        domain: The space. Default: space without end.
        way: Which crossings count: "both", "left" or "right" of the line, seen from its first end to its second, or "net",
            left less right.

    Returns:
        The flow [1/s].

    Raises:
        ValueError: The ends are one point.
    """
    which, frames = as_way(way), Frames("position", position).least(2)
    return counted(crossings(frames.values, line, dt, domain).way, which) / ((len(frames) - 1) * as_dt(dt))


@explained
def specific_flow(position: Any, line: Any, dt: float, domain: Domain | None = None, *, way: str = "both") -> float:
    """The number of vehicles that cross each meter of a line per second.

    Formula: J_s = J / b, J as `flow` says, b the length of the line. Arguments and errors are those of `flow`.

    Returns:
        The specific flow [1/(m s)].
    """
    ends = as_line("line", line)
    return float(flow(position, ends, dt, domain, way=way) / np.hypot(*(ends[1] - ends[0])))


class LineWatch(metaclass=Explained):
    """Counts the vehicles that cross a line, at every step: an observer.

        door = sm.metrics.LineWatch(people, [[10, 0], [10, 2]])
        world.on_step(door)
        world.run(seconds=60)
        print(door.count("left") / 60)

    A vehicle that is added or removed crosses no line by it.

    Args:
        vehicles: The population.
        line: Its ends [m], shape (2, 2).

    Raises:
        ValueError: The ends of the line are one point.
    """

    only_watches = True

    def __init__(self, vehicles: Vehicles | Holder, line: Any) -> None:
        self.vehicles, self.line = as_vehicles("vehicles", vehicles), as_line("line", line)
        self._rows: list[tuple[float, int, int, float]] = []
        self._remember(math.nan)

    def _remember(self, time: float) -> None:
        self._time, self._births = time, self.vehicles.births
        self._there = self.vehicles.position.astype(np.float64)

    @property
    def crossings(self) -> Crossings:
        """All crossings so far; times are those of the world [s], rows are ids."""
        time, row, way, along = zip(*self._rows, strict=True) if self._rows else ((), (), (), ())
        return Crossings(
            np.array(time, float), np.array(row, np.int64), np.array(way, np.int64), np.array(along, float)
        )

    @explained
    def count(self, way: str = "both") -> int:
        """The number of crossings: "both" ways, to the "left", to the "right", or "net", left less right."""
        return counted(self.crossings.way, as_way(way))

    def saved(self) -> dict[str, Any]:
        """The crossings so far, and the last positions of all vehicles."""
        of = ids_of(self._births, self.vehicles.births, self.vehicles.id)
        return {**self.crossings._asdict(), "at": self._time, "of": of, "there": self._there}

    def resume(self, saved: Mapping[str, Any]) -> None:
        """Go on counting."""
        columns = (np.asarray(saved[name]).tolist() for name in Crossings._fields)
        self._rows = list(zip(*columns, strict=True))
        self._time, self._there = float(saved["at"]), saved["there"]
        self._births = births_of(saved["of"], self.vehicles.births, self.vehicles.id)

    def __call__(self, world: "World") -> None:
        """Look at the present state."""
        now, here = world.time, self.vehicles.position.astype(np.float64)
        change = turnover(self._births, self.vehicles.births)
        stayed = change.from_rows(len(self._births))
        crossed = _crossed(self._there[stayed], here[: change.stayed], self.line, world.domain)
        began = world.time - world.dt if np.isnan(self._time) else self._time
        time = began + crossed.time * (now - began)
        ids = self.vehicles.id[crossed.row]
        self._rows += sorted(
            zip(time.tolist(), ids.tolist(), crossed.way.tolist(), crossed.along.tolist(), strict=True)
        )
        self._remember(now)
