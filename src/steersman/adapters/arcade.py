"""Vehicles in arcade (3.3 or newer): a SpriteList that follows a population, input, obstacles, and the overlay.

    sprites = Sprites(boids, texture, camera)  # an arcade.SpriteList
    def on_draw(self):
        self.clear()
        sprites.follow(world.drawn(fraction))
        sprites.draw()

Positions and angles of all sprites go to the graphics processor as one array. The sprite objects, whose positions arcade's
collision checks read, learn theirs from `settle()`.
"""

from collections.abc import Iterable
from itertools import groupby, pairwise
from typing import Any

import arcade
import numpy as np

from steersman.adapters.camera import Camera as PlaneCamera
from steersman.adapters.overlay import Fill, Part, Stroke, Word, overlay
from steersman.core.environment.obstacles.boxes import Boxes
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.controller import Controller
from steersman.core.world.interpolation import Pose
from steersman.core.world.world import World

LEFT, RIGHT = (arcade.key.LEFT, arcade.key.A), (arcade.key.RIGHT, arcade.key.D)
DOWN, UP = (arcade.key.DOWN, arcade.key.S), (arcade.key.UP, arcade.key.W)


class Camera(PlaneCamera):
    """A camera over a window whose y grows upwards, as that of the world does (see `adapters.camera.Camera`)."""

    flip = False
    window_y_up = True

    def __init__(
        self, size: tuple[float, float], center: Any = (0.0, 0.0), scale: float = 1.0, flip: bool = False
    ) -> None:
        super().__init__(size, center, scale, flip)


class Sprites(arcade.SpriteList):
    """A SpriteList that follows a population: a sprite for each vehicle, which comes and goes with it.

    Args:
        vehicles: The population, in 2D.
        texture: The texture of a vehicle, or the path of its picture.
        camera: Where the window looks.
        faces: Where the picture in the texture faces [degrees], counterclockwise from the right: 90 for one that faces up.
        scale: How large the picture is drawn.
    """

    def __init__(
        self, vehicles: Vehicles, texture: Any, camera: PlaneCamera, *, faces: float = 0.0, scale: float = 1.0
    ) -> None:
        super().__init__(capacity=max(100, len(vehicles)))
        self.vehicles, self.camera, self.faces = vehicles, camera, faces
        self.texture = texture if isinstance(texture, arcade.Texture) else arcade.load_texture(texture)
        self.scale_of_pictures = scale
        self._by_id: dict[int, Any] = {}
        self._ids = np.empty(0, np.int64)
        self._slots = np.empty(0, np.int64)
        self._buffer = np.zeros((0, 4), np.float32)
        self.follow()

    def follow(self, pose: Pose | None = None) -> None:
        """Look where the vehicles are.

        Args:
            pose: Where they are drawn, as `world.drawn(fraction)` gives it. Default: where they are.
        """
        where = self.vehicles if pose is None else pose
        if not np.array_equal(where.id, self._ids):
            self._come_and_go(where.id)
        self._places = self.camera.pixels(where.position)
        self._angles = self.faces - self.camera.degrees(where.heading)  # arcade turns clockwise.
        self._buffer[self._slots, :2] = self._places
        self._buffer[self._slots, 3] = self._angles

    def _come_and_go(self, ids: Array) -> None:
        """Make sprites for vehicles that have come, and remove those that have gone."""
        there = ids.tolist()
        for id in self._by_id.keys() - set(there):
            gone = self._by_id.pop(id)
            if gone in self.sprite_slot:
                super().remove(gone)
        for id in there:
            if id not in self._by_id:
                sprite = self._by_id[id] = arcade.Sprite(self.texture, self.scale_of_pictures)
                sprite.id = id  # type: ignore[attr-defined]
                super().append(sprite)
        self._ids = ids
        self._slots = np.array([self.sprite_slot[self._by_id[id]] for id in there], np.int64)
        self._buffer = np.zeros((int(self._slots.max(initial=-1)) + 1, 4), np.float32)

    def draw(self, **options: Any) -> None:
        """Draw all vehicles where `follow` has seen them; options are those of `arcade.SpriteList.draw`."""
        if len(self):
            self.write_sprite_buffers_to_gpu()
            self.data.storage_positions_angle.write(self._buffer)
            super().draw(**options)

    def settle(self) -> None:
        """Tell the sprite objects where they are, for arcade's collision checks and for `sprite.position`."""
        for id, place, angle in zip(self._ids.tolist(), self._places.tolist(), self._angles.tolist(), strict=True):
            sprite = self._by_id[id]
            sprite.position, sprite.angle = tuple(place), angle

    def sprite_of(self, id: int) -> Any:
        """The sprite of the vehicle with an id; color, scale and texture may be changed. `kill()` removes the vehicle."""
        return self._by_id[int(id)]

    def remove(self, sprite: Any) -> None:
        """Remove a sprite and its vehicle, as `sprite.kill()` does."""
        super().remove(sprite)
        self._by_id.pop(sprite.id, None)
        self.vehicles.remove(sprite.id)
        self.follow()


