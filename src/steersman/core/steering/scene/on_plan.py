"""Maps under walkers: objects with two dimensions steer vehicles on a surface in 3D by the coordinates x and y alone.

A path on a map, a field painted on the floor or a polygon round a meadow is given as seen from above. The law is the
one of 2D, applied to the first two components of every vector; the resulting force has no part along z, and the body
projects it onto the surface. So lengths and speeds are those on the map: on a slope of 45 degrees a vehicle that goes
at 1 m/s advances by 0.7 m there each second.
"""

from dataclasses import replace

import numpy as np

from steersman.core.environment.domain import Domain
from steersman.core.environment.domains.partly import flat_space
from steersman.core.environment.domains.torus import Torus
from steersman.core.kernels.call import Call
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.vectors import ONE, ZERO, direction_or, load, store
from steersman.core.steering.scene.scene import Plan, Scene
from steersman.core.steering.tree.forces import Out
from steersman.core.typing import Array, Columns


@row_kernel
def face_on_plan(i: int, active: Array, projected: Columns, forward: Columns) -> None:
    """Unit vectors along the first two components of forward; along x for a vehicle that faces straight up or down."""
    ahead = load(projected, i)
    store(forward, i, direction_or(ahead, ONE, (ONE + ZERO * ahead[0], ZERO * ahead[0])))


def as_drawn(name: str, dimensions: int | None, scene: Scene, out: Out) -> tuple[Scene, Out, list[Call]]:
    """The scene that an object of so many dimensions steers by, and the place for its force.

    Args:
        name: The name of the object in messages.
        dimensions: 2, 3, or None when any will do.
        scene: The scene of the behavior.
        out: The place for its force.

    Returns:
        Both as they are where the dimensions are the vehicles'. Where it has 2, and the vehicles are in 3D on a surface: the
        scene on x and y, and the sum of these components. And the calls to be made before others.
    """
    d = scene.vehicles.dimensions
    if dimensions in (None, d):
        return scene, out, []
    if dimensions != 2 or not scene.ground:
        hint = "; 2 do for vehicles on a surface, as moved by SurfaceBound" if dimensions == 2 else ""
        raise ValueError(f"{name} must have {d} dimensions like the vehicles, got {dimensions}{hint}")
    vehicles = scene.columns
    forward = tuple(np.zeros((2, scene.capacity), scene.vehicles.dtype))
    flat = vehicles._replace(position=vehicles.position[:2], velocity=vehicles.velocity[:2], forward=forward, up=())
    plan = Plan(flat, domain_on_plan(scene.domain))
    face = Call(face_on_plan, (out.active, vehicles.forward[:2], forward))
    return replace(scene, plan=plan), out._replace(linear=out.linear[:2]), [face]


def domain_on_plan(domain: Domain) -> Domain:
    """The space of the first two coordinates, for differences."""
    if isinstance(domain, Torus):
        return Torus(domain.size[:2], domain.origin[:2])
    return flat_space(domain.wrap(3, np.float64)[0, :2])
