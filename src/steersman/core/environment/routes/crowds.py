"""Crowds: the lengths that the bodies of a crowd add to ways.

A meter of way counts `1 + weight * covered`, where `covered` is the part of the ground around it that bodies cover: the idea
of Hughes 2002, "A continuum theory for the flow of pedestrians", and Treuille et al. 2006, "Continuum crowds". On a grid the
costs of nodes grow; on a mesh, where ways are straight from bend to bend, the lengths of these pieces.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from steersman.core.environment.routes.rasters import tents
from steersman.core.environment.routes.route_map import Crowd
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.typing import Array

WIDTH = 4.0
"""So far a body counts as part of a crowd on a mesh [mean radii of bodies]."""

LEVEL = 3.0
"""Bodies count on the storey that they are on: within 1.5 times as many mean radii above and below a place, at most."""

MOST = 1 << 20
"""The most cells; a larger map has wider ones."""

SAMPLES = 2.0
"""The number of samples on a way as long as a cell."""


class CrowdField(NamedTuple):
    """Where a crowd is dense, for kernels.

    Attributes:
        extra: By how much a meter of way is longer at each node, (nx, ny, storeys); empty without a crowd.
        frame: The first node [m], and the distances between nodes [m], along x, y and z; shape (6,).
    """

    extra: Array
    frame: Array


NO_CROWD = CrowdField(np.zeros((0, 0, 0)), np.ones(6))


def crowd_field(crowd: Crowd, places: Array, low: Array, high: Array) -> CrowdField:
    """The field of a crowd.

    Args:
        crowd: The crowd.
        places: Where its bodies are [m], shape (n, d); rows with NaN do not count.
        low: The lowest corner of the map [m], shape (d,).
        high: The highest corner.
    """
    known = np.asarray(np.isfinite(places).all(axis=1))
    places, radius = places[known], crowd.radius[: len(known)][known].astype(np.float64)
    mean = float(radius.mean()) if len(radius) else 0.0
    if not mean > 0:
        return NO_CROWD
    width, extent = WIDTH * mean, np.maximum((high - low)[:2], 1e-9)
    rise = float(high[2] - low[2]) if len(low) == 3 else 0.0
    storeys = math.ceil(min(rise / (LEVEL * mean), MOST)) + 1
    while storeys * float(np.prod(np.ceil(extent / width) + 1)) > MOST:
        width, storeys = 1.5 * width, max(2 * storeys // 3, 1)
    count = np.maximum(np.ceil(extent / width), 1).astype(int)
    level = max(rise / max(storeys - 1, 1), 1e-9)
    extra = np.zeros((*(count + 1), storeys))
    storey = np.floor((places[:, 2] - low[2]) / level).astype(int) if len(low) == 3 else np.zeros(len(places), int)
    for k in range(storeys):
        near = (storey == k) | ((storey == k - 1) & (len(low) == 3))
        if near.any():
            extra[:, :, k] = crowd.weight * tents(places[near], radius[near], low, extent / count, count)
    above = low[2] if len(low) == 3 else 0.0
    return CrowdField(extra, np.array([*low[:2], above, *extent / count, level]))


@kernel(exact=True)
def crowd_at(crowd: CrowdField, x: Any, y: Any, z: Any) -> Any:
    """By how much a meter of way is longer at a place, linear between nodes."""
    frame, extra = crowd.frame, crowd.extra
    u = min(max((x - frame[0]) / frame[3], 0.0), extra.shape[0] - 1.0)
    v = min(max((y - frame[1]) / frame[4], 0.0), extra.shape[1] - 1.0)
    i, j = min(int(u), extra.shape[0] - 2), min(int(v), extra.shape[1] - 2)
    k = min(max(math.floor((z - frame[2]) / frame[5] + 0.5), 0), extra.shape[2] - 1)
    u, v = u - i, v - j
    near = (1.0 - v) * extra[i, j, k] + v * extra[i, j + 1, k]
    far = (1.0 - v) * extra[i + 1, j, k] + v * extra[i + 1, j + 1, k]
    return (1.0 - u) * near + u * far


@kernel(exact=True)
def crowd_along(crowd: CrowdField, ax: Any, ay: Any, az: Any, bx: Any, by: Any, bz: Any) -> Any:
    """By how much a straight way is longer through a crowd [m]."""
    if crowd.extra.size == 0:
        return 0.0
    dx, dy, dz = bx - ax, by - ay, bz - az
    length = math.sqrt(dx * dx + dy * dy + dz * dz)
    count = int(SAMPLES * length / min(crowd.frame[3], crowd.frame[4])) + 1
    total = 0.0
    for k in range(count):
        part = (k + 0.5) / count
        total += crowd_at(crowd, ax + part * dx, ay + part * dy, az + part * dz)
    return total * length / count


@row_kernel(exact=True)
def crowd_between(i: int, point: Array, one: Array, other: Array, crowd: CrowdField, extra: Array) -> None:
    """By how much the straight ways between pairs of points in the plane are longer [m]."""
    a, b = one[i], other[i]
    extra[i] = crowd_along(crowd, point[a, 0], point[a, 1], 0.0, point[b, 0], point[b, 1], 0.0)


def counted_places(crowd: Crowd, active: Array) -> Array:
    """Count those of a crowd that are steered, if it is time; where each was counted last [m], shape (n, d)."""
    n, counts = len(active), active.astype(bool) & crowd.due()
    for own, before, now in zip(crowd.counted, crowd.before, crowd.position, strict=True):
        own[:n] = np.where(counts, now[:n], before[:n])
    return np.stack([each[:n] for each in crowd.counted], axis=1).astype(np.float64)
