"""The contract of a locomotion model: first propose a velocity, then, if all is well, move."""

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from steersman.geometry.arrays import as_floats
from steersman.geometry.call import Call
from steersman.geometry.parameters import Parameters
from steersman.geometry.vectors import Array, Columns
from steersman.vehicles.vehicles import Vehicles


@dataclass(frozen=True)
class Motion:
    """The calls of one population's motion.

    Attributes:
        propose: Write the proposed velocity, and nothing else.
        move: Take the proposed velocity and move the vehicles, in place. These cannot fail.
    """

    propose: list[Call]
    move: list[Call]


@dataclass(frozen=True, eq=False)
class Locomotion(Parameters):
    """Base of all locomotion models: parameters only; orientation and velocity are columns of the vehicles."""

    @abstractmethod
    def bind(self, vehicles: Vehicles, force: Columns, proposed: Columns, dt: Array) -> Motion:
        """The calls that move a population.

        Args:
            vehicles: The population.
            force: Steering force [N], d arrays of shape (n,), not truncated yet.
            proposed: Scratch for the proposed velocity [m/s], d arrays of shape (n,). After the proposal the world
                checks that it is finite; then `move` is called.
            dt: The time step [s], shape (1,).
        """

    def advance(self, vehicles: Vehicles, force: Any, dt: float) -> None:
        """Move vehicles by one step, outside a world.

        Args:
            vehicles: The population, changed in place.
            force: Steering forces [N], shape (n, d) or (d,) for all.
            dt: The time step [s].

        Raises:
            ValueError: dt is not > 0, or a force has another shape or is not finite; then nobody has moved.
        """
        n, d = len(vehicles), vehicles.dimensions
        forces = as_floats("force", force, vehicles.dtype)
        if forces.shape not in ((d,), (n, d)):
            raise ValueError(f"force must have shape ({n}, {d}) or ({d},), got {forces.shape}")
        if not (math.isfinite(dt) and dt > 0):
            raise ValueError(f"dt must be a finite number > 0 s, got {dt}")
        columns = tuple(np.ascontiguousarray(np.broadcast_to(forces, (n, d)).T))
        proposed = np.zeros((d, n), vehicles.dtype)
        step = np.array([min(dt, float(np.finfo(vehicles.dtype).max))], vehicles.dtype)
        motion = self.bind(vehicles, columns, tuple(proposed), step)
        for call in motion.propose:
            call.run(n)
        if not (np.isfinite(vehicles.block).all() and vehicles.mass.min(initial=1) > 0):
            raise ValueError("every column of the vehicles must be finite, and mass > 0 kg; nobody has moved")
        with np.errstate(over="ignore", invalid="ignore"):
            reached = vehicles.position + proposed.T * step
        if not np.isfinite(reached).all():
            raise ValueError(
                f"force and dt must not be so large that vehicles leave all bounds, got dt = {dt}; nobody has moved"
            )
        for call in motion.move:
            call.run(n)
