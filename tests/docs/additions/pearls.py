"""Pearls: balls of one size, as a kind of obstacles."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from steersman.core.environment.box_tree import INSIDE, OUTSIDE, Boxed, boxed
from steersman.core.environment.obstacles.contact import leave_ball, never, touch_ball
from steersman.core.environment.obstacles.hulls import Hulls, rounded_segments
from steersman.core.environment.obstacles.obstacle_set import Kernels, Solids
from steersman.core.environment.obstacles.searching import Ball
from steersman.core.kernels.kernel import kernel
from steersman.core.maths.vectors import dot, length, normalize, subtract, vector_of
from steersman.core.parameters.kinds import POINTS
from steersman.core.parameters.parameters import parameter
from steersman.core.typing import Array, Vector

WIDE = np.float32(4)
"""The radius of all of them [m]."""


@kernel
def touch_pearl(ball: Ball, rows: Array, k: int, side: int, wrap: Array) -> tuple[Any, Vector]:
    """When a ball touches a pearl [m], and the normal there."""
    way = subtract(ball.place, vector_of(rows, k, 0, ball.place))
    within = dot(way, way) < WIDE * WIDE
    if side == (OUTSIDE if within else INSIDE):
        return never(ball.forward)
    if within:
        return leave_ball(way, ball.forward, WIDE - ball.radius)
    return touch_ball(way, ball.forward, WIDE + ball.radius)


@kernel
def distance_from_pearl(place: Vector, rows: Array, k: int) -> tuple[Any, Any, Vector]:
    """How near a pearl is, the signed distance from it [m], and the direction in which that grows."""
    way = subtract(place, vector_of(rows, k, 0, place))
    distance = length(way) - WIDE
    return distance, distance, normalize(way)


@dataclass(frozen=True, eq=False)
class Pearls(Solids):
    """Balls with a radius of 4 m.

    Args:
        center: Their centers [m], shape (m, d), or (d,) for one.
        seen_from: From which side they are obstacles: "outside", "inside" or "both".

    Raises:
        TypeError: The centers are no numbers.
        ValueError: A wrong shape, NaN or infinity.
    """

    center: Any = parameter(kind=POINTS, positional=True, unit="m")

    def validate(self) -> None:
        """Settle from which side they are seen."""
        self.settle_side()

    def bounding_spheres(self) -> tuple[Array, Array]:
        """The balls themselves."""
        return self.center, np.full(len(self.center), float(WIDE))

    def parts(self, dtype: Any) -> Boxed:
        """The balls for kernels: rows of centers."""
        return boxed(self.center, self.center - WIDE, self.center + WIDE, dtype, self.side)

    def hulls(self, dtype: Any) -> Hulls:
        """Rounded points."""
        return rounded_segments(self.center, self.center, float(WIDE), dtype, self.side)

    @property
    def kernels(self) -> Kernels:
        """The first contact decides which pearl stands in the way."""
        return Kernels(touch_pearl, distance_from_pearl)
