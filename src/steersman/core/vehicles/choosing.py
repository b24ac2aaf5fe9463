"""Choosing vehicles: by id, or by a mask. Numbers are never rows, because rows change when a vehicle is removed."""

from typing import Any

import numpy as np

from steersman.core.parameters.arrays import as_array
from steersman.core.typing import Array


def rows_of(ids: Array, which: Any) -> Array:
    """The rows of the chosen vehicles, shape (k,).

    Args:
        ids: The ids of all vehicles, by row, shape (n,).
        which: An id, ids in any order, or a mask of shape (n,), True for the chosen vehicles.

    Raises:
        TypeError: It is neither.
        ValueError: A mask has another shape.
        KeyError: No vehicle has a given id.
    """
    wanted = as_array("ids", which)
    if wanted.dtype == bool:
        return np.flatnonzero(as_mask(wanted, len(ids)))
    wanted = np.atleast_1d(wanted)
    if wanted.dtype.kind not in "iu" and wanted.size:
        raise TypeError(f"ids must be whole numbers, or a mask of shape ({len(ids)},), got {wanted.dtype}")
    wanted = wanted.astype(np.int64)
    at = np.searchsorted(ids, wanted)
    if (at < len(ids)).all() and (ids[at] == wanted).all():
        return np.asarray(at)  # Ids are in order, unless they were given.
    order = np.argsort(ids, kind="stable")
    at = np.searchsorted(ids, wanted, sorter=order)
    found = at < len(ids)
    found[found] = ids[order[at[found]]] == wanted[found]
    if not found.all():
        raise KeyError(f"no vehicle has id {wanted[~found][0]} (ids are meant, or a mask; never rows)")
    return np.asarray(order[at])


def as_mask(mask: Any, n: int, name: str = "the mask") -> Array:
    """A truth value for each of n vehicles, shape (n,).

    Raises:
        ValueError: It has another shape.
    """
    given = np.asarray(mask)
    if given.shape != (n,):
        raise ValueError(f"{name} must have shape ({n},), got {given.shape}")
    return given
