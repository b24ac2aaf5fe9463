"""Separation: keep a distance from others nearby.

    "inverse"         force = strength * sum of unit(position - neighbor) / r^falloff
    "inverse_square"  force = sum of unit(position - neighbor) * min(strength / r^2, limit)
    "mean_site"       force = flee(mean of the neighbors' positions); without neighbors, brake

By default pushes fade, times 1 - (r / radius)^2: a push that ends at the radius with a jump drives pairs out of it, and
other neighbors push them back, by turns. fade=False is the sources' letter; an infinite radius has no end at which to
fade.

Of bodies of length, r is the way between the nearest points of their axes, in the first two laws.

Reynolds 1999, "Separation" (falloff 1: "a setting that has worked well, not a fundamental value"); Unity lecture
("inverse_square", there within 2 m, strength 25; with the printed sign its limit never holds); project notes ("mean_site";
their program flees the sum, the mean is meant).
"""

import math
from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.shapes import ScaledArrow, Shape, segment
from steersman.core.maths.vectors import ONE, TWO, ZERO, largest_component, load, scale
from steersman.core.neighborhood.request import NeighborSum, Sum
from steersman.core.parameters.kinds import FLAG, TEXT
from steersman.core.parameters.parameters import parameter
from steersman.core.parameters.per_vehicle import NumberColumn, finite_or, plain
from steersman.core.steering.driving.drive import DriveNumbers, drive, drive_numbers
from steersman.core.steering.group.neighborly import FEW, Neighborly
from steersman.core.steering.laws.grouping import inverse_square_separation, separation
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import SketchContext
from steersman.core.steering.tree.forces import Out, deposit, match
from steersman.core.typing import Array
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns

LAWS = ("inverse", "inverse_square", "mean_site")

MOST, LEAST = np.float32(1e18), np.float32(1e-15)
"""The largest component of a force [N], and MOST / LEAST the largest strength at 1 m: squares are still finite in float32."""


class SeparationNumbers(NamedTuple):
    """How neighbors push.

    Attributes:
        strength: Push of one at 1 m [N m^falloff]; negative: max_force when touching.
        touching: The distance that counts as touching where radii are zero [m].
    """

    strength: Any
    touching: Any


@row_kernel
def separate(
    i: int, vehicles: VehicleColumns, pushes: Sum, numbers: SeparationNumbers, falloff: tuple[Any, ...],
    out: Out,
) -> None:  # fmt: skip
    """Strength times the sum of the pushes. `falloff` is their exponent, () for 1, which needs no power."""
    if out.active[i] and pushes.count[i] > ZERO:
        strength = numbers.strength
        if strength < ZERO:
            touching = TWO * vehicles.radius[i]
            if touching == ZERO:
                touching = numbers.touching
            strength = vehicles.max_force[i] * (touching if len(falloff) == 0 else touching ** falloff[0])
        total = load(pushes.total, i)
        if len(falloff) > 0:
            # A steep push is beyond all numbers where vehicles are large, or close together.
            strength = min(strength, MOST / max(largest_component(total), LEAST))
        deposit(out, i, scale(total, strength), vehicles.max_force[i], False)


@row_kernel
def flee_mean_site(i: int, vehicles: VehicleColumns, offsets: Sum, go: DriveNumbers, clock: Clock, out: Out) -> None:
    """Flee the mean of the neighbors; brake where there are none."""
    if offsets.count[i] > ZERO:
        way = scale(load(offsets.total, i), -ONE / offsets.count[i])
        deposit(out, i, drive(way, i, vehicles, go, clock.dt[0]), vehicles.max_force[i], True)
    else:
        velocity = load(vehicles.velocity, i)
        force = match(scale(velocity, ZERO), velocity, vehicles.mass[i], vehicles.response_time[i], clock.dt[0])
        deposit(out, i, force, vehicles.max_force[i], False)


