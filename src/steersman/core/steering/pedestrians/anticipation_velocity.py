"""AnticipationVelocity: pedestrians who turn aside for where others will be, and go as fast as the way ahead allows.

    R_j      = strength (1 + (1 - e0 . e_j) / 2) exp(-gap_j / range)
    gap_j    = max(s - touch - (v - v_j) . n anticipation_time, 0)
    aside    = unit(e0 - sum over neighbors ahead of R_j unit(across e0 of (x_j + v_j anticipation_time - x)))
    de / dt  = (aside - e) / reaction_time
    velocity = min(v0, max(0, (spacing - touch) / time_gap)) * e
    force    = mass * (velocity - present velocity) / response_time

with v0 e0 the wanted velocity, e the direction of the pedestrian and e_j that of a neighbor, n the unit vector to it, s its
distance and touch the sum of both radii. Ahead is who lies ahead of e0 or of e. Turns aside are across e0, so that nobody is
pushed backward, and stronger for those who come against it: this is what forms lanes. `spacing` is that of
CollisionFreeSpeed. A neighbor that will be exactly in the way is passed on its right; the paper draws lots.

Xu, Chraibi and Seyfried 2021, "Anticipation in a velocity-based model for pedestrian dynamics" (arXiv:2107.00624), equations
1-9; the numbers are those of the authors' program (k = 3, D = 0.1 m, ta = 1 s, tau = 0.3 s, T = 1.06 s, r = 0.18 m). Walls
are as in JuPedSim: within `wall_room` of one, a direction loses its part into the wall, and is turned away by `wall_turn`.
There, too, one turns at once to a way that lies behind it. The model has no inertia: see CollisionFreeSpeed.
"""

from typing import Any, ClassVar

import numpy as np

from steersman.core.kernels.call import Call
from steersman.core.kernels.kernel import kernel
from steersman.core.kernels.row_kernel import row_kernel
from steersman.core.maths.ground import beside, level
from steersman.core.maths.shapes import segment
from steersman.core.maths.vectors import (
    HALF,
    ONE,
    TINY,
    ZERO,
    add_scaled,
    direction_or,
    dot,
    lateral,
    length,
    load,
    normalize,
    scale,
    store,
    subtract,
)
from steersman.core.parameters.parameters import parameter
from steersman.core.steering.pedestrians.collision_free_speed import go_along
from steersman.core.steering.pedestrians.social_force import growth
from steersman.core.steering.pedestrians.walking import Around, Pedestrian, desired_velocity, heading_of, way_to
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Clock, Scene
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext
from steersman.core.steering.source import Source
from steersman.core.steering.tree.forces import Out, response
from steersman.core.typing import Array, Columns, Vector
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicles import Vehicles


@kernel
def turned_aside(i: int, e0: Vector, e: Vector, around: Around, numbers: Any) -> Vector:
    """The direction between the wanted one and aside from where those ahead will be."""
    way, velocity, others = e0, load(around.vehicles.velocity, i), around.others
    for k in range(around.listing.number[i]):
        j = around.listing.row[i, k]
        to = way_to(i, j, around)
        if not (dot(e0, to) > ZERO or dot(e, to) > ZERO):
            continue
        distance, other_velocity = length(to), level(load(others.velocity, j), around.ground, i)
        gap = distance - around.vehicles.radius[i] - others.radius[j]
        gap -= dot(subtract(velocity, other_velocity), to) / distance * numbers.anticipation_time
        size = numbers.strength * growth(max(gap, ZERO), numbers.range)
        size *= ONE + HALF * (ONE - dot(e0, load(others.forward, j)))
        then = add_scaled(to, other_velocity, numbers.anticipation_time)
        side = direction_or(lateral(then, e0), length(then), beside(e0, around.ground, i))
        way = add_scaled(way, side, -size)
    return normalize(way)


