"""Choosing vehicles by id or by a mask. A whole number is never a row, because rows change when a vehicle is removed."""

from typing import Any

import numpy as np

from steersman.core.parameters.arrays import as_array
from steersman.core.typing import Array


def rows_of(ids: Array, which: Any) -> Array:
    """The rows of the chosen vehicles, shape (k,).

    Args:
        ids: The ids of all vehicles, by row, shape (n,).
        which: An id, ids in any order, or a mask of shape (n,), True for the chosen vehicles.
    """
    requested = as_array("ids", which)
    if requested.dtype == bool:
        return np.flatnonzero(as_mask(requested, len(ids)))
    requested = np.atleast_1d(requested)
    if requested.dtype.kind not in "iu" and requested.size:
        raise TypeError(f"ids must be whole numbers, or a mask of shape ({len(ids)},), got {requested.dtype}")
    requested = requested.astype(np.int64)
    at = np.searchsorted(ids, requested)
    if (at < len(ids)).all() and (ids[at] == requested).all():
        return np.asarray(at)  # Ids are ascending, unless a user gave others.
    order = np.argsort(ids, kind="stable")
    at = np.searchsorted(ids, requested, sorter=order)
    present = at < len(ids)
    present[present] = ids[order[at[present]]] == requested[present]
    if not present.all():
        raise KeyError(f"no vehicle has id {requested[~present][0]} (ids are meant, or a mask; never rows)")
    return np.asarray(order[at])


def as_mask(mask: Any, n: int, name: str = "the mask") -> Array:
    """A truth value for each of n vehicles, shape (n,)."""
    values = np.asarray(mask)
    if values.shape != (n,):
        raise ValueError(f"{name} must have shape ({n},), got {values.shape}")
    return values
