"""Queue: wait in line before a doorway, without pushing.

    speed = min(V, max(|offset| - both radii - spacing, 0) / headway)
    force = mass * (speed * unit(doorway - position) - velocity) / response_time

over all neighbors that go first. The vehicle nearer to the doorway goes first, and of two equally near the one with the
lower id; so one vehicle always goes, and none pushes. With an `exit`, the direction through the doorway, vehicles that
are through count only as bodies in the way; without one, the first stops at the doorway, as at a counter.

A neighbor that goes first is in the way with the whole way that it still has, since ways from all sides meet at the
doorway: the offset is that to the nearest point of this way which is in the lane ahead, as wide as both and the spacing.
With an `exit` its way ends beyond the doorway by

    mass V^2 (1 - cos(angle between way and exit)) / max_force

the width of its bend into the exit.

A line is one vehicle wide, however wide the door is, and lets V / (both radii + spacing + V headway) vehicles through a
second. A wide door has several lines: give each vehicle the doorway of its line, an array of a place each.

The collision-free speed model of Tordeux, Chraibi and Seyfried (2016), along one direction.
"""

import math
from typing import Any

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.shapes import Circle, Cross, Tube, segment
from steersman.core.maths.vectors import (
    ONE,
    TINY,
    ZERO,
    add_scaled,
    difference,
    dot,
    lateral,
    load,
    scale,
    subtract,
    with_length,
)
from steersman.core.neighborhood.bodies import Bodies, body_offset
from steersman.core.neighborhood.request import Listing, NeighborList
from steersman.core.parameters.kinds import DIRECTION, INTEGER
from steersman.core.parameters.parameters import parameter
from steersman.core.parameters.per_vehicle import plain
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import NARROW_RING, Near, Shapes, SketchContext
from steersman.core.steering.targets.target import TARGET, Mark
from steersman.core.steering.tree.forces import Out, deposit, match
from steersman.core.steering.tree.knowledge import Knowledge
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.holding import POPULATIONS
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles

TURNING = ("mass", "max_speed", "max_force")
"""Columns of neighbors that say how much room they need to turn."""

NAMED = 4
"""Of so many neighbors in the lane, the nearest, a sketch says when they go."""


@kernel
def is_through(way: Vector, exit: Columns) -> bool:
    """Whether a vehicle has passed the doorway, which lies at this offset [m]."""
    return len(exit) > 0 and dot(way, load(exit, 0)) <= ZERO


@kernel
def room_in_lane(offset: Vector, rest: Vector, along: Vector, both: Any, none: Any) -> Any:
    """Room [m] to a body that is at an offset and still goes the way `rest`, as soon as it is in the lane; else `none`."""
    aside, shift, step2 = lateral(offset, along), lateral(rest, along), dot(rest, rest)
    enters, beyond = step2 * ZERO, dot(aside, aside) - both * both
    if beyond > ZERO:
        slope, shift2 = -dot(aside, shift), dot(shift, shift)
        square = slope * slope - beyond * shift2
        if not (slope > ZERO and square >= ZERO):
            return none
        enters = beyond / (slope + math.sqrt(square))
        if enters > ONE:
            return none
    nearest = min(max(-dot(offset, rest) / max(step2, TINY), enters), ONE)
    there = add_scaled(offset, rest, nearest)
    return math.sqrt(dot(there, there)) - both if dot(there, along) > ZERO else none


@kernel
def doorway_of(
    j: int, way: Vector, here: Vector, doorway: Mark, rows: tuple[Array, ...], wrap: Array
) -> Vector:  # fmt: skip
    """The way [m] from here to the doorway of neighbor j; to the own one, if j is not of the own population.

    Args:
        j: The row of the neighbor.
        way: The way from here to the own doorway [m].
        here: The own position [m].
        doorway: The doorways of the own population.
        rows: The first row and the number of rows of the own population.
        wrap: The domain.
    """
    row = j - rows[0][0]
    if not 0 <= row < rows[0][1] or doorway.pick[row] < 0:
        return way
    return difference(load(doorway.position, doorway.pick[row]), here, wrap)


