"""PowerLaw: pedestrians who push each other away by the time until they would meet.

    force = mass * ((wanted - velocity) / response_time + sum of f),   f = -gradient of k t^-2 exp(-t / t0)

with t the time until the two would touch if both went on as they do, and the gradient that by the place of the pedestrian.
Who would not touch is not felt. With x the way from the other, v the velocity against it, and touch the sum of both radii:

    t = (b - sqrt(s)) / |v|^2,   b = -x . v,   s = b^2 - |v|^2 (|x|^2 - touch^2)
    f = k exp(-t / t0) / t^2 * (2 / t + 1 / t0) * gradient of t, turned around:  (x + t v) / sqrt(s)

A wall is a plane: the time until the body comes to it decides, and it pushes along its normal. Two that overlap are taken to
be just not touching.

Karamouzas, Skinner and Guy 2014, "Universal power law governing pedestrian interactions", equations 2 and S4: k = 1.5 and
t0 = 3 s, from measured trajectories, and a response time of 0.54 s.
"""

import math
from typing import Any, ClassVar

from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.maths.vectors import ONE, TINY, TWO, ZERO, add_scaled, dot, length, load, scale, subtract
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.laws import walking as laws
from steersman.core.steering.pedestrians.walking import Around, Pedestrian, force_kernel
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Scene
from steersman.core.steering.source import Source
from steersman.core.steering.tree.forces import Out
from steersman.core.typing import Vector
from steersman.core.vehicles.memory import Memory


@kernel
def urgency(time: Any, numbers: Any) -> Any:
    """How fast the energy of an encounter falls with its time [m^2/s^3]."""
    t = max(time, numbers.soonest)
    return numbers.strength * math.exp(-t / numbers.horizon) / (t * t) * (TWO / t + ONE / numbers.horizon)


@kernel
def push_in_time(i: int, j: int, to: Vector, heading: Vector, desired: Vector, around: Around, numbers: Any) -> Vector:
    """The push of a neighbor."""
    x, v = scale(to, -ONE), subtract(load(around.vehicles.velocity, i), load(around.others.velocity, j))
    touch = min(around.vehicles.radius[i] + around.others.radius[j], numbers.closest * length(x))
    b, v2 = -dot(x, v), dot(v, v)
    s = b * b - v2 * (dot(x, x) - touch * touch)
    if not (b > ZERO and s > TINY and v2 > TINY):
        return scale(x, ZERO)
    root = math.sqrt(s)
    time = (b - root) / v2
    return scale(add_scaled(x, v, time), urgency(time, numbers) / root)


@kernel
def push_of_plane(i: int, normal: Vector, gap: Any, desired: Vector, around: Around, numbers: Any) -> Vector:
    """The push of a wall."""
    approach = -dot(load(around.vehicles.velocity, i), normal)
    if not approach > TINY:
        return scale(normal, ZERO)
    return scale(normal, urgency(max(gap, ZERO) / approach, numbers) / approach)


@registered
class PowerLaw(Pedestrian):
    """Walk by the time until others would be met (Karamouzas, Skinner and Guy 2014).

    Args:
        strength: The energy of an encounter, times its time squared, by mass [m^2]. Raising it evades harder.
        horizon: The time beyond which an encounter hardly matters [s]. Raising it reacts to later encounters.
        radius: Distance up to which others and walls are looked at [m]. Raising it heeds them earlier, and costs more.
    """

    sources: ClassVar[tuple[Source, ...]] = (
        Source(("Karamouzas", "Skinner", "Guy"), 2014, "Universal power law governing pedestrian interactions"),
    )

    strength: float = parameter(1.5, low=0.0, unit="m^2")
    horizon: float = parameter(3.0, above=0.0, unit="s")
    radius: float = parameter(10.0, above=0.0, infinite=True, unit="m")

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """The sum of all pushes."""
        numbers = scene.own("strength", "horizon", soonest=laws.SOONEST, closest=laws.CLOSEST)
        return self.walk(scene, out, force_kernel(push_in_time, push_of_plane), numbers)
