"""References of modes and conditions, at the start of memory: nobody was near, nothing was seen, time in mode is zero."""

from dataclasses import replace
from typing import Any

import numpy as np
from contract.families import with_own
from contract.places import Array
from contract.references.knowing import in_sight, known_row
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
    return bool(in_sight(c, at, offsets(c, at)))


def knows(c: Any, at: At, parts: list[bool]) -> bool:
    return known_row(c.target, at) is not None


JUDGES: dict[str, Any] = with_own("JUDGES", {
    "Near": near,
    "Arrived": arrived,
    "Sees": sees,
    "Knows": knows,
    "After": lambda c, at, parts: c.seconds <= 0,
    "Chance": lambda c, at, parts: uniform(words(at, at.step, 0)[0], LIKE) < 1 - np.exp(-c.rate * DT),
    "Where": lambda c, at, parts: c.function(at.place.vehicles)[at.i],
    "Slow": lambda c, at, parts: np.linalg.norm(at.velocity) < c.below,
    "AllOf": lambda c, at, parts: all(parts),
    "AnyOf": lambda c, at, parts: any(parts),
    "Not": lambda c, at, parts: not parts[0],
})  # fmt: skip

COMBINATIONS: dict[str, Combination] = {"Modes": modes}
