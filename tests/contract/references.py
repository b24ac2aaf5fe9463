"""What every behavior should say, put together from `steersman.laws` for one vehicle at a time, in float64.

On a torus every point is replaced by its image nearest to the vehicle, and then the laws of open space hold.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from contract.places import Array, Place
from contract.running import DT, NAME, SEED

import steersman as sm
from steersman import laws
from steersman.geometry.random import draw, key_of, signed_uniform, uniform, unit_vector
from steersman.steering.behavior import EPSILON, Function
from steersman.steering.individual.wander import DEFAULTS
from steersman.steering.tree import Node, assign_keys, grow

Answer = tuple[Array, bool]
"""A force [N] (d,), and whether it claims the vehicle whatever its length."""

LIKE = np.zeros(1)
"""Random numbers come as float64."""


@dataclass(frozen=True)
class At:
    """One vehicle in a place, at a step."""

    place: Place
    i: int
    step: int = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.place.vehicles, name)[self.i]

    @property
    def tau(self) -> float:
        return float(self.place.vehicles.response_time[self.i] or DT)

    @property
    def axes(self) -> Array:
        """Forward and side in 2D, forward, up and side in 3D, as rows."""
        forward = self.forward
        if len(forward) == 2:
            return np.array([forward, [forward[1], -forward[0]]])
        return np.array([forward, self.up, np.cross(forward, self.up)])

    def near(self, points: Any) -> Array:
        """The images of points that are nearest to the vehicle."""
        return np.asarray(self.position + self.place.domain.difference(np.asarray(points, float), self.position))

    def match(self, steering: Array) -> Array:
        """The force of a literal steering vector."""
        return np.asarray(self.mass * steering / self.tau)

    def drive(self, behavior: Any, steering: Array) -> Array:
        """The force of a literal steering vector, or full thrust along what is desired."""
        if behavior.thrust == "full":
            return laws.thrust(steering + self.velocity, self.max_force)
        return self.match(steering)

    def row(self, population: sm.Vehicles, which: Any) -> int | None:
        """Whom of a population the vehicle watches."""
        if isinstance(which, int):
            return which
        if not isinstance(which, str):
            return int(np.flatnonzero(population.id == which[self.i])[0])
        distance = laws.length(self.near(population.position) - self.position)
        if population is self.place.vehicles:
            distance[self.i] = np.inf
        return int(np.argmin(distance))

    def target(self, target: Any, which: Any) -> Array:
        """Where the target of the vehicle is."""
        if isinstance(target, sm.Vehicles):
            points = target.position[self.row(target, which)]
        else:
            points = np.asarray(target() if callable(target) else target)
        return self.near(points[self.i] if points.ndim == 2 else points)


def seek(b: Any, at: At) -> Answer:
    steering = laws.seek(at.position, at.velocity, at.target(b.target, b.which), at.max_speed, speed=b.speed)
    return at.drive(b, steering), True


def flee(b: Any, at: At) -> Answer:
    target = at.target(b.target, b.which)
    if laws.length(target - at.position) > b.panic_distance:
        return np.zeros_like(at.position), False
    return at.drive(b, laws.flee(at.position, at.velocity, target, at.max_speed, speed=b.speed)), True


def arrive(b: Any, at: At) -> Answer:
    full = at.max_speed if b.speed == "max" else b.speed
    options: dict[str, Any] = {"slowing_distance": b.slowing_distance, "deceleration_time": b.deceleration_time}
    if isinstance(b.ramp, str) and b.ramp == "braking":
        options = {"acceleration": at.max_force / at.mass, "response_time": at.tau}
    elif b.slowing_distance is None and b.deceleration_time is None:
        options = {"slowing_distance": max(4 * full * at.tau, at.mass * full**2 / at.max_force)}
    target = at.target(b.target, b.which)
    options |= {"stop_distance": b.stop_distance, "ramp": b.ramp, "speed": b.speed}
    return at.match(laws.arrive(at.position, at.velocity, target, at.max_speed, **options)), True


def prediction_time(how: Any, at: At, there: Array, velocity: Array, forward: Array) -> Any:
    here, fast = at.position, at.max_speed
    times: dict[type, Callable[[], Any]] = {
        sm.Constant: lambda: how.time,
        sm.Proportional: lambda: laws.proportional_time(here, there, how.c),
        sm.Approach: lambda: laws.approach_time(here, there, velocity, fast),
        sm.Capped: lambda: laws.capped_time(here, at.velocity, there, how.limit),
        sm.Heading: lambda: laws.heading_time(here, at.forward, there, forward, fast),
        sm.Intercept: lambda: laws.intercept_time(here, there, velocity, fast),
    }
    return times[type(how)]()


def pursue(b: Any, at: At) -> Answer:
    j = at.row(b.quarry, b.which)
    there, velocity, forward = at.near(b.quarry.position[j]), b.quarry.velocity[j], b.quarry.forward[j]
    steering = laws.pursue(
        at.position, at.velocity, there, velocity, at.max_speed, speed=b.speed,
        time=prediction_time(b.prediction, at, there, velocity, forward),
        head_on=b.head_on and laws.is_head_on(at.position, at.forward, there, forward),
    )  # fmt: skip
    return at.drive(b, steering), True


def evade(b: Any, at: At, key: int) -> Answer:
    j = at.row(b.menace, b.which)
    there, velocity = at.near(b.menace.position[j]), b.menace.velocity[j]
    time = prediction_time(b.prediction, at, there, velocity, b.menace.forward[j])
    ahead = laws.predict(there, velocity, time)
    if laws.length(ahead - at.position) > b.panic_distance:
        return np.zeros_like(at.position), False
    if b.unpredictability:
        # The way back is turned by a coherent random angle: up to a right angle.
        way, seconds = at.position - ahead, at.step * DT
        angle = b.unpredictability * math.pi / 2 * noise(at, key, seconds / b.period, 0)
        side = laws.perpendicular(laws.normalize(way))
        if len(way) == 3:
            side = laws.rotate(side, math.pi * noise(at, key, seconds / b.period, 1), laws.normalize(way))
        ahead = at.position - (math.cos(angle) * way + math.sin(angle) * laws.length(way) * side)
    return at.drive(b, laws.flee(at.position, at.velocity, ahead, at.max_speed, speed=b.speed)), True


def words(at: At, key: int, step: int, number: int) -> Any:
    """Random words of the vehicle."""
    return draw(key_of(SEED, NAME, key), at.id, step, number)


def noise(at: At, key: int, place: float, number: int) -> float:
    """Coherent noise in [-1, 1): random at whole places, a smoothstep in between."""
    k = math.floor(place)
    before, after = (signed_uniform(words(at, key, k + step, number)[0], LIKE) for step in (0, 1))
    x = place - k
    return float(before + (after - before) * x * x * (3 - 2 * x))


def wander(b: Any, at: At, key: int, state: Any = None) -> tuple[Array, Any]:
    """The force of any law of Wander, and its new state; the state at the start is that of `init`."""
    given = (b.distance, b.strength, b.rate)
    numbers = tuple(own if own is not None else usual for own, usual in zip(given, DEFAULTS[b.law], strict=True))
    drawn = words(at, key, at.step, 0)
    if b.law in ("sphere", "jitter"):
        return wander_on_sphere(b.law, numbers, at, drawn, state)
    if b.law == "gradient":
        return wander_by_noise(numbers, at, key), None
    angles = np.zeros(len(at.position) - 1) if state is None else state
    if b.law == "turn":
        return wander_turning(b, numbers[2], at, drawn, angles)
    return wander_by_orientation(numbers, at, drawn, angles)


def wander_on_sphere(law: str, numbers: Any, at: At, drawn: Any, state: Any) -> tuple[Array, Any]:
    distance, strength, rate = numbers
    d = len(at.position)
    before = np.eye(d)[0] if state is None else state
    step = [signed_uniform(word, LIKE) for word in drawn[:d]]
    if law == "sphere":
        step = unit_vector(drawn[0], drawn[1], (LIKE,) * d)
    # The law walks on a sphere of radius `strength`; the behavior keeps the unit vector.
    steering, after = laws.wander(
        strength * before, np.array(step), at.axes, strength=strength, rate=strength * rate, distance=distance, dt=DT
    )
    return at.max_force * steering, after / strength


def wander_by_noise(numbers: Any, at: At, key: int) -> Array:
    distance, strength, rate = numbers
    phase = float(uniform(words(at, key, 0, 2)[0], LIKE)) / rate
    place = (at.step * DT + phase) * rate
    aside, upwards = strength * noise(at, key, place, 0), strength * noise(at, key, place, 1)
    local = np.array([distance, aside] if len(at.position) == 2 else [distance, upwards, aside])
    return np.asarray(at.max_force * laws.to_global(local, at.axes))


def wander_turning(b: Any, rate: float, at: At, drawn: Any, angles: Array) -> tuple[Array, Any]:
    """In 3D a second angle, upwards, walks like the law's."""
    d = len(at.position)
    up = at.up if d == 3 else None
    step = np.array([signed_uniform(word, LIKE) for word in drawn[: d - 1]])
    speed = laws.cruise_speed(at.velocity, at.velocity, at.max_speed, b.speed)
    options: Any = {"max_turn_rate": b.max_turn_rate, "rate": rate, "dt": DT, "response_time": at.tau, "up": up}
    steering, after = laws.wander_turning(angles[0], step[0], at.velocity, at.forward, speed, **options)
    if d == 2:
        return at.match(steering), np.array([after])
    walked = np.clip(angles + rate * math.sqrt(DT) * step, -b.max_turn_rate, b.max_turn_rate)
    desired = speed * raised(laws.normalize(steering + at.velocity), walked[1] * at.tau, up)
    return at.match(desired - at.velocity), walked


