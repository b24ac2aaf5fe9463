"""The company of a population: all populations that are stepped together, in which a behavior may name any."""

from collections.abc import Iterable
from typing import Any, Final, Protocol

import numpy as np

from steersman.core.neighborhood.joined import Joined
from steersman.core.typing import Array
from steersman.core.vehicles.holding import ALL
from steersman.core.vehicles.vehicles import Vehicles

STRIDE: Final = (1 << 32) + 40503
"""Ids of the next population are shifted by this: beyond all usual ids, and odd in the lowest bits, too."""


class Member(Protocol):
    """A population of a world."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def vehicles(self) -> Vehicles:
        """Its vehicles."""

    @property
    def gives_way(self) -> float:
        """Its weight when two populations share the work of avoiding each other."""


class Company:
    """All populations that are stepped together, in order; it joins those that a behavior names.

    Args:
        members: The populations.
    """

    def __init__(self, members: Iterable[Member]) -> None:
        self.members = tuple(members)
        self._ids = ShiftedIds([each.vehicles for each in self.members])
        self._shares = Shares(self.members)
        self._joined: dict[tuple[int, ...], Joined] = {}
        self._state: tuple[Any, ...] = ()

    def among(self, of: Any, own: Vehicles) -> Any:
        """The neighbors that a behavior names, resolved: None for the own population, Vehicles, Joined, or points.

        Args:
            of: The neighbors in their normal form: ALL, populations, one population, points or None.
            own: The population of the behavior.

        Raises:
            ValueError: Populations that are to be joined differ in their dtype or dimensions.
        """
        if isinstance(of, str) and of == ALL:
            of = tuple(each.vehicles for each in self.members)
        if not isinstance(of, tuple):
            return None if of is own else of
        if len(of) == 1:
            return self.among(of[0], own)
        self._check(of, own)
        parts = sorted(of, key=self._ids.shift)
        key = tuple(map(id, parts))
        known = self._joined.get(key)
        if known is None or not known.lasts:
            known = self._joined[key] = Joined(parts, [self._ids.shift(each) for each in parts])
        return known

    def _check(self, parts: Iterable[Vehicles], own: Vehicles) -> None:
        for each in parts:
            for attribute in ("dimensions", "dtype"):
                own_value, other = getattr(own, attribute), getattr(each, attribute)
                if own_value != other:
                    raise ValueError(
                        f"populations that look at each other together must have the same {attribute}: {self._name(own)} has "
                        f"{own_value}, {self._name(each)} has {other}; make them alike, or give of= a list without it"
                    )

    def _name(self, vehicles: Vehicles) -> str:
        return next((repr(each.name) for each in self.members if each.vehicles is vehicles), repr(vehicles))

    def ids(self, own: Vehicles) -> Array:
        """The shifted ids of a population, shape (capacity,), int64, live."""
        return self._ids.of(own)

    def shares(self, own: Vehicles, others: Vehicles | Joined) -> Array:
        """The part of the avoiding that a vehicle of a population does for each of others, shape (capacity,), live."""
        return self._shares.of(own, others)

    def update(self) -> None:
        """Update ids and shares after vehicles came or went, or `gives_way` changed. To be called before each step."""
        if not self._shares.known and not self._ids.known:
            return
        weights = tuple([each.gives_way for each in self.members])
        state = (weights, tuple([each.revision for each in self._ids.populations]))
        if state != self._state:
            self._ids.update()
            self._shares.update()
            self._state = state


class ShiftedIds:
    """Ids that differ between populations, too: the ids of each are shifted by STRIDE times its number.

    Ids are unique within one population only. Wherever ids break a tie between vehicles of several populations, all of them,
    the watcher too, have their shifted ids.

    Args:
        populations: The populations with the first numbers. Others get theirs when they are asked for.

    Attributes:
        populations: All populations so far, in the order of their numbers.
        known: The id of a population -> the population, its storage, and its shifted ids, shape (capacity,), int64.
    """

    def __init__(self, populations: Iterable[Vehicles]) -> None:
        self.populations: list[Vehicles] = []
        self.known: dict[int, tuple[Vehicles, object, Array]] = {}
        self._shifts: dict[int, int] = {}
        for each in populations:
            self.shift(each)

    def shift(self, vehicles: Vehicles) -> int:
        """The number that is added to the ids of a population."""
        if id(vehicles) not in self._shifts:
            self._shifts[id(vehicles)] = STRIDE * len(self.populations)
            self.populations.append(vehicles)
        return self._shifts[id(vehicles)]

    def of(self, own: Vehicles) -> Array:
        """The shifted ids of a population, shape (capacity,), int64, live."""
        if id(own) not in self.known or self.known[id(own)][1] is not own.storage:
            self.known[id(own)] = (own, own.storage, own.columns.id + self.shift(own))
        return self.known[id(own)][2]

    def update(self) -> None:
        """Write the ids anew, where the population still has the room that the array was made for."""
        for own, storage, ids in self.known.values():
            if own.storage is storage:
                ids[:] = own.columns.id + self.shift(own)


class Shares:
    """How populations share the work of avoiding each other, by the weights `gives_way`.

    Args:
        members: The populations with weights; all others do not give way.

    Attributes:
        known: The ids of a population and of others -> these, and the shares, shape (capacity of the others,).
    """

    def __init__(self, members: Iterable[Member]) -> None:
        self._members = tuple(members)
        self.known: dict[tuple[int, int], tuple[Vehicles, Vehicles | Joined, Array]] = {}

    def of(self, own: Vehicles, others: Vehicles | Joined) -> Array:
        """The part of the avoiding that a vehicle of a population does for each of others, shape (capacity,), live."""
        key = (id(own), id(others))
        if key not in self.known or len(self.known[key][2]) != others.capacity:
            self.known[key] = (own, others, np.zeros(others.capacity, own.dtype))
            self._write(*self.known[key], self._weights())
        return self.known[key][2]

    def update(self) -> None:
        """Write all shares anew, for the present vehicles and weights."""
        weights = self._weights()
        for own, others, shares in self.known.values():
            self._write(own, others, shares, weights)

    def _weights(self) -> dict[int, float]:
        return {id(each.vehicles): each.gives_way for each in self._members}

    def _write(self, own: Vehicles, others: Vehicles | Joined, shares: Array, weights: dict[int, float]) -> None:
        """Write the shares of a population with others."""
        parts = (
            zip(others.parts, others.counts, strict=True) if isinstance(others, Joined) else [(others, others.capacity)]
        )
        first = 0
        for each, n in parts:
            own_weight, weight = weights.get(id(own), 0.0), weights.get(id(each), 0.0)
            shares[first : first + n] = 0.5 if each is own else share(own_weight, weight)
            first += n


def share(own: float, other: float) -> float:
    """The part of the avoiding that one of two does, by the weights of both; none for a weight of zero."""
    return own / (own + other) if own > 0 else 0.0
