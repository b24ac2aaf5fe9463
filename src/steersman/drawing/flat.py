"""Pictures of 2D worlds with matplotlib: elements on a sheet of paper with a grid."""

from functools import singledispatch
from typing import TYPE_CHECKING, Any

import numpy as np

from steersman.core.typing import Array
from steersman.drawing.description import Description
from steersman.drawing.elements import Areas, Arrows, Element, Faces, Glyphs, Lines, Marks, Texts
from steersman.drawing.glyphs import outline
from steersman.drawing.palette import FAINT, FRAME, GRID, PAPER, SHEET
from steersman.drawing.words import BESIDE, stands_right

if TYPE_CHECKING:
    from matplotlib.axes import Axes


SEAM = 0.2
"""Width of the edges of faces [points], so that nothing shines through between neighbors."""


def draw_flat(axes: "Axes", description: Description) -> None:
    """Draw a description in 2D.

    Args:
        axes: Where to draw; their limits will be those of the view [m].
        description: The description to draw.
    """
    (left, bottom), (right, top) = description.low, description.high
    axes.set_xlim(left, right)
    axes.set_ylim(bottom, top)
    axes.set_aspect("equal")
    axes.set_facecolor(SHEET)
    for spine in axes.spines.values():
        spine.set_color(FRAME)
    axes.tick_params(colors=FAINT, labelsize=7, length=2.5, color=FRAME)
    unit: Any = {
        "xycoords": "axes fraction",
        "textcoords": "offset points",
        "ha": "right",
        "fontsize": 7,
        "color": FAINT,
    }
    axes.annotate("m", (0, 1), (-3, 6), **unit)  # Above a number that may stand at the very top.
    axes.set_axisbelow(True)
    axes.grid(visible=True, color=GRID, linewidth=0.6)
    for element in description.elements:
        put(element, axes)


@singledispatch
def put(element: Element, axes: "Axes") -> None:
    """Draw an element of a plane."""
    raise TypeError(f"{type(element).__name__} is nothing that a plane shows")


@put.register(Areas)
def _areas(element: Areas, axes: "Axes") -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path as Outline

    if element.edge is not None:
        put_each(element, axes)
    elif element.rings:
        closed = [Outline(np.concatenate([ring, ring[:1]]), closed=True) for ring in element.rings]
        shape, face = Outline.make_compound_path(*closed), _face(element)
        axes.add_patch(PathPatch(shape, facecolor=face, edgecolor="none", snap=False, zorder=element.layer))


def put_each(element: Areas, axes: "Axes") -> None:
    """Draw each outline by itself, in the units of the axes: those that overlap are seen through each other."""
    from matplotlib.collections import PolyCollection

    rings: Any = list(element.rings)
    about: Any = {
        "facecolor": _face(element),
        "edgecolor": element.edge or "none",
        "linewidth": element.width,
        "linestyle": "solid" if element.dash is None else (0, element.dash),
        "zorder": element.layer,
    }
    axes.add_collection(PolyCollection(rings, **about))


def _face(element: Areas) -> Any:
    """The color of areas in matplotlib's words."""
    return "none" if element.face is None else (*element.face, element.opacity)


@put.register(Lines)
def _lines(element: Lines, axes: "Axes") -> None:
    """Draw lines in the units of the axes."""
    from matplotlib.collections import LineCollection

    style: Any = "solid" if element.dash is None else [(0, element.dash)]
    one_color = np.ndim(element.color) == 1  # Round ends of see-through pieces would be seen as beads.
    caps: Any = {"capstyle": "round"} if one_color and element.dash is None else {}
    about = {"linewidths": element.width, "linestyles": style, "zorder": element.layer, **caps}
    axes.add_collection(LineCollection(list(element.points), colors=element.color, **about))