def wander_by_orientation(numbers: Any, at: At, drawn: Any, angles: Array) -> tuple[Array, Any]:
    """In 3D a second angle, upwards, walks like the law's."""
    distance, strength, rate = numbers
    d = len(at.position)
    up = at.up if d == 3 else None
    step = np.array([uniform(drawn[2 * k], LIKE) - uniform(drawn[2 * k + 1], LIKE) for k in range(d - 1)])
    options: Any = {"rate": rate, "offset": distance, "radius": strength, "dt": DT, "up": up}
    steering, after = laws.wander_orientation(angles[0], step[0], at.forward, **options)
    if d == 2:
        return laws.thrust(steering, at.max_force), np.array([after])
    walked, ahead = angles + rate * math.sqrt(DT) * step, distance * at.forward
    bearing = raised(laws.normalize(steering - ahead), walked[1], up)
    return laws.thrust(ahead + strength * bearing, at.max_force), walked


def raised(level: Array, angle: float, up: Any) -> Array:
    """A level direction raised by an angle."""
    return math.cos(angle) * level + math.sin(angle) * np.asarray(up)


def avoid(b: Any, at: At) -> Answer:
    centers, radii, forward = at.near(b.obstacles.center), b.obstacles.radius, at.forward
    shortest = at.place.vehicles.radius.max() if b.min_length is None else b.min_length
    reach = max(shortest, b.lookahead * laws.length(at.velocity))
    if b.goal is not None:
        reach = min(reach, laws.length(at.target(b.goal, b.which) - at.position))
    row, distance = laws.nearest_threat(at.position, forward, at.radius, centers, radii, reach)
    if row < 0:
        return np.zeros_like(forward), False
    nearness = 1 - distance / reach
    scale = b.strength if b.magnitude == "literal" else 1.0
    force = scale * laws.avoid_sideways(
        centers[row] - at.position, forward, at.max_force, magnitude=b.magnitude, nearness=nearness
    )
    return force - b.braking * nearness * at.max_force * forward, True


