"""AvoidObstacles: keep a cylinder of free space ahead, and stop before obstacles that cannot be passed.

The cylinder lies along forward, is as thick as the vehicle and a clearance around it, and reaches
max(min_length, lookahead * speed) far. Of the obstacles that enter it, the one that is met first is avoided:

    force = size * unit(-lateral),   lateral = center - position without its part along forward

Reynolds 1999, "Obstacle avoidance" (there "literal": the negated lateral offset itself). The size is max_force for "full";
for "proximity" it grows from zero at the end of the cylinder to max_force at touch, and `braking` adds a part against
forward that grows alike: game AI lecture. For "needed", this library's own, it is the force of a turn past the obstacle
(see `laws.needed_part`), once that is half of max_force; until then parts of less priority may steer, and from then on
until a tenth is enough: otherwise the two would take turns at every step. It is half of max_force at least within the
clearance and up to three quarters of the top speed, so that the vehicle gets on along what stopped it, and past what others
push it against; less and less up to the top speed, and a quarter of max_force for a moment after a stop. Where one threat
follows on another and the side changes, the force grows from zero within EASE: between two rocks a vehicle would push from
one to the other and back at every step. An obstacle whose center is not ahead is being left behind. A body with a turning
circle (`Locomotion.tightest`) turns no tighter when it is slow, so for it half of the curvature of that circle counts as well
as half of max_force. A body that takes time to turn in (`Locomotion.lag`) begins earlier by that time, and keeps clear by
the distance that it moves aside meanwhile.

Of an obstacle that is not round, the first contact counts: the place of the negated lateral offset is taken by the
lateral part of the normal there, times the radius of the obstacle's bounding sphere. An obstacle that the vehicle moves
along or away from is no threat.

Steering aside does not always suffice: not in a corner, between two obstacles, or where other forces push. With `stops`
the force is changed so that the vehicle can still stop before everything that it could reach while it brakes, whichever
way it goes (see `laws.stop_before`); it goes on along the surface if it can. It keeps the clearance less an eighth of
its radius there, or half of the clearance if that is more; a vehicle that starts nearer comes away. After a stop the
behavior claims the vehicle for another moment. A body with a turning circle brakes by itself where its way ends, so the
behavior claims it as soon as it could not stop; otherwise it would brake for an obstacle that it is about to pass, while
other behaviors steer it there.

Where GoTo follows a map in the same tree, or FollowPath a path, and slows down for bends, an obstacle farther away than the
next turn of the route is no reason to turn aside (`driving/leading.py`); the vehicle still stops for it, with all of its
force.

With `magnitude="full"`, `clearance=0` and `stops=False` the behavior is, for a body that turns on the spot, the paper's.

The side is remembered while an obstacle threatens: an obstacle nearly dead ahead is passed on the side once chosen, so
a goal behind it cannot make the vehicle waver, nor can the two walls of a corner. Dead center, the side is always the
same. Vehicles on a surface see the sections of obstacles in it, and steer along it (`steering/sensing/on_ground.py`).
"""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from steersman.core.environment.obstacles.answers import Bars, Rays, Sight, new_sight
from steersman.core.environment.obstacles.obstacle import OBSTACLES, check_dimensions
from steersman.core.kernels.call import Call, flags_of, gated
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.facing import heading_after
from steersman.core.maths.frames import unit_rows
from steersman.core.maths.ground import beside, level
from steersman.core.maths.shapes import Circle, Cross, Shape, Tube, segment
from steersman.core.maths.vectors import (
    HALF,
    INFINITE,
    ONE,
    TWO,
    ZERO,
    across,
    add_scaled,
    difference,
    dot,
    lateral,
    length,
    load,
    scale,
    store,
)
from steersman.core.parameters.kinds import FLAG, TEXT
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.driving.leading import TRUST, counted_way, lead_sides
from steersman.core.steering.driving.stopping import (
    BRAKES,
    free_way_of,
    least_clearance,
    new_stops,
    slack_of,
    stopped_for,
    stopping_force,
    stops_calls,
    way_to_stop,
)
from steersman.core.steering.laws import avoiding
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import SketchContext
from steersman.core.steering.sensing.looking_ahead import new_columns
from steersman.core.steering.sensing.on_ground import lay_sight_calls
from steersman.core.steering.targets.selection import WHICH
from steersman.core.steering.targets.target import TARGET, Mark
from steersman.core.steering.tree.forces import Out, deposit
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns
from steersman.core.vehicles.vehicles import Vehicles

