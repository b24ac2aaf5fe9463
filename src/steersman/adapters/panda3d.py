"""Vehicles in Panda3D 1.10: nodes that follow a population, or one Geom of them all; obstacles and the overlay.

    nodes = Nodes(birds, loader.loadModel("bird"), render)
    def frame(task):
        fraction = world.advance(clock.tick())
        nodes.follow(world.drawn(fraction))
        return task.cont
    taskMgr.add(frame, "birds")

Panda3D's axes are those of the library, x and y on the ground and z up; its models look along y, and are turned so that they
look where the vehicles face. Vehicles in 2D move on the ground, at a height.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from panda3d.core import (
    Geom,
    GeomNode,
    GeomTriangles,
    GeomVertexData,
    GeomVertexFormat,
    LineSegs,
    LPoint3f,
    LQuaternionf,
    NodePath,
    OmniBoundingVolume,
)

from steersman.core.environment.obstacles.boxes import Boxes
from steersman.core.maths.frames import unit_rows
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.controller import Controller
from steersman.core.world.interpolation import Pose
from steersman.core.world.world import World
from steersman.drawing.elements import Areas, Lines
from steersman.drawing.glyphs import solid_triangles
from steersman.drawing.sketch_elements import sketch_elements
from steersman.drawing.sketches import seconds_of


class Nodes:
    """A node for each vehicle, which comes and goes with it. Its model is one, shared by all (`instanceTo`).

    Args:
        vehicles: The population.
        model: The model, which looks along y, as models of Panda3D do.
        parent: The node to which the others are attached, such as `render`.
        height: Height of vehicles in 2D [m].
    """

    def __init__(self, vehicles: Vehicles, model: NodePath, parent: NodePath, height: float = 0.0) -> None:
        self.vehicles, self.model, self.parent, self.height = vehicles, model, parent, height
        self._nodes: dict[int, NodePath] = {}
        self.follow()

    def follow(self, pose: Pose | None = None) -> None:
        """Move the nodes to where the vehicles are, or to where they are drawn (`world.drawn(fraction)`)."""
        where = self.vehicles if pose is None else pose
        ids = where.id.tolist()
        if self._nodes.keys() != set(ids):
            for id in self._nodes.keys() - set(ids):
                self._nodes.pop(id).removeNode()
            for id in ids:
                if id not in self._nodes:
                    self._nodes[id] = self.parent.attachNewNode(f"vehicle {id}")
                    self.model.instanceTo(self._nodes[id])
        places, turns = points_of(where.position, self.height).tolist(), turns_of(where).tolist()
        for id, place, turn in zip(ids, places, turns, strict=True):
            self._nodes[id].setPosQuat(LPoint3f(*place), LQuaternionf(*turn))

    def node_of(self, id: int) -> NodePath:
        """The node of the vehicle with an id, for colors, animations and collision solids."""
        return self._nodes[int(id)]


class Swarm:
    """All vehicles as one Geom, whose vertices are written at once: for thousands.

    Args:
        vehicles: The population.
        parent: The node to which it is attached.
        triangles: The shape of a vehicle [m] that looks along x, z up, shape (k, 3, 3). Default: a dart of `size`.
        size: Length of the dart [m].
        color: Red, green, blue and opacity in [0, 1].
        height: Height of vehicles in 2D [m].

    Attributes:
        node: Its node.
    """

    def __init__(
        self,
        vehicles: Vehicles,
        parent: NodePath,
        triangles: Any = None,
        *,
        size: float = 1.0,
        color: tuple[float, float, float, float] = (1, 1, 1, 1),
        height: float = 0.0,
    ) -> None:
        self.vehicles, self.height = vehicles, height
        shape = size * solid_triangles("dart") if triangles is None else np.asarray(triangles, np.float64)
        normal = unit_rows(np.cross(shape[:, 1] - shape[:, 0], shape[:, 2] - shape[:, 0]))
        self._corners, self._normals = shape.reshape(-1, 3), np.repeat(normal, 3, axis=0)
        self._data = GeomVertexData("vehicles", GeomVertexFormat.getV3n3(), Geom.UHDynamic)
        self._triangles = GeomTriangles(Geom.UHDynamic)
        self._geom = Geom(self._data)
        self._geom.addPrimitive(self._triangles)
        self._count = -1
        inner = GeomNode("vehicles")
        inner.addGeom(self._geom)
        inner.setBounds(OmniBoundingVolume())  # The vertices move: what is seen is not asked of their first bounds.
        inner.setFinal(True)
        self.node = parent.attachNewNode(inner)
        self.node.setColor(*color)
        self.follow()

    def follow(self, pose: Pose | None = None) -> None:
        """Move the vertices to where the vehicles are, or to where they are drawn (`world.drawn(fraction)`)."""
        where: Any = self.vehicles if pose is None else pose
        count, k = len(where.id), len(self._corners)
        place = points_of(where.position, self.height).astype(np.float32)
        forward = points_of(where.forward, 0.0)
        up = np.broadcast_to((0.0, 0.0, 1.0), (count, 3)) if where.position.shape[1] == 2 else where.up
        frame = np.stack([forward, np.cross(up, forward), up], axis=1).astype(np.float32)
        vertices = np.empty((count, k, 2, 3), np.float32)
        vertices[:, :, 0] = self._corners.astype(np.float32) @ frame + place[:, None]
        vertices[:, :, 1] = self._normals.astype(np.float32) @ frame
        data = self.node.node().modifyGeom(0).modifyVertexData()
        if count != self._count:
            data.setNumRows(count * k)
            triangles = self.node.node().modifyGeom(0).modifyPrimitive(0)
            triangles.clearVertices()
            triangles.addConsecutiveVertices(0, count * k)
            self._count = count
        if count:
            memoryview(data.modifyArray(0)).cast("B")[:] = vertices.reshape(-1).view(np.uint8).data


class Overlay:
    """How chosen vehicles are steered, as lines in space: the library's own sketches.

    Args:
        parent: The node to which it is attached.
    """

    def __init__(self, parent: NodePath) -> None:
        self.node = parent.attachNewNode("overlay")
        self.node.setLightOff()

    def show(
        self, scene: World | Controller, id: Any, *, name: str | None = None, height: float = 0.05, unit: float = 0.6
    ) -> None:
        """Draw the sketches of some vehicles now; call it once a frame.

        Args:
            scene: The world or Controller.
            id: The vehicles: an id, ids, or a mask of shape (n,); none of them for nothing.
            name: Of a world: the population.
            height: Height of lines of vehicles in 2D [m].
            unit: Size of crosses and heads of arrows [m].
        """
        self.node.getChildren().detach()
        sketches = scene.sketch(id) if isinstance(scene, Controller) else scene.sketch(name, id)
        for element in sketch_elements(sketches, unit, seconds_of(sketches, 40 * unit)):
            if isinstance(element, Lines):
                self._draw(element.points, element.color, element.width, height)
            elif isinstance(element, Areas) and element.opacity == 1 and element.face is not None:
                self._draw([np.concatenate([r, r[:1]]) for r in element.rings], (*element.face, 1), 1.5, height)

    def _draw(self, lines: Iterable[Array], color: Any, width: float, height: float) -> None:
        pen = LineSegs()
        pen.setColor(*(float(each) for each in color))
        pen.setThickness(float(width) * 1.5)
        for line in lines:
            first, *others = points_of(np.asarray(line, np.float64), height).tolist()
            pen.moveTo(*first)
            for point in others:
                pen.drawTo(*point)
        self.node.attachNewNode(pen.create())


def boxes(nodes: Iterable[NodePath], dimensions: int = 3) -> Boxes:
    """Obstacles of nodes: the boxes along the axes around their models.

    Args:
        nodes: The nodes.
        dimensions: 3, or 2 for their shadows on the ground.

    Raises:
        ValueError: A node holds no geometry.
    """
    corners = [node.getTightBounds(node.getTop()) for node in nodes]
    if any(each is None for each in corners):
        raise ValueError("a node must hold geometry to be an obstacle")
    both = np.array([[tuple(low), tuple(high)] for low, high in corners], np.float64)[:, :, :dimensions]
    return Boxes(both.mean(axis=1), (both[:, 1] - both[:, 0]) / 2)


def points_of(points: Array, height: float) -> Array:
    """Points in space, shape (n, 3), of points or directions in 2D or 3D."""
    if points.shape[1] == 3:
        return points
    return np.column_stack([points, np.full(len(points), height, points.dtype)])


HALF = np.sqrt(0.5)
"""Of the quaternion of a quarter turn clockwise about z, by which models that look along y look along x."""


def turns_of(where: Any) -> Array:
    """The quaternions (w, x, y, z) of nodes whose models look along y, shape (n, 4)."""
    if where.forward.shape[1] == 2:
        half = 0.5 * np.asarray(where.heading, np.float64) - np.pi / 4
        return np.stack([np.cos(half), 0 * half, 0 * half, np.sin(half)], axis=1)
    w, x, y, z = np.asarray(where.quaternion, np.float64).T
    return np.asarray(HALF * np.stack([w + z, x - y, y + x, z - w], axis=1))
