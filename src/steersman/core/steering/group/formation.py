"""Formation: hold a slot in a formation around a leader, or around a place.

    desired = truncate(slot velocity + V min(1, |way| / slowing_distance) unit(way), V)
    force   = mass * (desired - velocity) / response_time,   way = slot - position

The slot's own velocity, also as its leader turns, is part of the desired velocity, so no vehicle lags behind: see
`driving/slot_keeping.py`. `slots.py` assigns the slots: they are remembered, and reconsidered from time to time. The law is
this library's own; one slot beside a leader is the game AI lecture's offset pursuit (OffsetPursuit).

With a map of routes a vehicle goes to a slot that it cannot reach straight as GoTo does, and faster by the speed of the slot.
"""

import math
from typing import Any

import numpy as np

from steersman.core.environment.routes.route_map import NONE, ROUTE_MAP, Guide
from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.frames import realign_row
from steersman.core.maths.shapes import Pose, segment
from steersman.core.maths.vectors import ZERO, difference, direction_or, length, load, store
from steersman.core.parameters.arrays import as_points, columns_of, frozen
from steersman.core.parameters.brief import brief
from steersman.core.parameters.kinds import Kind, as_direction
from steersman.core.parameters.parameters import parameter
from steersman.core.parameters.per_vehicle import NumberColumn, plain
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.driving.approach import full_speed, slowing_distance, slowing_distance_of
from steersman.core.steering.driving.arriving import ArrivingNumbers, arriving_numbers
from steersman.core.steering.driving.bends import cornering
from steersman.core.steering.driving.drive import drive_numbers
from steersman.core.steering.driving.leading import lead_sides
from steersman.core.steering.driving.slot_keeping import (
    Watch,
    keep,
    new_watch,
    velocity_of_slot,
    watch_of,
    watched_turn,
)
from steersman.core.steering.group.slots import Anchor, Matching, assign, slot_at, slot_offset
from steersman.core.steering.laws.leading import formation_slots
from steersman.core.steering.laws.vectors import to_global
from steersman.core.steering.paths.go_to import LOOKAHEAD, STRAIGHT, go_to, new_guide, route_calls
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.on_plan import as_drawn
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext, axes_of, rows_of
from steersman.core.steering.targets.selection import WHICH, as_which
from steersman.core.steering.targets.target import TARGET, PointColumn, as_target
from steersman.core.steering.tree.forces import Out, deposit, response
from steersman.core.steering.tree.knowledge import Knowledge
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles

SHAPES = ("line", "column", "wedge", "circle")

STRAIGHT_TO = np.float32(1000)
"""A place ahead that is nearer to the slot than this part of the way there is the slot."""


@kernel
def fill_slots(
    place: Columns, active: Array, anchor: Anchor, slots: Columns, wrap: Array, period: float, clock: Clock, holder: Array,
    taken: Array, now: Array, following: Array, members: Array, count: Array, bound: Array, scratch: Matching,
) -> None:  # fmt: skip
    """Assign slots; exchange them whenever a period [s] is over. A vehicle that is not active keeps its slot, too."""
    time, before = clock.time[0], clock.time[0] - np.float64(clock.dt[0])
    ticks = period > 0.0 and math.floor(time / period) != math.floor(before / period)
    assign(place, anchor, slots, wrap, ticks, now, holder, taken, members, count, bound, scratch)
    for i in range(now.size):
        if active[i] or not members[i]:
            following[i] = taken[i]


@kernel
def lead_by_member(members: Array, pick: Array, row: Array) -> None:
    """The row of the anchor: that of the first member that has a place; -1 without one."""
    row[0] = -1
    for i in range(members.size):
        if members[i] and pick[i] >= 0:
            row[0] = pick[i]
            return


@kernel
def turn_up(row: int, before: Columns, forward: Vector, up: Columns) -> None:
    """The up direction that fits to a new forward; in 2D there is none."""
    if len(up) == 3:
        up[0][row], up[1][row], up[2][row] = before[0][row], before[1][row], before[2][row]
    realign_row(up, row, forward)


