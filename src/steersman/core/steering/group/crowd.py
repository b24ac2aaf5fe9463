"""Crowd: what the kernels of ORCA know of the vehicles and of their neighbors."""

from typing import Any, NamedTuple

from steersman.core.neighborhood.bodies import Bodies
from steersman.core.neighborhood.request import Listing
from steersman.core.typing import Array
from steersman.core.vehicles.vehicle_columns import VehicleColumns


class Crowd(NamedTuple):
    """The vehicles that avoid, and their neighbors.

    Attributes:
        vehicles, others, shares, bodies: As in `Encounter`.
        listing: The neighbors of each vehicle.
        rests: What lets vehicles rest at a common goal (see `Rests`); empty where none does.
        ways: Where vehicles want to go (see `WayMemory`); empty where the own population is not among the neighbors.
    """

    vehicles: VehicleColumns
    others: VehicleColumns
    listing: Listing
    shares: tuple[Array, ...]
    bodies: Bodies
    rests: tuple[Any, ...]
    ways: tuple[Any, ...]
