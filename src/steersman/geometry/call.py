"""A call of a plan: a kernel and the arrays it will be called with, named once."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from steersman.geometry.kernel import entry_point

ROW = np.uint64
"""Type of a range of rows. Unsigned: for a signed one every access to an array tests whether it counts from the end."""


@dataclass(frozen=True)
class Call:
    """One step of a plan.

    Attributes:
        kernel: Called as `kernel(start, stop, *arguments)` over ranges of rows, in any order and from several threads;
            or, if `whole`, once as `kernel(*arguments)`.
        arguments: The same arrays at every step.
        whole: Whether it is for all rows at once (a behavior written in NumPy, say).
    """

    kernel: Callable[..., None]
    arguments: tuple[Any, ...] = ()
    whole: bool = False

    def compiled(self) -> Callable[..., None]:
        """The machine code for these arguments (compiled or loaded from the cache if need be).

        It takes the range of rows as plain Python numbers.
        """
        return entry_point(self.kernel, self.arguments if self.whole else (ROW(0), ROW(0), *self.arguments))

    def run(self, n: int) -> None:
        """Call the kernel for all n rows."""
        if self.whole:
            self.kernel(*self.arguments)
        else:
            self.kernel(ROW(0), ROW(n), *self.arguments)
