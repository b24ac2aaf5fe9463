"""Box: solid walls around a world, or a region to stay in."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from steersman.core.environment.domain import CORNER, EDGES, Domain, Moving, limits_of, shortest
from steersman.core.environment.domains.torus import image_of, wrap_copies
from steersman.core.environment.regions.boxed import foot_on_box, leave_box
from steersman.core.environment.regions.region import Region
from steersman.core.environment.shape import SurfaceProjection
from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import ZERO, load, store
from steersman.core.parameters.kinds import TEXT
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Array, Columns


@final
@dataclass(frozen=True, eq=False)
class Box(Domain, Region):
    """A rectangle or box. As the domain of a world it has solid walls: a vehicle that went through one is put back on it.

    As a region it has no walls: Contain keeps vehicles in it, and Explore covers it.

    Args:
        size: Whole lengths of the edges [m], > 0, shape (d,). (Obstacles, `Boxes`, have half extents.)
        origin: The lowest corner [m], shape (d,), or one number for all axes.
        restitution: The part of its speed toward the wall that a vehicle keeps, reversed: 0 stops it there (its speed
            along the wall stays), 1 reflects it. Raising it makes it bounce farther.
        periodic: Axes along which the domain has no walls, and its ends are joined as those of a Torus: "x" makes a corridor
            without end. A region has none.
    """

    size: Any = parameter(kind=EDGES, unit="m", positional=True)
    origin: Any = parameter(0.0, kind=CORNER, of="size", unit="m", positional=True)
    restitution: float = parameter(0.0, low=0.0, high=1.0, positional=True)
    periodic: str = parameter("", kind=TEXT, choices=("", "x", "y", "z", "xy", "xz", "yz"))

    def validate(self) -> None:
        """Check that the box has the periodic axes, and that another axis keeps its walls."""
        if self.periodic == "xy" and self.dimensions == 2:
            raise ValueError("periodic must leave an axis with walls, got 'xy' in the plane: that is a Torus")
        if "z" in self.periodic and self.dimensions == 2:
            raise ValueError(f"periodic must be axes of the box, which has x and y, got {self.periodic!r}")

    @property
    def wraps(self) -> Array:
        """Along which axes the ends are joined, shape (d,), bool."""
        return np.array([axis in self.periodic for axis in "xyz"[: self.dimensions]])

    def wrap(self, dimensions: int, dtype: Any) -> Array:
        """Periods [m] and inverse periods [1/m], shape (2, d), zero along axes with walls; as of a Torus."""
        self.check_dimensions(dimensions)
        return np.where(self.wraps, np.array([self.size, 1 / self.size], dtype), np.zeros(1, dtype))

    def difference(self, to: Any, origin: Any) -> Array:
        """The shortest way from `origin` to `to` [m], for points of shape (n, d) or (d,), which broadcast."""
        return shortest(self, to, origin) if self.periodic else super().difference(to, origin)

    def image_call(self, points: Columns, images: Columns) -> Call:
        """The call that writes to `images` the images of points between the ends of the axes that are periodic."""
        if not self.periodic:
            return super().image_call(points, images)
        self.check_dimensions(len(points))
        return Call(wrap_copies, (points, images, self._limits(points[0].dtype, self.wraps)))

    def _limits(self, dtype: Any, which: Array) -> Array:
        """Lowest and highest corner and size [m], infinite along axes that do not count, shape (3, d)."""
        endless = np.array([[-np.inf], [np.inf], [np.inf]], dtype)
        return np.where(which, limits_of(self.size, self.origin, dtype), endless)

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
    def is_sharp(self) -> bool:
        """False."""
        return False

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
        """The kernel that puts vehicles back on the walls, or between the ends of a periodic axis."""
        self.check_dimensions(len(vehicles.position))
        dtype = vehicles.position[0].dtype
        if self.periodic:
            seams, walls = self._limits(dtype, self.wraps), self._limits(dtype, ~self.wraps)
            own = (vehicles.position, vehicles.velocity)
            return wrap_and_stop, (*own, seams, walls, dtype.type(self.restitution))
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


@row_kernel
def wrap_and_stop(i: int, position: Columns, velocity: Columns, seams: Array, walls: Array, restitution: Any) -> None:
    """Put rows back between the ends of periodic axes, and on the walls of others; limits are infinite elsewhere."""
    store(position, i, image_of(load(position, i), seams))
    stop_axis(position[0], velocity[0], i, walls[0, 0], walls[1, 0], restitution)
    stop_axis(position[1], velocity[1], i, walls[0, 1], walls[1, 1], restitution)
    if len(position) == 3:
        stop_axis(position[2], velocity[2], i, walls[0, 2], walls[1, 2], restitution)
