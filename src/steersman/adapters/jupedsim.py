"""Trajectories, floors and routes of JuPedSim: its SQLite files written and read, floors both ways, its RoutingEngine.

    with TrajectoryWriter("crowd.sqlite", people, floor, fps=10) as writer:
        world.on_step(writer, sm.EverySeconds(1 / 10))
        world.run(seconds=60)

Files are of version 2 (JuPedSim 1.0 to 1.4, and PedPy: `load_trajectory_from_jupedsim_sqlite`) or 3 (JuPedSim 2, without
orientations). Ids are those of the vehicles, and orientations where they face. JuPedSim is needed for `EngineRoutes` only.
"""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from os import PathLike, fspath
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from steersman.core.environment.obstacles.obstacle import as_obstacles
from steersman.core.environment.regions.kind import as_region
from steersman.core.environment.routes.door_map import Guiding
from steersman.core.environment.routes.route_map import ANY, RouteMap, RouteOrder, images_about
from steersman.core.environment.routes.triangulating import free_space
from steersman.core.environment.shapely import shapely
from steersman.core.kernels.call import Call
from steersman.core.parameters.kinds import Kind, as_number
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles

VERSIONS = (2, 3)

COLUMNS = {2: ("pos_x", "pos_y", "ori_x", "ori_y"), 3: ("pos_x", "pos_y")}
"""The numbers of a person in a frame, by version."""

TABLES = """
CREATE TABLE trajectory_data (frame INTEGER NOT NULL, id INTEGER NOT NULL, {columns});
CREATE TABLE metadata (key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE geometry (hash INTEGER NOT NULL, wkt TEXT NOT NULL);
CREATE UNIQUE INDEX geometry_hash ON geometry(hash);
CREATE TABLE frame_data (frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL);
CREATE INDEX frame_id_idx ON trajectory_data(frame, id);
"""


class TrajectoryWriter:
    """Writes where vehicles are, at every call: a function for `on_step`. Use it in a `with`, or call `close`.

    Args:
        file: The file; an existing one is replaced.
        vehicles: The people, in 2D.
        floor: The walkable floor: its corners [m], shape (k, 2), a `Polygon`, a Shapely polygon, a Geometry of JuPedSim, or
            WKT text.
        fps: How often it is called [1/s].
        version: 2 for JuPedSim 1 and PedPy, 3 for JuPedSim 2.

    Raises:
        ValueError: The vehicles are not in 2D, fps is not > 0, or there is no such version.
    """

    def __init__(
        self, file: "str | PathLike[str]", vehicles: Vehicles, floor: Any, fps: float, *, version: int = 2
    ) -> None:
        if vehicles.dimensions != 2:
            raise ValueError(f"vehicles must be in 2D, got {vehicles.dimensions} dimensions")
        if version not in VERSIONS:
            raise ValueError(f"version must be 2 or 3, got {version}")
        self._columns = COLUMNS[version]
        rate = as_number("fps", fps, above=0)
        self.vehicles, self.frame = vehicles, 0
        self._low, self._high = np.full(2, np.inf), np.full(2, -np.inf)
        text = wkt_of(floor)
        self._base = sqlite3.connect(fspath(file))
        self._base.execute("PRAGMA synchronous=OFF")
        for name in ("trajectory_data", "metadata", "geometry", "frame_data"):
            self._base.execute(f"DROP TABLE IF EXISTS {name}")
        self._base.executescript(TABLES.format(columns=", ".join(f"{each} REAL NOT NULL" for each in self._columns)))
        self._base.executemany("INSERT INTO metadata VALUES (?, ?)", [("version", str(version)), ("fps", str(rate))])
        self._base.execute("INSERT INTO geometry VALUES (1, ?)", (text,))

    def __call__(self, world: Any = None) -> None:
        """Write the next frame."""
        position, forward = (np.asarray(each, np.float64) for each in (self.vehicles.position, self.vehicles.forward))
        frames = [self.frame] * len(position)
        numbers = [*position.T.tolist(), *forward.T.tolist()][: len(self._columns)]
        rows = zip(frames, self.vehicles.id.tolist(), *numbers, strict=True)
        self._base.executemany(f"INSERT INTO trajectory_data VALUES (?, ?{', ?' * len(numbers)})", rows)
        self._base.execute("INSERT INTO frame_data VALUES (?, 1)", (self.frame,))
        if len(position):
            self._low = np.minimum(self._low, position.min(axis=0))
            self._high = np.maximum(self._high, position.max(axis=0))
        self.frame += 1

    def close(self) -> None:
        """Write the bounds, and close the file."""
        bounds = zip(
            ("xmin", "ymin", "xmax", "ymax"), map(str, [*self._low.tolist(), *self._high.tolist()]), strict=True
        )
        self._base.executemany("INSERT OR REPLACE INTO metadata VALUES (?, ?)", bounds)
        self._base.commit()
        self._base.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class Trajectories(NamedTuple):
    """Trajectories, one row a person and frame, in the order of frames.

    Attributes:
        fps: Frames a second [1/s].
        frame: The numbers of the frames, shape (n,), int64.
        id: The ids, shape (n,), int64.
        position: Positions [m], shape (n, 2).
        forward: Orientations, shape (n, 2). Files of version 3 have none: then where each goes, or went last, or (1, 0).
        floor: The walkable floors as WKT: `shapely.from_wkt(floor[0])`.
    """

    fps: float
    frame: Array
    id: Array
    position: Array
    forward: Array
    floor: tuple[str, ...]

    def vehicles(self, frame: int, **columns: Any) -> Vehicles:
        """The people of a frame as vehicles, with velocities to where they are in the next frame.

        Args:
            frame: The number of the frame.
            columns: Further columns of `Vehicles`.

        Raises:
            ValueError: Nobody is in this frame.
        """
        now, then = self.frame == frame, self.frame == frame + 1
        if not now.any():
            raise ValueError(f"frame must be one with people in it, got {frame}")
        places, ids = self.position[now], self.id[now]
        velocity = np.zeros_like(places)
        _, here, there = np.intersect1d(ids, self.id[then], return_indices=True)
        velocity[here] = (self.position[then][there] - places[here]) * self.fps
        return Vehicles(places, velocity, id=ids, forward=self.forward[now], **columns)


