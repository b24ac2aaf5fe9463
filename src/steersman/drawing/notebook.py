"""Notebooks: the picture of a world, a population or a path in a cell, beside a small table.

The table has no colors of its own, so it is right on light paper and on dark; the picture brings its paper along.
"""

import base64
from collections.abc import Iterable, Iterator, Mapping
from functools import singledispatch
from html import escape
from typing import Any

import numpy as np

from steersman.core.environment.domains.bounds import bounds
from steersman.core.environment.obstacles.obstacle import Obstacles
from steersman.core.environment.paths.path import Path
from steersman.core.environment.resources import Resources
from steersman.core.parameters.parameters import Parameters, describe
from steersman.core.steering.tree.tree import Node
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.population import Population
from steersman.core.world.world import World
from steersman.drawing.draw import as_png

WIDTH = 440
"""Width of the picture [pixels]."""

COLUMNS = {
    "speed": "m/s", "max_speed": "m/s", "max_force": "N", "mass": "kg", "radius": "m", "response_time": "s",
}  # fmt: skip
"""Columns of vehicles in the table, with their units."""

Fact = tuple[str, Any]


def bundle(item: Any) -> dict[str, Any]:
    """The formats that a notebook chooses from: the text, the picture, and the picture beside a table. Drawn once."""
    picture = as_png(item)
    shown: dict[str, Any] = {"text/plain": repr(item), "text/html": as_html(item, picture)}
    return shown if picture is None else shown | {"image/png": picture}


def as_html(item: Any, picture: bytes | None) -> str:
    """A table of facts, beside the picture where there is one."""
    rows = "".join(
        f'<tr><th style="text-align: left; white-space: nowrap">{escape(name)}</th>'
        f'<td style="text-align: left">{_cell(value)}</td></tr>'
        for name, value in facts_of(item)
    )
    title = f'<div style="font-weight: bold">{type(item).__name__}</div>'
    table = f'<div>{title}<table style="color: inherit; background: none">{rows}</table></div>'
    if picture is not None:
        data = base64.b64encode(picture).decode()
        table = f'<img width="{WIDTH}" style="border-radius: 4px" src="data:image/png;base64,{data}">' + table
    return f'<div style="display: flex; flex-wrap: wrap; gap: 1em; align-items: flex-start">{table}</div>'


def _cell(value: Any) -> str:
    """A value in a cell: lines below each other, code where it has a shape of its own."""
    if isinstance(value, Node):
        lines = "\n".join(_line(node) for node in value.walk())
        return f'<pre style="margin: 0; background: none; color: inherit">{escape(lines)}</pre>'
    return escape(str(value))


def _line(node: Node) -> str:
    """A node of a steering tree, with its weight where it has one."""
    above = node.parent
    weights = None if above is None else getattr(above.behavior, "weights", None)
    weighed = weights is not None and node in above.children  # type: ignore[union-attr]
    weight = f"{weights[above.children.index(node)]:.4g} " if weighed else ""  # type: ignore[index,union-attr]
    return "    " * node.depth + weight + node.label


@singledispatch
def facts_of(item: Any) -> Iterable[Fact]:
    """Names and values of the main facts of an object."""
    return [("", repr(item))]


@facts_of.register
def _world(item: World) -> Iterator[Fact]:
    yield "time", f"{item.time:.6g} s, {item.steps:,} steps of {item.dt:.4g} s"
    _, extent = bounds(item.domain, 2)
    size = " x ".join(f"{edge:.4g}" for edge in extent) + " m" if np.isfinite(extent).all() else ""
    yield "domain", f"{type(item.domain).__name__} {size}"
    yield "seed", item.seed
    for each in item.constraints:
        yield "constraint", type(each).__name__
    for name, population in item.populations.items():
        steering = "nothing" if population.tree is None else population.tree.label
        yield name, f"{_number_of(population.vehicles)}, {type(population.locomotion).__name__}, steered by {steering}"
    for meter in (item.meters or {}).values():
        yield meter.label, f"{meter.now:.4g} {meter.unit}"


@facts_of.register
def _population(item: Population) -> Iterator[Fact]:
    yield "name", item.name
    yield from _vehicles(item.vehicles)
    yield "body", type(item.locomotion).__name__
    yield "steering", "none" if item.tree is None else item.tree


@facts_of.register
def _vehicles(item: Vehicles) -> Iterator[Fact]:
    yield "vehicles", f"{_number_of(item)}, {item.dtype}"
    for name, unit in COLUMNS.items() if len(item) else ():
        values = getattr(item, name)
        low, high = values.min(), values.max()
        yield (
            name,
            f"{low:.4g} {unit}" if low == high else f"{low:.4g} to {high:.4g} {unit}, on average {values.mean():.4g}",
        )


@facts_of.register
def _parameters(item: Parameters) -> Iterator[Fact]:
    for each in describe(type(item)):
        yield each.name, _short(getattr(item, each.name)) + (f" {each.unit}" if each.unit else "")


@facts_of.register
def _path(item: Path) -> Iterator[Fact]:
    yield "length", f"{item.length:.4g} m"
    yield from _parameters(item)


@facts_of.register
def _obstacles(item: Obstacles) -> Iterator[Fact]:
    yield "bodies", f"{len(item):,} in {item.dimensions}D"
    yield from _parameters(item)


@facts_of.register
def _resources(item: Resources) -> Iterator[Fact]:
    yield "places", f"{len(item):,} in {item.dimensions}D"
    yield "amount", f"{item.amount.sum():.4g} in all"


def _number_of(vehicles: Vehicles) -> str:
    return f"{len(vehicles):,} in {vehicles.dimensions}D"


def _short(value: Any) -> str:
    """A value of a parameter in a few words."""
    if isinstance(value, np.ndarray):
        if value.size <= 4:
            return f"{value.item():.6g}" if value.size == 1 else str(value.tolist())
        low, high = value.min(), value.max()
        return f"{low:.4g} everywhere" if low == high else f"{value.shape} numbers, {low:.4g} to {high:.4g}"
    if isinstance(value, Mapping):
        return ", ".join(map(str, value))
    return getattr(value, "__name__", None) or (f"{value:.6g}" if isinstance(value, float) else str(value))
