"""Heightfield: a landscape of heights over a rectangle."""

from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, final

import numpy as np

from steersman.core.environment.fields.flow_grid import HIGH, LOW
from steersman.core.environment.pictures import open_picture
from steersman.core.environment.shape import SurfaceProjection
from steersman.core.environment.surface import Ground, Surface
from steersman.core.environment.surfaces.heights import HeightColumns, foot_on_ground, stand_on_ground
from steersman.core.kernels.call import Call
from steersman.core.parameters.arrays import as_floats, as_points, frozen
from steersman.core.parameters.kinds import FLAG, Kind
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Array, Columns

WHITE = {"L": 255.0, "I;16": 65535.0, "I;16L": 65535.0, "I;16B": 65535.0, "I": 65535.0}
"""Modes of gray pictures, in Pillow's words, and the number that is white."""


def as_heights(name: str, heights: Any) -> Array:
    """Heights of nodes, shape (nx, ny), float64, read-only."""
    if isinstance(heights, (str, PathLike)):
        pixels, mode = open_picture(name, Path(heights), {mode: mode for mode in WHITE})
        # Pictures begin at the top left and run by rows; nodes begin at the bottom left and run by columns.
        heights = pixels[::-1].T / WHITE[mode]
    numbers = as_floats(name, heights, np.float64)
    if numbers.ndim != 2 or min(numbers.shape) < 2:
        raise ValueError(f"{name} must have shape (nx, ny), at least 2 x 2, got {numbers.shape}")
    return frozen(numbers)


HEIGHTS = Kind("heights", "numbers (nx, ny), or a picture file", as_heights)


@final
@dataclass(frozen=True, eq=False)
class Heightfield(Surface):
    """A landscape: heights (z) at the nodes of a grid over a rectangle of x and y, copied and read-only from then on.

    The ground consists of flat triangles: every cell is cut along its diagonal from the lower left to the upper right
    node. A vehicle that moves on it stays straight above its position; beyond the rim is the rim.

    Args:
        heights: Heights at nodes, shape (nx, ny), at least 2 x 2: `heights[i, j]` is at
            `low + (i, j) * (high - low) / (nx - 1, ny - 1)`. Or a gray picture file of 8 or 16 bits (PNG, TIFF, ...;
            this needs `pip install steersman[geo]`), black for 0 and white for 1, with its first row at the top.
        low: x and y of the first node [m], shape (2,).
        high: x and y of the last node [m], shape (2,).
        scale: Factor of the heights [m]; of a picture, the height of white. Raising it makes it steeper.
        base: Height added to the scaled heights [m].
        repeat: Whether the landscape goes on beyond its rim, over and over, as it must on a torus of the same size. The
            heights on opposite rims must then be the same. (The nearest point is looked for in one copy only.)

    Raises:
        FileNotFoundError: There is no such file.
        ImportError: Pillow is needed to read a file, and not installed.
        ValueError: The picture is not gray.
    """

    heights: Any = parameter(kind=HEIGHTS, positional=True)
    low: Any = parameter(kind=LOW, positional=True, unit="m")
    high: Any = parameter(kind=HIGH, of="low", positional=True, unit="m")
    scale: float = parameter(1.0, unit="m")
    base: float = parameter(0.0, unit="m")
    repeat: bool = parameter(False, kind=FLAG)

    def validate(self) -> None:
        """Check that opposite rims fit where it repeats."""
        heights = self.heights
        if self.repeat and not (
            np.array_equal(heights[0], heights[-1]) and np.array_equal(heights[:, 0], heights[:, -1])
        ):
            raise ValueError("heights must be the same on opposite rims of a landscape that repeats")

    @property
    def dimensions(self) -> int:
        """3."""
        return 3

    @property
    def spacing(self) -> Array:
        """Distance between nodes along x and y [m], shape (2,)."""
        return np.asarray((self.high - self.low) / np.subtract(self.heights.shape, 1))

    @property
    def elevation(self) -> Array:
        """The heights of the nodes [m], shape (nx, ny): scaled, and with the base added."""
        return np.asarray(self.base + self.scale * self.heights)

    @property
    def middle(self) -> Array:
        """A point in the middle of it [m]."""
        elevation = self.elevation
        return np.append((self.low + self.high) / 2, (elevation.min() + elevation.max()) / 2)

    def height_at(self, points: Any) -> Any:
        """The height of the ground [m] at places, shape (n, 2) -> (n,), or (2,) -> a number; beyond the rim that of it."""
        places = as_points("points", points, np.float64, 2)
        ground, _ = self.project(np.column_stack([places, np.zeros(len(places))]))
        return ground[:, 2] if np.ndim(points) == 2 else float(ground[0, 2])

    def mesh(self) -> tuple[Array, Array]:
        """The ground as triangles: corners [m], shape (nx ny, 3), and for each triangle the rows of its three corners."""
        nx, ny = self.heights.shape
        x, y = (np.linspace(self.low[k], self.high[k], count) for k, count in enumerate((nx, ny)))
        corners = np.stack([*np.meshgrid(x, y, indexing="ij"), self.elevation], axis=-1).reshape(-1, 3)
        node = np.arange(nx * ny).reshape(nx, ny)
        a, b, c, d = (each.ravel() for each in (node[:-1, :-1], node[1:, :-1], node[1:, 1:], node[:-1, 1:]))
        return corners, np.concatenate([np.column_stack([a, b, c]), np.column_stack([a, c, d])])

    def foot_calls(self, points: Columns, foot: SurfaceProjection) -> list[Call]:
        """One call; it takes the longer the farther the points are from the ground."""
        return [Call(foot_on_ground, (points, self.columns(points[0].dtype), foot))]

    def project_calls(self, points: Columns, ground: Ground) -> list[Call]:
        """Straight up or down."""
        return [Call(stand_on_ground, (points, self.columns(points[0].dtype), ground))]

    def columns(self, dtype: Any) -> HeightColumns:
        """The landscape for kernels, in the dtype of the vehicles."""
        heights = np.array(self.elevation, dtype=dtype, order="C")
        rows = [self.low, self.spacing, 1 / self.spacing, self.high, 1 / (self.high - self.low)]
        return HeightColumns(heights, np.array(rows, dtype), bool(self.repeat))
