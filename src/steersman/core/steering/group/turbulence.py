"""Turbulence: gusts that neighbors share, by which a flock keeps turning.

    turn(x, t) = sqrt(2 / K) * sum of a_k sin(w_k . x + 2 pi (t / T_k + phase_k)),   K = 4 plane waves
    force      = turbulence * max_force * (turn x forward),                           a_k: 1 or -1 in 2D, an axis in 3D

Nothing in the three laws of flocking turns a flock that agrees: it freezes into a lattice that flies straight on. In
Reynolds 1987 goals and obstacles turn it. Noise of each boid by itself (Vicsek et al. 1995; Wander) does less the
larger the flock is, for neighbors average it. Flocks of any size stay alive by noise that is alike for vehicles near
each other; a sum of waves is the simplest field of that kind.

The gusts are `SIZE` neighborhoods long and last for `TIME`, each as a mean. On a torus the waves fit into its periods.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.maths.random import generator
from steersman.core.maths.vectors import ZERO, add_scaled, dot, load, scale
from steersman.core.parameters.arrays import columns_of
from steersman.core.steering.driving.slot_keeping import carried
from steersman.core.steering.scene.scene import Scene
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.columns import turning_components

WAVES = 4
"""How many plane waves make the gusts."""

SIZE = 12.0
"""Length of the waves in radii of the neighborhood, as a mean."""

TIME = 20.0
"""Period of the waves [s], as a mean."""


class Gusts(NamedTuple):
    """A field of gusts for kernels.

    Attributes:
        wave: Wave vectors [rad/m], d arrays of shape (K,).
        turn: Axis of the turn that each makes, its length a part of max_force: 1 array of shape (K,) in 2D, 3 in 3D.
        rate: Turns per second, shape (K,), float64.
        phase: Turns at the start, shape (K,), float64.
    """

    wave: Columns
    turn: Columns
    rate: Array
    phase: Array


def gusts_of(strength: float, radius: float, scene: Scene) -> Gusts:
    """The gusts of a behavior with this radius [m] in a scene; with an infinite radius they are everywhere alike."""
    d, dtype, rng = scene.vehicles.dimensions, scene.vehicles.dtype, generator(scene.key)
    way = rng.normal(size=(WAVES, d))
    way *= rng.uniform(0.6, 1.4, (WAVES, 1)) / np.linalg.norm(way, axis=1, keepdims=True)
    wave = 2 * np.pi / (SIZE * radius) * way
    period = np.asarray(scene.wrap[0], float)
    unit = 2 * np.pi / np.where(period > 0, period, np.inf)
    wave = np.where(unit > 0, unit * np.rint(wave / np.where(unit > 0, unit, 1.0)), wave)
    turn = rng.normal(size=(WAVES, turning_components(d)))
    turn *= strength * np.sqrt(2 / WAVES) / np.linalg.norm(turn, axis=1, keepdims=True)
    rate = rng.uniform(0.6, 1.4, WAVES) * rng.choice([-1, 1], WAVES) / TIME
    return Gusts(columns_of(wave, dtype), columns_of(turn, dtype), rate, rng.uniform(0, 1, WAVES))


@kernel
def gust(place: Vector, forward: Vector, gusts: Gusts, time: Any) -> Vector:
    """The push at a place [m] across a unit vector, as a part of max_force; `time` [s] is float64."""
    T = gusts.wave[0].dtype.type
    total = scale(load(gusts.turn, 0), ZERO)
    for k in range(gusts.rate.size):
        turns = time * gusts.rate[k] + gusts.phase[k]
        angle = dot(load(gusts.wave, k), place) + T(2 * math.pi) * T(turns - math.floor(turns))
        total = add_scaled(total, load(gusts.turn, k), math.sin(angle))
    return carried(total, forward)