@kernel
def with_bend(rest: Vector, j: int, others: VehicleColumns, exit: Columns, longest: Any) -> Vector:
    """The way [m] of neighbor j to its doorway, and on beyond it by the width of its bend, at most so far."""
    if len(exit) == 0:
        return rest
    far, speed = max(math.sqrt(dot(rest, rest)), TINY), others.max_speed[j]
    slope = max(ONE - dot(rest, load(exit, 0)) / far, ZERO)
    bend = others.mass[j] * speed * speed * slope / max(others.max_force[j], TINY)
    return scale(rest, ONE + min(bend, longest) / far)


@kernel
def gap_ahead(
    i: int, way: Vector, vehicles: VehicleColumns, others: VehicleColumns, bodies: Bodies, doorway: Mark,
    rows: tuple[Array, ...], listing: Listing, wrap: Array, exit: Columns, numbers: Any, enough: Any,
) -> Any:  # fmt: skip
    """Room [m] to the nearest vehicle that goes first, where it is or will be in the lane ahead; at most `enough`."""
    gap, along = enough, scale(way, ONE / math.sqrt(dot(way, way)))
    here, own_d2 = load(vehicles.position, i), dot(way, way)
    for k in range(listing.number[i]):
        j = listing.row[i, k]
        middle = difference(load(others.position, j), here, wrap)
        rest = subtract(way, middle)
        other_d2, through = dot(rest, rest), is_through(rest, exit)
        if not (through or other_d2 < own_d2 or (other_d2 == own_d2 and others.id[j] < vehicles.id[i])):
            continue
        if through:
            rest = scale(rest, ZERO)
        elif len(rows) > 0:
            rest = subtract(doorway_of(j, way, here, doorway, rows, wrap), middle)
        offset = body_offset(middle, i, j, vehicles, others, bodies)
        both = vehicles.radius[i] + others.radius[j] + numbers.spacing
        reach = gap + both
        if dot(offset, rest) < ZERO or dot(offset, offset) < reach * reach:
            if not through:
                rest = with_bend(rest, j, others, exit, numbers.free)
            gap = min(gap, room_in_lane(offset, rest, along, both, enough))
    return gap


@row_kernel
def queue(
    i: int, vehicles: VehicleColumns, others: VehicleColumns, bodies: Bodies, doorway: Mark, rows: tuple[Array, ...],
    exit: Columns, listing: Listing, wrap: Array, numbers: Any, clock: Clock, out: Out,
) -> None:  # fmt: skip
    """Go to the doorway as fast as the vehicles ahead allow."""
    j = doorway.pick[i]
    if j < 0:
        return
    way = difference(load(doorway.position, j), load(vehicles.position, i), wrap)
    if is_through(way, exit):
        return
    speed, far = vehicles.max_speed[i], math.sqrt(dot(way, way))
    if far > ZERO:
        enough = speed * numbers.headway
        gap = gap_ahead(i, way, vehicles, others, bodies, doorway, rows, listing, wrap, exit, numbers, enough)
        if gap < enough:
            speed = min(speed, max(gap, ZERO) / numbers.headway)
    if len(exit) == 0:
        speed = min(speed, far / numbers.headway)
    velocity = load(vehicles.velocity, i)
    force = match(with_length(way, speed), velocity, vehicles.mass[i], vehicles.response_time[i], clock.dt[0])
    deposit(out, i, force, vehicles.max_force[i], True)