def seen_by(b: Any, at: At) -> tuple[Any, Array]:
    """The rows of the neighbors, and their positions as the vehicle sees them."""
    own = b.of is None
    positions = at.near(at.place.vehicles.position if own else b.of.position)
    seen = laws.neighborhood(
        at.position, at.forward, b.radius, angle=b.angle, inner_radius=b.inner_radius, others=positions
    )
    if own:
        seen[at.i] = False
    rows = np.flatnonzero(seen)
    if b.k is not None:
        rows = rows[np.argsort(laws.length(positions[rows] - at.position), kind="stable")[: b.k]]
    return rows, positions[rows]


def separation(b: Any, at: At) -> Answer:
    rows, positions = seen_by(b, at)
    if b.law == "mean_site":
        steering = laws.mean_site_separation(at.position, at.velocity, positions, at.max_speed, speed=b.speed)
        return at.match(steering), len(rows) > 0
    if b.law == "inverse_square":
        strength = 25.0 if b.strength is None else b.strength
        return laws.inverse_square_separation(at.position, positions, strength=strength, limit=b.limit), False
    strength = at.max_force * (2 * at.radius) ** b.falloff if b.strength is None else b.strength
    return laws.separation(at.position, positions, strength=strength, falloff=b.falloff), False


def cohesion(b: Any, at: At) -> Answer:
    _, positions = seen_by(b, at)
    if b.law == "offset":
        strength = at.max_force / b.radius if b.strength is None else b.strength
        return strength * laws.cohesion_offset(at.position, positions), False
    return at.match(laws.cohesion(at.position, at.velocity, positions, at.max_speed, speed=b.speed)), False


