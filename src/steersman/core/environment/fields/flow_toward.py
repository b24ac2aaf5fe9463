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
from steersman.core.environment.routes.goals import GOALS, points_of
from steersman.core.environment.routes.route_grid import COST, RouteGrid, fill
from steersman.core.environment.routes.route_map import images_about
from steersman.core.environment.routes.tracing import FieldColumns, flow_on_grid
from steersman.core.kernels.call import Call
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Array, Columns


@final
@flow_field
@dataclass(frozen=True, eq=False)
class FlowToward(FlowField):
    """A field in the plane that leads along the shortest way to a goal, or the nearest of several.

        field = sm.FlowField.toward([38, 12], obstacles=walls, region=sm.Box([40, 30]), clearance=0.4)
        world.add(people, steering=sm.FollowFlow(field, speed="max"))

    The way is that of a RouteGrid, which explains all arguments but the first two. It is smooth between nodes, leads away
    from obstacles that are nearer than the clearance, and ends within a spacing of the goal. Goals that move are followed
    from node to node.

    Args:
        goals: Where to: points [m] (m, 2), a region (where the clearance is inside, too), Vehicles, a population, or a
            function that returns points.
        speed: How fast it flows [m/s].
        obstacles: Obstacles of any kind in the plane, or a list of sets. Default: none.
        region: Where vehicles may go. Default: the obstacles' surroundings.
        spacing: Distance between nodes [m]. Raising it is faster and coarser. Default: the clearance.
        clearance: How near a body's center may come to obstacles and to the rim of the region [m].
        cost: How much a meter of way counts: numbers (a, b), or a function of points (n, 2). Default: 1.

    Raises:
        TypeError: An argument is of another kind.
        ValueError: As for RouteGrid; or there is no goal.
    """

    goals: Any = parameter(kind=GOALS, positional=True, unit="m")
    _: KW_ONLY
    speed: float = parameter(1.0, low=0.0, unit="m/s")
    obstacles: Any = parameter(None, kind=OBSTACLES, optional=True)
    region: Any = parameter(None, kind=REGION, optional=True)
    spacing: float | None = parameter(None, above=0.0, unit="m", optional=True)
    clearance: float = parameter(0.5, above=0.0, unit="m")
    cost: Any = parameter(None, kind=COST, optional=True)

    def validate(self) -> None:
        """Make the grid."""
        grid = RouteGrid(
            self.obstacles, region=self.region, spacing=self.spacing, clearance=self.clearance, cost=self.cost
        )
        object.__setattr__(self, "_grid", grid)

    @property
    def grid_of_routes(self) -> RouteGrid:
        """The map of routes that it flows on."""
        found: RouteGrid = self._grid  # type: ignore[attr-defined]
        return found

    @property
    def dimensions(self) -> int:
        """2."""
        return 2

    @property
    def moves(self) -> bool:
        """Whether the goals may move."""
        return not isinstance(self.goals, (np.ndarray, Region))

    def flow_calls(self, points: Columns, domain: Domain, flow: Columns) -> list[Call]:
        """One call; where goals may move, after one that follows them."""
        self.check_dimensions(len(points))
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
        goals = self.goals if isinstance(self.goals, Region) else points_of("goals", self.goals)
        return self.grid_of_routes.guide(points, goals)[1]


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