@kernel
def along_walls(i: int, way: Vector, around: Around, numbers: Any) -> Vector:
    """A direction that does not lead into the walls that are near."""
    bent = way
    for k in range(around.bars.number[i]):
        normal = level(load(around.bars.normal, (i, k)), around.ground, i)
        into = dot(bent, normal)
        if -around.bars.bound[i, k] < numbers.wall_room and into < ZERO:
            bent = add_scaled(bent, normal, numbers.wall_turn - into)
    return normalize(bent) if dot(bent, bent) > TINY else way


@row_kernel
def anticipate(
    i: int, around: Around, heading: Columns, heading_next: Columns, numbers: Any, clock: Clock, out: Out
) -> None:
    """Turn aside for where those ahead will be, and go as fast as those ahead allow."""
    vehicles, tau = around.vehicles, response(around.vehicles.response_time[i], clock.dt[0])
    desired, e = desired_velocity(i, around, tau), load(heading, i)
    e0 = heading_of(desired, i, around)
    if not dot(e, e) > ZERO:
        e = load(vehicles.forward, i)
    way = turned_aside(i, e0, e, around, numbers)
    if dot(e0, e) < ZERO:
        e = way
    else:
        part = min(clock.dt[0] / numbers.reaction_time, ONE)
        e = normalize(add_scaled(scale(e, ONE - part), way, part))
    e = along_walls(i, e, around, numbers)
    store(heading_next, i, e)
    go_along(i, e, desired, around, numbers, tau, out)


@registered
class AnticipationVelocity(Pedestrian):
    """Turn aside for where others will be, and walk as fast as the spacing ahead allows (Xu, Chraibi and Seyfried 2021).

    Args:
        time_gap: The time that a pedestrian keeps to the one ahead [s]. Raising it makes crowds slower.
        strength: How much those ahead turn the direction aside, against 1 of the wanted one; twice as much those who come
            against it. Raising it walks around others in wider bends.
        range: The distance over which that falls to a third [m]. Raising it heeds vehicles farther away.
        anticipation_time: How far ahead the places of others are foreseen [s]. Raising it turns aside sooner.
        reaction_time: Time constant with which the direction is turned [s]. Raising it turns more softly.
        wall_room: The distance from walls in which directions do not lead into them [m]. Raising it keeps farther from walls.
        wall_turn: How much directions are turned away from such a wall, against 1 of the direction.
            Raising it leaves the wall more steeply.
    """

    sources: ClassVar[tuple[Source, ...]] = (
        Source(
            ("Xu", "Chraibi", "Seyfried"),
            2021,
            "Anticipation in a velocity-based model for pedestrian dynamics",
            "arXiv:2107.00624",
        ),
    )

    time_gap: float = parameter(1.06, above=0.0, unit="s")
    strength: float = parameter(3.0, low=0.0)
    range: float = parameter(0.1, above=0.0, unit="m")
    anticipation_time: float = parameter(1.0, low=0.0, unit="s")
    reaction_time: float = parameter(0.3, above=0.0, unit="s")
    wall_room: float = parameter(0.1, low=0.0, unit="m")
    wall_turn: float = parameter(0.3, low=0.0)

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """The direction of each, zero at the start; one that stands has one, too."""
        return {"heading": np.zeros((len(vehicles), vehicles.dimensions), vehicles.dtype)}

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """The direction, then the speed."""
        numbers = scene.own(
            "time_gap", "strength", "range", "anticipation_time", "reaction_time", "wall_room", "wall_turn"
        )
        headings = (memory.now("heading"), memory.next("heading"))
        return self.walk(scene, out, anticipate, *headings, numbers, columns=("forward",))

    def sketch(self, context: SketchContext) -> Shapes:
        """The neighbors, and where they are expected."""
        yield from super().sketch(context)
        near = self._near(context)
        velocity = np.asarray(context.others(self.of).velocity)[near.row]
        yield segment(
            near.position,
            near.position + velocity * self.anticipation_time,
            "predicted",
            means="where a neighbor is expected",
        )
