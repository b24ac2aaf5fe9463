"""Giving way: how ORCA frees vehicles that hold up each other, in exact symmetry or in a crowd (why: see `orca.py`).

Of two vehicles one does a little more of the avoiding (`more_than`). A vehicle that is held up (`is_held_up`) steps back from
the vehicles in its way that come before it in the present turn (`give_way`):

    n . v >= n . velocity + u / 2 + uneven * rank * max_speed,   0 <= rank <= 1

The wanted direction of another vehicle is that of the step before; that of a vehicle of another population is not known.
"""

from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.maths.vectors import ONE, ZERO, direction_or, dot, load, normalize, scale, store, subtract
from steersman.core.steering.driving.resting import own_row
from steersman.core.steering.group.crowd import Crowd
from steersman.core.steering.group.half_spaces import lack, normal_of
from steersman.core.steering.scene.scene import Clock
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.memory import Memory

TURN = 5.0
"""Time [s] after which another vehicle is the first, so that none is the last for ever."""

SPREAD = 40503
"""The golden section of 65536: multiples of it, of ids in a row, lie far apart."""

HELD_UP = np.float32(0.1)
"""A vehicle that moves, and will move, at less than this part of the wanted speed is held up."""

QUARTER = np.float32(0.25)

CROSSES = np.float32(0.2)
"""Two ways cross if the unit vectors along them bring two vehicles nearer by more than this: the sine of 12 degrees."""

NEVER = -2
"""In `asked`: nothing wanted yet. The step before the first one is -1."""


class DesiredWay(NamedTuple):
    """Memory of where the vehicles of the own population want to go.

    Attributes:
        way: The unit direction of the wanted velocity, d arrays of shape (capacity,).
        asked: The step in which it was wanted, shape (capacity,), int64.
    """

    way: Columns
    asked: Array


class WayMemory(NamedTuple):
    """What kernels need of the desired ways.

    Attributes:
        now, following: The memory as it is and as it will be.
        segment: Where the own population is among the neighbors; empty if they are no others.
    """

    now: DesiredWay
    following: DesiredWay
    segment: tuple[Array, ...]


def way_sides(memory: Memory) -> tuple[DesiredWay, DesiredWay]:
    """The columns as they are and as they will be."""
    now, following = (DesiredWay(*map(side, DesiredWay._fields)) for side in (memory.now, memory.next))
    return now, following


def smaller_share(share: float) -> float:
    """The smaller of two shares."""
    return min(share, 1 - share)


@kernel
def more_than(own: int, other: int) -> Any:
    """The part of the avoiding that a vehicle takes over from another, -1 to 1; the other's has the opposite sign."""
    return (np.float32((own * SPREAD) & 65535) - np.float32((other * SPREAD) & 65535)) / np.float32(65536)


@kernel
def is_held_up(v: Vector, velocity: Vector, target: Vector, speed: Any) -> Any:
    """Whether a vehicle that ought to move hardly does, and will not."""
    desired = dot(target, target)
    least = HELD_UP * desired
    return desired > QUARTER * speed * speed and dot(v, target) < least and dot(velocity, target) < least


@kernel
def note_way(ways: tuple[Any, ...], i: int, target: Vector, speed: Any, clock: Clock) -> None:
    """Note where a vehicle of a top speed [m/s] wants to go."""
    if len(ways) > 0:
        following = ways[0].following
        store(following.way, i, direction_or(target, speed, scale(target, ZERO)))
        following.asked[i] = np.int64(clock.step[0])


@kernel
def crosses(planes: Array, k: int, way: Vector, j: int, clock: Clock, ways: tuple[Any, ...]) -> bool:
    """Whether a desired direction and that of neighbor j, if it is known, bring the two nearer, across plane k."""
    if len(ways) == 0:
        return False
    row, now = own_row(j, ways[0].segment), ways[0].now
    if row < 0 or now.asked[row] != np.int64(clock.step[0]) - 1:
        return False
    return bool(dot(normal_of(planes, k, way), subtract(load(now.way, row), way)) > CROSSES)


@kernel
def rank(j: int, after: Any, shares: tuple[Array, ...]) -> Any:
    """How far neighbor j comes before a vehicle in the present turn: beside another population, as part of the share."""
    if len(shares) > 0:
        after *= min(shares[0][j], ONE - shares[0][j])
    return after


@kernel
def give_way(
    planes: Array, hard: int, i: int, crowd: Crowd, target: Vector, retreat: Any, clock: Clock, every: bool
) -> bool:
    """Move the planes of the neighbors in the way that come before vehicle i in the present turn, so that it steps back.

    Args:
        planes, hard: The planes, and the place of the first one of a neighbor.
        i, crowd: The vehicle and its neighbors.
        target: The velocity that it wants [m/s].
        retreat: The highest speed at which it steps back [m/s].
        clock: The time decides which turn it is.
        every: Whether it steps back from all of them; else from those alone whose way crosses its own.

    Returns:
        Whether the ways of all of them cross its own.
    """
    listing, others, shares = crowd.listing, crowd.others, crowd.shares
    turn, way, cross = np.int64(clock.time[0] / TURN), normalize(target), True
    for k in range(listing.number[i]):
        j = listing.row[i, k]
        after = rank(j, more_than(crowd.vehicles.id[i] + turn, others.id[j] + turn), shares)
        if after > ZERO and lack(planes, hard + k, target) > ZERO:
            one = crosses(planes, hard + k, way, j, clock, crowd.ways)
            cross &= one
            if every or one:
                planes[hard + k, len(target)] += retreat * after
    return cross
