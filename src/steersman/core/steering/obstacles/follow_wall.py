"""FollowWall: go along a wall or surface, at an offset from it.

    e = offset - distance of the predicted position from the wall,   n its normal, t the direction along it
    force = seek along  t * reach + n * e

Reynolds 1999, "Wall following": approach a wall, then maintain an offset; Figure 10 projects the future position on the
wall and moves it out by the offset. Here the point is `reach` farther along the wall, so that the vehicle goes on there.

A wall ahead becomes the one to follow when the vehicle could not turn away from it any later: so it finds its way round
the corners of a room. Near a wall, the vehicle remembers on which hand the wall is: else, headed into a corner, each of
the two walls would send it to the other. Surfaces and paths are followed alike: see `steering/sensing/alongside.py`.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from steersman.core.environment.obstacles.answers import Hits, Nearest, Rays, new_hits, new_nearest, new_rays
from steersman.core.environment.obstacles.obstacle import as_obstacles, check_dimensions
from steersman.core.environment.paths.path import Path
from steersman.core.environment.shape import check_fit
from steersman.core.environment.surface import Surface
from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths import vectors as v
from steersman.core.maths.frames import up_at
from steersman.core.maths.shapes import Cross, segment
from steersman.core.parameters.kinds import TEXT, Kind
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.driving.approach import usual_distance
from steersman.core.steering.driving.drive import Driven, DriveNumbers, drive
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext
from steersman.core.steering.sensing.alongside import Alongside
from steersman.core.steering.sensing.looking_ahead import new_columns
from steersman.core.steering.tree.forces import Out, deposit, response
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles

SIDES = ("either", "left", "right")


class FollowWallNumbers(NamedTuple):
    """How to go along a wall.

    Attributes:
        offset: Distance to keep [m], shape (1,): as a scalar it would be added up in another order.
        lookahead: [s]; negative: the response time.
        reach: How far along to aim [m]; negative: the shortest without overshoot.
        above: 1 where the wall is followed above only, else 0.
    """

    offset: Array
    lookahead: Any
    reach: Any
    above: Any


@row_kernel
def look_along(
    i: int, vehicles: VehicleColumns, active: Array, numbers: FollowWallNumbers, clock: Clock, points: Columns,
    rays: Rays,
) -> None:  # fmt: skip
    """The predicted position, and a ray ahead, as far as the vehicle needs to turn aside at the offset."""
    velocity, tau = v.load(vehicles.velocity, i), response(vehicles.response_time[i], clock.dt[0])
    ahead = numbers.lookahead
    if ahead < v.ZERO:
        ahead = tau
    v.store(points, i, v.add_scaled(v.load(vehicles.position, i), velocity, ahead))
    speed = math.sqrt(v.dot(velocity, velocity))
    course = v.direction_or(velocity, vehicles.max_speed[i], v.load(vehicles.forward, i))
    turn = v.TWO * speed * tau
    if vehicles.max_force[i] > v.ZERO:
        turn += vehicles.mass[i] * speed * speed / vehicles.max_force[i]
    v.store(rays.origin, i, v.load(vehicles.position, i))
    v.store(rays.direction, i, course)
    rays.reach[i] = numbers.offset[0] + turn


@kernel
def with_wall_right(normal: Vector, up: Vector) -> Vector:
    """The unit vector along a wall that has the wall on the right; zero where up is its normal."""
    if len(normal) == 2:
        return (normal[1], -normal[0])
    return v.direction_or(v.cross(normal, up), v.ONE, v.scale(normal, v.ZERO))


@kernel
def along_wall(normal: Vector, forward: Vector, off: Vector, lead: Vector, up: Vector, side: int) -> Vector:
    """The unit vector along a wall: with the wall on the given side or, for `either`, where the vehicle is headed.

    `off` is the normal of the wall beside, to turn away from in a corner, and `lead` is the direction of a path in
    space.
    """
    ahead = v.across(forward, normal, v.perpendicular(normal))
    if side != 0:
        return v.direction_or(v.scale(with_wall_right(normal, up), -v.ONE if side == 1 else v.ONE), v.ONE, ahead)
    if v.dot(lead, lead) > v.ZERO:
        return v.scale(lead, -v.ONE if v.dot(forward, lead) < v.ZERO else v.ONE)
    return v.direction_or(v.lateral(v.add(forward, off), normal), v.ONE, ahead)


@kernel
def keep_hand(along: Vector, normal: Vector, hand: int) -> Vector:
    """The way along a wall that keeps it on the same hand: 1 right, -1 left. In 3D a surface has no sides."""
    if len(normal) == 2:
        turned = v.dot(along, (normal[1], -normal[0])) * np.float32(hand)
        return v.scale(along, -v.ONE) if turned < v.ZERO else along
    return along


@kernel
def hand_of(along: Vector, normal: Vector) -> int:
    """On which hand the wall is: 1 right, -1 left; 0 in 3D."""
    if len(normal) == 2:
        return 1 if v.dot(along, (normal[1], -normal[0])) >= v.ZERO else -1
    return 0


@row_kernel
def follow_wall(
    i: int, vehicles: VehicleColumns, nearest: Nearest, rays: Rays, hits: Hits, side: int, numbers: FollowWallNumbers,
    lead: Columns, hand_now: Array, hand_next: Array, go: DriveNumbers, clock: Clock, out: Out,
) -> None:  # fmt: skip
    """Drive along the wall; claim where there is one."""
    if nearest.which[i] < 0:
        return
    tau, forward = response(vehicles.response_time[i], clock.dt[0]), v.load(vehicles.forward, i)
    normal, distance = v.load(nearest.normal, i), nearest.distance[i]
    if distance < v.ZERO and numbers.above == v.ZERO:
        normal, distance = v.scale(normal, -v.ONE), -distance
    off, gap = v.scale(normal, v.ZERO), distance
    if hits.which[i] >= 0:
        off, normal = normal, v.load(hits.normal, i)
        distance = -hits.distance[i] * v.dot(v.load(rays.direction, i), normal)
    reach = numbers.reach
    if reach < v.ZERO:
        reach = usual_distance(vehicles.max_speed[i], vehicles.mass[i], vehicles.max_force[i], tau)
    along = along_wall(normal, forward, off, v.load(lead, i), up_at(vehicles.up, i), side)
    if side == 0:
        along = keep_hand(along, normal, hand_now[i])
        hand_next[i] = hand_of(along, normal) if gap <= numbers.offset[0] + reach else 0
    way = v.add_scaled(v.scale(along, reach), normal, numbers.offset[0] - distance)
    deposit(out, i, drive(way, i, vehicles, go, clock.dt[0]), vehicles.max_force[i], True)


def as_followed(name: str, value: Any) -> Any:
    """A surface or a path, or obstacles as a tuple of sets."""
    return value if isinstance(value, (Surface, Path)) else as_obstacles(value, name)


FOLLOWED = Kind("followed", "obstacles, or a list of sets, a surface or a path", as_followed)


@registered
class FollowWall(Driven):
    """Approach a wall, and go along it at an offset.

    Args:
        walls: The walls to go along: a set of obstacles, or a list of several, both sides of which can be followed,
            each from where the vehicle is; or a Surface (a Heightfield, a Plane, ...), which is followed above; or a
            Path, which is followed beside it: in the plane on either side and round its ends, in space on whichever
            side the vehicle is.
        offset: Distance to keep [m]. Raising it keeps farther from the wall.
        side: Where the wall is to be: "left", "right" (in 3D as seen with the vehicle's up), or "either": the vehicle goes
            on as it is headed, and keeps the wall on the same hand from then on (memory `hand`; not in 3D).
        lookahead: How far ahead the position is predicted [s]. Raising it cuts bends. Default: the response time.
        reach: How far along the wall to aim [m]. Raising it comes back to the offset more gently. Default: the shortest
            without overshoot, max(4 * max_speed * response_time, mass * max_speed^2 / max_force).
    """

    walls: Any = parameter(kind=FOLLOWED, positional=True)
    offset: float = parameter(2.0, low=0.0, unit="m")
    side: str = parameter("either", kind=TEXT, choices=SIDES)
    lookahead: float | None = parameter(None, low=0.0, unit="s", optional=True)
    reach: float | None = parameter(None, above=0.0, unit="m", optional=True)

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """On "either" side: the hand on which the wall is, 1 right, -1 left, 0 while there is none near."""
        return {"hand": np.zeros(len(vehicles), np.int8)} if self.side == "either" else {}

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """One call, after those that find the walls."""
        n, d, dtype = scene.capacity, scene.vehicles.dimensions, scene.vehicles.dtype
        points, rays = tuple(np.zeros((d, n), dtype)), new_rays(n, d, dtype)
        hits, nearest, anywhere = new_hits(n, d, dtype), new_nearest(n, d, dtype), np.full(n, np.inf, dtype)
        above, lead = isinstance(self.walls, Surface), new_columns(scene)
        numbers = FollowWallNumbers(
            scene.cell(self.offset), *(scene.number(x) for x in (self.lookahead, self.reach, above))
        )
        scene.show(point=points, distance=nearest.distance, normal=nearest.normal, which=nearest.which)
        scene.show(course=rays.direction, reach=rays.reach)
        ahead = (scene.columns, out.active, numbers, scene.clock, points, rays)
        side, go, none = SIDES.index(self.side), self.go(dtype), np.zeros(n, np.int8)
        before, after = (memory.now("hand"), memory.next("hand")) if memory else (none, none.copy())
        along = (scene.columns, nearest, rays, hits, side, numbers, lead, before, after, go, scene.clock, out)
        if isinstance(self.walls, (Surface, Path)):
            check_fit("walls", self.walls, d)
            beside = Alongside(self.walls, scene, out.active, lead)
            look = [*beside.nearest_calls(points, nearest), *beside.cast_calls(rays, scene.number(self.offset), hits)]
        else:
            check_dimensions(self.walls, d, "walls")
            both = self.walls.viewed_from("both")  # A wall is followed on whichever side the vehicle is.
            look = [
                *self.walls.nearest_calls(points, anywhere, out.active, scene.wrap, nearest),
                *both.cast_calls(rays, out.active, scene.wrap, hits),
            ]
        return [
            Call(look_along, ahead),
            *look,
            Call(follow_wall, along),
        ]

    def sketch(self, context: SketchContext) -> Shapes:
        """Where it will be, the wall beside that, the place at the offset from it, and how far it looks for walls ahead."""
        there = (context.shown["which"] >= 0)[:, None]
        future, distance, normal = (context.shown[name] for name in ("point", "distance", "normal"))
        foot = np.where(there, future - normal * distance[:, None], np.nan)
        above = isinstance(self.walls, Surface)
        side = np.where((distance < 0) & (not above), -1.0, 1.0)[:, None]
        yield from context.own_future(future)
        yield Cross(foot, role="chosen")
        yield segment(future, foot, means="distance to the wall", detail=True)
        yield Cross(
            foot + normal * side * self.offset, label="place over the ground" if above else "place beside the wall"
        )
        yield segment(
            context.position,
            context.position + context.shown["course"] * context.shown["reach"][:, None],
            "range",
            "looks ahead",
        )
