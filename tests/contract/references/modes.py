"""References of modes and conditions, at the start of memory: nobody was near, nothing was seen, time in mode is zero."""

from dataclasses import replace
from typing import Any

import numpy as np
from contract.families import with_own
from contract.places import Array
from contract.references.vehicle import LIKE, Answer, At, Combination, words
from contract.running import DT

import steersman as sm
from steersman import laws
from steersman.core.maths.random import uniform
from steersman.core.steering.tree.tree import Node, grow


def modes(b: Any, at: At, parts: list[Answer]) -> Answer:
    """The answer of the mode that the first transition leads to, or of the start."""
    tree, names, mode = grow(b), list(b.modes), b.start
    keys = {id(node): at.key + k for k, node in enumerate(tree.walk())}
    wait = b.cooldown.get(mode, 0.0) if isinstance(b.cooldown, dict) else b.cooldown
    for (leaves, enters, _), node in zip(b.transitions, tree.conditions, strict=True):
        leaving = b.start in leaves or ("*" in leaves and b.start != enters)
        if wait == 0 and leaving and holds(node, at, keys):
            mode = enters
            break
    return parts[names.index(mode)]


def holds(node: Node, at: At, keys: dict[int, int]) -> bool:
    """Whether a condition holds for a vehicle."""
    parts = [holds(child, at, keys) for child in node.children]
    return bool(JUDGES[type(node.behavior).__name__](node.behavior, replace(at, key=keys[id(node)]), parts))


def offsets(c: Any, at: At) -> Array:
    """Vectors to all that the target of a condition may be."""
    if isinstance(c.target, sm.Vehicles) and isinstance(c.which, str):
        way = at.near(c.target.position) - at.position
        return np.asarray(np.delete(way, at.i, axis=0) if c.target is at.place.vehicles else way)
    return np.asarray(at.target(c.target, c.which) - at.position)[None]


def near(c: Any, at: At, parts: list[bool]) -> bool:
    return bool((laws.length(offsets(c, at)) <= c.distance).any())


def arrived(c: Any, at: At, parts: list[bool]) -> bool:
    nearest = laws.length(offsets(c, at)).min()
    return bool(nearest <= c.distance and np.linalg.norm(at.velocity) <= c.speed)


def sees(c: Any, at: At, parts: list[bool]) -> bool:
    way = offsets(c, at)
    distance = laws.length(way)
    angle = np.arccos(np.clip(way @ at.forward / distance, -1, 1))
    order = np.argsort(distance)
    in_view = [j for j in order if distance[j] <= c.range and angle[j] <= c.angle / 2 + 1e-12]
    candidates = in_view if c.occluders is None else in_view[: c.attention]
    return any(c.occluders is None or not hidden(c, at, way[j], distance[j]) for j in candidates)


def hidden(c: Any, at: At, way: Array, distance: float) -> bool:
    """Whether the way meets a sphere whose outside the vehicle is on (quadratic equation)."""
    unit = way / distance
    for spheres in c.occluders.sets:
        for center, radius in zip(at.near(spheres.center) - at.position, spheres.radius, strict=True):
            b, c0 = float(unit @ center), float(center @ center - radius**2)
            if c0 > 0 and b * b - c0 >= 0 and 0 <= b - np.sqrt(b * b - c0) < distance:
                return True
    return False


JUDGES: dict[str, Any] = with_own("JUDGES", {
    "Near": near,
    "Arrived": arrived,
    "Sees": sees,
    "After": lambda c, at, parts: c.seconds <= 0,
    "Chance": lambda c, at, parts: uniform(words(at, at.step, 0)[0], LIKE) < 1 - np.exp(-c.rate * DT),
    "Where": lambda c, at, parts: c.function(at.place.vehicles)[at.i],
    "Slow": lambda c, at, parts: np.linalg.norm(at.velocity) < c.below,
    "AllOf": lambda c, at, parts: all(parts),
    "AnyOf": lambda c, at, parts: any(parts),
    "Not": lambda c, at, parts: not parts[0],
})  # fmt: skip

COMBINATIONS: dict[str, Combination] = {"Modes": modes}