MAGNITUDES = ("needed", "full", "literal", "proximity")
NEEDED, LITERAL, PROXIMITY = np.float32(0), np.float32(2), np.float32(3)

NEARLY = np.float32(0.2)
"""Part of the sum of the radii within which an obstacle counts as nearly dead ahead."""

SHARE = np.float32(0.2)
"""Default of the clearance, as a part of the vehicle's radius."""

LEAST, SPARE = np.float32(avoiding.LEAST), np.float32(avoiding.SPARE)

RELEASE, FADE = np.float32(avoiding.RELEASE), np.float32(avoiding.FADE)

EASE = np.float32(0.1)
"""Time [s] in which a vehicle that changes sides between two threats comes to the full force."""

LOOKS, CLAIMS, LED = np.uint8(1), np.uint8(2), np.uint8(3)
"""Flags of vehicles that may have to stop; CLAIMS: the behavior claims the vehicle anyway; LED: its route turns before."""

ALONG = np.float32(0.999)
"""Cosine of the angle up to which a vehicle moves where it faces; beyond, obstacles along its velocity count, too.

Less would do for one that turns into its velocity, but a FreeBody faces along a wall while it drifts into it.
"""

HOLD = np.float32(0.2)
"""For how long [s] other parts do not steer after a stop: parts of a Priority would take turns at every step."""


class LookAheadNumbers(NamedTuple):
    """How far ahead obstacles matter.

    Attributes:
        lookahead: [s].
        clearance: Free room to keep beside obstacles [m]; negative: a part of the radius.
        stops: 1 to look as far as stopping takes, else 0.
        brakes: Part of max_force that their body brakes with.
        tightest: Radius of the tightest circle of their body [m].
        lag: Time that it takes to begin that circle [s].
    """

    lookahead: Any
    clearance: Any
    stops: Any
    brakes: Any
    tightest: Any
    lag: Any


@kernel
def room_to_turn(speed: Any, strength: Any, tightest: Any, lag: Any) -> Any:
    """How far aside a vehicle gets that turns as tightly as it can, in the time that it takes to begin another turn [m]."""
    return min(speed * speed / tightest, strength) * lag * lag


@row_kernel
def look_ahead(
    i: int, vehicles: VehicleColumns, active: Array, wrap: Array, numbers: LookAheadNumbers,
    shortest: Array, goal: Mark,
    reaches: Array, radii: Array, dt: Array,
) -> None:  # fmt: skip
    """How far ahead obstacles matter, at least `shortest[0]`, and how thick the cylinder is [m]."""
    velocity, clearance = load(vehicles.velocity, i), numbers.clearance
    if clearance < ZERO:
        clearance = SHARE * vehicles.radius[i]
    speed, strength = math.sqrt(dot(velocity, velocity)), vehicles.max_force[i] / vehicles.mass[i]
    reach = max(shortest[0], numbers.lookahead * speed)
    if numbers.stops > ZERO:
        reach = max(reach, way_to_stop(speed, numbers.brakes * strength, dt[0]))
        clearance = max(clearance, least_clearance(strength, dt[0]))
    if numbers.lag > ZERO:
        reach += speed * numbers.lag
        clearance = max(clearance, room_to_turn(speed, strength, numbers.tightest, numbers.lag))
    if goal.pick.size > 0 and goal.pick[i] >= 0:
        way = difference(load(goal.position, goal.pick[i]), load(vehicles.position, i), wrap)
        reach = min(reach, math.sqrt(dot(way, way)))
    reaches[i], radii[i] = reach, vehicles.radius[i] + clearance


