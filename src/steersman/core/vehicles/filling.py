"""Filling: new vehicles are checked as a whole, and only then written to their columns."""

from typing import Any

import numpy as np

from steersman.core.typing import Array
from steersman.core.vehicles.columns import Change, Store, as_column, as_turning, as_vectors
from steersman.core.vehicles.orientation import frames


def fill(store: Store, position: Array, values: dict[str, Any], scalars: dict[str, Any]) -> Change:
    """Validate all columns of new vehicles, for which a store has room; return the change that adds them.

    Raises:
        TypeError: An argument does not consist of numbers.
        ValueError: As for `Vehicles`; then nothing was written.
    """
    n, d, dtype = len(position), store.dimensions, store.dtype
    at_rest, turning = np.zeros(d), 0.0 if d == 2 else np.zeros(3)
    velocity, spin = values.get("velocity"), values.get("angular_velocity")
    columns: dict[str, Array] = {"position": position}
    columns["velocity"] = as_vectors("velocity", at_rest if velocity is None else velocity, n, d, dtype)
    ids = store.new_ids(values.get("id"), n)
    forward, up = frames(columns["velocity"], values.get("forward"), values.get("up"), values.get("heading"))
    columns["forward"] = forward
    if up is not None:
        columns["up"] = up
    columns["angular_velocity"] = as_turning("angular_velocity", turning if spin is None else spin, n, d, dtype)
    columns |= {name: as_column(name, value, n, dtype) for name, value in scalars.items()}
    return store.extending(columns, ids)
