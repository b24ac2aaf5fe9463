"""Trajectories of JuPedSim: its SQLite files (version 2, of JuPedSim 1.0 to 1.4) written and read, without JuPedSim.

    with TrajectoryWriter("crowd.sqlite", people, floor, fps=10) as writer:
        world.on_step(writer, sm.EverySeconds(1 / 10))
        world.run(seconds=60)

PedPy reads these files (`load_trajectory_from_jupedsim_sqlite`). Ids are those of the vehicles, and orientations where they
face.
"""

import sqlite3
from contextlib import closing
from os import PathLike, fspath
from typing import Any, NamedTuple, Self

import numpy as np

from steersman.core.parameters.kinds import as_number
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles

VERSION = 2

TABLES = """
CREATE TABLE trajectory_data (frame INTEGER NOT NULL, id INTEGER NOT NULL, pos_x REAL NOT NULL, pos_y REAL NOT NULL,
    ori_x REAL NOT NULL, ori_y REAL NOT NULL);
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
        floor: The walkable floor: its corners [m], shape (k, 2), a `Polygon`, or its outline and holes as WKT text.
        fps: How often it is called [1/s].

    Raises:
        ValueError: The vehicles are not in 2D, or fps is not > 0.
    """

    def __init__(self, file: "str | PathLike[str]", vehicles: Vehicles, floor: Any, fps: float) -> None:
        if vehicles.dimensions != 2:
            raise ValueError(f"vehicles must be in 2D, got {vehicles.dimensions} dimensions")
        rate = as_number("fps", fps, above=0)
        self.vehicles, self.frame = vehicles, 0
        self._low, self._high = np.full(2, np.inf), np.full(2, -np.inf)
        text = floor if isinstance(floor, str) else wkt_of(getattr(floor, "points", floor))
        self._base = sqlite3.connect(fspath(file))
        self._base.execute("PRAGMA synchronous=OFF")
        for name in ("trajectory_data", "metadata", "geometry", "frame_data"):
            self._base.execute(f"DROP TABLE IF EXISTS {name}")
        self._base.executescript(TABLES)
        self._base.executemany("INSERT INTO metadata VALUES (?, ?)", [("version", str(VERSION)), ("fps", str(rate))])
        self._base.execute("INSERT INTO geometry VALUES (1, ?)", (text,))

    def __call__(self, world: Any = None) -> None:
        """Write the next frame."""
        position, forward = (np.asarray(each, np.float64) for each in (self.vehicles.position, self.vehicles.forward))
        frames = [self.frame] * len(position)
        rows = zip(frames, self.vehicles.id.tolist(), *position.T.tolist(), *forward.T.tolist(), strict=True)
        self._base.executemany("INSERT INTO trajectory_data VALUES (?, ?, ?, ?, ?, ?)", rows)
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
        forward: Orientations, shape (n, 2).
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
    """Read a SQLite file of JuPedSim, version 2.

    Args:
        file: The file.

    Raises:
        ValueError: It is no such file, or of another version.
    """
    with closing(sqlite3.connect(f"file:{fspath(file)}?mode=ro", uri=True)) as base:
        try:
            about = dict(base.execute("SELECT key, value FROM metadata"))
            rows = base.execute(
                "SELECT frame, id, pos_x, pos_y, ori_x, ori_y FROM trajectory_data ORDER BY frame, id"
            ).fetchall()
            floor = tuple(wkt for (wkt,) in base.execute("SELECT wkt FROM geometry"))
        except sqlite3.Error as error:
            raise ValueError(f"{fspath(file)} must be a SQLite file of JuPedSim, version {VERSION}: {error}") from error
    if int(about.get("version", 0)) != VERSION:
        raise ValueError(f"{fspath(file)} must be of version {VERSION}, got {about.get('version')}")
    numbers = np.array(rows, np.float64).reshape(-1, 6)
    frame, id = numbers[:, :2].T.astype(np.int64)
    return Trajectories(float(about["fps"]), frame, id, numbers[:, 2:4], numbers[:, 4:], floor)


def wkt_of(corners: Any) -> str:
    """A polygon as WKT text, of its corners [m], shape (k, 2)."""
    ring = np.asarray(corners, np.float64)
    return f"POLYGON (({', '.join(f'{x!r} {y!r}' for x, y in [*ring.tolist(), ring[0].tolist()])}))"