def alignment(b: Any, at: At) -> Answer:
    rows, _ = seen_by(b, at)
    others = at.place.vehicles if b.of is None else b.of
    if b.law == "forward":
        strength = at.max_force if b.strength is None else b.strength
        return strength * laws.alignment(at.forward, others.forward[rows]), False
    if b.law == "velocity":
        return at.match(laws.alignment(at.velocity, others.velocity[rows])), False
    strength = 1.0 if b.strength is None else b.strength
    return strength * laws.neighbor_mean(others.velocity[rows])[0], False


def road(b: Any, at: At) -> Any:
    """A path as the vehicle sees it. On a torus its nearest point is that of the nearest of all images of the vehicle."""
    return b.path if not at.place.state.torus else ImagesOf(b.path, at)


@dataclass(frozen=True)
class ImagesOf:
    """A path that is asked about a place and all of its images at once."""

    path: sm.Path
    at: At

    def __getattr__(self, name: str) -> Any:
        return getattr(self.path, name)

    def project(self, point: Array) -> Any:
        period = np.array(self.at.place.domain.size)
        turns = np.stack(np.meshgrid(*[np.arange(-3, 4)] * len(period)), axis=-1).reshape(-1, len(period))
        every = self.path.project(point + turns * period)
        nearest = np.argmin(every.distance)
        return every.s[nearest], every.distance[nearest], every.segment[nearest]

    def point_at(self, s: Any) -> Array:
        return self.at.near(self.path.point_at(s))


def slowing(b: Any, at: At, full: float) -> float:
    """Where slowing begins [m]."""
    shortest = max(4 * full * at.tau, at.mass * full**2 / at.max_force)
    return float(shortest if b.slowing_distance is None else b.slowing_distance)


def follow_path(b: Any, at: At) -> Answer:
    points, back = b.path.points, b.direction < 0
    if b.law == "waypoints":
        index = len(points) - 1 if back else 0
        radius = b.path.radius[min(index, len(b.path.radius) - 1)]
        near = max(radius, at.mass * at.max_speed**2 / at.max_force, at.max_speed * at.tau)
        options = {"direction": b.direction, "closed": b.path.closed, "speed": b.speed}
        options["seek_distance"] = near if b.seek_distance is None else b.seek_distance
        law: Any = laws.follow_waypoints
        steering, due = law(at.position, at.velocity, at.near(points), index, at.max_speed, **options)
        full = laws.cruise_speed(at.near(points[due]) - at.position, at.velocity, at.max_speed, b.speed)
        if b.end == "arrive" and b.thrust == "match":
            options["slowing_distance"] = slowing(b, at, full)
            steering, _ = law(at.position, at.velocity, at.near(points), index, at.max_speed, **options)
        return at.drive(b, steering), True
    path = road(b, at)
    reach = at.max_speed * b.lookahead if b.reach is None else b.reach
    options = {"law": b.law, "direction": b.direction, "lookahead": b.lookahead, "reach": reach}
    target, left, right = laws.path_target(at.position, at.velocity, path, **options)
    if b.end == "arrive" and b.thrust == "match":
        full = laws.cruise_speed(target - at.position, at.velocity, at.max_speed, b.speed)
        options["slowing_distance"] = slowing(b, at, full)
        right = right and laws.length(target - at.position) + left >= options["slowing_distance"]
    steering = laws.follow_path(at.position, at.velocity, path, at.max_speed, speed=b.speed, **options)
    if right and path.length > 0:
        return np.zeros_like(steering), False
    return at.drive(b, steering), True


