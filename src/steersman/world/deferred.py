"""A look at neighbors that waits until somebody asks: what only parts of Modes or of a Switch need, while nobody is there.

Sums of one population are computed in one pass, as ever, so that their bits are the same. When everything that a pass is for
stands below a behavior that `defers`, the pass is made when that behavior knows whom its part steers, for those alone.
"""

from functools import partial

import numpy as np

from steersman.geometry.vectors import Array
from steersman.neighborhood.neighbor_pass import NeighborPass
from steersman.world.section import SERIAL
from steersman.world.workers import WORKERS


class Deferred:
    """Looks at the neighbors of those who are asked, once a step.

    Args:
        look: The pass, made for the flags `asked`.
        asked: Scratch flags, shape (n,), uint8.
    """

    def __init__(self, look: NeighborPass, asked: Array) -> None:
        self.look, self.asked, self.done = look, asked, np.zeros_like(asked)
        self.built = False

    def forget(self) -> None:
        """Begin a new step."""
        self.built = False
        self.done[:] = 0

    def __call__(self, flags: Array, threads: int) -> None:
        """Look for those who are asked, shape (n,), uint8, and have not been looked at before."""
        np.greater(flags, self.done, out=self.asked.view(np.bool_))
        if not self.asked.any():
            return
        if not self.built:
            self.look.build()
            self.built = True
        np.bitwise_or(self.done, self.asked, out=self.done)
        workers = 1 if len(flags) < SERIAL else threads
        WORKERS.run([partial(self.look.run, worker, workers) for worker in range(workers)])
