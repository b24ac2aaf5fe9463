"""The contract of a node of the steering tree, which behaviors and conditions share.

A node is a frozen set of parameters. Its memory is declared by `init` and owned by the world, and kept by the node's
name or place; `needs` lists the neighbor searches to run before it steers; `bind` names kernels and arrays once, when a
world is planned.
"""

from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

from steersman.core.kernels.call import Call
from steersman.core.maths.shapes import Shape
from steersman.core.neighborhood.request import Request
from steersman.core.parameters.kinds import TEXT
from steersman.core.parameters.parameters import Parameters, parameter
from steersman.core.typing import Array
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicles import Vehicles

DEEPEST = 49
"""How deep the parts of a tree may be nested: documents hold twice as many tables in each other."""


@dataclass(frozen=True, eq=False)
class NodeParameters(Parameters):
    """Base of behaviors and conditions.

    Args:
        name: A name by which the node keeps its memory when the tree around it is replaced.

    Attributes:
        turns: Whether the class also steers the orientation.
        orders: Whether its memory has columns that the numbers and targets of the parts below it may name.
        nested: How deep its parts are nested; 1 without parts.
    """

    turns: ClassVar[bool] = False
    orders: ClassVar[bool] = False
    nested: ClassVar[int] = 1

    _: KW_ONLY
    name: str | None = parameter(None, kind=TEXT, optional=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        nested = 1 + self.deepest_part()
        if nested > DEEPEST:
            raise ValueError(f"parts must be nested at most {DEEPEST} deep in a steering tree, got {nested}")
        self._put(nested=nested)

    def deepest_part(self) -> int:
        """How deep the deepest of its parts and conditions is nested; 0 without any."""
        return max((getattr(part, "nested", 1) for part in (*self.parts(), *self.conditions())), default=0)

    @property
    def title(self) -> str:
        """Its name in messages: its class."""
        return type(self).__name__

    def init(self, vehicles: Vehicles) -> Mapping[str, Array]:
        """Memory columns at the start, name -> array of shape (n, ...), one row a vehicle. Default: none.

        When vehicles have come it is called again with all vehicles, and the rows of the new ones are taken.
        """
        return {}

    def when_ordered(self, column: str) -> Mapping[str, Any]:
        """Values that its own memory takes for vehicles that get an order in a column. Default: none."""
        return {}

    def needs(self) -> tuple[Request, ...]:
        """Sums over neighbors, and lists of them, that must be ready before it steers. Default: none."""
        return ()

    def needs_for(self, body: Any) -> tuple[Request, ...]:
        """The same for vehicles with a body that may not step aside (`Locomotion.steps_aside`). Default: as for all."""
        return self.needs()

    def shares(self) -> bool:
        """Whether it may leave a part of max_force to parts of less priority (see `deposit_shared`). Default: no."""
        return False

    def comes_to_rest(self) -> bool:
        """Whether it asks vehicles to come to rest at a goal (see `driving/resting.py`). Default: no."""
        return False

    def may_rest(self) -> bool:
        """Whether it knows a goal where vehicles may come to rest at times. Default: if it asks them to."""
        return self.comes_to_rest()

    def pushes(self) -> bool:
        """Whether it pushes vehicles away from others: a WeightedSum weighs it against a part that comes to rest.

        Default: no.
        """
        return False

    def yields(self) -> bool:
        """Whether it lets vehicles rest behind others that rest at the same goal. Default: no."""
        return False

    def leads(self) -> bool:
        """Whether it follows a route, and slows down where that turns (see `driving/leading.py`). Default: no."""
        return False

    def is_led(self) -> bool:
        """Whether it lets vehicles come near to obstacles that lie beyond a turn of their route. Default: no."""
        return False

    def defers(self, index: int) -> bool:
        """Whether it searches a part's neighbors itself, once it knows which rows ask that part (`Scene.look_calls`).

        Neighbors that are not deferred are ready before steering, for all rows. Default: nothing is deferred.

        Args:
            index: The part, in the order of `parts()` and then `conditions()`.
        """
        return False

    def parts(self) -> "tuple[NodeParameters, ...]":
        """The nodes of its own sort below this one in the tree. Default: none."""
        return ()

    def conditions(self) -> tuple[Any, ...]:
        """The conditions that decide between the parts (of a state machine; see `action_selection`). Default: none."""
        return ()

    def bind(self, scene: Any, memory: Memory, out: Any) -> list[Call]:
        """The calls that compute the node's answer, and put it to `out`."""
        raise NotImplementedError(f"{type(self).__name__} must define bind(scene, memory, out)")

    def sketch(self, context: Any) -> Iterable[Shape]:
        """The objects that it looks at, as plain shapes for pictures (see `World.sketch`). Default: none of its own.

        Velocity, desired velocity and steering are drawn anyway, and so are the sketches of parts and conditions.

        Args:
            context: The vehicles that are to be sketched, as the node sees them (see `SketchContext`).
        """
        return ()
