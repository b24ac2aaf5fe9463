"""Frames: copies of the state of all vehicles at one moment, taken between two steps, to be written later."""

from typing import NamedTuple

from steersman.core.typing import Array


class Modes(NamedTuple):
    """The modes of a population.

    Attributes:
        mode: The mode of each vehicle, by its number in memory, shape (n,).
        names: Number in memory -> name; the first is the initial mode of all vehicles.
    """

    mode: Array
    names: dict[int, str]


class Rows(NamedTuple):
    """One population.

    Attributes:
        population: Its name.
        dimensions: 2 or 3.
        id: Ids, shape (n,), int64.
        vectors: Position, velocity, forward and, in 3D, up, one component after another, shape (3 * 2 or 4 * 3, n).
        radius: Radii [m], shape (n,).
        modes: The modes of the vehicles; None for populations without modes.
        extra: The values of requested columns, by column, shape (n,) each.
    """

    population: str
    dimensions: int
    id: Array
    vectors: Array
    radius: Array
    modes: Modes | None
    extra: dict[str, Array]


class Frame(NamedTuple):
    """One moment.

    Attributes:
        number: Frames before it.
        step: Steps since the start.
        time: Time since the start [s].
        populations: The populations.
    """

    number: int
    step: int
    time: float
    populations: list[Rows]

    @property
    def rows(self) -> int:
        """The number of its rows in the table."""
        return sum(len(rows.id) for rows in self.populations)

    @property
    def size(self) -> int:
        """The approximate memory that it takes [bytes]."""
        arrays = [a for rows in self.populations for a in (rows.vectors, rows.radius, *rows.extra.values())]
        return 1000 + sum(array.nbytes for array in arrays)
