"""Vehicles column by column, as a document gives them."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from steersman.core.vehicles.vehicles import Vehicles

NEAR = 1e-3
"""Tolerance within which orientations count as orthonormal: these are kept unchanged, bit for bit."""


def vehicles_from(
    position: Any, *, next_id: int | None = None, newcomers: Mapping[str, float] | None = None, **columns: Any
) -> Vehicles:
    """Vehicles made of columns.

    Args:
        position: Positions [m], shape (n, d).
        next_id: The id that the next vehicle gets. Default: the one after the largest.
        newcomers: Default values for vehicles that are added later, by column. Default: the value that all share.
        **columns: Other arguments of Vehicles.

    Raises:
        TypeError, ValueError: As for Vehicles.
    """
    vehicles = Vehicles(position, **columns)
    for name in ("forward", "up"):
        if columns.get(name) is not None:
            rows, values = getattr(vehicles, name), np.asarray(columns[name], vehicles.dtype)
            if values.shape == rows.shape and np.all(np.abs(values - rows) < NEAR):
                rows[...] = values
    state = vehicles.__getstate__()
    if next_id is not None and next_id < state["next_id"]:
        raise ValueError(f"next_id must be above all ids, at least {state['next_id']}, got {next_id}")
    state["next_id"] = state["next_id"] if next_id is None else next_id
    state["usual"] = state["usual"] if newcomers is None else dict(newcomers)
    vehicles.replace(state)
    return vehicles
