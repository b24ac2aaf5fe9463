"""Spaces in the plane by their periods alone, for differences."""

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.domains.box import Box
from steersman.core.environment.domains.torus import Torus
from steersman.core.environment.open import Open
from steersman.core.typing import Array


def flat_space(period: Array) -> Domain:
    """A space with these periods along x and y [m], shape (2,), zero where it does not wrap."""
    if not period.any():
        return Open()
    if period.all():
        return Torus(period)
    return Box(np.where(period > 0, period, 1.0), periodic="x" if period[0] > 0 else "y")
