"""Balancing: how a push away from neighbors and a pull to a place of rest are weighed against each other.

Separation pushes apart, Arrive pulls to a goal. Cut down to max_force one by one, every push above it is worth as much as
every pull above it: vehicles around a common goal that are pushed outwards by 15 N or by 50 N, and pulled inwards by
20 N, feel no force at all. They have no place where they belong, so they creep, and are squeezed into each other. So the
push P is not cut, but their sum is. With A the pull, w = v + A tau / m the velocity that it asks for, and v_u the part of the
velocity v along u, from none to u itself,

    u     = left w,   left = 1 - (push against w) / (YIELD |cut(m w / tau)|),   at least 0
    force = P + cut(A) + cut_to_|P|(free - cut(A)),   free = cut(m (u - v_u) / tau) - m (v - v_u) / slow,

with A of u in place of w. So a vehicle that comes to others brakes with all its force, not with their push alone, which is
too weak to stop it before it touches them; and those at the edge of a crowd do not press with all their force upon those
inside, which would be squeezed. In so far as there is a push, what brakes all motion but the one to the goal is not cut:
otherwise vehicles would swing around the places where the two cancel. `slow` is tau, or half of the time in which max_force
stops the vehicle, if that is longer.

There the vehicle rests by static friction, as bodies do that are pressed together (Coulomb): one that is slow stands as
long as

    |P + cut(m u / tau)| < GRIP |P|.

It goes on when twice that is exceeded: when a neighbor leaves, another comes, or the goal moves.

A body that cannot step aside (`Locomotion.steps_aside`) does not come to a place where the forces cancel, nor does it go back
as it is pushed: it would drive around the goal for ever. It stands, however it is pushed from behind and from beside, where
left = 0, with WARY_YIELD in place of YIELD. If it is slow already it stands where left < LEFT, until left > STILL_LEFT;
while a neighbor is as near as NEAR toward its goal, or two leave a car no room ahead and behind; and at its goal, where u is
slow, too, and |m u / tau| < |P|. It also turns around as it decides, whatever the force is, and a push is a sum in which one
ahead and one behind cancel. So it is told how far it may go on until it meets one of the nearest neighbors
(`Scene.free_way`), and stops there. That is the way ahead until it moves: one that backs up stands where the sum of both
would let it back into a neighbor right behind it.

AvoidNeighbors pushes P = 0 where nothing threatens, sees each neighbor alone, and lets vehicles rest by itself (see
`driving/resting.py`). Its push is as large as needed, if nothing acts against it. So Arrive gives way to it:

    force = P + cut_to_rest(A without its part against P),   rest^2 = max_force^2 - |P|^2,

by as much of both as |P| is of AT_ONCE max_force. Added as they are, the two overlapped in the rush to a common goal.

Reynolds 1999, "Combining Behaviors", warns that summed parts may cancel each other, and leaves open what to do then. The
parts one by one: `WeightedSum(..., balance=False)`.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.facing import heading_after
from steersman.core.maths.vectors import (
    HALF,
    INFINITE,
    ONE,
    TWO,
    ZERO,
    accumulate,
    add,
    add_scaled,
    difference,
    dot,
    lateral,
    length,
    load,
    scale,
    store,
    subtract,
    truncate,
)
from steersman.core.neighborhood.bodies import Bodies, body_offset
from steersman.core.neighborhood.request import Listing, NeighborList
from steersman.core.parameters.per_vehicle import plain
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.driving.in_the_way import free_gap, gap_along
from steersman.core.steering.driving.neighbor_watching import Watchful
from steersman.core.steering.driving.resting import OCCUPIES, resting_after
from steersman.core.steering.laws import combining as laws
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.tree.forces import RAW, Out, response
from steersman.core.typing import Array, Vector
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns

GRIP, LEFT, STILL_LEFT = np.float32(laws.GRIP), np.float32(laws.LEFT), np.float32(laws.STILL_LEFT)

AT_ONCE = np.float32(laws.AT_ONCE)
"""Part of max_force from which a push is given way to in full."""

FEW = 8
"""Number of the nearest neighbors that may be in the way of a body that cannot step aside."""

NEAR, STILL_NEAR = np.float32(0.2), np.float32(0.4)
"""Gap, as a part of both radii, up to which a neighbor toward the goal holds such a body, for one that moves or stands."""


class Weights(NamedTuple):
    """The weights of both parts.

    Attributes:
        push, pull: The weights.
        yields: How often the pull the push against it is that leaves none of it.
        slow: Part of max_speed below which a vehicle comes to stand. One that stands is held at twice that.
        steps: 1 for a body that steps aside, else 0.
    """

    push: Any
    pull: Any
    yields: Any
    slow: Any
    steps: Any


def is_given_way(part: object) -> bool:
    """Whether a push is given way to: it sees its neighbors one by one, and pushes as hard as needed."""
    return isinstance(part, Watchful)


def balanced_parts(parts: Sequence[Behavior]) -> tuple[int, int] | None:
    """Which of some parts pushes apart, and which pulls to a place of rest; None where there is not one of each.

    One that sees its neighbors one by one comes before one that sums over them, if it sees the own population.
    """
    pushes = [k for k, part in enumerate(parts) if part.pushes()]
    push = [k for k in pushes if parts[k].yields()] or [k for k in pushes if not is_given_way(parts[k])] or pushes
    pull = [k for k, part in enumerate(parts) if part.comes_to_rest()]
    return (push[0], pull[0]) if len(push) == 1 and len(pull) == 1 else None


@kernel
def along_of(velocity: Vector, desired: Vector) -> Vector:
    """The part of a velocity along the desired one, from none of it to all of it [m/s]."""
    desired2 = dot(desired, desired)
    if desired2 == ZERO:
        return desired
    return scale(desired, min(max(dot(velocity, desired) / desired2, ZERO * desired2), ONE))


@kernel
def part_left(push: Vector, desired: Vector, most: Any) -> Any:
    """The part of a desired velocity that a push against it leaves, 1 to 0: none where that is `most` [N]."""
    size = length(desired)
    if not size * most > ZERO:
        return ZERO * most
    return min(max(ONE + dot(push, desired) / (size * most), ZERO * most), ONE)


class Ahead(NamedTuple):
    """Neighbors that may be in the way of bodies that cannot step aside.

    Attributes:
        others: The columns of the neighbors.
        bodies: The lengths of bodies, see `neighborhood/bodies.py`.
        listing: The nearest neighbors.
        wrap: Periods of a torus [m].
        tightest: Radius of the tightest circle of the body [m].
        backs: 1 for a body that backs up, else 0.
        free_way: How far each vehicle may still go on [m], shape (capacity,): see `Scene.free_way`.
    """

    others: VehicleColumns
    bodies: Bodies
    listing: Listing
    wrap: Array
    tightest: Any
    backs: Any
    free_way: Array


@kernel
def gap_ahead(
    i: int, vehicles: VehicleColumns, ahead: Ahead, way: Vector, desired: Vector, rests: bool
) -> tuple[Any, bool, bool]:
    """How far vehicle i may go on along a unit vector [m], whether neighbors hold it, and whether one is right behind it.

    It may go up to the nearest neighbor in its way, or half as far where that one comes nearer itself. One holds it that
    is near and less than 60 degrees beside the desired velocity; two do that leave a car no room ahead and behind.
    """
    near, room = (STILL_NEAR, TWO * vehicles.radius[i]) if rests else (NEAR, vehicles.radius[i])
    far = INFINITE + ZERO * room
    free, front, back, held = far, far, far, False
    for k in range(ahead.listing.number[i]):
        j = ahead.listing.row[i, k]
        offset = difference(load(ahead.others.position, j), load(vehicles.position, i), ahead.wrap)
        offset = body_offset(offset, i, j, vehicles, ahead.others, ahead.bodies)
        both, apart = vehicles.radius[i] + ahead.others.radius[j], length(offset)
        held |= apart < (ONE + near) * both and dot(offset, desired) > HALF * apart * length(desired)
        free = min(free, free_gap(offset, way, load(ahead.others.velocity, j), both))
        front, back = min(front, gap_along(offset, way, both)), min(back, gap_along(offset, scale(way, -ONE), both))
    return free, held or (ahead.tightest > ZERO and front + back < room), not back > ZERO


@row_kernel
def balance(
    i: int, vehicles: VehicleColumns, push: Out, pull: Out, weights: Weights, ahead: tuple[Ahead, ...],
    states: tuple[Array, ...], rests: Array, rests_next: Array, clock: Clock, out: Out,
) -> None:  # fmt: skip
    """Add a push and a pull; each keeps the part that was taken of it. `states`: of the memory of rest, if there is one."""
    max_force, velocity = vehicles.max_force[i], load(vehicles.velocity, i)
    pressed, pulled = load(push.linear, i), load(pull.linear, i)
    stands, barred, near = False, False, push.acts[i] != 0
    if len(ahead) != 0:
        near = ahead[0].listing.number[i] > 0  # Those that lie on both sides of it may cancel.
    if near and pull.acts[i] and weights.push > ZERO and weights.pull > ZERO and max_force > ZERO:
        if len(states) != 0:  # noqa: SIM102 (only a length that stands alone is known when compiling)
            if states[0][i] >= OCCUPIES:
                pressed = scale(pressed, ZERO)
        mass, weight = vehicles.mass[i], weights.pull
        limit = (weights.push + weight) * max_force
        pressed = truncate(pressed, limit)
        tau, full = response(vehicles.response_time[i], clock.dt[0]), vehicles.max_speed[i]
        slow = max(tau, HALF * mass * full / max_force)
        most, size, gain = weight * max_force, length(pressed), weight * mass / tau
        desired = add_scaled(velocity, pulled, ONE / gain)
        left = part_left(pressed, desired, weights.yields * min(most, gain * length(desired)))
        desired = scale(desired, left)
        pulled = scale(subtract(desired, velocity), gain)
        net = add(pressed, truncate(scale(desired, gain), most))
        grip, fast = (TWO, TWO) if rests[i] else (ONE, ONE)
        grip, fast = grip * GRIP * size, fast * weights.slow * full
        slowly = dot(velocity, velocity) < fast * fast
        if len(ahead) != 0:
            way = heading_after(velocity, load(vehicles.forward, i), full)
            free, held, barred = gap_ahead(i, vehicles, ahead[0], way, desired, rests[i])
            ahead[0].free_way[i] = min(ahead[0].free_way[i], free)
            least = STILL_LEFT if rests[i] else LEFT
            barred &= slowly and ahead[0].backs > ZERO
            held |= length(desired) < min(fast, size / gain)
            stands = not left > (least if slowly else ZERO) or (slowly and held)
        else:
            stands = slowly and dot(net, net) < grip * grip
        if not stands:
            along = along_of(velocity, desired)
            free = truncate(scale(subtract(desired, along), gain), most)
            free = add_scaled(free, subtract(velocity, along), -weight * mass / slow)
            pulled = truncate(pulled, most)
            pulled = add(pulled, truncate(subtract(free, pulled), size))
            if barred:
                # The free way is that ahead until it backs up, and then it has touched already.
                wanted = add_scaled(velocity, add(pressed, pulled), tau / mass)
                barred = dot(wanted, way) < -length(lateral(wanted, way))
        if stands or barred:
            pulled = subtract(truncate(scale(velocity, -mass / slow), max_force), pressed)
        total = length(add(pressed, pulled))
        if total > limit:
            pressed, pulled = scale(pressed, limit / total), scale(pulled, limit / total)
    else:
        pressed = truncate(pressed, abs(weights.push) * max_force)
        pulled = truncate(pulled, abs(weights.pull) * max_force)
    rests_next[i] = stands
    store(push.linear, i, pressed)
    store(pull.linear, i, pulled)
    accumulate(out.linear, i, add(pressed, pulled))
    out.acts[i] |= push.acts[i] | pull.acts[i]


@row_kernel
def give_way(i: int, vehicles: VehicleColumns, push: Out, pull: Out, weights: Weights, out: Out) -> None:
    """Add a push and the rest of a pull beside it; each keeps the part that was taken of it."""
    max_force, limit = vehicles.max_force[i], abs(weights.pull) * vehicles.max_force[i]
    pressed = truncate(load(push.linear, i), abs(weights.push) * max_force)
    pulled = truncate(load(pull.linear, i), limit)
    size = length(pressed)
    if size > ZERO and weights.push > ZERO and weights.pull > ZERO:
        part = min(size / (AT_ONCE * max_force), ONE)
        against = min(dot(pressed, pulled), ZERO * size)
        pulled = add_scaled(pulled, pressed, -part * against / (size * size))
        rest = math.sqrt(max(max_force * max_force - size * size, ZERO * size))
        pulled = truncate(pulled, (ONE - part) * limit + part * rest)
    store(push.linear, i, pressed)
    store(pull.linear, i, pulled)
    accumulate(out.linear, i, add(pressed, pulled))
    out.acts[i] |= push.acts[i] | pull.acts[i]


def neighbors_ahead(push: Any) -> NeighborList:
    """The nearest of the neighbors that push, for a body that cannot step aside."""
    return NeighborList(plain(push.radius), FEW, of=push.of)


def look_ahead(scene: Scene, push: Any) -> Ahead:
    """The neighbors that push, and may be in the way of bodies that cannot step aside."""
    _, others, _, _, bodies = scene.encounter(push.of)
    listing, tightest = scene.neighbors(neighbors_ahead(push)), scene.number(scene.tightest)
    return Ahead(others, bodies, listing, scene.wrap, tightest, scene.number(scene.backs_up), scene.free_way)


def bind_balance(
    scene: Scene, memory: Memory, target: Out, places: tuple[int, int], weights: Sequence[Any]
) -> list[Call]:
    """The calls of the two parts, and the one that adds them up."""
    sides = [scene.scratch(target.active)._replace(edge=scene.edge(weights[place], RAW)) for place in places]
    steps = scene.steps_aside
    yields, slow = (laws.YIELD, laws.SLOW) if steps else (laws.WARY_YIELD, laws.WARY_SLOW)
    push, pull = (weights[place] for place in places)
    numbers = scene.numbers(Weights, push=push, pull=pull, yields=yields, slow=slow, steps=steps)
    calls = [call for place, side in zip(places, sides, strict=True) for call in (
        scene.clear_call(side), *scene.part(place, side),
    )]  # fmt: skip
    if is_given_way(scene.node.children[places[0]].behavior):
        calls.append(Call(give_way, (scene.columns, *sides, numbers, target)))
    else:
        states = tuple(following.state for following in resting_after(scene.resting))
        rests = (memory.now("rests"), memory.next("rests"))
        ahead = () if steps else (look_ahead(scene, scene.node.children[places[0]].behavior),)
        calls.append(Call(balance, (scene.columns, *sides, numbers, ahead, states, *rests, scene.clock, target)))
    granted = [call for place, side in zip(places, sides, strict=True) for call in scene.granted_calls(place, side)]
    return [*calls, *granted]
