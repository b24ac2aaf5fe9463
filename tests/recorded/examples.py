"""The examples of the contract suite: where they lead, what they say, and what they show of themselves."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from contract.examples import EXAMPLES
from contract.places import State
from contract.running import SEED
from contract.trying import FIRST

import steersman as sm
from steersman.core.maths.shapes import ScaledArrow, Shape

from .table import Rows, Section, digest, vectors

DT = 0.07
STEPS = 3
SPACES = {"plane": (7, 2, np.float32), "space": (3, 3, np.float64)}
"""Seed, dimensions and type: what the contract suite has compiled. The plane is a torus, across whose seam they go."""

LASTING = [0, 1, 3]
"""Rows of vehicles that take their time to respond: another has its velocity after a step, and its force is what is left."""


def world_of(make: Any, space: str) -> sm.World:
    """Vehicles that are unlike each other, and turn, beside others that go straight on."""
    seed, d, dtype = SPACES[space]
    place = State.random(seed, d, torus=d == 2).place(dtype)
    world = sm.World(domain=place.domain, seed=SEED, dt=DT, threads=1)
    steering = make(place)
    body = sm.FreeBody() if getattr(steering, "turns", False) else sm.PointMass()
    world.add(place.vehicles, name="ants", steering=steering, locomotion=body)
    world.add(place.others, name="bees")
    return world


def rows_of(name: str) -> Rows:
    """The rows of one example."""
    section = Section()
    for space in SPACES if name in FIRST else ("plane",):
        world = world_of(EXAMPLES[name], space)
        section.add(f"{space} first force", vectors(world.explain("ants").force[:2]))
        world.run(steps=STEPS)
        ants = world["ants"]
        told, turns = world.explain("ants"), isinstance(world.populations["ants"].locomotion, sm.FreeBody)
        section.add(f"{space} force", vectors(told.force[LASTING]))
        if told.turning is not None and (np.abs(told.turning) > 0).any():
            section.add(f"{space} turning", vectors(told.turning[:3]))
        state = [ants.position[1], ants.velocity[1], *([ants.forward[1]] if turns else [])]
        section.add(f"{space} place, velocity{', heading' * turns}", "; ".join(map(vectors, state)))
        # A vehicle that is steered shows more of itself.
        steered = np.linalg.norm(told.force, axis=1) > 1e-3
        chosen = ants.id[np.argsort(~steered, kind="stable")[:1]]
        lines = str(world.explain("ants", chosen)).splitlines()
        for line in lines[1:] if name in FIRST else ():
            section.add(f"{space} says", line)
        add_sketches(section, space, world.sketch("ants", chosen))
    if name in FIRST:
        section.add("document", document_of(name))
    return section.rows


def document_of(name: str) -> str:
    """How its tree is written."""
    try:
        document = sm.to_document(world_of(EXAMPLES[name], "plane"))
    except sm.NoDocumentError as error:
        return str(error)
    return json.dumps(shortened(document["populations"][0]["steering"]))


def shortened(item: Any) -> Any:
    """A document without long rows of numbers."""
    if isinstance(item, dict):
        return {key: shortened(each) for key, each in item.items()}
    if isinstance(item, list):
        if len(item) > 3 and isinstance(item[0], (int, float, list)):
            return f"{len(item)} rows"
        return [shortened(each) for each in item]
    return float(f"{item:.6g}") if isinstance(item, float) else item


def add_sketches(section: Section, about: str, sketches: Any) -> None:
    """The marks of sketches."""
    for each in sketches:
        for shape in each.shapes:
            if each.depth or shape.role not in ("velocity", "desired", "steering"):  # They follow from the rows above.
                add_shape(section, f"{about} {each.label}", shape)


def add_shape(section: Section, about: str, shape: Shape) -> None:
    """One mark: its kind, role and words, and its places and numbers."""
    words = " / ".join(dict.fromkeys(each for each in (shape.label, shape.means) if each))
    said = [f"'{words}'"] if words else []
    said += [name for name in ("closed", "filled") if getattr(shape, name, False)]
    said += [shape.unit] if isinstance(shape, ScaledArrow) else []
    numbers = "; ".join(digest(getattr(shape, field)) for field in (*shape.places, *shape.numbers))
    section.add(f"{about} {type(shape).__name__} {shape.role}", " ".join([*said, numbers]))


SECTIONS: dict[str, Callable[[], Rows]] = {name: partial(rows_of, name) for name in EXAMPLES}
