"""Controller: steering without a world, for a game with a loop of its own."""

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from steersman.core import extensions
from steersman.core.environment.domain import Domain
from steersman.core.kernels.ahead import ahead
from steersman.core.kernels.thread_count import thread_count
from steersman.core.locomotion.point_mass import PointMass
from steersman.core.parameters.arrays import frozen
from steersman.core.parameters.brief import brief
from steersman.core.parameters.guiding import explained
from steersman.core.steering.behavior import Behavior, Steering
from steersman.core.steering.tree.tree import Node
from steersman.core.typing import Array
from steersman.core.vehicles.choosing import rows_of
from steersman.core.vehicles.turnover import turnover
from steersman.core.vehicles.turns import takes_turn
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.clock import check_dt, check_seed
from steersman.core.world.explain import Explanation, explain
from steersman.core.world.flows.flow import Flow
from steersman.core.world.frames import FRAMES, Frames
from steersman.core.world.guard import NonFiniteError
from steersman.core.world.observers import EverySteps, Observers, Trigger
from steersman.core.world.plan import SteeringPlan
from steersman.core.world.population import Population, as_domain
from steersman.core.world.sketching import Sketch, sketch
from steersman.core.world.step_plan import StepPlan
from steersman.core.world.stepping import Stepping
from steersman.core.world.world import World

DT = 1 / 60
"""The time step [s] of an explanation that comes before the first call of `steer`."""


