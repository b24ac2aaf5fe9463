"""The kind of parameter that takes a region: one of them, or obstacles, which stand for their inside."""

from typing import Any

from steersman.core.environment.obstacles.obstacle import Obstacles
from steersman.core.environment.regions.interior import Interior
from steersman.core.environment.regions.region import Region
from steersman.core.parameters.brief import brief
from steersman.core.parameters.kinds import Kind


def as_region(name: str, value: Any) -> Region:
    """The region itself, or the inside of obstacles.

    Raises:
        ValueError: The obstacles have no inside.
    """
    if isinstance(value, Obstacles):
        return Interior(value)
    if not isinstance(value, Region):
        raise TypeError(f"{name} must be a Sphere, Box, Polygon or closed obstacles, got {brief(value)}")
    return value


REGION = Kind("region", "a region", as_region)
