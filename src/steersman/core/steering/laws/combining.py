"""Combining steering vectors: sums, priorities and turns.

Reynolds 1999, "Combining Behaviors".
"""

from collections.abc import Sequence

import numpy as np

from steersman.core.steering.laws.vectors import (
    Number,
    dot,
    length,
    normalize,
    per_vehicle,
    ratio,
    truncate,
    with_length,
)
from steersman.core.typing import Array


def weighted_sum(
    forces: Sequence[Array],
    weights: Sequence[float],
    *,
    each: str = "raw",
    max_force: Number = np.inf,
    normalize_weights: bool = False,
) -> Array:
    """The sum of weight * force.

    Source: Reynolds 1999, "Combining Behaviors" (each="raw") and "Flocking" (each="normalize"); project notes,
    "Steering behaviors" (normalized weights).

    Args:
        forces: The parts [N], each of shape (d,) or (n, d).
        weights: Their weights, as many.
        each: How a part enters: "raw", as it is; "limit", truncated to max_force, so that no part drowns the others;
            "normalize", stretched or shrunk to max_force unless it is zero.
        max_force: Maximum forces [N], a number or shape (n,).
        normalize_weights: Divide by the sum of the weights.

    Returns:
        The sum [N], shape (d,) or (n, d).

    Raises:
        ValueError: There are not as many weights as forces, they add up to zero and are to be normalized, `each` is not
            known, or parts are to be stretched to an infinite force.
    """
    if len(forces) != len(weights):
        raise ValueError(f"weights must be {len(forces)} numbers, one a force, got {len(weights)}")
    share = np.asarray(weights, dtype=float)
    if normalize_weights:
        if share.sum() == 0:
            raise ValueError(f"weights must not add up to zero to be normalized, got {list(weights)}")
        share = share / share.sum()
    if each == "normalize" and not np.all(np.isfinite(max_force)):
        raise ValueError(f'max_force must be finite with each="normalize", got {max_force!r}')
    if each not in ("raw", "limit", "normalize"):
        raise ValueError(f'each must be "raw", "limit" or "normalize", got {each!r}')
    if each == "limit":
        forces = [truncate(force, max_force) for force in forces]
    elif each == "normalize":
        forces = [with_length(force, max_force) for force in forces]
    return np.asarray(sum(float(w) * np.asarray(force) for w, force in zip(share, forces, strict=True)))


GRIP = 0.1
"""Part of a push that static friction holds."""

SLOW = 0.05
"""Part of max_speed below which a vehicle comes to stand."""

YIELD = 3.0
"""How often the pull a push against it is that leaves none of it."""

WARY_YIELD, WARY_SLOW = 0.7, 0.2
"""The same, and SLOW, for a body that cannot step aside."""

LEFT, STILL_LEFT = 0.5, 0.75
"""Part of the pull up to which a slow body that cannot step aside stands, for one that moves and one that stands."""


AT_ONCE = 0.1
"""Part of max_force from which a push is given way to in full."""


def given_way(push: Array, pull: Array, *, max_force: Number, weights: tuple[float, float] = (1.0, 1.0)) -> Array:
    """The sum of a push, and of the rest of a pull beside it.

        P + cut_to_rest(A without its part against P),   rest^2 = max_force^2 - |P|^2

    by as much of both as |P| is of AT_ONCE max_force.

    Source: prioritized acceleration allocation, Reynolds 1987, where the direction of the urgent force counts, too.

    Args:
        push: The push [N], shape (d,) or (n, d).
        pull: The pull [N], the same shape.
        max_force: Maximum forces [N], a number or shape (n,).
        weights: Those of the push and of the pull, above zero.

    Returns:
        The sum [N], shape (d,) or (n, d).
    """
    limit = np.multiply(weights[1], max_force)
    pressed = weights[0] * truncate(push, max_force)
    pulled = weights[1] * truncate(pull, max_force)
    size = length(pressed)
    part = np.minimum(ratio(size, np.multiply(AT_ONCE, max_force)), 1)
    against = np.minimum(ratio(dot(pressed, pulled), size * size), 0)
    pulled = pulled - per_vehicle(part * against) * pressed
    rest = np.sqrt(np.maximum(np.square(max_force) - size * size, 0))
    total = pressed + truncate(pulled, (1 - part) * limit + part * rest)
    return np.asarray(total.astype(np.result_type(push, pull)))


