"""Joined: several populations as one, for behaviors that look at the vehicles of all of them.

Before the neighbors are found, the columns that are needed are copied one behind the other: the rows of one population follow
those of the one before it. A vehicle is not its own neighbor: it is recognized by its row in the joined columns, which is the
first row of its population plus its own row.

Ids are unique within one population only. In the joined columns they are shifted by STRIDE times the number of the population
in its world, so that no two ids are equal. Wherever ids break a tie, the watcher has its shifted id, too.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, Final, Protocol

import numpy as np

from steersman.core.kernels.bound import Bound, Gate, Stage, bind, go_through
from steersman.core.kernels.kernel import entry_point
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.typing import Array
from steersman.core.vehicles.holding import ALL
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles

STRIDE: Final = (1 << 32) + 40503
"""Ids of the next population are shifted by this: beyond all usual ids, and odd in the lowest bits, too."""


@row_kernel
def join(i: int, column: Array, segment: Array) -> None:
    """Copy a number of vehicle i of a population to its segment of a joined column."""
    segment[i] = column[i]


class Joined:
    """The columns of several populations, one behind the other.

    Args:
        parts: The populations, of one dtype and one number of dimensions.
        shifts: For each population, the number that is added to its ids.

    Attributes:
        parts: The populations.
        columns: The joined columns, of shape (room,), of which the first rows are the present vehicles.
        body_lengths: Lengths of the bodies [m], shape (room,), joined in the same way.
        room: The number of vehicles that there is room for.
        dimensions, dtype: Those that all populations have.
    """

    def __init__(self, parts: Sequence[Vehicles], shifts: Sequence[int]) -> None:
        self.parts, self._shifts = tuple(parts), tuple(shifts)
        like = parts[0]
        self.dimensions, self.dtype = like.dimensions, like.dtype
        self.room = sum(each.room for each in parts)
        self._storages = [(each, each.storage) for each in parts]
        shape = (self.dimensions, self.room)
        position, velocity, forward, up = (tuple(np.zeros(shape, self.dtype)) for _ in range(4))
        mass, radius, max_speed, max_force, response_time = np.zeros((5, self.room), self.dtype)
        up = up if self.dimensions == 3 else ()
        ids = np.zeros(self.room, np.int64)
        self.columns = VehicleColumns(
            position, velocity, forward, up, mass, radius, max_speed, max_force, response_time, ids
        )
        self.body_lengths = np.zeros(self.room, self.dtype)
        self._needed: dict[str, None] = {"position": None}
        self._segments = [np.zeros(2, np.int64) for _ in parts]
        self.fit()

    def __len__(self) -> int:
        return sum(self.counts)

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of vehicles of each population."""
        return tuple([len(each) for each in self.parts])

    @property
    def lasts(self) -> bool:
        """Whether the populations still have the room that the columns were made for."""
        return all(each.storage is storage for each, storage in self._storages)

    def fit(self) -> None:
        """Adapt to vehicles that have come or gone."""
        first = 0
        for each, segment, shift in zip(self.parts, self._segments, self._shifts, strict=True):
            n = len(each)
            segment[:] = first, n
            self.columns.id[first : first + n] = each.id + shift
            first += n

    def need(self, *names: str) -> None:
        """From now on, also copy these columns. Positions are always copied."""
        self._needed.update(dict.fromkeys(names))

    def needed(self, of: "Vehicles | Joined") -> list[Array]:
        """The columns that are copied, of a population or of this object, one array a component."""
        columns = of.columns
        selected = [of.body_lengths if name == "length" else getattr(columns, name) for name in self._needed]
        return [array for each in selected for array in (each if isinstance(each, tuple) else (each,))]

    def segment(self, vehicles: Vehicles) -> Array | None:
        """The first row and the number of rows of a population, shape (2,), int64, live; None if it is not among them."""
        return next((own for each, own in zip(self.parts, self._segments, strict=True) if each is vehicles), None)

    def refresh(self) -> None:
        """Copy the columns as they are now."""
        go_through(self.stages(1))

    def stages(self, workers: int) -> list[Stage]:
        """What `refresh` does, as a stage of shares, for the present numbers of vehicles."""
        shares: list[list[Bound | Gate]] = [[] for _ in range(workers)]
        for each, segment in zip(self.parts, self._segments, strict=True):
            first, n = segment.tolist()
            cuts = [n * worker // workers for worker in range(workers + 1)]
            for column, whole in zip(self.needed(each), self.needed(self), strict=True):
                arguments = (column, whole[first : first + n])
                entry = entry_point(join, (0, 1, *arguments))
                for share, rows in zip(shares, pairwise(cuts), strict=True):
                    share.append(bind(entry, (*rows, *arguments)))
        return [shares]

    # ------------------------------------------------------------------------------------------------ for sketches

    @property
    def position(self) -> Array:
        """Positions [m], shape (m, d), a copy."""
        return np.concatenate([each.position for each in self.parts])

    @property
    def velocity(self) -> Array:
        """Velocities [m/s], shape (m, d), a copy."""
        return np.concatenate([each.velocity for each in self.parts])

    @property
    def radius(self) -> Array:
        """Radii [m], shape (m,), a copy."""
        return np.concatenate([each.radius for each in self.parts])

    @property
    def forward(self) -> Array:
        """Unit vectors that they face, shape (m, d), a copy."""
        return np.concatenate([each.forward for each in self.parts])

    @property
    def length(self) -> Array:
        """Lengths of the bodies [m], shape (m,), a copy."""
        return np.concatenate([each.length for each in self.parts])

    @property
    def id(self) -> Array:
        """Shifted ids, shape (m,), int64."""
        return self.columns.id[: len(self)]


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
    """All populations that are stepped together, in order.

    It joins some of them for behaviors, shifts their ids, and computes how much each of two gives way to the other.

    Args:
        members: The populations.
    """

    def __init__(self, members: Iterable[Member]) -> None:
        self.members = tuple(members)
        self._numbers = {id(each.vehicles): k for k, each in enumerate(self.members)}
        self._others: list[Vehicles] = []
        self._joined: dict[tuple[int, ...], Joined] = {}
        self._ids: dict[int, tuple[Vehicles, Any, Array]] = {}
        self._shares: dict[tuple[int, int], tuple[Vehicles, Vehicles | Joined, Array]] = {}
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
        parts = sorted(of, key=self._number)
        key = tuple(map(id, parts))
        known = self._joined.get(key)
        if known is None or not known.lasts:
            known = self._joined[key] = Joined(parts, [self._number(each) * STRIDE for each in parts])
        return known

    def _number(self, vehicles: Vehicles) -> int:
        """The number of a population. Populations that are no members get numbers after those of the members."""
        if id(vehicles) not in self._numbers:
            self._others.append(vehicles)
            self._numbers[id(vehicles)] = len(self._numbers)
        return self._numbers[id(vehicles)]

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
        """The shifted ids of a population, shape (room,), int64, live."""
        _, storage, ids = self._ids.get(id(own), (own, None, np.zeros(0, np.int64)))
        if storage is not own.storage:
            ids = own.columns.id + self._number(own) * STRIDE
            self._ids[id(own)] = (own, own.storage, ids)
        return ids

    def shares(self, own: Vehicles, others: Vehicles | Joined) -> Array:
        """The part of the avoiding that a vehicle of a population does for each vehicle of others, shape (room,), live."""
        key = (id(own), id(others))
        if key not in self._shares or len(self._shares[key][2]) != others.room:
            self._shares[key] = (own, others, np.zeros(others.room, own.dtype))
            self._state = ()
            self.update()
        return self._shares[key][2]

    def update(self) -> None:
        """Update ids and shares after vehicles came or went, or `gives_way` changed. To be called before each step."""
        if not self._shares and not self._ids:
            return
        weights = tuple([each.gives_way for each in self.members])
        vehicles = [*(each.vehicles for each in self.members), *self._others]
        state = (weights, tuple([each.revision for each in vehicles]))
        if state == self._state:
            return
        for own, storage, ids in self._ids.values():
            if own.storage is storage:
                ids[:] = own.columns.id + self._number(own) * STRIDE
        weight_of = {id(each.vehicles): weight for each, weight in zip(self.members, weights, strict=True)}
        for own, others, shares in self._shares.values():
            first = 0
            for each in others.parts if isinstance(others, Joined) else (others,):
                last = first + (len(each) if isinstance(others, Joined) else others.room)
                weight, other_weight = weight_of.get(id(own), 0.0), weight_of.get(id(each), 0.0)
                shares[first:last] = 0.5 if each is own else share(weight, other_weight)
                first = last
        self._state = state


def share(own: float, other: float) -> float:
    """The part of the avoiding that one of two does, by the weights of both; none for a weight of zero."""
    return own / (own + other) if own > 0 else 0.0
