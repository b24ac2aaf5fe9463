"""Elements of pictures: areas, lines, arrows, marks, texts, meshes and glyphs, as plain arrays in meters.

Every kind of item is turned into these elements in one place (`scenery_flat`, `scenery_solid`, `description`); every
program that shows pictures, on paper or in a browser, draws these and nothing else. Widths of lines and sizes of marks
are in points, 1/72 inch of a picture that is eight inches wide. An element of a higher layer hides those of lower ones.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.typing import Array
from steersman.drawing.palette import RGB, RGBA

LINES, PLACES = ("rings", "points"), ("position", "tails", "tips")
"""The fields of elements that are lines, each an array of places, and those that are places."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Element:
    """A part of a picture.

    Attributes:
        layer: Higher elements hide lower ones.
    """

    layer: float = 2.0


SURFACE, MIDDLE_LINE, PAINT = "surface", "middle line", "paint"
"""Parts that have the look of what they are of: regions and roads, the middle of a road, flows and maps."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Areas(Element):
    """Filled outlines, in the plane or in space.

    Attributes:
        rings: Outlines [m], each of shape (k, d). Those without an edge are one area, in which a ring that turns the other
            way is a hole.
        part: SURFACE or PAINT; "" for others.
        face, edge: Colors; None for nothing.
        opacity: Of the face, from 0 to 1.
        width: Width of the edge [points].
        dash: Lengths of the dashes of the edge and of the gaps between [points]; None for a solid line.
    """

    rings: Sequence[Array]
    face: RGB | None = None
    edge: RGB | None = None
    opacity: float = 1.0
    width: float = 1.0
    dash: tuple[float, float] | None = None
    part: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class Lines(Element):
    """Lines through points.

    Attributes:
        points: Points of each line [m], shape (k, d).
        color: One color with opacity, or one for each line, shape (number of lines, 4).
        width: Their width [points], or that of each.
        dash: Lengths of dashes and gaps [points]; None for solid lines.
        part: MIDDLE_LINE, or PAINT on other lines; "" for others.
    """

    points: Sequence[Array]
    color: Any
    width: Any = 0.8
    dash: tuple[float, float] | None = None
    part: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class Arrows(Element):
    """Arrows from tails to tips.

    Attributes:
        tails, tips: Where they begin and end [m], shape (k, d).
        color: Their color with opacity.
        width: Width of their shafts [m].
    """

    tails: Array
    tips: Array
    color: RGBA
    width: float


@dataclass(frozen=True, eq=False, kw_only=True)
class Marks(Element):
    """Marks that are equally large at any distance.

    Attributes:
        shape: "plus", "dot" or "ring".
        position: Where they are [m], shape (k, d).
        color: Their color.
        size: Their width [points], or that of each.
        opacity: From 0 to 1.
    """

    shape: str
    position: Array
    color: RGB
    size: Any
    opacity: float = 1.0


@dataclass(frozen=True, eq=False, kw_only=True)
class Texts(Element):
    """Words beside places.

    Attributes:
        position: The places [m], shape (k, d).
        words: The words at the right of each.
        color: Their color.
        opacity: Of the letters, from 0 to 1.
        size: Height of the letters [points].
    """

    position: Array
    words: Sequence[str]
    color: RGB
    opacity: float = 1.0
    size: float = 8.0


@dataclass(frozen=True, eq=False, kw_only=True)
class Mesh(Element):
    """Triangles that hide elements behind them, in 3D.

    Attributes:
        triangles: Their corners [m], shape (k, 3, 3).
        color: Their color.
        closed: Whether they are of closed bodies, each seen from outside counterclockwise, so that one that looks away is
            hidden by the others.
    """

    triangles: Array
    color: RGB
    closed: bool = False


@dataclass(frozen=True, eq=False, kw_only=True)
class Faces(Element):
    """Filled polygons of many colors, of which later ones hide earlier ones: bodies as a camera sees them.

    Attributes:
        polygons: Their corners in the picture, each of shape (k, 2).
        color: Their colors, shape (number of polygons, 3).
    """

    polygons: Sequence[Array]
    color: Array


@dataclass(frozen=True, eq=False, kw_only=True)
class Glyphs(Element):
    """Many small bodies of one shape.

    Attributes:
        shape: A vehicle's, one of `glyphs.GLYPHS`; or "ball", of a diameter.
        position: Where they are [m], shape (k, d).
        size: How large they are [m], shape (k,).
        color: Their color.
        forward, up: Unit vectors, shape (k, d); None for balls, and `up` in 2D.
        axis: Lengths of the axes of balls that are capsules along `forward` [m], shape (k,); None for balls.
        name: The population they are; "" for none.
        rim: The color of their outlines; None for the usual.
    """

    shape: str
    position: Array
    size: Array
    color: RGB
    forward: Array | None = None
    up: Array | None = None
    axis: Array | None = None
    name: str = ""
    rim: RGB | None = None


@dataclass(frozen=True, eq=False)
class View:
    """The visible part of the space.

    Attributes:
        low, high: Its corners [m], shape (d,).
        domain: The space; on a torus things are seen across the seam too.
    """

    low: Array
    high: Array
    domain: Domain

    @property
    def span(self) -> float:
        """Its longest edge [m]."""
        return float((self.high - self.low).max())

    def nodes(self, along: int) -> tuple[Array, float]:
        """Nodes of a grid [m], shape (k, d), with some meshes along the longest edge, and the size of a mesh [m]."""
        mesh = self.span / along
        axes = [np.arange(low + mesh / 2, high, mesh) for low, high in zip(self.low, self.high, strict=True)]
        return np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, len(axes)), mesh

    def across_the_seam(self, element: Element) -> Element:
        """An element with those of its images that can be seen, in 2D."""
        if isinstance(element, Areas):
            return replace(element, rings=self._images(element.rings))
        return replace(element, points=self._images(element.points)) if isinstance(element, Lines) else element

    def _images(self, lines: Sequence[Array]) -> list[Array]:
        return [line + shift for line in lines for shift in self._shifts(line.min(axis=0), line.max(axis=0))]

    def _shifts(self, low: Array, high: Array) -> Iterator[Array]:
        """By how much to shift elements between two corners [m] into view: nothing, or periods of a torus."""
        period = self.domain.wrap(2, np.float64)[0]
        for steps in itertools.product(*[(-1, 0, 1) if p else (0,) for p in period]):
            shift = np.array(steps) * period
            if np.all(high + shift > self.low) and np.all(low + shift < self.high):
                yield shift


E = TypeVar("E", bound=Element)


def projected(element: E, project: Callable[[Array], Array]) -> E:
    """An element elsewhere.

    Args:
        element: Areas, lines, arrows, marks or texts.
        project: Places, shape (m, d), to places, shape (m, 2) for instance.
    """
    elsewhere: dict[str, Any] = {name: project(getattr(element, name)) for name in PLACES if hasattr(element, name)}
    for name in LINES:
        if hasattr(element, name):
            elsewhere[name] = [project(line) for line in getattr(element, name)]
    return replace(element, **elsewhere)


def of_kind(elements: Sequence[Element], kind: type[E]) -> list[E]:
    """The elements of a kind."""
    return [each for each in elements if isinstance(each, kind)]
