"""Hide: keep an obstacle between the vehicle and a pursuer.

    spot = center + unit(center - pursuer) * (radius + margin + own radius)        one for each obstacle
    come to the best spot; evade where there is none

Reynolds 1999, a sketch beside "Leader following" (he seeks the spot); game AI lecture, "Hide" (it arrives at the
closest), with all of its refinements: hide only when the pursuer is seen, or both see each other, and for some time
after that; favor spots behind or beside the pursuer; ignore a pursuer beyond the panic distance.

An obstacle hides by the sphere around it, if it is there; a spot within another obstacle's sphere is none. Seeing means:
within the field of view, and no obstacle on the line of sight.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from steersman.core.environment.obstacles.obstacle import OBSTACLES, check_dimensions
from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.numbers import squared
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.shapes import Circle, Cross, segment
from steersman.core.maths.vectors import ONE, ZERO, add_scaled, difference, dot, load, normalize, scale, subtract
from steersman.core.parameters.kinds import TEXT
from steersman.core.parameters.parameters import parameter
from steersman.core.parameters.per_vehicle import applied, is_given
from steersman.core.steering.driving.arriving import Arriving, ArrivingNumbers, come_among
from steersman.core.steering.driving.drive import drive
from steersman.core.steering.driving.resting import Resting
from steersman.core.steering.goals.flee import flight
from steersman.core.steering.laws.hiding import hiding_spot, hiding_spots
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext
from steersman.core.steering.sensing.line_of_sight import half_angle_cosine, in_view, sight_calls
from steersman.core.steering.targets.prediction import (
    PREDICTOR,
    Approach,
    PredictionNumbers,
    Predictor,
    prediction_time,
)
from steersman.core.steering.targets.selection import WHICH
from steersman.core.steering.targets.target import QUARRY, Quarry
from steersman.core.steering.tree.forces import Out, deposit
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles

WHEN = ("always", "seen", "mutually_seen")
FAVORS = ("nearest", "behind")


class Balls(NamedTuple):
    """The spheres around obstacles: d arrays of centers [m] and one of radii [m], -1 where none is, each of shape (m,)."""

    center: Columns
    radius: Array


@kernel
def is_free(spot: Vector, j: int, balls: Balls, wrap: Array) -> bool:
    """Whether a spot, relative to the center of ball j, is in no other ball."""
    for k in range(balls.radius.size):
        if k != j and balls.radius[k] >= ZERO:
            offset = difference(load(balls.center, k), load(balls.center, j), wrap)
            offset = subtract(offset, spot)
            offset = difference(offset, scale(offset, ZERO), wrap)
            if dot(offset, offset) < balls.radius[k] * balls.radius[k]:
                return False
    return True


@kernel
def best_spot(
    here: Vector, forward: Vector, room: Any, danger: Vector, heading: Vector, behind: bool, balls: Balls,
    wrap: Array,
) -> tuple[int, Vector]:  # fmt: skip
    """The obstacle with the best spot (-1: none), and the way to that: the nearest, or the nearest behind the pursuer."""
    best, best_d2, best_way, best_back = -1, room, scale(here, ZERO), False
    for j in range(balls.radius.size):
        if balls.radius[j] < ZERO:
            continue
        center = load(balls.center, j)
        away = flight(normalize(difference(center, danger, wrap)), forward)
        spot = scale(away, balls.radius[j] + room)
        way = add_scaled(difference(center, here, wrap), away, balls.radius[j] + room)
        way = difference(way, scale(way, ZERO), wrap)
        d2 = dot(way, way)
        back = behind and dot(away, heading) <= ZERO
        better = best < 0 or (d2 < best_d2 if back == best_back else back)
        if better and is_free(spot, j, balls, wrap):
            best, best_d2, best_way, best_back = j, d2, way, back
    return best, best_way


@row_kernel
def hide(
    i: int, vehicles: VehicleColumns, pursuer: Quarry, balls: Balls, wrap: Array, when: int, numbers: Any,
    how: PredictionNumbers, end: ArrivingNumbers, resting: tuple[Resting, ...], in_sight: Array, left_now: Array,
    left_next: Array, clock: Clock, out: Out,
) -> None:  # fmt: skip
    """Come to the best spot, or evade."""
    others = pursuer.columns
    j = pursuer.pick[i]
    if j < 0:
        left_next[i] = ZERO
        return
    here, forward, danger = load(vehicles.position, i), load(vehicles.forward, i), load(others.position, j)
    offset, heading = difference(danger, here, wrap), load(others.forward, j)
    sees = when == 0 or (in_sight[i] != 0 and in_view(offset, forward, numbers.cosine))
    if sees and when == 2:
        sees = in_view(scale(offset, -ONE), heading, numbers.cosine)
    time_left = max(left_now[i] - clock.dt[0], ZERO)
    if sees:
        time_left = numbers.memory
    left_next[i] = time_left
    if not (sees or time_left > ZERO) or dot(offset, offset) > numbers.panic2:
        return
    room = numbers.margin + vehicles.radius[i]
    spot, way = best_spot(here, forward, room, danger, heading, numbers.behind == ONE, balls, wrap)
    if spot >= 0:
        force = come_among(way, load(others.velocity, j), i, vehicles, end, wrap, resting, clock)
    else:
        time = prediction_time(i, vehicles, offset, j, others, how)
        way = scale(add_scaled(offset, load(others.velocity, j), time), -ONE)
        force = drive(flight(way, forward), i, vehicles, end.go, clock.dt[0])
    deposit(out, i, force, vehicles.max_force[i], True)


@registered
class Hide(Arriving):
    """Keep an obstacle between the vehicle and a pursuer; evade where there is none.

    Args:
        pursuer: The population to hide from, or a LastSeen of it.
        obstacles: The obstacles to hide behind, which also block the view: a set, or a list of several.
        which: The member of the population to hide from: "nearest", "first", an id, ids (one per vehicle) or a mask.
        only_if: When to hide: "always"; "seen": only while the pursuer is seen; "mutually_seen": and sees the vehicle.
        memory: How long to go on hiding when it is not seen any more [s]. Raising it makes it look less forgetful.
        angle: Full field of view [rad], of the vehicle and of the pursuer. Raising it sees more of those behind.
        margin: Room between obstacle and vehicle at the spot [m]. Raising it stays farther from the obstacle.
        favor: Which spot to take: the "nearest", or the nearest of those "behind" or beside the pursuer, where there are any.
        panic_distance: Distance to the pursuer beyond which the vehicle does not hide [m]. Raising it hides from
            farther pursuers.
        prediction: How far ahead to look when the vehicle can only evade.
    """

    pursuer: Any = parameter(kind=QUARRY, positional=True)
    obstacles: Any = parameter(kind=OBSTACLES, positional=True)
    which: Any = parameter("nearest", kind=WHICH, of="pursuer")
    only_if: str = parameter("always", kind=TEXT, choices=WHEN)
    memory: float = parameter(0.0, low=0.0, unit="s")
    angle: float = parameter(1.5 * math.pi, low=0.0, high=2 * math.pi, unit="rad")
    margin: float = parameter(1.0, low=0.0, unit="m")
    favor: str = parameter("nearest", kind=TEXT, choices=FAVORS)
    panic_distance: float = parameter(math.inf, above=0.0, infinite=True, unit="m")
    prediction: Predictor = parameter(Approach(), kind=PREDICTOR)

    @property
    def _remembers(self) -> bool:
        return is_given(self.memory) and self.only_if != "always"

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """With a memory: how long it will still hide [s]."""
        return {"left": np.zeros(len(vehicles), vehicles.dtype)} if self._remembers else {}

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """One call, after those that choose each vehicle's pursuer and test the lines of sight."""
        n, d, dtype = scene.capacity, scene.vehicles.dimensions, scene.vehicles.dtype
        check_dimensions(self.obstacles, d)
        pursuer, calls = scene.quarry(self.pursuer, self.which, "pursuer")
        in_sight, position = np.zeros(n, np.int32), pursuer.columns.position
        if self.only_if != "always":
            calls += sight_calls(scene, self.obstacles, position, pursuer.pick[:, None], out.active, in_sight)
        balls = Balls(*self.obstacles.sphere_columns(dtype))
        panic2, cosine = squared(dtype, self.panic_distance), applied(half_angle_cosine, self.angle)
        numbers = scene.own("margin", "memory", panic2=panic2, cosine=cosine, behind=self.favor == "behind")
        none = np.zeros(n, dtype)
        before, after = (memory.now("left"), memory.next("left")) if self._remembers else (none, none.copy())
        arguments = (
            scene.columns, pursuer, balls, scene.wrap, WHEN.index(self.only_if), numbers, self.prediction.numbers(dtype),
            self.end(scene), self.resting(scene), in_sight, before, after, scene.clock, out,
        )  # fmt: skip
        return [*calls, Call(hide, arguments)]

    def sketch(self, context: SketchContext) -> Shapes:
        """The pursuer that it hides from, and the hiding place that it goes to."""
        watched = context.watched(self.pursuer, self.which)
        yield from context.choice(watched)
        centers, radii = self.obstacles.present_spheres()
        centers, radii = centers[radii >= 0], radii[radii >= 0]
        for k in np.flatnonzero((watched.row >= 0) & context.force.any(axis=1)):
            here, danger = context.position[k], watched.position[k]
            images = here + context.scene.domain.difference(centers, here)
            room = self.margin + context.radius[k]
            danger = images - context.scene.domain.difference(centers, danger)  # As each obstacle sees it.
            spots = hiding_spots(danger, images, radii, room)
            best = hiding_spot(here, danger, watched.forward[k], images, radii, room, favor=self.favor)
            if best >= 0:
                yield Circle(images[best], radii[best], role="chosen")
                yield segment(danger[best], spots[best], means="hidden behind the obstacle")
                yield Cross(spots[best], label="its hiding place")
