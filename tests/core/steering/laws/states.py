"""A scene in which every law can be evaluated, and every law evaluated in it."""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from steersman.core.steering import laws

Array = np.ndarray[Any, Any]

POINTS = {"position", "target", "other", "centers", "crowd"}
VECTORS = {"velocity", "forward", "other_velocity", "other_forward", "displacement", "draw", "crowd_velocity"}


@dataclass(frozen=True)
class State:
    """n vehicles, each with a target and a quarry; a crowd of m; and obstacles."""

    position: Array
    velocity: Array
    forward: Array
    target: Array
    other: Array
    other_velocity: Array
    other_forward: Array
    displacement: Array
    draw: Array
    turn: Array
    centers: Array
    radii: Array
    crowd: Array
    crowd_velocity: Array

    @classmethod
    def random(cls, seed: int, dimensions: int, number: int = 5, dtype: Any = np.float64) -> "State":
        """A state without special positions."""
        rng = np.random.default_rng(seed)

        def normal(scale: float, count: int = number) -> Array:
            return rng.normal(0, scale, (count, dimensions)).astype(dtype)

        return cls(
            position=normal(8),
            velocity=normal(2),
            forward=laws.normalize(normal(1)),
            target=normal(8),
            other=normal(8),
            other_velocity=normal(2),
            other_forward=laws.normalize(normal(1)),
            displacement=laws.with_length(normal(1), 2.0),
            draw=normal(1),
            turn=rng.uniform(-0.3, 0.3, number).astype(dtype),
            centers=normal(8, 12),
            radii=rng.uniform(0.5, 3, 12).astype(dtype),
            crowd=normal(6, 9),
            crowd_velocity=normal(2, 9),
        )

    def moved(self, matrix: Array, shift: Array) -> "State":
        """The same, turned (or mirrored) and shifted as a whole."""
        changes = {
            field.name: getattr(self, field.name) @ matrix.T + (shift if field.name in POINTS else 0)
            for field in fields(self)
            if field.name in POINTS | VECTORS
        }
        return replace(self, **changes)

    def vehicle(self, i: int) -> "State":
        """Vehicle i alone, with vectors of shape (d,)."""
        shared = {"centers", "radii", "crowd", "crowd_velocity"}
        return replace(self, **{f.name: getattr(self, f.name)[i] for f in fields(self) if f.name not in shared})

    @property
    def axes(self) -> Array:
        """Forward and side, or forward, up and side. In 3D up is made from the other's forward vector."""
        if self.forward.shape[-1] == 2:
            return np.stack([self.forward, -laws.perpendicular(self.forward)], axis=-2)
        return np.stack([self.forward, self.up, np.cross(self.forward, self.up)], axis=-2)

    @property
    def up(self) -> Array | None:
        """In 3D, a unit vector perpendicular to forward."""
        if self.forward.shape[-1] == 2:
            return None
        return laws.normalize(laws.lateral(self.other_forward, self.forward))

    @property
    def seen(self) -> Array:
        """Who sees whom of the crowd."""
        return laws.neighborhood(self.position, self.forward, 9.0, angle=4.0, inner_radius=2.0, others=self.crowd)


def arrive(s: State, **keywords: Any) -> Array:
    return laws.arrive(s.position, s.velocity, s.target, 5.0, **keywords)


def pursue(s: State, time: Array | float | None) -> Array:
    return laws.pursue(s.position, s.velocity, s.other, s.other_velocity, 5.0, time=time)


def steer_around(s: State, magnitude: str) -> Array:
    return laws.avoid_obstacles(s.position, s.forward, 0.5, s.centers, s.radii, 12.0, 6.0, magnitude=magnitude)


def flocking(s: State) -> Array:
    return laws.flocking(
        laws.separation(s.position, s.crowd, s.seen),
        laws.cohesion_offset(s.position, s.crowd, s.seen),
        laws.alignment(s.velocity, s.crowd_velocity, s.seen),
        weights=(1.5, 1.0, 0.5),
        max_force=6.0,
    )


