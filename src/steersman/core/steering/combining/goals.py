"""Goals: the data that the stages of a Pipeline hand on, for many vehicles at once.

A goal has channels. A channel that no stage has set is free: a goal without a position accepts any place, one without a
velocity any velocity.
"""

from dataclasses import dataclass

import numpy as np

from steersman.core.parameters.guiding import Explained
from steersman.core.typing import Array


@dataclass(frozen=True)
class Goals(metaclass=Explained):
    """Where n vehicles are to go, and how they are to move there.

    Attributes:
        position: Points [m], shape (n, d), float64.
        has_position: Which vehicles have such a goal, shape (n,), bool.
        velocity: Velocities [m/s], shape (n, d), float64.
        has_velocity: Which vehicles have such a goal, shape (n,), bool.
    """

    position: Array
    has_position: Array
    velocity: Array
    has_velocity: Array

    @classmethod
    def none(cls, n: int, dimensions: int) -> "Goals":
        """No goals at all."""
        return cls(np.zeros((n, dimensions)), np.zeros(n, bool), np.zeros((n, dimensions)), np.zeros(n, bool))

    @classmethod
    def at(cls, position: Array) -> "Goals":
        """Goals with a position: points [m], shape (n, d)."""
        n, d = position.shape
        return cls(np.asarray(position, np.float64), np.ones(n, bool), np.zeros((n, d)), np.zeros(n, bool))

    @property
    def any(self) -> Array:
        """Which vehicles have a goal of any kind, shape (n,), bool."""
        return np.asarray(self.has_position | self.has_velocity)

    def filled(self, more: "Goals") -> "Goals":
        """These goals, with the channels that are free taken from others."""
        return Goals(
            np.where(self.has_position[:, None], self.position, more.position),
            self.has_position | more.has_position,
            np.where(self.has_velocity[:, None], self.velocity, more.velocity),
            self.has_velocity | more.has_velocity,
        )

    def replaced(self, mask: Array, others: "Goals") -> "Goals":
        """The other goals for the vehicles of a mask, shape (n,), these goals for the rest."""
        return Goals(
            np.where(mask[:, None], others.position, self.position),
            np.where(mask, others.has_position, self.has_position),
            np.where(mask[:, None], others.velocity, self.velocity),
            np.where(mask, others.has_velocity, self.has_velocity),
        )
