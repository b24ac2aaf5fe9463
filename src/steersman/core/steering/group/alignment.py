"""Alignment: head the same way as others nearby.

    "heading"        force = match(speed * forward + |speed now| * (the part of the neighbors' mean forward across the
                     vehicle's own forward))
    "velocity"       force = match(mean velocity of the neighbors)
    "forward"        force = strength * (mean forward of the neighbors - forward)
    "mean_velocity"  force = strength * mean velocity of the neighbors
    "vicsek"         force = match(speed * turned(unit(forward + sum of the neighbors' forward), noise))

Reynolds 1999, "Alignment" (velocities, or alternately unit forward vectors); Unity lecture ("mean_velocity", to be used
with drag); Vicsek et al. 1995 ("vicsek": an angle, uniform in [-noise/2, noise/2], on top of the mean heading of all
within the radius, the vehicle itself among them; in 3D it turns toward a random side). With response_time=0 and a large
max_force that is Vicsek's step: the new heading is taken at once. Other laws leave a vehicle without neighbors alone.

"heading" is made for flocks. The mean velocity of a crowd without order is nearly zero: a vehicle that matches it
stops, and nothing in a flock would set it going again. So the neighbors only turn a vehicle, as much as they agree (the
mean of unit vectors is short where they do not, so a vehicle does not tremble between two directions), and `speed` is
held at any heading. The heading nears the neighbors' at the rate sin(angle between them) / response_time. A vehicle
that meets others exactly head on has no side to turn to. With `turbulence`, gusts that neighbors share are added
(`steering/group/turbulence.py`).
"""

import math
from typing import Any

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths import vectors as v
from steersman.core.maths.frames import to_global, unit_rows, up_at
from steersman.core.maths.random import draw, signed_uniform, unit_vector
from steersman.core.maths.shapes import Arrow
from steersman.core.neighborhood.request import NeighborSum, Sum
from steersman.core.parameters.kinds import TEXT
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.driving.drive import DriveNumbers, drive_numbers
from steersman.core.steering.group.neighborly import Neighborly
from steersman.core.steering.group.turbulence import Gusts, gust, gusts_of
from steersman.core.steering.laws.vectors import length
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext
from steersman.core.steering.tree.forces import Out, deposit, match
from steersman.core.typing import Array, Vector
from steersman.core.vehicles.holding import POPULATIONS
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns

LAWS = ("heading", "velocity", "forward", "mean_velocity", "vicsek")


@row_kernel
def turn_and_cruise(i: int, vehicles: VehicleColumns, forwards: Sum, go: DriveNumbers, clock: Clock, out: Out) -> None:
    """Turn to the mean heading as far as the neighbors agree on it, and hold a speed."""
    force = turning_force(i, vehicles, forwards, go, clock)
    deposit(out, i, v.scale(force, min(forwards.count[i], v.ONE)), vehicles.max_force[i], False)


@row_kernel
def turn_in_gusts(
    i: int, vehicles: VehicleColumns, forwards: Sum, go: DriveNumbers, gusts: Gusts, clock: Clock, out: Out
) -> None:
    """The same, pushed aside by gusts."""
    force = turning_force(i, vehicles, forwards, go, clock)
    push = gust(v.load(vehicles.position, i), v.load(vehicles.forward, i), gusts, clock.time[0])
    force = v.add_scaled(force, push, vehicles.max_force[i])
    deposit(out, i, v.scale(force, min(forwards.count[i], v.ONE)), vehicles.max_force[i], False)


@kernel
def turning_force(i: int, vehicles: VehicleColumns, forwards: Sum, go: DriveNumbers, clock: Clock) -> Vector:
    """The force of "heading" on vehicle i, which has neighbors."""
    forward, velocity = v.load(vehicles.forward, i), v.load(vehicles.velocity, i)
    total = v.load(forwards.total, i)
    speed = v.dot(velocity, forward)
    # Without a branch, as in match_mean_velocity; in one sum, since it is asked for all of a flock.
    turning = abs(speed) / max(forwards.count[i], v.ONE)
    ahead = cruise(speed, vehicles.max_speed[i], go) - turning * v.dot(total, forward)
    desired = v.add_scaled(v.scale(total, turning), forward, ahead)
    return match(desired, velocity, vehicles.mass[i], vehicles.response_time[i], clock.dt[0])