def keys(held: Iterable[int], camera: PlaneCamera) -> Array:
    """The direction of the arrow keys (or WASD) among those held, a vector of the world of length 1 or 0, shape (2,).

    Args:
        held: The symbols that `on_key_press` has told and `on_key_release` has not.
        camera: Where the window looks.
    """
    down_now = set(held)
    right, left, up, down = (bool(down_now.intersection(some)) for some in (RIGHT, LEFT, UP, DOWN))
    return camera.direction(right - left, up - down)


def boxes(sprites: Iterable[Any], camera: PlaneCamera) -> Boxes:
    """Obstacles of sprites, such as a SpriteList of walls: their turned rectangles.

    Args:
        sprites: The sprites, in pixels of the window.
        camera: Where the window looks now.
    """
    rows = [(*each.position, each.width, each.height, each.angle) for each in sprites]
    numbers = np.array(rows, np.float64).reshape(-1, 5)
    turned = np.radians(-numbers[:, 4]) * (1 if camera.world_y_up else -1)
    return Boxes(camera.meters(numbers[:, :2]), np.abs(numbers[:, 2:4]) / (2 * camera.scale), turned)


_WORDS: dict[tuple[str, Any, float], Any] = {}


def draw_overlay(camera: PlaneCamera, scene: World | Controller, id: Any, **options: Any) -> None:
    """Draw how some vehicles are steered: sketches, forces, neighborhoods, modes. Call it once in `on_draw`.

    Args:
        camera: Where the window looks.
        scene: The world or Controller.
        id: The vehicles: an id, ids, or a mask of shape (n,).
        options: Those of `steersman.adapters.overlay.overlay`: `name`, `neighbors`, `forces`, `modes`, ...
    """
    for (kind, color, width), some in groupby(overlay(scene, id, camera, **options), _alike):
        if kind is Stroke:  # One call for all dashes of a color.
            ends = [np.repeat(part.points, 2, axis=0)[1:-1] for part in some if isinstance(part, Stroke)]
            arcade.draw_lines(np.concatenate(ends).tolist(), color, max(1.0, width))
            continue
        for part in some:
            if isinstance(part, Word):
                _write(part.text, part.x, part.y, color, part.size)
            elif isinstance(part, Fill):
                _fill(_ring(part.points), color)


def _alike(part: Part) -> tuple[type, Any, float]:
    """The kind, color and width of a part; parts in which they are equal are drawn together."""
    return type(part), part.color, part.width if isinstance(part, Stroke) else 0.0


def _fill(ring: list[Any], color: Any) -> None:
    """Fill a polygon; a convex one as a fan, in a hundredth of the time that arcade takes for a circle."""
    if not _convex(np.array(ring)):
        arcade.draw_polygon_filled(ring, color)
        return
    fan = [corner for pair in pairwise(ring[1:]) for corner in (ring[0], *pair)]
    shapes: arcade.shape_list.ShapeElementList[arcade.shape_list.Shape] = arcade.shape_list.ShapeElementList()
    shapes.append(arcade.shape_list.create_triangles_filled_with_colors(fan, [color] * len(fan)))
    shapes.draw()


def _convex(ring: Array) -> bool:
    """Whether a polygon turns one way at all corners, and once around."""
    (x, y), (u, v) = (np.roll(ring, -1, axis=0) - ring).T, (np.roll(ring, -2, axis=0) - np.roll(ring, -1, axis=0)).T
    turn = np.arctan2(x * v - y * u, x * u + y * v)
    one_way = bool(np.all(turn >= -1e-9) or np.all(turn <= 1e-9))
    return one_way and abs(abs(turn.sum()) - 2 * np.pi) < 1e-3


def _ring(points: Array) -> list[Any]:
    """The corners of a polygon without the last one where it repeats the first."""
    closed = len(points) > 3 and np.allclose(points[0], points[-1])
    ring: list[Any] = points[: -1 if closed else None].tolist()
    return ring


def _write(text: str, x: float, y: float, color: Any, size: float) -> None:
    """Write a word; the last few hundred are kept."""
    key = (text, color, size)
    if key not in _WORDS:
        if len(_WORDS) > 300:
            _WORDS.clear()
        _WORDS[key] = arcade.Text(text, 0, 0, color, size, anchor_y="center")
    word = _WORDS[key]
    word.position = (x, y)
    word.draw()


def dart(length: float, color: Any) -> arcade.Texture:
    """A texture of a vehicle that faces right: the dart of pictures.

    Args:
        length: How long it is [pixels].
        color: Its color.
    """
    from PIL import Image, ImageDraw

    from steersman.drawing.glyphs import outline

    size, sharp = round(length * 1.3) + 1, 4
    image = Image.new("RGBA", (size * sharp, size * sharp))
    corners = (outline("dart") * (1, -1) * length + size / 2) * sharp
    ImageDraw.Draw(image).polygon([tuple(corner) for corner in corners.tolist()], fill=tuple(color))
    return arcade.Texture(image.resize((size, size), Image.Resampling.LANCZOS))
