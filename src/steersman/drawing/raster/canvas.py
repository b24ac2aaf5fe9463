"""A canvas: an array of pixels on which elements of a plane are drawn as pictures on paper show them."""

import dataclasses
from collections.abc import Iterator, Sequence
from functools import singledispatchmethod
from typing import Any

import numpy as np

from steersman.core.typing import Array
from steersman.drawing.elements import Areas, Arrows, Element, Faces, Glyphs, Lines, Marks, Texts
from steersman.drawing.flat import SEAM, discs, outlines_of
from steersman.drawing.letters import outlines as letters
from steersman.drawing.palette import PAPER, RGB, rgba
from steersman.drawing.raster import outlines
from steersman.drawing.raster.filling import OVER, Window, fill
from steersman.drawing.raster.outlines import Shapes
from steersman.drawing.words import BESIDE, stands_right


@dataclasses.dataclass(frozen=True)
class Place:
    """Where a plane lies in the picture.

    Attributes:
        x, y: Where its origin is [pixels].
        scale: Pixels a unit.
        window: The part of the picture that may be drawn upon.
    """

    x: float
    y: float
    scale: float
    window: Window

    def pixels(self, points: Any) -> Array:
        """Points of the plane, y up, in the picture, y down, shape (..., 2)."""
        return np.asarray(points, np.float64) * (self.scale, -self.scale) + (self.x, self.y)


