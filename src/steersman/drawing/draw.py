"""The door to pictures: of a world, of some vehicles, of a path or a rock, on paper, in a file or in axes of your own."""

import dataclasses
import io
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from steersman.core.parameters.arrays import as_floats
from steersman.core.parameters.brief import brief
from steersman.core.parameters.guiding import explained, suggestion
from steersman.core.parameters.renaming import renamed_arguments
from steersman.core.typing import Array
from steersman.drawing.contents import DRAWABLE, Contents, contents_of, fits
from steersman.drawing.description import Description, describe
from steersman.drawing.extent import frame_of, has_end
from steersman.drawing.flat import draw_flat
from steersman.drawing.forces import forces_of
from steersman.drawing.palette import INK
from steersman.drawing.paper import SCREEN, checked, on_paper, require_matplotlib, write
from steersman.drawing.sketch_paper import draw_sketches
from steersman.drawing.sketches import sketches_of
from steersman.drawing.solid import draw_solid
from steersman.drawing.style import Picture
from steersman.drawing.trails import Trails

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@renamed_arguments(what="item")
@explained
def draw(
    item: Any,
    file: str | PathLike[str] | None = None,
    *,
    ax: "Axes | None" = None,
    forces: Any = False,
    sketch: Any = False,
    trails: Trails | None = None,
    scenery: Sequence[Any] | None = None,
    targets: Any = None,
    colors: Mapping[str, str | None] | None = None,
    style: Picture | None = None,
    title: str | None = None,
    frame: Any = None,
) -> "Axes":
    """Draw a world, or parts of one.

        sm.draw(world)  # a figure of pyplot's: plt.show() shows it, and so does a notebook
        sm.draw(world, "flock.png", forces=True)
        sm.draw([path, rocks], ax=ax)

    Args:
        item: A World, a Population, Vehicles, a path, a flow field, obstacles, a region, a surface, resources, or a list
            of those.
        file: A file to write: PNG, SVG or PDF, as its name ends.
        ax: Axes of matplotlib to draw into. Default: a figure of its own.
        forces: Whether to show the steering forces of a world's next step: True, an id, ids (k,), or ids by population.
            The strongest of them has the longest arrow, and its size is in the caption.
        sketch: The vehicles whose construction is drawn, with the places and vehicles that it steers by: an id, ids
            (k,), ids by population, or True for all. A legend explains the colors.
        trails: Trails recorded during the run: `trails = sm.Trails(world, seconds=2)` before it.
        scenery: The surroundings. Default: those that the steering trees, bodies and constraints refer to.
        targets: Fixed points that vehicles head for [m], shape (k, d). Default: those of the steering trees.
        colors: Colors of populations, names of the palette or `#rrggbb`; others are chosen.
        style: Sizes, and the place of the camera in 3D.
        title: Title, in the upper left.
        frame: The lowest and the highest corner of the view [m]. Default: the domain, or all contents.

    Returns:
        The axes, for drawing on: in 2D their units are meters, in 3D they are the camera's picture.

    Raises:
        ImportError: matplotlib is not installed.
        ValueError: There is nothing to be drawn, or the file has another suffix.
    """
    path = None if file is None else checked(Path(file))
    fields = {
        "trails": trails,
        "scenery": scenery,
        "targets": targets,
        "colors": colors,
        "style": style,
        "title": title,
    }
    changes = {name: value for name, value in fields.items() if value is not None}
    contents = dataclasses.replace(contents_of(item), **changes)
    if not contents.vehicles and not contents.scenery:
        raise ValueError(f"{type(item).__name__} must have a population or some scenery to be drawn, got none")
    _check(contents, colors or {})
    if forces is not False:
        contents = dataclasses.replace(contents, forces=_forces(contents, forces))
    if sketch is not False:
        contents = dataclasses.replace(contents, sketches=_sketches(contents, sketch))
    if frame is not None:
        contents = dataclasses.replace(contents, frame=as_frame(frame, contents.dimensions))
    require_matplotlib()
    axes = _drawn(contents, ax, keep=file is None)
    if ax is not None and contents.title:
        axes.set_title(contents.title, loc="left", color=INK)
    if path is not None:
        write(axes.figure, path)
    return axes


def as_png(item: Any, *, dpi: int = SCREEN, **about: Any) -> bytes | None:
    """The picture of an object for a notebook; None where matplotlib is not installed, or nothing can be seen.

    Args:
        item: The object to draw.
        dpi: Its dots per inch; it is eight inches wide.
        **about: Fields of its `Contents` to replace.
    """
    if find_spec("matplotlib") is None:
        return None
    contents = dataclasses.replace(contents_of(item), **about)
    several = len({each.dimensions for each in contents.vehicles.values()}) > 1
    if several or (not contents.vehicles and (not contents.scenery or not has_end(contents))):
        return None
    figure: Any = _drawn(contents, None, keep=False).figure
    return _in_few_colors(figure, dpi)


