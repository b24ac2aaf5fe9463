"""Numbers of nodes with one value per vehicle: arrays by id, columns by name, and those that are computed with."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.per_row import Rows, holds
from steersman.core.parameters.per_vehicle import ComputedColumn, NumberColumn, PerVehicle, columns_in
from steersman.core.parameters.walking import rewritten
from steersman.core.steering.scene.surroundings import Surroundings
from steersman.core.steering.tree.tree import Node
from steersman.core.typing import Array
from steersman.core.vehicles.columns import SCALARS
from steersman.core.vehicles.memory import NOTHING, Memory
from steersman.core.vehicles.vehicle_columns import Spin, VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles


def column_of(
    memories: Mapping[int, Memory], vehicles: Vehicles, node: Node, name: str, column: str, components: int = 1
) -> Any:
    """A column for a node: see `Scene.column`."""
    known = list(SCALARS)
    above: Node | None = node
    while above is not None:
        memory = memories.get(above.key, NOTHING) if above.behavior.orders else NOTHING
        if column in memory:
            values = memory.now(column)
            has = len(values) if isinstance(values, tuple) else 1
            if has != components:
                expected = "a number" if components == 1 else f"a point ({components},)"
                raise ValueError(f"{name} must be {expected}, got the column {column!r} with {has} per vehicle")
            return values
        known += memory
        above = above.parent
    if column not in SCALARS or components != 1:
        raise ValueError(
            f"{name} must name a column that there is ({', '.join(known)}), or one of Orders above it, got {column!r}"
        )
    return (
        getattr(vehicles.columns, column, None) if column in VehicleColumns._fields else _turning(vehicles.spin, column)
    )


def _turning(spin: Spin, column: str) -> Array:
    """A limit of turning."""
    return spin.max_speed if column == "max_angular_speed" else spin.max_acceleration


def by_row(shared: Surroundings, node: Node, each: PerVehicle, calls: list[Call]) -> Rows:
    """One number per vehicle by rows, kept up to date; by a call that is added, where it is computed at every step."""
    vehicles = shared.vehicles
    if isinstance(each, NumberColumn):
        column = column_of(shared.memories, vehicles, node, each.name, each.column)
        each.check(column[: len(vehicles)])
        return Rows(column)
    rows = np.zeros(vehicles.capacity, vehicles.dtype)
    if isinstance(each, ComputedColumn):
        columns = {one: column_of(shared.memories, vehicles, node, one.name, one.column) for one in columns_in(each)}
        for one, column in columns.items():
            one.check(column[: len(vehicles)])

        def compute() -> None:
            n = len(vehicles)
            rows[:n] = each.compute(lambda one: columns[one][:n])

        compute()
        calls.append(Call(compute, whole=True))
        return Rows(rows)

    def fill() -> None:
        rows[: len(vehicles)] = each.by_row(vehicles.id, shared.addressed)

    fill()
    shared.recounts.append(fill)
    return Rows(rows)


def with_rows(shared: Surroundings, node: Node, calls: list[Call]) -> list[Call]:
    """Calls in which parameters with one number per vehicle become numbers by rows."""
    if not any(holds(call.arguments, PerVehicle) for call in calls):
        return calls
    known: dict[int, tuple[PerVehicle, Rows]] = {}
    before: list[Call] = []

    def rows_of(each: Any) -> Any:
        if not isinstance(each, PerVehicle):
            return each
        if id(each) not in known:
            known[id(each)] = (each, by_row(shared, node, each, before))
        return known[id(each)][1]

    # All at once, so that parts which several calls share are looked at once.
    replaced = rewritten(tuple(call.arguments for call in calls), rows_of, lambda each: isinstance(each, tuple))
    after = [
        call if arguments is call.arguments else replace(call, arguments=arguments)
        for call, arguments in zip(calls, replaced, strict=True)
    ]
    return [*before, *after]
