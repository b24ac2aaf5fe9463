"""Flocking: separation, cohesion and alignment, each normalized, then weighted, then summed.

    force = max_force * (w_s unit(separation) + w_c unit(cohesion) + w_a unit(alignment))

Reynolds 1999, "Flocking", after his boids of 1987: nine parameters, a weight, a distance and an angle for each of the three.
It equals a WeightedSum of the three with each="normalize", and is one: the parts are nodes of the tree. The default weights
keep the order of the Unity lecture: separation before cohesion before alignment.
"""

import math
from dataclasses import dataclass

from steersman.geometry.call import Call
from steersman.geometry.parameters import parameter
from steersman.steering.behavior import NORMALIZE, Behavior, Out
from steersman.steering.combining.weighted_sum import bind_sum
from steersman.steering.group.alignment import Alignment
from steersman.steering.group.cohesion import Cohesion
from steersman.steering.group.separation import Separation
from steersman.steering.registry import registered
from steersman.steering.scene import Scene
from steersman.vehicles.memory import Memory


@registered
@dataclass(frozen=True, eq=False)
class Flocking(Behavior):
    """Move as a flock, a herd or a school.

    Args:
        separation_weight: Weight of keeping apart. Raising it spreads the flock.
        separation_radius: Distance up to which others are kept apart from [m].
        separation_angle: Its full field of view [rad].
        alignment_weight: Weight of heading alike. Raising it orders the flock.
        alignment_radius: Distance up to which headings are matched [m].
        alignment_angle: Its full field of view [rad].
        cohesion_weight: Weight of gathering. Raising it tightens the flock.
        cohesion_radius: Distance up to which others are gathered with [m].
        cohesion_angle: Its full field of view [rad].
        inner_radius: Distance within which neighbors are noticed at any angle, by all three [m].
        name: Name by which the node keeps its memory.

    Raises:
        TypeError: An argument is no number.
        ValueError: A number is NaN or out of range.
    """

    separation_weight: float = parameter(1.5, doc="Weight of keeping apart.")
    separation_radius: float = parameter(5.0, above=0.0, infinite=True, unit="m", doc="Distance of keeping apart.")
    separation_angle: float = parameter(
        1.5 * math.pi, above=0.0, high=2 * math.pi, unit="rad", doc="Full field of view of keeping apart."
    )
    alignment_weight: float = parameter(0.9, doc="Weight of heading alike.")
    alignment_radius: float = parameter(7.5, above=0.0, infinite=True, unit="m", doc="Distance of heading alike.")
    alignment_angle: float = parameter(
        1.5 * math.pi, above=0.0, high=2 * math.pi, unit="rad", doc="Full field of view of heading alike."
    )
    cohesion_weight: float = parameter(1.0, doc="Weight of gathering.")
    cohesion_radius: float = parameter(9.0, above=0.0, infinite=True, unit="m", doc="Distance of gathering.")
    cohesion_angle: float = parameter(
        1.5 * math.pi, above=0.0, high=2 * math.pi, unit="rad", doc="Full field of view of gathering."
    )
    inner_radius: float = parameter(0.0, low=0.0, unit="m", doc="Distance within which angle does not matter.")

    def parts(self) -> tuple[Behavior, ...]:
        """Separation, alignment and cohesion."""
        inner = self.inner_radius
        return (
            Separation(radius=self.separation_radius, angle=self.separation_angle, inner_radius=inner),
            Alignment(radius=self.alignment_radius, angle=self.alignment_angle, inner_radius=inner),
            Cohesion(radius=self.cohesion_radius, angle=self.cohesion_angle, inner_radius=inner),
        )

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """The sum of the three normalized parts."""
        weights = (self.separation_weight, self.alignment_weight, self.cohesion_weight)
        return bind_sum(scene, out, weights, NORMALIZE)
