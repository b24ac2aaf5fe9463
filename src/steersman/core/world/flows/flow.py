"""The interface of flows, which let vehicles come and go after a step."""

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
    """The arguments of a flow: the state of the world after a step.

    Attributes:
        vehicles: The population of the flow.
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
    """Base of all flows. They hold no state: the population keeps it from step to step (see `Tally`).

    Args:
        name: The name for queries, by which the flow also keeps its state when the flows are replaced.
    """

    adds: ClassVar[bool] = False
    """Whether the flow adds vehicles. Flows that remove vehicles run first."""

    _: KW_ONLY
    name: str | None = parameter(None, kind=TEXT, optional=True)

    def check(self, vehicles: Vehicles) -> None:
        """Raise ValueError when it does not fit a population. Default: do nothing."""

    def rehearse(self, domain: Domain) -> None:
        """Call all kernels that the flow needs, so that they are compiled. Default: do nothing."""

    def begin(self) -> dict[str, Array]:
        """Its initial state, name -> array. Default: empty."""
        return {}

    def forget(self, state: dict[str, Array], gone: Array) -> None:
        """Drop the state of removed vehicles, because new vehicles may have their ids. Default: do nothing.

        Args:
            state: Its state, to be changed in place.
            gone: Their ids, shape (k,).
        """

    @abstractmethod
    def run(self, state: dict[str, Array], moment: Moment) -> int:
        """Let vehicles come or go; return how many did.

        Args:
            state: Its state, to be changed in place.
            moment: The vehicles, the space and the time.
        """


FLOWS = Several("flows", "flows such as Spawner(2.0, door) and Sink(exit)", base=Flow)
