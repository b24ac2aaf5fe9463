"""Vehicles in pymunk (6.9 or 7): bodies of a Space that are steered by forces, and its shapes as obstacles.

    cars = Bodies(space, bodies, max_speed=8, max_force=30)
    controller = sm.Controller(cars.vehicles, sm.Priority([sm.AvoidObstacles(obstacles(space)), sm.Seek(goal)]))
    while running:
        cars.read()
        cars.push(controller.steer(dt))
        space.step(dt)

Places, velocities and forces of all bodies are read and written as arrays, by `pymunk.batch`. Pixels that a Space is built in
are the meters of the library: give speeds and forces in the units of the Space.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pymunk
from pymunk.batch import BodyFields, Buffer, get_space_bodies, set_space_bodies

from steersman.core.environment.obstacles.capsules import Capsules
from steersman.core.environment.obstacles.obstacle import Obstacles, Several
from steersman.core.environment.obstacles.spheres import Spheres
from steersman.core.environment.obstacles.walls import Walls
from steersman.core.typing import Array
from steersman.core.vehicles.vehicles import Vehicles


class Bodies:
    """Bodies of a Space as vehicles. A body that the Space has no more leaves the vehicles, and the other way round.

    Args:
        space: The Space, to which the bodies have been added.
        bodies: The bodies: dynamic or kinematic ones.
        faces: Whether vehicles face as their bodies are turned. Default: they face along their velocity.
        columns: Columns of `Vehicles`. Default: masses are those of the bodies, radii those of circles around their shapes.

    Attributes:
        vehicles: The vehicles, in the order of the bodies; ids count from 0.

    Raises:
        ValueError: A body is not in the Space.
    """

    def __init__(
        self, space: pymunk.Space, bodies: Iterable[pymunk.Body], *, faces: bool = False, **columns: Any
    ) -> None:
        self.space, self.faces = space, faces
        self._buffer, self._out = Buffer(), Buffer()
        self._ids, self._names = np.empty(0, np.int64), np.empty(0, np.uintp)
        self._bodies = dict(enumerate(bodies))
        every = list(self._bodies.values())
        if any(each.space is not space for each in every):
            raise ValueError("bodies must have been added to the Space")
        places = np.array([tuple(each.position) for each in every], np.float64).reshape(-1, 2)
        self.vehicles = Vehicles(places, **self._columns(every, columns), **columns)
        self.read()

    def _columns(self, bodies: Sequence[pymunk.Body], overrides: Any) -> dict[str, Any]:
        """The columns that bodies have, except those that are given."""
        mass = [each.mass if 0 < each.mass < np.inf else 1.0 for each in bodies]
        about = {"mass": mass, "radius": [_reach(each) for each in bodies]}
        return {name: value for name, value in about.items() if name not in overrides}

    def body_of(self, id: int) -> pymunk.Body:
        """The body of the vehicle with an id."""
        return self._bodies[int(id)]

    def add(self, body: pymunk.Body, **columns: Any) -> int:
        """Let one more body of the Space be a vehicle.

        Args:
            body: The body.
            columns: Columns of the new vehicle, as for `Vehicles.spawn`.

        Returns:
            Its id.
        """
        (id,) = self.vehicles.spawn([tuple(body.position)], **self._columns([body], columns), **columns).tolist()
        self._bodies[id] = body
        return int(id)

    def read(self) -> None:
        """Let the vehicles be where the bodies are, as fast as they are. Call it before `steer`."""
        if len(self._bodies) > len(self.vehicles):
            for id in self._bodies.keys() - set(self.vehicles.id.tolist()):  # A game has removed the vehicle.
                body = self._bodies.pop(id)
                if body.space is self.space:
                    self.space.remove(body, *body.shapes)
        rows, numbers = self._look(BodyFields.POSITION | BodyFields.ANGLE | BodyFields.VELOCITY, 5)
        if (gone := rows < 0).any():  # A game has removed the body.
            for id in self.vehicles.id[gone].tolist():
                del self._bodies[id]
            self.vehicles.remove(gone)
        own = numbers[rows[~gone]]
        self.vehicles.position[:], self.vehicles.velocity[:] = own[:, :2], own[:, 3:]
        if self.faces:
            self.vehicles.heading = own[:, 2]

    def push(self, force: Array) -> None:
        """Add forces to those that act on the bodies, at their centers of gravity, until the next `space.step`.

        Args:
            force: The forces, as `steer` returns them, shape (n, 2).
        """
        rows, forces = self._look(BodyFields.FORCE, 2)
        there = rows >= 0
        forces[rows[there]] += np.asarray(force)[there]
        self._out.set_float_buf(np.ascontiguousarray(forces))
        set_space_bodies(self.space, BodyFields.FORCE, self._out)

    def _look(self, fields: BodyFields, width: int) -> tuple[Array, Array]:
        """The rows of the vehicles among all bodies, shape (n,), -1 for none, and numbers of all bodies, shape (m, width)."""
        self._buffer.clear()
        get_space_bodies(self.space, BodyFields.BODY_ID | fields, self._buffer)
        names = np.frombuffer(self._buffer.int_buf(), np.uintp)
        numbers = np.frombuffer(self._buffer.float_buf(), np.float64).reshape(-1, width).copy()
        if not np.array_equal(self._ids, self.vehicles.id):
            self._ids = self.vehicles.id
            self._names = np.array([self._bodies[id].id for id in self._ids.tolist()], np.uintp)
        if not len(names):
            return np.full(len(self._names), -1), numbers
        order = np.argsort(names)
        rows = order[np.minimum(np.searchsorted(names, self._names, sorter=order), len(names) - 1)]
        return np.where(names[rows] == self._names, rows, -1), numbers


def obstacles(space: pymunk.Space, shapes: Iterable[pymunk.Shape] | None = None) -> Obstacles:
    """Shapes of a Space as obstacles, where they are now. Sensors are none.

    Circles are Spheres, segments Capsules, and polygons Walls, without the radius of their edges.

    Args:
        space: The Space.
        shapes: The shapes. Default: those of static bodies.

    Raises:
        ValueError: There is none.
    """
    every = space.shapes if shapes is None else shapes
    still = [each for each in every if shapes is not None or each.body.body_type == pymunk.Body.STATIC]
    circles, segments, rings = [], [], []
    for shape in still:
        body = shape.body
        if shape.sensor:
            continue
        if isinstance(shape, pymunk.Circle):
            circles.append((*body.local_to_world(shape.offset), shape.radius))
        elif isinstance(shape, pymunk.Segment):
            segments.append((*body.local_to_world(shape.a), *body.local_to_world(shape.b), shape.radius))
        elif isinstance(shape, pymunk.Poly):
            rings.append(np.array([tuple(body.local_to_world(corner)) for corner in shape.get_vertices()]))
    sets: list[Any] = []
    if circles:
        numbers = np.array(circles)
        sets.append(Spheres(numbers[:, :2], numbers[:, 2]))
    if segments:
        numbers = np.array(segments)
        sets.append(Capsules(numbers[:, :2], numbers[:, 2:4], numbers[:, 4]))
    sets.extend(Walls(ring, closed=True, seen_from="outside") for ring in rings)
    if not sets:
        raise ValueError("the Space must have a static shape that is no sensor to be an obstacle, got none")
    return sets[0] if len(sets) == 1 else Several(tuple(sets))


def _reach(body: pymunk.Body) -> float:
    """The radius of the circle around the center of a body that holds its shapes."""
    radii = [0.0]
    for shape in body.shapes:
        if isinstance(shape, pymunk.Circle):
            radii.append(shape.offset.length + shape.radius)
        else:
            corners = [shape.a, shape.b] if isinstance(shape, pymunk.Segment) else shape.get_vertices()
            radii.extend(corner.length + shape.radius for corner in corners)
    return max(radii) or 0.5
