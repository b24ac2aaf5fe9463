"""One picture per scene: small multiples of where everybody went, a panel for each who steers."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.patches import Circle
from PIL import Image

from benchmarks.quality.judging import TOUCH, clearances
from benchmarks.quality.scenes import RADIUS, Scene
from benchmarks.quality.steerings import Walked
from steersman.drawing.palette import FAINT, FRAME, INK, PALETTE, PAPER, ROCK, ROCK_EDGE, WALL

COLUMNS, WIDTH, DPI = 4, 11.0, 100
"""Panels in a row, width of the picture [inch], and its dots per inch."""

TEAMS = [PALETTE[name] for name in ("blue", "orange", "green", "gray")]


def contact_places(scene: Scene, position: Any) -> Any:
    """Where each pair that touched was when it was deepest, and each walker that touched an obstacle, shape (k, 2)."""
    first, second = np.triu_indices(position.shape[1], 1)
    apart = np.linalg.norm(np.nan_to_num(position[:, first] - position[:, second], nan=1e6), axis=2)
    step = apart.argmin(axis=0)
    touched = apart.min(axis=0) < 2 * RADIUS - TOUCH
    places = [(0.5 * (position[step, first] + position[step, second]))[touched]]
    for away in clearances(scene, position):
        deep, rows = away.argmin(axis=0), np.arange(position.shape[1])
        places.append(position[deep, rows][away.min(axis=0) < RADIUS - TOUCH])
    return np.concatenate(places)


def panel(axes: Axes, title: str, scene: Scene, walked: Walked) -> None:
    """One who steers: ways, where those are who never arrived, and red crosses where bodies touched."""
    position = walked.position
    colors = [TEAMS[team] for team in scene.team]
    axes.add_collection(LineCollection(position.swapaxes(0, 1), colors=colors, linewidths=0.8, alpha=0.75))
    axes.scatter(*scene.start.T, s=5, c=colors, linewidths=0)
    left = np.isfinite(position[-1, :, 0])
    for place, color in zip(position[-1][left], np.array(colors)[left], strict=True):
        axes.add_patch(Circle(tuple(place), RADIUS, facecolor=color, edgecolor=INK, linewidth=0.4, alpha=0.85))
    contacts = contact_places(scene, position)
    axes.scatter(*contacts.T, s=14, marker="x", c=PALETTE["red"], linewidths=0.9, zorder=4)
    for wall in scene.walls:
        axes.plot(*wall.T, color=WALL, linewidth=1.6, solid_capstyle="butt")
    for center, radius in zip(*scene.rocks, strict=True):
        axes.add_patch(Circle(tuple(center), radius, facecolor=ROCK, edgecolor=ROCK_EDGE, linewidth=0.6))
    axes.set_title(title, fontsize=8, color=INK, pad=3)


def chart(path: Path, scene: Scene, walks: Mapping[str, Walked]) -> None:
    """Write the picture of a scene."""
    places = np.concatenate([scene.start, scene.ways.reshape(-1, 2), scene.rocks[0]])
    low, high = places.min(axis=0) - 1.2, places.max(axis=0) + 1.2
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    half[1] = max(half[1], 0.3 * half[0])
    rows = -(-len(walks) // COLUMNS)
    tall = WIDTH / COLUMNS * half[1] / half[0]
    figure = Figure(figsize=(WIDTH, rows * (tall + 0.24) + 0.1), dpi=DPI, facecolor=PAPER, layout="constrained")
    figure.get_layout_engine().set(w_pad=0.03, h_pad=0.03)
    for cell, axes in enumerate(figure.subplots(rows, COLUMNS, squeeze=False).flat):
        axes.set(xlim=middle[0] + [-half[0], half[0]], ylim=middle[1] + [-half[1], half[1]], aspect="equal")
        axes.set(xticks=[], yticks=[], facecolor=PAPER)
        axes.spines[:].set(color=FRAME, linewidth=0.6)
        if cell < len(walks):
            name = list(walks)[cell]
            panel(axes, name, scene, walks[name])
            if cell == 0:
                axes.plot(
                    low[0] + 0.8 + np.array([0, 5]), np.full(2, middle[1] - half[1] + 0.7), color=FAINT, linewidth=1.2
                )
                axes.text(low[0] + 3.3, middle[1] - half[1] + 0.9, "5 m", color=FAINT, fontsize=6.5, ha="center")
        else:
            axes.set_axis_off()
    figure.savefig(path, facecolor=PAPER)
    with Image.open(path) as picture:
        few = picture.convert("RGB").quantize(64, kmeans=2, dither=Image.Dither.NONE)
    few.save(path, optimize=True)
