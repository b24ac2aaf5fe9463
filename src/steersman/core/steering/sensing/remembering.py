"""Remembering: what vehicles noticed of a target, until they forget it, and what those of a group tell each other.

    known = now - noticed <= forget
    told  = the latest notice of any vehicle of the same group

Reynolds 1999, "Combining Behaviors", has animals that do not recognize a danger before they sense it. To keep it in mind, and
to tell each other, are the working memory and the blackboard of game AI (Orkin 2006, "Three States and a Plan").
"""

from dataclasses import KW_ONLY, dataclass
from typing import Any, NamedTuple

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.shapes import Cross, segment
from steersman.core.maths.vectors import ZERO, add_scaled, load, scale, store
from steersman.core.parameters.arrays import as_array, frozen
from steersman.core.parameters.brief import brief
from steersman.core.parameters.kinds import Kind
from steersman.core.parameters.parameters import parameter
from steersman.core.parameters.per_vehicle import rows_among
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext
from steersman.core.steering.tree.knowledge import Belief, Knowledge
from steersman.core.typing import Array, Columns
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicles import Vehicles

ROUNDING = 1e-9
"""Part of a time by which a sum of time steps may be off."""

ALONE = -1
"""The group of vehicles that tell nobody anything."""


def as_groups(name: str, value: Any) -> Any:
    """Groups in their normal form: "all", or whole numbers, one per vehicle, read-only."""
    if isinstance(value, str):
        if value != "all":
            raise ValueError(f"{name} must be {GROUPS.words}, got {brief(value)}")
        return value
    groups = as_array(name, value)
    if groups.dtype.kind not in "iu" and groups.size:
        raise TypeError(f"{name} must be {GROUPS.words}, got {brief(value)}")
    if groups.ndim != 1:
        raise ValueError(f"{name} must be {GROUPS.words}, got shape {groups.shape}")
    return frozen(groups.astype(np.int64))


GROUPS = Kind("groups", '"all" or a whole number per vehicle (n,), < 0 for those that share with nobody', as_groups)


class Notice(NamedTuple):
    """Memory of what was noticed last.

    Attributes:
        time: When [s]; negative: never.
        id: The id of the vehicle that it was, -1 for none.
        position, velocity, forward, up: Where it was then, how it moved and how it was turned.
        radius: Its radius [m].
    """

    time: Array
    id: Array
    position: Columns
    velocity: Columns
    forward: Columns
    up: Columns
    radius: Array


def nothing_noticed(vehicles: Vehicles) -> dict[str, Array]:
    """The memory of vehicles that have not noticed anything."""
    n, d, dtype = len(vehicles), vehicles.dimensions, vehicles.dtype
    up = {"up": np.zeros((n, 3), dtype)} if d == 3 else {}
    vectors = {name: np.zeros((n, d), dtype) for name in ("position", "velocity", "forward")}
    return {"time": np.full(n, -1.0), "id": np.full(n, -1), **vectors, **up, "radius": np.zeros(n, dtype)}


def next_notice(memory: Memory) -> Notice:
    """The memory to write."""
    columns: list[Any] = [memory.next(name) if name in memory else () for name in Notice._fields]
    return Notice(*columns)


@kernel
def copy_up(to: Columns, i: int, up: Columns, j: int) -> None:
    """Copy the up of row j to row i; in 2D there is none."""
    if len(to) != 0:
        store(to, i, load(up, j))


@kernel
def find_latest(group: Array, id: Array, count: Array, time: Array, latest: Array) -> None:
    """The row of the latest notice in each group, of equals that of the lowest id; -1 where there is none."""
    latest[:] = -1
    for i in range(count[0]):
        k = group[i]
        if k < 0 or time[i] < ZERO:
            continue
        j = latest[k]
        if j < 0 or time[i] > time[j] or (time[i] == time[j] and id[i] < id[j]):
            latest[k] = i


