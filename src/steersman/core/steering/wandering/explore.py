"""Explore: cover a whole region, systematically.

    the region is cut into cells, of such a size that the vehicle sees all of a cell from its middle
    the cells are visited in the order of a plow, one line after the other, there and back, over and over
    force = m (speed * unit(cell - position) - velocity) / response_time

Reynolds 1999 names it (in "Wander": "the goal is to exhaustively cover a region of space") and leaves the law open. The
cell that a vehicle begins with follows from its id, so that many vehicles are spread over the order evenly and share
the work.
"""

import math
from typing import Any

import numpy as np

from steersman.core.environment.regions.kind import REGION
from steersman.core.environment.regions.region import Region
from steersman.core.environment.shape import check_fit
from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.shapes import Circle, Line
from steersman.core.maths.vectors import difference, dot, load
from steersman.core.parameters.arrays import columns_of
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.driving.drive import Driven, DriveNumbers, drive_to
from steersman.core.steering.laws.searching import sweep_order
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext
from steersman.core.steering.tree.forces import Out, deposit, response
from steersman.core.typing import Array, Columns
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles

GOLDEN = (math.sqrt(5) - 1) / 2
"""The fractional parts of its multiples are spread evenly over [0, 1), however many there are."""

NEAR = 0.25
"""A cell counts as visited within this part of the reach."""

SHOWN = 8
"""So many places of the sweep ahead are drawn."""

MOST = 1_000_000
"""A larger number of cells counts as a mistake."""


@row_kernel
def explore(
    i: int, vehicles: VehicleColumns, cells: Columns, wrap: Array, near: Any, now: Array, following: Array,
    visits_now: Array, visits_next: Array, go: DriveNumbers, clock: Clock, out: Out,
) -> None:  # fmt: skip
    """Seek the cell that is due; within `near` [m] it counts as visited."""
    count = cells[0].size
    place, top = load(vehicles.position, i), vehicles.max_speed[i]
    tau = response(vehicles.response_time[i], clock.dt[0])
    k = max(0, min(now[i], count - 1))  # Memory may come from a larger region, or from the caller.
    way = difference(load(cells, k), place, wrap)
    # Who cannot turn more tightly would circle around the cell for ever.
    reached = max(near, max(vehicles.mass[i] * top * top / vehicles.max_force[i], top * tau))
    if dot(way, way) < reached * reached:
        k = (k + 1) % count
        visits_next[i] = visits_now[i] + 1
        way = difference(load(cells, k), place, wrap)
    following[i] = k
    deposit(out, i, drive_to(way, True, i, vehicles, go, clock.dt[0]), vehicles.max_force[i], True)


@registered
class Explore(Driven):
    """Go everywhere in a region: line after line, there and back, and begin anew.

    Memory: the cell that is due (`cell`), and how many have been visited (`visits`). The area actually covered is
    measured by `Coverage`. A region with dents is explored as if vehicles could go straight across them: add Contain or
    AvoidObstacles before it. A vehicle with a turning circle, m V^2 / F, larger than `reach` leaves gaps: lower
    `speed`.

    Args:
        region: The region to explore: a Sphere, Box, Polygon or closed obstacles.
        reach: How far a vehicle sees [m]. Raising it makes the lines fewer, and exploring faster.

    Raises:
        ValueError: The reach is so small that there are more than a million cells.
    """

    region: Any = parameter(kind=REGION, positional=True)
    reach: float = parameter(above=0.0, unit="m")

    def validate(self) -> None:
        """Check that there are not too many cells."""
        low, high = self.region.bounds
        cells = np.prod((high - low) / cell_size(self.reach, len(low)))
        if cells > MOST:
            raise ValueError(
                f"reach must leave at most {MOST} cells to explore, got {self.reach:g} m: {cells:.0f} cells"
            )

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """The cell that is due, and none visited yet."""
        count = len(cells_of(self.region, self.reach))
        first = np.floor(vehicles.id * GOLDEN % 1 * count).astype(np.int64)
        return {"cell": np.minimum(first, count - 1), "visits": np.zeros(len(vehicles), np.int64)}

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """One call."""
        check_fit("region", self.region, scene.vehicles.dimensions)
        dtype = scene.vehicles.dtype
        arguments = (
            scene.columns, columns_of(cells_of(self.region, self.reach), dtype), scene.wrap,
            scene.number(NEAR * self.reach), memory.now("cell"), memory.next("cell"), memory.now("visits"),
            memory.next("visits"), self.go(dtype), scene.clock, out,
        )  # fmt: skip
        return [Call(explore, arguments)]

    def sketch(self, context: SketchContext) -> Shapes:
        """The next part of the sweep, the cell that is due, and how far it sees."""
        cells = cells_of(self.region, self.reach)
        due = np.minimum(context.memory["cell"], len(cells) - 1)
        next_cells = np.minimum(due[:, None] + np.arange(SHOWN), len(cells) - 1)
        yield Line(cells[next_cells], means="the way that it sweeps next")
        yield Circle(context.position, self.reach, label="sees so far")
        yield from context.goal(context.image(cells[due]), "next part of its region")


def cell_size(reach: float, dimensions: int) -> float:
    """The edge [m] of a cell that a vehicle sees whole from any place that counts as a visit."""
    return 2 * (1 - NEAR) * reach / math.sqrt(dimensions)


def cells_of(region: Region, reach: float) -> Array:
    """Points to visit in a region [m], in order, shape (cells, d): the middles of cells, or points inside next to them."""
    low, high = region.bounds
    count = np.maximum(1, np.ceil((high - low) / cell_size(reach, len(low)))).astype(int)
    size = (high - low) / count
    middles = low + (sweep_order(tuple(count.tolist())) + 0.5) * size
    places = region.nearest_inside(middles)
    touched = np.all(np.abs(places - middles) <= size / 2 * (1 + 1e-9), axis=1)
    return np.asarray(places[touched])