class Controller(Stepping):
    """Steers vehicles that the caller moves: call `steer` once a frame, and apply the forces.

    It is a World of one population, in which vehicles are not moved.

    The caller writes `vehicles.position` and `vehicles.velocity`; the frames follow the velocity, as with PointMass, before
    the vehicles are steered. A frame that was written since the last call (`vehicles.heading = ...`, for all;
    `vehicles.forward[3] = ...`, for one) stays as it is, and the angular velocity follows it unless that was written, too. So
    do frames that a body of the library keeps (`PointMass().advance(vehicles, force, dt)`). See docs/own_physics.md.

    Args:
        vehicles: The population.
        steering: A behavior, or a function `vehicles -> forces (n, d)`.
        domain: The space; on a Torus every difference is the shortest way. Default: Open().
        seed: Seed of all random numbers, a whole number >= 0.
        threads: The number of threads. Default: STEERSMAN_THREADS, else all processors.
        name: The population's name, on which its random numbers depend.
        frames: "follow": as above. "own": frames and angular velocities are never changed; for orientations that are
            written only now and then.
        flows: Spawners and Sinks. They let vehicles come and go at the beginning of `steer`, for the time of the call before,
            so that the returned forces are those of the vehicles present after it.

    Raises:
        ValueError: The dimensions do not fit the domain.

    Attributes:
        time: The sum of all dt so far [s].
        steps: The number of calls of `steer`.
    """

    __slots__ = (
        "__weakref__", "_domain", "_frames", "_last_dt", "_observers", "_population", "_seed", "_threads",
    )  # fmt: skip # A misspelled `steering` is an error.

    called = "controller"
    step_method = "steer"

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
        flows: Sequence[Flow] = (),
    ) -> None:
        super().__init__()
        self._domain, self._seed = as_domain(domain), check_seed(seed)
        self._threads = thread_count(threads)
        self._population = Population(name, vehicles, steering, PointMass())
        self._domain.check_dimensions(vehicles.dimensions)
        if not isinstance(frames, str) or frames not in FRAMES:
            raise ValueError(f'frames must be "follow" or "own", got {brief(frames)}')
        self._frames = Frames(vehicles, self._threads) if frames == "follow" else None
        self._population.flows = flows
        self._last_dt = DT
        self._observers: Observers = Observers()

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
        """Seed of all random numbers."""
        return self._seed

    @property
    def steering(self) -> Behavior | None:
        """The steering tree; assigning another one keeps the memory of the nodes that it continues."""
        return self._population.steering

    @steering.setter
    def steering(self, steering: Steering) -> None:
        self._population.steering = steering

    @property
    def flows(self) -> tuple[Flow, ...]:
        """Spawners and Sinks; may be assigned (see `Population.flows`)."""
        return self._population.flows

    @flows.setter
    def flows(self, flows: Sequence[Flow]) -> None:
        self._population.flows = flows

    def passed(self, which: Any) -> int:
        """The number of vehicles that have come or gone by a flow so far (see `Population.passed`)."""
        return self._population.passed(which)

    @explained
    def node(self, which: Any = None, kind: type[Any] | None = None) -> Node:
        """A node of the steering tree (see `Population.node`)."""
        return self._population.node(which, kind)

    def memory(self, which: Any) -> dict[str, Array]:
        """The memory of a behavior for every vehicle (see `Population.memory`)."""
        return self._population.memory(which)

    def remember(self, which: Any, ids: Any = None, /, **columns: Any) -> None:
        """Change the memory of a behavior between steps (see `Population.remember`)."""
        self._population.remember(which, ids, **columns)

    def order(self, vehicles: Any, /, *, missing: str = "raise", **orders: Any) -> Array:
        """Give orders to vehicles by id between steps, as `Population.order`."""
        return self._population.order(vehicles, missing=missing, **orders)

    def steer(self, dt: float) -> Array:
        """The steering forces for this frame.

        Args:
            dt: Time since the last call [s]; memory (wander, say) advances by it, and observers are called by it.

        Returns:
            Forces [N], shape (n, d), truncated to max_force: a live view, overwritten by the next call.

        Raises:
            ValueError: A column that must not be negative is.
            NonFiniteError: A column or a force is not finite; then memory has not advanced.
            RuntimeError: The controller is in the middle of a step (a behavior, or another thread, calls `steer`); or a
                behavior has replaced the tree, or tried to spawn or remove vehicles.
        """
        self._last_dt = check_dt(dt)
        turn, flowing = self._turn, self._population.flowing
        if turn.waiting or self._stepping:
            self._make_way()
        with turn.lock:
            if not self._stepping:
                vehicles = self.vehicles
                flowing.run(self._population.name, vehicles, [vehicles], self.domain, self.seed, self.time, self.steps)
            plan = self._step(self._last_dt, *([(setattr, flowing, "owed", self._last_dt)] if flowing.tallies else ()))
            force, births = plan.steered[0].plan.force, self.vehicles.births
            plan.notify()
            self._observers.notify(self, self._last_dt)
            if plan.timed:
                plan.done()
            return (force if births is self.vehicles.births else self._of_present(force, births)).T

    def _of_present(self, force: Array, births: Array) -> Array:
        """The forces of the present vehicles, if vehicles came or went after the step; those of new vehicles are zero."""
        turn = turnover(births, self.vehicles.births)
        present = np.zeros((len(force), turn.n), force.dtype)
        present[:, : turn.stayed] = force[:, turn.from_rows(len(births))]
        return present

    @property
    def observers(self) -> tuple[tuple[Any, Trigger], ...]:
        """The functions that `on_step` added, with their triggers, in order."""
        return tuple(self._observers)

    @explained
    def on_step(self, observer: Callable[["Controller"], object], when: Trigger | None = None) -> Callable[[], None]:
        """Call a function with the controller at the end of `steer`: for thinking, zones, recording.

        It sees the vehicles where the caller has moved them since the last call.

        Args:
            observer: Called as `observer(controller)`.
            when: EverySteps(k) or EverySeconds(s). Default: in every call.

        Returns:
            A function that removes the observer again.
        """
        return self._observers.add(observer, when or EverySteps(1))

    @explained
    @takes_turn
    def explain(self, id: Any = None) -> Explanation:
        """Why vehicles are steered as they are: the force that every part of the tree asks for in the next call of `steer`.

        Args:
            id: A vehicle's id, ids, or a mask of shape (n,). Default: all of them.

        Returns:
            The tree, which prints itself (see `World.explain`). Nothing advances.

        Raises:
            RuntimeError: The controller is in the middle of a step.
        """
        plan = self._plan_for("explain")
        names = {self._population.name: self.vehicles}
        rows = None if id is None else rows_of(self.vehicles.id, id)
        return self._trial(lambda: explain(plan, names, rows))

    @explained
    @takes_turn
    def sketch(self, id: Any = None) -> tuple[Sketch, ...]:
        """The inputs of behaviors in the next call of `steer`, as plain shapes: fields of view, targets, steering.

        Args:
            id: A vehicle's id, ids, or a mask of shape (n,). Default: all of them.

        Returns:
            A Sketch for every node of the tree that is asked (see `World.sketch`). Nothing advances.

        Raises:
            RuntimeError: The controller is in the middle of a step.
            ValueError: There is no steering.
        """
        plan = self._plan_for("sketch")
        rows = np.arange(len(self.vehicles)) if id is None else rows_of(self.vehicles.id, id)
        return self._trial(lambda: sketch(plan, rows))

    def _plan_for(self, query: str) -> SteeringPlan:
        """The plan that a query between steps is about."""
        self._check_between(f"{query} is for between steps")
        plan = self._ready().plan_of(self._population, self._last_dt, self.steps, self.time)
        self._prepare(0.0)
        return plan

    @explained
    @takes_turn
    def save(self, path: "str | PathLike[str]", *, functions: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Write the vehicles, their memory and the clock into one file (see docs/snapshots.md).

        Call it right after `steer`. What the caller's physics keeps for itself is not in the file; neither are other vehicles
        that behaviors watch.

        Args:
            path: The file. An existing one is replaced.
            functions: Names for the Python objects of this controller. Default: their Python names.

        Returns:
            Name -> Python object of this controller.

        Raises:
            SnapshotError: An object can neither be written nor named.
            OSError: The file cannot be written. An existing file stays unchanged.
            RuntimeError: The controller is in the middle of a step.
        """
        self._check_between("save is for between steps")
        vehicles = self.vehicles
        self._population.flowing.run(
            self._population.name, vehicles, [vehicles], self.domain, self.seed, self.time, self.steps
        )
        turned = None if self._frames is None else self._frames.turned
        taken: dict[str, Any] = extensions.SAVE.function(self._as_world(), Path(path), functions, turned)
        return taken

    @explained
    @takes_turn
    def restore(self, path: "str | PathLike[str]", *, functions: Mapping[str, Any] | None = None) -> None:
        """Restore the state of a controller that the same program made and saved. The vehicles stay the same object.

        Args:
            path: The file that `save` has written.
            functions: Names for the Python objects of this controller, where `save` was given some.

        Raises:
            SnapshotError: The file is no snapshot, is damaged, or of another controller. This one stays unchanged.
            RuntimeError: The controller is in the middle of a step.
        """
        self._check_between("restore is for between steps")
        world = self._as_world()
        turned = extensions.RESTORE.function(world, Path(path), functions)
        self.steps, self.time, self._last_dt, self._plan = world.steps, world.time, world.dt, None
        if self._frames is not None:
            self._frames = Frames(self.vehicles, self._threads)
            self._frames.take_as_they_are(turned)

    def _as_world(self) -> World:
        """A world of the same population, clock and observers."""
        world = World(domain=self.domain, seed=self.seed, dt=self._last_dt, threads=self._threads)
        world._populations, world._observers = {self._population.name: self._population}, self._observers
        world.steps, world.time = self.steps, self.time
        return world

    @property
    def turning(self) -> Array:
        """The angular accelerations of the last call of `steer` [rad/s^2], shape (n,) in 2D and (n, 3) in 3D.

        Truncated to max_angular_acceleration; zero where no behavior turns. A live, read-only view, overwritten by the next
        call.
        """
        angular = self._ready().steered[0].plan.angular
        return frozen((angular.T if len(angular) == 3 else angular[0]).view())

    def _hearing(self) -> tuple[Population, ...]:
        return (self._population,)

    def _prepare(self, dt: float) -> None:
        """Let frames follow the velocities."""
        if self._frames is not None:
            self._frames.follow(dt)

    def _ready(self) -> StepPlan:
        """The plan, adapted to vehicles that have come and gone, or made anew where this is not possible or a tree is new."""
        plan = self._plan
        if plan is None or plan.stale:
            known, self._plan = plan, None  # If this is interrupted, the next call makes a new plan.
            if plan is None or not plan.fit():
                plan = ahead(
                    lambda: self._made(
                        [self._population], self._domain, self._seed, self._threads, older=known, moves=False
                    )
                )
            if self._frames is not None:
                self._frames.make_ready()
            self._plan = plan
        return plan


__all__ = ["Controller", "NonFiniteError"]
