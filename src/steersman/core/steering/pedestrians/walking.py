"""Pedestrian: the base of the models of pedestrian research.

All of them turn the velocity that a pedestrian wants, the neighbors and the walls around into a force. The wanted velocity is
that of the behavior `toward`, as in ORCA. Models of forces return an acceleration of one neighbor and one of one wall, which
`force_kernel` sums; models of velocities command one.
"""

from dataclasses import KW_ONLY, dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from steersman.core.environment.obstacles.answers import Balls, Bars, new_bars
from steersman.core.environment.obstacles.obstacle import OBSTACLES, check_dimensions
from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.ground import level, level_direction
from steersman.core.maths.shapes import Circle
from steersman.core.maths.vectors import (
    TINY,
    ZERO,
    add_scaled,
    difference,
    direction_or,
    dot,
    length,
    load,
    scale,
    store,
)
from steersman.core.neighborhood.coincident import direction, tie_of
from steersman.core.neighborhood.request import Listing
from steersman.core.parameters.kinds import INTEGER
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.behavior import STEERING, Behavior
from steersman.core.steering.driving.neighbor_watching import Watchful
from steersman.core.steering.group.neighborly import FEW
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import RING, Shapes, SketchContext
from steersman.core.steering.scene.sums import hand_up_turning
from steersman.core.steering.sensing.looking_ahead import new_columns
from steersman.core.steering.tree.forces import RAW, Out, deposit, response
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.vehicle_columns import VehicleColumns

APART = np.float32(1e-6)
"""Distance of two in the same place [m], along a direction that is made from their ids."""


class Around(NamedTuple):
    """A pedestrian's surroundings.

    Attributes:
        vehicles, others: The pedestrians, and their neighbors.
        listing: The rows of the neighbors of each.
        wrap: The space (see `vectors.difference`).
        tie: Sign of the direction between equal ids of two populations.
        bars: The walls around: unit normals away from them, and minus the gaps to them [m].
        desired: The force of the behavior that says where to go [N].
        ground: The ground in which everything lies.
    """

    vehicles: VehicleColumns
    others: VehicleColumns
    listing: Listing
    wrap: Array
    tie: int
    bars: Bars
    desired: Out
    ground: Columns


@kernel
def way_to(i: int, j: int, around: Around) -> Vector:
    """The way from pedestrian i to neighbor j [m]; never zero."""
    vehicles, others = around.vehicles, around.others
    to = level(difference(load(others.position, j), load(vehicles.position, i), around.wrap), around.ground, i)
    if dot(to, to) < max(APART * APART, TINY):
        apart = level_direction(direction(vehicles.id[i], others.id[j], around.tie, others.position), around.ground, i)
        to = scale(apart, -APART)
    return to


@kernel
def desired_velocity(i: int, around: Around, tau: Any) -> Vector:
    """The velocity that pedestrian i wants [m/s], with a response time of tau [s]."""
    vehicles = around.vehicles
    gain = tau / vehicles.mass[i]
    return level(add_scaled(load(vehicles.velocity, i), load(around.desired.linear, i), gain), around.ground, i)


@kernel
def heading_of(desired: Vector, i: int, around: Around) -> Vector:
    """The direction of the desired velocity; forward, where there is none."""
    return direction_or(desired, length(desired), load(around.vehicles.forward, i))


@row_kernel
def look_around(i: int, vehicles: VehicleColumns, active: Array, reach: Any, balls: Balls) -> None:
    """A ball that stays where the pedestrian is, and how far it looks [m]."""
    place = load(vehicles.position, i)
    store(balls.place, i, place)
    store(balls.way, i, scale(place, ZERO))
    balls.reach[i] = reach
    balls.radius[i] = vehicles.radius[i]


