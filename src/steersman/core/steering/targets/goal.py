"""Goals: targets, and regions to be in."""

from typing import Any

from steersman.core.environment.obstacles.obstacle import Obstacles
from steersman.core.environment.regions.interior import Interior
from steersman.core.environment.regions.region import Region
from steersman.core.parameters.kinds import Kind
from steersman.core.steering.targets.target import as_target


def as_goal(name: str, value: Any) -> Any:
    """A goal in its normal form: a Region, or a target.

    Raises:
        ValueError: The obstacles have no inside.
    """
    if isinstance(value, Obstacles):
        return Interior(value)
    return value if isinstance(value, Region) else as_target(name, value)


GOAL = Kind(
    "goal",
    "a point (d,), points (n, d), Vehicles, a population, a region or a function that returns points",
    as_goal,
)
