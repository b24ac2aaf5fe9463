"""FlowToward: a flow field that leads to a goal, around everything that is in the way."""

from dataclasses import KW_ONLY, dataclass
from typing import Any, final

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.fields.flow_field import FlowField
from steersman.core.environment.fields.registry import flow_field
from steersman.core.environment.obstacles.obstacle import OBSTACLES
from steersman.core.environment.regions.kind import REGION
from steersman.core.environment.regions.region import Region
from steersman.core.environment.routes.changing_fields import fill
from steersman.core.environment.routes.goals import GOALS, are_vehicles, as_goals, points_of
from steersman.core.environment.routes.route_grid import COST, GROUND, RouteGrid
from steersman.core.environment.routes.route_map import (
    ANY,
    ROUTE_MAP,
    Guide,
    RouteMap,
    RouteOrder,
    RouteQuery,
    images_about,
)
from steersman.core.environment.routes.tracing import FieldColumns, flow_on_grid
from steersman.core.environment.shape import check_fit
from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import ZERO, load, scale, store, with_length
from steersman.core.parameters.arrays import columns_of
from steersman.core.parameters.brief import brief
from steersman.core.parameters.kinds import Kind
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Array, Columns


@row_kernel
def ask_again(i: int, asks: Array) -> None:
    """Flag all places as asking; the calls of the map clear the flags of places that need no answer."""
    asks[i] = 1


@row_kernel
def flow_along(i: int, guide: Guide, speed: Any, flow: Columns) -> None:
    """Write the velocity along a way; it is zero without a way, and at the end of one."""
    way = load(guide.way, i)
    store(flow, i, with_length(way, speed) if guide.remaining[i] < np.inf else scale(way, ZERO))


def goals_on(name: str, value: Any, by: Any) -> Any:
    """Goals in as many dimensions as a map has, or in the plane."""
    return as_goals(name, value, by.dimensions if isinstance(by, RouteMap) else 2)


GOALS_ON_MAP = Kind("goals", GOALS.words, goals_on, like=GOALS)

OF_THE_MAP = {
    "obstacles": None, "region": None, "spacing": None, "clearance": 0.5, "cost": None, "ground": None, "max_slope": 0.6,
}  # fmt: skip
"""Parameters of a RouteGrid, with their defaults."""