@registered
class Queue(Behavior):
    """Wait in line before a doorway, without pushing.

    Args:
        doorway: Where all vehicles go [m]: a target, see Seek.
        exit: Direction through the doorway, shape (d,). Vehicles beyond it are not steered. Default: the doorway is a
            counter, where the first stops.
        headway: Time gap to the one ahead [s], > 0. Raising it spreads the line when it moves; at less than four times
            the response_time, or less than max_speed mass / (2 max_force), they bump into each other.
        spacing: Room to the one ahead when standing [m]. Raising it makes longer lines.
        radius: Distance up to which others are looked at [m]. Raising it sees others earlier.
        k: How many of the nearest are looked at. Raising it misses fewer that stand ahead in a dense crowd, and costs more.
        of: The populations that wait: another Vehicles, a list of several, or "all" that are in the world. Default: the
            own population.

    Raises:
        ValueError: The exit has no direction.
    """

    doorway: Any = parameter(kind=TARGET, positional=True, unit="m")
    exit: Any = parameter(None, kind=DIRECTION, optional=True)
    headway: float = parameter(0.5, above=0.0, unit="s")
    spacing: float = parameter(0.2, low=0.0, unit="m")
    radius: float = parameter(6.0, above=0.0, unit="m")
    k: int = parameter(16, kind=INTEGER, low=1)
    of: Any = parameter(None, kind=POPULATIONS, optional=True)

    def needs(self) -> tuple[NeighborList, ...]:
        """The neighbors."""
        return (NeighborList(plain(self.radius), int(self.k), of=self.of),)

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """One call, after those that update the doorway."""
        d, dtype = scene.vehicles.dimensions, scene.vehicles.dtype
        doorway, calls = scene.mark(self.doorway, "nearest", "doorway")
        exit: Columns = ()
        if self.exit is not None:
            if len(self.exit) != d:
                raise ValueError(f"exit must have {d} dimensions like the vehicles, got {len(self.exit)}")
            exit = tuple(np.full(1, x, dtype) for x in self.exit)
        numbers = scene.own("headway", "spacing", free=2 * self.radius)
        listing = scene.neighbors(self.needs()[0])
        vehicles, others, _, rows, bodies = scene.encounter(self.of, *(TURNING if exit else ()))
        if others is vehicles:
            rows = (np.array([0, scene.capacity]),)
        if isinstance(self.doorway, (Vehicles, Knowledge)) or np.ndim(self.doorway) == 1:
            rows = ()
        arguments = (vehicles, others, bodies, doorway, rows, exit, listing, scene.wrap, numbers, scene.clock, out)
        return [*calls, Call(queue, arguments)]

    def sketch(self, context: SketchContext) -> Shapes:
        """The doorway, the lane there, the neighbors in it that go first, and their turns: the nearer, the sooner."""
        doorway = context.watched(self.doorway).position
        way = doorway - context.position
        far = np.linalg.norm(way, axis=1)
        known = np.isfinite(far)
        yield segment(context.position, doorway, "target", means="door")
        yield context.view(self.radius)
        if not known.any():
            return
        everyone = context.neighbors(2 * far[known].max(), of=self.of)
        waiting = {k: self._left(everyone, doorway)[everyone.of == k] for k in range(len(way))}
        turns = np.array([1 + np.sum(waiting[k] < far[k]) for k in range(len(way))])
        for turn in np.unique(turns[known]):
            yield Cross(doorway[known & (turns == turn)], label=f"door: it goes {ordinal(turn)}", means="door")
        yield Tube(
            context.position, doorway, 2 * context.radius + self.spacing, role="target", means="its way to the door"
        )
        near = context.neighbors(self.radius, k=self.k, of=self.of)
        left, along = self._left(near, doorway), (way / np.maximum(far, 1e-9)[:, None])[near.of]
        here, there = context.nearest_points(near, self.of)
        ahead = np.sum((there - here) * along, axis=1)
        aside = np.linalg.norm(there - here - ahead[:, None] * along, axis=1)
        radius = np.asarray(context.others(self.of).radius)[near.row]
        counts = (left < far[near.of]) & (ahead > 0) & (aside < context.radius[near.of] + radius + self.spacing)
        turns = np.array([1 + np.sum(waiting[k] < each) for k, each in zip(near.of, left, strict=True)], int)
        ring = NARROW_RING * radius
        named = counts & (
            np.array([np.sum(counts[:k] & (near.of[:k] == of)) for k, of in enumerate(near.of)], int) < NAMED
        )
        for turn in np.unique(turns[named]):
            rows = named & (turns == turn)
            yield Circle(near.position[rows], ring[rows], role="chosen", label=f"goes {ordinal(turn)}")
        rest = counts & ~named
        yield Circle(near.position[rest], ring[rest], role="chosen", means="goes earlier")

    def _left(self, near: Near, doorway: Array) -> Array:
        """How far neighbors have to go to the doorway [m], shape (m,); infinite for those that are through."""
        rest = doorway[near.of] - near.position
        left = np.linalg.norm(rest, axis=1)
        return left if self.exit is None else np.where(rest @ np.asarray(self.exit) > 0, left, np.inf)


def ordinal(number: int) -> str:
    """A number as a place in an order: 1st, 2nd, 3rd, 4th."""
    teen = number // 10 % 10 == 1
    return f"{number}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"
