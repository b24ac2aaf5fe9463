"""The plan of a step: the sections that all populations go through together, in a World as under a Controller.

They are, in order: *check* that every column is finite, *look* for neighbors, *steer* (compute forces and propose
velocities), *move* vehicles, and *constrain* them (let constraints correct positions).
"""

from collections.abc import Iterator, Sequence, Sized
from itertools import starmap
from operator import call
from typing import Any, NamedTuple, Self

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.kernels.call import Call, run_all
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.kernels.signals import Action
from steersman.core.locomotion.chassis import Chassis, Motion
from steersman.core.maths.vectors import load, store, truncate
from steersman.core.neighborhood.company import Company
from steersman.core.steering.scene.scene import Clock
from steersman.core.typing import Array, Columns
from steersman.core.vehicles.columns import turning_components
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.pinned import pinned_zeros
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.constraint import WorldConstraint
from steersman.core.world.diagnosis import force_error, position_error
from steersman.core.world.guard import LONG, bad_rows, guard_call, state_error
from steersman.core.world.plan import SteeringPlan, inspections_of, look_at, notify, serves
from steersman.core.world.population import LOCOMOTION_KEY, Population
from steersman.core.world.response import warn_of_response
from steersman.core.world.section import ALONE, RowSection, Section, keep, look_section
from steersman.core.world.slowing import note_positions, slow_down

Rows = tuple[Vehicles, list[Call]]
"""Vehicles, and calls for their rows."""


@row_kernel
def keep_within(i: int, sums: Columns, limit: Array) -> None:
    """Shorten forces, or angular accelerations, to their limits."""
    store(sums, i, truncate(load(sums, i), limit[i]))


class StepValues(NamedTuple):
    """The steered and proposed values of a population, in one block, so that one guard checks all of them.

    Attributes:
        all: The block, shape (values, capacity).
        straight: The first part of it: forces and proposed velocities.
        force: Forces [N], shape (d, capacity).
        proposed: Proposed velocities [m/s], shape (d, capacity); none (0, capacity) where no body moves the vehicles.
        angular: Angular accelerations [rad/s^2], shape (1 or 3, capacity).
        spin: Proposed angular velocities [rad/s], shape (1 or 3, capacity); none where no body moves the vehicles.
    """

    all: Array
    straight: Array
    force: Array
    proposed: Array
    angular: Array
    spin: Array

    @classmethod
    def of(cls, vehicles: Vehicles, moves: bool) -> Self:
        """The values of vehicles, all zero; `moves` says whether a body moves them."""
        d, turning = vehicles.dimensions, turning_components(vehicles.dimensions)
        sizes = [d, d, turning, turning] if moves else [d, 0, turning, 0]
        block = pinned_zeros((sum(sizes), vehicles.capacity), vehicles.dtype)
        return cls(block, block[: sizes[0] + sizes[1]], *np.split(block, np.cumsum(sizes)[:-1]))


