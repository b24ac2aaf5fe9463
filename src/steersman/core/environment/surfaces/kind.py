"""The kind of parameter that takes a surface: one of them, or obstacles, which stand for their skin."""

from typing import Any

from steersman.core.environment.obstacles.obstacle import Obstacles
from steersman.core.environment.obstacles.skin import Skin
from steersman.core.environment.surface import Surface
from steersman.core.parameters.brief import brief
from steersman.core.parameters.kinds import Kind


def as_surface(name: str, value: Any) -> Surface:
    """The surface itself, or that of obstacles."""
    if isinstance(value, Obstacles):
        return Skin(value)
    if not isinstance(value, Surface):
        raise TypeError(f"{name} must be a Plane, Sphere, Heightfield, TriangleMesh or WalkMesh, got {brief(value)}")
    return value


SURFACE = Kind("surface", "a surface", as_surface)
