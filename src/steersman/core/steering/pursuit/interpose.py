"""Interpose: get between two other vehicles or points.

    point = a + (b - a) * ratio,   T = |point - position| / max_speed
    come to the same point between their positions after T

Reynolds 1999, "Interpose" (a sketch; he seeks); game AI lecture, "Interpose" (it arrives, at the midpoint). The
lecture's program misprints the time, and the midpoint too: the distance to the midpoint, and the half sum, are meant.
"""

import math
from typing import Any

from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.shapes import segment
from steersman.core.maths.vectors import ZERO, add_scaled, difference, dot, load, scale, subtract
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.driving.arriving import Arriving, ArrivingNumbers, come_among
from steersman.core.steering.driving.resting import Resting
from steersman.core.steering.laws.accompanying import between
from steersman.core.steering.laws.vectors import length, ratio
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.moving_targets import MovingMark, bind_moving
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext
from steersman.core.steering.targets.selection import WHICH
from steersman.core.steering.targets.target import TARGET
from steersman.core.steering.tree.forces import Out, deposit
from steersman.core.typing import Array
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns


@row_kernel
def interpose(
    i: int, vehicles: VehicleColumns, first: MovingMark, second: MovingMark, ratio: Any, wrap: Array,
    end: ArrivingNumbers, resting: tuple[Resting, ...], clock: Clock, out: Out,
) -> None:  # fmt: skip
    """Come to the point between the two predicted positions; claim as long as there are two."""
    a, b = first.pick[i], second.pick[i]
    if a < 0 or b < 0:
        return
    start_point = load(first.position, a)
    way = difference(start_point, load(vehicles.position, i), wrap)
    way = add_scaled(way, difference(load(second.position, b), start_point, wrap), ratio)
    way = difference(way, scale(way, ZERO), wrap)
    time = ZERO * ratio
    if vehicles.max_speed[i] > ZERO:
        time = math.sqrt(dot(way, way)) / vehicles.max_speed[i]
    lead = load(first.velocity, a)
    lead = add_scaled(lead, subtract(load(second.velocity, b), lead), ratio)
    way = add_scaled(way, lead, time)
    deposit(out, i, come_among(way, lead, i, vehicles, end, wrap, resting, clock), vehicles.max_force[i], True)


@registered
class Interpose(Arriving):
    """Get between two others, and stay there.

    Args:
        a: The first target: a point [m] (d,), one per vehicle (n, d) (copied), another Vehicles, or a function that
            returns points.
        b: The other [m]; the same population may serve for both.
        which_a: The member of a population `a`: "nearest", "first", an id, ids (one per vehicle) or a mask.
        which_b: The member of a population `b`, likewise.
        ratio: Where between them to be: 0 at a, 0.5 midway, 1 at b. Raising it moves the place toward b.
    """

    a: Any = parameter(kind=TARGET, positional=True, unit="m")
    b: Any = parameter(kind=TARGET, positional=True, unit="m")
    which_a: Any = parameter("nearest", kind=WHICH, of="a")
    which_b: Any = parameter("nearest", kind=WHICH, of="b")
    ratio: float = parameter(0.5, low=0.0, high=1.0)

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """One call, after those that choose the two for each vehicle."""
        first, find_first = bind_moving(scene, self.a, self.which_a, "a")
        second, find_second = bind_moving(scene, self.b, self.which_b, "b")
        ratio, end = scene.number(self.ratio), self.end(scene)
        arguments = (scene.columns, first, second, ratio, scene.wrap, end, self.resting(scene), scene.clock, out)
        return [*find_first, *find_second, Call(interpose, arguments)]

    def sketch(self, context: SketchContext) -> Shapes:
        """The two others, where they will be, and the point between."""
        a, b = context.watched(self.a, self.which_a), context.watched(self.b, self.which_b)
        beside = context.scene.domain.difference(b.position, a.position)
        middle = context.image(a.position + beside * self.ratio)
        a, b = (
            a._replace(position=middle - beside * self.ratio),
            b._replace(position=middle + beside * (1 - self.ratio)),
        )
        point = between(context.position, a.position, a.velocity, b.position, b.velocity, context.max_speed, self.ratio)
        time = ratio(length(middle - context.position), context.max_speed)[:, None]
        for each in (a, b):
            yield from context.choice(each)
            yield from context.future(each, each.position + each.velocity * time)
        yield segment(a.position + a.velocity * time, b.position + b.velocity * time, means="between the two")
        yield from context.goal(point, "place between them")
