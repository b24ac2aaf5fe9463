"""Memory: the per-vehicle arrays of one stateful behavior or body, with their values now and after the step.

A kernel reads `now` and writes `next`, for the rows that it steers. When the step is accepted, `next` is copied to `now`;
when it is refused, `now` is copied to `next`. So the memory of vehicles that a behavior did not steer does not advance, and a
step that fails changes nothing.
"""

import math
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from operator import setitem
from typing import Any

import numpy as np

from steersman.core.kernels.signals import Action, at_once
from steersman.core.typing import Array
from steersman.core.vehicles.pinned import pinned_zeros
from steersman.core.vehicles.removal import closing_gaps
from steersman.core.vehicles.turnover import Turnover


class Memory(MutableMapping[str, Array]):
    """Columns of memory, name -> array of shape (n,) or (n, k).

    As a mapping it has the writable next values, for behaviors written in NumPy: `memory["left"] -= dt` and
    `memory["left"] = 3.0` write into the column. The columns are those that `init` declared. Like the columns of the vehicles
    they lie in arrays with room for more, which stay the same while vehicles come and go.

    Args:
        columns: Initial values.
        capacity: The number of vehicles to make room for. Default: the number of initial values.

    Attributes:
        capacity: The number of vehicles that there is room for.
        still: Whether no step changes the memory, so that it need not be copied.
    """

    still = False

    _n: int
    _shown: dict[str, Array]
    _pairs: list[tuple[Array, Array]]
    _whole: list[tuple[Array, Array]]

    def __init__(self, columns: Mapping[str, Array], capacity: int | None = None) -> None:
        arrays = {name: np.asarray(column).T for name, column in columns.items()}
        n = next((column.shape[-1] for column in arrays.values()), 0)
        self.capacity = n if capacity is None else capacity
        self._blocks, (self._now, self._next) = _in_blocks(arrays, self.capacity)
        self._parts: dict[str, Memory] = {}
        at_once(self._showing(n))

    def _showing(self, n: int) -> list[Action]:
        """The actions after which the first n rows are the vehicles."""
        shown = {name: column[..., :n] for name, column in self._next.items()}
        pairs = [(column[..., :n], shown[name]) for name, column in self._now.items()]
        whole = [(now[:, :n], following[:, :n]) for now, following in self._blocks]
        state = {"_n": n, "_shown": shown, "_pairs": pairs, "_whole": whole}
        return [(self.__dict__.update, state), *(each for part in self._parts.values() for each in part._showing(n))]

    def __getstate__(self) -> dict[str, Any]:
        return {"now": self.snapshot(), "next": {name: column.T.copy() for name, column in self._shown.items()}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        Memory.__init__(self, state["now"])
        for name, column in state["next"].items():
            self[name] = column

    def __getitem__(self, name: str) -> Array:
        return self._shown[name].T

    def __setitem__(self, name: str, values: Any) -> None:
        if name not in self._shown:
            raise KeyError(f"there is no column {name!r} in this memory; init declares: {', '.join(self) or 'none'}")
        self._shown[name].T[...] = values

    def __delitem__(self, name: str) -> None:
        raise TypeError(f"memory keeps the columns that init declares, {name!r} among them")

    def __iter__(self) -> Iterator[str]:
        return iter(self._next)

    def __len__(self) -> int:
        return len(self._next)

    def now(self, name: str) -> Any:
        """The current column for a kernel: shape (capacity,), or a tuple of k such arrays."""
        return _for_kernel(self._now[name])

    def next(self, name: str) -> Any:
        """The column to write for a kernel: shape (capacity,), or a tuple of k such arrays."""
        return _for_kernel(self._next[name])

    @property
    def blocks(self) -> list[tuple[Array, Array]]:
        """All current and next values, in pairs of blocks of shape (rows, capacity), one pair for each type."""
        return self._blocks

    def values(self) -> Any:
        """The writable next values."""
        return [column.T for column in self._shown.values()]

    def snapshot(self) -> dict[str, Array]:
        """Copies of the current columns, shape (n,) or (n, k)."""
        return {name: now.T.copy() for name, (now, _) in zip(self._now, self._pairs, strict=True)}

    def schema(self) -> dict[str, tuple[Any, ...]]:
        """Name -> shape of a row, and dtype. Memory can be inherited only by memory of an equal schema."""
        return {name: (column.shape[:-1], column.dtype) for name, column in self._now.items()}

    def part(self, prefix: str) -> "Memory":
        """The columns with a prefix in their names, without that prefix; the arrays are shared."""
        if prefix not in self._parts:
            part = self._parts[prefix] = Memory({})
            chosen = [name for name in self._now if name.startswith(prefix)]
            part._now = {name.removeprefix(prefix): self._now[name] for name in chosen}
            part._next = {name.removeprefix(prefix): self._next[name] for name in chosen}
            at_once(part._showing(self._n))
        return self._parts[prefix]

    def changes(self) -> list[tuple[Any, ...]]:
        """The actions of `accept` after a step, as functions and their arguments."""
        return [] if self.still else [(setitem, now, ..., following) for now, following in self._whole]

    def accept(self) -> None:
        """Copy the next values to the current values."""
        for now, following in self._whole:
            now[...] = following

    def refuse(self) -> None:
        """Discard the next values."""
        for now, following in self._whole:
            following[...] = now

    def refuse_rows(self, mask: Array) -> None:
        """Discard the next values of the rows of a mask."""
        for now, following in self._pairs:
            following[..., mask] = now[..., mask]

    def inherit(self, older: "Memory", rows: Array) -> None:
        """Copy rows of an older memory of the same schema to the first rows of this one."""
        for name, now in self._now.items():
            now[..., : len(rows)] = older._now[name][..., rows]
            self._next[name][..., : len(rows)] = now[..., : len(rows)]

    def hold(self, blocks: Sequence[Array], capacity: int) -> "Memory":
        """The memory of other vehicles: this object if its capacity is as wanted, else another one.

        Args:
            blocks: The values of the vehicles, one array for each of `blocks`, shape (rows, n).
            capacity: The number of vehicles to have room for.
        """
        memory = self
        if capacity != self.capacity:
            columns = {
                name: np.zeros((0, *column.shape[:-1][::-1]), column.dtype) for name, column in self._now.items()
            }
            memory = Memory(columns, capacity)
            memory.still = self.still
        n = blocks[0].shape[1] if blocks else 0
        for (now, following), values in zip(memory._blocks, blocks, strict=True):
            now[:, :n] = values
            following[:, :n] = values
        at_once(memory._showing(n))
        return memory

    def following(self, turn: Turnover, fresh: Mapping[str, Array]) -> list[Action]:
        """The actions that adapt the memory to vehicles removed and added, in the same arrays, which have room for all.

        Args:
            turn: The vehicles that were removed and added.
            fresh: Initial columns for all present vehicles, of the same schema; may be empty where no vehicle is new.
        """
        actions = self._showing(turn.n)
        new = (..., slice(turn.stayed, turn.n))
        for block, _ in self._blocks:
            actions += closing_gaps(block, turn.gone, self._n)
        if turn.stayed < turn.n:
            for name, column in self._now.items():
                actions.append((setitem, column, new, np.asarray(fresh[name])[turn.stayed :].T))
        for block, following in self._blocks:
            actions.append((setitem, following[:, : turn.n], ..., block[:, : turn.n]))
        return actions


def schema_of(columns: Mapping[str, Array]) -> dict[str, tuple[Any, ...]]:
    """The value of `Memory.schema` for these columns."""
    arrays = {name: np.asarray(column).T for name, column in columns.items()}
    return {name: (column.shape[:-1], column.dtype) for name, column in arrays.items()}


def _in_blocks(columns: Mapping[str, Array], capacity: int) -> tuple[list[tuple[Array, Array]], list[dict[str, Array]]]:
    """Copies of columns (..., n) with room for more, once for the current and once for the next values.

    Returns:
        A pair of blocks, shape (rows, capacity), for each dtype: a step copies blocks as a whole. And the columns by name,
        which are views of the blocks, for the current and for the next values.
    """
    blocks, places = [], {}
    for dtype in dict.fromkeys(column.dtype for column in columns.values()):
        of_dtype = {name: column for name, column in columns.items() if column.dtype == dtype}
        ends = np.cumsum([math.prod(column.shape[:-1]) for column in of_dtype.values()]).tolist()
        pair = pinned_zeros((2, ends[-1], capacity), dtype)
        for name, first, end in zip(of_dtype, [0, *ends], ends, strict=False):
            places[name] = pair[:, first:end].reshape(2, *columns[name].shape[:-1], capacity)
            places[name][..., : columns[name].shape[-1]] = columns[name]
        blocks.append((pair[0], pair[1]))
    return blocks, [{name: places[name][when] for name in columns} for when in (0, 1)]


def _for_kernel(column: Array) -> Any:
    return column if column.ndim == 1 else tuple(column)


NOTHING = Memory({})
"""The memory of a behavior or body without state."""
