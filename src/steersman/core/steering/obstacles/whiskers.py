"""Whiskers: feel obstacles with rays, and head for a point beside the hit.

    force = seek(hit + normal * clearance),   of the first ray that hits anything: ahead, then to the right, then to the left

Unity lecture, "Obstacle Avoidance" (three rays 2 m long, 45 degrees apart, clearance 1 m; its angles were mixed up, and
turned the side rays by up to a right angle); two parallel rays, one along each flank, are this library's. Where the point is
straight ahead, the vehicle comes to a stand before the wall rather than turning aside; for that see AvoidObstacles.

A vehicle that comes straight to a wall brakes from the point on. So by default both lengths grow with the way to stop:

    clearance = stop,   reach = clearance + stop,   stop = max(4 V response_time, mass V^2 / brake_force)

the slowing distance of Arrive: the lecture's 1 m and 2 m at 1 m/s and 1 N. Where something stands opposite of the hit, along
its normal and nearer than twice the clearance, the point is in the middle between both: it would lie near the other wall of a
corridor, or in it.

A body that does not follow every force, such as a car, would drive on into the wall, or back into one that no ray feels.
So it hears how far it may go on along its velocity (`Scene.free_way`) before obstacles that it could not stop before, as by
AvoidObstacles; but not one that turns on the spot before it goes on: it would stand before the wall. Where the others come to
a stand before one they head straight away from it: a car could not go ahead and to the side there.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from steersman.core.environment.obstacles.answers import Bars
from steersman.core.environment.obstacles.obstacle import OBSTACLES, check_dimensions
from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.per_row import Rows
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.facing import heading_after
from steersman.core.maths.shapes import Arrow, Cross, Line
from steersman.core.maths.vectors import INFINITE, ZERO, add_scaled, dot, load
from steersman.core.parameters.kinds import INTEGER
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.driving.approach import brake_force, usual_distance
from steersman.core.steering.driving.drive import THREE, Driven, DriveNumbers, drive
from steersman.core.steering.driving.in_the_way import MARGIN
from steersman.core.steering.driving.stopping import SHALLOW, new_stops, stops_calls
from steersman.core.steering.laws.feeling import beside_hit
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext
from steersman.core.steering.sensing.feelers import Touch, fan, feel_calls, feeler_lines
from steersman.core.steering.sensing.opposite import middle_calls
from steersman.core.steering.tree.forces import Out, deposit, response
from steersman.core.typing import Array, Vector
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns


class Heard(NamedTuple):
    """What a body hears that does not follow every force.

    Attributes:
        bars: The obstacles that it could not stop before.
        free_way: How far it may go on [m], shape (capacity,).
    """

    bars: Bars
    free_way: Array


@kernel
def first_bar(bars: Bars, course: Vector, spare: Any, i: int) -> tuple[int, Any]:
    """The half-space that bars the way along a unit vector first, -1 for none, and how far it is [m]."""
    first, free = -1, INFINITE + ZERO * spare
    for k in range(bars.number[i]):
        cosine = -dot(course, load(bars.normal, (i, k)))
        if cosine > SHALLOW and max(spare - bars.bound[i, k], ZERO) < free * cosine:
            first, free = k, max(spare - bars.bound[i, k], ZERO) / cosine
    return first, free


@row_kernel
def stretch_by_speed(
    i: int, vehicles: VehicleColumns, go: DriveNumbers, brakes: Any, chosen_clearance: Any, chosen_reach: Any,
    clock: Clock, clearance: Array, reach: Array,
) -> None:  # fmt: skip
    """Write the lengths [m] as they are given, or (where that is negative) as the way to stop asks for."""
    full, tau = vehicles.max_speed[i], response(vehicles.response_time[i], clock.dt[0])
    if go.kind == THREE:
        full = go.speed
    stop = usual_distance(full, vehicles.mass[i], brake_force(i, vehicles, brakes), tau)
    clearance[i] = chosen_clearance if chosen_clearance >= ZERO else stop
    reach[i] = chosen_reach if chosen_reach >= ZERO else clearance[i] + stop


@row_kernel
def whisk(
    i: int, vehicles: VehicleColumns, touch: Touch, clearance: Any, go: DriveNumbers, heard: tuple[Heard, ...],
    clock: Clock, out: Out,
) -> None:  # fmt: skip
    """Drive to the point beside the touched place, the clearance [m] away; claim the vehicle where there is one."""
    way, claims = add_scaled(load(touch.way, i), load(touch.normal, i), clearance), touch.distance[i] < INFINITE
    if len(heard) != 0:
        forward, least = load(vehicles.forward, i), MARGIN * vehicles.radius[i]
        course = heading_after(load(vehicles.velocity, i), forward, vehicles.max_speed[i])
        first, free = first_bar(heard[0].bars, course, -least, i)
        heard[0].free_way[i] = min(heard[0].free_way[i], free)
        if first >= 0 and free <= least and dot(course, forward) > ZERO:
            way, claims = load(heard[0].bars.normal, (i, first)), True
    if claims:
        deposit(out, i, drive(way, i, vehicles, go, clock.dt[0]), vehicles.max_force[i], True)


@registered
class Whiskers(Driven):
    """Feel obstacles with a few rays, and head for a point beside the hit.

    Args:
        obstacles: The obstacles to keep clear of: a set, or a list of several.
        rays: How many rays: 3 are ahead, right and left; 2 parallel, along either flank, of which the nearer hit counts; 1
            ahead; in 3D also 5, up and down too. Raising it notices walls beside the way, and costs more.
        reach: Length of the rays [m]. Raising it turns earlier. Default: the clearance and the way to stop.
        spread: Full angle between the rays to the right and to the left [rad]. Raising it feels more to the sides.
        clearance: Distance from the wall of the point to head for [m], at most half of the room there. Raising it turns
            harder. Default: the way to stop.
    """

    obstacles: Any = parameter(kind=OBSTACLES, positional=True)
    rays: int = parameter(3, kind=INTEGER, low=1, high=5)
    reach: float | None = parameter(None, above=0.0, unit="m", optional=True)
    spread: float = parameter(math.pi / 2, low=0.0, high=2 * math.pi, unit="rad")
    clearance: float | None = parameter(None, low=0.0, unit="m", optional=True)

    def validate(self) -> None:
        """Check that there are such rays."""
        fan(self.rays, self.spread, 3, "rays")

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """One call, after those of the feelers."""
        check_dimensions(self.obstacles, scene.vehicles.dimensions)
        feelers = fan(self.rays, self.spread, scene.vehicles.dimensions, "rays")
        go, (clearance, reach) = self.go(scene.vehicles.dtype), np.zeros((2, scene.capacity), scene.vehicles.dtype)
        numbers = tuple(scene.number(each) for each in (scene.stopping, self.clearance, self.reach))
        lengths = Call(stretch_by_speed, (scene.columns, go, *numbers, scene.clock, clearance, reach))
        touch, calls = feel_calls(scene, self.obstacles, feelers, Rows(reach), out.active, nearest=self.rays == 2)
        calls += middle_calls(scene, self.obstacles, touch, clearance, out.active)
        scene.show(**touch._asdict(), clearance=clearance, reach=reach)
        heard: tuple[Heard, ...] = ()
        if scene.needs_free_way and not scene.pivots:
            stops = new_stops(scene, self.obstacles, scene.columns.radius)._replace(looks=out.active)
            calls += stops_calls(scene, self.obstacles, stops)
            heard = (Heard(stops.bars, scene.free_way),)
        return [lengths, *calls, Call(whisk, (scene.columns, touch, Rows(clearance), go, heard, scene.clock, out))]

    def sketch(self, context: SketchContext) -> Shapes:
        """The feelers, their hits, and the point beside the hit that counts."""
        hit = np.where(np.isfinite(context.shown["distance"])[:, None], context.position + context.shown["way"], np.nan)
        beside = beside_hit(hit, context.shown["normal"], context.shown["clearance"])
        fanned = fan(self.rays, self.spread, context.position.shape[1], "rays")
        for line in feeler_lines(context, fanned, context.shown["reach"][:, None]):
            yield Line(line, role="range", label="feelers")
        yield Cross(hit, role="chosen")
        yield Arrow(hit, beside, means="push of the wall")
        yield from context.goal(beside)