@cache
def force_kernel(push: Any, wall: Any) -> Any:
    """The kernel of a model of forces.

    Args:
        push: A kernel `(i, j, to, heading, desired, around, numbers)`: the acceleration by neighbor j [m/s^2].
        wall: A kernel `(i, normal, gap, desired, around, numbers)`: that by a wall.
    """

    @row_kernel
    def walk(i: int, around: Around, numbers: Any, clock: Clock, out: Out) -> None:
        """The force of the behavior that says where to go, and the pushes of all neighbors and walls."""
        vehicles, bars, toward = around.vehicles, around.bars, around.desired
        desired = desired_velocity(i, around, response(vehicles.response_time[i], clock.dt[0]))
        heading, mass = heading_of(desired, i, around), vehicles.mass[i]
        total = load(toward.linear, i)
        if vehicles.max_force[i] == ZERO:
            mass *= ZERO
        for k in range(around.listing.number[i]):
            j = around.listing.row[i, k]
            total = add_scaled(total, push(i, j, way_to(i, j, around), heading, desired, around, numbers), mass)
        for k in range(bars.number[i]):
            normal = level(load(bars.normal, (i, k)), around.ground, i)
            total = add_scaled(total, wall(i, normal, -bars.bound[i, k], desired, around, numbers), mass)
        deposit(out, i, total, vehicles.max_force[i], toward.acts[i] != 0)

    return walk


@dataclass(frozen=True, eq=False)
class Pedestrian(Watchful):
    """Base of the models of pedestrian research.

    Args:
        toward: The behavior that says where to go; its force is turned into the wanted velocity. Default: the present
            velocity is the wanted one.
        obstacles: The walls: a set of obstacles, or a list of sets. Of each set the 8 nearest parts count that do not lie
            behind nearer ones. Walls of a `Box` that is the domain are seen only where they are given here, too.
        radius: Distance up to which others and walls are looked at [m]. Raising it looks at more neighbors.
        k: How many of the nearest are looked at. Raising it costs time.
    """

    toward: Any = parameter(None, kind=STEERING, optional=True, positional=True)
    _: KW_ONLY
    obstacles: Any = parameter(None, kind=OBSTACLES, optional=True)
    radius: float = parameter(3.0, above=0.0, infinite=True, unit="m")
    k: int = parameter(16, kind=INTEGER, low=1)

    def parts(self) -> tuple[Behavior, ...]:
        """The behavior that says where to go."""
        return () if self.toward is None else (self.toward,)

    def yields(self) -> bool:
        """No: people rest by their own law."""
        return False

    def walk(self, scene: Scene, out: Out, kernel: Any, *arguments: Any, columns: tuple[str, ...] = ()) -> list[Call]:
        """The calls of a model: the wanted force first, then the walls, then the kernel.

        Args:
            scene: The scene.
            out: Where the force goes.
            kernel: Called with the surroundings, the arguments, the clock and `out`.
            *arguments: Numbers of the model, and memory.
            columns: Columns of the neighbors that it needs beside position, velocity, radius and id.
        """
        n, d, dtype = scene.capacity, scene.vehicles.dimensions, scene.vehicles.dtype
        desired = scene.scratch(out.active, 1.0, RAW)
        calls = [scene.clear_call(desired)]
        if self.toward is not None:
            calls += scene.part(0, desired)
        bars = new_bars(n, d, 0 if self.obstacles is None else len(self.obstacles.sets), dtype)
        if self.obstacles is not None:
            check_dimensions(self.obstacles, d)
            balls = Balls(new_columns(scene), new_columns(scene), np.zeros(n, dtype), np.zeros(n, dtype))
            reach = scene.number(self.radius)
            calls.append(Call(look_around, (scene.columns, out.active, reach, balls)))
            calls += self.obstacles.bar_calls(balls, out.active, scene.wrap, bars)
        vehicles, others, *_ = scene.encounter(self.of, *columns)
        tie = tie_of(scene.vehicles, self.of)
        listing = scene.neighbors(self.needs()[0])
        around = Around(vehicles, others, listing, scene.wrap, tie, bars, desired, scene.ground)
        calls.append(Call(kernel, (around, *arguments, scene.clock, out)))
        if scene.turns:
            turning = (desired.angular, out.active, desired.acts, scene.limits.turning, out)
            calls.append(Call(hand_up_turning, turning))
        return calls

    def sketch(self, context: SketchContext) -> Shapes:
        """The neighbors that are looked at."""
        near = self._near(context).few(FEW)
        yield context.view(self.radius, self.angle, self.inner_radius)
        yield context.lines_to(near)
        radius = np.asarray(context.others(self.of).radius)
        yield Circle(near.position, RING * radius[near.row], role="chosen")
