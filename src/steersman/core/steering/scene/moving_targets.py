"""Moving targets: a point and its velocity, in the one form that kernels take.

A point that is given, or returned by a function, is at rest; that of a population moves with its vehicle, and what is known
of one as the vehicles believe.
"""

from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.steering.scene.scene import Scene
from steersman.core.steering.targets.target import Mark
from steersman.core.steering.tree.knowledge import Knowledge
from steersman.core.typing import Array, Columns
from steersman.core.vehicles.vehicles import Vehicles


class MovingMark(NamedTuple):
    """Places of moving targets, and their motion.

    Attributes:
        position: Points [m], d arrays of shape (m,).
        velocity: Their velocities [m/s], d arrays of shape (m,).
        pick: For every vehicle the row of its point, -1 for none; shape (n,), int64.
    """

    position: Columns
    velocity: Columns
    pick: Array


def bind_moving(scene: Scene, target: Any, which: Any, name: str = "target") -> tuple[MovingMark, list[Call]]:
    """A target with its velocity, and the calls that keep it up to date."""
    mark, calls = scene.mark(target, which, name)
    if isinstance(target, Knowledge):
        return MovingMark(mark.position, scene.belief(target).columns.velocity, mark.pick), calls
    if isinstance(target, Vehicles):
        return MovingMark(mark.position, target.columns.velocity, mark.pick), calls
    return at_rest(mark), calls


def at_rest(mark: Mark) -> MovingMark:
    """Targets that stand."""
    velocity = np.zeros((len(mark.position), len(mark.position[0])), mark.position[0].dtype)
    return MovingMark(mark.position, tuple(velocity), mark.pick)
