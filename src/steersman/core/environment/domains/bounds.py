"""Where a domain ends."""

import math
from typing import Any

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.typing import Array


def bounds(domain: Domain, dimensions: int) -> tuple[Array, Array]:
    """Lowest corner and size of a domain [m], shape (d,) each; the size of an open one is infinite."""
    if domain.dimensions is None:
        return np.zeros(dimensions), np.full(dimensions, math.inf)
    limited: Any = domain
    return np.asarray(limited.origin), np.asarray(limited.size)
