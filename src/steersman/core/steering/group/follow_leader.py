"""FollowLeader: stay behind a leader, out of its way, and apart from other followers.

    "apart"  arrive at leader - (behind + behind_time * its speed) * its forward, with its velocity on top; of all velocities
             that keep out of the rectangle ahead of it, off the leader and off each other, the nearest to that
    "sum"    Reynolds' forces:

    in the rectangle ahead of the leader:   force = max_force * unit(lateral way out of it)
    elsewhere:                              arrive at leader - (behind + behind_time * its speed) * its forward
        + separation from fellows, and from the leader

Reynolds 1999, "Leader following": staying near without crowding the leader, out of its way, and not bumping each other.
His sum of forces ("sum") crowds; "apart" (`keeping_apart.py`) bounds the speed with which two approach instead.
"""

import math
from typing import Any

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.ground import level, level_direction
from steersman.core.maths.shapes import Tube
from steersman.core.maths.vectors import ONE, TWO, ZERO, across, add_scaled, difference, dot, lateral, load, scale
from steersman.core.neighborhood.request import NeighborList, NeighborSum
from steersman.core.parameters.kinds import TEXT
from steersman.core.parameters.parameters import parameter
from steersman.core.parameters.per_vehicle import plain
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.driving.arriving import ArrivingNumbers, arriving_numbers, come
from steersman.core.steering.driving.drive import drive_numbers, stands
from steersman.core.steering.group.keeping_apart import LEAST, MORE, follow_apart, own_side
from steersman.core.steering.group.separation import SeparationNumbers, separate
from steersman.core.steering.laws.leading import behind_leader, clear_way
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext
from steersman.core.steering.targets.selection import WHICH
from steersman.core.steering.targets.target import Quarry
from steersman.core.steering.tree.forces import LIMIT, Out, deposit
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.holding import POPULATION
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns

LAWS = ("apart", "sum")
FELLOWS = 10
"""How many of the nearest fellows count."""


@kernel
def way_out(offset: Vector, forward: Vector, reach: Any, half_width: Any, side: Vector) -> Vector:
    """The unit vector out of the rectangle ahead of a leader; zero for a vehicle at an offset [m] that is not in it.

    Exactly ahead it is `side`.
    """
    ahead, aside = dot(offset, forward), lateral(offset, forward)
    if not (ahead > ZERO and ahead < reach and dot(aside, aside) < half_width * half_width):
        return scale(aside, ZERO)
    return across(offset, forward, side)


PLACE = ("behind", "behind_time", "clear_length")
"""The parameters that both laws need."""


@row_kernel(every=True)
def follow_leader(
    i: int, vehicles: VehicleColumns, leader: Quarry, same: bool, wrap: Array, numbers: Any,
    end: ArrivingNumbers, clock: Clock, apart: Out, ground: Columns, out: Out,
) -> None:  # fmt: skip
    """Clear the leader's way, or arrive behind it; mark in `apart.active` the vehicles that are to keep apart."""
    chief = leader.columns
    j = leader.pick[i]
    apart.active[i] = 0 if same and j == i else out.active[i]
    if apart.active[i] == 0 or j < 0:
        return
    forward, lead = level_direction(load(chief.forward, j), ground, i), load(chief.velocity, j)
    way = difference(load(chief.position, j), load(vehicles.position, i), wrap)
    clear = way_out(
        level(scale(way, -ONE), ground, i),
        forward,
        numbers.clear_length,
        numbers.half_width,
        own_side(vehicles.id[i], forward, ground, i),
    )
    if dot(clear, clear) > ZERO:
        deposit(out, i, scale(clear, vehicles.max_force[i]), vehicles.max_force[i], True)
        apart.active[i] = 0
        return
    near = dot(way, way)
    if not same and near < numbers.separation_radius * numbers.separation_radius and near > ZERO:
        push = scale(way, -TWO * vehicles.radius[i] * vehicles.max_force[i] / near)
        deposit(apart, i, push, vehicles.max_force[i], False)
    way = add_scaled(way, forward, -(numbers.behind + numbers.behind_time * math.sqrt(dot(lead, lead))))
    deposit(out, i, come(way, stands(lead, i, vehicles), i, vehicles, end, clock.dt[0]), vehicles.max_force[i], True)


