"""Arriving: the end of the behaviors that come to a point that they compute, and may stop there.

    approach="arrive":  as Arrive does, with its linear ramp (see `steering/driving/approach.py`)
    approach="seek":    as Seek does, through the point (see `steering/driving/drive.py`)

Reynolds 1999 seeks ("Offset pursuit", and the sketches of interpose and hide); the game AI lecture arrives.
"""

import math
from dataclasses import KW_ONLY, dataclass
from typing import Any, NamedTuple

from steersman.core.kernels.kernel import kernel
from steersman.core.maths.vectors import ONE, ZERO, add, dot, load
from steersman.core.parameters.kinds import TEXT
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.driving.approach import approach, full_speed, slowing_distance, slowing_distance_of
from steersman.core.steering.driving.drive import Driven, DriveNumbers, drive_to, stands
from steersman.core.steering.driving.resting import Resting, note_goal, resting_after, way_among
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.tree.forces import response
from steersman.core.typing import Array, Vector
from steersman.core.vehicles.vehicle_columns import VehicleColumns

APPROACHES = ("arrive", "seek")


class ArrivingNumbers(NamedTuple):
    """How to come to a point, for kernels.

    Attributes:
        go: Speed and thrust.
        stops: 1 for approach="arrive", 0 for "seek".
        brakes: Part of max_force to stop with.
        slowing_distance: [m], negative where it is not given.
        deceleration_time: [s], negative where it is not given.
    """

    go: DriveNumbers
    stops: Any
    brakes: Any
    slowing_distance: Any
    deceleration_time: Any


@kernel
def come(way: Vector, rests: bool, i: int, vehicles: VehicleColumns, end: ArrivingNumbers, dt: Any) -> Vector:
    """The force that moves vehicle i along a way [m], and stops it at the end of it, which `rests` or moves."""
    if end.stops == ZERO or end.go.full == ONE:
        return drive_to(way, rests, i, vehicles, end.go, dt)
    velocity, mass, tau = load(vehicles.velocity, i), vehicles.mass[i], response(vehicles.response_time[i], dt)
    full = full_speed(way, velocity, vehicles.max_speed[i], end.go)
    slowing = slowing_distance(full, i, vehicles, end.brakes, tau, slowing_distance_of(full, end))
    return approach(way, math.sqrt(dot(way, way)), slowing, full, velocity, mass, tau)


@kernel
def come_among(
    way: Vector, moved: Vector, i: int, vehicles: VehicleColumns, end: ArrivingNumbers, wrap: Array,
    resting: tuple[Resting, ...], clock: Clock,
) -> Vector:  # fmt: skip
    """The same; a vehicle that stands behind another at the same point brakes, or walks round it first.

    Where what the point depends on moves, with a velocity `moved` [m/s], nobody comes to rest.
    """
    rests = stands(moved, i, vehicles)
    if len(resting) != 0:  # noqa: SIM102 (only a length that stands alone is known when compiling)
        if rests:
            goal = add(load(vehicles.position, i), way)
            way = way_among(resting[0], i, note_goal(resting[0], i, goal, clock.step, wrap), way)
    return come(way, rests, i, vehicles, end, clock.dt[0])


@dataclass(frozen=True, eq=False)
class Arriving(Driven):
    """Base of the behaviors that come to a point.

    Args:
        approach: How to come there: "arrive" slows down and stops, "seek" passes through. With thrust="full" there is no
            slowing.
        slowing_distance: Distance at which slowing begins [m]. Raising it is gentler. Default: the shortest without
            overshoot, max(4 * max_speed * response_time, mass * max_speed^2 / brake force).
        deceleration_time: Instead of a slowing distance: the time to go at which slowing begins [s]. Raising it is
            gentler.
    """

    _: KW_ONLY
    approach: str = parameter("arrive", kind=TEXT, choices=APPROACHES)
    slowing_distance: float | None = parameter(None, above=0.0, unit="m", optional=True)
    deceleration_time: float | None = parameter(None, above=0.0, unit="s", optional=True)

    def validate(self) -> None:
        """Check that slowing is given once."""
        if self.slowing_distance is not None and self.deceleration_time is not None:
            raise ValueError(f"{type(self).__name__} takes slowing_distance or deceleration_time, got both")

    def comes_to_rest(self) -> bool:
        """It asks vehicles to come to rest at the point, if it is to stop there."""
        return self.approach == "arrive" and self.thrust != "full"

    def resting(self, scene: Scene) -> tuple[Resting, ...]:
        """The memory of rest for `come_among`; empty where nobody rests."""
        return resting_after(scene.resting) if self.comes_to_rest() else ()

    def end(self, scene: Scene) -> ArrivingNumbers:
        """Speed, thrust and slowing for `come`."""
        go, stops = self.go(scene.vehicles.dtype), self.approach == "arrive"
        return arriving_numbers(go, scene, stops, self.slowing_distance, self.deceleration_time)


def arriving_numbers(
    go: DriveNumbers, scene: Scene, stops: bool, slowing_distance: float | None, deceleration_time: float | None = None
) -> ArrivingNumbers:
    """Speed, thrust and slowing for `come`."""
    numbers = map(scene.number, (stops, scene.stopping, slowing_distance, deceleration_time))
    return ArrivingNumbers(go, *numbers)