@row_kernel
def tell(i: int, group: Array, latest: Array, notice: Notice) -> None:
    """Take over the latest notice of the group, if it is later than the own one. Rows that are read are not written."""
    if group[i] < 0:
        return
    j = latest[group[i]]
    if j >= 0 and notice.time[j] > notice.time[i]:
        notice.time[i], notice.id[i], notice.radius[i] = notice.time[j], notice.id[j], notice.radius[j]
        store(notice.position, i, load(notice.position, j))
        store(notice.velocity, i, load(notice.velocity, j))
        store(notice.forward, i, load(notice.forward, j))
        copy_up(notice.up, i, notice.up, j)


@row_kernel
def believe(i: int, notice: Notice, wait: float, ahead: float, clock: Clock, belief: Belief) -> None:
    """Know what was noticed not longer ago than the wait [s]; it is taken to go straight on for the time `ahead` [s]."""
    age = clock.time[0] - notice.time[i]
    belief.pick[i] = -1
    if notice.time[i] < ZERO or age > wait:
        return
    at = belief.columns
    belief.pick[i], belief.age[i] = i, age
    at.id[i], at.radius[i] = notice.id[i], notice.radius[i]
    velocity = load(notice.velocity, i)
    store(at.position, i, add_scaled(load(notice.position, i), velocity, min(age, ahead)))
    store(at.velocity, i, velocity if age <= ahead else scale(velocity, ZERO))
    store(at.forward, i, load(notice.forward, i))
    copy_up(at.up, i, notice.up, i)


@dataclass(frozen=True, eq=False)
class Remembered(Knowledge):
    """Base of what vehicles noticed, and may forget.

    Args:
        forget: For how long it is known [s]; may be infinite. Raising it searches longer.
        shared_by: Who tells each other what they noticed: "all", or a whole number per vehicle (n,), the number of its group;
            a vehicle with a number below 0 shares with nobody, and so does one that comes later. Default: nobody.
    """

    _: KW_ONLY
    forget: float = parameter(above=0.0, infinite=True, unit="s")
    shared_by: Any = parameter(None, kind=GROUPS, optional=True)

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """What was noticed last: nothing."""
        return nothing_noticed(vehicles)

    def belief_calls(self, scene: Scene, notice: Notice, ahead: float, belief: Belief) -> list[Call]:
        """The calls that share notices and make the belief of them.

        Args:
            scene: The scene of the knowledge.
            notice: The memory to write, with what was noticed in this step.
            ahead: For how long targets are taken to go straight on [s].
            belief: The belief.
        """
        wait = float(self.forget * (1 + ROUNDING))
        last = Call(believe, (notice, wait, float(ahead), scene.clock, belief))
        if self.shared_by is None:
            return [last]
        group, latest = self._groups(scene)
        find = Call(
            find_latest, (group, scene.columns.id, scene.vehicles.count, notice.time, latest), whole=True, fits=True
        )
        return [find, Call(tell, (group, latest, notice)), last]

    def _groups(self, scene: Scene) -> tuple[Array, Array]:
        """The group of every vehicle, counted from 0, shape (capacity,); and room for a row of each group."""
        group = np.full(scene.capacity, ALONE, np.int64)
        if isinstance(self.shared_by, str):
            group[:] = 0
            return group, np.zeros(1, np.int64)
        vehicles, addressed = scene.vehicles, scene.shared.addressed
        if self.shared_by.shape != addressed.shape:
            raise ValueError(
                f"shared_by must hold a number per vehicle, shape {addressed.shape} when the steering was assigned, got "
                f"{self.shared_by.shape}"
            )
        names, number = np.unique(self.shared_by, return_inverse=True)
        number = np.where(self.shared_by >= 0, number, ALONE)

        def find() -> None:
            rows = rows_among(vehicles.id, addressed)
            group[: len(rows)] = np.where(rows >= 0, number[rows], ALONE) if len(number) else ALONE

        find()
        scene.recount(find)
        return group, np.zeros(max(len(names), 1), np.int64)

    def sketch(self, context: SketchContext) -> Shapes:
        """Where they believe the target, and the way there."""
        place = context.watched(self).position
        yield segment(context.position, place, means="to where it was last seen")
        yield Cross(place, role="chosen", label="last seen here")
