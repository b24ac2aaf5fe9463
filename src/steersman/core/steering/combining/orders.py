"""Orders: columns of one's own, which the numbers and targets of the parts below name, and which are written by id.

This library's own.

    steering = sm.Orders(
        sm.Priority([sm.AvoidNeighbors(), sm.Arrive("column:goal")]) + "boldness" * sm.Wander(),
        {"goal": None, "boldness": 0.2},
    )
    army = world.add(vehicles, steering=steering)
    army.order(squad, goal=(40, 10), missing="ignore")       # at any time; vehicles that are gone are left out

A column is read at every step, so writing it is the order: no tree is built anew. Columns are memory: they stay with
their vehicles by id while others come and go, and stand in snapshots and documents.
"""

import math
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.parameters.arrays import as_floats
from steersman.core.parameters.brief import brief
from steersman.core.parameters.kinds import Kind
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.combining.switch import ONE_PART
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Scene
from steersman.core.steering.tree.forces import Out
from steersman.core.typing import Array
from steersman.core.vehicles.columns import SCALARS
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicles import Vehicles

NO_POINT = "none"
"""The start of a column of points in which no vehicle has one."""


def as_own_columns(name: str, value: Any) -> dict[str, Any]:
    """Name -> the value at the start: a number, a point as a list, or NO_POINT."""
    if not isinstance(value, Mapping):
        raise TypeError(f"{name} must be {OWN_COLUMNS.words}, got {brief(value)}")
    columns = {}
    for column, start in value.items():
        if not isinstance(column, str) or not column.isidentifier() or column in SCALARS:
            raise ValueError(f"{name} must have names that no column of vehicles has, got {brief(column)}")
        if start is None or (isinstance(start, str) and start == NO_POINT):
            columns[column] = NO_POINT
            continue
        initial = as_floats(f"{name}[{column!r}]", start, np.float64)
        if initial.shape not in ((), (2,), (3,)):
            raise ValueError(f"{name} must be numbers or points (d,), got shape {initial.shape} for {column!r}")
        columns[column] = initial.tolist()
    return columns


OWN_COLUMNS = Kind("own columns", "name -> a number, a point (d,) or None", as_own_columns)


@registered
class Orders(Behavior):
    """One part, and columns of one's own that it reads at every step: orders to vehicles by id.

    A number of a behavior below, or a weight, names a column of numbers, `sm.Wander(strength="boldness")`, or, where it has
    words of its own, `sm.Seek(goal, speed="column:pace")`. A target names a column of points: `sm.Arrive("column:goal")`. A
    vehicle without a point has no target, so the behavior does not act. `Population.order` writes columns.

    Args:
        components: The part: a behavior or a function (or a list of one).
        columns: Name -> the value with which each vehicle begins: a number, a point (d,), or None: no point yet.

    Raises:
        ValueError: There is not exactly one part, or a name is that of a column of the vehicles.
    """

    orders: ClassVar[bool] = True
    components: Any = parameter(kind=ONE_PART, positional=True)
    columns: Any = parameter(kind=OWN_COLUMNS, positional=True)

    def parts(self) -> tuple[Behavior, ...]:
        """The part."""
        return tuple(self.components)

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """The columns at the start."""
        n, d = len(vehicles), vehicles.dimensions
        columns = {}
        for name, start in self.columns.items():
            value = np.full(d, math.nan) if start == NO_POINT else np.asarray(start)
            if value.shape not in ((), (d,)):
                raise ValueError(f"columns must have points of {d} dimensions like the vehicles, got {name} = {start}")
            columns[name] = np.array(np.broadcast_to(value, (n, *value.shape)), vehicles.dtype)
        return columns

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """The calls of the part, which find the columns in the memory."""
        return scene.part(0, out)
