"""FlowImage: a flow field painted by an artist.

Reynolds 1999, "Flow field following": a map of the floor plan, drawn with a paint program. `painting.py` defines the
meaning of colors: hue is direction (red is +x, counter-clockwise), strength of color is speed.
"""

from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, final

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.fields.flow_field import FlowField
from steersman.core.environment.fields.flow_grid import HIGH, LOW, OUTSIDE, FlowGrid, sample_all
from steersman.core.environment.fields.painting import velocities_of
from steersman.core.environment.fields.registry import flow_field
from steersman.core.environment.pictures import open_picture
from steersman.core.kernels.call import Call
from steersman.core.parameters.arrays import as_floats, frozen
from steersman.core.parameters.kinds import TEXT, Kind
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Array, Columns


def as_colors(name: str, image: Any) -> Array:
    """Pixels of a picture as numbers in [0, 1], shape (height, width, 3 or 4), at least 2 x 2 of them; read-only."""
    if isinstance(image, (str, PathLike)):
        pixels, _ = open_picture(name, Path(image), {"RGB": "RGB", "RGBA": "RGBA", "P": "RGBA", "PA": "RGBA"})
    else:
        pixels = np.asarray(image)
        if pixels.dtype != np.uint8:
            pixels = as_floats(name, pixels, np.float64)
    if pixels.ndim != 3 or pixels.shape[2] not in (3, 4):
        raise ValueError(f"{name} must have shape (height, width, 3) or (height, width, 4), got {pixels.shape}")
    if pixels.shape[0] < 2 or pixels.shape[1] < 2:
        raise ValueError(f"{name} must have at least 2 x 2 pixels, got {pixels.shape[1]} x {pixels.shape[0]}")
    colors = pixels / 255.0 if pixels.dtype == np.uint8 else pixels
    if colors.min() < 0 or colors.max() > 1:
        raise ValueError(
            f"{name} must hold whole numbers 0 to 255 (uint8) or numbers 0 to 1, got {colors.min():g} to {colors.max():g}"
        )
    return frozen(np.array(colors, np.float64))


IMAGE = Kind("image", "a picture file, or pixels", as_colors)


@final
@flow_field
class FlowImage(FlowField):
    """A flow field from a picture: the color of a pixel is the velocity there, linear between the centers of pixels.

    Red flows along +x, yellow at 60 degrees to the left of it, green at 120, cyan at 180, blue at 240 and magenta at 300.
    A full color flows at max_speed; darker and paler ones are slower; black, gray, white and transparent stand still.

    Args:
        image: A picture file (PNG, JPEG, TIFF, ...; this needs `pip install steersman[geo]`), or pixels of shape
            (height, width, 3) or (height, width, 4), whole numbers 0 to 255 or numbers 0 to 1. The first row is the top.
        low: The lower left corner of the picture [m], shape (2,).
        high: The upper right corner of the picture [m], shape (2,).
        max_speed: The speed of a full color [m/s], > 0. Raising it makes all of the flow faster.
        outside: The flow beyond the rim: "clamp" (as on the rim) or "zero" (none).

    Raises:
        FileNotFoundError: There is no such file.
        ImportError: Pillow is needed to read a file, and not installed.
        ValueError: The picture has no colors or fewer than 2 x 2 pixels.
    """

    image: Any = parameter(kind=IMAGE, positional=True)
    low: Any = parameter(kind=LOW, positional=True, unit="m")
    high: Any = parameter(kind=HIGH, of="low", positional=True, unit="m")
    max_speed: float = parameter(above=0.0, unit="m/s")
    outside: str = parameter("clamp", kind=TEXT, choices=OUTSIDE)

    @property
    def dimensions(self) -> int:
        """2."""
        return 2

    @cached_property
    def sampled(self) -> FlowGrid:
        """The velocities at the centers of the pixels."""
        rows, columns = self.image.shape[:2]
        spacing = (self.high - self.low) / (columns, rows)
        # Pictures begin at the top left and run by rows; grids begin at the bottom left and run by columns.
        vectors = velocities_of(self.image[::-1].swapaxes(0, 1), self.max_speed)
        return FlowGrid(vectors, self.low + spacing / 2, spacing, outside=self.outside)

    def flow_calls(self, points: Columns, domain: Domain, flow: Columns) -> list[Call]:
        """One call. The picture reaches half a pixel beyond the centers of its outer ones."""
        self.check_dimensions(len(points))
        return [Call(sample_all, (points, self.sampled.columns(domain, points[0].dtype, rim=0.5), flow))]
