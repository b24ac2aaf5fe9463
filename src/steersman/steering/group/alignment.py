"""Alignment: head the same way, at the same speed, as others nearby.

    "velocity"       force = match(mean velocity of the neighbors)
    "forward"        force = strength * (mean forward of the neighbors - forward)
    "mean_velocity"  force = strength * mean velocity of the neighbors

Reynolds 1999, "Alignment" (velocities, or alternately unit forward vectors); Unity lecture ("mean_velocity", to be used with
drag). A vehicle without neighbors is left alone.
"""

from dataclasses import dataclass

from steersman.geometry.call import Call
from steersman.geometry.kernel import kernel
from steersman.geometry.parameters import parameter
from steersman.geometry.vectors import ONE, ZERO, Array, load, scale, subtract
from steersman.neighborhood.request import NeighborSum, Sum
from steersman.steering.behavior import Out, deposit, match
from steersman.steering.group.neighborly import Neighborly
from steersman.steering.registry import registered
from steersman.steering.scene import Clock, Scene
from steersman.vehicles.body import Body
from steersman.vehicles.memory import Memory
from steersman.vehicles.vehicles import Vehicles

LAWS = ("velocity", "forward", "mean_velocity")


@kernel
def match_mean_velocity(start: int, stop: int, body: Body, velocities: Sum, clock: Clock, out: Out) -> None:
    """Match the mean velocity of the neighbors."""
    for i in range(start, stop):
        if out.active[i]:
            # Without a branch: whether there are neighbors in a narrow field of view cannot be predicted.
            mean = scale(load(velocities.total, i), ONE / max(velocities.count[i], ONE))
            force = match(mean, load(body.velocity, i), body.mass[i], body.response_time[i], clock.dt[0])
            deposit(out, i, scale(force, min(velocities.count[i], ONE)), body.max_force[i], False)


@kernel
def turn_to_mean_forward(start: int, stop: int, body: Body, forwards: Sum, numbers: Array, out: Out) -> None:
    """Strength times what is missing to the mean forward. Numbers: strength (< 0: max_force)."""
    for i in range(start, stop):
        if out.active[i] and forwards.count[i] > ZERO:
            mean = scale(load(forwards.total, i), ONE / forwards.count[i])
            strength = body.max_force[i] if numbers[0] < ZERO else numbers[0]
            force = scale(subtract(mean, load(body.forward, i)), strength)
            deposit(out, i, force, body.max_force[i], False)


@kernel
def push_along_mean_velocity(start: int, stop: int, body: Body, velocities: Sum, numbers: Array, out: Out) -> None:
    """Strength times the mean velocity. Numbers: strength (< 0: 1 N per m/s)."""
    for i in range(start, stop):
        if out.active[i] and velocities.count[i] > ZERO:
            strength = ONE if numbers[0] < ZERO else numbers[0]
            force = scale(load(velocities.total, i), strength / velocities.count[i])
            deposit(out, i, force, body.max_force[i], False)


@registered
@dataclass(frozen=True, eq=False)
class Alignment(Neighborly):
    """Do as the neighbors do: their heading, their speed.

    Args:
        radius: Distance up to which others are neighbors [m]. Raising it spreads agreement faster.
        angle: Full field of view [rad].
        inner_radius: Distance within which neighbors are noticed at any angle [m].
        k: Only the k nearest count.
        of: Whose members are the neighbors: another Vehicles. Default: the own population.
        law: "velocity", "forward" or "mean_velocity": see above.
        strength: Of "forward": force per unit of difference [N] (default: max_force). Of "mean_velocity": force per
            speed [N s/m] (default: 1).
        name: Name by which the node keeps its memory.

    Raises:
        TypeError: An argument is of another kind; fixed points have no heading.
        ValueError: A number is NaN or out of range, or a word is not known.
    """

    law: str = parameter("velocity", kind="text", choices=LAWS, doc="Match velocities, or headings.")
    strength: float | None = parameter(None, low=0.0, unit="N", optional=True, doc="Force per unit of difference.")

    def validate(self) -> None:
        """Neighbors must have a heading."""
        if self.of is not None and not isinstance(self.of, Vehicles):
            raise TypeError(f"of must be Vehicles, which have a heading and a velocity, got {self.of!r}")

    def needs(self) -> tuple[NeighborSum, ...]:
        """The sum of the velocities, or of the headings."""
        return (self.sum_of("forward" if self.law == "forward" else "velocity"),)

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """One call of the law's kernel."""
        total = scene.sum(self.needs()[0])
        if self.law == "velocity":
            return [Call(match_mean_velocity, (scene.body, total, scene.clock, out))]
        numbers = scene.numbers(-1.0 if self.strength is None else self.strength)
        if self.law == "forward":
            return [Call(turn_to_mean_forward, (scene.body, total, numbers, out))]
        return [Call(push_along_mean_velocity, (scene.body, total, numbers, out))]
