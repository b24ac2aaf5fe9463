"""Controller: steering without a world, for a game with a loop of its own."""

from typing import Any

import numpy as np

from steersman.environment.domains.domain import Domain
from steersman.geometry.call import Call
from steersman.geometry.guiding import Explained, explained
from steersman.geometry.kernel import kernel
from steersman.geometry.vectors import Array, Columns, load, store, truncate
from steersman.locomotion.point_mass import PointMass
from steersman.steering.behavior import Behavior, Steering
from steersman.steering.scene import Clock
from steersman.steering.tree import Node
from steersman.vehicles.vehicles import Vehicles
from steersman.world.clock import check_dt, check_seed
from steersman.world.diagnosis import force_error
from steersman.world.explain import Explanation, explain
from steersman.world.frames import FRAMES, Frames
from steersman.world.guard import NonFiniteError, guard_call
from steersman.world.plan import SteeringPlan, inspections_of, tell
from steersman.world.population import Population, as_domain
from steersman.world.response import warn_of_response
from steersman.world.section import LIGHT, Section, look_section, plan_section
from steersman.world.workers import thread_count

DT = 1 / 60
"""The time step [s] of an explanation that comes before the first call of `steer`."""


@kernel
def truncate_force(start: int, stop: int, force: Columns, max_force: Array) -> None:
    """Shorten forces to max_force (or angular accelerations to their limit)."""
    for i in range(start, stop):
        store(force, i, truncate(load(force, i), max_force[i]))


