"""The contract of a flow field: a mapping from places to velocities. Reynolds 1999, "Flow field following".

A field writes the velocities of many places at once, by calls of its own; a behavior reads the result. So a field
may be a compiled table or a function in Python, and no kernel needs to know.
"""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.fields.painting import colors_of
from steersman.core.environment.fields.registry import FIELDS
from steersman.core.environment.open import Open
from steersman.core.kernels.call import Call
from steersman.core.parameters.arrays import as_floats, as_points, columns_of
from steersman.core.parameters.guiding import explained
from steersman.core.parameters.kinds import Kind
from steersman.core.parameters.parameters import Parameters
from steersman.core.parameters.showing import Shown
from steersman.core.parameters.sizes import check_bytes
from steersman.core.typing import Array, Columns

PIXEL = 100
"""The approximate memory of a pixel while it is painted [bytes]."""


@dataclass(frozen=True, eq=False)
class FlowField(Shown, Parameters):
    """A velocity [m/s] at every place: wind, a current, arrows painted on the floor.

    Make one with `FlowField.grid`, `FlowField.function`, `FlowField.image` or `FlowField.toward`.
    """

    @property
    @abstractmethod
    def dimensions(self) -> int | None:
        """2 or 3; None when any will do."""

    @abstractmethod
    def flow_calls(self, points: Columns, domain: Domain, flow: Columns) -> list[Call]:
        """The calls that sample the field.

        Args:
            points: Where to sample [m], d arrays of shape (n,), read when the calls are run.
            domain: The space; on a torus the field is periodic.
            flow: The velocities there [m/s], d arrays of shape (n,), written by the calls.

        Raises:
            ValueError: The field does not fit the space.
        """

    @explained
    def at(self, points: Any, domain: Domain | None = None) -> Array:
        """The velocities [m/s] at points.

        Args:
            points: Where to sample [m], shape (n, d), or (d,) for one.
            domain: The space; on a torus the field is periodic. Default: Open().

        Returns:
            Velocities [m/s] of the shape of the points, float64.
        """
        places = as_points("points", points, np.float64, self.dimensions)
        flow = np.zeros(places.shape[::-1])
        for call in self.flow_calls(columns_of(places, np.float64), domain or Open(), tuple(flow)):
            call.run(len(places))
        return flow.T.copy() if np.ndim(points) == 2 else flow[:, 0]

    @explained
    def paint(self, low: Any, high: Any, *, max_speed: float, pixels: tuple[int, int] = (256, 256)) -> Array:
        """A picture of a field in the plane, as `FlowField.image` reads it: to look at, or to go on painting.

        Args:
            low: Lower left corner of the picture [m], shape (2,).
            high: Upper right corner of the picture [m], shape (2,).
            max_speed: The speed that a full color stands for [m/s]; faster is shown as that.
            pixels: Width and height.

        Returns:
            Pixels, shape (height, width, 3), uint8.
        """
        columns, rows = pixels
        check_bytes("pixels must be fewer", f"{columns:,} x {rows:,} pixels", columns * rows * PIXEL)
        low, high = as_floats("low", low, np.float64), as_floats("high", high, np.float64)
        x = low[0] + (high[0] - low[0]) * (np.arange(columns) + 0.5) / columns
        y = high[1] - (high[1] - low[1]) * (np.arange(rows) + 0.5) / rows
        points = np.stack(np.meshgrid(x, y), axis=-1)
        return colors_of(self.at(points.reshape(-1, 2)).reshape(points.shape), max_speed)

    def check_dimensions(self, dimensions: int) -> None:
        """Raise ValueError when vehicles of so many dimensions do not fit the field."""
        if self.dimensions not in (None, dimensions):
            raise ValueError(f"field must have {dimensions} dimensions like the vehicles, got {self.dimensions}")

    # ------------------------------------------------------------------------------------------------ making one

    @staticmethod
    @explained
    def grid(vectors: Any, origin: Any = 0.0, spacing: Any = 1.0, *, outside: str = "clamp") -> "FlowField":
        """A field from velocities at the nodes of a grid, linear in between; see FlowGrid."""
        flow: FlowField = FIELDS["FlowGrid"](vectors, origin, spacing, outside=outside)
        return flow

    @staticmethod
    @explained
    def function(function: Callable[[Array], Any]) -> "FlowField":
        """A field from a function of points (n, d) that returns velocities (n, d); see FlowFunction."""
        flow: FlowField = FIELDS["FlowFunction"](function)
        return flow

    @staticmethod
    @explained
    def image(image: Any, low: Any, high: Any, *, max_speed: float, outside: str = "clamp") -> "FlowField":
        """A field from a painted picture: color is direction, brightness is speed; see FlowImage."""
        flow: FlowField = FIELDS["FlowImage"](image, low, high, max_speed=max_speed, outside=outside)
        return flow

    @staticmethod
    @explained
    def toward(
        goals: Any,
        *,
        obstacles: Any = None,
        region: Any = None,
        spacing: float | None = None,
        clearance: float = 0.5,
        cost: Any = None,
        ground: Any = None,
        max_slope: float = 0.6,
        by: Any = None,
        speed: float = 1.0,
    ) -> "FlowField":
        """A field that leads to the nearest of some goals, around everything that is in the way; see FlowToward."""
        options = {"obstacles": obstacles, "region": region, "spacing": spacing, "clearance": clearance, "cost": cost}
        options |= {"ground": ground, "max_slope": max_slope, "by": by}
        flow: FlowField = FIELDS["FlowToward"](goals, speed=speed, **options)
        return flow


FLOW_FIELD = Kind("field", "a FlowField (grid, function, image or toward)", base=FlowField)
