"""Pictures of 2D worlds: vehicles as darts with fading trails, on paper that shows the scenery."""

from typing import TYPE_CHECKING, Any

import numpy as np

from steersman.drawing.contents import Contents
from steersman.drawing.extent import frame_of
from steersman.drawing.palette import FAINT, FRAME, INK, PAPER, RGB, colors_of
from steersman.drawing.scenery_flat import Sheet, draw_flat_thing
from steersman.drawing.sketches import draw_sketches
from steersman.geometry.vectors import Array
from steersman.vehicles.vehicles import Vehicles

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DART = np.array([[0.62, 0.0], [-0.38, 0.3], [-0.2, 0.0], [-0.38, -0.3]])
"""A vehicle of length 1 that faces along x, shape (4, 2)."""

WIDE = 0.925
"""Width of the axes, as a part of the figure's."""

DRAWN = 200_000
"""Vehicles drawn at most; of more, an even sample."""


def flat_axes(figure: "Figure", contents: Contents) -> "Axes":
    """Axes on an empty figure, whose height is fitted to what is drawn."""
    low, high = frame_of(contents)
    width = figure.get_figwidth()
    figure.set_figheight(float(np.clip(width * WIDE * (high - low)[1] / (high - low)[0] + 1.2, 3.6, 12.0)))
    height = figure.get_figheight()
    return figure.add_axes((0.05, 0.6 / height, WIDE, 1 - 1.2 / height))


def draw_flat(axes: "Axes", contents: Contents) -> None:
    """Draw what there is in 2D.

    Args:
        axes: Where to draw; their limits will be those of what is seen [m].
        contents: What to draw.
    """
    low, high = frame_of(contents)
    span = float((high - low).max())
    colors = colors_of(contents.vehicles, contents.colors)
    _prepare(axes, low, high)
    sheet = Sheet(axes, low, high, contents.domain)
    for item in contents.scenery:
        draw_flat_thing(item, sheet)
    x, y = contents.points().T
    axes.plot(x, y, "+", color=FAINT, markersize=7, markeredgewidth=1.2, zorder=2)
    for name in contents.vehicles:
        if contents.trails is not None and (trail := contents.trails.of(name)) is not None:
            _draw_trail(axes, trail.segments, trail.age, colors[name])
    for name, vehicles in contents.vehicles.items():
        _draw_vehicles(axes, vehicles, name, colors[name], span, contents.style.size)
    if contents.forces is not None:
        draw_arrows(axes, contents.forces.arrows(span))
    if contents.sketches:
        draw_sketches(axes, contents.sketches, span)


def _prepare(axes: "Axes", low: Array, high: Array) -> None:
    axes.set_xlim(low[0], high[0])
    axes.set_ylim(low[1], high[1])
    axes.set_aspect("equal")
    axes.set_facecolor("#FFFFFF")
    for spine in axes.spines.values():
        spine.set_color(FRAME)
    axes.tick_params(colors=FAINT, labelsize=7, length=2.5, color=FRAME)
    axes.set_axisbelow(True)
    axes.grid(visible=True, color="#F0EEE8", linewidth=0.6)


def _draw_trail(axes: "Axes", segments: Array, age: Array, color: RGB) -> None:
    from matplotlib.collections import LineCollection

    shades = np.empty((len(segments), 4))
    shades[:, :3], shades[:, 3] = color, 0.05 + 0.55 * age
    axes.add_collection(LineCollection(list(segments), colors=shades, linewidths=0.5 + 0.8 * age, zorder=3))


def draw_arrows(axes: "Axes", arrows: Array) -> None:
    """Draw arrows from tails to tips in the units of the axes, shape (k, 2, 2)."""
    (x, y), (u, v) = arrows[:, 0].T, (arrows[:, 1] - arrows[:, 0]).T
    axes.quiver(
        x, y, u, v, color=INK, alpha=0.85, angles="xy", scale_units="xy", scale=1.0, units="width", width=0.0016,
        headwidth=5, headlength=6, headaxislength=5.2, minlength=0.0, minshaft=1.6, zorder=5,
    )  # fmt: skip


def _draw_vehicles(axes: "Axes", vehicles: Vehicles, name: str, color: RGB, span: float, size: float) -> None:
    from matplotlib.collections import PolyCollection

    n, rows = len(vehicles), drawable(vehicles, DRAWN)
    outlines: Any = darts(vehicles, rows, span, size)
    edge: Any = PAPER if n <= 3000 else "none"
    shapes = PolyCollection(outlines, facecolor=(*color, 0.95), edgecolor=edge, linewidth=0.35, zorder=4, label=name)
    axes.add_collection(shapes)


def drawable(vehicles: Vehicles, most: int) -> Array:
    """Rows of an even sample of the vehicles that are somewhere, shape (k,)."""
    rows = np.flatnonzero(np.isfinite(vehicles.position).all(axis=1))
    if len(rows) <= most:
        return rows
    return np.asarray(rows[np.linspace(0, len(rows) - 1, most).round().astype(int)])


def darts(vehicles: Vehicles, rows: Array, span: float, size: float) -> Array:
    """Outlines of vehicles [m], shape (k, 4, 2): as long as four radii, but always large enough to be seen.

    Args:
        vehicles: The vehicles.
        rows: Which of them, shape (k,).
        span: Width of the picture [m].
        size: How large they are drawn; 1 is usual.
    """
    crowd = np.clip(1.2 - 0.16 * np.log10(max(len(vehicles), 10)), 0.35, 1.0)
    length = np.clip(4.0 * vehicles.radius[rows].astype(np.float64), 0.022 * crowd * span, 0.05 * span) * size
    forward = vehicles.forward[rows].astype(np.float64)
    side = np.stack([-forward[:, 1], forward[:, 0]], axis=1)
    shape = DART[None, :, :1] * forward[:, None, :] + DART[None, :, 1:] * side[:, None, :]
    return np.asarray(vehicles.position[rows].astype(np.float64)[:, None, :] + shape * length[:, None, None])
