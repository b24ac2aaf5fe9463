"""Filling: new vehicles are checked as a whole, and only then written to their columns."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from steersman.core.typing import Array
from steersman.core.vehicles.columns import Change, Store, as_column, as_turning, as_vectors
from steersman.core.vehicles.orientation import frames, frames_at_rest

STILL: Final = np.zeros(())
"""The turning of vehicles that do not turn."""

NO_VALUES: Final[Mapping[str, float]] = MappingProxyType({})
"""No columns."""


def fill(
    store: Store,
    position: Array,
    values: dict[str, Any],
    scalars: dict[str, Any],
    usual: Mapping[str, float] = NO_VALUES,
) -> Change:
    """Validate all columns of new vehicles; return the change that adds them.

    Args:
        store: The store, which has room for them.
        position: Their positions [m], shape (n, d).
        values: Their other vectors and ids, by name. Those that are missing or None have defaults.
        scalars: Their columns of numbers, not yet validated.
        usual: Their other columns of numbers, validated before, with one value for all.

    Raises:
        ValueError: As for `Vehicles`; then nothing was written.
    """
    n, d, dtype = len(position), store.dimensions, store.dtype
    velocity, spin = values.get("velocity"), values.get("angular_velocity")
    columns: dict[str, Array] = {"position": position}
    columns["velocity"] = np.zeros((n, d), dtype) if velocity is None else as_vectors("velocity", velocity, n, d, dtype)
    ids = store.new_ids(values.get("id"), n)
    facing = [values.get(name) for name in ("forward", "up", "heading")]
    if velocity is None and all(each is None for each in facing):
        forward, up = frames_at_rest(d, dtype)
    else:
        forward, up = frames(columns["velocity"], *facing)
    columns["forward"] = forward
    if up is not None:
        columns["up"] = up
    columns["angular_velocity"] = STILL if spin is None else as_turning("angular_velocity", spin, n, d, dtype)
    columns |= {name: as_column(name, value, n, dtype) for name, value in scalars.items()}
    columns |= {name: np.asarray(value, dtype) for name, value in usual.items()}
    return store.extending(columns, ids)
