"""FlowGrid: velocities at the nodes of a grid, linear in between."""

from typing import Any, NamedTuple, final

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.fields.flow_field import FlowField
from steersman.core.environment.fields.registry import flow_field
from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import ONE, ZERO, load, scale, store
from steersman.core.parameters.arrays import as_floats, frozen
from steersman.core.parameters.guiding import explained
from steersman.core.parameters.kinds import NUMBERS, TEXT, VECTOR, Kind
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Array, Columns, Vector

OUTSIDE = ("clamp", "zero")


class GridColumns(NamedTuple):
    """A grid as kernels take it.

    Attributes:
        vectors: Velocities [m/s], one row a node, the last axis running fastest, shape (nodes, d).
        nodes: Nodes along each axis, shape (d,), int64.
        frame: Origin [m], nodes per meter, period in node spacings (0 where space does not wrap), and how far the grid
            reaches beyond its outer nodes, in node spacings, shape (4, d).
        zero: 1 where there is no flow outside of the grid, else 0: there it is that of the rim.
    """

    vectors: Array
    nodes: Array
    frame: Array
    zero: int


@kernel
def between(x: Any, origin: Any, per_meter: Any, period: Any, rim: Any, count: int) -> tuple[int, int, Any, bool]:
    """The nodes on both sides of a coordinate [m], how far it is from the first to the second, and if it is outside.

    On a torus the last node is followed by the first one. NaN comes out as a fraction that is NaN. (It takes numbers, not
    the grid: in a function with branches references to arrays would be counted.)
    """
    last, end = count - 1, np.float32(count - 1)
    u = (x - origin) * per_meter
    if period > ZERO:
        u -= period * np.floor(u / period)
        if u > end and u < period:
            return last, 0, (u - end) / (period - end), False
    outside = u < -rim or u > end + rim
    if u < ZERO or u > end:
        u = min(max(u, ZERO), end)
    k = 0
    if u >= ONE:
        k = min(int(u), last)
    return k, min(k + 1, last), u - np.float32(k), outside


@kernel
def blend(a: Any, b: Any, fraction: Any) -> Any:
    """From a to b."""
    return a + (b - a) * fraction


@kernel
def blend_rows(vectors: Array, j: int, k: int, fraction: Any, like: Vector) -> Vector:
    """From row j to row k."""
    if len(like) == 2:
        return (blend(vectors[j, 0], vectors[k, 0], fraction), blend(vectors[j, 1], vectors[k, 1], fraction))
    return (
        blend(vectors[j, 0], vectors[k, 0], fraction),
        blend(vectors[j, 1], vectors[k, 1], fraction),
        blend(vectors[j, 2], vectors[k, 2], fraction),
    )


@kernel
def blend_vectors(a: Vector, b: Vector, fraction: Any) -> Vector:
    """From a to b."""
    if len(a) == 2:
        return (blend(a[0], b[0], fraction), blend(a[1], b[1], fraction))
    return (blend(a[0], b[0], fraction), blend(a[1], b[1], fraction), blend(a[2], b[2], fraction))


@kernel
def unless(none: bool, flow: Vector) -> Vector:
    """The flow, or zero if `none` is true."""
    if none:
        return scale(flow, ZERO)
    return flow


@kernel
def sample(grid: GridColumns, place: Vector) -> Vector:
    """The velocity at a place [m/s]: bilinear in 2D, trilinear in 3D."""
    vectors, count, frame = grid.vectors, grid.nodes, grid.frame
    i, i2, x, out_x = between(place[0], frame[0, 0], frame[1, 0], frame[2, 0], frame[3, 0], count[0])
    j, j2, y, out_y = between(place[1], frame[0, 1], frame[1, 1], frame[2, 1], frame[3, 1], count[1])
    if len(place) == 2:
        near = blend_rows(vectors, i * count[1] + j, i * count[1] + j2, y, place)
        far = blend_rows(vectors, i2 * count[1] + j, i2 * count[1] + j2, y, place)
        return unless(grid.zero * (out_x + out_y) > 0, blend_vectors(near, far, x))
    k, k2, z, out_z = between(place[2], frame[0, 2], frame[1, 2], frame[2, 2], frame[3, 2], count[2])
    row, row2 = (i * count[1] + j) * count[2], (i * count[1] + j2) * count[2]
    first = blend_rows(vectors, row + k, row + k2, z, place)
    near = blend_vectors(first, blend_rows(vectors, row2 + k, row2 + k2, z, place), y)
    row, row2 = (i2 * count[1] + j) * count[2], (i2 * count[1] + j2) * count[2]
    first = blend_rows(vectors, row + k, row + k2, z, place)
    far = blend_vectors(first, blend_rows(vectors, row2 + k, row2 + k2, z, place), y)
    return unless(grid.zero * (out_x + out_y + out_z) > 0, blend_vectors(near, far, x))