def _drawn(contents: Contents, ax: "Axes | None", *, keep: bool) -> "Axes":
    """The axes, on paper where none are given, with all elements on them."""
    description = describe(contents)
    axes = on_paper([(contents, description)], keep=keep)[0] if ax is None else ax
    _fill(axes, contents, description, legend=ax is not None)
    return axes


def draw_moments(moments: Sequence[Contents], file: str | PathLike[str] | None = None) -> "list[Axes]":
    """Draw several moments of a run side by side, all seen from the same place.

    Args:
        moments: The contents at several times, as `Moments` keeps them.
        file: The file to write: PNG, SVG or PDF.

    Returns:
        The axes of each.

    Raises:
        ImportError: matplotlib is not installed.
        ValueError: There is no moment, or the file has another suffix.
    """
    if not moments:
        raise ValueError("moments must be at least one, got none")
    path = None if file is None else checked(Path(file))
    require_matplotlib()
    if moments[0].dimensions == 2:
        lows, highs = zip(*(frame_of(each) for each in moments), strict=True)
        frame = np.min(lows, axis=0), np.max(highs, axis=0)
        moments = [dataclasses.replace(each, frame=frame) for each in moments]
    panels = [(each, describe(each)) for each in moments]
    several = on_paper(panels, keep=file is None)
    for axes, (contents, description) in zip(several, panels, strict=True):
        _fill(axes, contents, description, legend=False)
    if path is not None:
        write(several[0].figure, path)
    return several


def _fill(axes: "Axes", contents: Contents, description: Description, *, legend: bool) -> None:
    """Draw a description and the sketches; paper of its own explains the colors of sketches below the picture."""
    if description.dimensions == 2:
        draw_flat(axes, description)
        draw_sketches(axes, contents.sketches, description.span, legend="best" if legend else "")
        return
    camera = draw_solid(axes, description, contents.style)
    where = "lower right" if legend else ""
    draw_sketches(axes, contents.sketches, description.span, camera.places, legend=where)


def _in_few_colors(figure: Any, dpi: int) -> bytes:
    """A figure as a PNG of a palette: a notebook keeps every picture, and so it is a quarter as large."""
    from PIL import Image  # Comes with matplotlib.

    plain, small = io.BytesIO(), io.BytesIO()
    figure.savefig(plain, format="png", dpi=dpi)
    with Image.open(plain) as picture:
        flat = picture.convert("RGB").quantize(200, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        flat.save(small, format="png", optimize=True)
    return small.getvalue()


def _check(contents: Contents, colors: Mapping[str, Any]) -> None:
    """Raise an error for contents that do not fit together."""
    d = contents.dimensions
    if len({each.dimensions for each in contents.vehicles.values()}) > 1:
        raise ValueError("all populations must have the same number of dimensions to be drawn, got 2 and 3")
    for name in colors:
        if name not in contents.vehicles:
            known = suggestion(name, contents.vehicles, label="populations")
            raise ValueError(f"colors must be those of populations; there is no {name!r}{known}")
    for name, kind in (("trails", Trails), ("style", Picture)):
        value = getattr(contents, name)
        if not isinstance(value, kind | None):
            raise TypeError(f"{name} must be {kind.__name__}, got {brief(value)}")
    for item in contents.scenery:
        if not isinstance(item, DRAWABLE):
            raise TypeError(
                "scenery must be obstacles, paths, flow fields, regions, surfaces, resources or maps of routes, "
                f"got {brief(item)}"
            )
        if not fits(item, d, contents.scenery):
            raise ValueError(f"scenery must have {d} dimensions like the rest of the picture, got {brief(item)}")


def _forces(contents: Contents, which: Any) -> Any:
    if contents.world is None:
        raise TypeError(
            f"forces are those of a World: draw a World to show them, got forces={brief(which)} without one"
        )
    return forces_of(contents.world, which)


def _sketches(contents: Contents, which: Any) -> Any:
    if contents.world is None:
        raise TypeError(f"sketch is of a World: draw a World to show it, got sketch={which!r} without one")
    return sketches_of(contents.world, which)


def as_frame(frame: Any, d: int) -> tuple[Array, Array]:
    """Two corners of the view [m].

    Raises:
        ValueError: They are not the lowest and the highest corner.
    """
    corners = as_floats("frame", frame, np.float64)
    if corners.shape != (2, d):
        raise ValueError(f"frame must be two corners of {d} numbers, got {brief(frame)}")
    if not np.all(corners[0] < corners[1]):
        raise ValueError(f"frame must be the lowest and the highest corner, got {brief(frame)}")
    return corners[0], corners[1]
