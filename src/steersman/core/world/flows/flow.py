"""The contract of a flow: when a step is done, vehicles come or go."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar, NamedTuple

from steersman.core.environment.domain import Domain
from steersman.core.parameters.kinds import TEXT, Several
from steersman.core.parameters.parameters import Parameters, parameter
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles


class Moment(NamedTuple):
    """What a flow sees when a step is done.

    Attributes:
        vehicles: The population that comes and goes.
        all: The vehicles of all populations.
        domain: The space.
        key: Key of the flow's random numbers, shape (2,), uint32.
        time: Time since the start [s].
        step: Number of steps since the start.
        dt: Length of the step that is done [s].
    """

    vehicles: Vehicles
    all: Sequence[Vehicles]
    domain: Domain
    key: Array
    time: float
    step: int
    dt: float


@dataclass(frozen=True, eq=False)
class Flow(Parameters):
    """Base of all flows. They hold no state: what one has to know from step to step is kept by its population.

    Args:
        name: By which it is asked for, and goes on where the flows are replaced.
    """

    adds: ClassVar[bool] = False
    """Whether vehicles come by it; those by which they go have their turn before."""

    _: KW_ONLY
    name: str | None = parameter(None, kind=TEXT, optional=True)

    def check(self, vehicles: Vehicles) -> None:
        """Raise ValueError when it does not fit a population. Default: it does."""

    def rehearse(self, domain: Domain) -> None:
        """Call the kernels that it calls. Default: there are none."""

    def begin(self) -> dict[str, Array]:
        """What it has to know from step to step, name -> array. Default: nothing."""
        return {}

    def forget(self, state: dict[str, Array], gone: Array) -> None:
        """Drop what is known of vehicles that have gone, as others may be called so by now. Default: nothing is known of any.

        Args:
            state: What it knows, to be changed in place.
            gone: Their ids, shape (k,).
        """

    @abstractmethod
    def run(self, state: dict[str, Array], moment: Moment) -> int:
        """Let vehicles come or go; returns how many did.

        Args:
            state: What it knows, to be changed in place.
            moment: Who is there, where and when.
        """


FLOWS = Several("flows", "flows such as Spawner(2.0, door) and Sink(exit)", base=Flow)