@kernel
def cruise(speed: Any, max_speed: Any, go: DriveNumbers) -> Any:
    """The speed to hold [m/s]: the greatest, the present one, or a number."""
    if go.kind == v.ZERO:
        return max_speed
    if go.kind == v.ONE:
        return speed
    return go.speed


@row_kernel
def head_as_vicsek(
    i: int, vehicles: VehicleColumns, forwards: Sum, go: DriveNumbers, noise: Any, key: Array, clock: Clock,
    out: Out,
) -> None:  # fmt: skip
    """Turn to the mean heading, the vehicle itself among the neighbors, turned by a random angle."""
    forward, velocity = v.load(vehicles.forward, i), v.load(vehicles.velocity, i)
    total = v.add(v.load(forwards.total, i), forward)
    heading = v.direction_or(total, forwards.count[i] + v.ONE, forward)
    words = draw(key, vehicles.id[i], period_of(clock, noise.time), 0)
    side = v.perpendicular(heading)
    if len(heading) == 3:
        drawn = unit_vector(words[1], words[2], forwards.total)
        side = v.across(to_global(drawn, forward, up_at(vehicles.up, i)), heading, side)
    angle = noise.half * signed_uniform(words[0], vehicles.mass)
    heading = v.add_scaled(v.scale(heading, math.cos(angle)), side, math.sin(angle))
    desired = v.scale(heading, cruise(v.length(velocity), vehicles.max_speed[i], go))
    force = match(desired, velocity, vehicles.mass[i], vehicles.response_time[i], clock.dt[0])
    deposit(out, i, force, vehicles.max_force[i], False)


@kernel
def period_of(clock: Clock, time: Any) -> Any:
    """The number of the step, or of the time [s] for which a draw is held, if that is not zero."""
    if time > v.ZERO:
        return np.uint64((clock.time[0] + float(v.HALF * clock.dt[0])) / float(time))
    return np.uint64(clock.step[0])


@row_kernel
def match_mean_velocity(i: int, vehicles: VehicleColumns, velocities: Sum, clock: Clock, out: Out) -> None:
    """Match the mean velocity of the neighbors."""
    # Without a branch: whether there are neighbors in a narrow field of view cannot be predicted.
    mean = v.scale(v.load(velocities.total, i), v.ONE / max(velocities.count[i], v.ONE))
    force = match(mean, v.load(vehicles.velocity, i), vehicles.mass[i], vehicles.response_time[i], clock.dt[0])
    deposit(out, i, v.scale(force, min(velocities.count[i], v.ONE)), vehicles.max_force[i], False)


@row_kernel
def turn_to_mean_forward(i: int, vehicles: VehicleColumns, forwards: Sum, strength: Any, out: Out) -> None:
    """Strength [N] times the difference to the mean forward; max_force times it where strength is negative."""
    if forwards.count[i] > v.ZERO:
        mean = v.scale(v.load(forwards.total, i), v.ONE / forwards.count[i])
        size = vehicles.max_force[i] if strength < v.ZERO else strength
        force = v.scale(v.subtract(mean, v.load(vehicles.forward, i)), size)
        deposit(out, i, force, vehicles.max_force[i], False)


@row_kernel
def push_along_mean_velocity(i: int, vehicles: VehicleColumns, velocities: Sum, strength: Any, out: Out) -> None:
    """Strength [N s/m] times the mean velocity; where that is negative, 1 N per m/s."""
    if velocities.count[i] > v.ZERO:
        size = v.ONE if strength < v.ZERO else strength
        force = v.scale(v.load(velocities.total, i), size / velocities.count[i])
        deposit(out, i, force, vehicles.max_force[i], False)


