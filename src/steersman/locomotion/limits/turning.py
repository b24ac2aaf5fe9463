"""What limits of turning share: a heading that is turned step by step, and the velocity along it.

A vehicle whose direction is limited may have to turn on the spot; so its heading is remembered apart from its velocity, and
after the move it faces along it.
"""

import math
from typing import Any

from steersman.geometry.frames import realign_row
from steersman.geometry.kernel import kernel
from steersman.geometry.vectors import (
    ONE,
    TINY,
    ZERO,
    Columns,
    Vector,
    add,
    dot,
    lateral,
    load,
    normalize,
    perpendicular,
    scale,
    store,
)
from steersman.vehicles.body import Body


@kernel
def turn_toward(forward: Vector, wanted: Vector, limit: Any) -> Vector:
    """The unit vector `forward`, turned toward the vector `wanted` by an angle of `limit` [rad] at most."""
    aside = lateral(wanted, forward)
    along, across2 = dot(wanted, forward), dot(aside, aside)
    if across2 < TINY:
        if not along < ZERO:
            return forward
        side = perpendicular(forward)
    else:
        side = scale(aside, ONE / math.sqrt(across2))
    angle = min(math.atan2(math.sqrt(across2), along), limit)
    return normalize(add(scale(forward, math.cos(angle)), scale(side, math.sin(angle))))


@kernel
def along_heading(heading: Vector, proposed: Vector) -> Vector:
    """What of a proposed velocity goes along a heading; never backwards."""
    return scale(heading, max(dot(heading, proposed), ZERO))


@kernel
def face_heading(start: int, stop: int, body: Body, heading: Columns) -> None:
    """Face along the remembered heading."""
    for i in range(start, stop):
        forward = normalize(load(heading, i))
        if dot(forward, forward) > ZERO:
            store(body.forward, i, forward)
            realign_row(body.up, i, forward)
