"""Wander: random steering that keeps its direction for a while.

Six laws; a random step is rate * sqrt(dt) * draw, so that the walk does not depend on the time step:

    "sphere"       s' = unit(s + step), draws on the unit sphere;  force = max_force (distance forward + strength s')
    "jitter"       the same, each component of a draw uniform in [-1, 1]
    "turn"         w' = clip(w + step, -max_turn_rate, max_turn_rate), draws uniform in [-1, 1];
                   desired = speed * rotate(forward, w' response_time)
    "orientation"  b' = b + step, draws uniform - uniform;
                   force = max_force unit(distance forward + strength rotate(forward, b'))
    "gradient"     force = max_force (distance forward + strength noise(rate time) sideways), coherent noise
    "lateral"      w' = clip(w + step, -1, 1), draws uniform in [-1, 1];
                   force = max_force (distance forward + strength w' side), in 3D with a second walk along up

Reynolds 1999, "Wander" ("sphere", and the hint at "gradient"); game AI lecture ("jitter": its printed random(0, J)
drifts, and its world offset must not be added to the persistent target); project notes ("turn": 0.1 pi and 0.001 pi a
step, here converted with a step of 1/60 s); Unity lecture ("orientation": 0.4 a step of 1/50 s, with one convention of
angles); OpenSteer's steerForWander ("lateral": there 12 dt a step of 1/60 s, and no part forward).

"orientation" with the lecture's own distance 1.5 and strength 4 pushes backwards for bearings beyond 112 degrees. Its
body keeps the orientation that it has (`FreeBody`); a body that faces along its velocity would brake, reverse, and
twitch to and fro. So the default is 4 and 1.5, the same circle as far ahead as it was wide, of which every point lies
ahead. In 3D "turn" and "orientation" walk in two angles, about up and about side.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.angles import wrap_angle
from steersman.core.maths.frames import to_global, up_at
from steersman.core.maths.random import draw, signed_uniform, uniform, unit_vector
from steersman.core.maths.shapes import Arrow, Circle, Cross, segment
from steersman.core.maths.vectors import ONE, ZERO, add_scaled, dot, load, normalize, scale, store, with_length
from steersman.core.parameters.kinds import TEXT
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.driving.drive import DriveNumbers, drive_numbers
from steersman.core.steering.noise import smooth_noise
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext
from steersman.core.steering.tree.forces import Out, deposit, match, response
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles

DEFAULTS = {
    # law: (distance, strength, rate)
    "sphere": (1.0, 0.75, 1.5),
    "jitter": (1.0, 0.75, 1.5),
    "turn": (0.0, 0.0, 0.001 * math.pi * 60 * math.sqrt(60)),
    "orientation": (4.0, 1.5, 0.4 * math.sqrt(50)),
    "gradient": (1.0, 0.75, 0.5),
    "lateral": (0.5, 1.0, 12 / math.sqrt(60)),
}


@kernel
def signed_vector(a: Any, b: Any, c: Any, like: Columns) -> Vector:
    """Two or three components, uniform in [-1, 1)."""
    if len(like) == 2:
        return (signed_uniform(a, like[0]), signed_uniform(b, like[0]))
    return (signed_uniform(a, like[0]), signed_uniform(b, like[0]), signed_uniform(c, like[0]))


@row_kernel
def draw_steps(i: int, id: Array, drawn: Columns, jitter: bool, key: Array, clock: Clock) -> None:
    """The direction of a random step; with jitter, of any length. For all rows, asked or not, so that the loop vectorizes."""
    a, b, c, _ = draw(key, id[i], clock.step[0], 0)
    if jitter:
        store(drawn, i, signed_vector(a, b, c, drawn))
    else:
        store(drawn, i, unit_vector(a, b, drawn))


@row_kernel
def wander_on_sphere(
    i: int,
    vehicles: VehicleColumns,
    now: Columns,
    following: Columns,
    drawn: Columns,
    numbers: Any,
    clock: Clock,
    out: Out,
) -> None:
    """A point walks on a sphere ahead, by a step that was drawn."""
    point = load(now, i)
    walked = add_scaled(point, load(drawn, i), numbers.rate * math.sqrt(clock.dt[0]))
    if dot(walked, walked) != ZERO:
        point = normalize(walked)
    store(following, i, point)
    forward = load(vehicles.forward, i)
    way = add_scaled(
        scale(forward, numbers.distance), to_global(point, forward, up_at(vehicles.up, i)), numbers.strength
    )
    deposit(out, i, scale(way, vehicles.max_force[i]), vehicles.max_force[i], True)


@kernel
def turned(angles: Vector, forward: Vector, up: Vector) -> Vector:
    """Forward turned to the left by the first angle and, in 3D, upwards by the second."""
    if len(forward) == 2:
        return to_global((math.cos(angles[0]), -math.sin(angles[0])), forward, up)
    level = math.cos(angles[1])
    return to_global((math.cos(angles[0]) * level, math.sin(angles[1]), -math.sin(angles[0]) * level), forward, up)


@kernel
def angles_at(columns: Columns, i: int, factor: Any) -> Vector:
    """Row i of one or two columns of angles, times a factor."""
    if len(columns) == 1:
        return (columns[0][i] * factor, columns[0][i] * ZERO)
    return (columns[0][i] * factor, columns[1][i] * factor)


@row_kernel
def wander_turning(
    i: int, vehicles: VehicleColumns, now: Columns, following: Columns, numbers: Any, go: DriveNumbers,
    key: Array, clock: Clock, out: Out,
) -> None:  # fmt: skip
    """The turn rate walks between two bounds."""
    words = draw(key, vehicles.id[i], clock.step[0], 0)
    step = numbers.rate * math.sqrt(clock.dt[0])
    for k in range(len(now)):
        walked = now[k][i] + step * signed_uniform(words[k], vehicles.mass)
        following[k][i] = min(max(walked, -numbers.max_turn_rate), numbers.max_turn_rate)
    tau = response(vehicles.response_time[i], clock.dt[0])
    way = turned(angles_at(following, i, tau), load(vehicles.forward, i), up_at(vehicles.up, i))
    velocity, speed = load(vehicles.velocity, i), vehicles.max_speed[i]
    if go.kind == ONE:
        speed = math.sqrt(dot(velocity, velocity))
    elif go.kind > ONE:
        speed = go.speed
    force = match(scale(way, speed), velocity, vehicles.mass[i], tau, tau)
    deposit(out, i, force, vehicles.max_force[i], True)


@row_kernel
def wander_by_orientation(
    i: int, vehicles: VehicleColumns, now: Columns, following: Columns, numbers: Any, key: Array,
    clock: Clock, out: Out,
) -> None:  # fmt: skip
    """The bearing of a point on a circle ahead walks."""
    words = draw(key, vehicles.id[i], clock.step[0], 0)
    step = numbers.rate * math.sqrt(clock.dt[0])
    for k in range(len(now)):
        drawn = uniform(words[2 * k], vehicles.mass) - uniform(words[2 * k + 1], vehicles.mass)
        following[k][i] = wrap_angle(now[k][i] + step * drawn)
    forward = load(vehicles.forward, i)
    bearing = turned(angles_at(following, i, ONE), forward, up_at(vehicles.up, i))
    way = add_scaled(scale(forward, numbers.distance), bearing, numbers.strength)
    deposit(out, i, with_length(way, vehicles.max_force[i]), vehicles.max_force[i], True)


@kernel
def ahead_and_aside(like: Vector, ahead: Any, upwards: Any, aside: Any) -> Vector:
    """Local components: (forward, side) in 2D, (forward, up, side) in 3D."""
    if len(like) == 2:
        return (ahead, aside)
    return (ahead, upwards, aside)


@kernel
def push(i: int, vehicles: VehicleColumns, ahead: Any, upwards: Any, aside: Any, out: Out) -> None:
    """Hand over a force along local components, in parts of max_force."""
    forward = load(vehicles.forward, i)
    way = to_global(ahead_and_aside(forward, ahead, upwards, aside), forward, up_at(vehicles.up, i))
    deposit(out, i, scale(way, vehicles.max_force[i]), vehicles.max_force[i], True)


@row_kernel
def wander_by_noise(i: int, vehicles: VehicleColumns, numbers: Any, key: Array, clock: Clock, out: Out) -> None:
    """Coherent noise sideways."""
    # Every vehicle is at another place of its noise, or all would change their minds at once.
    phase = float(uniform(draw(key, vehicles.id[i], 0, 2)[0], vehicles.mass)) / numbers.rate
    time, period = clock.time[0] + phase, ONE / numbers.rate
    aside = numbers.strength * smooth_noise(key, vehicles.id[i], time, period, 0, vehicles.mass)
    upwards = numbers.strength * smooth_noise(key, vehicles.id[i], time, period, 1, vehicles.mass)
    push(i, vehicles, numbers.distance, upwards, aside, out)


@row_kernel
def wander_by_sides(
    i: int, vehicles: VehicleColumns, now: Columns, following: Columns, numbers: Any, key: Array,
    clock: Clock, out: Out,
) -> None:  # fmt: skip
    """A number walks between -1 and 1, the steering to the side; in 3D a second one upwards."""
    words = draw(key, vehicles.id[i], clock.step[0], 0)
    step = numbers.rate * math.sqrt(clock.dt[0])
    for k in range(len(now)):
        following[k][i] = min(max(now[k][i] + step * signed_uniform(words[k], vehicles.mass), -ONE), ONE)
    aside, upwards = angles_at(following, i, numbers.strength)
    push(i, vehicles, numbers.distance, upwards, aside, out)


@registered
class Wander(Behavior):
    """Stroll about at random, without twitching.

    Args:
        law: Which random walk: "sphere" (Reynolds), "jitter", "turn", "orientation", "gradient" or "lateral" (OpenSteer), see
            above.
        distance: How far ahead the center of the sphere is, as a part of max_force (of "orientation": in any unit, that
            of `strength`). Raising it holds the vehicle on its course. Default: 1; of "orientation" 4, of "lateral"
            0.5.
        strength: Radius of the sphere, the largest sideways steering, as a part of max_force. Raising it turns harder.
            Default: 0.75; of "orientation" 1.5, of "lateral" 1.
        rate: Size of the random steps: of "sphere" and "jitter" in radii per square root of a second [1/sqrt(s)]; of
            "turn" [rad/s per square root of a second]; of "orientation" [rad per square root of a second]; of
            "gradient" the frequency of the noise [1/s]; of "lateral" per square root of a second. Raising it changes
            direction sooner. Default: 1.5; of "turn" 1.46, of "orientation" 2.83, of "gradient" 0.5, of "lateral" 1.55.
        max_turn_rate: Of "turn": the largest turn rate [rad/s]. Raising it allows tighter turns.
        speed: Of "turn": the speed to hold [m/s]: a number, "max" or "current". Raising it goes faster.
    """

    law: str = parameter("sphere", kind=TEXT, choices=tuple(DEFAULTS), positional=True)
    distance: float | None = parameter(None, low=0.0, optional=True)
    strength: float | None = parameter(None, low=0.0, optional=True)
    rate: float | None = parameter(None, above=0.0, unit="1/sqrt(s)", optional=True)
    max_turn_rate: float = parameter(0.1 * math.pi * 60, low=0.0, unit="rad/s")
    speed: float | str = parameter("max", choices=("max", "current"), low=0.0, unit="m/s")

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """The point on the sphere, straight ahead; or the angles or sides, zero. "gradient" needs no memory."""
        n, d = len(vehicles), vehicles.dimensions
        if self.law in ("sphere", "jitter"):
            point = np.zeros((n, d), vehicles.dtype)
            point[:, 0] = 1
            return {"point": point}
        if self.law in ("turn", "orientation"):
            return {"angles": np.zeros((n, d - 1), vehicles.dtype)}
        if self.law == "lateral":
            return {"sides": np.zeros((n, d - 1), vehicles.dtype)}
        return {}

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """One call of the law's kernel."""
        distance, strength, rate = self._sizes
        numbers = scene.own(distance=distance, strength=strength, rate=rate)
        vehicles, clock, key = scene.columns, scene.clock, scene.key
        if self.law in ("sphere", "jitter"):
            now, following = memory.now("point"), memory.next("point")
            drawn = tuple(np.zeros((scene.vehicles.dimensions, scene.vehicles.capacity), scene.vehicles.dtype))
            return [
                Call(draw_steps, (vehicles.id, drawn, self.law == "jitter", key, clock)),
                Call(wander_on_sphere, (vehicles, now, following, drawn, numbers, clock, out)),
            ]
        if self.law == "gradient":
            return [Call(wander_by_noise, (vehicles, numbers, key, clock, out))]
        if self.law == "lateral":
            now, following = memory.now("sides"), memory.next("sides")
            return [Call(wander_by_sides, (vehicles, now, following, numbers, key, clock, out))]
        now, following = memory.now("angles"), memory.next("angles")
        if self.law == "turn":
            turning = scene.own("max_turn_rate", rate=rate)
            go = drive_numbers(self.speed, scene.vehicles.dtype)
            return [Call(wander_turning, (vehicles, now, following, turning, go, key, clock, out))]
        return [Call(wander_by_orientation, (vehicles, now, following, numbers, key, clock, out))]

    def sketch(self, context: SketchContext) -> Shapes:
        """The circle ahead, the point that walks on it, and how far it goes in one step.

        Sizes without a unit of length are drawn in units of the way that the vehicle covers at most in a second.
        """
        if self.law == "turn":
            return
        distance, strength, rate = self._sizes
        scale = context.max_speed[:, None]
        center = context.position + distance * scale * context.forward
        if self.law in ("gradient", "lateral"):
            point = context.position + context.force * (scale / context.max_force[:, None])
            side = strength * scale * context.axes[:, -1]
            yield segment(center - side, center + side, "range", "its point moves on this line")
        else:
            point = center + strength * scale * context.globalized(self._local(context.memory))
            step = strength * rate * math.sqrt(context.scene.dt)
            yield Circle(center, strength * scale[:, 0], label="its point moves on this circle")
            yield Circle(point, step * scale[:, 0], role="guide", means="a step of the point")
        yield segment(context.position, center, means="to the middle of the circle")
        yield Cross(point, label="its random point")
        yield Arrow(context.position, point, role="target", means="its random point")

    @property
    def _sizes(self) -> list[float]:
        """Distance, strength and rate: the given ones, or the law's own."""
        values = (self.distance, self.strength, self.rate)
        return [own if own is not None else usual for own, usual in zip(values, DEFAULTS[self.law], strict=True)]

    def _local(self, memory: Mapping[str, Array]) -> Array:
        """Where the point on the circle is, as seen from its middle: unit vectors along the vehicles' own axes."""
        if self.law != "orientation":
            return memory["point"]
        angle = memory["angles"]
        ahead, aside = np.cos(angle[:, 0]), -np.sin(angle[:, 0])
        if angle.shape[1] == 1:
            return np.stack([ahead, aside], axis=1)
        level = np.cos(angle[:, 1])
        return np.stack([ahead * level, np.sin(angle[:, 1]), aside * level], axis=1)
