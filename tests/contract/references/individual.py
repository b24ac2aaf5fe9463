"""References of the individual behaviors."""

import math
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
from contract.places import Array
from contract.references.vehicle import Answer, At, Reference, noise, slowing
from contract.running import DT

import steersman as sm
from steersman import laws


def seek(b: Any, at: At) -> Answer:
    moved = b.target.velocity[at.row(b.target, b.which)] if isinstance(b.target, sm.Vehicles) else 0.0
    return at.drive_to(b, at.target(b.target, b.which), moved), True


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
    steering = laws.arrive(at.position, at.velocity, target, at.max_speed, **options)
    brakes = {"stop_distance": b.stop_distance, "acceleration": at.max_force / at.mass, "dt": DT}
    if b.hard_stop and laws.hard_stop(target - at.position, at.velocity, **brakes):
        return -at.mass * at.velocity / DT, True
    return at.match(steering), True


def prediction_time(how: Any, at: At, there: Array, velocity: Array, forward: Array) -> Any:
    here, fast = at.position, at.max_speed
    times: dict[type, Callable[[], Any]] = {
        sm.Constant: lambda: how.time,
        sm.Proportional: lambda: laws.proportional_time(here, there, how.c),
        sm.Approach: lambda: laws.approach_time(here, there, velocity, fast),
        sm.Capped: lambda: laws.capped_time(here, at.velocity, there, how.limit),
        sm.Heading: lambda: laws.heading_time(here, at.forward, there, forward, fast),
        sm.NineCases: lambda: laws.nine_cases_time(here, at.velocity, at.forward, there, forward, how.limit),
        sm.Oncoming: lambda: laws.oncoming_time(here, there, velocity, how.limit),
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


def evade(b: Any, at: At) -> Answer:
    j = at.row(b.pursuer, b.which)
    there, velocity = at.near(b.pursuer.position[j]), b.pursuer.velocity[j]
    time = prediction_time(b.prediction, at, there, velocity, b.pursuer.forward[j])
    ahead = laws.predict(there, velocity, time)
    if laws.length(ahead - at.position) > b.panic_distance:
        return np.zeros_like(at.position), False
    if b.unpredictability:
        # The way back is turned by a coherent random angle: up to a right angle.
        way, seconds = at.position - ahead, at.step * DT
        angle = b.unpredictability * math.pi / 2 * noise(at, seconds / b.period, 0)
        side = laws.perpendicular(laws.normalize(way))
        if len(way) == 3:
            side = laws.rotate(side, math.pi * noise(at, seconds / b.period, 1), laws.normalize(way))
        ahead = at.position - (math.cos(angle) * way + math.sin(angle) * laws.length(way) * side)
    return at.drive(b, laws.flee(at.position, at.velocity, ahead, at.max_speed, speed=b.speed)), True


def reference_of(name: str) -> Reference:
    """The reference of another behavior, from all modules."""
    found: Reference = import_module("contract.references").REFERENCES[name]
    return found


def patrol(b: Any, at: At) -> Answer:
    full = at.max_speed if b.speed == "max" else b.speed
    if b.by is not None:
        stops = at.near(b.checkpoints)
        visited = laws.length(stops[0] - at.position) < b.margin
        due = min(int(visited), len(stops) - 1) if not b.loop else int(visited) % len(stops)
        going = sm.GoTo(b.checkpoints[due], by=b.by, speed=b.speed, slowing_distance=b.slowing_distance)
        answer: Answer = reference_of("GoTo")(going, at)
        return answer
    options = {"margin": b.margin, "loop": b.loop, "speed": b.speed, "slowing_distance": slowing(b, at, full)}
    steering, _ = laws.patrol(at.position, at.velocity, at.near(b.checkpoints), 0, at.max_speed, **options)
    return at.match(steering), True


REFERENCES: dict[str, Reference] = {
    "Seek": seek, "Flee": flee, "Arrive": arrive, "Pursue": pursue, "Evade": evade, "Patrol": patrol,
}  # fmt: skip