@registered
class Alignment(Neighborly):
    """Match the neighbors: their heading, their speed.

    Args:
        radius: Distance up to which others are neighbors [m]. Raising it spreads agreement faster.
        of: The populations of the neighbors: another Vehicles, a list of several, or "all". Default: the own population.
        law: The quantity of the neighbors that is matched, and how: "heading", "velocity" (Reynolds), "forward",
            "mean_velocity" or "vicsek", see above.
        strength: Of "forward": force per unit of difference [N]. Of "mean_velocity": force per speed [N s/m]. Raising
            it aligns faster. Default: max_force; of "mean_velocity" 1.
        speed: Of "heading" and "vicsek": the speed to hold [m/s]: a number, "max" or "current" (the present speed).
            Raising it goes faster.
        turbulence: Of "heading": how hard gusts push vehicles with neighbors aside, as a part of max_force: see
            `steering/group/turbulence.py`. Raising it makes flocks wheel, and from about 0.1 on split; at 0 a flock
            that agrees flies straight on for ever.
        noise: Of "vicsek": width of the angles that are added to the mean heading [rad]. Raising it disorders the group.
        noise_time: Of "vicsek": how long a drawn angle is kept [s]. Zero: one step, as Vicsek does. Raising it makes
            the noise slower.

    Raises:
        TypeError: `neighbors` are fixed points, which have no heading.
    """

    of: Any = parameter(None, kind=POPULATIONS, optional=True)
    law: str = parameter("heading", kind=TEXT, choices=LAWS)
    strength: float | None = parameter(None, low=0.0, unit="N", optional=True)
    speed: float | str = parameter("max", choices=("max", "current"), low=0.0, unit="m/s")
    turbulence: float = parameter(0.0, low=0.0)
    noise: float = parameter(0.0, low=0.0, high=2 * math.pi, unit="rad")
    noise_time: float = parameter(0.0, low=0.0, unit="s")

    def needs(self) -> tuple[NeighborSum, ...]:
        """The sum of the velocities, or of the headings."""
        return (self.sum_of("velocity" if self.law in ("velocity", "mean_velocity") else "forward"),)

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """One call of the law's kernel."""
        total, vehicles, clock = scene.sum(self.needs()[0]), scene.columns, scene.clock
        if self.law == "velocity":
            return [Call(match_mean_velocity, (vehicles, total, clock, out))]
        go = drive_numbers(self.speed, scene.vehicles.dtype)
        if self.law == "heading" and self.turbulence > 0:
            gusts = gusts_of(float(self.turbulence), float(self.radius), scene)
            return [Call(turn_in_gusts, (vehicles, total, go, gusts, clock, out))]
        if self.law == "heading":
            return [Call(turn_and_cruise, (vehicles, total, go, clock, out))]
        if self.law == "vicsek":
            noise = scene.own(half=0.5 * self.noise, time=self.noise_time)
            return [Call(head_as_vicsek, (vehicles, total, go, noise, scene.key, clock, out))]
        strength = scene.number(self.strength)
        if self.law == "forward":
            return [Call(turn_to_mean_forward, (vehicles, total, strength, out))]
        return [Call(push_along_mean_velocity, (vehicles, total, strength, out))]

    def sketch(self, context: SketchContext) -> Shapes:
        """The neighborhood, and the mean heading of its members: to the mean distance at which they are."""
        yield from super().sketch(context)
        near, others = self._near(context), context.others(self.of)
        moves = self.law in ("velocity", "mean_velocity")
        ways = (others.velocity if moves else others.forward)[near.row]
        mean, far = np.zeros_like(context.position), np.zeros(len(context.rows))
        np.add.at(mean, near.of, ways)
        np.add.at(far, near.of, length(near.position - context.position[near.of]))
        far /= np.maximum(np.bincount(near.of, minlength=len(far)), 1)
        tip = context.position + unit_rows(mean) * far[:, None]
        yield Arrow(context.position, tip, role="target", label=f"average {'velocity' if moves else 'heading'}")