def stay_on_path(b: Any, at: At) -> Answer:
    path = road(b, at)
    _, distance, segment = path.project(at.position + b.lookahead * at.velocity)
    if distance <= path.radius[segment]:
        return np.zeros_like(at.position), False
    options = {"lookahead": b.lookahead, "speed": b.speed}
    return at.drive(b, laws.stay_on_path(at.position, at.velocity, path, at.max_speed, **options)), True


def patrol(b: Any, at: At) -> Answer:
    full = at.max_speed if b.speed == "max" else b.speed
    options = {"margin": b.margin, "loop": b.loop, "speed": b.speed, "slowing_distance": slowing(b, at, full)}
    steering, _ = laws.patrol(at.position, at.velocity, at.near(b.checkpoints), 0, at.max_speed, **options)
    return at.match(steering), True


def written_in_numpy(b: Any, at: At) -> Answer:
    """What the users' behaviors of the examples say."""
    if isinstance(b, Function):
        return b.function(at.place.vehicles)[at.i], False
    if hasattr(b, "wind"):
        return at.mass * np.array(b.wind), False
    return at.forward, True


REFERENCES: dict[str, Callable[[Any, At], Answer]] = {
    "Seek": seek, "Flee": flee, "Arrive": arrive, "Pursue": pursue, "AvoidObstacles": avoid, "Separation": separation,
    "Cohesion": cohesion, "Alignment": alignment, "Function": written_in_numpy, "Drift": written_in_numpy,
    "Tiring": written_in_numpy, "FollowPath": follow_path, "StayOnPath": stay_on_path, "Patrol": patrol,
}  # fmt: skip


def answer(node: Node, at: At) -> Answer:
    """The force of a node of a steering tree, and whether it claims the vehicle."""
    b: Any = node.behavior
    kind = type(b).__name__
    if kind == "Evade":
        return evade(b, at, node.key)
    if kind == "Wander":
        return wander(b, at, node.key)[0], True
    if not node.children:
        return REFERENCES[kind](b, at)
    answers = [answer(child, at) for child in node.children]
    parts = [force for force, _ in answers]
    acts = [claims or laws.length(force) > EPSILON * at.max_force for force, claims in answers]
    if kind == "Priority":
        return laws.priority(parts, acts), any(acts)
    if kind == "Flocking":
        weights = (b.separation_weight, b.cohesion_weight, b.alignment_weight)
        return laws.flocking(parts[0], parts[2], parts[1], weights=weights, max_force=at.max_force), any(acts)
    total = laws.weighted_sum(
        parts, b.weights, each=b.each, max_force=at.max_force, normalize_weights=b.normalize_weights
    )
    return total, any(acts)


def reference(place: Place, behavior: sm.Behavior, step: int = 0) -> tuple[Array, Array]:
    """What all vehicles of a place should be told, (n, d), and who is claimed, (n,), at the start of memory."""
    tree = grow(behavior)
    assign_keys(tree, None, 0)
    answers = [answer(tree, At(place, i, step)) for i in range(len(place.vehicles))]
    long = [laws.length(force) > EPSILON * place.vehicles.max_force[i] for i, (force, _) in enumerate(answers)]
    acts = [claims or far for (_, claims), far in zip(answers, long, strict=True)]
    return np.array([force for force, _ in answers]), np.array(acts)