@kernel
def chosen_side(away: Vector, room: Any, forward: Vector, left: Vector, remembered: Vector, known: bool) -> Vector:
    """The unit vector to steer along: away from the center, or to the remembered side of an obstacle nearly dead ahead.

    For an obstacle dead ahead it is `left`.
    """
    side = across(away, forward, left)
    offset = lateral(away, forward)
    if known and dot(offset, offset) < (NEARLY * room) * (NEARLY * room):
        return across(remembered, forward, side)
    return side


@kernel
def needed_part(touch: Any, sine: Any, bend: Any, speed: Any, strength: Any, tightest: Any) -> Any:
    """The part of its ability that turns a vehicle past, in a circle tangent to the obstacle; 1 if no part suffices.

    Args:
        touch: How far it is to the contact [m].
        sine: Sine of the angle between the way and the normal there.
        bend: Radius of the obstacle where the center passes [m].
        speed: Speed [m/s].
        strength: Acceleration at max_force [m/s^2].
        tightest: Radius of the tightest circle of its body [m].
    """
    needed = TWO * max(speed * speed, strength * tightest) * bend * (ONE - sine)
    there = strength * touch * (touch + TWO * bend * math.sqrt(max(ONE - sine * sine, ZERO)))
    if needed >= there:
        return ONE + ZERO * needed
    return needed / there


@kernel
def eased(i: int, side: Vector, last: Vector, threat: Array, since: Array, dt: Any) -> Any:
    """For how long vehicle i has steered to the same side, up to EASE [s]; EASE where nothing threatened before."""
    if threat[i] < 0:
        return EASE + ZERO * dt
    return min(dt if dot(last, side) < ZERO else since[i] + dt, EASE)


class AvoidObstaclesNumbers(NamedTuple):
    """How to steer past obstacles.

    Attributes:
        magnitude: Its place in MAGNITUDES.
        braking: Part of max_force to brake with at touch.
        strength: Of "literal": force per meter [N/m].
        stops: 1 for who may have to stop, else 0.
        brakes: Part of max_force that their body brakes with.
        tightest: Radius of the tightest circle of their body [m].
        lag: Time that it takes to begin that circle [s].
        round_only: 1 where all obstacles are round, else 0.
    """

    magnitude: Any
    braking: Any
    strength: Any
    stops: Any
    brakes: Any
    tightest: Any
    lag: Any
    round_only: Any


@kernel
def evading_size(
    numbers: AvoidObstaclesNumbers, part: Any, floor: Any, ease: Any, nearness: Any, offset: Vector, max_force: Any
) -> Any:  # fmt: skip
    """How hard to steer aside [N]: with `floor` of max_force at least; `ease`: less where the side has just changed."""
    size = max_force
    if numbers.magnitude == NEEDED:
        size = max_force * min(max(SPARE * part, floor), ONE) * ease
    elif numbers.magnitude == PROXIMITY:
        size = max_force * nearness
    elif numbers.magnitude == LITERAL:
        size = numbers.strength * length(offset)
    return size


