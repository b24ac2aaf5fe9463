"""Maps of the editor Tiled (1.x, through pytiled-parser): their tiles and objects as obstacles, paths, regions, vehicles.

    level = read_map("level.tmx", scale=32)  # 32 pixels a meter
    walls = level.obstacles("walls", "trees")
    sheep = level.vehicles("sheep", max_speed=4, max_force=20)

Layers are known by their names, objects by their names or classes. y grows upwards from the lower edge of the map, as in
arcade; `flip=False` lets it grow downwards from the upper edge, as in the file. Maps of right angles are read.
"""

from collections.abc import Iterable
from os import PathLike
from pathlib import Path as FilePath
from typing import Any

import numpy as np
import pytiled_parser
from pytiled_parser.tiled_object import Ellipse, Polygon, Polyline, Rectangle, Tile, TiledObject

from steersman.core.environment.obstacles.boxes import Boxes
from steersman.core.environment.obstacles.obstacle import Obstacles, Several
from steersman.core.environment.obstacles.obstacle_set import ObstacleSet
from steersman.core.environment.obstacles.spheres import Spheres
from steersman.core.environment.obstacles.walls import Walls
from steersman.core.environment.paths.path import Path
from steersman.core.environment.regions.polygon import Polygon as Region
from steersman.core.parameters.guiding import suggestion
from steersman.core.typing import Array
from steersman.core.vehicles.columns import SCALARS
from steersman.core.vehicles.vehicles import Vehicles

SOLID = (Ellipse, Polygon, Polyline, Rectangle, Tile)
"""The objects that are obstacles: no points, no texts."""

ROUND = 24
"""Corners of an ellipse that is no circle."""


def read_map(file: "str | PathLike[str]", scale: float = 1.0, *, flip: bool = True) -> "TiledMap":
    """Read a map of Tiled: `.tmx`, `.tmj` or `.json`.

    Args:
        file: The file.
        scale: Pixels of the map a meter.
        flip: Whether y grows upwards from the lower edge.

    Raises:
        ValueError: The map is hexagonal or isometric.
    """
    return TiledMap(pytiled_parser.parse_map(FilePath(file)), scale, flip=flip)


