"""Plain answers about obstacles: distance functions of single bodies, and rays followed along them in small safe steps."""

from typing import Any

import numpy as np

import steersman as sm
from steersman.core.environment.obstacles.answers import Rays, new_hits
from steersman.core.parameters.arrays import columns_of


def unit(a: Any) -> Any:
    return a / np.linalg.norm(a, axis=-1, keepdims=True)


def thick_cast(
    obstacles: Any, origin: Any, direction: Any, radius: float, reach: float = 300.0, domain: Any = None
) -> Any:
    """What balls hit: distances (n,) and normals (n, d)."""
    (n, d), dtype = origin.shape, np.float64
    rays = Rays(columns_of(origin, dtype), columns_of(direction, dtype), np.full(n, reach), np.full(n, radius))
    hits, everybody, wrap = new_hits(n, d, dtype), np.ones(n, np.uint8), (domain or sm.Open()).wrap(d, dtype)
    for call in obstacles.cast_calls(rays, everybody, wrap, hits):
        call.run(n)
    return hits.distance, np.stack(hits.normal, axis=1)


def march(origin: Any, direction: Any, radius: float, distance: Any, reach: float = 300.0) -> float:
    """How far a ball moves until it is nearer than its radius to something whose distance is a function; or infinity."""
    t = 0.0
    while t < reach:
        gap = distance(origin + t * direction) - radius
        if gap <= 2e-6:
            return t
        t += max(gap, 1e-6)
    return np.inf


def assert_same_hits(found: Any, expected: Any) -> None:
    """Distances agree; rays that all but miss may be told apart differently."""
    found, expected = np.asarray(found), np.asarray(expected)
    np.testing.assert_array_equal(np.isfinite(found), np.isfinite(expected))
    hit = np.isfinite(expected)
    np.testing.assert_allclose(found[hit], expected[hit], atol=1e-3)