class Controller(metaclass=Explained):
    """Steers vehicles that something else moves: call `steer` once a frame, and apply the forces.

    Whoever moves them writes `vehicles.position` and `vehicles.velocity`; where they face follows the velocity, as with
    PointMass, before they are steered. A frame that was written since the last call (`vehicles.heading = ...`, for all;
    `vehicles.forward[3] = ...`, for one) stays as it is, and the angular velocity follows it as long as nobody writes that;
    so do frames that a body of the library keeps (`PointMass().advance(vehicles, force, dt)`). See docs/own_physics.md.

    Args:
        vehicles: The population.
        steering: A behavior, or a function `vehicles -> forces (n, d)`.
        domain: The space; on a Torus every difference is the shortest way. Default: Open().
        seed: Seed of everything random, a whole number >= 0.
        threads: How many threads to use. Default: STEERSMAN_THREADS, else all processors.
        name: The population's name, which takes part in its random numbers.
        frames: "follow": as above. "own": neither frames nor angular velocities are ever touched; for orientations that
            are written now and then only.

    Raises:
        TypeError: An argument is of another kind.
        ValueError: A number is out of range, or the dimensions do not fit the domain.
    """

    __slots__ = (
        "__weakref__", "_block", "_check", "_clock", "_domain", "_finish", "_found", "_frames", "_inspections", "_look",
        "_plan", "_population", "_seed", "_think", "_threads", "_warned", "steps", "time",
    )  # fmt: skip # A misspelled `steering` is an error.

    def __init__(
        self,
        vehicles: Vehicles,
        steering: Steering,
        *,
        domain: Domain | None = None,
        seed: int = 0,
        threads: int | None = None,
        name: str = "vehicles",
        frames: str = "follow",
    ) -> None:
        self._domain, self._seed = as_domain(domain), check_seed(seed)
        self.time, self.steps = 0.0, 0
        self._threads = thread_count(threads)
        self._population = Population(name, vehicles, steering, PointMass())
        self._domain.check_dimensions(vehicles.dimensions)
        self._clock = Clock.new(vehicles.dtype)
        self._found = np.zeros(1, np.int64)
        if frames not in FRAMES:
            raise ValueError(f'frames must be "follow" or "own", got {frames!r}')
        self._frames = Frames(vehicles, self._threads) if frames == "follow" else None
        self._plan: SteeringPlan | None = None
        self._warned = 0.0

    @property
    def vehicles(self) -> Vehicles:
        """The vehicles."""
        return self._population.vehicles

    @property
    def domain(self) -> Domain:
        """The space."""
        return self._domain

    @property
    def seed(self) -> int:
        """Seed of everything random."""
        return self._seed

    @property
    def steering(self) -> Behavior | None:
        """The steering tree; assigning another one keeps the memory of the nodes that it continues."""
        return self._population.steering

    @steering.setter
    def steering(self, steering: Steering) -> None:
        self._population.steering = steering

    @explained
    def node(self, which: Any = None, kind: type[Any] | None = None) -> Node:
        """A node of the steering tree (see `Population.node`)."""
        return self._population.node(which, kind)

    def memory(self, which: Any) -> dict[str, Array]:
        """What a behavior remembers of every vehicle (see `Population.memory`)."""
        return self._population.memory(which)

    def remember(self, which: Any, whom: Any = None, /, **columns: Any) -> None:
        """Change what a behavior remembers, between steps (see `Population.remember`)."""
        self._population.remember(which, whom, **columns)

    def steer(self, dt: float) -> Array:
        """The steering forces for this frame.

        Args:
            dt: Time since the last call [s]; memory (wander, say) advances by it.

        Returns:
            Forces [N], shape (n, d), truncated to max_force: a live view, overwritten by the next call.

        Raises:
            ValueError: dt is not > 0, or a column is negative that must not be.
            NonFiniteError: A column or a force is not finite; then memory has not advanced.
        """
        check_dt(dt)
        plan = self._ready()
        if dt != self._warned:
            warn_of_response(plan, dt, stacklevel=2)
            self._warned = dt
        self._clock.set(dt, self.steps, self.time)
        self._found[0] = 0
        for inspection in self._inspections:
            inspection.begin()
        self._check.run()
        for inspection in self._inspections:
            inspection.report()
        if self._frames is not None:
            self._frames.follow(dt)
        try:
            self._look.run()
            self._think.run()
            if self._found[0]:
                raise force_error(plan, self._block)
        except BaseException:
            plan.refuse()
            raise
        plan.accept()
        self._finish.run()
        self.steps += 1
        self.time += dt
        tell([plan])
        return plan.force.T

    @explained
    def explain(self, id: Any = None) -> Explanation:
        """Why vehicles are steered as they are: what every part of the tree wants now, for the next call of `steer`.

        Args:
            id: A vehicle's id, ids, or a mask of shape (n,). Default: all of them.

        Returns:
            The tree, which prints itself (see `World.explain`). Nothing advances.

        Raises:
            KeyError: There is no vehicle of that id.
        """
        plan = self._ready()
        if self._frames is not None:
            self._frames.follow(0.0)
        self._clock.set(float(self._clock.dt[0]) or DT, self.steps, self.time)
        return explain(plan) if id is None else explain(plan).of(id)

    @property
    def turning(self) -> Array:
        """The angular accelerations of the last call of `steer` [rad/s^2], shape (n,) in 2D and (n, 3) in 3D.

        Truncated to max_angular_acceleration; zero where no behavior turns. A live view, overwritten by the next call.
        """
        angular = self._ready().angular
        return angular.T if len(angular) == 3 else angular[0]

    def _ready(self) -> SteeringPlan:
        if self._plan is not None and not self._plan.stale:
            return self._plan
        population = self._population
        population.keep_up()
        vehicles = population.vehicles
        n = len(vehicles)
        d, rows = vehicles.dimensions, 1 if vehicles.dimensions == 2 else 3
        everything = np.zeros((d + rows, n), vehicles.dtype)
        force, angular = np.split(everything, [d])
        plan = SteeringPlan(population, self._domain, self._clock, self._seed, force, angular)
        self._block = block = everything if plan.turns else force
        self._inspections = inspections_of([plan])
        checks = [(len(each.vehicles), [each.call]) for each in self._inspections]
        self._check = plan_section(checks, self._threads, LIGHT)
        self._look = look_section([(n, plan.passes)], self._threads)
        self._think = plan_section([(n, [*plan.calls, guard_call(block, self._found)])], self._threads)
        finish = [Call(truncate_force, (tuple(force), vehicles.body.max_force))]
        if plan.turns:
            finish.append(Call(truncate_force, (tuple(angular), vehicles.spin.max_acceleration)))
        self._finish: Section = plan_section([(n, finish)], self._threads, LIGHT)
        self._plan, self._warned = plan, 0.0
        return plan


__all__ = ["Controller", "NonFiniteError"]
