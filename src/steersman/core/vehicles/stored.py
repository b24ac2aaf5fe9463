"""StoredVehicles: the base of `Vehicles`, with all about a population that plans, worlds and recorders use, and users do not.

Every column is kept component by component in one block (see `columns`), so that kernels read contiguous numbers. A change of
the number of vehicles is made in one instruction, and can be recorded so that it can be undone.
"""

from operator import setitem
from typing import Any, Protocol
from weakref import WeakSet

import numpy as np

from steersman.core.kernels.signals import Action, at_once
from steersman.core.parameters.guiding import explained
from steersman.core.parameters.renaming import RenamedAttribute
from steersman.core.parameters.showing import Shown
from steersman.core.typing import Array
from steersman.core.vehicles.columns import Change, Store, as_dtype, by_name
from steersman.core.vehicles.turns import CHANGING, Turn, each_of, takes_turn
from steersman.core.vehicles.vehicle_columns import Spin, VehicleColumns


class Away(Protocol):
    """An object that holds the present values of vehicles elsewhere, as on a GPU, while their columns are out of date."""

    def bring_home(self) -> None:
        """Write the present values to the columns, which are up to date from then on."""


class StoredVehicles(Shown):
    """The arrays of a population, and their changes.

    Args:
        dimensions: 2 or 3.
        n: The number of vehicles.
        dtype: np.float32 or np.float64, of every column.

    Attributes:
        revision: Grows whenever rows have moved.
        rank: The place of their population among those of its world: see `coincident.tie_of`.
        moved: The number of moves by bodies, which keep frames up to date themselves.
        written: The number of assigned frames.
        share: The part of a population that this process has: see `share.py`.
    """

    __slots__ = (
        "__weakref__",
        "_away",
        "_held_store",
        "_turns",
        "_undo",
        "dimensions",
        "dtype",
        "moved",
        "rank",
        "revision",
        "share",
        "written",
    )  # A misspelled column is an error.

    def __init__(self, dimensions: int, n: int, dtype: Any) -> None:
        self.dtype: np.dtype[Any] = as_dtype(dtype)
        self.dimensions = dimensions
        self.revision = self.rank = self.moved = self.written = 0
        self.share: Any = None
        self._away: Away | None = None
        self._held_store = Store(dimensions, n, self.dtype)
        self._turns: WeakSet[Turn] = WeakSet()
        self._undo: list[Action] | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {
            "dtype": self.dtype, "dimensions": self.dimensions, "block": self.block.copy(), "ids": self.id.copy(),
            "next_id": self._store.next_id, "revision": self.revision, "written": self.written,
            "usual": dict(self._store.usual), "births": self._store.births, "born": self._store.born,
        }  # fmt: skip

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.dtype, self.dimensions, self.revision = state["dtype"], state["dimensions"], state["revision"]
        self.moved, self.written, self.rank = 0, state["written"], 0
        self._turns, self._undo, self._away, self.share = WeakSet(), None, None, None
        self._held_store = _stored(state)

    def __len__(self) -> int:
        return len(self._held_store)

    @takes_turn
    def replace(self, state: dict[str, Any]) -> None:
        """Replace all vehicles by those of a state, in one instruction."""
        new = {name: state[name] for name in ("dtype", "dimensions", "written")}
        new |= {
            "_held_store": _stored(state),
            "_away": None,
            "moved": 0,
            "revision": max(self.revision, state["revision"]) + 1,
        }
        at_once([(setattr, self, name, value) for name, value in new.items()])

    @explained
    @takes_turn
    def hold(
        self, block: Array, ids: Array, births: Array, born: int, next_id: int, capacity: int | None = None
    ) -> None:
        """Replace all vehicles by others, in the same arrays if there is room.

        Args:
            block: Their columns, as in `block`, shape (columns, n).
            ids, births: Their ids, and the numbers of their births, shape (n,).
            born: The number of vehicles that were ever added.
            next_id: The first id that was never given.
            capacity: The number of vehicles to make room for, in other arrays.
        """
        self._check_open()
        store = self._store.with_room(len(ids))
        if capacity is not None:
            usual, store = store.usual, Store(self.dimensions, capacity, self.dtype)
            store.usual = dict(usual)
        store.next_id = next_id
        store.hold(block, ids, births, born)
        at_once([(setattr, self, "_held_store", store), (setattr, self, "revision", self.revision + 1)])

    @takes_turn
    def append(self, block: Array, ids: Array) -> None:
        """Add vehicles as they are at the end.

        Args:
            block: Their columns, as in `block`, shape (columns, k).
            ids: Their ids, shape (k,).
        """
        self._check_open()
        store = self._store.with_room(len(self) + len(ids))
        columns = {name: values.T for name, values in by_name(block, self.dimensions).items()}
        self._change(store.extending(columns, ids), store)

    def _change(self, change: Change, store: Store) -> None:
        """Change the number of vehicles, in one instruction."""
        revision = self.revision + 1
        undo: list[Action] = []
        if self._undo is not None:
            back = [
                *change.back(),
                (setattr, self, "_held_store", self._store),
                (setattr, self, "revision", revision + 1),
            ]
            undo = [(setitem, self._undo, slice(0, 0), back)]
        at_once([*undo, *change.actions, (setattr, self, "_held_store", store), (setattr, self, "revision", revision)])

    def _check_open(self) -> None:
        """Raise RuntimeError while behaviors read the columns."""
        if self._store.is_shut:
            raise RuntimeError(
                "vehicles must not be spawned or removed in the middle of a step; do that between steps: in a loop of your "
                "own, in a function given to on_step, or in on_enter of Modes"
            )

    def undoing(self, undo: list[Action] | None) -> None:
        """Record the actions that undo each change from now on, those of the last change first; None ends recording.

        Args:
            undo: The list that takes the actions.
        """
        self._undo = undo

    def undone(self) -> Action:
        """`undoing(None)` as an action (see `signals.at_once`)."""
        return (setattr, self, "_undo", None)

    @property
    def born(self) -> int:
        """The number of vehicles that were ever added."""
        return self._held_store.born

    @property
    def id(self) -> Array:
        """Names of the vehicles, shape (n,), int64, read-only: they stay with a vehicle for ever."""
        return self._held_store.ids[:]

    @property
    def births(self) -> Array:
        """Numbers in order of creation, shape (n,), int64, read-only. Ids may be given again, these numbers never."""
        return self._held_store.births

    @property
    def turns(self) -> list[Turn]:
        """The turns of all worlds and Controllers that step or read these vehicles."""
        return each_of(self._turns)

    def stepped_in(self, turn: Turn) -> None:
        """Let changes of the number of vehicles wait for this turn, from now on."""
        with CHANGING.lock:
            self._turns.add(turn)

    @property
    def _store(self) -> Store:
        """The columns, brought up to date first (see `Away`)."""
        if self._away is not None:
            self._away.bring_home()
        return self._held_store

    def bring_home(self) -> None:
        """Bring the columns, and the memory of behaviors, up to date if their values are elsewhere (see `Away`)."""
        if self._away is not None:
            self._away.bring_home()

    def leave(self, away: "Away | None") -> None:
        """Note that another object holds the present values, until they are asked for; None: the columns are up to date."""
        self._away = away

    def shut(self) -> None:
        """Make the columns read-only while behaviors read them."""
        self._store.shut()

    def open(self) -> None:
        """Make the columns writable again."""
        self._store.open()

    @property
    def columns(self) -> VehicleColumns:
        """The columns as kernels take them (live), shape (capacity,), of which the first n rows are the vehicles."""
        return self._store.columns

    @property
    def spin(self) -> Spin:
        """The columns about turning as kernels take them (live), of shape (capacity,)."""
        return self._store.spin

    @property
    def body_lengths(self) -> Array:
        """The lengths of the bodies as kernels take them (live) [m], shape (capacity,)."""
        return self._store.lengths

    @property
    def capacity(self) -> int:
        """The number of vehicles that `columns` and `spin` have room for; with more, these become other arrays."""
        return self._held_store.capacity

    room = RenamedAttribute("capacity")

    @property
    def storage(self) -> object:
        """An object that stands for the arrays of all columns: after they became other arrays, it is another object."""
        return self._held_store

    @property
    def block(self) -> Array:
        """All number columns in one array, shape (columns, n), which is checked, hashed and copied as a whole."""
        return self._store.block[:]

    @property
    def count(self) -> Array:
        """The number of vehicles, for kernels (live), shape (1,), int64."""
        return self._held_store.count

    @property
    def whole(self) -> Array:
        """All number columns in one array with all its capacity, shape (columns, capacity), for kernels (live)."""
        return self._store.whole


def _stored(state: dict[str, Any]) -> Store:
    """A store with the columns of the vehicles of a state (see `StoredVehicles.__getstate__`)."""
    store = Store(state["dimensions"], len(state["ids"]), state["dtype"], state["next_id"])
    store.hold(state["block"], state["ids"], state["births"], state["born"])
    store.usual = state["usual"]
    return store
