"""Stages of a Pipeline: their base classes, and some that come with the library.

All work in NumPy on the whole population at once. Paths are polylines relative to the vehicle, so that a torus has no
edges: offsets [m] from where the vehicle is, shape (n, m, d), the first of them zero. Stages of your own derive from
Targeter, Decomposer, Constraint or Actuator, as frozen dataclasses.
"""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from steersman.core.environment.obstacles.answers import Rays, new_sight
from steersman.core.environment.obstacles.obstacle import OBSTACLES, check_dimensions
from steersman.core.environment.paths.path import PATH, Path
from steersman.core.environment.paths.projecting import PathColumns, project
from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import load
from steersman.core.parameters.arrays import columns_of
from steersman.core.parameters.brief import brief
from steersman.core.parameters.kinds import TEXT, Kind, Several
from steersman.core.parameters.parameters import Parameters, parameter
from steersman.core.steering.combining.goals import Goals
from steersman.core.steering.driving.approach import shortest_slowing_of
from steersman.core.steering.laws.arriving import arrive
from steersman.core.steering.laws.reaching import seek
from steersman.core.steering.laws.vectors import direction_or, length, normalize, perpendicular
from steersman.core.steering.scene.scene import Scene
from steersman.core.steering.targets.selection import WHICH
from steersman.core.steering.targets.target import TARGET
from steersman.core.typing import Array, Columns


@dataclass(frozen=True, eq=False)
class Targeter(Parameters):
    """Base of the stages that set goals."""

    @abstractmethod
    def goals(self, scene: Scene) -> Goals:
        """The goals of all vehicles."""


@dataclass(frozen=True, eq=False)
class Decomposer(Parameters):
    """Base of the stages that break a goal down to one that can be reached directly."""

    @abstractmethod
    def decompose(self, scene: Scene, goals: Goals) -> Goals:
        """The next goals on the way to the goals; goals that need no intermediate one stay."""


@dataclass(frozen=True, eq=False)
class Constraint(Parameters):
    """Base of the stages that test whether a way violates a constraint, and suggest another goal."""

    @abstractmethod
    def violation(self, scene: Scene, path: Array) -> Array:
        """How far along its path each vehicle will violate the constraint [m], shape (n,); infinite for never."""

    @abstractmethod
    def suggest(self, scene: Scene, path: Array, goals: Goals) -> Goals:
        """Goals that keep the constraint; only the goals of vehicles that will violate it are used."""


@dataclass(frozen=True, eq=False)
class Actuator(Parameters):
    """Base of the stages that model how the vehicle moves."""

    @abstractmethod
    def path(self, scene: Scene, goals: Goals) -> Array:
        """The ways it would go: offsets from the vehicles [m], shape (n, m, d), the first of them zero."""

    @abstractmethod
    def steer(self, scene: Scene, path: Array, goals: Goals) -> Array:
        """The forces to go these ways [N], shape (n, d)."""


class Stages(Several):
    """One stage or several, of one class."""

    def several(self, name: str, value: Any) -> tuple[Any, ...]:
        """The stages, as a tuple."""
        stages = tuple(value) if isinstance(value, Sequence) else (value,)
        for stage in stages:
            if not isinstance(stage, self.base):
                raise TypeError(f"{name} must be of class {self.base.__name__}, got {brief(stage)}")
        return stages


TARGETERS = Stages("targeters", "a Targeter, or several", base=Targeter)
DECOMPOSERS = Stages("decomposers", "a Decomposer, or several", base=Decomposer)
CONSTRAINTS = Stages("constraints", "a Constraint, or several", base=Constraint)
ACTUATOR = Kind("actuator", "an Actuator such as Straight()", base=Actuator)


@dataclass(frozen=True, eq=False)
class Toward(Targeter):
    """Set the place of a target as the goal.

    Args:
        target: Where to go [m]: a point, points (n, d), a function that returns either, or another Vehicles (see Seek).
        which: The choice among a population: "nearest", "first", an id, ids (one per vehicle) or a mask.
    """

    target: Any = parameter(kind=TARGET, positional=True, unit="m")
    which: Any = parameter("nearest", kind=WHICH, of="target")

    def goals(self, scene: Scene) -> Goals:
        """The place of the target; none where there is no vehicle to look at."""
        n, d = len(scene.vehicles), scene.vehicles.dimensions
        mark, calls = scene.mark(self.target, self.which)
        for call in calls:
            call.run(n)
        pick = mark.pick[:n]
        has_target = pick >= 0
        goals = Goals.none(n, d)
        if not has_target.any():
            return goals
        points = np.stack(mark.position, axis=1)[np.maximum(pick, 0)]
        return goals.replaced(has_target, Goals.at(points))


@row_kernel
def project_rows(i: int, path: PathColumns, places: Columns, wrap: Array, s: Array) -> None:
    """Arc lengths of the nearest points of a path."""
    s[i] = project(path, load(places, i), wrap, -1)[0]


def arc_lengths(path: Path, points: Array, scene: Scene) -> Array:
    """Arc lengths [m], shape (n,), of points [m], shape (n, d), on a path, by the shortest way on a torus."""
    lengths, wrap = np.zeros(len(points)), scene.wrap.astype(np.float64)
    path_columns, places = path.columns(np.float64, wrap), columns_of(points, np.float64)
    Call(project_rows, (path_columns, places, wrap, lengths)).run(len(points))
    return lengths


