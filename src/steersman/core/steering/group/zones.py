"""Zones: repulsion, orientation and attraction, each in an annulus of its own: swarms, mills and parallel groups by one law.

    way = - sum of unit(r_j)                                over neighbors within repulsion_radius, if there are any; else
    way = sum of forward_j + sum of unit(r_j)               over neighbors in the zone of orientation and of attraction
    force = match(speed * turned(unit(way), error))         r_j: from the vehicle to the neighbor

Couzin, Krause, James, Ruxton and Franks 2002, "Collective memory and spatial sorting in animal groups", equations 1 to 3. The
zone of orientation reaches from repulsion_radius to orientation_radius, the zone of attraction from there to
attraction_radius. Those two are seen within the field of view, of 360 degrees less the blind angle; repulsion is felt all
around. Where nobody is seen, or the sums cancel, a vehicle goes on as it heads. The error is an angle with a normal
distribution of zero mean; in 3D it leads to a random side. It is added before the body limits the turn. So does the paper,
by public programs that follow its text: no blind angle for repulsion, and sums over the zones, not means, so that a zone with
twice as many neighbors has twice the say.

The fish of the paper hold their speed and turn at most so fast: that is the body, `PointMass(limits=[ConstantSpeed(3,
rate=0.7)])`, with response_time=0 and a large max_force. A narrow zone of orientation makes a swarm, a wider one a mill
(the torus of the paper), a still wider one a group that goes all one way; `python -m benchmarks.zones` shows the three, and
that the order in which they are visited counts.

With `k`, only the k nearest of a zone and of those inside of it count: Ballerini et al. 2008 found that starlings interact
with six or seven neighbors, however far those are.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar

from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths import vectors as v
from steersman.core.maths.frames import to_global, up_at
from steersman.core.maths.random import draw, normals, unit_vector
from steersman.core.maths.shapes import Shape
from steersman.core.neighborhood.request import NeighborSum, Sum
from steersman.core.parameters.brief import brief
from steersman.core.parameters.kinds import INTEGER
from steersman.core.parameters.parameters import parameter
from steersman.core.parameters.per_vehicle import PerVehicle, plain
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.driving.drive import DriveNumbers, drive_numbers
from steersman.core.steering.group.alignment import cruise
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import SketchContext
from steersman.core.steering.source import Source
from steersman.core.steering.tree.forces import Out, deposit, match
from steersman.core.typing import Array, Vector
from steersman.core.vehicles.holding import POPULATIONS
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicle_columns import VehicleColumns


@row_kernel
def zones(
    i: int, vehicles: VehicleColumns, near: Sum, forwards: Sum, inside: Sum, beyond: Sum, go: DriveNumbers, noise: Any,
    key: Array, clock: Clock, out: Out,
) -> None:  # fmt: skip
    """Head where the zones say, with an error.

    `near` and `beyond` are repulsions of the vehicles in the zone of repulsion, and of all up to the rim of the zone of
    attraction; `forwards` and `inside` headings and repulsions of all up to the rim of the zone of orientation.
    """
    forward, velocity = v.load(vehicles.forward, i), v.load(vehicles.velocity, i)
    way = v.load(near.total, i)
    if not near.count[i] > v.ZERO:
        way = v.load(forwards.total, i)
        if beyond.count[i] > inside.count[i]:
            way = v.add(way, v.subtract(v.load(inside.total, i), v.load(beyond.total, i)))
    heading = v.direction_or(way, near.count[i] + beyond.count[i], forward)
    if noise.error > v.ZERO:
        heading = with_error(heading, i, vehicles, noise.error, key, clock)
    desired = v.scale(heading, cruise(v.length(velocity), vehicles.max_speed[i], go))
    force = match(desired, velocity, vehicles.mass[i], vehicles.response_time[i], clock.dt[0])
    deposit(out, i, force, vehicles.max_force[i], False)


@kernel
def with_error(heading: Vector, i: int, vehicles: VehicleColumns, error: Any, key: Array, clock: Clock) -> Vector:
    """A unit vector, turned by a random angle of this standard deviation [rad]."""
    words = draw(key, vehicles.id[i], clock.step[0], 0)
    side = v.perpendicular(heading)
    if len(heading) == 3:
        drawn = unit_vector(words[2], words[3], vehicles.position)
        side = v.across(to_global(drawn, v.load(vehicles.forward, i), up_at(vehicles.up, i)), heading, side)
    angle = error * normals(words[0], words[1], vehicles.mass)[0]
    return v.add_scaled(v.scale(heading, math.cos(angle)), side, math.sin(angle))


@registered
class Zones(Behavior):
    """School, mill or swarm: keep away from those too near, head as those farther away, go to those farther still.

    Args:
        repulsion_radius: Distance up to which others are kept away from [m]. Nothing else counts while one is so near.
            Raising it spreads the group.
        orientation_radius: Distance up to which headings are matched [m], >= repulsion_radius. Raising it orders the group:
            from a swarm to a mill to all one way. Equal to repulsion_radius: no heading is matched.
        attraction_radius: Distance up to which others attract [m], >= orientation_radius. Raising it gathers more.
        angle: Full field of view of orientation and attraction [rad]; 2 pi less it is the blind angle behind. Raising
            it sees more of those behind.
        k: Only the k nearest within each radius count. Raising it counts more, up to all. Default: all.
        error: Standard deviation of the angles by which headings are missed [rad]. Raising it disorders the group.
        speed: The speed to hold [m/s]: a number, "max" or "current" (the present speed). Raising it goes faster.
        of: The populations of the neighbors: another Vehicles, a list of several, or "all". Default: the own population.

    Raises:
        TypeError: `neighbors` are fixed points, which have no heading.
        ValueError: The radii are not in order.
    """

    sources: ClassVar[tuple[Source, ...]] = (
        Source(
            ("Couzin", "Krause", "James", "Ruxton", "Franks"),
            2002,
            "Collective memory and spatial sorting in animal groups",
        ),
    )

    repulsion_radius: float = parameter(1.0, above=0.0, unit="m", positional=True)
    orientation_radius: float = parameter(5.0, above=0.0, infinite=True, unit="m", positional=True)
    attraction_radius: float = parameter(15.0, above=0.0, infinite=True, unit="m", positional=True)
    angle: float = parameter(1.5 * math.pi, above=0.0, high=2 * math.pi, unit="rad")
    k: int | None = parameter(None, kind=INTEGER, low=1, optional=True)
    error: float = parameter(0.05, low=0.0, unit="rad")
    speed: float | str = parameter("max", choices=("max", "current"), low=0.0, unit="m/s")
    of: Any = parameter(None, kind=POPULATIONS, optional=True)

    def validate(self) -> None:
        """Check that each zone ends outside of the one before."""
        radii = (self.repulsion_radius, self.orientation_radius, self.attraction_radius)
        if not any(isinstance(each, (PerVehicle, str)) for each in radii) and sorted(radii) != list(radii):
            raise ValueError(
                "repulsion_radius <= orientation_radius <= attraction_radius must hold, "
                f"got {', '.join(map(brief, radii))} m"
            )

    def needs(self) -> tuple[NeighborSum, ...]:
        """Unit vectors of those within each rim, and headings of those within that of orientation."""
        near, inner, outer = (
            plain(each) for each in (self.repulsion_radius, self.orientation_radius, self.attraction_radius)
        )
        angle, k, of = plain(self.angle), self.k, self.of
        return (
            NeighborSum("repulsion", near, k=k, of=of, falloff=0.0),
            NeighborSum("forward", inner, angle, k=k, of=of),
            NeighborSum("repulsion", inner, angle, k=k, of=of, falloff=0.0),
            NeighborSum("repulsion", outer, angle, k=k, of=of, falloff=0.0),
        )

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """One call."""
        sums = [scene.sum(each) for each in self.needs()]
        go, noise = drive_numbers(self.speed, scene.vehicles.dtype), scene.own("error")
        return [Call(zones, (scene.columns, *sums, go, noise, scene.key, scene.clock, out))]

    def sketch(self, context: SketchContext) -> Iterator[Shape]:
        """The rims of the zones."""
        yield replace(context.view(self.repulsion_radius, 2 * math.pi, 0.0), label="keeps apart inside")
        yield replace(context.view(self.orientation_radius, self.angle, 0.0), label="takes their heading inside")
        yield replace(context.view(self.attraction_radius, self.angle, 0.0), label="comes closer inside")