def balanced(
    push: Array,
    pull: Array,
    velocity: Array,
    *,
    mass: Number,
    max_force: Number,
    max_speed: Number,
    response_time: Number,
    weights: tuple[float, float] = (1.0, 1.0),
    rests: bool | Array = False,
    steps_aside: bool = True,
    held: bool | Array = False,
) -> tuple[Array, Array]:
    """The sum of a push away from neighbors and a pull to a place of rest, and where it lets vehicles rest.

        P + cut(A) + cut_to_|P|(free - cut(A)),   free = cut(m (u - v_u) / tau) - m (v - v_u) / slow

    with P the weighted push; u = left w the part that it leaves of the velocity w that the weighted pull asks for,

        left = 1 - (push against w) / (YIELD |cut(m w / tau)|),   at least 0,

    and A the pull to u; v_u the part of the velocity along u, from none to all of it, and slow the longer of tau and half of
    the time in which max_force stops the vehicle. A slow vehicle stands as long as |P + cut(m u / tau)| < GRIP |P|; a body
    that cannot step aside where left = 0 and, if it is slow, where left < LEFT, until left > STILL_LEFT, where a neighbor
    holds it, and where u is slow and |m u / tau| < |P|.

    Source: Coulomb's law of static friction; Reynolds 1999, "Combining Behaviors": summed parts may cancel each other.

    Args:
        push: The push, as it is [N], shape (d,) or (n, d).
        pull: The pull, as it is [N], the same shape.
        velocity: Velocities [m/s], the same shape.
        mass: Masses [kg], a number or shape (n,).
        max_force: Maximum forces [N], a number or shape (n,).
        max_speed: Maximum speeds [m/s], a number or shape (n,).
        response_time: Response times [s], above zero, a number or shape (n,).
        weights: Those of the push and of the pull, above zero.
        rests: Whether the vehicle rests, a flag or shape (n,).
        steps_aside: Whether the body can go to any side without turning there first.
        held: Whether a neighbor is near toward the goal of a body that cannot step aside, a flag or shape (n,).

    Returns:
        The sum [N], shape (d,) or (n, d), and whether the vehicle rests, a flag or shape (n,). The sum is at most both
        weights times max_force.
    """
    limit, most = sum(weights) * np.asarray(max_force), weights[1] * np.asarray(max_force)
    pressed, pulled = truncate(weights[0] * np.asarray(push), limit), weights[1] * np.asarray(pull)
    gain = weights[1] * np.asarray(mass) / response_time
    slow = np.maximum(response_time, 0.5 * np.asarray(mass) * max_speed / max_force)
    desired = velocity + pulled / per_vehicle(gain)
    yields, still = (YIELD, SLOW) if steps_aside else (WARY_YIELD, WARY_SLOW)
    allowed = yields * length(truncate(per_vehicle(gain) * desired, most))
    left = np.clip(1 + ratio(dot(pressed, desired), length(desired) * allowed, otherwise=-1.0), 0, 1)
    desired = per_vehicle(left) * desired
    pulled = per_vehicle(gain) * (desired - velocity)
    share = np.clip(ratio(dot(velocity, desired), dot(desired, desired)), 0, 1)
    along = per_vehicle(share) * desired
    free = truncate(per_vehicle(gain) * (desired - along), most)
    free = free - per_vehicle(weights[1] * np.asarray(mass) / slow) * (velocity - along)
    cut = truncate(pulled, most)
    moves = truncate(pressed + cut + truncate(free - cut, length(pressed)), limit)
    net, more = length(pressed + truncate(per_vehicle(gain) * desired, most)), np.where(rests, 2.0, 1.0)
    slowly = length(velocity) < more * still * max_speed
    stands = slowly & (net < more * GRIP * length(pressed))
    if not steps_aside:
        stands = (left <= np.where(slowly, np.where(rests, STILL_LEFT, LEFT), 0)) | (
            slowly & (held | (length(desired) < np.minimum(more * still * max_speed, length(pressed) / gain)))
        )
    stopped = truncate(per_vehicle(-np.asarray(mass) / slow) * velocity, max_force)
    return np.where(stands[..., None], stopped, moves).astype(np.result_type(push, pull, velocity)), stands