@kernel
def turn_anchor(way: Columns, pick: Array, members: Array, before: Anchor, anchor: Anchor) -> None:
    """Turn the anchor to the direction of the first member that has one; without one it is as before."""
    row = anchor.row[0]
    if row < 0:
        return
    forward = load(before.forward, row)
    for i in range(members.size):
        if members[i] and pick[i] >= 0:
            forward = direction_or(load(way, pick[i]), ZERO, forward)
            break
    store(anchor.forward, row, forward)
    turn_up(row, before.up, forward, anchor.up)


@row_kernel
def hold_formation(
    i: int, vehicles: VehicleColumns, anchor: Anchor, slots: Columns, wrap: Array, end: ArrivingNumbers, taken: Array,
    watch: Watch, turns: bool, clock: Clock, out: Out,
) -> None:  # fmt: skip
    """Go to the slot and stay in it."""
    row, k = anchor.row[0], taken[i]
    if row < 0 or k < 0 or (anchor.own and i == row):
        return
    tau = response(vehicles.response_time[i], clock.dt[0])
    turn = watched_turn(i, watch, load(anchor.forward, row), turns, tau, clock)
    lead = velocity_of_slot(slot_offset(anchor, slots, k), load(anchor.velocity, row), turn, True, tau)
    way = difference(slot_at(anchor, slots, k), load(vehicles.position, i), wrap)
    deposit(out, i, keep(way, lead, i, vehicles, end, tau), vehicles.max_force[i], True)


@row_kernel
def ask_for_slots(
    i: int, active: Array, anchor: Anchor, slots: Columns, taken: Array, goal: Columns, row: Array
) -> None:  # fmt: skip
    """Slots as goals on a map; vehicles without one have no goal, and share a place."""
    lead, k = anchor.row[0], taken[i]
    row[i] = NONE
    if lead < 0:
        return
    place = load(anchor.position, lead)
    if k >= 0 and not (anchor.own and i == lead):
        row[i] = i
        place = slot_at(anchor, slots, k)
    for axis in range(len(goal)):
        goal[axis][i] = place[axis]


@row_kernel
def hold_in_sight(
    i: int, vehicles: VehicleColumns, anchor: Anchor, slots: Columns, wrap: Array, end: ArrivingNumbers, taken: Array,
    watch: Watch, turns: bool, row: Array, goal: Columns, guide: Guide, bound: Array, clock: Clock, out: Out,
) -> None:  # fmt: skip
    """Go straight to a slot that can be reached so, and stay in it; leave others to the route, after the slot's speed.

    A vehicle that has set out on a route keeps its slot until it is near: by straight distances another slot may look
    better all the time.
    """
    if row[i] == NONE:
        return
    lead, k = anchor.row[0], taken[i]
    tau, dt = response(vehicles.response_time[i], clock.dt[0]), clock.dt[0]
    turn = watched_turn(i, watch, load(anchor.forward, lead), turns, tau, clock)
    speed = velocity_of_slot(slot_offset(anchor, slots, k), load(anchor.velocity, lead), turn, True, tau)
    way, ahead = difference(slot_at(anchor, slots, k), load(vehicles.position, i), wrap), load(guide.way, i)
    full = full_speed(way, load(vehicles.velocity, i), vehicles.max_speed[i], end.go)
    preset = slowing_distance_of(full, end)
    slowing = slowing_distance(full, i, vehicles, end.brakes, tau, preset)
    off = ZERO * tau
    for axis in range(len(goal)):
        off += abs(way[axis] - ahead[axis])
    if off <= full * dt or off * STRAIGHT_TO < length(ahead):
        row[i] = NONE
        if length(way) <= slowing:
            bound[i] = 0
        deposit(out, i, keep(way, speed, i, vehicles, end, tau), vehicles.max_force[i], True)
        return
    bound[i] = 1
    if guide.remaining[i] > length(ahead) * STRAIGHT and full > ZERO:
        guide.remaining[i] += slowing * length(speed) / full


def as_leader(name: str, value: Any) -> int | str:
    """The word "first", or an id.

    Raises:
        ValueError: The ids are of several vehicles, or one is negative.
    """
    which = as_which(name, value)
    if not isinstance(which, int) and not (isinstance(which, str) and which == "first"):
        raise ValueError(f'{name} must be "first" or an id: a formation has one leader, got {brief(which)}')
    return which


