"""Goals: the places where routes end: points, a region, vehicles, or what a function returns."""

from typing import Any

import numpy as np

from steersman.core.environment.obstacles.obstacle import Obstacles
from steersman.core.environment.regions.interior import Interior
from steersman.core.environment.regions.region import Region
from steersman.core.parameters.arrays import as_points, frozen
from steersman.core.parameters.brief import brief
from steersman.core.parameters.kinds import Kind
from steersman.core.typing import Array


def as_goals(name: str, value: Any, dimensions: int = 2) -> Any:
    """Goals in their normal form: a Region, points (m, d), a callable, or an object with `position`."""
    if isinstance(value, Obstacles):
        value = Interior(value)
    if isinstance(value, Region):
        if value.dimensions != dimensions:
            raise ValueError(f"{name} must have {dimensions} dimensions, got a region of {value.dimensions}")
        return value
    held = getattr(value, "vehicles", value)
    if not isinstance(value, type) and isinstance(getattr(held, "position", None), np.ndarray):
        return held
    if callable(value):
        return value
    if value is None or isinstance(value, str):
        raise TypeError(f"{name} must be {GOALS.words}, got {brief(value)}")
    return frozen(points_of(name, value, dimensions))


def are_vehicles(goals: Any) -> bool:
    """Whether goals are Vehicles, or a population of a world."""
    return hasattr(goals, "position")


def points_of(name: str, goals: Any, dimensions: int = 2) -> Array:
    """Where goals that are no region are now [m], shape (m, d)."""
    points = goals.position if are_vehicles(goals) else goals() if callable(goals) else goals
    return as_points(name, points, np.float64, dimensions)


GOALS = Kind("goals", "points (m, 2), a region, Vehicles, a population or a function that returns points", as_goals)