@put.register(Arrows)
def _arrows(element: Arrows, axes: "Axes") -> None:
    """Draw arrows in the units of the axes."""
    (x, y), (u, v) = element.tails.T, (element.tips - element.tails).T
    axes.quiver(
        x, y, u, v, color=element.color, angles="xy", scale_units="xy", scale=1.0, units="xy", width=element.width,
        headwidth=5, headlength=6, headaxislength=5.2, minlength=0.0, minshaft=1.6, zorder=element.layer,
    )  # fmt: skip


@put.register(Marks)
def _marks(element: Marks, axes: "Axes") -> None:
    """Draw marks in the units of the axes."""
    x, y = element.position.T
    if element.shape == "plus":
        axes.plot(x, y, "+", color=element.color, markersize=element.size, markeredgewidth=1.2, zorder=element.layer)
        return
    color: Any = (*element.color, element.opacity)
    face = color if element.shape == "dot" else "none"
    edge = color if element.shape == "ring" else "none"
    axes.scatter(x, y, s=np.square(element.size), facecolors=face, edgecolors=edge, zorder=element.layer)


@put.register(Texts)
def _texts(element: Texts, axes: "Axes") -> None:
    """Write words in the units of the axes, on a little of the paper."""
    from matplotlib.patheffects import withStroke

    left, right = axes.get_xlim()
    points = 72 * axes.bbox.width / axes.figure.dpi / (right - left)
    for (x, y), word in zip(element.position, element.words, strict=True):
        at_the_right = stands_right(word, element.size, points * (x - left), points * (right - x))
        side, way = ("left", BESIDE) if at_the_right else ("right", -BESIDE)
        axes.annotate(
            word, (x, y), (way, 4), textcoords="offset points", ha=side, fontsize=element.size,
            color=element.color, alpha=element.opacity, zorder=element.layer, annotation_clip=True,
            path_effects=[withStroke(linewidth=2.5, foreground="white")],
        )  # fmt: skip


@put.register(Faces)
def _faces(element: Faces, axes: "Axes") -> None:
    from matplotlib.collections import PolyCollection

    polygons: Any = element.polygons
    color: Any = element.color
    about = {"facecolors": color, "edgecolors": color, "linewidths": SEAM, "zorder": element.layer}
    axes.add_collection(PolyCollection(polygons, **about))


@put.register(Glyphs)
def _glyphs(element: Glyphs, axes: "Axes") -> None:
    from matplotlib.collections import PolyCollection

    if element.shape == "ball":
        rim: Any = element.rim or "none"
        look: Any = {"facecolor": element.color, "edgecolor": rim, "linewidth": 0.6, "zorder": element.layer}
        axes.add_collection(PolyCollection(discs(element), **look))
        return
    outlines: Any = outlines_of(element)
    edge: Any = PAPER if len(outlines) <= 3000 else "none"
    about = {"edgecolor": edge, "linewidth": 0.35, "zorder": element.layer, "label": element.name}
    axes.add_collection(PolyCollection(outlines, facecolor=(*element.color, 0.95), **about))


def discs(balls: Glyphs) -> Any:
    """Outlines of bodies [m], shape (k, 24, 2)."""
    angle = (np.arange(24) + 0.5) * np.pi / 12  # No corner lies between the round ends of a capsule.
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1) / 2
    rings = balls.size[:, None, None] * circle
    if balls.axis is not None:
        rings[..., 0] += balls.axis[:, None] * np.sign(circle[:, 0]) / 2
        rings = _turned(rings, balls.forward)
    return balls.position[:, None] + rings


def outlines_of(glyphs: Glyphs) -> Array:
    """Outlines of vehicles [m], shape (k, corners, 2)."""
    shape = _turned(outline(glyphs.shape)[None], glyphs.forward)
    return np.asarray(glyphs.position[:, None, :] + shape * glyphs.size[:, None, None])


def _turned(rings: Array, forward: Any) -> Array:
    """Outlines (k, corners, 2) in (forward, side), along unit vectors (k, 2)."""
    side = np.stack([-forward[:, 1], forward[:, 0]], axis=1)
    return np.asarray(rings[..., :1] * forward[:, None, :] + rings[..., 1:] * side[:, None, :])
