"""Pictures: marks as lines, scenes as a camera sees them, what reaches matplotlib, and the sheets and pixels of videos."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import Any

import numpy as np
from drawing.test_scenery import FLAT as THINGS
from drawing.test_scenery import SOLID as THINGS_IN_SPACE
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch, Rectangle

import steersman as sm
from steersman.core.maths.shapes import Arrow, Circle, Cross, Line, Pose, ScaledArrow, Sector, Shape, Tube
from steersman.drawing.camera import Camera
from steersman.drawing.contents import contents_of
from steersman.drawing.description import describe, setting_of
from steersman.drawing.draw import draw
from steersman.drawing.projection import scene_elements
from steersman.drawing.raster.sheet import sheet_of
from steersman.drawing.raster.shot import Painter, Shot
from steersman.drawing.sketches import as_lines

from .scenarios import FAINT, add_elements, staged
from .table import Rows, Section, digest, vectors


def shapes(d: int) -> dict[str, Shape]:
    """A mark of each kind, of no round numbers; the second of a batch is small."""
    a, b, c = (np.array(each)[:, :d] for each in (
        [[1.3, -2.7, 0.9], [4.1, 0.6, -1.7]], [[-0.8, 1.9, 2.3], [0.02, 0.01, 0.03]], [[5.2, 3.3, -0.4], [4.4, 0.9, -1.1]]
    ))  # fmt: skip
    ahead = b / np.linalg.norm(b, axis=1, keepdims=True)
    return {
        "Arrow": Arrow(a, c, label="to"),
        "Circle": Circle(a, [2.3, 0.4], label="around"),
        "Circle, filled": Circle(a, [2.3, 0.4], filled=True),
        "Cross": Cross(a, label="here"),
        "Line": Line(np.stack([a, c, a + b], axis=1), label="along"),
        "Line, closed": Line(np.stack([a, c, a + b], axis=1), closed=True, label="edge"),
        "Pose": Pose(a, ahead, [0.7, 0.2]),
        "Pose of no heading": Pose(a, 0 * ahead, [0.7, 0.2]),
        "ScaledArrow": ScaledArrow(a, b, as_speed=[0.6, 1.7], label="pull"),
        "Sector": Sector(a, ahead, [3.1, 1.2], [2.2, 0.7], [0.5, 0.0]),
        "Sector, half a turn and more": Sector(a, ahead, [3.1, 1.2], [4.4, 6.3], 0.3),
        "Tube": Tube(a, c, [0.8, 0.3], label="in here"),
    }


def marks(d: int) -> Rows:
    """Every mark as lines, faces, tips and words."""
    section = Section()
    for name, shape in shapes(d).items():
        lines = as_lines(shape, 0.31, 0.7)
        for part in ("lines", "faces", "tips"):
            for each in getattr(lines, part)[:6]:
                section.add(f"{name} {part}", digest(each))
        for place, word in lines.labels:
            section.add(f"{name} word", f"{word} {vectors(place)}")
    return section.rows


def view(name: str) -> Rows:
    """What a camera sees of a scenario in space."""
    section, stage = Section(), staged(name)
    drawn = describe(contents_of(stage))
    camera = Camera(drawn.middle, drawn.reach, -52.0, 27.0)
    for each in scene_elements(drawn.elements, camera, drawn.ground):
        depth = "" if each.depth is None or not len(each.depth) else digest(each.depth)
        section.add(f"depth of {type(each.element).__name__}", depth)
        add_elements(section, "seen", [each.element])
    return section.rows


def paper(name: str) -> Rows:
    """What reaches matplotlib, and the pixels of a frame of a video."""
    section, stage = Section(), staged(name)
    first, population = next(iter(stage.world.populations.items()))
    sketched = {first: population.vehicles.id[:1].tolist()}
    axes = draw(stage, ax=Figure(figsize=(8, 6)).subplots(), sketch=sketched)
    section.add("axes", vectors([axes.get_xlim(), axes.get_ylim()]))
    for _, group in groupby(axes.get_children(), alike):
        artist, *others = group
        kind = type(artist).__name__
        values = []
        if hasattr(artist, "get_paths"):
            values = [each.vertices for each in artist.get_paths()]
            values += [np.asarray(artist.get_offsets()), np.asarray(artist.get_linewidths())[:, None]]
            values += [np.asarray(artist.get_facecolor()), np.asarray(artist.get_edgecolor())]
        elif hasattr(artist, "get_xydata"):
            values = [artist.get_xydata()]
        elif hasattr(artist, "get_path") and not isinstance(artist, Rectangle):
            values = [np.concatenate([each.get_path().vertices for each in (artist, *others)])]
        elif getattr(artist, "get_text", str)():
            section.add(f"{kind} z {artist.get_zorder():g}", f"'{artist.get_text()}' {vectors(artist.get_position())}")
        if values:
            parts = [digest(each) for each in values[:2] + values[-4:] if len(each)]
            section.add(f"{kind} z {artist.get_zorder():g}", "; ".join(parts))
    sheet(section, draw(stage, sketch=sketched).figure)
    pixels(section, stage)
    return section.rows


def alike(artist: Any) -> Any:
    """What is equal of the rings of a pool of light, each nearly seen through, and of nothing else."""
    faint = type(artist) is PathPatch and artist.get_facecolor()[3] < FAINT
    return artist.get_facecolor() if faint else id(artist)


def sheet(section: Section, figure: Any) -> None:
    """Where the parts of a picture of its own lie: its axes, its words and its key, as parts of the whole."""
    section.add("sheet", vectors([figure.get_size_inches(), *(each.get_position().size for each in figure.axes)]))
    for each in figure.axes:
        section.add("sheet axes", vectors(each.get_position().p0))
    for each in figure.texts:
        section.add(
            f"sheet text {each.get_ha()} {each.get_fontsize():g}", f"'{each.get_text()}' {vectors(each.get_position())}"
        )
    for key in figure.legends:
        anchor = key.get_bbox_to_anchor().transformed(figure.transFigure.inverted())
        words = ", ".join(each.get_text() for each in key.get_texts())
        section.add("sheet key", f"'{words}' {vectors(anchor.p0)}")


def pixels(section: Section, stage: object) -> None:
    """Of sixteen fields of a sheet with its words, the mean color, and the amount and the middle of what is drawn there."""
    contents = contents_of(stage)
    drawn, setting = describe(contents), setting_of(contents)
    sheet = sheet_of(contents, 480, 300, None)
    camera = Camera(drawn.middle, drawn.reach, -52.0, 27.0) if drawn.dimensions == 3 else None
    moving = drawn.elements[len(setting.elements) :]
    painted = Painter(sheet).paint(Shot(setting, moving, contents, drawn.low[:2], drawn.high[:2], camera))
    section.add("window", vectors(sheet.window))
    fields = painted.astype(float).reshape(4, 75, 4, 120, 3).swapaxes(1, 2).reshape(16, 75, 120, 3) / 255
    # Two decimals: another release of matplotlib draws the edges of letters a little differently.
    section.add("pixels", "; ".join(" ".join(f"{x:.2f}" for x in color) for color in fields.mean(axis=(1, 2))))
    ink = np.abs(fields - np.median(fields, axis=(1, 2), keepdims=True)).sum(axis=3)
    amount = ink.sum(axis=(1, 2))
    down, across = np.arange(75) / 75, np.arange(120) / 120
    places = [ink.sum(axis=2) @ down, ink.sum(axis=1) @ across] / np.maximum(amount, 1e-9)
    fields = np.column_stack([amount / ink[0].size, *places])
    section.add("ink", "; ".join(" ".join(f"{x:.2f}" for x in field) for field in fields))


def scenery(things: Mapping[str, Callable[[], Any]], d: int) -> Rows:
    """The elements of everything that may stand in a world."""
    section = Section()
    for name, make in things.items():
        world, thing = sm.World(), make()
        world.add(sm.Vehicles([80.0] * d), name="a")
        drawn = describe(replace(contents_of(world), scenery=(thing,), frame=(np.zeros(d), np.full(d, 90.0))))
        add_elements(section, name, drawn.elements[: -2 if d == 2 else None])
    return section.rows


SOLID = ("aquarium", "boids", "evacuation", "hillside")
FLAT = ("seek_flee", "obstacle_avoidance", "pedestrians", "forage", "context_map", "hills", "evacuation")

SECTIONS: dict[str, Callable[[], Rows]] = {
    **{f"marks in {d}D": partial(marks, d) for d in (2, 3)},
    "scenery in the plane": partial(scenery, THINGS, 2),
    "scenery in space": partial(scenery, THINGS_IN_SPACE, 3),
    **{f"view of {name}": partial(view, name) for name in SOLID},
    **{f"paper with {name}": partial(paper, name) for name in FLAT},
}
