"""Slowing: where a constraint moves a vehicle back, its velocity is reduced to its actual motion.

    v' = v + n min(|moved| / dt, max(-v . n, 0)),    n = unit(moved)

A constraint moves positions by `moved`. The velocity loses its part against this direction, at most as much as the constraint
moved the vehicle. The part along the contact is kept, and a constraint never makes a vehicle faster: an inelastic contact.
"""

import math

from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import ONE, TINY, ZERO, add_scaled, difference, dot, load, scale, store
from steersman.core.typing import Array, Columns


@row_kernel
def note_positions(i: int, position: Columns, before: Columns) -> None:
    """Store positions before constraints move vehicles."""
    store(before, i, load(position, i))


@row_kernel
def slow_down(i: int, position: Columns, before: Columns, velocity: Columns, wrap: Array, dt: Array) -> None:
    """Subtract from velocities the part by which constraints have moved vehicles back."""
    moved = difference(load(position, i), load(before, i), wrap)
    moved2 = dot(moved, moved)
    if moved2 > TINY:
        way, going = math.sqrt(moved2), load(velocity, i)
        normal = scale(moved, ONE / way)
        lost = min(way / dt[0], max(-dot(going, normal), ZERO))
        store(velocity, i, add_scaled(going, normal, lost))
