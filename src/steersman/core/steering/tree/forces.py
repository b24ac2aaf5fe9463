"""Forces: where a kernel puts its force, and how the force is weighted and limited on the way up the steering tree."""

from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.maths.vectors import ONE, ZERO, accumulate, dot, scale, truncate, with_length
from steersman.core.typing import Array, Columns, Vector

EPSILON = np.float32(1e-6)
"""A force shorter than this part of max_force does not claim a vehicle by itself."""

SHARES = np.uint8(2)
"""In `acts`: the node acts, and does not keep others from acting."""

CHOOSE, RAW, LIMIT, NORMALIZE = -1.0, 0.0, 1.0, 2.0
"""How a combinator takes a part's force: as it is but only where the part acts (CHOOSE), as it is (RAW), truncated to
max_force (LIMIT), or stretched to max_force (NORMALIZE)."""


class Out(NamedTuple):
    """Where a node of the steering tree puts its force, and how it turns the vehicle.

    Attributes:
        linear: Sum of forces [N], d arrays of shape (n,).
        angular: Sum of angular accelerations [rad/s^2], 1 array of shape (n,) in 2D, counter-clockwise, 3 in 3D; an empty
            tuple for nodes that do not turn (see `Behavior.turns`).
        acts: The vehicles that the node claims, shape (n,), uint8: 1, or SHARES where it leaves the part of max_force
            that it does not use to parts of less priority.
        active: The vehicles that the node is asked to steer, shape (n,), uint8.
        edge: The weight of this node and how its force is taken (CHOOSE, RAW, LIMIT or NORMALIZE), shape (2,); a tuple of
            both, where each vehicle has a weight of its own.
    """

    linear: Columns
    angular: Columns
    acts: Array
    active: Array
    edge: Any


class Amounts(NamedTuple):
    """A scale for every vehicle by which forces are measured, and one for its turning: limits, or the amounts spent.

    Attributes:
        force: Of forces [N], shape (n,).
        turning: Of angular accelerations [rad/s^2], 1 array of shape (n,); an empty tuple for nodes that do not turn.
    """

    force: Array
    turning: Columns


@kernel
def deposit(out: Out, i: int, force: Vector, max_force: Any, claims: bool) -> None:
    """Add a force to row i as the edge above asks, and mark whether it claims the vehicle.

    A behavior with a goal passes claims=True as long as it has the goal: a satisfied Seek returns exactly zero, and
    must not let a Priority fall through to the parts below. Others claim by a force longer than EPSILON. Comparisons
    are written so that NaN passes through to the step's check.
    """
    put(out.linear, out, i, force, max_force, claims)


@kernel
def deposit_shared(out: Out, i: int, force: Vector, max_force: Any) -> None:
    """Add a force to row i, and leave the rest of max_force to parts of less priority. The class must say `shares`."""
    acts = SHARES if is_act(force, max_force, False) else np.uint8(0)
    accumulate(out.linear, i, weigh(force, max_force, acts, out.edge[0], out.edge[1]))
    out.acts[i] |= acts


@kernel
def deposit_sum(out: Out, i: int, force: Vector, max_force: Any, acts: Any) -> None:
    """Add the finished sum of a node to row i, and mark it as its parts did: `acts` of the sum."""
    if acts == SHARES:
        deposit_shared(out, i, force, max_force)
    else:
        deposit(out, i, force, max_force, acts != 0)


@kernel
def deposit_turning(out: Out, i: int, turning: Vector, max_acceleration: Any, claims: bool) -> None:
    """The same with an angular acceleration. The class must say `turns = True`."""
    put(out.angular, out, i, turning, max_acceleration, claims)


@kernel
def put(sums: Columns, out: Out, i: int, vector: Vector, limit: Any, claims: bool) -> None:
    """Add a vector to row i of one of the sums."""
    acts = is_act(vector, limit, claims)
    accumulate(sums, i, weigh(vector, limit, acts, out.edge[0], out.edge[1]))
    out.acts[i] |= acts


@kernel
def is_act(force: Vector, max_force: Any, claims: bool) -> Any:
    """1 where a force is longer than EPSILON of max_force, not a number, or claimed for; else 0."""
    threshold = EPSILON * max_force
    return np.uint8(claims or not dot(force, force) <= threshold * threshold)


@kernel
def weigh(force: Vector, max_force: Any, acts: Any, weight: Any, take: Any) -> Vector:
    """The part of a force that an edge lets through."""
    if take == ONE:
        return scale(truncate(force, max_force), weight)
    if take > ONE:
        return scale(with_length(force, max_force), weight)
    if take < ZERO and acts == 0:
        return scale(force, ZERO)
    return scale(force, weight)


@kernel
def response(time: Any, dt: Any) -> Any:
    """The response time of a vehicle [s]; a step, where it is zero."""
    if time == ZERO:
        return dt
    return time


@kernel
def match(desired: Vector, velocity: Vector, mass: Any, response_time: Any, dt: Any) -> Vector:
    """The force that turns the velocity into the desired one within the response time: m (u - v) / tau."""
    gain = mass / response(response_time, dt)
    if len(velocity) == 2:
        return ((desired[0] - velocity[0]) * gain, (desired[1] - velocity[1]) * gain)
    return (
        (desired[0] - velocity[0]) * gain,
        (desired[1] - velocity[1]) * gain,
        (desired[2] - velocity[2]) * gain,
    )