def priority(
    forces: Sequence[Array],
    acts: Sequence[bool | Array] | None = None,
    *,
    shares: Sequence[bool | Array] | None = None,
    max_force: Number = np.inf,
) -> Array:
    """For every vehicle the first force that acts, and the forces before it that share.

    Source: Reynolds 1999, "Combining Behaviors": the first that returns a non-zero value. Sharing is Reynolds'
    prioritized acceleration allocation (1987): a part that shares leaves the rest of max_force that it does not use to
    those below it.

    Args:
        forces: The parts [N] in order of priority, each of shape (d,) or (n, d).
        acts: For each part, whether it acts, a flag or shape (n,). Default: where it is not zero.
        shares: For each part, whether it shares where it acts. Default: none does.
        max_force: Maximum forces [N], a number or shape (n,).

    Returns:
        The chosen forces [N], shape (d,) or (n, d); zero where none acts.
    """
    parts = np.stack(np.broadcast_arrays(*forces)) * 1.0
    claims = [np.any(part != 0, axis=-1) for part in parts] if acts is None else acts
    total, shared, waits = np.zeros_like(parts[0]), np.zeros_like(parts[0, ..., 0]), np.ones(parts.shape[1:-1], bool)
    for index, part in enumerate(parts):
        taken = waits & claims[index]
        rest = truncate(part, np.maximum(np.subtract(max_force, shared), 0))
        granted = np.where(taken[..., None], np.where(shared[..., None] > 0, rest, part), 0)
        share = taken & (False if shares is None else shares[index])
        total, shared, waits = total + granted, shared + share * length(granted), waits & ~(taken & ~share)
    return np.asarray(total)


def faded(
    force: Array,
    before: Array,
    rest: Array,
    left: Number,
    changed: bool | Array,
    dt: float,
    period: float,
    *,
    room: Number = np.inf,
) -> tuple[Array, Array, Array]:
    """The force of a priority that goes over to another part's in a stated time.

        force + rest,   rest = (before - force) * left / period,   left = period - time since the change

    Source: Bollo 2018, "Inertialization"; Reynolds 1999, "Combining Behaviors": explicit damping of acceleration.

    Args:
        force: The force of the winner now [N], shape (d,) or (n, d).
        before: The result of the step before [N], the same shape.
        rest: The rest of the last change [N], the same shape.
        left: How long that would have taken still [s], a number or shape (n,).
        changed: Whether the winner is another one than in the step before, a flag or shape (n,).
        dt: Time step [s].
        period: How long a change takes [s].
        room: How long the rest may be at a change [N], a number or shape (n,): max_force - |force| if any part but the
            lowest takes over, so that an urgent part is not held up.

    Returns:
        The resulting force [N], the rest [N], and how long it still takes [s].
    """
    begun = np.where(changed, period, left)
    after = np.maximum(begun - dt, 0.0)
    share = ratio(after, begun)[..., None]
    new = truncate(share * np.subtract(before, force), room)
    over = np.where(np.asarray(changed)[..., None], new, share * rest)
    return force + over, over, after


def truncated_sum(
    forces: Sequence[Array], weights: Sequence[float], max_force: Number, *, accounting: str = "running"
) -> Array:
    """The sum of weight * force in order, each cut to the rest of max_force that earlier forces have left.

    Source: game AI lecture, "Combining Steering Forces" (weighted truncated running sum: "running"); Reynolds 1987,
    prioritized acceleration allocation ("lengths").

    Args:
        forces: The parts [N] in order of priority, each of shape (d,) or (n, d).
        weights: Their weights, as many.
        max_force: Maximum forces [N], a number or shape (n,).
        accounting: The length that counts as spent: "running", of the sum so far; "lengths", the sum of the lengths so
            far.

    Returns:
        The sum [N], shape (d,) or (n, d); at most max_force long.

    Raises:
        ValueError: There are not as many weights as forces, or the accounting is not known.
    """
    if len(forces) != len(weights):
        raise ValueError(f"weights must be {len(forces)} numbers, one a force, got {len(weights)}")
    if accounting not in ("running", "lengths"):
        raise ValueError(f'accounting must be "running" or "lengths", got {accounting!r}')
    total, spent = np.zeros_like(np.asarray(forces[0], dtype=float)), np.asarray(0.0)
    for force, weight in zip(forces, weights, strict=True):
        part = truncate(weight * np.asarray(force, dtype=float), np.maximum(max_force - spent, 0))
        total = total + part
        spent = spent + length(part) if accounting == "lengths" else length(total)
    return total


