"""Vehicles in pygame-ce (2.5 or newer): sprites that follow a population, input, obstacles, and the overlay.

    sprites = Sprites(boids, image, camera)  # a pygame.sprite.Group
    while running:
        sprites.update()  # or: sprites.update(world.drawn(fraction))
        sprites.draw(screen)

The positions of all sprites are computed at once, their images are kept by angle, and one `fblits` draws them. Sprite
objects, for `pygame.sprite.groupcollide` and the like, are made when they are asked for.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pygame

from steersman.adapters.camera import Camera
from steersman.adapters.overlay import Fill, Stroke, Word, overlay
from steersman.core.environment.obstacles.boxes import Boxes
from steersman.core.environment.obstacles.walls import Walls
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.controller import Controller
from steersman.core.world.interpolation import Pose
from steersman.core.world.world import World

LEFT, RIGHT = (pygame.K_LEFT, pygame.K_a), (pygame.K_RIGHT, pygame.K_d)
DOWN, UP = (pygame.K_DOWN, pygame.K_s), (pygame.K_UP, pygame.K_w)


class TurnedImages:
    """An image, turned to a number of angles; each is made when it is first needed.

    Args:
        image: The image.
        faces: Where the picture of the image faces [degrees], counterclockwise from the right.
        steps: The number of angles of a whole turn. Raising it makes turning smoother and takes memory.
    """

    def __init__(self, image: pygame.Surface, faces: float = 0.0, steps: int = 120) -> None:
        self.image, self.faces, self.steps = image, faces, steps
        self._made: list[pygame.Surface | None] = [None] * steps
        self.halves = np.zeros((steps, 2))

    def at(self, degrees: Array) -> Array:
        """The number of the image for each angle [degrees], shape (n,)."""
        return np.rint((degrees - self.faces) * (self.steps / 360)).astype(np.int64) % self.steps

    def images(self, numbers: Array) -> list[pygame.Surface]:
        """The images of these numbers."""
        for k in np.unique(numbers).tolist():
            if self._made[k] is None:
                turned = pygame.transform.rotate(self.image, k * 360 / self.steps)
                if pygame.display.get_surface() is not None:
                    turned = turned.convert_alpha()
                self._made[k] = turned
                self.halves[k] = turned.get_width() / 2, turned.get_height() / 2
        made: list[Any] = self._made
        return [made[k] for k in numbers.tolist()]


class Follower(pygame.sprite.Sprite):
    """The sprite of one vehicle: `image` and `rect` are those of the last `update`.

    Attributes:
        id: The id of the vehicle. `kill()` removes the vehicle from its population.
    """

    image: pygame.Surface
    rect: pygame.FRect

    def __init__(self, id: int) -> None:
        super().__init__()
        self.id = id


class Sprites(pygame.sprite.Group):
    """A group that follows a population: a sprite for each vehicle, which comes and goes with it.

    Args:
        vehicles: The population, in 2D.
        image: The image of a vehicle, or several, of which `update(kind=...)` chooses.
        camera: Where the window looks.
        faces: Where the picture in the image faces [degrees], counterclockwise from the right: 90 for one that faces up.
        steps: The number of angles to which images are turned.
    """

    def __init__(
        self,
        vehicles: Vehicles,
        image: pygame.Surface | Sequence[pygame.Surface],
        camera: Camera,
        *,
        faces: float = 0.0,
        steps: int = 120,
    ) -> None:
        super().__init__()
        self.vehicles, self.camera = vehicles, camera
        several = [image] if isinstance(image, pygame.Surface) else image
        self._turned = [TurnedImages(each, faces, steps) for each in several]
        self._sprites: dict[int, Follower] = {}
        self._fresh = False
        self._kind: Any = None
        self.update()

    def update(self, pose: Pose | None = None, kind: Any = None) -> None:
        """Look where the vehicles are.

        Args:
            pose: Where they are drawn, as `world.drawn(fraction)` gives it. Default: where they are.
            kind: The number of the image of each vehicle, shape (n,) or one for all. Default: as before, or 0.
        """
        where = self.vehicles if pose is None else pose
        self._kind = self._kind if kind is None else kind
        count = len(where.id)
        kinds = np.zeros(count, np.int64) if self._kind is None else np.asarray(self._kind)
        if kinds.ndim and len(kinds) != count:
            kinds = np.zeros(count, np.int64)  # Vehicles have come or gone since the kinds were told.
        kinds = np.broadcast_to(kinds.astype(np.int64), count)
        turns = self._turned[0].at(self.camera.degrees(where.heading))
        places = self.camera.pixels(where.position)
        self._images: list[Any] = [None] * count
        for k, turned in enumerate(self._turned):
            rows = np.flatnonzero(kinds == k) if len(self._turned) > 1 else slice(None)
            images = turned.images(turns[rows])
            places[rows] -= turned.halves[turns[rows]]
            if isinstance(rows, slice):
                self._images = images
            else:
                for row, image in zip(rows.tolist(), images, strict=True):
                    self._images[row] = image
        self._places, self._ids, self._fresh = places, where.id, False

    def draw(self, surface: pygame.Surface, *args: Any) -> list[Any]:
        """Draw all vehicles; those outside of the surface cost next to nothing."""
        if len(self._ids) != len(self.vehicles):
            self.update()
        x, y = self._places.T.tolist()
        surface.fblits(
            zip(self._images, zip(x, y, strict=True), strict=True)
        )  # Kept as a list it takes ten times as long.
        return []

    def sprites(self) -> list[Follower]:
        """A sprite for each vehicle, in the order of the rows at the last `update`."""
        if not self._fresh:
            ids = self._ids.tolist()
            gone = self._sprites.keys() - set(ids)
            for id in gone:
                self._sprites.pop(id).remove_internal(self)
            for id, image, place in zip(ids, self._images, self._places.tolist(), strict=True):
                sprite = self._sprites.get(id)
                if sprite is None:
                    sprite = self._sprites[id] = Follower(id)
                    sprite.add_internal(self)
                sprite.image, sprite.rect = image, pygame.FRect(place, image.get_size())
            self._fresh = True
        return [self._sprites[id] for id in self._ids.tolist() if id in self._sprites]

    def sprite_of(self, id: int) -> Follower:
        """The sprite of the vehicle with an id."""
        self.sprites()
        return self._sprites[int(id)]

    def remove_internal(self, sprite: Any) -> None:
        """Remove the vehicle of a sprite that was killed."""
        if self._sprites.pop(sprite.id, None) is not None:
            self.vehicles.remove(sprite.id)

    def has_internal(self, sprite: Any) -> bool:
        """Whether a sprite is one of a vehicle."""
        return self._sprites.get(getattr(sprite, "id", -1)) is sprite

    def __iter__(self) -> Iterator[Any]:
        return iter(self.sprites())

    def __len__(self) -> int:
        return len(self.vehicles)

    def __bool__(self) -> bool:
        return len(self.vehicles) > 0


def mouse(camera: Camera) -> Array:
    """Where the mouse points in the world [m], shape (2,).

    As a target: `sm.Seek(lambda: mouse(camera))`.
    """
    return camera.meters(pygame.mouse.get_pos())


def keys(camera: Camera) -> Array:
    """Where the arrows (or WASD) that are held down point to: a vector of the world of length 1 or 0, shape (2,)."""
    held = pygame.key.get_pressed()
    right, left, up, down = (any(held[key] for key in some) for some in (RIGHT, LEFT, UP, DOWN))
    return camera.direction(right - left, up - down)


def boxes(items: Iterable[Any], camera: Camera) -> Boxes:
    """Obstacles of rects, or of sprites that have a `rect`, such as a Group.

    Args:
        items: Rects (`pygame.Rect`, `FRect`) or sprites, in pixels of the window.
        camera: Where the window looks now.
    """
    rects = [pygame.FRect(getattr(item, "rect", item)) for item in items]
    numbers = np.array([(*rect.center, *rect.size) for rect in rects]).reshape(-1, 4)
    return Boxes(camera.meters(numbers[:, :2]), numbers[:, 2:] / (2 * camera.scale))


def walls(mask: pygame.mask.Mask, camera: Camera, at: tuple[float, float] = (0, 0), every: int = 4) -> Walls:
    """Obstacles of the outlines of a mask, each of its connected parts a solid body.

    Args:
        mask: The mask, as `pygame.mask.from_surface(image)` makes it of a picture.
        camera: Where the window looks now.
        at: Where the upper left corner of the mask is in the window [pixels].
        every: Pixels of the outline from one corner to the next.

    Raises:
        ValueError: No part of the mask is set.
    """
    outlines = [part.outline(every) for part in mask.connected_components(minimum=16)]
    rings = [
        camera.meters(np.add(each[:-1] if each[0] == each[-1] else each, at)) for each in outlines if len(each) > 3
    ]
    if not rings:
        raise ValueError("the mask must have a part that is set, of 16 pixels at least, to be an obstacle")
    return Walls(rings, closed=True, seen_from="outside")


_WORDS: dict[tuple[str, Any, int], pygame.Surface] = {}


def draw_overlay(surface: pygame.Surface, camera: Camera, scene: World | Controller, id: Any, **options: Any) -> None:
    """Draw how some vehicles are steered: sketches, forces, neighborhoods, modes. Call it once a frame.

    Args:
        surface: Where to draw.
        camera: Where the window looks.
        scene: The world or Controller.
        id: The vehicles: an id, ids, or a mask of shape (n,).
        options: Those of `steersman.adapters.overlay.overlay`: `name`, `neighbors`, `forces`, `modes`, ...
    """
    for part in overlay(scene, id, camera, **options):
        match part:
            case Word(x, y, text, color, size):
                written = _word(text, color, round(size * 1.5))
                surface.blit(written, (x, y - written.get_height() / 2))
            case Stroke(points, color, width):
                _stroke(surface, points, color, width)
            case Fill(points, color):
                _fill(surface, points, color)


def _stroke(surface: pygame.Surface, points: Array, color: Any, width: float) -> None:
    thick = max(1, round(width))
    if thick == 1:
        pygame.draw.aalines(surface, color, False, points.tolist())
    else:
        pygame.draw.lines(surface, color, False, points.tolist(), thick)


def _fill(surface: pygame.Surface, points: Array, color: Any) -> None:
    if color[3] == 255:
        pygame.draw.polygon(surface, color, points.tolist())
        return
    low = np.maximum(np.floor(points.min(axis=0)), 0)
    high = np.minimum(np.ceil(points.max(axis=0)) + 1, surface.get_size())
    if np.all(high > low):
        layer = pygame.Surface((high - low).tolist(), pygame.SRCALPHA)
        pygame.draw.polygon(layer, color, (points - low).tolist())
        surface.blit(layer, low.tolist())


def _word(text: str, color: Any, size: int) -> pygame.Surface:
    """A word as an image; the last few hundred are kept."""
    key = (text, color, size)
    if key not in _WORDS:
        if len(_WORDS) > 300:
            _WORDS.clear()
        _WORDS[key] = pygame.font.Font(None, size).render(text, True, color[:3])
    return _WORDS[key]


def dart(length: float, color: Any, edge: Any = None) -> pygame.Surface:
    """An image of a vehicle that faces right: the dart of pictures.

    Args:
        length: How long it is [pixels].
        color: Its color.
        edge: Color of a rim. Default: none.
    """
    from steersman.drawing.glyphs import outline

    ring, sharp = outline("dart"), 4
    size = math.ceil(length * 1.3)
    image = pygame.Surface((size * sharp, size * sharp), pygame.SRCALPHA)
    corners = (ring * (1, -1) * length + size / 2) * sharp
    pygame.draw.polygon(image, color, corners.tolist())
    if edge is not None:
        pygame.draw.polygon(image, edge, corners.tolist(), max(1, round(sharp * length / 14)))
    return pygame.transform.smoothscale(image, (size, size))