class PopulationPlan:
    """How one population is steered, and how its body moves it.

    Args:
        population: The population.
        domain: The space.
        seed: Seed of all random numbers.
        moves: Whether its body moves it. Otherwise the caller moves it, by forces that are shortened to the limits.
        older: The plan before, in the same space; its searches are reused where they are still valid.
        company: All populations that are stepped together. Default: this one.

    Attributes:
        flags: The findings of the guards in steered and proposed values (see `guard.find_bad`).
        column_flags: The findings of the guard in the columns.
        warned: The time step [s] that was last checked for being too long.
        steer: The calls that compute forces and propose velocities.
        move: The calls that move vehicles.
    """

    def __init__(
        self, population: Population, domain: Domain, seed: int, moves: bool, older: SteeringPlan | None = None,
        company: Company | None = None,
    ) -> None:  # fmt: skip
        population.keep_up()
        self.population, self.moves = population, moves
        vehicles, body = population.vehicles, population.locomotion
        self.clock = Clock.new(vehicles.dtype)
        self._flags = np.zeros(2, np.int64)
        self.flags = self._flags.data  # A memoryview is read in a third of the time of an array.
        self.warned = 0.0
        values = StepValues.of(vehicles, moves)
        self.plan = SteeringPlan(population, domain, self.clock, seed, values.force, values.angular, older, company)
        self._proposed = values.proposed
        self.column_flags = np.zeros(2, np.int64).data  # `StepPlan` replaces it by those of its inspection.
        self._block = values.all if self.plan.turns or (moves and body.turns) else values.straight
        memory = population.memories.get(LOCOMOTION_KEY, Memory({}))
        chassis = Chassis(
            vehicles, tuple(values.force), tuple(values.angular), tuple(values.proposed), tuple(values.spin),
            self.clock.dt, memory, free_way=self.plan.free_way,
        )  # fmt: skip
        motion = body.motion(chassis) if moves else within_limits(self.plan)
        confine = domain.confine_call(vehicles.columns) if moves else None
        self._straight, self._reached = moves and motion.reached is None, motion.reached
        guards = [guard_call(each, self._flags) for each in (self._block, motion.reached) if each is not None]
        self._propose = [*motion.propose, *guards]
        self.steer = [*self.plan.calls, *self._propose]
        self.move = [*motion.move, *([Call(*confine)] if confine is not None else [])]
        limits = [each for limit in body.limits for each in (limit.on_force, limit.on_velocity, limit.on_facing)]
        self._roomy = serves([*motion.propose, *motion.move], [body.bind, body.before_limits, *limits])

    @property
    def block(self) -> Array:
        """All steered and proposed values, shape (k, n)."""
        return self._block[:, : len(self.plan.vehicles)]

    @property
    def reached(self) -> Array | None:
        """The proposed positions [m], shape (k, n), where vehicles do not move straight on."""
        return None if self._reached is None else self._reached[:, : len(self.plan.vehicles)]

    def shorten(self) -> bool:
        """Shorten forces that are finite, but too large to compute with, to their limits; propose velocities once more.

        Returns:
            Whether all values are valid after that.
        """
        plan, vehicles = self.plan, self.plan.vehicles
        sums = ((plan.force, vehicles.max_force), (plan.angular, vehicles.max_angular_acceleration))
        if not all(np.isfinite(each).all() for each, _ in sums) or not any(bad_rows(each).any() for each, _ in sums):
            return False
        for each, limit in sums:
            bad = bad_rows(each)
            each[:, bad] = shortened(each[:, bad], limit[bad])
        population = plan.population
        if LOCOMOTION_KEY in population.memories:
            population.memories[LOCOMOTION_KEY].refuse()
        self.flags[0] = 0
        look_at(plan.watched, lambda: run_all(self._propose, len(vehicles)))
        return not self.flags[0]

    def check_reached(self) -> None:
        """Raise NonFiniteError if the step would move a vehicle too far away (see `guard.LARGEST`) to compute with."""
        if self._straight:
            vehicles = self.plan.vehicles
            position = vehicles.position.T
            there = position + self._proposed[:, : len(vehicles)] * self.clock.dt[0]
            if (bad := bad_rows(there)).any():
                raise position_error(self.plan, bad, there)

    def fit(self) -> bool:
        """Adapt to vehicles that have come or gone; return False if the plan must be bound anew instead."""
        self.warned = 0.0
        return self._roomy and self.plan.fit()


def shortened(vectors: Array, limit: Array) -> Array:
    """Vectors, shape (d, k), shortened to their limits. Their squares may overflow."""
    largest = np.abs(vectors).max(axis=0)
    unit = (vectors / largest).astype(np.float64)
    return np.asarray(unit * np.minimum(largest, limit / np.sqrt(np.sum(unit * unit, axis=0))))


def within_limits(plan: SteeringPlan) -> Motion:
    """The motion without a body: steered values are shortened to their limits, and vehicles do not move."""
    calls = [Call(keep_within, (plan.out.linear, plan.vehicles.columns.max_force))]
    if plan.turns:
        calls.append(Call(keep_within, (plan.out.angular, plan.vehicles.spin.max_acceleration)))
    return Motion([], calls)


def _steered(
    population: Population, domain: Domain, seed: int, moves: bool, older: PopulationPlan | None, company: Company
) -> PopulationPlan:
    """The plan of a population: the older one if nothing has changed, else a new one."""
    if older is not None and older.plan.lasting and not older.plan.stale:
        return older
    return PopulationPlan(population, domain, seed, moves, None if older is None else older.plan, company)