@registered
class Separation(Neighborly):
    """Keep a distance from neighbors.

    It leads nobody round others. In a sum with a goal, a push of max_force slows a vehicle down by max_force * response_time
    / mass, and no more: it goes through those of another population that stand in its way (`of`). Take
    `AvoidNeighbors(of=others) + Arrive(goal)` there, or a Priority of the two.

    Args:
        radius: Distance up to which others are neighbors [m]. Raising it spreads the group.
        law: How neighbors push: "inverse" (Reynolds), "inverse_square" or "mean_site", see above.
        strength: Push of one neighbor at 1 m [N m^falloff]. Raising it spreads the group. Default: max_force * (2 * the
            vehicle's radius)^falloff, so that one neighbor at touching distance pushes with max_force; of
            "inverse_square" 25.
        falloff: Of "inverse": how fast the push falls off. Raising it leaves only the closest to matter.
        limit: Of "inverse_square": the largest push of one neighbor [N]. Raising it lets close neighbors push harder.
        fade: Whether pushes of the first two laws fade to nothing at the radius, rather than end there with a jump.
        speed: Of "mean_site": how fast to flee [m/s]: a number, "max", "current" or "offset". Raising it goes faster.
    """

    law: str = parameter("inverse", kind=TEXT, choices=LAWS)
    strength: float | None = parameter(None, low=0.0, unit="N m^falloff", optional=True)
    falloff: float = parameter(1.0, low=0.0)
    limit: float = parameter(math.inf, above=0.0, infinite=True, unit="N")
    fade: bool = parameter(True, kind=FLAG)
    speed: float | str = parameter("max", choices=("max", "current", "offset"), low=0.0, unit="m/s")

    def needs(self) -> tuple[NeighborSum, ...]:
        """The sum of the pushes, or of the offsets."""
        if self.law == "mean_site":
            return (self.sum_of("offset"),)
        if self.law == "inverse":
            return (self.sum_of("repulsion", self.falloff, fades=self.fade),)
        strength = self._strength
        limit = math.inf if strength == 0 else plain(self.limit) / strength
        return (self.sum_of("repulsion", 2.0, limit, fades=self.fade),)

    def pushes(self) -> bool:
        """The first two laws do, where the own population may be among the neighbors."""
        return self.law != "mean_site" and (self.of is None or isinstance(self.of, (tuple, str)))

    @property
    def _strength(self) -> Any:
        usual = 25.0 if self.law == "inverse_square" else -1.0
        return usual if self.strength is None else plain(self.strength)

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """One call of the law's kernel."""
        total = scene.sum(self.needs()[0])
        if self.law == "mean_site":
            go = drive_numbers(self.speed, scene.vehicles.dtype)
            return [Call(flee_mean_site, (scene.columns, total, go, scene.clock, out))]
        radius: Any = self.radius
        reach = 1.0 if isinstance(radius, NumberColumn) else finite_or(radius, 1.0)
        numbers = scene.numbers(SeparationNumbers, strength=self._strength, touching=0.1 * reach)
        falloff = () if self.falloff == 1 else (scene.number(self.falloff),)
        return [Call(separate, (scene.columns, total, numbers, falloff, out))]

    def sketch(self, context: SketchContext) -> Iterator[Shape]:
        """The neighborhood, and how hard each neighbor pushes."""
        yield from super().sketch(context)
        if self.law == "mean_site":
            return
        near = self._near(context).few(FEW)
        strength = self._strengths(context)[near.of]
        fade = self.radius if self.fade else math.inf
        law: Any = partial(separation, falloff=self.falloff, fade=fade)
        if self.law == "inverse_square":
            law = partial(inverse_square_separation, limit=self.limit, fade=fade)
        start, there = context.nearest_points(near, self.of)
        pushes = [
            law(here, other[None], strength=push) for here, other, push in zip(start, there, strength, strict=True)
        ]
        axis, its = context.axes_of_bodies(), context.axes_of_bodies(context.others(self.of), near.row)
        if axis.any() or its.any():
            yield segment(start, there, means="between nearest points")
            yield from context.bodies(context.position, axis, context.radius)
        if pushes:
            as_speed = (context.response_time / context.mass)[near.of]
            yield ScaledArrow(start, np.array(pushes), "N", as_speed, means="push of a neighbor")

    def _strengths(self, context: SketchContext) -> Array:
        """How hard a neighbor at 1 m pushes each of them, shape (k,)."""
        if self._strength >= 0:
            return np.full(len(context.rows), self._strength)
        reach = self.radius if np.isfinite(self.radius) else 1.0
        touching = np.where(context.radius > 0, 2 * context.radius, 0.1 * reach)
        return np.asarray(np.minimum(context.max_force * touching**self.falloff, MOST / LEAST))
