"""Share: what a process knows of a population that several processes step together, each with some of the vehicles."""

from typing import NamedTuple

from steersman.core.vehicles.vehicles import Vehicles


class Share(NamedTuple):
    """The sizes of the whole population, of which this process has some vehicles.

    Attributes:
        n: The number of vehicles of the whole population.
        capacity: The number of vehicles that there is room for in all processes together.
    """

    n: int
    capacity: int


def whole_of(vehicles: Vehicles) -> int:
    """The number of vehicles of a population, in all processes that step it."""
    share: Share | None = vehicles.share
    return len(vehicles) if share is None else share.n


def whole_capacity_of(vehicles: Vehicles) -> int:
    """The number of vehicles that there is room for, in all processes."""
    share: Share | None = vehicles.share
    return vehicles.capacity if share is None else max(share.capacity, share.n, vehicles.capacity)
