"""Holding: where vehicles are expected, users may give any object with an attribute `vehicles`.

Such objects are the populations that `world.add` returns, Controllers, and objects of users. `vehicles_of` finds their
vehicles for targets, neighbors, conditions and metrics alike, so none of these modules needs to know the class World.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from steersman.core.parameters.brief import brief
from steersman.core.parameters.kinds import Kind
from steersman.core.vehicles.vehicles import Vehicles

P = ParamSpec("P")
R = TypeVar("R")


class Holder(Protocol):
    """An object that holds vehicles: a population of a world, a Controller."""

    @property
    def vehicles(self) -> Vehicles:
        """The vehicles."""


def vehicles_of(value: Any) -> Vehicles | None:
    """The vehicles that a value is or holds; None for other values."""
    if isinstance(value, Vehicles):
        return value
    held = None if isinstance(value, type) else getattr(value, "vehicles", None)
    return held if isinstance(held, Vehicles) else None


def without_holder(value: Any) -> Any:
    """The vehicles that a value is or holds; other values as they are."""
    vehicles = vehicles_of(value)
    return value if vehicles is None else vehicles


def as_vehicles(name: str, value: Any) -> Vehicles:
    """The vehicles that a value is or holds."""
    vehicles = vehicles_of(value)
    if vehicles is None:
        raise TypeError(
            f"{name} must be Vehicles, or a population as world.add returns it, got {brief(value)}{by_name(value)}"
        )
    return vehicles


POPULATION = Kind("population", "a population", as_vehicles)

ALL = "all"
"""The word for all populations of a world, for parameters that take several populations."""


def holds_all(value: Any) -> bool:
    """Whether a value stands for several populations: the word for all, or a list that begins with a population."""
    if isinstance(value, str):
        return value == ALL
    return isinstance(value, (list, tuple)) and len(value) > 0 and vehicles_of(value[0]) is not None


def as_populations(name: str, value: Any) -> Vehicles | tuple[Vehicles, ...] | str:
    """One population, several, or the word for all of them.

    Raises:
        ValueError: A population is in the list twice.
    """
    if not holds_all(value):
        if isinstance(value, (list, tuple, str)) or vehicles_of(value) is None:
            raise TypeError(f"{name} must be {POPULATIONS.words}, got {brief(value)}{by_name(value)}")
        return as_vehicles(name, value)
    if isinstance(value, str):
        return value
    several = tuple(as_vehicles(f"{name}[{k}]", each) for k, each in enumerate(value))
    if len(set(map(id, several))) < len(several):
        raise ValueError(f"{name} must name each population once, got {brief(value)}")
    return several


POPULATIONS = Kind("populations", 'a population, a list of populations, or "all"', as_populations)


def by_name(value: Any) -> str:
    """The end of a message about the name of a population in place of the population; empty for other values."""
    if not isinstance(value, str):
        return ""
    return (
        f"; names are for scenario documents: in Python give the population itself, world[{brief(value)}], or a column of "
        f"Orders, {'column:' + value!r}"
    )


def of_vehicles(function: Callable[Concatenate[Vehicles, P], R]) -> Callable[Concatenate[Vehicles | Holder, P], R]:
    """Decorate a function of vehicles so that it also accepts an object that holds vehicles."""

    @wraps(function)
    def wrapped(vehicles: Vehicles | Holder, *args: P.args, **kwargs: P.kwargs) -> R:
        return function(as_vehicles("vehicles", vehicles), *args, **kwargs)

    return wrapped  # type: ignore[return-value]  # its first argument has a name, too