def read_trajectories(file: "str | PathLike[str]") -> Trajectories:
    """Read a SQLite file of JuPedSim, version 2 or 3.

    Args:
        file: The file.

    Raises:
        ValueError: It is no such file, or of another version.
    """
    with closing(sqlite3.connect(f"{Path(file).absolute().as_uri()}?mode=ro", uri=True)) as base:
        try:
            about = dict(base.execute("SELECT key, value FROM metadata"))
            version = int(about.get("version", 0))
            if version not in VERSIONS:
                raise ValueError(f"{fspath(file)} must be of version 2 or 3, got {about.get('version')}")
            columns = ", ".join(("frame", "id", *COLUMNS[version]))
            rows = base.execute(f"SELECT {columns} FROM trajectory_data ORDER BY frame, id").fetchall()
            floor = tuple(wkt for (wkt,) in base.execute("SELECT wkt FROM geometry"))
        except sqlite3.Error as error:
            raise ValueError(f"{fspath(file)} must be a SQLite file of JuPedSim, version 2 or 3: {error}") from error
    numbers = np.array(rows, np.float64).reshape(-1, 2 + len(COLUMNS[version]))
    frame, id = numbers[:, :2].T.astype(np.int64)
    place = numbers[:, 2:4]
    forward = numbers[:, 4:] if version == 2 else ways_of(frame, id, place)
    return Trajectories(float(about["fps"]), frame, id, place, forward, floor)


def ways_of(frame: Array, id: Array, position: Array) -> Array:
    """Where each goes until its next row, as unit vectors, shape (n, 2); where none follows or it rests, where it went last.

    Args:
        frame: The frames, shape (n,).
        id: The ids, shape (n,).
        position: The places [m], shape (n, 2).
    """
    order = np.lexsort((frame, id))
    step = np.zeros_like(position)
    step[:-1] = np.diff(position[order], axis=0)
    step[:-1][np.diff(id[order]) != 0] = 0
    length = np.linalg.norm(step, axis=1)
    begins = np.concatenate([[True], np.diff(id[order]) != 0])[: len(order)]
    rows = np.arange(len(order))
    known = np.where(length > 0, rows, -1)
    last = np.maximum.accumulate(known)
    first = np.maximum.accumulate(np.where(begins, rows, 0))
    row = np.where(last >= first, last, rows)
    ways = np.where(length[row, None] > 0, step[row] / np.maximum(length[row, None], 1e-300), (1.0, 0.0))
    ways_by_row = np.empty_like(ways)
    ways_by_row[order] = ways
    return ways_by_row