@row_kernel(some=True)
def avoid_obstacles(
    i: int, vehicles: VehicleColumns, numbers: AvoidObstaclesNumbers, reach: Array, radius: Array,
    sight: Sight,
    side_now: Columns, side_next: Columns, threat_now: Array, threat_next: Array, held_now: Array, held_next: Array,
    since_now: Array, since_next: Array,
    wall_now: Columns, wall_next: Columns, turn: Columns, until: Array, until_next: Array, wrap: Array, clock: Clock,
    push: Columns, looks: Array, ground: Columns, out: Out,
) -> Any:  # fmt: skip
    """Steer sideways from the first threat; a vehicle that may have to stop waits for `stop_before`."""
    forward, velocity, max_force = load(vehicles.forward, i), load(vehicles.velocity, i), vehicles.max_force[i]
    speed, strength, dt, which = length(velocity), max_force / vehicles.mass[i], clock.dt[0], sight.which[i]
    clearance, wall = radius[i] - vehicles.radius[i], load(wall_now, i)
    left = length(wall)
    visible, way = which >= 0, counted_way(i, vehicles, turn, until, wrap, clock.time)
    threatens = visible and not sight.touch[i] > way
    threat_next[i], held_next[i], looks[i] = which if threatens else -1, False, 0
    deep = False
    force, part, claims = scale(forward, ZERO), ZERO * dt, left > ZERO
    if threatens:
        away, bend, nearness = load(sight.away, i), sight.bend[i], ONE
        offset = lateral(away, forward)
        left_side, remembered = beside(forward, ground, i), level(load(side_now, i), ground, i)
        side = chosen_side(away, sight.room[i], forward, left_side, remembered, threat_now[i] == which)
        since_next[i] = eased(i, side, load(side_now, i), threat_now, since_now, dt)
        store(side_next, i, side)
        if reach[i] > ZERO:
            nearness = ONE - sight.touch[i] / reach[i]
        sine = min(length(offset) / min(length(away), bend), ONE)
        touch = max(sight.touch[i] - speed * (dt + numbers.lag), HALF * clearance)
        part = needed_part(touch, sine, bend, speed, strength, numbers.tightest)
        if numbers.round_only > ZERO:
            deep = len(ground) == 0 and length(away) + radius[i] < sight.room[i]
        brake = numbers.braking * nearness * max_force
        if numbers.stops > ZERO:
            brake = min(brake, max(dot(velocity, forward), ZERO * dt) * vehicles.mass[i] / dt)
        ease, floor = since_next[i] / EASE, LEAST + ZERO * dt
        slack, fades = vehicles.max_speed[i] - speed, FADE * vehicles.max_speed[i]
        if sight.touch[i] > ZERO and slack < fades:
            floor = LEAST * max(slack, ZERO) / fades
        if left > ZERO:
            floor = max(floor, HALF * LEAST)
        force = scale(side, evading_size(numbers, part, floor, ease, nearness, offset, max_force))
        force = add_scaled(force, forward, -brake)
        least = RELEASE if held_now[i] and threat_now[i] == which else LEAST
        held_next[i] = not part < least
        claims = claims or numbers.magnitude != NEEDED or held_next[i]
    elif claims:
        threat_next[i], normal = threat_now[i], scale(wall, ONE / left)
        if speed < HALF * vehicles.max_speed[i]:
            along = across(level(load(side_now, i), ground, i), normal, beside(normal, ground, i))
            force = scale(along, LEAST * max_force)
    if len(turn) != 0:  # noqa: SIM102 (only a length that stands alone is known when compiling)
        if claims and way < INFINITE:
            until_next[i] = clock.time[0] + TRUST
    if numbers.stops > ZERO:
        stops_in = way_to_stop(speed, numbers.brakes * strength, dt) + speed * numbers.lag
        near = visible and not deep and not sight.free[i] > stops_in
        if near or left > ZERO or dot(velocity, forward) < ALONG * speed:
            claims = claims or (near and threatens and numbers.tightest > ZERO)  # Or its body brakes before it turns.
            looks[i] = LOOKS if threatens or not visible else LED
            if claims:
                looks[i] = CLAIMS
            store(push, i, force)
            return True
        store(wall_next, i, scale(wall, ZERO))
    if claims:
        deposit(out, i, force, max_force, True)
    return False


