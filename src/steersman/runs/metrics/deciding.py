"""Decisions of vehicles: which fraction of a population is in a mode."""

from collections.abc import Callable
from typing import Any

import numpy as np

from steersman.core.action_selection.modes import Modes
from steersman.core.action_selection.reading import modes_of
from steersman.core.typing import Array
from steersman.core.world.population import Population
from steersman.runs.metrics.metric import Metric


def in_mode(population: Population, mode: str, node: Any = None) -> Array:
    """Which vehicles are in a mode, shape (n,), bool; all False where the steering tree has no modes.

    Args:
        population: The population.
        mode: The name of the mode.
        node: The Modes of its tree: the name or the node. Default: the only one, or the outermost.
    """
    tree = population.tree
    if tree is None or not any(isinstance(each.behavior, Modes) for each in tree.walk()):
        return np.zeros(len(population.vehicles), bool)
    return np.asarray(modes_of(population, node) == mode)


def share_in_mode(population: Population, mode: str, node: Any = None) -> float:
    """The fraction of a population that is in a mode, from 0 to 1; NaN without vehicles."""
    return float(in_mode(population, mode, node).mean()) if len(population.vehicles) else np.nan


def mode_metric(population: Population, mode: str, doc: str) -> Metric:
    """The metric of a share in a mode, for `watch`."""
    return Metric("", doc, lambda _: share_in_mode(population, mode))


def count_metric(doc: str, count: Callable[[], float]) -> Metric:
    """The metric of a number that the scene itself counts, for `watch`."""
    return Metric("", doc, lambda _: float(count()))
