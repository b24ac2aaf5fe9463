"""The plan of a step of a whole world: four sections that all populations go through together."""

from collections.abc import Sequence

import numpy as np

from steersman.environment.domains.domain import Domain
from steersman.geometry.call import Call
from steersman.locomotion.chassis import Chassis
from steersman.steering.scene import Clock
from steersman.vehicles.columns import turning_components
from steersman.vehicles.memory import Memory
from steersman.world.constraints.constraint import WorldConstraint
from steersman.world.diagnosis import force_error
from steersman.world.guard import guard_call
from steersman.world.plan import SteeringPlan, inspections_of, tell
from steersman.world.population import BODY, Population
from steersman.world.response import warn_of_response
from steersman.world.section import LIGHT, Section, look_section, plan_section


class _Mover:
    """How one population is steered and moved."""

    def __init__(self, population: Population, domain: Domain, seed: int) -> None:
        population.keep_up()
        self.population = population
        vehicles = population.vehicles
        self.clock = Clock.new(vehicles.dtype)
        self.found = np.zeros(1, np.int64)
        body, n, d = population.locomotion, len(vehicles), vehicles.dimensions
        rows = turning_components(d)
        # What is steered and proposed lies in one block, which is checked as a whole, or without turning.
        everything = np.zeros((2 * d + 2 * rows, n), vehicles.dtype)
        force, proposed, angular, spin = np.split(everything, [d, 2 * d, 2 * d + rows])
        self.plan = SteeringPlan(population, domain, self.clock, seed, force, angular)
        self.block = everything if self.plan.turns or body.turns else everything[: 2 * d]
        memory = population.memories.get(BODY, Memory({}))
        motion = body.motion(
            Chassis(vehicles, tuple(force), tuple(angular), tuple(proposed), tuple(spin), self.clock.dt, memory)
        )
        confine = domain.confine_call(vehicles.body)
        self.steer = [*self.plan.calls, *motion.propose, guard_call(self.block, self.found)]
        self.move = [*motion.move, *([Call(*confine)] if confine is not None else [])]


class StepPlan:
    """Everything that a step calls, bound to rows and threads.

    Args:
        populations: The populations.
        domain: The space.
        seed: Seed of everything random.
        threads: How many threads to use.
        constraints: What is put in order after everybody has moved.
        older: A plan of the same space and seed, now stale: how populations are moved that have not changed is kept.
    """

    def __init__(
        self,
        populations: Sequence[Population],
        domain: Domain,
        seed: int,
        threads: int,
        constraints: Sequence[WorldConstraint] = (),
        older: "StepPlan | None" = None,
    ) -> None:
        lasting = (
            [] if older is None else [mover for mover in older.movers if mover.plan.lasting and not mover.plan.stale]
        )
        known = {id(mover.population): mover for mover in lasting}
        self.movers: list[_Mover] = [known.get(id(each)) or _Mover(each, domain, seed) for each in populations]
        rows = [(len(mover.plan.vehicles), mover) for mover in self.movers]
        self._inspections = inspections_of([mover.plan for mover in self.movers])
        self._check: Section = plan_section(
            [(len(each.vehicles), [each.call]) for each in self._inspections], threads, LIGHT
        )
        self._look: Section = look_section([(n, mover.plan.passes) for n, mover in rows], threads)
        self._steer: Section = plan_section([(n, mover.steer) for n, mover in rows], threads)
        self._move: Section = plan_section([(n, mover.move) for n, mover in rows], threads, LIGHT)
        herds = [mover.plan.vehicles for mover in self.movers]
        order = [call for constraint in constraints for call in constraint.bind(herds, domain)]
        confine = [domain.confine_call(vehicles.body) for vehicles in herds] if order else []
        stay = [(len(vehicles), [Call(*each)]) for vehicles, each in zip(herds, confine, strict=False) if each]
        self._order: Section = plan_section([(0, order), *stay], threads)
        self._asks = any(call.whole for mover in self.movers for call in mover.steer)
        self._dt = 0.0

    @property
    def stale(self) -> bool:
        """Whether a tree or a population has changed since."""
        return any(mover.plan.stale for mover in self.movers)

    def plan_of(self, population: Population, dt: float, step: int, time: float) -> SteeringPlan:
        """How one population will be steered in a step that is not begun."""
        mover = next(mover for mover in self.movers if mover.plan.population is population)
        mover.clock.set(dt, step, time)
        return mover.plan

    def begin(self, dt: float, step: int, time: float) -> None:
        """Set the clocks, and look for columns that are not finite.

        Raises:
            NonFiniteError: There is one.
            ValueError: A column is negative that must not be.
        """
        for mover in self.movers:
            mover.clock.set(dt, step, time)
            mover.found[0] = 0
        if dt != self._dt:
            for mover in self.movers:
                warn_of_response(mover.plan, dt, stacklevel=4)
            self._dt = dt
        for inspection in self._inspections:
            inspection.begin()
        self._check.run()
        for inspection in self._inspections:
            inspection.report()

    def look(self) -> None:
        """Find the neighbors, and sum over them."""
        self._look.run()

    def steer(self) -> None:
        """Put the forces together and propose velocities; nothing moves yet.

        Raises:
            NonFiniteError: A force or a proposed velocity is not finite.
            RuntimeError: A behavior has spawned or removed vehicles, or replaced a tree.
        """
        self._steer.run()
        if self._asks and self.stale:
            raise RuntimeError(
                "a behavior spawned or removed vehicles, or replaced a tree, while the world was steering; "
                "do that between steps, or in a function given to on_step"
            )
        for mover in self.movers:
            if mover.found[0]:
                raise force_error(mover.plan, mover.block)

    def refuse(self) -> None:
        """Forget the step."""
        for mover in self.movers:
            mover.plan.refuse()

    def move(self) -> None:
        """Commit the step: memory advances, vehicles move and stay in the domain."""
        for mover in self.movers:
            mover.plan.accept()
            mover.plan.vehicles.moved += 1
        self._move.run()
        self._order.run()

    def tell(self) -> None:
        """Call what behaviors want to be called after the step."""
        tell(mover.plan for mover in self.movers)
