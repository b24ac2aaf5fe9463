"""A picture of a world, as a PNG file."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from steersman.drawing.flat import draw_flat
from steersman.drawing.palette import FAINT, INK, PAPER, RGB, colors_of
from steersman.drawing.solid import draw_solid
from steersman.drawing.trails import Trails
from steersman.geometry.vectors import Array
from steersman.scenarios.schema import Picture
from steersman.scenarios.stage import Stage
from steersman.world.world import World

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH, DPI = 8.0, 150


def picture(
    world: World,
    path: str | Path,
    *,
    trails: Trails | None = None,
    scenery: Sequence[Any] = (),
    targets: Any = (),
    colors: Mapping[str, str | None] | None = None,
    style: Picture | None = None,
    title: str = "",
) -> None:
    """Draw a world into a PNG file.

    Args:
        world: The world.
        path: The file to write.
        trails: Trails recorded during the run.
        scenery: What else to draw: obstacles, paths, flow fields, regions, surfaces.
        targets: Fixed points that somebody heads for [m], shape (k, d).
        colors: Colors of populations, names of the palette or `#rrggbb`; others are chosen.
        style: Sizes, and the place of the camera.
        title: Title, in the upper left.

    Raises:
        ValueError: There is no population to draw.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    if not world.populations:
        raise ValueError("the world must have a population to be drawn, got none")
    d = next(iter(world.populations.values())).vehicles.dimensions
    points = np.asarray(targets, np.float64).reshape(-1, d)
    shades = colors_of(world.populations, colors or {})
    figure = Figure(figsize=(WIDTH, WIDTH), dpi=DPI, facecolor=PAPER)
    canvas = FigureCanvasAgg(figure)
    draw = draw_flat if d == 2 else draw_solid
    draw(figure, world, trails=trails, scenery=scenery, targets=points, colors=shades, style=style or Picture())
    _caption(figure, world, title, shades)
    canvas.print_figure(str(path), dpi=DPI, format="png")


def picture_of(stage: Stage, path: str | Path, trails: Trails | None = None) -> None:
    """Draw a scenario into a PNG file, as its document asks for.

    Args:
        stage: The scenario.
        path: The file to write.
        trails: Trails recorded during the run.
    """
    picture(
        stage.world,
        path,
        trails=trails,
        scenery=list(stage.scenery.values()),
        targets=targets_of(stage),
        colors=stage.colors,
        style=stage.picture,
        title=stage.name,
    )


def targets_of(stage: Stage) -> Array:
    """The fixed points that behaviors of a scenario head for [m], shape (k, d)."""
    found: list[Array] = []
    for population in stage.world.populations.values():
        for node in population.tree.walk() if population.tree is not None else ():
            target = getattr(node.behavior, "target", None)
            if isinstance(target, np.ndarray):
                found.append(np.atleast_2d(target))
    d = next(iter(stage.world.populations.values())).vehicles.dimensions
    return np.unique(np.concatenate(found), axis=0) if found else np.zeros((0, d))


def _caption(figure: "Figure", world: World, title: str, colors: Mapping[str, RGB]) -> None:
    """Title, time, and the names and numbers of the populations in their colors."""
    height = figure.get_figheight()
    top, bottom = 1 - 0.36 / height, 0.17 / height
    figure.text(0.05, top, title.replace("_", " "), fontsize=13, fontweight="bold", color=INK)
    figure.text(0.975, top, f"t = {world.time:.1f} s", fontsize=9, color=FAINT, ha="right")
    x = 0.05
    for name, population in world.populations.items():
        text = f"{name}  {len(population.vehicles):,}"
        figure.text(x, bottom, "\u25b6", fontsize=8, color=colors[name])
        figure.text(x + 0.02, bottom, text, fontsize=9, color=INK)
        x += 0.05 + 0.0105 * len(text)