def dithered(
    forces: Sequence[Array],
    drawn: Sequence[bool | Array],
    acts: Sequence[bool | Array] | None = None,
    *,
    shares: Sequence[bool | Array] | None = None,
    max_force: Number = np.inf,
) -> Array:
    """For every vehicle the first force that is drawn and acts.

    Source: Reynolds 1999, "Combining Behaviors": prioritized dithering.

    Args:
        forces: The parts [N] in order of priority, each of shape (d,) or (n, d).
        drawn: For each part, whether it is asked, a flag or shape (n,); each with a probability of its own.
        acts: For each part, whether it acts, a flag or shape (n,). Default: where it is not zero.
        shares: For each part, whether it shares where it acts: see `priority`. Default: none does.
        max_force: Maximum forces [N], a number or shape (n,).

    Returns:
        The chosen forces [N], shape (d,) or (n, d); zero where none is drawn and acts.
    """
    claims = [np.any(np.asarray(force) != 0, axis=-1) for force in forces] if acts is None else acts
    active = [np.logical_and(claim, chance) for claim, chance in zip(claims, drawn, strict=True)]
    return priority(forces, active, shares=shares, max_force=max_force)


def round_robin(forces: Sequence[Array], time: float, period: float) -> Array:
    """The force of the part that has its turn.

    Source: Reynolds 1999, "Combining Behaviors": one component at a time, blended by momentum.

    Args:
        forces: The parts [N], each of shape (d,) or (n, d).
        time: Time [s].
        period: How long a turn is [s].

    Returns:
        The force of part floor(time / period) mod count [N], shape (d,) or (n, d).
    """
    return np.asarray(forces[int(np.floor(time / period)) % len(forces)])


def top_beside(worth: Array, beside: Array, start: int) -> int:
    """Step up from one direction to the best beside it, as long as there is a better one.

    Args:
        worth: The worth of the directions, shape (k,).
        beside: For every direction itself and the directions next to it, shape (k, m).
        start: Number of the direction to begin at.
    """
    while worth[(following := int(beside[start][np.argmax(worth[beside[start]])]))] > worth[start]:
        start = following
    return start


def context_map(
    interest: Array,
    danger: Array,
    directions: Array,
    last: Array | None = None,
    *,
    commitment: float = 0.0,
    hysteresis: float = 0.0,
) -> Array:
    """The velocity in the direction that is most worth going, for one vehicle.

    Source: Fray 2013, "Context Steering"; here with a smooth map: a linear function of the direction is fitted to the
    values at the best direction and its nearest neighbors, and the vehicle goes where it grows.

    Args:
        interest: Speeds at which directions are worth going [m/s], shape (k,).
        danger: How dangerous they are, from 0 to 1, shape (k,).
        directions: Unit vectors, shape (k, d).
        last: The direction taken last, shape (d,), zero for none.
        commitment: How much more that one is worth, as a part.
        hysteresis: How much better than the top beside that one another must be, as a part.

    Returns:
        The velocity to go [m/s], shape (d,).
    """
    units = np.asarray(directions, dtype=float)
    bonus = 1 + commitment * np.maximum(
        0, units @ np.zeros(units.shape[1]) if last is None else units @ np.asarray(last)
    )
    worth = np.asarray(interest) * np.maximum(0, 1 - np.asarray(danger)) * bonus
    best, d = int(np.argmax(worth)), units.shape[1]
    beside = np.argsort(-(units @ units.T), axis=1, kind="stable")[:, : 3 if d == 2 else 7]
    if hysteresis > 0 and last is not None and np.any(last):
        held = top_beside(worth, beside, int(np.argmax(units @ np.asarray(last))))
        if worth[held] > 0 and worth[best] <= (1 + hysteresis) * worth[held]:
            best = held
    near = beside[best]
    slope = np.linalg.lstsq(np.hstack([np.ones((len(near), 1)), units[near]]), worth[near], rcond=None)[0][1:]
    way = normalize(slope)
    angle = 2 * np.pi / len(units) if d == 2 else np.sqrt(4 * np.pi / len(units))
    value = worth[best]
    if way @ units[best] >= np.cos(angle):
        value = worth[best] + slope @ (way - units[best])
    else:
        aside = slope - (slope @ units[best]) * units[best]
        way = normalize(units[best] + 0.5 * np.tan(min(angle, 1.2)) * normalize(aside))
    return np.asarray(way * max(value / bonus[best], 0.0))