@dataclass(frozen=True, eq=False)
class AlongPath(Decomposer):
    """Keep to a path on the way to a goal: go `reach` ahead along it, as long as the goal lies beyond.

    Args:
        path: The path to keep to: a Path, or points (k, d).
        reach: How far ahead on the path to go [m], > 0. Raising it cuts corners.
    """

    path: Any = parameter(kind=PATH, positional=True)
    reach: float = parameter(5.0, above=0.0, unit="m")

    def decompose(self, scene: Scene, goals: Goals) -> Goals:
        """A point of the path, for vehicles with a goal farther along it."""
        path: Path = self.path
        here = arc_lengths(path, scene.vehicles.position, scene)
        there = arc_lengths(path, goals.position, scene)
        ahead = there - here
        if path.closed and path.length > 0:
            ahead = np.mod(ahead, path.length)
            ahead = np.where(ahead > path.length / 2, ahead - path.length, ahead)
        far = goals.has_position & (np.abs(ahead) > self.reach)
        return goals.replaced(far, Goals.at(path.point_at(here + self.reach * np.sign(ahead))))


@dataclass(frozen=True, eq=False)
class KeepClear(Constraint):
    """Do not run into obstacles: lead the way around the first obstacle on it.

    The first obstacle is found exactly; the way around it goes around the sphere that encloses it.

    Args:
        obstacles: The obstacles to keep clear of: a set, or a list of sets.
        margin: Room to leave beside the vehicle's own radius [m]. Raising it leads farther around.
    """

    obstacles: Any = parameter(kind=OBSTACLES, positional=True)
    margin: float = parameter(0.5, low=0.0, unit="m")

    def violation(self, scene: Scene, path: Array) -> Array:
        """How far the first obstacle is along the path."""
        return self._first(scene, path)[0]

    def suggest(self, scene: Scene, path: Array, goals: Goals) -> Goals:
        """A point beside that obstacle, on the side where the path comes nearest to its center."""
        _, segment, which = self._first(scene, path)
        position, rows = scene.vehicles.position.astype(np.float64), np.arange(len(path))
        center, radius = self.obstacles.bounding_spheres()
        start, stop = path[rows, segment], path[rows, segment + 1]
        middle = scene.domain.difference(center[which], position)
        room = radius[which] + scene.vehicles.radius + self.margin
        way = normalize(stop - start)
        along = np.clip(np.sum((middle - start) * way, axis=1), 0, length(stop - start))
        out = direction_or(start + along[:, None] * way - middle, length(middle - start), perpendicular(way))
        # A tenth more than is needed: at the very edge, rounding would find the way blocked again.
        return Goals.at(position + middle + 1.1 * room[:, None] * out)

    def _first(self, scene: Scene, path: Array) -> tuple[Array, Array, Array]:
        """How far the first obstacle is along the path [m], on which segment, and the row of its sphere."""
        n, d = len(path), path.shape[2]
        check_dimensions(self.obstacles, d)
        numbers = np.unique(self.obstacles.groups)
        best, segment, which = np.full(n, np.inf), np.zeros(n, np.int64), np.zeros(n, np.int64)
        travelled, all_rows = np.zeros(n), np.ones(n, np.uint8)
        position = scene.vehicles.position.astype(np.float64)
        thickness, wrap = scene.vehicles.radius.astype(np.float64) + self.margin, scene.wrap.astype(np.float64)
        for k in range(path.shape[1] - 1):
            way = path[:, k + 1] - path[:, k]
            size = length(way)
            rays = Rays(
                columns_of(position + path[:, k], np.float64), columns_of(normalize(way), np.float64), size, thickness
            )
            sight = new_sight(n, d, np.float64)
            for call in self.obstacles.sweep_calls(rays, all_rows, wrap, sight):
                call.run(n)
            at = np.where((sight.which >= 0) & (size > 0), travelled + sight.touch, np.inf)
            better = at < best
            best, segment = np.where(better, at, best), np.where(better, k, segment)
            which = np.where(better, np.searchsorted(numbers, sight.which), which)
            travelled = travelled + size
        return best, segment, which


@dataclass(frozen=True, eq=False)
class Straight(Actuator):
    """Go straight to the goal: arrive there, or pass through.

    Args:
        law: How to end at the goal: "arrive" slows down to stop there, "seek" goes at full speed.
        slowing_distance: Of "arrive": where slowing begins [m]. Raising it slows down earlier and more softly. Default: the
            shortest without overshoot, max(4 * max_speed * response_time, mass * max_speed^2 / brake force).
    """

    law: str = parameter("arrive", kind=TEXT, positional=True, choices=("arrive", "seek"))
    slowing_distance: float | None = parameter(None, above=0.0, unit="m", optional=True)

    def path(self, scene: Scene, goals: Goals) -> Array:
        """From the vehicle to the goal; zero where the goal has no position."""
        position = scene.vehicles.position.astype(np.float64)
        offset = scene.domain.difference(goals.position, position)
        there = np.where(goals.has_position[:, None], offset, 0.0)
        return np.stack([np.zeros_like(there), there], axis=1)

    def steer(self, scene: Scene, path: Array, goals: Goals) -> Array:
        """The force toward the end of the path; where the goal is only a velocity, the force that reaches it."""
        vehicles = scene.vehicles
        velocity, nowhere = vehicles.velocity.astype(np.float64), path[:, 0]
        mass, top = vehicles.mass.astype(np.float64), vehicles.max_speed.astype(np.float64)
        tau = np.where(vehicles.response_time > 0, vehicles.response_time, scene.dt)
        if self.law == "seek":
            steering = seek(nowhere, velocity, path[:, -1], top)
        else:
            enough = shortest_slowing_of(top, mass, scene.stopping * vehicles.max_force, tau)
            slowing = enough if self.slowing_distance is None else np.full(len(vehicles), self.slowing_distance)
            steering = arrive(nowhere, velocity, path[:, -1], top, slowing_distance=slowing)
        steering = np.where(goals.has_position[:, None], steering, goals.velocity - velocity)
        return np.asarray(steering * (mass / tau)[:, None])
