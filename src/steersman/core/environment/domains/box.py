"""Box: solid walls around a world, or a region to stay in."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from steersman.core.environment.domain import CORNER, EDGES, Domain, Moving, limits_of
from steersman.core.environment.regions.boxed import foot_on_box, leave_box
from steersman.core.environment.regions.region import Region
from steersman.core.environment.shape import SurfaceProjection
from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import ZERO
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Array, Columns


@final
@dataclass(frozen=True, eq=False)
class Box(Domain, Region):
    """A rectangle or box. As the domain of a world it has solid walls: a vehicle that went through one is put back on it.

    As a region it has no walls: Contain keeps vehicles in it, and Explore covers it.

    Args:
        size: Lengths of the edges [m], > 0, shape (d,).
        origin: The lowest corner [m], shape (d,), or one number for all axes.
        restitution: The part of its speed toward the wall that a vehicle keeps, reversed: 0 stops it there (its speed
            along the wall stays), 1 reflects it.

    Raises:
        TypeError: An argument does not consist of numbers.
        ValueError: A wrong shape, a size <= 0, a restitution outside of [0, 1], NaN or infinity.
    """

    size: Any = parameter(kind=EDGES, unit="m", positional=True)
    origin: Any = parameter(0.0, kind=CORNER, of="size", unit="m", positional=True)
    restitution: float = parameter(0.0, low=0.0, high=1.0, positional=True)

    @property
    def dimensions(self) -> int:
        """Number of dimensions."""
        return len(self.size)

    @property
    def bounds(self) -> tuple[Array, Array]:
        """The lowest and the highest corner [m]."""
        return self.origin, self.origin + self.size

    @property
    def middle(self) -> Array:
        """The middle [m]."""
        return np.asarray(self.origin + self.size / 2)

    @property
    def is_convex(self) -> bool:
        """True."""
        return True

    @property
    def depth(self) -> float:
        """Half of the shortest edge [m]."""
        return float(self.size.min() / 2)

    def foot_calls(self, points: Columns, foot: SurfaceProjection) -> list[Call]:
        """One call."""
        return [Call(foot_on_box, (points, self._numbers(points), foot))]

    def leaving_calls(
        self, origin: Columns, points: Columns, foot: SurfaceProjection, leaving: SurfaceProjection
    ) -> list[Call]:
        """One call."""
        return [Call(leave_box, (origin, points, self._numbers(points), foot, leaving))]

    def _numbers(self, points: Columns) -> Array:
        return np.array([self.middle, self.size / 2], points[0].dtype)

    def confine_call(self, vehicles: Moving) -> tuple[Callable[..., None], tuple[Any, ...]]:
        """The kernel that puts vehicles back on the walls."""
        self.check_dimensions(len(vehicles.position))
        dtype = vehicles.position[0].dtype
        limits = limits_of(self.size, self.origin, dtype)
        return stop_at_walls, (vehicles.position, vehicles.velocity, limits, dtype.type(self.restitution))


@kernel
def stop_axis(x: Array, v: Array, i: int, low: Any, high: Any, restitution: Any) -> None:
    """Put one coordinate of row i back on the wall it went through, and turn its speed. NaN stays NaN."""
    if x[i] < low:
        x[i] = low
        if v[i] < ZERO:
            v[i] = -restitution * v[i]
    elif x[i] > high:
        x[i] = high
        if v[i] > ZERO:
            v[i] = -restitution * v[i]


@row_kernel
def stop_at_walls(i: int, position: Columns, velocity: Columns, limits: Array, restitution: Any) -> None:
    """Put rows back into the box. `limits`, shape (3, d), are lowest corner, highest corner and size [m]."""
    stop_axis(position[0], velocity[0], i, limits[0, 0], limits[1, 0], restitution)
    stop_axis(position[1], velocity[1], i, limits[0, 1], limits[1, 1], restitution)
    if len(position) == 3:
        stop_axis(position[2], velocity[2], i, limits[0, 2], limits[1, 2], restitution)