@final
@flow_field
@dataclass(frozen=True, eq=False)
class FlowToward(FlowField):
    """A field that leads along the shortest way to a goal, or the nearest of several.

        field = sm.FlowField.toward([38, 12], obstacles=walls, region=sm.Box([40, 30]), clearance=0.4, speed=1.3)
        world.add(people, steering=sm.FollowFlow(field))

    The way is that of a RouteGrid, which explains all arguments but the first two and the last. It is smooth between nodes,
    leads away from obstacles that are nearer than the clearance, and slows down to rest within a spacing of the goal, unless
    FollowFlow has a speed of its own. Goals that move are followed from node to node. On hills give it the `ground`; vehicles
    on a surface in 3D flow along x and y of such a field. With a WalkMesh as map (`by`) it is a field on that surface, also
    one of several floors.

    Args:
        goals: Where to: points [m] (m, 2), a region (where the clearance is inside, too), Vehicles, a population, or a
            function that returns points (not with a map).
        speed: How fast it flows [m/s]. Raising it makes vehicles in it faster, up to their max_speed.
        obstacles: Obstacles of any kind in the plane, or a list of sets. Default: none.
        region: Where vehicles may go. Default: the obstacles' surroundings.
        spacing: Distance between nodes [m]. Raising it is faster and coarser. Default: the clearance.
        clearance: How near a body's center may come to obstacles and to the rim of the region [m]. Raising it
            flows farther from corners, and closes narrow gaps.
        cost: How much a meter of way counts: numbers (a, b), or a function of points (n, 2). Default: 1.
        ground: A landscape above the plane: a meter of the map is as much longer as the ground is steep.
        max_slope: The steepest ground that is not shut [rad]. Raising it leads over steeper hills.
        by: A map that knows the ways, with its doors: a RouteGrid, a NavMesh or a WalkMesh, asked anew in every step.
            Obstacles and the rest are those of the map then, and must not be given. Default: a RouteGrid of them.

    Raises:
        ValueError: As for RouteGrid; there is no goal; or with a map something of the map is given, too.
    """

    goals: Any = parameter(kind=GOALS_ON_MAP, of="by", positional=True, unit="m")
    _: KW_ONLY
    speed: float = parameter(1.0, low=0.0, unit="m/s")
    obstacles: Any = parameter(None, kind=OBSTACLES, optional=True)
    region: Any = parameter(None, kind=REGION, optional=True)
    spacing: float | None = parameter(None, above=0.0, unit="m", optional=True)
    clearance: float = parameter(0.5, above=0.0, unit="m")
    cost: Any = parameter(None, kind=COST, optional=True)
    ground: Any = parameter(None, kind=GROUND, optional=True)
    max_slope: float = parameter(0.6, above=0.0, high=np.pi / 2, unit="rad")
    by: Any = parameter(None, kind=ROUTE_MAP, optional=True)

    def validate(self) -> None:
        """Make the grid, where no map is given."""
        if self.by is None:
            arguments = {name: getattr(self, name) for name in OF_THE_MAP}
            object.__setattr__(self, "_grid", RouteGrid(arguments.pop("obstacles"), **arguments))
            return
        for name, default in OF_THE_MAP.items():
            value = getattr(self, name)
            if value is not default and (default is None or value != default):
                raise ValueError(f"{name} must be given to the map, not to a field by a map, got {brief(value)}")
        if are_vehicles(self.goals):
            check_fit("goals", self.goals, self.by.dimensions)
        elif not isinstance(self.goals, (np.ndarray, Region)):
            raise TypeError(
                f"goals must be points, a region or a population for a field by a map, got {brief(self.goals)}"
            )

    @property
    def grid_of_routes(self) -> RouteGrid:
        """The map of routes that is made if none is given."""
        grid: RouteGrid = self._grid  # type: ignore[attr-defined]
        return grid

    @property
    def map(self) -> RouteMap:
        """The map of routes along which the field flows."""
        route_map: RouteMap | None = self.by
        return self.grid_of_routes if route_map is None else route_map

    @property
    def bounds(self) -> Array | None:
        """The lowest and the highest corner of the map [m], shape (2, d); None if the map has none."""
        corners = getattr(self.map, "bounds", None)
        return None if corners is None else np.stack(corners)

    @property
    def dimensions(self) -> int:
        """2, or 3 on the surface of a map."""
        return self.map.dimensions

    @property
    def moves(self) -> bool:
        """Whether the goals may move."""
        return not isinstance(self.goals, (np.ndarray, Region))

    def flow_calls(self, points: Columns, domain: Domain, flow: Columns) -> list[Call]:
        """One call; where goals may move, after one that follows them."""
        self.check_dimensions(len(points))
        if self.by is not None:
            return self._calls_by_map(points, domain, flow)
        dtype = points[0].dtype
        fields = self.grid_of_routes.columns(1, dtype, False)
        sample = Call(flow_on_grid, (points, domain.wrap(2, dtype), fields, dtype.type(self.speed), flow))
        wrap = domain.wrap(2, np.float64)
        if self.moves:
            return [Call(_Follow(self, fields, wrap), whole=True, fits=True), sample]
        fill(fields, 0, self.grid_of_routes.field(self.goals, wrap))
        return [sample]

    def distance(self, points: Any) -> Array:
        """The cost of the way from points [m], (n, 2) -> (n,) or (2,) -> (); infinite where none leads to a goal.

        That is how long it is, with `cost` as a factor.
        """
        goals = self.goals if isinstance(self.goals, Region) else points_of("goals", self.goals, self.dimensions)
        return self.map.guide(points, goals)[1]

    def _calls_by_map(self, points: Columns, domain: Domain, flow: Columns) -> list[Call]:
        """Ask the map for the way from every point, and flow along it."""
        by, n, d, dtype = self.by, len(points[0]), self.dimensions, points[0].dtype
        region = self.goals if isinstance(self.goals, Region) else None
        if are_vehicles(self.goals):
            goal, number = self.goals.columns.position, self.goals.count
        else:
            ends = np.zeros((1, d)) if region is not None else points_of("goals", self.goals, d)
            goal, number = columns_of(ends, dtype), np.array([len(ends)])
        active, reach = np.ones(n, np.uint8), np.full(n, by.sight, dtype)
        row = np.zeros(n, np.int64) if region is not None else np.full(n, ANY)
        query = RouteQuery(active, points, reach, np.zeros(n, dtype), goal, number, row, domain.wrap(d, dtype))
        guide = Guide(tuple(np.zeros((d, n), dtype)), *np.zeros((4, n), dtype))
        order = RouteOrder(query, guide, region, self.moves, lambda: n)
        return [
            Call(ask_again, (active,)),
            *by.guide_calls(order),
            Call(flow_along, (guide, dtype.type(self.speed), flow)),
        ]


class _Follow:
    """Computes the field anew when a goal has come to another node."""

    def __init__(self, field: FlowToward, fields: FieldColumns, wrap: Array) -> None:
        self.field, self.fields, self.wrap, self.key = field, fields, wrap, b""

    def __call__(self) -> None:
        grid = self.field.grid_of_routes
        goals = images_about(grid.middle, points_of("goals", self.field.goals), self.wrap)
        nodes = np.unique(grid.snapped(goals), axis=0)
        if nodes.tobytes() != self.key:
            fill(self.fields, 0, grid.field(nodes))
            self.key = nodes.tobytes()
