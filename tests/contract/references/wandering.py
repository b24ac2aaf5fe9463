"""Reference of Wander, which also carries the state of its walk on."""

import math
from typing import Any

import numpy as np
from contract.places import Array
from contract.references.vehicle import LIKE, Answer, At, Reference, noise, words
from contract.running import DT

from steersman import laws
from steersman.core.maths.random import signed_uniform, uniform, unit_vector
from steersman.core.steering.wandering.wander import DEFAULTS


def walk(b: Any, at: At, state: Any = None) -> tuple[Array, Any]:
    """The force of any law of Wander, and its new state; the state at the start is that of `init`."""
    given = (b.distance, b.strength, b.rate)
    numbers = tuple(own if own is not None else usual for own, usual in zip(given, DEFAULTS[b.law], strict=True))
    drawn = words(at, at.step, 0)
    if b.law in ("sphere", "jitter"):
        return wander_on_sphere(b.law, numbers, at, drawn, state)
    if b.law == "gradient":
        return wander_by_noise(numbers, at), None
    if b.law == "lateral":
        return wander_by_sides(numbers, at, drawn, state)
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


def wander_by_sides(numbers: Any, at: At, drawn: Any, state: Any) -> tuple[Array, Any]:
    distance, strength, rate = numbers
    sides = len(at.position) - 1
    before = np.zeros(sides) if state is None else state
    step = np.array([signed_uniform(word, LIKE) for word in drawn[:sides]])
    steering, after = laws.wander_lateral(before, step, at.axes, rate=rate, strength=strength, distance=distance, dt=DT)
    return at.max_force * steering, after


def wander_by_noise(numbers: Any, at: At) -> Array:
    distance, strength, rate = numbers
    phase = float(uniform(words(at, 0, 2)[0], LIKE)) / rate
    place = (at.step * DT + phase) * rate
    aside, upwards = strength * noise(at, place, 0), strength * noise(at, place, 1)
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


def wander(b: Any, at: At) -> Answer:
    return walk(b, at)[0], True


REFERENCES: dict[str, Reference] = {"Wander": wander}