@row_kernel
def sample_all(i: int, points: Columns, grid: GridColumns, flow: Columns) -> None:
    """The velocities at many places."""
    store(flow, i, sample(grid, load(points, i)))


def per_axis(name: str, value: Any, dimensions: int) -> Array:
    """One number for each axis, shape (d,), read-only."""
    numbers = as_floats(name, value, np.float64)
    if numbers.shape not in ((), (dimensions,)):
        raise ValueError(f"{name} must be one number or have shape ({dimensions},), got {numbers.shape}")
    return frozen(np.array(np.broadcast_to(numbers, (dimensions,))))


def as_high(name: str, value: Any, low: Array) -> Array:
    """The upper right corner of a rectangle, shape (2,), read-only.

    Raises:
        ValueError: They are not above the other corner.
    """
    high = per_axis(name, value, 2)
    if np.any(high <= low):
        raise ValueError(f"{name} must be above low on both axes, got {high.tolist()} and {low.tolist()}")
    return high


def as_grid(name: str, value: Any) -> Array:
    """Vectors at the nodes of a grid, shape (nx, ny, 2) or (nx, ny, nz, 3), read-only."""
    vectors = as_floats(name, value, np.float64)
    d = vectors.shape[-1] if vectors.ndim else 0
    if d not in (2, 3) or vectors.ndim != d + 1 or 0 in vectors.shape:
        raise ValueError(
            f"{name} must have shape (nx, ny, 2) or (nx, ny, nz, 3), at least one node, got {vectors.shape}"
        )
    return frozen(vectors)


GRID = Kind("grid", "vectors at the nodes of a grid", as_grid)
AXES = Kind(
    "vector",
    "a vector (d,), or one number",
    lambda name, value, grid: per_axis(name, value, grid.shape[-1]),
    like=VECTOR,
)
LOW = Kind("vector", "x and y", lambda name, value: per_axis(name, value, 2), like=NUMBERS)
HIGH = Kind("vector", "x and y", as_high, like=NUMBERS)


@final
@flow_field
class FlowGrid(FlowField):
    """Velocities at the nodes of a grid, linear in between. Copied, and read-only from then on.

    On a torus the grid is periodic: its last node is followed by its first one, one period on. A grid that has nodes at
    both rims (`(count - 1) * spacing` is the period) works as well as one that ends a spacing before the rim.

    Args:
        vectors: Velocities [m/s], shape (nx, ny, 2) or (nx, ny, nz, 3): `vectors[i, j]` is the one at
            `origin + (i, j) * spacing`.
        origin: Where the first node is [m], shape (d,), or one number for all axes.
        spacing: Distance between nodes [m], > 0, shape (d,), or one number for all axes.
        outside: The flow beyond the rim: "clamp" (as on the rim) or "zero" (none).
    """

    vectors: Any = parameter(kind=GRID, positional=True, unit="m/s")
    origin: Any = parameter(0.0, kind=AXES, of="vectors", positional=True, unit="m")
    spacing: Any = parameter(1.0, kind=AXES, of="vectors", positional=True, unit="m")
    outside: str = parameter("clamp", kind=TEXT, choices=OUTSIDE)

    def validate(self) -> None:
        """Check that there is room between nodes."""
        if np.any(self.spacing <= 0):
            raise ValueError(f"spacing must be > 0 m, got {self.spacing[np.argmax(self.spacing <= 0)]}")

    @property
    def dimensions(self) -> int:
        """2 or 3."""
        return int(self.vectors.shape[-1])

    def flow_calls(self, points: Columns, domain: Domain, flow: Columns) -> list[Call]:
        """One call."""
        self.check_dimensions(len(points))
        return [Call(sample_all, (points, self.columns(domain, points[0].dtype), flow))]

    @explained
    def columns(self, domain: Domain, dtype: Any, rim: float = 0.0) -> GridColumns:
        """The grid for kernels, in the dtype of the vehicles; it reaches `rim` node spacings beyond its outer nodes.

        Raises:
            ValueError: It is larger than the torus that it lies on.
        """
        d = self.dimensions
        period = domain.wrap(d, np.float64)[0] / self.spacing
        count = np.array(self.vectors.shape[:-1])
        # Rounding may make a grid that just fits a little larger than the period.
        too_large = (period > 0) & (count - 1 > period * (1 + 1e-6))
        if too_large.any():
            axis = int(np.argmax(too_large))
            raise ValueError(
                f"the field must fit the torus: along axis {axis} its nodes span "
                f"{(count[axis] - 1) * self.spacing[axis]:g} m, the period is {period[axis] * self.spacing[axis]:g} m"
            )
        frame = np.array([self.origin, 1 / self.spacing, period, np.full(d, rim)])
        rows = np.array(self.vectors.reshape(-1, d), dtype=dtype, order="C")
        return GridColumns(rows, count.astype(np.int64), frame.astype(dtype), int(self.outside == "zero"))
