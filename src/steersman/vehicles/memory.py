"""Memory: the per-vehicle arrays of one stateful behavior or body, as they are and as they will be after the step.

A kernel reads `now` and writes `next`, for the rows that it steers. When the step is accepted, `next` becomes `now`;
when it is refused, `next` is thrown away. So memory of vehicles that a behavior did not steer does not advance, and a
step that fails leaves no trace.
"""

from collections.abc import Iterator, Mapping, MutableMapping
from typing import Any

import numpy as np

from steersman.geometry.vectors import Array


class Memory(MutableMapping[str, Array]):
    """Columns of memory, name -> array of shape (n,) or (n, k).

    As a mapping it shows the writable next values; that is what a behavior written in NumPy gets. `memory["left"] -= dt` and
    `memory["left"] = 3.0` write into the column, which stays the same array; there are as many columns as `init` declared.

    Args:
        columns: Initial values.
    """

    def __init__(self, columns: Mapping[str, Array]) -> None:
        self._now = {name: np.array(np.asarray(column).T, order="C") for name, column in columns.items()}
        self._next = {name: column.copy() for name, column in self._now.items()}
        self._pairs = [(self._now[name], self._next[name]) for name in self._now]

    def __getitem__(self, name: str) -> Array:
        return self._next[name].T

    def __setitem__(self, name: str, values: Any) -> None:
        if name not in self._next:
            raise KeyError(f"there is no column {name!r} in this memory; init declares: {', '.join(self) or 'none'}")
        self._next[name].T[...] = values

    def __delitem__(self, name: str) -> None:
        raise TypeError(f"memory keeps the columns that init declares, {name!r} among them")

    def __iter__(self) -> Iterator[str]:
        return iter(self._next)

    def __len__(self) -> int:
        return len(self._next)

    def now(self, name: str) -> Any:
        """The current column for a kernel: shape (n,), or a tuple of k such arrays."""
        return _for_kernel(self._now[name])

    def next(self, name: str) -> Any:
        """The column to write for a kernel: shape (n,), or a tuple of k such arrays."""
        return _for_kernel(self._next[name])

    def values(self) -> Any:
        """The writable next values."""
        return [column.T for column in self._next.values()]

    def snapshot(self) -> dict[str, Array]:
        """Copies of the current columns, shape (n,) or (n, k)."""
        return {name: column.T.copy() for name, column in self._now.items()}

    def schema(self) -> dict[str, tuple[Any, ...]]:
        """Name, shape of a row and dtype of each column: what must agree for memory to be handed on."""
        return {name: (column.shape[:-1], column.dtype) for name, column in self._now.items()}

    def part(self, prefix: str) -> "Memory":
        """The columns whose names begin so, under the rest of their names; the arrays are shared."""
        part = Memory({})
        chosen = [name for name in self._now if name.startswith(prefix)]
        part._now = {name.removeprefix(prefix): self._now[name] for name in chosen}
        part._next = {name.removeprefix(prefix): self._next[name] for name in chosen}
        part._pairs = [(self._now[name], self._next[name]) for name in chosen]
        return part

    def accept(self) -> None:
        """What was next is now."""
        for now, following in self._pairs:
            now[...] = following

    def refuse(self) -> None:
        """Forget what would have been next."""
        for now, following in self._pairs:
            following[...] = now

    def refuse_rows(self, mask: Array) -> None:
        """Forget what would have been next for the rows of a mask."""
        for now, following in self._pairs:
            following[..., mask] = now[..., mask]

    def inherit(self, older: "Memory", rows: Array, from_rows: Array) -> None:
        """Take over some vehicles' memory from an older one of the same schema."""
        for name, (now, following) in zip(self._now, self._pairs, strict=True):
            now[..., rows] = older._now[name][..., from_rows]
            following[..., rows] = now[..., rows]


def _for_kernel(column: Array) -> Any:
    return column if column.ndim == 1 else tuple(column)
