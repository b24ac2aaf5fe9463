"""Surroundings: the obstacles, paths and other items that steering trees, bodies and constraints refer to.

A world has no list of its items: obstacles belong to the behaviors that avoid them, paths to the behaviors that follow them.
So code that draws or measures items collects them from the trees.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from steersman.core.environment.fields.flow_field import FlowField
from steersman.core.environment.obstacles.obstacle import Obstacles
from steersman.core.environment.paths.path import Path
from steersman.core.environment.resources import Resources
from steersman.core.environment.shape import Shape
from steersman.core.parameters.walking import walk
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
    bodies = [[*(node.behavior for node in each.nodes), each.locomotion] for each in populations]
    values = walk((bodies, others), lambda value: not isinstance(value, ITEMS))
    groups = [each.sets if isinstance(each, Obstacles) else (each,) for each in values if isinstance(each, ITEMS)]
    return tuple({id(item): item for items in groups for item in items}.values())


def fixed_targets(populations: Iterable[Population], dimensions: int) -> Array:
    """The fixed points that are targets of behaviors and conditions [m], each once, shape (k, d)."""
    targets = [np.zeros((0, dimensions))]
    for population in populations:
        for node in population.nodes:
            target = getattr(node.behavior, "target", None)
            if isinstance(target, np.ndarray) and target.shape[-1:] == (dimensions,):
                targets.append(np.atleast_2d(target))
    return np.unique(np.concatenate(targets), axis=0)
