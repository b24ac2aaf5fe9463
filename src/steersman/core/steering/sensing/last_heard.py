"""LastHeard: the noise that each vehicle heard last, as a target for behaviors.

    heard = distance <= loudness * acuity,   behind walls:   distance <= loudness * acuity * through

The loudness of a noise is the distance at which it can just be heard in the open. Noises are made between steps
(`World.noise`, `Controller.noise`) and heard at once; of several at one time the one counts that is heard best.

Game AI: sounds as events with a range, damped by walls (Leonard 2003, "Building an AI Sensory System").
"""

from typing import Any

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.obstacles.obstacle import OBSTACLES, check_dimensions
from steersman.core.kernels.call import Call
from steersman.core.parameters.arrays import as_points
from steersman.core.parameters.brief import brief
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.scene.scene import Scene
from steersman.core.steering.scene.senses import Senses
from steersman.core.steering.sensing.line_of_sight import GRAZING
from steersman.core.steering.sensing.remembering import Remembered, next_notice
from steersman.core.steering.tree.knowledge import Belief, knowledge
from steersman.core.typing import Array
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicles import Vehicles


@knowledge
class LastHeard(Remembered):
    """The place of the noise that each vehicle heard last: a target for behaviors and conditions.

    Every vehicle of the population hears every noise that is made, whatever made it, from where it is at that time.

    Args:
        acuity: How well they hear: a noise of loudness 10 m is heard within 10 m times this. Raising it hears farther.
        walls: The obstacles that damp noises: a set of obstacles, or a list of sets.
        through: The part of its range that a noise keeps behind walls, however many there are. Raising it hears more
            through walls.
    """

    acuity: float = parameter(1.0, above=0.0)
    walls: Any = parameter(None, kind=OBSTACLES, optional=True)
    through: float = parameter(0.3, low=0.0, high=1.0)

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """What was noticed last, and how far beyond the range of that noise they could have been [m]."""
        return {**super().init(vehicles), "spare": np.zeros(len(vehicles))}

    def bind(self, scene: Scene, memory: Memory, belief: Belief) -> list[Call]:
        """Tell, and believe."""
        if self.walls is not None:
            check_dimensions(self.walls, scene.vehicles.dimensions, "walls")
        return self.belief_calls(scene, next_notice(memory), 0.0, belief)

    def hear(self, memory: Memory, vehicles: Vehicles, domain: Domain, time: float, at: Any, loudness: float) -> None:
        """Put a noise into memory, where it is heard; for arguments see `Stepping.noise`.

        Args:
            memory: The memory of this knowledge.
            vehicles: Those who may hear it.
            domain: Their space.
            time: Now [s].
            at: Where it is made [m], shape (d,).
            loudness: How loud it is [m].
        """
        (place,) = as_points("at", at, np.float64, vehicles.dimensions)
        way = domain.difference(place, vehicles.position.astype(np.float64))
        distance = np.sqrt(np.sum(way**2, axis=1))
        reach = np.full(len(vehicles), float(loudness) * self.acuity)
        if self.walls is not None and (distance <= reach).any():
            ahead = np.where(distance[:, None] > 0, way, vehicles.forward)
            hit = Senses(vehicles, domain).cast(self.walls, ahead, np.inf).distance
            reach[hit < distance * GRAZING] *= self.through
        spare = reach - distance
        new = (spare >= 0) & ((memory["time"] != time) | (spare > memory["spare"]))
        memory["time"][new], memory["spare"][new], memory["position"][new] = time, spare[new], place
        memory.accept()


def as_place(name: str, value: Any) -> Array:
    """The place of a noise [m], shape (d,)."""
    points = as_points(name, value, np.float64)
    if len(points) != 1:
        raise ValueError(f"{name} must be one point (d,), got {len(points)}: make a noise for each of them")
    place: Array = points[0]
    return place


def check_loudness(loudness: Any) -> float:
    """The loudness of a noise [m]."""
    if isinstance(loudness, bool) or not isinstance(loudness, (int, float, np.number)):
        raise TypeError(f"loudness must be a number >= 0 m, got {brief(loudness)}")
    if not 0 <= loudness < np.inf:
        raise ValueError(f"loudness must be >= 0 m and finite, got {brief(loudness)}")
    return float(loudness)
