"""CollisionFreeSpeed: pedestrians who go as fast as the way to the next one ahead allows.

    direction = unit(e0 + sum over neighbors of strength * exp((touch - s) / range) n + the same over walls)
    velocity  = min(v0, max(0, (spacing - touch) / time_gap)) * direction
    force     = mass * (velocity - present velocity) / response_time

with v0 e0 the wanted velocity, s the distance of a neighbor, n the unit vector away from it, touch the sum of both radii,
and spacing the distance of the nearest neighbor ahead in a strip along the direction, as wide as two that touch. Of a wall
s is the distance to the center, and touch the own radius.

Tordeux, Chraibi and Seyfried 2016, "Collision-free speed model for pedestrian dynamics" (arXiv:1512.05597), equations 1-5:
l = 0.3 m, T = 1 s, v0 = 1.2 m/s, a = 5, D = 0.1 m. Walls are not in the paper; they push as in JuPedSim, with a = 5 and
D = 0.02 m, and no velocity leads into one within a response time. The model has no inertia: it holds for pedestrians that
reach a velocity at once, with `response_time="step"` and force enough.
"""

from typing import Any, ClassVar

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.ground import level
from steersman.core.maths.shapes import Line
from steersman.core.maths.vectors import (
    INFINITE,
    ONE,
    TINY,
    ZERO,
    add_scaled,
    dot,
    lateral,
    length,
    load,
    normalize,
    scale,
)
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.pedestrians.social_force import growth
from steersman.core.steering.pedestrians.walking import Around, Pedestrian, desired_velocity, heading_of, way_to
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext
from steersman.core.steering.source import Source
from steersman.core.steering.tree.forces import Out, deposit, match, response
from steersman.core.typing import Vector
from steersman.core.vehicles.memory import Memory


@kernel
def free_spacing(i: int, heading: Vector, around: Around) -> Any:
    """How far the nearest neighbor in the way is beyond touching [m]; infinite for none."""
    free = INFINITE * around.vehicles.mass[i]
    for k in range(around.listing.number[i]):
        j = around.listing.row[i, k]
        to, touch = way_to(i, j, around), around.vehicles.radius[i] + around.others.radius[j]
        beside = lateral(to, heading)
        if dot(to, heading) >= ZERO and dot(beside, beside) <= touch * touch:
            free = min(free, length(to) - touch)
    return free


@kernel
def held_off(i: int, v: Vector, around: Around, tau: Any) -> Vector:
    """A velocity less the part of it that leads into walls within tau [s]."""
    for k in range(around.bars.number[i]):
        normal = level(load(around.bars.normal, (i, k)), around.ground, i)
        least = min(around.bars.bound[i, k], ZERO) / tau
        v = add_scaled(v, normal, max(least - dot(v, normal), ZERO))
    return v


@kernel
def go_along(i: int, way: Vector, desired: Vector, around: Around, numbers: Any, tau: Any, out: Out) -> None:
    """Command a direction, as fast as desired, as those ahead allow, and not into walls."""
    vehicles = around.vehicles
    speed = min(length(desired), max(free_spacing(i, way, around), ZERO) / numbers.time_gap)
    v = held_off(i, scale(way, speed), around, tau)
    velocity = load(vehicles.velocity, i)
    deposit(out, i, match(v, velocity, vehicles.mass[i], tau, tau), vehicles.max_force[i], around.desired.acts[i] != 0)


@row_kernel
def keep_free(i: int, around: Around, numbers: Any, clock: Clock, out: Out) -> None:
    """Turn away from those near, and go as fast as those ahead allow."""
    vehicles, bars, tau = around.vehicles, around.bars, response(around.vehicles.response_time[i], clock.dt[0])
    desired = desired_velocity(i, around, tau)
    way = normalize(desired)
    for k in range(around.listing.number[i]):
        j = around.listing.row[i, k]
        to = way_to(i, j, around)
        distance, touch = length(to), vehicles.radius[i] + around.others.radius[j]
        size = numbers.strength * growth(distance - touch, numbers.range)
        way = add_scaled(way, to, -size / distance)
    for k in range(bars.number[i]):
        size = numbers.wall_strength * growth(-bars.bound[i, k], numbers.wall_range)
        way = add_scaled(way, level(load(bars.normal, (i, k)), around.ground, i), size)
    way = normalize(way) if dot(way, way) > TINY else heading_of(desired, i, around)
    go_along(i, way, desired, around, numbers, tau, out)


@registered
class CollisionFreeSpeed(Pedestrian):
    """Walk as fast as the spacing ahead allows, and away from those near (Tordeux, Chraibi and Seyfried 2016).

    Args:
        time_gap: The time that a pedestrian keeps to the one ahead [s]. Raising it makes crowds slower.
        strength: How much those near turn the direction, against 1 of the wanted one. Raising it
            walks around others in wider bends.
        range: The distance over which that falls to a third [m]. Raising it makes pushes reach farther.
        wall_strength: How much walls turn the direction. Raising it keeps farther from walls.
        wall_range: The distance over which that falls to a third [m]. Raising it makes walls push from farther away.
    """

    sources: ClassVar[tuple[Source, ...]] = (
        Source(
            ("Tordeux", "Chraibi", "Seyfried"),
            2016,
            "Collision-free speed model for pedestrian dynamics",
            "arXiv:1512.05597",
        ),
    )

    time_gap: float = parameter(1.0, above=0.0, unit="s")
    strength: float = parameter(5.0, low=0.0)
    range: float = parameter(0.1, above=0.0, unit="m")
    wall_strength: float = parameter(5.0, low=0.0)
    wall_range: float = parameter(0.02, above=0.0, unit="m")

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """The calls that find the direction, then those that find the speed."""
        numbers = scene.own("time_gap", "strength", "range", "wall_strength", "wall_range")
        return self.walk(scene, out, keep_free, numbers)

    def sketch(self, context: SketchContext) -> Shapes:
        """The neighbors, and the strip along forward in which the next one ahead is looked for."""
        yield from super().sketch(context)
        if context.position.shape[1] == 2:
            side = np.stack([-context.forward[:, 1], context.forward[:, 0]], axis=1) * 2 * context.radius[:, None]
            for sign in (ONE, -ONE):
                start = context.position + sign * side
                yield Line(
                    np.stack([start, start + context.forward * self.radius], axis=1),
                    role="range",
                    label="looks ahead in here",
                )
