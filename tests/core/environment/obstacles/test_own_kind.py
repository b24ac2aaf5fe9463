"""A kind of obstacles of one's own: its parts, and two kernels that answer for one of them."""

from dataclasses import dataclass
from typing import Any

import numpy as np

import steersman as sm
from steersman.core.environment.box_tree import OUTSIDE, boxed
from steersman.core.environment.obstacles.contact import never, touch_ball
from steersman.core.environment.obstacles.hulls import rounded_segments
from steersman.core.environment.obstacles.obstacle_set import Kernels, Solids
from steersman.core.kernels.kernel import kernel
from steersman.core.maths.vectors import dot, length, normalize, subtract, vector_of
from steersman.core.parameters.kinds import POINTS
from steersman.core.parameters.parameters import parameter

WIDE = np.float32(0.5)


@kernel
def touch_pearl(ball, rows, k, side, wrap):
    way = subtract(ball.place, vector_of(rows, k, 0, ball.place))
    if dot(way, way) < WIDE * WIDE and side == OUTSIDE:
        return never(ball.forward)
    return touch_ball(way, ball.forward, WIDE + ball.radius)


@kernel
def distance_from_pearl(place, rows, k):
    way = subtract(place, vector_of(rows, k, 0, place))
    distance = length(way) - WIDE
    return distance, distance, normalize(way)


@dataclass(frozen=True, eq=False)
class Pearls(Solids):
    """Balls of one size.

    Args:
        center: Where their centers are [m].
    """

    center: Any = parameter(kind=POINTS, positional=True, unit="m")

    def validate(self):
        self.settle_side()

    def bounding_spheres(self):
        return self.center, np.full(len(self.center), 0.5)

    def parts(self, dtype):
        return boxed(self.center, self.center - 0.5, self.center + 0.5, dtype, self.side)

    def hulls(self, dtype):
        return rounded_segments(self.center, self.center, 0.5, dtype, self.side)

    @property
    def kernels(self):
        return Kernels(touch_pearl, distance_from_pearl)


def test_it_answers_like_the_spheres_that_it_is():
    rng = np.random.default_rng(2)
    centers, points, ahead = rng.uniform(0, 20, (30, 2)), rng.uniform(0, 20, (50, 2)), rng.normal(size=(50, 2))
    pearls, spheres = Pearls(centers), sm.Spheres(centers, 0.5)
    outside = ~spheres.inside(points)
    for mine, theirs in (
        (pearls.nearest(points), spheres.nearest(points)),
        (pearls.cast(points, ahead, 9.0), spheres.cast(points, ahead, 9.0)),
    ):
        np.testing.assert_allclose(mine.distance[outside], theirs.distance[outside], rtol=1e-6, atol=1e-6)
        np.testing.assert_array_equal(mine.which[outside], theirs.which[outside])


def test_vehicles_avoid_it():
    world = sm.World(dt=0.05)
    both = [Pearls([[10.0, 0.1]]), sm.Spheres([[20.0, -0.1]], 1.0)]
    walker = sm.Vehicles([[0.0, 0.0]], velocity=[[1.0, 0.0]], radius=0.3)
    world.add(walker, steering=sm.Priority([sm.AvoidObstacles(both), sm.Seek([40.0, 0.0])]))
    nearest = np.inf
    for _ in range(600):
        world.step()
        nearest = min(nearest, *(float(each.nearest(walker.position[0]).distance) for each in both))
    assert 0.3 <= nearest < 1.0
    assert walker.position[0, 0] > 25
