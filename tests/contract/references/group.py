"""References of the group behaviors."""

from typing import Any

import numpy as np
from contract.places import Array
from contract.references.vehicle import LIKE, Answer, At, Reference, joined, words
from contract.running import DT, NAME, SEED

from steersman import laws
from steersman.core.maths.random import generator, key_of, signed_uniform, unit_vector


def seen_by(b: Any, at: At) -> tuple[Any, Array]:
    """The rows of the neighbors, and their positions as the vehicle sees them."""
    others, own = joined(b.of, at)
    positions = at.near(others.position)
    seen = laws.neighborhood(
        at.position, at.forward, b.radius, angle=b.angle, inner_radius=b.inner_radius, others=positions
    )
    if own is not None:
        seen[own] = False
    rows = np.flatnonzero(seen)
    if b.k is not None:
        rows = rows[np.argsort(laws.length(positions[rows] - at.position), kind="stable")[: b.k]]
    return rows, positions[rows]


def separation(b: Any, at: At) -> Answer:
    rows, positions = seen_by(b, at)
    if b.law == "mean_site":
        steering = laws.mean_site_separation(at.position, at.velocity, positions, at.max_speed, speed=b.speed)
        return at.match(steering), len(rows) > 0
    fade = b.radius if b.fade else np.inf
    if b.law == "inverse_square":
        strength = 25.0 if b.strength is None else b.strength
        return laws.inverse_square_separation(
            at.position, positions, strength=strength, limit=b.limit, fade=fade
        ), False
    strength = at.max_force * (2 * at.radius) ** b.falloff if b.strength is None else b.strength
    return laws.separation(at.position, positions, strength=strength, falloff=b.falloff, fade=fade), False


def cohesion(b: Any, at: At) -> Answer:
    _, positions = seen_by(b, at)
    if b.law == "offset":
        strength = at.max_force / b.radius if b.strength is None else b.strength
        return strength * laws.cohesion_offset(at.position, positions), False
    return at.match(laws.cohesion(at.position, at.velocity, positions, at.max_speed, speed=b.speed)), False


def alignment(b: Any, at: At) -> Answer:
    rows, _ = seen_by(b, at)
    others, _ = joined(b.of, at)
    if b.law == "heading":
        steering = laws.heading_alignment(at.forward, at.velocity, others.forward[rows], at.max_speed, speed=b.speed)
        gust = gusts(b, at) if len(rows) else 0.0
        return at.match(steering) + b.turbulence * at.max_force * gust, False
    if b.law == "vicsek":
        return vicsek(b, at, others.forward[rows])
    if b.law == "forward":
        strength = at.max_force if b.strength is None else b.strength
        return strength * laws.alignment(at.forward, others.forward[rows]), False
    if b.law == "velocity":
        return at.match(laws.alignment(at.velocity, others.velocity[rows])), False
    strength = 1.0 if b.strength is None else b.strength
    return strength * laws.neighbor_mean(others.velocity[rows])[0], False


def gusts(b: Any, at: At) -> Array:
    """The turn that the waves make at a place, as a push across forward."""
    d = len(at.position)
    rng = generator(key_of(SEED, NAME, at.key))
    way = rng.normal(size=(4, d))
    way *= rng.uniform(0.6, 1.4, (4, 1)) / np.linalg.norm(way, axis=1, keepdims=True)
    wave = 2 * np.pi / (12 * b.radius) * way
    if hasattr(at.place.domain, "size"):
        unit = 2 * np.pi / np.asarray(at.place.domain.size)
        wave = unit * np.rint(wave / unit)
    turn = rng.normal(size=(4, 1 if d == 2 else 3))
    turn /= np.linalg.norm(turn, axis=1, keepdims=True)
    rate = rng.uniform(0.6, 1.4, 4) * rng.choice([-1, 1], 4) / 20
    phase = rng.uniform(0, 1, 4)
    turning = np.sqrt(0.5) * np.sin(wave @ at.position + 2 * np.pi * (rate * at.step * DT + phase)) @ turn
    if d == 2:
        return np.asarray(turning[0] * np.array([-at.forward[1], at.forward[0]]))
    return np.cross(turning, at.forward)


def vicsek(b: Any, at: At, theirs: Array) -> Answer:
    period = at.step if b.noise_time == 0 else int((at.step + 0.5) * DT / b.noise_time)
    drawn = words(at, period, 0)
    heading = laws.vicsek_heading(at.forward, theirs)
    angle = 0.5 * b.noise * float(signed_uniform(drawn[0], LIKE))
    side = laws.perpendicular(heading)
    if len(heading) == 3:
        local = np.array(unit_vector(drawn[1], drawn[2], (LIKE,) * 3))
        side = laws.normalize(laws.lateral(laws.to_global(local, at.axes), heading))
    heading = np.cos(angle) * heading + np.sin(angle) * side
    speed = laws.cruise_speed(heading, at.velocity, at.max_speed, b.speed)
    return at.match(speed * heading - at.velocity), False


REFERENCES: dict[str, Reference] = {"Separation": separation, "Cohesion": cohesion, "Alignment": alignment}
