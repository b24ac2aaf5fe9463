"""ContextMap: one decision over all directions at once, by the interest and the danger of each.

Forces that are summed can cancel; a map cannot: the value that one part notes for the left takes nothing from the value
that another notes for the right. Around the vehicle lie k directions d. The force of a part stands for a desired
velocity,

    u = velocity + force * response_time / mass        (`match` would turn it into that force), at most max_speed

which it notes, with its weight, where this is more than the value noted there already,

    interest:  |u| (1 + unit(u) . d) / 2               [m/s]
    danger:    the largest of 0, -force . d / max_force and, if u . force >= 0, -u . d / max_speed
               (a part that flees notes danger the other way, even when it is fast enough and needs no force)
    obstacles: 1 - distance / reach                    of a ball that moves along d, reach = lookahead * max_speed
    neighbors: (1 - t / time_horizon) * min((room - m) / margin, 1)

where a neighbor that goes on as it does comes within the room, both radii and the margin, at the time t, and as near as
m at last, if the vehicle goes along d at the speed that the interest gives. (`meeting.py` has the rest: vehicles within
the room, and the side that two take when they meet head on: both their right.)

The vehicle goes where interest * (1 - danger) is greatest, at that speed. Where no part acts but there is danger, its
desired velocity is the present one, u = velocity: a function that asks for a velocity gives no force once it has it.
Between the directions the map is interpolated, so that it does not turn in jerks. Two things keep it from trembling
between ways that are about as good: the direction taken last counts a little more (`commitment`), and a way that is not
beside it (with a worse way between the two) must be better by a part of its worth (`hysteresis`). Among neighbors the
best direction changes all the time; then the direction taken approaches it gradually (`smoothing`).

A body that does not follow every force, such as a car, cannot take every direction at once. It hears how far it may go on
along its velocity until it meets an obstacle (`Scene.free_way`), or, if it cannot step aside, a neighbor. It stops there.

Known in games as context steering (Fray 2013, "Context Steering: behavior-driven steering at the macro scale"; Game AI Pro
2, 2015, chapter 18).
"""

from dataclasses import field
from typing import Any, ClassVar

import numpy as np

from steersman.core.environment.obstacles.answers import Rays, new_sight
from steersman.core.environment.obstacles.obstacle import OBSTACLES, check_dimensions
from steersman.core.kernels.call import Call
from steersman.core.maths.shapes import Arrow, Circle, Line
from steersman.core.neighborhood.request import NeighborList
from steersman.core.parameters.brief import brief
from steersman.core.parameters.kinds import FLAG, INTEGER, Kind
from steersman.core.parameters.parameters import parameter
from steersman.core.parameters.per_vehicle import is_given, plain
from steersman.core.steering.behavior import Behavior
from steersman.core.steering.combining.direction_map import (
    Map,
    add_turning,
    aim,
    aim_ahead,
    begin_map,
    choose,
    credit,
    go_over,
    note_danger,
    note_interest,
    note_obstacles,
    stop_short,
)
from steersman.core.steering.combining.directions import Directions, directions_of
from steersman.core.steering.combining.meeting import note_neighbors
from steersman.core.steering.combining.weighted_sum import as_parts, as_weights, weighed_parts
from steersman.core.steering.driving.in_the_way import BRAKING
from steersman.core.steering.driving.neighbor_watching import Watchful
from steersman.core.steering.driving.pace import PACE, pace_calls
from steersman.core.steering.registry import registered
from steersman.core.steering.scene.scene import Scene
from steersman.core.steering.scene.sketch_context import Shapes, SketchContext
from steersman.core.steering.tree.forces import Out
from steersman.core.typing import Array
from steersman.core.vehicles.memory import Memory
from steersman.core.vehicles.vehicles import Vehicles

COUNT = {2: 16, 3: 48}
"""Default number of directions, by dimension; with neighbors twice as many."""

HYSTERESIS = {False: 0.25, True: 0.1}
"""Default of the hysteresis, without neighbors and with them."""

PETAL = 0.84
"""How wide the petals of a sketch are at their ends, as a part of the room between two directions."""

SMOOTH = 30.0
"""Default of the smoothing with neighbors: the time horizon divided by this."""


def as_optional_parts(name: str, value: Any) -> tuple[Behavior, ...]:
    """Parts in their normal form; there may be none."""
    return () if isinstance(value, (tuple, list)) and not value else as_parts(value, name)