# ------------------------------------------------------------------------------------------------ floors


def polygon_of(floor: Any) -> Any:
    """A floor as a Shapely polygon, for `NavMesh(...)`, `Walls.from_shapely(...)` and PedPy's `WalkableArea`.

    Args:
        floor: A Geometry of JuPedSim (`simulation.get_geometry()`), WKT text, a `Polygon`, corners [m] of shape (k, 2), or a
            Shapely polygon.
    """
    package = shapely("a floor")
    return package.from_wkt(wkt_of(floor))


def floor_of(region: Any, obstacles: Any = None, *, clearance: float = 0.0) -> Any:
    """The floor of a region without obstacles as a Shapely polygon, for `jupedsim.Simulation(geometry=...)`.

    Args:
        region: Where people may be: a Box, a Polygon or a Sphere.
        obstacles: Obstacles in the plane, or a list of such sets.
        clearance: How near to them people may come [m].

    Raises:
        TypeError: A kind of obstacles or of region has no outline.
        ValueError: The floor falls into several parts, or nothing is left of it.
    """
    room = as_number("clearance", clearance, low=0, unit="m")
    floor = free_space(None if obstacles is None else as_obstacles(obstacles), as_region("region", region), room, 4)
    if floor.geom_type != "Polygon" or floor.is_empty:
        raise ValueError(f"the floor must be of one piece, got {len(getattr(floor, 'geoms', ()))}")
    return floor


def wkt_of(floor: Any) -> str:
    """A floor as WKT text: see `polygon_of`."""
    if isinstance(floor, str):
        return floor
    if hasattr(floor, "wkt"):
        return str(floor.wkt)
    if hasattr(floor, "boundary") and hasattr(floor, "holes"):  # A Geometry of JuPedSim.
        rings = [floor.boundary(), *floor.holes()]
    else:
        rings = [getattr(floor, "points", floor)]
    return f"POLYGON ({', '.join(_ring(ring) for ring in rings)})"


def _ring(corners: Any) -> str:
    ring = np.asarray(corners, np.float64).tolist()
    closed = ring if ring[0] == ring[-1] else [*ring, ring[0]]
    return f"({', '.join(f'{x!r} {y!r}' for x, y in closed)})"


# ------------------------------------------------------------------------------------------------ routes


@dataclass(frozen=True, eq=False)
class EngineRoutes(RouteMap):
    """A map of routes whose ways JuPedSim's RoutingEngine finds: the waypoints that its own agents would take.

        world.add(people, steering=sm.GoTo(exits, by=EngineRoutes(floor)))

    The engine is asked for one way after the other, 10 us each, by every vehicle in every step; it keeps a distance of its
    own from corners. Vehicles beside the floor are led from its nearest point. `NavMesh(polygon_of(floor))` has shorter ways
    and takes less time.

    Args:
        floor: The floor: see `polygon_of`. It must be of one piece.

    Attributes:
        engine: The `jupedsim.RoutingEngine`.

    Raises:
        ImportError: JuPedSim or Shapely is missing.
    """

    floor: Any = parameter(
        kind=Kind("floor", "a Shapely polygon, WKT text or corners", lambda _, v: polygon_of(v)), positional=True
    )

    @cached_property
    def engine(self) -> Any:
        """The engine, made when it is asked for first."""
        from jupedsim import RoutingEngine

        return RoutingEngine(self.floor)

    @property
    def dimensions(self) -> int:
        """2."""
        return 2

    @property
    def whole(self) -> bool:
        """Its call looks at all vehicles at once."""
        return True

    @property
    def most_bends(self) -> int:
        """So many bends a way may have."""
        return 1000

    @cached_property
    def middle(self) -> Array:
        """The middle of the floor [m], shape (2,)."""
        west, south, east, north = self.floor.bounds
        return np.array([(west + east) / 2, (south + north) / 2])

    def guide_calls(self, order: RouteOrder) -> list[Call]:
        """One call for all vehicles."""
        by: Any = self  # Of a DoorMap, Guiding's way to stop inside of a region is all that is used.
        return [Call(_EngineQueries(by, order), whole=True, fits=True)]

    def inside(self, places: Array) -> Array:
        """The nearest places [m] on the floor, shape (n, 2)."""
        package = shapely("EngineRoutes")
        on_floor, off = places.copy(), ~package.contains_xy(self._room, *places.T)
        if off.any():
            lines = package.shortest_line(self._room, package.points(places[off]))
            on_floor[off] = package.get_coordinates(lines).reshape(-1, 2, 2)[:, 0]
        return on_floor

    @cached_property
    def _room(self) -> Any:
        """The floor without its rim, where the engine would refuse to begin."""
        room = shapely("EngineRoutes").buffer(self.floor, -1e-4)
        shapely("EngineRoutes").prepare(room)
        return room

    def waypoints(self, here: Array, there: Array) -> Array:
        """The way from one point of the floor to another [m], both ends included, shape (k, 2); no row if there is none."""
        try:
            return np.array(self.engine.compute_waypoints(tuple(here.tolist()), tuple(there.tolist())), np.float64)
        except RuntimeError:  # They are not joined.
            return np.empty((0, 2))


