"""Resources: food, or any other supply that can be found and used up."""

from typing import Any

import numpy as np

from steersman.core.parameters.arrays import as_array, as_points, as_scalars, frozen
from steersman.core.parameters.kinds import Kind
from steersman.core.parameters.renaming import renamed_arguments
from steersman.core.parameters.showing import Shown
from steersman.core.typing import Array


class Resources(Shown):
    """Places with a supply, until it is used up.

    Between steps `amount` may be read and written. It does not change during a step: foraging vehicles eat when the
    step has been accepted.

    Args:
        position: Where they are [m], shape (m, d), or (d,) for one. Copied, and read-only from then on.
        amount: How much there is, >= 0, in any unit, shape (m,) or one number for all.

    Attributes:
        position: Where they are [m], shape (m, d).
        amount: How much is left, shape (m,), float64.
    """

    def __init__(self, position: Any, amount: Any = 1.0) -> None:
        points = as_array("position", position)
        if points.size == 0 and points.ndim < 2:
            raise ValueError("position must have shape (m, 2) or (m, 3), got no points; np.empty((0, 2)) is none in 2D")
        self.position = frozen(as_points("position", position, np.float64))
        self._amount = as_scalars("amount", amount, len(self.position), np.float64, low=0.0, above=None, unit="")

    @property
    def amount(self) -> Array:
        """The amount that is left at each place, shape (m,), float64."""
        return self._amount

    @amount.setter
    def amount(self, amount: Any) -> None:
        self._amount[...] = as_scalars("amount", amount, len(self), np.float64, low=0.0, above=None, unit="")

    def __len__(self) -> int:
        return len(self.position)

    def __repr__(self) -> str:
        return f"Resources of {len(self)} places, {self._amount.sum():g} left"

    @property
    def dimensions(self) -> int:
        """2 or 3."""
        return int(self.position.shape[1])

    @renamed_arguments(wanted="demand")
    def take(self, rows: Array, demand: Any) -> Array:
        """Take from the amounts. Where the demands exceed the amount, each gets a share in proportion.

        Args:
            rows: At which place each eater eats, shape (k,).
            demand: The demand of each, >= 0, one number or shape (k,).

        Returns:
            How much each gets, shape (k,).
        """
        demands = np.broadcast_to(np.asarray(demand, np.float64), np.shape(rows))
        demanded = np.bincount(rows, weights=demands, minlength=len(self))
        scarce = demanded > self._amount
        share = np.ones(len(self))
        share[scarce] = self._amount[scarce] / demanded[scarce]
        self._amount[...] = np.where(scarce, 0.0, self._amount - demanded)
        return np.asarray(demands * share[rows])


RESOURCES = Kind("resources", "Resources(position, amount)", base=Resources)
