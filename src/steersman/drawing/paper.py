"""Paper: the figures that pictures are drawn on, their captions, and the files they are written to. Needs matplotlib."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from steersman.drawing.contents import Contents
from steersman.drawing.description import Description
from steersman.drawing.flat import flat_axes
from steersman.drawing.palette import FAINT, INK, PAPER, colors_of
from steersman.drawing.solid import solid_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, DPI, SCREEN = 8.0, 150, 100
"""Width of a picture [inch], and its dots per inch in files and on the screen."""

FORMATS: dict[str, dict[str, Any]] = {".png": {}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
"""Suffixes of files, and what they are not to hold: the same world gives the same file."""


def checked(path: Path) -> Path:
    """The path of a file that can be written.

    Raises:
        ValueError: Its suffix says that it is no picture, or of a kind that is not written here.
    """
    if path.suffix.lower() not in FORMATS:
        *most, last = FORMATS
        raise ValueError(f"file must end in {', '.join(most)} or {last}, got {str(path)!r}")
    return path


def require_matplotlib() -> None:
    """Raise ImportError, saying what to install, where matplotlib is missing."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError:
        raise ImportError('drawing needs matplotlib; please run: pip install "steersman[draw]"') from None


def on_paper(contents: Contents, description: Description, *, keep: bool) -> "Axes":
    """Axes on a figure of their own, with a caption; one to be kept is pyplot's, which will show it."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    if keep:
        from matplotlib import pyplot

        figure = pyplot.figure(figsize=(WIDTH, WIDTH), dpi=SCREEN, facecolor=PAPER)
    else:
        figure = Figure(figsize=(WIDTH, WIDTH), dpi=DPI, facecolor=PAPER)
        FigureCanvasAgg(figure)
    axes = (flat_axes if contents.dimensions == 2 else solid_axes)(figure, description)
    _caption(figure, contents)
    return axes


def _caption(figure: "Figure", contents: Contents) -> None:
    """Title, time, and the names and numbers of the populations in their colors."""
    height = figure.get_figheight()
    top, bottom = 1 - 0.36 / height, 0.17 / height
    figure.text(0.05, top, contents.title, fontsize=13, fontweight="bold", color=INK)
    if contents.time is not None:
        figure.text(0.975, top, f"t = {contents.time:.1f} s", fontsize=9, color=FAINT, ha="right")
    colors = colors_of(contents.vehicles, contents.colors)
    x = 0.05
    for name, vehicles in contents.vehicles.items():
        text = f"{name}  {len(vehicles):,}"
        figure.text(x, bottom, "\u25b6", fontsize=8, color=colors[name])
        figure.text(x + 0.02, bottom, text, fontsize=9, color=INK)
        x += 0.05 + 0.0105 * len(text)
    if contents.forces is not None:
        longest = f"longest arrow: {contents.forces.full:.3g} N" if len(contents.forces.arrows(1.0)) else "no forces"
        figure.text(0.975, bottom, longest, fontsize=9, color=FAINT, ha="right")


def write(figure: Any, path: Path) -> None:
    """Write a figure, the same bytes for the same figure."""
    from matplotlib import rc_context

    form = path.suffix.lower()
    with rc_context({"svg.hashsalt": "steersman"}):
        figure.savefig(path, format=form[1:], metadata=FORMATS[form], dpi="figure")
