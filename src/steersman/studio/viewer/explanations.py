"""Why: the explanation of a vehicle's steering as JSON, in words and as arrows."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from steersman.core.action_selection.change import Change
from steersman.core.steering.behavior import Function
from steersman.core.steering.tree.tree import Node
from steersman.core.vehicles.choosing import rows_of
from steersman.core.vehicles.vehicles import Vehicles
from steersman.core.world.explain import Explanation
from steersman.core.world.world import World
from steersman.drawing.forces import LONGEST
from steersman.drawing.sketch_elements import labeled, plain
from steersman.studio.viewer.conditions import reasons_of
from steersman.studio.viewer.populations import parted, winners
from steersman.studio.viewer.purposes import Namer, goal_of, namer, noun_of, purpose_of, reacts_to

STRONG = 10.0
"""A strong force, as a multiple of the force that reaches the full speed within the response time."""

NONE: Mapping[str, Any] = {}
"""Nothing has a name."""


def why_of(
    world: World,
    population: str,
    vehicle: int,
    span: float,
    known: Mapping[str, Any] = NONE,
    glyph: str | None = None,
) -> dict[str, Any]:
    """The explanation of a vehicle, with its sketch.

    Args:
        world: The world, between steps.
        population: The name of its population.
        vehicle: Its id.
        span: Width of the picture [m], which scales the arrows.
        known: Names -> place [m], shape (d,), or thing, by which purposes call them.
        glyph: The glyph that was chosen for the population: it gives its vehicles a noun where its name has none.

    Raises:
        ValueError: The population has no behavior.
    """
    (why,) = whys_of(world, population, [vehicle], span, known, glyph)
    return {**why, **sketch_of(world, population, vehicle, span, known)}


def sketch_of(
    world: World, population: str, vehicle: int, span: float, known: Mapping[str, Any] = NONE
) -> dict[str, Any]:
    """The sketch of a vehicle; arguments and errors are those of `why_of`."""
    tree: Any = world.populations[population].tree
    names = namer(world, population, known, int(rows_of(world[population].id, vehicle)[0]))
    nodes = list(tree.walk()) if tree else []
    chosen = {each.key: reacts_to(each.behavior, names) for each in nodes}
    goals = {each.key: goal_of(each.behavior, chosen[each.key]) for each in nodes}
    sketches = labeled(world.sketch(population, vehicle), chosen, goals)
    if tree and isinstance(tree.behavior, Function):  # It pushes, and desires no velocity.
        others = ([shape for shape in each.shapes if shape.role != "desired"] for each in sketches)
        sketches = [each._replace(shapes=tuple(shapes)) for each, shapes in zip(sketches, others, strict=True)]
    return parted(sketches, span, _seconds(world, population, vehicle, span))


def whys_of(
    world: World,
    population: str,
    vehicles: Sequence[int],
    span: float,
    known: Mapping[str, Any] = NONE,
    glyph: str | None = None,
) -> list[dict[str, Any]]:
    """The explanations of vehicles without sketches; arguments and errors are those of `why_of`."""
    explanation = world.explain(population, list(vehicles))
    leaves = [each for each in explanation.walk() if not each.parts]
    deciding, winner = winners(explanation, leaves), explanation.winner
    tree: Any = world.populations[population].tree
    reasons, whys, members = reasons_of(world, population, known), [], world[population]
    for row, vehicle in enumerate(explanation.id.tolist()):
        most = float(explanation.max_force[row])
        k = int(rows_of(members.id, vehicle)[0])
        names = namer(world, population, known, k)
        full = min(most, _strong(members, k, world.dt))
        if not np.isfinite(full):
            full = max(float(np.linalg.norm(each.raw[row])) for each in explanation.walk())
        response = float((members.response_time[k] or world.dt) / members.mass[k])
        desired = explanation.desired_velocity[row]
        follows = np.allclose(desired, members.velocity[k] + response * explanation.contribution[row], 1e-3, 1e-6)
        whys.append(
            {
                "population": population,
                "id": vehicle,
                "noun": noun_of(population, len(members), glyph),
                "tree": _node(explanation, tree, row, reasons, names),
                "force": _vector(explanation.force[row]),
                "max_force": most if np.isfinite(most) else None,
                "full": full,
                "pace": _pace(members, k),
                "velocity": _vector(members.velocity[k]),
                "desired": None if follows else _vector(desired),
                "response": response,
                "fastest": float(members.max_speed[k]),
                "on_ground": world.populations[population].locomotion.on_ground,
                "winner": str(winner[row]),
                "leaf": int(deciding[row]),
            }
        )
    return whys


def _strong(vehicles: Vehicles, k: int, dt: float) -> float:
    """A strong force for vehicle k [N], regardless of its limit: STRONG times that for full speed in its response time."""
    return STRONG * float(vehicles.mass[k] * vehicles.max_speed[k] / max(vehicles.response_time[k], dt))


def _pace(vehicles: Vehicles, k: int) -> float | None:
    """The speed of vehicle k as a part of the top speed; None for a vehicle without a limit."""
    fastest = float(vehicles.max_speed[k])
    return round(float(vehicles.speed[k]) / fastest, 3) if 0 < fastest < np.inf else None


def _seconds(world: World, population: str, vehicle: int, span: float) -> float | None:
    """How long velocities are drawn [s]: at full speed as long as can be; None for a vehicle without a limit."""
    vehicles = world[population]
    fastest = float(vehicles.max_speed[rows_of(vehicles.id, vehicle)[0]])
    return LONGEST * span / fastest if 0 < fastest < np.inf else None


def _node(node: Explanation, of: Node, row: int, reasons: Mapping[int, str], names: Namer) -> dict[str, Any]:
    """A node as JSON, with its key in the tree, and those of its conditions and of what it knows (`besides`)."""
    return {
        "key": of.key,
        "label": node.label if node.mode is None else f"{node.mode}: {node.label}",
        "words": plain(node.label),
        "purpose": purpose_of(of.behavior, any(part.evaluated[row] for part in node.parts), names),
        "weight": node.weight,
        "evaluated": bool(node.evaluated[row]),
        "acts": bool(node.acts[row]),
        "raw": _vector(node.raw[row]),
        "contribution": _vector(node.contribution[row]),
        "change": None if node.change is None else _change(node.change.rows(np.array([row])), reasons),
        "besides": [each.key for node in (*of.conditions, *of.knowledge) for each in node.walk()],
        "parts": [_node(part, child, row, reasons, names) for part, child in zip(node.parts, of.children, strict=True)],
    }


def _change(change: Change, reasons: Mapping[int, str]) -> dict[str, Any] | None:
    """The mode of the vehicle and the last change to it; None without a mode."""
    (mode,), (left,), (seconds,) = change.mode, change.left, change.seconds
    because = reasons.get(int(change.fired[0]), "") if left else ""
    explanation = {"mode": str(mode), "seconds": float(seconds), "left": str(left), "because": because}
    return explanation if mode else None


def _vector(vector: Any) -> list[float]:
    return [float(f"{each:.5g}") if np.isfinite(each) else 0.0 for each in vector.tolist()]