@row_kernel
def stop_before(
    i: int, vehicles: VehicleColumns, looks: Array, ahead: Array, thick: Array, bars: Bars, push: Columns,
    wall_now: Columns, wall_next: Columns, free_way: Array, brakes: Any, clock: Array, out: Out,
) -> None:  # fmt: skip
    """Hand over the force of vehicles that may have to stop, held back where it would run them into an obstacle.

    A body that cannot follow this force gets the distance that it may still go on.
    """
    if not out.active[i] or looks[i] == 0:
        return
    force, dt, wall, claims = load(push, i), clock[0], load(wall_now, i), looks[i] == CLAIMS
    left, velocity = length(wall), load(vehicles.velocity, i)
    spare = HALF * (thick[i] - vehicles.radius[i])  # A body that turns slowly needs half of the clearance.
    forward, free = load(vehicles.forward, i), ZERO * dt
    way = heading_after(velocity, forward, vehicles.max_speed[i])
    if not dot(way, forward) < ALONG:
        free = ahead[i]
    free_way[i] = min(free_way[i], max(free, free_way_of(bars, way, spare, i)))
    store(wall_next, i, scale(wall, max(left - dt, ZERO * dt) / left if left > ZERO else ZERO * left))
    if looks[i] == LED:
        brakes = (
            brakes / BRAKES
        )  # What lies beyond the turn is stopped for with all there is, since its route brakes, too.
    slack, strength = slack_of(vehicles.radius[i], thick[i]), brakes * (vehicles.max_force[i] / vehicles.mass[i])
    first = stopped_for(bars, velocity, slack, strength, dt, i)
    if first >= 0:
        claims = True
        if looks[i] != LED:
            store(wall_next, i, scale(load(bars.normal, (i, first)), HOLD))
    if claims:
        deposit(out, i, stopping_force(bars, vehicles, force, brakes, dt, i), vehicles.max_force[i], True)


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

    Raises:
        TypeError: The obstacles are none, or the goal is no target.
        ValueError: A number is NaN, infinite or out of range, or a word is not known.
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

        The wall is known by its normal; its length is the time [s] until other parts may steer (zero: no wall).
        """
        n, d = len(vehicles), vehicles.dimensions
        side = np.zeros((n, d), vehicles.dtype)
        return {
            "side": side,
            "threat": np.full(n, -1, np.int64),
            "held": np.zeros(n, bool),
            "since": np.zeros(n, vehicles.dtype),
            "wall": side.copy(),
        }

    def is_led(self) -> bool:
        """Always."""
        return True

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """How far to look, the threats of every set, the force, and the stop that holds it back."""
        vehicles, n, d, dtype = scene.columns, scene.room, scene.vehicles.dimensions, scene.vehicles.dtype
        check_dimensions(self.obstacles, d)
        nowhere = Mark(tuple(np.zeros((d, 1), dtype)), np.zeros(0, np.int64))
        goal, calls = (nowhere, []) if self.goal is None else scene.mark(self.goal, self.which, "goal")
        sight, rays = (
            new_sight(n, d, dtype),
            Rays(vehicles.position, vehicles.forward, np.zeros(n, dtype), np.zeros(n, dtype)),
        )
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
        calls += [
            Call(
                look_ahead,
                (vehicles, out.active, scene.wrap, far, shortest, goal, rays.reach, rays.radius, scene.clock.dt),
            ),
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
        )
        remembered = [
            look(name) for name in ("side", "threat", "held", "since", "wall") for look in (memory.now, memory.next)
        ]
        lead, lead_next = lead_sides(scene.led)
        push, stops = new_columns(scene), new_stops(scene, self.obstacles, rays.radius)
        looks, some, dt = stops.looks, flags_of(stops.looks), scene.clock.dt
        calls.append(
            Call(
                avoid_obstacles,
                (
                    vehicles,
                    hard,
                    rays.reach,
                    rays.radius,
                    sight,
                    *remembered,
                    *lead,
                    lead_next.until,
                    scene.wrap,
                    scene.clock,
                    push,
                    looks,
                    scene.ground,
                    out,
                    some,
                ),
            )
        )
        if not self.stops:
            return calls
        wall = memory.now("wall")
        thick, bars, next_wall = stops.balls.radius, stops.bars, memory.next("wall")
        brakes = scene.number(scene.brakes)
        arguments = (vehicles, looks, sight.free, thick, bars, push, wall, next_wall, scene.free_way, brakes, dt, out)
        return [*calls, *gated(some, [*stops_calls(scene, self.obstacles, stops), Call(stop_before, arguments)])]

    def sketch(self, context: SketchContext) -> Iterator[Shape]:
        """The cylinder ahead, the obstacle that is met first, where that will be, and how far off the middle it lies."""
        reach, radius, away, touch = (context.shown[name] for name in ("reach", "radius", "away", "touch"))
        met = (context.shown["which"] >= 0)[:, None]
        yield Tube(context.position, context.position + context.forward * reach[:, None], radius)
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
        yield segment(center, foot, "guide")