def as_facing(name: str, value: Any) -> Any:
    """A direction, a function that returns one, or a column."""
    facing = as_target(name, value)
    if isinstance(facing, Vehicles):
        raise TypeError(f"{name} must be {FACING.words}, got {brief(value)}")
    return facing if callable(facing) else as_direction(name, facing)


FACING = Kind("facing", "a direction (d,), a column or a function that returns a direction", as_facing, like=TARGET)
LEADER = Kind("which", '"first" or an id', as_leader, like=WHICH)
SLOTS = Kind("slots", "points (k, d)", lambda name, value: frozen(as_points(name, value, np.float64)))


@registered
class Formation(Behavior):
    """Hold a slot in a formation.

    Every vehicle remembers its slot (memory `slot`, -1 for none) and how fast the leader turns (`seen`, `heading`, `turn`);
    with a map, whether it keeps that slot until it is there (`bound`).

    Args:
        around: The anchor of the formation: a population, of which one is the leader, or a place [m] (a point, a function,
            or a column of points, of which that of the first member counts). The leader may be one of the vehicles
            themselves; it is then not steered, and its own slot stays free. At a place there is no leader, and a member
            stands in that slot, at the head of a column or wedge; a line has its middle there.
        slots: Where they stand: "line" (abreast), "column", "wedge" or "circle", with a slot for every vehicle; or points (k,
            d) [m] in the frame of the leader: (forward, side) in 2D, (forward, up, side) in 3D, side to the right. At a place
            forward is along the x axis, and up along the z axis.
        spacing: Of the named shapes: distance between neighbors [m]. Raising it spreads the formation.
        which: The leader of its population: "first" (the one that has been there longest; when it goes, the next one
            leads) or an id.
        face: Where the formation faces: a direction (d,) of any length, a function that returns one, or a column of
            `Orders` ("column:facing"), of which the first member with a direction counts. Default: where the leader
            faces, and at a place along the x axis. The slots turn, not the members: these face where they go. To have them
            face as the formation does, add ReachOrientation and give them a FreeBody (see docs/vehicles.md).
        members: Which vehicles hold slots: 1 for those, 0 for others, for whom it does not act; usually a column of
            `Orders` ("drill"). The named shapes have a slot for every member. Several other numbers are refused: two squads
            are two Formations, each with a column of its own.
        reassign: Time after which the slots are assigned anew [s]; 0: only when a vehicle has none. Raising it keeps
            slots longer.
        slowing_distance: Distance from the slot at which slowing begins [m]. Raising it is gentler. Default: the
            shortest without overshoot, max(4 * max_speed * response_time, mass * max_speed^2 / brake force).
        by: The map that knows the ways to slots that cannot be reached straight, see GoTo. Where no body fits into a slot,
            its vehicle waits at the nearest place that is free. Default: none, straight ahead.

    Raises:
        TypeError: There is nothing to be fixed to.
    """

    around: Any = parameter(kind=TARGET, positional=True, unit="m")
    slots: Any = parameter("wedge", kind=SLOTS, choices=SHAPES, unit="m")
    spacing: float = parameter(2.0, above=0.0, unit="m")
    which: int | str = parameter("first", kind=LEADER)
    face: Any = parameter(None, kind=FACING, optional=True)
    members: Any = parameter(1.0, low=0.0)
    reassign: float = parameter(1.0, low=0.0, unit="s")
    slowing_distance: float | None = parameter(None, above=0.0, unit="m", optional=True)
    by: Any = parameter(None, kind=ROUTE_MAP, optional=True)

    def leads(self) -> bool:
        """With a map."""
        return self.by is not None

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """The slot of every vehicle, its memory of how its leader turns, and with a map whether it is on a route there."""
        routed = {} if self.by is None else {"bound": np.zeros(len(vehicles), np.uint8)}
        return {"slot": np.full(len(vehicles), -1, np.int64)} | new_watch(vehicles) | routed

    def when_ordered(self, column: str) -> dict[str, Any]:
        """Vehicles with another place, direction or squad by an order look for a slot anew."""
        read = [getattr(each, "column", None) for each in (self.around, self.face, self.members)]
        return {"slot": -1} if column in read else {}

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """The calls that fill slots, and then hold them."""
        n, dtype = len(scene.vehicles), scene.vehicles.dtype
        members = np.zeros(n, np.uint8)
        anchor, calls = self._anchor(scene, members)
        muster = _Muster(self, scene, members, anchor, n)
        if isinstance(plain(self.members), NumberColumn):
            calls = [Call(muster, whole=True), *calls]
        end = arriving_numbers(drive_numbers("max", dtype), scene, True, self.slowing_distance)
        size = len(muster.slots[0])
        holder, taken = np.zeros(size, np.int64), np.zeros(n, np.int64)
        slot = (memory.now("slot")[:n], memory.next("slot")[:n])
        bound = (np.zeros(0, np.uint8),) if self.by is None else (memory.now("bound"), memory.next("bound"))
        fill = (
            scene.columns.position, out.active, anchor, muster.slots, scene.wrap, float(self.reassign), scene.clock,
            holder, taken, *slot, members, muster.count, bound[0], Matching.new(size),
        )  # fmt: skip
        turns = self.face is None
        calls.append(Call(fill_slots, fill, whole=True))
        hold = (scene.columns, anchor, muster.slots, scene.wrap, end, taken, watch_of(memory), turns)
        if self.by is None:
            return [*calls, Call(hold_formation, (*hold, scene.clock, out))]
        lead = lead_sides(scene.led)[1]
        drawn, flat, look = as_drawn("by", self.by.dimensions, scene, out)
        guide, row = new_guide(drawn), np.zeros(scene.capacity, np.int64)
        goal = tuple(np.zeros((drawn.dimensions, scene.capacity), dtype))
        drawn.show(way=guide.way)
        ask = route_calls(
            self.by, drawn, guide, out.active, end.go, LOOKAHEAD, goal, scene.vehicles.count, row, moves=True
        )
        go = (drawn.columns, row, guide, end, drawn.number(1.0), cornering(drawn), *lead, drawn.clock, flat)
        return [
            *calls,
            *look,
            Call(ask_for_slots, (out.active, anchor, muster.slots, taken, goal, row)),
            *ask,
            Call(hold_in_sight, (*hold, row, goal, guide, bound[-1], scene.clock, out)),
            Call(go_to, go),
        ]

    def local_slots(self, count: int, dimensions: int) -> Array:
        """The slots in the leader's frame [m], shape (k, d)."""
        if not isinstance(self.slots, str):
            return np.asarray(self.slots)
        if isinstance(self.around, Vehicles) or self.slots == "circle" or count < 1:
            return formation_slots(self.slots, max(count, 0), self.spacing, dimensions)
        rest = formation_slots(self.slots, count - 1, self.spacing, dimensions)
        slots = np.vstack([np.zeros((1, dimensions)), rest])
        if self.slots == "line":
            slots[:, -1] -= slots[:, -1].mean()  # Half a spacing, where there are as many to the left as to the right.
        return slots

    def _anchor(self, scene: Scene, members: Array) -> tuple[Anchor, list[Call]]:
        """The anchor, and the calls that keep it up to date."""
        anchor, calls = self._place(scene, members)
        if self.face is None:
            return anchor, calls
        mark, more = scene.mark(self.face, "nearest", "face")
        turned = anchor._replace(
            forward=tuple(np.zeros_like(each) for each in anchor.forward),
            up=tuple(np.zeros_like(each) for each in anchor.up),
        )
        turn = Call(turn_anchor, (mark.position, mark.pick, members, anchor, turned), whole=True)
        return turned, [*calls, *more, turn]

    def _place(self, scene: Scene, members: Array) -> tuple[Anchor, list[Call]]:
        """The anchor as it faces without an order."""
        d, dtype = scene.vehicles.dimensions, scene.vehicles.dtype
        if isinstance(self.around, Vehicles):
            (body, pick), calls = scene.quarry(self.around, self.which, "around")
            row = pick[:1] if len(pick) else np.full(1, -1, np.int64)
            return Anchor(
                body.position, body.velocity, body.forward, body.up, row, self.around is scene.vehicles
            ), calls
        if isinstance(self.around, Knowledge):
            raise ValueError(f"around must be the same for all vehicles, got a {self.around.title}")
        mark, calls = scene.mark(self.around, "nearest", "around")
        size = max(len(mark.position[0]), 1)
        still, axes = np.zeros((d, size), dtype), np.repeat(np.eye(3, dtype=dtype)[:, :, None], size, axis=2)
        up = tuple(np.ascontiguousarray(x) for x in axes[2]) if d == 3 else ()
        forward = tuple(np.ascontiguousarray(x) for x in axes[0][:d])
        row = np.zeros(1, np.int64)
        if isinstance(self.around, PointColumn):
            calls = [*calls, Call(lead_by_member, (members, mark.pick, row), whole=True)]
        return Anchor(mark.position, tuple(still), forward, up, row, False), calls

    def sketch(self, context: SketchContext) -> Shapes:
        """All slots, and the vehicle's own."""
        n, d = len(context.scene.vehicles), context.position.shape[1]
        members = np.zeros(n, np.uint8)
        formation: Any = context.scene.node.behavior  # `self` has the numbers of one vehicle, its `members` too.
        anchor, calls = formation._anchor(context.scene, members)
        muster = _Muster(formation, context.scene, members, anchor, n)
        for call in calls:
            call.run(n)
        row = anchor.row
        if row[0] < 0:
            return
        up = rows_of(anchor.up, row) if d == 3 else None
        axes = axes_of(rows_of(anchor.forward, row), up)
        local = np.stack(muster.slots, axis=1)[: muster.count[0]].astype(np.float64)
        slots = rows_of(anchor.position, row) + to_global(local, axes)
        images = context.position[:1] + context.scene.domain.difference(slots, context.position[:1])
        yield Pose(images, axes[0, 0], float(context.radius.mean()), role="guide", means="slots of all", detail=True)
        slot = context.memory["slot"]
        if len(slots):
            own = np.where(slot[:, None] >= 0, context.image(slots[np.maximum(slot, 0)]), np.nan)
            yield Pose(own, axes[0, 0], context.radius, role="target", label="its place")
            yield segment(context.position, own, "target", means="its place")
        if self.by is not None:
            context = context.on_plan(self.by.dimensions)
            yield from context.goal(context.position + context.shown["way"])


