"""References of the behaviors about paths."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from contract.places import Array
from contract.references.vehicle import LIKE, Answer, At, Reference, slowing, words
from contract.running import DT

import steersman as sm
from steersman import laws
from steersman.core.maths.random import uniform


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
    if b.law == "lane":
        return follow_lane(b, at), True
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


def follow_lane(b: Any, at: At) -> Array:
    path = road(b, at)
    reach = at.max_speed * max(b.lookahead, 2 * at.tau) if b.reach is None else b.reach
    share = math.sqrt(uniform(words(at, 0, 0)[0], LIKE))
    options: Any = {"direction": b.direction, "reach": reach, "share": share, "radius": at.radius}
    target, _ = laws.lane_target(at.position, path, **options)
    if b.thrust == "full":
        return laws.thrust(target - at.position, at.max_force)
    if b.end == "arrive":
        full = laws.cruise_speed(target - at.position, at.velocity, at.max_speed, b.speed)
        options["slowing_distance"] = slowing(b, at, full)
    options |= {"speed": b.speed, "response_time": at.tau, "dt": DT}
    return at.match(laws.follow_lane(at.position, at.velocity, path, at.max_speed, **options))


def stay_on_path(b: Any, at: At) -> Answer:
    path = road(b, at)
    _, distance, segment = path.project(at.position + b.lookahead * at.velocity)
    if distance <= path.radius[segment]:
        return np.zeros_like(at.position), False
    options = {"lookahead": b.lookahead, "speed": b.speed}
    return at.drive(b, laws.stay_on_path(at.position, at.velocity, path, at.max_speed, **options)), True


REFERENCES: dict[str, Reference] = {"FollowPath": follow_path, "StayOnPath": stay_on_path}
