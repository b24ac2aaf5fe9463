"""Those who are looked at: a population, or bare points, as columns for kernels."""

from typing import Any

import numpy as np

from steersman.geometry.vectors import Array, Columns
from steersman.vehicles.body import Body
from steersman.vehicles.vehicles import Vehicles


class Source:
    """The columns of those who are looked at, in the dtype of those who look.

    Attributes:
        position: Positions [m], d arrays of shape (m,).
        id: Names, shape (m,), int64; the rows of bare points.
    """

    def __init__(self, body: Body, of: Any) -> None:
        d, dtype = len(body.position), body.position[0].dtype
        self._copied: list[tuple[Any, str, Array]] = []
        self._dtype = dtype
        self._of = of
        self._body: Body | None = body if of is None else of.body if isinstance(of, Vehicles) else None
        if self._body is not None:
            if len(self._body.position) != d:
                raise ValueError(f"of must have {d} dimensions like the vehicles, got {len(self._body.position)}")
            self.position = self.columns("position")
            self.id: Array = self._body.id
        else:
            points = np.asarray(of.position)
            if points.ndim != 2 or points.shape[1] != d:
                raise ValueError(f"of must have positions of shape (m, {d}), got {points.shape}")
            self.position = self._copy("position", d, len(points))
            self.id = np.arange(len(points))

    def __len__(self) -> int:
        return len(self.id)

    def columns(self, name: str) -> Columns:
        """A vector column, by name.

        Raises:
            ValueError: Bare points have nothing but a position.
        """
        if self._body is None:
            raise ValueError(f"{name} can only be summed over Vehicles, got of={type(self._of).__name__}")
        live: Columns = getattr(self._body, name)
        if live[0].dtype == self._dtype:
            return live
        return self._copy(name, len(live), len(live[0]))

    def _copy(self, name: str, d: int, m: int) -> Columns:
        block = np.zeros((d, m), self._dtype)
        self._copied.append((self._of, name, block))
        self.refresh()
        return tuple(block)

    def refresh(self) -> None:
        """Copy anew what is not read in place.

        Raises:
            ValueError: There are more or fewer points than before.
        """
        for of, name, block in self._copied:
            given = np.asarray(getattr(of, name))
            if given.shape != block.shape[::-1]:
                raise ValueError(f"of must keep the shape {block.shape[::-1]} of its {name}, got {given.shape}")
            with np.errstate(over="ignore"):
                block[...] = given.T