class TiledMap:
    """A map of Tiled in meters.

    Args:
        parsed: The map, as pytiled-parser reads it.
        scale: Pixels of the map a meter.
        flip: Whether y grows upwards from the lower edge.

    Attributes:
        size: Width and height [m], shape (2,).
    """

    def __init__(self, parsed: Any, scale: float = 1.0, *, flip: bool = True) -> None:
        if parsed.orientation != "orthogonal":
            raise ValueError(f"maps of right angles are read, got one that is {parsed.orientation}")
        self.parsed, self.scale, self.flip = parsed, scale, flip
        self._tile = np.array(parsed.tile_size, np.float64)
        self.size = np.array(parsed.map_size) * self._tile / scale
        self._layers = {each.name: each for each in _leaves(parsed.layers)}

    @property
    def layers(self) -> tuple[str, ...]:
        """The names of its layers."""
        return tuple(self._layers)

    def obstacles(self, *layers: str) -> Obstacles:
        """The tiles and objects of layers as obstacles; tiles side by side become one box, without seams.

        Args:
            layers: Names of layers.

        Raises:
            ValueError: No tile or object is on them.
        """
        sets: list[ObstacleSet] = []
        for layer in map(self._layer, layers):
            if hasattr(layer, "data"):
                rectangles = rectangles_of(np.array(layer.data) != 0)
                if len(rectangles):
                    low, high = rectangles[:, :2] * self._tile, rectangles[:, 2:] * self._tile
                    sets.append(Boxes(self._points((low + high) / 2), (high - low) / (2 * self.scale)))
            else:
                sets.extend(self._solid(each) for each in layer.tiled_objects if isinstance(each, SOLID))
        if not sets:
            raise ValueError(f"a tile or an object must be on {', '.join(layers)} to be an obstacle, got none")
        return sets[0] if len(sets) == 1 else Several(tuple(sets))

    def points(self, name: str) -> Array:
        """The places of objects [m], shape (n, 2): points as they are, others at their middles.

        Args:
            name: The name or the class of the objects, or the name of their layer.
        """
        return np.stack([self._points(_middle(each)) for each in self._objects(name)])

    def vehicles(self, name: str, **columns: Any) -> Vehicles:
        """Vehicles where objects are, of their name, class or layer.

        Args:
            name: As for `points`.
            columns: Columns of `Vehicles`, for all. A property of an object that has the name of one counts for that object.
        """
        objects = self._objects(name)
        for column in ("radius", "max_speed", "max_force", "mass", "response_time"):
            own: list[Any] = [(each.properties or {}).get(column) for each in objects]
            if any(value is not None for value in own):
                default = columns.get(column, SCALARS[column][0])
                columns[column] = np.array([default if each is None else each for each in own], np.float64)
        return Vehicles(self.points(name), **columns)

    def path(self, name: str, radius: float = 1.0) -> Path:
        """A polyline as a path; a polygon as a closed one.

        Args:
            name: The name of the object.
            radius: Half its width [m].
        """
        (line,) = self._objects(name)[:1]
        return Path(self._corners(line), radius=radius, closed=not isinstance(line, Polyline))

    def region(self, name: str) -> Region:
        """A rectangle, polygon or ellipse as a region.

        Args:
            name: The name of the object.
        """
        return Region(self._corners(self._objects(name)[0]))

    def _layer(self, name: str) -> Any:
        if name not in self._layers:
            near = suggestion(name, self._layers, label="layers")
            raise KeyError(f"layer must be one of the map, got {name!r}{near}")
        return self._layers[name]

    def _objects(self, name: str) -> list[TiledObject]:
        every = [(layer, each) for layer in self._layers.values() for each in getattr(layer, "tiled_objects", ())]
        matches = [each for layer, each in every if name in (each.name, each.class_, layer.name)]
        if not matches:
            names = {word for layer, each in every for word in (each.name, each.class_, layer.name) if word}
            raise KeyError(f"no object of the map is called {name!r}{suggestion(name, names, label='objects')}")
        return matches

    def _points(self, pixels: Any) -> Array:
        points = np.asarray(pixels, np.float64) / self.scale
        return np.asarray(points * (1, -1) + (0, self.size[1]) if self.flip else points)

    def _corners(self, item: TiledObject) -> Array:
        """The corners of an object [m], shape (k, 2)."""
        origin = np.array(item.coordinates, np.float64)
        if isinstance(item, (Polygon, Polyline)):
            local = np.array([tuple(point) for point in item.points], np.float64)
        elif isinstance(item, Ellipse):
            angle = np.linspace(0, 2 * np.pi, ROUND, endpoint=False)
            local = np.stack([1 + np.cos(angle), 1 + np.sin(angle)], axis=1) * np.array(item.size) / 2
        else:
            local = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * np.array(item.size)
        if isinstance(item, Tile):
            local = local - (0, item.size[1])
        return self._points(origin + local @ _turn(item).T)

    def _solid(self, item: TiledObject) -> ObstacleSet:
        """An object as an obstacle."""
        width, height = item.size
        if isinstance(item, Polyline):
            return Walls(self._corners(item))
        if isinstance(item, Ellipse) and width == height:
            return Spheres(self._points(_middle(item)), width / (2 * self.scale))
        if isinstance(item, (Rectangle, Tile)):
            angle = np.radians(item.rotation) * (-1 if self.flip else 1)
            return Boxes(self._points(_middle(item)), np.array([width, height]) / (2 * self.scale), angle)
        return Walls(self._corners(item), closed=True, seen_from="outside")


def rectangles_of(filled: Array) -> Array:
    """Filled cells of a grid as few rectangles, shape (k, 4): first column and row, and those behind the last.

    Args:
        filled: Which cells are, shape (rows, columns), bool.
    """
    left, rectangles = filled.copy(), []
    for row, column in np.argwhere(filled).tolist():
        if left[row, column]:
            run: Array = left[row, column:]
            right = column + (len(run) if run.all() else int(np.argmin(run)))
            below: Array = np.all(left[row:, column:right], axis=1)
            bottom = row + (len(below) if below.all() else int(np.argmin(below)))
            left[row:bottom, column:right] = False
            rectangles.append((column, row, right, bottom))
    return np.array(rectangles, np.float64).reshape(-1, 4)


def _leaves(layers: Iterable[Any]) -> Iterable[Any]:
    """Layers, and those in groups."""
    for layer in layers:
        if hasattr(layer, "layers"):
            yield from _leaves(layer.layers or ())
        else:
            yield layer


def _turn(item: TiledObject) -> Array:
    """The matrix by which an object is turned about its corner; y grows downwards, so it turns clockwise."""
    angle = np.radians(item.rotation)
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def _middle(item: TiledObject) -> Array:
    """The middle of an object [pixels]; a point itself, a line at its first point. Tiles stand on their lower left corner."""
    origin = np.array(item.coordinates, np.float64)
    if isinstance(item, (Polygon, Polyline)):
        return origin
    half = np.array(item.size, np.float64) / 2
    return np.asarray(origin + _turn(item) @ (half * (1, -1) if isinstance(item, Tile) else half))