STEERING: dict[str, Callable[[State], Array]] = {
    "match": lambda s: laws.match(s.other_velocity, s.velocity, 2.0, 0.5),
    "thrust": lambda s: laws.thrust(s.velocity, 6.0),
    "seek": lambda s: laws.seek(s.position, s.velocity, s.target, 5.0),
    "seek current": lambda s: laws.seek(s.position, s.velocity, s.target, 5.0, speed="current"),
    "seek offset": lambda s: laws.seek(s.position, s.velocity, s.target, 5.0, speed="offset"),
    "seek number": lambda s: laws.seek(s.position, s.velocity, s.target, 5.0, speed=2.5),
    "seek, landing": lambda s: laws.seek(s.position, s.velocity, s.target, 5.0, dt=2.0),
    "flee": lambda s: laws.flee(s.position, s.velocity, s.target, 5.0, panic_distance=12.0),
    "arrive": lambda s: arrive(s, slowing_distance=9.0),
    "arrive in time": lambda s: arrive(s, deceleration_time=2.0, ramp="sine"),
    "arrive table": lambda s: arrive(s, slowing_distance=9.0, ramp=[0, 0.5, 0.8, 1], stop_distance=1.0),
    "arrive braking": lambda s: arrive(s, ramp="braking", acceleration=2.0, response_time=0.1),
    "pursue": lambda s: pursue(s, None),
    "pursue proportional": lambda s: pursue(s, laws.proportional_time(s.position, s.other, 0.2)),
    "pursue capped": lambda s: pursue(s, laws.capped_time(s.position, s.velocity, s.other)),
    "pursue heading": lambda s: pursue(s, laws.heading_time(s.position, s.forward, s.other, s.other_forward, 5.0)),
    "pursue intercept": lambda s: pursue(s, laws.intercept_time(s.position, s.other, s.other_velocity, 5.0)),
    "evade": lambda s: laws.evade(s.position, s.velocity, s.other, s.other_velocity, 5.0, panic_distance=15.0),
    "avoid full": lambda s: steer_around(s, "full"),
    "avoid literal": lambda s: steer_around(s, "literal"),
    "avoid proximity": lambda s: steer_around(s, "proximity"),
    "separation": lambda s: laws.separation(s.position, s.crowd, s.seen, strength=3.0),
    "separation falloff": lambda s: laws.separation(s.position, s.crowd, s.seen, falloff=2.5),
    "inverse square": lambda s: laws.inverse_square_separation(s.position, s.crowd, s.seen, limit=4.0),
    "mean site": lambda s: laws.mean_site_separation(s.position, s.velocity, s.crowd, 5.0, s.seen),
    "cohesion": lambda s: laws.cohesion(s.position, s.velocity, s.crowd, 5.0, s.seen),
    "cohesion offset": lambda s: laws.cohesion_offset(s.position, s.crowd, s.seen),
    "alignment": lambda s: laws.alignment(s.velocity, s.crowd_velocity, s.seen),
    "flocking": flocking,
    "weighted sum": lambda s: laws.weighted_sum([s.velocity, s.displacement], [2.0, 0.5], each="limit", max_force=1.5),
    "given way": lambda s: laws.given_way(s.displacement, s.velocity, max_force=8.0, weights=(1.0, 0.7)),
    "balanced": lambda s: laws.balanced(
        s.displacement, s.velocity, s.velocity, mass=2.0, max_force=1.5, max_speed=5.0, response_time=0.2
    )[0],
    "priority": lambda s: laws.priority([steer_around(s, "full"), s.velocity]),
    "wander": lambda s: laws.wander(
        laws.to_local(s.displacement, s.axes),
        laws.to_local(s.draw, s.axes),
        s.axes,
        strength=2.0,
        rate=0.3,
        distance=3.0,
        dt=0.1,
    )[0],
    "nearest approach": lambda s: (
        laws.predict(
            s.other, s.other_velocity, laws.nearest_approach(s.position, s.velocity, s.other, s.other_velocity)[0]
        )
        - s.position
    ),
}
"""Every law that gives a vector, as a function of the state."""

HANDED: dict[str, Callable[[State], Array]] = {
    "wander turning": lambda s: laws.wander_turning(
        s.turn, 0.5, s.velocity, s.forward, 4.0, max_turn_rate=0.5, rate=0.1, up=s.up, dt=0.1, response_time=0.2
    )[0],
    "wander orientation": lambda s: laws.wander_orientation(s.turn, 0.5, s.forward, up=s.up, dt=0.1)[0],
}
"""Laws that know left from right."""
