"""Choice of the vehicle to watch in a population: the nearest, the first, one by id, or the nearest of some.

Vehicles are named by their ids, which stay with them for ever; never by their rows, which change when a vehicle goes.
While the named vehicle is gone, or not there yet, no vehicle is watched: the behavior does not act, and the part below
it in a Priority does. So a missile whose target is dead flies on, or takes the next one:
`Priority([Pursue(prey, which=7), Pursue(prey)])`. When a vehicle with that id comes back, it is watched again.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import difference, dot, load
from steersman.core.parameters.arrays import frozen
from steersman.core.parameters.brief import brief
from steersman.core.parameters.kinds import Kind
from steersman.core.typing import Array, Columns
from steersman.core.vehicles.choosing import as_mask
from steersman.core.vehicles.holding import vehicles_of
from steersman.core.vehicles.vehicles import Vehicles

WORDS = ("nearest", "first")


class Among(NamedTuple):
    """The nearest of some.

    Attributes:
        ids: Their ids, shape (k,), int64, read-only.
    """

    ids: Array


def as_which(name: str, value: Any, of: Any = None) -> Any:
    """The choice of a vehicle to watch, in its normal form.

    Args:
        name: The name of the argument in messages.
        value: "nearest"; "first" (of the vehicles that are there, the one that came first); an id; an array of ids, one
            per vehicle, shape (n,); a mapping of own ids to ids, where a vehicle that is missing watches none; or a
            mask of the watched population, shape (m,), to watch the nearest of its members.
        of: The watched population, which a mask needs.

    Returns:
        A word, an int, a frozen array of ids, a dict, or Among.
    """
    if isinstance(value, str) and value in WORDS:
        return value
    if isinstance(value, Among):
        return Among(frozen(_ids(value.ids, value, name)))
    if isinstance(value, str):
        raise ValueError(f"{name} must be {WHICH.words}, got {brief(value)}")
    if isinstance(value, Mapping):
        own, watched = (_ids(list(each), value, name).tolist() for each in (value.keys(), value.values()))
        return dict(zip(own, watched, strict=True))
    numbers = np.asarray(value)
    if numbers.dtype == bool and numbers.ndim:
        return _among(numbers, of, name)
    numbers = _ids(value, value, name)
    if numbers.size == 1:
        if numbers.ndim == 0 and numbers < 0:
            raise ValueError(f"{name} must be an id >= 0, got {numbers}")
        return int(numbers.item())
    if numbers.ndim != 1:
        raise ValueError(f"{name} must hold one id per vehicle, shape (n,), got {numbers.shape}")
    return frozen(numbers)


WHICH = Kind("which", '"nearest", "first", an id, ids (one per vehicle), own id -> id, or a mask', as_which)


def _ids(numbers: Any, value: Any, name: str) -> Array:
    """Whole numbers as int64."""
    ids = np.asarray(numbers)
    if ids.dtype.kind not in "iu" and ids.size:
        raise TypeError(f"{name} must be {WHICH.words}, got {brief(value)}")
    return ids.astype(np.int64)


def _among(mask: Array, of: Any, name: str) -> Among:
    others = vehicles_of(of)
    if others is None:
        raise ValueError(f"{name} can be a mask of a population only, got one of shape {mask.shape} for {brief(of)}")
    return Among(frozen(others.id[as_mask(mask, len(others), name)].copy()))


@kernel
def row_of(chosen: tuple[Array, ...], k: int) -> Any:
    """The row of a chosen vehicle; if there is no choice, k itself."""
    if len(chosen) == 0:
        return k
    return chosen[0][k]


@row_kernel
def find_nearest(
    i: int, position: Columns, others: Columns, chosen: tuple[Array, ...], count: Array, same: bool, wrap: Array, pick: Array
) -> None:  # fmt: skip
    """For every vehicle the row of the nearest of the others (the first of equals), -1 if there are none.

    `chosen`: empty for all `count[0]` others, or the rows of the only ones that count, of which there are `count[0]`.
    """
    here = load(position, i)
    best = -1
    best_d2 = here[0]
    for k in range(count[0]):
        j = row_of(chosen, k)
        if same and i == j:
            continue
        offset = difference(load(others, j), here, wrap)
        d2 = dot(offset, offset)
        if best < 0 or d2 < best_d2:
            best, best_d2 = j, d2
    pick[i] = best


def anybody(which: Any) -> bool:
    """Whether the nearest of all is meant."""
    return isinstance(which, str) and which == "nearest"


def picked(which: Any, quarry: Vehicles, vehicles: Vehicles, addressed: Array, name: str) -> Array:
    """The rows that all vehicles watch if the choice does not change at every step, -1 for none, shape (n,), int64.

    Args:
        which: "first", an id, ids or a mapping, as `as_which` gives them.
        quarry: The watched population.
        vehicles: The vehicles that watch.
        addressed: Ids of the vehicles that ids in an array are for, in their order.
        name: The name of the watched population in messages.

    Raises:
        ValueError: An id was never given, or there are not as many as vehicles.
    """
    n = len(vehicles)
    if isinstance(which, str):
        return np.full(n, 0 if len(quarry) else -1, np.int64)
    if isinstance(which, int):
        _check_id_exists(which, quarry, name)
        rows = np.flatnonzero(quarry.id == which)
        return np.full(n, rows[0] if len(rows) else -1, np.int64)
    if not isinstance(which, dict) and which.shape != addressed.shape:
        raise ValueError(
            f"which must hold one id per vehicle, shape {addressed.shape} when the steering was assigned, "
            f"got {which.shape}; or give own id -> id"
        )
    watched = which if isinstance(which, dict) else dict(zip(addressed.tolist(), which.tolist(), strict=True))
    _check_id_exists(max(watched.values(), default=-1), quarry, name)
    row_of = {each: row for row, each in enumerate(quarry.id.tolist())}
    return np.array([row_of.get(watched.get(int(own), -1), -1) for own in vehicles.id], np.int64)


class Chosen:
    """The chosen vehicles that are there.

    Attributes:
        rows: Their rows, ascending, shape (k,), int64.
        count: How many of these count, shape (1,), int64: the rest hold no vehicle.
    """

    def __init__(self, which: Among, quarry: Vehicles) -> None:
        self._which, self._quarry = which, quarry
        self.rows, self.count = np.zeros(len(which.ids), np.int64), np.zeros(1, np.int64)
        self.find()

    def find(self) -> None:
        """Find them."""
        rows = np.flatnonzero(np.isin(self._quarry.id, self._which.ids))
        self.count[0] = len(rows)
        self.rows[: len(rows)] = rows


def _check_id_exists(id: int, quarry: Vehicles, name: str) -> None:
    """Raise ValueError when no vehicle of a population ever had an id; unknown before the first vehicle comes."""
    if id >= quarry.next_id > 0:
        some = ", ".join(map(str, quarry.id[:5].tolist())) or "none"
        more = ", ..." if len(quarry) > 5 else ""
        raise ValueError(f"which must be an id that {name} has or had, got {id}; ids there now: {some}{more}")