class Canvas:
    """Pixels to be drawn upon.

    Args:
        width, height: Their numbers.
        point: Pixels a point, the unit of widths of lines and sizes of letters.

    Attributes:
        pixels: The picture, uint8, shape (height, width, 3).
        nearest: The distance of the nearest shape that hides others, shape (height, width).
    """

    def __init__(self, width: int, height: int, point: float) -> None:
        self.pixels = np.zeros((height, width, 3), np.uint8)
        self.nearest = np.full((height, width), np.inf, np.float32)
        self.point = point
        self._cover = np.zeros((height, width + 2), np.float32)
        self._spans = np.zeros((height, 2), np.int64)

    def copy_from(self, other: "Canvas") -> None:
        """Copy the pixels of another canvas of the same size."""
        self.pixels[...] = other.pixels
        self.nearest[...] = other.nearest

    def clear(self, color: Any) -> None:
        """One color everywhere, or one for each row, shape (height, 3)."""
        shades = np.round(255 * np.asarray(color)).astype(np.uint8)
        self.pixels[...] = shades if shades.ndim == 1 else shades[:, None]
        self.nearest[...] = np.inf

    # ------------------------------------------------------------------------------------------------ shapes

    def fill(self, shapes: Shapes, color: Any, window: Window, depth: Array | None = None, how: int = OVER) -> None:
        """Fill shapes.

        Args:
            shapes: The shapes [pixels].
            color: Red, green, blue and opacity in [0, 1], or those of each shape, shape (s, 4).
            window: The part that may be drawn upon.
            depth: How far away each is, where that matters, shape (s,).
            how: How they are combined with the picture so far.
        """
        count = len(shapes.rings)
        if not count:
            return
        colors = np.ascontiguousarray(np.broadcast_to(np.asarray(color, np.float64), (count, 4)))
        starts = np.concatenate([[0], np.cumsum(shapes.counts)]).astype(np.int64)
        firsts = np.concatenate([[0], np.cumsum(shapes.rings)]).astype(np.int64)
        points = np.ascontiguousarray(shapes.points, np.float64)
        depths = np.zeros(count) if depth is None else np.ascontiguousarray(depth, np.float64)
        how = how if depth is not None else OVER
        scratch = self._cover, self._spans
        fill(points, starts, firsts, colors, depths, window, how, self.pixels, self.nearest, *scratch)

    def write(
        self, text: str, x: float, y: float, size: float, color: RGB, *, bold: bool = False, align: str = "left",
        opacity: float = 1.0, window: Window | None = None, halo: float = 0.0,
    ) -> float:  # fmt: skip
        """Write a line of text.

        Args:
            text: The text.
            x, y: Where its base line begins, or ends, or has its middle [pixels].
            size: Height of the letters [points].
            color, opacity: Of the letters.
            bold: Whether they are.
            align: "left", "right" or "center".
            window: The part that may be drawn upon. Default: everything.
            halo: Width of the white around them [points].

        Returns:
            How wide it is [pixels].
        """
        words, scale = letters(text, bold=bold), size * self.point
        x -= {"left": 0.0, "center": 0.5, "right": 1.0}[align] * words.width * scale
        everything = window or (0, 0, self.pixels.shape[1], self.pixels.shape[0])
        rings = [ring * (scale, -scale) + (x, y) for ring in words.rings]
        if halo:
            for ring in rings:
                around = outlines.stroke(ring, halo * self.point, closed=True)
                self.fill(around, (1.0, 1.0, 1.0, opacity), everything)
        if rings:
            self.fill(Shapes.together(rings), (*color, opacity), everything)
        return words.width * scale

    # ------------------------------------------------------------------------------------------------ elements

    def draw(self, elements: Sequence[Element], place: Place) -> None:
        """Draw elements of a plane, those of lower layers first."""
        for each in sorted(elements, key=lambda element: element.layer):
            self.put(each, place)

    @singledispatchmethod
    def put(self, element: Element, place: Place, depth: Array | None = None, how: int = OVER) -> None:
        """Draw an element.

        Args:
            element: The element.
            place: Where its plane lies.
            depth: How far away its parts are, where that matters, shape (k,).
            how: How they are combined with the picture so far.
        """
        raise TypeError(f"{type(element).__name__} is nothing that a plane shows")

    @put.register
    def _areas(self, element: Areas, place: Place, depth: Array | None = None, how: int = OVER) -> None:
        rings = [place.pixels(ring) for ring in element.rings]
        if element.edge is None:
            if rings and element.face is not None:
                self.fill(Shapes.together(rings), (*element.face, element.opacity), place.window)
            return
        for ring in rings:
            if element.face is not None:
                self.fill(Shapes.together([ring]), (*element.face, 1.0), place.window)
            for line, closed in self._dashes(ring, element.dash, element.width, closed=True):
                around = outlines.stroke(line, element.width * self.point, closed=closed)
                self.fill(around, (*element.edge, 1.0), place.window)

    @put.register
    def _lines(self, element: Lines, place: Place, depth: Array | None = None, how: int = OVER) -> None:
        count = len(element.points)
        if not count:
            return
        colors = np.broadcast_to(np.asarray(element.color, np.float64), (count, 4))
        widths = np.broadcast_to(np.asarray(element.width, np.float64) * self.point, count)
        points: Any = element.points
        if element.dash is None and isinstance(points, np.ndarray) and points.shape[1] == 2:
            ends = place.pixels(points)
            self.fill(Shapes.alike(outlines.strips(ends[:, 0], ends[:, 1], widths)), colors, place.window, depth, how)
            return
        round_ends = np.ndim(element.color) == 1 and element.dash is None
        for k, line in enumerate(points):
            away = None if depth is None else depth[k : k + 1]
            for part, _ in self._dashes(place.pixels(line), element.dash, float(widths[k]) / self.point):
                made = outlines.stroke(part, float(widths[k]), round_ends=round_ends)
                self.fill(made, colors[k], place.window, away, how)

    def _dashes(
        self, line: Array, dash: tuple[float, float] | None, width: float, *, closed: bool = False
    ) -> Iterator[tuple[Array, bool]]:
        """The parts of a line that are drawn, and whether they are closed; wide lines have long dashes, as on paper."""
        if dash is None:
            yield line, closed
            return
        whole = np.concatenate([line, line[:1]]) if closed else line
        on, off = (each * width * self.point for each in dash)
        yield from ((part, False) for part in outlines.dashed(whole, on, off))

    @put.register
    def _arrows(self, element: Arrows, place: Place, depth: Array | None = None, how: int = OVER) -> None:
        tails, tips = place.pixels(element.tails), place.pixels(element.tips)
        polygons = outlines.arrows(tails, tips, element.width * place.scale)
        self.fill(Shapes.alike(polygons), element.color, place.window)

    @put.register
    def _marks(self, element: Marks, place: Place, depth: Array | None = None, how: int = OVER) -> None:
        if not len(element.position):
            return
        places, size = place.pixels(element.position), np.asarray(element.size) * self.point
        color = (*element.color, element.opacity)
        if element.shape == "dot":
            self.fill(Shapes.alike(outlines.discs(places, 0.5 * size)), color, place.window)
        elif element.shape == "plus":
            self.fill(outlines.crosses(places, size, 1.2 * self.point), color, place.window)
        else:
            for hoop in outlines.hoops(places, size, self.point):
                self.fill(hoop, color, place.window)

    @put.register
    def _texts(self, element: Texts, place: Place, depth: Array | None = None, how: int = OVER) -> None:
        left, _, right, _ = place.window
        for (x, y), word in zip(place.pixels(element.position), element.words, strict=True):
            at_the_right = stands_right(word, element.size, (x - left) / self.point, (right - x) / self.point)
            side, way = ("left", BESIDE) if at_the_right else ("right", -BESIDE)
            x, y = x + way * self.point, y - 4 * self.point
            self.write(word, x, y, element.size, element.color, align=side, window=place.window, halo=2.5)

    @put.register
    def _glyphs(self, element: Glyphs, place: Place, depth: Array | None = None, how: int = OVER) -> None:
        if element.shape == "ball":
            self.fill(Shapes.alike(place.pixels(discs(element))), (*element.color, 1.0), place.window)
            return
        bodies = place.pixels(outlines_of(element))
        color = (*element.color, 0.95)
        if len(bodies) > 3000:
            self.fill(Shapes.alike(bodies), color, place.window)
            return
        shapes = outlines.with_rims(bodies, 0.35 * self.point, apart=True)
        self.fill(shapes, np.tile([color, rgba(PAPER)], (len(bodies), 1)), place.window)

    @put.register
    def _faces(self, element: Faces, place: Place, depth: Array | None = None, how: int = OVER) -> None:
        """Filled a little beyond their edges."""
        if not len(element.polygons):
            return
        color = np.column_stack([element.color, np.ones(len(element.color))])
        polygons: Any = element.polygons
        if not isinstance(polygons, np.ndarray):
            bodies = [place.pixels(polygon) for polygon in polygons]
            self.fill(Shapes.each(bodies), color, place.window, depth, how)
            return
        corners = place.pixels(polygons)
        one, two = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
        turned = one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0] < 0
        corners = np.where(turned[:, None, None], corners[:, ::-1], corners)
        shapes = outlines.with_rims(corners, max(SEAM * self.point, LEAST_SEAM))
        self.fill(shapes, color, place.window, depth, how)


LEAST_SEAM = 0.6
"""Width of the edges of faces [pixels], at least: thinner ones let the background shine through."""
