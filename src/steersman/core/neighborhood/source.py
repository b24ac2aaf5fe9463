"""Source: the candidates of a search (populations, or bare points) as columns for kernels."""

from typing import Any

import numpy as np

from steersman.core.neighborhood.joined import Joined
from steersman.core.parameters.arrays import first_rows
from steersman.core.typing import Array, Columns
from steersman.core.vehicles.share import whole_capacity_of, whole_of
from steersman.core.vehicles.vehicles import Vehicles


class Source:
    """The columns of the candidates, in the dtype of the watchers.

    Args:
        vehicles: The watchers.
        of: The candidates: None for the vehicles themselves, another Vehicles, several as Joined, or any object with a
            `position` (m, d) [m].

    Attributes:
        of: The candidates.
        moves: Whether they are vehicles.
        joined: The candidates, if they are several populations.
        segment: The first row and the number of the watchers among several populations (see `Joined.segment`); else None.
        capacity: The number of candidates that there is room for: always m, for bare points.
        id: Ids, shape (capacity,), int64; for bare points their rows.
    """

    def __init__(self, vehicles: Vehicles, of: Any) -> None:
        self._d, self._dtype = vehicles.dimensions, vehicles.dtype
        self.of: Any = vehicles if of is None else of
        self.moves = isinstance(self.of, (Vehicles, Joined))
        self.joined = self.of if isinstance(self.of, Joined) else None
        self.segment = None if self.joined is None else self.joined.segment(vehicles)
        self._same = self.of is vehicles
        self._columns: dict[str, Columns] = {}
        self._copied: dict[str, Array] = {}
        if self.moves:
            if self.of.dimensions != self._d:
                raise ValueError(f"of must have {self._d} dimensions like the vehicles, got {self.of.dimensions}")
            self.capacity: int = self.of.capacity
            self.id: Array = self.of.columns.id
        else:
            points = np.asarray(of.position)
            if points.ndim != 2 or points.shape[1] != self._d:
                raise ValueError(f"of must have positions of shape (m, {self._d}), got {points.shape}")
            self.capacity = len(points)
            self.id = np.arange(len(points))

    def __len__(self) -> int:
        return len(self.of) if self.moves else self.capacity

    @property
    def whole(self) -> int:
        """The number of candidates in all processes that step the world (see `vehicles/share.py`): cells depend on it."""
        return sum(map(whole_of, self.populations)) if self.moves else self.capacity

    @property
    def whole_capacity(self) -> int:
        """The number of candidates in all processes that cells have room for; at least `capacity`."""
        return max(self.capacity, sum(map(whole_capacity_of, self.populations))) if self.moves else self.capacity

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of candidates of each population, and at last that of those in all processes."""
        return (len(self), self.whole) if self.joined is None else (*self.joined.counts, self.whole)

    @property
    def populations(self) -> tuple[Vehicles, ...]:
        """The populations of the candidates; none for bare points."""
        if self.joined is not None:
            return self.joined.parts
        return (self.of,) if self.moves else ()

    @property
    def first(self) -> int:
        """The row of the first watcher among the candidates; -1 if watchers are not among the candidates."""
        if self.segment is not None:
            return int(self.segment[0])
        return 0 if self._same else -1

    def fit(self) -> None:
        """Adapt to vehicles that have come or gone."""
        if self.joined is not None:
            self.joined.fit()

    def columns(self, name: str) -> Columns:
        """A vector column by name, d arrays of shape (m,).

        Raises:
            ValueError: Bare points have only a position.
        """
        if name not in self._columns:
            self._columns[name] = self._whole_column(name)
        shown: Columns = first_rows(self._columns[name], len(self))
        return shown

    def _whole_column(self, name: str) -> Columns:
        """A vector column with all its room: the live arrays, or a copy where these have another dtype or are points."""
        if self.joined is not None:
            self.joined.need(name)
        if self.moves:
            live: Columns = getattr(self.of.columns, name)
            if live[0].dtype == self._dtype:
                return live
        elif name != "position":
            raise ValueError(f"{name} can only be summed over Vehicles, got of={type(self.of).__name__}")
        self._copied[name] = np.zeros((self._d, self.capacity), self._dtype)
        self.refresh()
        return tuple(self._copied[name])

    @property
    def copies(self) -> bool:
        """Whether any column is a copy."""
        return bool(self._copied)

    def refresh(self) -> None:
        """Copy anew all columns that are copies.

        Raises:
            ValueError: There are more or fewer points than before.
        """
        m = len(self)
        if self.joined is not None:
            self.joined.refresh()
        for name, block in self._copied.items():
            values = np.asarray(getattr(self.of, name))
            if values.shape != (m, self._d):
                raise ValueError(f"of must keep the shape {(m, self._d)} of its {name}, got {values.shape}")
            with np.errstate(over="ignore"):
                block[:, :m] = values.T
