"""Vehicles in Ursina (7 or 8): entities that follow a population, obstacles, and its axes.

    fish = Entities(school, lambda: Entity(model="diamond", color=color.azure))
    def update():
        fish.follow(world.drawn(world.advance(clock.tick())))

Ursina's y is up, and z leads into the picture. So a point (x, y) on the ground is (x, height, y) there, and (x, y, z)
is (x, z, y). Entities look along z, and are turned so that they look where the vehicles face. Ursina stands on Panda3D:
that adapter's Swarm and Overlay work in `our_axes(scene)`.
"""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from panda3d.core import LMatrix4f, LPoint3f, LQuaternionf, NodePath

from steersman.adapters import panda3d
from steersman.core.environment.obstacles.boxes import Boxes
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.interpolation import Pose


class Entities:
    """An entity for each vehicle, which comes and goes with it. A vehicle whose entity is destroyed goes, too.

    Args:
        vehicles: The population.
        make: Called for each vehicle that comes; returns its Entity, whose parent is the scene.
        height: Height of vehicles in 2D [m].
    """

    def __init__(self, vehicles: Vehicles, make: Callable[[], Any], height: float = 0.0) -> None:
        self.vehicles, self.make, self.height = vehicles, make, height
        self._entities: dict[int, Any] = {}
        self.follow()

    def follow(self, pose: Pose | None = None) -> None:
        """Move the entities to where the vehicles are, or to where they are drawn (`world.drawn(fraction)`)."""
        if destroyed := [id for id, entity in self._entities.items() if entity.isEmpty()]:
            for id in destroyed:
                del self._entities[id]
            self.vehicles.remove([id for id in self.vehicles.id.tolist() if id in set(destroyed)])
            pose = None  # It has those that are gone.
        where: Any = self.vehicles if pose is None else pose
        ids = where.id.tolist()
        if self._entities.keys() != set(ids):
            for id in self._entities.keys() - set(ids):
                _destroy(self._entities.pop(id))
            for id in ids:
                if id not in self._entities:
                    self._entities[id] = self.make()
        places, turns = to_ursina(where.position, self.height).tolist(), turns_of(where).tolist()
        for id, place, turn in zip(ids, places, turns, strict=True):
            self._entities[id].setPosQuat(LPoint3f(*place), LQuaternionf(*turn))

    def entity_of(self, id: int) -> Any:
        """The entity of the vehicle with an id, for colors, animations and colliders."""
        return self._entities[int(id)]


def to_ursina(points: Any, height: float = 0.0) -> Array:
    """Points of Ursina, shape (n, 3), of points or directions (n, 2) on the ground, at a height [m], or (n, 3) in space."""
    return panda3d.points_of(np.asarray(points), height)[:, [0, 2, 1]]


def from_ursina(points: Any, dimensions: int = 2) -> Array:
    """Points [m], shape (..., 2) on the ground or (..., 3), of points of Ursina (`mouse.world_point`), shape (..., 3)."""
    return np.asarray(points, np.float64)[..., [0, 2, 1][:dimensions]]


def our_axes(scene: NodePath) -> NodePath:
    """A node in which z is up, for `Swarm` and `Overlay` of `steersman.adapters.panda3d`."""
    node = scene.attachNewNode("steersman")
    node.setMat(LMatrix4f(1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1))
    node.setTwoSided(True)  # What is mirrored has its front behind.
    return node


def boxes(entities: Iterable[Any], dimensions: int = 2) -> Boxes:
    """Obstacles of entities: the boxes along the axes around their models.

    Args:
        entities: The entities.
        dimensions: 2 for their shadows on the ground, or 3.

    Raises:
        ValueError: An entity has no model.
    """
    boxes_3d = panda3d.boxes(entities)
    axes = [0, 2, 1][:dimensions]
    return Boxes(boxes_3d.center[:, axes], boxes_3d.size[:, axes])


def turns_of(where: Any) -> Array:
    """The quaternions (w, x, y, z) of entities that look along z, in Ursina's axes, shape (n, 4)."""
    if where.forward.shape[1] == 2:
        half = np.pi / 4 - 0.5 * np.asarray(where.heading, np.float64)
        return np.stack([np.cos(half), 0 * half, np.sin(half), 0 * half], axis=1)
    w, x, y, z = np.asarray(where.quaternion, np.float64).T
    return np.asarray(panda3d.HALF * np.stack([w + z, y - x, w - z, -x - y], axis=1))


def _destroy(entity: Any) -> None:
    from ursina import destroy

    destroy(entity)
