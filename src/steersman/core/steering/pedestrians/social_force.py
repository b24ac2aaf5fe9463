"""SocialForce: pedestrians who push each other away, the nearer the harder.

    force = mass * ((wanted - velocity) / response_time + sum over neighbors of f + sum over walls of f)

with the first term that of `toward`. There are two laws of f [m/s^2], with n the unit vector away from the neighbor and
gap its distance less both radii:

    "bodies"    f = w * strength * exp(-gap / range) n + touch * (body n + friction (u across n)),   touch = max(-gap, 0)
    "ellipses"  f = -w * gradient of strength * exp(-b / range),   2 b = sqrt((|r| + |r - u stride|)^2 - |u stride|^2)

where u is the velocity of the neighbor less the own one ("bodies"), or its own velocity ("ellipses"), r the way from the
neighbor, and w is 1 within the field of view around the wanted direction, else `behind`. The neighbor has to lie in the
view ("bodies"), or the direction -f from which it pushes ("ellipses", equations 7 and 8): where the neighbor walks, the two
differ. Walls push as "bodies" that stand, without w; or as the gradient of wall_strength * exp(-distance / wall_range).

Helbing, Farkas and Vicsek 2000, "Simulating dynamical features of escape panic", equations 1-3, for pedestrians of
80 kg: A = 2000 N, B = 0.08 m, k = 1.2e5 kg/s^2, kappa = 2.4e5 kg/(m s), tau = 0.5 s, divided here by 80 kg. Helbing
and Molnar 1995, "Social force model for pedestrian dynamics", equations 2-8: V0 = 2.1 m^2/s^2, sigma = 0.3 m,
U0 = 10 m^2/s^2, R = 0.2 m, stride 2 s, a view of 200 degrees, c = 0.5, tau = 0.5 s. Its pedestrians walk at most 1.3
times as fast as they want to: that is `max_speed`. Their attraction by friends and shop windows, and the fluctuations, are
left out: they are terms of a sum. Equations and numbers agree with those of JuPedSim ("Social Force Model",
pedestriandynamics.org: the paper of 2000) and svenkreiss/socialforce (that of 1995).

A body that is pressed in acts as a spring of 39 rad/s: steps of 0.01 s suit it, steps of 1/20 s do not. `max_force` must
leave room for the pushes: 30 m/s^2 times the mass is little.
"""

import math
from typing import Any, ClassVar

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.maths.vectors import ONE, ZERO, add, add_scaled, dot, lateral, length, load, scale, subtract
from steersman.core.parameters.kinds import TEXT
from steersman.core.parameters.parameters import parameter
from steersman.core.parameters.per_vehicle import applied
from steersman.core.steering.laws import walking as laws
from steersman.core.steering.pedestrians.walking import Around, Pedestrian, force_kernel
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Scene
from steersman.core.steering.source import Source
from steersman.core.steering.tree.forces import Out
from steersman.core.typing import Vector
from steersman.core.vehicles.memory import Memory

LAWS = ("bodies", "ellipses")

STEEPEST = np.float32(laws.STEEPEST)

NEAREST = np.float32(laws.NEAREST)

QUARTER = np.float32(0.25)


def half_cosine(angle: float) -> float:
    """The cosine of half an angle [rad]."""
    return math.cos(angle / 2)


@kernel
def growth(gap: Any, reach: Any) -> Any:
    """exp(-gap / reach), as far as numbers go."""
    return math.exp(min(-gap / reach, STEEPEST))


@kernel
def in_view(to: Vector, heading: Vector, numbers: Any) -> Any:
    """The weight of a neighbor: 1 within the field of view, else `behind`."""
    if dot(to, heading) >= numbers.edge * length(to):
        return ONE
    return numbers.behind


@kernel
def push_of_body(normal: Vector, gap: Any, u: Vector, weight: Any, numbers: Any) -> Vector:
    """The acceleration by a body at a gap, which moves at u against the own one."""
    touch = max(-gap, ZERO)
    size = weight * numbers.strength * growth(gap, numbers.range) + numbers.body * touch
    return add_scaled(scale(normal, size), lateral(u, normal), numbers.friction * touch)


@kernel
def push_of_neighbor(
    i: int, j: int, to: Vector, heading: Vector, desired: Vector, around: Around, numbers: Any
) -> Vector:
    """Law "bodies"."""
    distance = length(to)
    gap = distance - around.vehicles.radius[i] - around.others.radius[j]
    u = subtract(load(around.others.velocity, j), load(around.vehicles.velocity, i))
    return push_of_body(scale(to, -ONE / distance), gap, u, in_view(to, heading, numbers), numbers)