def flags_of(members: Any) -> Any:
    """Numbers of members as flags; one number for all says whether all are members.

    Raises:
        ValueError: One of several is neither 0 nor 1.
    """
    numbers = np.asarray(members)
    other = numbers[(numbers != 0) & (numbers != 1)]
    if numbers.ndim and other.size:
        raise ValueError(
            f"members must be 1 for vehicles that hold slots and 0 for others, got {other.flat[0]:g}: every squad is a "
            f"Formation of its own with a column of its own, as in "
            f'sm.Priority([sm.Formation(..., members="first_squad"), sm.Formation(..., members="second_squad")])'
        )
    return numbers > 0


class _Muster:
    """Counts the members of a formation, and makes slots for them.

    Attributes:
        slots: Local positions of the slots [m], d arrays.
        count: The number of slots that count, shape (1,), int64.
    """

    def __init__(self, formation: Formation, scene: Scene, members: Array, anchor: Anchor, n: int) -> None:
        self.formation, self.scene, self.members, self.anchor = formation, scene, members, anchor
        dimensions = scene.vehicles.dimensions
        most = formation.local_slots(n - (anchor.own and isinstance(formation.members, float)), dimensions)
        if most.shape[1] != dimensions:
            raise ValueError(f"slots must have {dimensions} dimensions like the vehicles, got {most.shape[1]}")
        self.slots = columns_of(most, scene.vehicles.dtype)
        self.count = np.array([len(most)])
        members[:] = flags_of(scene.by_row(plain(formation.members)))
        self._known = -1
        if not isinstance(formation.members, (int, float)):
            self()

    def __call__(self) -> None:
        self.members[:] = flags_of(self.scene.by_row(self.formation.members))
        row = self.anchor.row[0]
        own = self.anchor.own and 0 <= row < len(self.members) and self.members[row]
        count = int(np.count_nonzero(self.members)) - int(own)
        if count == self._known or not isinstance(self.formation.slots, str):
            return
        points = self.formation.local_slots(count, len(self.slots))
        self._known, self.count[0] = count, len(points)
        for column, values in zip(self.slots, points.T, strict=True):
            column[: len(points)] = values