class StepPlan:
    """All calls of a step, bound to rows and threads.

    Args:
        populations: The populations.
        domain: The space.
        seed: Seed of all random numbers.
        threads: The number of threads.
        constraints: Constraints that correct positions after all vehicles have moved.
        older: The plan before, of the same space and seed; its parts are reused where they are still valid.
        moves: Whether bodies move the vehicles. Otherwise the caller moves them, by forces that are shortened to the limits.

    Attributes:
        company: All populations.
        steered: The plan of each population.
        plans: The steering plan of each population.
    """

    timed = False
    """Whether the plan times its phases (see `TimedStepPlan`)."""

    def __init__(
        self,
        populations: Sequence[Population],
        domain: Domain,
        seed: int,
        threads: int,
        constraints: Sequence[WorldConstraint] = (),
        older: "StepPlan | None" = None,
        moves: bool = True,
    ) -> None:
        for place, population in enumerate(populations):
            population.vehicles.rank = place
        if older is not None and older.company.members != tuple(populations):
            older = None
        self.company: Company = Company(populations) if older is None else older.company
        known = {} if older is None else {id(each.population): each for each in older.steered}
        self.steered: list[PopulationPlan] = [
            _steered(each, domain, seed, moves, known.get(id(each)), self.company) for each in populations
        ]
        self._threads, self._constrained = threads, bool(constraints)
        self.plans = [each.plan for each in self.steered]
        self._inspections = inspections_of(self.plans)
        by_vehicles = {id(each.vehicles): each for each in self._inspections}
        for each in self.steered:
            each.column_flags = by_vehicles[id(each.plan.vehicles)].flags
        self._check = RowSection([(each.vehicles, [each.call]) for each in self._inspections], threads)
        self._look_sections: dict[tuple[tuple[int, ...], ...], Section] = {}
        self._look = self._look_section()
        self._steer = RowSection([(each.plan.vehicles, each.steer) for each in self.steered], threads)
        self._move = RowSection([(each.plan.vehicles, each.move) for each in self.steered], threads)
        self._constrain = RowSection(self._constraint_calls(constraints, domain), threads)
        self._long = False
        self._moved = [each.plan.vehicles for each in self.steered if each.moves]
        self._watched = [vehicles for plan in self.plans for vehicles in plan.watched]
        self._motion: tuple[Action, ...] | None = None
        self._prepare_motion()
        self._asks_python = any(call.asks_all for each in self.steered for call in each.steer)

    @property
    def stale(self) -> bool:
        """Whether a tree or a population has changed since the plan was made."""
        for plan in self.plans:  # noqa: SIM110 # Every step asks this, so it is a loop and not a generator.
            if plan.stale:
                return True
        return False

    def fit(self) -> bool:
        """Adapt to vehicles that have come or gone; return False if any part must be bound anew.

        In that case, a new plan reuses all other parts (see `older`).
        """
        fitting = [each.fit() for each in self.steered if each.plan.stale or not each.plan.lasting]
        if self._constrained or not all(fitting):
            return False
        self._look = self._look_section()
        for section in (self._check, self._steer, self._move):
            section.fit()
        self._prepare_motion()
        return True

    def device_column(self, vehicles: Vehicles, column: str) -> Any:
        """A column of vehicles in the memory of a graphics processor (see `World.device_column`).

        Raises:
            RuntimeError: Steps are made by the processor.
        """
        raise RuntimeError('columns are on a device in a World with device="cuda" alone; here device is "cpu"')

    def _constraint_calls(
        self, constraints: Sequence[WorldConstraint], domain: Domain
    ) -> list[tuple[Sized, list[Call]]]:
        """The calls of constraints, of slowing vehicles that these have moved, and of bringing all back into the domain."""
        moved = [plan.vehicles for plan in self.plans]
        calls = [call for constraint in constraints for call in constraint.bind(moved, domain)]
        first, last = self._slow_down(domain) if any(each.slows for each in constraints) else ([], [])
        confine = [domain.confine_call(vehicles.columns) for vehicles in moved] if calls else []
        stay = [(vehicles, [Call(*each)]) for vehicles, each in zip(moved, confine, strict=False) if each]
        return [*first, ((), calls), *last, *stay]

    def _slow_down(self, domain: Domain) -> tuple[list[Rows], list[Rows]]:
        """The calls before constraints, which store positions, and those after them, which correct velocities."""
        first: list[Rows] = []
        last: list[Rows] = []
        for each in self.steered:
            vehicles, own = each.plan.vehicles, each.plan.vehicles.columns
            before = tuple(np.zeros((vehicles.dimensions, vehicles.capacity), vehicles.dtype))
            wrap = domain.wrap(vehicles.dimensions, vehicles.dtype)
            arguments = (own.position, before, own.velocity, wrap, each.clock.dt)
            first.append((vehicles, [Call(note_positions, arguments[:2])]))
            last.append((vehicles, [Call(slow_down, arguments)]))
        return first, last

    def _look_section(self) -> Section:
        """The section that searches for neighbors, for the present numbers of watchers and candidates."""
        counts = tuple(look.counts for plan in self.plans for look in plan.around.passes)
        if counts not in self._look_sections:
            about = [(plan.vehicles, plan.around.passes) for plan in self.plans]
            keep(self._look_sections, counts, look_section(about, self._threads))
        return self._look_sections[counts]

    @property
    def sections(self) -> tuple[Section, ...]:
        """The sections of a step, in order: check, look, steer, move, constrain."""
        return self._check, self._look, self._steer, self._move, self._constrain

    def guards(self) -> list[Array]:
        """The findings of all guards, each of shape (2,), int64 (see `guard.find_bad`)."""
        return [
            np.asarray(each)
            for each in (*(one.flags for one in self.steered), *(one.flags for one in self._inspections))
        ]

    def plan_of(self, population: Population, dt: float, step: int, time: float) -> SteeringPlan:
        """The plan of one population, with its clock set to a step that has not begun."""
        steered = next(each for each in self.steered if each.population is population)
        steered.clock.set(dt, step, time)
        self.company.update()
        return steered.plan

    def begin(self, dt: float, step: int, time: float) -> None:
        """Set the clocks, and check that all columns are finite.

        Raises:
            NonFiniteError: A column is not finite.
            ValueError: A column is negative that must not be.
        """
        self._long = dt > LONG
        self.company.update()
        for each in self.steered:
            each.clock.set(dt, step, time)
            if dt != each.warned:
                warn_of_response(each.plan, dt)
                each.warned = dt
        self._check.run()
        for inspection in self._inspections:
            if inspection.flags[0]:
                raise state_error(inspection.name_in_messages, inspection.vehicles)

    def look(self) -> None:
        """Find the neighbors, and sum over them."""
        self._look.run()

    def steer(self) -> None:
        """Compute the forces and propose velocities; nothing moves yet.

        Raises:
            NonFiniteError: A force or a proposed velocity is not finite.
            RuntimeError: A behavior has replaced a tree, or tried to spawn or remove vehicles.
            ValueError: A function has written to the columns.
        """
        if self._asks_python:
            look_at(self._watched, self._steer.run)
            if self.stale:
                raise RuntimeError(
                    "a behavior replaced a steering tree in the middle of a step; do that between steps: in a loop of your "
                    "own, in a function given to on_step, or in on_enter of Modes"
                )
        else:
            self._steer.run()
        far = self._long
        for each in self.steered:
            if each.flags[0] and not each.shorten():
                raise force_error(each.plan, each.block, each.reached)
            if each.flags[1] or each.column_flags[1]:
                far = True
        if far:
            for each in self.steered:
                each.check_reached()
            self._clear_flags()

    def refuse(self) -> None:
        """Discard the step."""
        for plan in self.plans:
            plan.refuse()
        self._clear_flags()

    def _clear_flags(self) -> None:
        """Clear the findings of guards. Findings are rare, so only steps with findings clear them."""
        for flags in (*(each.flags for each in self.steered), *(each.flags for each in self._inspections)):
            flags[0] = flags[1] = 0

    def motion(self, *counted: Action) -> "Iterator[None] | None":
        """The iterator that commits the step when it is exhausted; None if `move` must commit it, as not all is machine code.

        Memory advances, vehicles move and stay in the domain, or forces are shortened to limits. Python handles signals only
        between its instructions, and `signals.run` exhausts this iterator in a single one.

        Args:
            *counted: The actions that count the step, besides the clock.
        """
        if self._motion is None:
            return None
        if self._runs_before_program:
            self._runs_before_program -= 1
            if not self._runs_before_program:
                self._motion = self._machine_code(program=True) or self._motion
        for vehicles in self._moved:
            counted = (*counted, (setattr, vehicles, "moved", vehicles.moved + 1))
        return starmap(call, self._motion + counted)

    def move(self, *counted: Action) -> None:
        """Commit the step, if not all of it is machine code.

        Args:
            *counted: The actions that count the step.
        """
        for plan in self.plans:
            plan.accept()
        self._move.run()
        self._constrain.run()
        for vehicles in self._moved:
            vehicles.moved += 1
        for function, *arguments in counted:
            function(*arguments)

    def _prepare_motion(self) -> None:
        """Make the actions that commit a step, for the present number of vehicles."""
        self._runs_before_program, self._motion = ALONE, self._machine_code(program=False)

    def _machine_code(self, program: bool) -> tuple[Action, ...] | None:
        """The actions that commit a step, if all are machine code; as programs, or call by call."""
        move, constrain = self._move.actions(program), self._constrain.actions(program)
        if move is None or constrain is None:
            return None
        return (*(change for each in self.steered for change in each.plan.changes()), *move, *constrain)

    def notify(self) -> None:
        """Call the functions that behaviors request after the step."""
        notify(self.plans)

    def done(self) -> None:
        """A hook of timed plans, called after all observers have been notified of the step."""