@registered
class FollowLeader(Behavior):
    """Stay behind a leader, out of its way, and apart from other followers.

    Args:
        leader: The population of the leader. It may be the vehicles' own; the leader itself is then not steered.
        which: The member of it to follow: "nearest", "first", an id, ids (one per vehicle) or a mask. When the first
            one goes, the next one leads.
        behind: How far behind the leader to be [m]. Raising it follows at a greater distance.
        behind_time: How much farther at speed [s]: by behind_time * the leader's speed. Raising it leaves more room at
            speed.
        clear_length: Length of the rectangle ahead of the leader that is kept clear [m]. Raising it clears earlier.
        clear_width: Full width of that rectangle [m]. Raising it clears a wider way.
        law: How they keep apart: "apart" or "sum", see above.
        spacing: Of "apart": free room between bodies [m]. Raising it spreads the crowd.
        separation_radius: Distance up to which fellows count [m]. "apart" needs as much as two take to brake; it takes
            the ten nearest. Raising it looks at more fellows.
        separation_weight: Of "sum": how much keeping apart counts; to clear the leader's way goes before it. Raising it
            makes a looser group, which arrives later.
        slowing_distance: Distance from the place behind at which slowing begins [m]. Raising it is gentler. Default:
            the shortest without overshoot, max(4 * max_speed * response_time, mass * max_speed^2 / brake force).
        speed: Speed far from the leader [m/s]: a number or "max". Raising it catches up faster.
    """

    leader: Any = parameter(kind=POPULATION, positional=True)
    which: Any = parameter("first", kind=WHICH, of="leader")
    behind: float = parameter(3.0, low=0.0, unit="m")
    behind_time: float = parameter(0.0, low=0.0, unit="s")
    clear_length: float = parameter(8.0, low=0.0, unit="m")
    clear_width: float = parameter(4.0, low=0.0, unit="m")
    law: str = parameter("apart", kind=TEXT, choices=LAWS)
    spacing: float = parameter(0.5, low=0.0, unit="m")
    separation_radius: float = parameter(6.0, above=0.0, unit="m")
    separation_weight: float = parameter(1.0, low=0.0)
    slowing_distance: float | None = parameter(None, above=0.0, unit="m", optional=True)
    speed: float | str = parameter("max", choices=("max",), low=0.0, unit="m/s")

    def needs(self) -> tuple[NeighborSum | NeighborList, ...]:
        """The neighbors, or the pushes of fellows."""
        if self.law == "apart":
            return (self._fellows,)
        return (self._pushes,)

    @property
    def _fellows(self) -> NeighborList:
        return NeighborList(plain(self.separation_radius), FELLOWS)

    @property
    def _pushes(self) -> NeighborSum:
        return NeighborSum("repulsion", plain(self.separation_radius))

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """One call; or following and separation into one sum, which goes up as a whole."""
        if self.law == "apart":
            return self._bind_apart(scene, out)
        leader, calls = scene.quarry(self.leader, self.which, "leader")
        numbers = scene.own(*PLACE, "separation_radius", half_width=self.clear_width / 2)
        total = scene.scratch(out.active)
        dtype = scene.vehicles.dtype
        end = arriving_numbers(drive_numbers(self.speed, dtype), scene, True, self.slowing_distance)
        same, free = self.leader is scene.vehicles, np.zeros(scene.capacity, np.uint8)
        apart = total._replace(active=free, edge=scene.edge(self.separation_weight, LIMIT))
        follow = (
            scene.columns, leader, same, scene.wrap, numbers, end, scene.clock, apart, scene.ground,
            total._replace(edge=scene.edge(1.0, LIMIT)),
        )  # fmt: skip
        usual = scene.numbers(SeparationNumbers, strength=None, touching=0.1 * self.separation_radius)
        return [
            *calls,
            scene.clear_call(total),
            Call(follow_leader, follow),
            Call(separate, (scene.columns, scene.sum(self._pushes), usual, (), apart)),
            scene.hand_up_call(total, out),
        ]

    def _bind_apart(self, scene: Scene, out: Out) -> list[Call]:
        leader, calls = scene.quarry(self.leader, self.which, "leader")
        vehicles, listing = scene.vehicles, scene.neighbors(self._fellows)
        slack = 1e-5 if vehicles.dtype == np.float32 else 1e-12
        numbers = scene.own(
            *PLACE, "spacing", "slowing_distance", half_width=self.clear_width / 2, slack=slack, tightest=scene.tightest,
            least=0.0 if scene.steps_aside else LEAST, backs=scene.backs_up, brakes=scene.stopping,
        )  # fmt: skip
        room = listing.row.shape[1] + MORE
        planes, spare = np.zeros((2, scene.capacity, room, vehicles.dimensions + 1), vehicles.dtype)
        ways = () if scene.steps_aside else (scene.free_way,)
        arguments = (
            scene.columns, leader, self.leader is vehicles, listing, scene.wrap, numbers,
            drive_numbers(self.speed, vehicles.dtype), planes, spare, ways, scene.clock, scene.ground, out,
        )  # fmt: skip
        return [*calls, Call(follow_apart, arguments)]

    def sketch(self, context: SketchContext) -> Shapes:
        """The leader, and the way ahead of it that is kept clear; the place behind it, of those that are not in that way."""
        watched = context.watched(self.leader, self.which)
        ahead = watched.position + watched.forward * self.clear_length
        itself = (watched.row == context.rows) & (self.leader is context.scene.vehicles)
        place = behind_leader(watched.position, watched.forward, watched.velocity, self.behind, self.behind_time)
        yield from context.choice(watched)
        yield Tube(watched.position, ahead, self.clear_width / 2, role="danger", label="way of the leader")
        width = self.clear_width + 2 * context.radius
        offset = context.scene.domain.difference(context.position, watched.position)
        in_way = clear_way(offset, watched.forward, self.clear_length, width).any(axis=1)
        yield from context.goal(np.where((itself | in_way)[:, None], np.nan, place), "place behind the leader")
