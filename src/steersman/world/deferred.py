"""A look at neighbors that waits until somebody asks: what only parts of Modes or of a Switch need, while nobody is there.

Sums of one population are computed in one pass, as ever, so that their bits are the same. When everything that a pass is for
stands below a behavior that `defers`, the pass is made when that behavior knows whom its part steers, for those alone.
"""

import numpy as np

from steersman.geometry.vectors import Array
from steersman.neighborhood.neighbor_pass import NeighborPass
from steersman.vehicles.vehicles import Vehicles
from steersman.world.section import SERIAL, Section


class Deferred:
    """Looks at the neighbors of those who are asked, once a step.

    Args:
        look: The pass, made for the flags `asked`.
        vehicles: Those who look.
        asked: Scratch flags, shape (room,), uint8.
    """

    def __init__(self, look: NeighborPass, vehicles: Vehicles, asked: Array) -> None:
        self.look, self.vehicles, self.asked, self.done = look, vehicles, asked, np.zeros_like(asked)
        self.built = False
        self._for: tuple[int, ...] = ()

    def forget(self) -> None:
        """Begin a new step."""
        self.built = False
        self.done[:] = 0

    def __call__(self, flags: Array, threads: int) -> None:
        """Look for those who are asked, shape (room,), uint8, and have not been looked at before."""
        n = len(self.vehicles)
        flags, asked, done = flags[:n], self.asked[:n], self.done[:n]
        np.greater(flags, done, out=asked.view(np.bool_))
        if not asked.any():
            return
        self._bind(1 if n < SERIAL else threads)
        if not self.built:
            self._build.run()
            self.built = True
        np.bitwise_or(done, asked, out=done)
        self._run.run()

    def _bind(self, workers: int) -> None:
        """Make the sections for as many as there are now."""
        if (about := (*self.look.counts, workers)) != self._for:
            self._build = Section(self.look.build_stages(workers), workers)
            self._run = Section([*self.look.run_stages(workers), self.look.column_stage(workers)], workers)
            self._for = about
