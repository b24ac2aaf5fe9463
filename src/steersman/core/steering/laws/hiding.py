"""Hiding: spots in the shadow of obstacles.

Reynolds 1999, a sketch beside "Leader following"; game AI lecture, "Hide".
"""

import numpy as np

from steersman.core.steering.laws.vectors import Number, dot, length, normalize, per_vehicle
from steersman.core.typing import Array


def hiding_spots(pursuer: Array, centers: Array, radii: Number, margin: Number) -> Array:
    """The spot behind each obstacle, seen from a pursuer: center + unit(center - pursuer) * (radius + margin).

    Args:
        pursuer: Position of the pursuer [m], shape (d,).
        centers: Centers of the obstacles [m], shape (m, d).
        radii: Their radii [m], a number or shape (m,).
        margin: Room between obstacle and vehicle, with the vehicle's own radius [m].

    Returns:
        Spots [m], shape (m, d).
    """
    centers = np.asarray(centers)
    away = normalize(centers - np.asarray(pursuer))
    return np.asarray(centers + per_vehicle(np.broadcast_to(np.add(radii, margin), len(centers))) * away)


def hiding_spot(
    position: Array,
    pursuer: Array,
    pursuer_forward: Array,
    centers: Array,
    radii: Number,
    margin: Number,
    *,
    favor: str = "nearest",
) -> int:
    """The row of the obstacle with the best spot, -1 where there is none.

    A spot within another obstacle is none. With favor="behind", spots that are behind or beside the pursuer go before
    others; of equals the nearest is the best.

    Args:
        position: Position of the vehicle [m], shape (d,).
        pursuer: Position of the pursuer [m], shape (d,).
        pursuer_forward: Its unit forward vector, shape (d,).
        centers: Centers of the obstacles [m], shape (m, d).
        radii: Their radii [m], a number or shape (m,).
        margin: Room between obstacle and vehicle, with the vehicle's own radius [m].
        favor: "nearest" or "behind".
    """
    if favor not in ("nearest", "behind"):
        raise ValueError(f'favor must be "nearest" or "behind", got {favor!r}')
    spots = hiding_spots(pursuer, centers, radii, margin)
    if not len(spots):
        return -1
    apart = length(spots[:, None] - np.asarray(centers)[None])
    np.fill_diagonal(apart, np.inf)
    free = np.all(apart >= np.broadcast_to(radii, len(spots)), axis=1)
    front = (dot(spots - np.asarray(pursuer), pursuer_forward) > 0) & (favor == "behind")
    order = np.lexsort((length(spots - np.asarray(position)), front, ~free))
    return int(order[0]) if free[order[0]] else -1
