"""What every behavior should say, put together from `steersman.laws` for one vehicle at a time, in float64; a file a family.

Every module of this folder takes part: with a dictionary REFERENCES (class name -> function of the behavior and the
vehicle) or COMBINATIONS (class name -> function of the combinator, the vehicle and the answers of the parts). A reference
of memory is what the behavior says at the start of memory.
"""

from dataclasses import replace

import numpy as np
from contract.families import merged
from contract.places import Array, Place
from contract.references.knowing import informed
from contract.references.vehicle import Answer, At, Combination, Reference

import steersman as sm
from steersman import laws
from steersman.core.steering.tree.forces import EPSILON
from steersman.core.steering.tree.tree import Node, assign_keys, grow

REFERENCES: dict[str, Reference] = merged(__name__, __path__, "REFERENCES")
COMBINATIONS: dict[str, Combination] = merged(__name__, __path__, "COMBINATIONS")


def answer(node: Node, at: At) -> Answer:
    """The force of a node of a steering tree, and whether it claims the vehicle."""
    kind, at = type(node.behavior).__name__, replace(at, key=node.key)
    if kind in REFERENCES:
        behavior = informed(node.behavior, at)
        return (np.zeros_like(at.position), False) if behavior is None else REFERENCES[kind](behavior, at)
    return COMBINATIONS[kind](node.behavior, at, [claimed(answer(child, at), at) for child in node.children])


def claimed(given: Answer, at: At) -> Answer:
    """The answer, with whether it claims the vehicle by its length or whatever that is."""
    force, claims = given
    return force, bool(claims or laws.length(force) > EPSILON * at.max_force)


def reference(place: Place, behavior: sm.Behavior, step: int = 0) -> tuple[Array, Array]:
    """What all vehicles of a place should be told, (n, d), and who is claimed, (n,), at the start of memory."""
    tree = grow(behavior)
    assign_keys(tree, None, 0)
    vehicles = [At(place, i, step) for i in range(len(place.vehicles))]
    answers = [claimed(answer(tree, at), at) for at in vehicles]
    return np.array([force for force, _ in answers]), np.array([acts for _, acts in answers])
