"""Pictures of 2D worlds: vehicles as darts with fading trails, on paper that shows the scenery."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from steersman.drawing.extent import corners_of
from steersman.drawing.palette import FAINT, FRAME, PAPER, RGB
from steersman.drawing.scenery_flat import Sheet, draw_flat_thing
from steersman.drawing.trails import Trails
from steersman.geometry.vectors import Array
from steersman.scenarios.schema import Picture
from steersman.scenarios.spawning import bounds
from steersman.vehicles.vehicles import Vehicles
from steersman.world.world import World

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DART = np.array([[0.62, 0.0], [-0.38, 0.3], [-0.2, 0.0], [-0.38, -0.3]])
"""A vehicle of length 1 that faces along x, shape (4, 2)."""

WIDE = 0.925
"""Width of the axes, as a part of the figure's."""

DRAWN = 200_000
"""Vehicles drawn at most; of more, an even sample."""


def draw_flat(
    figure: "Figure",
    world: World,
    *,
    trails: Trails | None,
    scenery: Sequence[Any],
    targets: Array,
    colors: Mapping[str, RGB],
    style: Picture,
) -> None:
    """Draw a 2D world into a figure.

    Args:
        figure: An empty figure; its height is fitted to the world.
        world: The world.
        trails: Trails, if any.
        scenery: What stands in the world: obstacles, paths, fields, regions.
        targets: Fixed points that somebody heads for [m], shape (k, 2).
        colors: A color for each population.
        style: How large vehicles are drawn.
    """
    low, high = frame_of(world, trails, scenery)
    span = high - low
    width = figure.get_figwidth()
    figure.set_figheight(float(np.clip(width * WIDE * span[1] / span[0] + 1.2, 3.6, 12.0)))
    height = figure.get_figheight()
    axes = figure.add_axes((0.05, 0.6 / height, WIDE, 1 - 1.2 / height))
    _prepare(axes, world, low, high)
    sheet = Sheet(axes, low, high, world.domain, 72 * width * WIDE / float(span[0]))
    for thing in scenery:
        draw_flat_thing(thing, sheet)
    if len(targets):
        axes.plot(targets[:, 0], targets[:, 1], "+", color=FAINT, markersize=7, markeredgewidth=1.2, zorder=2)
    for name in world.populations:
        if trails is not None and (trail := trails.of(name)) is not None:
            _draw_trail(axes, trail.segments, trail.age, colors[name])
    for name, population in world.populations.items():
        _draw_vehicles(axes, population.vehicles, colors[name], float(span.max()), style.size)


def frame_of(world: World, trails: Trails | None, scenery: Sequence[Any]) -> tuple[Array, Array]:
    """Lowest and highest corner of what is to be seen [m]: the domain, or all that there is, with a margin."""
    d = next(iter(world.populations.values())).vehicles.dimensions
    origin, extent = bounds(world.domain, d)
    if np.isfinite(extent).all():
        return origin, origin + extent
    points = [population.vehicles.position for population in world.populations.values()]
    if trails is not None:
        points += [
            trail.segments.reshape(-1, d) for name in world.populations if (trail := trails.of(name)) is not None
        ]
    points += [corners for thing in scenery if (corners := corners_of(thing)) is not None]
    together = np.concatenate([np.asarray(part, np.float64) for part in points])
    together = together[np.isfinite(together).all(axis=1)]
    low, high = (together.min(axis=0), together.max(axis=0)) if len(together) else (np.zeros(d), np.ones(d))
    margin = 0.06 * max(float((high - low).max()), 1.0)
    middle, half = (low + high) / 2, (high - low) / 2 + margin
    half = np.maximum(half, 0.35 * half.max())  # No picture is thinner than that.
    return middle - half, middle + half


def _prepare(axes: "Axes", world: World, low: Array, high: Array) -> None:
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


def _draw_vehicles(axes: "Axes", vehicles: Vehicles, color: RGB, span: float, size: float) -> None:
    from matplotlib.collections import PolyCollection

    n, rows = len(vehicles), drawable(vehicles, DRAWN)
    outlines: Any = darts(vehicles, rows, span, size)
    edge: Any = PAPER if n <= 3000 else "none"
    axes.add_collection(PolyCollection(outlines, facecolor=(*color, 0.95), edgecolor=edge, linewidth=0.35, zorder=4))


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
