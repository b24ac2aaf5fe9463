"""The surroundings of vehicles: the items that their steering trees, bodies and constraints refer to.

A world has no list of its items: obstacles belong to the behaviors that avoid them, paths to the behaviors that follow them.
So code that draws or measures them collects them from the trees.
"""

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from steersman.core.environment.fields.flow_field import FlowField
from steersman.core.environment.obstacles.obstacle import Obstacles
from steersman.core.environment.paths.path import Path
from steersman.core.environment.resources import Resources
from steersman.core.environment.shape import Shape
from steersman.core.parameters.parameters import Parameters
from steersman.core.typing import Array
from steersman.core.world.population import Population

ITEMS = (Obstacles, Path, FlowField, Shape, Resources)
"""The classes of items: obstacles, paths, fields, regions, surfaces, resources."""


def surroundings(populations: Iterable[Population], *others: Any) -> tuple[Any, ...]:
    """The items that populations refer to, each once, in the order in which they are found.

    Args:
        populations: Populations; their trees and bodies are searched.
        *others: Other objects to search, such as constraints of a world.
    """
    found: dict[int, Any] = {}
    seen: dict[int, Any] = {}
    for population in populations:
        nodes = population.tree.walk() if population.tree is not None else ()
        for root in (*(node.behavior for node in nodes), population.locomotion):
            found.update((id(item), item) for item in _things(root, seen))
    found.update((id(item), item) for item in _things(others, seen))
    return tuple(found.values())


def _things(value: Any, seen: dict[int, Any]) -> Iterator[Any]:
    """The items in a value, its parameters, and theirs; `seen` has the values that were searched already."""
    if isinstance(value, (str, bytes, np.ndarray, int, float)) or value is None or id(value) in seen:
        return
    seen[id(value)] = value
    if isinstance(value, Obstacles):
        yield from value.sets
    elif isinstance(value, ITEMS):
        yield value
    elif isinstance(value, Parameters):
        for field in dataclasses.fields(value):
            yield from _things(getattr(value, field.name), seen)
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from _things(item, seen)
    elif isinstance(value, Mapping):
        yield from _things(list(value.values()), seen)


def fixed_targets(populations: Iterable[Population], dimensions: int) -> Array:
    """The fixed points that are targets of behaviors and conditions [m], each once, shape (k, d)."""
    found = [np.zeros((0, dimensions))]
    for population in populations:
        for node in population.tree.walk() if population.tree is not None else ():
            target = getattr(node.behavior, "target", None)
            if isinstance(target, np.ndarray) and target.shape[-1:] == (dimensions,):
                found.append(np.atleast_2d(target))
    return np.unique(np.concatenate(found), axis=0)
