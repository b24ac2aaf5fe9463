"""The objects that all nodes of a population's tree share, when they are bound and when they steer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from steersman.core.environment.domain import Domain
from steersman.core.neighborhood.company import Company
from steersman.core.neighborhood.deferred import Deferred
from steersman.core.neighborhood.pairs import Surrounding
from steersman.core.neighborhood.request import Listing, NeighborCells, NeighborList, NeighborSum, Request, Sum
from steersman.core.steering.scene.clock import Clock
from steersman.core.steering.scene.senses import Senses
from steersman.core.steering.tree.knowledge import Belief, Knowledge
from steersman.core.steering.tree.trace import Trace
from steersman.core.steering.tree.tree import Node
from steersman.core.typing import Array
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles

Afterwards = Callable[[], list[Callable[[], object]]]
"""Returns the functions to call after an accepted step."""


Recount = Callable[[], object]
"""Adapts state to vehicles that have come or gone."""


class Handling(NamedTuple):
    """The facts about a body that behaviors go by: a behavior does not know the body itself.

    Attributes:
        on_ground: Whether the vehicles cannot leave a surface, whose normal is their `up`.
        tightest: Radius of the tightest circle that the body can drive [m].
        lag: Time that it takes to begin that circle [s].
        braking: Part of max_force that the body brakes with.
        grip: Part of max_force that the body has to the side.
        needs_free_way: Whether the body needs to know how far it may go on.
        backs_up: Whether the body goes backward to a goal behind it.
        steps_aside: Whether the body can go to any side without turning there first.
        pivots: Whether the body takes time to turn, and does it on the spot.
        turns_itself: Whether the body turns by itself; others face where they go.
        turn_rates: How fast the headings of the vehicles can turn [rad/s], shape (capacity,); None for any.
    """

    on_ground: bool
    tightest: float
    lag: float
    braking: float
    grip: float
    needs_free_way: bool
    backs_up: bool
    steps_aside: bool
    pivots: bool
    turns_itself: bool
    turn_rates: Array | None


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """The objects that all nodes of a population's tree share.

    Attributes:
        vehicles: The steered population.
        population: Its name.
        domain: The space it lives in.
        clock: Step length and number.
        seed: Seed of everything random.
        sums: Neighbor sums, ready before steering.
        lists: Lists of neighbors, ready before steering.
        cells: The cells around each vehicle, ready before steering.
        memories: Memory by node key.
        deferred: For sums and lists that are not ready before steering, the search that makes them when rows ask.
        addressed: Ids of the vehicles that were there when the tree was assigned, to which arrays of ids refer, in
            order.
        trace: Where every node records its contribution, or None.
        handling: What the body can do.
        company: All populations that are stepped together.
        afterwards: Asked after each accepted step for the functions to call.
        senses: The senses of behaviors written in NumPy, created when first asked for.
        recounts: Called when vehicles have come or gone and the arrays still had room for them.
        fixed: Nodes whose calls hold only for the vehicles that were there when they were made.
        free_way: How far each vehicle may still go on along its velocity (forward, at rest) [m], shape (capacity,).
        brakes: The nodes that write it.
        looks: The deferred searches that calls make.
        beliefs: The knowledge of the tree, each with what the vehicles believe.
    """

    vehicles: Vehicles
    population: str
    domain: Domain
    clock: Clock
    seed: int
    sums: dict[NeighborSum, Sum]
    lists: dict[NeighborList, Listing]
    cells: dict[NeighborCells, Surrounding]
    memories: dict[int, Memory]
    deferred: Mapping[Request, Deferred]
    addressed: Array
    free_way: Array
    trace: Trace | None
    handling: Handling
    company: Company
    columns: VehicleColumns = field(init=False)
    wrap: Array = field(init=False)
    afterwards: list[Afterwards] = field(init=False, default_factory=list)
    senses: list[Senses] = field(init=False, default_factory=list)
    recounts: list[Recount] = field(init=False, default_factory=list)
    fixed: list[Node] = field(init=False, default_factory=list)
    brakes: list[Node] = field(init=False, default_factory=list)
    looks: list[Deferred] = field(init=False, default_factory=list)
    beliefs: list[tuple[Knowledge, Belief]] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", self.vehicles.columns)
        object.__setattr__(self, "wrap", self.domain.wrap(self.vehicles.dimensions, self.vehicles.dtype))