@kernel
def push_of_wall(i: int, normal: Vector, gap: Any, desired: Vector, around: Around, numbers: Any) -> Vector:
    """Law "bodies" of a wall."""
    return push_of_body(normal, gap, scale(load(around.vehicles.velocity, i), -ONE), ONE, numbers)


@kernel
def push_of_ellipse(
    i: int, j: int, to: Vector, heading: Vector, desired: Vector, around: Around, numbers: Any
) -> Vector:
    """Law "ellipses": the gradient of the potential around the neighbor and the end of its stride."""
    step = scale(load(around.others.velocity, j), numbers.stride)
    back = subtract(scale(to, -ONE), step)
    near, far = length(to), max(length(back), NEAREST)
    total = near + far
    b = max(math.sqrt(max(QUARTER * (total * total - dot(step, step)), ZERO)), NEAREST)
    slope = scale(add(scale(to, -ONE / near), scale(back, ONE / far)), QUARTER * total / b)
    size = numbers.strength / numbers.range * growth(b, numbers.range)
    return scale(slope, size * in_view(scale(slope, -ONE), heading, numbers))


@kernel
def push_off_wall(i: int, normal: Vector, gap: Any, desired: Vector, around: Around, numbers: Any) -> Vector:
    """Law "ellipses" of a wall."""
    distance = gap + around.vehicles.radius[i]
    return scale(normal, numbers.wall_strength / numbers.wall_range * growth(distance, numbers.wall_range))


@registered
class SocialForce(Pedestrian):
    """Walk by social forces (Helbing and Molnar 1995; Helbing, Farkas and Vicsek 2000).

    Args:
        law: How pedestrians push: "bodies" (2000), with bodies that are pressed and rub; or "ellipses" (1995), with points
            whose strides are foreseen.
        strength: Of "bodies": the push of one at touching distance [m/s^2], 25 by default; of "ellipses": the potential at
            the place of the other [m^2/s^2], 2.1 by default. Raising it keeps people farther apart.
        range: The distance over which a push falls to a third [m]. Raising it makes pushes reach farther. Default: 0.08
            of "bodies", 0.3 of "ellipses".
        body: Of "bodies": the push of a body that is pressed in, per meter [1/s^2]. Raising it makes bodies harder.
        friction: Of "bodies": how bodies that are pressed in brake each other, per meter [1/(m s)]. Raising it slows a
            press.
        wall_strength: Of "ellipses": the potential at a wall [m^2/s^2]. Raising it keeps people farther from walls.
        wall_range: Of "ellipses": the distance over which the push of a wall falls to a third [m]. Raising it makes
            walls push from farther away.
        stride: Of "ellipses": how far ahead the step of another is foreseen [s]. Raising it gives more room to those
            that walk.
        view: The full field of view around the wanted direction [rad], in which neighbors count whole. Raising it
            counts more of those at the side.
        behind: The weight of neighbors out of the view. Raising it heeds those behind more. Default: 1 of "bodies", 0.5 of
            "ellipses".
    """

    sources: ClassVar[tuple[Source, ...]] = (
        Source(("Helbing", "Molnar"), 1995, "Social force model for pedestrian dynamics"),
        Source(("Helbing", "Farkas", "Vicsek"), 2000, "Simulating dynamical features of escape panic"),
    )

    law: str = parameter("bodies", kind=TEXT, choices=LAWS)
    strength: float | None = parameter(None, low=0.0, optional=True)
    range: float | None = parameter(None, above=0.0, unit="m", optional=True)
    body: float = parameter(1500.0, low=0.0, unit="1/s^2")
    friction: float = parameter(3000.0, low=0.0, unit="1/(m s)")
    wall_strength: float = parameter(10.0, low=0.0, unit="m^2/s^2")
    wall_range: float = parameter(0.2, above=0.0, unit="m")
    stride: float = parameter(2.0, low=0.0, unit="s")
    view: float = parameter(math.radians(200), above=0.0, high=2 * math.pi, unit="rad")
    behind: float | None = parameter(None, low=0.0, high=1.0, optional=True)

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """The sum of all pushes."""
        bodies = self.law == "bodies"
        usual = {
            "strength": 25.0 if bodies else 2.1,
            "range": 0.08 if bodies else 0.3,
            "behind": 1.0 if bodies else 0.5,
        }
        values = {
            name: number if getattr(self, name) is None else getattr(self, name) for name, number in usual.items()
        }
        numbers = scene.own(
            "body", "friction", "wall_strength", "wall_range", "stride", edge=applied(half_cosine, self.view), **values
        )
        pushes = (push_of_neighbor, push_of_wall) if bodies else (push_of_ellipse, push_off_wall)
        return self.walk(scene, out, force_kernel(*pushes), numbers)
