"""Pictures of 3D worlds with matplotlib: the view of a camera, before the sky."""

from typing import TYPE_CHECKING

import numpy as np

from steersman.core.typing import Array
from steersman.drawing.camera import Camera
from steersman.drawing.description import Description
from steersman.drawing.flat import put
from steersman.drawing.palette import SKY, rgb
from steersman.drawing.projection import scene_elements
from steersman.drawing.style import Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEIGHT = 0.74
"""Height of a picture, as a part of its width."""


def draw_solid(axes: "Axes", description: Description, style: Picture) -> Camera:
    """Draw a description in 3D, as a camera sees it.

    Args:
        axes: Where to draw; they become the picture of the camera, without units.
        description: The description to draw.
        style: Where the camera is.

    Returns:
        The camera.
    """
    camera = Camera(description.middle, description.reach, style.azimuth, style.elevation)
    _prepare(axes)
    for each in scene_elements(description.elements, camera, description.ground):
        put(each.element, axes)
    return camera


def _prepare(axes: "Axes") -> None:
    """The sky."""
    axes.set_xlim(-1, 1)
    axes.set_ylim(-HEIGHT, HEIGHT)
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.imshow(sky(256)[:, None], extent=(-1, 1, -HEIGHT, HEIGHT), aspect="equal", interpolation="bilinear", zorder=0)


def sky(rows: int) -> Array:
    """The colors of the sky from above to below, shape (rows, 3)."""
    fraction = np.linspace(0, 1, rows)[:, None]
    return np.asarray(np.array(rgb(SKY[0])) * (1 - fraction) + np.array(rgb(SKY[1])) * fraction)
