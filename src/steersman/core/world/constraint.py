"""The interface of constraints, which correct positions after a step and cannot fail."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.open import Open
from steersman.core.kernels.call import Call
from steersman.core.kernels.thread_count import thread_count
from steersman.core.parameters.guiding import explained
from steersman.core.parameters.kinds import Several
from steersman.core.parameters.parameters import Parameters
from steersman.core.vehicles.holding import as_vehicles
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.clock import check_dt
from steersman.core.world.slowing import slow_down


@dataclass(frozen=True, eq=False)
class WorldConstraint(Parameters):
    """Base of all constraints. They hold no state. The world calls them in order, once a step, when all have moved."""

    @property
    def slows(self) -> bool:
        """Whether a vehicle that is moved against its velocity loses that part of its velocity. Default: no."""
        return False

    @explained
    def apply(self, *vehicles: Any, dt: float, domain: Domain | None = None, threads: int | None = None) -> None:
        """Correct the positions of vehicles that something else moves: call it after they have moved, once a frame.

            guards.position[:] += guards.velocity * dt
            sm.ZeroOverlap(walls).apply(guards, crowd, dt=dt)

        Args:
            *vehicles: The populations, or the Controllers that steer them.
            dt: The time in which they moved [s].
            domain: The space. Default: Open().
            threads: The number of threads. Default: STEERSMAN_THREADS, else all processors.
        """
        populations, space = [as_vehicles("vehicles", each) for each in vehicles], Open() if domain is None else domain
        check_dt(dt)
        for each in populations:
            space.check_dimensions(each.dimensions)
            if not np.isfinite(each.position).all():
                raise ValueError("position must be finite")
        calls = self.bind(populations, space)
        before = [each.position.copy() for each in populations]
        for call in calls:
            call.with_threads(thread_count(threads)).run(0)
        for each, old in zip(populations, before, strict=True):
            columns, wrap = each.columns, space.wrap(each.dimensions, each.dtype)
            if self.slows:
                time = np.full(1, dt, each.dtype)
                Call(slow_down, (columns.position, tuple(old.T.copy()), columns.velocity, wrap, time)).run(len(each))
            if (confine := space.confine_call(columns)) is not None:
                Call(*confine).run(len(each))

    @abstractmethod
    def bind(self, populations: Sequence[Vehicles], domain: Domain) -> list[Call]:
        """The calls that correct the positions of all populations, in place. They must not fail."""


WORLD_CONSTRAINTS = Several("constraints", "constraints such as ZeroOverlap()", base=WorldConstraint)
