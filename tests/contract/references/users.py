"""References of what users write in the examples."""

from typing import Any

import numpy as np
from contract.references.vehicle import Answer, At, Reference

from steersman.core.steering.behavior import Function


def written_in_numpy(b: Any, at: At) -> Answer:
    """What the users' behaviors of the examples say."""
    if isinstance(b, Function):
        return b.function(at.place.vehicles)[at.i], False
    if hasattr(b, "wind"):
        return at.mass * np.array(b.wind), False
    return at.forward, True


REFERENCES: dict[str, Reference] = {
    "Function": written_in_numpy, "Drift": written_in_numpy, "Tiring": written_in_numpy,
}  # fmt: skip