class _EngineQueries(Guiding):
    """Asks the engine for all vehicles that ask."""

    map: Any

    def __call__(self) -> None:
        n, query, guide = self.count(), self.query, self.guide
        rows = np.flatnonzero(query.active[:n])
        if not len(rows):
            return
        middle = self.map.middle
        places = np.stack([column[rows] for column in query.position], axis=1).astype(np.float64)
        images = images_about(middle, places, query.wrap)
        goals = self._ends()
        starts, ends = self.map.inside(images), self.map.inside(goals)
        for k, i in enumerate(rows.tolist()):
            goal = int(query.row[i]) if self.region is None else 0
            goal_numbers = range(len(ends)) if goal == ANY else [goal] if goal >= 0 else []
            ways = [(way, number) for number in goal_numbers if len(way := self.map.waypoints(starts[k], ends[number]))]
            best = min(ways, key=lambda each: _length(each[0]), default=None)
            guide.bend[i], guide.before[i], guide.remaining[i], guide.cost[i] = np.inf, np.inf, np.inf, np.inf
            if best is None:
                guide.way[0][i] = guide.way[1][i] = 0
                continue
            way = np.concatenate([images[k, None], best[0][1:-1], goals[best[1], None]])
            self._answer(i, way, float(query.cut[i]))
        self.stop_inside(n)
        query.active[:n] = 0

    def _ends(self) -> Array:
        """The goals now [m], shape (m, 2)."""
        if self.region is not None:
            points = np.asarray(self.region.middle, np.float64)[None]
        else:
            points = np.stack([column[: self.query.number[0]] for column in self.query.goal], axis=1)
        return images_about(self.map.middle, points.astype(np.float64), self.query.wrap)

    def _answer(self, i: int, way: Array, cut: float) -> None:
        """The next waypoint that is not where the vehicle is, and the bend there."""
        legs = np.diff(way, axis=0)
        length = np.hypot(*legs.T)
        self.guide.remaining[i] = self.guide.cost[i] = length.sum()
        ahead = np.flatnonzero(length > 1e-6)
        if not len(ahead):
            self.guide.way[0][i] = self.guide.way[1][i] = 0
            return
        first = legs[ahead[0]]
        self.guide.way[0][i], self.guide.way[1][i] = first
        if len(ahead) > 1:
            after = legs[ahead[1]]
            turn = float(np.arctan2(abs(first[0] * after[1] - first[1] * after[0]), first @ after))
            if turn > 1e-3:
                half = np.cos(turn / 2)
                radius = cut * half / max(1 - half, 1e-9)
                self.guide.bend[i] = radius
                self.guide.before[i] = max(length[ahead[0]] - radius * np.tan(min(turn, 3.0) / 2), 0)


def _length(way: Array) -> float:
    return float(np.hypot(*np.diff(way, axis=0).T).sum())