OPTIONAL_PARTS = Kind("optional parts", "behaviors", as_optional_parts)


@registered
class ContextMap(Watchful):
    """Go in the direction that is most worth going and not dangerous.

    Args:
        interest: Parts with a goal: behaviors, functions, or weighted ones (`2 * Seek(...)`).
        danger: Parts that steer away from a danger, such as Flee, Evade or Separation. Moving vehicles are better
            avoided by `neighbors`: a force gives directions to avoid, but not that another way meets another vehicle.
        obstacles: Obstacles that are dangerous: any set of them, or a list of sets.
        lookahead: How far to look for obstacles [s], as time at max_speed. Raising it turns earlier.
        neighbors: Whether neighbors are dangerous where they would be met.
        time_horizon: How far ahead meetings with neighbors count [s]. Raising it evades earlier, and makes crowds timid.
        margin: Added to the sum of the radii [m]. Raising it keeps more room to neighbors. Default: min(max_speed *
            response_time, a quarter of the sum).
        directions: How many directions are compared, from 8 to 128. Raising it finds narrower gaps, at a proportional
            cost. Default: 16 in 2D, 48 in 3D; with neighbors 32 in 2D, 96 in 3D.
        commitment: How much more the direction taken last is worth, as a part. Raising it changes its mind less often.
        hysteresis: How much better another way must be than the way taken last, as a part, to turn to it, where there
            are worse ways between the two. Raising it changes its mind less often; 0 takes the best at every step.
            Default: 0.25; with neighbors 0.1, since ways among moving vehicles do not stay good for long.
        smoothing: Time constant with which the direction goes over to the best one [s]; meanwhile the vehicle is the slower
            the farther it is off. Raising it turns more softly, and later. Default: 0; with neighbors a thirtieth of
            time_horizon.
        radius: Distance up to which neighbors are looked at [m]. At less than time_horizon times the speed at which two
            approach, some are seen late. Raising it sees others earlier.
        of: The populations of the neighbors: another Vehicles, a list of several, or "all" that are in the world. Those
            that yield more (see `Population.yields`) are less dangerous. Default: the own population.
        speed: How the wanted speed falls with the density ahead, which the k neighbors show: "weidmann", as people walk; or a
            function of densities [1/m^2] that returns parts of it, 0 to 1. Default: it does not.
        weights: Weights of the parts, first those of interest, where they are not given with `*`.

    Raises:
        ValueError: No part is interested in anything, or `of` is given without `neighbors`.
    """

    interest: Any = parameter(kind=OPTIONAL_PARTS, positional=True)
    danger: Any = parameter((), kind=OPTIONAL_PARTS)
    obstacles: Any = parameter(None, kind=OBSTACLES, optional=True)
    lookahead: float = parameter(2.0, low=0.0, unit="s")
    neighbors: bool = parameter(False, kind=FLAG)
    time_horizon: float = parameter(3.0, above=0.0, unit="s")
    margin: float | None = parameter(None, low=0.0, unit="m", optional=True)
    directions: int | None = parameter(None, kind=INTEGER, low=8, high=128, optional=True)
    commitment: float = parameter(0.1, low=0.0)
    hysteresis: float | None = parameter(None, low=0.0, optional=True)
    smoothing: float | None = parameter(None, low=0.0, unit="s", optional=True)
    speed: Any = parameter(None, kind=PACE, choices=("weidmann",), optional=True)
    weights: tuple[float, ...] = field(default=(), kw_only=True)  # those written with *

    rest_room: ClassVar[float] = 2.25  # A map turns aside earlier than ORCA.

    def validate(self) -> None:
        """Bring parts and weights to their normal form."""
        if self.of is not None and not self.neighbors:
            raise ValueError(f"of must be None where neighbors is False, got {brief(self.of)}; set neighbors=True")
        if self.speed is not None and not self.neighbors:
            raise ValueError(
                f"speed must be None where neighbors is False, got {brief(self.speed)}; set neighbors=True"
            )
        parts = (*self.interest, *self.danger)
        plain = isinstance(self.weights, tuple) and not self.weights
        weights = (1.0,) * len(parts) if plain else as_weights("weights", self.weights, parts)
        split = len(self.interest)
        interest, wanted, _ = weighed_parts(self.interest, weights[:split], 1, "interest")
        danger, feared, _ = weighed_parts(self.danger, weights[split:], 1, "danger") if self.danger else ((), (), 0)
        self._put(interest=interest, danger=danger, weights=(*wanted, *feared))

    def parts(self) -> tuple[Behavior, ...]:
        """The parts of interest, then the parts of danger."""
        return (*self.interest, *self.danger)

    @property
    def avoids(self) -> bool:
        """Whether neighbors count as dangerous."""
        return self.neighbors

    def needs(self) -> tuple[NeighborList, ...]:
        """The neighbors, if they count as dangerous."""
        return super().needs() if self.neighbors else ()

    def init(self, vehicles: Vehicles) -> dict[str, Array]:
        """The direction chosen last and, if there is smoothing, the direction taken; zero at the start."""
        names = ["direction", "way"] if is_given(self._smoothing()) else ["direction"]
        return {name: np.zeros((len(vehicles), vehicles.dimensions), vehicles.dtype) for name in names}

    def bind(self, scene: Scene, memory: Memory, out: Out) -> list[Call]:
        """The parts and the obstacles write to the map; then a direction is chosen."""
        n, d, dtype = scene.capacity, scene.vehicles.dimensions, scene.vehicles.dtype
        directions = self._directions(d).astype(dtype)
        shape = (n, len(directions.unit))
        map = Map(np.zeros(shape, dtype), np.zeros(shape, dtype), np.zeros(shape, np.int64), np.full(n, -1, np.int64))
        scene.show(interest=map.interest, danger=map.danger)
        turn, result = scene.scratch(out.active), scene.scratch(out.active)
        rests, calls = self._resting(scene, out.active) if self.neighbors else ((), [])
        listing = scene.neighbors(self.needs()[0]) if self.neighbors else None
        calls += [Call(begin_map, (map,)), scene.clear_call(turn), scene.clear_call(result)]
        for index, weight in enumerate(self.weights):
            common = (scene.columns, scene.clock, directions, scene.number(weight))
            if index < len(self.interest):
                note = Call(note_interest, (*common, index, turn, map))
            else:
                note = Call(note_danger, (*common, turn, map))
            slow = (
                pace_calls(scene, self.speed, self.of, listing, turn) if listing and index < len(self.interest) else []
            )
            calls += [*scene.part(index, turn), *slow, note]
            if scene.turns:
                calls.append(Call(add_turning, (out.active, turn.angular, result.angular)))
            calls.append(scene.clear_call(turn))
        calls += self._look(scene, out.active, directions, map)
        if self.neighbors:
            short = () if scene.steps_aside else (scene.free_way,)
            vehicles, others, shares, _, bodies = scene.encounter(self.of, *(BRAKING if short else ()))
            neighborhood = (vehicles, others, listing, scene.wrap, scene.clock)
            meeting = scene.own("time_horizon", "margin")
            about = (directions, meeting, shares, scene.ground, rests, bodies, short, map)
            calls.append(Call(note_neighbors, (out.active, *neighborhood, *about)))
        remembered = (memory.now("direction"), memory.next("direction"))
        hysteresis = HYSTERESIS[self.neighbors] if self.hysteresis is None else self.hysteresis
        numbers = scene.own("commitment", hysteresis=hysteresis)
        calls.append(Call(choose, (scene.columns, scene.clock, directions, numbers, map, *remembered, result)))
        if is_given(smoothing := self._smoothing()):
            ways = (memory.now("way"), memory.next("way"))
            calls.append(Call(go_over, (scene.columns, scene.clock, scene.number(smoothing), *ways, result)))
        if scene.traced:
            for index in range(len(self.weights)):
                calls += [Call(credit, (result, map, index, turn)), *scene.granted_calls(index, turn)]
        return [*calls, scene.hand_up_call(result, out)]

    def _smoothing(self) -> Any:
        """The time constant of the direction [s], 0 for none."""
        if self.smoothing is None:
            return plain(self.time_horizon) / SMOOTH if self.neighbors else 0.0
        return self.smoothing

    def _directions(self, dimensions: int) -> Directions:
        """The directions that are compared."""
        return directions_of(self.directions or COUNT[dimensions] * (2 if self.neighbors else 1), dimensions)

    def _look(self, scene: Scene, active: Array, directions: Directions, map: Map) -> list[Call]:
        """Look for obstacles along all directions."""
        if self.obstacles is None:
            return []
        n, d, dtype = scene.capacity, scene.vehicles.dimensions, scene.vehicles.dtype
        check_dimensions(self.obstacles, d)
        vehicles = scene.columns
        rays = Rays(vehicles.position, tuple(np.zeros((d, n), dtype)), np.zeros(n, dtype), vehicles.radius)
        sight, lookahead, calls = new_sight(n, d, dtype), scene.number(self.lookahead), list[Call]()
        for k in range(len(directions.unit)):
            calls += [
                Call(aim, (active, vehicles, directions, k, lookahead, rays)),
                *self.obstacles.sweep_calls(rays, active, scene.wrap, sight),
                Call(note_obstacles, (active, k, rays, sight, map)),
            ]
        if scene.needs_free_way:
            calls += [
                Call(aim_ahead, (active, vehicles, lookahead, scene.number(scene.stopping), scene.clock.dt, rays)),
                *self.obstacles.sweep_calls(rays, active, scene.wrap, sight),
                Call(stop_short, (active, rays, sight, scene.free_way)),
            ]
        return calls

    def sketch(self, context: SketchContext) -> Shapes:
        """The interest and the danger of each direction, what bars the one of most interest, and the direction that is taken.

        Interest is drawn as the way to go in a second, and what danger takes off it as its outer part: the way of which most
        is left is taken. In the plane they are the petals of a rosette, and that of the direction taken is a full one.
        """
        d = context.position.shape[1]
        unit = self._directions(d).unit
        world = np.einsum("ck,vkd->vcd", unit, context.axes)
        wanted = context.shown["interest"]
        left = wanted * np.maximum(1 - context.shown["danger"], 0)
        good = self._petals(context, world, 0 * left, left)
        for role, words, ways, size in (
            ("interest", "how good each way is", good, left),
            ("danger", "lost to danger", self._petals(context, world, left, wanted), wanted - left),
        ):
            seen = size > 0.01 * context.max_speed[:, None]
            # The word stands at the last, which is the longest.
            yield Line(ways[seen][np.argsort(size[seen], kind="stable")], d == 2, role=role, label=words)
        yield self._bar(context, world)
        way = context.memory["direction"]
        taken = context.position + way * context.max_speed[:, None]
        if d == 3:
            yield Arrow(context.position, taken, role="chosen", means="the way that it takes", detail=True)
            return
        best = np.argmax(np.einsum("vcd,vd->vc", world, way), axis=1)
        moves = way.any(axis=1)
        yield Line(good[moves, best[moves]], True, True, role="interest", label="the way that it takes")

    def _petals(self, context: SketchContext, ways: Array, inner: Array, outer: Array) -> Array:
        """Parts of sectors around vehicles, in the plane; in space their axes, shape (k, c, 4 or 2, d).

        Args:
            context: The vehicles.
            ways: All directions, shape (k, c, d).
            inner, outer: Where each part begins and ends [m], shape (k, c).
        """
        ends = [each[..., None] * ways for each in (inner, outer)]
        if ways.shape[2] == 3:
            corners = ends
        else:
            width = PETAL * np.pi / ways.shape[1]
            low, high = (width * np.stack([-each[..., 1], each[..., 0]], axis=-1) for each in ends)
            corners = [ends[0] + low, ends[0] - low, ends[1] - high, ends[1] + high]
        return np.asarray(context.position[:, None, None] + np.stack(corners, axis=2))

    def _bar(self, context: SketchContext, ways: Array) -> Circle:
        """The balls around the obstacles that a vehicle would meet first in the direction of most interest; NaN for none.

        Args:
            context: The vehicles.
            ways: All directions, shape (k, c, d).
        """
        rows, best = np.arange(len(ways)), np.argmax(context.shown["interest"], axis=1)
        way, danger = ways[rows, best], context.shown["danger"][rows, best]
        center, radius = np.zeros((1, ways.shape[2])), np.array([-1.0])
        if self.obstacles is not None:
            there, size = self.obstacles.present_spheres()
            center, radius = np.concatenate([center, there]), np.concatenate([radius, size])
        off = context.scene.domain.difference(center[None], context.position[:, None])
        along = np.sum(off * way[:, None], axis=2)
        aside = np.sqrt(np.maximum(np.sum(off**2, axis=2) - along**2, 0))
        meets = (danger[:, None] > 0) & (radius >= 0) & (along > 0) & (aside < radius + context.radius[:, None])
        first = np.argmin(np.where(meets, along, np.inf), axis=1)
        place = np.where(meets.any(axis=1)[:, None], context.position + off[rows, first], np.nan)
        return Circle(place, radius[first], role="chosen")
