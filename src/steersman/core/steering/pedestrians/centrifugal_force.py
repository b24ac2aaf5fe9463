"""GeneralizedCentrifugalForce: pedestrians as ellipses, which those who come fast are pushed off from.

    force = mass * ((wanted - velocity) / response_time - sum of k (strength * v0 + u)^2 / gap * n)

with v0 the wanted speed, n the unit vector to the neighbor, u the speed at which the two come nearer (0 where they do not),
and k the cosine of the angle between the own velocity and n (0 for neighbors behind). gap is that of two ellipses along n:
their semi-axes are length_at_rest + stride * speed along the velocity, and across from `wide` of one that stands to
`narrow` of one at the speed that it wants. The wanted speed of a neighbor is its `max_speed`. Of a wall, gap is the
distance from the ellipse, and u the speed toward it.

Chraibi, Seyfried and Schadschneider 2010, "Generalized centrifugal-force model for pedestrian dynamics" (arXiv:1008.4297),
equations 4-11. At touching the paper goes over to a constant force by interpolation; here the gap counts as `nearest` at
least, and at the radius pushes end without a fade. One who stands is not pushed.
"""

import math
from typing import Any, ClassVar

from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.maths.vectors import ONE, ZERO, direction_or, dot, length, load, scale, subtract
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.pedestrians.walking import Around, Pedestrian, force_kernel
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Scene
from steersman.core.steering.source import Source
from steersman.core.steering.tree.forces import Out
from steersman.core.typing import Vector
from steersman.core.vehicles.memory import Memory


@kernel
def reach_of(velocity: Vector, desired_speed: Any, way: Vector, numbers: Any) -> Any:
    """The radius of an ellipse along a way [m]."""
    speed = length(velocity)
    part = min(speed / desired_speed, ONE) if desired_speed > ZERO else min(speed, ONE)
    a, b = numbers.length_at_rest + numbers.stride * speed, numbers.wide - (numbers.wide - numbers.narrow) * part
    if speed == ZERO:
        return b
    cosine = dot(velocity, way) / speed
    along = min(cosine * cosine, ONE)
    return ONE / math.sqrt(along / (a * a) + (ONE - along) / (b * b))


@kernel
def repelled(velocity: Vector, u: Any, way: Vector, gap: Any, desired_speed: Any, numbers: Any) -> Vector:
    """The acceleration away from something at a gap along a way, toward which one comes at a speed u."""
    facing = max(dot(direction_or(velocity, length(velocity), scale(velocity, ZERO)), way), ZERO)
    size = numbers.strength * desired_speed + max(u, ZERO)
    return scale(way, -facing * size * size / max(gap, numbers.nearest))


@kernel
def push_of_ellipses(
    i: int, j: int, to: Vector, heading: Vector, desired: Vector, around: Around, numbers: Any
) -> Vector:
    """The push of a neighbor."""
    distance, speed = length(to), length(desired)
    way = scale(to, ONE / distance)
    velocity, other_velocity = load(around.vehicles.velocity, i), load(around.others.velocity, j)
    gap = distance - reach_of(velocity, speed, way, numbers)
    gap -= reach_of(other_velocity, around.others.max_speed[j], way, numbers)
    return repelled(velocity, dot(subtract(velocity, other_velocity), way), way, gap, speed, numbers)


@kernel
def push_off_plane(i: int, normal: Vector, gap: Any, desired: Vector, around: Around, numbers: Any) -> Vector:
    """The push of a wall."""
    velocity, way, speed = load(around.vehicles.velocity, i), scale(normal, -ONE), length(desired)
    free = gap + around.vehicles.radius[i] - reach_of(velocity, speed, way, numbers)
    return repelled(velocity, dot(velocity, way), way, free, speed, numbers)


@registered
class GeneralizedCentrifugalForce(Pedestrian):
    """Walk as ellipses that push each other off (Chraibi, Seyfried and Schadschneider 2010).

    Args:
        strength: The part of the wanted speed that pushes where nobody comes nearer. Raising it keeps more room.
        length_at_rest: Semi-axis along the velocity of one that stands [m]. Raising it makes longer bodies.
        stride: How much longer that is for each meter per second [s]. Raising it makes longer bodies at speed.
        narrow: Semi-axis across of one at its wanted speed [m]. Raising it makes broader bodies at speed.
        wide: Semi-axis across of one that stands [m]. Raising it makes broader bodies at rest.
        nearest: The gap below which pushes do not grow [m]. Raising it softens the pushes of those very near.
        radius: Distance up to which others and walls are looked at [m]. Raising it heeds them earlier, and costs more.
    """

    sources: ClassVar[tuple[Source, ...]] = (
        Source(
            ("Chraibi", "Seyfried", "Schadschneider"),
            2010,
            "Generalized centrifugal-force model for pedestrian dynamics",
            "arXiv:1008.4297",
        ),
    )

    strength: float = parameter(0.2, low=0.0)
    length_at_rest: float = parameter(0.18, above=0.0, unit="m")
    stride: float = parameter(0.53, low=0.0, unit="s")
    narrow: float = parameter(0.2, above=0.0, unit="m")
    wide: float = parameter(0.25, above=0.0, unit="m")
    nearest: float = parameter(0.1, above=0.0, unit="m")
    radius: float = parameter(2.0, above=0.0, infinite=True, unit="m")

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """The sum of all pushes."""
        numbers = scene.own("strength", "length_at_rest", "stride", "narrow", "wide", "nearest")
        return self.walk(scene, out, force_kernel(push_of_ellipses, push_off_plane), numbers, columns=("max_speed",))
