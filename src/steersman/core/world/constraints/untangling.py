"""Untangling: passes over a crowd until no vehicle overlaps another, nor an obstacle."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.obstacles.answers import Nearest
from steersman.core.environment.obstacles.obstacle import Obstacles, check_dimensions
from steersman.core.kernels.bound import Bound, bind
from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import entry_point
from steersman.core.neighborhood.grid import new_grid, new_order
from steersman.core.typing import Array, Columns
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.constraints.crowd import ROOM, Crowd, give_places, list_near, sort_crowd, take_places
from steersman.core.world.constraints.moves import ask, find_moves, leave_obstacles, make_moves, put_points
from steersman.core.world.section import Section

SERIAL = 4096
"""Vehicles below which one thread does everything."""

MARGIN = 0.3
"""The margin of the lists beyond contact, as a part of the mean diameter."""

MOST_POINTS = 8
"""The most points on each half of a body that are kept off obstacles, besides the middle."""


class Untangling:
    """Moves the populations of one number of dimensions apart, in float64.

    Args:
        populations: The populations.
        domain: The space.
        obstacles: Obstacles that no vehicle may overlap.
        passes: The most passes.
        tolerance: The deepest overlap that may stay, as a part of the two radii.
    """

    def __init__(
        self, populations: Sequence[Vehicles], domain: Domain, obstacles: Obstacles | None, passes: int,
        tolerance: float,
    ) -> None:  # fmt: skip
        self.populations, self.passes, self.tolerance = populations, passes, tolerance
        self.obstacles = obstacles.sets if obstacles is not None else ()
        d, n = populations[0].dimensions, sum(len(vehicles) for vehicles in populations)
        if obstacles is not None:
            check_dimensions(obstacles, d)
        self.block, self.last = np.zeros((2, d, n))
        self.radius, self.wrap = np.zeros(n), domain.wrap(d, np.dtype(np.float64))
        self.most = 2 * n + 64
        self.grid = new_grid(np.float64)
        self.order = new_order(n, self.most)
        self.axis: Columns = ()
        self.crowd = self._new_crowd()
        self.awake = np.zeros((2, n), np.uint8)
        self.nearest = Nearest(np.zeros(n), tuple(np.zeros((d, n))), np.zeros(n, np.int64))
        self.queried, self.left = np.zeros((2, n), np.uint8)
        self.moved, self.margin = np.zeros(1, np.uint8), np.zeros(1)
        self.deepest, self.farthest = np.zeros((2, 1))
        self.workers, self.parts = 1, list[float]()
        if n:
            self._measure()
            self._bind(1)  # So that all is compiled with everything else.

    def _new_crowd(self) -> Crowd:
        """Room for the crowd."""
        d, n = self.block.shape
        position, origin, move, axis = (tuple(np.zeros((d, n))) for _ in range(4))
        lists, number = np.zeros((n, ROOM[d]), np.int32), np.zeros(n, np.int32)
        row, radius, reach = np.zeros(n, np.int32), np.zeros(n), np.zeros(n)
        axis = axis if self.axis else ()
        return Crowd(row, position, radius, reach, axis, origin, move, np.zeros(n, np.uint8), lists, number)

    def _measure(self) -> bool:
        """Read positions, radii and axes; return whether other kernels are needed than before: there are longer bodies."""
        first = 0
        for vehicles in self.populations:
            rows = slice(first, first + len(vehicles))
            self.block[:, rows], self.radius[rows] = vehicles.position.T, vehicles.radius
            first = rows.stop
        if not self.axis and not any(vehicles.length.any() for vehicles in self.populations):
            self.reach = float(self.radius.max())
            return False
        first, half, forward = 0, np.zeros(len(self.radius)), np.zeros_like(self.block)
        for vehicles in self.populations:
            rows = slice(first, first + len(vehicles))
            first = rows.stop
            if vehicles.length.any():
                half[rows] = np.maximum(vehicles.length / 2 - vehicles.radius, 0)
                forward[:, rows] = vehicles.forward.T
        long = half > 0
        self.reach = float((self.radius + half).max() if long.any() else self.radius.max())
        for column, along in zip(self.axis, forward, strict=False):
            column[:] = half * along
        if not long.any():
            return False
        spacing = np.maximum(self.radius[long], half[long] / MOST_POINTS)
        points = max(int(np.ceil((half[long] / spacing).max())), len(self.parts) // 2)
        if self.axis and 2 * points == len(self.parts):
            return False
        self.parts = [part / points for k in range(1, points + 1) for part in (k, -k)]
        self.axis = tuple(half * forward)
        self.crowd = self._new_crowd()
        return True

    def __call__(self, threads: int) -> None:
        """Move all vehicles apart, with a number of threads."""
        n, first = len(self.radius), 0
        if n == 0:
            return
        workers = 1 if n < SERIAL else threads
        if self._measure() or workers != self.workers:
            self._bind(workers)
        self.last[...] = 0
        if self._untangle():
            for vehicles in self.populations:
                rows = slice(first, first + len(vehicles))
                vehicles.position[...] = self.block[:, rows].T
                first = rows.stop

    def _untangle(self) -> bool:
        """Make the passes; return whether any vehicle was moved."""
        tasks, changed = self.phases[0], False
        self._arrange(tasks)
        for k in range(self.passes):
            tasks = self.phases[k % 2]
            tasks["find"].run()
            self.moved[0] = self.deepest.max() > self.tolerance
            if self.moved[0]:
                tasks["make"].run()
            if self.obstacles:
                tasks["leave"].run()
            changed |= bool(self.farthest.any())
            if self.deepest.max() <= self.tolerance:
                break
            if 2 * np.sqrt(self.farthest.max()) >= self.margin[0]:
                tasks["give"].run()
                self._arrange(self.phases[(k + 1) % 2])
        if changed:
            tasks["give"].run()
        return changed

    def _arrange(self, tasks: dict[str, Section]) -> None:
        """Sort all vehicles into cells, and list near vehicles."""
        self.margin[0] = 2 * MARGIN * float(self.radius.mean())
        width = max(2 * self.reach + float(self.margin[0]), 1e-30)
        self.sort(self.grid, tuple(self.block), self.wrap, width, self.most, self.order)
        self.left[:], self.farthest[:] = 1, 0
        tasks["take"].run()
        tasks["list"].run()

    def _bind(self, workers: int) -> None:
        """Bind the kernels to arrays and workers, for passes that read one half of `awake` and write the other."""
        self.workers, self.phases = workers, list[dict[str, Section]]()
        self.deepest, self.farthest = np.zeros((2, workers))
        rows, last, crowd = tuple(self.block), tuple(self.last), self.crowd
        runs = np.zeros((workers, 27, 2), np.int64)
        places = (self.grid, self.order, crowd)
        self.sort = entry_point(sort_crowd, (self.grid, rows, self.wrap, 1.0, self.most, self.order))
        for awake, later in (self.awake, self.awake[::-1]):
            bound = {
                "take": (take_places, (self.order, rows, self.radius, self.axis, last, crowd, awake, later)),
                "list": (list_near, (*places, self.wrap, runs, self.margin)),
                "find": (find_moves, (*places, self.wrap, runs, awake, later, self.deepest)),
                "make": (make_moves, (*places, runs, later, self.farthest)),
                "give": (give_places, (crowd, rows, last)),
            }
            tasks = {name: shared_out(kernel, arguments, workers) for name, (kernel, arguments) in bound.items()}
            leave = [self._leave(worker, workers, runs, later) for worker in range(workers)]
            self.phases.append(tasks | {"leave": Section([leave], workers)})

    def _leave(self, worker: int, workers: int, runs: Array, later: Array) -> list[Bound]:
        """One worker's part in leaving the obstacles: a range of places that no other worker treats."""
        n, crowd = len(self.radius), self.crowd
        calls = [Call(ask, (crowd, self.moved, self.left, self.queried))]
        point = tuple(np.zeros_like(self.block)) if self.parts else ()
        for each, part in [(each, part) for each in self.obstacles for part in (0.0, *self.parts)]:
            places = point if part else crowd.position
            calls += [Call(put_points, (crowd, self.queried, part, point))] if part else []
            calls += [
                *each.nearest_calls(places, crowd.radius, self.queried, self.wrap, self.nearest),
                Call(
                    leave_obstacles,
                    (worker, self.grid, self.order, crowd, runs, self.nearest, each.side, self.queried, self.left, later,
                     self.deepest, self.farthest),
                ),
            ]  # fmt: skip
        rows = (n * worker // workers, n * (worker + 1) // workers)
        return [call.bound().at(*rows) for call in calls]


def shared_out(kernel: Any, arguments: tuple[Any, ...], workers: int) -> Section:
    """A kernel that takes worker and workers before its arguments, with a share for each worker."""
    entry = entry_point(kernel, (0, 1, *arguments))
    return Section([[[bind(entry, (worker, workers, *arguments))] for worker in range(workers)]], workers)
