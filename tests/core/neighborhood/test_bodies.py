"""Bodies of length: the kernels beside their laws in NumPy."""

from typing import Any

import numpy as np
import pytest

import steersman as sm
from steersman import laws
from steersman.core.neighborhood.bodies import threatening_offset


@pytest.mark.parametrize("d", [2, 3])
def test_the_discs_that_threaten_are_those_of_the_law_up_to_any_horizon(d: int) -> None:
    """Also where two bodies would meet later than the horizon: what happens behind it does not count."""
    rng, late = np.random.default_rng(d), 0
    for _ in range(60):
        offset, other = rng.normal(size=(2, d)) * [[5.0], [1.0]]
        w, reach, horizon = rng.normal(size=d) - offset / 4, rng.uniform(0.9, 1.5), rng.uniform(0.2, 3)
        forward, length = rng.normal(size=(2, d)), np.array([3.0, 4.0])
        bodies = sm.Vehicles(
            np.stack([other, other + offset]), forward=forward, radius=0.4, length=length, dtype=np.float64
        )
        axes = (length / 2 - 0.4)[:, None] * bodies.forward
        if np.linalg.norm(laws.nearest_offset(offset[None], axes[:1], axes[1:])) < 0.01:
            continue  # They cross: the middles say where to.
        wanted = laws.meeting_offset(offset[None], w[None], axes[:1], axes[1:], reach, horizon)[0]
        both: Any = (bodies.columns, bodies.columns, (bodies.length, bodies.length))
        found = threatening_offset(tuple(offset), tuple(w), reach, horizon, 0, 1, *both)
        np.testing.assert_allclose(found, wanted, atol=1e-6)
        later = laws.meeting_offset(offset[None], w[None], axes[:1], axes[1:], reach, 99.0)[0]
        late += bool(np.abs(later - wanted).max() > 1e-3)
    assert late > 5
