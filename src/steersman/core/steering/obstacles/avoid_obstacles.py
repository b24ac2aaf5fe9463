"""AvoidObstacles: keep a cylinder of free space ahead, and stop before obstacles that cannot be passed.

The cylinder (`free_cylinder.py`) lies along forward, is as thick as the vehicle and a clearance around it, and reaches
max(min_length, lookahead * speed) far. Of the obstacles that enter it, the one that is met first is avoided:

    force = size * unit(-lateral),   lateral = center - position without its part along forward

Reynolds 1999, "Obstacle avoidance" (there "literal": the negated lateral offset itself). The size (`evading.py`) is
max_force for "full"; for "proximity" it grows from zero at the end of the cylinder to max_force at touch, and `braking`
adds a part against forward that grows alike: game AI lecture. For "needed", this library's own, it is the force of a
turn past the obstacle (see `laws.needed_part`), once that is half of max_force; until then parts of less priority may
steer, and from then on until a tenth is enough: otherwise the two would take turns at every step. It is half of
max_force at least within the clearance and up to three quarters of the top speed, so that the vehicle gets on along
what stopped it, and past what others push it against; less and less up to the top speed, and a quarter of max_force for
a moment after a stop. Where one threat follows on another and the side changes, the force grows from zero within EASE:
between two rocks a vehicle would push from one to the other and back at every step. An obstacle whose center is not
ahead is being left behind. A body with a turning circle (`Locomotion.tightest`) turns no tighter when it is slow, so
for it half of the curvature of that circle counts as well as half of max_force. A body that takes time to turn in
(`Locomotion.lag`) begins earlier by that time, and keeps clear by the distance that it moves aside meanwhile.

Of an obstacle that is not round, the first contact counts: the place of the negated lateral offset is taken by the
lateral part of the normal there, times the radius of the obstacle's bounding sphere. An obstacle that the vehicle moves
along or away from is no threat.

Steering aside does not always suffice: not in a corner, between two obstacles, or where other forces push. With `stops`
(`stopping_short.py`) the force is changed so that the vehicle can still stop before everything that it could reach
while it brakes, whichever way it goes (see `laws.stop_before`); it goes on along the surface if it can. It keeps the
clearance less an eighth of its radius there, or half of the clearance if that is more; a vehicle that starts nearer
comes away. After a stop the behavior claims the vehicle for another moment. A body with a turning circle brakes by
itself where its way ends, so the behavior claims it as soon as it could not stop; otherwise it would brake for an
obstacle that it is about to pass, while other behaviors steer it there. So does a body that turns on the spot before it
can go aside, one with a turn rate or inertia: once it is slow, it is held until it has turned away from what is ahead, drives
on for as long, and keeps the side for four times as long, also past a second obstacle. Where the force that is left leads
from one obstacle into another before the vehicle has moved by its radius, it is told to turn away from both.

Where GoTo follows a map in the same tree, or FollowPath a path, and slows down for bends, an obstacle farther away than
the next turn of the route is no reason to turn aside (`driving/leading.py`); the vehicle still stops for it, with all
of its force.

With `magnitude="full"`, `clearance=0` and `stops=False` the behavior is, for a body that turns on the spot, the
paper's.

The side is remembered while an obstacle threatens: an obstacle nearly dead ahead is passed on the side once chosen, so
a goal behind it cannot make the vehicle waver, nor can the two walls of a corner. Dead center, the side is always the
same. Vehicles on a surface see the sections of obstacles in it, and steer along it (`steering/sensing/on_ground.py`).
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from steersman.core.environment.obstacles.answers import Rays, Sight, new_sight
from steersman.core.environment.obstacles.obstacle import OBSTACLES, check_dimensions
from steersman.core.kernels.call import Call, flags_of, gated
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.frames import unit_rows
from steersman.core.maths.ground import beside, level
from steersman.core.maths.shapes import Circle, Cross, Shape, Tube, segment
from steersman.core.maths.vectors import HALF, INFINITE, ONE, ZERO, across, dot, length, load, scale, store
from steersman.core.parameters.kinds import FLAG, TEXT
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.driving.leading import TRUST, Lead, counted_way, lead_sides
from steersman.core.steering.driving.stopping import new_stops, stops_calls, way_to_stop
from steersman.core.steering.laws import avoiding
from steersman.core.steering.obstacles.evading import (
    LEAST,
    MAGNITUDES,
    NEEDED,
    AvoidObstaclesNumbers,
    Evaded,
    evade,
    evaded_sides,
    keep_side,
)
from steersman.core.steering.obstacles.free_cylinder import LookAheadNumbers, look_ahead
from steersman.core.steering.obstacles.stopping_short import ALONG, CLAIMS, LED, LOOKS, TURNS, stop_before
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Scene
from steersman.core.steering.scene.setting import Setting
from steersman.core.steering.scene.sketch_context import SketchContext
from steersman.core.steering.sensing.looking_ahead import new_columns
from steersman.core.steering.sensing.on_ground import lay_sight_calls
from steersman.core.steering.targets.selection import WHICH
from steersman.core.steering.targets.target import TARGET, Mark
from steersman.core.steering.tree.forces import Out, deposit
from steersman.core.typing import Array, Columns
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles

RELEASE = np.float32(avoiding.RELEASE)


@kernel
def go_on_counting(i: int, place: Columns, until: Array, time: Array) -> None:
    """Let the turn of the route of vehicle i count for another moment, where there is one."""
    if len(place) != 0:
        until[i] = time[0] + TRUST


@row_kernel(some=True)
def avoid_obstacles(
    i: int, vehicles: VehicleColumns, numbers: AvoidObstaclesNumbers, rays: Rays, sight: Sight, now: Evaded,
    following: Evaded, lead: Lead, lead_next: Lead, setting: Setting, push: Columns, looks: Array, out: Out,
) -> Any:  # fmt: skip
    """Steer sideways from the first threat; a vehicle that may have to stop waits for `stop_before`."""
    forward, velocity, max_force = load(vehicles.forward, i), load(vehicles.velocity, i), vehicles.max_force[i]
    speed, strength, dt, which = length(velocity), max_force / vehicles.mass[i], setting.clock.dt[0], sight.which[i]
    wall, ground, time = load(now.wall, i), setting.ground, setting.clock.time
    left = length(wall)
    visible, way = which >= 0, counted_way(i, vehicles, lead.place, lead.until, setting.wrap, time)
    threatens = visible and not sight.touch[i] > way
    keep_side(i, forward, now, following, dt)
    following.threat[i], following.held[i], looks[i] = which if threatens else -1, False, 0
    force, deep, claims = scale(forward, ZERO), False, left > ZERO
    if threatens:
        force, part, deep = evade(i, vehicles, numbers, rays, sight, now, following, setting)
        least = RELEASE if now.held[i] and now.threat[i] == which else LEAST
        following.held[i] = not part < least
        claims = claims or numbers.magnitude != NEEDED or following.held[i]
    elif claims:
        following.threat[i], normal = now.threat[i], scale(wall, ONE / left)
        if speed < HALF * vehicles.max_speed[i]:
            along = forward
            if not now.kept[i] > ZERO:
                along = across(level(load(now.side, i), ground, i), normal, beside(normal, ground, i))
            force = scale(along, LEAST * max_force)
    if claims and way < INFINITE:
        go_on_counting(i, lead.place, lead_next.until, time)
    if numbers.stops > ZERO:
        stops_in = way_to_stop(speed, numbers.brakes * strength, dt) + speed * numbers.lag
        near = visible and not deep and not sight.free[i] > stops_in
        if near or left > ZERO or dot(velocity, forward) < ALONG * speed:
            turns = numbers.pivots > ZERO and threatens and (near or now.kept[i] > ZERO)
            # Or its body brakes before it turns.
            claims = claims or (near and threatens and (numbers.tightest > ZERO or numbers.pivots > ZERO))
            looks[i] = LOOKS if threatens or not visible else LED
            if claims:
                looks[i] = TURNS if turns and speed < HALF * vehicles.max_speed[i] else CLAIMS
            store(push, i, force)
            return True
        store(following.wall, i, scale(wall, ZERO))
    if claims:
        deposit(out, i, force, max_force, True)
    return False


@registered
class AvoidObstacles(Behavior):
    """Steer around obstacles that are in the way, and only those; stop before obstacles that cannot be passed.

    Args:
        obstacles: The obstacles to keep clear of: a set (Spheres, Boxes, Capsules, Walls, TriangleMesh), or a list of
            several.
        lookahead: How far to look [s], as time at the present speed. Raising it turns earlier.
        min_length: Length of the cylinder at low speed [m]. Raising it looks farther ahead when slow. Default: the
            vehicles' largest radius.
        clearance: Free room to keep beside obstacles [m]. Raising it passes them wider, and does not pass gaps that are
            narrower. Default: a fifth of each vehicle's radius, which is more than a vehicle comes off its circle by finite
            steps and by a body that answers late. With `stops`, steps need at least 4 max_force / mass dt^2. A body with a
            `lag`, such as Wheeled with a wheelbase, needs at least max_force / mass lag^2.
        magnitude: How hard to steer: "needed" (as hard as passing with the clearance takes, once that is half of max_force),
            "full" (max_force as soon as an obstacle is in the way), "literal" (`strength` times the lateral offset) or
            "proximity" (the nearer, the harder).
        strength: Of magnitude "literal": force per meter [N/m]. Raising it swerves harder.
        braking: Part of max_force to brake with at touch; it grows from zero at the end of the cylinder. Raising it comes
            slower to obstacles.
        stops: Whether to brake so that the vehicle can still stop before every surface that it can reach. False: steer
            by `magnitude` and `braking` alone.
        goal: A target (see Seek) beyond which obstacles do not matter [m].
        which: The member of a goal population: "nearest", "first", an id, ids (one per vehicle) or a mask.
    """

    obstacles: Any = parameter(kind=OBSTACLES, positional=True)
    lookahead: float = parameter(2.0, low=0.0, unit="s")
    min_length: float | None = parameter(None, low=0.0, unit="m", optional=True)
    clearance: float | None = parameter(None, low=0.0, unit="m", optional=True)
    magnitude: str = parameter("needed", kind=TEXT, choices=MAGNITUDES)
    strength: float = parameter(1.0, low=0.0, unit="N/m")
    braking: float = parameter(0.0, low=0.0)
    stops: bool = parameter(True, kind=FLAG)
    goal: Any = parameter(None, kind=TARGET, unit="m", optional=True)
    which: Any = parameter("nearest", kind=WHICH, of="goal")

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """The side chosen last, for which obstacle (-1: none), since when [s]; the wall that was last stopped for.

        The wall is known by its normal; its length is the time [s] until other parts may steer (zero: no wall). Last, for
        how long the side is kept [s], by a body that takes time to turn.
        """
        n, d = len(vehicles), vehicles.dimensions
        side = np.zeros((n, d), vehicles.dtype)
        return {
            "side": side,
            "threat": np.full(n, -1, np.int64),
            "held": np.zeros(n, bool),
            "since": np.zeros(n, vehicles.dtype),
            "wall": side.copy(),
            "kept": np.zeros(n, vehicles.dtype),
        }

    def is_led(self) -> bool:
        """Always."""
        return True

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """How far to look, the threats of every set, the force, and the stop that holds it back."""
        vehicles, n, d, dtype = scene.columns, scene.capacity, scene.vehicles.dimensions, scene.vehicles.dtype
        check_dimensions(self.obstacles, d)
        nowhere = Mark(tuple(np.zeros((d, 1), dtype)), np.zeros(0, np.int64))
        goal, calls = (nowhere, []) if self.goal is None else scene.mark(self.goal, self.which, "goal")
        sight = new_sight(n, d, dtype)
        rays = Rays(vehicles.position, vehicles.forward, np.zeros(n, dtype), np.zeros(n, dtype))
        far = scene.numbers(
            LookAheadNumbers,
            lookahead=self.lookahead,
            clearance=self.clearance,
            stops=self.stops,
            brakes=scene.brakes,
            tightest=scene.tightest,
            lag=scene.lag,
        )
        shortest = scene.cell(0.0 if self.min_length is None else self.min_length)
        if self.min_length is None:

            def measure() -> None:
                shortest[0] = scene.vehicles.radius.max(initial=0)

            measure()
            scene.recount(measure)
        ahead = (vehicles, out.active, scene.wrap, far, shortest, goal, rays.reach, rays.radius, scene.clock.dt)
        calls += [
            Call(look_ahead, ahead),
            *self.obstacles.sweep_calls(rays, out.active, scene.wrap, sight),
        ]
        scene.show(reach=rays.reach, radius=rays.radius, away=sight.away, touch=sight.touch, which=sight.which)
        if scene.ground:
            calls += lay_sight_calls(self.obstacles, out.active, scene.ground, sight)
        hard = scene.numbers(
            AvoidObstaclesNumbers,
            magnitude=MAGNITUDES.index(self.magnitude),
            braking=self.braking,
            strength=self.strength,
            stops=self.stops,
            brakes=scene.brakes,
            tightest=scene.tightest,
            lag=scene.lag,
            round_only=self.obstacles.is_round,
            pivots=scene.pivots,
        )
        now, following = evaded_sides(memory)
        setting, push = Setting(scene.wrap, scene.ground, scene.clock), new_columns(scene)
        stops = new_stops(scene, self.obstacles, rays.radius)
        looks, some, dt = stops.looks, flags_of(stops.looks), scene.clock.dt
        where = (vehicles, hard, rays, sight, now, following, *lead_sides(scene.led), setting)
        calls.append(Call(avoid_obstacles, (*where, push, looks, out, some)))
        if not self.stops:
            return calls
        thick, bars, brakes = stops.balls.radius, stops.bars, scene.number(scene.brakes)
        ways = (vehicles, looks, sight.free, thick, bars, push, hard.pivots)
        arguments = (*ways, now, following, scene.free_way, brakes, dt, out)
        return [*calls, *gated(some, [*stops_calls(scene, self.obstacles, stops), Call(stop_before, arguments)])]

    def sketch(self, context: SketchContext) -> Iterator[Shape]:
        """The cylinder ahead, the obstacle that is met first, where that will be, and how far off the middle it lies."""
        reach, radius, away, touch = (context.shown[name] for name in ("reach", "radius", "away", "touch"))
        met = (context.shown["which"] >= 0)[:, None]
        yield Tube(
            context.position, context.position + context.forward * reach[:, None], radius, label="looks ahead in here"
        )
        contact = np.where(met, context.position + context.forward * touch[:, None], np.nan)
        yield Circle(contact, radius, role="predicted")
        if not self.obstacles.is_round:
            yield Cross(contact - unit_rows(away) * radius[:, None], role="chosen")
            return
        center = np.where(met, context.position - away, np.nan)
        yield Circle(center, self.obstacles.bounding_spheres()[1][context.shown["which"]], role="chosen")
        foot = (
            context.position + context.forward * np.sum((center - context.position) * context.forward, axis=1)[:, None]
        )
        yield segment(center, foot, means="how far off its line", detail=True)
