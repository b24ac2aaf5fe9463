"""Joined: several populations as one, for behaviors that look at the vehicles of all of them.

Before the neighbors are found, the columns that are needed are copied one behind the other: the rows of one population follow
those of the one before it. A vehicle is not its own neighbor: it is recognized by its row in the joined columns, which is the
first row of its population plus its own row. Ids in the joined columns are shifted (see
`company.ShiftedIds`).
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from steersman.core.kernels.bound import Bound, Gate, Stage, bind, go_through
from steersman.core.kernels.kernel import entry_point
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.typing import Array
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles


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
        columns: The joined columns, of shape (capacity,), of which the first rows are the present vehicles.
        body_lengths: Lengths of the bodies [m], shape (capacity,), joined in the same way.
        capacity: The number of vehicles that there is room for.
        dimensions, dtype: Those that all populations have.
    """

    def __init__(self, parts: Sequence[Vehicles], shifts: Sequence[int]) -> None:
        self.parts, self._shifts = tuple(parts), tuple(shifts)
        like = parts[0]
        self.dimensions, self.dtype = like.dimensions, like.dtype
        self.capacity = sum(each.capacity for each in parts)
        self._storages = [(each, each.storage) for each in parts]
        shape = (self.dimensions, self.capacity)
        position, velocity, forward, up = (tuple(np.zeros(shape, self.dtype)) for _ in range(4))
        mass, radius, max_speed, max_force, response_time = np.zeros((5, self.capacity), self.dtype)
        up = up if self.dimensions == 3 else ()
        ids = np.zeros(self.capacity, np.int64)
        self.columns = VehicleColumns(
            position, velocity, forward, up, mass, radius, max_speed, max_force, response_time, ids
        )
        self.body_lengths = np.zeros(self.capacity, self.dtype)
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
