"""The interface of a constraint: it corrects positions after a step, and cannot fail."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from steersman.core.environment.domain import Domain
from steersman.core.kernels.call import Call
from steersman.core.parameters.kinds import Several
from steersman.core.parameters.parameters import Parameters
from steersman.core.vehicles.vehicles import Vehicles


@dataclass(frozen=True, eq=False)
class WorldConstraint(Parameters):
    """Base of all constraints. They hold no state; the world calls them in order, once a step, when all have moved."""

    @property
    def slows(self) -> bool:
        """Whether a vehicle that is moved against its velocity loses that part of its velocity. Default: no."""
        return False

    @abstractmethod
    def bind(self, populations: Sequence[Vehicles], domain: Domain) -> list[Call]:
        """The calls that correct the positions of all populations, in place. They must not fail."""


WORLD_CONSTRAINTS = Several("constraints", "constraints such as ZeroOverlap()", base=WorldConstraint)
